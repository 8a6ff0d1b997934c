"""A proof that a box of poses has no singularity in it: J_inv is bounded over cells, and every matrix within the bounds is regular."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Mapping, Optional, Sequence

from .._errors import NumberError, QuestionError
from .._numpy import Numbers, np
from .._parallel import COORDINATES
from .._plot import finished, pyplot
from .._robot import Robot
from .._space import Bounds, Points
from .._sweep import sweep
from .._swept import Swept
from . import _intervals
from ._intervals import MIDDLE, SLOPES, WHOLE, Boxes
from ._places import OF_POSE, is_open, places
from ._places import coordinates as _coordinates
from ._straight import straight_legs
from ._study import Study

#: What is known of a cell: there is no singularity in it; there is one in the box, or it cannot be reached; nothing.
PROVED, REFUTED, UNKNOWN = 1, -1, 0

#: Cells of a chunk: all numbers of the generated code are kept until it ends.
CHUNK = 256

#: Rounding of sums and products, relative, with room.
ROUNDING = 2.0**-46


class Certificate(Study):
    """Cells of a box of poses, of which each is proved to have no singularity in it, refuted, or unknown; see :func:`appell.studies.certificate`.

    >>> found = appell.studies.certificate(appell.load("five-bar"), {"x": (-0.1, 0.1), "y": (0.3, 0.4)})
    >>> found.holds, found["proved"]
    (True, 1.0)
    """

    @property
    def holds(self) -> bool:
        """Whether it is proved that the box has no singularity in it."""
        return bool((self.swept["state"] == PROVED).all())


def certificate(
    robot: Robot, bounds: Bounds, *, cells: int = 20_000, until_refuted: bool = True, folder: Any = None, **sweeping: Any
) -> Certificate:
    """Proves that a robot with closed loops has no singularity of Type 1 or 2 in a box of poses, or shows where it has one.

    The inverse Jacobian is bounded over cells of the box by intervals with derivatives, rounded outward: of legs that are driven slides
    from a point of the base to one of the platform by their lines, d and (R b) × d, otherwise from the code that :meth:`appell.Robot.generate` writes. A cell is **proved** where every matrix within the bounds is finite and regular (‖C J − 1‖ < 1 in some
    norm); **refuted** where its middle is out of reach, or det J_inv certainly has another sign there than in the middle of the box; else it is
    split in two along the coordinate that matters most, until there are `cells` of them, and what is left is **unknown**. The proof is one for the equations
    with the robot's numbers as they are, and rests on square roots and sums of this machine being rounded as IEEE 754 says.

    `bounds` name coordinates in which the platform can move; the others stay as at home. ``until_refuted=False`` goes on after a cell was
    refuted. Columns of the cells that are left, which together are the box: ``x.low``, ``x.high`` and so on, and ``state``, 1, -1 or 0: who repeats
    the sweep checks the proof.

    >>> found = appell.studies.certificate(appell.load("gough-stewart"), {"x": (-0.02, 0.02), "roll": (-0.02, 0.02), "yaw": (-0.05, 0.05)})
    >>> found.holds
    True
    """
    names = _checked(robot, bounds)
    if cells < 1:
        raise NumberError(f"`cells` is {cells}; expected a positive number")
    given = {"robot": robot, "names": names, "middle": [float(np.mean(bounds[name])) for name in names]}
    done: list[Numbers] = []
    open_ = np.array([[bounds[name][0] for name in names], [bounds[name][1] for name in names]], dtype=np.float64)[:, :, None]
    count = 0
    while open_.shape[2]:
        found = _look(names, open_, given, sweeping)
        state, along = found["state"], found["along"]
        done.append(open_[:, :, state != UNKNOWN])
        count += done[-1].shape[2]
        unknown, along = open_[:, :, state == UNKNOWN], along[state == UNKNOWN]
        is_over = until_refuted and (state == REFUTED).any()
        if is_over or count + 2 * unknown.shape[2] > cells:
            done.append(unknown)
            break
        open_ = _halves(unknown, along)
    left = np.concatenate(done, axis=2)
    swept = _look(names, left, given, {**sweeping, "folder": folder})
    return Certificate("Certificate", _lead(names, bounds), robot, swept, _table(names, left, swept), _picture)


def _checked(robot: Robot, bounds: Bounds) -> list[str]:
    """Names of the box's coordinates, if bounds over it can be had."""
    if is_open(robot):
        raise QuestionError(f"certificate: {robot.name} has no closed loops; studies.dexterity(robot, …) looks at open ones")
    _coordinates(robot)
    free = [COORDINATES[name] for name in robot.freedoms if name in COORDINATES]
    if len(free) != len(robot.freedoms) or len(robot.drives) != len(free):
        raise QuestionError(f"certificate: {robot.name} has {len(robot.drives)} drives for {', '.join(robot.freedoms)}; it is for as many drives as free coordinates of a platform")
    for name, ends in bounds.items():
        if name not in free:
            raise QuestionError(f"certificate: {name} is not a degree of freedom of {robot.name}; choose of {', '.join(free)}")
        low, high = ends
        if not (np.isfinite([low, high]).all() and low < high):
            raise NumberError(f"`{name}` from {low} to {high} is no range; give finite numbers, the lower first")
        if name not in OF_POSE[:3] and max(abs(low), abs(high)) > 3.0:
            raise NumberError(f"`{name}` from {low} to {high}: turns up to 3 rad can be bounded")
    if not bounds:
        raise NumberError("a box without coordinates; give bounds by name, {'x': (-0.1, 0.1)}")
    # Where other coordinates give way, the pose of a cell is none of the robot's.
    corners = Points({name: [low, high] for name, (low, high) in bounds.items()}).points()
    at_corners = places(robot, corners)
    if (robot.reach(at_corners).reachable & ~_reached(robot, at_corners)).any():
        raise QuestionError(f"certificate: other coordinates of {robot.name} give way where {', '.join(bounds)} change; it is for platforms that do not")
    try:
        # A point of the box, to see whether bounds of the code are known.
        middle = [float(np.mean(bounds[name])) for name in bounds]
        with np.errstate(all="ignore"):
            _regularity(robot, list(bounds), np.repeat(np.array(middle)[None, :, None], 2, axis=0))
    except QuestionError as error:
        raise QuestionError(f"certificate: {robot.name}: {error}") from error
    return list(bounds)


