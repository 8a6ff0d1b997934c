"""Robots as objects of Python: copied, pickled, changed, shared by threads and processes, prepared, saved; their errors and warnings.

APPELL_LEAK=1000000 sets how many calls are made in search of a leak.
"""

from __future__ import annotations

import copy
import doctest
import gc
import inspect
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
import time
import warnings
from pathlib import Path
from typing import Any, Callable

import numpy as np
import pytest

import appell
import states
from states import DATA, NAMES, close

LEAK = int(os.environ.get("APPELL_LEAK", "100000"))

FILES = sorted(str(path.relative_to(DATA)) for path in DATA.rglob("*") if path.is_file())

#: Files of tests/data that describe no robot.
REFUSED = ["closed/immobile.toml", "closed/locked-drive.toml", "closed/out-of-reach.toml"]

LOADED = [path for path in FILES if path not in REFUSED]


def run(program: str, *, timeout: float = 60.0, **options: Any) -> subprocess.CompletedProcess[str]:
    """Runs a program in a fresh interpreter."""
    arguments = [sys.executable, "-X", "faulthandler", "-c", textwrap.dedent(program)]
    return subprocess.run(arguments, capture_output=True, text=True, timeout=timeout, **options)


def answers(robot: appell.Robot) -> list[Any]:
    """Numbers that tell two robots apart."""
    s = states.random(robot, 3)
    return [robot.inverse_dynamics(s["q"], s["v"], s["a"]), robot.inertia_matrix(s["q"]), robot.frames(s["q"])]


def same(one: appell.Robot, other: appell.Robot, tolerance: float = 1e-12) -> bool:
    """Whether they answer alike."""
    return all(close(a, b, tolerance) for a, b in zip(answers(one), answers(other)))


# Copies


@pytest.mark.parametrize("name", NAMES)
def test_pickled_and_copied_robots_are_equal(name: str) -> None:
    robot = appell.load(name)
    changed = robot.with_masses_scaled(1.25).with_gravity([0.1, 0.2, -9.0])
    for one in robot, changed:
        for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
            other = pickle.loads(pickle.dumps(one, protocol))
            assert type(other) is appell.Robot
            assert other == one and hash(other) == hash(one) and other is not one
        assert same(other, one, 1e-15)
        assert copy.copy(one) == one and copy.deepcopy(one) == one
        assert copy.deepcopy({"robot": [one]})["robot"][0] == one
    assert changed != robot


@pytest.mark.parametrize("path", LOADED)
def test_robots_of_files_are_pickled(path: str) -> None:
    robot = states.data_file(path)
    assert pickle.loads(pickle.dumps(robot)) == robot


def test_a_pickled_robot_needs_no_file(tmp_path: Path) -> None:
    path = tmp_path / "arm.toml"
    path.write_text((DATA / "planar-arm.toml").read_text())
    pickled = pickle.dumps(appell.load(path))
    path.unlink()
    assert pickle.loads(pickled).name == "arm"


def test_equality_and_hash() -> None:
    one, other = appell.load("puma560"), appell.load("puma560")
    assert one == other and not one != other and hash(one) == hash(other)
    assert one != appell.load("puma560-b") and one != 3 and one is not None and one != "puma560"
    assert len({one, other, appell.load("scara")}) == 2
    assert one.with_body("elbow", mass=1.0) != one
    assert one.with_gravity(one.gravity_vector) == one
    with pytest.raises(TypeError):
        one < other  # noqa: B015


def test_subclasses_stay_what_they_are() -> None:
    robot = Own(appell.load("two-link").to_text())
    assert type(pickle.loads(pickle.dumps(robot))) is Own
    assert type(robot.with_gravity([0, 0, 0])) is Own
    assert robot.twice([0.1, 0.2]).shape == (2,)


class Own(appell.Robot):
    """A robot of somebody's."""

    def twice(self, q: Any) -> Any:
        return 2 * self.gravity(q)


def test_attributes_cannot_be_set() -> None:
    robot = appell.load("two-link")
    for name in "name", "nq", "mass", "joints", "home_positions", "gravity_vector":
        with pytest.raises(AttributeError):
            setattr(robot, name, None)


def test_what_getters_return_is_the_callers_own() -> None:
    robot = appell.load("puma560")
    for name in dir(robot):
        if name.startswith("_"):
            continue
        value = getattr(robot, name)
        if callable(value):
            continue
        if isinstance(value, np.ndarray):
            value[...] = np.nan
            assert np.isfinite(getattr(robot, name)).all(), name
        elif isinstance(value, (list, dict)):
            value.clear()
            assert getattr(robot, name) or name == "warnings", name
    assert robot == appell.load("puma560")


def test_members_can_be_listed() -> None:
    members = dict(inspect.getmembers(appell.load("puma560")))
    assert "inverse_dynamics" in members


@pytest.mark.parametrize("name", NAMES)
def test_parts_are_as_many_as_said(name: str) -> None:
    robot = states.robot(name)
    assert len(robot.positions) == robot.nq and len(robot.drives) == robot.nv
    assert set(robot.drives) <= {joint["name"] for joint in robot.joints}
    assert robot.neutral.shape == (robot.nq,) or not states.is_open(robot)
    assert robot.home_positions.shape == (robot.nq,)
    assert robot.mass > 0 and len(robot.gravity_vector) == 3
    assert robot.kind in ("serial", "tree", "parallel", "spherical", "closed")
    assert robot.name in repr(robot) and robot.kind in repr(robot)
    html = robot._repr_html_()
    assert html.count("<tr>") == len(robot.joints) + 1 and robot.name in html
    for question in robot.methods:
        columns = robot.columns(question)
        assert len(columns) == len(set(columns)) > 0


