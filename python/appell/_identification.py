"""From recordings to a robot: `appell.identify`, and what it returns."""

from __future__ import annotations

import datetime
import hashlib
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterable, Mapping, Optional, Sequence, Union

from . import _appell
from ._errors import NumberError, RecordingError
from ._files import columns_of_csv, write_whole
from ._html import escape
from ._numpy import np
from ._robot import Robot, _tensor, _vector

if TYPE_CHECKING:
    import pandas

Recording = Union[str, PathLike[str], Mapping[str, Any], Any]
Lock = Union[None, str, Sequence[str], Mapping[str, Optional[float]]]


@dataclass(frozen=True)
class Parameter:
    """A base parameter: a combination of masses, moments and friction that motion can show."""

    name: str
    value: float
    #: Standard deviation of `value`.
    sigma: float
    #: The same in percent of `value`.
    sigma_percent: float
    #: Its value in the physically consistent robot; None where there is none.
    consistent: Optional[float]
    #: Its value in the robot that was given.
    before: float
    unit: str


@dataclass(frozen=True)
class Joint:
    """How well the torques of one joint are predicted."""

    name: str
    #: Root mean square of what is left, N m or N.
    rms: float
    #: The same over the root mean square of the torque.
    relative: float


@dataclass(frozen=True)
class Fit:
    """How well torques are predicted: what is left, over what was measured."""

    relative: float
    joints: list[Joint]

    @staticmethod
    def _of(given: Optional[dict[str, Any]]) -> Optional[Fit]:
        return None if given is None else Fit(given["relative"], [Joint(*row) for row in given["joints"]])


@dataclass(frozen=True, repr=False)
class Identified:
    """What was found in recordings, and how far to trust it.

    Made by :func:`appell.identify`, whose example shows one.

    >>> found = appell.identify(robot, recordings)         # doctest: +SKIP
    >>> found.fit.relative, found.robot                    # doctest: +SKIP
    """

    #: The base parameters.
    parameters: list[Parameter]
    #: How well the data are fitted.
    fit: Fit
    #: How well data are predicted that were not fitted; None where there were none.
    held_out: Optional[Fit]
    #: By what these were held out, in words.
    held_out_by: Optional[str]
    #: How well the physically consistent robot fits the data.
    consistent: Optional[Fit]
    #: The identified robot; None where none is physically consistent, or it would mislead: `refusal` says why.
    robot: Optional[Robot]
    refusal: Optional[str]
    #: What to doubt, the most important first.
    warnings: list[str]
    #: What base parameters are regrouped of, a line each.
    regrouping: list[str]
    method: str
    condition: float
    samples: int
    #: The robot's files, with where their numbers come from.
    toml: Optional[str]
    urdf: Optional[str]
    #: Per recording: name, t (N,), measured and predicted torques (N, n).
    recordings: list[dict[str, Any]]

    def __repr__(self) -> str:
        held = "" if self.held_out is None else f", {100 * self.held_out.relative:.2f} % held out"
        return f"<appell.Identified: {len(self.parameters)} base parameters, residual {100 * self.fit.relative:.2f} %{held}>"

    def _repr_html_(self) -> str:
        def number(x: Optional[float]) -> str:
            return "" if x is None else f"{x:.5g}"

        rows = "".join(
            f"<tr><td>{escape(p.name)}</td><td>{number(p.value)}</td><td>± {p.sigma:.2g}</td>"
            f"<td>{number(p.consistent)}</td><td>{number(p.before)}</td><td>{escape(p.unit)}</td></tr>"
            for p in self.parameters
        )
        head = "<tr><th>parameter</th><th>value</th><th>σ</th><th>consistent</th><th>before</th><th>unit</th></tr>"
        doubts = "".join(f"<li>{escape(line)}</li>" for line in self.warnings)
        return f"<p>{escape(repr(self))}</p><ul>{doubts}</ul><table>{head}{rows}</table>"

    def to_pandas(self) -> pandas.DataFrame:
        """The parameters as a table of pandas.

        >>> found.to_pandas()["value"]                         # doctest: +SKIP
        """
        import pandas

        return pandas.DataFrame([vars(parameter) for parameter in self.parameters]).set_index("name")

    def plot(self) -> Any:
        """Measured and predicted torques of every joint, as a figure of matplotlib.

        >>> figure = found.plot()                              # doctest: +SKIP
        """
        from ._plot import finished, pyplot

        joints = self.fit.joints
        figure = pyplot().figure(figsize=(9, 2 * len(joints) + 1), layout="constrained")
        axes = np.atleast_1d(figure.subplots(len(joints), 1, sharex=True))
        recording = self.recordings[0]
        for k, (axis, joint) in enumerate(zip(axes, joints)):
            axis.plot(recording["t"], recording["measured"][:, k], lw=1.0, label="measured")
            axis.plot(recording["t"], recording["predicted"][:, k], lw=1.0, label="predicted")
            axis.set_ylabel(f"{joint.name}\nN m or N")
        axes[0].legend(fontsize="small")
        axes[-1].set_xlabel("t, s")
        return finished(figure)

    def report(self, folder: Union[str, PathLike[str]]) -> Path:
        """Writes report.html, parameters.csv and, where there is a robot, robot.toml and robot.urdf into a folder.

        >>> folder = found.report("identified")                # doctest: +SKIP
        """
        out = Path(fspath(folder))
        out.mkdir(parents=True, exist_ok=True)
        page = f"<!doctype html><meta charset='utf-8'><title>Identified</title>{self._repr_html_()}"
        table = "parameter,value,sigma,sigma_percent,consistent,before,unit\n" + "".join(
            f"{p.name},{p.value!r},{p.sigma!r},{p.sigma_percent!r},{'' if p.consistent is None else repr(p.consistent)},"
            f"{p.before!r},{p.unit}\n"
            for p in self.parameters
        )
        files = {"report.html": page, "parameters.csv": table, "robot.toml": self.toml, "robot.urdf": self.urdf}
        for name, text in files.items():
            if text is not None:
                write_whole(out / name, text)
        return out


