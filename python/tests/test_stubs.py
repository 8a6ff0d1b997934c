"""Types of the compiled module: the stub says what the module has, nothing else, and mypy is content with it."""

from __future__ import annotations

import ast
import importlib.util
import inspect
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

import appell
from appell import _appell
from states import ROOT

SOURCE = ROOT / "python" / "appell"
STUB = ast.parse((SOURCE / "_appell.pyi").read_text(encoding="utf-8"))

#: Names of the stub that only types need: each is an alias, a protocol or a dictionary's form.
TYPES = {node.name for node in STUB.body if isinstance(node, ast.ClassDef) and node.name.startswith("_")} - {"_Rolling"} | {
    node.target.id for node in STUB.body if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value
}

#: What classes have from Python's own, and a stub may say or not.
OWN = {"__doc__", "__module__", "__new__", "__hash__", "__eq__", "__repr__", "__getattribute__", "__getattr__", "__dir__", "__call__"} | {
    "__lt__", "__le__", "__ne__", "__gt__", "__ge__", "__dict__", "__weakref__", "__init__",
}  # fmt: skip


def functions(body: list[ast.stmt]) -> dict[str, ast.FunctionDef]:
    """Functions of a module or a class that are no properties."""
    return {node.name: node for node in body if isinstance(node, ast.FunctionDef) and not is_property(node)}


def properties(body: list[ast.stmt]) -> set[str]:
    """Names of the properties of a class."""
    return {node.name for node in body if isinstance(node, ast.FunctionDef) and is_property(node)}


def is_property(node: ast.FunctionDef) -> bool:
    """Whether it is one."""
    return any(isinstance(decorator, ast.Name) and decorator.id == "property" for decorator in node.decorator_list)


def stub_class(name: str) -> list[ast.stmt]:
    """The body of a class of the stub."""
    (found,) = (node for node in STUB.body if isinstance(node, ast.ClassDef) and node.name == name)
    return found.body


def stub_parameters(node: ast.FunctionDef) -> list[tuple[str, str, Any]]:
    """Name, kind and default of every parameter but the first of a method."""
    arguments = node.args
    empty = inspect.Parameter.empty
    found: list[tuple[str, str, Any]] = []
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults: list[Any] = [empty] * (len(positional) - len(arguments.defaults))
    defaults += [ast.literal_eval(default) for default in arguments.defaults]
    for argument, default in zip(positional, defaults):
        found.append((argument.arg, "POSITIONAL_OR_KEYWORD", default))
    for argument, only in zip(arguments.kwonlyargs, arguments.kw_defaults):
        found.append((argument.arg, "KEYWORD_ONLY", empty if only is None else ast.literal_eval(only)))
    return [parameter for parameter in found if parameter[0] not in ("self", "cls")]


def code_parameters(function: Any) -> list[tuple[str, str, Any]]:
    """The same of what is compiled, from its text signature."""
    found = inspect.signature(function).parameters.values()
    return [(one.name, one.kind.name, one.default) for one in found if one.name != "self"]


def test_the_module_and_its_stub_have_the_same_names() -> None:
    code = {name for name in dir(_appell) if not (name.startswith("__") and name != "__version__")}
    said = set(functions(STUB.body)) | {node.name for node in STUB.body if isinstance(node, ast.ClassDef)}
    said |= {node.target.id for node in STUB.body if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)}
    assert said - TYPES == code


def test_functions_have_the_parameters_of_the_stub() -> None:
    for name, node in functions(STUB.body).items():
        assert stub_parameters(node) == code_parameters(getattr(_appell, name)), name


@pytest.mark.parametrize("name", ["Robot", "Solver", "DeviceArray", "_Rolling"])
def test_classes_and_their_stubs_have_the_same_methods(name: str) -> None:
    cls, body = getattr(_appell, name), stub_class(name)
    methods = {key for key, value in vars(cls).items() if inspect.isroutine(value) and key not in OWN}
    getters = {key for key, value in vars(cls).items() if inspect.isgetsetdescriptor(value)} - OWN
    assert set(functions(body)) - OWN == methods
    assert properties(body) == getters
    for method, node in functions(body).items():
        if method not in OWN:
            assert stub_parameters(node) == code_parameters(getattr(cls, method)), f"{name}.{method}"


def test_robots_are_made_as_the_stub_says() -> None:
    made = functions(stub_class("Robot"))["__new__"]
    assert stub_parameters(made) == code_parameters(_appell.Robot)


def test_everything_in_the_stub_has_types() -> None:
    for node in ast.walk(STUB):
        if isinstance(node, ast.FunctionDef):
            assert node.returns is not None, node.name
            arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            bare = [one.arg for one in arguments if one.annotation is None and one.arg not in ("self", "cls")]
            assert bare == [], node.name


def test_getters_return_what_the_stub_says() -> None:
    kinds = {"str": str, "int": int, "float": float, "list": list, "dict": dict, "_Kind": str, "_Array": "ndarray"}
    robot = appell.load("gough-stewart")
    checked = 0
    for node in stub_class("Robot"):
        if isinstance(node, ast.FunctionDef) and is_property(node) and not node.name.startswith("_"):
            said = ast.unparse(node.returns).removeprefix("Optional[").partition("[")[0].rstrip("]")  # type: ignore[arg-type]
            kind = kinds[said]
            value = getattr(robot, node.name)
            assert type(value).__name__ == kind if isinstance(kind, str) else isinstance(value, kind), node.name
            checked += 1
    assert checked > 15
    joint = next(node for node in STUB.body if isinstance(node, ast.ClassDef) and node.name == "_Joint")
    keys = [node.target.id for node in joint.body if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)]
    assert keys == list(robot.joints[0])


