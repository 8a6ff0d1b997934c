"""Robots as objects of Python: copied, pickled, compared, with parts by name."""

from __future__ import annotations

import copy
import inspect
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import appell
import states
from states import DATA, LOADED, NAMES, close, same


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
