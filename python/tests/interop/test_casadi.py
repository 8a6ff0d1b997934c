"""Functions of appell.casadi: they compute what the robot does, and solve a small optimal-control problem."""

from __future__ import annotations

from pathlib import Path
from shutil import which
from typing import Any

import numpy as np
import pytest

import appell

from .robots import assert_examples_hold, floater, pendulum, sprung

casadi = pytest.importorskip("casadi", reason="casadi is not installed: pip install casadi")
if not hasattr(appell.Robot, "generate"):
    pytest.skip("this build of appell has no robot.generate", allow_module_level=True)

import appell.casadi  # noqa: E402

needs_compiler = pytest.mark.skipif(which("cc") is None, reason="there is no C compiler cc")


def numbers(robot: appell.Robot, seed: int = 0) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(seed)
    q: Any = rng.normal(size=robot.nq)
    v, a = rng.normal(size=(2, robot.nv))
    if robot.nq > robot.nv:
        q[3:7] /= np.linalg.norm(q[3:7])
    return q, v, a


@pytest.mark.parametrize("make", [lambda: appell.load("puma560"), sprung, floater], ids=["arm", "sprung", "floater"])
def test_questions(make: Any) -> None:
    robot = make()
    q, v, a = numbers(robot)
    for question, given in {
        "inverse-dynamics": (q, v, a),
        "forward-dynamics": (q, v, a),
        "inertia-matrix": (q,),
        "gravity": (q,),
        "bias": (q, v),
        "jacobian": (q,),
        "centre-of-mass": (q,),
    }.items():
        function = appell.casadi.function(robot, question)
        expected = getattr(robot, question.replace("-", "_"))(*given)
        found = np.array(function(*given)).reshape(expected.shape)
        np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-10 * (1 + np.abs(expected).max()), err_msg=question)
    frame = robot.frame_names[0]
    np.testing.assert_allclose(np.array(appell.casadi.pose(robot, frame)(q)), robot.pose(q, frame), atol=1e-13)
    np.testing.assert_allclose(np.array(appell.casadi.pose(robot)(q)), robot.pose(q), atol=1e-13)


def test_derivatives_are_those_of_the_robot() -> None:
    robot = appell.load("puma560")
    q, v, a = numbers(robot)
    for question in ("inverse_dynamics", "forward_dynamics"):
        function = appell.casadi.function(robot, question.replace("_", "-"))
        zero = np.zeros(6)
        for mine, other in zip(function.jacobian()(q, v, a, zero), getattr(robot, f"{question}_derivatives")(q, v, a)):
            np.testing.assert_allclose(np.array(mine), other, atol=1e-10 * (1 + np.abs(other).max()))


def test_parameters_stay_symbols() -> None:
    robot = appell.load("two-link")
    function = appell.casadi.function(robot, "gravity", keep_symbolic=["m2"])
    assert function.name_in() == ["q", "p"]
    heavy = robot.with_body(robot.drives[1], mass=7.0)
    np.testing.assert_allclose(np.array(function([0.3, 0.4], 7.0)).ravel(), heavy.gravity([0.3, 0.4]), rtol=1e-12)


def test_a_parallel_robot() -> None:
    stewart = appell.load("gough-stewart")
    function = appell.casadi.function(stewart, "inverse-dynamics")
    pose, twist = stewart.home_numbers, 0.1 * np.arange(6)
    found = function(pose, twist, twist)
    np.testing.assert_allclose(np.array(found).ravel(), stewart.inverse_dynamics(pose, twist, twist), rtol=1e-10)


@needs_compiler
@pytest.mark.parametrize("question", ["inverse_dynamics", "forward_dynamics"])
def test_external(question: str, tmp_path: Path) -> None:
    robot = appell.load("puma560")
    q, v, a = numbers(robot)
    function = appell.casadi.external(robot, question, folder=tmp_path)
    assert len(list(tmp_path.glob("*.so"))) == 1
    np.testing.assert_allclose(np.array(function(q, v, a)).ravel(), getattr(robot, question)(q, v, a), rtol=1e-10)
    zero = np.zeros(6)
    for mine, other in zip(function.jacobian()(q, v, a, zero), getattr(robot, f"{question}_derivatives")(q, v, a)):
        np.testing.assert_allclose(np.array(mine), other, atol=1e-10 * (1 + np.abs(other).max()))
    symbols = casadi.MX.sym("q", 6), casadi.MX.sym("v", 6), casadi.MX.sym("a", 6)
    gradient = casadi.Function("g", list(symbols), [casadi.gradient(casadi.sum1(function(*symbols)), symbols[0])])
    by_q = getattr(robot, f"{question}_derivatives")(q, v, a)[0].sum(axis=0)
    np.testing.assert_allclose(np.array(gradient(q, v, a)).ravel(), by_q, atol=1e-10 * (1 + np.abs(by_q).max()))