def test_names_are_escaped_in_html() -> None:
    text = appell.load("two-link").to_text().replace('"two-link arm"', '"<b>arm & co</b>"')
    html = appell.Robot(text)._repr_html_()
    assert "&lt;b&gt;arm &amp; co&lt;/b&gt;" in html and "arm & co" not in html


@pytest.mark.parametrize("name", NAMES)
def test_home_is_where_the_robot_can_be(name: str) -> None:
    robot = states.robot(name)
    numbers = robot.home_numbers
    if numbers is None:
        assert robot.home.shape == (robot.nq,)
        return
    pose = robot.platform(robot.home_positions)[0]
    assert robot.home.shape == (4, 4) and close(pose, robot.home, 1e-8)
    assert numbers.shape == (7,) and np.linalg.norm(numbers[3:]) == pytest.approx(1.0, abs=1e-12)


# Processes and threads


def tau_of(pickled: tuple[appell.Robot, Any]) -> Any:
    robot, q = pickled
    return robot.inverse_dynamics(q, 0.1 * q, 0.2 * q)


@pytest.mark.parametrize("start", ["spawn", "fork", "forkserver"])
def test_other_processes_answer(start: str) -> None:
    if start not in multiprocessing.get_all_start_methods():
        pytest.skip(f"no {start} on this system")
    # In a fresh interpreter, so that a hang is ended by its timeout and the parent has no other threads than ours.
    program = f"""
        import multiprocessing, sys
        sys.path.insert(0, {str(Path(__file__).parent)!r})
        import numpy as np, appell, test_robot
        if __name__ == "__main__":
            robots = [appell.load(name) for name in ("puma560", "delta")]
            work = [(robot, robot.home_positions + 0.01 * np.random.default_rng(1).uniform(-1, 1, (3000, robot.nq))) for robot in robots]
            parents = [test_robot.tau_of(one) for one in work]  # the parent's threads run before the fork
            with multiprocessing.get_context({start!r}).Pool(2) as pool:
                children = pool.map_async(test_robot.tau_of, work).get(timeout=40)
            assert all((a == b).all() for a, b in zip(parents, children))
            assert all((a == test_robot.tau_of(one)).all() for a, one in zip(parents, work))
            print("agree")
    """
    path = Path(__file__).with_name("__spawned__.py")
    done = run_file(program, path)
    assert done.returncode == 0 and done.stdout == "agree\n", done.stderr


