"""Pictures: SVG and PNG of our own, and figures of matplotlib, which is imported when it is needed."""

from __future__ import annotations

from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional, Sequence, Union

from . import _appell, _poses
from ._errors import NumberError, ShapeError
from ._files import write_whole
from ._numpy import ArrayLike, Numbers, np

if TYPE_CHECKING:
    from ._parallel import SingularityMap
    from ._view import View


#: Colours of a figure: links, driven joints, other joints, the platform.
LINK, DRIVEN, PASSIVE, PLATFORM = "#334155", "#d9480f", "#94a3b8", "#1971c2"


class Drawing:
    """A drawing as SVG, which a notebook shows; see :meth:`appell.Robot.draw`.

    >>> drawing = appell.load("delta").draw()
    >>> drawing.svg.startswith("<svg")
    True
    """

    def __init__(self, svg: str, name: str) -> None:
        #: The text of an SVG file.
        self.svg = svg
        #: What is drawn.
        self.name = name

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<appell.Drawing of {self.name}, {len(self.svg)} characters of SVG>"

    def png(self) -> bytes:
        """The bytes of a PNG file, twice as many pixels a side as the SVG says.

        >>> appell.load("delta").draw().png()[1:4]
        b'PNG'
        """
        pixels: bytes = _appell._png(self.svg)
        return pixels

    def save(self, path: Union[str, PathLike[str]], *, overwrite: bool = False) -> Path:
        """Writes a file, SVG or PNG by its ending, whole or not at all; an existing one only with `overwrite`.

        >>> path = appell.load("delta").draw().save("delta.png")            # doctest: +SKIP
        """
        target = Path(fspath(path))
        ending = target.suffix.lower()
        if ending not in (".svg", ".png"):
            raise ValueError(f"{target}: drawings are .svg or .png files")
        return write_whole(target, self.png() if ending == ".png" else self.svg, overwrite=overwrite)


class PlotMixin:
    """Pictures of a robot."""

    def draw(self, q: Optional[ArrayLike] = None, *, pose: Any = None) -> Drawing:
        """A drawing of the robot's kinematics: joints as symbols, links as lines, driven ones of a parallel robot in colour.

        `q` are positions of its joints, or of its drives where loops are closed, rad or m; `pose` is of its platform, in any form, and
        may be given first, too. Zeros, or home, if not given.

        >>> appell.load("puma560").draw([0.3, -1.0, 0.2, 0.4, 1.0, 0.1]).name
        'PUMA 560'
        """
        robot: Any = self
        return Drawing(robot._draw(*_place(robot, q, pose)), robot.name)

    def view(self, q: Optional[ArrayLike] = None, *, pose: Any = None, open: Optional[bool] = None) -> View:
        """The laboratory with this robot: take it by the hand, see its torques and singularities live, let it move.

        Opens in the browser, or in a notebook as the answer of its cell; `open` says otherwise. Arguments as of :meth:`draw`. The page
        needs no server and no network; it is made by ``make laboratory`` in a clone of appell.

        >>> view = appell.load("delta").view()                                   # doctest: +SKIP
        """
        from ._view import view

        robot: Any = self
        return view(robot, *_place(robot, q, pose), open)

    def plot(self, q: Optional[ArrayLike] = None, *, pose: Any = None, ax: Any = None, names: bool = False, **keywords: Any) -> Any:
        """A figure of matplotlib with the robot's skeleton in three dimensions; arguments as of :meth:`draw`.

        `ax` is an axes object of three dimensions to draw into; `names=True` writes names of joints and frames. Further keywords are
        those of ``matplotlib.pyplot.figure``. Needs matplotlib: ``pip install appell[plot]``.

        >>> figure = appell.load("gough-stewart").plot()            # doctest: +SKIP
        """
        robot: Any = self
        positions, numbers = _place(robot, q, pose)
        found = robot._skeleton(positions, numbers)
        tip: Optional[Numbers]
        if found["platform"] is not None:
            tip = _poses.matrices(np.asarray(found["platform"]))
        else:
            tip = None if found["is_closed"] else robot.pose(robot.neutral if positions is None else positions)
        return skeleton(robot.name, found, tip, ax, names, keywords)


