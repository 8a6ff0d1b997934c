"""Laws and costs of rollouts as expressions: a function of Python is called once, with numbers that remember what is done with them."""

from __future__ import annotations

import math
from typing import Any, Callable, Mapping, Sequence, Union

from ._errors import NumberError, QuestionError, ShapeError
from ._numpy import np

#: Name, places of what it takes among all values, a number.
Operation = tuple[str, tuple[int, ...], float]

Scalar = Union["Symbol", float]


class Trace:
    """What was done, in order; every operation makes one value, those of the robot's model make one for each drive."""

    def __init__(self) -> None:
        self.operations: list[Operation] = []
        self._length = 0
        self._known: dict[Operation, int] = {}

    def put(self, name: str, places: Sequence[int] = (), number: float = 0.0, many: int = 1) -> int:
        """The place of what an operation makes, of its first value; one that was done before is not repeated."""
        operation = (name, tuple(places), number)
        if operation not in self._known:
            self._known[operation] = self._length
            self.operations.append(operation)
            self._length += many
        return self._known[operation]

    def place(self, number: Any) -> int:
        """The place of a number, or of a symbol."""
        if isinstance(number, Symbol):
            if number.trace is not self:
                raise QuestionError("a law uses a number that another call of it was given; use those of its own moment")
            return number.place
        value = float(number)
        if not math.isfinite(value):
            raise NumberError(f"a law uses the number {value}")
        return self.put("constant", number=value)

    def symbol(self, name: str, *numbers: Any) -> Symbol:
        """What an operation makes of some numbers."""
        return Symbol(self, self.put(name, [self.place(number) for number in numbers]))

    def inputs(self, name: str, many: int, first: int = 0) -> Any:
        """Numbers that are given, as an array."""
        return array([Symbol(self, self.put(name, [first + k])) for k in range(many)])


def array(symbols: Sequence[Any]) -> Any:
    """An array of numbers and symbols."""
    made = np.empty(len(symbols), dtype=object)
    made[:] = symbols
    return made


def _is_number(other: Any) -> bool:
    return isinstance(other, (Symbol, int, float, np.integer, np.floating))


