"""Optimal designs by NSGA-II and CMA-ES."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any, Mapping

import appell
import numpy as np
import pytest
from appell import studies

pytest.importorskip("pymoo", reason="make test-cluster")
pytest.importorskip("cma", reason="make test-cluster")

# The packages warn of their own future.
pytestmark = pytest.mark.filterwarnings("ignore")

TEXT = appell.load("gough-stewart")._source["text"]


def pendulum(numbers: Mapping[str, float]) -> appell.Robot:
    """A rod with a weight, whose length may be none."""
    length = numbers["length"]
    if length > 0.9:
        raise appell.RobotError("too long")
    inertia = (0.01, 0.1 + length, 0.1 + length)
    return appell.Builder(gravity=(0, -9.81, 0)).joint("hip", mass=numbers["mass"], com=(length, 0, 0), inertia=inertia).build()


def torque(robot: appell.Robot) -> float:
    return abs(float(robot.gravity([0.0])[0]) - 10.0)


def mass(robot: appell.Robot) -> float:
    return robot.mass


def at_least_a_kilogram(robot: appell.Robot) -> float:
    return 1.0 - robot.mass


BOUNDS = {"length": (0.1, 1.0), "mass": (0.5, 5.0)}


@pytest.mark.parametrize("method", ["cma-es", "nsga2"])
def test_one_objective(method: str) -> None:
    found = studies.design(
        pendulum, BOUNDS, {"torque": torque}, constraints={"light": at_least_a_kilogram}, method=method, population=16, generations=25
    )
    (best,) = found.best
    numbers = found.numbers(best)
    assert found.swept["torque"][best] < 0.2 and numbers["mass"] >= 1.0 and numbers["length"] <= 0.9
    assert numbers["mass"] * 9.81 * numbers["length"] == pytest.approx(10.0, abs=0.2)
    assert found.robot_of(best).mass == numbers["mass"]
    assert not found.swept["is_robot"].all() and not found.feasible[~found.swept["is_robot"]].any()


def test_two_objectives_have_a_front() -> None:
    found = studies.design(pendulum, BOUNDS, {"weight": mass, "torque": torque}, population=24, generations=20)
    front = np.column_stack([found.swept[name][found.best] for name in ("weight", "torque")])
    assert len(front) > 5 and (np.diff(front[:, 0]) >= 0).all() and (np.diff(front[:, 1]) <= 0).all()
    # 10 N m at a lever of 0.9 m need 1.13 kg; less mass, less torque.
    assert front[-1, 1] < 0.5 and front[0, 0] < 0.55


def test_a_design_goes_on_from_its_folder(tmp_path: Path) -> None:
    options: Any = {"population": 8, "generations": 5, "folder": tmp_path / "a", "seed": 3}
    whole = studies.design(pendulum, BOUNDS, {"torque": torque}, **options)
    parts = sorted((tmp_path / "a").rglob("*.parquet"))
    assert len(parts) == 40
    for part in parts[20:]:
        part.unlink()
    again = studies.design(pendulum, BOUNDS, {"torque": torque}, **options)
    assert all(whole.swept[name].tobytes() == again.swept[name].tobytes() for name in whole.swept.names)


def stewart(numbers: Mapping[str, float]) -> appell.Robot:
    """The platform's joints turned about its axis: at 90° from home the drives would hold nothing."""
    c, s = math.cos(numbers["turn"]), math.sin(numbers["turn"])

    def turned(match: re.Match[str]) -> str:
        x, y, z = (float(number) for number in match.group(1).split(","))
        return f"platform = {{ xyz = [{c * x - s * y!r}, {s * x + c * y!r}, {z!r}]"

    return appell.Robot(re.sub(r"platform = \{ xyz = \[([^\]]*)\]", turned, TEXT), "toml", "turned")


def test_designs_without_singularities_are_proved() -> None:
    found = studies.design(
        stewart, {"turn": (0.0, 1.5)}, {"turned": turned_most}, without_singularity={"yaw": (-0.5, 0.5)}, population=8, generations=6
    )
    (best,) = found.best
    # Home at `turn`, and half a radian more, is before the quarter turn.
    turn = found.numbers(best)["turn"]
    assert 0.9 < turn < np.pi / 2 - 0.5
    assert studies.certificate(found.robot_of(best), {"yaw": (-0.5, 0.5)}).holds
    assert (found.swept["singular"][found.swept["turn"] > np.pi / 2 - 0.49] > 0).all()


def turned_most(robot: appell.Robot) -> float:
    return -float(robot.home_positions.mean())
