"""Errors of the pose where joints are not quite where they should be."""

from __future__ import annotations

import math
from typing import Any, Mapping, Optional, Sequence

from .._errors import NumberError, QuestionError
from .._numpy import Numbers, np
from .._parallel import _pose
from .._plot import finished, pyplot
from .._robot import Robot
from .._space import Random
from .._sweep import sweep
from . import _pictures
from ._places import is_open, of
from ._study import Study

AXES = "xyz"


def tolerances(
    robot: Robot,
    size: float = 50e-6,
    *,
    at: Any = None,
    joints: Optional[Sequence[str]] = None,
    points: int = 100_000,
    seed: int = 1,
    **sweeping: Any,
) -> Study:
    """Errors of the platform's pose, or of the last frame of an open robot, of many robots whose joints are off by up to ± `size` m in x, y and z.

    `at` is the pose, or are positions of an open robot's joints; home if not given. `joints` are those that are off, closing joints included; if not
    given all, of those in one place the first. The drives are where they should be. Columns: ``error``, x y z (m) and three turns
    (rad) about axes of the base; ``position`` (m) and ``attitude`` (rad), their sizes. Offsets are independent and even, and only stored where `keep` says so.

    The errors are those of first order, by virtual work: what a joint transmits of a unit force on the platform is how far its offset moves
    the platform along that force. What is left out is of the size of `size` squared over the length of a link.

    >>> found = appell.studies.tolerances(appell.load("gough-stewart"), 50e-6, points=1000)
    >>> 20e-6 < found["position, 95 %"] < found["position, at worst"] < 1e-3
    True
    """
    if not 0 < size < math.inf:
        raise NumberError(f"`size` is {size}; expected a positive number of metres")
    names, influence = influences(robot, at)
    chosen = _apart(robot, at, names) if joints is None else list(joints)
    unknown = [name for name in chosen if name not in names]
    if unknown:
        raise QuestionError(f"no joint `{unknown[0]}`; joints are {', '.join(names)}")
    matrix = np.concatenate([influence[:, 3 * names.index(name) : 3 * names.index(name) + 3] for name in chosen], axis=1)
    space = Random({f"{name}.{axis}": (-size, size) for name in chosen for axis in AXES}, points, seed)
    sweeping = {"keep": (), **sweeping}
    swept = sweep(_errors, space, given={"robot": robot, "matrix": matrix}, **sweeping)
    table: dict[str, tuple[Any, str]] = {}
    for what, rows, unit in (("position", matrix[:3], "m"), ("attitude", matrix[3:], "rad")):
        if not rows.any():
            continue  # offsets turn nothing of an open robot
        values = swept[what]
        table[f"{what}, rms"] = (float(np.sqrt((values**2).mean())), unit)
        for share in (0.5, 0.95, 0.997):
            table[f"{what}, {100 * share:g} %"] = (float(np.quantile(values, share)), unit)
        table[f"{what}, largest"] = (float(values.max()), unit)
        table[f"{what}, at worst"] = (size * _at_worst(rows), f"{unit}, no robot within ± {size:g} m is worse")
    for name, part in sorted(zip(chosen, np.split(matrix, len(chosen), axis=1)), key=lambda pair: -float(np.linalg.norm(pair[1][:3])))[:3]:
        table[f"influence of {name}"] = (float(np.linalg.norm(part[:3], 2)), "m/m, on the position")
    table["robots"] = (len(swept), "")
    lead = f"Errors of the pose of {len(swept)} robots with {len(chosen)} joints off by up to ± {1e6 * size:g} µm in x, y and z."
    return Study("Tolerances", lead, robot, swept, table, _picture)


def influences(robot: Robot, at: Any = None) -> tuple[list[str], Numbers]:
    """How far an offset of each joint, in its own axes, moves the platform: joints with closing joints, (6, 3 per joint).

    A joint is off where what it carries is displaced from where it should be.
    """
    where, frame = _place(robot, at)
    names = list(dict.fromkeys(column.rsplit(".", 1)[0] for column in robot.columns("reactions")))
    rest = np.asarray(robot.reactions(where, **of(robot))).reshape(-1, 6)
    rows = []
    for unit in np.eye(6):
        loaded = np.asarray(robot.reactions(where, external={frame: unit}, **of(robot))).reshape(-1, 6)
        # A joint transmits what holds the body against the force on it.
        rows.append(-(loaded - rest)[:, :3].ravel())
    return names, np.array(rows)


def _place(robot: Robot, at: Any) -> tuple[Any, str]:
    if is_open(robot):
        return (robot.neutral if at is None else np.asarray(at, dtype=np.float64)), robot.frame_names[-1]
    if robot.home_numbers is None:
        raise QuestionError(f'tolerances: {robot.name} has no platform; name its output: robot.with_output("FRAME")')
    return np.array(_pose(robot, robot.home if at is None else at, "at")), "platform"


def _apart(robot: Robot, at: Any, names: Sequence[str]) -> list[str]:
    """Joints, of those in one place the first; slides along their axis are what drives or legs are, and stay."""
    where, _ = _place(robot, at)
    found = robot._skeleton(None, None) if not is_open(robot) else robot._skeleton([float(x) for x in where], None)
    places = {joint[0]: np.asarray(joint[2]) for joint in found["joints"]}
    for name, (first, _second) in found["closures"]:
        places[name] = np.asarray(first[1])
    slides = {joint["name"] for joint in robot.joints if joint["kind"] == "prismatic"}
    chosen: list[str] = []
    for name in names:
        if name in places and name not in slides and all(np.linalg.norm(places[name] - places[other]) > 1e-9 for other in chosen):
            chosen.append(name)
    return chosen


def _errors(chunk: Mapping[str, Numbers], robot: Robot, matrix: Numbers) -> dict[str, Any]:
    del robot  # of which the manifest tells
    # Not by BLAS, whose sums depend on its threads.
    error = np.einsum("nk,ik->ni", np.column_stack(list(chunk.values())), matrix)
    return {"error": error, "position": np.linalg.norm(error[:, :3], axis=1), "attitude": np.linalg.norm(error[:, 3:], axis=1)}


def _at_worst(rows: Numbers) -> float:
    """A bound of |rows x| over |xₖ| ≤ 1: the root of the squared sums of sizes, of each axis."""
    return float(np.linalg.norm(np.abs(rows).sum(axis=1)))


def _picture(study: Study) -> Any:
    figure, axes = pyplot().subplots(1, 2, figsize=(10.0, 4.0), layout="constrained")
    for axis, what, scale, unit in ((axes[0], "position", 1e6, "µm"), (axes[1], "attitude", 1e6, "µrad")):
        if f"{what}, rms" not in study.table:
            continue
        marks = [(scale * study[f"{what}, {share} %"], f"{share} %") for share in ("50", "95", "99.7")]
        _pictures.distribution(axis, scale * study.swept[what], f"error of {what}, {unit}", marks)
    figure.suptitle(f"{study.title}: {study.robot.name}")
    return finished(figure)
