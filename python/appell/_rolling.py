"""Rollouts: many robots move for many steps on a device; and the gradients of what that costs."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Mapping, Optional, Sequence

from . import _appell, _poses
from ._errors import NumberError, QuestionError, ShapeError
from ._html import escape
from ._numpy import ArrayLike, Numbers, np

if TYPE_CHECKING:
    from .rollouts import Cost, Law, Prepared

#: What may be stored of every step.
CHANNELS = ("positions", "velocities", "torques")


@dataclass(frozen=True, eq=False, repr=False)
class Rollouts:
    """Where robots come to: made by :meth:`appell.Robot.rollout`. Arrays have a first axis of N robots, unless there was one.

    >>> law = appell.rollouts.open_torques(np.zeros((100, 2)))
    >>> appell.load("two-link").rollout(np.zeros((3, 2)), None, law, steps=100, dt=1e-3, stored="positions", stride=10)
    <appell.Rollouts of two-link arm: 3 robots, 100 steps of 0.001 s, positions of every 10th>
    """

    #: The robot's name, and how it moved.
    robot: str
    steps: int
    dt: float
    stride: int
    #: Positions (of a parallel robot the pose px py pz qx qy qz qw) and velocities (independent ones, `robot.freedoms`) at the end: (N, n).
    q: Numbers
    v: Numbers
    #: The times of rows that were stored, s: (rows,).
    t: Numbers
    #: Positions and velocities at these times, and torques of the law at the beginning of the step before: (N, rows, n), where stored.
    positions: Optional[Numbers]
    velocities: Optional[Numbers]
    torques: Optional[Numbers]
    #: With limits: the steps that every robot made within them, then it stood still: (N,).
    ended: Optional[Any]
    #: What it cost: (N,).
    cost: Optional[Numbers]
    #: Of parallel robots: how far loops are open at the end, m: (N,).
    violation: Optional[Numbers]
    #: The first robot of which a number is not finite.
    astray: Optional[int]

    def __repr__(self) -> str:
        stored = [name for name in CHANNELS if getattr(self, name) is not None]
        every = f", {', '.join(stored)} of every {self.stride}th" if stored else ""
        count = len(self.q) if self.q.ndim == 2 else 1
        robots = "1 robot" if count == 1 else f"{count} robots"
        return f"<appell.Rollouts of {self.robot}: {robots}, {self.steps} steps of {self.dt:g} s{every}>"

    def _repr_html_(self) -> str:
        found = {"q": self.q, "v": self.v, "cost": self.cost, "violation": self.violation, "ended": self.ended}
        return _table(repr(self), "at the end", {name: array for name, array in found.items() if array is not None})


@dataclass(frozen=True, eq=False, repr=False)
class RolloutGradient:
    """What a rollout costs, and the derivatives of that: made by :meth:`appell.Robot.rollout_gradient`.

    >>> law, cost = appell.rollouts.open_torques(np.zeros((20, 2))), appell.rollouts.cost(None, lambda moment: sum(moment.q**2))
    >>> found = appell.load("two-link").rollout_gradient([0.1, 0.2], None, law, 20, 1e-2, cost=cost, by=["start", "torques"])
    >>> found["q0"].shape, found["torques"].shape
    ((2,), (20, 2))
    """

    #: (N,), or a number of one robot.
    cost: Numbers
    #: Derivatives by name, each with a first axis of N robots, also by what they share: "q0" and "v0", "torques", what is varied by its
    #: name, and numbers as "law.kp", "cost.goal".
    by: dict[str, Numbers]
    #: The first robot of which a number is not finite.
    astray: Optional[int]

    def __getitem__(self, name: str) -> Numbers:
        if name not in self.by:
            raise KeyError(f"no derivatives by `{name}`; there are {', '.join(self.by)}")
        return self.by[name]

    def __repr__(self) -> str:
        return f"<appell.RolloutGradient by {', '.join(self.by)}>"

    def _repr_html_(self) -> str:
        return _table(repr(self), "derivatives by", {"cost": self.cost, **self.by})


def _table(title: str, head: str, arrays: Mapping[str, Any]) -> str:
    """Arrays by name: their shapes, and from where to where their numbers are."""
    rows = "".join(
        f"<tr><td>{escape(name)}</td><td>{escape(str(np.shape(array)))}</td>"
        f"<td>{np.min(array, initial=np.inf):.4g}</td><td>{np.max(array, initial=-np.inf):.4g}</td></tr>"
        for name, array in arrays.items()
    )
    return f"<p>{escape(title[1:-1])}</p><table><tr><th>{escape(head)}</th><th>shape</th><th>least</th><th>largest</th></tr>{rows}</table>"


class RolloutMixin:
    """Motions of many robots at once."""

    def rollout(
        self,
        q0: Any,
        v0: Optional[ArrayLike],
        law: Law,
        steps: int,
        dt: float,
        *,
        device: str = "cpu",
        scheme: str = "rk4",
        varied: Optional[Mapping[str, ArrayLike]] = None,
        limits: bool = False,
        stored: Sequence[str] = (),
        stride: int = 1,
        cost: Optional[Cost] = None,
    ) -> Rollouts:
        """Lets N robots move for `steps` steps of `dt` seconds, law and dynamics in one generated function of a device.

        Of any robot whose joints have one coordinate each; of parallel robots whose legs have closed forms by the platform's motion, so that
        loops stay closed. The first call for a law and a number of steps compiles; in float32 if `q0` is. Generated code looks for nothing:
        it does not check whether a pose is the robot's, and follows robots that leave their workspace to NaN, `astray`.

        Parameters
        ----------
        q0, v0
            Where they start: (N, n) or (n,) for all; None is at rest. Of a parallel robot the pose, in any form that questions take, and the
            independent velocities, `robot.freedoms`.
        law
            What drives them: of :mod:`appell.rollouts`.
        device
            "cpu", "cuda" or "cuda:1".
        scheme
            "rk4", in every stage of which the law is asked, or "semi-implicit".
        varied
            What every robot has of its own, (N,) or a number, while laws know the robot as its file describes it: parameters of bodies as "m2" (see
            `keep_symbolic` of :meth:`generate`), "viscous.JOINT", "coulomb.JOINT" (joints with `smoothing`), and "payload.FRAME", a mass there, kg.
        limits
            Whether robots stand still from the step on that would leave the limits of position or velocity of their drives; see `ended`.
        stored, stride
            "positions", "velocities", "torques" of every so many steps.

        Examples
        --------
        A thousand robots that all go to the same place, with masses of their own:

        >>> robot = appell.load("two-link")
        >>> law = appell.rollouts.computed_torque(100.0, 20.0, appell.rollouts.passage(0.0, [1.0, -0.5], time=0.5))
        >>> found = robot.rollout(np.zeros((1000, 2)), None, law, steps=800, dt=1e-3, varied={"m2": np.linspace(9, 11, 1000)})
        >>> bool(np.abs(found.q - [1.0, -0.5]).max() < 0.05)
        True
        """
        stored = [stored] if isinstance(stored, str) else list(stored)
        if len(set(stored)) != len(stored):
            raise QuestionError(f"a channel is stored twice: {', '.join(stored)}")
        stride = _whole("stride", stride)
        rows = _whole("steps", steps) // stride if stored else 0
        if stored and rows == 0:
            raise NumberError(f"stride={stride} of {steps} steps stores nothing; expected {steps} or less")
        rolling = _Rolling(self, q0, v0, law, steps, dt, scheme, varied, cost)
        found, astray = rolling.run(device, limits=bool(limits), stored=stored, stride=stride, by=None)
        sizes = rolling.sizes
        widths = {"positions": sizes["q0"], "velocities": sizes["v0"], "torques": sizes["q"]}
        channels, first = {}, 0
        for name in stored:
            table = rolling.table(found["samples"], rows, sum(widths[name] for name in stored))
            channels[name] = table[..., first : first + widths[name]]
            first += widths[name]
        return Rollouts(
            robot=rolling.robot.name,
            steps=rolling.steps,
            dt=rolling.dt,
            stride=stride,
            q=rolling.rows(found["q"], sizes["q0"]),
            v=rolling.rows(found["v"], sizes["v0"]),
            t=np.arange(1, rows + 1, dtype=np.float64) * (rolling.dt * stride),
            positions=channels.get("positions"),
            velocities=channels.get("velocities"),
            torques=channels.get("torques"),
            ended=rolling.shown(found["ended"].astype(np.int64)) if limits else None,
            cost=rolling.shown(found["cost"]) if cost is not None else None,
            violation=rolling.shown(found["violation"]) if rolling.is_closed else None,
            astray=astray,
        )

    def rollout_gradient(
        self,
        q0: Any,
        v0: Optional[ArrayLike],
        law: Law,
        steps: int,
        dt: float,
        *,
        cost: Cost,
        by: Sequence[str] = ("start",),
        device: str = "cpu",
        scheme: str = "rk4",
        varied: Optional[Mapping[str, ArrayLike]] = None,
    ) -> RolloutGradient:
        """The cost of a rollout and its derivatives, exactly those of the same steps; of robots without loops.

        The other arguments are those of :meth:`rollout`. `by` are "start", "torques" (of a law that is given some), "varied", and "own" and
        "shared", the numbers of law and cost.

        >>> robot = appell.load("two-link")
        >>> reference = appell.rollouts.passage(0.0, [1.0, -0.5], time=0.5)
        >>> cost = appell.rollouts.quadratic(reference, tau=1e-4, q_end=100.0)
        >>> found = robot.rollout_gradient([0, 0], None, appell.rollouts.open_torques(np.zeros((50, 2))), 50, 0.01, cost=cost, by=["torques"])
        >>> found["torques"].shape
        (50, 2)
        """
        by = [by] if isinstance(by, str) else list(by)
        rolling = _Rolling(self, q0, v0, law, steps, dt, scheme, varied, cost)
        found, astray = rolling.run(device, limits=False, stored=[], stride=1, by=by)
        sizes = rolling.sizes
        gradients: dict[str, Numbers] = {}
        if "start" in by:
            gradients.update({name: rolling.rows(found[f"by_{name}"], sizes[name]) for name in ("q0", "v0")})
        if "torques" in by:
            gradients["torques"] = rolling.table(found["by_torques"], rolling.steps, sizes["q"])
        for kind, port in (("varied", "by_p"), ("own", "by_own"), ("shared", "by_shared")):
            if kind in by and port in found:
                gradients.update(rolling.named(kind, found[port]))
        return RolloutGradient(rolling.shown(found["cost"]), gradients, astray)


def _whole(name: str, value: Any) -> int:
    number = operator.index(value)
    if not 1 <= number < 2**63:
        raise NumberError(f"{name}={number}; expected 1 or more" if number < 1 else f"{name}={number} are more than can be counted")
    return number


class _Rolling:
    """What a rollout and its gradient have in common: arguments as columns of numbers, code that is kept, answers as rows."""

    def __init__(
        self,
        robot: Any,
        q0: Any,
        v0: Optional[ArrayLike],
        law: Law,
        steps: int,
        dt: float,
        scheme: str,
        varied: Optional[Mapping[str, ArrayLike]],
        cost: Optional[Cost],
    ) -> None:
        from .rollouts import Cost, Law, Robots

        if not isinstance(law, Law):
            raise TypeError(f"the law is a {type(law).__name__}; expected one of appell.rollouts, which makes laws of functions, too")
        if cost is not None and not isinstance(cost, Cost):
            raise TypeError(f"the cost is a {type(cost).__name__}; expected one of appell.rollouts, which makes costs of functions, too")
        self.robot = robot
        self.steps = _whole("steps", steps)
        if varied is not None and not isinstance(varied, Mapping):
            raise TypeError(f"varied is a {type(varied).__name__}; expected numbers by name, {{'m2': [1.0, 2.0]}}")
        self.dt = float(dt)
        if not 0.0 < self.dt < float("inf"):
            raise NumberError(f"dt={self.dt}; expected a positive time, s")
        self.scheme = scheme
        self.is_closed = robot.kind not in ("serial", "tree")
        robots = Robots()
        start, self.is_single = self._start(q0)
        #: How many numbers there are of drives, poses and independent velocities to a law; of positions and velocities to the steps.
        self.sizes = {"q": robot.nv, "pose": 0, "r": 0, "q0": 7 if self.is_closed else robot.nq, "v0": robot.nv}
        if self.is_closed:
            freedoms = len(robot.freedoms)
            self.sizes.update(pose=7, r=freedoms, v0=freedoms)
        q0 = robots.rows("q0", start, self.sizes["q0"])
        v0 = robots.rows("v0", 0.0 if v0 is None else v0, self.sizes["v0"])
        self.varied = [(name, robots.numbers(name, value)) for name, value in (varied or {}).items()]
        self.law = law._prepare(robots, self.sizes, self.steps)
        self.cost = None if cost is None else cost._prepare(robots, self.sizes)
        self.is_one = robots.count is None
        self.count = 1 if robots.count is None else robots.count
        shared = [array for _, array in self._numbers("shared")]
        columns = {"q0": [q0], "v0": [v0], "p": [array for _, array in self.varied], "own": [array for _, array in self._numbers("own")]}
        #: By port; there is none of nothing.
        self.given = {port: self._columns(arrays) for port, arrays in columns.items() if arrays}
        if shared:
            self.given["shared"] = self._flat(shared)
        torques = self.law.torques
        if torques is not None:
            own = torques.ndim == 3
            self.given["torques"] = self._flat([torques.transpose(1, 2, 0) if own else torques])

    def _start(self, q0: Any) -> tuple[Any, bool]:
        """Where robots start, a pose of those with loops; and whether it is in single precision."""
        if not self.is_closed:
            array = np.asarray(q0)
            return array, array.dtype in (np.float32, np.float16)
        home = self.robot.home_numbers
        if home is None:
            raise QuestionError(f"a rollout is of a platform, and {self.robot.name} has none; name its output: robot.with_output(\"FRAME\")")
        found = _poses.with_precision(q0, home[:3], self.robot.nq, "platform")
        if found is None:
            raise ShapeError("`q0` is no pose; expected a 4 × 4 matrix, (position, quaternion), px py pz qx qy qz qw, or a Rotation")
        return found

    def _numbers(self, kind: str) -> list[tuple[str, Numbers]]:
        """The numbers of law and cost, by name, in the order of the generated code."""
        parts: list[tuple[str, Optional[Prepared]]] = [("law", self.law), ("cost", self.cost)]
        return [(f"{of}.{name}", array) for of, part in parts if part is not None for name, array in getattr(part, kind)]

    def _flat(self, arrays: Sequence[Numbers]) -> Any:
        kind = np.float32 if self.is_single else np.float64
        return np.concatenate([array.ravel() for array in arrays]).astype(kind, copy=False)

    def _columns(self, arrays: Sequence[Numbers]) -> Any:
        """A row for every number, a column for every robot."""
        return self._flat([np.broadcast_to(array, (self.count, array.shape[-1])).T for array in arrays])

    def run(
        self, device: str, *, limits: bool, stored: list[str], stride: int, by: Optional[list[str]]
    ) -> tuple[dict[str, Any], Optional[int]]:
        """What the device gives, by the names of ports, and the first robot that went astray."""
        has_memory = bool(stored) or by is not None or self.law.torques is not None
        asked = (
            self.law.said,
            self.cost.said if self.cost is not None else None,
            [name for name, _ in self.varied],
            self.scheme,
            self.steps if has_memory else 1,  # no other code depends on how many steps there are
            limits,
            stored,
            stride,
            by,
            device,
            self.is_single,
        )
        # Kept with the robot: to compile takes seconds.
        kept: dict[str, Any] = vars(self.robot).setdefault("_rollings", {})
        key = repr(asked)
        if key not in kept:
            kept[key] = _appell._rolling(self.robot, *asked)
        return kept[key].run(self.count, self.given, self.dt, self.steps)  # type: ignore[no-any-return]

    def shown(self, array: Any) -> Any:
        """An array whose first axis is that of robots; of one robot without it."""
        return array[0] if self.is_one else array

    def rows(self, port: Any, width: int) -> Any:
        """Columns of a port as rows of robots."""
        return self.shown(port.reshape(width, self.count).T)

    def table(self, port: Any, rows: int, width: int) -> Any:
        """Columns of a port as rows of robots, of times, and of numbers."""
        return self.shown(port.reshape(rows, width, self.count).transpose(2, 0, 1))

    def named(self, kind: str, port: Any) -> dict[str, Any]:
        """Columns of a port by the names of these numbers."""
        numbers = self.varied if kind == "varied" else self._numbers(kind)
        rows = self.rows(port, sum(array.shape[-1] for _, array in numbers))
        found, first = {}, 0
        for name, array in numbers:
            width = array.shape[-1]
            found[name] = rows[..., first] if kind == "varied" else rows[..., first : first + width]
            first += width
        return found
