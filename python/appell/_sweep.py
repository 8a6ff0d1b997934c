"""A function over many points: in chunks, on all cores or a cluster, into a folder that an interrupted sweep goes on with."""

from __future__ import annotations

import datetime
import json
import platform
import sys
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Callable, Iterator, Mapping, Optional, Sequence, Union

from . import _backends, _described, _parts
from ._appell import __version__
from ._errors import SweepError
from ._numpy import Numbers, np
from ._space import INDEX, LEVEL, Piece, Round, Space
from ._swept import Swept

#: Points of a chunk at most: of a function of chunks enough for every core's lanes, of one of points enough to be worth a file.
MOST = {"chunk": 1 << 14, "point": 256}

#: Chunks of a sweep at least, if it has as many points: of a function of points, whose chunks may be small.
LEAST_CHUNKS = 64


@dataclass(frozen=True)
class _Work:
    """What is done to a chunk, wherever that is."""

    function: Callable[..., Any]
    given: dict[str, Any]
    each: str
    keep: list[str]
    reduce: Optional[Callable[..., Any]]
    by: Optional[str]
    #: The identity of the sweep, and its folder where whoever computes a chunk writes it.
    of: str
    writes_to: Optional[Path]

    def __call__(self, name: str, piece: Piece) -> tuple[dict[str, Any], Any, Any]:
        """Signature of the columns of a chunk, the columns themselves unless they were written, and what decides about refinement."""
        points, count = piece.coordinates(), len(piece)
        kept = {name: points[name].copy() for name in self.keep}  # the function may write to its own
        runs = self.function
        try:
            answers = self._by_point(points, count) if self.each == "point" else self.function(points, **self.given)
            columns = {**piece.labels(), **kept, **self._checked(answers, count)}
            if self.reduce is not None:
                runs = self.reduce
                columns = self._checked(self.reduce(columns), None)
        except SweepError:
            raise
        except Exception as error:
            raise SweepError(f"{name}: {_called(runs)} fails with {type(error).__name__}: {error}") from error
        by = None if self.by is None else columns.get(self.by)
        if self.by is not None and by is None:
            raise SweepError(f"the sweep is refined by `{self.by}`, which {_called(self.function)} does not answer; it has {', '.join(answers)}")
        signed = _parts.signature(columns)
        if self.writes_to is None:
            return signed, columns, by
        _parts.write_part(_parts.Folder(self.writes_to, self.of).part(name), columns, self.of)
        return signed, None, by

    def _by_point(self, points: dict[str, Numbers], count: int) -> dict[str, Any]:
        rows = []
        for k in range(count):
            here = {name: float(values[k]) for name, values in points.items()}
            try:
                rows.append(self.function(here, **self.given))
            except Exception as error:
                at = ", ".join(f"{name} = {x!r}" for name, x in here.items())
                raise SweepError(f"{_called(self.function)} fails at {at} with {type(error).__name__}: {error}") from error
            if not isinstance(rows[-1], Mapping) or rows[-1].keys() != rows[0].keys():
                raise SweepError(f"{_called(self.function)} answers a point with {_shape_of(rows[-1])}; expected numbers by name, the same for all points")
        return {name: np.stack([np.asarray(row[name]) for row in rows]) for name in rows[0]}

    def _checked(self, answers: Any, count: Optional[int]) -> dict[str, Any]:
        """Answers as arrays with a row per point, or, of what reduces, with as many rows as it likes."""
        what = self.function if count is not None else self.reduce
        if not isinstance(answers, Mapping) or not answers:
            raise SweepError(f"{_called(what)} answers {_shape_of(answers)}; expected arrays by name, {{'name': array}}")
        result = {}
        for name, values in answers.items():
            if not isinstance(name, str) or not name:
                raise SweepError(f"{_called(what)} answers a column that is named {name!r}; expected a text")
            array = np.asarray(values)
            if array.dtype.kind not in _parts.KINDS or array.dtype.itemsize > 8:
                raise SweepError(f"{_called(what)} answers `{name}` as {array.dtype}; expected truths, whole numbers or floating-point numbers")
            if array.ndim == 0 or 0 in array.shape[1:] or (count is not None and len(array) != count):
                rows = "an array of one row or more" if count is None else f"{count} rows, one per point"
                raise SweepError(f"{_called(what)} answers `{name}` with shape {array.shape}; expected {rows}")
            if count is not None and (name in self.keep or name in (INDEX, LEVEL)):
                raise SweepError(f"{_called(what)} answers `{name}`, which is the name of a coordinate or label; rename it, or leave it out of keep=")
            result[name] = array
        if len({len(array) for array in result.values()}) != 1:
            raise SweepError(f"{_called(what)} answers columns of different lengths")
        return result


