"""Inverse kinematics, refereed by forward kinematics."""

from __future__ import annotations

import appell
import numpy as np
import pytest


def test_a_pose_of_an_arm_and_back():
    robot = appell.load("puma560")
    rng = np.random.default_rng(3)
    q = rng.uniform(-1, 1, (20, 6))
    poses = robot.pose(q)
    found = robot.inverse_kinematics(poses, start=q + 0.05)
    assert found.shape == (20, 6)
    np.testing.assert_allclose(robot.pose(found), poses, atol=1e-11)
    np.testing.assert_allclose(found, q, atol=1e-8)  # the nearest configuration
    one = robot.inverse_kinematics(poses[0])
    assert one.shape == (6,)
    np.testing.assert_allclose(robot.pose(one), poses[0], atol=1e-11)


def test_forms_of_a_pose_and_positions_alone():
    robot = appell.load("puma560")
    q = np.array([0.3, -1.0, 0.2, 0.4, 1.0, 0.1])
    pose = robot.pose(q)
    by_tuple = robot.inverse_kinematics((pose[:3, 3], pose[:3, :3]), start=q + 0.1)
    np.testing.assert_allclose(by_tuple, q, atol=1e-9)
    anyhow = robot.inverse_kinematics(pose[:3, 3], start=q)
    np.testing.assert_allclose(robot.pose(anyhow)[:3, 3], pose[:3, 3], atol=1e-11)
    many = robot.inverse_kinematics(np.stack([pose[:3, 3], pose[:3, 3] + 0.01]), start=q)
    np.testing.assert_allclose(robot.pose(many)[1, :3, 3], pose[:3, 3] + 0.01, atol=1e-11)


def test_another_frame():
    robot = appell.load("puma560")
    q = np.array([0.3, -1.0, 0.2, 0.4, 1.0, 0.1])
    frame = robot.frame_names[2]
    goal = robot.pose(q, frame)[:3, 3]
    found = robot.inverse_kinematics(goal, frame=frame, start=q * 0.9)
    np.testing.assert_allclose(robot.pose(found, frame)[:3, 3], goal, atol=1e-11)
    with pytest.raises(appell.QuestionError, match="no frame `nose`; frames are"):
        robot.inverse_kinematics(goal, frame="nose")


def test_all_eight_of_a_puma():
    robot = appell.load("puma560")
    q = np.array([0.3, -1.0, 0.2, 0.4, 1.0, 0.1])
    pose = robot.pose(q)
    found = robot.inverse_kinematics(pose, all=True)
    assert found.shape == (8, 6)
    np.testing.assert_allclose(robot.pose(found), np.tile(pose, (8, 1, 1)), atol=1e-10)
    apart = np.abs(np.angle(np.exp(1j * (found[:, None] - found[None])))).max(axis=2)
    assert (apart + np.eye(8) > 1e-3).all()  # eight different ones
    assert np.abs(np.angle(np.exp(1j * (found - q)))).max(axis=1).min() < 1e-9  # one of which we came from
    both = robot.inverse_kinematics(np.stack([pose, pose]), all=True)
    assert len(both) == 2 and (both[1] == found).all()
    with pytest.raises(appell.QuestionError, match="leave it out"):
        appell.load("scara").inverse_kinematics(np.eye(4), all=True)


def test_out_of_reach_says_how_far():
    robot = appell.load("puma560")
    pose = np.eye(4)
    pose[:3, 3] = [5.0, 0, 0]
    with pytest.raises(appell.StateError, match="does not reach the goal"):
        robot.inverse_kinematics(pose, restarts=3)
    with pytest.raises(appell.StateError, match="too far"):
        robot.inverse_kinematics(pose, all=True)
    with pytest.raises(appell.StateError, match="pose 1: "):
        robot.inverse_kinematics(np.stack([robot.pose(np.full(6, 0.3)), pose]), restarts=3)
    with pytest.raises(appell.ShapeError, match="`start` has shape"):
        robot.inverse_kinematics(pose, start=[0.0, 1.0])
    with pytest.raises(appell.NumberError):
        robot.inverse_kinematics([np.nan, 0, 0])


@pytest.mark.parametrize("name", ["delta", "gough-stewart", "3-rps"])
def test_drives_of_a_platform_and_back(name):
    robot = appell.load(name)
    poses = np.repeat(robot.home[None], 5, axis=0)
    poses[:, 2, 3] += np.linspace(-0.02, 0.02, 5)
    drives = robot.inverse_kinematics(poses)
    assert drives.shape == (5, robot.nq)
    np.testing.assert_allclose(robot.inverse_kinematics(robot.home), robot.home_positions, atol=1e-9)
    back = robot.pose(drives)
    np.testing.assert_allclose(back, poses, atol=1e-8)
    if name != "gough-stewart":  # thousands of modes
        assert robot.inverse_kinematics(robot.home, all=True).shape[1] == robot.nq
    if name == "delta":
        with pytest.raises(appell.StateError, match="pose 1: leg `.*` cannot reach"):
            robot.inverse_kinematics(np.stack([robot.home, robot.home + 50 * np.eye(4, k=3)]))
    with pytest.raises(TypeError, match="for open robots"):
        robot.inverse_kinematics(robot.home, start=drives[0])
