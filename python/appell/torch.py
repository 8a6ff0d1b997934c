"""Robots in PyTorch: functions of tensors with gradients, by appell's exact derivatives.

>>> import torch
>>> import appell.torch
>>> arm = appell.torch.functions(appell.load("puma560"))
>>> q = v = torch.zeros(6, dtype=torch.float64)
>>> tau = torch.zeros(1000, 6, dtype=torch.float64, requires_grad=True)
>>> arm.forward_dynamics(q, v, tau).square().sum().backward()
>>> tau.grad.shape
torch.Size([1000, 6])

Values and first derivatives are computed by appell on the CPU, on all cores; `backward`, forward mode, `torch.func.grad`, `jacrev`,
`jacfwd` and `vmap` work, second derivatives are refused. Tensors on the CPU are taken without a copy, those of another device are
copied there and back. appell computes in float64 and rounds its answers to the type of the arguments, float64 or float32.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Optional

import numpy as np

from ._differentiable import Function
from ._differentiable import Functions as _Functions
from ._errors import ShapeError
from ._robot import Robot

torch: Any = import_module("torch")

__all__ = ["Functions", "functions"]


def functions(robot: Robot) -> Functions:
    """The functions of a robot without closed loops, for PyTorch.

    >>> import torch
    >>> arm = appell.torch.functions(appell.load("two-link"))
    >>> arm.gravity(torch.zeros(100, 2)).shape
    torch.Size([100, 2])
    """
    return Functions(robot)


class Functions:
    """What a robot answers, as functions of tensors with exact first derivatives.

    Arguments have the shape (n,), or (…, n) with any axes before, which are broadcast against each other. Where a position holds
    quaternions they are divided by their norm; derivatives are by the numbers of the position, all nq of them.
    """

    def __init__(self, robot: Robot) -> None:
        #: The robot itself.
        self.robot = robot
        self._functions = _Functions(robot)
        self._wrapped: dict[tuple[str, Optional[str]], Any] = {}

    def __repr__(self) -> str:
        return f"<appell.torch.Functions of {self.robot!r}>"

    def inverse_dynamics(self, q: Any, v: Any, a: Any) -> Any:
        """Torques and forces that give the accelerations, N m or N: (nq,), (nv,), (nv,) → (nv,).

        >>> import torch
        >>> arm = appell.torch.functions(appell.load("two-link"))
        >>> q, v, a = torch.ones(3, 2, dtype=torch.float64)
        >>> M = torch.func.jacrev(arm.inverse_dynamics, argnums=2)(q, v, a)
        >>> bool(torch.allclose(M, arm.inertia_matrix(q)))
        True
        """
        return self._call("inverse_dynamics", q, v, a)

    def forward_dynamics(self, q: Any, v: Any, tau: Any) -> Any:
        """Accelerations that torques and forces give, rad/s² or m/s²: (nq,), (nv,), (nv,) → (nv,).

        >>> import torch
        >>> arm = appell.torch.functions(appell.load("two-link"))
        >>> q, v, tau = (torch.ones(2, requires_grad=True) for _ in range(3))
        >>> arm.forward_dynamics(q, v, tau).sum().backward()
        >>> tau.grad.shape
        torch.Size([2])
        """
        return self._call("forward_dynamics", q, v, tau)

    def bias(self, q: Any, v: Any) -> Any:
        """Torques and forces at zero acceleration, N m or N: (nq,), (nv,) → (nv,).

        >>> import torch
        >>> arm = appell.torch.functions(appell.load("two-link"))
        >>> arm.bias(torch.ones(2), torch.ones(50, 2)).shape
        torch.Size([50, 2])
        """
        return self._call("bias", q, v)

    def gravity(self, q: Any) -> Any:
        """Torques and forces that hold the bodies against gravity, N m or N: (nq,) → (nv,).

        >>> import torch
        >>> arm = appell.torch.functions(appell.load("two-link"))
        >>> arm.gravity(torch.ones(2)).shape
        torch.Size([2])
        """
        return self._call("gravity", q)

    def inertia_matrix(self, q: Any) -> Any:
        """M(q): (nq,) → (nv, nv).

        >>> import torch
        >>> arm = appell.torch.functions(appell.load("two-link"))
        >>> torch.func.jacrev(arm.inertia_matrix)(torch.ones(2)).shape
        torch.Size([2, 2, 2])
        """
        return self._call("inertia_matrix", q)

    def centre_of_mass(self, q: Any) -> Any:
        """Centre of mass of all bodies in the base, m: (nq,) → (3,).

        >>> import torch
        >>> arm = appell.torch.functions(appell.load("two-link"))
        >>> arm.centre_of_mass(torch.ones(2)).shape
        torch.Size([3])
        """
        return self._call("centre_of_mass", q)

    def pose(self, q: Any, frame: Optional[str] = None) -> Any:
        """Pose of a frame in the base, the last one if none is named: (nq,) → (4, 4).

        >>> import torch
        >>> arm = appell.torch.functions(appell.load("two-link"))
        >>> arm.pose(torch.ones(5, 2))[..., :3, 3].shape
        torch.Size([5, 3])
        """
        return self._call("pose", q, frame=frame)

    def _call(self, name: str, *arguments: Any, frame: Optional[str] = None) -> Any:
        wrapped = self._wrapped.get((name, frame))
        if wrapped is None:
            wrapped = self._wrapped[name, frame] = _wrap(self._functions.of(name, frame))
        return wrapped(*arguments)


def _wrap(function: Function) -> Any:
    """A function of tensors of any leading axes, differentiable once."""
    widths = [width for _, width in function.inputs]
    axes = "".join("jkl"[k] for k in range(len(function.shape)))

    def rows(tensors: Any) -> list[Any]:
        """Tensors as NumPy's arrays (N, width), which share the memory of tensors of float64 on the CPU."""
        arrays = [np.from_dlpack(tensor.detach().cpu()) for tensor in tensors]
        return [array.reshape(-1, width).astype(np.float64, copy=False) for array, width in zip(arrays, widths)]

    def tensor(array: Any, like: Any, last: tuple[int, ...] = ()) -> Any:
        shape = (*like.shape[:-1], *function.shape, *last)
        return torch.from_numpy(np.ascontiguousarray(array)).reshape(shape).to(like)

    def in_front(info: Any, dims: Any, tensors: Any) -> list[Any]:
        """Tensors with the axis that is mapped over in front."""
        pairs = zip(tensors, dims)
        return [t.expand(info.batch_size, *t.shape) if d is None else t.movedim(d, 0) for t, d in pairs]

    # Under torch.func a backward pass may itself be mapped, so that derivatives are a function of tensors of their own.
    def derivatives_of(*tensors: Any) -> Any:
        found = zip(function.derivatives(*rows(tensors)), widths)
        return tuple(tensor(by, tensors[0], (width,)) for by, width in found)

    def keep(context: Any, inputs: Any, output: Any) -> None:
        context.save_for_backward(*inputs)
        context.save_for_forward(*inputs)

    def refuse(context: Any, *_: Any) -> Any:
        raise NotImplementedError(f"{function.name} has first derivatives alone; second ones are not known to appell")

    def mapped_derivatives(info: Any, dims: Any, *tensors: Any) -> Any:
        return derivatives.apply(*in_front(info, dims, tensors)), (0,) * len(widths)

    derivatives: Any = type(
        f"{function.name}_derivatives",
        (torch.autograd.Function,),
        {
            "forward": staticmethod(derivatives_of),
            "setup_context": staticmethod(lambda context, inputs, output: None),
            "backward": staticmethod(refuse),
            "jvp": staticmethod(refuse),
            "vmap": staticmethod(mapped_derivatives),
        },
    )

    def backward(context: Any, gradient: Any) -> Any:
        found = derivatives.apply(*context.saved_tensors)
        return tuple(torch.einsum(f"...{axes}i,...{axes}->...i", by, gradient) for by in found)

    def forward_mode(context: Any, *tangents: Any) -> Any:
        found = derivatives.apply(*context.saved_tensors)
        pairs = [(by, tangent) for by, tangent in zip(found, tangents) if tangent is not None]
        return sum(torch.einsum(f"...{axes}i,...i->...{axes}", by, tangent) for by, tangent in pairs)

    def mapped(info: Any, dims: Any, *tensors: Any) -> Any:
        return whole.apply(*in_front(info, dims, tensors)), 0

    whole: Any = type(
        function.name,
        (torch.autograd.Function,),
        {
            "forward": staticmethod(lambda *tensors: tensor(function.value(*rows(tensors)), tensors[0])),
            "setup_context": staticmethod(keep),
            "backward": staticmethod(backward),
            "jvp": staticmethod(forward_mode),
            "vmap": staticmethod(mapped),
        },
    )

    def checked(*arguments: Any) -> Any:
        tensors = [torch.as_tensor(argument) for argument in arguments]
        dtype = torch.float64 if any(t.dtype == torch.float64 for t in tensors) else torch.float32
        for (name, width), t in zip(function.inputs, tensors):
            if t.ndim == 0 or t.shape[-1] != width:
                raise ShapeError(f"`{name}` has shape {tuple(t.shape)}; expected ({width},) or (…, {width})")
        leading = torch.broadcast_shapes(*(t.shape[:-1] for t in tensors))
        return whole.apply(*(t.to(dtype).expand(*leading, width) for t, width in zip(tensors, widths)))

    checked.__name__ = checked.__qualname__ = function.name
    return checked
