"""Spaces of a sweep: which points there are, each by its index, so that any part of them can be made anywhere.

A point depends on the space and on its index alone: not on the parts that a sweep is cut into, nor on who makes them.
"""

from __future__ import annotations

from typing import Any, Iterator, Mapping, Protocol, Sequence, Union

from ._errors import NumberError, ShapeError
from ._numpy import ArrayLike, Numbers, np

#: From where to where, by name.
Bounds = Mapping[str, Sequence[float]]

#: Names of columns that say which point a row is.
INDEX, LEVEL = "index", "level"

#: Numbers of listed points that a manifest holds; of more it holds the digest alone.
MOST_LISTED = 100_000


class Piece(Protocol):
    """Some points of a space, which travel to who computes them."""

    def __len__(self) -> int: ...

    def coordinates(self) -> dict[str, Numbers]:
        """Their coordinates by name."""
        ...

    def labels(self) -> dict[str, Any]:
        """Columns that say which points they are."""
        ...


class Round(Protocol):
    """Points that can be computed side by side."""

    def __len__(self) -> int: ...

    def _piece(self, start: int, stop: int) -> Piece:
        """Some of them."""
        ...


class Space:
    """What all spaces have: names, bounds, and points by their index."""

    kind = ""
    #: The column of answers that decides where points are added; None where all are known from the start.
    by: Any = None

    def __init__(self, bounds: Bounds) -> None:
        if not isinstance(bounds, Mapping):
            raise TypeError(f"bounds are a {type(bounds).__name__}; expected from where to where by name, {{'x': (0, 1)}}")
        self.bounds: dict[str, tuple[float, float]] = {}
        for name, ends in bounds.items():
            if not isinstance(name, str) or not name or name in (INDEX, LEVEL):
                raise NumberError(f"a dimension is named {name!r}; expected a text other than `{INDEX}` and `{LEVEL}`")
            if np.shape(ends) != (2,):
                raise ShapeError(f"bounds of `{name}` are {ends}; expected two numbers, from where to where")
            low, high = (float(end) for end in ends)
            if not (np.isfinite([low, high]).all() and low < high):
                raise NumberError(f"`{name}` from {low} to {high} is no range; give finite numbers, the lower first")
            self.bounds[name] = (low, high)
        if not self.bounds:
            raise NumberError("a space without dimensions; give bounds by name, {'x': (0, 1)}")

    @property
    def names(self) -> list[str]:
        """Names of the dimensions, in order."""
        return list(self.bounds)

    @property
    def size(self) -> float:
        """The volume between the bounds, a product of their lengths."""
        return float(np.prod([high - low for low, high in self.bounds.values()]))

    def _describe(self) -> dict[str, Any]:
        """The space as numbers and texts, as a manifest has them; :func:`space_of` makes it again."""
        return {"kind": self.kind, "bounds": {name: list(ends) for name, ends in self.bounds.items()}}

    def _rounds(self) -> Iterator[Round]:
        """What can be computed side by side; a generator that is sent the column `by` of each round, and gives the next."""
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Space) and self._describe() == other._describe()

    __hash__ = None  # type: ignore[assignment]


class _Indexed(Space):
    """A space whose points are all known from the start."""

    _count: int

    def __len__(self) -> int:
        return self._count

    def _rounds(self) -> Iterator[Round]:
        yield self

    def _piece(self, start: int, stop: int) -> Piece:
        """The points from one index to before another."""
        return _Slice(self, start, min(stop, len(self)))

    def points(self, start: int = 0, stop: Union[int, None] = None) -> dict[str, Numbers]:
        """Coordinates of the points from one index to before another, by name.

        >>> appell.Grid({"x": (0, 1), "y": (0, 1)}, 2).points()["y"].tolist()
        [0.0, 1.0, 0.0, 1.0]
        """
        first, last, _ = slice(start, stop).indices(len(self))
        return self._at(np.arange(first, max(first, last), dtype=np.uint64))

    def _at(self, index: Any) -> dict[str, Numbers]:
        """Coordinates of points by their indices."""
        result = {}
        for k, (name, (low, high)) in enumerate(self.bounds.items()):
            result[name] = low + (high - low) * self._parts(k, index)
        return result

    def _parts(self, dimension: int, index: Any) -> Numbers:
        """The same between 0 and 1."""
        raise NotImplementedError

    def __repr__(self) -> str:
        ends = ", ".join(f"{name} {low:g} to {high:g}" for name, (low, high) in self.bounds.items())
        return f"<appell.{type(self).__name__} of {len(self)} points: {ends}>"


