"""What is given to a robot, right and wrong: shapes, types, memory, poses, wrenches, `out`; never a crash, and nothing written on error.

APPELL_FUZZ=100000 sets how many random calls are made.
"""

from __future__ import annotations

import os
import warnings
from typing import Any, Callable

import numpy as np
import pytest

import appell
import states
from states import NAMES, ask, close

FUZZ = int(os.environ.get("APPELL_FUZZ", "3000"))

#: What a wrong call may raise.
DOCUMENTED = (appell.AppellError, TypeError, ValueError)

PUMA = states.robot("puma560")
STEWART = states.robot("gough-stewart")
DELTA = states.robot("delta")


@pytest.fixture
def q() -> Any:
    return np.linspace(-0.9, 1.1, 6)


@pytest.fixture
def expected(q: Any) -> Any:
    return PUMA.inverse_dynamics(q, q, q)


# Arrays of many kinds


class Subclass(np.ndarray):
    """An array of somebody's."""


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


@pytest.mark.xfail(strict=True, reason="of arguments in single precision the answer is rounded to it without a look")
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


# Options


@pytest.mark.parametrize(
    "call",
    [
        lambda q: PUMA.inverse_dynamics(q, q, q, method="nonsense"),
        lambda q: PUMA.inverse_dynamics(q, q, q, of="platform"),
        lambda q: PUMA.jacobian(q, frame="nowhere"),
        lambda q: PUMA.jacobian(q, axes="nowhere"),
        lambda q: PUMA.ask("nonsense", q),
        lambda q: PUMA.ask("", q),
        lambda q: PUMA.columns("nonsense"),
        lambda q: PUMA.inverse_dynamics(q, external={"nowhere": q}),
        lambda q: PUMA.ask("gravity", q, external={"elbow": q}),
        lambda q: PUMA.platform(q),
        lambda q: STEWART.gibbs_function(STEWART.home),
        lambda q: STEWART.jacobian(STEWART.home, frame="leg1.end"),
        lambda q: PUMA.solver("nonsense"),
        lambda q: PUMA.solver("inverse-dynamics", method="nonsense"),
        lambda q: PUMA.solver("inverse-dynamics", of="platform"),
        lambda q: PUMA.solver("jacobian", frame="nowhere"),
    ],
)
def test_wrong_options_are_question_errors(call: Callable[[Any], Any], q: Any) -> None:
    with pytest.raises(appell.QuestionError) as caught:
        call(q)
    assert isinstance(caught.value, ValueError) and len(str(caught.value)) > 10


@pytest.mark.parametrize("batch", [False, True])
@pytest.mark.parametrize("robot", [PUMA, STEWART], ids=["puma560", "gough-stewart"])
def test_wrong_kinds_of_motion_are_refused(robot: appell.Robot, batch: bool) -> None:
    q = robot.home_positions
    given = [q[None] if batch else q] * 3
    with pytest.raises(appell.QuestionError, match="of="):
        robot.inverse_dynamics(*given, of="nonsense")


def test_threads_are_checked_of_one_state_too(q: Any) -> None:
    with pytest.raises(ValueError, match="threads"):
        PUMA.inverse_dynamics(q, q, q, threads=0)


def test_keywords_that_a_question_does_not_take() -> None:
    q = np.zeros(6)
    with pytest.raises(TypeError):
        PUMA.inverse_dynamics(q, tau=q)
    with pytest.raises(TypeError):
        PUMA.gravity(q, external={})
    with pytest.raises(TypeError):
        PUMA.inverse_dynamics(q, frame="elbow")
    with pytest.raises(TypeError):
        PUMA.inverse_dynamics()
    with pytest.raises(TypeError):
        PUMA.inverse_dynamics(q, q, q, q)


def test_asking_by_name_refuses_what_the_question_does_not_take(q: Any) -> None:
    with pytest.raises((appell.QuestionError, TypeError)):
        PUMA.ask("gravity", q, frame="elbow")
    with pytest.raises((appell.QuestionError, TypeError)):
        PUMA.ask("gravity", q, tau=q)


def test_asking_takes_the_names_of_methods(q: Any) -> None:
    for question in PUMA.methods:
        state = {key: q for key in ("q", "v", "a", "tau", "w")}
        named = {key: state[key] for key in states.INPUTS[question]}
        found = PUMA.ask(states.method_name(question), **named)
        found = found if isinstance(found, tuple) else (found,)
        assert all(close(one, other) for one, other in zip(found, ask(PUMA, question, state)))


