"""A robot with other parameters in every state: masses, moments and friction as arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Mapping, Optional, Union

from ._errors import NumberError, QuestionError, ShapeError
from ._numpy import ArrayLike, Numbers, np

if TYPE_CHECKING:
    from ._robot import Robot


class ParameterSweep:
    """A robot whose inertial parameters are arrays, one set per state: made by :meth:`appell.Robot.sweep`.

    Torques are linear in the parameters, τ(φ) = τ(φ₀) + Y (φ − φ₀), with the robot's own φ₀: springs and what no parameter says stay
    as they are. Exact, for any robot; inertia matrix and forward dynamics of open ones.

    >>> appell.load("two-link").sweep({"long.m": [1.0, 2.0]})
    <appell.ParameterSweep of two-link arm: 2 sets of 20 parameters>
    """

    def __init__(self, robot: Robot, parameters: Union[ArrayLike, Mapping[str, ArrayLike]]) -> None:
        self.robot = robot
        names, own = robot.parameters, robot.parameter_values
        if isinstance(parameters, Mapping):
            unknown = [name for name in parameters if name not in names]
            if unknown:
                raise QuestionError(f"no parameter `{unknown[0]}`; parameters are {', '.join(names)}")
            values = {name: np.asarray(value, dtype=np.float64) for name, value in parameters.items()}
            try:
                shape = np.broadcast_shapes(*(value.shape for value in values.values()))
            except ValueError:
                raise ShapeError("arrays of parameters have different lengths") from None
            phi = np.broadcast_to(own, (*shape, len(own))).copy()
            for name, value in values.items():
                phi[..., names.index(name)] = value
        else:
            phi = np.asarray(parameters, dtype=np.float64)
        if phi.shape[-1:] != own.shape or phi.ndim > 2:
            raise ShapeError(f"parameters of shape {phi.shape}; expected ({len(own)},) or (N, {len(own)})")
        if not np.isfinite(phi).all():
            raise NumberError("a parameter is NaN or infinite")
        masses = [k for k, name in enumerate(names) if name.endswith(".m")]
        if (phi[..., masses] < 0).any():
            raise NumberError("a mass is negative")
        #: φ of every state: (N, p), or (p,) for all.
        self.parameters: Numbers = phi
        self._change: Numbers = phi - own
        bodies = [not name.rsplit(".", 1)[1] in ("viscous", "coulomb", "offset", "rotor") for name in names]
        self._of_bodies = self._change * np.asarray(bodies, dtype=np.float64)

    def _states(self, *given: Optional[ArrayLike]) -> list[Any]:
        """Vectors with a row per set of parameters, where there are several."""
        if self._change.ndim == 1:
            return list(given)
        count = len(self._change)
        rows: list[Any] = []
        for vector in given:
            is_array = vector is not None and not isinstance(vector, tuple) and not hasattr(vector, "as_quat")
            array: Any = np.asarray(vector, dtype=np.float64) if is_array else vector
            if isinstance(array, np.ndarray):
                if array.ndim == 1:
                    array = np.broadcast_to(array, (count, len(array)))
                elif array.ndim == 2 and len(array) != count and array.shape != (4, 4):
                    raise ShapeError(f"{len(array)} states and {count} sets of parameters; give as many, or one state for all")
            rows.append(array)
        return rows

    def _changed(self, regressor: Numbers, change: Numbers) -> Numbers:
        result: Numbers = np.einsum("...ij,...j->...i", regressor, change)
        return result

    def inverse_dynamics(self, q: ArrayLike, v: Optional[ArrayLike] = None, a: Optional[ArrayLike] = None) -> Numbers:
        """Torques and forces with these parameters: (N, n).

        >>> robot = appell.load("two-link")
        >>> heavier = robot.sweep(robot.parameter_values * np.linspace(1, 2, 5)[:, None])
        >>> heavier.inverse_dynamics([0.1, 0.2]).shape
        (5, 2)
        """
        q, v, a = self._states(q, v, a)
        result: Numbers = self.robot.inverse_dynamics(q, v, a)
        return result + self._changed(self.robot.regressor(q, v, a), self._change)

    def bias(self, q: ArrayLike, v: ArrayLike) -> Numbers:
        """Forces at zero acceleration: (N, n).

        >>> appell.load("two-link").sweep({"long.m": [1.0, 2.0]}).bias([0.1, 0.2], [1.0, 0.0]).shape
        (2, 2)
        """
        self._expect_open("bias")
        return self.inverse_dynamics(q, v)

    def gravity(self, q: ArrayLike) -> Numbers:
        """Forces that hold the bodies against gravity: (N, n).

        >>> appell.load("two-link").sweep({"long.m": [1.0, 2.0]}).gravity([0.1, 0.2]).shape
        (2, 2)
        """
        self._expect_open("gravity")
        (q,) = self._states(q)
        return self.robot.gravity(q) + self._changed(self.robot.regressor(q), self._of_bodies)

    def inertia_matrix(self, q: ArrayLike) -> Numbers:
        """M with these parameters: (N, n, n).

        >>> appell.load("two-link").sweep({"long.m": [1.0, 2.0]}).inertia_matrix([0.1, 0.2]).shape
        (2, 2, 2)
        """
        self._expect_open("inertia_matrix")
        (q,) = self._states(q)
        matrix: Numbers = np.array(self.robot.inertia_matrix(q))
        if matrix.ndim == 2 and self._change.ndim == 2:
            matrix = np.broadcast_to(matrix, (len(self._change), *matrix.shape)).copy()
        rest = self.robot.regressor(q)
        for k in range(self.robot.nv):
            a = np.zeros(self.robot.nv)
            a[k] = 1.0
            matrix[..., k] += self._changed(self.robot.regressor(q, None, a) - rest, self._change)
        return matrix

    def forward_dynamics(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike) -> Numbers:
        """Accelerations under torques and forces with these parameters: (N, n).

        >>> appell.load("two-link").sweep({"long.m": [1.0, 2.0]}).forward_dynamics([0.1, 0.2], [0, 0], [1, 1]).shape
        (2, 2)
        """
        self._expect_open("forward_dynamics")
        forces = np.asarray(tau, dtype=np.float64)
        if forces.shape[-1:] != (self.robot.nv,) or not np.isfinite(forces).all():
            raise ShapeError(f"`tau` of shape {forces.shape}; expected ({self.robot.nv},) or (N, {self.robot.nv}) finite numbers")
        rest = forces - self.bias(q, v)
        solved = np.linalg.solve(self.inertia_matrix(q), rest[..., None])[..., 0]
        return np.asarray(solved, dtype=np.float64)

    def _expect_open(self, question: str) -> None:
        if self.robot.kind not in ("serial", "tree"):
            raise QuestionError(f"{question} of a sweep is for robots without loops; ask for inverse_dynamics")

    def __repr__(self) -> str:
        sets = 1 if self._change.ndim == 1 else len(self._change)
        return f"<appell.ParameterSweep of {self.robot.name}: {sets} sets of {self._change.shape[-1]} parameters>"
