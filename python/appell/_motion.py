"""What a motion to follow is: rows of positions, velocities and accelerations, and how near they come to limits."""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import Any, NamedTuple, Optional

from . import _poses
from ._numpy import Numbers, np


class Peak(NamedTuple):
    """How near a quantity of a joint comes to its limit; without a limit, how large it gets.

    >>> peak = appell.trajectory.joints(appell.load("scara"), [0.5, 1, 0.1, 0], time=1.0, limits=True).limits.peaks[0]
    >>> peak.quantity
    'position'
    """

    joint: str
    #: "position", "velocity", "acceleration" or "effort".
    quantity: str
    #: When, s.
    time: float
    #: How large it is then, rad, m, s, N m, N.
    value: float
    #: Its limit on that side; infinite where there is none.
    limit: float


class Limits(NamedTuple):
    """Whether a motion stays within the limits of the robot's file, and of `max_acceleration`.

    >>> appell.trajectory.joints(appell.load("scara"), [0.5, 1, 0.1, 0], time=1.0, limits=True).limits.are_kept in (True, False)
    True
    """

    #: The first limit that is passed, with time, joint and value; None if none is.
    first: Optional[str]
    #: Of every joint and quantity.
    peaks: tuple[Peak, ...]

    @property
    def are_kept(self) -> bool:
        """Whether no limit is passed."""
        return self.first is None


@dataclass(frozen=True, eq=False, repr=False)
class Trajectory:
    """A motion in rows: at each time positions, velocities and accelerations.

    >>> motion = appell.trajectory.joints(appell.load("scara"), [0.5, 1, 0.1, 0], time=1.0)
    >>> motion.q.shape == (len(motion.t), 4)
    True
    """

    #: The robot's name, and what it does.
    robot: str
    kind: str
    #: Names of the joints, or drives, in the order of columns.
    names: tuple[str, ...]
    #: s, (N,).
    t: Numbers
    #: Positions, velocities and accelerations of joints, or of drives: rad or m, per s and s², (N, n).
    q: Numbers
    v: Numbers
    a: Numbers
    #: Torques and forces of the drives, N m or N, (N, n); None if not asked for.
    tau: Optional[Numbers]
    #: Of a robot with closed loops: the platform's pose, (N, 4, 4), twist and its rate, linear first, (N, 6); else None.
    pose: Optional[Numbers]
    twist: Optional[Numbers]
    acceleration: Optional[Numbers]
    #: How near it comes to limits; None if not asked for.
    limits: Optional[Limits]

    @property
    def duration(self) -> float:
        """s."""
        return float(self.t[-1])

    def __len__(self) -> int:
        return len(self.t)

    def __repr__(self) -> str:
        passed = "" if self.limits is None or self.limits.first is None else f"; {self.limits.first}"
        return f"<appell.Trajectory {self.kind} of {self.robot}: {self.duration:.4g} s in {len(self)} rows{passed}>"

    def _repr_html_(self) -> str:
        peaks = {
            symbol: np.abs(table).max(axis=0) for symbol, table in (("v", self.v), ("a", self.a), ("tau", self.tau)) if table is not None
        }
        head = "".join(f"<th>max |{symbol}|</th>" for symbol in peaks)
        rows = "".join(
            f"<tr><td>{html.escape(name)}</td><td>{self.q[0, k]:.4g}</td><td>{self.q[-1, k]:.4g}</td>"
            + "".join(f"<td>{table[k]:.4g}</td>" for table in peaks.values())
            + "</tr>"
            for k, name in enumerate(self.names)
        )
        return (
            f"<p>{html.escape(repr(self)[1:-1])}</p><table><tr><th>joint</th><th>from</th><th>to</th>{head}</tr>{rows}</table>"
        )

    def to_pandas(self) -> Any:
        """A table of pandas: t as index, then columns q.NAME, v.NAME, a.NAME and tau.NAME, and px … ez of a platform.

        >>> motion = appell.trajectory.joints(appell.load("two-link"), [0.5, 1.0], time=1.0)
        >>> list(motion.to_pandas().columns)[:2]                    # doctest: +SKIP
        ['q.shoulder', 'q.elbow']
        """
        try:
            import pandas  # type: ignore[import-untyped,unused-ignore]
        except ImportError as error:
            raise ImportError("tables need pandas: pip install pandas; the arrays are t, q, v and a") from error
        columns: dict[str, Numbers] = {}
        if self.pose is not None and self.twist is not None and self.acceleration is not None:
            numbers = _poses.of_matrices(self.pose)
            columns.update(zip(("px", "py", "pz", "qx", "qy", "qz", "qw"), numbers.T))
            columns.update(zip(("vx", "vy", "vz", "wx", "wy", "wz"), self.twist.T))
            columns.update(zip(("ax", "ay", "az", "ex", "ey", "ez"), self.acceleration.T))
        for symbol, table in (("q", self.q), ("v", self.v), ("a", self.a), ("tau", self.tau)):
            if table is not None:
                columns.update((f"{symbol}.{name}", table[:, k]) for k, name in enumerate(self.names))
        return pandas.DataFrame(columns, index=pandas.Index(self.t, name="t"))

    def plot(self) -> Any:
        """A figure of matplotlib: positions, velocities, accelerations and, if there, torques over time."""
        from ._plot import finished, pyplot

        plt = pyplot()
        rows = [("q (rad, m)", self.q), ("v (rad/s, m/s)", self.v), ("a (rad/s², m/s²)", self.a), ("tau (N m, N)", self.tau)]
        shown = [(label, table) for label, table in rows if table is not None]
        figure, axes = plt.subplots(len(shown), 1, sharex=True, figsize=(7.0, 1.9 * len(shown) + 0.6), layout="constrained")
        for ax, (label, table) in zip(axes, shown):
            ax.plot(self.t, table)
            ax.set_ylabel(label)
            ax.grid(alpha=0.3)
        axes[0].legend(self.names, loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False, fontsize=8)
        axes[-1].set_xlabel("t (s)")
        figure.suptitle(f"{self.robot}: {self.kind}")
        return finished(figure)