def test_asking_takes_the_one_name_that_differs() -> None:
    found = STEWART.ask("joint_motion", STEWART.home)
    assert close(found[0], STEWART.joint_motion(STEWART.home)[0])


# Answers into arrays of the user's


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


# Poses


def quaternion_of(pose: Any) -> Any:
    from scipy.spatial.transform import Rotation

    return Rotation.from_matrix(pose[..., :3, :3]).as_quat()


def some_poses(robot: appell.Robot, count: int) -> tuple[Any, Any, Any]:
    s = states.random(robot, count)
    result: tuple[Any, Any, Any] = robot.platform(s["q"], s["v"], s["a"])
    return result


@pytest.mark.parametrize("name", ["gough-stewart", "delta", "3-rps", "hexapod-6rus", "planar-3rrr", "par4"])
def test_poses_in_all_forms(name: str) -> None:
    rotation = pytest.importorskip("scipy.spatial.transform").Rotation
    robot = states.robot(name)
    poses, twists, accelerations = some_poses(robot, 5)
    expected = robot.inverse_dynamics(poses, twists, accelerations)
    p, quaternion, R = poses[:, :3, 3], quaternion_of(poses), poses[:, :3, :3]
    forms: dict[str, Any] = {
        "matrices": poses,
        "Fortran's order": np.asfortranarray(poses),
        "position and quaternion": (p, quaternion),
        "the other quaternion": (p, -quaternion),
        "position and matrix": (p, R),
        "position and Rotation": (p, rotation.from_quat(quaternion)),
        "seven numbers": np.hstack([p, quaternion]),
        "rounded quaternions": (p, np.round(quaternion, 12)),
    }
    for form, given in forms.items():
        assert close(robot.inverse_dynamics(given, twists, accelerations), expected, 1e-8), form
    one = robot.inverse_dynamics(poses[0], twists[0], accelerations[0], of="platform")
    assert close(one, expected[0], 1e-9)
    singles: dict[str, Any] = {
        "position and quaternion": (p[0], quaternion[0]),
        "lists": (p[0].tolist(), quaternion[0].tolist()),
        "position and matrix": (p[0], R[0]),
        "position and Rotation": (p[0], rotation.from_quat(quaternion[0])),
        "seven numbers": np.hstack([p[0], quaternion[0]]),
        "a list of seven": np.hstack([p[0], quaternion[0]]).tolist(),
    }
    for form, given in singles.items():
        found = robot.inverse_dynamics(given, twists[0], accelerations[0])
        assert found.shape == (robot.nv,) and close(found, one, 1e-8), form


def test_a_rotation_alone_is_at_the_home_position() -> None:
    rotation = pytest.importorskip("scipy.spatial.transform").Rotation
    turned = rotation.from_rotvec([0.05, -0.02, 0.1])
    pose = STEWART.home.copy()
    pose[:3, :3] = turned.as_matrix()
    assert close(STEWART.inverse_dynamics(turned), STEWART.inverse_dynamics(pose))


@pytest.mark.parametrize(
    "form", [lambda p: p, lambda p: (p[:3, 3], p[:3, :3]), lambda p: np.hstack([p[:3, 3], [0.0, 0.0, 0.0, 1.0]])]
)
def test_poses_in_single_precision_are_answered_in_it(form: Any) -> None:
    given = form(STEWART.home.astype(np.float32))
    given = tuple(x.astype(np.float32) for x in given) if isinstance(given, tuple) else given.astype(np.float32)
    found = STEWART.inverse_dynamics(given, of="platform")
    assert close(found, STEWART.inverse_dynamics(STEWART.home), 1e-5)
    assert found.dtype == np.float32


@pytest.mark.parametrize("attitude", range(24))
def test_every_quarter_turn_is_read_rightly(attitude: int) -> None:
    rotation = pytest.importorskip("scipy.spatial.transform").Rotation
    turned = rotation.create_group("O")[attitude]
    from appell import _poses

    found = _poses.of_rotations(turned.as_matrix())
    same = abs(float(found @ turned.as_quat()))
    assert same == pytest.approx(1.0, abs=1e-14)
    assert close(_poses.matrices(np.hstack([[1.0, 2.0, 3.0], found]))[:3, :3], turned.as_matrix(), 1e-14)


