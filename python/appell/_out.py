"""Answers written into arrays of the user's: all of them, or none."""

from __future__ import annotations

from typing import Any

from ._errors import NumberError, ShapeError
from ._numpy import np


def write(answer: Any, out: Any) -> None:
    """Copies an answer, one array or a tuple of them, into `out`, which has the same form."""
    answers = answer if isinstance(answer, tuple) else (answer,)
    outs = out if isinstance(out, tuple) else (out,)
    if len(answers) != len(outs):
        raise ShapeError(f"out has {len(outs)} arrays; the answer has {len(answers)}")
    for one, into in zip(answers, outs):
        if not isinstance(into, np.ndarray):
            raise TypeError(f"out is a {type(into).__name__}; expected an array of NumPy")
        if into.shape != one.shape:
            raise ShapeError(f"out has shape {into.shape}; expected {one.shape}")
        if into.dtype not in (np.float64, np.float32):
            raise TypeError(f"out is an array of {into.dtype}; expected float64 or float32")
        if not into.flags.writeable:
            raise ValueError("out is read-only")
        if into.dtype == np.float32 and np.abs(one).max(initial=0.0) > np.finfo(np.float32).max:
            raise NumberError("out is an array of float32, for which a number of the answer is too large")
        if _overlaps_itself(into):
            raise ValueError("numbers of out share memory with each other")
    for k, into in enumerate(outs):
        if any(np.shares_memory(into, other) for other in outs[k + 1 :]):
            raise ValueError("arrays of out share memory")
    for one, into in zip(answers, outs):
        np.copyto(into, one, casting="same_kind")


def _overlaps_itself(array: Any) -> bool:
    """Whether two places of an array may be the same memory: some stride is shorter than what lies within it."""
    reach = array.itemsize
    for stride, size in sorted((abs(stride), size) for stride, size in zip(array.strides, array.shape) if size != 1):
        if stride < reach:
            return bool(array.size > 0)
        reach = stride * size
    return False
