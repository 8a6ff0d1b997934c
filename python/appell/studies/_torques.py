"""The largest torques that a robot needs, over its workspace."""

from __future__ import annotations

from typing import Any, Mapping, Optional, Union

from .._errors import QuestionError, ShapeError
from .._numpy import ArrayLike, Numbers, np
from .._parallel import COORDINATES
from .._robot import Robot
from .._space import Bounds, Sobol, Space
from .._sweep import sweep
from . import _pictures
from ._places import answered, is_open, of, places, space_of
from ._study import Study


def worst_torques(
    robot: Robot,
    bounds: Bounds,
    *,
    acceleration: ArrayLike,
    velocity: Union[ArrayLike, None] = None,
    points: int = 1 << 14,
    seed: int = 1,
    **sweeping: Any,
) -> Study:
    """The largest torques and forces of the drives over a workspace, for all accelerations up to a given size, and velocities.

    `acceleration` and `velocity` are the largest of each component: of an open robot's velocities, or of all six of a platform's twist; one number
    stands for all. Torques are linear in accelerations, so that the worst of these is exact at every place; velocities are further dimensions
    of the space. Column ``torque``, the worst of every drive, (N, drives); NaN out of reach.

    >>> found = appell.studies.worst_torques(appell.load("two-link"), {"short": (-3, 3), "long": (-3, 3)}, acceleration=10, points=64)
    >>> found["largest torque"].shape, found.swept["torque"].shape
    ((2,), (64, 2))
    """
    most = _components(robot, acceleration, "acceleration")
    fastest = _components(robot, 0.0 if velocity is None else velocity, "velocity")
    space: Space = space_of(robot, bounds, None, points, seed)
    moving = {f"v{k}": (-float(v), float(v)) for k, v in enumerate(fastest) if v > 0}
    if moving:
        space = Sobol({**space.bounds, **moving}, points, seed)
    swept = sweep(_worst, space, given={"robot": robot, "most": most}, **sweeping)
    torque = swept["torque"]
    known = np.isfinite(torque).all(axis=1)
    if not known.any():
        raise QuestionError(f"worst_torques: {robot.name} reaches none of the places; give other bounds")
    largest = torque[known].max(axis=0)
    limits = np.array([joint["effort"] for joint in robot.joints if joint["name"] in robot.drives])
    table: dict[str, tuple[Any, str]] = {"reached": (float(known.mean()), "of the box"), "largest torque": (largest, "N m or N, by drive")}
    for name, worst, row in zip(robot.drives, largest, np.argmax(np.where(known[:, None], torque, -np.inf), axis=0)):
        at = ", ".join(f"{column} = {swept[column][row]:.4g}" for column in space.names if column in swept.names)
        table[name] = (float(worst), f"N m or N, at {at}" if at else "N m or N")
    if len(limits) == len(largest) and np.isfinite(limits).all() and (limits > 0).all():
        table["share of limits"] = (float((largest / limits).max()), "of the most loaded drive")
    table["points"] = (len(swept), "")
    lead = "The largest torques and forces of the drives, for all accelerations up to the given ones."
    return Study("Worst torques", lead, robot, swept, table, _picture)


def _components(robot: Robot, given: ArrayLike, what: str) -> Numbers:
    """The largest of each component; zero where the platform has no such degree of freedom."""
    width = robot.nv if is_open(robot) else len(COORDINATES)
    try:
        found: Numbers = np.broadcast_to(np.asarray(given, dtype=np.float64), (width,)).copy()
    except ValueError:
        raise ShapeError(f"`{what}` has shape {np.shape(given)}; expected one number, or {width}") from None
    if not (np.isfinite(found).all() and (found >= 0).all()):
        raise ShapeError(f"`{what}` is {given!r}; expected sizes from 0")
    if not is_open(robot):
        found[[k for k, name in enumerate(COORDINATES) if name not in robot.freedoms]] = 0.0
    return found


def _worst(chunk: Mapping[str, Numbers], robot: Robot, most: Numbers) -> dict[str, Any]:
    """|h| + Σ |∂τ/∂aₖ| Aₖ, of τ = h + (∂τ/∂a) a."""
    where = places(robot, chunk)
    # What a platform does in other components than its degrees of freedom follows from these.
    other = np.zeros(len(most))
    if not is_open(robot):
        other[[k for k, name in enumerate(COORDINATES) if name not in robot.freedoms]] = np.nan
    v = np.column_stack([chunk.get(f"v{k}", np.full(len(where), other[k])) for k in range(len(most))])

    def ask(here: Numbers, rows: Any) -> Numbers:
        moving = v[rows]
        still = np.tile(other, (len(here), 1))
        rest = robot.inverse_dynamics(here, moving, still, threads=1, **of(robot))
        total: Numbers = np.abs(rest)
        for k in np.flatnonzero(most):
            push = still.copy()
            push[:, k] = 1.0
            total = total + most[k] * np.abs(robot.inverse_dynamics(here, moving, push, threads=1, **of(robot)) - rest)
        return total

    torque = answered(robot, where, ask, (len(robot.drives),))
    return {"torque": torque, "worst": torque.max(axis=1)}


def _picture(study: Study) -> Any:
    return _pictures.over_two(study, "worst", "largest torque over all drives")
