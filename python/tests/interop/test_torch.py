"""Functions of appell.torch: values are the robot's, gradients pass PyTorch's own check, mapped and in both modes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import appell

from .robots import FUNCTIONS, ROBOTS, assert_examples_hold, state

torch = pytest.importorskip("torch", reason="torch is not installed: pip install torch")

import appell.torch  # noqa: E402

# PyTorch warns of parts of its own when forward mode is used first.
pytestmark = pytest.mark.filterwarnings("ignore:.torch.jit.*:FutureWarning", "ignore:.torch.jit.*:DeprecationWarning")


def tensors(arrays: list[Any], **keywords: Any) -> list[Any]:
    return [torch.tensor(array, dtype=torch.float64, **keywords) for array in arrays]


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("kind", ROBOTS)
def test_values_and_gradients(kind: str, name: str) -> None:
    robot = ROBOTS[kind]()
    function = getattr(appell.torch.functions(robot), name)
    arrays = state(robot, 3)[: 1 + FUNCTIONS[name]]
    batch = tensors(arrays, requires_grad=True)
    answer = getattr(robot, name)(*arrays)
    np.testing.assert_allclose(function(*batch).detach(), answer, rtol=1e-13, atol=1e-13)
    np.testing.assert_allclose(function(*(x[0] for x in batch)).detach(), answer[0], rtol=1e-13, atol=1e-13)
    scale = float(np.max(np.abs(answer))) + 1.0
    assert torch.autograd.gradcheck(function, batch, atol=1e-6 * scale, rtol=1e-6, check_forward_ad=True)


@pytest.mark.parametrize("kind", ["arm", "floater"])
def test_functions_of_functions(kind: str) -> None:
    robot = ROBOTS[kind]()
    function = appell.torch.functions(robot).forward_dynamics
    batch = tensors(state(robot, 4))
    arguments = (0, 1, 2)
    np.testing.assert_allclose(torch.func.vmap(function)(*batch), robot.forward_dynamics(*state(robot, 4)), rtol=1e-12)
    one = [x[0] for x in batch]
    backward = torch.func.jacrev(function, argnums=arguments)(*one)
    forward = torch.func.jacfwd(function, argnums=arguments)(*one)
    many = torch.func.vmap(torch.func.jacrev(function, argnums=arguments))(*batch)
    for b, f, m in zip(backward, forward, many):
        np.testing.assert_allclose(b, f, atol=1e-11 * (1.0 + float(f.abs().max())))
        np.testing.assert_allclose(m[0], f, atol=1e-11 * (1.0 + float(f.abs().max())))
    by_a = torch.func.vmap(function, in_dims=(None, 1, None))(one[0], batch[1].T, one[2])
    np.testing.assert_allclose(by_a, robot.forward_dynamics(one[0].numpy(), batch[1].numpy(), one[2].numpy()), rtol=1e-12)


def test_single_precision_and_broadcasting() -> None:
    robot = ROBOTS["arm"]()
    arm = appell.torch.functions(robot)
    q, v, a = (torch.tensor(x, dtype=torch.float32, requires_grad=True) for x in state(robot, 3))
    tau = arm.inverse_dynamics(q, v[0], a)
    assert tau.dtype == torch.float32 and tau.shape == (3, 6)
    tau.sum().backward()
    assert v.grad.dtype == torch.float32 and bool((v.grad[0] != 0).any()) and not bool(v.grad[1:].any())
    assert arm.gravity(torch.zeros(2, 5, 6)).shape == (2, 5, 6)


def test_a_motion_is_learned() -> None:
    """Torques that bring a robot to a velocity: gradients through many steps."""
    robot = ROBOTS["sprung"]()
    arm = appell.torch.functions(robot)
    tau = torch.zeros(10, 2, dtype=torch.float64, requires_grad=True)
    optimiser = torch.optim.LBFGS([tau], max_iter=50, line_search_fn="strong_wolfe")

    def loss() -> Any:
        q, v = torch.zeros(2, dtype=torch.float64), torch.zeros(2, dtype=torch.float64)
        for u in tau:
            v = v + 0.02 * arm.forward_dynamics(q, v, u)
            q = q + 0.02 * v
        return (v - torch.tensor([0.5, -0.5], dtype=torch.float64)).square().sum()

    first = loss().item()

    def closure() -> Any:
        optimiser.zero_grad()
        value = loss()
        value.backward()
        return value

    optimiser.step(closure)
    assert loss().item() < 1e-8 * first


def test_tensors_are_taken_without_a_copy() -> None:
    q = torch.arange(60.0, dtype=torch.float64).reshape(10, 6)
    array = np.from_dlpack(q)
    assert array.__array_interface__["data"][0] == q.data_ptr()
    robot = ROBOTS["arm"]()
    np.testing.assert_array_equal(robot.gravity(q), robot.gravity(array))
    np.testing.assert_array_equal(robot.gravity(q.T.contiguous().T), robot.gravity(array))


def test_one_state_that_went_wrong_spoils_no_other() -> None:
    robot = ROBOTS["arm"]()
    arm = appell.torch.functions(robot)
    q = torch.zeros(3, 6, dtype=torch.float64)
    q[1, 2] = float("nan")
    q.requires_grad_()
    torques = arm.gravity(q)
    torques.sum().backward()
    assert torch.isnan(torques).all(dim=1).tolist() == [False, True, False]
    assert torch.isnan(q.grad).all(dim=1).tolist() == [False, True, False]


def test_what_is_refused() -> None:
    with pytest.raises(appell.QuestionError, match="closed loops"):
        appell.torch.functions(appell.load("delta"))
    arm = appell.torch.functions(appell.load("puma560"))
    with pytest.raises(appell.ShapeError, match=r"`q` has shape \(5,\); expected \(6,\)"):
        arm.gravity(torch.zeros(5))
    q = torch.zeros(6, dtype=torch.float64, requires_grad=True)
    (gradient,) = torch.autograd.grad(arm.gravity(q).sum(), q, create_graph=True)
    with pytest.raises(NotImplementedError, match="first derivatives alone"):
        gradient.sum().backward()


def test_examples() -> None:
    assert_examples_hold(appell.torch)
