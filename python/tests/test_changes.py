"""Changed copies of robots, against what is computed otherwise."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import appell
import states
from states import close, same


def test_payload_is_a_weight_at_the_frame() -> None:
    robot = states.robot("scara")
    mass, com, inertia = 2.5, np.array([0.05, -0.03, 0.1]), np.diag([0.02, 0.03, 0.04])
    loaded = robot.with_payload(mass, com, inertia, frame="tool")
    assert loaded.mass == pytest.approx(robot.mass + mass, rel=1e-14)
    s = states.random(robot, 6)
    gravity = np.asarray(robot.gravity_vector)
    expected_M, expected_g = [], []
    for q in s["q"]:
        J, R = robot.jacobian(q, frame="tool"), robot.pose(q, "tool")[:3, :3]
        lever = R @ com
        skew = np.array([[0, -lever[2], lever[1]], [lever[2], 0, -lever[0]], [-lever[1], lever[0], 0]])
        linear, angular = J[:3] - skew @ J[3:], J[3:]
        expected_M.append(robot.inertia_matrix(q) + mass * linear.T @ linear + angular.T @ R @ inertia @ R.T @ angular)
        expected_g.append(robot.gravity(q) - mass * linear.T @ gravity)
    assert close(loaded.inertia_matrix(s["q"]), expected_M)
    assert close(loaded.gravity(s["q"]), expected_g)
    assert robot.with_payload(mass, com, inertia, frame="tool") == loaded
    assert robot.with_payload(mass, com, [0.02, 0.03, 0.04, 0, 0, 0], frame="tool") == loaded


def test_payload_of_a_platform() -> None:
    for name in "gough-stewart", "delta", "3-rps":
        robot = states.robot(name)
        loaded = robot.with_payload(3.0)
        assert loaded.mass == pytest.approx(robot.mass + 3.0, rel=1e-14)
        s = states.random(robot, 4)
        weight = np.broadcast_to([*(3.0 * np.asarray(robot.gravity_vector)), 0, 0, 0], (4, 6))
        held = robot.inverse_dynamics(s["q"], external={"platform": weight})
        assert close(loaded.inverse_dynamics(s["q"]), held, 1e-8), "at rest a load is its weight"
        assert loaded == robot.with_payload(3.0, frame="platform")


def test_bodies_of_other_masses() -> None:
    robot = states.robot("puma560")
    s = states.random(robot, 5)
    for body in "waist", "elbow", "wrist-yaw":
        changed = robot.with_body(body, mass=4.0, com=[0.1, 0.2, -0.1], inertia=[0.1, 0.2, 0.25, 0.01, 0.02, -0.03])
        phi = dict(zip(robot.parameters, robot.parameter_values))
        com, I = np.array([0.1, 0.2, -0.1]), np.array([[0.1, 0.01, 0.02], [0.01, 0.2, -0.03], [0.02, -0.03, 0.25]])
        about_origin = I + 4.0 * (com @ com * np.eye(3) - np.outer(com, com))
        own = [4.0, *(4.0 * com), *about_origin[[0, 0, 1, 0, 1, 2], [0, 1, 1, 2, 2, 2]]]
        for part, value in zip("m mx my mz xx xy yy xz yz zz".split(), own):
            phi[f"{body}.{part}"] = value
        assert close(changed.parameter_values, list(phi.values()))
        Y = robot.regressor(s["q"], s["v"], s["a"])
        assert close(changed.inverse_dynamics(s["q"], s["v"], s["a"]), Y @ np.array(list(phi.values())), 1e-9)
    heavier = robot.with_body("elbow", mass=9.0)
    assert heavier.mass > robot.mass
    stewart = states.robot("gough-stewart")
    assert stewart.with_body("platform", mass=50.0).mass != stewart.mass


def test_masses_scaled_scale_all_forces_of_bodies() -> None:
    for name in "seven-axis", "delta":
        robot = states.robot(name)
        s = states.random(robot, 4)
        heavy = robot.with_masses_scaled(1.5)
        assert heavy.mass == pytest.approx(1.5 * robot.mass, rel=1e-12)
        assert close(heavy.gravity(s["q"]), 1.5 * robot.gravity(s["q"]), 1e-9)
        assert close(heavy.coriolis_vector(s["q"], s["v"]), 1.5 * robot.coriolis_vector(s["q"], s["v"]), 1e-9)


def test_joints_with_other_effects() -> None:
    robot = states.robot("two-link")
    s = states.random(robot, 6)
    bias = robot.bias(s["q"], s["v"])
    own = {"viscous": 2.0 * s["v"][:, 1], "offset": np.full(6, 2.0)}
    for effect, force in own.items():
        found = robot.with_joint("long", **{effect: 2.0}).bias(s["q"], s["v"]) - bias
        assert close(found[:, 1], force, 1e-9) and close(found[:, 0], np.zeros(6), 1e-9, scale=1.0)
    found = robot.with_joint("long", stiffness=3.0, rest=0.5).bias(s["q"], s["v"]) - bias
    assert close(found[:, 1], 3.0 * (s["q"][:, 1] - 0.5), 1e-9)
    geared = robot.with_joint("long", rotor_inertia=1e-4, gear=100.0)
    assert close(geared.inertia_matrix(s["q"]) - robot.inertia_matrix(s["q"]), np.tile([[0, 0], [0, 1.0]], (6, 1, 1)), 1e-9)
    limited = robot.with_joint("long", lower=-1.0, upper=2.0, velocity=3.0, effort=4.0)
    joint = limited.joints[1]
    assert [joint[key] for key in ("lower", "upper", "velocity", "effort")] == [-1.0, 2.0, 3.0, 4.0]
    assert limited.with_joint("long", lower=-2.0).joints[1]["upper"] == 2.0, "what is not named stays"


def test_gravity_is_what_was_asked_for() -> None:
    for name in "puma560", "gough-stewart":
        robot = states.robot(name)
        q = states.random(robot, 3)["q"]
        assert close(robot.with_gravity([0, 0, 0]).gravity(q), np.zeros((3, robot.nv)), scale=1.0)
        parts = [robot.with_gravity(g).gravity(q) for g in np.diag([1.0, 2.0, 3.0])]
        assert close(robot.with_gravity([1.0, 2.0, 3.0]).gravity(q), sum(parts), 1e-9)
        assert robot.with_gravity([1.0, 2.0, 3.0]).gravity_vector == [1.0, 2.0, 3.0]


def test_another_output_is_another_platform() -> None:
    robot = states.robot("four-bar")
    assert robot.home_numbers is None
    other = robot.with_output("rocker")
    q = other.home_positions + 0.1
    assert close(other.platform(q)[0], robot.pose(q, "rocker"), 1e-9)
    h = 1e-5
    ends = [robot.pose(q + sign * h, "rocker")[:3, 3] for sign in (-1, 1)]
    assert close(other.jacobian(q)[:3, 0], (ends[1] - ends[0]) / (2 * h), 1e-7)
    assert appell.load("four-bar", output="rocker") == other
    assert close(other.inverse_dynamics(q, [1.0]), robot.inverse_dynamics(q, [1.0]), 1e-9)


MIMIC = """
<robot name="mimic">
  <link name="base"/>
  {links}
  <joint name="one" type="revolute"><parent link="base"/><child link="a"/><axis xyz="0 1 0"/>
    <limit lower="-3" upper="3" effort="9" velocity="9"/></joint>
  <joint name="two" type="revolute"><parent link="a"/><child link="b"/><origin xyz="0.5 0 0"/><axis xyz="0 1 0"/>
    <limit lower="-3" upper="3" effort="9" velocity="9"/><mimic joint="one" multiplier="-2" offset="0.3"/></joint>
