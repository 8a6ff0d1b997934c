"""Robots that move: `appell.simulate`, and what it returns."""

from __future__ import annotations

import csv
import inspect
import io
import warnings
from dataclasses import dataclass, field
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Optional, Sequence, Union

from . import _appell, _poses
from ._errors import AppellWarning, NumberError, RecordingError, RobotError
from ._files import columns_of_csv, write_whole
from ._html import escape
from ._numpy import ArrayLike, Numbers, np
from ._progress import Progress
from ._robot import Robot, load

if TYPE_CHECKING:
    import pandas

Law = Callable[..., ArrayLike]


@dataclass(repr=False)
class Run:
    """The record of a motion: a row per instant. `stop` says why it ended before its time, if it did.

    >>> run = appell.simulate(appell.load("two-link"), duration=0.1)
    >>> run
    <appell.Run of two-link arm: 11 rows, 0 … 0.1 s>
    >>> run.q.shape
    (11, 2)
    """

    #: The robot that moved.
    robot: Robot
    #: Times, s: (N,).
    t: Numbers
    #: Positions of the joints, or of the drives of a robot with loops: (N, nq), rad or m.
    q: Numbers
    #: Their velocities: (N, nv).
    v: Numbers
    #: Torques and forces that acted: (N, nv).
    tau: Numbers
    #: J: (N,).
    kinetic: Numbers
    #: J: (N,).
    potential: Numbers
    #: Poses of the platform: (N, 4, 4); None where there is none.
    pose: Optional[Numbers] = None
    #: Its twists, linear first, in base axes: (N, 6).
    twist: Optional[Numbers] = None
    #: Positions of all joints of a robot with loops: (N, joints).
    joints: Optional[Numbers] = None
    #: Positions of the reference of a scenario: (N, nv).
    wanted: Optional[Numbers] = None
    #: Torques and forces that the computer of a scenario wanted: (N, nv).
    commanded: Optional[Numbers] = None
    #: Why it ended before its time; None if it did not.
    stop: Optional[str] = None
    #: Steps of the integration.
    steps: int = 0
    #: What a scenario reports beside: largest and rms tracking errors, a trip.
    summary: dict[str, Any] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.t)

    @property
    def energy(self) -> Numbers:
        """Kinetic and potential energy together, J: (N,)."""
        return self.kinetic + self.potential

    def __repr__(self) -> str:
        end = f"; stopped: {self.stop}" if self.stop else ""
        return f"<appell.Run of {self.robot.name}: {len(self)} rows, {self.t[0]:g} … {self.t[-1]:g} s{end}>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{escape(name)}</td><td>{low:.4g}</td><td>{high:.4g}</td><td>{most:.4g}</td></tr>"
            for name, low, high, most in zip(
                self.robot.positions, self.q.min(axis=0), self.q.max(axis=0), np.abs(self.tau).max(axis=0)
            )
        )
        head = "<tr><th>joint</th><th>least q</th><th>largest q</th><th>largest |τ|</th></tr>"
        return f"<b>{escape(self.robot.name)}</b>, {len(self)} rows to {self.t[-1]:g} s<table>{head}{rows}</table>"

    def _columns(self) -> dict[str, Numbers]:
        robot = self.robot
        columns = {"t": self.t}
        for symbol, names, values in (
            ("q", robot.positions, self.q),
            ("v", robot.drives, self.v),
            ("tau", robot.drives, self.tau),
            ("wanted", robot.drives, self.wanted),
        ):
            if values is not None:
                columns |= {f"{symbol}.{name}": values[:, k] for k, name in enumerate(names)}
        columns |= {"kinetic": self.kinetic, "potential": self.potential}
        if self.pose is not None:
            numbers = _poses.of_matrices(self.pose)
            columns |= {name: numbers[:, k] for k, name in enumerate("px py pz qx qy qz qw".split())}
        if self.twist is not None:
            columns |= {name: self.twist[:, k] for k, name in enumerate("vx vy vz wx wy wz".split())}
        return columns

    def to_pandas(self) -> pandas.DataFrame:
        """The record as a table of pandas, columns by the names of joints.

        >>> appell.simulate(appell.load("two-link"), duration=0.1).to_pandas().columns[0]                # doctest: +SKIP
        't'
        """
        import pandas

        return pandas.DataFrame(self._columns())

    def to_csv(self, path: Union[str, PathLike[str]]) -> Path:
        """Writes the record as CSV, as `appell simulate` does; it can be identified from.

        >>> path = appell.simulate(appell.load("two-link"), duration=0.1).to_csv("run.csv")               # doctest: +SKIP
        """
        columns = self._columns()
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(zip(*(map(repr, map(float, column)) for column in columns.values())))
        return write_whole(path, text.getvalue())

    def plot(self) -> Any:
        """Positions, velocities, torques and energy over time, as a figure of matplotlib.

        >>> figure = appell.simulate(appell.load("two-link"), duration=0.1).plot()                        # doctest: +SKIP
        """
        from ._plot import finished, pyplot

        figure = pyplot().figure(figsize=(8, 9), layout="constrained")
        axes = figure.subplots(4, 1, sharex=True)
        for axis, values, label in zip(axes, (self.q, self.v, self.tau), ("q, rad or m", "v", "τ, N m or N")):
            axis.plot(self.t, values)
            axis.set_ylabel(label)
        axes[0].legend(self.robot.positions, fontsize="small", ncols=3)
        axes[3].plot(self.t, self.kinetic, label="kinetic")
        axes[3].plot(self.t, self.potential, label="potential")
        axes[3].plot(self.t, self.energy, "k--", label="both")
        axes[3].set_ylabel("energy, J")
        axes[3].set_xlabel("t, s")
        axes[3].legend(fontsize="small")
        figure.suptitle(self.robot.name)
        return finished(figure)

    def to_rerun(self, path: Union[str, PathLike[str]]) -> Path:
        """Writes the motion as a recording of Rerun, `.rrd`; needs the package rerun-sdk.

        >>> path = appell.simulate(appell.load("two-link"), duration=0.1).to_rerun("run.rrd")             # doctest: +SKIP
        """
        from ._viewers import to_rerun

        return to_rerun(self, path)

    def to_mcap(self, path: Union[str, PathLike[str]]) -> Path:
        """Writes the motion as MCAP, which Foxglove and PlotJuggler open, with the topics of `appell simulate`; needs the package mcap.

        >>> path = appell.simulate(appell.load("two-link"), duration=0.1).to_mcap("run.mcap")             # doctest: +SKIP
        """
        from ._viewers import to_mcap

        return to_mcap(self, path)

    def animate(self, *, frames: int = 100) -> Any:
        """The motion as an animation of matplotlib, links and joints as in :meth:`appell.Robot.plot`, which a notebook shows
        (`HTML(run.animate().to_jshtml())`).

        >>> animation = appell.simulate(appell.load("two-link"), duration=0.1).animate(frames=10)         # doctest: +SKIP
        """
        from ._plot import animation

        if frames < 1:
            raise NumberError(f"frames={frames}; expected 1 at least")
        shown = np.linspace(0, len(self) - 1, min(frames, len(self))).astype(int)
        poses = None if self.pose is None else _poses.of_matrices(self.pose[shown])
        found = [self.robot._skeleton(*([q, None] if poses is None else [None, poses[k].tolist()])) for k, q in enumerate(self.q[shown].tolist())]
        return animation(self.robot.name, found, self.t[shown])


