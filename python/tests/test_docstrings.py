"""Docstrings: all there is has one, and their examples are true."""

from __future__ import annotations

import doctest
import inspect
from typing import Any

import numpy as np
import pytest

import appell


def documented() -> list[tuple[str, Any]]:
    """Everything public with a docstring: the module, its functions and classes, their methods and getters."""
    found: list[tuple[str, Any]] = [("appell", appell), ("studies", appell.studies), ("rollouts", appell.rollouts)]
    public = [(name, getattr(appell, name)) for name in appell.__all__]
    public += [(f"studies.{name}", getattr(appell.studies, name)) for name in appell.studies.__all__]
    public += [(f"rollouts.{name}", getattr(appell.rollouts, name)) for name in appell.rollouts.__all__]
    for name, thing in public:
        if not (inspect.isclass(thing) or callable(thing)):
            continue
        found.append((name, thing))
        if inspect.isclass(thing) and not issubclass(thing, BaseException):
            for cls in reversed(thing.__mro__[:-1]):
                found += [(f"{name}.{key}", value) for key, value in vars(cls).items() if not key.startswith("_")]
    return found


DOCUMENTED = documented()


@pytest.mark.parametrize("name", [name for name, thing in DOCUMENTED if ">>>" in (getattr(thing, "__doc__", None) or "")])
def test_examples_of_docstrings(name: str) -> None:
    doc = dict(DOCUMENTED)[name].__doc__
    test = doctest.DocTestParser().get_doctest(doc, {"appell": appell, "np": np}, name, None, 0)
    assert test.examples
    shown: list[str] = []
    failed, tried = doctest.DocTestRunner(verbose=False).run(test, out=shown.append)
    skipped = sum(doctest.SKIP in example.options for example in test.examples)  # pictures, and what needs a compiler
    assert tried + skipped == len(test.examples) and failed == 0, "".join(shown)


def test_everything_public_is_documented() -> None:
    plain = (str, int, float, list, dict, tuple, type(None))
    bare = [name for name, thing in DOCUMENTED if not isinstance(thing, plain) and not (getattr(thing, "__doc__", None) or "").strip()]
    assert bare == []


def test_everything_that_is_called_has_an_example() -> None:
    of_trajectory = [(name, getattr(appell.trajectory, name)) for name in appell.trajectory.__all__]
    called = [(name, thing) for name, thing in DOCUMENTED + of_trajectory if callable(thing) and not inspect.isdatadescriptor(thing)]
    errors = [name for name, thing in called if inspect.isclass(thing) and issubclass(thing, BaseException)]
    without = [name for name, thing in called if name not in errors and ">>>" not in (thing.__doc__ or "")]
    assert without == []
