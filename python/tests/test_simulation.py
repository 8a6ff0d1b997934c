"""Motions: laws of mechanics, laws in Python, sampled laws, scenarios, and what ends a run."""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import appell
from appell._progress import Progress

SCENARIOS = Path(__file__).parents[2] / "crates" / "appell-simulation" / "scenarios"


@pytest.mark.parametrize("name", ["puma560", "scara", "gough-stewart", "delta", "four-bar", "agile-wrist"])
def test_energy_is_kept(name: str) -> None:
    robot = appell.load(name)
    for joint in robot.joints:
        robot = robot.with_joint(joint["name"], viscous=0.0, coulomb=0.0)
    run = appell.simulate(robot, duration=0.1, tolerance=1e-11)
    assert run.stop is None and len(run) == 11
    scale = max(float(np.ptp(run.kinetic)), 1e-3)
    assert np.ptp(run.energy) < 1e-8 * scale


def test_power_of_a_law_is_the_change_of_energy() -> None:
    robot = appell.load("two-link")
    law = lambda t, q, v: np.array([np.sin(7 * t), 0.3 * np.cos(5 * t)])  # noqa: E731
    run = appell.simulate(robot, law, duration=1.0, start=[0.3, 0.2], record=2e-4, tolerance=1e-11)
    power = np.einsum("ij,ij->i", run.tau, run.v)
    work = np.concatenate([[0.0], np.cumsum((power[1:] + power[:-1]) / 2 * np.diff(run.t))])
    np.testing.assert_allclose(run.energy - run.energy[0], work, atol=2e-5 * np.abs(work).max())