def _columns(recording: Recording, index: int, drives: Sequence[str]) -> tuple[str, str, list[tuple[str, list[float]]]]:
    """Name, hash and columns of a recording: a CSV file, a mapping of arrays, or a table of pandas."""
    if isinstance(recording, (str, PathLike)):
        path = Path(fspath(recording))
        data = path.read_bytes()
        return str(path), "sha256:" + hashlib.sha256(data).hexdigest(), _by_number(columns_of_csv(path, data), drives)
    if hasattr(recording, "columns") and hasattr(recording, "to_numpy"):
        items: Iterable[tuple[Any, Any]] = ((name, recording[name].to_numpy()) for name in recording.columns)
    elif isinstance(recording, Mapping):
        items = recording.items()
    else:
        raise TypeError(
            f"a recording is a {type(recording).__name__}; expected a CSV file, a mapping of arrays (t, q, tau), or a DataFrame"
        )
    columns = []
    digest = hashlib.sha256()
    for name, values in items:
        array = np.asarray(values)
        if array.dtype.kind not in "fiub" or array.ndim not in (1, 2) or np.ma.is_masked(values):
            if name in ("t", "q", "v", "tau") or not isinstance(recording, Mapping):
                kind = f"{array.dtype} of shape {array.shape}"
                raise RecordingError(f"column `{name}` is an array of {kind}; expected real numbers, times in seconds")
            continue
        array = array.astype(np.float64)
        digest.update(str(name).encode() + array.tobytes())
        if array.ndim == 1:
            columns.append((str(name), array.tolist()))
        else:  # t, q (N, n), tau (N, n)
            columns.extend((f"{name}{k + 1}", column.tolist()) for k, column in enumerate(array.T))
    return f"recording {index + 1}", "sha256:" + digest.hexdigest(), _by_number(columns, drives)


def _by_number(columns: list[tuple[str, list[float]]], drives: Sequence[str]) -> list[tuple[str, list[float]]]:
    """Columns that go by the names of joints, by their numbers."""
    symbols = ("q", "v", "tau")
    known = {f"{symbol}.{name}": f"{symbol}{k + 1}" for symbol in symbols for k, name in enumerate(drives)}
    if len(drives) == 1:
        known |= {symbol: f"{symbol}1" for symbol in symbols}
    return [(known.get(name, name), column) for name, column in columns]


def _words(given: Union[None, str, Sequence[str]]) -> Optional[list[str]]:
    """Some words; one alone is a list of it."""
    return None if given is None else [given] if isinstance(given, str) else list(given)


def _locks(lock: Lock) -> list[tuple[str, Optional[float]]]:
    """Joints that stand, each with its position, or None for its home."""
    if isinstance(lock, Mapping):
        return [(str(joint), None if position is None else float(position)) for joint, position in lock.items()]
    return [(joint, None) for joint in _words(lock) or []]


def _carried(payload: Optional[Mapping[str, Any]]) -> Optional[tuple[Optional[str], float, list[float], list[float]]]:
    """A payload as numbers."""
    if payload is None:
        return None
    unknown = sorted(set(payload) - {"on", "mass", "com", "inertia"})
    if unknown or "mass" not in payload:
        what = f"`{unknown[0]}` is none of its keys" if unknown else "it has no mass"
        raise ValueError(f"payload: {what}; expected mass, and if known com, inertia and on")
    inertia = _tensor(payload.get("inertia"))
    return payload.get("on"), float(payload["mass"]), _vector(payload.get("com", (0, 0, 0))), [0.0] * 6 if inertia is None else inertia


