"""Bounds of functions over boxes: intervals with the bounds of their derivatives, rounded outward, for many boxes at once.

A number knows, for every box, its range, its range in the middle of the box, and the ranges of its derivatives by the box's coordinates. Its range
is the smaller of what the operation says and of what the mean value theorem says: f(c) + Σ ∂ₖf (xₖ − cₖ). What is not known is NaN, and stays so.
It runs code that :meth:`appell.Robot.generate` writes in Python, which has additions, products, quotients and square roots.
"""

from __future__ import annotations

from typing import Any, Sequence, Union

from .._errors import QuestionError
from .._numpy import Numbers, np

#: Rows of a number: its range, its range in the middle, and derivatives after these.
WHOLE, MIDDLE, SLOPES = 0, 1, 2

#: The smallest number above zero.
TINY = 5e-324

Operand = Union["Bounded", float]


class Boxes:
    """Boxes by their lower and upper corners, (coordinates, N)."""

    def __init__(self, lower: Numbers, upper: Numbers) -> None:
        self.lower, self.upper = lower, upper
        self.middle: Numbers = 0.5 * (lower + upper)
        #: At least the way from the middle to the ends.
        self.radius: Numbers = np.nextafter(np.maximum(upper - self.middle, self.middle - lower), np.inf)
        self.count = lower.shape[1]
        self.dimensions = lower.shape[0]

    def coordinate(self, k: int) -> Bounded:
        """A coordinate over the boxes."""
        low = np.zeros((SLOPES + self.dimensions, self.count))
        high = np.zeros_like(low)
        low[WHOLE], high[WHOLE] = self.lower[k], self.upper[k]
        low[MIDDLE] = high[MIDDLE] = self.middle[k]
        low[SLOPES + k] = high[SLOPES + k] = 1.0
        return Bounded(self, low, high)


class Bounded:
    """A function of the coordinates, bounded over every box."""

    __slots__ = ("boxes", "low", "high")
    __array_ufunc__ = None  # NumPy's numbers leave operations to this class

    def __init__(self, boxes: Boxes, low: Numbers, high: Numbers) -> None:
        self.boxes, self.low, self.high = boxes, low, high

    def _tightened(self) -> Bounded:
        """By the mean value theorem."""
        low, high = self.low, self.high
        slopes = np.maximum(np.abs(low[SLOPES:]), np.abs(high[SLOPES:]))
        # Rounding of the sum of products is below 2⁻⁵² of it for each of them, twice.
        reach = (slopes * self.boxes.radius).sum(axis=0) * (1.0 + 2.0**-50 * (self.boxes.dimensions + 2))
        below, above = np.nextafter(low[MIDDLE] - reach, -np.inf), np.nextafter(high[MIDDLE] + reach, np.inf)
        low[WHOLE] = np.where(below > low[WHOLE], below, low[WHOLE])
        high[WHOLE] = np.where(above < high[WHOLE], above, high[WHOLE])
        return self

    def __neg__(self) -> Bounded:
        return Bounded(self.boxes, -self.high, -self.low)

    def __add__(self, other: Operand) -> Bounded:
        if isinstance(other, Bounded):
            low, high = _outward(self.low + other.low, self.high + other.high)
            return Bounded(self.boxes, low, high)._tightened()
        low, high = self.low.copy(), self.high.copy()
        low[:SLOPES], high[:SLOPES] = _outward(low[:SLOPES] + other, high[:SLOPES] + other)
        return Bounded(self.boxes, low, high)

    __radd__ = __add__

    def __sub__(self, other: Operand) -> Bounded:
        return self + (-other)

    def __rsub__(self, other: float) -> Bounded:
        return (-self) + other

    def __mul__(self, other: Operand) -> Bounded:
        if not isinstance(other, Bounded):
            return self._scaled(self.low * other, self.high * other, other)
        low, high = np.empty_like(self.low), np.empty_like(self.high)
        low[:SLOPES], high[:SLOPES] = _product(self.low[:SLOPES], self.high[:SLOPES], other.low[:SLOPES], other.high[:SLOPES])
        one = _product(self.low[SLOPES:], self.high[SLOPES:], other.low[WHOLE], other.high[WHOLE])
        two = _product(other.low[SLOPES:], other.high[SLOPES:], self.low[WHOLE], self.high[WHOLE])
        low[SLOPES:], high[SLOPES:] = _outward(one[0] + two[0], one[1] + two[1])
        if other is self:  # a square is not negative
            low[:SLOPES] = np.maximum(low[:SLOPES], 0.0)
        return Bounded(self.boxes, low, high)._tightened()

    __rmul__ = __mul__

    def __truediv__(self, other: Operand) -> Bounded:
        if isinstance(other, Bounded):
            return self * other._inverse()
        return self._scaled(self.low / other, self.high / other, other)

    def _scaled(self, low: Numbers, high: Numbers, by: float) -> Bounded:
        """Both ends times or over a constant, in order and rounded outward."""
        from_low, from_high = self.low, self.high
        if by < 0:
            low, high, from_low, from_high = high, low, from_high, from_low
        low, high = _outward(low, high)
        if by != 0:
            low[(low == 0) & (from_low != 0)] = -TINY
            high[(high == 0) & (from_high != 0)] = TINY
        return Bounded(self.boxes, low, high)

    def __rtruediv__(self, other: float) -> Bounded:
        return self._inverse() * other

    def _inverse(self) -> Bounded:
        """1 / x, of what is nowhere zero; (1/x)′ = −x′ / x²."""
        known = (self.low[:SLOPES] > 0) | (self.high[:SLOPES] < 0)
        low, high = np.empty_like(self.low), np.empty_like(self.high)
        ends = _outward(1.0 / self.high[:SLOPES], 1.0 / self.low[:SLOPES])
        low[:SLOPES], high[:SLOPES] = (np.where(known, end, np.nan) for end in ends)
        squares = _product(low[WHOLE], high[WHOLE], low[WHOLE], high[WHOLE])
        slopes = _product(self.low[SLOPES:], self.high[SLOPES:], *squares)
        low[SLOPES:], high[SLOPES:] = -slopes[1], -slopes[0]
        return Bounded(self.boxes, low, high)._tightened()

    def root(self) -> Bounded:
        """√x, of what is nowhere negative; (√x)′ = x′ / (2 √x)."""
        low, high = np.empty_like(self.low), np.empty_like(self.high)
        low[:SLOPES], high[:SLOPES] = _outward(np.sqrt(self.low[:SLOPES]), np.sqrt(self.high[:SLOPES]))
        half = _outward(0.5 / high[WHOLE], 0.5 / low[WHOLE])
        is_known = low[WHOLE] > 0
        low[SLOPES:], high[SLOPES:] = _product(self.low[SLOPES:], self.high[SLOPES:], *(np.where(is_known, end, np.nan) for end in half))
        # What does not depend on a coordinate has a root that does not, even where it is zero.
        is_constant = (self.low[SLOPES:] == 0) & (self.high[SLOPES:] == 0) & (low[WHOLE] == 0)
        low[SLOPES:][is_constant] = high[SLOPES:][is_constant] = 0.0
        return Bounded(self.boxes, low, high)._tightened()

    def __gt__(self, other: float) -> Any:
        """Where it is above a number, 1, or not, 0; NaN where both may be: over the whole box, and in the middle."""
        return np.where(self.low[:SLOPES] > other, 1.0, np.where(self.high[:SLOPES] <= other, 0.0, np.nan))

    def constant(self, value: float) -> Bounded:
        """A number that is the same everywhere, over the same boxes."""
        low = np.zeros_like(self.low)
        low[:SLOPES] = value
        return Bounded(self.boxes, low, low.copy())


