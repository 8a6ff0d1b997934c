"""The workspace in up to six dimensions, without singularities."""

from __future__ import annotations

import math
from typing import Any, Mapping, Optional

from .._errors import QuestionError
from .._numpy import Numbers, np
from .._refine import Refine
from .._robot import Robot
from .._space import Bounds, Space
from .._sweep import sweep
from . import _pictures
from ._places import is_open, places, space_of
from ._study import Study


def workspace(
    robot: Robot,
    bounds: Optional[Bounds] = None,
    *,
    space: Optional[Space] = None,
    points: int = 1 << 14,
    seed: int = 1,
    threshold: float = 1e-3,
    **sweeping: Any,
) -> Study:
    """Which share of a box of poses a robot with closed loops can work in.

    Columns: ``reachable``; ``within_limits`` of the joints; ``same_side``, det J_inv has the sign that it has at home; distances ``type1`` and ``type2``
    to singularities; and ``good``: all of that, no nearer than `threshold` to a singularity. With ``space=appell.Refine(bounds, cells, depth, by="good")``
    the border is refined, and ``uncertain`` is the share of cells at it; otherwise the standard error of so many independent points, which Sobol's
    points stay below.

    >>> found = appell.studies.workspace(appell.load("gough-stewart"), {"x": (-0.4, 0.4), "y": (-0.4, 0.4), "yaw": (-2, 2)}, points=512)
    >>> found["share"] < found["reachable"], found["uncertain"] < 0.03
    (True, True)
    """
    if is_open(robot):
        raise QuestionError(f"workspace: {robot.name} has no closed loops; studies.dexterity(robot, …) maps open ones")
    where = space_of(robot, bounds or {}, space, points, seed)
    swept = sweep(_looked, where, given={"robot": robot, "threshold": float(threshold)}, **sweeping)
    weights = swept.volumes * swept.leaves if isinstance(where, Refine) else np.full(len(swept), where.size / len(swept))
    weights = weights / weights.sum()

    def share(column: str) -> float:
        return float(weights @ swept[column])

    good = share("good")
    # Leaves of the last level lie at the border: they may be split between both sides.
    last = swept["level"] == where.depth if isinstance(where, Refine) else None
    uncertain = math.sqrt(max(good * (1 - good), 1 / len(swept)) / len(swept)) if last is None else float(weights @ last)
    of_good = {kind: swept[kind][swept["good"]] for kind in ("type1", "type2")}
    least = {kind: float(values.min()) if values.size else None for kind, values in of_good.items()}
    table = {
        "share": (good, "of the box"),
        "uncertain": (uncertain, "of the box"),
        "volume": (good * where.size, _unit(where.bounds)),
        "reachable": (share("reachable"), "of the box"),
        "within limits": (share("within_limits"), "of the box"),
        "same side as home": (share("same_side"), "of the box"),
        "least distance to Type 1": (least["type1"], "inverse condition, where it is good"),
        "least distance to Type 2": (least["type2"], "inverse condition, where it is good"),
        "points": (len(swept), ""),
    }
    lead = f"Where the platform can be, within limits, on the side of home and no nearer than {threshold:g} to a singularity."
    return Study("Workspace", lead, robot, swept, table, _picture)


def _looked(chunk: Mapping[str, Numbers], robot: Robot, threshold: float) -> dict[str, Any]:
    found = robot.reach(places(robot, chunk), threads=1)
    with np.errstate(invalid="ignore"):
        is_far = (found.type1 > threshold) & (found.type2 > threshold)
    return {
        "reachable": found.reachable,
        "within_limits": found.within_limits,
        "same_side": found.same_side,
        "type1": found.type1,
        "type2": found.type2,
        "good": found.within_limits & found.same_side & is_far,
    }


def _unit(bounds: Mapping[str, Any]) -> str:
    """Of a volume."""
    lengths = sum(name in ("x", "y", "z") for name in bounds)
    angles = len(bounds) - lengths
    return " ".join([f"m{'²³'[lengths - 2] if lengths > 1 else ''}"] * bool(lengths) + [f"rad{'²³'[angles - 2] if angles > 1 else ''}"] * bool(angles))


def _picture(study: Study) -> Any:
    return _pictures.over_two(study, "good", "share of good poses")
