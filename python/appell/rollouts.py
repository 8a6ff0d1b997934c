"""What drives robots in rollouts, what they follow, and what it costs: for :meth:`appell.Robot.rollout`.

>>> rollouts = appell.rollouts
>>> rollouts.computed_torque(100.0, 20.0, rollouts.passage(0.0, [1.0, -0.5], time=0.5))
<appell.rollouts.Law computed-torque along a passage>

Numbers are shared by all robots, or every robot's own, by their shapes: (n,) or (N, n), a scalar or (N,). Laws of one's own are functions of a
:class:`Moment`, called once and generated with the robot; NumPy's sin, cos, tanh, sqrt, exp and arctan2 work on its numbers.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Callable, Mapping, Optional

from . import _symbols
from ._errors import NumberError, ShapeError
from ._numpy import ArrayLike, Numbers, np
from ._symbols import Moment, clip, where_positive

__all__ = [
    "Cost", "Law", "Moment", "Reference", "clip", "computed_torque", "cost", "gravity_pd", "law", "open_torques", "passage", "quadratic",
    "sinusoid", "where_positive",
]  # fmt: skip


class Robots:
    """How many robots there are, by the shapes of what is given: rows of robots' own numbers are as many."""

    def __init__(self) -> None:
        self.count: Optional[int] = None

    def rows(self, name: str, value: Any, width: int) -> Numbers:
        """Vectors of `width` numbers: (width,) of all robots, a scalar for all of it, or (N, width)."""
        array = finite(name, value)
        if array.ndim == 0:
            array = np.full(width, array)
        if array.shape[-1:] != (width,) or array.ndim > 2:
            raise ShapeError(f"`{name}` has shape {array.shape}; expected ({width},) for all robots or (N, {width}), one each")
        return self.seen(name, array, array.ndim == 2)

    def numbers(self, name: str, value: Any) -> Numbers:
        """Single numbers, as vectors of one: a scalar of all robots, or (N,)."""
        array = finite(name, value)
        if array.ndim > 1:
            raise ShapeError(f"`{name}` has shape {array.shape}; expected a number for all robots or (N,), one each")
        return self.seen(name, array[..., None], array.ndim == 1)

    def seen(self, name: str, array: Numbers, is_own: bool) -> Numbers:
        """The same array, of which the first axis is that of robots."""
        if is_own:
            if self.count not in (None, len(array)):
                raise ShapeError(f"`{name}` is given for {len(array)} robots, others for {self.count}; give as many, or one for all")
            self.count = len(array)
        return array


def finite(name: str, value: Any) -> Numbers:
    """An array of numbers that are all finite."""
    array = np.asarray(value)
    if array.dtype.kind not in "fiub":
        raise TypeError(f"`{name}` is an array of {array.dtype}; expected real numbers")
    if not np.isfinite(array).all():
        raise NumberError(f"`{name}` has a number that is NaN or infinite")
    return array.astype(np.float64, copy=False)


@dataclass
class Prepared:
    """A law or a cost for a robot: what is generated, and its numbers in the order of the generated code, by name."""

    said: dict[str, Any]
    shared: list[tuple[str, Numbers]] = field(default_factory=list)
    own: list[tuple[str, Numbers]] = field(default_factory=list)
    torques: Optional[Numbers] = None


def _said(kind: str, **more: Any) -> dict[str, Any]:
    return {"kind": kind, "reference": None, "is_own": None, "traced": None, "terminal": None, **more}


@dataclass(frozen=True, eq=False, repr=False)
class Reference:
    """A motion that robots follow: made by :func:`passage` or :func:`sinusoid`.

    >>> appell.rollouts.passage(0.0, 1.0, time=0.5)
    <appell.rollouts.Reference passage>
    """

    kind: str
    #: Of every joint, by name.
    of_joints: Mapping[str, Any]
    #: Of all of them.
    of_all: Mapping[str, Any]

    def __repr__(self) -> str:
        return f"<appell.rollouts.Reference {self.kind}>"

    def _read(self, robots: Robots, drives: int) -> tuple[bool, list[tuple[str, Numbers]]]:
        """Whether it is every robot's own, and its numbers."""
        read = [(name, robots.rows(name, value, drives)) for name, value in self.of_joints.items()]
        read += [(name, robots.numbers(name, value)) for name, value in self.of_all.items()]
        return any(array.ndim == 2 for _, array in read), read


