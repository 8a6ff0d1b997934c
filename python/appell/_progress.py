"""Progress of long work: a bar of tqdm where that is installed, otherwise a line now and then on stderr."""

from __future__ import annotations

import sys
import time
from typing import Any, Callable, Optional


class Progress:
    """Shows how far something has come, if it is `shown`."""

    def __init__(self, unit: str, *, shown: bool) -> None:
        self._unit = unit
        self._bar: Any = None
        self._next = time.monotonic() + 10.0
        #: What long calls tell how much of how much is done; None where nobody wants to know.
        self.pulse: Optional[Callable[[float, float], None]] = self._reach if shown else None

    def __enter__(self) -> Progress:
        if self.pulse is not None:
            try:
                from tqdm.auto import tqdm
            except ImportError:
                return self
            self._bar = tqdm(unit=self._unit, unit_scale=True)
        return self

    def _reach(self, done: float, of: float) -> None:
        if self._bar is not None:
            self._bar.total = of
            self._bar.update(done - self._bar.n)
        elif time.monotonic() > self._next:
            self._next = time.monotonic() + 10.0
            print(f"{done:.4g} of {of:.4g} {self._unit}", file=sys.stderr)

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()
