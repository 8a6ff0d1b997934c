"""The class Robot: what is computed in Rust, and what is comfortable in Python."""

from __future__ import annotations

import warnings
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Mapping, Optional, Sequence, Union

from . import _appell, _poses
from ._codegen import CodegenMixin
from ._crossings import CrossingsMixin
from ._errors import FileWarning, QuestionError, RobotError, ShapeError
from ._files import write_whole
from ._html import escape
from ._kinematics import KinematicsMixin
from ._numpy import ArrayLike, Numbers, np
from ._parallel import ParallelMixin
from ._parameter_sweep import ParameterSweep
from ._plot import PlotMixin
from ._rolling import RolloutMixin

Change = tuple[str, dict[str, Any]]

#: Changes of a robot's coordinates, which others undo if they come after, and which no file says: what to do about it.
COORDINATES = {
    "coupled": "that joints are coupled to those that they mimic: call .coupled() on what is read",
    "by_motors": "that motors are the coordinates: call .by_motors() on what is read",
}


class Robot(CodegenMixin, ParallelMixin, CrossingsMixin, KinematicsMixin, PlotMixin, RolloutMixin, _appell.Robot):
    """A robot: serial, tree-like or parallel; checked once, immutable, safe to share between threads.

    Made by :func:`appell.load` from a file or a built-in name, or from the text of a file. Every question of the table is a
    method; vectors of shape ``(n,)`` are one state, ``(N, n)`` are N of them, answered on all cores.

    >>> robot = appell.load("puma560")
    >>> robot
    <appell.Robot PUMA 560: serial, 6 joints>
    """

    _source: dict[str, Any]

    def __new__(
        cls,
        text: str,
        format: Optional[str] = None,
        name: str = "robot",
        *,
        floating_base: bool = False,
        changes: Sequence[Change] = (),
    ) -> Robot:
        robot = cls._made(text, format, name, floating_base=floating_base, changes=changes)
        for line in robot.warnings:
            warnings.warn(f"{name}: {line}", FileWarning, stacklevel=2)
        return robot

    @classmethod
    def _made(cls, text: str, format: Optional[str], name: str, *, floating_base: bool, changes: Sequence[Change]) -> Robot:
        """The same without a word about what is doubtful."""
        robot = _appell.Robot.__new__(cls, text, format, name, floating_base, list(changes))
        robot._source = {
            "text": text,
            "format": format,
            "name": name,
            "floating_base": floating_base,
            "changes": tuple(changes),
        }
        return robot

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, (type(self), self._source)

    def __copy__(self) -> Robot:
        return self

    def __deepcopy__(self, memo: Any) -> Robot:
        return self

    def __repr__(self) -> str:
        if self.kind in ("serial", "tree"):
            size = f"{self.nv} joints" if self.nq == self.nv else f"{self.nq} positions, {self.nv} velocities"
        else:
            size = f"{self.nv} drives, {len(self.freedoms)} degrees of freedom"
        return f"<appell.Robot {self.name}: {self.kind}, {size}>"

    def _repr_html_(self) -> str:
        head = "<tr><th>joint</th><th>kind</th><th>lower</th><th>upper</th><th>driven</th></tr>"
        rows = "".join(
            f"<tr><td>{escape(joint['name'])}</td><td>{joint['kind']}</td><td>{joint['lower']:.4g}</td>"
            f"<td>{joint['upper']:.4g}</td><td>{'yes' if joint['driven'] else ''}</td></tr>"
            for joint in self.joints
        )
        return f"<b>{escape(self.name)}</b>: {self.kind}, {self.mass:.4g} kg<table>{head}{rows}</table>"

    # Copies with something changed

    def _changed(self, change: str, /, **keywords: Any) -> Robot:
        source = dict(self._source)
        source["changes"] = (*source["changes"], (change, {k: v for k, v in keywords.items() if v is not None}))
        made = _rebuilt(type(self), source)
        for line in made.warnings:
            if line not in self.warnings:
                warnings.warn(f"{self.name}: {line}", FileWarning, stacklevel=3)
        return made

    def with_payload(
        self,
        mass: float,
        com: ArrayLike = (0.0, 0.0, 0.0),
        inertia: Optional[ArrayLike] = None,
        *,
        frame: Optional[str] = None,
    ) -> Robot:
        """The same robot with a load on the body that carries `frame`: on its platform, or its last body, if none is named.

        `com` (m) is in that frame, `inertia` (kg m²) about the centre of mass: a 3 × 3 matrix, or xx yy zz xy xz yz.

        >>> robot = appell.load("puma560")
        >>> round(robot.with_payload(2.5).mass - robot.mass, 12)
        2.5
        """
        return self._changed("payload", mass=float(mass), com=_vector(com), inertia=_tensor(inertia), frame=frame)

    def with_body(
        self,
        body: str,
        *,
        mass: Optional[float] = None,
        com: Optional[ArrayLike] = None,
        inertia: Optional[ArrayLike] = None,
    ) -> Robot:
        """The same robot with another mass (kg), centre of mass (m) or inertia about it (kg m²) of the body of a joint, or `platform`.

        >>> robot = appell.load("two-link").with_body("long", mass=3.0)
        >>> round(robot.mass, 12)
        3.1
        """
        com_ = None if com is None else _vector(com)
        return self._changed("body", of=body, mass=mass, com=com_, inertia=_tensor(inertia))

    def with_added_joint(
        self,
        name: str,
        kind: str = "revolute",
        *,
        parent: Optional[str] = None,
        gamma: float = 0.0,
        b: float = 0.0,
        alpha: float = 0.0,
        d: float = 0.0,
        theta: float = 0.0,
        r: float = 0.0,
        pitch: float = 0.0,
        mass: float = 0.0,
        com: ArrayLike = (0.0, 0.0, 0.0),
        inertia: Optional[ArrayLike] = None,
    ) -> Robot:
        """The same robot with a further joint and its body on the body of `parent`, or on the base.

        Its frame is placed by Rz(γ) Tz(b) Rx(α) Tx(d) Rz(θ) Tz(r) on that of the parent, rad and m, as :class:`appell.Builder` does;
        `com` (m) and `inertia` about it (kg m²) are in its own frame.

        >>> arm = appell.load("scara")
        >>> arm.with_added_joint("gripper", "prismatic", parent=arm.drives[-1], r=0.1, mass=0.2).nv
        5
        """
        numbers = {"gamma": gamma, "b": b, "alpha": alpha, "d": d, "theta": theta, "r": r, "pitch": pitch, "mass": mass}
        return self._changed(
            "add_joint",
            name=name,
            kind=kind,
            parent=parent,
            com=_vector(com),
            inertia=_tensor(inertia),
            **{key: float(value) for key, value in numbers.items()},
        )

    def with_frame(
        self, name: str, parent: str, *, xyz: ArrayLike = (0.0, 0.0, 0.0), rpy: ArrayLike = (0.0, 0.0, 0.0)
    ) -> Robot:
        """The same robot with a named frame on the body of a joint, or on the platform: m; roll, pitch and yaw in rad.

        >>> appell.load("puma560").with_frame("tool", "wrist-yaw", xyz=(0, 0, 0.1)).frame_names[-1]
        'tool'
        """
        return self._changed("add_frame", name=name, parent=parent, xyz=_vector(xyz), rpy=_vector(rpy))

    def with_joint(self, joint: str, **keywords: float) -> Robot:
        """The same robot with other friction, rotor, spring or limits in a joint.

        Keywords: viscous, coulomb, smoothing, offset, square_root, cubic, asymmetric, stribeck, stribeck_speed, rotor_inertia, gear,
        stiffness, rest, lower, upper, velocity, effort, driven.

        >>> robot = appell.load("two-link")
        >>> rough = robot.with_joint("long", viscous=2.0)
        >>> q, v = [0.3, 0.4], [1.0, 0.5]
        >>> bool(np.allclose(rough.bias(q, v) - robot.bias(q, v), [0.0, 2.0 * 0.5]))
        True
        """
        known = (
            "viscous coulomb smoothing offset square_root cubic asymmetric stribeck stribeck_speed rotor_inertia gear stiffness rest "
            "lower upper velocity effort driven".split()
        )
        for keyword in keywords:
            if keyword not in known:
                raise TypeError(f"with_joint has no keyword `{keyword}`; it has {', '.join(known)}")
        return self._changed("joint", of=joint, **keywords)

    def with_masses_scaled(self, factor: float) -> Robot:
        """The same robot with all bodies `factor` times as heavy.

        >>> robot = appell.load("two-link")
        >>> bool(np.isclose(robot.with_masses_scaled(1.1).mass, 1.1 * robot.mass))
        True
        """
        return self._changed("scale_masses", factor=float(factor))

    def with_gravity(self, gravity: ArrayLike) -> Robot:
        """The same robot under another acceleration of gravity in its base, m/s².

        >>> appell.load("two-link").with_gravity([0, 0, 0]).gravity_vector
        [0.0, 0.0, 0.0]
        """
        return self._changed("gravity", gravity=_vector(gravity))

    def with_output(self, frame: str) -> Robot:
        """The same robot with closed loops, with another output: a named frame, the body of a joint, or ``"platform"``.

        >>> appell.load("four-bar").with_output("rocker").home.shape
        (4, 4)
        """
        return self._changed("output", frame=frame)

    def coupled(self) -> Robot:
        """The same robot with joints that mimic others coupled to them, so that they have no coordinates of their own.

        >>> appell.load("puma560").coupled().nv
        6
        """
        return self._changed("coupled")

    def by_motors(self) -> Robot:
        """The same robot with the motors of its transmissions as coordinates, in place of the joints that they drive.

        >>> appell.load("puma560").by_motors().nv
        6
        """
        return self._changed("by_motors")

    def sweep(self, parameters: Union[ArrayLike, Mapping[str, ArrayLike]]) -> ParameterSweep:
        """The robot with other parameters in every state, φ of τ = Y φ as (N, p), or some of them by name.

        >>> robot = appell.load("two-link")
        >>> tau = robot.sweep({"long.m": np.linspace(1, 3, 100)}).inverse_dynamics([0.1, 0.2])
        >>> tau.shape
        (100, 2)
        """
        return ParameterSweep(self, parameters)

    # Where it is

    @property
    def home(self) -> Numbers:
        """The pose of the platform at home, 4 × 4; of a robot without one the positions of its joints or drives there."""
        numbers = self.home_numbers
        return self.home_positions if numbers is None else _poses.matrices(numbers)

    def pose(self, q: ArrayLike, frame: Optional[str] = None) -> Numbers:
        """The pose of a frame in the base, (4, 4) or (N, 4, 4); the last one if none is named.

        >>> appell.load("puma560").pose(np.zeros(6), "elbow").shape
        (4, 4)
        """
        names = self.frame_names
        if frame is not None and frame not in names:
            raise QuestionError(f"no frame `{frame}`; frames are {', '.join(names)}")
        index = -1 if frame is None else names.index(frame)
        poses = self.frames(q)
        result: Numbers = poses[..., index, :, :]
        return result

    # Files

    def to_text(self, format: str = "toml", *, convention: Optional[str] = None, lossy: bool = False) -> str:
        """The robot's file as text, in "toml", "urdf", "par", "csv" or "md"; what a format cannot hold is refused unless `lossy`.

        >>> appell.load("puma560").to_text("urdf").startswith("<?xml")
        True
        """
        text, lost = self.write(format, convention)
        lost += self._lost_coordinates()
        if lost and not lossy:
            raise RobotError(f"{format} cannot hold\n" + "\n".join(lost) + "\nlossy=True leaves it out")
        return text

    def _lost_coordinates(self) -> list[str]:
        """What a file does not say of changed coordinates, if they are others than those of the file."""
        changes = self._source["changes"]
        changed = [COORDINATES[change] for change, _ in changes if change in COORDINATES]
        plain = {**self._source, "changes": [change for change in changes if change[0] not in COORDINATES]}
        return changed if changed and _rebuilt(type(self), plain) != self else []

    def save(self, path: Union[str, PathLike[str]], *, lossy: bool = False, overwrite: bool = False) -> Path:
        """Writes the robot's file, in the format of its ending, whole or not at all; an existing one only with `overwrite`.

        >>> path = appell.load("delta").save("delta.toml")     # doctest: +SKIP
        """
        target = Path(fspath(path))
        return write_whole(target, self.to_text(target.suffix.lstrip(".") or "toml", lossy=lossy), overwrite=overwrite)