def run_file(program: str, path: Path) -> subprocess.CompletedProcess[str]:
    """Runs a program from a file, which children that are spawned read again."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / path.name.replace("__", "")
        file.write_text(textwrap.dedent(program))
        # Forks of a process with threads are what is tested here.
        options = ["-W", "ignore::DeprecationWarning"]
        return subprocess.run([sys.executable, *options, str(file)], capture_output=True, text=True, timeout=90)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_a_fork_after_a_batch_answers_by_itself() -> None:
    done = run(
        """
        import os, signal, numpy as np, appell
        robot = appell.load("puma560")
        q = np.random.default_rng(1).uniform(-1, 1, (20000, 6))
        solve = robot.solver("inverse-dynamics")
        expected = robot.inverse_dynamics(q, q, q)
        child = os.fork()
        if child == 0:
            signal.alarm(20)
            ok = (robot.inverse_dynamics(q, q, q) == expected).all()
            ok = ok and (robot.inverse_dynamics(q, q, q, threads=2) == expected).all()
            solve.q[:] = q[0]; solve.v[:] = q[0]; solve.a[:] = q[0]; solve()
            os._exit(0 if ok and np.allclose(solve.tau, expected[0], rtol=1e-12) else 1)
        assert os.waitpid(child, 0)[1] == 0
        assert (robot.inverse_dynamics(q, q, q) == expected).all()
        """
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", ["puma560", "gough-stewart"])
def test_four_threads_share_a_robot(name: str) -> None:
    robot = appell.load(name)
    many = states.random(robot, 60)
    expected = {
        question: [states.ask(robot, question, {key: value[i] for key, value in many.items()}) for i in range(60)]
        for question in ("inverse-dynamics", "forward-dynamics", "inertia-matrix", "frames")
    }
    batch = robot.inverse_dynamics(many["q"], many["v"], many["a"])
    wrong: list[str] = []
    start = threading.Barrier(4)

    def work(thread: int) -> None:
        rng = np.random.default_rng(thread)
        start.wait()
        try:
            for _ in range(400):
                i = int(rng.integers(60))
                question = list(expected)[rng.integers(len(expected))]
                found = states.ask(robot, question, {key: value[i] for key, value in many.items()})
                if not all((a == b).all() for a, b in zip(found, expected[question][i])):
                    wrong.append(f"{question} of state {i}")
                if rng.random() < 0.02 and not (robot.inverse_dynamics(many["q"], many["v"], many["a"]) == batch).all():
                    wrong.append("a batch")
                if rng.random() < 0.05:
                    method = robot.methods["inverse-dynamics"][-1]
                    other = robot.inverse_dynamics(many["q"][i], many["v"][i], many["a"][i], method=method)
                    if not close(other, expected["inverse-dynamics"][i][0], 1e-8):
                        wrong.append(method)
        except Exception as error:
            wrong.append(repr(error))

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads)
    assert not wrong, wrong[:5]


def test_batches_let_other_threads_run() -> None:
    robot = appell.load("gough-stewart")
    q = np.tile(robot.home_positions, (60_000, 1))
    ticks: list[float] = []
    done = threading.Event()

    def tick() -> None:
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    before = time.perf_counter()
    robot.inverse_dynamics(q)
    after = time.perf_counter()
    done.set()
    thread.join()
    if after - before < 0.03:
        pytest.skip("too fast to see")
    assert sum(before < at < after for at in ticks) >= 2, "the interpreter is released during a batch"


@pytest.mark.skipif(sys.platform == "win32", reason="signals are of POSIX")
@pytest.mark.parametrize(
    "work",
    [
        "robot = appell.load('gough-stewart'); q = np.tile(robot.home_positions, (300_000, 1)); f = lambda: robot.forward_dynamics(q, q, q)",
        "robot = appell.load('puma560'); q = np.zeros((1_000_000, 6)); f = lambda: robot.inverse_dynamics_derivatives(q, q, q)",
        "robot = appell.load('puma560'); q = np.zeros((3_000_000, 6)); f = lambda: robot.inverse_dynamics(q, method='newton-euler')",
        "robot = appell.load('puma560'); q = np.zeros((1_000_000, 6), order='F'); f = lambda: robot.inverse_dynamics_derivatives(q, q, q)",
    ],
    ids=["loops", "arm", "method", "Fortran's order"],
)
def test_an_interrupt_ends_a_batch(work: str) -> None:
    program = f"""
        import numpy as np, appell, sys, time
        {work}
        print("ready", flush=True)
        try:
            for _ in range(1000):
                f()
        except KeyboardInterrupt:
            print("interrupted", flush=True)
            sys.exit(0)
    """
    process = subprocess.Popen([sys.executable, "-c", textwrap.dedent(program)], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        time.sleep(0.4)
        sent = time.monotonic()
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=30)
        assert out == "interrupted\n"
        assert process.returncode == 0
        took = time.monotonic() - sent
    finally:
        process.kill()
        process.wait()
    assert took < 15, f"{took:.1f} s, on however busy a machine"


def test_subinterpreters_work_or_say_no() -> None:
    done = run(
        """
        import sys
        try:
            from concurrent import interpreters
            def execute(code):
                interpreters.create().exec(code)
        except ImportError:
            try:
                import _xxsubinterpreters as interpreters
            except ImportError:
                import _interpreters as interpreters
            def execute(code):
                failed = interpreters.run_string(interpreters.create(), code)
                if failed is not None:
                    raise RuntimeError(failed)
        import appell
        tau = appell.load("two-link").inverse_dynamics([0.1, 0.2]).tolist()
        try:
            execute("import appell; import sys; assert appell.load('two-link').inverse_dynamics([0.1, 0.2]).shape == (2,)")
            print("works")
        except Exception as error:
            print("says no:", str(error).replace(chr(10), " ")[:300])
        assert appell.load("two-link").inverse_dynamics([0.1, 0.2]).tolist() == tau
        """
    )
    assert done.returncode == 0, done.stderr
    # What says no is NumPy, which is imported first: it loads once per process.
    assert done.stdout == "works\n" or ("says no" in done.stdout and "ImportError" in done.stdout), done.stdout


# Leaks


def resident() -> int:
    """Bytes of memory that this process has."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is counted on Linux")
