"""Random calls: never a crash, and nothing written on error.

APPELL_FUZZ=100000 sets how many are made.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest

import appell
import states
from states import DOCUMENTED, PUMA, Subclass, ask, close

FUZZ = int(os.environ.get("APPELL_FUZZ", "3000"))


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
