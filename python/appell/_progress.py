"""Progress of long work: a bar of tqdm where that is installed, otherwise a line now and then on stderr."""

from __future__ import annotations

import sys
import time
from typing import Any


class Progress:
    """Shows how far something has come, out of `total`."""

    def __init__(self, total: float, unit: str, shown: bool) -> None:
        self._total, self._unit, self._shown = total, unit, shown
        self._bar: Any = None
        self._next = time.monotonic() + 10.0

    def __enter__(self) -> Progress:
        if self._shown:
            try:
                from tqdm.auto import tqdm
            except ImportError:
                return self
            self._bar = tqdm(total=self._total, unit=self._unit, unit_scale=True)
        return self

    def reach(self, done: float) -> None:
        """Says how far it is."""
        if self._bar is not None:
            self._bar.update(done - self._bar.n)
        elif self._shown and time.monotonic() > self._next:
            self._next = time.monotonic() + 10.0
            print(f"{done:.4g} of {self._total:.4g} {self._unit}", file=sys.stderr)

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()