</robot>
"""


def test_coupled_joints_follow_others() -> None:
    link = '<link name="{}"><inertial><origin xyz="0.2 0 0.05"/><mass value="{}"/>' + (
        '<inertia ixx="0.02" iyy="0.05" izz="0.05" ixy="0" ixz="0" iyz="0"/></inertial></link>'
    )
    robot = appell.Robot(MIMIC.format(links=link.format("a", 2.0) + link.format("b", 1.0)), "urdf")
    coupled = robot.coupled()
    assert robot.nv == 2 and coupled.nv == 1 and coupled.positions == ["one"]
    s = states.random(coupled, 6)
    G = np.array([[1.0], [-2.0]])  # velocities of both by the first
    q, v, a = s["q"] @ G.T + [0.0, 0.3], s["v"] @ G.T, s["a"] @ G.T
    assert close(coupled.inverse_dynamics(s["q"], s["v"], s["a"]), robot.inverse_dynamics(q, v, a) @ G)
    assert close(coupled.inertia_matrix(s["q"]), G.T @ robot.inertia_matrix(q) @ G)
    assert close(coupled.pose(s["q"]), robot.pose(q))
    assert pickle.loads(pickle.dumps(coupled)) == coupled
    with pytest.raises(appell.RobotError, match=r"toml cannot hold\nthat joints are coupled.*call \.coupled\(\)"):
        coupled.to_text()
    assert appell.Robot(coupled.to_text(lossy=True)).coupled().nv == 1


def test_robots_by_their_motors_keep_power() -> None:
    robot = states.data_file("geared-wrist.toml")
    by_motors = robot.by_motors()
    assert by_motors.nv == robot.nv
    with pytest.raises(appell.RobotError, match=r"call \.by_motors\(\)"):
        by_motors.to_text()
    s = states.random(by_motors, 6)
    tau = by_motors.inverse_dynamics(s["q"], s["v"], s["a"])
    power = (tau * s["v"]).sum(axis=1)
    step = 1e-5
    after, before = (
        by_motors.energy(s["q"] + s["v"] * t + 0.5 * s["a"] * t**2, s["v"] + s["a"] * t).sum(axis=1) for t in (step, -step)
    )
    friction = (by_motors.bias(s["q"], s["v"]) - by_motors.coriolis_vector(s["q"], s["v"]) - by_motors.gravity(s["q"])) * s["v"]
    assert close(power - friction.sum(axis=1), (after - before) / (2 * step), 1e-6)


def test_changes_add_up() -> None:
    robot = states.robot("two-link")
    both = robot.with_payload(1.0, [0.1, 0.0, 0.0]).with_gravity([0.0, 0.0, -1.0]).with_joint("short", viscous=1.0)
    other = robot.with_joint("short", viscous=1.0).with_gravity([0.0, 0.0, -1.0]).with_payload(1.0, [0.1, 0.0, 0.0])
    assert same(both, other, 1e-12)
    assert appell.Robot(both.to_text()) == both


def test_coupling_nothing_changes_nothing() -> None:
    robot = states.robot("puma560")
    assert same(robot.coupled(), robot)
    assert robot.coupled() == robot
