"""Exceptions and warnings of appell; each is also one of Python's own kinds, so that plain handlers catch them."""

from __future__ import annotations


class AppellError(Exception):
    """Anything that appell refuses."""


class RobotError(AppellError, ValueError):
    """A file or a description gives no robot: every problem with its place, value and remedy."""


class QuestionError(AppellError, ValueError):
    """This robot does not answer this question, or not by this method or about this frame."""


class ShapeError(AppellError, ValueError):
    """An array has the wrong shape; the message says which was expected."""


class NumberError(AppellError, ValueError):
    """A number is NaN or infinite, or an answer would be."""


class StateError(AppellError, ArithmeticError):
    """A state has no answer: it is out of reach, against the loops, or singular."""


class RecordingError(AppellError, ValueError):
    """Recordings, or what is asked of them, give no parameters; or no motion shows what is unknown."""


class DeviceError(AppellError, RuntimeError):
    """A device, or its compiler, is not there, or fails: nothing that it was to answer is to be used."""


class AppellWarning(UserWarning):
    """Anything that appell doubts."""


class FileWarning(AppellWarning):
    """What a robot's file says is unlikely, or was left out."""


class UndecidedWarning(AppellWarning):
    """Drives do not decide in which assembly a robot with closed loops is."""


class CompilerError(AppellError, RuntimeError):
    """Generated code could not be compiled or loaded: there is no compiler, or it failed; the message has what it said."""


class SweepError(AppellError, RuntimeError):
    """A sweep cannot go on: its function fails or answers in another form than before, or its folder holds something else."""
