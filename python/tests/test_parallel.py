"""Assemblies and singularities of robots with closed loops, against geometry."""

from __future__ import annotations

import _thread
import threading

import appell
import numpy as np
import pytest


@pytest.mark.parametrize("name", ["delta", "five-bar", "gough-stewart", "planar-3rrr", "agile-wrist"])
def test_all_assemblies_have_the_drives_they_were_asked_for(name):
    robot = appell.load(name)
    drives = robot.home_positions
    found = robot.assemble(drives, all=True)
    assert len(found) >= 1 and "complex solutions" in found.count
    np.testing.assert_allclose(found.drives, np.tile(drives, (len(found), 1)), atol=1e-9)
    # Home is among them, and is the nearest.
    np.testing.assert_allclose(found[0].pose, robot.home, atol=1e-6)
    assert found[0].distance == pytest.approx(0.0, abs=1e-6)
    assert list(found.type2) == [one.type2 for one in found]
    assert [one.distance for one in found] == sorted(one.distance for one in found)
    # Each pose has these drives in one of its working modes.
    for one in found:
        modes = robot.inverse_kinematics(one.pose, all=True) if name != "gough-stewart" else robot.inverse_kinematics(one.pose)
        apart = np.angle(np.exp(1j * (np.atleast_2d(modes) - drives)))
        assert np.abs(apart).max(axis=1).min() < 1e-6


def test_a_delta_has_two_assemblies():
    robot = appell.load("delta")
    found = robot.assemble(robot.home_positions, all=True)
    # Three spheres meet in two points, mirrored on the plane of the elbows, which is level at home.
    assert len(found) == 2 and all(one.side in "+-" for one in found)
    np.testing.assert_allclose(found[0].pose[:2, 3], found[1].pose[:2, 3], atol=1e-9)
    assert found[0].pose[2, 3] < found[1].pose[2, 3]
    assert found[0].type2 == pytest.approx(found[1].type2)
    text, table = repr(found), found._repr_html_()
    assert text.startswith(f"{robot.name}: 2 assemblies") and "Type 2" in text and found.count in text
    assert table.count("<tr>") == 3


def test_a_five_bar_is_where_two_circles_meet():
    robot = appell.load("five-bar")
    found = robot.assemble([2.1, 1.1], all=True)
    assert found.proved and len(found) == 2 and found.total == 2
    assert len(robot.assemble([2.1, 1.1])) == 1
    # The points mirror each other on the line through both elbows, whose places do not depend on the assembly.
    one, other = (assembly.pose[:2, 3] for assembly in found)
    assert np.linalg.norm(one - other) > 1e-3
    assert {assembly.side for assembly in found} == {"+", "-"}  # Type 2, both rods in line, lies between
    near = robot.assemble([2.1, 1.1], near=found[1].pose)
    np.testing.assert_allclose(near[0].pose, found[1].pose, atol=1e-9)
    np.testing.assert_allclose(robot.assemble([2.1, 1.1])[0].pose, found[0].pose, atol=1e-9)


def test_working_modes_for_a_pose():
    robot = appell.load("delta")
    found = robot.assemble(pose=robot.home, all=True)
    assert found.legs is not None and len(found) == np.prod([len(leg) for leg in found.legs]) == found.total
    assert found.proved and all(leg.in_closed_form for leg in found.legs)
    file = [one for one in found if one.in_mode]
    assert file and np.allclose(file[0].drives, robot.inverse_kinematics(robot.home), atol=1e-9)
    np.testing.assert_allclose(found.poses, np.tile(robot.home, (len(found), 1, 1)), atol=1e-12)
    # The drives of every mode bring the platform there in some assembly.
    for one in found[:8]:
        poses = robot.assemble(one.drives, all=True).poses
        assert np.abs(poses[:, :3, 3] - robot.home[:3, 3]).max(axis=1).min() < 1e-6
    few = robot.assemble(pose=robot.home, all=True, most=3)
    assert len(few) == 3 and few.total == len(found) and "the first 3" in few.count


