"""Motions of robots with closed loops through singularities of Type 2."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional

from . import _poses
from ._errors import NumberError, ShapeError
from ._motion import Trajectory
from ._numpy import ArrayLike, Numbers, np
from ._parallel import UncontrolledMotion, _length, _pose


@dataclass(frozen=True, eq=False)
class Crossing:
    """A place where a motion crosses a singularity of Type 2, or comes near.

    >>> robot = appell.load("five-bar")
    >>> motion = robot.passage([0, 0.4, 0], [0, 0.1, 0], velocity=[0, -0.6], time=1.0)
    >>> (place,) = robot.crossings(motion.pose, motion.twist, motion.acceleration, t=motion.t)
    >>> place.crosses, place.is_finite(), round(place.t, 3)
    (True, True, 0.5)
    """

    #: The rows before and after it; twice the same where it is at a row.
    rows: tuple[int, int]
    #: When, s; None without times.
    t: Optional[float]
    #: Whether the motion goes through it; else it only comes near.
    crosses: bool
    #: Inverse condition of Type 2 there, 0 is singular.
    type2: float
    #: Power of all forces along the motion that the drives do not control, W, and the sizes of the terms that it is the sum of, W.
    defect: float
    scale: float
    #: The defect over its scale.
    relative_defect: float
    #: The largest torque or force of a drive in the five rows on each side, N m or N; None where the drives hold none of them.
    largest_effort: Optional[float]
    #: The motion that the drives do not control.
    uncontrolled: UncontrolledMotion

    def is_finite(self, tolerance: float = 1e-3) -> bool:
        """Whether finite torques and forces suffice there: the relative defect is at most `tolerance` (Briot and Arakelian).

        >>> robot = appell.load("five-bar")
        >>> y = np.linspace(0.4, 0.1, 100)
        >>> poses = [np.array([[1, 0, 0, 0], [0, 1, 0, y], [0, 0, 1, 0], [0, 0, 0, 1.0]]) for y in y]
        >>> robot.crossings(np.array(poses), np.tile([0, -0.3, 0, 0, 0, 0], (100, 1)))[0].is_finite()
        False
        """
        return self.relative_defect <= tolerance


class CrossingsMixin:
    """What robots with closed loops are asked about motions through Type 2."""

    def crossings(
        self,
        pose: Any,
        twist: ArrayLike,
        acceleration: Optional[ArrayLike] = None,
        *,
        t: Optional[ArrayLike] = None,
        threshold: float = 1e-3,
        length: Optional[float] = None,
    ) -> list[Crossing]:
        """Where a motion of the platform crosses singularities of Type 2, and whether finite torques and forces suffice there.

        Poses in any form, twists (N, 6) and accelerations (N, 6; zeros if not given), linear first; times `t` (N,), s. Crossings are found
        between rows where det J_inv changes its sign, near places where ``type2`` has a minimum below `threshold`. In between the motion
        is interpolated, so that shorter steps are more accurate. A turn by 1 rad counts as `length` m.

        >>> robot = appell.load("five-bar")
        >>> robot.crossings(np.tile(robot.home, (3, 1, 1)), np.zeros((3, 6)))
        []
        """
        robot: Any = self
        _pose(robot, robot.home, "pose")  # says what is wrong with a robot without a platform
        poses = _poses.numbers(pose, robot.home_numbers[:3], 0, "platform")
        if poses is None or poses.ndim != 2:
            raise ShapeError(f"`pose` has shape {np.shape(pose)}; expected many poses: (N, 4, 4), or (N, 7)")
        count = len(poses)
        rates = _rows(twist, count, "twist")
        second = np.zeros_like(rates) if acceleration is None else _rows(acceleration, count, "acceleration")
        times = None
        if t is not None:
            times = np.asarray(t, dtype=np.float64)
            if times.shape != (count,):
                raise ShapeError(f"`t` has shape {times.shape}; expected ({count},)")
            if not np.isfinite(times).all() or (np.diff(times) <= 0).any():
                raise NumberError("`t` does not increase")
        if not np.isfinite(poses).all():
            raise NumberError("`pose` is not finite")
        if not 0.0 < threshold < np.inf:
            raise NumberError(f"`threshold` is {threshold}; expected a positive number")
        found = robot._crossings(
            poses.tolist(), rates.tolist(), second.tolist(), None if times is None else times.tolist(), threshold, _length(length)
        )
        return [
            Crossing(**{**one, "rows": tuple(one["rows"]), "uncontrolled": UncontrolledMotion(**one["uncontrolled"])}) for one in found
        ]

    def passage(
        self,
        start: Any,
        end: Any,
        *,
        velocity: ArrayLike,
        time: float,
        through: Any = None,
        acceleration: Optional[ArrayLike] = None,
        cross_at: Optional[float] = None,
        shape: str = "quintics",
        rows: int = 1000,
        torques: bool = False,
    ) -> Trajectory:
        """A motion from rest to rest that crosses a singularity of Type 2 with finite torques and forces.

        It crosses at the pose `through`, or where the straight way from `start` to `end` meets Type 2, at the time `cross_at` (half-way), with
        these rates of the robot's ``freedoms``. There the acceleration is the one nearest to `acceleration` (zeros) with which the
        motion that the drives do not control needs no force. `shape` is "quintics", two polynomials of degree 5, or "octic", one of degree 8,
        whose torques are smooth. No row is at the crossing itself, where inverse dynamics has no answer.

        >>> robot = appell.load("five-bar")
        >>> motion = robot.passage([0, 0.4, 0], [0, 0.1, 0], velocity=[0, -0.6], time=1.0, torques=True)
        >>> motion.pose.shape, bool(np.abs(motion.tau).max() < 12)
        ((1000, 4, 4), True)
        """
        robot: Any = self
        ends = (_pose(robot, start, "start"), _pose(robot, end, "end"))
        place = None if through is None else _pose(robot, through, "through")
        freedoms = len(robot.freedoms)
        rates = _each(velocity, freedoms, "velocity", robot.freedoms)
        second = [] if acceleration is None else _each(acceleration, freedoms, "acceleration", robot.freedoms)
        if not (0.0 < time < np.inf):
            raise NumberError(f"`time` is {time}; expected a positive time, s")
        if not 4 <= rows <= 10_000_000:
            raise NumberError(f"`rows` is {rows}; expected 4 to 10 000 000")
        crossing = 0.5 * time if cross_at is None else float(cross_at)
        t, poses, twist, rate = robot._passage(*ends, place, rates, second, crossing, float(time), shape, int(rows))
        matrices = _poses.matrices(poses)
        q, v, a = robot.actuated(matrices, twist, rate)
        tau = robot.inverse_dynamics(matrices, twist, rate) if torques else None
        return Trajectory(
            robot=robot.name, kind="passage", names=tuple(robot.drives), t=t, q=q, v=v, a=a, tau=tau,
            pose=matrices, twist=twist, acceleration=rate, limits=None,
        )  # fmt: skip


def _rows(given: ArrayLike, count: int, name: str) -> Numbers:
    """(N, 6) of finite numbers."""
    rows = np.asarray(given, dtype=np.float64)
    if rows.shape != (count, 6):
        raise ShapeError(f"`{name}` has shape {rows.shape}; expected ({count}, 6)")
    if not np.isfinite(rows).all():
        raise NumberError(f"`{name}` is not finite")
    return rows


def _each(given: ArrayLike, count: int, name: str, names: Any) -> list[float]:
    """One finite number per degree of freedom."""
    numbers = np.asarray(given, dtype=np.float64)
    if numbers.shape != (count,):
        raise ShapeError(f"`{name}` has shape {numbers.shape}; expected ({count},): {', '.join(names)}")
    if not np.isfinite(numbers).all():
        raise NumberError(f"`{name}` is not finite")
    return [float(x) for x in numbers]