@pytest.mark.parametrize(
    "pose, kind",
    [
        (2.0 * np.eye(4), appell.NumberError),
        (-np.eye(4), appell.NumberError),
        (np.diag([-1.0, 1.0, 1.0, 1.0]), appell.NumberError),
        (np.full((4, 4), np.nan), appell.NumberError),
        (np.zeros((4, 4)), appell.NumberError),
        (np.eye(4)[:3], appell.ShapeError),
        (np.eye(3), appell.ShapeError),
        (np.zeros((2, 2, 4, 4)), appell.ShapeError),
        (([0.0, 0.0, 0.4], [0.0, 0.0, 0.0, 0.0]), appell.NumberError),
        (([0.0, 0.0, 0.4], [0.0, 0.0, 0.0, 2.0]), appell.NumberError),
        (([0.0, 0.0, 0.4], [np.nan, 0.0, 0.0, 1.0]), appell.NumberError),
        (([0.0, 0.0, np.inf], [0.0, 0.0, 0.0, 1.0]), appell.NumberError),
        (([0.0, 0.0], [0.0, 0.0, 0.0, 1.0]), appell.ShapeError),
        (([0.0, 0.0, 0.4], [0.0, 0.0, 1.0]), appell.ShapeError),
        ((np.zeros((3, 3)), np.tile([0.0, 0.0, 0.0, 1.0], (4, 1))), appell.ShapeError),
        ((np.zeros((2, 2, 3)), [0.0, 0.0, 0.0, 1.0]), appell.ShapeError),
        ([0.0, 0.0, 0.4, 0.0, 0.0, 0.0, 3.0], appell.NumberError),
        (([0.0, 0.0, 1e9], [0.0, 0.0, 0.0, 1.0]), appell.StateError),
    ],
)
def test_what_is_no_pose_is_refused(pose: Any, kind: Any) -> None:
    for question in "inverse-dynamics", "singularity", "frames":
        with pytest.raises(kind):
            STEWART.ask(question, pose)


def test_four_by_four_of_four_drives_must_be_said() -> None:
    robot = states.robot("par4")
    with pytest.raises(appell.ShapeError, match='of="platform"'):
        robot.inverse_dynamics(robot.home)
    q = np.tile(robot.home_positions, (4, 1))
    assert close(robot.inverse_dynamics(q, of="drives"), np.tile(robot.inverse_dynamics(robot.home, of="platform"), (4, 1)), 1e-8)


def test_twists_that_the_loops_forbid_are_refused() -> None:
    assert DELTA.inverse_dynamics(DELTA.home, [0.1, 0.0, 0.0, 0.0, 0.0, 0.0]).shape == (3,)
    with pytest.raises(appell.StateError, match="`wx`"):
        DELTA.inverse_dynamics(DELTA.home, [0.1, 0.0, 0.0, 1.0, 0.0, 0.0])
    few, six = DELTA.inverse_dynamics(DELTA.home, [0.1, 0.2, 0.3]), DELTA.inverse_dynamics(DELTA.home, [0.1, 0.2, 0.3, 0, 0, 0])
    nan = DELTA.inverse_dynamics(DELTA.home, [0.1, 0.2, 0.3, np.nan, np.nan, np.nan])
    assert close(few, six) and close(nan, six), "NaN is a component that follows from the others"
    with pytest.raises(appell.StateError, match="`vx`"):
        DELTA.inverse_dynamics(DELTA.home, [np.nan, 0.0, 0.0, 0.0, 0.0, 0.0])
    with pytest.raises(appell.NumberError):
        DELTA.inverse_dynamics(DELTA.home, [np.inf, 0.0, 0.0, 0.0, 0.0, 0.0])
    with pytest.raises(appell.ShapeError):
        DELTA.inverse_dynamics(DELTA.home, [0.0, 0.0])


# Wrenches from outside


@pytest.mark.parametrize("name", ["puma560", "scara", "seven-axis", "stanford"])
def test_wrenches_act_by_the_jacobian(name: str) -> None:
    robot = states.robot(name)
    s = states.random(robot, 7)
    rng = np.random.default_rng(3)
    frames = robot.frame_names
    wrenches = {frame: rng.uniform(-5, 5, (7, 6)) for frame in (frames[-1], frames[1])}
    free = robot.inverse_dynamics(s["q"], s["v"], s["a"])
    with_ = robot.inverse_dynamics(s["q"], s["v"], s["a"], external=wrenches)
    expected = sum(np.einsum("nij,ni->nj", robot.jacobian(s["q"], frame=frame), w) for frame, w in wrenches.items())
    assert close(free - with_, expected, 1e-9)
    for question in "bias", "motor-torques":
        vectors = states.arguments(question, s)
        assert close(robot.ask(question, *vectors) - robot.ask(question, *vectors, external=wrenches), expected, 1e-9)
    a = robot.forward_dynamics(s["q"], s["v"], with_, external=wrenches)
    assert close(a, s["a"], 1e-8)
    for method in robot.methods["inverse-dynamics"]:
        assert close(robot.inverse_dynamics(s["q"], s["v"], s["a"], external=wrenches, method=method), with_, 1e-9)
    singly = [
        robot.inverse_dynamics(s["q"][i], s["v"][i], s["a"][i], external={frame: w[i] for frame, w in wrenches.items()})
        for i in range(7)
    ]
    assert close(np.stack(singly), with_, 1e-12)
    shared = robot.inverse_dynamics(s["q"], external={frames[-1]: wrenches[frames[-1]][0]})
    singly = [robot.inverse_dynamics(q, external={frames[-1]: wrenches[frames[-1]][0].tolist()}) for q in s["q"]]
    assert close(shared, np.stack(singly), 1e-12)