def _place(robot: Any, q: Any, pose: Any) -> tuple[Optional[list[float]], Optional[list[float]]]:
    """Positions, or the seven numbers of a pose."""
    if q is not None and pose is not None:
        raise TypeError("give positions, or a pose, and not both")
    if pose is None and q is not None and robot.home_numbers is not None:
        home = robot.home_numbers
        numbers = _poses.numbers(q, home[:3], robot.nq, None)
        if numbers is not None:
            pose, q = numbers, None
    if pose is not None:
        from ._parallel import _pose

        return None, _pose(robot, pose, "pose")
    if q is None:
        return None, None
    vector = np.asarray(q, dtype=np.float64)
    if vector.shape != (robot.nq,):
        raise ShapeError(f"`q` has shape {vector.shape}; expected ({robot.nq},)")
    if not np.isfinite(vector).all():
        raise NumberError(f"`q` is not finite: {vector}")
    return [float(x) for x in vector], None


def pyplot() -> Any:
    """matplotlib, or how to get it."""
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("plots need matplotlib: pip install appell[plot]; robot.draw(…) does without") from error
    return plt


def finished(figure: Any) -> Any:
    """A figure that a notebook shows once, where it is the value of a cell; elsewhere ``pyplot.show()`` shows it."""
    import matplotlib

    if "inline" in str(matplotlib.get_backend()).lower():
        pyplot().close(figure)
    return figure


def skeleton(name: str, found: dict[str, Any], tip: Optional[Numbers], ax: Any, names: bool, keywords: dict[str, Any]) -> Any:
    """Links as lines, joints as marks, the platform as a plate; axes of the base and of `tip`."""
    plt = pyplot()
    is_own = ax is None
    if is_own:
        keywords.setdefault("figsize", (7.0, 6.5))
        figure = plt.figure(**keywords)
        ax = figure.add_subplot(projection="3d")
    else:
        figure = ax.figure
    bones = _Bones(found)
    for start, end in bones.lines:
        ax.plot(*bones.way(start, end).T, color=LINK, linewidth=2.2, solid_capstyle="round", zorder=2)
    _plate(ax, bones.base, "#868e96")
    _plate(ax, bones.platform, PLATFORM)
    for is_driven, colour in ((False, PASSIVE), (True, DRIVEN)):
        for mark, which, kind in (("o", bones.turns, "revolute"), ("s", ~bones.turns, "prismatic")):
            some = bones.marks[which & (bones.driven == is_driven)]
            if len(some):
                label = f"{kind}, driven" if is_driven and bones.is_closed else kind
                ax.scatter(*some.T, color=colour, marker=mark, s=36, depthshade=False, zorder=3, label=label)
    if len(bones.closing):
        label = "closing joint"
        ax.scatter(*bones.closing.T, color="white", edgecolor=LINK, marker="o", s=30, depthshade=False, zorder=3, label=label)
    low, high = bones.extent()
    size = float((high - low).max()) or 1.0
    for pose in [np.eye(4)] if tip is None else [np.eye(4), tip]:
        _axes_of(ax, pose, 0.15 * size)
    if names:
        here: dict[tuple[float, ...], list[str]] = {}
        for text, at in bones.names:
            here.setdefault(tuple(np.round(np.asarray(at) / size, 2)), []).append(text)
        for place, texts in here.items():
            ax.text(*(size * np.asarray(place)), "  " + "\n  ".join(dict.fromkeys(texts)), fontsize=7, color="#495057", va="center")
    middle, half = 0.5 * (low + high), 0.55 * size
    for set_limits, centre in zip((ax.set_xlim, ax.set_ylim, ax.set_zlim), middle):
        set_limits(centre - half, centre + half)
    ax.set_box_aspect((1, 1, 1))
    unit = "" if bones.is_spherical else " (m)"
    ax.set_xlabel(f"x{unit}")
    ax.set_ylabel(f"y{unit}")
    if high[2] - low[2] < 1e-9 * size:  # a planar robot, from above
        ax.view_init(elev=90, azim=-90)
        ax.set_proj_type("ortho")
        ax.set_zticks([])
    else:
        ax.set_zlabel(f"z{unit}")
    ax.set_title(f"{name}: directions of its axes, which meet" if bones.is_spherical else name)
    ax.legend(loc="upper left", fontsize=8, frameon=False)
    return finished(figure) if is_own else figure


