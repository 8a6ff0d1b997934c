"""Robots in several processes and threads, and whether memory comes back.

APPELL_LEAK=1000000 sets how many calls are made in search of a leak.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path
from typing import Any, Callable

import numpy as np
import pytest

import appell
import states
from states import close, run

LEAK = int(os.environ.get("APPELL_LEAK", "100000"))


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
        import numpy as np, appell, test_processes
        if __name__ == "__main__":
            robots = [appell.load(name) for name in ("puma560", "delta")]
            work = [(robot, robot.home_positions + 0.01 * np.random.default_rng(1).uniform(-1, 1, (3000, robot.nq))) for robot in robots]
            parents = [test_processes.tau_of(one) for one in work]  # the parent's threads run before the fork
            with multiprocessing.get_context({start!r}).Pool(2) as pool:
                children = pool.map_async(test_processes.tau_of, work).get(timeout=40)
            assert all((a == b).all() for a, b in zip(parents, children))
            assert all((a == test_processes.tau_of(one)).all() for a, one in zip(parents, work))
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
    # What says no is the compiled module, as NumPy would: it loads once per process.
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
