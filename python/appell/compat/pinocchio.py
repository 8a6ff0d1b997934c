"""Robots of Pinocchio: a `pinocchio.Model` becomes an :class:`appell.Robot`.

>>> import pinocchio
>>> from appell.compat.pinocchio import from_model, q_to_appell
>>> model = pinocchio.buildSampleModelManipulator()
>>> robot = from_model(model)
>>> v = a = np.ones(model.nv)
>>> tau = robot.inverse_dynamics(q_to_appell(model, pinocchio.neutral(model)), v, a)
>>> bool(np.allclose(tau, pinocchio.rnea(model, model.createData(), pinocchio.neutral(model), v, a)))
True

The bridge reads what a model holds, not the file that it came from, so that models made or changed in code, reduced or joined
are read too. Joints keep their order, so velocities, accelerations and torques are the same numbers in the same order, and
matrices need no permutation; the velocity of a free flyer is in its own axes, linear first, in both. Positions differ in one
point: a continuous joint is cos and sin there and an angle here; :func:`q_to_appell` and :func:`q_to_pinocchio` convert.

=============================================================  ===============================================================================
joint of Pinocchio                                             here
=============================================================  ===============================================================================
RX, RY, RZ, RevoluteUnaligned, PX, PY, PZ, PrismaticUnaligned  one joint of the same q
RUBX, RUBY, RUBZ, RevoluteUnboundedUnaligned                   a revolute joint; (cos, sin) is an angle
FreeFlyer, Spherical                                           free, spherical; quaternions are x, y, z, w in both
HX, HY, HZ, HelicalUnaligned                                   a screw
Translation, SphericalZYX, Universal, Composite                one joint per number, called `NAME.1`, `NAME.2`, …, the last `NAME`
Mimic                                                          coupled to the joint that it follows, without a coordinate of its own, as there
Planar, Ellipsoid                                              refused: their velocities are not those of any joint here
=============================================================  ===============================================================================
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Optional
from xml.sax.saxutils import quoteattr

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._errors import RobotError, ShapeError
from .._robot import Robot

Numbers = NDArray[np.float64]

#: A limit beyond this is none: Pinocchio writes infinity or the largest number.
NO_LIMIT = 1e30
#: How far from each other two directions of a motion may be and count as the same: rounding.
SAME = 1e-12


def from_model(model: Any, *, friction: bool = False, name: Optional[str] = None) -> Robot:
    """The robot that a `pinocchio.Model` describes.

    Taken over are joints in their order, placements, inertias, limits, `armature`, `gravity` and all frames (see
    :func:`frame_names`); doubts about them, such as inertias that no body has, are in `robot.warnings`. Pinocchio keeps friction (`damping`, `friction`) but computes without it; with `friction` it counts here.

    >>> import pinocchio
    >>> appell.compat.pinocchio.from_model(pinocchio.buildSampleModelManipulator(), name="arm")
    <appell.Robot arm: serial, 6 joints>
    """
    parts = _parts(model)
    names = _frames(model, parts)
    text = [f"<robot name={quoteattr(name or model.name or 'robot')}>", '<link name="base"/>']
    carriers = {0: "base"}
    for part in parts:
        text += _joint(model, part, carriers, friction)
        carriers[part.joint] = part.name
    for k, frame in enumerate(model.frames):
        if names[k] not in (*carriers.values(), "base"):
            text.append(f"<link name={quoteattr(names[k])}/>")
            text += _connection(
                f"fixed:{k}", "fixed", carriers[frame.parentJoint], names[k], frame.placement.homogeneous
            )
    text.append("</robot>")
    changes = _changes(model, parts)
    urdf = "\n".join(text)
    called = name or model.name or "robot"
    others = [part for part in parts if part.kind in ("spherical", "screw")]
    if not others:
        return _made(urdf, "urdf", called, changes)
    # A URDF has no such joints: they are placed by joints that it has, and named in our own format.
    toml = _made(urdf, "urdf", called).to_text("toml", lossy=True)
    return _made(_retyped(toml, others), "toml", called, changes)


def _made(text: str, format: str, name: str, changes: Any = ()) -> Robot:
    """A robot from text of ours; doubts about it are about the model, which its owner knows."""
    return Robot._made(text, format, name, floating_base=False, changes=changes)


def q_to_appell(model: Any, q: ArrayLike) -> Numbers:
    """Positions of Pinocchio as ours: (model.nq,) → (robot.nq,), (N, model.nq) → (N, robot.nq).

    >>> import pinocchio
    >>> model = pinocchio.Model()
    >>> _ = model.addJoint(0, pinocchio.JointModelRUBZ(), pinocchio.SE3.Identity(), "wheel")
    >>> appell.compat.pinocchio.q_to_appell(model, [np.cos(0.5), np.sin(0.5)])
    array([0.5])
    """
    theirs = _positions(q, int(model.nq), "model.nq")
    columns: list[Numbers] = []
    for start, size, is_angle in _blocks(model):
        block = theirs[..., start : start + size]
        columns.append(np.arctan2(block[..., 1:], block[..., :1]) if is_angle else block)
    return np.concatenate(columns, axis=-1) if columns else theirs


def q_to_pinocchio(model: Any, q: ArrayLike) -> Numbers:
    """Our positions as Pinocchio's: (robot.nq,) → (model.nq,), (N, robot.nq) → (N, model.nq).

    >>> import pinocchio
    >>> model = pinocchio.Model()
    >>> _ = model.addJoint(0, pinocchio.JointModelRUBZ(), pinocchio.SE3.Identity(), "wheel")
    >>> appell.compat.pinocchio.q_to_pinocchio(model, [0.0])
    array([1., 0.])
    """
    blocks = _blocks(model)
    ours = _positions(q, sum(1 if is_angle else size for _, size, is_angle in blocks), "robot.nq")
    columns: list[Numbers] = []
    start = 0
    for _, size, is_angle in blocks:
        block = ours[..., start : start + (1 if is_angle else size)]
        columns += [np.cos(block), np.sin(block)] if is_angle else [block]
        start += block.shape[-1]
    return np.concatenate(columns, axis=-1) if columns else ours


def frame_names(model: Any) -> list[str]:
    """What each frame of `model.frames` is called here, by its index there.

    Frames of joints are called like the joint, `universe` is `base`. Pinocchio lets a body, a joint and a sensor have one name;
    here the later ones have their type before it, such as `body:NAME`.

    >>> import pinocchio
    >>> model = pinocchio.buildSampleModelManipulator()
    >>> appell.compat.pinocchio.frame_names(model)[model.getFrameId("wrist1_joint")]
    'wrist1_joint'
    """
    return _frames(model, _parts(model))


@dataclass
class _Part:
    """A joint of ours: one of the model's, or one number of it."""

    joint: int  # of the model
    name: str
    kind: str  # what it is here
    parent_from_child: Numbers  # 4 × 4
    parent: Optional[str]  # another part of the same joint; none if it hangs on the joint's parent
    axis: Numbers = field(default_factory=lambda: np.array([0.0, 0.0, 1.0]))
    pitch: float = 0.0  # m/rad
    idx_v: int = -1  # of the model's vectors; -1 without a number of its own
    idx_q: int = -1
    mimics: Optional[tuple[str, float, float]] = None
    is_last: bool = True  # which carries the body