class Symbol:
    """A number of a law that is being written down: + − * / ** and NumPy's sin, cos, tanh, sqrt, exp and arctan2 make others of it."""

    __slots__ = ("place", "trace")

    def __init__(self, trace: Trace, place: int) -> None:
        self.trace = trace
        self.place = place

    def _with(self, name: str, *numbers: Any) -> Any:  # also what is no number of ours: arrays do it themselves
        return self.trace.symbol(name, *numbers) if all(map(_is_number, numbers)) else NotImplemented

    def __add__(self, other: Any) -> Any:
        return self._with("add", self, other)

    def __radd__(self, other: Any) -> Any:
        return self._with("add", other, self)

    def __sub__(self, other: Any) -> Any:
        return self._with("subtract", self, other)

    def __rsub__(self, other: Any) -> Any:
        return self._with("subtract", other, self)

    def __mul__(self, other: Any) -> Any:
        return self._with("multiply", self, other)

    def __rmul__(self, other: Any) -> Any:
        return self._with("multiply", other, self)

    def __truediv__(self, other: Any) -> Any:
        return self._with("divide", self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return self._with("divide", other, self)

    def __neg__(self) -> Symbol:
        return self.trace.symbol("negative", self)

    def __pos__(self) -> Symbol:
        return self

    def __abs__(self) -> Symbol:
        return self.trace.symbol("where_positive", self, self, -self)

    def __pow__(self, exponent: Any) -> Symbol:
        if not isinstance(exponent, (int, np.integer)) or exponent < 0:
            raise TypeError(f"a power of {exponent!r}; expected a whole number, or use sqrt and exp")
        power = Symbol(self.trace, self.trace.place(1.0)) if exponent == 0 else self
        for _ in range(int(exponent) - 1):
            power = power * self
        return power

    # Of these names NumPy calls them for each number of an array.

    def sin(self) -> Symbol:
        return self.trace.symbol("sin", self)

    def cos(self) -> Symbol:
        return self.trace.symbol("cos", self)

    def sqrt(self) -> Symbol:
        return self.trace.symbol("sqrt", self)

    def exp(self) -> Symbol:
        return self.trace.symbol("exp", self)

    def tanh(self) -> Symbol:
        # By e^(−2 |x|), which does not overflow.
        small = (-2 * abs(self)).exp()
        size = (1 - small) / (1 + small)
        return self.trace.symbol("where_positive", self, size, -size)

    def arctan2(self, x: Any) -> Symbol:
        return self.trace.symbol("atan2", self, x)

    def _refused(self, *_: Any) -> Any:
        raise TypeError("a law is written down once, so that it cannot branch by numbers, nor look at them; choose by where_positive(x, yes, no)")

    __float__ = __int__ = __bool__ = __lt__ = __le__ = __gt__ = __ge__ = _refused

    def __repr__(self) -> str:
        return "<a number of a law that is written down>"


class Moment:
    """What a law, or a cost, knows of a robot at an instant; all are arrays of numbers that are written down.

    >>> def damped(moment):
    ...     return moment.gravity() - moment["damping"] * moment.v
    >>> appell.rollouts.law(damped, shared={"damping": 3.0})
    <appell.rollouts.Law damped>
    """

    def __init__(self, trace: Trace, sizes: Mapping[str, int], numbers: Mapping[str, tuple[str, int, int, bool]]) -> None:
        self._trace = trace
        self._numbers = numbers
        #: Time, s.
        self.t: Any = trace.inputs("t", 1)[0]
        #: Positions and velocities of the drives, of a tree of all joints.
        self.q: Any = trace.inputs("q", sizes["q"])
        self.v: Any = trace.inputs("v", sizes["q"])
        #: Of a parallel robot the pose of its platform, px py pz qx qy qz qw, and its independent velocities.
        self.pose: Any = trace.inputs("pose", sizes["pose"])
        self.r: Any = trace.inputs("r", sizes["r"])
        #: To a law the torques that are given for the step; to a cost those of the law.
        self.tau: Any = trace.inputs("tau", sizes["tau"])

    def __getitem__(self, name: str) -> Any:
        if name not in self._numbers:
            known = ", ".join(self._numbers) or "none"
            raise QuestionError(f"the law has no number `{name}`; it was given {known}, by shared= and own=")
        kind, first, many, is_one = self._numbers[name]
        found = self._trace.inputs(kind, many, first)
        return found[0] if is_one else found

    def efforts(self, a: Any) -> Any:
        """Torques that give the drives the accelerations `a`, by the robot as its file describes it.

        >>> appell.rollouts.law(lambda moment: moment.efforts(-2.0 * moment.v))
        <appell.rollouts.Law <lambda>>
        """
        wanted = np.asarray(a, dtype=object)
        if wanted.shape != self.q.shape:
            raise ShapeError(f"`efforts` of accelerations of shape {wanted.shape}; expected {self.q.shape}")
        return self._model("efforts", [self._trace.place(x) for x in wanted])

    def gravity(self) -> Any:
        """Torques that hold the robot, as its file describes it.

        >>> appell.rollouts.law(lambda moment: moment.gravity())
        <appell.rollouts.Law <lambda>>
        """
        return self._model("gravity", [])

    def _model(self, name: str, places: list[int]) -> Any:
        first = self._trace.put(name, places, many=len(self.q))
        return array([Symbol(self._trace, first + k) for k in range(len(self.q))])


def traced(
    function: Callable[[Moment], Any],
    sizes: Mapping[str, int],
    numbers: Mapping[str, tuple[str, int, int, bool]],
    is_number: bool,
) -> tuple[list[Operation], list[int]]:
    """The operations of a function, and the places of what it answers: numbers, or one."""
    trace = Trace()
    try:
        said = function(Moment(trace, sizes, numbers))
    except TypeError as error:
        if "which has no callable" not in str(error):
            raise
        unknown = str(error).split("no callable ")[-1].split()[0]
        raise TypeError(f"{name_of(function)} takes {unknown} of a number; laws know + − * / ** and NumPy's sin, cos, tanh, sqrt, exp, abs and arctan2") from error
    if said is None:
        raise ShapeError(f"{name_of(function)} answers nothing; let it return what it computes")
    answer = np.asarray(said, dtype=object)
    if answer.ndim != (0 if is_number else 1):
        expected = "one number" if is_number else "a torque or force for each drive"
        raise ShapeError(f"{name_of(function)} answers numbers of shape {answer.shape}; expected {expected}")
    return trace.operations, [trace.place(x) for x in answer.ravel()]


def name_of(function: Any) -> str:
    """What a function is called."""
    return str(getattr(function, "__name__", type(function).__name__))


def _where_positive(x: Any, yes: Any, no: Any) -> Any:
    if not isinstance(x, Symbol):
        return yes if x > 0 else no
    return x.trace.symbol("where_positive", x, yes, no)


def _clip(x: Any, low: Any, high: Any) -> Any:
    above = _where_positive(low - x, low, x)
    return _where_positive(high - above, above, high)


def where_positive(x: Any, yes: Any, no: Any) -> Any:
    """`yes` where x > 0, else `no`, number by number: the choice that a law can make.

    >>> appell.rollouts.where_positive(np.array([-1.0, 2.0]), 1.0, 0.0).tolist()
    [0.0, 1.0]
    """
    return np.frompyfunc(_where_positive, 3, 1)(x, yes, no)


def clip(x: Any, low: Any, high: Any) -> Any:
    """x, but no less than `low` and no more than `high`, number by number.

    >>> appell.rollouts.clip(np.array([-3.0, 0.5]), -1.0, 1.0).tolist()
    [-1.0, 0.5]
    """
    return np.frompyfunc(_clip, 3, 1)(x, low, high)
