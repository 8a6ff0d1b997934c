"""From exciting motions and simulated recordings to a robot."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest

import appell


def recorded(robot: appell.Robot, seed: int, noise: float) -> dict[str, np.ndarray]:
    motion = appell.excite(robot, lower=-1.5, upper=1.5, velocity=2.0, acceleration=8.0, starts=2, steps=40, hops=0, seed=seed)
    t = np.concatenate([motion.t + k * motion.t[-1] for k in range(3)])[: 3 * (len(motion.t) - 1)]
    rows = np.tile(np.arange(len(motion.t) - 1), 3)
    t = np.arange(len(rows)) * (motion.t[1] - motion.t[0])
    q, v, a = motion.q[rows], motion.v[rows], motion.a[rows]
    tau = robot.inverse_dynamics(q, v, a)
    noisy = np.random.default_rng(seed).normal(0.0, noise, tau.shape)
    return {"t": t, "q": q, "tau": tau + noisy}


def arm() -> appell.Robot:
    builder = appell.Builder("arm", gravity=(0, -9.81, 0))
    builder.joint("shoulder", mass=3.0, com=(0.2, 0.01, 0), inertia=(0.02, 0.05, 0.06), friction={"viscous": 0.4, "coulomb": 0.6, "smoothing": 0.01})
    builder.joint("elbow", parent="shoulder", d=0.4, mass=2.0, com=(0.15, -0.02, 0), inertia=(0.01, 0.02, 0.025), friction={"viscous": 0.2, "coulomb": 0.3, "smoothing": 0.01})
    return builder.build()


def test_a_heavier_robot_is_found() -> None:
    believed = arm()
    true = believed.with_body("elbow", mass=2.6).with_joint("elbow", viscous=0.5)
    data, held = recorded(true, 1, 0.02), recorded(true, 2, 0.02)
    found = appell.identify(believed, data, validate=held, effects=["viscous", "coulomb"])
    assert found.fit.relative < 0.02 and found.held_out is not None and found.held_out.relative < 0.03
    viscous = next(p for p in found.parameters if p.name.startswith("Fv2"))
    assert abs(viscous.value - 0.5) < 5 * viscous.sigma + 0.02
    assert abs(viscous.before - 0.2) < 1e-12
    assert found.robot is not None
    q, v, a = np.random.default_rng(3).uniform(-1, 1, (3, 50, 2))
    off = found.robot.inverse_dynamics(q, v, a) - true.inverse_dynamics(q, v, a)
    before = believed.inverse_dynamics(q, v, a) - true.inverse_dynamics(q, v, a)
    assert np.abs(off).max() < 0.2 * np.abs(before).max()


def test_tables_files_and_reports(tmp_path: Path) -> None:
    robot = arm()
    data = recorded(robot, 1, 0.01)
    path = tmp_path / "run.csv"
    table = np.column_stack([data["t"], data["q"], data["tau"]])
    np.savetxt(path, table, delimiter=",", header="t,q1,q2,tau1,tau2", comments="", fmt="%.17g")
    by_file, by_arrays = (appell.identify(robot, given, effects=["viscous", "coulomb"]) for given in (path, data))
    for one, other in zip(by_file.parameters, by_arrays.parameters):
        assert one == other
    folder = by_file.report(tmp_path / "report")
    assert {file.name for file in folder.iterdir()} >= {"report.html", "parameters.csv", "robot.toml"}
    assert appell.load(folder / "robot.toml") == by_file.robot
    assert "± " in by_file._repr_html_() and "residual" in repr(by_file)
    pytest.importorskip("matplotlib")
    by_file.plot().savefig(tmp_path / "fit.png")
    pytest.importorskip("pandas")
    assert list(by_file.to_pandas().index) == [p.name for p in by_file.parameters]


def test_what_is_wrong_is_said() -> None:
    robot = arm()
    data = recorded(robot, 1, 0.01)
    for keywords, message in (
        ({"method": "magic"}, "weighted"),
        ({"effects": ["magic"]}, "viscous"),
        ({"layout": "time = 3"}, "layout"),
    ):
        with pytest.raises(ValueError, match=message):
            appell.identify(robot, data, **keywords)  # type: ignore[arg-type]
    with pytest.raises(ValueError):
        appell.identify(robot, {"t": data["t"], "q": data["q"]})
    with pytest.raises(TypeError, match="expected a CSV file"):
        appell.identify(robot, 3)
    with pytest.raises(appell.ShapeError, match="one each"):
        appell.excite(robot, velocity=[1, 2, 3])
    with pytest.raises(ValueError, match="criteria are"):
        appell.excite(robot, velocity=1, criterion="beauty")


def test_recordings_that_are_damaged_are_named(tmp_path: Path) -> None:
    robot = arm()
    data = recorded(robot, 1, 0.01)
    path = tmp_path / "run.csv"
    rows = np.column_stack([data["t"], data["q"], data["tau"]])
    lines = ["t,q.shoulder,q.elbow,tau.shoulder,tau.elbow", *(",".join(map(repr, map(float, row))) for row in rows)]
    path.write_text("\n".join(lines))
    assert appell.identify(robot, path, effects="viscous").fit.relative < 0.2, "columns by joint, one effect as a word"
    for damaged, message in (
        ("", "no rows"),
        ("\n".join([*lines[:40], "0.4,x,0,0,0", *lines[40:]]), "line 41: column `q.shoulder` holds `x`"),
        ("\n".join([*lines[:40], "0.4,1"]), "holds `nothing`"),
    ):
        path.write_text(damaged)
        with pytest.raises(appell.RecordingError, match=message):
            appell.identify(robot, path)
    with pytest.raises(appell.RecordingError, match="datetime64"):
        appell.identify(robot, {**data, "t": (data["t"] * 1e9).astype("datetime64[ns]")})
    for wrong in ({"border": -1.0}, {"smoothing": np.nan}, {"trust": 0.0}, {"cut_off": -3.0}):
        with pytest.raises(appell.NumberError):
            appell.identify(robot, data, **wrong)  # type: ignore[arg-type]


def test_what_cannot_excite_is_said() -> None:
    robot = arm()
    for wrong in ({"dt": 0.0}, {"dt": np.nan}, {"dt": 1e-11}, {"harmonics": 10**12}, {"starts": 0}):
        with pytest.raises(appell.NumberError):
            appell.excite(robot, velocity=1, acceleration=4, **wrong)  # type: ignore[arg-type]
    with pytest.raises(appell.RecordingError, match="nothing is unknown"):
        appell.excite(robot, velocity=1, acceleration=4, known=["*"])
    top = appell.Builder().joint("body", "free", mass=1.0, inertia=(0.1, 0.1, 0.1)).build()
    with pytest.raises(appell.QuestionError, match="one number each"):
        appell.excite(top, velocity=1, acceleration=4)


def _excited(seed: int) -> float:
    return appell.excite(arm(), velocity=2, acceleration=8, starts=1, steps=2, hops=0, seed=seed).condition


def test_forked_processes_excite_too() -> None:
    import multiprocessing
    import os

    if not hasattr(os, "fork"):
        pytest.skip("there is no fork")
    own = _excited(1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of forking with threads
        with multiprocessing.get_context("fork").Pool(2) as pool:
            assert pool.map_async(_excited, [1, 1]).get(timeout=120) == [own, own]


def with_finger(mass: float) -> appell.Robot:
    builder = appell.Builder("gripper", gravity=(0, -9.81, 0))
    builder.joint("shoulder", mass=3.0, com=(0.2, 0.01, 0), inertia=(0.02, 0.05, 0.06))
    builder.joint("finger", parent="shoulder", d=0.4, mass=mass, com=(0.05, 0, 0), inertia=(1e-4, 1e-4, 1e-4))
    return builder.build()


def test_fingers_stand() -> None:
    t = np.arange(0, 20, 0.01)
    q, v, a = np.sin(1.3 * t), 1.3 * np.cos(1.3 * t), -1.69 * np.sin(1.3 * t)
    stands = np.full_like(t, 0.3)
    still = np.zeros_like(t)
    true = with_finger(0.7)
    tau = true.inverse_dynamics(np.stack([q, stands], 1), np.stack([v, still], 1), np.stack([a, still], 1))[:, 0]
    found = appell.identify(with_finger(0.4), {"t": t, "q.shoulder": q, "tau.shoulder": tau}, lock={"finger": 0.3}, folds=0)
    assert found.fit.relative < 1e-2 and found.robot is not None and list(found.robot.drives) == ["shoulder", "finger"]
    assert not any(parameter.name.endswith("2") for parameter in found.parameters)
    motion = appell.excite(with_finger(0.4), lower=-1, upper=1, velocity=2, acceleration=8, lock="finger", starts=1, steps=5, hops=0)
    assert motion.q.shape[1] == 1
    with pytest.raises(appell.RecordingError, match="no joint `thumb`"):
        appell.identify(with_finger(0.4), {"t": t, "q1": q, "tau1": tau}, lock="thumb")


def test_a_payload_gives_gains() -> None:
    robot, load = arm(), {"mass": 1.5, "com": [0.3, 0.0, 0.0], "inertia": [0.01, 0.02, 0.02, 0, 0, 0]}
    off = np.array([1.1, 0.93])
    carrying = robot.with_payload(load["mass"], load["com"], load["inertia"])
    plain, loaded = recorded(robot, 1, 0.01), recorded(carrying, 2, 0.01)
    for one in (plain, loaded):
        one["tau"] = one["tau"] / off
    effects = ["viscous", "coulomb", "gain"]
    found = appell.identify(robot, plain, loaded=loaded, payload=load, effects=effects, folds=0)
    for k, expected in enumerate(off):
        gain = next(parameter for parameter in found.parameters if parameter.name == f"g{k + 1}")
        assert abs(gain.value - expected) < max(5 * gain.sigma, 0.01)
    with pytest.raises(ValueError, match="go together"):
        appell.identify(robot, plain, loaded=loaded)
    with pytest.raises(appell.RecordingError, match="no such frame"):
        appell.identify(robot, plain, loaded=loaded, payload={"mass": 1.0, "on": "spoon"})