def sweep(
    function: Callable[..., Any],
    space: Space,
    backend: str = "local",
    *,
    given: Optional[Mapping[str, Any]] = None,
    each: str = "chunk",
    folder: Union[str, PathLike[str], None] = None,
    chunk: Optional[int] = None,
    keep: Optional[Sequence[str]] = None,
    reduce: Optional[Callable[[dict[str, Any]], Mapping[str, Any]]] = None,
    workers: Optional[int] = None,
    shared_folder: bool = False,
    options: Optional[Mapping[str, Any]] = None,
    progress: bool = False,
) -> Swept:
    """Calls a function for all points of a space, chunk by chunk, and gathers what it answers.

    `function` takes a dictionary of arrays, a number per point and dimension, and answers one of arrays with a row per point; with
    ``each="point"`` both have numbers of one point. `given` are further arguments by keyword, as robots. What it answers may depend on
    these alone: random numbers are dimensions of the space (:class:`appell.Random`). `chunk` is how many points there are in one.

    With `folder` every chunk becomes a Parquet file as soon as it is computed, written whole or not at all, and ``sweep.json`` says all that is
    needed to repeat it: space, seed, robots, source of the function, versions. The same call again goes on with what is missing; a folder of
    another sweep is refused. Without `folder` the answers stay in memory. `keep` names the dimensions that are stored, all if not given. `reduce` takes the
    columns of a chunk and gives those that are stored in their place, with any number of rows: what is left over of 10¹² states.

    `backend` is "local", threads on all cores of this machine (questions to robots and most of NumPy let each other run);
    "processes", for functions in plain Python; or "ray", all machines of a cluster, with `options` such as ``{"num_cpus": 2}`` for each
    chunk. There this process writes the files, or with ``shared_folder=True`` each machine its own, into a folder that all of them
    see. Which backend it is, and how many `workers`, changes no bit.

    >>> def torques(chunk, robot):
    ...     q = np.column_stack([chunk["q1"], chunk["q2"]])
    ...     return {"tau": robot.gravity(q)}
    >>> space = appell.Sobol({"q1": (-3, 3), "q2": (-3, 3)}, 1024)
    >>> found = appell.sweep(torques, space, given={"robot": appell.load("two-link")})
    >>> found["tau"].shape
    (1024, 2)
    """
    if not callable(function):
        raise TypeError(f"the function is a {type(function).__name__}; expected one of a chunk of points")
    if not isinstance(space, Space):
        raise TypeError(f"the space is a {type(space).__name__}; expected an appell.Grid, Random, LatinHypercube, Sobol, Points or Refine")
    if given is not None and not isinstance(given, Mapping):
        raise TypeError(f"given is a {type(given).__name__}; expected arguments by name, {{'robot': robot}}")
    if each not in MOST:
        raise SweepError(f'each="{each}"; expected "chunk" or "point"')
    kept = _kept(space, keep)
    if space.by is not None and reduce is not None:
        raise SweepError("a sweep that is refined keeps a row per point; leave reduce out, or give another space")
    rounds = space._rounds()
    first = next(rounds)
    size = _chunk(chunk, len(first), each)
    what = {
        "space": space._describe(),
        "function": _described.function(function),
        "given": _described.value(dict(given or {}), "given"),
        "each": each,
        "chunk": size,
        "keep": kept,
        "reduce": None if reduce is None else _described.function(reduce),
        "appell": __version__,
    }
    identity = _described.digest(json.dumps(what, sort_keys=True).encode())
    manifest: dict[str, Any] = {
        "appell sweep": 1,
        "identity": identity,
        "what": what,
        "columns": None,
        "rows": None,
        "runs": [_run(backend, workers)],
    }
    store = None if folder is None else _parts.Folder(Path(fspath(folder)), identity)
    if store is not None:
        store.open(manifest)
    writes_to = None if store is None or (backend == "ray" and not shared_folder) else store.path.absolute()
    work = _Work(function, dict(given or {}), each, kept, reduce, space.by, identity, writes_to)
    sweeping = _Sweeping(work, store, manifest, size, lambda tasks: _backends.run(backend, work, tasks, workers, dict(options or {})), progress)
    number, points = 0, first
    while True:
        by = sweeping.round(points, f"round-{number:02d}-" if space.by is not None else "")
        number += 1
        try:
            points = rounds.send(by)  # type: ignore[attr-defined]
        except StopIteration:
            break
    return sweeping.finished(space)