def test_no_leak_over_many_calls() -> None:
    puma, delta = appell.load("puma560"), appell.load("delta")
    q, many, fortran = np.zeros(6), np.zeros((20, 6)), np.zeros((20, 6), order="F")
    out, pose = np.zeros(6), delta.home
    drives, short = delta.home_positions, np.zeros(6, dtype=np.float32)
    solve = puma.solver("inertia-matrix")

    def wrong() -> None:
        for call in (lambda: puma.inverse_dynamics(q[:5]), lambda: puma.inverse_dynamics(q, q * np.nan), lambda: puma.ask("x", q)):
            try:
                call()
            except appell.AppellError:
                continue
            raise AssertionError("it was wrong")

    often: list[Callable[[], Any]] = [
        lambda: puma.inverse_dynamics(q, q, q),
        lambda: puma.inverse_dynamics(q, q, q, out=out),
        lambda: puma.inertia_matrix(q),
        lambda: puma.inverse_dynamics_derivatives(q, q, q),
        lambda: puma.frames(q),
        lambda: puma.jacobian(q, frame="elbow"),
        lambda: puma.inverse_dynamics(q, q, q, method="newton-euler"),
        lambda: puma.inverse_dynamics(short, short, short),
        lambda: puma.inverse_dynamics(q.tolist()),
        lambda: delta.inverse_dynamics(drives, drives, drives),
        solve,
    ]
    seldom: list[Callable[[], Any]] = [
        lambda: puma.inverse_dynamics(many, many, many),
        lambda: puma.inverse_dynamics(fortran, fortran, fortran),
        lambda: puma.inertia_matrix(many, threads=1),
        lambda: puma.inverse_dynamics(q, external={"elbow": q}),
        lambda: puma.frames(many.astype(np.float32)),
        lambda: delta.inverse_dynamics(pose),
        lambda: delta.platform(drives),
        lambda: puma.solver("bias"),
        lambda: appell.load("two-link").with_gravity([0, 0, 0]),
        lambda: pickle.loads(pickle.dumps(delta)),
        wrong,
    ]

    def round_of(count: int) -> None:
        for _ in range(count):
            for _ in range(20):
                for call in often:
                    call()
            for call in seldom:
                call()

    calls = 20 * len(often) + len(seldom)
    rounds = max(LEAK // calls, 40)
    round_of(rounds // 4)
    gc.collect()
    before = resident()
    round_of(rounds)
    gc.collect()
    growth = resident() - before
    # An object is at least 16 bytes: one lost per call of any of the frequent ones, of which there are eleven, is more than a byte per call.
    assert growth < 2**18 + rounds * calls, f"{growth} bytes over {rounds * calls} calls"


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is counted on Linux")
def test_robots_and_solvers_are_freed() -> None:
    def make() -> None:
        robot = appell.load("gough-stewart")
        solve = robot.solver("inverse-dynamics")
        kept = solve.q
        robot.inverse_dynamics(np.tile(robot.home_positions, (50, 1)))
        del solve, robot
        kept[:] = 1.0

    for _ in range(30):
        make()
    gc.collect()
    before = resident()
    for _ in range(150):
        make()
    gc.collect()
    assert resident() - before < 6 * 2**20


# Solvers


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


# Errors and warnings


def test_the_hierarchy_of_errors() -> None:
    for name in "RobotError", "QuestionError", "ShapeError", "NumberError":
        assert issubclass(getattr(appell, name), (appell.AppellError)) and issubclass(getattr(appell, name), ValueError)
    assert issubclass(appell.StateError, appell.AppellError) and issubclass(appell.StateError, ArithmeticError)
    assert issubclass(appell.FileWarning, appell.AppellWarning) and issubclass(appell.UndecidedWarning, appell.AppellWarning)
    assert issubclass(appell.AppellWarning, UserWarning)
    for name in appell.__all__:
        thing = getattr(appell, name)
        if isinstance(thing, type) and issubclass(thing, (Exception, Warning)):
            assert thing.__doc__


@pytest.mark.parametrize(
    "call, kind, says",
    [
        (lambda: appell.load("nowhere.toml"), FileNotFoundError, "built-in robots are puma560"),
        (lambda: appell.load("nowhere"), FileNotFoundError, "file not found"),
        (lambda: appell.load(DATA), (IsADirectoryError, PermissionError), "irectory"),
        (lambda: appell.check("nowhere.toml"), FileNotFoundError, "nowhere.toml"),
        (lambda: appell.Robot(""), appell.RobotError, "does not describe a robot"),
        (lambda: appell.Robot("nonsense"), appell.RobotError, "line 1"),
        (lambda: appell.Robot("nonsense", "nonsense"), ValueError, "formats are toml, urdf"),
        (lambda: appell.Robot("<robot/>", "urdf"), appell.RobotError, "robot.name"),
        (lambda: appell.Robot("<robot", "urdf"), appell.RobotError, "line 1"),
        (lambda: appell.Robot("\0\0", "toml"), appell.RobotError, "line 1"),
        (lambda: appell.Robot(3), TypeError, "str"),  # type: ignore[arg-type]
        (lambda: appell.Robot(), TypeError, "text"),  # type: ignore[call-arg]
        (lambda: appell.Robot(appell.load("two-link").to_text(), floating_base=True), appell.RobotError, "floating_base"),
        (lambda: appell.load("puma560", floating_base=True), ValueError, "URDF or SDF"),
        (lambda: appell.load("puma560", output="wrist-yaw"), appell.RobotError, "no closed loops"),
        (lambda: appell.load("delta", output="nowhere"), appell.RobotError, "no frame `nowhere`"),
        (lambda: appell.load("two-link").with_body("elbow", mass=1), appell.RobotError, "bodies are those of short, long"),
        (lambda: appell.load("two-link").with_body("long", mass=-1), appell.RobotError, "body.long.mass: is -1 kg"),
        (lambda: appell.load("two-link").with_body("long", mass=np.nan), appell.RobotError, "NaN"),
        (lambda: appell.load("two-link").with_body("long", com=[1, 2]), appell.ShapeError, r"expected \(3,\)"),
        (lambda: appell.load("two-link").with_body("long", inertia=np.zeros((2, 2))), appell.ShapeError, r"expected \(3, 3\)"),
        (lambda: appell.load("two-link").with_body("long", inertia=np.tri(3)), ValueError, "not symmetric"),
        (lambda: appell.load("two-link").with_payload(1, frame="nowhere"), appell.RobotError, "no body `nowhere`"),
        (lambda: appell.load("two-link").with_payload(np.inf), appell.RobotError, "inf"),
        (lambda: appell.load("two-link").with_joint("nowhere", viscous=1), appell.RobotError, "joints are short, long"),
        (lambda: appell.load("two-link").with_joint("long", nonsense=1), TypeError, "has no keyword `nonsense`"),
        (lambda: appell.load("two-link").with_joint("long", viscous="x"), TypeError, "real number"),  # type: ignore[arg-type]
        (lambda: appell.load("two-link").with_gravity([0, 0]), appell.ShapeError, r"expected \(3,\)"),
        (lambda: appell.load("two-link").with_gravity([0, 0, np.nan]), appell.RobotError, "gravity: is NaN"),
        (lambda: appell.load("two-link").with_masses_scaled(-1), appell.RobotError, "mass"),
        (lambda: appell.load("two-link").to_text("nonsense"), ValueError, "no format `nonsense`"),
        (lambda: appell.load("two-link").to_text("mjcf"), appell.RobotError, "only read"),
        (lambda: appell.load("two-link").to_text("urdf"), appell.RobotError, "lossy=True"),
        (lambda: appell.load("delta").to_text("urdf"), appell.RobotError, "closed loops"),
        (lambda: appell.load("two-link").to_text("csv", convention="nonsense"), ValueError, "no convention"),
    ],
)
def test_errors_say_what_is_wrong(call: Callable[[], Any], kind: Any, says: str) -> None:
    with pytest.raises(kind, match=says):
        call()


@pytest.mark.parametrize("path", REFUSED)
def test_files_that_give_no_robot(path: str) -> None:
    with pytest.raises(appell.RobotError) as caught:
        appell.load(DATA / path)
    found = appell.check(DATA / path)
    assert found and "error" in found[0] and str(caught.value) in found[0]


def test_limits_are_in_order() -> None:
    with pytest.raises(appell.RobotError, match="limits|lower|upper"):
        appell.load("two-link").with_joint("long", lower=2.0, upper=1.0)


def test_a_payload_is_not_negative() -> None:
    with pytest.raises((appell.RobotError, ValueError)):
        appell.load("two-link").with_payload(-1.0)


def test_doubts_about_files_are_warnings() -> None:
    with pytest.warns(appell.FileWarning, match="everything.xml: line 57: .*<sensor> with 1 entries") as caught:
        robot = appell.load(DATA / "mjcf" / "everything.xml")
    assert caught[0].filename == __file__, "it points at who loads"
    assert robot.warnings and len(appell.check(DATA / "mjcf" / "everything.xml")) == len(robot.warnings)
    with pytest.raises(appell.FileWarning):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            appell.load(DATA / "mjcf" / "everything.xml")


def test_what_is_odd_but_possible_only_check_reports() -> None:
    assert appell.check(DATA / "urdf" / "puma560.urdf")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        appell.load(DATA / "urdf" / "puma560.urdf")


def test_texts_in_other_encodings(tmp_path: Path) -> None:
    urdf = tmp_path / "arm.urdf"
    text = states.data_file("urdf/puma560.urdf").to_text("urdf").replace("?>", "?><!-- Köln -->", 1)
    urdf.write_bytes(text.encode("latin-1"))
    with pytest.warns(appell.FileWarning, match="not UTF-8"):
        assert appell.load(urdf).nv == 6
    toml = tmp_path / "arm.toml"
    toml.write_bytes((appell.load("two-link").to_text() + "# Köln\n").encode("latin-1"))
    with pytest.raises(ValueError, match="not UTF-8"):
        appell.load(toml)


def undecided_drives() -> Any:
    """Positions of drives that are far from home, where the way there is not straight."""
    robot = states.robot("five-bar")
    rng = np.random.default_rng(5)
    for _ in range(3000):
        q = robot.home_positions + rng.uniform(-4.0, 4.0, 2)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                robot.inverse_dynamics(q, [0.0, 0.0], [0.0, 0.0])
            except appell.StateError:
                continue
        if caught:
            return q
    raise AssertionError("no such drives were found")


def test_assemblies_that_are_not_decided_are_warned_of() -> None:
    robot, q = states.robot("five-bar"), undecided_drives()
    with pytest.warns(appell.UndecidedWarning, match="not decided which assembly") as caught:
        one = robot.inverse_dynamics(q, np.zeros(2), np.zeros(2))
    assert len(caught) == 1
    home = robot.home_positions
    with pytest.warns(appell.UndecidedWarning, match="1 states, the first of them 2"):
        many = robot.inverse_dynamics(np.stack([home, home, q, home]))
    with pytest.warns(appell.UndecidedWarning, match="1 states, the first of them 2"):
        robot.inverse_dynamics(np.stack([home, home, q, home]), method=robot.methods["inverse-dynamics"][0])
    assert close(many[2], one, 1e-8)
    out = np.full(2, 7.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(appell.UndecidedWarning):
            robot.inverse_dynamics(q, np.zeros(2), np.zeros(2), out=out)


def test_warnings_of_assemblies_point_at_who_asks() -> None:
    robot, q = states.robot("five-bar"), undecided_drives()
    with pytest.warns(appell.UndecidedWarning) as caught:
        robot.inverse_dynamics(q, np.zeros(2), np.zeros(2))
    assert caught[0].filename == __file__


def test_out_is_untouched_where_a_warning_is_an_error() -> None:
    robot, q = states.robot("five-bar"), undecided_drives()
    out = np.full(2, 7.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(appell.UndecidedWarning):
            robot.inverse_dynamics(q, np.zeros(2), np.zeros(2), out=out)
    assert (out == 7.0).all()


# Files


@pytest.mark.parametrize("name", NAMES)
def test_built_in_robots_are_written_and_read(name: str, tmp_path: Path) -> None:
    robot = states.robot(name)
    doubts = appell.check(name)
    assert not any("error:" in line for line in doubts)
    text = robot.to_text()
    assert same(appell.Robot(text), robot)
    path = robot.save(tmp_path / "robot.toml")
    assert path.read_text(encoding="utf-8") == text
    again = appell.load(path)
    assert same(again, robot) and again.name == robot.name
    assert again.to_text() == text, "what was written is read and written alike"
    assert bool(appell.check(path)) == bool(doubts)
    assert [p.name for p in tmp_path.iterdir()] == ["robot.toml"], "nothing is left beside"


@pytest.mark.parametrize("path", LOADED)
def test_files_of_others_are_written_and_read(path: str, tmp_path: Path) -> None:
    robot = states.data_file(path)
    if path in ("closed/underactuated.toml", "closed/redundant-drives.toml", "closed/type-2-home.toml", "closed/right-angle.toml"):
        assert appell.Robot(robot.to_text()) == robot, "drives do not say where it is"
        return
    again = appell.load(robot.save(tmp_path / "robot.toml", lossy=True))
    assert again.positions == robot.positions and again.frame_names == robot.frame_names
    assert same(again, robot, 1e-10)


@pytest.mark.parametrize("name", [name for name in NAMES if states.is_open(states.robot(name))])
@pytest.mark.parametrize("format", ["urdf", "par", "csv", "md"])
def test_other_formats_hold_the_same_robot(name: str, format: str) -> None:
    robot = states.robot(name)
    try:
        text = robot.to_text(format)
    except appell.RobotError as error:
        assert "cannot hold" in str(error)
        text = robot.to_text(format, lossy=True)
        if "gravity" in str(error):
            robot = robot.with_gravity(appell.Robot(text, format).gravity_vector)
    again = appell.Robot(text, format, "again")
    assert again.nv == robot.nv
    q = states.random(robot, 4)["q"]
    if format in ("urdf", "par"):
        assert close(again.inertia_matrix(q), robot.inertia_matrix(q), 1e-9)
        assert close(again.gravity(q), robot.gravity(q), 1e-9)
    else:
        last = robot.joints[-1]["name"]
        assert close(again.pose(q, last), robot.pose(q, last), 1e-9)


def test_saving_replaces_only_if_told(tmp_path: Path) -> None:
    robot, path = states.robot("two-link"), tmp_path / "arm.toml"
    path.write_text("mine")
    with pytest.raises(FileExistsError, match="overwrite=True"):
        robot.save(path)
    assert path.read_text() == "mine"
    with pytest.raises(appell.RobotError):
        robot.save(tmp_path / "arm.urdf")
    assert robot.save(path, overwrite=True) == path and appell.load(path) == robot
    assert [p.name for p in tmp_path.iterdir()] == ["arm.toml"]
    with pytest.raises(FileNotFoundError):
        robot.save(tmp_path / "no" / "such" / "folder.toml")
    with pytest.raises(ValueError, match="no format `xyz`"):
        robot.save(tmp_path / "arm.xyz")
    assert robot.save(str(tmp_path / "plain")).read_text() == robot.to_text()


def test_files_are_loaded_by_path_or_text(tmp_path: Path) -> None:
    path = DATA / "planar-arm.toml"
    robot = appell.load(path)
    assert appell.load(str(path)) == robot == appell.Robot(path.read_text())
    assert appell.Robot(path.read_text(), "toml", name="other") == robot, "the file says the name"
    floating = appell.load(DATA / "urdf" / "puma560.urdf", floating_base=True)
    assert floating.nv == 12 and floating.nq == 13
    assert pickle.loads(pickle.dumps(floating)) == floating


def test_included_files_are_read(tmp_path: Path) -> None:
    whole = '<mujoco model="arm"><worldbody>{}</worldbody></mujoco>'
    body = '<body name="b"><joint name="j" type="hinge" axis="0 0 1"/><inertial pos="0.1 0 0" mass="1" diaginertia="1 1 1"/></body>'
    (tmp_path / "part.xml").write_text(f"<mujocoinclude>{body}</mujocoinclude>")
    path = tmp_path / "arm.xml"
    path.write_text(whole.format('<include file="part.xml"/>'))
    robot = appell.load(path)
    assert robot.positions == ["j"] and robot.mass == pytest.approx(1.0)
    assert pickle.loads(pickle.dumps(robot)) == robot
    (tmp_path / "part.xml").unlink()
    with pytest.raises((OSError, appell.RobotError), match="part.xml"):
        appell.load(path)


# Changed copies, against what is computed otherwise


def test_payload_is_a_weight_at_the_frame() -> None:
    robot = states.robot("scara")
    mass, com, inertia = 2.5, np.array([0.05, -0.03, 0.1]), np.diag([0.02, 0.03, 0.04])
    loaded = robot.with_payload(mass, com, inertia, frame="tool")
    assert loaded.mass == pytest.approx(robot.mass + mass, rel=1e-14)
    s = states.random(robot, 6)
    gravity = np.asarray(robot.gravity_vector)
    expected_M, expected_g = [], []
    for q in s["q"]:
        J, R = robot.jacobian(q, frame="tool"), robot.pose(q, "tool")[:3, :3]
        lever = R @ com
        skew = np.array([[0, -lever[2], lever[1]], [lever[2], 0, -lever[0]], [-lever[1], lever[0], 0]])
        linear, angular = J[:3] - skew @ J[3:], J[3:]
        expected_M.append(robot.inertia_matrix(q) + mass * linear.T @ linear + angular.T @ R @ inertia @ R.T @ angular)
        expected_g.append(robot.gravity(q) - mass * linear.T @ gravity)
    assert close(loaded.inertia_matrix(s["q"]), expected_M)
    assert close(loaded.gravity(s["q"]), expected_g)
    assert robot.with_payload(mass, com, inertia, frame="tool") == loaded
    assert robot.with_payload(mass, com, [0.02, 0.03, 0.04, 0, 0, 0], frame="tool") == loaded


def test_payload_of_a_platform() -> None:
    for name in "gough-stewart", "delta", "3-rps":
        robot = states.robot(name)
        loaded = robot.with_payload(3.0)
        assert loaded.mass == pytest.approx(robot.mass + 3.0, rel=1e-14)
        s = states.random(robot, 4)
        weight = np.broadcast_to([*(3.0 * np.asarray(robot.gravity_vector)), 0, 0, 0], (4, 6))
        held = robot.inverse_dynamics(s["q"], external={"platform": weight})
        assert close(loaded.inverse_dynamics(s["q"]), held, 1e-8), "at rest a load is its weight"
        assert loaded == robot.with_payload(3.0, frame="platform")


def test_bodies_of_other_masses() -> None:
    robot = states.robot("puma560")
    s = states.random(robot, 5)
    for body in "waist", "elbow", "wrist-yaw":
        changed = robot.with_body(body, mass=4.0, com=[0.1, 0.2, -0.1], inertia=[0.1, 0.2, 0.25, 0.01, 0.02, -0.03])
        phi = dict(zip(robot.parameters, robot.parameter_values))
        com, I = np.array([0.1, 0.2, -0.1]), np.array([[0.1, 0.01, 0.02], [0.01, 0.2, -0.03], [0.02, -0.03, 0.25]])
        about_origin = I + 4.0 * (com @ com * np.eye(3) - np.outer(com, com))
        own = [4.0, *(4.0 * com), *about_origin[[0, 0, 1, 0, 1, 2], [0, 1, 1, 2, 2, 2]]]
        for part, value in zip("m mx my mz xx xy yy xz yz zz".split(), own):
            phi[f"{body}.{part}"] = value
        assert close(changed.parameter_values, list(phi.values()))
        Y = robot.regressor(s["q"], s["v"], s["a"])
        assert close(changed.inverse_dynamics(s["q"], s["v"], s["a"]), Y @ np.array(list(phi.values())), 1e-9)
    heavier = robot.with_body("elbow", mass=9.0)
    assert heavier.mass > robot.mass
    stewart = states.robot("gough-stewart")
    assert stewart.with_body("platform", mass=50.0).mass != stewart.mass


def test_masses_scaled_scale_all_forces_of_bodies() -> None:
    for name in "seven-axis", "delta":
        robot = states.robot(name)
        s = states.random(robot, 4)
        heavy = robot.with_masses_scaled(1.5)
        assert heavy.mass == pytest.approx(1.5 * robot.mass, rel=1e-12)
        assert close(heavy.gravity(s["q"]), 1.5 * robot.gravity(s["q"]), 1e-9)
        assert close(heavy.coriolis_vector(s["q"], s["v"]), 1.5 * robot.coriolis_vector(s["q"], s["v"]), 1e-9)


def test_joints_with_other_effects() -> None:
    robot = states.robot("two-link")
    s = states.random(robot, 6)
    bias = robot.bias(s["q"], s["v"])
    own = {"viscous": 2.0 * s["v"][:, 1], "offset": np.full(6, 2.0)}
    for effect, force in own.items():
        found = robot.with_joint("long", **{effect: 2.0}).bias(s["q"], s["v"]) - bias
        assert close(found[:, 1], force, 1e-9) and close(found[:, 0], np.zeros(6), 1e-9, scale=1.0)
    found = robot.with_joint("long", stiffness=3.0, rest=0.5).bias(s["q"], s["v"]) - bias
    assert close(found[:, 1], 3.0 * (s["q"][:, 1] - 0.5), 1e-9)
    geared = robot.with_joint("long", rotor_inertia=1e-4, gear=100.0)
    assert close(geared.inertia_matrix(s["q"]) - robot.inertia_matrix(s["q"]), np.tile([[0, 0], [0, 1.0]], (6, 1, 1)), 1e-9)
    limited = robot.with_joint("long", lower=-1.0, upper=2.0, velocity=3.0, effort=4.0)
    joint = limited.joints[1]
    assert [joint[key] for key in ("lower", "upper", "velocity", "effort")] == [-1.0, 2.0, 3.0, 4.0]
    assert limited.with_joint("long", lower=-2.0).joints[1]["upper"] == 2.0, "what is not named stays"


def test_gravity_is_what_was_asked_for() -> None:
    for name in "puma560", "gough-stewart":
        robot = states.robot(name)
        q = states.random(robot, 3)["q"]
        assert close(robot.with_gravity([0, 0, 0]).gravity(q), np.zeros((3, robot.nv)), scale=1.0)
        parts = [robot.with_gravity(g).gravity(q) for g in np.diag([1.0, 2.0, 3.0])]
        assert close(robot.with_gravity([1.0, 2.0, 3.0]).gravity(q), sum(parts), 1e-9)
        assert robot.with_gravity([1.0, 2.0, 3.0]).gravity_vector == [1.0, 2.0, 3.0]


def test_another_output_is_another_platform() -> None:
    robot = states.robot("four-bar")
    assert robot.home_numbers is None
    other = robot.with_output("rocker")
    q = other.home_positions + 0.1
    assert close(other.platform(q)[0], robot.pose(q, "rocker"), 1e-9)
    h = 1e-5
    ends = [robot.pose(q + sign * h, "rocker")[:3, 3] for sign in (-1, 1)]
    assert close(other.jacobian(q)[:3, 0], (ends[1] - ends[0]) / (2 * h), 1e-7)
    assert appell.load("four-bar", output="rocker") == other
    assert close(other.inverse_dynamics(q, [1.0]), robot.inverse_dynamics(q, [1.0]), 1e-9)


MIMIC = """
<robot name="mimic">
  <link name="base"/>
  {links}
  <joint name="one" type="revolute"><parent link="base"/><child link="a"/><axis xyz="0 1 0"/>
    <limit lower="-3" upper="3" effort="9" velocity="9"/></joint>
  <joint name="two" type="revolute"><parent link="a"/><child link="b"/><origin xyz="0.5 0 0"/><axis xyz="0 1 0"/>
    <limit lower="-3" upper="3" effort="9" velocity="9"/><mimic joint="one" multiplier="-2" offset="0.3"/></joint>
</robot>
"""


def test_coupled_joints_follow_others() -> None:
    link = '<link name="{}"><inertial><origin xyz="0.2 0 0.05"/><mass value="{}"/>' + (
        '<inertia ixx="0.02" iyy="0.05" izz="0.05" ixy="0" ixz="0" iyz="0"/></inertial></link>'
    )
    robot = appell.Robot(MIMIC.format(links=link.format("a", 2.0) + link.format("b", 1.0)), "urdf")
    coupled = robot.coupled()
    assert robot.nv == 2 and coupled.nv == 1 and coupled.positions == ["one"]
    s = states.random(coupled, 6)
    G = np.array([[1.0], [-2.0]])  # velocities of both by the first
    q, v, a = s["q"] @ G.T + [0.0, 0.3], s["v"] @ G.T, s["a"] @ G.T
    assert close(coupled.inverse_dynamics(s["q"], s["v"], s["a"]), robot.inverse_dynamics(q, v, a) @ G)
    assert close(coupled.inertia_matrix(s["q"]), G.T @ robot.inertia_matrix(q) @ G)
    assert close(coupled.pose(s["q"]), robot.pose(q))
    assert pickle.loads(pickle.dumps(coupled)) == coupled


def test_robots_by_their_motors_keep_power() -> None:
    robot = states.data_file("geared-wrist.toml")
    by_motors = robot.by_motors()
    assert by_motors.nv == robot.nv
    s = states.random(by_motors, 6)
    tau = by_motors.inverse_dynamics(s["q"], s["v"], s["a"])
    power = (tau * s["v"]).sum(axis=1)
    step = 1e-5
    after, before = (
        by_motors.energy(s["q"] + s["v"] * t + 0.5 * s["a"] * t**2, s["v"] + s["a"] * t).sum(axis=1) for t in (step, -step)
    )
    friction = (by_motors.bias(s["q"], s["v"]) - by_motors.coriolis_vector(s["q"], s["v"]) - by_motors.gravity(s["q"])) * s["v"]
    assert close(power - friction.sum(axis=1), (after - before) / (2 * step), 1e-6)


def test_changes_add_up() -> None:
    robot = states.robot("two-link")
    both = robot.with_payload(1.0, [0.1, 0.0, 0.0]).with_gravity([0.0, 0.0, -1.0]).with_joint("short", viscous=1.0)
    other = robot.with_joint("short", viscous=1.0).with_gravity([0.0, 0.0, -1.0]).with_payload(1.0, [0.1, 0.0, 0.0])
    assert same(both, other, 1e-12)
    assert appell.Robot(both.to_text()) == both


def test_coupling_nothing_changes_nothing() -> None:
    robot = states.robot("puma560")
    assert same(robot.coupled(), robot)
    assert robot.coupled() == robot


# Docstrings


def documented() -> list[tuple[str, Any]]:
    """Everything public with a docstring: the module, its functions and classes, their methods and getters."""
    found: list[tuple[str, Any]] = [("appell", appell)]
    for name in appell.__all__:
        thing = getattr(appell, name)
        if not (inspect.isclass(thing) or callable(thing)):
            continue
        found.append((name, thing))
        if inspect.isclass(thing) and not issubclass(thing, BaseException):
            for cls in reversed(thing.__mro__[:-1]):
                found += [(f"{name}.{key}", value) for key, value in vars(cls).items() if not key.startswith("_")]
    return found


DOCUMENTED = documented()


@pytest.mark.parametrize("name", [name for name, thing in DOCUMENTED if ">>>" in (getattr(thing, "__doc__", None) or "")])
def test_examples_of_docstrings(name: str) -> None:
    doc = dict(DOCUMENTED)[name].__doc__
    test = doctest.DocTestParser().get_doctest(doc, {"appell": appell, "np": np}, name, None, 0)
    assert test.examples
    shown: list[str] = []
    failed, tried = doctest.DocTestRunner(verbose=False).run(test, out=shown.append)
    skipped = sum(doctest.SKIP in example.options for example in test.examples)  # pictures, and what needs a compiler
    assert tried + skipped == len(test.examples) and failed == 0, "".join(shown)


def test_everything_public_is_documented() -> None:
    plain = (str, int, float, list, dict, tuple, type(None))
    bare = [name for name, thing in DOCUMENTED if not isinstance(thing, plain) and not (getattr(thing, "__doc__", None) or "").strip()]
    assert bare == []


def test_everything_that_is_called_has_an_example() -> None:
    of_trajectory = [(name, getattr(appell.trajectory, name)) for name in appell.trajectory.__all__]
    called = [(name, thing) for name, thing in DOCUMENTED + of_trajectory if callable(thing) and not inspect.isdatadescriptor(thing)]
    errors = [name for name, thing in called if inspect.isclass(thing) and issubclass(thing, BaseException)]
    without = [name for name, thing in called if name not in errors and ">>>" not in (thing.__doc__ or "")]
    assert without == []