def identify(
    robot: Robot,
    recordings: Union[Recording, Sequence[Recording]],
    *,
    loaded: Union[Recording, Sequence[Recording]] = (),
    payload: Optional[Mapping[str, Any]] = None,
    validate: Union[Recording, Sequence[Recording]] = (),
    layout: Optional[str] = None,
    method: str = "weighted",
    effects: Optional[Sequence[str]] = None,
    known: Sequence[str] = (),
    equal_legs: bool = False,
    lock: Lock = None,
    cut_off: Optional[float] = None,
    decimate: Optional[int] = None,
    border: Optional[float] = None,
    folds: int = 5,
    trust: Optional[float] = None,
    essential: Optional[float] = None,
    smoothing: Optional[float] = None,
) -> Identified:
    """Identifies a robot's parameters from recorded motions and torques.

    Parameters
    ----------
    recordings, validate
        What is fitted, and what is only predicted: one or several of CSV files with the columns t, q1 …, tau1 …, mappings
        ``{"t": (N,), "q": (N, n), "tau": (N, n)}``, or tables of pandas. s, rad or m, N m or N, unless `layout` says otherwise.
    loaded, payload
        What is fitted, too, and was recorded with a payload that was weighed: ``{"mass": 3.0, "com": [0, 0, 0.1], "inertia": …, "on": "tool"}``,
        kg, m in that frame and kg m² about the centre of mass; the platform or the last frame if none is named. With the effect "gain" it gives the
        scale, so that drive gains are found.
    layout
        The text of a layout (TOML): names, units, gears, currents; see `appell identify --help`.
    method
        The estimator: "weighted", "ordinary", "huber", …; a wrong name lists them.
    effects
        What acts in the joints beside the bodies: "viscous", "coulomb", "offset", "rotor", …
    known
        Names of parameters that keep the value of the robot: ``"Ia*"``, ``"*.elbow"``, ``"ZZ3"``.
    lock
        Joints that stand and were not recorded: ``{"finger": 0.02}``, in rad or m, or their names, for their home. Joints that follow them stand with them.
    cut_off, decimate, border
        Low-pass of the positions, Hz (``numpy.inf`` for none); one equation of so many; s cut off at both ends.

    Examples
    --------
    >>> robot = appell.load("two-link")
    >>> t = np.arange(0, 20, 0.01)[:, None]
    >>> w = np.array([[1.3, 2.1]])
    >>> q, v, a = np.sin(w * t), w * np.cos(w * t), -w**2 * np.sin(w * t)
    >>> found = appell.identify(robot, {"t": t[:, 0], "q": q, "tau": robot.inverse_dynamics(q, v, a)})
    >>> found.fit.relative < 1e-2
    True
    """

    def several(given: Any) -> list[Any]:
        return list(given) if isinstance(given, (list, tuple)) else [given]

    for name, number, least in (("border", border, 0.0), ("trust", trust, 1e-6), ("essential", essential, 0.0), ("smoothing", smoothing, 0.0)):
        if number is not None and not least <= number < np.inf:
            raise NumberError(f"{name}={number}; expected {least:g} or more")
    if cut_off is not None and not cut_off > 0:
        raise NumberError(f"cut_off={cut_off}; expected a positive frequency, Hz, or numpy.inf for none")
    locks = _locks(lock)
    drives = _appell.moving(robot, locks) if locks else robot.drives
    data, with_payload, held = (
        [_columns(one, k, drives) for k, one in enumerate(several(given))] for given in (recordings, loaded, validate)
    )
    if (payload is None) != (not with_payload):
        raise ValueError("loaded and payload go together: recordings, and what the robot carried in them")
    if not data and not with_payload:
        raise ValueError("identify needs a recording")
    found = _appell.identify(
        robot, data, with_payload, _carried(payload), held, layout, method, _words(effects), _words(known) or [], equal_legs,
        locks, cut_off, decimate, border, int(folds), trust, essential, smoothing, datetime.date.today().isoformat(),
    )  # fmt: skip
    names = [row[0] for row in found["fit"]["joints"]]
    for recording in found["recordings"]:
        for key in ("measured", "predicted"):
            recording[key] = recording[key].reshape(-1, len(names))
    fit = Fit._of(found["fit"])
    assert fit is not None
    toml = found["toml"]
    return Identified(
        parameters=[Parameter(*row) for row in found["parameters"]],
        fit=fit,
        held_out=Fit._of(found["held_out"]),
        held_out_by=found["held_out_by"],
        consistent=Fit._of(found["consistent"]),
        robot=None if toml is None else Robot._made(toml, "toml", robot.name, floating_base=False, changes=()),
        refusal=found["refusal"],
        warnings=found["warnings"],
        regrouping=found["regrouping"],
        method=found["method"],
        condition=found["condition"],
        samples=found["samples"],
        toml=toml,
        urdf=found["urdf"],
        recordings=found["recordings"],
    )
