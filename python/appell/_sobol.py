"""Sobol points, each by its index: no point needs those before it.

Direction numbers are those of Joe and Kuo (2008), new-joe-kuo-6, and the order is Gray's, so that points without a shift are those of
``scipy.stats.qmc.Sobol(scramble=False)``, which has to count its way to an index.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from ._numpy import Numbers, np

#: Bits of a number: points are multiples of 2⁻⁵².
BITS = 52

#: Low bits of an index, whose points are in a table.
LOW_BITS = 12

#: Of each dimension after the first: its primitive polynomial in binary, and its first direction numbers.
_NUMBERS = """
3 1, 7 1 3, 11 1 3 1, 13 1 1 1, 19 1 1 3 3, 25 1 3 5 13, 37 1 1 5 5 17, 41 1 1 5 5 5, 47 1 1 7 11 19, 55 1 1 5 1 1,
59 1 1 1 3 11, 61 1 3 5 5 31, 67 1 3 3 9 7 49, 91 1 1 1 15 21 21, 97 1 3 1 13 27 49, 103 1 1 1 15 7 5,
109 1 3 1 15 13 25, 115 1 1 5 5 19 61, 131 1 3 7 11 23 15 103, 137 1 3 7 13 13 15 69, 143 1 1 3 13 7 35 63,
145 1 3 5 9 1 25 53, 157 1 3 1 13 9 35 107, 167 1 3 1 5 27 61 31, 171 1 1 5 11 19 41 61, 185 1 3 5 3 3 13 69,
191 1 1 7 13 1 19 1, 193 1 3 7 5 13 19 59, 203 1 1 3 9 25 29 41, 211 1 3 5 13 23 1 55, 213 1 3 7 3 13 59 17,
229 1 3 1 3 5 53 69, 239 1 1 5 5 23 33 13, 241 1 1 7 7 1 61 123, 247 1 1 7 9 13 61 49, 253 1 3 3 5 3 55 33,
285 1 3 1 15 31 13 49 245, 299 1 3 5 15 31 59 63 97, 301 1 3 1 11 11 11 77 249, 333 1 3 1 11 27 43 71 9,
351 1 1 7 15 21 11 81 45, 355 1 3 7 3 25 31 65 79, 357 1 3 1 1 19 11 3 205, 361 1 1 5 9 19 21 29 157,
369 1 3 7 11 1 33 89 185, 391 1 3 3 3 15 9 79 71, 397 1 3 7 11 15 39 119 27, 425 1 1 3 1 11 31 97 225,
451 1 1 1 3 23 43 57 177, 463 1 3 7 7 17 17 37 71, 487 1 3 1 5 27 63 123 213, 501 1 1 3 5 11 43 53 133,
529 1 3 5 5 29 17 47 173 479, 539 1 3 3 11 3 1 109 9 69, 545 1 1 1 5 17 39 23 5 343, 557 1 3 1 5 25 15 31 103 499,
563 1 1 1 11 11 17 63 105 183, 601 1 1 5 11 9 29 97 231 363, 607 1 1 5 15 19 45 41 7 383,
617 1 3 7 7 31 19 83 137 221, 623 1 1 1 3 23 15 111 223 83, 631 1 1 5 13 31 15 55 25 161,
637 1 1 3 13 25 47 39 87 257
"""

#: Dimensions that there are.
MOST = 1 + _NUMBERS.count(",") + 1


@lru_cache(maxsize=MOST)
def _directions(dimension: int) -> tuple[int, ...]:
    """What bit j of an index turns over in the point."""
    if dimension == 0:
        return tuple(1 << (BITS - 1 - j) for j in range(BITS))
    polynomial, *first = map(int, _NUMBERS.replace("\n", " ").split(",")[dimension - 1].split())
    degree = polynomial.bit_length() - 1
    v = list(first)
    for j in range(degree, BITS):
        new = v[j - degree]
        for k in range(degree):
            if polynomial >> (degree - 1 - k) & 1:
                new ^= v[j - k - 1] << (k + 1)
        v.append(new)
    return tuple(number << (BITS - 1 - j) for j, number in enumerate(v))


def points(dimension: int, index: Any, shift: Any) -> Numbers:
    """Coordinates in [0, 1) of points by their indices; `shift`, an integer below 2⁵², is a digital shift, which keeps the points' evenness."""
    # A point is a sum modulo 2 over the bits of its index: of the low ones, which are in a table, and of those above, alike for a block of indices.
    above = index >> np.uint64(LOW_BITS)
    first, last = (int(above.min()), int(above.max())) if len(index) else (0, 0)
    if last - first > len(index):
        found = _sum(dimension, index)
    else:
        of_blocks = _sum(dimension, np.arange(first, last + 1, dtype=np.uint64) << np.uint64(LOW_BITS))
        found = _table(dimension)[index & np.uint64((1 << LOW_BITS) - 1)] ^ of_blocks[above - np.uint64(first)]
    result: Numbers = (found ^ shift).astype(np.float64) * 2.0**-BITS
    return result


@lru_cache(maxsize=MOST)
def _table(dimension: int) -> Any:
    """Points of the low bits alone."""
    return _sum(dimension, np.arange(1 << LOW_BITS, dtype=np.uint64))


def _sum(dimension: int, index: Any) -> Any:
    """What all bits of Gray's code of an index turn over."""
    gray = index ^ (index >> np.uint64(1))
    found = np.zeros(index.shape, dtype=np.uint64)
    for j, direction in enumerate(_directions(dimension)):
        bit = np.uint64(j)
        if not (gray >> bit).any():
            break
        found ^= ((gray >> bit) & np.uint64(1)) * np.uint64(direction)
    return found