@lru_cache(maxsize=16)
def _code(robot: Robot) -> Any:
    """A function of the pose's seven numbers that gives J_inv row by row, each perhaps by a positive factor."""
    if (found := straight_legs(robot)) is not None:
        return found
    generated = robot.generate("inverse-jacobian", "python")
    read = [argument.name for argument in generated.arguments]
    if read != ["pose"]:
        raise QuestionError(f"certificate: legs of {robot.name} have no closed form of the pose alone: the inverse Jacobian reads {', '.join(read)}")
    return _intervals.loaded(generated.text, generated.function)


def _look(names: Sequence[str], cells: Numbers, given: Mapping[str, Any], sweeping: Mapping[str, Any]) -> Swept:
    """What is known of cells, lower and upper ends by coordinate: (2, coordinates, N)."""
    columns = {f"{name}.{end}": cells[side, k] for k, name in enumerate(names) for side, end in enumerate(("low", "high"))}
    return sweep(_judged, Points(columns), given=given, **{"chunk": CHUNK, **sweeping})


def _judged(chunk: Mapping[str, Numbers], robot: Robot, names: Sequence[str], middle: Sequence[float]) -> dict[str, Any]:
    cells = np.array([[chunk[f"{name}.{end}"] for name in names] for end in ("low", "high")])
    at_middle = np.repeat(np.array(middle)[None, :, None], 2, axis=0)
    with np.errstate(all="ignore"):
        sign, _, _, _ = _regularity(robot, names, at_middle)
        signs, is_regular, is_middle_regular, along = _regularity(robot, names, cells)
    state = np.where(is_regular, PROVED, UNKNOWN)
    # The middle is certainly on the other side, or out of reach, as the robot says itself.
    refuted = is_middle_regular & (signs != sign)
    if (lost := np.isnan(signs)).any():
        middles = {name: 0.5 * (cells[0, k] + cells[1, k])[lost] for k, name in enumerate(names)}
        refuted[lost] = ~_reached(robot, places(robot, middles))
    return {"state": np.where(refuted, REFUTED, state).astype(np.int8), "along": along.astype(np.int8)}


def _reached(robot: Robot, where: Numbers) -> Any:
    """Which poses are reached as they are."""
    home: Any = robot.home_numbers
    return robot._reach(where, [], home, 1)[:, 0] > 0


