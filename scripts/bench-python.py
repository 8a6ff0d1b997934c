#!/usr/bin/env python3
"""appell from Python beside Pinocchio and MJX from Python: the goals of the package, measured.

    make bench-python                        prints the table
    scripts/bench-python --write             also puts it into docs/benchmarks.md, between its markers

Needs appell, pin and example-robot-data; jax and mujoco-mjx where they are installed. Every figure is the minimum of repeated runs
of one process, in which the two sides of a comparison take turns, so that a busy moment of the machine falls on both. Both sides
read the same file and the same states, and must agree before they are measured.
"""

from __future__ import annotations

import argparse
import datetime
import importlib.metadata
import importlib.util
import os
import pathlib
import platform
import re
import subprocess
import sys
import tempfile
import time
import warnings
import xml.etree.ElementTree
from typing import Any, Callable, Optional

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "benchmarks.md"
BEGIN, END = "<!-- bench-python: begin -->", "<!-- bench-python: end -->"
STATES = 100_000
MJX_STATES = 1_000  # it takes a hundred times as long and more, and no less per state of a larger batch
TOLERANCE = 1e-10

Row = tuple[str, str, str, float, Optional[float]]


def minima(calls: dict[str, Callable[[], Any]], repeats: int, inner: int = 1) -> dict[str, float]:
    """Seconds per call of each, the least of the repeats, in which all take turns."""
    best = dict.fromkeys(calls, float("inf"))
    for call in calls.values():
        call()
    for _ in range(repeats):
        for name, call in calls.items():
            start = time.perf_counter()
            for _ in range(inner):
                call()
            best[name] = min(best[name], (time.perf_counter() - start) / inner)
    return best


def shown(seconds: float) -> str:
    """A time in the unit that suits it."""
    for unit, size in ("ns", 1e-9), ("µs", 1e-6), ("ms", 1e-3):
        if seconds < 1000 * size:
            return f"{seconds / size:.3g} {unit}" if seconds < 100 * size else f"{seconds / size:.0f} {unit}"
    return f"{seconds:.3g} s"


def bare(path: pathlib.Path) -> str:
    """A URDF without meshes, which nobody needs for dynamics."""
    robot = xml.etree.ElementTree.parse(path).getroot()
    for link in robot.iter("link"):
        for part in [part for part in link if part.tag in ("visual", "collision")]:
            link.remove(part)
    return xml.etree.ElementTree.tostring(robot, encoding="unicode")


def panda_urdf() -> pathlib.Path:
    """Panda's file of example-robot-data."""
    for folder in sys.path:
        data = pathlib.Path(folder) / "cmeel.prefix" / "share" / "example-robot-data"
        file = data / "robots" / "panda_description" / "urdf" / "panda.urdf"
        if file.exists():
            return file
    raise SystemExit("example-robot-data is not installed: pip install example-robot-data")


class Arm:
    """One file, read by both sides, with states that both can take."""

    def __init__(self, name: str, path: pathlib.Path, count: int) -> None:
        import appell
        import pinocchio as pin

        self.name, self.text = name, bare(path)
        self.robot = appell.Robot(self.text, "urdf", name)
        self.model = pin.buildModelFromXML(self.text)
        self.data = self.model.createData()
        if list(self.model.names)[1:] != self.robot.positions or self.model.nq != self.robot.nq:
            raise SystemExit(f"{name}: the two sides have other joints")
        rng = np.random.default_rng(1)
        self.q, self.v, self.a = (rng.uniform(-1.0, 1.0, (count, self.robot.nv)) for _ in range(3))
        ours = self.robot.inverse_dynamics(self.q[:20], self.v[:20], self.a[:20])
        theirs = np.stack([pin.rnea(self.model, self.data, q, v, a) for q, v, a in zip(self.q[:20], self.v[:20], self.a[:20])])
        # Pinocchio keeps friction of a file and does not apply it.
        plain = ours - self.friction(self.v[:20])
        if np.abs(plain - theirs).max() > TOLERANCE * np.abs(theirs).max():
            raise SystemExit(f"{name}: the two sides differ by {np.abs(plain - theirs).max():g}")

    def friction(self, v: Any) -> Any:
        """Forces of friction alone."""
        q = np.zeros((len(v), self.robot.nq))
        robot = self.robot
        return robot.bias(q, v) - robot.coriolis_vector(q, v) - robot.gravity(q)


