"""Legs that are driven slides from a point of the base to a point of the platform: their rows of J_inv are the Plücker coordinates of lines.

l̇ = u · ṗ + (R b × u) · ω with u = d / |d|, d = p + R b − a: polynomials of the pose but for the length, by which a row may be multiplied. Bounds
of these are far closer than those of general code, in which lengths come back as quotients.
"""

from __future__ import annotations

from typing import Any, Callable, Optional, Sequence

from .._numpy import Numbers, np
from .._robot import Robot
from ._places import as_matrices, places

#: Poses at which the lines are compared with the robot's own J_inv, and how well they agree.
COMPARED, AGREEMENT = 24, 1e-9


def straight_legs(robot: Robot) -> Optional[Callable[[Any], list[Any]]]:
    """J_inv of six such legs, each row times the leg's length, from px py pz qx qy qz qw; None of other robots."""
    if len(robot.drives) != 6 or robot.freedoms != ["vx", "vy", "vz", "wx", "wy", "wz"]:
        return None
    found = _ends(robot)
    if found is None:
        return None
    base, platform = found

    def rows(pose: Any) -> list[Any]:
        return _rows(pose, base, platform)

    return rows if _agrees(robot, rows) else None


def _ends(robot: Robot) -> Optional[tuple[Numbers, Numbers]]:
    """Points of the base, and of the platform in its frame, of legs at home that are slides between them."""
    skeleton = robot._skeleton(None, None)
    joints, count = skeleton["joints"], len(skeleton["joints"])
    pose = as_matrices(np.asarray(skeleton["platform"]))
    base, platform = [], []
    for j, (_name, parent, _at, axis, turns, driven) in enumerate(joints):
        if not driven:
            continue
        ends = [sides for _closing, sides in skeleton["closures"] if {sides[0][0], sides[1][0]} == {j, count}]
        if turns or parent is None or len(ends) != 1:
            return None
        start, end = np.asarray(joints[parent][2]), np.asarray(ends[0][0][1])
        if np.linalg.norm(np.cross(np.asarray(axis), end - start)) > AGREEMENT * np.linalg.norm(end - start):
            return None
        base.append(start)
        platform.append(pose[:3, :3].T @ (end - pose[:3, 3]))
    return np.array(base), np.array(platform)


def _rows(pose: Sequence[Any], base: Numbers, platform: Numbers) -> list[Any]:
    """d and (R b) × (p − a) of every leg: the quaternion of the pose need not have length 1."""
    position, (x, y, z, w) = list(pose[:3]), pose[3:]
    xx, yy, zz, ww = x * x, y * y, z * z, w * w
    part = 1.0 / (xx + yy + zz + ww)
    turn = [
        [ww + xx - yy - zz, 2.0 * (x * y - z * w), 2.0 * (x * z + y * w)],
        [2.0 * (x * y + z * w), ww - xx + yy - zz, 2.0 * (y * z - x * w)],
        [2.0 * (x * z - y * w), 2.0 * (y * z + x * w), ww - xx - yy + zz],
    ]
    answer = []
    for a, b in zip(base, platform):
        arm = [part * (row[0] * float(b[0]) + row[1] * float(b[1]) + row[2] * float(b[2])) for row in turn]
        to = [p - float(start) for p, start in zip(position, a)]
        answer += [one + other for one, other in zip(to, arm)]
        answer += [arm[1] * to[2] - arm[2] * to[1], arm[2] * to[0] - arm[0] * to[2], arm[0] * to[1] - arm[1] * to[0]]
    return answer


def _agrees(robot: Robot, rows: Callable[[Any], list[Any]]) -> bool:
    """Whether these are rows of the robot's own J_inv, each by a positive factor."""
    length = robot.singularities().length
    random = np.random.default_rng(1)
    home = robot.home[:3, 3]
    near = {name: home[k] + 0.05 * length * random.uniform(-1, 1, COMPARED) for k, name in enumerate("xyz")}
    near.update({name: 0.1 * random.uniform(-1, 1, COMPARED) for name in ("roll", "pitch", "yaw")})
    where = places(robot, near)
    own = robot.inverse_jacobian(where)
    found = np.array(rows(list(where.T))).T.reshape(COMPARED, 6, 6)
    factors = np.einsum("nij,nij->ni", found, own) / np.einsum("nij,nij->ni", own, own)
    gap = np.abs(found - factors[:, :, None] * own).max()
    return bool((factors > 0).all() and gap < AGREEMENT * np.abs(found).max())
