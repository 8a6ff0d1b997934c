"""Robots in CasADi: questions as `casadi.Function`, for optimal control and estimation.

>>> import casadi
>>> import appell.casadi
>>> robot = appell.load("puma560")
>>> f = appell.casadi.function(robot, "forward-dynamics")
>>> f
Function(puma_560_forward_dynamics:(q[6],v[6],tau[6])->(a[6]) SXFunction)

There are two ways, both by code that appell generates for this one robot, of a few hundred operations for an arm:

:func:`function` runs the generated Python on CasADi's symbols. The result is an expression as if written by hand: CasADi differentiates
it, once and twice, in sparse form, and can write it as C itself. It needs no compiler, serves every question that code can be generated for, and
solvers have exact Hessians. Take this one unless you have a reason.

:func:`external` compiles the generated C, with its generated derivatives as the Jacobian. Values cost about the same, since CasADi is quick
too; Jacobians are an order of magnitude faster to evaluate. But it has first derivatives alone, dense: solvers must estimate Hessians
(`ipopt.hessian_approximation`: `limited-memory`), need more steps, and end sometimes without an answer where exact ones find it.
"""

from __future__ import annotations

import re
from importlib import import_module
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Optional, Sequence, Union

import numpy as np

from ._codegen import cache_folder, shared_library
from ._errors import QuestionError
from ._robot import Robot

casadi: Any = import_module("casadi")

__all__ = ["external", "function", "pose"]


def function(
    robot: Robot,
    question: str,
    *,
    name: Optional[str] = None,
    keep_symbolic: Sequence[str] = (),
    frame: Optional[str] = None,
    axes: Optional[str] = None,
) -> Any:
    """A question as a `casadi.Function` of symbols: inputs are columns such as q (nq × 1), outputs columns or matrices.

    Parameters in `keep_symbolic`, such as "m6", the mass of the sixth body, are entries of a further input p, which a solver may choose.
    `frame` and `axes` are those of a Jacobian. Of a parallel robot inputs are pose, twist and acceleration of its platform.

    >>> M = appell.casadi.function(appell.load("puma560"), "inertia-matrix")
    >>> M(np.zeros(6)).shape
    (6, 6)
    """
    code, inputs, answer = _symbolic(robot, question, keep_symbolic=keep_symbolic, frame=frame, axes=axes)
    outputs, names = _shaped(answer, code)
    return _function(name or code.function, inputs, outputs, [argument.name for argument in code.arguments], names)


def pose(robot: Robot, frame: Optional[str] = None, *, name: Optional[str] = None) -> Any:
    """The pose of a frame in the base, the last one if none is named, as a `casadi.Function`: q (nq × 1) to a 4 × 4 matrix.

    >>> hand = appell.casadi.pose(appell.load("puma560"))
    >>> position = hand(np.zeros(6))[:3, 3]
    """
    chosen = robot.frame_names[-1] if frame is None else frame
    robot.pose(robot.neutral, chosen)  # which says what is wrong with a name
    code, inputs, answer = _symbolic(robot, "frames")
    places = {entry: k for k, entry in enumerate(code.answer.entries)}
    result = casadi.SX.eye(4)
    for row, axis in enumerate("xyz"):
        for column in range(3):
            result[row, column] = answer[places[f"{chosen}.r{row + 1}{column + 1}"]]
        result[row, 3] = answer[places[f"{chosen}.{axis}"]]
    called = name or _identifier(f"{code.function}_{chosen}")
    return _function(called, inputs, [casadi.densify(result)], ["q"], ["pose"])


