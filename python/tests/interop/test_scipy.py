"""SciPy needs no bridge: its integrators, solvers and rotations work with robots as they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import appell

from .robots import floater

pytest.importorskip("scipy", reason="scipy is not installed: pip install scipy")

from scipy.integrate import solve_ivp  # noqa: E402
from scipy.optimize import least_squares, root  # noqa: E402
from scipy.spatial.transform import Rotation  # noqa: E402


@pytest.mark.parametrize("name", ["two-link", "puma560", "scara"])
def test_a_fall_keeps_its_energy(name: str) -> None:
    robot = appell.load(name)
    for joint in robot.drives:
        robot = robot.with_joint(joint, viscous=0.0, coulomb=0.0, offset=0.0)
    n, tau = robot.nv, np.zeros(robot.nv)

    def rate(t: float, x: Any) -> Any:
        return np.concatenate([x[n:], robot.forward_dynamics(x[:n], x[n:], tau)])

    start = np.concatenate([np.full(n, 0.3), np.zeros(n)])
    run = solve_ivp(rate, (0.0, 0.5), start, method="DOP853", rtol=1e-10, atol=1e-10)
    assert run.success
    energy = robot.energy(run.y[:n].T, run.y[n:].T)  # a batch from columns, in whatever order SciPy has them
    assert energy[-1, 0] > 1.0
    np.testing.assert_allclose(energy.sum(axis=1), energy[0].sum(), atol=1e-7 * energy[:, 0].max())


def test_many_falls_at_once() -> None:
    """Many states in one integration: the right side is one batch."""
    robot = appell.load("two-link")
    starts = np.random.default_rng(0).uniform(-1, 1, (50, 4))

    def rate(t: float, flat: Any) -> Any:
        x = flat.reshape(50, 4)
        return np.hstack([x[:, 2:], robot.forward_dynamics(x[:, :2], x[:, 2:], np.zeros(2))]).ravel()

    together = solve_ivp(rate, (0.0, 0.3), starts.ravel(), rtol=1e-9, atol=1e-9).y[:, -1].reshape(50, 4)
    alone = solve_ivp(
        lambda t, x: np.concatenate([x[2:], robot.forward_dynamics(x[:2], x[2:], np.zeros(2))]),
        (0.0, 0.3),
        starts[7],
        rtol=1e-9,
        atol=1e-9,
    ).y[:, -1]
    np.testing.assert_allclose(together[7], alone, atol=1e-6)


def test_stiff_integration_with_exact_derivatives() -> None:
    robot = appell.load("two-link")
    robot = robot.with_joint(robot.drives[0], viscous=2e4)
    tau = np.zeros(2)

    def rate(t: float, x: Any) -> Any:
        return np.concatenate([x[2:], robot.forward_dynamics(x[:2], x[2:], tau)])

    def by_state(t: float, x: Any) -> Any:
        by_q, by_v, _ = robot.forward_dynamics_derivatives(x[:2], x[2:], tau)
        return np.block([[np.zeros((2, 2)), np.eye(2)], [by_q, by_v]])

    exact = solve_ivp(rate, (0.0, 1.0), [0.1, 0.2, 0.0, 0.0], method="Radau", jac=by_state, rtol=1e-8, atol=1e-10)
    without = solve_ivp(rate, (0.0, 1.0), [0.1, 0.2, 0.0, 0.0], method="Radau", rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(exact.y[:, -1], without.y[:, -1], atol=1e-6)
    assert exact.nfev < without.nfev


def test_inverse_kinematics() -> None:
    robot = appell.load("puma560")
    rng = np.random.default_rng(2)
    truth = rng.uniform(0.2, 1.0, 6)
    goal = robot.pose(truth)

    def error(q: Any) -> Any:
        pose = robot.pose(q)
        turn = Rotation.from_matrix(goal[:3, :3] @ pose[:3, :3].T).as_rotvec()
        return np.concatenate([goal[:3, 3] - pose[:3, 3], turn])

    found = least_squares(error, truth + rng.normal(scale=0.1, size=6), jac=lambda q: -robot.jacobian(q), xtol=1e-14, gtol=1e-14)
    np.testing.assert_allclose(robot.pose(found.x), goal, atol=1e-8)


def test_parameters_from_torques() -> None:
    """Masses of a payload from torques, by the regressor and by a fit of changed robots."""
    robot = appell.load("puma560")
    loaded = robot.with_payload(2.5, (0.0, 0.02, 0.1))
    q, v, a = np.random.default_rng(3).normal(size=(3, 40, 6))
    measured = loaded.inverse_dynamics(q, v, a)
    Y = robot.regressor(q, v, a)
    columns = [k for k, name in enumerate(robot.parameters) if name.split(".")[0] == robot.drives[-1]]
    own = Y[:, :, columns].reshape(-1, len(columns))
    unloaded = robot.parameter_values
    np.testing.assert_allclose(Y @ unloaded, robot.inverse_dynamics(q, v, a), atol=1e-11)
    fit = least_squares(lambda x: own @ x - (measured - Y @ unloaded).ravel(), np.zeros(len(columns)), jac=lambda x: own)
    torques = Y @ unloaded + (own @ fit.x).reshape(40, 6)
    np.testing.assert_allclose(torques, measured, atol=1e-9)

    def error(x: Any) -> Any:
        return (robot.with_payload(x[0], (0.0, x[1], x[2])).inverse_dynamics(q, v, a) - measured).ravel()

    found = least_squares(error, [1.0, 0.0, 0.0])
    np.testing.assert_allclose(found.x, [2.5, 0.02, 0.1], atol=1e-6)


def test_an_equilibrium() -> None:
    robot = appell.load("two-link")
    for joint in robot.drives:
        robot = robot.with_joint(joint, stiffness=500.0)
    found = root(robot.bias, np.zeros(2), jac=lambda q: robot.inverse_dynamics_derivatives(q)[0])
    assert found.success
    np.testing.assert_allclose(robot.forward_dynamics(found.x, np.zeros(2), np.zeros(2)), 0.0, atol=1e-9)


def test_rotations_are_attitudes() -> None:
    stewart = appell.load("gough-stewart")
    turns = Rotation.from_euler("xyz", [[0, 0, 0], [5, -3, 8], [0, 10, 0]], degrees=True)
    position = stewart.home[:3, 3]
    poses = np.tile(stewart.home, (3, 1, 1))
    poses[:, :3, :3] = turns.as_matrix()
    expected = stewart.inverse_dynamics(poses)
    np.testing.assert_allclose(stewart.inverse_dynamics((position, turns)), expected, rtol=1e-12)
    np.testing.assert_allclose(stewart.inverse_dynamics(turns), expected, rtol=1e-12)
    np.testing.assert_allclose(stewart.inverse_dynamics((position, turns.as_quat())), expected, rtol=1e-12)
    np.testing.assert_allclose(stewart.inverse_dynamics((position, turns[1])), expected[1], rtol=1e-12)


def test_quaternions_of_free_joints_are_those_of_rotations() -> None:
    robot = floater()
    turn = Rotation.from_euler("zyx", [0.4, -0.3, 1.2])
    q = np.concatenate([[1.0, 2.0, 3.0], turn.as_quat(), [0.5]])
    pose = robot.pose(q, "trunk")
    np.testing.assert_allclose(pose[:3, :3], turn.as_matrix(), atol=1e-14)
    np.testing.assert_allclose(pose[:3, 3], [1.0, 2.0, 3.0])
    # Velocities are in axes of the body: v of the origin, ω.
    v = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.0])
    h = 1e-6
    ahead = np.concatenate([q[:3] + h * turn.apply(v[:3]), (turn * Rotation.from_rotvec(h * v[3:6])).as_quat(), q[7:]])
    twist = robot.velocities(q, v)[robot.frame_names.index("trunk")]
    np.testing.assert_allclose((robot.pose(ahead, "trunk")[:3, 3] - pose[:3, 3]) / h, twist[:3], atol=1e-5)
    turned = Rotation.from_matrix(robot.pose(ahead, "trunk")[:3, :3] @ pose[:3, :3].T).as_rotvec() / h
    np.testing.assert_allclose(turned, twist[3:], atol=1e-5)