def one_call(arm: Arm, repeats: int) -> list[Row]:
    """One state from Python, plainly and prepared."""
    import pinocchio as pin

    robot, model, data = arm.robot, arm.model, arm.data
    q, v, a = arm.q[0].copy(), arm.v[0].copy(), arm.a[0].copy()
    solve = robot.solver("inverse-dynamics")
    solve.q[:], solve.v[:], solve.a[:] = q, v, a
    rnea, inverse_dynamics, out = pin.rnea, robot.inverse_dynamics, np.zeros(robot.nv)

    def prepared() -> None:
        solve.q[:] = q
        solve()

    best = minima(
        {
            "rnea": lambda: rnea(model, data, q, v, a),
            "call": lambda: inverse_dynamics(q, v, a),
            "out": lambda: inverse_dynamics(q, v, a, out=out),
            "solver": solve,
            "filled": prepared,
            "nothing": lambda: None,
        },
        repeats,
        2000,
    )
    # A lambda around each but the solver: what an empty one takes is taken off all that have one.
    empty = best["nothing"]
    theirs = best["rnea"] - empty
    peer = f"`pin.rnea` {shown(theirs)}"
    return [
        (f"one call, {arm.name}", shown(best["call"] - empty), peer, theirs / (best["call"] - empty), 1.8),
        (f"one call with `out=`, {arm.name}", shown(best["out"] - empty), peer, theirs / (best["out"] - empty), None),
        (f"prepared object, {arm.name}", shown(best["solver"]), peer, theirs / best["solver"], 5.0),
        (f"prepared object, `q` filled, {arm.name}", shown(best["filled"]), peer, theirs / best["filled"], None),
    ]


def batch(arm: Arm, repeats: int) -> list[Row]:
    """Many states, on one thread and on all cores."""
    import pinocchio as pin

    robot, model, data = arm.robot, arm.model, arm.data
    cores = os.cpu_count() or 1
    q, v, a = arm.q, arm.v, arm.a
    columns = [np.asfortranarray(x.T) for x in (q, v, a)]  # as Pinocchio wants them: a column per state
    turned = [np.asfortranarray(x) for x in (q, v, a)]
    pool, out, theirs_out = pin.ModelPool(model, cores), np.zeros_like(q), np.zeros((model.nv, len(q)), order="F")

    def loop() -> None:
        rnea = pin.rnea
        for k in range(len(q)):
            rnea(model, data, q[k], v[k], a[k])

    # The threads of Pinocchio's pool go on turning for a while when they are done: what comes after it is the loop, which is long.
    best = minima(
        {
            "one": lambda: robot.inverse_dynamics(q, v, a, threads=1),
            "one turned": lambda: robot.inverse_dynamics(*turned, threads=1),
            "all": lambda: robot.inverse_dynamics(q, v, a),
            "all out": lambda: robot.inverse_dynamics(q, v, a, out=out),
            "parallel": lambda: pin.rneaInParallel(cores, pool, *columns, theirs_out),
            "loop": loop,
        },
        repeats,
    )
    each = {name: seconds / len(q) for name, seconds in best.items()}
    of_loop = f"`pin.rnea` in a loop {shown(each['loop'])}"
    of_pool = f"`pin.rneaInParallel`, {cores} threads, {shown(each['parallel'])}"
    many = f"{len(q):.0e} states".replace("1e+05", "10⁵")
    return [
        (f"{many}, one thread, {arm.name}", shown(each["one"]), of_loop, each["loop"] / each["one"], 25.0),
        (f"{many}, one thread, Fortran's order, {arm.name}", shown(each["one turned"]), of_loop, each["loop"] / each["one turned"], None),
        (f"{many}, all cores, {arm.name}", shown(each["all"]), of_pool, each["parallel"] / each["all"], 8.0),
        (f"{many}, all cores, `out=`, {arm.name}", shown(each["all out"]), of_pool, each["parallel"] / each["all out"], None),
    ]


def mjx(arm: Arm, repeats: int) -> list[Row]:
    """The same of MuJoCo on JAX, on this CPU: positions, velocities and the recursive Newton-Euler pass alone, jitted."""
    if not all(importlib.util.find_spec(name) for name in ("jax", "mujoco")):
        print("no row for MJX: jax and mujoco-mjx are not installed", file=sys.stderr)
        return []
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import jax
            import mujoco
            import mujoco.mjx
            from mujoco.mjx._src import smooth
    except ImportError as error:
        print(f"no row for MJX: {error}", file=sys.stderr)
        return []
    model = mujoco.MjModel.from_xml_string(arm.text)
    placed, blank = mujoco.mjx.put_model(model), mujoco.mjx.make_data(model)

    def one(q: Any, v: Any, a: Any) -> Any:
        data = blank.replace(qpos=q, qvel=v, qacc=a)
        for step in smooth.kinematics, smooth.com_pos, smooth.com_vel:
            data = step(placed, data)
        return smooth.rne(placed, data, flg_acc=True).qfrc_bias

    many = jax.jit(jax.vmap(one))
    robot, few = arm.robot, [x[:MJX_STATES] for x in (arm.q, arm.v, arm.a)]
    given = [jax.numpy.asarray(x) for x in few]
    theirs = np.asarray(many(*given))
    ours = robot.inverse_dynamics(*few) - arm.friction(few[1])
    gap = np.abs(ours - theirs).max() / np.abs(ours).max()
    if gap > 1e-4:
        raise SystemExit(f"MJX differs by {gap:g}, which single precision does not explain")
    best = minima(
        {
            "mjx": lambda: many(*given).block_until_ready(),
            "all": lambda: robot.inverse_dynamics(arm.q, arm.v, arm.a),
        },
        min(repeats, 4),
    )
    each = {"mjx": best["mjx"] / MJX_STATES, "all": best["all"] / len(arm.q)}
    peer = f"MJX, `vmap` of {MJX_STATES} states, jitted, float32, {shown(each['mjx'])}"
    return [(f"10⁵ states, all cores, {arm.name}", shown(each["all"]), peer, each["mjx"] / each["all"], 3.0)]