def passage(start: ArrayLike, goal: ArrayLike, time: ArrayLike) -> Reference:
    """From rest to rest by a polynomial of fifth degree, all joints in `time` (s), then it stays.

    >>> appell.rollouts.passage([0.0, 0.0], np.ones((1000, 2)), time=0.5)       # goals of a thousand robots
    <appell.rollouts.Reference passage>
    """
    return Reference("passage", {"start": start, "goal": goal}, {"time": time})


def sinusoid(middle: ArrayLike, amplitude: ArrayLike, omega: ArrayLike, phase: ArrayLike = 0.0) -> Reference:
    """To and fro: middle + amplitude sin(omega t + phase), of every joint; rad or m, rad/s, rad.

    >>> appell.rollouts.sinusoid(0.0, [0.1, 0.2], 6.0)
    <appell.rollouts.Reference sinusoid>
    """
    return Reference("sinusoid", {"middle": middle, "amplitude": amplitude, "omega": omega, "phase": phase}, {})


class Law:
    """What drives robots: made by :func:`computed_torque`, :func:`gravity_pd`, :func:`open_torques` or :func:`law`.

    >>> appell.rollouts.open_torques(np.zeros((100, 2)))
    <appell.rollouts.Law open>
    """

    def __init__(self, name: str, prepare: Callable[[Robots, Mapping[str, int], int], Prepared]) -> None:
        self.name = name
        self._prepare = prepare

    def __repr__(self) -> str:
        return f"<appell.rollouts.Law {self.name}>"


def _feedback(kind: str, kp: ArrayLike, kd: ArrayLike, reference: Reference) -> Law:
    if not isinstance(reference, Reference):
        raise TypeError(f"the reference is a {type(reference).__name__}; expected a passage or a sinusoid")

    def prepare(robots: Robots, sizes: Mapping[str, int], steps: int) -> Prepared:
        gains = [(name, Robots().rows(name, value, sizes["q"])) for name, value in (("kp", kp), ("kd", kd))]
        for name, array in gains:
            if array.ndim == 2:
                raise ShapeError(f"`{name}` has shape {array.shape}; gains are shared: those of every robot's own need a law of one's own")
        is_own, numbers = reference._read(robots, sizes["q"])
        said = _said(kind, reference=reference.kind, is_own=is_own)
        return Prepared(said, gains, numbers) if is_own else Prepared(said, gains + numbers)

    return Law(f"{kind} along a {reference.kind}", prepare)


def computed_torque(kp: ArrayLike, kd: ArrayLike, reference: Reference) -> Law:
    """τ = ID(q, q̇, q̈_d + kd (q̇_d − q̇) + kp (q_d − q)), by the robot as its file describes it; gains of every joint, or one for all.

    >>> appell.rollouts.computed_torque(400.0, 40.0, appell.rollouts.sinusoid(0.0, 0.1, 6.0))
    <appell.rollouts.Law computed-torque along a sinusoid>
    """
    return _feedback("computed-torque", kp, kd, reference)


def gravity_pd(kp: ArrayLike, kd: ArrayLike, reference: Reference) -> Law:
    """τ = g(q) + kd (q̇_d − q̇) + kp (q_d − q), by the robot as its file describes it; gains of every joint, or one for all.

    >>> appell.rollouts.gravity_pd(50.0, [9.0, 5.0], appell.rollouts.passage(0.0, 1.0, time=0.5))
    <appell.rollouts.Law gravity-pd along a passage>
    """
    return _feedback("gravity-pd", kp, kd, reference)