def point_to_point(
    robot: appell.Robot, dynamics: Any, ends: tuple[Any, Any], duration: float, guess: Any = None, **options: Any
) -> Any:
    """Torques of least square that bring a robot from rest to rest: multiple shooting, 20 intervals, one Runge-Kutta step each."""
    n, intervals = robot.nv, 20
    h = duration / intervals
    opti = casadi.Opti()
    x, u = opti.variable(2 * n, intervals + 1), opti.variable(n, intervals)

    def rate(x: Any, u: Any) -> Any:
        return casadi.vertcat(x[n:], dynamics(x[:n], x[n:], u))

    for k in range(intervals):
        k1 = rate(x[:, k], u[:, k])
        k2 = rate(x[:, k] + h / 2 * k1, u[:, k])
        k3 = rate(x[:, k] + h / 2 * k2, u[:, k])
        k4 = rate(x[:, k] + h * k3, u[:, k])
        opti.subject_to(x[:, k + 1] == x[:, k] + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4))
    start, end = ends
    opti.subject_to(x[:, 0] == casadi.vertcat(start, np.zeros(n)))
    opti.subject_to(x[:, -1] == casadi.vertcat(end, np.zeros(n)))
    scale = 1.0 / np.max(np.abs(robot.gravity(np.array([start, end])))) ** 2
    opti.minimize(h * scale * casadi.sumsqr(u))
    opti.set_initial(x[:n, :], np.linspace(start, end, intervals + 1).T)
    opti.set_initial(u, np.tile(robot.gravity(start), (intervals, 1)).T)
    if guess is not None:
        opti.set_initial(x, guess[0])
        opti.set_initial(u, guess[1])
    opti.solver("ipopt", {"print_time": False}, {"print_level": 0, "sb": "yes", "max_iter": 300, **options})
    solution = opti.solve()
    return solution.value(x), solution.value(u), h, solution.value(opti.f)


def assert_follows(robot: appell.Robot, x: Any, u: Any, h: float) -> None:
    """The plan, driven through appell's own dynamics, interval by interval and all at once."""
    n = robot.nv

    def rate(x: Any) -> Any:
        return np.hstack([x[:, n:], robot.forward_dynamics(np.ascontiguousarray(x[:, :n]), np.ascontiguousarray(x[:, n:]), u.T)])

    begin = x.T[:-1]
    k1 = rate(begin)
    k2 = rate(begin + h / 2 * k1)
    k3 = rate(begin + h / 2 * k2)
    k4 = rate(begin + h * k3)
    np.testing.assert_allclose(begin + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4), x.T[1:], atol=1e-6)


ENDS = np.array([-np.pi / 2, 0.0]), np.array([0.6, -0.4])


def test_a_swing_of_two_links() -> None:
    robot = pendulum()
    x, u, h, cost = point_to_point(robot, appell.casadi.function(robot, "forward-dynamics"), ENDS, 1.5)
    assert_follows(robot, x, u, h)
    np.testing.assert_allclose(x[:, -1], [*ENDS[1], 0.0, 0.0], atol=1e-6)


def test_the_puma_from_point_to_point() -> None:
    robot = appell.load("puma560")
    ends = np.zeros(6), np.array([0.8, -0.5, 0.4, 0.3, 0.5, -0.3])
    x, u, h, _ = point_to_point(robot, appell.casadi.function(robot, "forward-dynamics"), ends, 1.0)
    assert_follows(robot, x, u, h)


@needs_compiler
def test_external_and_symbolic_find_the_same(tmp_path: Path) -> None:
    robot = pendulum()
    compiled = appell.casadi.external(robot, "forward-dynamics", folder=tmp_path)
    x, u, h, cost = point_to_point(robot, compiled, ENDS, 1.5, hessian_approximation="limited-memory", max_iter=2000)
    assert_follows(robot, x, u, h)
    # A swing has several local minima; from where the other ended it is the same one.
    symbolic = appell.casadi.function(robot, "forward-dynamics")
    _, exact_u, _, exact = point_to_point(robot, symbolic, ENDS, 1.5, guess=(x, u))
    assert cost == pytest.approx(exact, rel=1e-6)
    np.testing.assert_allclose(u, exact_u, atol=1e-2)


def test_what_is_refused() -> None:
    with pytest.raises(appell.QuestionError, match="has closed loops"):
        appell.casadi.external(appell.load("gough-stewart"), "inverse-dynamics")
    with pytest.raises(appell.QuestionError, match="has quaternions"):
        appell.casadi.external(floater(), "inverse-dynamics")
    with pytest.raises(appell.QuestionError, match="no generated derivatives"):
        appell.casadi.external(appell.load("puma560"), "gravity")
    with pytest.raises(appell.QuestionError, match="no frame `hand`"):
        appell.casadi.pose(appell.load("puma560"), "hand")
    with pytest.raises(appell.AppellError, match="no compiler `no-such-cc`"):
        appell.casadi.external(appell.load("two-link"), "forward-dynamics", compiler="no-such-cc")


@needs_compiler
def test_examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("APPELL_CACHE", str(tmp_path))
    assert_examples_hold(appell.casadi)