def animation(name: str, found: Sequence[dict[str, Any]], t: Numbers) -> Any:
    """Skeletons one after the other, at the times t."""
    pyplot()
    from matplotlib.animation import FuncAnimation
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from mpl_toolkits.mplot3d.art3d import Line3DCollection

    all = [_Bones(one) for one in found]
    figure = Figure(figsize=(6, 6))  # not one of pyplot's, which a notebook would show beside the animation
    FigureCanvasAgg(figure)
    axis: Any = figure.add_subplot(projection="3d")
    ends = np.array([bones.extent() for bones in all])
    low, high = ends.min(axis=(0, 1)), ends.max(axis=(0, 1))
    middle, half = 0.5 * (low + high), max(0.55 * float((high - low).max()), 1e-3)
    for set_limits, centre in zip((axis.set_xlim, axis.set_ylim, axis.set_zlim), middle):
        set_limits(centre - half, centre + half)
    axis.set_box_aspect((1, 1, 1))
    nothing = [np.zeros((2, 3))]  # matplotlib adds no empty collections
    links, plates = Line3DCollection(nothing, colors=LINK, linewidths=2.2), Line3DCollection(nothing, colors=PLATFORM, linewidths=1.5)
    axis.add_collection3d(links)
    axis.add_collection3d(plates)
    (joints,) = axis.plot([], [], [], "o", color=DRIVEN)

    def draw(k: int) -> tuple[Any, ...]:
        bones = all[k]
        links.set_segments([bones.way(start, end) for start, end in bones.lines])
        plates.set_segments([np.array([*bones.platform, bones.platform[0]])] if bones.platform else [])
        joints.set_data_3d(*bones.marks.T)
        axis.set_title(f"{name}, t = {t[k]:.3f} s")
        return links, plates, joints

    draw(0)
    return FuncAnimation(figure, draw, frames=len(all), interval=1e3 * float(t[-1] - t[0]) / max(len(all) - 1, 1))


class _Bones:
    """What is drawn of a robot: points and lines in the base; of a robot whose axes all meet, on a sphere about that point."""

    def __init__(self, found: dict[str, Any]) -> None:
        joints, closures, count = found["joints"], found["closures"], len(found["joints"])
        self.is_closed: bool = found["is_closed"]
        self.turns = np.array([joint[4] for joint in joints], dtype=bool)
        self.driven = np.array([joint[5] for joint in joints], dtype=bool)
        origins = np.array([joint[2] for joint in joints]).reshape(-1, 3)
        sides = [side for _name, both in closures for side in both]
        all = np.concatenate([origins, np.array([side[1] for side in sides]).reshape(-1, 3)])
        self.is_spherical = self.is_closed and count > 1 and float(np.ptp(all, axis=0).max()) < 1e-9
        self.centre = origins[0] if self.is_spherical else np.zeros(3)

        def place(at: Any, axis: Any) -> Numbers:
            return self.centre + np.asarray(axis) if self.is_spherical else np.asarray(at, dtype=np.float64)

        places = np.array([place(joint[2], joint[3]) for joint in joints]).reshape(-1, 3)
        middle = self.centre if found["platform"] is None else np.asarray(found["platform"])[:3]

        def of_body(body: Optional[int]) -> Numbers:
            if body is None:
                return np.zeros(3)
            return middle if body == count else np.asarray(places[body])

        # A part that only closing joints hold slides along three passive joints from the base, which are nothing to see.
        loose: set[int] = set()
        for k, (_name, parent, _at, _axis, turns, driven) in enumerate(joints):
            if self.is_closed and not turns and not driven and (parent is None or parent in loose):
                loose.add(k)
        self.lines: list[tuple[Numbers, Numbers]] = []
        for k, (_name, parent, _at, _axis, _turns, _driven) in enumerate(joints):
            if (parent is not None or not self.is_closed) and k not in loose:
                self.lines.append((of_body(parent), places[k]))
        # Frames at the ends of an open robot; of a platform its corners say more.
        ends = [] if self.is_closed else [point for point in found["points"] if point[1] is not None]
        self.lines += [(of_body(body), np.asarray(at)) for _name, body, at in ends]
        self.base = [places[k] for k, joint in enumerate(joints) if joint[1] is None and self.is_closed and k not in loose]
        self.platform: list[Numbers] = []
        for body, at, axis in sides:
            if body is None:
                self.base.append(place(at, axis))
            elif body == count:
                self.platform.append(place(at, axis))
            else:
                self.lines.append((of_body(body), place(at, axis)))
        # A slide's own frame is where it ends; its mark is half way.
        half = [
            at if joint[4] or joint[1] is None else 0.5 * (of_body(joint[1]) + at) for joint, at in zip(joints, places)
        ]
        seen = np.array([k not in loose for k in range(count)], dtype=bool)
        self.marks, self.turns, self.driven = np.array(half).reshape(-1, 3)[seen], self.turns[seen], self.driven[seen]
        scale = float(np.ptp(all, axis=0).max()) or 1.0
        # What the base holds against turns alone has its sides in different places.
        held = [place(*one[1:]) for _name, (one, other) in closures if np.allclose(one[1], other[1], rtol=0.0, atol=1e-6 * scale)]
        self.closing = np.array(held).reshape(-1, 3)
        self.names = [(joints[k][0], places[k]) for k in range(count) if k not in loose] + [(point[0], point[2]) for point in ends]

    def way(self, start: Numbers, end: Numbers) -> Numbers:
        """The points of a line, or of an arc on the sphere."""
        if not self.is_spherical:
            return np.stack([start, end])
        part = np.linspace(0.0, 1.0, 25)[:, None]
        straight = (1 - part) * (start - self.centre) + part * (end - self.centre)
        sizes = np.linalg.norm(straight, axis=1, keepdims=True)
        result: Numbers = self.centre + straight / np.where(sizes > 1e-9, sizes, 1.0)
        return result

    def extent(self) -> tuple[Numbers, Numbers]:
        """The corners of a box around everything, with the origin."""
        ends = [end for line in self.lines for end in line]
        points = np.array([*self.marks, *ends, *self.base, *self.platform, np.zeros(3)])
        return points.min(axis=0), points.max(axis=0)