def _torques(robots: Robots, tau: ArrayLike, steps: int, drives: int) -> Numbers:
    array = finite("tau", tau)
    if array.shape[-2:] != (steps, drives) or array.ndim > 3:
        raise ShapeError(
            f"`tau` has shape {array.shape}; expected ({steps}, {drives}) for all robots or (N, {steps}, {drives}): a row for every step"
        )
    return robots.seen("tau", array, array.ndim == 3)


def open_torques(tau: ArrayLike) -> Law:
    """Torques and forces of every step, held over it: (steps, n) of all robots, or (N, steps, n).

    >>> appell.rollouts.open_torques(np.zeros((1000, 100, 2)))
    <appell.rollouts.Law open>
    """

    def prepare(robots: Robots, sizes: Mapping[str, int], steps: int) -> Prepared:
        torques = _torques(robots, tau, steps, sizes["q"])
        return Prepared(_said("open", is_own=torques.ndim == 3), torques=torques)

    return Law("open", prepare)


class _Named:
    """Numbers of a function by name: shared, scalars or vectors, and every robot's own, (N,) or (N, k)."""

    def __init__(self, shared: Optional[Mapping[str, Any]], own: Optional[Mapping[str, Any]]) -> None:
        self.given = dict(shared or {}), dict(own or {})
        twice = set(self.given[0]) & set(self.given[1])
        if twice:
            raise ValueError(f"`{min(twice)}` is both shared and every robot's own; give it once")

    def read(self, robots: Robots) -> tuple[dict[str, tuple[str, int, int, bool]], list[list[tuple[str, Numbers]]]]:
        """Where numbers are, by name: kind, first place, how many, whether it is one number; and the numbers."""
        places: dict[str, tuple[str, int, int, bool]] = {}
        arrays: list[list[tuple[str, Numbers]]] = [[], []]
        for k, kind in enumerate(("shared", "own")):
            first = 0
            for name, value in self.given[k].items():
                array = finite(name, value)
                dims = array.ndim - k
                if dims not in (0, 1):
                    expected = "(N,) or (N, k), as every robot's own" if k else "a number or (k,), as shared"
                    raise ShapeError(f"`{name}` has shape {array.shape}; expected {expected}")
                robots.seen(name, array, k == 1)
                array = array if dims else array[..., None]
                places[name] = (kind, first, array.shape[-1], dims == 0)
                arrays[k].append((name, array))
                first += array.shape[-1]
        return places, arrays


def _traced(
    function: Callable[[Moment], Any], sizes: Mapping[str, int], places: Mapping[str, Any], arrays: Any, is_number: bool
) -> dict[str, Any]:
    operations, answers = _symbols.traced(function, sizes, places, is_number)
    names = [[f"{name}{k}" for name, array in kind for k in range(array.shape[-1])] for kind in arrays]
    return {"shared": names[0], "own": names[1], "operations": operations, "answers": answers}


def law(
    function: Callable[[Moment], Any],
    *,
    shared: Optional[Mapping[str, ArrayLike]] = None,
    own: Optional[Mapping[str, ArrayLike]] = None,
    torques: Optional[ArrayLike] = None,
) -> Law:
    """Any law that can be written as an expression: `function(moment)` returns a torque or force for every drive.

    It is called once, with a :class:`Moment` of numbers that remember what is done with them, and generated with the robot. `moment["name"]` is a
    number of `shared` (a scalar or (k,)) or of `own` (of every robot: (N,) or (N, k)); `moment.tau` are `torques` of the step, (steps, n) or
    (N, steps, n).

    >>> def saturated(moment):
    ...     wanted = moment.gravity() + moment.tau - moment["damping"] * moment.v
    ...     return appell.rollouts.clip(wanted, -moment["most"], moment["most"])
    >>> law = appell.rollouts.law(saturated, shared={"most": [20.0, 10.0]}, own={"damping": np.ones(3)}, torques=np.zeros((50, 2)))
    >>> appell.load("two-link").rollout([0.1, 0.2], None, law, steps=50, dt=0.01).q.shape
    (3, 2)
    """
    if not callable(function):
        raise TypeError(f"the law is a {type(function).__name__}; expected a function of a moment")
    named = _Named(shared, own)

    def prepare(robots: Robots, sizes: Mapping[str, int], steps: int) -> Prepared:
        given = None if torques is None else _torques(robots, torques, steps, sizes["q"])
        places, arrays = named.read(robots)
        sizes = {**sizes, "tau": 0 if given is None else sizes["q"]}
        said = _said("traced", traced=_traced(function, sizes, places, arrays, False), is_own=None if given is None else given.ndim == 3)
        return Prepared(said, arrays[0], arrays[1], given)

    return Law(_symbols.name_of(function), prepare)


