"""Pictures of studies: a number over the first two coordinates, and how it is distributed."""

from __future__ import annotations

from typing import Any, Optional, Sequence

from .._numpy import Numbers, np
from .._plot import finished, pyplot
from .._refine import Refine

#: Cells along a map of scattered points, at most.
CELLS = 60


def over_two(study: Any, column: str, label: str, weights: Optional[Numbers] = None) -> Any:
    """The mean of a column over the first two coordinates whatever the others are, and its distribution."""
    plt = pyplot()
    swept = study.swept
    values = np.asarray(swept[column], dtype=np.float64)
    names = [name for name in swept.space.names if name in swept.names][:2]
    known = np.isfinite(values)
    if isinstance(swept.space, Refine):
        known = known & swept.leaves
    figure, axes = plt.subplots(1, 2, figsize=(10.0, 4.2), layout="constrained")
    if len(names) == 2 and known.any():
        x, y = (np.asarray(swept[name]) for name in names)
        ends = [swept.space.bounds[name] for name in names]
        cells = int(np.clip(np.sqrt(known.sum() / 4), 4, CELLS))
        if isinstance(swept.space, Refine):
            cells = CELLS
        sums, xs, ys = np.histogram2d(x[known], y[known], bins=cells, range=ends, weights=values[known])
        counts, _, _ = np.histogram2d(x[known], y[known], bins=cells, range=ends)
        with np.errstate(invalid="ignore"):
            mean = np.where(counts > 0, sums / counts, np.nan)
        axes[0].set_facecolor("#dee2e6")  # nothing there
        image = axes[0].pcolormesh(xs, ys, mean.T, cmap="viridis", rasterized=True)
        axes[0].set(xlabel=names[0], ylabel=names[1], title=f"mean {label}")
        figure.colorbar(image, ax=axes[0])
    elif names:
        axes[0].plot(np.asarray(swept[names[0]])[known], values[known], ".", markersize=2, rasterized=True)
        axes[0].set(xlabel=names[0], ylabel=label)
    distribution(axes[1], values[known], label)
    figure.suptitle(f"{study.title}: {study.robot.name}")
    return finished(figure)


def distribution(axis: Any, values: Numbers, label: str, marks: Sequence[tuple[float, str]] = ()) -> None:
    """A histogram with marks."""
    if values.size:
        axis.hist(values, bins=60, color="#1971c2")
    for at, text in marks:
        axis.axvline(at, color="#d9480f", linewidth=1.2)
        axis.text(at, 0.97, f" {text}", transform=axis.get_xaxis_transform(), color="#d9480f", va="top", fontsize=8)
    axis.set(xlabel=label, ylabel="points")
