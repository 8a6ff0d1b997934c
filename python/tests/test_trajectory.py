"""Motions to follow: their ends, their derivatives, their limits, and the dynamics along them."""

from __future__ import annotations

import appell
import numpy as np
import pytest
from appell import trajectory

START = np.array([0.3, -1.0, 0.2, 0.4, 1.0, 0.1])


def expect_derivatives(motion):
    """Velocities and accelerations are those of the positions, by central differences."""
    for low, high in ((motion.q, motion.v), (motion.v, motion.a)):
        step = motion.t[2:] - motion.t[:-2]
        by_difference = (low[2:] - low[:-2]) / step[:, None]
        even = np.isclose(np.diff(motion.t)[1:], np.diff(motion.t)[:-1])
        scale = np.abs(high).max()
        assert np.abs(by_difference - high[1:-1])[even].max() < 2e-2 * scale


def test_a_line_of_an_arm():
    robot = appell.load("puma560")
    begin = robot.pose(START)
    to = begin[:3, 3] + [0.05, 0.1, -0.05]
    motion = trajectory.line(robot, to, start=START, time=1.0, torques=True)
    assert len(motion) == 101 and motion.duration == 1.0
    np.testing.assert_allclose(motion.q[0], START, atol=1e-9)
    poses = robot.pose(motion.q)
    # On the line, turned as at the start, at rest at both ends.
    way = poses[:, :3, 3] - begin[:3, 3]
    along = way @ (to - begin[:3, 3]) / np.linalg.norm(to - begin[:3, 3])
    np.testing.assert_allclose(np.linalg.norm(way, axis=1), np.abs(along), atol=1e-9)
    np.testing.assert_allclose(poses[-1, :3, 3], to, atol=1e-9)
    np.testing.assert_allclose(poses[:, :3, :3], np.tile(begin[:3, :3], (101, 1, 1)), atol=1e-9)
    np.testing.assert_allclose(motion.v[[0, -1]], 0.0, atol=1e-9)
    expect_derivatives(motion)
    np.testing.assert_allclose(motion.tau, robot.inverse_dynamics(motion.q, motion.v, motion.a), rtol=1e-9, atol=1e-9)
    branched = trajectory.line(robot, to, begin=begin, branch="+++", time=1.0)
    np.testing.assert_allclose(robot.pose(branched.q), poses, atol=1e-9)


def test_a_line_of_a_platform():
    robot = appell.load("delta")
    motion = trajectory.line(robot, [0.1, 0.05, -0.7], speed=0.5, acceleration=4.0, law="ramp", torques=True)
    speed = np.linalg.norm(motion.twist[:, :3], axis=1)
    assert speed.max() <= 0.5 + 1e-9 and speed.max() > 0.49
    np.testing.assert_allclose(motion.pose[-1, :3, 3], [0.1, 0.05, -0.7], atol=1e-12)
    np.testing.assert_allclose(robot.inverse_kinematics(motion.pose), motion.q, atol=1e-8)
    expected = robot.inverse_dynamics(motion.pose, motion.twist, motion.acceleration)
    np.testing.assert_allclose(motion.tau, expected, rtol=1e-8, atol=1e-8)


def test_an_arc_stays_on_its_circle():
    robot = appell.load("gough-stewart")
    centre = robot.home[:3, 3] + [0.05, 0, 0]
    motion = trajectory.arc(robot, centre=centre, axis=[0, 0, 1], turn=np.pi, time=2.0)
    radius = np.linalg.norm(motion.pose[:, :3, 3] - centre, axis=1)
    np.testing.assert_allclose(radius, 0.05, atol=1e-12)
    np.testing.assert_allclose(motion.pose[-1, :3, 3], centre + [0.05, 0, 0], atol=1e-12)
    through = trajectory.arc(robot, centre + [0.05, 0, 0], through=centre + [0, 0.05, 0], time=2.0)
    np.testing.assert_allclose(np.linalg.norm(through.pose[:, :3, 3] - centre, axis=1), 0.05, atol=1e-12)
    with pytest.raises(TypeError, match="and not both"):
        trajectory.arc(robot, time=1.0)


