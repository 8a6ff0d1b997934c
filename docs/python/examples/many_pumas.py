#!/usr/bin/env python3
"""How well computed torque tracks when nobody knows the masses: PUMAs whose bodies are all off by up to 10 %.

    python docs/python/examples/many_pumas.py [ROBOTS [DEVICE [PICTURE]]]
"""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np

import appell
from appell import rollouts

GOAL = np.array([0.8, -0.6, 0.7, 0.3, 0.5, -0.4])
KP, KD = 100.0, 20.0
DURATION, DT = 0.8, 1e-3


def tracked(count: int, device: str) -> tuple[appell.Rollouts, Any]:
    """Robots that go to the goal in half a second, and the error of every joint at the times that were stored, (N, rows, 6)."""
    puma = appell.load("puma560")
    masses = [puma.parameter_values[puma.parameters.index(f"{joint}.m")] for joint in puma.drives]
    factors = np.random.default_rng(1).uniform(0.9, 1.1, (6, count))
    factors[:, 0] = 1.0  # the first is as the law believes
    varied = {f"m{k + 1}": mass * factor for k, (mass, factor) in enumerate(zip(masses, factors))}
    reference = rollouts.passage(np.zeros(6), GOAL, time=0.5)
    law = rollouts.computed_torque(KP, KD, reference)
    steps = round(DURATION / DT)
    found = puma.rollout(np.zeros(6), None, law, steps, DT, varied=varied, device=device, stored="positions", stride=steps // 8)
    s = np.minimum(found.t / 0.5, 1.0)[:, None]
    assert found.positions is not None
    return found, found.positions - GOAL * s**3 * (10 - 15 * s + 6 * s**2)


def picture(found: appell.Rollouts, errors: Any) -> Any:
    """Shares of robots by their largest error, for every joint; and how the errors of the shoulder spread over time."""
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.2), layout="constrained")
    worst = 1e3 * np.abs(errors).max(axis=1)
    for joint, name in enumerate(appell.load("puma560").drives[:3]):
        left.hist(worst[:, joint], bins=40, histtype="step", density=True, label=name)
    left.set(xlabel="largest error on the way, mrad", ylabel="share of robots per mrad")
    left.legend(fontsize="small")
    levels = np.percentile(1e3 * errors[..., 1], [1, 25, 50, 75, 99], axis=0)
    right.fill_between(found.t, levels[0], levels[4], alpha=0.2, label="98 % of robots")
    right.fill_between(found.t, levels[1], levels[3], alpha=0.4, label="half of them")
    right.plot(found.t, levels[2], label="median")
    right.set(xlabel="t, s", ylabel="error of the shoulder, mrad")
    right.legend(fontsize="small", loc="lower left")
    return figure


def main(count: int = 2000, device: str = "cpu", path: str = "") -> None:
    """Tells the distribution of errors, and checks it."""
    begun = time.perf_counter()
    found, errors = tracked(count, device)
    print(f"{count} PUMAs, {found.steps} steps on {device}: {time.perf_counter() - begun:.2f} s, compiler included")
    for joint, name in enumerate(appell.load("puma560").drives):
        median, most = np.percentile(1e3 * np.abs(errors[..., joint]).max(axis=1), [50, 99])
        print(f"{name:12} largest error {median:7.3f} mrad of the median robot, {most:7.3f} mrad of the last but 1 %")
    # Who is as the law believes, follows to the scheme's error; gravity that is not known stands over kp, as an error that stays.
    assert found.astray is None
    assert np.abs(errors[0]).max() < 1e-6
    spread = np.abs(errors[1:]).max(axis=(1, 2))
    assert 1e-4 < np.median(spread) < spread.max() < 0.1
    if path:
        picture(found, errors).savefig(path, dpi=150)


if __name__ == "__main__":
    given = sys.argv[1:]
    main(int(given[0]) if given else 2000, *given[1:])