class _Slice:
    """Points of one space from an index to before another."""

    def __init__(self, space: _Indexed, start: int, stop: int) -> None:
        self.space, self.start, self.stop = space, start, stop

    def __len__(self) -> int:
        return self.stop - self.start

    def coordinates(self) -> dict[str, Numbers]:
        return self.space.points(self.start, self.stop)

    def labels(self) -> dict[str, Any]:
        return {INDEX: np.arange(self.start, self.stop, dtype=np.int64)}


class Grid(_Indexed):
    """Points along every dimension, both ends included; the last one changes fastest.

    `points` is how many along each, or a mapping by name.

    >>> space = appell.Grid({"x": (0, 1), "y": (-1, 1)}, {"x": 2, "y": 3})
    >>> space.shape, len(space)
    ((2, 3), 6)
    """

    kind = "grid"

    def __init__(self, bounds: Bounds, points: Union[int, Mapping[str, int]]) -> None:
        super().__init__(bounds)
        self._along = _along(self.names, points, "points")
        #: How many points along each dimension.
        self.shape: tuple[int, ...] = tuple(self._along.values())
        self._count = _whole(int(np.prod(self.shape, dtype=object)), "points, in all,")

    def _describe(self) -> dict[str, Any]:
        return {**super()._describe(), "points": self._along}

    def _at(self, index: Any) -> dict[str, Numbers]:
        result: dict[str, Numbers] = {}
        rest = index.astype(np.int64)
        for (name, (low, high)), count in reversed(list(zip(self.bounds.items(), self.shape))):
            values = np.linspace(low, high, count) if count > 1 else np.array([0.5 * (low + high)])
            result[name] = values[rest % count]
            rest = rest // count
        return {name: result[name] for name in self.names}


class _Seeded(_Indexed):
    """So many points by a seed."""

    def __init__(self, bounds: Bounds, points: int, seed: int = 1) -> None:
        super().__init__(bounds)
        self._count = _whole(points, "points")
        if not isinstance(seed, (int, np.integer)) or not 0 <= seed < 2**63:
            raise NumberError(f"`seed` is {seed}; expected a whole number from 0")
        self.seed = int(seed)

    def _describe(self) -> dict[str, Any]:
        return {**super()._describe(), "points": self._count, "seed": self.seed}

    def _key(self, dimension: int, use: int) -> Any:
        """What makes the random numbers of one dimension, and of one use of them, others than those of the next."""
        start = np.array([self.seed], dtype=np.uint64)
        for number in (dimension, use):
            start = _mixed(start ^ _mixed(np.array([number + 1], dtype=np.uint64)))
        return start


class Random(_Seeded):
    """Independent points, evenly distributed.

    >>> appell.Random({"x": (0, 1)}, 1000, seed=3).points(10, 12)["x"].round(3).tolist()
    [0.246, 0.609]
    """

    kind = "random"

    def _parts(self, dimension: int, index: Any) -> Numbers:
        return _uniform(index, self._key(dimension, 0))


class LatinHypercube(_Seeded):
    """Points of which exactly one lies in each of as many equal slices of every dimension, at a random place in it.

    The slices are permuted by a keyed bijection of the index, so that a thousand million points need no memory for their order.

    >>> space = appell.LatinHypercube({"x": (0, 10), "y": (0, 1)}, 10, seed=1)
    >>> sorted(int(x) for x in space.points()["x"])
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
    """

    kind = "latin-hypercube"

    def _parts(self, dimension: int, index: Any) -> Numbers:
        place = _permuted(index, self._count, self._key(dimension, 1))
        result: Numbers = (place.astype(np.float64) + _uniform(index, self._key(dimension, 0))) / self._count
        return np.minimum(result, np.nextafter(1.0, 0.0))


class Sobol(_Seeded):
    """Points that fill the space evenly, Sobol's, shifted by the seed; powers of two fill it best. Up to 64 dimensions.

    >>> even = appell.Sobol({"x": (0, 1), "y": (0, 1)}, 1024)
    >>> bool(abs(even.points()["x"].mean() - 0.5) < 1e-3)
    True
    """

    kind = "sobol"

    def __init__(self, bounds: Bounds, points: int, seed: int = 1) -> None:
        super().__init__(bounds, points, seed)
        from . import _sobol

        if len(self.bounds) > _sobol.MOST:
            raise NumberError(f"{len(self.bounds)} dimensions; Sobol has {_sobol.MOST} at most, LatinHypercube and Random any number")

    def _parts(self, dimension: int, index: Any) -> Numbers:
        from . import _sobol

        shift = self._key(dimension, 0) >> np.uint64(64 - _sobol.BITS)
        return _sobol.points(dimension, index, shift)