class Cost:
    """What a rollout costs, φ(end) + ∫ l dt: made by :func:`quadratic` or :func:`cost`.

    >>> appell.rollouts.cost(lambda moment: moment.tau @ moment.tau)
    <appell.rollouts.Cost <lambda>>
    """

    def __init__(self, name: str, prepare: Callable[[Robots, Mapping[str, int]], Prepared]) -> None:
        self.name = name
        self._prepare = prepare

    def __repr__(self) -> str:
        return f"<appell.rollouts.Cost {self.name}>"


def quadratic(
    reference: Reference,
    *,
    q: ArrayLike = 0.0,
    v: ArrayLike = 0.0,
    tau: ArrayLike = 0.0,
    q_end: ArrayLike = 0.0,
    v_end: ArrayLike = 0.0,
) -> Cost:
    """Squares of errors along a reference and of torques, with weights of every joint, or one for all.

    l = Σ q (q − q_d)² + v (q̇ − q̇_d)² + tau τ², at the end φ = Σ q_end (q − q_d)² + v_end (q̇ − q̇_d)².

    >>> appell.rollouts.quadratic(appell.rollouts.passage(0.0, 1.0, time=0.5), tau=1e-3, q_end=100.0)
    <appell.rollouts.Cost quadratic along a passage>
    """
    weights = {"wq": q, "wv": v, "wtau": tau, "wq_end": q_end, "wv_end": v_end}

    def prepare(robots: Robots, sizes: Mapping[str, int]) -> Prepared:
        shared = [(name, Robots().rows(name, value, sizes["q"])) for name, value in weights.items()]
        for name, array in shared:
            if array.ndim == 2:
                raise ShapeError(f"`{name}` has shape {array.shape}; weights are shared by all robots")
        is_own, numbers = reference._read(robots, sizes["q"])
        said = _said("quadratic", reference=reference.kind, is_own=is_own)
        return Prepared(said, shared, numbers) if is_own else Prepared(said, shared + numbers)

    return Cost(f"quadratic along a {reference.kind}", prepare)


def cost(
    running: Optional[Callable[[Moment], Any]] = None,
    terminal: Optional[Callable[[Moment], Any]] = None,
    *,
    shared: Optional[Mapping[str, ArrayLike]] = None,
    own: Optional[Mapping[str, ArrayLike]] = None,
) -> Cost:
    """Any cost that can be written as expressions: l = running(moment), to which `moment.tau` are the law's, and at the end φ = terminal(moment).

    >>> def distance(moment):
    ...     return sum((moment.q - moment["goal"]) ** 2)
    >>> appell.rollouts.cost(lambda moment: 1e-3 * sum(moment.tau ** 2), distance, shared={"goal": [1.0, 0.5]})
    <appell.rollouts.Cost <lambda>, distance>
    """
    named = _Named(shared, own)

    def prepare(robots: Robots, sizes: Mapping[str, int]) -> Prepared:
        places, arrays = named.read(robots)
        made = [
            _traced(function or (lambda moment: 0.0), {**sizes, "tau": tau}, places, arrays, True)
            for function, tau in ((running, sizes["q"]), (terminal, 0))
        ]
        return Prepared(_said("traced", traced=made[0], terminal=made[1]), arrays[0], arrays[1])

    return Cost(", ".join(_symbols.name_of(function) for function in (running, terminal) if function) or "nothing", prepare)
