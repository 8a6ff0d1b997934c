"""What a sweep costs beside the function it calls; run by scripts/bench-sweep. Each figure is the best of three."""

from __future__ import annotations

import argparse
import platform
import tempfile
import time
from pathlib import Path
from typing import Any, Callable

import appell
import numpy as np
from appell._backends import cores
from appell._sweep import MOST

SIX = {f"q{k}": (-1.0, 1.0) for k in range(6)}


def torques(chunk: dict[str, Any], robot: appell.Robot) -> dict[str, Any]:
    """Inverse dynamics of an arm at rest, accelerating."""
    q = np.column_stack([chunk[f"q{k}"] for k in range(6)])
    return {"tau": robot.inverse_dynamics(q, q, q, threads=1)}


def forces(chunk: dict[str, Any], robot: appell.Robot) -> dict[str, Any]:
    """Forces of a platform's legs."""
    pose = np.tile(robot.home_numbers, (len(chunk["q0"]), 1))
    pose[:, :3] += 0.1 * np.column_stack([chunk[f"q{k}"] for k in range(3)])
    return {"tau": robot.inverse_dynamics(pose, threads=1)}


def nothing(chunk: dict[str, Any]) -> dict[str, Any]:
    """The points alone."""
    return {"zero": np.zeros(len(chunk["q0"]))}


def largest(columns: dict[str, Any]) -> dict[str, Any]:
    """What is left over of a chunk."""
    return {"largest": np.abs(columns["tau"]).max(axis=0)[None]}


def best(work: Callable[[], Any]) -> float:
    """Seconds."""
    times = []
    for _ in range(3):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--states", type=int, default=1 << 20, help="states of a sweep")
    states = parser.parse_args().states
    puma, stewart = appell.load("puma560"), appell.load("gough-stewart")
    space = appell.Sobol(SIX, states)
    print(f"{platform.processor() or platform.machine()}, {cores()} cores; {states} states, chunks of {MOST['chunk']}")

    def say(what: str, seconds: float, count: int = states, unit: str = "state") -> None:
        print(f"{what:58} {seconds / count * 1e9:12.1f} ns a {unit} {count / seconds:14.4g} /s")

    for name, made in (("grid", appell.Grid(SIX, round(states ** (1 / 6)))), ("Sobol", space), ("Latin hypercube", appell.LatinHypercube(SIX, states))):
        say(f"points of six dimensions, {name}, one worker", best(lambda: appell.sweep(nothing, made, keep=(), workers=1)), len(made))
    for name, function, robot in (("PUMA, inverse dynamics", torques, puma), ("Gough-Stewart, inverse dynamics", forces, stewart)):
        for workers in sorted({1, cores()}):
            say(f"{name}, in memory, {workers} workers", best(lambda: appell.sweep(function, space, given={"robot": robot}, keep=(), workers=workers)))
    given = {"robot": puma}
    with tempfile.TemporaryDirectory() as folder:
        number = iter(range(1000))

        def stored(**options: Any) -> appell.Swept:
            return appell.sweep(torques, space, given=given, folder=Path(folder) / str(next(number)), **options)

        say("PUMA, to Parquet with its points, all workers", best(lambda: stored()))
        say("PUMA, to Parquet without, all workers", best(lambda: stored(keep=())))
        say("PUMA, reduced to one row a chunk, all workers", best(lambda: stored(keep=(), reduce=largest)))
        for index, what in ((0, "with its points"), (3, "without points")):
            size = sum(path.stat().st_size for path in (Path(folder) / str(index) / "parts").iterdir())
            print(f"{'Parquet, ' + what:58} {size / states:12.1f} bytes a state")
    chunks = 2000
    small = appell.Sobol({"q0": (0, 1)}, chunks)
    say("a chunk of nothing, local", best(lambda: appell.sweep(nothing, small, chunk=1)), chunks, "chunk")
    import ray

    ray.init(num_cpus=cores(), log_to_driver=False, object_store_memory=400 << 20, include_dashboard=False)
    say("a chunk of nothing, ray", best(lambda: appell.sweep(nothing, small, "ray", chunk=1)), chunks, "chunk")
    say("PUMA, ray, through the driver", best(lambda: appell.sweep(torques, space, "ray", given=given, keep=())))
    say("PUMA, ray, reduced to one row a chunk", best(lambda: appell.sweep(torques, space, "ray", given=given, keep=(), reduce=largest)))
    ray.shutdown()


if __name__ == "__main__":
    main()
