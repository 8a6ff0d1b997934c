"""Robots written to files, and read from them."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

import appell
import states
from states import DATA, LOADED, NAMES, close, same


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