def _rebuilt(cls: type[Robot], source: Mapping[str, Any]) -> Robot:
    return cls._made(**source)


def _vector(numbers: ArrayLike) -> list[float]:
    array = np.asarray(numbers, dtype=np.float64)
    if array.shape != (3,):
        raise ShapeError(f"a vector of shape {array.shape}; expected (3,)")
    return [float(x) for x in array]


def _tensor(inertia: Optional[ArrayLike]) -> Optional[list[float]]:
    if inertia is None:
        return None
    array = np.asarray(inertia, dtype=np.float64)
    if array.shape == (3, 3):
        if not np.allclose(array, array.T):
            raise ValueError("an inertia that is not symmetric")
        array = array[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
    if array.shape != (6,):
        raise ShapeError(f"an inertia of shape {array.shape}; expected (3, 3), or xx yy zz xy xz yz")
    return [float(x) for x in array]


def _read(path: Path) -> str:
    data = path.read_bytes()
    if len(data) >= 64 << 20:
        raise ValueError(f"{path} is larger than 64 MiB, which no robot needs")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        if path.suffix.lower() != ".urdf":
            raise ValueError(f"{path} is not UTF-8; save it in that encoding") from None
        warnings.warn(f"{path} is not UTF-8; other letters are replaced", FileWarning, stacklevel=3)
        return data.decode("utf-8", errors="replace")


def builtin() -> dict[str, str]:
    """The built-in robots, each with a line about it.

    >>> "gough-stewart" in appell.robots()
    True
    """
    return {name: summary for name, summary, _ in _appell.robots()}


def load(robot: Union[str, PathLike[str]], *, floating_base: bool = False, output: Optional[str] = None) -> Robot:
    """Reads a robot: a built-in name, or a file (`.toml`, `.urdf`, MuJoCo's `.xml`, `.sdf`, `.par`, `.csv`, `.md`).

    `floating_base` frees the root of a URDF or SDF; `output` names the frame that moves as a platform does, of a robot with
    closed loops. Doubts about a file are warnings, :class:`appell.FileWarning`.

    >>> appell.load("delta").kind
    'parallel'
    """
    name = fspath(robot)
    texts = {name: text for name, _, text in _appell.robots()}
    if name in texts:
        made = Robot(texts[name], "toml", name)
    else:
        path = Path(name)
        if not path.exists():
            known = ", ".join(texts)
            raise FileNotFoundError(f"{name}: file not found, and no built-in robot of this name; built-in robots are {known}")
        format, text = _appell.recognise(str(path), _read(path), lambda file: _read(path.parent / file))
        made = Robot._made(text, format, path.stem, floating_base=floating_base, changes=())
        for line in made.warnings:
            warnings.warn(f"{name}: {line}", FileWarning, stacklevel=2)
        floating_base = False
    if floating_base:
        raise ValueError(f"{name} is not a URDF or SDF file; give it a free joint in the file")
    return made if output is None else made.with_output(output)


def check(robot: Union[str, PathLike[str]], *, floating_base: bool = False) -> list[str]:
    """Everything wrong or doubtful in a robot's file, a line each, errors first; none if it is fine.

    >>> appell.check("two-link")
    []
    """
    name = fspath(robot)
    texts = {name: text for name, _, text in _appell.robots()}
    if name in texts:
        format, text = "toml", texts[name]
    else:
        path = Path(name)
        format, text = _appell.recognise(str(path), _read(path), lambda file: _read(path.parent / file))
    found: list[tuple[bool, str]] = _appell.inspect(text, format, floating_base)
    if not any(is_error for is_error, _ in found):
        # What only the whole robot shows: loops that do not close, or lock a drive.
        try:
            Robot._made(text, format, Path(name).stem, floating_base=floating_base, changes=())
        except RobotError as error:
            found.append((True, f"error: {error}"))
    return [message for _, message in sorted(found, key=lambda row: not row[0])]
