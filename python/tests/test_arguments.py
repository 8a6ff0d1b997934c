"""What is given to a robot, right and wrong: shapes, types, memory; batches of none and of many."""

from __future__ import annotations

import warnings
from typing import Any, Callable

import numpy as np
import pytest

import appell
import states
from states import NAMES, PUMA, STEWART, Subclass, ask, close


# Arrays of many kinds


KINDS: dict[str, Callable[[Any], Any]] = {
    "list": lambda x: x.tolist(),
    "tuple": lambda x: tuple(x.tolist()),
    "list of numpy numbers": lambda x: list(x),
    "memoryview": lambda x: memoryview(np.ascontiguousarray(x)),
    "byte-swapped": lambda x: x.astype(">f8"),
    "long double": lambda x: x.astype(np.longdouble),
    "subclass": lambda x: x.view(Subclass),
    "masked without mask": lambda x: np.ma.masked_array(x),
    "unaligned": lambda x: np.frombuffer(b"\0" + x.tobytes(), dtype=np.float64, offset=1),
    "read-only": lambda x: np.broadcast_to(x, x.shape),
    "reversed": lambda x: np.ascontiguousarray(x[::-1])[::-1],
    "every third": lambda x: np.repeat(x, 3)[::3],
    "a column": lambda x: np.stack([x, -x], axis=1)[:, 0],
    "field of a structure": lambda x: np.array([(v, 0) for v in x], dtype=[("v", "f8"), ("k", "i4")])["v"],
    "object with __array__": lambda x: WithArray(x),
}


class WithArray:
    """What NumPy turns into an array."""

    def __init__(self, numbers: Any) -> None:
        self.numbers = numbers

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return np.array(self.numbers, dtype=dtype)


@pytest.mark.parametrize("kind", KINDS)
def test_arrays_of_all_kinds_are_read(kind: str, q: Any, expected: Any) -> None:
    made = KINDS[kind]
    found = PUMA.inverse_dynamics(made(q), made(q), made(q))
    assert type(found) is np.ndarray and found.dtype == np.float64
    assert close(found, expected, 1e-14)


@pytest.mark.parametrize("dtype", ["i1", "i2", "i4", "i8", "u1", "u8", "?", ">i4"])
def test_whole_numbers_are_numbers(dtype: str) -> None:
    whole = np.array([0, 1, 0, 1, 1, 0]).astype(dtype)
    plain = whole.astype(float)
    found = PUMA.inverse_dynamics(whole, whole, whole)
    assert found.dtype == np.float64
    assert close(found, PUMA.inverse_dynamics(plain, plain, plain), 1e-14)


def test_half_precision_is_single_precision() -> None:
    half = np.linspace(-1, 1, 6).astype(np.float16)
    found = PUMA.inverse_dynamics(half, half, half)
    assert found.dtype == np.float32
    wide = half.astype(float)
    assert close(found, PUMA.inverse_dynamics(wide, wide, wide), 1e-6)


def test_mixed_precision_is_double(q: Any) -> None:
    assert PUMA.inverse_dynamics(q.astype(np.float32), q, q).dtype == np.float64
    assert PUMA.inverse_dynamics(q.astype(np.float32)).dtype == np.float32, "vectors left out have no precision"


@pytest.mark.parametrize(
    "wrong",
    [
        None,
        "abc",
        b"abc",
        object(),
        np.array([None] * 6),
        np.zeros(6, dtype=object),
        np.zeros(6, dtype=complex),
        np.zeros(6, dtype="U3"),
        np.zeros(6, dtype="S3"),
        np.zeros(6, dtype="M8[s]"),
        np.zeros(6, dtype="m8[s]"),
        np.zeros(6, dtype=[("x", "f8")]),
        np.zeros(1, dtype="6f8, 6f8"),
        {"q": 1},
        {1.0, 2.0},
        range,
        lambda: 0,
    ],
    ids=lambda wrong: f"{type(wrong).__name__}-{getattr(wrong, 'dtype', '')}",
)
@pytest.mark.parametrize("place", [0, 1, 2])
def test_what_is_no_numbers_is_a_type_error(wrong: Any, place: int) -> None:
    for robot in PUMA, STEWART:
        given: list[Any] = [robot.home_positions, np.zeros(6), np.zeros(6)]
        given[place] = wrong
        if wrong is None and place > 0:
            continue  # left out
        with pytest.raises(TypeError):
            robot.inverse_dynamics(*given)


