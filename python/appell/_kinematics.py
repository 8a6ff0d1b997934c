"""Inverse kinematics: joints for poses of a frame, drives for poses of a platform; and how far methods agree."""

from __future__ import annotations

from typing import Any, Optional

from . import _poses
from ._errors import NumberError, ShapeError
from ._numpy import ArrayLike, Numbers, np
from ._progress import Progress


class KinematicsMixin:
    """Questions whose answers are searched for."""

    def inverse_kinematics(
        self,
        pose: Any,
        *,
        frame: Optional[str] = None,
        start: Optional[ArrayLike] = None,
        all: bool = False,
        seed: int = 1,
        restarts: int = 100,
        progress: bool = False,
    ) -> Any:
        """Joints that bring a frame to a pose in the base; of a robot with loops, drives that bring its platform there.

        `pose` is (4, 4), (position, quaternion), px py pz qx qy qz qw, or N of them; a position alone, (3,) or (N, 3), leaves the
        attitude free (of a platform: as at home). The answer is (n,) or (N, n), rad or m, to 1e-12 m and rad, within the joints' limits.

        `frame` is the last one if not named. `start` is where the search begins, (n,), or (N, n) for each pose; each pose without one
        starts where the one before ended, so that a path is followed, the first at zero. `restarts` random starts, by `seed`, follow
        one that does not lead there. What is not reached is a :class:`appell.StateError` with what is left of the way.

        With ``all=True`` all configurations, (k, n), or a list of N such arrays: of six-axis arms of the PUMA's type up to eight, in
        closed form, whatever the joints' limits; of a robot with loops one row per whole working mode.

        ``progress=True`` shows how many of many poses are done.

        >>> puma = appell.load("puma560")
        >>> q = np.array([0.3, -1.0, 0.2, 0.4, 1.0, 0.1])
        >>> found = puma.inverse_kinematics(puma.pose(q), start=q + 0.1)
        >>> bool(np.allclose(puma.pose(found), puma.pose(q)))
        True
        >>> puma.inverse_kinematics(puma.pose(q), all=True).shape
        (8, 6)
        """
        robot: Any = self
        is_closed = robot.kind not in ("serial", "tree")
        goals = _goals(robot, pose, is_closed)
        is_one = goals.ndim == 1
        goals = np.atleast_2d(goals)
        if not np.isfinite(goals).all():
            row = int(np.flatnonzero(~np.isfinite(goals).all(axis=1))[0])
            raise NumberError("`pose` is not finite" if is_one else f"pose {row} is not finite")
        if is_closed:
            if start is not None or frame is not None:
                raise TypeError(
                    f"{robot.name} has closed loops: its platform is what moves, in the working modes of its file; frame= and start= are "
                    'for open robots, and robot.with_output("FRAME") chooses another output'
                )
            rows = [list(map(float, row)) for row in goals]
            if all:
                found = [robot.assemble(pose=np.asarray(row), all=True).drives for row in rows]
                return found[0] if is_one else found
            with Progress("poses", shown=progress) as bar:
                drives: Numbers = robot._drives_at(rows, is_one, bar.pulse)
            return drives[0] if is_one else drives
        if all:
            if start is not None:
                raise TypeError("start= is for one solution; all=True is in closed form")
            if goals.shape[1] != 7:
                raise ShapeError(f"all=True needs whole poses; `pose` has shape {np.shape(pose)}")
            found = [_rows(rows) for rows in robot._closed_form(goals.tolist(), frame, is_one)]
            return found[0] if is_one else found
        starts = _starts(robot, start, len(goals))
        with Progress("poses", shown=progress) as bar:
            q: Numbers = robot._inverse_kinematics(goals.tolist(), frame, starts, seed, restarts, is_one, bar.pulse)
        return q[0] if is_one else q

    def agreement(self, states: int = 100, seed: int = 1, *, progress: bool = False) -> dict[str, dict[str, float]]:
        """The largest difference between each question's default method and its others on random states, relative to the answer.

        Question to method to difference; infinite where a method has no answer for a state. States are random in ±π rad or ±0.5 m, ±2
        rad/s or ±1 m/s; those of a robot with loops lie around its home. ``progress=True`` shows how many are done.

        >>> found = appell.load("puma560").agreement(states=10)
        >>> max(found["inverse-dynamics"].values()) < 1e-10
        True
        """
        robot: Any = self
        if states < 1:
            raise NumberError(f"`states` is {states}; expected a positive number")
        table: dict[str, dict[str, float]] = {}
        with Progress("states", shown=progress) as bar:
            differences = robot._agreement(states, seed, bar.pulse)
        for question, method, _against, worst, failed in differences:
            table.setdefault(question, {})[method] = float("inf") if failed is not None or worst is None else worst
        return table


def _goals(robot: Any, pose: Any, is_closed: bool) -> Numbers:
    """px py pz qx qy qz qw, or px py pz where the attitude is free; (7,), (3,), or rows of them."""
    is_bare = not isinstance(pose, tuple) and not hasattr(pose, "as_quat")
    if is_bare and np.shape(pose)[-1:] == (3,) and np.ndim(pose) in (1, 2):
        positions: Numbers = np.asarray(pose, dtype=np.float64)
        home = robot.home_numbers if is_closed else None
        return positions if home is None else _poses.joined(positions, home[3:])
    home = robot.home_numbers
    numbers = _poses.numbers(pose, None if home is None else home[:3], 0, "platform")
    if numbers is None:
        raise ShapeError(f"a pose is a {type(pose).__name__}; expected a 4 × 4 matrix, (position, quaternion), a Rotation or a position")
    return numbers


def _starts(robot: Any, start: Optional[ArrayLike], count: int) -> list[list[float]]:
    """Where searches begin: nowhere, the first of them, or each."""
    if start is None:
        return []
    array = np.asarray(start, dtype=np.float64)
    width = robot.nq
    if array.shape not in ((width,), (count, width)):
        raise ShapeError(f"`start` has shape {array.shape}; expected ({width},), or ({count}, {width}) for each pose")
    if not np.isfinite(array).all():
        raise NumberError("`start` is not finite")
    rows: list[list[float]] = np.atleast_2d(array).tolist()
    return rows


def _rows(found: list[tuple[list[float], list[float]]]) -> Numbers:
    return np.array([q for _signs, q in found], dtype=np.float64)