def _record(robot: Robot, columns: dict[str, Numbers], **more: Any) -> Run:
    count = len(columns["t"])

    def table(name: str, width: int) -> Optional[Numbers]:
        numbers = columns[name]
        return numbers.reshape(count, width) if len(numbers) == count * width and count and width else None

    energy = columns["energy"].reshape(count, 2)
    pose = table("pose", 7)
    return Run(
        robot=robot,
        t=columns["t"],
        q=columns["q"].reshape(count, robot.nq),
        v=columns["v"].reshape(count, robot.nv),
        tau=columns["tau"].reshape(count, -1),
        kinetic=energy[:, 0],
        potential=energy[:, 1],
        pose=None if pose is None else _poses.matrices(pose),
        twist=table("twist", 6),
        joints=table("joints", len(robot.joints)) if len(columns["joints"]) else None,
        wanted=table("wanted", robot.nv),
        commanded=table("commanded", robot.nv),
        **more,
    )


def _takes_platform(law: Law) -> bool:
    try:
        parameters = inspect.signature(law).parameters.values()
    except (TypeError, ValueError):
        return False
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return sum(p.kind in kinds and p.default is inspect.Parameter.empty for p in parameters) >= 5


def simulate(
    robot: Union[Robot, str, PathLike[str]],
    law: Optional[Law] = None,
    *,
    duration: Optional[float] = None,
    start: Any = None,
    velocity: Optional[ArrayLike] = None,
    of: Optional[str] = None,
    record: float = 0.01,
    period: Optional[float] = None,
    method: str = "dormand-prince",
    tolerance: float = 1e-9,
    step: Optional[float] = None,
    stop_at: Sequence[str] = (),
    most_steps: int = 10_000_000,
    progress: bool = False,
) -> Run:
    """Moves a robot: `law(t, q, v)` gives its torques and forces; without one it falls.

    `robot` may also be a scenario's file (`trial.toml`, as `appell simulate` takes it), which says all the rest.

    Parameters
    ----------
    law
        Of an open robot `law(t, q, v)`, with positions (nq,) and velocities (nv,) of its joints; of one with loops with those of
        its drives. A law of five arguments, `law(t, q, v, pose, twist)`, gets the motion of the platform, too. It returns (nv,).
    duration
        s.
    start, velocity
        Where it begins: positions and velocities of the joints (or drives), or pose and twist of the platform; at home, at rest.
    record
        Time between the rows of the record, s.
    period
        If given, the law is asked once a period (s), and its torques are held in between, as by a computer.
    method
        "dormand-prince" by `tolerance`, or "runge-kutta" and "midpoint" by `step` (s).
    stop_at
        Limits of the joints that end the motion: "position", "velocity", "effort".

    Examples
    --------
    >>> robot = appell.load("two-link")
    >>> run = appell.simulate(robot, duration=1.0, start=[0.3, 0.2])
    >>> bool(np.ptp(run.energy) < 1e-6)
    True
    >>> hold = appell.simulate(robot, lambda t, q, v: robot.gravity(q) - 5 * v, duration=0.5, start=[0.3, 0.2])
    >>> bool(np.allclose(hold.q[-1], [0.3, 0.2]))
    True
    """
    if not isinstance(robot, Robot):
        said = (law, duration, start, velocity, of, period, step) != (None,) * 7 or record != 0.01 or tolerance != 1e-9
        if said or method != "dormand-prince" or stop_at or most_steps != 10_000_000:
            raise TypeError("a scenario says law, duration, start and all else itself; to simulate a robot, load it first")
        return _play(Path(fspath(robot)))
    if duration is None:
        raise TypeError("simulate needs a duration, s")
    if law is not None and not callable(law):
        raise TypeError(f"the law is a {type(law).__name__}; expected a function of t, q and v")
    if isinstance(stop_at, str):
        stop_at = (stop_at,)
    begin = robot.home_positions if start is None else start
    with Progress("s", shown=progress) as bar:
        columns, stop, t, steps = _appell.simulate(
            robot,
            law,
            law is not None and _takes_platform(law),
            begin,
            velocity,
            of,
            float(duration),
            float(record),
            method,
            float(tolerance),
            step,
            period,
            list(stop_at),
            int(most_steps),
            bar.pulse,
        )
    if stop is not None and not stop_at:
        warnings.warn(f"the run stopped before its time {stop}", AppellWarning, stacklevel=2)
    return _record(robot, columns, stop=stop, steps=steps)