@pytest.mark.parametrize(
    "shape", [(), (0,), (1,), (5,), (7,), (12,), (6, 1), (1, 5), (6, 7), (2, 3, 6), (1, 1, 6), (1, 1, 1, 6), (0,), (6, 0), (0, 5)]
)
@pytest.mark.parametrize("place", [0, 1, 2])
def test_wrong_shapes_say_which_was_expected(shape: tuple[int, ...], place: int) -> None:
    given = [np.zeros(6)] * 3
    given[place] = np.zeros(shape)
    with pytest.raises(appell.ShapeError) as caught:
        PUMA.inverse_dynamics(*given)
    message = str(caught.value)
    assert f"`{'qva'[place]}` has shape {shape}" in message
    assert "expected (6,) for one state or (N, 6) for N of them" in message


def test_different_counts_of_states_are_refused() -> None:
    with pytest.raises(appell.ShapeError, match="`v` has 4 states, others have 3"):
        PUMA.inverse_dynamics(np.zeros((3, 6)), np.zeros((4, 6)))
    with pytest.raises(appell.ShapeError, match="5 states"):
        PUMA.inverse_dynamics(np.zeros((3, 6)), external={"elbow": np.zeros((5, 6))})
    with pytest.raises(appell.ShapeError):
        PUMA.inverse_dynamics(np.zeros((3, 6)), np.zeros((0, 6)))


def test_ragged_lists_are_refused() -> None:
    with pytest.raises(ValueError):
        PUMA.inverse_dynamics([[1, 2], [3]])


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_numbers_that_are_not_finite_are_named(bad: float, place: int) -> None:
    given = [np.zeros(6) for _ in range(3)]
    given[place][4] = bad
    with pytest.raises(appell.NumberError, match=rf"`{'qva'[place]}\[4\]` is"):
        PUMA.inverse_dynamics(*given)
    many = [np.zeros((5, 6)) for _ in range(3)]
    many[place][3, 4] = bad
    for order in "C", "F":
        with pytest.raises(appell.NumberError, match=rf"`{'qva'[place]}\[3, 4\]` is"):
            PUMA.inverse_dynamics(*(np.asarray(vectors, order=order) for vectors in many))
    with pytest.raises(appell.NumberError, match=r"`external\[\"elbow\"\]\[2\]` is"):
        PUMA.inverse_dynamics(np.zeros(6), external={"elbow": [0, 0, bad, 0, 0, 0]})


@pytest.mark.parametrize("options", [{}, {"method": "newton-euler"}, {"threads": 1}])
def test_answers_that_overflow_are_errors(options: dict[str, Any]) -> None:
    huge = np.full(6, 1e300)
    with pytest.raises(appell.NumberError, match="overflows"):
        PUMA.inverse_dynamics(np.zeros(6), huge, huge, **options)
    many = np.zeros((700, 6))
    many[650] = 1e300
    for order in "C", "F":
        with pytest.raises(appell.NumberError, match="state 650.*overflows"):
            PUMA.inverse_dynamics(np.zeros(6), np.asarray(many, order=order), np.zeros(6), **options)


def test_answers_that_single_precision_does_not_hold_are_errors() -> None:
    big = np.full(6, 1e25)
    for count in (), (3,):
        given, out = np.broadcast_to(big, (*count, 6)), np.full((*count, 6), 7.0, dtype=np.float32)
        with pytest.raises(appell.NumberError, match="float32"):
            PUMA.inverse_dynamics(0 * given, given, given, out=out)
        assert (out == 7.0).all()