@pytest.mark.parametrize("shape", ["spline", "blends"])
def test_via_points(shape):
    robot = appell.load("delta")
    points = robot.home[:3, 3] + np.array([[0, 0, 0], [0.1, 0, 0], [0.1, 0.1, 0.05], [0, 0.1, 0]])
    motion = trajectory.via(robot, points, times=[0.0, 0.5, 1.0, 1.5], shape=shape, dt=0.005)
    nearest = [np.abs(motion.pose[:, :3, 3] - point).max(axis=1).min() for point in points]
    assert max(nearest[0], nearest[-1]) < 1e-9
    assert max(nearest) < (1e-9 if shape == "spline" else 0.02)
    assert (max(nearest) > 1e-4) == (shape == "blends")  # corners are cut
    shared = trajectory.via(robot, points, time=1.5, shape=shape)
    assert shared.duration == pytest.approx(1.5)


def test_joints_straight_and_along_splines():
    robot = appell.load("scara")
    motion = trajectory.joints(robot, [0.5, 1.0, 0.1, 0.0], speed=1.0, acceleration=5.0, law="ramp", limits=True)
    assert np.abs(motion.v).max() <= 1 + 1e-9 and np.abs(motion.a).max() <= 5 + 1e-9
    # A trapezoid over 1 rad at 1 rad/s and 5 rad/s² takes 1/1 + 1/5 s.
    assert motion.duration == pytest.approx(1.2)
    np.testing.assert_allclose(motion.q[-1], [0.5, 1.0, 0.1, 0.0], atol=1e-12)
    points = np.array([[0, 0, 0, 0], [0.3, -0.2, 0.05, 1], [0.1, 0.5, 0.1, 0.4]])
    spline = trajectory.joints(robot, points=points, times=[0, 0.5, 1.0])
    np.testing.assert_allclose(spline.q[[0, 50, 100]], points, atol=1e-12)
    expect_derivatives(spline)
    rates = np.ones((3, 4))
    np.testing.assert_allclose(trajectory.joints(robot, points=points, times=[0, 0.5, 1.0], velocities=rates).v[[50]], 1.0)


def test_limits_are_found_where_they_are_passed():
    robot = appell.load("two-link").with_joint("long", velocity=1.0)
    # 6 (s − s²) / T reaches 1 at T = 1.2 where s = (1 − √0.2) / 2 of the time.
    motion = trajectory.joints(robot, [0.0, 1.0], begin=[0.0, 0.0], law="cubic", time=1.2, limits=True)
    assert motion.limits is not None and motion.limits.first is not None and not motion.limits.are_kept
    assert motion.limits.first.startswith(f"after {0.6 * (1 - np.sqrt(0.2)):.6f} s the velocity of joint `long`")
    slow = trajectory.joints(robot, [0.0, 1.0], begin=[0.0, 0.0], law="cubic", time=2.0, limits=True)
    assert slow.limits is not None and slow.limits.are_kept
    peak = next(peak for peak in slow.limits.peaks if (peak.joint, peak.quantity) == ("long", "velocity"))
    assert peak.value == pytest.approx(0.75) and peak.limit == 1.0
    assert trajectory.joints(robot, [0.0, 1.0], time=2.0, max_acceleration=0.5).limits.first is not None


def test_fourier_series():
    robot = appell.load("puma560")
    terms = np.zeros((6, 2, 2))
    terms[:, 0, 0] = 0.3
    motion = trajectory.fourier(robot, terms, frequency=0.5, periods=2.0)
    assert motion.duration == pytest.approx(4.0)
    wanted = 0.3 * np.sin(np.pi * motion.t)
    np.testing.assert_allclose(motion.q, np.repeat(wanted[:, None], 6, axis=1), atol=1e-12)
    np.testing.assert_allclose(motion.a, -np.pi**2 * motion.q, atol=1e-10)
    random = trajectory.fourier(robot, harmonics=5, amplitude=0.2, frequency=0.1, from_rest=True, seed=4)
    np.testing.assert_allclose(random.v[0], 0, atol=1e-12)
    np.testing.assert_allclose(random.a[0], 0, atol=1e-12)
    again = trajectory.fourier(robot, harmonics=5, amplitude=0.2, frequency=0.1, from_rest=True, seed=4)
    assert (again.q == random.q).all() and np.abs(random.q).max() > 0.02


