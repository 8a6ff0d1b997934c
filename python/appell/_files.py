"""Files that are written whole or not at all."""

from __future__ import annotations

import os
from os import PathLike, fspath
from pathlib import Path
from typing import Union


def write_whole(path: Union[str, PathLike[str]], text: str, *, overwrite: bool = True) -> Path:
    """Writes a text file by way of a temporary one beside it; what is not a plain file, as a device, is never replaced."""
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
        temporary.write_text(text, encoding="utf-8", newline="")
        if target.exists():
            temporary.chmod(target.stat().st_mode & 0o777)
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)
    return target
