"""Prepared questions with arrays of their own."""

from __future__ import annotations

import gc
import pickle
import threading
import warnings

import numpy as np
import pytest

import appell
import states
from states import NAMES, close


@pytest.mark.parametrize("name", NAMES)
def test_solvers_answer_as_robots_do(name: str) -> None:
    robot = states.robot(name)
    state = {key: value[0] for key, value in states.random(robot, 1).items()}
    for question in robot.methods:
        if "frames" == question or "platform" == question:
            continue  # their numbers are not yet matrices
        solve = robot.solver(question)
        assert solve.question == question and solve.method == robot.methods[question][0]
        for input in states.INPUTS[question]:
            getattr(solve, input)[:] = state[input]
        assert solve() is None
        expected = states.ask(robot, question, state)
        outputs = [array for array in dir(solve) if array not in ("question", "method", *states.INPUTS[question])]
        shapes = sorted(getattr(solve, array).shape for array in outputs)
        assert shapes == sorted(array.shape for array in expected), question
        found = [getattr(solve, array) for array in outputs]
        for array in expected:
            assert any(one.shape == array.shape and close(one, array, 1e-9) for one in found), question


def test_solvers_take_methods_frames_and_poses() -> None:
    robot = states.robot("puma560")
    q = np.linspace(-0.5, 0.5, 6)
    solve = robot.solver("jacobian", frame="elbow", axes="elbow")
    solve.q[:] = q
    solve()
    assert close(solve.J, robot.jacobian(q, frame="elbow", axes="elbow"), 1e-14)
    solve = robot.solver("inverse-dynamics", method="newton-euler")
    assert solve.method == "newton-euler" and "newton-euler" in repr(solve)
    delta = states.robot("delta")
    solve = delta.solver("inverse-dynamics", of="platform")
    assert close(solve.pose, delta.home_numbers, 1e-8) or close(solve.pose, [0, 0, 0, 0, 0, 0, 1])
    solve.pose[:] = delta.home_numbers
    solve.twist[:3] = 0.1
    solve()
    assert close(solve.tau, delta.inverse_dynamics(delta.home, [0.1, 0.1, 0.1]), 1e-9)


def test_arrays_of_solvers_stay_where_they_are() -> None:
    solve = states.robot("puma560").solver("inverse-dynamics")
    q, tau = solve.q, solve.tau
    assert solve.q is q
    with pytest.raises(ValueError):
        q.resize(100, refcheck=False)
    with pytest.raises(AttributeError):
        solve.q = np.zeros(6)
    with pytest.raises(AttributeError, match="has no `nonsense`; it has q, v, a, tau"):
        solve.nonsense
    q[:] = 0.3
    solve()
    expected = states.robot("puma560").inverse_dynamics(np.full(6, 0.3))
    assert close(tau, expected, 1e-14)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # NumPy would rather not have shapes set
        q.shape = (2, 3)
    q[:] = 0.4
    solve()
    assert close(tau, states.robot("puma560").inverse_dynamics(np.full(6, 0.4)), 1e-14), "shapes are the array's affair"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        q.shape = (6,)
    tau.flags.writeable = False
    solve()
    assert np.isfinite(tau).all()


def test_arrays_outlive_their_solver_and_robot() -> None:
    robot = appell.load("puma560")
    solve = robot.solver("inertia-matrix")
    del robot
    gc.collect()
    solve.q[:] = 0.1
    solve()
    M, q = solve.M, solve.q
    kept = M.copy()
    del solve
    gc.collect()
    np.zeros(10_000)  # memory that would take the place of what was freed
    assert (M == kept).all() and (q == 0.1).all()
    q[:] = 3.0
    assert (q == 3.0).all()


def test_solvers_keep_their_answer_on_error() -> None:
    solve = states.robot("puma560").solver("inverse-dynamics")
    solve.q[:] = 0.2
    solve()
    kept = solve.tau.copy()
    for bad in np.nan, np.inf, 1e300:
        solve.v[:] = bad
        with pytest.raises(appell.NumberError):
            solve()
        assert (solve.tau == kept).all()
    solve.v[:] = 0.0
    solve()
    assert (solve.tau == kept).all()
    stewart = states.robot("gough-stewart").solver("inverse-dynamics")
    stewart.q[:] = 0.0
    with pytest.raises(appell.StateError):
        stewart()


def test_solvers_take_vectors() -> None:
    robot = states.robot("puma560")
    solve = robot.solver("inverse-dynamics")
    q, v, a = np.random.default_rng(3).normal(size=(3, 6))
    solve(q, v, list(a))
    np.testing.assert_array_equal(solve.tau, robot.inverse_dynamics(q, v, a))
    np.testing.assert_array_equal(solve.v, v)
    for wrong in ((1,), (q, v), (q, v, a[:5]), (q, v, a, a)):
        with pytest.raises((appell.ShapeError, TypeError)):
            solve(*wrong)
        np.testing.assert_array_equal(solve.a, a)


def test_a_solver_in_two_threads_is_refused_or_right() -> None:
    solve = states.robot("gough-stewart").solver("inverse-dynamics")
    solve.q[:] = states.robot("gough-stewart").home_positions
    solve()
    kept = solve.tau.copy()
    wrong: list[str] = []

    def work() -> None:
        for _ in range(200):
            try:
                solve()
            except appell.StateError as error:
                if "thread" not in str(error):
                    wrong.append(str(error))

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong and close(solve.tau, kept, 1e-12)


def test_solvers_are_not_pickled() -> None:
    with pytest.raises(TypeError, match="pickle|Solver"):
        pickle.dumps(states.robot("puma560").solver("bias"))


def test_continuous_solvers_follow_a_motion() -> None:
    robot = states.robot("gough-stewart")
    solve = robot.solver("platform", continuous=True)
    path = robot.home_positions + 0.05 * np.linspace(0, 1, 30)[:, None] * np.array([1, 0.5, 0, -0.5, 0.2, 0.1])
    for q in path:
        solve.q[:] = q
        solve()
        lengths = robot.actuated(solve.pose)[0]
        assert close(lengths, q, 1e-8)