def test_a_law_sees_what_is_recorded() -> None:
    robot = appell.load("two-link")
    seen: list[tuple[float, np.ndarray, np.ndarray]] = []

    def law(t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        seen.append((t, q.copy(), v.copy()))
        return robot.inverse_dynamics(q, v, -20.0 * (q - [0.5, -0.5]) - 9.0 * v)

    run = appell.simulate(robot, law, duration=2.0, start=[0.0, 0.0], period=1e-2)
    assert len(seen) == 200
    np.testing.assert_allclose([t for t, _, _ in seen], np.arange(200) * 1e-2, atol=1e-12)
    np.testing.assert_allclose([q for _, q, _ in seen], run.q[:-1], atol=1e-9)
    assert np.abs(run.q[-1] - [0.5, -0.5]).max() < 5e-3


def test_platforms_are_driven_by_their_pose() -> None:
    stewart = appell.load("gough-stewart")
    goal = stewart.home[:3, 3] + [0.02, -0.01, 0.03]

    def law(t: float, q: np.ndarray, v: np.ndarray, pose: np.ndarray, twist: np.ndarray) -> np.ndarray:
        acceleration = -15.0 * twist
        acceleration[:3] -= 100.0 * (pose[:3, 3] - goal)
        return stewart.inverse_dynamics(pose, twist, acceleration)

    run = appell.simulate(stewart, law, duration=1.5)
    assert run.pose is not None and run.pose.shape == (151, 4, 4)
    np.testing.assert_allclose(run.pose[-1, :3, 3], goal, atol=1e-4)
    lengths, *_ = stewart.actuated(run.pose[-1])
    np.testing.assert_allclose(run.q[-1], lengths, atol=1e-9)


def test_floating_bodies_keep_their_momentum() -> None:
    text = """
name = "top"
frames = "khalil-kleinfinger"
gravity = [0, 0, 0]
joints = [["body", "free", "base", 0, 0, 0, 0, 0, 0]]
body.body = { mass = 2.0, com = [0.1, 0, 0], inertia = { xx = 0.1, yy = 0.2, zz = 0.25 } }
"""
    robot = appell.Robot(text, "toml")
    assert (robot.nq, robot.nv) == (7, 6)
    velocity = [0.1, 0.2, -0.3, 1.0, 2.0, 0.5]
    run = appell.simulate(robot, duration=3.0, velocity=velocity, tolerance=1e-11)
    momentum = robot.momentum(run.q, run.v)
    np.testing.assert_allclose(momentum, np.broadcast_to(momentum[0], momentum.shape), atol=1e-8)
    np.testing.assert_allclose(np.linalg.norm(run.q[:, 3:], axis=1), 1.0, atol=1e-12)
    v = robot.difference(run.q[10], run.q[11])
    np.testing.assert_allclose(robot.integrate(run.q[10], v), run.q[11], atol=1e-12)
    np.testing.assert_allclose(v / 0.01, (run.v[10] + run.v[11]) / 2, atol=1e-3)


def test_scenarios_run_as_the_command_line_runs_them() -> None:
    run = appell.simulate(SCENARIOS / "puma-tool.toml")
    assert run.stop is None and run.wanted is not None
    error = np.abs(run.q - run.wanted).max(axis=0)
    np.testing.assert_allclose(error, run.summary["largest_error"], rtol=0.2)
    with pytest.raises(TypeError, match="load it first"):
        appell.simulate(SCENARIOS / "puma-tool.toml", duration=1.0)


def test_methods_agree_and_limits_stop() -> None:
    robot = appell.load("two-link").with_joint("long", lower=-1.0, upper=1.0)
    runs = [
        appell.simulate(robot, duration=0.2, start=[0.3, 0.2], method=method, step=step, tolerance=1e-10)
        for method, step in (("dormand-prince", None), ("runge-kutta", 1e-5), ("midpoint", 1e-5))
    ]
    for other in runs[1:]:
        np.testing.assert_allclose(other.q, runs[0].q, atol=1e-5)
    stopped = appell.simulate(robot, duration=5.0, start=[0.3, 0.2], stop_at=["position"])
    assert stopped.stop is not None and "`long`" in stopped.stop
    assert abs(abs(stopped.q[-1, 1]) - 1.0) < 1e-6


def test_what_is_wrong_with_a_law_is_said() -> None:
    robot = appell.load("two-link")
    for law, error, message in (
        (lambda t, q, v: [1.0], appell.ShapeError, "expected 2"),
        (lambda t, q, v: [np.nan, 0.0], appell.NumberError, r"tau\[0\]"),
        (lambda t, q, v: 1 / 0, ZeroDivisionError, "division"),
        (lambda t, q, v: "x", ValueError, "could not convert"),
        (3, TypeError, "expected a function"),
    ):
        with pytest.raises(error, match=message):
            appell.simulate(robot, law, duration=0.1)  # type: ignore[arg-type]
    for keywords in ({"duration": -1}, {"duration": np.nan}, {"duration": 1, "record": 0}, {"duration": 1, "method": "euler"}):
        with pytest.raises(ValueError):
            appell.simulate(robot, **keywords)  # type: ignore[arg-type]
    with pytest.raises(appell.ShapeError):
        appell.simulate(robot, duration=1.0, start=np.zeros((3, 2)))


@pytest.mark.parametrize("call", ['"gough-stewart"), lambda t, q, v: q * 0 + 60', '"two-link"), None'], ids=["law", "free"])
def test_ctrl_c_stops_a_run(call: str) -> None:
    program = textwrap.dedent(
        f"""
        import appell
        print("ready", flush=True)
        appell.simulate(appell.load({call}, duration=1e6, record=1e3, most_steps=10**12)
        """
    )
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGINT)
    _, printed = process.communicate(timeout=60)
    assert "KeyboardInterrupt" in printed or "Traceback" in printed


def test_free_motions_let_other_threads_run() -> None:
    robot, done = appell.load("two-link"), threading.Event()

    def fall() -> None:
        appell.simulate(robot, duration=60.0, start=[0.3, 0.2], record=1.0, tolerance=1e-12)
        done.set()

    thread = threading.Thread(target=fall)
    thread.start()
    turns = 0
    while not done.is_set():
        turns += 1
        time.sleep(1e-4)
    thread.join()
    assert turns > 20, "this thread was not let run"


