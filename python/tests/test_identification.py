"""From exciting motions and simulated recordings to a robot."""

from __future__ import annotations

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
