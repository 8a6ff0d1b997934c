"""What a sweep found: columns with a row per point, in memory or in a folder."""

from __future__ import annotations

from os import PathLike, fspath
from pathlib import Path
from typing import Any, Iterator, Mapping, Optional, Sequence, Union

from . import _described, _parts
from ._errors import SweepError
from ._html import escape
from ._numpy import Flags, Numbers, np
from ._refine import Refine
from ._robot import Robot
from ._space import INDEX, LEVEL, Grid, Space, space_of


class Swept:
    """Answers for all points of a space: columns by name, a row per point in the order of the space; made by :func:`appell.sweep`.

    >>> found = appell.sweep(lambda chunk: {"y": chunk["x"] ** 2}, appell.Grid({"x": (0, 2)}, 5))
    >>> found
    <appell.Swept: 5 rows of index, x, y>
    >>> found["y"].tolist()
    [0.0, 0.25, 1.0, 2.25, 4.0]
    """

    def __init__(self, space: Space, manifest: Mapping[str, Any], columns: Mapping[str, Any], folder: Optional[Path]) -> None:
        #: The points.
        self.space = space
        #: What was computed, with what, where and when: the content of ``sweep.json``.
        self.manifest = manifest
        #: Where the files are; None of what is in memory.
        self.folder = folder
        self._columns = dict(columns)

    @classmethod
    def open(cls, folder: Union[str, PathLike[str]]) -> Swept:
        """A sweep that was finished before, from its folder.

        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:                    # doctest: +SKIP
        ...     made = appell.sweep(lambda chunk: {"y": chunk["x"] ** 2}, appell.Grid({"x": (0, 2)}, 5), folder=folder)
        ...     appell.Swept.open(folder)["y"].sum()
        7.5
        """
        path = Path(fspath(folder))
        manifest = _parts.read_manifest(path)
        if manifest["rows"] is None:
            raise SweepError(f"the sweep in {path} was not finished; call it again, and it goes on with what is missing")
        return cls(space_of(manifest["what"]["space"]), manifest, {}, path)

    @property
    def robots(self) -> dict[str, Robot]:
        """The robots that the function was given, made again from the manifest.

        >>> def mass(chunk, robot):
        ...     return {"m": robot.mass + 0 * chunk["x"]}
        >>> appell.sweep(mass, appell.Grid({"x": (0, 1)}, 2), given={"robot": appell.load("delta")}).robots
        {'robot': <appell.Robot Delta robot: parallel, 3 drives, 3 degrees of freedom>}
        """
        return _described.robots_in(self.manifest["what"])

    @property
    def names(self) -> list[str]:
        """Names of the columns."""
        return list(self.manifest["columns"])

    def __len__(self) -> int:
        rows = self.manifest["rows"]
        return len(next(iter(self._columns.values()))) if rows is None else int(rows)

    def __getitem__(self, name: str) -> Any:
        self._expect(name)
        if name not in self._columns:
            self._columns[name] = np.concatenate([part[name] for part in self.parts([name])])
        return self._columns[name]

    def _expect(self, name: str) -> None:
        if name not in self.names:
            raise SweepError(f"no column `{name}`; columns are {', '.join(self.names)}")

    def parts(self, names: Optional[Sequence[str]] = None) -> Iterator[dict[str, Any]]:
        """Columns part by part, in order: for what is more than memory holds. Some of them, or all.

        >>> found = appell.sweep(lambda chunk: {"y": chunk["x"] ** 2}, appell.Grid({"x": (0, 2)}, 5))
        >>> [sorted(part) for part in found.parts(["y"])]
        [['y']]
        """
        wanted = self.names if names is None else [names] if isinstance(names, str) else list(names)
        for name in wanted:
            self._expect(name)
        if self.folder is None:
            yield {name: self[name] for name in wanted}
            return
        for path in sorted((self.folder / _parts.PARTS).glob("*.parquet")):
            yield _parts.read_part(path, wanted)

    def on_grid(self, name: str) -> Any:
        """A column of a sweep over a grid, with an axis per dimension.

        >>> space = appell.Grid({"x": (0, 1), "y": (0, 1)}, {"x": 2, "y": 3})
        >>> appell.sweep(lambda chunk: {"s": chunk["x"] + chunk["y"]}, space).on_grid("s").shape
        (2, 3)
        """
        if not isinstance(self.space, Grid):
            raise SweepError(f"on_grid is for sweeps over a grid; this one is over {self.space!r}")
        values = self[name]
        return values.reshape(*self.space.shape, *values.shape[1:])

    @property
    def leaves(self) -> Flags:
        """Of a sweep that was refined: which cells were not split."""
        space = self._refined("leaves")
        return space._leaves(self[LEVEL].astype(np.int64), self[INDEX])

    @property
    def volumes(self) -> Numbers:
        """Of a sweep that was refined: the volumes of the cells."""
        return self._refined("volumes")._volumes(self[LEVEL].astype(np.int64))

    def _refined(self, what: str) -> Refine:
        if not isinstance(self.space, Refine):
            raise SweepError(f"{what} are of sweeps over appell.Refine; this one is over {self.space!r}")
        return self.space

    def to_pandas(self) -> Any:
        """A DataFrame of pandas; a column with several numbers a point becomes several, ``name.0``, ``name.1`` and so on.

        >>> found = appell.sweep(lambda chunk: {"y": chunk["x"] ** 2}, appell.Grid({"x": (0, 2)}, 5))
        >>> found.to_pandas().shape                                           # doctest: +SKIP
        (5, 3)
        """
        import pandas

        flat: dict[str, Any] = {}
        for name in self.names:
            values = self[name]
            rows = values.reshape(len(values), -1)
            flat.update({name: values} if values.ndim == 1 else {f"{name}.{k}": rows[:, k] for k in range(rows.shape[1])})
        return pandas.DataFrame(flat)

    def __repr__(self) -> str:
        where = "" if self.folder is None else f" in {self.folder.name}"
        return f"<appell.Swept{where}: {len(self)} rows of {', '.join(self.names)}>"

    def _repr_html_(self) -> str:
        few = {name: self[name][:10] for name in self.names}
        head = "".join(f"<th>{escape(name)}</th>" for name in few)
        body = "".join(
            "<tr>" + "".join(f"<td>{escape(np.array2string(values[k], precision=5))}</td>" for values in few.values()) + "</tr>"
            for k in range(min(10, len(self)))
        )
        return f"<p>{escape(repr(self)[1:-1])}</p><table><tr>{head}</tr>{body}</table>"
