"""What was computed, as numbers and texts: functions by their source, robots by their files; so that it can be told from another, and repeated."""

from __future__ import annotations

import hashlib
import inspect
from functools import partial
from typing import Any, Callable, Mapping

from ._errors import SweepError
from ._numpy import np
from ._robot import Robot

#: Numbers of an array that are written out; of more there is the digest alone.
MOST_WRITTEN = 1000


def digest(data: bytes) -> str:
    """Bytes in short."""
    return hashlib.sha256(data).hexdigest()


def function(given: Callable[..., Any]) -> dict[str, Any]:
    """A function by its module, name and source, with what it has bound to it."""
    if isinstance(given, partial):
        return {**function(given.func), "arguments": value(list(given.args), "arguments"), "keywords": value(given.keywords, "keywords")}
    bound: Any = getattr(given, "__self__", None)
    plain: Any = inspect.unwrap(getattr(given, "__func__", given))
    if not hasattr(plain, "__qualname__"):  # an object that can be called
        bound, plain = given, type(given).__call__
    found = {"module": plain.__module__, "name": plain.__qualname__, "sha256": _source(plain)}
    if cells := getattr(plain, "__closure__", None):
        inside = {name: cell.cell_contents for name, cell in zip(plain.__code__.co_freevars, cells)}
        found["closure"] = value(inside, f"what {plain.__qualname__} encloses")
    if bound is not None and not inspect.ismodule(bound):
        what = f"the object of {plain.__qualname__}"
        found["self"] = _pickled(bound, what) if bound is given else value(bound, what)
    return found


def _source(plain: Any) -> str:
    """The digest of a function's text, or of its code where nobody has the text."""
    try:
        return digest(inspect.getsource(plain).encode())
    except (OSError, TypeError):
        code = getattr(plain, "__code__", None)
        return digest(repr(plain).encode() if code is None else _code(code))


def _code(code: Any) -> bytes:
    """Instructions and constants, without line numbers and file names."""
    constants = b"".join(_code(one) if inspect.iscode(one) else repr(one).encode() for one in code.co_consts)
    return bytes(code.co_code) + constants + " ".join(code.co_names).encode()


def value(given: Any, what: str) -> Any:
    """Something that a function was given, as JSON holds it."""
    if given is None or isinstance(given, (bool, int, float, str)):
        return given
    if isinstance(given, Robot):
        return {"robot": robot(given)}
    if isinstance(given, np.generic):
        return given.item()
    if isinstance(given, np.ndarray):
        array = np.ascontiguousarray(given)
        if array.dtype.kind in "biuf" and array.size <= MOST_WRITTEN:
            return {"array": array.tolist(), "dtype": str(array.dtype)}
        return {"shape": list(array.shape), "dtype": str(array.dtype), "sha256": digest(array.tobytes())}
    if isinstance(given, Mapping):
        return {str(key): value(inner, f"`{key}` of {what}") for key, inner in given.items()}
    if isinstance(given, (list, tuple)):
        return [value(inner, f"number {k} of {what}") for k, inner in enumerate(given)]
    if callable(given):
        return {"function": function(given)}
    return _pickled(given, what)


def _pickled(given: Any, what: str) -> dict[str, Any]:
    """An object of any type, by its type and the digest of its state."""
    import pickle

    try:
        state = pickle.dumps(given, protocol=4)
    except Exception as error:
        raise SweepError(
            f"{what} is a {type(given).__name__}, which cannot be written down: {error}; give numbers, texts, arrays or robots by given={{…}}"
        ) from error
    return {"type": f"{type(given).__module__}.{type(given).__qualname__}", "sha256": digest(state)}


def robot(given: Robot) -> dict[str, Any]:
    """A robot by the text of its file and what was changed since."""
    source = given._source
    return {**source, "changes": [[name, value(keywords, name)] for name, keywords in source["changes"]]}


def robot_of(described: Mapping[str, Any]) -> Robot:
    """The robot that :func:`robot` described."""
    changes = tuple((name, dict(keywords)) for name, keywords in described["changes"])
    return Robot._made(**{**described, "changes": changes})


def robots_in(described: Any, name: str = "robot") -> dict[str, Robot]:
    """All robots of a manifest, by where they stand in it."""
    if isinstance(described, Mapping):
        if set(described) == {"robot"} and isinstance(described["robot"], Mapping) and "text" in described["robot"]:
            return {name: robot_of(described["robot"])}
        pairs = described.items()
    elif isinstance(described, list):
        pairs = {str(k): inner for k, inner in enumerate(described)}.items()
    else:
        return {}
    found: dict[str, Robot] = {}
    for key, inner in pairs:
        found.update(robots_in(inner, str(key)))
    return found