def test_the_package_ships_its_types() -> None:
    folder = Path(appell.__file__).parent
    assert (folder / "py.typed").exists()
    assert (folder / "_appell.pyi").read_text() == (SOURCE / "_appell.pyi").read_text()


def test_everything_public_is_listed() -> None:
    listed = set(appell.__all__)
    assert all(hasattr(appell, name) for name in listed)
    imported = {name for name, value in vars(appell).items() if not name.startswith("_") and not inspect.ismodule(value)}
    assert imported - {"annotations", "Any", "TYPE_CHECKING"} <= listed


def test_numpy_is_imported_with_the_first_array() -> None:
    program = """
        import sys
        import appell
        robot = appell.load("puma560")
        assert robot.nq == 6 and appell.robots() and "numpy" not in sys.modules, "NumPy was imported before it was needed"
        heavier = robot.with_masses_scaled(2.0)
        tau = heavier.inverse_dynamics([0.1] * 6)
        assert "numpy" in sys.modules and type(tau) is sys.modules["numpy"].ndarray
        import pickle, typing
        assert pickle.loads(pickle.dumps(heavier)) == heavier
        assert typing.get_type_hints(appell.Run.__init__) and typing.get_type_hints(appell.Robot.pose)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


# mypy


needs_mypy = pytest.mark.skipif(importlib.util.find_spec("mypy") is None, reason="mypy is not installed")


def mypy(*arguments: str, cache: Path) -> subprocess.CompletedProcess[str]:
    """Runs it as strictly as pyproject.toml says."""
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file", str(ROOT / "pyproject.toml"), "--cache-dir", str(cache)]
    return subprocess.run([*command, *arguments], capture_output=True, text=True, cwd=ROOT, timeout=300)


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("mypy")


@needs_mypy
def test_the_package_is_strictly_typed(cache: Path) -> None:
    done = mypy(str(SOURCE), cache=cache)
    assert done.returncode == 0, done.stdout


GOOD = """
    from __future__ import annotations

    import numpy as np
    from numpy.typing import NDArray

    import appell


    def torques(robot: appell.Robot, q: NDArray[np.float64]) -> NDArray[np.float64]:
        tau = robot.inverse_dynamics(q, np.zeros_like(q), [0.0] * robot.nv, external={"elbow": np.zeros(6)})
        out = np.zeros(6)
        robot.gravity(q, out=out, threads=2, method="newton-euler")
        return tau + out


    robot = appell.load("puma560")
    total: float = float(torques(robot, np.zeros(6)).sum()) + robot.mass
    dq, dv, da = robot.inverse_dynamics_derivatives(np.zeros(6))
    diagonal: NDArray[np.float64] = da.diagonal()
    names: list[str] = robot.frame_names + [joint["name"] for joint in robot.joints if joint["driven"]]
    upper: float = robot.joints[0]["upper"]
    stewart = appell.load("gough-stewart")
    forces = stewart.inverse_dynamics(([0.0, 0.0, 0.5], [0.0, 0.0, 0.0, 1.0]), of="platform")
    pose, twist, acceleration = stewart.platform(stewart.home_positions)
    a = robot.forward_dynamics(np.zeros(6), np.zeros(6), forces)
    solve = robot.solver("inverse-dynamics")
    solve.q[:] = 0.1
    solve()
    heavy: appell.Robot = robot.with_payload(2.0, frame="elbow").with_gravity([0, 0, -1.6])
    same: bool = heavy == robot
    methods: list[str] = robot.methods["bias"]
    try:
        heavy.jacobian(np.zeros(6), frame="elbow", axes="elbow")
    except (appell.QuestionError, appell.StateError) as error:
        print(error)
"""

BAD = {
    'appell.load("puma560").inverse_dynamic([0.0])': "attr-defined",
    'appell.load("puma560").gravity()': "call-arg",
    'appell.load("puma560").gravity([0.0], threads="two")': "arg-type",
    'appell.load("puma560").gravity([0.0], of="nonsense")': "arg-type",
    'appell.load("puma560").gravity([0.0], frame="elbow")': "call-arg",
    'appell.load("puma560").mass = 3.0': "misc",
    'appell.load("puma560").joints[0]["size"]': "typeddict-item",
    'appell.load("puma560").nv + "6"': "operator",
    "appell.load(3)": "arg-type",
}


@needs_mypy
def test_programs_of_users_are_typed(cache: Path, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(textwrap.dedent(GOOD))
    done = mypy(str(program), cache=cache)
    assert done.returncode == 0, done.stdout
    ran = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0, ran.stderr


@needs_mypy
def test_mistakes_of_users_are_found(cache: Path, tmp_path: Path) -> None:
    program = tmp_path / "mistakes.py"
    program.write_text("import appell\n" + "".join(f"{line}\n" for line in BAD))
    done = mypy(str(program), cache=cache)
    for number, (line, kind) in enumerate(BAD.items(), start=2):
        assert any(f":{number}: error:" in said and f"[{kind}]" in said for said in done.stdout.splitlines()), (line, done.stdout)