def _regularity(robot: Robot, names: Sequence[str], cells: Numbers) -> tuple[Any, Any, Any, Any]:
    """Signs of det J_inv in the middles, NaN where nothing is known; whether J_inv is regular over the cells, and in their middles for
    certain; and the coordinate that matters most."""
    boxes = _boxes(names, cells)
    answer = _code(robot)(_pose(robot, names, boxes))
    size = len(robot.freedoms)
    low, high = (bounds.reshape(boxes.count, size, size, -1) for bounds in _intervals.stacked(boxes, answer))
    at = 0.5 * (low[..., MIDDLE] + high[..., MIDDLE])
    is_reached = np.isfinite(at).all(axis=(1, 2))
    at[~is_reached] = np.eye(size)
    signs, logarithms = np.linalg.slogdet(at)
    at[~np.isfinite(logarithms)] = np.eye(size)
    inverse = np.linalg.inv(at)
    sizes = np.abs(inverse)
    # |C J(c) − 1|, with its rounding.
    base = np.abs(inverse @ at - np.eye(size)) + sizes @ (high - low)[..., MIDDLE] + ROUNDING * (sizes @ np.abs(at))
    parts = np.empty((boxes.dimensions, *base.shape))
    for k in range(boxes.dimensions):
        slope, half = 0.5 * (low + high)[..., SLOPES + k], 0.5 * (high - low)[..., SLOPES + k]
        bound = np.abs(inverse @ slope) + sizes @ half + ROUNDING * (sizes @ (np.abs(slope) + half))
        parts[k] = bound * boxes.radius[k][:, None, None]
    whole = (base + parts.sum(axis=0)) * (1.0 + ROUNDING)
    is_finite = np.isfinite(low[..., WHOLE]).all(axis=(1, 2)) & np.isfinite(high[..., WHOLE]).all(axis=(1, 2))
    weights = _weights(whole)
    is_regular = is_finite & is_reached & np.isfinite(logarithms) & (_norm(whole, weights) < 1.0)
    is_middle_regular = is_reached & np.isfinite(logarithms) & (_norm(base, np.ones(base.shape[:2])) < 1.0)
    matters = np.array([_norm(part, weights) for part in parts])
    # Where nothing is known, the side that was split least.
    widths = (boxes.upper - boxes.lower) / np.array([_scale(robot, name) for name in names])[:, None]
    along = np.where(np.isfinite(matters).all(axis=0), np.argmax(np.nan_to_num(matters), axis=0), np.argmax(widths, axis=0))
    return np.where(is_reached, signs, np.nan), is_regular, is_middle_regular, along


def _weights(bounds: Numbers) -> Numbers:
    """Weights of the norm in which matrices within bounds of their sizes are smallest, nearly: Perron's vector."""
    weights = np.ones(bounds.shape[:2])
    size = bounds.sum(axis=2).max(axis=1)[:, None]
    for _ in range(30):
        # Of E and as much of 1, whose other eigenvalues are smaller in size; those of E need not be.
        new = weights + np.einsum("nij,nj->ni", bounds, weights) / size
        new = new / new.max(axis=1, keepdims=True)
        weights = np.where(np.isfinite(new), np.maximum(new, 1e-9), weights)
    return weights


def _norm(bounds: Numbers, weights: Numbers) -> Numbers:
    """The weighted norm of the largest row."""
    result: Numbers = (np.einsum("nij,nj->ni", bounds, weights) / weights).max(axis=1) * (1.0 + ROUNDING)
    return result


def _boxes(names: Sequence[str], cells: Numbers) -> Boxes:
    """Boxes of the code's coordinates: of an angle the tangent of its half, of which a quaternion is a polynomial."""
    low, high = cells.copy()
    for k, name in enumerate(names):
        if name not in OF_POSE[:3]:
            low[k], high[k] = np.tan(0.5 * low[k]), np.tan(0.5 * high[k])
            for _ in range(2):  # the tangent itself is rounded
                low[k], high[k] = np.nextafter(low[k], -np.inf), np.nextafter(high[k], np.inf)
    return Boxes(low, high)


def _pose(robot: Robot, names: Sequence[str], boxes: Boxes) -> list[Any]:
    """px py pz qx qy qz qw; the quaternion need not have length 1."""
    home: Any = robot.home_numbers
    pose: list[Any] = [float(x) for x in home]
    for k, name in enumerate(names):
        if name in OF_POSE[:3]:
            pose[OF_POSE.index(name)] = boxes.coordinate(k)
    for name in OF_POSE[3:]:
        if name in names:
            pose[3:] = _turned(OF_POSE.index(name) - 3, boxes.coordinate(names.index(name)), pose[3:])
    return pose


