"""Robots in JAX: functions that can be jitted, mapped and differentiated, by appell's exact derivatives.

>>> import jax, jax.numpy as jnp
>>> import appell.jax
>>> jax.config.update("jax_enable_x64", True)
>>> arm = appell.jax.functions(appell.load("puma560"))
>>> q, v, tau = jnp.zeros((3, 6))
>>> cost = lambda tau: jnp.sum(arm.forward_dynamics(q, v, tau) ** 2)
>>> jax.jit(jax.grad(cost))(tau).shape
(6,)

Values are computed by appell on the CPU, on all cores, through `jax.pure_callback`, and so are first derivatives (`jvp`, `vjp`, `grad`,
`jacfwd`, `jacrev`); second derivatives are refused by JAX. Arrays on the CPU are handed over without a copy. JAX computes in float32 unless
`jax_enable_x64` is set; appell computes in float64 and rounds its answers to the type of the arguments.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Optional

import numpy as np

from ._differentiable import Function
from ._differentiable import Functions as _Functions
from ._errors import ShapeError
from ._robot import Robot

jax: Any = import_module("jax")
jnp: Any = import_module("jax.numpy")

__all__ = ["Functions", "functions"]


def functions(robot: Robot) -> Functions:
    """The functions of a robot without closed loops, for JAX.

    >>> import jax
    >>> arm = appell.jax.functions(appell.load("two-link"))
    >>> jax.vmap(arm.gravity)(np.zeros((100, 2))).shape
    (100, 2)
    """
    return Functions(robot)


class Functions:
    """What a robot answers, as functions of JAX arrays with exact first derivatives.

    Arguments have the shape (n,), or (…, n) with any axes before, which are broadcast against each other. Where a position holds
    quaternions they are divided by their norm; derivatives are by the numbers of the position, all nq of them.
    """

    def __init__(self, robot: Robot) -> None:
        #: The robot itself.
        self.robot = robot
        self._functions = _Functions(robot)
        self._wrapped: dict[tuple[str, Optional[str]], Any] = {}

    def __repr__(self) -> str:
        return f"<appell.jax.Functions of {self.robot!r}>"

    def inverse_dynamics(self, q: Any, v: Any, a: Any) -> Any:
        """Torques and forces that give the accelerations, N m or N: (nq,), (nv,), (nv,) → (nv,).

        >>> import jax
        >>> arm = appell.jax.functions(appell.load("two-link"))
        >>> q, v, a = np.ones((3, 2))
        >>> M = jax.jacrev(arm.inverse_dynamics, argnums=2)(q, v, a)
        >>> bool(np.allclose(M, arm.inertia_matrix(q)))
        True
        """
        return self._call("inverse_dynamics", q, v, a)

    def forward_dynamics(self, q: Any, v: Any, tau: Any) -> Any:
        """Accelerations that torques and forces give, rad/s² or m/s²: (nq,), (nv,), (nv,) → (nv,).

        >>> import jax
        >>> arm = appell.jax.functions(appell.load("two-link"))
        >>> by_q, by_v, by_tau = jax.jacfwd(arm.forward_dynamics, argnums=(0, 1, 2))(*np.ones((3, 2)))
        >>> by_tau.shape
        (2, 2)
        """
        return self._call("forward_dynamics", q, v, tau)

    def bias(self, q: Any, v: Any) -> Any:
        """Torques and forces at zero acceleration, N m or N: (nq,), (nv,) → (nv,).

        >>> arm = appell.jax.functions(appell.load("two-link"))
        >>> arm.bias(np.ones(2), np.ones((50, 2))).shape
        (50, 2)
        """
        return self._call("bias", q, v)

    def gravity(self, q: Any) -> Any:
        """Torques and forces that hold the bodies against gravity, N m or N: (nq,) → (nv,).

        >>> arm = appell.jax.functions(appell.load("two-link"))
        >>> arm.gravity(np.ones(2)).shape
        (2,)
        """
        return self._call("gravity", q)

    def inertia_matrix(self, q: Any) -> Any:
        """M(q): (nq,) → (nv, nv).

        >>> import jax
        >>> arm = appell.jax.functions(appell.load("two-link"))
        >>> jax.jacfwd(arm.inertia_matrix)(np.ones(2)).shape
        (2, 2, 2)
        """
        return self._call("inertia_matrix", q)

    def centre_of_mass(self, q: Any) -> Any:
        """Centre of mass of all bodies in the base, m: (nq,) → (3,).

        >>> arm = appell.jax.functions(appell.load("two-link"))
        >>> arm.centre_of_mass(np.ones(2)).shape
        (3,)
        """
        return self._call("centre_of_mass", q)

    def pose(self, q: Any, frame: Optional[str] = None) -> Any:
        """Pose of a frame in the base, the last one if none is named: (nq,) → (4, 4).

        >>> import jax
        >>> arm = appell.jax.functions(appell.load("two-link"))
        >>> jax.jacfwd(lambda q: arm.pose(q)[:3, 3])(np.ones(2)).shape
        (3, 2)
        """
        return self._call("pose", q, frame=frame)

    def _call(self, name: str, *arguments: Any, frame: Optional[str] = None) -> Any:
        wrapped = self._wrapped.get((name, frame))
        if wrapped is None:
            wrapped = self._wrapped[name, frame] = _wrap(self._functions.of(name, frame))
        return wrapped(*arguments)


def _wrap(function: Function) -> Any:
    """A function of JAX arrays of any leading axes, differentiable once."""
    widths = [width for _, width in function.inputs]

    def rows(arrays: Any) -> tuple[list[Any], tuple[int, ...], Any]:
        """Arguments as NumPy's arrays (N, width), their leading axes, and their type."""
        taken = [np.asarray(array) for array in arrays]
        leading = taken[0].shape[:-1]
        flat = [array.reshape(-1, width).astype(np.float64, copy=False) for array, width in zip(taken, widths)]
        return flat, leading, taken[0].dtype

    def value_of(*arrays: Any) -> Any:
        given, leading, dtype = rows(arrays)
        return function.value(*given).reshape(*leading, *function.shape).astype(dtype, copy=False)

    def derivatives_of(*arrays: Any) -> Any:
        given, leading, dtype = rows(arrays)
        found = zip(function.derivatives(*given), widths)
        return tuple(by.reshape(*leading, *function.shape, width).astype(dtype, copy=False) for by, width in found)

    def shapes(arrays: Any, last: tuple[int, ...]) -> Any:
        return jax.ShapeDtypeStruct((*arrays[0].shape[:-1], *function.shape, *last), arrays[0].dtype)

    def value(*arrays: Any) -> Any:
        return jax.pure_callback(value_of, shapes(arrays, ()), *arrays, vmap_method="broadcast_all")

    def jvp(arrays: Any, tangents: Any) -> Any:
        results = tuple(shapes(arrays, (width,)) for width in widths)
        derivatives = jax.pure_callback(derivatives_of, results, *arrays, vmap_method="broadcast_all")
        axes = "".join("jkl"[k] for k in range(len(function.shape)))
        sums = [
            jnp.einsum(f"...{axes}i,...i->...{axes}", by, tangent) for by, tangent in zip(derivatives, tangents)
        ]
        return whole(*arrays), sum(sums[1:], sums[0])

    whole = jax.custom_jvp(value)
    whole.defjvp(jvp)

    def checked(*arguments: Any) -> Any:
        arrays = [jnp.asarray(argument) for argument in arguments]
        dtype = jnp.result_type(jnp.float32, *arrays)
        for (name, width), array in zip(function.inputs, arrays):
            if array.ndim == 0 or array.shape[-1] != width:
                raise ShapeError(f"`{name}` has shape {array.shape}; expected ({width},) or (…, {width})")
        leading = jnp.broadcast_shapes(*(array.shape[:-1] for array in arrays))
        return whole(*(jnp.broadcast_to(a, (*leading, w)).astype(dtype) for a, w in zip(arrays, widths)))

    checked.__name__ = checked.__qualname__ = function.name
    return checked