def external(
    robot: Robot,
    question: str,
    *,
    compiler: Optional[str] = None,
    flags: Sequence[str] = ("-O2",),
    folder: Union[str, PathLike[str], None] = None,
) -> Any:
    """Inverse or forward dynamics of an open robot as a compiled `casadi.Function`, with its exact Jacobian.

    The generated C and its wrapper are compiled by `compiler` ($CC or cc if not given) into a library in `folder`, a cache of the user's if
    none is given, and once only: the library is called by what it is made of.

    >>> f = appell.casadi.external(appell.load("two-link"), "forward-dynamics")
    >>> f.jacobian().name_out()
    ['jac_a_q', 'jac_a_v', 'jac_a_tau']
    """
    asked = question.replace("_", "-")
    if asked not in ("inverse-dynamics", "forward-dynamics"):
        raise QuestionError(
            f"{question} has no generated derivatives; inverse-dynamics and forward-dynamics have: use appell.casadi.function"
        )
    if robot.kind not in ("serial", "tree") or robot.nq != robot.nv:
        reason = "closed loops" if robot.kind not in ("serial", "tree") else "quaternions"
        raise QuestionError(
            f"{robot.name} has {reason}, so that generated derivatives are not by its positions; use appell.casadi.function"
        )
    value, derivatives = _generated(robot, asked, "c"), _generated(robot, f"{asked}-derivatives", "c")
    called = f"{value.function}_casadi"
    files = {**value.files, **derivatives.files, f"{called}.c": _wrapper(called, value, derivatives)}
    cache = cache_folder() if folder is None else Path(fspath(folder))
    return casadi.external(called, str(shared_library(called, files, f"{called}.c", compiler, flags, cache)))


def _generated(robot: Robot, question: str, language: str, **options: Any) -> Any:
    generator: Any = robot
    return generator.generate(question, language, **options)


def _symbolic(robot: Robot, question: str, **options: Any) -> tuple[Any, list[Any], list[Any]]:
    """Generated code, symbols of its arguments, and what it makes of them."""
    code = _generated(robot, question, "python", **options)
    (text,) = code.files.values()
    namespace: dict[str, Any] = {"__name__": code.function}
    exec(compile(text, f"<{code.function}>", "exec"), namespace)
    namespace |= {"_sin": casadi.sin, "_cos": casadi.cos, "_sqrt": casadi.sqrt, "_atan2": casadi.atan2, "_exp": casadi.exp}
    namespace |= {"_where": casadi.if_else, "_alike": lambda answer, *_: answer}
    inputs = [casadi.SX.sym(argument.name, argument.length) for argument in code.arguments]
    rows = [[symbol[k] for k in range(symbol.numel())] for symbol in inputs]
    return code, inputs, namespace[code.function](*rows)


def _shaped(answer: list[Any], code: Any) -> tuple[list[Any], list[str]]:
    """The arrays of an answer, which is written row by row; what has another shape stays one column."""
    shapes = [(name, tuple(shape)) for name, shape in code.shapes]
    sizes = [int(np.prod(shape)) for _, shape in shapes]
    if sum(sizes) != len(answer) or any(len(shape) > 2 for _, shape in shapes):
        return [casadi.vertcat(*answer)], [_identifier(code.answer.name)]
    outputs, start = [], 0
    for (_, shape), size in zip(shapes, sizes):
        column = casadi.vertcat(*answer[start : start + size])
        outputs.append(casadi.reshape(column, shape[1], shape[0]).T if len(shape) == 2 else column)
        start += size
    names = [_identifier(name) for name, _ in shapes]
    taken = [argument.name for argument in code.arguments]
    is_clear = len(set(names + taken)) == len(names) + len(taken)
    return outputs, names if is_clear else [f"answer{k}" for k in range(len(names))]


def _function(name: str, inputs: list[Any], outputs: list[Any], names_in: list[str], names_out: list[str]) -> Any:
    return casadi.Function(name, inputs, outputs, names_in, names_out)


def _identifier(name: str) -> str:
    """A name that CasADi takes: letters, digits, single underscores."""
    name = re.sub(r"_+", "_", re.sub(r"[^A-Za-z0-9]", "_", name)).strip("_")
    return name if name[:1].isalpha() else f"x{name}"