class _Sweeping:
    """A sweep while it runs."""

    def __init__(
        self, work: _Work, store: Optional[_parts.Folder], manifest: dict[str, Any], size: int, backend: Callable[..., Any], shown: bool
    ) -> None:
        self.work, self.store, self.manifest, self.size, self.backend, self.shown = work, store, manifest, size, backend, shown
        self.names: list[str] = []
        self.columns: dict[str, dict[str, Any]] = {}

    def round(self, points: Round, prefix: str) -> Any:
        """Computes what is missing of a round; the column that decides about refinement, where there is one."""
        starts = range(0, len(points), self.size)
        names = [f"{prefix}part-{k:08d}" for k in range(len(starts))]
        self.names += names
        by: dict[str, Any] = {}

        def missing() -> Iterator[tuple[str, Piece]]:
            for name, start in zip(names, starts):
                piece = points._piece(start, min(start + self.size, len(points)))
                if not self._is_there(name, len(piece), by):
                    yield name, piece

        for name, (signed, columns, label) in _backends.watched(self.backend(missing()), len(names), shown=self.shown):
            self._accept(name, signed)
            by[name] = label
            if columns is None:
                continue
            if self.store is None:
                self.columns[name] = columns
            else:
                _parts.write_part(self.store.part(name), columns, self.store.of)
        return None if self.work.by is None else np.concatenate([by[name] for name in names])

    def _is_there(self, name: str, rows: int, by: dict[str, Any]) -> bool:
        """Whether a part was written before."""
        if self.store is None or not _parts.is_part(self.store.part(name), self.store.of, None if self.work.reduce is not None else rows):
            return False
        self._accept(name, _parts.signature_of_part(self.store.part(name)))
        if self.work.by is not None:
            by[name] = _parts.read_part(self.store.part(name), [self.work.by])[self.work.by]
        return True

    def _accept(self, name: str, signed: dict[str, Any]) -> None:
        """All parts have the same columns."""
        known = self.manifest["columns"]
        if known is None:
            self.manifest["columns"] = signed
            if self.store is not None:
                self.store.write(self.manifest)
        elif known != signed:
            if self.store is not None:
                self.store.part(name).unlink(missing_ok=True)
            raise SweepError(f"{name} has columns {signed}; those before it have {known}; answer the same kinds and shapes for all points")

    def finished(self, space: Space) -> Swept:
        """What was found."""
        if self.store is None:
            first = self.columns[self.names[0]]
            whole = {column: np.concatenate([self.columns[name][column] for name in self.names]) for column in first}
            return Swept(space, self.manifest, whole, None)
        parquet = _parts.parquet().parquet
        self.manifest["rows"] = sum(parquet.read_metadata(self.store.part(name)).num_rows for name in self.names)
        self.manifest["runs"][-1]["ended"] = _now()
        self.store.write(self.manifest)
        self.store.finish()
        return Swept(space, self.manifest, {}, self.store.path)


def _kept(space: Space, keep: Optional[Sequence[str]]) -> list[str]:
    kept = space.names if keep is None else [keep] if isinstance(keep, str) else list(keep)
    unknown = [name for name in kept if name not in space.names]
    if unknown:
        raise SweepError(f"keep: no dimension `{unknown[0]}`; dimensions are {', '.join(space.names)}")
    return kept


def _chunk(chunk: Optional[int], points: int, each: str) -> int:
    """Points of a chunk: what the space says, and never the machine, so that the same sweep has the same chunks everywhere."""
    if chunk is not None:
        if not isinstance(chunk, (int, float, np.integer, np.floating)) or not 1 <= chunk < np.inf or int(chunk) != chunk:
            raise SweepError(f"chunk={chunk}; expected a whole number from 1")
        return int(chunk)
    return max(1, min(MOST["point"], -(-points // LEAST_CHUNKS))) if each == "point" else MOST["chunk"]


def _run(backend: str, workers: Optional[int]) -> dict[str, Any]:
    """Where and when it runs."""
    return {
        "backend": backend,
        "workers": workers,
        "began": _now(),
        "platform": platform.platform(),
        "machine": platform.machine(),
        "python": sys.version.split()[0],
        "numpy": np.__version__,
    }


def _now() -> str:
    return datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds")


def _called(function: Any) -> str:
    return getattr(function, "__qualname__", None) or type(function).__qualname__


def _shape_of(answer: Any) -> str:
    return f"{', '.join(map(str, answer))}" if isinstance(answer, Mapping) and answer else f"a {type(answer).__name__}"