def _positions(q: ArrayLike, width: int, called: str) -> Numbers:
    array = np.asarray(q, dtype=np.float64)
    if array.ndim not in (1, 2) or array.shape[-1] != width:
        raise ShapeError(f"`q` has shape {array.shape}; expected ({width},) or (N, {width}): {called} = {width}")
    return array


def _blocks(model: Any) -> list[tuple[int, int, bool]]:
    """Where the position of each joint begins, how long it is, and whether it is (cos, sin)."""
    blocks = []
    for k in range(1, model.njoints):
        blocks += _blocks_of(model.joints[k], str(model.names[k]))
    return blocks


def _blocks_of(joint: Any, name: str) -> list[tuple[int, int, bool]]:
    kind = joint.shortname()
    if kind.startswith("JointModelComposite"):
        return [block for one in _extracted(joint).joints for block in _blocks_of(one, name)]
    if "Planar" in kind:
        _refuse(name, kind)
    if "Mimic" in kind or joint.nq == 0:
        return []
    return [(int(joint.idx_q), int(joint.nq), _is_continuous(kind))]


def _is_continuous(kind: str) -> bool:
    return "RUB" in kind or "RevoluteUnbounded" in kind


def _refuse(name: str, kind: str) -> None:
    raise RobotError(
        f"joint `{name}` is a {kind}, which has no equal here; replace it in the model by prismatic and revolute joints"
    )