def test_a_platform_in_coordinates():
    robot = appell.load("gough-stewart")
    motion = trajectory.joints(robot, [0, 0.05, 0.8, 0.3, 0, 0], platform="321", time=1.0, torques=True)
    np.testing.assert_allclose(motion.pose[0], robot.home, atol=1e-12)
    yaw = np.array([[np.cos(0.3), -np.sin(0.3), 0], [np.sin(0.3), np.cos(0.3), 0], [0, 0, 1]])
    np.testing.assert_allclose(motion.pose[-1, :3, :3], yaw, atol=1e-12)
    np.testing.assert_allclose(motion.pose[-1, :3, 3], [0, 0.05, 0.8], atol=1e-12)
    np.testing.assert_allclose(motion.q, robot.inverse_kinematics(motion.pose), atol=1e-9)
    expected = robot.inverse_dynamics(motion.pose, motion.twist, motion.acceleration)
    np.testing.assert_allclose(motion.tau, expected, rtol=1e-8, atol=1e-8)
    delta = appell.load("delta")
    series = trajectory.fourier(delta, harmonics=3, amplitude=0.03, frequency=0.5, platform="321")
    np.testing.assert_allclose(series.pose[:, :3, :3], np.tile(np.eye(3), (len(series), 1, 1)), atol=1e-12)
    assert np.ptp(series.pose[:, :3, 3], axis=0).min() > 1e-3
    with pytest.raises(appell.QuestionError, match="no Euler angles `abc`"):
        trajectory.joints(robot, np.zeros(6), platform="abc", time=1.0)


def test_what_a_trajectory_shows(tmp_path):
    pandas = pytest.importorskip("pandas")
    robot = appell.load("delta")
    motion = trajectory.line(robot, [0.1, 0.05, -0.7], time=1.0, torques=True)
    table = motion.to_pandas()
    assert isinstance(table, pandas.DataFrame) and table.shape == (101, 7 + 12 + 4 * 3)
    np.testing.assert_array_equal(table["px"], motion.pose[:, 0, 3])
    assert "1 s in 101 rows" in repr(motion) and "<table>" in motion._repr_html_()
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    figure = motion.plot()
    assert len(figure.axes) == 4 and len(figure.axes[0].lines) == 3
    matplotlib.pyplot.close(figure)


def test_refusals():
    robot = appell.load("puma560")
    with pytest.raises(appell.StateError, match="cannot follow|does not reach|reach"):
        trajectory.line(robot, [9.0, 0, 0], start=START, time=1.0)
    with pytest.raises(appell.QuestionError, match="give `time`, or limits"):
        trajectory.joints(robot, np.ones(6))
    with pytest.raises(appell.QuestionError, match="no time law `fast`"):
        trajectory.joints(robot, np.ones(6), time=1.0, law="fast")
    with pytest.raises(appell.ShapeError, match=r"`to` has shape \(3,\); expected \(6,\)"):
        trajectory.joints(robot, [1, 2, 3], time=1.0)
    with pytest.raises(appell.NumberError, match="`dt`"):
        trajectory.joints(robot, np.ones(6), time=1.0, dt=0.0)
    with pytest.raises(TypeError, match="and not both"):
        trajectory.joints(robot, np.ones(6), time=1.0, speed=1.0)
    with pytest.raises(appell.QuestionError, match="too many rows"):
        trajectory.joints(robot, np.ones(6), time=1e6, dt=1e-6)
