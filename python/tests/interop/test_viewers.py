"""Motions as files of viewers, read again with the viewers' own packages."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import appell


@pytest.mark.parametrize("name", ["puma560", "gough-stewart"])
def test_mcap_holds_every_row_and_frame(tmp_path: Path, name: str) -> None:
    reader = pytest.importorskip("mcap.reader")
    robot = appell.load(name)
    run = appell.simulate(robot, lambda t, q, v: np.zeros(robot.nv), duration=0.05)
    path = run.to_mcap(tmp_path / "run.mcap")
    with path.open("rb") as file:
        messages = [(channel.topic, json.loads(message.data)) for _, channel, message in reader.make_reader(file).iter_messages()]
    states = [message for topic, message in messages if topic == "/joint_states"]
    frames = [message["transforms"] for topic, message in messages if topic == "/tf"]
    energies = [message for topic, message in messages if topic == "/energy"]
    assert len(states) == len(frames) == len(energies) == len(run)
    assert states[0]["name"] == list(robot.drives)
    np.testing.assert_array_equal([state["effort"] for state in states], run.tau)
    np.testing.assert_array_equal([state["velocity"] for state in states], run.v)
    assert [frame["child_frame_id"] for frame in frames[0]] == robot.frame_names
    if run.pose is not None:
        last = frames[-1][-1]["translation"]
        np.testing.assert_allclose([last[x] for x in "xyz"], run.pose[-1, :3, 3], atol=1e-12)
        poses = [message["pose"] for topic, message in messages if topic == "/platform"]
        assert len(poses) == len(run)
        np.testing.assert_array_equal([poses[-1]["position"][x] for x in "xyz"], run.pose[-1, :3, 3])


def test_rerun_writes_a_recording(tmp_path: Path) -> None:
    pytest.importorskip("rerun")
    run = appell.simulate(appell.load("two-link"), duration=0.05, start=[0.1, 0.2])
    assert run.to_rerun(tmp_path / "run.rrd").stat().st_size > 1000


def test_what_is_missing_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import builtins

    real = builtins.__import__

    def without(name: str, *rest: object, **more: object) -> object:
        if name.split(".")[0] in ("mcap", "rerun"):
            raise ImportError(name)
        return real(name, *rest, **more)  # type: ignore[arg-type]

    run = appell.simulate(appell.load("two-link"), duration=0.02, start=[0.1, 0.2])
    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ImportError, match="pip install"):
        run.to_mcap(tmp_path / "x.mcap")
    with pytest.raises(ImportError, match="pip install"):
        run.to_rerun(tmp_path / "x.rrd")