class Points(_Indexed):
    """Points that are listed: as many numbers of every name.

    >>> appell.Points({"l1": [0.2, 0.3], "l2": [0.4, 0.5]})
    <appell.Points of 2 points: l1 0.2 to 0.3, l2 0.4 to 0.5>
    """

    kind = "points"

    def __init__(self, columns: Mapping[str, ArrayLike]) -> None:
        listed = {name: np.array(values, dtype=np.float64) for name, values in columns.items()}
        lengths = {values.shape for values in listed.values()}
        if len(lengths) != 1 or len(next(iter(lengths))) != 1 or lengths == {(0,)}:
            raise ShapeError(f"points of shapes {sorted(lengths)}; expected as many numbers of every name")
        if not all(np.isfinite(values).all() for values in listed.values()):
            raise NumberError("a coordinate of a point is NaN or infinite")
        ends = {name: (float(values.min()), float(values.max())) for name, values in listed.items()}
        # A dimension in which all points agree has no length, which other spaces refuse.
        super().__init__({name: (low, np.nextafter(high, np.inf)) for name, (low, high) in ends.items()})
        self.bounds = ends
        self._listed = listed
        (self._count,) = next(iter(lengths))

    def _describe(self) -> dict[str, Any]:
        if self._count * len(self._listed) <= MOST_LISTED:
            return {"kind": self.kind, "listed": {name: values.tolist() for name, values in self._listed.items()}}
        import hashlib

        digest = hashlib.sha256(b"".join(values.tobytes() for values in self._listed.values())).hexdigest()
        return {**super()._describe(), "points": self._count, "sha256": digest}

    def _at(self, index: Any) -> dict[str, Numbers]:
        return {name: values[index.astype(np.int64)] for name, values in self._listed.items()}


def space_of(described: Mapping[str, Any]) -> Space:
    """The space that a manifest describes."""
    from ._refine import Refine

    rest = {key: value for key, value in described.items() if key != "kind"}
    if described["kind"] == Points.kind:
        if "listed" not in rest:
            raise NumberError("a manifest holds the digest of its points alone, of which there are many; make the space from them again")
        return Points(rest["listed"])
    kinds: dict[str, Any] = {cls.kind: cls for cls in (Grid, Random, LatinHypercube, Sobol, Refine)}
    made: Space = kinds[described["kind"]](**rest)
    return made


def _along(names: Sequence[str], counts: Union[int, Mapping[str, int]], what: str) -> dict[str, int]:
    """How many along each dimension."""
    if not isinstance(counts, Mapping):
        return {name: _whole(counts, what) for name in names}
    if set(counts) != set(names):
        raise NumberError(f"`{what}` are of {', '.join(counts)}; dimensions are {', '.join(names)}")
    return {name: _whole(counts[name], what) for name in names}


def _whole(number: Any, what: str) -> int:
    if not isinstance(number, (int, float, np.integer, np.floating)) or not 1 <= number < 2**62 or int(number) != number:
        raise NumberError(f"`{what}` is {number!r}; expected a whole number from 1 and below 2⁶²")
    return int(number)


# Random numbers by index: the mixing function of SplitMix64, Steele et al. 2014.


def _mixed(x: Any) -> Any:
    x = x + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def _uniform(index: Any, key: Any) -> Numbers:
    """Numbers in [0, 1)."""
    result: Numbers = (_mixed(_mixed(index) ^ key) >> np.uint64(11)).astype(np.float64) * 2.0**-53
    return result


def _permuted(index: Any, count: int, key: Any) -> Any:
    """Where a random permutation of so many takes each index: Feistel's rounds on a power of four, repeated until they end below `count`."""
    half = np.uint64(max(1, ((count - 1).bit_length() + 1) // 2))
    mask = (np.uint64(1) << half) - np.uint64(1)
    keys = [_mixed(key ^ np.uint64(k)) for k in range(4)]

    def once(x: Any) -> Any:
        left, right = x >> half, x & mask
        for one in keys:
            left, right = right, left ^ (_mixed(right ^ one) & mask)
        return (left << half) | right

    place = once(index)
    while (outside := place >= np.uint64(count)).any():
        place[outside] = once(place[outside])
    return place
