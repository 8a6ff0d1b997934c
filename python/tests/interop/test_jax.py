"""Functions of appell.jax: values are the robot's, derivatives those that differences show, under jit, vmap and both modes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import appell

from .robots import FUNCTIONS, ROBOTS, assert_examples_hold, state

jax = pytest.importorskip("jax", reason="jax is not installed: pip install jax")
jnp = jax.numpy
jax.config.update("jax_enable_x64", True)
jax.config.update("jax_platforms", "cpu")

import appell.jax  # noqa: E402


def expected(robot: appell.Robot, name: str, given: list[Any]) -> Any:
    return getattr(robot, name)(*given)


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("kind", ROBOTS)
def test_values_and_derivatives(kind: str, name: str) -> None:
    robot = ROBOTS[kind]()
    function = getattr(appell.jax.functions(robot), name)
    batch = state(robot, 5)[: 1 + FUNCTIONS[name]]
    one = [array[0] for array in batch]
    np.testing.assert_allclose(function(*one), expected(robot, name, one), rtol=1e-13, atol=1e-13)
    answers = expected(robot, name, batch)
    for way in (function, jax.jit(function), jax.vmap(function), jax.jit(jax.vmap(function))):
        np.testing.assert_allclose(way(*batch), answers, rtol=1e-13, atol=1e-13)
    arguments = tuple(range(len(one)))
    forward = jax.jacfwd(function, argnums=arguments)(*one)
    backward = jax.jit(jax.jacrev(function, argnums=arguments))(*one)
    many = jax.vmap(jax.jacrev(function, argnums=arguments))(*batch)
    for k, array in enumerate(one):
        step = 1e-6 * np.eye(len(array))
        ends = [[function(*one[:k], array + s * d, *one[k + 1 :]) for s in (1.0, -1.0)] for d in step]
        differences = np.stack([(np.asarray(plus) - np.asarray(minus)) / 2e-6 for plus, minus in ends], axis=-1)
        scale = np.max(np.abs(differences)) + 1.0
        np.testing.assert_allclose(forward[k], differences, atol=2e-8 * scale)
        np.testing.assert_allclose(backward[k], forward[k], atol=1e-12 * scale)
        np.testing.assert_allclose(many[k][0], forward[k], atol=1e-12 * scale)


def test_derivatives_are_those_of_the_robot() -> None:
    robot = ROBOTS["arm"]()
    q, v, a = (array[0] for array in state(robot, 1))
    arm = appell.jax.functions(robot)
    for name in ("inverse_dynamics", "forward_dynamics"):
        found = jax.jacrev(getattr(arm, name), argnums=(0, 1, 2))(q, v, a)
        for mine, other in zip(found, getattr(robot, f"{name}_derivatives")(q, v, a)):
            np.testing.assert_allclose(mine, other, rtol=1e-13, atol=1e-13)


def test_vmap_over_some_arguments_and_broadcasting() -> None:
    robot = ROBOTS["arm"]()
    arm = appell.jax.functions(robot)
    q, v, a = state(robot, 4)
    answers = robot.inverse_dynamics(q, v[0], a)
    np.testing.assert_allclose(jax.vmap(arm.inverse_dynamics, in_axes=(0, None, 0))(q, v[0], a), answers, rtol=1e-13)
    np.testing.assert_allclose(jax.vmap(arm.inverse_dynamics, in_axes=(1, None, 0))(q.T, v[0], a), answers, rtol=1e-13)
    np.testing.assert_allclose(arm.inverse_dynamics(q, v[0], a), answers, rtol=1e-13)
    square = q.reshape(2, 2, 6)
    np.testing.assert_allclose(jax.vmap(jax.vmap(arm.gravity))(square).reshape(4, 6), robot.gravity(q), rtol=1e-13)


def test_a_scan_of_steps_is_differentiated() -> None:
    robot = ROBOTS["sprung"]()
    arm = appell.jax.functions(robot)

    def end(tau: Any) -> Any:
        def step(x: Any, u: Any) -> Any:
            a = arm.forward_dynamics(x[:2], x[2:], u)
            v = x[2:] + 0.01 * a
            return jnp.concatenate([x[:2] + 0.01 * v, v]), None

        return jnp.sum(jax.lax.scan(step, jnp.zeros(4), tau)[0] ** 2)

    tau = jnp.ones((20, 2))
    gradient = jax.jit(jax.grad(end))(tau)
    step = jnp.zeros((20, 2)).at[3, 1].set(1e-5)
    compiled = jax.jit(end)
    difference = float(compiled(tau + step) - compiled(tau - step))
    assert float(gradient[3, 1]) == pytest.approx(difference / 2e-5, rel=1e-6)


def test_single_precision() -> None:
    robot = ROBOTS["arm"]()
    arm = appell.jax.functions(robot)
    q, v, a = (jnp.asarray(array, jnp.float32) for array in state(robot, 3))
    tau = jax.jit(arm.inverse_dynamics)(q, v, a)
    assert tau.dtype == jnp.float32
    np.testing.assert_allclose(tau, robot.inverse_dynamics(*(np.asarray(x, np.float64) for x in (q, v, a))), rtol=1e-5, atol=1e-4)
    assert jax.grad(lambda q: arm.gravity(q).sum())(q[0]).dtype == jnp.float32


def test_arrays_are_taken_without_a_copy() -> None:
    q = jnp.arange(60.0).reshape(10, 6)
    array = np.from_dlpack(q)
    assert array.__array_interface__["data"][0] == q.unsafe_buffer_pointer()
    robot = ROBOTS["arm"]()
    np.testing.assert_array_equal(robot.gravity(q), robot.gravity(array))


def test_one_state_that_went_wrong_spoils_no_other() -> None:
    robot = ROBOTS["floater"]()
    functions = appell.jax.functions(robot)
    q, v, a = state(robot, 4)
    expected_tau = robot.inverse_dynamics(q, v, a)
    q[1, 3:7] = 0.0  # a quaternion without a direction
    v[2, 0] = np.nan
    tau = jax.jit(functions.inverse_dynamics)(q, v, a)
    by_a = jax.jit(jax.vmap(jax.jacrev(functions.inverse_dynamics, argnums=2)))(q, v, a)
    assert np.isnan(tau).all(axis=1).tolist() == [False, True, True, False]
    assert np.isnan(by_a).all(axis=(1, 2)).tolist() == [False, True, True, False]
    np.testing.assert_allclose(np.asarray(tau)[[0, 3]], expected_tau[[0, 3]], rtol=1e-12)


def test_what_is_refused() -> None:
    with pytest.raises(appell.QuestionError, match="closed loops"):
        appell.jax.functions(appell.load("gough-stewart"))
    arm = appell.jax.functions(appell.load("puma560"))
    with pytest.raises(appell.ShapeError, match=r"`v` has shape \(5,\); expected \(6,\)"):
        arm.bias(jnp.zeros(6), jnp.zeros(5))
    with pytest.raises(appell.QuestionError, match="no frame `hand`"):
        arm.pose(jnp.zeros(6), "hand")
    with pytest.raises(ValueError, match="[Pp]ure callbacks do not support JVP"):
        jax.hessian(lambda q: arm.gravity(q).sum())(jnp.zeros(6))


def test_examples() -> None:
    assert_examples_hold(appell.jax)
