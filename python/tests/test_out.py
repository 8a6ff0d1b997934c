"""Answers into arrays of the user's: all of it, or nothing is written."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import appell
import states
from states import DOCUMENTED, PUMA, STEWART, ask, close


@pytest.mark.parametrize("count", [None, 4])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("name", ["puma560", "delta"])
def test_out_takes_every_answer(name: str, order: Any, dtype: Any, count: Any) -> None:
    robot = states.robot(name)
    many = states.random(robot, 4)
    state = many if count else {key: value[0] for key, value in many.items()}
    for question in robot.methods:
        expected = ask(robot, question, state)
        outs = tuple(np.full(array.shape, np.nan, dtype=dtype, order=order) for array in expected)
        given: Any = outs if len(outs) > 1 else outs[0]
        answer = getattr(robot, states.method_name(question))(*states.arguments(question, state), out=given)
        assert answer is given
        for out, array in zip(outs, expected):
            assert close(out, array, 1e-15 if dtype is np.float64 else 1e-6), question


def test_out_may_be_a_view(q: Any, expected: Any) -> None:
    room = np.zeros((6, 3))
    PUMA.inverse_dynamics(q, q, q, out=room[:, 1])
    assert close(room[:, 1], expected, 1e-15)
    assert (room[:, [0, 2]] == 0).all()
    reverse = np.zeros(6)
    PUMA.inverse_dynamics(q, q, q, out=reverse[::-1])
    assert close(reverse[::-1], expected, 1e-15)


@pytest.mark.parametrize("count", [None, 600])
def test_out_may_be_an_argument(count: Any) -> None:
    many = states.random(PUMA, 600)
    state = many if count else {key: value[0] for key, value in many.items()}
    expected = PUMA.inverse_dynamics(state["q"], state["v"], state["a"])
    for order in "C", "F":
        for which in "qva":
            given = {key: np.array(value, order=order) for key, value in state.items()}
            answer = PUMA.inverse_dynamics(given["q"], given["v"], given["a"], out=given[which])
            assert answer is given[which]
            assert close(answer, expected, 1e-12)
    # Shifted by one within the same memory.
    room = np.zeros((state["q"].size + 1) * 2)
    own = room[: state["q"].size].reshape(state["q"].shape)
    own[...] = state["q"]
    shifted = room[1 : state["q"].size + 1].reshape(state["q"].shape)
    assert close(PUMA.inverse_dynamics(own, state["v"], state["a"], out=shifted), expected, 1e-12)


def read_only(shape: tuple[int, ...]) -> Any:
    array = np.full(shape, 7.0)
    array.flags.writeable = False
    return array


@pytest.mark.parametrize(
    "make, kind",
    [
        (lambda shape: np.full((*shape, 1), 7.0), appell.ShapeError),
        (lambda shape: np.full(shape[:-1], 7.0), appell.ShapeError),
        (lambda shape: np.full((*shape[:-1], 5), 7.0), appell.ShapeError),
        (lambda shape: np.full(shape, 7, dtype=int), TypeError),
        (lambda shape: np.full(shape, 7, dtype=complex), TypeError),
        (lambda shape: np.full(shape, 7, dtype=np.float16), TypeError),
        (lambda shape: np.full(shape, 7, dtype=object), TypeError),
        (lambda shape: np.full(shape, 7.0).tolist(), TypeError),
        (lambda shape: memoryview(np.full(shape, 7.0)), TypeError),
        (lambda shape: "out", TypeError),
        (read_only, ValueError),
        (lambda shape: np.broadcast_to(7.0, shape), ValueError),
        (lambda shape: (np.full(shape, 7.0), np.full(shape, 7.0)), appell.ShapeError),
        (lambda shape: (), appell.ShapeError),
    ],
)
@pytest.mark.parametrize("count", [None, 3])
@pytest.mark.parametrize("question", ["inverse-dynamics", "inertia-matrix"])
def test_arrays_that_take_no_answer_are_left_as_they_are(make: Any, kind: Any, count: Any, question: str) -> None:
    many = states.random(PUMA, 3)
    state = many if count else {key: value[0] for key, value in many.items()}
    out = make(ask(PUMA, question, state)[0].shape)
    before = repr(out)
    with pytest.raises(kind):
        ask(PUMA, question, state, out=out)
    assert repr(out) == before


def test_out_is_untouched_where_a_state_has_no_answer(q: Any) -> None:
    for shape in (6,), (3, 6):
        for dtype in np.float64, np.float32:
            out = np.full(shape, 7.0, dtype=dtype)
            bad = np.zeros(shape)
            bad[..., 2] = np.nan
            huge = np.zeros(shape)
            huge[-1:] = 1e300
            for wrong in (bad, huge, np.zeros((*shape[:-1], 5)), np.zeros(shape, dtype=object)):
                with pytest.raises(DOCUMENTED):
                    PUMA.inverse_dynamics(np.zeros(shape), wrong, np.zeros(shape), out=out)
                assert (out == 7.0).all()
    out = np.full(6, 7.0)
    with pytest.raises(appell.StateError):
        STEWART.inverse_dynamics(np.zeros(6), out=out)
    assert (out == 7.0).all()


def test_out_of_several_arrays_is_all_or_none() -> None:
    q = np.zeros(6)
    good, small, frozen = np.full((6, 6), 7.0), np.full((5, 6), 7.0), read_only((6, 6))
    for outs, kind in (
        ((good, good.copy(), small), appell.ShapeError),
        ((good, good.copy(), frozen), ValueError),
        ((good, good.copy(), good.astype(int)), TypeError),
        ((good, good.copy()), appell.ShapeError),
        ((good, good.copy(), good), ValueError),
        ((good, good.copy(), good.T), ValueError),
        (good, appell.ShapeError),
    ):
        with pytest.raises(kind):
            PUMA.inverse_dynamics_derivatives(q, q, q, out=outs)
        assert (good == 7.0).all()


def test_out_whose_numbers_share_memory_is_refused(q: Any) -> None:
    for strides, shape in ((0,), (6,)), ((8, 8), (6, 6)), ((0, 8), (6, 6)):
        room = np.full(36, 7.0)
        out = np.lib.stride_tricks.as_strided(room, shape, strides)
        with pytest.raises(ValueError, match="memory"):
            ask(PUMA, "inverse-dynamics" if len(shape) == 1 else "inertia-matrix", {"q": q, "v": q, "a": q}, out=out)
        assert (room == 7.0).all()
