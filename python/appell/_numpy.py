"""NumPy, imported when the first array is needed: it takes several times as long as all else of `import appell`.

The modules of the package take `np` and the types of arrays from here. To a type checker these are NumPy's own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    Numbers = NDArray[np.float64]
    Flags = NDArray[np.bool_]
else:

    class _Later:
        """Gets names of NumPy, each once."""

        def __getattr__(self, name: str) -> Any:
            import numpy

            found = getattr(numpy, name)
            vars(self)[name] = found
            return found

    np = _Later()
    ArrayLike = Numbers = Flags = Any

__all__ = ["ArrayLike", "Flags", "Numbers", "np"]
