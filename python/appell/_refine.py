"""A grid that is finer where an answer changes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Generator, Mapping, Union

from ._errors import NumberError
from ._numpy import Flags, Numbers, np
from ._space import INDEX, LEVEL, Bounds, Piece, Round, Space, _along


class Refine(Space):
    """Cells, of which those at a border are split in two along every dimension, down to `depth`.

    A point is the middle of a cell. Two cells beside each other have a border between them where their answers in the column `by` differ:
    truths, whole numbers, or whether a number is above `level`; NaN is not.

    >>> def disc(chunk):
    ...     return {"inside": chunk["x"] ** 2 + chunk["y"] ** 2 < 1}
    >>> found = appell.sweep(disc, appell.Refine({"x": (-2, 2), "y": (-2, 2)}, 8, depth=5, by="inside"))
    >>> bool(abs((found["inside"] * found.volumes)[found.leaves].sum() - np.pi) < 0.01)
    True
    """

    kind = "refine"

    def __init__(
        self, bounds: Bounds, cells: Union[int, Mapping[str, int]], depth: int, by: str, level: float = 0.0
    ) -> None:
        super().__init__(bounds)
        self._along = _along(self.names, cells, "cells")
        #: Cells along each dimension at the start.
        self.shape: tuple[int, ...] = tuple(self._along.values())
        if int(depth) != depth or not 0 <= depth <= 60:
            raise NumberError(f"`depth` is {depth}; expected a whole number from 0 to 60")
        self.depth = int(depth)
        self.by = by
        self.level = float(level)
        if math.prod(count << self.depth for count in self.shape) >= 2**62:
            raise NumberError(f"{self.depth} splits of {' × '.join(map(str, self.shape))} cells are more than can be counted; split less often")

    def _describe(self) -> dict[str, Any]:
        return {**super()._describe(), "cells": self._along, "depth": self.depth, "by": self.by, "level": self.level}

    def _rounds(self) -> Generator[Round, Any, None]:
        tree = _Cells(self)
        codes = np.arange(int(np.prod(self.shape)), dtype=np.int64)
        new = [(0, codes)]
        while new:
            made = _Made(self, np.repeat([level for level, _ in new], [len(some) for _, some in new]), np.concatenate([some for _, some in new]))
            answers = yield made
            tree.add(made.levels, made.codes, self._states(np.asarray(answers)))
            new = tree.split()

    def _states(self, answers: Any) -> Any:
        """What is compared, as whole numbers."""
        if answers.ndim != 1:
            raise NumberError(f"`{self.by}` has {answers.shape[1:]} numbers a point; refinement is by one")
        return (answers > self.level).astype(np.int64) if answers.dtype.kind == "f" else answers.astype(np.int64)

    def _middles(self, levels: Any, codes: Any) -> dict[str, Numbers]:
        """The middles of cells."""
        places = self._places(levels, codes)
        result = {}
        for (name, (low, high)), place, count in zip(self.bounds.items(), places, self.shape):
            result[name] = low + (high - low) * ((place + 0.5) / (count * 2.0**levels))
        return result

    def _places(self, levels: Any, codes: Any) -> list[Any]:
        """Which cell it is along every dimension."""
        rest, places = codes, []
        for count in reversed(self.shape):
            along = count << levels
            places.append(rest % along)
            rest = rest // along
        return places[::-1]

    def _codes(self, level: int, places: list[Any]) -> Any:
        """Numbers of cells of one level from their places."""
        code = np.zeros_like(places[0])
        for place, count in zip(places, self.shape):
            code = code * (count << level) + place
        return code

    def _leaves(self, levels: Any, codes: Any) -> Flags:
        """Which of all cells were not split."""
        result: Flags = np.ones(len(codes), dtype=bool)
        for level in range(int(levels.max(initial=0))):
            here, finer = np.flatnonzero(levels == level), codes[levels == level + 1]
            parents = self._codes(level, [place >> 1 for place in self._places(np.int64(level + 1), finer)])
            result[here] = ~np.isin(codes[here], parents)
        return result

    def _volumes(self, levels: Any) -> Numbers:
        """Volumes of cells."""
        result: Numbers = self.size / np.prod(np.array(self.shape, dtype=float)) * 2.0 ** (-float(len(self.shape)) * levels)
        return result

    def __repr__(self) -> str:
        cells = " × ".join(map(str, self.shape))
        return f"<appell.Refine of {cells} cells, {self.depth} times at borders of {self.by}: {', '.join(self.names)}>"


@dataclass(frozen=True)
class _Made:
    """Cells of one round, or some of them."""

    space: Refine
    levels: Any
    codes: Any

    def __len__(self) -> int:
        return len(self.codes)

    def _piece(self, start: int, stop: int) -> Piece:
        return _Made(self.space, self.levels[start:stop], self.codes[start:stop])

    def coordinates(self) -> dict[str, Numbers]:
        return self.space._middles(self.levels, self.codes)

    def labels(self) -> dict[str, Any]:
        return {INDEX: self.codes, LEVEL: self.levels.astype(np.int8)}


class _Level:
    """Cells of one size: sorted numbers, their states, and which of them are split."""

    def __init__(self) -> None:
        self.codes = np.zeros(0, dtype=np.int64)
        self.states = np.zeros(0, dtype=np.int64)
        self.is_split = np.zeros(0, dtype=bool)

    def add(self, codes: Any, states: Any) -> None:
        codes, states = np.concatenate([self.codes, codes]), np.concatenate([self.states, states])
        is_split = np.concatenate([self.is_split, np.zeros(len(codes) - len(self.is_split), dtype=bool)])
        order = np.argsort(codes, kind="stable")
        self.codes, self.states, self.is_split = codes[order], states[order], is_split[order]

    def find(self, codes: Any) -> tuple[Any, Any]:
        """Where cells are, and whether they are here."""
        at = np.minimum(np.searchsorted(self.codes, codes), max(len(self.codes) - 1, 0))
        is_here = self.codes[at] == codes if len(self.codes) else np.zeros(len(codes), dtype=bool)
        return at, is_here


class _Cells:
    """All cells that were computed."""

    def __init__(self, space: Refine) -> None:
        self.space = space
        self.levels = [_Level() for _ in range(space.depth + 1)]

    def add(self, levels: Any, codes: Any, states: Any) -> None:
        for number in np.unique(levels):
            which = levels == number
            self.levels[int(number)].add(codes[which], states[which])

    def split(self) -> list[tuple[int, Any]]:
        """Splits all cells at a border that may be split; their children by level, which have no answers yet."""
        at_border = [np.zeros(len(level.codes), dtype=bool) for level in self.levels]
        for k in range(len(self.levels)):
            self._mark(k, at_border)
        new = []
        for k, (cells, marked) in enumerate(zip(self.levels[:-1], at_border)):
            marked &= ~cells.is_split
            cells.is_split |= marked
            if marked.any():
                new.append((k + 1, np.sort(self._children(k, cells.codes[marked]))))
        return new

    def _mark(self, level: int, at_border: list[Any]) -> None:
        """Marks cells of a level, and what is beside them, that is as large or larger, where their answers differ."""
        here = self.levels[level]
        leaves = np.flatnonzero(~here.is_split)
        if not len(leaves):
            return
        places = self.space._places(np.int64(level), here.codes[leaves])
        for k, count in enumerate(self.space.shape):
            for step in (-1, 1):
                moved = places[k] + step
                is_inside = (moved >= 0) & (moved < count << level)
                own = leaves[is_inside]
                beside = [moved[is_inside] if j == k else place[is_inside] for j, place in enumerate(places)]
                self._compare(level, own, beside, at_border)

    def _compare(self, level: int, own: Any, beside: list[Any], at_border: list[Any]) -> None:
        """Compares cells with what is beside them: a cell of the same level, or else the one that holds its place."""
        for larger in range(level, -1, -1):
            if not len(own):
                return
            codes = self.space._codes(larger, [place >> (level - larger) for place in beside])
            there = self.levels[larger]
            at, is_here = there.find(codes)
            # What is split there is compared by its children, which see this cell as the larger one.
            differs = is_here & ~there.is_split[at] & (there.states[at] != self.levels[level].states[own]) if len(there.codes) else is_here
            at_border[level][own[differs]] = True
            at_border[larger][at[differs]] = True
            own, beside = own[~is_here], [place[~is_here] for place in beside]

    def _children(self, level: int, codes: Any) -> Any:
        places = self.space._places(np.int64(level), codes)
        corners = np.indices((2,) * len(places)).reshape(len(places), -1)
        finer = [(2 * place[:, None] + corner[None, :]).ravel() for place, corner in zip(places, corners)]
        return self.space._codes(level + 1, finer)
