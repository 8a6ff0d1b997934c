"""Robot dynamics for serial and parallel robots.

>>> import appell, numpy as np
>>> robot = appell.load("puma560")                       # a built-in robot, or a file: URDF, TOML, MJCF, SDF, …
>>> tau = robot.inverse_dynamics(np.zeros(6), np.zeros(6), np.zeros(6))
>>> M = robot.inertia_matrix(np.zeros((1000, 6)))        # batches by shape, on all cores
>>> M.shape
(1000, 6, 6)
>>> stewart = appell.load("gough-stewart")               # parallel robots by the same calls
>>> forces = stewart.inverse_dynamics(stewart.home)      # from the pose of its platform
>>> bool((forces > 0).all())
True

SI units and radians; τ = M(q) q̈ + C(q, q̇) + G(q) + friction; where six numbers stand for a motion, linear first; quaternions
are x, y, z, w.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._appell import DeviceArray, Solver, __version__, describe_device
from ._appell import questions as _questions
from ._errors import (
    AppellError,
    AppellWarning,
    CompilerError,
    DeviceError,
    FileWarning,
    NumberError,
    QuestionError,
    RecordingError,
    RobotError,
    ShapeError,
    StateError,
    SweepError,
    UndecidedWarning,
)
from ._codegen import Compiled, Generated
from ._crossings import Crossing
from ._parallel import Assemblies, Assembly, Reach, Singularities, SingularityMap
from ._parameter_sweep import ParameterSweep
from ._plot import Drawing
from ._robot import Robot, check, load
from ._robot import builtin as robots
from ._rolling import RolloutGradient, Rollouts

if TYPE_CHECKING:
    from . import rollouts, studies, trajectory
    from ._builder import Builder
    from ._excitation import Excitation, excite
    from ._identification import Identified, identify
    from ._refine import Refine
    from ._simulation import Run, simulate
    from ._space import Grid, LatinHypercube, Points, Random, Sobol
    from ._sweep import sweep
    from ._swept import Swept
    from ._view import View

#: What is imported when it is asked for first: a program that needs torques alone starts sooner.
_LATER = {
    "Builder": "_builder",
    "Excitation": "_excitation",
    "excite": "_excitation",
    "Grid": "_space",
    "Identified": "_identification",
    "identify": "_identification",
    "LatinHypercube": "_space",
    "Points": "_space",
    "Random": "_space",
    "Refine": "_refine",
    "rollouts": "rollouts",
    "Run": "_simulation",
    "simulate": "_simulation",
    "Sobol": "_space",
    "studies": "studies",
    "sweep": "_sweep",
    "Swept": "_swept",
    "trajectory": "trajectory",
    "View": "_view",
}

__all__ = [
    "AppellError",
    "AppellWarning",
    "Assemblies",
    "Assembly",
    "Builder",
    "Compiled",
    "Crossing",
    "CompilerError",
    "DeviceArray",
    "DeviceError",
    "Drawing",
    "Excitation",
    "FileWarning",
    "Generated",
    "Grid",
    "Identified",
    "LatinHypercube",
    "NumberError",
    "ParameterSweep",
    "Points",
    "QuestionError",
    "Random",
    "Reach",
    "RecordingError",
    "Refine",
    "Robot",
    "RobotError",
    "RolloutGradient",
    "Rollouts",
    "Run",
    "ShapeError",
    "Singularities",
    "SingularityMap",
    "Sobol",
    "Solver",
    "StateError",
    "SweepError",
    "Swept",
    "UndecidedWarning",
    "View",
    "__version__",
    "check",
    "describe_device",
    "excite",
    "identify",
    "load",
    "questions",
    "robots",
    "rollouts",
    "simulate",
    "studies",
    "sweep",
    "trajectory",
]


def questions() -> dict[str, str]:
    """The questions that robots answer, each with what it is; a method of :class:`Robot` per question.

    >>> appell.questions()["gravity"]
    'joint forces that hold the robot against gravity'
    """
    return {name: summary for name, summary, _ in _questions()}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'appell' has no attribute '{name}'")
    import importlib

    module = importlib.import_module(f".{_LATER[name]}", __name__)
    globals()[name] = module if _LATER[name] == name else getattr(module, name)
    return globals()[name]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