def where(is_so: Any, then: Operand, otherwise: Operand) -> Operand:
    """One function where a condition holds, and another one where it does not; nothing is known where both may be."""
    some = then if isinstance(then, Bounded) else otherwise
    if not isinstance(some, Bounded) or not hasattr(is_so, "shape"):
        raise _unknown("a choice between constants")
    one, other = (x if isinstance(x, Bounded) else some.constant(float(x)) for x in (then, otherwise))
    low, high = np.empty_like(some.low), np.empty_like(some.low)
    for rows, holds in ((slice(0, 1), is_so[WHOLE]), (slice(1, 2), is_so[MIDDLE]), (slice(SLOPES, None), is_so[WHOLE])):
        for to, yes, no in ((low, one.low, other.low), (high, one.high, other.high)):
            to[rows] = np.where(holds == 1, yes[rows], np.where(holds == 0, no[rows], np.nan))
    return Bounded(some.boxes, low, high)


def root(x: Operand) -> Operand:
    """√x."""
    return x.root() if isinstance(x, Bounded) else float(np.sqrt(x))


def _outward(low: Any, high: Any) -> tuple[Any, Any]:
    """What was rounded to the nearest, to the next below and above; a sum that is zero is exact."""
    return np.where(low == 0, 0.0, np.nextafter(low, -np.inf)), np.where(high == 0, 0.0, np.nextafter(high, np.inf))


def _product(a: Any, b: Any, c: Any, d: Any) -> tuple[Any, Any]:
    """[a, b] [c, d]."""
    ac, ad, bc, bd = a * c, a * d, b * c, b * d
    low = np.minimum(np.minimum(ac, ad), np.minimum(bc, bd))
    high = np.maximum(np.maximum(ac, ad), np.maximum(bc, bd))
    low, high = _outward(low, high)
    # Zero is exact where a factor is zero, and otherwise a number that is too small.
    for bound, next_to_zero in ((low, -TINY), (high, TINY)):
        if (is_zero := bound == 0).any():
            bound[is_zero & (a != 0) & (b != 0) & (c != 0) & (d != 0)] = next_to_zero
    return low, high


def _unknown(what: str) -> QuestionError:
    return QuestionError(f"generated code has {what}, of which no bounds are known")


def _refused(name: str) -> Any:
    def function(*_: Any) -> Any:
        raise _unknown(name)

    return function


def loaded(text: str, name: str) -> Any:
    """A generated function in Python that takes and answers bounded numbers."""
    names: dict[str, Any] = {}
    exec(compile(text, f"<{name}>", "exec"), names)
    names.update({f"_{other}": _refused(other) for other in ("sin", "cos", "atan2", "exp")}, _sqrt=root, _where=where)
    return names[name]


def stacked(boxes: Boxes, numbers: Sequence[Any]) -> tuple[Numbers, Numbers]:
    """Lower and upper bounds of several numbers, some of which may be constants: (N, numbers, rows)."""
    low = np.zeros((len(numbers), SLOPES + boxes.dimensions, boxes.count))
    high = np.zeros_like(low)
    for k, number in enumerate(numbers):
        if isinstance(number, Bounded):
            low[k], high[k] = number.low, number.high
        else:
            low[k, :SLOPES] = high[k, :SLOPES] = number
    return np.moveaxis(low, 2, 0), np.moveaxis(high, 2, 0)