def test_answers_in_single_precision_that_overflow_are_errors() -> None:
    big = np.full(6, 1e25, dtype=np.float32)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        with pytest.raises(appell.NumberError):
            PUMA.inverse_dynamics(0 * big, big, big)


def test_numbers_beyond_double_precision_are_infinite() -> None:
    if np.finfo(np.longdouble).max <= np.finfo(np.float64).max:
        pytest.skip("long double is double here")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        with pytest.raises(appell.NumberError):
            PUMA.inverse_dynamics(np.full(6, np.longdouble("1e4000")))


def test_masked_numbers_are_refused(q: Any) -> None:
    masked = np.ma.masked_array(q, mask=[1, 0, 0, 0, 0, 0])
    with pytest.raises((TypeError, ValueError)):
        PUMA.inverse_dynamics(masked, q, q)


# Batches without states, and many


@pytest.mark.parametrize("name", NAMES)
def test_batches_without_states(name: str) -> None:
    robot = states.robot(name)
    for dtype in np.float64, np.float32:
        none = {key: value[:0].astype(dtype) for key, value in states.random(robot, 1).items()}
        some = {key: value.astype(dtype) for key, value in states.random(robot, 1).items()}
        for question in robot.methods:
            for options in {}, {"threads": 1}, {"method": robot.methods[question][0]}:
                for empty, one in zip(ask(robot, question, none, **options), ask(robot, question, some)):
                    assert empty.shape == (0, *one.shape[1:]) and empty.dtype == dtype, question


def test_batches_of_one_state_keep_their_dimension(q: Any, expected: Any) -> None:
    found = PUMA.inverse_dynamics(q[None], q[None], q[None])
    assert found.shape == (1, 6) and close(found[0], expected, 1e-12)


@pytest.mark.parametrize("name", ["puma560", "seven-axis", "gough-stewart", "delta", "four-bar"])
def test_any_count_of_threads_gives_the_same_bits(name: str) -> None:
    robot = states.robot(name)
    many = states.random(robot, 1500 if states.is_open(robot) else 70)
    for question in robot.methods:
        for options in {}, {"method": robot.methods[question][-1]}:
            one, two, all_ = (ask(robot, question, many, threads=threads, **options) for threads in (1, 2, None))
            for a, b, c in zip(one, two, all_):
                assert a.tobytes() == b.tobytes() == c.tobytes(), question


@pytest.mark.parametrize("threads, kind", [(0, ValueError), (-1, (ValueError, OverflowError)), (1.5, TypeError), ("2", TypeError)])
def test_counts_of_threads_that_are_none(threads: Any, kind: Any) -> None:
    with pytest.raises(kind):
        PUMA.inverse_dynamics(np.zeros((2, 6)), threads=threads)


def test_more_threads_than_cores_are_harmless() -> None:
    q = states.random(PUMA, 3)["q"]
    assert close(PUMA.gravity(q, threads=10**9), PUMA.gravity(q), 1e-15)


def test_arguments_are_not_changed() -> None:
    many = states.random(PUMA, 5)
    kept = {key: value.copy() for key, value in many.items()}
    for question in PUMA.methods:
        ask(PUMA, question, many)
        ask(PUMA, question, {key: value[0] for key, value in many.items()})
    assert all((many[key] == kept[key]).all() for key in many)


def test_answers_are_the_callers_own() -> None:
    q = np.zeros(6)
    first = PUMA.inertia_matrix(q)
    kept = first.copy()
    first[:] = np.nan
    assert (PUMA.inertia_matrix(q) == kept).all()
    for question in PUMA.methods:
        for count in (), (3,):
            state = {key: np.zeros((*count, 6)) for key in ("q", "v", "a", "tau", "w")}
            for array in ask(PUMA, question, state):
                assert array.flags.writeable, question
                array[...] = 7.0