def test_refusals_of_assemble():
    delta, puma = appell.load("delta"), appell.load("puma560")
    with pytest.raises(appell.QuestionError, match="has no closed loops"):
        puma.assemble(np.zeros(6))
    with pytest.raises(appell.ShapeError, match="`drives` has 2 numbers; expected 3"):
        delta.assemble([0.1, 0.2])
    with pytest.raises(appell.NumberError, match=r"`drives\[1\]` is NaN"):
        delta.assemble([0.1, np.nan, 0.2])
    with pytest.raises(appell.StateError, match="cannot reach the platform"):
        delta.assemble(pose=[0, 0, -9.0])
    with pytest.raises(TypeError, match="and not both"):
        delta.assemble([0.1, 0.2, 0.3], pose=delta.home)
    with pytest.raises(appell.QuestionError, match="has no platform"):
        appell.load("four-bar").assemble(pose=np.eye(4))


def test_undecided_drives_warn():
    """Legs so short and long that the straight way from home crosses a singularity."""
    robot = appell.load("gough-stewart")
    drives = [0.7843228756725044, 0.5859283154224137, 0.4207858099207996, 0.37149557494458846, 0.8773664586449961, 0.5273925422513781]
    with pytest.warns(appell.UndecidedWarning):
        found = robot.assemble(drives)
    assert "cannot come there straight" in found.count
    np.testing.assert_allclose(found[0].drives, drives, atol=1e-9)
    for ask in (robot.draw, lambda q: robot.singularities(q=q)):
        with pytest.warns(appell.UndecidedWarning):
            ask(drives)
    # All of them are no question of where it came from; the one that was taken is among them.
    poses = robot.assemble(drives, all=True).poses
    assert np.abs(poses - found[0].pose).max(axis=(1, 2)).min() < 1e-6


def test_drives_without_an_assembly_are_an_answer():
    robot = appell.load("five-bar")
    # Both cranks outward, further apart than both rods are long.
    found = robot.assemble([np.pi, 0.0], all=True)
    assert len(found) == 0 and found.proved and "there is none" in found.count and "0 assemblies" in repr(found)
    assert found.poses.shape == (0, 4, 4) and found.q.shape == (0, len(robot.joints)) and "<table>" in found._repr_html_()
    with pytest.raises(appell.StateError, match="stays open"):
        robot.assemble([np.pi, 0.0])


def test_an_assembly_that_is_not_among_those_counted():
    """The platform of this Delta robot turns: those with another attitude are not counted, but one is found."""
    robot = appell.load("delta")
    found = robot.assemble([0.0, 0.0, -3.0], all=True)
    assert not found.proved and len(found) == 1 and "a search finds this one" in found.count
    np.testing.assert_allclose(found[0].drives, [0.0, 0.0, -3.0], atol=1e-9)


def test_a_stewart_platform_turned_by_90_degrees_is_singular():
    """Hunt's and Fichter's singularity: yaw by ±90° of a platform similar to its base."""
    robot = appell.load("gough-stewart")
    home = robot.singularities()
    assert not home.is_singular() and home.uncontrolled == () and home.kinds() == []
    assert 0 < home.type2 <= 1 and home.freedoms == 6
    pose = robot.home.copy()
    pose[:3, :3] = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]
    there = robot.singularities(pose)
    assert there.type2 < 1e-6 and there.kinds() == ["type2"] and len(there.uncontrolled) == 1
    # The motion that is not controlled leaves the drives at rest: J_inv t = 0.
    twist = there.uncontrolled[0].twist
    assert twist is not None
    jacobian = robot.inverse_jacobian(pose)
    assert np.abs(jacobian @ twist).max() < 1e-6 * np.abs(jacobian).max() * np.abs(twist).max()
    assert "singular: type2" in repr(there) and "<table>" in there._repr_html_()
    # The measures are those of the question.
    names = robot.columns("singularity")
    row = np.asarray(robot.singularity(robot.home)).ravel()
    assert row[names.index("type2")] == pytest.approx(home.type2, rel=1e-9)


