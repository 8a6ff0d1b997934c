"""Motions that tell the unknowns of a robot apart: `appell.excite`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Sequence

from . import _appell
from ._errors import NumberError
from ._identification import Lock, _locks, _words
from ._numpy import ArrayLike, Numbers, np
from ._progress import Progress
from ._robot import Robot


@dataclass(frozen=True, repr=False)
class Excitation:
    """An exciting motion, row by row: t (N,), q, v, a (N, n).

    Made by :func:`appell.excite`.

    >>> motion = appell.excite(robot, velocity=2, acceleration=8)     # doctest: +SKIP
    >>> motion.q.shape, motion.condition                            # doctest: +SKIP
    """

    t: Numbers
    q: Numbers
    v: Numbers
    a: Numbers
    #: Condition number of the observation matrix of what it tells apart.
    condition: float
    #: Names of all unknowns.
    unknowns: list[str]

    def __repr__(self) -> str:
        return f"<appell.Excitation: {len(self.t)} rows, {self.t[-1]:g} s, condition {self.condition:.3g}>"


def excite(
    robot: Robot,
    *,
    lower: Optional[ArrayLike] = None,
    upper: Optional[ArrayLike] = None,
    velocity: Optional[ArrayLike] = None,
    acceleration: Optional[ArrayLike] = None,
    effort: Optional[ArrayLike] = None,
    harmonics: int = 5,
    frequency: float = 0.1,
    points: Optional[int] = None,
    duration: Optional[float] = None,
    effects: Optional[Sequence[str]] = None,
    known: Sequence[str] = (),
    lock: Lock = None,
    criterion: str = "condition",
    samples: int = 80,
    starts: int = 16,
    steps: int = 200,
    hops: int = 8,
    seed: int = 1,
    dt: float = 0.01,
    progress: bool = False,
) -> Excitation:
    """Searches for a motion of the drives that tells a robot's unknown parameters apart, within limits.

    Limits are one number for all drives or one each; those that are left out are the robot's. A Fourier series of `harmonics`
    of `frequency` (Hz), or a spline through `points` in `duration` (s). `criterion`: "condition", "scaled-condition" or "determinant".
    `lock`: joints that stand, ``{"finger": 0.02}``; the motion is that of the others.
    ``progress=True`` shows how far the search is.

    >>> motion = appell.excite(appell.load("two-link"), velocity=2, acceleration=8, starts=2, steps=20, hops=0)
    >>> motion.q.shape == (len(motion.t), 2) and motion.condition < 1000
    True
    """

    def numbers(limit: Optional[ArrayLike]) -> Optional[list[float]]:
        return None if limit is None else [float(x) for x in np.atleast_1d(np.asarray(limit, dtype=np.float64))]

    for name, number, most in (
        ("harmonics", harmonics, 100), ("samples", samples, 100_000), ("starts", starts, 100_000), ("steps", steps, 100_000),
        ("points", 3 if points is None else points, 1000),
    ):  # fmt: skip
        if not 1 <= number <= most:
            raise NumberError(f"{name}={number}; expected 1 to {most}")
    if not (dt > 0 and np.isfinite(dt)) or (1.0 / frequency if points is None else duration or 1.0) / dt > 1e7:
        raise NumberError(f"dt={dt}; expected a positive time, s, of which ten million at most make the motion")
    if points is None and duration is not None:
        raise TypeError("duration is that of a spline through points; a Fourier series takes 1/frequency")
    with Progress("steps", shown=progress) as bar:
        found = _appell.excite(
            robot, numbers(lower), numbers(upper), numbers(velocity), numbers(acceleration), numbers(effort), int(harmonics),
            float(frequency), points, duration, _words(effects), _words(known) or [], _locks(lock), criterion, int(samples),
            int(starts), int(steps), int(hops), int(seed), float(dt), bar.pulse,
        )  # fmt: skip
    count = len(found["t"])
    q, v, a = (found[name].reshape(count, -1) for name in "qva")
    return Excitation(found["t"], q, v, a, found["condition"], found["columns"])