@pytest.mark.parametrize("name", ["gough-stewart", "delta", "five-bar", "orthoglide"])
def test_wrenches_on_a_platform_act_by_its_jacobian(name: str) -> None:
    robot = states.robot(name)
    s = states.random(robot, 5)
    wrench = np.random.default_rng(4).uniform(-5, 5, (5, 6))
    free = robot.inverse_dynamics(s["q"], s["v"], s["a"])
    with_ = robot.inverse_dynamics(s["q"], s["v"], s["a"], external={"platform": wrench})
    assert close(free - with_, np.einsum("nij,ni->nj", robot.jacobian(s["q"]), wrench), 1e-8)


@pytest.mark.parametrize(
    "external, kind",
    [
        ([np.zeros(6)], TypeError),
        ({3: np.zeros(6)}, TypeError),
        ({"elbow": None}, TypeError),
        ({"elbow": "push"}, TypeError),
        ({"elbow": np.zeros(3)}, appell.ShapeError),
        ({"elbow": np.zeros((2, 2, 6))}, appell.ShapeError),
        ({"elbow": np.full(6, np.nan)}, appell.NumberError),
        ({"nowhere": np.zeros(6)}, appell.QuestionError),
        ({"": np.zeros(6)}, appell.QuestionError),
    ],
)
def test_wrong_wrenches(external: Any, kind: Any) -> None:
    with pytest.raises(kind):
        PUMA.inverse_dynamics(np.zeros(6), external=external)


def test_no_wrenches_are_no_change(q: Any, expected: Any) -> None:
    assert close(PUMA.inverse_dynamics(q, q, q, external={}), expected, 1e-14)
    assert close(PUMA.inverse_dynamics(q, q, q, external={"elbow": np.zeros(6)}), expected, 1e-13)


# Random calls

VALUES = [0.0, 1.0, -1.0, 1e-300, 1e300, -1e308, np.nan, np.inf, -np.inf, 5e-324, 3.5]
DTYPES = ["f8", "f8", "f8", "f8", "f4", "f2", ">f8", "<i4", "u1", "?", "c16", "O", "U2", "S1", "M8[s]", "g", [("a", "f8")]]


def random_array(rng: np.random.Generator, width: int) -> Any:
    """An argument that is sometimes what a robot wants."""
    choice = rng.random()
    if choice < 0.04:
        return [None, "x", object(), 3.0, {}, [], [[]], (1, 2), np.float64(2.0), b"12"][rng.integers(10)]
    shapes: list[tuple[int, ...]] = [
        (width,), (width,), (width,), (3, width), (3, width), (0, width), (1, width), (width + 1,), (), (0,), (width, 3), (2, 2, width),
        (4, 4), (3, 4, 4), (7,), (3, 7), (6,), (3, 6), (3,), (700, width), (5, 0),
    ]  # fmt: skip
    shape = shapes[rng.integers(len(shapes))]
    array: Any = rng.uniform(-1.0, 1.0, shape)
    if rng.random() < 0.1 and array.size:
        array.flat[rng.integers(array.size)] = VALUES[rng.integers(len(VALUES))]
    if rng.random() < 0.25:
        dtype = np.dtype(DTYPES[rng.integers(len(DTYPES))])
        if dtype.kind == "V":
            array = np.zeros(shape, dtype=dtype)
        else:
            with np.errstate(all="ignore"):
                array = array.astype("i8").astype(dtype) if dtype.kind == "M" else array.astype(dtype)
    return random_memory(rng, array)


