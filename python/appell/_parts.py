"""The folder of a sweep: Parquet files, a part each, and the manifest that says what they are. A file is there whole or not at all."""

from __future__ import annotations

import json
import os
import socket
import threading
from pathlib import Path
from typing import Any, Mapping, Optional

from ._errors import SweepError
from ._files import write_whole
from ._numpy import np

MANIFEST = "sweep.json"

#: Where the parts are: tools that read a folder of Parquet files are given this one.
PARTS = "parts"

#: The key under which a part says of which sweep it is, and a column which shape a point's numbers have.
OF, SHAPE = b"appell.sweep", b"appell.shape"

#: Kinds of numbers that a column can have.
KINDS = "biuf"


def parquet() -> Any:
    """pyarrow, or how to get it."""
    try:
        import pyarrow.parquet
    except ImportError:
        raise ImportError("a sweep in a folder needs the package pyarrow: pip install 'appell[sweep]'; without folder= it stays in memory") from None
    return pyarrow


def write_part(path: Path, columns: Mapping[str, Any], of: str) -> None:
    """Writes a part by way of a temporary file beside it."""
    pa = parquet()
    arrays, fields = [], []
    for name, values in columns.items():
        array = np.ascontiguousarray(values)
        numbers = pa.array(array.reshape(-1))
        if array.ndim > 1:
            width = int(np.prod(array.shape[1:]))
            numbers = pa.FixedSizeListArray.from_arrays(numbers, width)
        shape = {SHAPE: json.dumps(list(array.shape[1:])).encode()}
        arrays.append(numbers)
        fields.append(pa.field(name, numbers.type, metadata=shape))
    table = pa.Table.from_arrays(arrays, schema=pa.schema(fields, metadata={OF: of.encode()}))
    # Another process, and another machine, may write the same part.
    temporary = path.with_name(f".{path.name}.{socket.gethostname()}.{os.getpid()}.{threading.get_ident()}.tmp")
    try:
        pa.parquet.write_table(table, temporary, compression="zstd")
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def read_part(path: Path, names: Optional[list[str]] = None) -> dict[str, Any]:
    """Columns of a part."""
    pa = parquet()
    try:
        table = pa.parquet.read_table(path, columns=names, partitioning=None)
    except (OSError, pa.ArrowException) as error:
        raise SweepError(f"{path} cannot be read: {str(error).splitlines()[0]}; the same sweep into this folder computes it again") from error
    result = {}
    for field, column in zip(table.schema, table.columns):
        shape = json.loads((field.metadata or {}).get(SHAPE, b"[]"))
        whole = column.combine_chunks()
        if shape:
            whole = (whole if isinstance(whole, pa.Array) else whole.chunk(0)).flatten()
        result[field.name] = whole.to_numpy(zero_copy_only=False).reshape(len(table), *shape)
    return result


def is_part(path: Path, of: str, rows: Optional[int]) -> bool:
    """Whether a part is there, whole, of this sweep, and has so many rows."""
    pa = parquet()
    try:
        schema = pa.parquet.read_schema(path)
        count = pa.parquet.read_metadata(path).num_rows
    except (OSError, pa.ArrowInvalid):
        return False
    return (schema.metadata or {}).get(OF) == of.encode() and (rows is None or rows == count)


def signature(columns: Mapping[str, Any]) -> dict[str, Any]:
    """Names, kinds and shapes of columns, which all parts have alike."""
    return {name: [str(values.dtype), list(values.shape[1:])] for name, values in columns.items()}


def signature_of_part(path: Path) -> dict[str, Any]:
    """The same of a part that was written."""
    few = parquet().parquet.read_schema(path).empty_table()
    return signature({field.name: np.zeros((0, *json.loads(field.metadata[SHAPE])), dtype=_dtype(field.type)) for field in few.schema})


def _dtype(type: Any) -> Any:
    inner = getattr(type, "value_type", type)
    return inner.to_pandas_dtype()


class Folder:
    """The folder of one sweep."""

    def __init__(self, path: Path, of: str) -> None:
        self.path = path
        self.of = of

    def part(self, name: str) -> Path:
        """Where a part is, or will be."""
        return self.path / PARTS / f"{name}.parquet"

    def open(self, manifest: dict[str, Any]) -> None:
        """Makes the folder, or finds the same sweep in it; another one is refused."""
        parquet()
        there = self.path / MANIFEST
        if there.exists():
            found = read_manifest(self.path)
            if found["identity"] != self.of:
                raise SweepError(f"{self.path} holds another sweep: {_difference(found['what'], manifest['what'])}; give another folder, or delete this one")
            manifest["runs"] = [*found["runs"], *manifest["runs"]]
            manifest["columns"] = found.get("columns")
        elif self.path.exists() and any(self.path.iterdir()):
            raise SweepError(f"{self.path} holds files and no sweep; give a folder that is empty, or is not there")
        (self.path / PARTS).mkdir(parents=True, exist_ok=True)
        self.write(manifest)

    def write(self, manifest: Mapping[str, Any]) -> None:
        """Writes the manifest."""
        write_whole(self.path / MANIFEST, json.dumps(manifest, indent=1, ensure_ascii=False) + "\n")

    def finish(self) -> None:
        """Removes what writers that were stopped left behind."""
        for path in (self.path / PARTS).glob(".*.tmp"):
            path.unlink(missing_ok=True)


def read_manifest(path: Path) -> dict[str, Any]:
    """What a folder says of its sweep."""
    try:
        found: dict[str, Any] = json.loads((path / MANIFEST).read_text(encoding="utf-8"))
        found["identity"], found["what"], found["runs"]
    except FileNotFoundError:
        raise SweepError(f"{path} holds no sweep: it has no {MANIFEST}") from None
    except (ValueError, KeyError, TypeError) as error:
        raise SweepError(f"{path / MANIFEST} is no manifest of a sweep: {error}") from None
    return found


def _difference(there: Any, here: Any) -> str:
    """What differs between two sweeps, by the first keys that do."""
    keys = [key for key in {**there, **here} if there.get(key) != here.get(key)]

    def short(one: Any) -> str:
        text = json.dumps(one, ensure_ascii=False)
        return text if len(text) < 120 else text[:117] + "…"

    return "; ".join(f"its {key} is {short(there.get(key))} and not {short(here.get(key))}" for key in keys)