def _extracted(joint: Any) -> Any:
    """The joint itself: a model holds variants."""
    return joint.extract() if hasattr(joint, "extract") else joint


def _fit(name: str) -> str:
    """A name as tables can hold it."""
    return re.sub(r'[,"\x00-\x1f\x7f-\x9f]', "_", name)[:200].strip() or "unnamed"


def _free(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    taken.add(name)
    return name


def _parts(model: Any) -> list[_Part]:
    """All joints as ours, in order; a model of another order is refused, as Pinocchio's own algorithms need this one."""
    if not np.allclose(model.gravity.angular, 0.0):
        raise RobotError(f"gravity has the angular part {model.gravity.angular}; expected zero")
    names: dict[int, str] = {}
    taken: set[str] = set()
    for k in range(1, model.njoints):
        name = _fit(str(model.names[k]))
        names[k] = _free("joint:base" if name == "base" else name, taken)
    parts: list[_Part] = []
    path: list[int] = [0]
    for k in range(1, model.njoints):
        parent = int(model.parents[k])
        if parent not in path:
            raise RobotError(
                f"joint `{model.names[k]}` comes after joints that do not carry it; add the joints of a branch one after the other"
            )
        path = [*path[: path.index(parent) + 1], k]
        parts += _parts_of(model, k, names, taken)
    return parts


def _parts_of(model: Any, k: int, names: dict[int, str], taken: set[str]) -> list[_Part]:
    joint = model.joints[k]
    found = _elements(joint, names[k], np.asarray(model.jointPlacements[k].homogeneous))
    if "Mimic" in joint.shortname():
        own = _extracted(joint)
        primary = int(model.mimicked_joints[list(model.mimicking_joints).index(k)])
        kind, axis, scaling, offset = _mimicking(model, k, own)
        found = [_Part(k, "", kind, np.asarray(model.jointPlacements[k].homogeneous), None, axis=axis)]
        found[0].mimics = (names[primary], scaling, offset)
    above: Optional[str] = None
    for number, part in enumerate(found, 1):
        part.joint = k
        part.is_last = number == len(found)
        part.name = names[k] if part.is_last else _free(f"{names[k]}.{number}", taken)
        part.parent = above
        above = part.name
    return found


def _mimicking(model: Any, k: int, own: Any) -> tuple[str, Numbers, float, float]:
    """Kind and axis of a joint that follows another one, from its motion."""
    pin = import_module("pinocchio")
    data = model.createData()
    q = pin.neutral(model)
    jacobian = np.asarray(pin.computeJointJacobian(model, data, q, k)).reshape(6, -1)
    scaling, offset = float(own.scaling), float(own.offset)
    column = jacobian[:, int(model.joints[k].idx_v)]
    # The joint that is followed may carry this one, so its own motion is what remains without that of its parent.
    parent = int(model.parents[k])
    if parent > 0:
        carried = np.asarray(pin.computeJointJacobian(model, data, q, parent)).reshape(6, -1)[:, int(model.joints[k].idx_v)]
        pin.forwardKinematics(model, data, q)
        column = column - np.asarray(data.oMi[k].actInv(data.oMi[parent]).action) @ carried
    if scaling == 0.0:
        raise RobotError(f"joint `{model.names[k]}` follows with the factor 0; fix it by pinocchio.buildReducedModel")
    linear, angular = column[:3] / scaling, column[3:] / scaling
    return ("prismatic", linear, scaling, offset) if np.linalg.norm(angular) < SAME else ("revolute", angular, scaling, offset)


def _elements(joint: Any, name: str, placement: Numbers) -> list[_Part]:
    """A joint as a chain of ours; `placement` is where the first one is on what carries it."""
    kind = joint.shortname().replace("JointModel", "").split("<")[0]
    x, y, z = np.eye(3)
    at = int(joint.idx_v)

    def one(kind: str, k: int = 0, axis: Numbers = z, pitch: float = 0.0) -> _Part:
        seat = placement if k == 0 else np.eye(4)
        is_pose = kind in ("free", "spherical")
        return _Part(
            0, "", kind, seat, None, axis=axis, pitch=pitch, idx_v=at + k, idx_q=-1 if is_pose else int(joint.idx_q) + k
        )

    if kind == "FreeFlyer":
        return [one("free")]
    if kind == "Spherical":
        return [one("spherical")]
    if kind == "SphericalZYX":
        return [one("revolute", 0, z), one("revolute", 1, y), one("revolute", 2, x)]
    if kind == "Translation":
        return [one("prismatic", 0, x), one("prismatic", 1, y), one("prismatic", 2, z)]
    if kind == "Universal":
        own = _extracted(joint)
        return [one("revolute", 0, np.asarray(own.axis1)), one("revolute", 1, np.asarray(own.axis2))]
    if kind == "Composite":
        own, chain = _extracted(joint), []
        for k, (element, seat) in enumerate(zip(own.joints, own.jointPlacements)):
            seat = np.asarray(seat.homogeneous)
            chain += _elements(element, name, placement @ seat if k == 0 else seat)
        return chain
    if kind == "Mimic":
        return []
    if joint.nv != 1:
        _refuse(name, kind)
    motion = _motion(joint)
    linear, angular = motion[:3], motion[3:]
    if np.linalg.norm(angular) < SAME:
        return [one("prismatic", axis=linear)]
    pitch = float(linear @ angular)
    if np.linalg.norm(linear - pitch * angular) > SAME:
        _refuse(name, kind)
    if abs(pitch) > 0.0:
        return [one("screw", axis=angular, pitch=pitch)]
    return [one("continuous" if _is_continuous(kind) else "revolute", axis=angular)]


def _motion(joint: Any) -> Numbers:
    """The six numbers of the motion of a joint with one, in its own frame: of any type, whether or not it shows its axis."""
    data = joint.createData()
    q = np.zeros(int(joint.idx_q) + int(joint.nq))
    q[int(joint.idx_q)] = 1.0 if joint.nq == 2 else 0.0
    joint.calc(data, q)
    return np.asarray(data.S, dtype=np.float64).reshape(6)


def _frames(model: Any, parts: list[_Part]) -> list[str]:
    taken = {part.name for part in parts} | {"base"}
    called = {part.joint: part.name for part in parts if part.is_last}
    names = []
    for frame in model.frames:
        kind = str(frame.type).lower()
        if frame.name == "universe" and frame.parentJoint == 0:
            names.append("base")
        elif kind == "joint" and frame.parentJoint in called and np.array_equal(frame.placement.homogeneous, np.eye(4)):
            names.append(called[frame.parentJoint])
        else:
            name = _fit(str(frame.name))
            names.append(_free(f"{kind}:{name}" if name in taken else name, taken))
    return names


def _joint(model: Any, part: _Part, carriers: dict[int, str], friction: bool) -> list[str]:
    """A joint and the link behind it, which is called like it."""
    inside = [f'<axis xyz="{_text(part.axis)}"/>']
    k, single = part.idx_v, part.kind in ("revolute", "continuous", "prismatic", "screw")
    if k >= 0 and single:
        limits = {"effort": model.effortLimit[k], "velocity": model.velocityLimit[k]}
        if part.kind != "continuous":
            lower, upper = model.lowerPositionLimit[part.idx_q], model.upperPositionLimit[part.idx_q]
            limits |= {"lower": lower, "upper": upper}
        inside.append("<limit " + " ".join(f'{of}="{x!r}"' for of, x in _finite(limits)) + "/>")
        if friction:
            inside.append(f'<dynamics damping="{float(model.damping[k])!r}" friction="{float(model.friction[k])!r}"/>')
    elif k >= 0 and friction and (np.any(model.damping[k : k + 3]) or np.any(model.friction[k : k + 3])):
        raise RobotError(f"joint `{part.name}` of several turns has friction, which has no place here; set it to zero")
    if part.mimics:
        primary, multiplier, offset = part.mimics
        inside.append(f"<mimic joint={quoteattr(primary)} multiplier=\"{multiplier!r}\" offset=\"{offset!r}\"/>")
    kind = {"free": "floating", "spherical": "floating", "screw": "revolute"}.get(part.kind, part.kind)
    parent = part.parent or carriers[int(model.parents[part.joint])]
    link = [f"<link name={quoteattr(part.name)}>"]
    if part.is_last:
        body = model.inertias[part.joint]
        if body.mass != 0.0 or np.any(body.inertia):
            i = np.asarray(body.inertia)
            tensor = " ".join(
                f'{of}="{float(i[r, c])!r}"'
                for of, r, c in [("ixx", 0, 0), ("ixy", 0, 1), ("ixz", 0, 2), ("iyy", 1, 1), ("iyz", 1, 2), ("izz", 2, 2)]
            )
            com = _text(body.lever if body.mass != 0.0 else np.zeros(3))
            link.append(f'<inertial><origin xyz="{com}"/><mass value="{float(body.mass)!r}"/><inertia {tensor}/></inertial>')
    link.append("</link>")
    return link + _connection(part.name, kind, parent, part.name, part.parent_from_child, inside)


def _finite(limits: dict[str, Any]) -> list[tuple[str, float]]:
    return [(of, float(x)) for of, x in limits.items() if abs(x) < NO_LIMIT]


def _connection(name: str, kind: str, parent: str, child: str, pose: Any, inside: Optional[list[str]] = None) -> list[str]:
    pose = np.asarray(pose, dtype=np.float64)
    origin = f'<origin xyz="{_text(pose[:3, 3])}" rpy="{_text(_roll_pitch_yaw(pose[:3, :3]))}"/>'
    ends = f"<parent link={quoteattr(parent)}/><child link={quoteattr(child)}/>"
    return [f'<joint name={quoteattr(name)} type="{kind}">', ends, origin, *(inside or []), "</joint>"]


def _text(numbers: Any) -> str:
    return " ".join(repr(float(x)) for x in np.asarray(numbers).ravel())


def _roll_pitch_yaw(r: Numbers) -> Numbers:
    """R = Rz(yaw) Ry(pitch) Rx(roll), to the last digits at a pitch of 90° too: roll is what remains after the other two."""
    yaw = np.arctan2(r[1, 0], r[0, 0])
    c, s = np.cos(yaw), np.sin(yaw)
    pitch = np.arctan2(-r[2, 0], c * r[0, 0] + s * r[1, 0])
    roll = np.arctan2(s * r[0, 2] - c * r[1, 2], c * r[1, 1] - s * r[0, 1])
    return np.array([roll, pitch, yaw])


def _changes(model: Any, parts: list[_Part]) -> list[tuple[str, dict[str, Any]]]:
    """What a URDF cannot say: gravity, rotors, joints that follow others."""
    changes: list[tuple[str, dict[str, Any]]] = []
    gravity = [float(x) for x in model.gravity.linear]
    if gravity != [0.0, 0.0, -9.81]:
        changes.append(("gravity", {"gravity": gravity}))
    for part in parts:
        k = part.idx_v
        if k < 0:
            continue
        size = {"free": 6, "spherical": 3}.get(part.kind, 1)
        armature = np.asarray(model.armature[k : k + size], dtype=np.float64)
        if size > 1 and np.any(armature):
            raise RobotError(f"joint `{part.name}` of several turns has the armature {armature}; set it to zero")
        if size == 1 and armature[0] != 0.0:
            inertia, gear = float(model.rotorInertia[k]), float(model.rotorGearRatio[k])
            if inertia * gear * gear != armature[0]:
                inertia, gear = float(armature[0]), 1.0
            changes.append(("joint", {"of": part.name, "rotor_inertia": inertia, "gear": gear}))
    if any(part.mimics for part in parts):
        changes.append(("coupled", {}))
    return changes


def _retyped(toml: str, parts: list[_Part]) -> str:
    """Our own format with the types of some joints replaced; pitches are in metres per turn."""
    for part in parts:
        quoted = '"' + part.name.replace("\\", "\\\\") + '"'
        row = re.compile(r"^(  \[" + re.escape(quoted) + r', +)"(?:free|revolute)"', re.MULTILINE)
        toml, count = row.subn(lambda found: f'{found[1]}"{part.kind}"', toml)
        assert count == 1, part.name
        if part.kind == "screw":
            plain = re.fullmatch(r"[A-Za-z0-9_-]+", part.name)
            head = f"[joint.{part.name if plain else quoted}]\n"
            pitch = f"pitch = {2.0 * np.pi * part.pitch!r}\n"
            toml = toml.replace(head, head + pitch) if head in toml else f"{toml}\n{head}{pitch}"
    return toml