def _turned(axis: int, t: Any, quaternion: Sequence[Any]) -> list[Any]:
    """(t e, 1) times a quaternion: a turn by 2 atan t about an axis, after it."""
    vector, w = list(quaternion[:3]), quaternion[3]
    j, k = (axis + 1) % 3, (axis + 2) % 3
    result: list[Any] = [None] * 4
    result[axis] = vector[axis] + t * w
    result[j] = vector[j] - t * vector[k]
    result[k] = vector[k] + t * vector[j]
    result[3] = w - t * vector[axis]
    return result


def _halves(cells: Numbers, along: Any) -> Numbers:
    """Cells split in two, each along its own coordinate."""
    lower, upper = cells.copy(), cells.copy()
    which = np.arange(cells.shape[2])
    middle = 0.5 * (cells[0, along, which] + cells[1, along, which])
    lower[1, along, which] = middle
    upper[0, along, which] = middle
    return np.concatenate([lower, upper], axis=2)


def _scale(robot: Robot, name: str) -> float:
    """How long a coordinate is, m or rad."""
    return robot.singularities().length if name in OF_POSE[:3] else 1.0


def _table(names: Sequence[str], cells: Numbers, swept: Swept) -> dict[str, tuple[Any, str]]:
    state = swept["state"]
    volumes = np.prod(cells[1] - cells[0], axis=0)
    volumes = volumes / volumes.sum()
    where: dict[int, Optional[str]] = {}
    for one in (REFUTED, UNKNOWN):
        first = np.flatnonzero(state == one)[:1]
        where[one] = ", ".join(f"{name} = {x:.6g}" for name, x in zip(names, cells[:, :, first].mean(axis=(0, 2)))) if first.size else None
    table: dict[str, tuple[Any, str]] = {
        "holds": (bool((state == PROVED).all()), "no singularity in the box"),
        "proved": (float(volumes[state == PROVED].sum()) if (state != PROVED).any() else 1.0, "of the box"),
        "refuted": (float(volumes[state == REFUTED].sum()), "of the box"),
        "unknown": (float(volumes[state == UNKNOWN].sum()), "of the box"),
        "cells": (len(state), ""),
    }
    if where[REFUTED]:
        table["refuted at"] = (where[REFUTED], "out of reach, or beyond a singularity")
    if where[UNKNOWN]:
        table["unknown at"] = (where[UNKNOWN], "")
    return table


def _lead(names: Sequence[str], bounds: Bounds) -> str:
    box = ", ".join(f"{name} from {bounds[name][0]:g} to {bounds[name][1]:g}" for name in names)
    return f"Is there a singularity of Type 1 or 2 in the box {box}? Bounds of the inverse Jacobian over cells, by intervals."


def _picture(study: Study) -> Any:
    from matplotlib.collections import PolyCollection

    names = [name.removesuffix(".low") for name in study.swept.names if name.endswith(".low")]
    first, second = names[0], names[1 if len(names) > 1 else 0]
    figure, axis = pyplot().subplots(figsize=(6.0, 5.0), layout="constrained")
    state = study.swept["state"]
    for one, colour, text in ((PROVED, "#2f9e44", "proved"), (UNKNOWN, "#f59f00", "unknown"), (REFUTED, "#e03131", "refuted")):
        which = state == one
        if not which.any():
            continue
        x, y = ([study.swept[f"{name}.{end}"][which] for end in ("low", "high")] for name in (first, second))
        if len(names) == 1:
            y = [np.zeros(which.sum()), np.ones(which.sum())]
        corners = np.stack([np.stack([x[0], y[0]], 1), np.stack([x[1], y[0]], 1), np.stack([x[1], y[1]], 1), np.stack([x[0], y[1]], 1)], 1)
        axis.add_collection(PolyCollection(list(corners), facecolor=colour, edgecolor="white", linewidth=0.2, alpha=0.5, label=text))
    axis.autoscale()
    axis.set(xlabel=first, ylabel=second if len(names) > 1 else "", title=f"{study.title}: {study.robot.name}")
    axis.legend(loc="upper right")
    return finished(figure)