def test_laws_that_simulate_themselves_end() -> None:
    robot = appell.load("two-link")
    depth = 0

    def law(t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        nonlocal depth
        depth += 1
        return appell.simulate(robot, law, duration=0.1, start=q).tau[-1]

    with pytest.raises(RecursionError, match="law of a simulate, 16 deep"):
        appell.simulate(robot, law, duration=0.1)
    assert depth == 16
    # A law may look ahead, and the next run begins anew.
    ahead = lambda t, q, v: 0 * appell.simulate(robot, lambda t, q, v: [0.0, 0.0], duration=1e-3, start=q).q[-1]  # noqa: E731
    assert appell.simulate(robot, ahead, duration=0.02, period=0.01).stop is None


def test_progress_is_told() -> None:
    told: list[tuple[float, float]] = []
    assert Progress("s", shown=False).pulse is None and Progress("s", shown=True).pulse is not None
    columns, *_ = appell._appell.simulate(
        appell.load("two-link"), None, False, [0.3, 0.2], None, None, 5.0, 1.0, "dormand-prince", 1e-10, None, None, [], 10**7,
        lambda done, of: told.append((done, of)),
    )  # fmt: skip
    assert len(columns["t"]) == 6 and len(told) > 3
    assert all(of == 5.0 and 0 < done <= 5.0 for done, of in told) and told == sorted(told)


def test_records_become_tables_and_pictures(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    pandas = pytest.importorskip("pandas")
    run = appell.simulate(appell.load("gough-stewart"), lambda t, q, v: q * 0 + 66, duration=0.1)
    table = run.to_pandas()
    assert len(table) == len(run) and "tau.leg1.slide" in table.columns and "px" in table.columns
    again = pandas.read_csv(run.to_csv(tmp_path / "run.csv"))
    np.testing.assert_array_equal(again.to_numpy(), table.to_numpy())
    figure = run.plot()
    figure.savefig(tmp_path / "run.png")
    assert (tmp_path / "run.png").stat().st_size > 10_000
    animation = run.animate(frames=3)
    assert len(animation.to_jshtml()) > 1000
    links, plates, joints = animation._func(2)
    assert run.pose is not None
    last = appell._plot._Bones(run.robot._skeleton(None, appell._poses.of_matrices(run.pose[-1]).tolist()))
    np.testing.assert_array_equal(np.transpose(joints.get_data_3d()), last.marks)
    assert len(links._segments3d) == len(last.lines) >= 6 and np.shape(plates._segments3d) == (1, 7, 3)
    falling = appell.simulate(appell.load("four-bar"), duration=0.05).animate(frames=2)
    assert len(falling.to_jshtml()) > 1000
    with pytest.raises(appell.NumberError, match="frames=0"):
        run.animate(frames=0)
    assert "rows" in repr(run) and "<table>" in run._repr_html_()


def test_the_first_exception_of_a_law_ends_it() -> None:
    calls = 0

    def law(t: float, q: np.ndarray, v: np.ndarray) -> list[float]:
        nonlocal calls
        calls += 1
        if calls == 50:
            raise KeyError("first")
        return [0.0, 0.0]

    with pytest.raises(KeyError, match="first"):
        appell.simulate(appell.load("two-link"), law, duration=0.2)
    assert calls == 50


def test_the_end_is_recorded_and_an_early_one_warned_of() -> None:
    robot = appell.load("two-link")
    run = appell.simulate(robot, duration=1.0, record=0.3)
    np.testing.assert_allclose(run.t, [0.0, 0.3, 0.6, 0.9, 1.0])
    assert np.ptp(run.energy) < 1e-5 * np.ptp(run.kinetic)
    with pytest.raises(appell.NumberError, match="rows"):
        appell.simulate(robot, duration=1.0, record=1e-9)
    with pytest.warns(appell.AppellWarning, match="before its time"):
        assert appell.simulate(appell.load("delta"), duration=100.0, record=1.0).stop is not None
