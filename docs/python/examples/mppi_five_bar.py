#!/usr/bin/env python3
"""A five-bar linkage swings through its singularity: model predictive path integral control (MPPI) by rollouts.

Where the two distal links lie in one line, the drives hold nothing along the normal to it: no law that inverts the robot gets through. Here
torques are sampled about a plan, rolled out on a device, and averaged by what they cost; the first ones are applied, and all begins again.

    python docs/python/examples/mppi_five_bar.py [SAMPLES [DEVICE [PICTURE]]]
"""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np

import appell
from appell import rollouts

ROBOT = appell.load("five-bar")
START, GOAL = np.array([0.0, 0.40]), np.array([0.0, 0.05])
MOST = 6.0  # N m
DT, HORIZON, APPLIED = 4e-3, 75, 5  # s, steps
TEMPERATURE = 0.005


def pose_at(point: Any) -> Any:
    """The pose of the tool, which does not turn."""
    return np.array([*point, 0.0, 0.0, 0.0, 0.0, 1.0])


def side(point: Any) -> float:
    """On which side of the singularity it is: the cross product of the unit vectors along the distal links."""
    frames = dict(zip(ROBOT.frame_names, ROBOT.frames(pose_at(point))))
    left, right = (np.asarray(point) - frames[f"{arm}.elbow"][:2, 3] for arm in ("left", "right"))
    return float((left[0] * right[1] - left[1] * right[0]) / np.linalg.norm(left) / np.linalg.norm(right))


def running(moment: rollouts.Moment) -> Any:
    return 20.0 * sum((moment.pose[:2] - moment["goal"]) ** 2) + 0.05 * sum(moment.r**2) + 1e-3 * sum(moment.tau**2)


def terminal(moment: rollouts.Moment) -> Any:
    return 20.0 * sum((moment.pose[:2] - moment["goal"]) ** 2) + 0.5 * sum(moment.r**2)


def noise(rng: Any, count: int) -> Any:
    """Torques that change smoothly, (count, HORIZON, 2); the first sample is the plan itself."""
    knots = rng.normal(0.0, 0.15 * MOST, (count, HORIZON // 15 + 1, 2))
    at = np.linspace(0.0, knots.shape[1] - 1.0, HORIZON)
    before = np.minimum(at.astype(int), knots.shape[1] - 2)
    share = (at - before)[:, None]
    sampled = (1 - share) * knots[:, before] + share * knots[:, before + 1]
    sampled[0] = 0.0
    return sampled


def controlled(count: int, device: str, duration: float = 1.6) -> Any:
    """The way of the tool, a row per step: t, x, y, on which side it is, the two torques."""
    rng = np.random.default_rng(4)
    price = rollouts.cost(running, terminal, shared={"goal": GOAL})
    plan = np.zeros((HORIZON, 2))
    pose, r = pose_at(START), np.zeros(2)
    rows, t = [], 0.0
    while t < duration:
        sampled = np.clip(plan + noise(rng, count), -MOST, MOST)
        found = ROBOT.rollout(pose, r, rollouts.open_torques(sampled), HORIZON, DT, cost=price, device=device)
        assert found.cost is not None
        costs = np.where(np.isfinite(found.cost), found.cost, np.inf)  # who leaves the workspace has none
        weights = np.exp((costs.min() - costs) / TEMPERATURE)
        plan = np.einsum("k,kst->st", weights / weights.sum(), sampled)
        done = ROBOT.rollout(pose, r, rollouts.open_torques(plan[:APPLIED]), APPLIED, DT, stored="positions", device=device)
        assert done.positions is not None and done.violation is not None and done.violation < 1e-9
        rows += [(t + time, *row[:2], side(row[:2]), *tau) for time, row, tau in zip(done.t, done.positions, plan)]
        pose, r, t = done.q, done.v, t + APPLIED * DT
        plan = np.concatenate([plan[APPLIED:], np.repeat(plan[-1:], APPLIED, axis=0)])
    return np.array(rows)


def picture(way: Any) -> Any:
    """The way of the tool, and how near it is to the singularity."""
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
    left.plot(way[:, 1], way[:, 2])
    left.plot(*START, "o", *GOAL, "x")
    left.set(xlabel="x, m", ylabel="y, m", aspect="equal")
    right.plot(way[:, 0], way[:, 3], label="sine between the distal links")
    right.plot(way[:, 0], way[:, 4:] / MOST, lw=0.8, label=["torque / limit, left", "right"])
    right.axhline(0.0, color="grey", lw=0.5)
    right.set(xlabel="t, s")
    right.legend(fontsize="small")
    return figure


def main(count: int = 512, device: str = "cpu", path: str = "") -> None:
    """Swings, tells when it passed the singularity and where it came to, and checks both."""
    begun = time.perf_counter()
    way = controlled(count, device)
    passed = np.flatnonzero(np.diff(np.sign(way[:, 3])))
    left_over = np.linalg.norm(way[-100:, 1:3] - GOAL, axis=1).max()
    print(f"{count} samples of {HORIZON} steps, {len(way) // APPLIED} times on {device}: {time.perf_counter() - begun:.2f} s")
    print(f"passed the singularity after {way[passed[0], 0]:.3f} s; in the last 0.4 s at most {1e3 * left_over:.1f} mm from the goal")
    assert side(START) > 0.5 and side(GOAL) < -0.5 and len(passed) == 1
    assert left_over < 0.04 and np.abs(way[:, 4:]).max() <= MOST
    if path:
        picture(way).savefig(path, dpi=150)


if __name__ == "__main__":
    given = sys.argv[1:]
    main(int(given[0]) if given else 512, *given[1:])
