"""Pictures: that they are, and show what they should."""

from __future__ import annotations

import subprocess
import sys
from xml.etree import ElementTree

import appell
import numpy as np
import pytest


@pytest.mark.parametrize("name", ["puma560", "scara", "delta", "gough-stewart", "four-bar"])
def test_a_drawing_is_svg_and_png(name, tmp_path):
    robot = appell.load(name)
    drawing = robot.draw()
    assert ElementTree.fromstring(drawing.svg).tag.endswith("svg") and robot.name in drawing.svg
    assert drawing._repr_svg_() == drawing.svg and robot.name in repr(drawing)
    path = drawing.save(tmp_path / "robot.png")
    assert path.read_bytes().startswith(b"\x89PNG\r\n")
    assert drawing.save(tmp_path / "robot.svg").read_text() == drawing.svg
    with pytest.raises(FileExistsError):
        drawing.save(tmp_path / "robot.svg")
    with pytest.raises(ValueError, match=".svg or .png"):
        drawing.save(tmp_path / "robot.pdf")


def test_places():
    robot = appell.load("delta")
    pose = robot.home.copy()
    pose[0, 3] += 0.1
    by_pose = robot.draw(pose=pose).svg
    assert by_pose != robot.draw().svg and robot.draw(pose).svg == by_pose
    drives = robot.inverse_kinematics(pose)
    assert "these drives" in robot.draw(drives).svg and "this pose" in by_pose
    with pytest.raises(appell.StateError):
        robot.draw(pose=[0, 0, -9])
    puma = appell.load("puma560")
    assert puma.draw(np.full(6, 0.5)).svg != puma.draw().svg
    with pytest.raises(appell.ShapeError, match=r"expected \(6,\)"):
        puma.draw([1.0])
    with pytest.raises(appell.QuestionError, match="no platform"):
        puma.draw(pose=np.eye(4))


def lines(figure):
    return [np.array(line.get_data_3d()).T for line in figure.axes[0].lines]


def test_a_plot_has_the_robot_where_it_is():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    robot = appell.load("puma560")
    q = [0.3, -1.0, 0.2, 0.4, 1.0, 0.1]
    figure = robot.plot(q, names=True)
    ends = np.concatenate(lines(figure))
    for pose in robot.frames(q):
        assert np.abs(ends - pose[:3, 3]).max(axis=1).min() < 1e-12
    assert figure.axes[0].get_title() == robot.name
    matplotlib.pyplot.close(figure)
    stewart = appell.load("gough-stewart")
    figure = stewart.plot(stewart.home)
    again = stewart.plot(ax=figure.axes[0])
    assert again is figure and len(figure.axes[0].collections) > 2
    matplotlib.pyplot.close(figure)


@pytest.mark.parametrize("name", ["orthoglide", "delta-parallelograms", "tricept", "hexapod-6rus", "planar-3rrr"])
def test_closing_joints_are_closed(name):
    robot = appell.load(name)
    for closure, sides in robot._skeleton(None, None)["closures"]:
        if None not in (sides[0][0], sides[1][0]):
            np.testing.assert_allclose(sides[0][1], sides[1][1], atol=1e-9, err_msg=closure)


def test_axes_that_meet_are_drawn_on_a_sphere():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    figure = appell.load("agile-wrist").plot()
    arcs = [line for line in lines(figure) if len(line) > 2]
    assert arcs and all(np.allclose(np.linalg.norm(arc, axis=1), 1.0) for arc in arcs)
    matplotlib.pyplot.close(figure)


def test_a_map_is_drawn():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    figure = appell.load("five-bar").singularity_map(("x", "y"), grid=15).plot()
    assert [ax.get_title() for ax in figure.axes[:2]] == ["Type 1: the nearest leg", "Type 2: the drives"]
    matplotlib.pyplot.close(figure)


def test_matplotlib_is_not_imported_before_it_is_needed():
    code = "import appell, sys; print([m for m in ('matplotlib', 'pandas', 'scipy', 'subprocess') if m in sys.modules])"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() in ("[]", "['subprocess']")
