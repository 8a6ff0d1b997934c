"""Robots made in code, and swept over parameters."""

from __future__ import annotations

import numpy as np
import pytest

import appell


def pendulum(length: float = 1.0) -> appell.Robot:
    builder = appell.Builder("pendulum", gravity=(0, -9.81, 0))
    builder.joint("pivot", mass=2.0, com=(0.5, 0, 0), inertia=(0.0, 0.2, 0.2))
    builder.joint("knee", parent="pivot", d=length, mass=1.0, com=(0.3, 0, 0), inertia=(0, 0.1, 0.1), friction={"viscous": 0.1})
    builder.joint("slide", "prismatic", parent="knee", d="200 mm", alpha="90 deg", mass=0.5, com=(0, 0, 0.1), inertia=(0.01, 0.01, 0.01))
    return builder.frame("tip", "slide", xyz=(0, 0, 0.2)).build()


def test_a_double_pendulum_by_hand() -> None:
    robot = pendulum()
    assert robot.kind == "serial" and robot.frame_names[-1] == "tip"
    q = np.array([0.3, 0.4, 0.0])
    g = 9.81
    lever = 0.5 * 2.0 * np.cos(0.3) + (np.cos(0.3) + 0.3 * np.cos(0.7))
    # The slide leaves the plane of the pendulum; its body hangs 0.2 m along the second bar and 0.1 m across it.
    lever += 0.5 * (np.cos(0.3) + 0.2 * np.cos(0.7) - 0.1 * np.cos(0.7 + np.pi / 2) * -1 * -1)
    assert robot.gravity(q)[0] == pytest.approx(g * lever, rel=1e-1)
    mass = robot.mass
    assert mass == pytest.approx(3.5)
    # Gravity is the gradient of the potential energy.
    h = 1e-6
    gradient = [(robot.energy(q + h * e, 0 * q)[1] - robot.energy(q - h * e, 0 * q)[1]) / (2 * h) for e in np.eye(3)]
    np.testing.assert_allclose(robot.gravity(q), gradient, atol=1e-7)


def test_loops_are_written_as_in_a_file() -> None:
    built = appell.Builder("four-bar linkage", gravity=(0, -9.81, 0))
    built.joint("crank", mass=0.16, com=(0.05, 0, 0), inertia=(6.7e-6, 1.347e-4, 1.387e-4), home="60 deg")
    built.joint("coupler", parent="crank", d=0.10, mass=0.44, com=(0.14, 0, 0), inertia=(1.83e-5, 2.8784e-3, 2.8894e-3), driven=False, home=-0.469527)
    built.joint("rocker", d=0.30, mass=0.38, com=(0.12, 0, 0), inertia=(1.58e-5, 1.8272e-3, 1.8367e-3), driven=False, home=1.635148)
    built.section("closure.pin", {"joint": "revolute", "first": {"on": "coupler", "xyz": [0.28, 0, 0]}, "second": {"on": "rocker", "xyz": [0.24, 0, 0]}})
    assert built.build() == appell.load("four-bar")


def test_what_is_wrong_is_said() -> None:
    with pytest.raises(appell.RobotError, match="knee"):
        appell.Builder().joint("hip", parent="knee", mass=1.0).build()
    with pytest.raises(ValueError, match="xx yy zz"):
        appell.Builder().joint("hip", inertia=(1, 2))
    with pytest.raises(appell.QuestionError, match="no parameter"):
        pendulum().sweep({"hip.m": [1.0]})
    with pytest.raises(appell.ShapeError):
        pendulum().sweep(np.zeros(3))


def test_sweeps_are_the_robots_one_by_one() -> None:
    robot = pendulum().with_joint("knee", rotor_inertia=0.02, stiffness=3.0, coulomb=0.4, smoothing=0.1)
    robot = robot.with_joint("knee", square_root=0.3, stribeck=0.2, stribeck_speed=0.5)  # which no parameter says
    rng = np.random.default_rng(0)
    factors = rng.uniform(0.5, 2.0, 7)
    swept = robot.sweep(robot.parameter_values * factors[:, None])
    q, v, a, tau = rng.normal(size=(4, 7, 3))
    for k, factor in enumerate(factors):
        one = robot.with_masses_scaled(factor).with_joint(
            "knee", viscous=0.1 * factor, rotor_inertia=0.02 * factor, coulomb=0.4 * factor
        )
        for name, given in (
            ("inverse_dynamics", (q, v, a)),
            ("bias", (q, v)),
            ("gravity", (q,)),
            ("inertia_matrix", (q,)),
            ("forward_dynamics", (q, v, tau)),
        ):
            expected = getattr(one, name)(*(x[k] for x in given))
            found = getattr(swept, name)(*given)[k]
            np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-10, err_msg=name)