def test_singularities_with_drives_are_those_of_their_pose():
    robot = appell.load("delta")
    pose = robot.home.copy()
    pose[0, 3] += 0.1
    drives = robot.inverse_kinematics(pose)
    one, other = robot.singularities(pose), robot.singularities(q=drives)
    assert one.type2 == pytest.approx(other.type2, rel=1e-6) and one.type1 == pytest.approx(other.type1, rel=1e-6)
    assert one.determinant == pytest.approx(np.linalg.det(robot.inverse_jacobian(pose)), rel=1e-6)
    with pytest.raises(appell.QuestionError, match="robot.singularity"):
        appell.load("puma560").singularities()


def test_a_map_has_what_each_pose_has():
    robot = appell.load("five-bar")
    found = robot.singularity_map(("x", "y"), grid=(30, 20))
    assert found.type1.shape == found.type2.shape == found.reachable.shape == (20, 30)
    assert len(found.x) == 30 and len(found.y) == 20
    assert np.isnan(found.type2[~found.within_limits]).all() and np.isfinite(found.type2[found.within_limits]).all()
    assert 0.02 < found.reachable.mean() < 0.98
    row, column = np.argwhere(found.within_limits)[len(np.argwhere(found.within_limits)) // 2]
    pose = robot.home.copy()
    pose[:2, 3] = found.x[column], found.y[row]
    assert robot.singularities(pose).type2 == pytest.approx(found.type2[row, column], rel=1e-9)
    assert "closest to Type 2" in found._repr_html_()
    least, (x, y) = found.nearest()
    assert least == np.nanmin(found.type2) and x in found.x and y in found.y
    assert robot.singularity_map(grid=5).over == ("x", "y"), "its first degrees of freedom"
    for wrong, message in ((("x",), "two different"), (("x", "x"), "two different"), (("x", "up"), "no coordinate `up`")):
        with pytest.raises(appell.QuestionError, match=message):
            robot.singularity_map(wrong)
    with pytest.raises(appell.QuestionError, match="`z` is not an axis of the map, which is over x and y"):
        robot.singularity_map(ranges={"z": (0.0, 1.0)})
    given = robot.singularity_map(("x", "y"), ranges={"x": (0.0, 0.1), "y": (0.1, 0.2)}, grid=3)
    np.testing.assert_allclose(given.x, [0.0, 0.05, 0.1])
    with pytest.raises(appell.QuestionError, match="is not a degree of freedom"):
        robot.singularity_map(("x", "z"))
    with pytest.raises(appell.NumberError, match="lower end first"):
        robot.singularity_map(("x", "y"), ranges={"x": (1.0, 0.0)})


@pytest.mark.parametrize("name", ["delta", "puma560", "four-bar"])
def test_methods_agree(name):
    found = appell.load(name).agreement(states=20)
    assert found and all(0 <= worst < 1e-8 for methods in found.values() for worst in methods.values())


@pytest.mark.parametrize("work", ["map", "assemblies", "agreement"])
def test_ctrl_c_stops_long_calls(work):
    robot = appell.load("gough-stewart")
    calls = {
        "map": lambda: robot.singularity_map(("x", "y"), ranges={"x": (-1, 1), "y": (-1, 1)}, grid=3000),
        "assemblies": lambda: robot.assemble(pose=robot.home, all=True, most=10**9),
        "agreement": lambda: robot.agreement(states=10**9),
    }
    timer = threading.Timer(0.3, _thread.interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        calls[work]()
    timer.join()
    assert len(robot.assemble(robot.home_positions)) == 1  # it still answers


def test_a_passage_through_type_2_needs_finite_torques_and_a_straight_line_does_not():
    """Briot and Arakelian's criterion, by torques beside the crossing; the five-bar stands on the singular line at y = 0.180751 m."""
    robot = appell.load("five-bar")
    motion = robot.passage([0, 0.4, 0], [0, 0.1, 0], velocity=[0, -0.6], time=1.0, torques=True)
    assert motion.kind == "passage" and motion.t.shape == (1000,) and np.abs(motion.tau).max() < 12.0
    (place,) = robot.crossings(motion.pose, motion.twist, motion.acceleration, t=motion.t)
    assert place.crosses and place.is_finite() and place.rows == (499, 500)
    # Poses are interpolated over a step h of 1 ms: off by h² |a| / 8 m, which takes h² |a| / 8 |v| s.
    off = (motion.t[500] - motion.t[499]) ** 2 * np.abs(motion.acceleration[500]).max() / (8 * 0.6)
    assert abs(place.t - 0.5) < 1.5 * off < 1e-5
    assert place.largest_effort == pytest.approx(np.abs(motion.tau[494:505]).max(), rel=1e-9)
    assert abs(motion.pose[499:501, 1, 3].mean() - 0.180751) < 1e-5
    line = np.tile(robot.home, (100, 1, 1))
    line[:, :3, 3] = np.stack([np.zeros(100), 0.4 - 0.003 * np.arange(100), np.zeros(100)], axis=1)
    (place,) = robot.crossings(line, np.tile([0, -0.3, 0, 0, 0, 0], (100, 1)), t=0.01 * np.arange(100))
    assert place.crosses and not place.is_finite() and abs(place.t - (0.4 - 0.180751) / 0.3) < 1e-3
    assert robot.crossings(line[:20], np.tile([0, -0.3, 0, 0, 0, 0], (20, 1))) == []


def test_passages_and_crossings_that_cannot_be_are_refused():
    """Each with what to do instead."""
    robot, far = appell.load("five-bar"), {"velocity": [0, -0.6], "time": 1.0}
    with pytest.raises(appell.StateError, match="meets no singularity of Type 2"):
        robot.passage([0, 0.4, 0], [0, 0.3, 0], **far)
    with pytest.raises(appell.StateError, match="changes its sign 3 times"):
        robot.passage([0, 0.4, 0], [0, 0.1, 0], shape="octic", **far)
    with pytest.raises(appell.ShapeError, match="expected \\(2,\\): vx, vy"):
        robot.passage([0, 0.4, 0], [0, 0.1, 0], velocity=[1], time=1.0)
    with pytest.raises(appell.NumberError, match="positive time"):
        robot.passage([0, 0.4, 0], [0, 0.1, 0], velocity=[0, -0.6], time=-1.0)
    with pytest.raises(appell.QuestionError, match="has no closed loops"):
        appell.load("scara").crossings(np.eye(4)[None], np.zeros((1, 6)))
    with pytest.raises(appell.ShapeError, match="`twist` has shape"):
        robot.crossings(np.tile(robot.home, (3, 1, 1)), np.zeros((2, 6)))
    with pytest.raises(appell.NumberError, match="`t` does not increase"):
        robot.crossings(np.tile(robot.home, (2, 1, 1)), np.zeros((2, 6)), t=[0.0, 0.0])


@pytest.mark.parametrize("work", ["map", "assemblies", "agreement", "poses"])
def test_long_calls_say_how_far_they_are(work, monkeypatch):
    told = []

    class Told:
        def __init__(self, unit, *, shown):
            self.pulse = (lambda done, of: told.append((unit, done, of))) if shown else None

        def __enter__(self):
            return self

        def __exit__(self, *_):
            pass

    monkeypatch.setattr("appell._parallel.Progress", Told)
    monkeypatch.setattr("appell._kinematics.Progress", Told)
    robot, puma = appell.load("gough-stewart"), appell.load("puma560")
    q = np.random.default_rng(1).uniform(-1.5, 1.5, (5000, 6))
    unit, of, call = {
        "map": ("cells", 120 * 120, lambda **more: robot.singularity_map(("x", "y"), ranges={"x": (-1, 1), "y": (-1, 1)}, grid=120, **more)),
        "assemblies": ("working modes", 4096, lambda **more: robot.assemble(pose=robot.home, all=True, **more)),
        "agreement": ("states", 200, lambda **more: robot.agreement(states=200, **more)),
        "poses": ("poses", 5000, lambda **more: puma.inverse_kinematics(puma.pose(q), start=np.zeros(6), **more)),
    }[work]
    call(progress=True)
    assert told and all(one == unit and total == of and 0 < done <= of for one, done, total in told if total), told[:3]
    assert [done for _, done, _ in told] == sorted(done for _, done, _ in told)
    told.clear()
    if work == "assemblies":
        call(progress=False)
        assert not told