def random_memory(rng: np.random.Generator, array: Any) -> Any:
    """The same numbers, lying otherwise in memory."""
    choice = rng.integers(12)
    if choice == 0:
        return np.asfortranarray(array)
    if choice == 1 and array.ndim:
        return np.repeat(array, 2, axis=-1)[..., ::2]
    if choice == 2 and array.ndim:
        return np.flip(np.ascontiguousarray(np.flip(array, -1)), -1)
    if choice == 3 and array.dtype.kind == "f":
        return np.frombuffer(b"\0" + array.tobytes(), dtype=array.dtype, offset=1).reshape(array.shape)
    if choice == 4:
        return np.broadcast_to(array, array.shape)
    if choice == 5:
        return array.tolist() if array.dtype.names is None else array
    if choice == 6 and array.ndim:
        return np.broadcast_to(array[:1], array.shape) if array.shape[0] else array
    if choice == 7:
        return array.view(Subclass) if array.dtype.kind == "f" else array
    return array


def random_out(rng: np.random.Generator, arguments: list[Any], shapes: list[tuple[int, ...]]) -> Any:
    """An array to write to: right, wrong, read-only, or one of the arguments."""
    choice = rng.integers(8)
    if choice == 0:
        return arguments[rng.integers(len(arguments))]
    if choice == 1:
        return None
    made: list[Any] = []
    for shape in shapes:
        count = (3,) if rng.random() < 0.3 else ()
        array = np.full((*count, *shape), 7.0, dtype=["f8", "f8", "f8", "f4", "i4"][rng.integers(5)])
        if rng.random() < 0.2:
            array = array[..., ::-1] if array.ndim else array
        if rng.random() < 0.15:
            array.flags.writeable = False
        made.append(array)
    if choice == 2:
        made.append(made[0])
    return made[0] if len(made) == 1 and choice != 3 else tuple(made)


def snapshot(out: Any) -> list[bytes]:
    """The bytes of every array of `out`."""
    arrays = out if isinstance(out, tuple) else (out,)
    return [array.tobytes() for array in arrays if isinstance(array, np.ndarray) and array.dtype != object]


@pytest.mark.filterwarnings("ignore")
def test_random_calls_raise_or_answer() -> None:
    seed = int(os.environ.get("APPELL_FUZZ_SEED", "1"))
    rng = np.random.default_rng(seed)
    robots = [states.robot(name) for name in ("puma560", "two-link", "scara", "gough-stewart", "delta", "par4", "four-bar")]
    questions = list(appell.questions())
    shapes = {
        (robot.name, question): [array.shape[1:] for array in ask(robot, question, states.random(robot, 1))]
        for robot in robots
        for question in robot.methods
    }
    answered = refused = 0
    for call in range(FUZZ):
        robot = robots[rng.integers(len(robots))]
        question = questions[rng.integers(len(questions))]
        given = [random_array(rng, robot.nq if k == 0 else robot.nv) for k in range(len(states.INPUTS[question]))]
        if rng.random() < 0.3:
            given[0] = robot.home if rng.random() < 0.5 else robot.home_positions
        options: dict[str, Any] = {}
        if rng.random() < 0.5:
            options["out"] = random_out(rng, given, shapes.get((robot.name, question), [(robot.nv,)]))
        if rng.random() < 0.2:
            options["threads"] = [1, 2, 0, -1, None, 2.0][rng.integers(6)]
        if rng.random() < 0.2:
            methods = [*robot.methods.get(question, []), "", "nonsense", None, 3]
            options["method"] = methods[rng.integers(len(methods))]
        if rng.random() < 0.2:
            options["of"] = ["platform", "drives", None, "x", 3][rng.integers(5)]
        if rng.random() < 0.15:
            options["frame"] = [robot.frame_names[-1], "nowhere", None, 3][rng.integers(4)]
        if rng.random() < 0.15:
            frame = [*robot.frame_names, "platform", "nowhere"][rng.integers(len(robot.frame_names) + 2)]
            options["external"] = {frame: random_array(rng, 6)}
        out = options.get("out")
        before = snapshot(out)
        what = f"APPELL_FUZZ_SEED={seed}, call {call}: {robot.name}.{question}({given!r}, {options!r})"
        try:
            answer = getattr(robot, states.method_name(question))(*given, **options)
        except (*DOCUMENTED, OverflowError) as error:
            assert str(error), what
            assert snapshot(out) == before, what
            refused += 1
            continue
        except BaseException as error:
            raise AssertionError(what) from error
        answered += 1
        if out is not None:
            assert answer is out, what
        for array in answer if isinstance(answer, tuple) else (answer,):
            assert isinstance(array, np.ndarray) and np.isfinite(array).all(), what
    assert answered > FUZZ / 50 and refused > FUZZ / 50
    # And all is as it was.
    q = np.linspace(-0.9, 1.1, 6)
    assert close(PUMA.inverse_dynamics(q, q, q), appell.load("puma560").inverse_dynamics(q, q, q), 1e-15)