def imports(repeats: int) -> list[Row]:
    """Time to import, and with NumPy, which appell imports with the first array and Pinocchio at once."""
    programs = {"appell": "import appell", "with numpy": "import appell, numpy", "pinocchio": "import pinocchio"}
    best = dict.fromkeys(programs, float("inf"))
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(repeats):
            for name, program in programs.items():
                code = f"import time; t = time.perf_counter(); {program}; print(time.perf_counter() - t)"
                done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=folder)
                best[name] = min(best[name], float(done.stdout))
    theirs = best["pinocchio"]
    rows: list[tuple[str, float, Optional[float]]] = [("`import appell`", best["appell"], 3.0), ("`import appell, numpy`", best["with numpy"], None)]
    return [(what, shown(ours), f"`import pinocchio`, with NumPy {shown(theirs)}", theirs / ours, goal) for what, ours, goal in rows]


def wheel(path: Optional[pathlib.Path]) -> list[str]:
    """A line about the size of the wheel."""
    found = [path] if path else sorted((ROOT / "target" / "wheels").glob("appell-*.whl"), key=os.path.getmtime)
    if not found or not found[-1].exists():
        return ["- wheel: none was found; `make wheel` builds one"]
    size = found[-1].stat().st_size / 1e6
    return [f"- wheel: {size:.1f} MB; the goal is under 15 MB, which is {'reached' if size < 15 else 'missed'}"]


def processor() -> str:
    """What the machine calls itself."""
    try:
        found = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
        name = found.group(1) if found else platform.processor()
    except OSError:
        name = platform.processor()
    return f"{name}, {os.cpu_count()} cores"


def versions() -> str:
    """Of everything that is compared."""
    found = []
    for name in "appell", "numpy", "pin", "mujoco-mjx", "jax":
        try:
            found.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            continue
    return "; ".join([f"Python {platform.python_version()}", *found])


def table(rows: list[Row], notes: list[str]) -> str:
    """The section of the page."""
    lines = [
        "## From Python",
        "",
        "Inverse dynamics as Python calls it, beside others as Python calls them. Minima of runs that take turns in one process; of "
        "batches the time of a state. Written by `make bench-python`.",
        "",
        f"- date: {datetime.date.today().isoformat()}; processor: {processor()}",
        f"- {versions()}",
        *notes,
        "",
        "| what | appell | peer | ratio | goal |  |",
        "|---|---:|---|---:|---:|---|",
    ]
    for what, ours, peer, ratio, goal in rows:
        of_goal = ["", ""] if goal is None else [f"{goal:g}×", "reached" if ratio >= goal else "missed"]
        lines.append(f"| {what} | {ours} | {peer} | {ratio:.2f}× | {of_goal[0]} | {of_goal[1]} |")
    return "\n".join(lines) + "\n"


def put(section: str, page: pathlib.Path) -> None:
    """Puts the section between its markers, at the end of the page if there are none."""
    text = page.read_text(encoding="utf-8") if page.exists() else ""
    marked = f"{BEGIN}\n{section}{END}\n"
    if BEGIN in text and END in text:
        text = text[: text.index(BEGIN)] + marked + text[text.index(END) + len(END) :].lstrip("\n")
    else:
        text = text.rstrip("\n") + "\n\n" + marked
    page.write_text(text, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="put the table into docs/benchmarks.md")
    parser.add_argument("--page", type=pathlib.Path, default=PAGE, help="the page that --write changes")
    parser.add_argument("--wheel", type=pathlib.Path, help="the wheel whose size is shown; else the newest of target/wheels")
    parser.add_argument("--quick", action="store_true", help="few repeats, to see that it runs")
    parser.add_argument("--without-mjx", action="store_true", help="leave MJX out, which takes minutes")
    arguments = parser.parse_args()
    for name in "appell", "pinocchio":
        if importlib.util.find_spec(name) is None:
            raise SystemExit(f"{name} is not installed in {sys.executable}")
    single, many, starts = (5, 2, 2) if arguments.quick else (60, 9, 15)
    arms = [Arm("PUMA 560", ROOT / "tests" / "data" / "urdf" / "puma560.urdf", STATES), Arm("Panda", panda_urdf(), STATES)]
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
    rows = imports(starts)
    for arm in arms:
        rows += one_call(arm, single)
    for arm in arms:
        rows += batch(arm, many)
    for arm in arms[: 0 if arguments.without_mjx else 1]:
        rows += mjx(arm, many)
    rows = rows[2:] + rows[:2]
    section = table(rows, [*wheel(arguments.wheel), f"- one minute's load of the machine before the runs: {load:.2f}"])
    print(section)
    if arguments.write:
        put(section, arguments.page)


if __name__ == "__main__":
    main()