def _wrapper(called: str, value: Any, derivatives: Any) -> str:
    """C of CasADi's interface: the function, and its Jacobian in blocks, column by column."""
    arguments = [(argument.name, argument.length) for argument in value.arguments]
    out, rows = value.answer.name, value.answer.length
    count = len(arguments)
    given = "\n".join(
        f"    const double *{name} = arg[{k}] ? arg[{k}] : zeros;" for k, (name, _) in enumerate(arguments)
    )
    names = ", ".join(name for name, _ in arguments)
    blocks, start = [], 0
    for k, (_, width) in enumerate(arguments):
        blocks.append(
            f"    if (res[{k}]) for (i = 0; i < {rows}; ++i) for (j = 0; j < {width}; ++j) "
            f"res[{k}][i + {rows} * j] = d[{start} + {width} * i + j];"
        )
        start += rows * width

    def table(name: str, entries: list[str]) -> str:
        cases = "".join(f"case {k}: return {entry}; " for k, entry in enumerate(entries))
        kind = "const char *" if entries[0].startswith('"') else "const casadi_int *"
        return f"EXPORT {kind}{name}(casadi_int i) {{ switch (i) {{ {cases}default: return 0; }} }}"

    def interface(name: str, ins: list[tuple[str, int, int]], outs: list[tuple[str, int, int]]) -> list[str]:
        lines = [f"static const casadi_int {name}_in{k}[3] = {{{r}, {c}, 1}};" for k, (_, r, c) in enumerate(ins)]
        lines += [f"static const casadi_int {name}_out{k}[3] = {{{r}, {c}, 1}};" for k, (_, r, c) in enumerate(outs)]
        return [
            *lines,
            f"EXPORT casadi_int {name}_n_in(void) {{ return {len(ins)}; }}",
            f"EXPORT casadi_int {name}_n_out(void) {{ return {len(outs)}; }}",
            table(f"{name}_name_in", [f'"{given}"' for given, _, _ in ins]),
            table(f"{name}_name_out", [f'"{found}"' for found, _, _ in outs]),
            table(f"{name}_sparsity_in", [f"{name}_in{k}" for k in range(len(ins))]),
            table(f"{name}_sparsity_out", [f"{name}_out{k}" for k in range(len(outs))]),
            f"EXPORT int {name}_work(casadi_int *sz_arg, casadi_int *sz_res, casadi_int *sz_iw, casadi_int *sz_w)",
            f"{{ *sz_arg = {len(ins)}; *sz_res = {len(outs)}; *sz_iw = 0; *sz_w = 0; return 0; }}",
        ]

    ins = [(name, width, 1) for name, width in arguments]
    head = "(const double **arg, double **res, casadi_int *iw, double *w, int mem)"
    lines = [
        f"/* {called}: CasADi's interface of {value.function}, with its Jacobian. */",
        f'#include "{value.function}.c"',
        f'#include "{derivatives.function}.c"',
        "#define casadi_int long long int",
        "#if defined(_WIN32)\n#define EXPORT __declspec(dllexport)\n#else\n"
        '#define EXPORT __attribute__((visibility("default")))\n#endif',
        f"static const double zeros[{max(width for _, width in arguments)}] = {{0}};",
        f"EXPORT int {called}{head}\n{{\n{given}\n    (void)iw; (void)w; (void)mem;",
        f"    if (res[0]) {value.function}({names}, res[0]);\n    return 0;\n}}",
        *interface(called, ins, [(out, rows, 1)]),
        f"EXPORT int jac_{called}{head}\n{{\n    double d[{start}];\n    int i, j;\n{given}\n    (void)iw; (void)w; (void)mem;",
        f"    {derivatives.function}({names}, d);",
        *blocks,
        "    return 0;\n}",
        *interface(
            f"jac_{called}",
            [*ins, (f"out_{out}", rows, 1)],
            [(f"jac_{out}_{name}", rows, width) for name, width in arguments],
        ),
    ]
    assert count == len(blocks)
    return "\n".join(lines) + "\n"
