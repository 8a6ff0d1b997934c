"""Natural frequencies of a robot whose drives give way."""

from __future__ import annotations

from typing import Any, Mapping, Optional

from .._errors import NumberError, ShapeError
from .._numpy import ArrayLike, Numbers, np
from .._robot import Robot
from .._space import Bounds, Space
from .._sweep import sweep
from . import _pictures
from ._places import answered, is_open, of, places, space_of
from ._study import Study


def natural_frequencies(
    robot: Robot,
    bounds: Optional[Bounds] = None,
    *,
    stiffness: ArrayLike,
    space: Optional[Space] = None,
    points: int = 1 << 12,
    seed: int = 1,
    **sweeping: Any,
) -> Study:
    """Natural frequencies over a workspace, of rigid bodies on drives of a given stiffness, N m/rad or N/m, one number or one per drive.

    At rest, M ẍ + J_invᵀ K J_inv x = 0 in the robot's independent velocities, without damping and without what gravity and loads add to the stiffness.
    Column ``frequency``, Hz, ascending, (N, degrees of freedom); NaN out of reach.

    >>> arm = appell.load("two-link")
    >>> found = appell.studies.natural_frequencies(arm, {"long": (0.5, 2.5)}, stiffness=1e3, points=64)
    >>> found.swept["frequency"].shape, 0 < found["lowest"] < found["median of the lowest"]
    ((64, 2), True)
    """
    try:
        k: Numbers = np.broadcast_to(np.asarray(stiffness, dtype=np.float64), (len(robot.drives),)).copy()
    except ValueError:
        raise ShapeError(f"`stiffness` has shape {np.shape(stiffness)}; expected one number, or {len(robot.drives)}: {', '.join(robot.drives)}") from None
    if not (np.isfinite(k).all() and (k > 0).all()):
        raise NumberError(f"`stiffness` is {stiffness!r}; expected positive numbers")
    where = space_of(robot, bounds or {}, space, points, seed)
    swept = sweep(_frequencies, where, given={"robot": robot, "stiffness": k}, **sweeping)
    lowest = swept["lowest"]
    known = np.isfinite(lowest)
    at = "" if not known.any() else ", ".join(f"{name} = {swept[name][np.nanargmin(lowest)]:.4g}" for name in where.names if name in swept.names)
    table = {
        "reached": (float(known.mean()), "of the box"),
        "lowest": (float(lowest[known].min()) if known.any() else None, "Hz"),
        "lowest at": (at, ""),
        "median of the lowest": (float(np.median(lowest[known])) if known.any() else None, "Hz"),
        "highest of the lowest": (float(lowest[known].max()) if known.any() else None, "Hz"),
        "points": (len(swept), ""),
    }
    lead = "Natural frequencies at rest, of rigid bodies on drives that give way."
    return Study("Natural frequencies", lead, robot, swept, table, _picture)


def _frequencies(chunk: Mapping[str, Numbers], robot: Robot, stiffness: Numbers) -> dict[str, Any]:
    where = places(robot, chunk)
    count = len(robot.drives) if is_open(robot) else len(robot.freedoms)

    def ask(here: Numbers, _rows: Any) -> Numbers:
        """√λ / 2π of L⁻¹ K L⁻ᵀ, M = L Lᵀ."""
        m = robot.inertia_matrix(here, threads=1, **of(robot))
        k = np.diag(stiffness)
        if not is_open(robot):
            j_inv = robot.inverse_jacobian(here, threads=1, **of(robot))
            k = np.swapaxes(j_inv, 1, 2) @ k @ j_inv
        inverse = np.linalg.inv(np.linalg.cholesky(m))
        squares = np.linalg.eigvalsh(inverse @ k @ np.swapaxes(inverse, 1, 2))
        result: Numbers = np.sqrt(np.maximum(squares, 0.0)) / (2 * np.pi)
        return result

    frequency = answered(robot, where, ask, (count,))
    return {"frequency": frequency, "lowest": frequency[:, 0]}


def _picture(study: Study) -> Any:
    return _pictures.over_two(study, "lowest", "lowest natural frequency, Hz")