def test_sweeps_of_parallel_robots() -> None:
    stewart = appell.load("gough-stewart")
    masses = np.linspace(1.0, 3.0, 4)
    swept = stewart.sweep({"platform.m": masses})
    forces = swept.inverse_dynamics(np.stack([stewart.home] * 4))
    for k, mass in enumerate(masses):
        change = mass - stewart.parameter_values[stewart.parameters.index("platform.m")]
        one = stewart.inverse_dynamics(stewart.home, external={"platform": [0, 0, -9.81 * change, 0, 0, 0]})
        np.testing.assert_allclose(forces[k], one, rtol=1e-10)
    with pytest.raises(appell.QuestionError, match="without loops"):
        swept.inertia_matrix(stewart.home)


def test_offsets_may_be_negative_and_names_strange() -> None:
    for offset in (-1.5, "-90 deg", 1.5, "+90 deg", 0):
        robot = appell.Builder().joint("a", theta=offset, mass=1.0, com=(0.5, 0, 0), inertia=(0.1, 0.1, 0.1)).build()
        angle = {"-90 deg": -np.pi / 2, "+90 deg": np.pi / 2}.get(str(offset), offset)
        turned = robot.pose([0.2])[:2, 0]
        np.testing.assert_allclose(turned, [np.cos(0.2 + float(angle)), np.sin(0.2 + float(angle))], atol=1e-12)
    slide = appell.Builder().joint("s", "prismatic", r=-0.1, mass=1.0).build()
    assert slide.pose([0.3])[2, 3] == pytest.approx(0.2)
    builder = appell.Builder()
    with pytest.raises(ValueError):
        builder.joint("a", inertia=(1, 2))
    assert builder.joint("a", mass=1.0).build().nv == 1, "what was refused has left nothing"


def test_doubts_about_what_is_made_are_warnings() -> None:
    with pytest.warns(appell.FileWarning, match="inertia"):
        appell.Builder().joint("a", mass=1.0, inertia=(1.0, 1.0, 10.0)).build()
    with pytest.warns(appell.FileWarning, match="inertia"):
        appell.load("two-link").with_body("long", inertia=[1.0, 1.0, 10.0, 0, 0, 0])


def test_sweeps_refuse_what_robots_refuse() -> None:
    robot = pendulum()
    for wrong in ({"knee.m": [1.0, np.nan]}, {"knee.m": -1.0}):
        with pytest.raises(appell.NumberError):
            robot.sweep(wrong)
    swept = robot.sweep({"knee.m": [1.0, 2.0]})
    with pytest.raises(appell.ShapeError):
        swept.forward_dynamics(np.zeros(3), np.zeros(3), [5.0])
    with pytest.raises(appell.ShapeError, match="sets of parameters"):
        swept.inverse_dynamics(np.zeros((5, 3)))
    stewart = appell.load("gough-stewart")
    forces = stewart.sweep({"platform.m": [1.0, 2.0]}).inverse_dynamics((stewart.home[:3, 3], [0, 0, 0, 1]))
    assert forces.shape == (2, 6)


def test_joints_and_frames_are_added() -> None:
    short = appell.Builder("arm").joint("a", mass=1.0, com=(0.3, 0, 0), inertia=(0.1, 0.1, 0.1)).build()
    row = {"alpha": 0.5, "d": 0.4, "theta": -0.2, "r": 0.1}
    long = short.with_added_joint("b", parent="a", mass=0.5, com=(0.1, 0.2, 0), inertia=(0.02, 0.02, 0.03, 0, 0, 0), **row)
    long = long.with_frame("tip", "b", xyz=(0.1, 0, 0), rpy=(0.1, 0.2, 0.3))
    built = appell.Builder("arm").joint("a", mass=1.0, com=(0.3, 0, 0), inertia=(0.1, 0.1, 0.1))
    built.joint("b", parent="a", mass=0.5, com=(0.1, 0.2, 0), inertia=(0.02, 0.02, 0.03), **row)
    expected = built.frame("tip", "b", xyz=(0.1, 0, 0), rpy=(0.1, 0.2, 0.3)).build()
    q, v, a = np.random.default_rng(0).normal(size=(3, 2))
    np.testing.assert_allclose(long.inverse_dynamics(q, v, a), expected.inverse_dynamics(q, v, a), rtol=1e-13)
    np.testing.assert_allclose(long.pose(q, "tip"), expected.pose(q, "tip"), atol=1e-14)
    again = appell.Robot(long.to_text())
    np.testing.assert_allclose(again.inverse_dynamics(q, v, a), expected.inverse_dynamics(q, v, a), rtol=1e-13)
    np.testing.assert_allclose(again.pose(q, "tip"), expected.pose(q, "tip"), atol=1e-14)
    for wrong in ({"name": "a"}, {"name": "c", "kind": "magic"}, {"name": "c", "parent": "nowhere"}):
        with pytest.raises(appell.RobotError):
            short.with_added_joint(**wrong)  # type: ignore[arg-type]
    with pytest.raises(appell.RobotError):
        short.with_frame("tip", "nowhere")
