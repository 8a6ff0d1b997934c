"""Where a robot is in a study: named coordinates as positions of its joints, or as poses of its platform."""

from __future__ import annotations

from typing import Any, Callable, Mapping, Optional, Sequence

from .. import _poses
from .._errors import QuestionError, StateError
from .._numpy import Numbers, np
from .._robot import Robot
from .._space import Bounds, Sobol, Space

#: Coordinates of a platform's pose; turns are about axes of the base, roll first.
OF_POSE = ("x", "y", "z", "roll", "pitch", "yaw")


def is_open(robot: Robot) -> bool:
    """Whether it has no closed loops."""
    return robot.kind in ("serial", "tree")


def coordinates(robot: Robot) -> list[str]:
    """Names of the coordinates that a place can be given by."""
    if is_open(robot):
        return list(robot.positions)
    if robot.home_numbers is None:
        raise QuestionError(f'{robot.name} has no platform whose poses could be studied; name its output: robot.with_output("FRAME")')
    return list(OF_POSE)


def space_of(robot: Robot, bounds: Bounds, space: Optional[Space], points: int, seed: int) -> Space:
    """The places of a study: Sobol's points within bounds, or a space of the user's."""
    known = coordinates(robot)
    unknown = [name for name in (bounds if space is None else space.names) if name not in known]
    if unknown:
        raise QuestionError(f"no coordinate `{unknown[0]}` of {robot.name}; coordinates are {', '.join(known)}")
    return Sobol(bounds, points, seed) if space is None else space


def places(robot: Robot, chunk: Mapping[str, Numbers]) -> Numbers:
    """Positions of joints, or px py pz qx qy qz qw of the platform, a row per point; other columns of the chunk are no coordinates."""
    count = len(next(iter(chunk.values())))
    if is_open(robot):
        q = np.tile(np.asarray(robot.neutral, dtype=np.float64), (count, 1))
        for name, values in chunk.items():
            if name in robot.positions:
                q[:, robot.positions.index(name)] = values
        return q
    home: Any = robot.home_numbers
    pose = np.tile(np.asarray(home, dtype=np.float64), (count, 1))
    for k, name in enumerate(OF_POSE):
        if name not in chunk:
            continue
        if k < 3:
            pose[:, k] = chunk[name]
        else:
            half = 0.5 * np.asarray(chunk[name])
            turn = np.zeros((count, 4))
            turn[:, k - 3], turn[:, 3] = np.sin(half), np.cos(half)
            pose[:, 3:] = product(turn, pose[:, 3:])
    return pose


def product(one: Any, other: Any) -> Any:
    """Products of quaternions x y z w, along the last axis."""
    x, y, z, w = np.moveaxis(np.asarray(one), -1, 0)
    a, b, c, d = np.moveaxis(np.asarray(other), -1, 0)
    return np.stack(
        [w * a + x * d + y * c - z * b, w * b - x * c + y * d + z * a, w * c + x * b - y * a + z * d, w * d - x * a - y * b - z * c],
        axis=-1,
    )


def of(robot: Robot) -> dict[str, Any]:
    """What says that places are poses, of a robot with closed loops."""
    return {} if is_open(robot) else {"of": "platform"}


def answered(robot: Robot, where: Numbers, ask: Callable[[Any, Any], Any], width: Sequence[int] = ()) -> Numbers:
    """What `ask` answers for places, which it is given with their rows; NaN where the robot cannot be, or has no answer."""
    answers = np.full((len(where), *width), np.nan)
    if not is_open(robot):
        found = robot.reach(where, threads=1)
        where = where.copy()
        where[found.reachable] = _poses.of_matrices(found.pose[found.reachable])
    reached = np.arange(len(where)) if is_open(robot) else np.flatnonzero(found.reachable)
    try:
        if len(reached):
            answers[reached] = ask(where[reached], reached)
    except StateError:
        # Some of them is singular: one by one, which says which.
        for k in reached:
            try:
                answers[k] = ask(where[k : k + 1], np.array([k]))[0]
            except StateError:
                continue
    return answers


def as_matrices(where: Numbers) -> Numbers:
    """Poses as 4 × 4 matrices."""
    return _poses.matrices(where)
