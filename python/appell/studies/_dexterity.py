"""How far from singular a robot is, over its workspace."""

from __future__ import annotations

from typing import Any, Mapping, Optional

from .._numpy import Numbers, np
from .._robot import Robot
from .._space import Bounds, Space
from .._sweep import sweep
from . import _pictures
from ._places import answered, is_open, of, places, space_of
from ._study import Study


def dexterity(
    robot: Robot,
    bounds: Optional[Bounds] = None,
    *,
    space: Optional[Space] = None,
    points: int = 1 << 14,
    seed: int = 1,
    frame: Optional[str] = None,
    **sweeping: Any,
) -> Study:
    """Inverse condition numbers of the Jacobian without units over a workspace: 1 is the same in all directions, 0 is singular.

    The Jacobian is that of `frame` of an open robot, the last one if not named, and the inverse Jacobian of a robot with closed loops; a turn by
    1 rad counts as the robot's characteristic length. Column ``inverse_condition``, NaN out of reach; ``mean`` is the global conditioning index of
    Gosselin and Angeles.

    >>> found = appell.studies.dexterity(appell.load("gough-stewart"), {"x": (-0.2, 0.2), "y": (-0.2, 0.2)}, points=128)
    >>> found["reached"], 0 < found["least"] < found["mean"] < 1
    (1.0, True)
    """
    where = space_of(robot, bounds or {}, space, points, seed)
    swept = sweep(_conditions, where, given={"robot": robot, "frame": frame}, **sweeping)
    values = swept["inverse_condition"]
    known = values[np.isfinite(values)]
    at = {} if not known.size else {name: float(swept[name][np.nanargmin(values)]) for name in where.names if name in swept.names}
    least, median, mean, best = (float(of(known)) if known.size else None for of in (np.min, np.median, np.mean, np.max))
    table = {
        "reached": (known.size / len(swept), "of the box"),
        "least": (least, "inverse condition"),
        "least at": (", ".join(f"{name} = {x:.4g}" for name, x in at.items()), ""),
        "median": (median, "inverse condition"),
        "mean": (mean, "inverse condition: the global conditioning index"),
        "best": (best, "inverse condition"),
        "points": (len(swept), ""),
    }
    lead = "Inverse condition numbers of Jacobians without units: 1 is the same in all directions, 0 is singular."
    return Study("Dexterity", lead, robot, swept, table, _picture)


def _conditions(chunk: Mapping[str, Numbers], robot: Robot, frame: Optional[str]) -> dict[str, Any]:
    column = 1 if is_open(robot) else 3
    where = places(robot, chunk)

    def ask(here: Numbers, _rows: Any) -> Numbers:
        return robot.singularity(here, frame=frame, threads=1, **of(robot))[:, column]

    return {"inverse_condition": answered(robot, where, ask)}


def _picture(study: Study) -> Any:
    return _pictures.over_two(study, "inverse_condition", "inverse condition")
