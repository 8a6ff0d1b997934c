"""Files: texts and pictures that are written whole or not at all, and columns of CSV."""

from __future__ import annotations

import csv
import math
import os
from os import PathLike, fspath
from pathlib import Path
from typing import Union

from ._errors import RecordingError


def write_whole(path: Union[str, PathLike[str]], content: Union[str, bytes], *, overwrite: bool = True) -> Path:
    """Writes a file by way of a temporary one beside it; what is not a plain file, as a device, is never replaced."""
    target = Path(fspath(path))
    if target.is_symlink():
        target = target.resolve()
    if target.exists():
        if not target.is_file():
            raise OSError(f"{target} is not a plain file, and is not replaced")
        if not overwrite:
            raise FileExistsError(f"{target} exists; overwrite=True replaces it")
    temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        temporary.write_bytes(content.encode() if isinstance(content, str) else content)
        if target.exists():
            temporary.chmod(target.stat().st_mode & 0o777)
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)
    return target


def columns_of_csv(path: Path, data: bytes) -> list[tuple[str, list[float]]]:
    """The columns of numbers of a CSV file; one that begins with a number holds nothing else."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise RecordingError(f"{path} is not UTF-8; save it in that encoding") from None
    lines = [(k + 1, line) for k, line in enumerate(text.splitlines()) if line.strip() and not line.startswith("#")]
    if len(lines) < 2:
        raise RecordingError(f"{path} has no rows below a header")
    try:
        header, *rows = csv.reader(line for _, line in lines)
    except csv.Error as error:
        raise RecordingError(f"{path} is not CSV: {error}") from None
    columns = []
    for k, name in enumerate(header):
        column = []
        for (line, _), row in zip(lines[1:], rows):
            try:
                column.append(float(row[k]) if row[k].strip() else math.nan)  # an empty cell is no sample
            except (ValueError, IndexError):
                if all(math.isnan(x) for x in column):
                    break  # words, which nobody may need
                found = row[k] if k < len(row) else "nothing"
                raise RecordingError(f"{path}: line {line}: column `{name.strip()}` holds `{found}`; expected a number") from None
        else:
            columns.append((name.strip(), column))
    return columns
