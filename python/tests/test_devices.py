"""Questions on devices: the processor in generated code everywhere, a GPU where there is one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import appell

PUMA = appell.load("puma560")
STEWART = appell.load("gough-stewart")
RNG = np.random.default_rng(5)
Q, V, A = RNG.uniform(-2, 2, (3, 100, 6))


def devices() -> list[str]:
    """Those of this machine; that a GPU is missing is one of two errors, and no other."""
    try:
        appell.describe_device("cuda")
    except appell.DeviceError as error:
        assert "no driver" in str(error) or "machine has none" in str(error)
        return ["cpu"]
    return ["cpu", "cuda"]


def off(found: Any, expected: Any) -> float:
    return float(np.abs(np.asarray(found) - expected).max() / np.abs(expected).max())


@pytest.mark.parametrize("device", devices())
def test_answers_are_those_of_the_library(device: str) -> None:
    assert off(PUMA.inverse_dynamics(Q, V, A, device=device), PUMA.inverse_dynamics(Q, V, A)) < 1e-12
    assert off(PUMA.inertia_matrix(Q, device=device), PUMA.inertia_matrix(Q)) < 1e-12
    assert PUMA.inertia_matrix(Q[0], device=device).shape == (6, 6)
    one = PUMA.inverse_dynamics(Q[0], device=device)
    assert one.shape == (6,) and off(one, PUMA.inverse_dynamics(Q[0])) < 1e-12
    found = PUMA.forward_dynamics(Q, V, A, device=device, out=np.empty((100, 6)))
    assert off(found, PUMA.forward_dynamics(Q, V, A)) < 1e-9
    assert PUMA.gravity(np.empty((0, 6)), device=device).shape == (0, 6)


@pytest.mark.parametrize("device", devices())
def test_single_precision_is_computed_in_it(device: str) -> None:
    q = Q.astype(np.float32)
    found = PUMA.gravity(q, device=device)
    assert found.dtype == np.float32
    exact = PUMA.gravity(q.astype(float))
    assert 0 < off(found, exact) < 1e-5


@pytest.mark.parametrize("device", devices())
def test_platforms_are_given_by_their_motion(device: str) -> None:
    pose = STEWART.home
    assert off(STEWART.inverse_dynamics(pose, device=device), STEWART.inverse_dynamics(pose)) < 1e-11
    with pytest.raises(appell.QuestionError, match="give `pose`"):
        STEWART.inverse_dynamics(STEWART.home_positions, of="drives", device=device)


def test_what_a_device_does_not_do_is_refused() -> None:
    with pytest.raises(appell.DeviceError, match="no device is called `gpu`"):
        PUMA.gravity(Q, device="gpu")
    with pytest.raises(appell.DeviceError):
        PUMA.gravity(Q, device="cuda:99")
    with pytest.raises(appell.QuestionError, match="method"):
        PUMA.gravity(Q, device="cpu", method="newton-euler")
    with pytest.raises(appell.QuestionError, match="code"):
        PUMA.ask("singularity", Q, device="cpu")
    with pytest.raises(appell.NumberError):
        PUMA.gravity(np.full((3, 6), np.nan), device="cpu")
    with pytest.raises(appell.ShapeError):
        PUMA.gravity(np.zeros((3, 5)), device="cpu")


@pytest.mark.skipif("cuda" not in devices(), reason="arrays of a GPU need one; `make test-cuda` says so, too")
def test_arrays_on_a_gpu_stay_there() -> None:
    torch = pytest.importorskip("torch")
    expected = PUMA.inverse_dynamics(Q, V, A)
    for kind, tolerance in (torch.float64, 1e-12), (torch.float32, 1e-5):
        rows = [torch.tensor(x, dtype=kind, device="cuda") for x in (Q, V, A)]
        turned = [x.T.contiguous().T for x in rows]
        for given in rows, turned:
            found = PUMA.inverse_dynamics(*given)
            assert found.shape == (100, 6) and found.device == "cuda:0"
            there = torch.from_dlpack(found)
            assert there.is_cuda and there.dtype == kind
            assert off(there.cpu().numpy(), expected) < tolerance
            assert off(found.numpy(), expected) < tolerance
    m = PUMA.inertia_matrix(torch.tensor(Q, device="cuda"))
    assert off(torch.as_tensor(m, device="cuda").cpu().numpy(), PUMA.inertia_matrix(Q)) < 1e-12
    with pytest.raises(appell.ShapeError):
        PUMA.gravity(torch.zeros(3, 5, device="cuda"))
