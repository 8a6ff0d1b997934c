"""Pictures of studies: a number over two coordinates, and how it is distributed."""

from __future__ import annotations

from typing import Any, Sequence

from .._numpy import Flags, Numbers, np
from .._plot import finished, pyplot
from .._refine import Refine

#: Cells along a map of scattered points, at most.
CELLS = 60

#: Points in a cell of such a map, about.
POINTS = 16

#: Corners of a square about its middle.
CORNERS = ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))


def over_two(study: Any, column: str, label: str) -> Any:
    """The mean of a column over the two coordinates that it depends on most, and its distribution; of a truth, where it holds along each."""
    plt = pyplot()
    swept = study.swept
    values = np.asarray(swept[column], dtype=np.float64)
    names = [name for name in swept.space.names if name in swept.names]
    known = np.isfinite(values)
    if isinstance(swept.space, Refine):
        known = known & swept.leaves
    figure, axes = plt.subplots(1, 2, figsize=(10.0, 4.2), layout="constrained")
    if len(names) > 1 and known.any():
        axes[0].set_facecolor("#dee2e6")  # nothing there
        if isinstance(swept.space, Refine) and len(names) == 2:
            image = _cells(axes[0], swept, names, values, known)
        else:
            names = sorted(names, key=lambda name: -_variation(swept, name, values, known))
            image = _means(axes[0], swept, names[:2], values, known)
        axes[0].set(xlabel=names[0], ylabel=names[1], title=f"mean {label}")
        figure.colorbar(image, ax=axes[0])
    elif names:
        axes[0].plot(np.asarray(swept[names[0]])[known], values[known], ".", markersize=2, rasterized=True)
        axes[0].set(xlabel=names[0], ylabel=label)
    if swept[column].dtype.kind == "b":
        _along(axes[1], swept, names, values, known, label)
    else:
        distribution(axes[1], values[known], label)
    figure.suptitle(f"{study.title}: {study.robot.name}")
    return finished(figure)


def _variation(swept: Any, name: str, values: Numbers, known: Flags) -> float:
    """How much the mean of a column varies along a coordinate."""
    places = np.asarray(swept[name])[known]
    sums, _ = np.histogram(places, bins=8, range=swept.space.bounds[name], weights=values[known])
    counts, _ = np.histogram(places, bins=8, range=swept.space.bounds[name])
    return float(np.std(sums[counts > 0] / counts[counts > 0]))


def _means(axis: Any, swept: Any, names: Sequence[str], values: Numbers, known: Flags) -> Any:
    """Means in squares."""
    ends = [swept.space.bounds[name] for name in names]
    x, y = (np.asarray(swept[name])[known] for name in names)
    count = int(np.clip(np.sqrt(known.sum() / POINTS), 4, CELLS))
    weights = swept.volumes[known] if isinstance(swept.space, Refine) else np.ones(len(x))
    sums, xs, ys = np.histogram2d(x, y, bins=count, range=ends, weights=values[known] * weights)
    counts, _, _ = np.histogram2d(x, y, bins=count, range=ends, weights=weights)
    with np.errstate(invalid="ignore"):
        mean = np.where(counts > 0, sums / counts, np.nan)
    return axis.pcolormesh(xs, ys, mean.T, cmap="viridis", rasterized=True)


def _cells(axis: Any, swept: Any, names: Sequence[str], values: Numbers, known: Flags) -> Any:
    """The cells themselves, of a plane that was refined."""
    from matplotlib.collections import PolyCollection

    space = swept.space
    sizes = [(high - low) / count * 2.0 ** -swept["level"][known] for (low, high), count in zip(space.bounds.values(), space.shape)]
    middles = [np.asarray(swept[name])[known] for name in names]
    corners = [np.column_stack([middle + side * size for middle, size, side in zip(middles, sizes, sides)]) for sides in CORNERS]
    image = PolyCollection(list(np.stack(corners, axis=1)), array=values[known], cmap="viridis", rasterized=True)
    axis.add_collection(image)
    axis.set(xlim=space.bounds[names[0]], ylim=space.bounds[names[1]])
    return image


def _along(axis: Any, swept: Any, names: Sequence[str], values: Numbers, known: Flags, label: str) -> None:
    """The share of points at which something holds along each coordinate, from its lower to its upper end."""
    weights = swept.volumes[known] if isinstance(swept.space, Refine) else np.ones(int(known.sum()))
    for name in names:
        low, high = swept.space.bounds[name]
        part = (np.asarray(swept[name])[known] - low) / (high - low)
        sums, edges = np.histogram(part, bins=24, range=(0, 1), weights=values[known] * weights)
        counts, _ = np.histogram(part, bins=24, range=(0, 1), weights=weights)
        is_known = counts > 0
        axis.plot((0.5 * (edges[1:] + edges[:-1]))[is_known], sums[is_known] / counts[is_known], label=f"{name}, {low:g} to {high:g}")
    axis.set(xlabel="from the lower to the upper bound", ylabel=label, ylim=(-0.02, 1.02))
    axis.legend(fontsize=8)


def distribution(axis: Any, values: Numbers, label: str, marks: Sequence[tuple[float, str]] = ()) -> None:
    """A histogram with marks."""
    if values.size:
        axis.hist(values, bins=60, color="#1971c2")
    for at, text in marks:
        axis.axvline(at, color="#d9480f", linewidth=1.2)
        axis.text(at, 0.97, f" {text}", transform=axis.get_xaxis_transform(), color="#d9480f", va="top", fontsize=8)
    axis.set(xlabel=label, ylabel="points")
