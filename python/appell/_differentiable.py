"""Questions as functions of arrays with exact derivatives: what :mod:`appell.jax` and :mod:`appell.torch` wrap.

Derivatives of the robot are along the tangent space of its positions: of a quaternion by the angular velocity. Frameworks take
them by the numbers of the position, so that they are multiplied by T(q) of δ = T(q) dq. A quaternion is divided by its norm first,
and T(q) of its radius is zero: optimisers may leave the unit sphere, and gradients do not lead away from it.

A robot refuses NaN and infinite numbers; here a row with one has NaN for an answer, as functions of those frameworks have, so that one state
of thousands that went wrong does not end a computation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, Optional

import numpy as np
from numpy.typing import NDArray

from ._errors import QuestionError
from ._robot import COORDINATES, Robot

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Function:
    """A function of rows of numbers: `inputs` by name and width, `shape` of one answer.

    `value` maps arrays (N, width) to (N, *shape); `derivatives` to one array (N, *shape, width) per input.
    """

    name: str
    inputs: tuple[tuple[str, int], ...]
    shape: tuple[int, ...]
    value: Callable[..., Numbers]
    derivatives: Callable[..., tuple[Numbers, ...]]


class Functions:
    """The functions of one robot."""

    def __init__(self, robot: Robot) -> None:
        if robot.kind not in ("serial", "tree"):
            raise QuestionError(
                f"{robot.name} has closed loops; functions with derivatives are for robots without: ask the robot itself, "
                "robot.inverse_dynamics_derivatives(…), whose derivatives are by the motion of its platform"
            )
        self.robot = robot
        self.blocks = _quaternions(robot)
        self.weightless = _weightless(robot)

    def of(self, name: str, frame: Optional[str] = None) -> Function:
        """A function by its name; `pose` is that of a frame."""
        plain = self._plain(name, frame)

        def value(*arrays: Numbers) -> Numbers:
            (answer,) = self._where_fine(lambda *rows: (plain.value(*rows),), arrays, [plain.shape])
            return answer

        def derivatives(*arrays: Numbers) -> tuple[Numbers, ...]:
            return self._where_fine(plain.derivatives, arrays, [(*plain.shape, width) for _, width in plain.inputs])

        return Function(plain.name, plain.inputs, plain.shape, value, derivatives)

    def _plain(self, name: str, frame: Optional[str]) -> Function:
        n, m = self.robot.nq, self.robot.nv
        q, v, a, tau = ("q", n), ("v", m), ("a", m), ("tau", m)
        if name == "inverse_dynamics":
            return Function(name, (q, v, a), (m,), self._inverse_dynamics, self._inverse_dynamics_by)
        if name == "forward_dynamics":
            return Function(name, (q, v, tau), (m,), self._forward_dynamics, self._forward_dynamics_by)
        if name == "bias":
            return Function(name, (q, v), (m,), self._bias, self._bias_by)
        if name == "gravity":
            return Function(name, (q,), (m,), self._gravity, self._gravity_by)
        if name == "inertia_matrix":
            return Function(name, (q,), (m, m), self._inertia_matrix, self._inertia_matrix_by)
        if name == "centre_of_mass":
            return Function(name, (q,), (3,), self._centre_of_mass, self._centre_of_mass_by)
        if name == "pose":
            chosen = self.robot.frame_names[-1] if frame is None else frame
            self.robot.pose(self.robot.neutral, chosen)  # which says what is wrong with a name
            return Function(
                name, (q,), (4, 4), lambda q: self.robot.pose(self._unit(q), chosen), lambda q: self._pose_by(q, chosen)
            )
        raise QuestionError(f"no function `{name}`")

    # Positions

    def _where_fine(
        self, function: Callable[..., tuple[Numbers, ...]], arrays: tuple[Numbers, ...], shapes: list[tuple[int, ...]]
    ) -> tuple[Numbers, ...]:
        """Answers of a function for rows of finite numbers with quaternions that are not zero, and NaN for the others."""
        is_fine = np.all([np.isfinite(array).all(axis=1) for array in arrays], axis=0)
        for block in self.blocks:
            is_fine &= np.any(arrays[0][:, block.quaternion : block.quaternion + 4] != 0.0, axis=1)
        if is_fine.all():
            return function(*arrays)
        answers = tuple(np.full((len(is_fine), *shape), np.nan) for shape in shapes)
        for answer, found in zip(answers, function(*(array[is_fine] for array in arrays))):
            answer[is_fine] = found
        return answers

    def _unit(self, q: Numbers) -> Numbers:
        """Positions with quaternions of length 1."""
        if not self.blocks:
            return q
        q = q.copy()
        for block in self.blocks:
            part = q[:, block.quaternion : block.quaternion + 4]
            part /= np.linalg.norm(part, axis=1, keepdims=True)
        return q

    def _ambient(self, by_tangent: Numbers, q: Numbers) -> Numbers:
        """Derivatives by the numbers of a position, (N, …, nq), from those along its tangent space, (N, …, nv)."""
        if not self.blocks:
            return by_tangent
        T = np.zeros((len(q), self.robot.nv, self.robot.nq))
        paired = {k for block in self.blocks for k in block.columns()}
        taken = {k for block in self.blocks for k in block.rows()}
        plain = [k for k in range(self.robot.nq) if k not in paired]
        T[:, [k for k in range(self.robot.nv) if k not in taken], plain] = 1.0
        for block in self.blocks:
            x, y, z, w = (q[:, block.quaternion + k] for k in range(4))
            norm2 = x * x + y * y + z * z + w * w
            # ω = 2 vec(q* ∘ q̇) of a quaternion divided by its norm, whose square divides here.
            rows = np.array([[w, z, -y, -x], [-z, w, x, -y], [y, -x, w, -z]])
            T[:, block.angular : block.angular + 3, block.quaternion : block.quaternion + 4] = (
                2.0 * np.moveaxis(rows, 2, 0) / norm2[:, None, None]
            )
            if block.position is not None and block.linear is not None:
                R = _rotation(x, y, z, w, norm2)
                T[:, block.linear : block.linear + 3, block.position : block.position + 3] = np.swapaxes(R, 1, 2)
        shape = (len(q), *(1,) * (by_tangent.ndim - 3), *T.shape[1:])
        result: Numbers = by_tangent @ T.reshape(shape)
        return result

    # Values and derivatives

    def _inverse_dynamics(self, q: Numbers, v: Numbers, a: Numbers) -> Numbers:
        result: Numbers = self.robot.inverse_dynamics(self._unit(q), v, a)
        return result

    def _inverse_dynamics_by(self, q: Numbers, v: Numbers, a: Numbers) -> tuple[Numbers, ...]:
        by_q, by_v, by_a = self.robot.inverse_dynamics_derivatives(self._unit(q), v, a)
        return self._ambient(by_q, q), by_v, by_a

    def _forward_dynamics(self, q: Numbers, v: Numbers, tau: Numbers) -> Numbers:
        result: Numbers = self.robot.forward_dynamics(self._unit(q), v, tau)
        return result

    def _forward_dynamics_by(self, q: Numbers, v: Numbers, tau: Numbers) -> tuple[Numbers, ...]:
        by_q, by_v, by_tau = self.robot.forward_dynamics_derivatives(self._unit(q), v, tau)
        return self._ambient(by_q, q), by_v, by_tau

    def _bias(self, q: Numbers, v: Numbers) -> Numbers:
        result: Numbers = self.robot.bias(self._unit(q), v)
        return result

    def _bias_by(self, q: Numbers, v: Numbers) -> tuple[Numbers, ...]:
        by_q, by_v, _ = self.robot.inverse_dynamics_derivatives(self._unit(q), v)
        return self._ambient(by_q, q), by_v

    def _gravity(self, q: Numbers) -> Numbers:
        result: Numbers = self.robot.gravity(self._unit(q))
        return result

    def _gravity_by(self, q: Numbers) -> tuple[Numbers, ...]:
        unit = self._unit(q)
        # At rest torques are those of gravity and springs; without gravity those of springs alone.
        both = self.robot.inverse_dynamics_derivatives(unit)[0]
        return (self._ambient(both - self.weightless.inverse_dynamics_derivatives(unit)[0], q),)

    def _inertia_matrix(self, q: Numbers) -> Numbers:
        result: Numbers = self.robot.inertia_matrix(self._unit(q))
        return result

    def _inertia_matrix_by(self, q: Numbers) -> tuple[Numbers, ...]:
        """∂M/∂q: column j of M is the torque of a unit acceleration of joint j, less that of none."""
        count, m = len(q), self.robot.nv
        unit, a = np.repeat(self._unit(q), m + 1, axis=0), np.tile(np.eye(m + 1, m), (count, 1))
        by_q = self.weightless.inverse_dynamics_derivatives(unit, None, a)[0].reshape(count, m + 1, m, m)
        columns = by_q[:, :m] - by_q[:, m:]  # state, column of M, row of M, along
        return (self._ambient(np.ascontiguousarray(columns.swapaxes(1, 2)), q),)

    def _centre_of_mass(self, q: Numbers) -> Numbers:
        result: Numbers = self.robot.centre_of_mass(self._unit(q))
        return result

    def _centre_of_mass_by(self, q: Numbers) -> tuple[Numbers, ...]:
        return (self._ambient(self.robot.centre_of_mass_jacobian(self._unit(q)), q),)

    def _pose_by(self, q: Numbers, frame: str) -> tuple[Numbers, ...]:
        unit = self._unit(q)
        J, pose = self.robot.jacobian(unit, frame=frame), self.robot.pose(unit, frame)
        by = np.zeros((len(q), 4, 4, self.robot.nv))
        by[:, :3, 3, :] = J[:, :3]
        # dR = ω × R, column by column of R and of the Jacobian.
        by[:, :3, :3, :] = np.cross(J[:, 3:, None, :], pose[:, :3, :3, None], axis=1)
        return (self._ambient(by, q),)


def _weightless(robot: Robot) -> Robot:
    """The robot without gravity, by the same coordinates."""
    plain = robot.with_gravity((0.0, 0.0, 0.0))
    if plain.nv == robot.nv:
        return plain
    source = dict(plain._source)
    source["changes"] = sorted(source["changes"], key=lambda change: change[0] in COORDINATES)
    return type(robot)(**source)


@dataclass(frozen=True)
class _Block:
    """Where a quaternion is among positions, and its angular velocity among velocities; of a free joint its position too."""

    quaternion: int
    angular: int
    position: Optional[int] = None
    linear: Optional[int] = None

    def columns(self) -> list[int]:
        first = self.quaternion if self.position is None else self.position
        return list(range(first, self.quaternion + 4))

    def rows(self) -> list[int]:
        first = self.angular if self.linear is None else self.linear
        return list(range(first, self.angular + 3))


def _quaternions(robot: Robot) -> list[_Block]:
    positions, velocities = robot.positions, robot.freedoms
    blocks = []
    for k, name in enumerate(positions):
        if robot.nq > robot.nv and name.endswith(".qx"):
            joint = name[: -len(".qx")]
            is_free = f"{joint}.px" in positions
            blocks.append(
                _Block(
                    k,
                    velocities.index(f"{joint}.wx"),
                    positions.index(f"{joint}.px") if is_free else None,
                    velocities.index(f"{joint}.vx") if is_free else None,
                )
            )
    return blocks


def _rotation(x: Numbers, y: Numbers, z: Numbers, w: Numbers, norm2: Numbers) -> Numbers:
    rows = np.array(
        [
            [norm2 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), norm2 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), norm2 - 2 * (x * x + y * y)],
        ]
    )
    result: Numbers = np.moveaxis(rows / norm2, 2, 0)
    return result