def _plate(ax: Any, corners: list[Numbers], colour: str) -> None:
    """What joints are on, as a plate in their order about its middle."""
    if len(corners) < 2:
        return
    points = np.array(corners)
    middle = points.mean(axis=0)
    _, sizes, axes = np.linalg.svd(points - middle)
    if len(points) < 3 or sizes[1] < 1e-6 * (sizes[0] or 1.0):
        ax.plot(*points.T, color=colour, linewidth=1.5, alpha=0.7)
        return
    around = (points - middle) @ axes[:2].T
    order = np.argsort(np.arctan2(around[:, 1], around[:, 0]))
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection  # type: ignore[import-untyped,unused-ignore]

    ax.add_collection3d(Poly3DCollection([points[order]], facecolor=colour, edgecolor=colour, alpha=0.18, linewidth=1.5))


def _axes_of(ax: Any, pose: Numbers, size: float) -> None:
    for k, colour in enumerate(("#e03131", "#2f9e44", "#1c7ed6")):
        ends = np.stack([pose[:3, 3], pose[:3, 3] + size * pose[:3, k]])
        ax.plot(*ends.T, color=colour, linewidth=1.2)


def singularity_map(found: SingularityMap, kinds: Sequence[str]) -> Any:
    """A field per kind."""
    plt = pyplot()
    titles = {"type1": "Type 1: the nearest leg", "type2": "Type 2: the drives"}
    for kind in kinds:
        if kind not in titles:
            raise ValueError(f"no kind `{kind}`; kinds are type1, type2")
    figure, all_axes = plt.subplots(1, len(kinds), figsize=(5.2 * len(kinds), 4.6), squeeze=False, layout="constrained")
    scales = [1.0 if name in "xyz" else 180.0 / np.pi for name in found.over]
    labels = [f"{name} ({'m' if name in 'xyz' else 'deg'})" for name in found.over]
    x, y = found.x * scales[0], found.y * scales[1]
    for ax, kind in zip(all_axes[0], kinds):
        ax.set_facecolor("#dee2e6")  # out of reach
        field = getattr(found, kind)
        image = ax.pcolormesh(x, y, field, vmin=0.0, vmax=max(float(np.nanmax(field, initial=0.0)), 1e-12), cmap="viridis", shading="nearest")
        beyond = found.reachable & ~found.within_limits
        if beyond.any():
            ax.contourf(x, y, beyond.astype(float), levels=[0.5, 1.5], colors=["none"], hatches=["////"])
        ax.set_title(titles[kind])
        ax.set_xlabel(labels[0])
        ax.set_ylabel(labels[1])
        if (found.over[0] in "xyz") == (found.over[1] in "xyz"):
            ax.set_aspect("equal")
        figure.colorbar(image, ax=ax, label="inverse condition, 0 is singular")
    figure.suptitle(f"{found.robot}: distance to singularities")
    return finished(figure)
