"""Robots with closed loops: all their assemblies, and how near they are to singularities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Iterator, Mapping, Optional, Sequence, Union, overload

from . import _poses
from ._errors import NumberError, QuestionError, ShapeError
from ._html import escape
from ._kinematics import _goals
from ._numpy import ArrayLike, Flags, Numbers, np
from ._progress import Progress


#: Coordinates of a pose by the velocities that change them.
COORDINATES = {"vx": "x", "vy": "y", "vz": "z", "wx": "roll", "wy": "pitch", "wz": "yaw"}


@dataclass(frozen=True, eq=False)
class Assembly:
    """One way in which a robot with closed loops is put together.

    >>> delta = appell.load("delta")
    >>> one = delta.assemble(delta.home_positions)[0]
    >>> one.pose.shape, one.in_mode
    ((4, 4), True)
    """

    #: Pose of the platform in the base, (4, 4); None of a robot without one.
    pose: Optional[Numbers]
    #: Positions of all joints, rad or m, angles in (−π, π], in the order of ``robot.joints``.
    q: Numbers
    #: Positions of the drives, rad or m.
    drives: Numbers
    #: Joints with a working mode, and on which side of zero they are: "+", "-" or "0".
    modes: Mapping[str, str]
    #: Whether these are the working modes of the robot's file.
    in_mode: bool
    #: The sign of det J_inv, "+" or "-": assemblies with different signs have a singularity of Type 2 between them. None where it
    #: is zero, infinite, or not square.
    side: Optional[str]
    #: Distances to singularities of Type 1 and Type 2: inverse conditions from 1, the best, to 0, singular.
    type1: float
    type2: float
    #: How far it is from home, or from `near`: m over the characteristic length, plus rad.
    distance: float
    #: "single"; "double" where two are one, at Type 2; "continuum" where the robot moves while its drives stand.
    multiplicity: str


class LegMode:
    """All ways in which a leg reaches a pose."""

    def __init__(self, name: str, joints: list[str], in_closed_form: bool, solutions: list[Any]) -> None:
        self.name = name
        self.joints = joints
        self.in_closed_form = in_closed_form
        #: Positions of its joints, (k, joints); distances to Type 1, (k,); whether two are one; whether it is the file's mode.
        self.q: Numbers = np.array([row[0] for row in solutions], dtype=np.float64).reshape(len(solutions), len(joints))
        self.type1: Numbers = np.array([row[1] for row in solutions], dtype=np.float64)
        self.is_double = [bool(row[2]) for row in solutions]
        self.in_mode = [bool(row[3]) for row in solutions]

    def __len__(self) -> int:
        return len(self.type1)

    def __repr__(self) -> str:
        how = "in closed form" if self.in_closed_form else "by random starts"
        return f"<leg {self.name}: {len(self)} solutions, {how}>"


class Assemblies:
    """Assemblies of a robot, the nearest first; a list that knows how complete it is.

    >>> found = appell.load("five-bar").assemble([2.1, 1.1], all=True)
    >>> len(found), found.proved
    (2, True)
    >>> found.count
    'two legs that keep distances in a plane from a platform that does not turn: 2 complex solutions; 2 real: these are all'
    """

    def __init__(self, robot: str, found: Mapping[str, Any]) -> None:
        self.robot = robot
        #: How many there are, and how that is known, in a sentence.
        self.count: str = found["count"]
        #: Whether it is proved that there are no others.
        self.proved: bool = found["proved"]
        #: How many there are in all; more than are listed where `most` was less.
        self.total: int = found["total"]
        #: Names of the joints, in the order of an assembly's `q`.
        self.joints: list[str] = found["joints"]
        #: Of a pose: the working modes of each leg.
        self.legs: Optional[list[LegMode]] = None if found["legs"] is None else [LegMode(*leg) for leg in found["legs"]]
        self._all = [_assembly(one) for one in found["assemblies"]]

    def __len__(self) -> int:
        return len(self._all)

    @overload
    def __getitem__(self, index: int) -> Assembly: ...
    @overload
    def __getitem__(self, index: slice) -> list[Assembly]: ...
    def __getitem__(self, index: Union[int, slice]) -> Union[Assembly, list[Assembly]]:
        return self._all[index]

    def __iter__(self) -> Iterator[Assembly]:
        return iter(self._all)

    @property
    def poses(self) -> Numbers:
        """Poses of the platform, (k, 4, 4)."""
        return np.array([one.pose for one in self._all], dtype=np.float64).reshape(-1, 4, 4)

    @property
    def q(self) -> Numbers:
        """Positions of all joints, (k, joints)."""
        return np.array([one.q for one in self._all], dtype=np.float64).reshape(-1, len(self.joints))

    @property
    def drives(self) -> Numbers:
        """Positions of the drives, (k, drives)."""
        return np.array([one.drives for one in self._all], dtype=np.float64).reshape(len(self._all), -1 if self._all else 0)

    @property
    def type2(self) -> Numbers:
        """Distances to Type 2, (k,)."""
        return np.array([one.type2 for one in self._all], dtype=np.float64)

    def _table(self, most: int) -> tuple[list[str], list[list[str]]]:
        has_pose = bool(self._all) and self._all[0].pose is not None
        head = ["", *(("px", "py", "pz", "roll", "pitch", "yaw") if has_pose else self.joints)]
        head += ["modes", "file's mode", "det J_inv", "Type 1", "Type 2", "distance", ""]
        rows = []
        for k, one in enumerate(self._all[:most]):
            place = _six(one.pose) if one.pose is not None else one.q
            note = {"single": "", "double": "double: Type 2", "continuum": "one of a continuum"}[one.multiplicity]
            rows.append(
                [str(k), *(_short(x) for x in place), "".join(one.modes.values()), "yes" if one.in_mode else "no"]
                + [one.side or "-/+", _short(one.type1), _short(one.type2), _short(one.distance), note]
            )
        return head, rows

    def __repr__(self) -> str:
        head, rows = self._table(20)
        widths = [max(len(row[k]) for row in [head, *rows]) for k in range(len(head))]
        lines = ["  ".join(cell.rjust(width) for cell, width in zip(row, widths)).rstrip() for row in [head, *rows]]
        more = [f"… {len(self) - 20} more"] if len(self) > 20 else []
        title = f"{self.robot}: {len(self)} assembl{'y' if len(self) == 1 else 'ies'}; rad, m\n{self.count}"
        return "\n".join([title, *(lines if rows else []), *more])

    def _repr_html_(self) -> str:
        head, rows = self._table(100)
        cells = "".join(f"<th>{escape(name)}</th>" for name in head)
        body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
        return (
            f"<b>{escape(self.robot)}</b>: {len(self)} assemblies; rad, m<br>{escape(self.count)}"
            f"<table><tr>{cells}</tr>{body}</table>"
        )


def _assembly(one: Mapping[str, Any]) -> Assembly:
    pose = None if one["pose"] is None else _poses.matrices(one["pose"])
    return Assembly(**{**one, "pose": pose})


@dataclass(frozen=True, eq=False)
class UncontrolledMotion:
    """A motion that the drives hardly control; at Type 2, one that they cannot hold."""

    #: Norm of the drives' rates over that of all velocities, without units: 0 is not controlled at all.
    controlled: float
    #: Twist of the platform, m/s and rad/s, of norm 1 without units; None of a robot without a platform.
    twist: Optional[Numbers]
    #: Rates of all joints, rad/s or m/s.
    joints: Numbers
    #: The same in words: the platform's screw, or the joints that move.
    words: str


@dataclass(frozen=True, eq=False, repr=False)
class Singularities:
    """How near a robot with closed loops is to its singularities: inverse condition numbers, 1 is best and 0 singular.

    >>> delta = appell.load("delta")
    >>> delta.singularities(delta.home).type2 > 0.1
    True
    """

    robot: str
    #: Type 1, the nearest leg: it is stretched or folded, and the robot moves while the platform rests.
    type1: float
    #: Type 2: the drives do not hold the platform.
    type2: float
    #: The closing joints repeat each other, and the robot gains a degree of freedom.
    constraints: float
    #: Type 1 by leg.
    legs: Mapping[str, float]
    #: Degrees of freedom here; more than at home at a constraint singularity.
    freedoms: int
    freedoms_at_home: int
    #: Of J_inv without units, and in m and rad; 0 where it is infinite, at Type 1.
    inverse_condition: float
    raw_inverse_condition: float
    #: Of J_inv in m and rad, where it is square and finite; it changes its sign across Type 2.
    determinant: Optional[float]
    #: The way that weighs as much as a turn by 1 rad, m.
    length: float
    #: Pose of the platform, (4, 4), or None; positions of all joints.
    pose: Optional[Numbers]
    q: Numbers
    #: The motion that the drives control least.
    least_controlled: UncontrolledMotion
    #: All motions that they do not control: none but at Type 2, and where there are fewer drives than degrees of freedom.
    uncontrolled: tuple[UncontrolledMotion, ...]

    def kinds(self, threshold: float = 1e-3) -> list[str]:
        """Which singularities this is: those whose measure is below `threshold`.

        >>> appell.load("delta").singularities().kinds()
        []
        """
        all = {"type1": self.type1, "type2": self.type2, "constraints": self.constraints}
        return [name for name, value in all.items() if value < threshold]

    def is_singular(self, threshold: float = 1e-3) -> bool:
        """Whether any measure is below `threshold`.

        >>> appell.load("delta").singularities().is_singular()
        False
        """
        return bool(self.kinds(threshold))

    def _rows(self) -> list[tuple[str, str, str]]:
        nearest = min(self.legs, key=lambda leg: self.legs[leg]) if self.legs else "platform"
        there = "as at home" if self.freedoms == self.freedoms_at_home else f"{self.freedoms_at_home} at home"
        determinant = "not known" if self.determinant is None else f"{self.determinant:.6g} in m and rad"
        return [
            ("Type 1", _short(self.type1), f"leg {nearest}" if self.legs else nearest),
            ("Type 2", _short(self.type2), "the drives' wrenches"),
            ("constraints", _short(self.constraints), f"{self.freedoms} degrees of freedom, {there}"),
            ("inverse Jacobian", _short(self.inverse_condition), f"determinant {determinant}"),
            ("least controlled", _short(self.least_controlled.controlled), self.least_controlled.words),
        ]

    def __repr__(self) -> str:
        lines = [f"{name:17} {value:>10}  {of}" for name, value, of in self._rows()]
        kinds = self.kinds()
        end = [f"singular: {', '.join(kinds)}"] if kinds else []
        return "\n".join([f"{self.robot}: inverse condition numbers, 1 is best and 0 singular", *lines, *end])

    def _repr_html_(self) -> str:
        cells = "".join(
            f"<tr><td>{escape(name)}</td><td>{value}</td><td>{escape(of)}</td></tr>" for name, value, of in self._rows()
        )
        return f"<b>{escape(self.robot)}</b>: inverse condition numbers, 1 is best and 0 singular<table>{cells}</table>"


@dataclass(frozen=True, eq=False, repr=False)
class SingularityMap:
    """What a robot reaches over two coordinates of its platform, and how near to singularities it is there.

    Arrays have a row per value of the second coordinate, a column per value of the first.

    >>> map = appell.load("five-bar").singularity_map(grid=9)
    >>> map.type2.shape
    (9, 9)
    """

    robot: str
    #: Names of the two coordinates: along a row, and from row to row.
    over: tuple[str, str]
    #: Their values, m or rad, (columns,) and (rows,).
    x: Numbers
    y: Numbers
    #: Distances to Type 1 and Type 2, (rows, columns); NaN where the robot cannot be.
    type1: Numbers
    type2: Numbers
    #: Where the legs reach, whatever the joints' limits; and where within these.
    reachable: Flags
    within_limits: Flags
    #: The pose that gives the other coordinates, (4, 4).
    pose: Numbers

    def __repr__(self) -> str:
        columns, rows = self.over
        inside = int(self.within_limits.sum())
        return (
            f"<appell.SingularityMap {self.robot}: {columns} from {self.x[0]:.4g} to {self.x[-1]:.4g}, "
            f"{rows} from {self.y[0]:.4g} to {self.y[-1]:.4g}; {inside} of {self.type2.size} cells reachable>"
        )

    def _repr_html_(self) -> str:
        rows = ""
        if self.within_limits.any():
            for kind, name in (("type1", "Type 1"), ("type2", "Type 2")):
                least, (x, y) = self.nearest(kind)
                rows += f"<tr><td>closest to {name}</td><td>{_short(least)}</td>"
                rows += f"<td>{self.over[0]} = {_short(x)}, {self.over[1]} = {_short(y)}</td></tr>"
        return f"<p>{escape(repr(self)[1:-1])}; m, rad</p><table>{rows}</table>"

    def nearest(self, kind: str = "type2") -> tuple[float, tuple[float, float]]:
        """The least distance to a kind of singularity on the map, and the two coordinates of its cell.

        >>> distance, (x, y) = appell.load("five-bar").singularity_map(grid=9).nearest("type2")
        >>> distance >= 0
        True
        """
        field: Numbers = {"type1": self.type1, "type2": self.type2}[kind]
        if not self.within_limits.any():
            raise ValueError("nothing on the map is reachable")
        row, column = np.unravel_index(np.nanargmin(field), field.shape)
        return float(field[row, column]), (float(self.x[column]), float(self.y[row]))

    def plot(self, kinds: Sequence[str] = ("type1", "type2")) -> Any:
        """A figure of matplotlib: a field per kind, grey where out of reach, hatched beyond joints' limits.

        >>> figure = appell.load("five-bar").singularity_map().plot()      # doctest: +SKIP
        """
        from ._plot import singularity_map

        return singularity_map(self, [kinds] if isinstance(kinds, str) else list(kinds))


@dataclass(frozen=True, eq=False, repr=False)
class Reach:
    """What a robot can do at poses, a row each; see :meth:`appell.Robot.reach`.

    >>> delta = appell.load("delta")
    >>> here = delta.reach(delta.home)
    >>> here.reachable.tolist(), here.same_side.tolist(), bool(here.type2[0] > 0.1)
    ([True], [True], True)
    """

    #: Where the legs reach, whatever the joints' limits; and where within these.
    reachable: Flags
    within_limits: Flags
    #: Distances to Type 1 and Type 2, inverse conditions; NaN where the robot cannot be.
    type1: Numbers
    type2: Numbers
    #: Where det J_inv has the sign that it has at home: to other poses every way passes a singularity. False out of reach; the same
    #: as `reachable` where there are not as many drives as degrees of freedom, and no determinant.
    same_side: Flags
    #: The poses with what gave way, (N, 4, 4); NaN out of reach.
    pose: Numbers

    def __repr__(self) -> str:
        counts = {"reachable": self.reachable, "within limits": self.within_limits, "on the side of home": self.same_side}
        return f"<appell.Reach of {len(self.reachable)} poses: {', '.join(f'{int(flags.sum())} {name}' for name, flags in counts.items())}>"


class ParallelMixin:
    """What robots with closed loops are asked."""

    def assemble(
        self,
        drives: Optional[ArrayLike] = None,
        *,
        pose: Any = None,
        all: bool = False,
        near: Any = None,
        starts: int = 500,
        seed: int = 1,
        most: int = 10_000,
        progress: bool = False,
    ) -> Assemblies:
        """Puts a robot with closed loops together: with its drives so, or with its platform at a pose.

        With `drives` (rad, m) it is the assembly that the drives come to from home, or the one nearest to the pose `near`; with
        ``all=True`` all of them, those in other working modes included, the nearest first. Where their number is known (platforms on
        six legs, planar and spherical ones on three, Delta robots, five-bar linkages) none is missed, and ``.count`` says so; others are
        searched for from `starts` random starts.

        With `pose` (any form: 4 × 4, (position, quaternion), …) it is the one in the working modes of the robot's file; with
        ``all=True`` every combination of the legs' working modes, the first `most` of them; ``progress=True`` shows how many are done.

        >>> delta = appell.load("delta")
        >>> home = delta.assemble(pose=delta.home)[0]
        >>> len(delta.assemble(home.drives, all=True))
        2
        >>> len(delta.assemble(pose=delta.home, all=True))
        64
        """
        robot: Any = self
        if (drives is None) == (pose is None):
            raise TypeError("assemble needs positions of the drives, or pose=…, and not both")
        if starts < 1:
            raise NumberError(f"`starts` is {starts}; expected a positive number")
        if pose is not None:
            if near is not None:
                raise TypeError("near=… is for drives: a pose is where it is")
            numbers = _pose(robot, pose, "pose")
            with Progress("working modes", shown=progress) as bar:
                return Assemblies(robot.name, robot._assemble_pose(numbers, all, starts, seed, most, bar.pulse))
        vector = np.asarray(drives, dtype=np.float64)
        if vector.ndim != 1:
            raise ShapeError(f"`drives` has shape {vector.shape}; expected ({robot.nq},)")
        where = None if near is None else _pose(robot, near, "near")
        return Assemblies(robot.name, robot._assemble_drives(list(vector), all, where, starts, seed))

    def singularities(self, pose: Any = None, *, q: Optional[ArrayLike] = None, length: Optional[float] = None) -> Singularities:
        """How near a robot with closed loops is to its singularities at a pose, with its drives at `q`, or at home.

        A turn by 1 rad counts as `length` m, the robot's characteristic length if not given. For many states ask
        ``robot.singularity(poses)``, which has the numbers alone, on all cores.

        >>> here = appell.load("gough-stewart").singularities()
        >>> here.is_singular(), len(here.uncontrolled)
        (False, 0)
        """
        robot: Any = self
        if pose is not None and q is not None:
            raise TypeError("singularities at a pose, or with the drives at q, and not both")
        numbers = None if pose is None else _pose(robot, pose, "pose")
        drives = None if q is None else [float(x) for x in np.asarray(q, dtype=np.float64).ravel()]
        found = robot._singularities(numbers, drives, _length(length))
        found["pose"] = None if found["pose"] is None else _poses.matrices(found["pose"])
        found["least_controlled"] = UncontrolledMotion(**found["least_controlled"])
        found["uncontrolled"] = tuple(UncontrolledMotion(**one) for one in found["uncontrolled"])
        return Singularities(robot=robot.name, **found)

    def reach(self, poses: Any, *, threads: Optional[int] = None) -> Reach:
        """What a robot with closed loops can do at poses of its platform, each for itself, on all cores.

        Of a platform with fewer than six degrees of freedom the coordinates that are none give way, as tilts of a 3-RPS do.

        >>> delta = appell.load("delta")
        >>> delta.reach(delta.home[:3, 3] + [[0, 0, 0], [0, 0, -9]]).reachable.tolist()
        [True, False]
        """
        robot: Any = self
        home = robot.home_numbers
        if home is None:
            _pose(robot, None, "poses")  # says why there are none
        numbers = np.ascontiguousarray(np.atleast_2d(_goals(robot, poses, True)))
        if not np.isfinite(numbers).all():
            raise NumberError("a pose is NaN or infinite")
        reference = [float(x) for x in home]
        kept = [COORDINATES[name] for name in robot.freedoms if name in COORDINATES]
        found = robot._reach(numbers, kept, reference, threads)
        at_home = np.sign(robot._reach(home[None, :], [], reference, 1)[0, 3])
        reachable = found[:, 0] > 0
        pose = np.full((len(found), 4, 4), np.nan)
        pose[reachable] = _poses.matrices(found[reachable, 4:])
        return Reach(
            reachable=reachable,
            within_limits=found[:, 0] == 2,
            type1=found[:, 1],
            type2=found[:, 2],
            same_side=reachable if np.isnan(at_home) else np.sign(found[:, 3]) == at_home,
            pose=pose,
        )

    def singularity_map(
        self,
        over: Optional[Sequence[str]] = None,
        *,
        ranges: Optional[Mapping[str, Sequence[float]]] = None,
        grid: Union[int, Sequence[int]] = 80,
        pose: Any = None,
        progress: bool = False,
    ) -> SingularityMap:
        """A map of the workspace in two coordinates of the platform: what is reachable, and how near to singularities.

        Coordinates are x, y, z of the platform's origin (m) and the turns roll, pitch, yaw (rad) from its attitude at `pose`, home if
        not given, which gives the others, too. `ranges` are from where to where, ``{"x": (-0.3, 0.3)}``; what the robot reaches if not
        given. `grid` is how many cells along each, or (columns, rows). ``progress=True`` shows how many are done.

        >>> map = appell.load("five-bar").singularity_map(("x", "y"), grid=20)
        >>> map.type2.shape, bool(map.reachable.any())
        ((20, 20), True)
        """
        robot: Any = self
        if robot.kind in ("serial", "tree"):
            raise QuestionError(f"singularity_map: {robot.name} has no closed loops; robot.singularity(q) answers for open ones")
        known: dict[str, tuple[float, float]] = {}
        for name, ends in (ranges or {}).items():
            low, high = (float(end) for end in ends)
            if not (np.isfinite([low, high]).all() and low < high):
                raise NumberError(f"ranges: `{name}` from {low} to {high} is not a range; give the lower end first")
            known[name] = (low, high)
        cells = (int(grid), int(grid)) if isinstance(grid, (int, np.integer)) else tuple(int(n) for n in grid)
        if len(cells) != 2 or min(cells) < 2:
            raise NumberError(f"grid={grid}: expected two cells at least along each coordinate")
        numbers = _pose(robot, robot.home if pose is None else pose, "pose")
        with Progress("cells", shown=progress) as bar:
            axes, (type1, type2, reach) = robot._singularity_map(list(over or ()), known, cells, numbers, bar.pulse)
        (column, left, right), (row, low, high) = axes
        return SingularityMap(
            robot=robot.name,
            over=(column, row),
            x=np.linspace(left, right, cells[0]),
            y=np.linspace(low, high, cells[1]),
            type1=type1,
            type2=type2,
            reachable=reach > 0,
            within_limits=reach == 2,
            pose=_poses.matrices(np.asarray(numbers)),
        )


def _pose(robot: Any, pose: Any, name: str) -> list[float]:
    """px py pz qx qy qz qw of one pose; of a position alone with the attitude at home."""
    home = robot.home_numbers
    if home is None:
        if robot.kind in ("serial", "tree"):
            raise QuestionError(f"{name}: {robot.name} has no closed loops, and no platform; give positions of its joints")
        raise QuestionError(f'{name}: {robot.name} has no platform; give positions of its drives, or robot.with_output("FRAME")')
    if not isinstance(pose, tuple) and not hasattr(pose, "as_quat") and np.shape(pose) == (3,):
        pose = (pose, home[3:])
    numbers = _poses.numbers(pose, home[:3], 0, "platform")
    if numbers is None or numbers.shape != (7,):
        shape = np.shape(pose) if numbers is None else numbers.shape
        raise ShapeError(f"`{name}` has shape {shape}; expected one pose: 4 × 4, (position, quaternion), or px py pz qx qy qz qw")
    if not np.isfinite(numbers).all():
        raise NumberError(f"`{name}` is not finite: {numbers}")
    return [float(x) for x in numbers]


def _length(length: Optional[float]) -> Optional[float]:
    """A length that a robot can have, or none."""
    if length is not None and not 1e-6 <= length <= 1e6:
        raise NumberError(f"`length` is {length}; expected a length from 1e-6 to 1e6 m")
    return length


def _six(pose: Numbers) -> Numbers:
    """Position, roll, pitch and yaw."""
    r = pose[:3, :3]
    pitch = np.arctan2(-r[2, 0], np.hypot(r[0, 0], r[1, 0]))
    return np.array([*pose[:3, 3], np.arctan2(r[2, 1], r[2, 2]), pitch, np.arctan2(r[1, 0], r[0, 0])])


def _short(x: float) -> str:
    return "0" if abs(x) < 1e-9 else f"{x:.4g}"