def _play(path: Path) -> Run:
    text = path.read_text(encoding="utf-8")
    try:
        name, output, points, are_poses = _appell.scenario_needs(text)
    except RobotError as error:
        raise RobotError(f"{path}: {error}") from None
    from ._robot import builtin

    robot = load(name if name in builtin() else path.parent / name, output=output)
    rows = None if points is None else _points(path.parent / points, robot, are_poses)
    columns, summary = _appell.play(text, robot, rows)
    for line in summary.pop("warnings"):
        warnings.warn(f"{path}: {line}", AppellWarning, stacklevel=3)
    stop, steps = summary.pop("stop"), summary.pop("steps")
    if stop is not None:
        warnings.warn(f"{path}: the run stopped before its time {stop}", AppellWarning, stacklevel=3)
    return _record(robot, columns, stop=stop, steps=steps, summary=summary)


def _points(path: Path, robot: Robot, are_poses: bool) -> tuple[list[float], list[list[float]]]:
    columns = dict(columns_of_csv(path, path.read_bytes()))
    if are_poses:
        names = [name for name in "px py pz qx qy qz qw".split() if name in columns]
    else:
        numbered = [f"q{k + 1}" for k in range(robot.nv)]
        named = [f"q.{name}" for name in robot.drives]
        names = named if named[0] in columns else numbered
    missing = [name for name in ["t", *names] if name not in columns]
    if missing:
        raise RecordingError(f"{path} has no column {', '.join(missing)}")
    return columns["t"], [list(row) for row in zip(*(columns[name] for name in names))]
