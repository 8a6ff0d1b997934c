"""What the tests share: robots, their states, random from a seed and such that loops close, and how answers are compared."""

from __future__ import annotations

import functools
import subprocess
import sys
import textwrap
import warnings
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import appell

Numbers = NDArray[np.float64]

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "tests" / "data"

#: What a wrong call may raise.
DOCUMENTED = (appell.AppellError, TypeError, ValueError)

#: Files of tests/data, and those of them that describe no robot.
FILES = sorted(str(path.relative_to(DATA)) for path in DATA.rglob("*") if path.is_file())
REFUSED = ["closed/immobile.toml", "closed/locked-drive.toml", "closed/out-of-reach.toml"]
LOADED = [path for path in FILES if path not in REFUSED]

#: The built-in robots.
NAMES = list(appell.robots())

#: The method of the class Robot for a question: the same words, but for the one whose name is that of a list of joints.
RENAMED = {"joints": "joint_motion"}

#: Vectors that a question reads, by its name.
INPUTS: dict[str, list[str]] = {name: inputs for name, _, inputs in appell._appell.questions()}


class Subclass(np.ndarray):
    """An array of somebody's."""


def method_name(question: str) -> str:
    """The name of the method of `Robot` that answers a question."""
    return RENAMED.get(question, question.replace("-", "_"))


@functools.lru_cache(maxsize=None)
def robot(name: str) -> appell.Robot:
    """A built-in robot."""
    return appell.load(name)


@functools.lru_cache(maxsize=None)
def data_file(path: str) -> appell.Robot:
    """A robot of tests/data; what its file is doubted for is no matter here."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", appell.FileWarning)
        return appell.load(DATA / path)


def is_open(robot: appell.Robot) -> bool:
    """Whether it has no closed loops."""
    return robot.kind in ("serial", "tree")


def random(robot: appell.Robot, count: int, seed: int = 1) -> dict[str, Numbers]:
    """Random vectors q, v, a, tau, w of as many states: of robots with loops near home, where their drives reach."""
    rng = np.random.default_rng([seed, zlib.crc32(robot.name.encode())])
    if is_open(robot):
        q = _open_positions(robot, rng, count)
    else:
        q = robot.home_positions + 0.02 * rng.uniform(-1.0, 1.0, (count, robot.nq))
    sizes = {"v": 1.0, "a": 3.0, "tau": 20.0, "w": 1.0}
    return {"q": q, **{name: size * rng.uniform(-1.0, 1.0, (count, robot.nv)) for name, size in sizes.items()}}


def _open_positions(robot: appell.Robot, rng: np.random.Generator, count: int) -> Numbers:
    q: Numbers = rng.uniform(-2.0, 2.0, (count, robot.nq))
    # Quaternions are four numbers `….qx` to `….qw`, neutral at 0 0 0 1.
    for k, name in enumerate(robot.positions):
        if name.endswith(".qx"):
            q[:, k : k + 4] = rng.normal(size=(count, 4))
            q[:, k : k + 4] /= np.linalg.norm(q[:, k : k + 4], axis=1, keepdims=True)
    return q


def arguments(question: str, state: dict[str, Any]) -> list[Any]:
    """The vectors that a question reads, in the order of its method."""
    return [state[name] for name in INPUTS[question]]


def ask(robot: appell.Robot, question: str, state: dict[str, Any], **options: Any) -> tuple[Any, ...]:
    """The answer by the question's own method, always as a tuple of arrays."""
    answer = getattr(robot, method_name(question))(*arguments(question, state), **options)
    return answer if isinstance(answer, tuple) else (answer,)


def error(found: Any, expected: Any, scale: float = 0.0) -> float:
    """The largest difference over the largest number, or over `scale` where that is larger."""
    found, expected = np.asarray(found, dtype=float), np.asarray(expected, dtype=float)
    assert found.shape == expected.shape, f"{found.shape} instead of {expected.shape}"
    gap = np.max(np.abs(found - expected), initial=0.0)
    size = max(np.max(np.abs(expected), initial=0.0), scale)
    return float(gap / size) if size > 0 else float(gap)


def close(found: Any, expected: Any, tolerance: float = 1e-10, scale: float = 0.0) -> bool:
    """Whether two arrays agree, relative to their largest number."""
    return error(found, expected, scale) <= tolerance


def run(program: str, *, timeout: float = 60.0, **options: Any) -> subprocess.CompletedProcess[str]:
    """Runs a program in a fresh interpreter."""
    arguments = [sys.executable, "-X", "faulthandler", "-c", textwrap.dedent(program)]
    return subprocess.run(arguments, capture_output=True, text=True, timeout=timeout, **options)


def answers(robot: appell.Robot) -> list[Any]:
    """Numbers that tell two robots apart."""
    s = random(robot, 3)
    return [robot.inverse_dynamics(s["q"], s["v"], s["a"]), robot.inertia_matrix(s["q"]), robot.frames(s["q"])]


def same(one: appell.Robot, other: appell.Robot, tolerance: float = 1e-12) -> bool:
    """Whether they answer alike."""
    return all(close(a, b, tolerance) for a, b in zip(answers(one), answers(other)))


#: Robots that many tests take.
PUMA = robot("puma560")
STEWART = robot("gough-stewart")
DELTA = robot("delta")
