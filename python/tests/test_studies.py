"""Studies against geometry, brute force and robots that are made anew."""

from __future__ import annotations

import itertools
import math
import re
from pathlib import Path
from typing import Any

import appell
import numpy as np
import pytest
from appell import studies
from appell.studies import _certificate, _intervals
from appell.studies._places import places
from states import DELTA, PUMA, STEWART, robot

FIVE_BAR = robot("five-bar")


def reaches(x: Any, y: Any) -> Any:
    """Where both arms of the five-bar reach, by its lengths."""
    left, right = np.hypot(x + 0.14, y), np.hypot(x - 0.14, y)
    return (left < 0.54) & (left > 0.06) & (right < 0.51) & (right > 0.05)


# Places


def test_turns_are_those_of_scipy() -> None:
    Rotation = pytest.importorskip("scipy.spatial.transform").Rotation
    chunk = {"x": np.array([0.1, 0.2]), "roll": np.array([0.3, -0.5]), "pitch": np.array([0.2, 0.4]), "yaw": np.array([1.0, -2.0])}
    found = appell._poses.matrices(places(STEWART, chunk))
    angles = np.column_stack([chunk[name] for name in ("roll", "pitch", "yaw")])
    np.testing.assert_allclose(found[:, :3, :3], Rotation.from_euler("xyz", angles).as_matrix() @ STEWART.home[:3, :3], atol=1e-14)
    np.testing.assert_allclose(found[:, :3, 3], [[0.1, 0.0, 0.75], [0.2, 0.0, 0.75]], atol=1e-14)
    q = places(PUMA, {"elbow": np.array([0.5])})
    assert q[0, PUMA.positions.index("elbow")] == 0.5 and np.count_nonzero(q) == 1


def test_single_poses_are_as_in_a_map() -> None:
    found = FIVE_BAR.singularity_map(("x", "y"), ranges={"x": (-0.6, 0.6), "y": (0.05, 0.7)}, grid=(25, 14))
    space = appell.Grid({"y": (0.05, 0.7), "x": (-0.6, 0.6)}, {"y": 14, "x": 25})
    here = FIVE_BAR.reach(places(FIVE_BAR, space.points()))
    assert (here.reachable.reshape(14, 25) == found.reachable).all()
    np.testing.assert_allclose(here.type2.reshape(14, 25), found.type2, atol=1e-9)
    # Tilts of a 3-RPS move it aside, which is no other place.
    rps = robot("3-rps")
    aside = rps.reach(places(rps, {"roll": np.array([0.0, 0.3])}))
    assert aside.reachable.all() and np.abs(aside.pose[1, :2, 3]).max() > 1e-3
    np.testing.assert_allclose(rps.actuated(aside.pose)[0].shape, (2, 3))


def test_refusals_of_reach() -> None:
    assert repr(DELTA.reach(DELTA.home)) == "<appell.Reach of 1 poses: 1 reachable, 1 within limits, 1 on the side of home>"
    with pytest.raises(appell.QuestionError, match="has no closed loops"):
        PUMA.reach(np.eye(4))
    with pytest.raises(appell.QuestionError, match="has no platform"):
        robot("four-bar").reach(np.eye(4))
    with pytest.raises(appell.NumberError, match="NaN or infinite"):
        DELTA.reach([np.nan, 0, 0])


# Workspace


def test_workspace_of_a_five_bar() -> None:
    box = {"x": (-0.6, 0.6), "y": (-0.2, 0.6)}
    x, y = np.meshgrid(np.linspace(-0.6, 0.6, 1201), np.linspace(-0.2, 0.6, 801))
    share = reaches(x, y).mean()
    by_points = studies.workspace(FIVE_BAR, box, points=4096)
    refined = studies.workspace(FIVE_BAR, space=appell.Refine(box, 12, 4, by="reachable"))
    assert by_points["reachable"] == pytest.approx(share, abs=3 * by_points["uncertain"])
    assert refined["reachable"] == pytest.approx(share, abs=0.005)
    assert by_points["share"] <= by_points["same side as home"] <= by_points["reachable"]
    assert by_points["volume"] == pytest.approx(by_points["share"] * 1.2 * 0.8)
    swept = by_points.swept
    assert (swept["reachable"] == reaches(swept["x"], swept["y"])).mean() > 0.999
    # The other side is beyond Type 2: det J_inv has another sign there.
    some = np.flatnonzero(swept["reachable"])[:200]
    where = places(FIVE_BAR, {name: swept[name][some] for name in ("x", "y")})
    signs = np.sign(np.linalg.det(FIVE_BAR.inverse_jacobian(where)))
    at_home = np.sign(np.linalg.det(FIVE_BAR.inverse_jacobian(FIVE_BAR.home)))
    assert (swept["same_side"][some] == (signs == at_home)).all() and 0 < (signs == at_home).mean() < 1


def test_workspace_in_six_dimensions() -> None:
    box = {"x": (-0.3, 0.3), "y": (-0.3, 0.3), "z": (0.5, 1.0), "roll": (-0.3, 0.3), "pitch": (-0.3, 0.3), "yaw": (-2.0, 2.0)}
    found = studies.workspace(STEWART, box, points=1024)
    # At Fichter's 90° about the vertical the drives hold it no more: beyond is the other side.
    beyond = np.abs(found.swept["yaw"]) > np.pi / 2 + 0.3
    assert not found.swept["same_side"][beyond].any() and found.swept["same_side"][np.abs(found.swept["yaw"]) < 1.0].all()
    assert 0.5 < found["share"] < 1 and found.swept["type2"].min() >= 0


# Dexterity, torques, frequencies


@pytest.mark.parametrize(("arm", "bounds"), [(PUMA, {"shoulder": (-2, 2), "elbow": (-2, 2)}), (STEWART, {"x": (-0.2, 0.2), "yaw": (-1, 1)})])
def test_dexterity_is_that_of_the_questions(arm: appell.Robot, bounds: Any) -> None:
    found = studies.dexterity(arm, bounds, points=100)
    where = places(arm, {name: found.swept[name] for name in bounds})
    own = arm.singularity(where)[:, 1 if arm is PUMA else 3]
    np.testing.assert_allclose(found.swept["inverse_condition"], own, rtol=1e-9)
    assert found["least"] == pytest.approx(own.min(), rel=1e-9) and found["mean"] == pytest.approx(own.mean(), rel=1e-9)


def test_worst_torques_of_a_platform_that_moves_aside() -> None:
    rps = robot("3-rps")
    found = studies.worst_torques(rps, {"z": (0.72, 0.78), "roll": (-0.1, 0.1)}, acceleration=2.0, velocity=0.3, points=20)
    assert found["reached"] == 1.0
    # Accelerations of the independent components, by themselves: the others follow.
    swept, signs = found.swept, np.array(list(itertools.product((-1, 1), repeat=3)))
    where = places(rps, {name: swept[name][:1] for name in ("z", "roll")})
    twist, push = np.full((8, 6), np.nan), np.full((8, 6), np.nan)
    free = [["vx", "vy", "vz", "wx", "wy", "wz"].index(name) for name in rps.freedoms]
    twist[:, free], push[:, free] = [swept[f"v{k}"][0] for k in free], 2.0 * signs
    pose = rps.reach(where).pose.repeat(8, axis=0)
    forces = np.abs(rps.inverse_dynamics(pose, twist, push, of="platform")).max(axis=0)
    np.testing.assert_allclose(swept["torque"][0], forces, rtol=1e-9)


def test_worst_torques_are_not_exceeded() -> None:
    bounds = {"shoulder": (-2, 2), "elbow": (-2, 2)}
    found = studies.worst_torques(PUMA, bounds, acceleration=[3, 3, 3, 5, 5, 5], velocity=0.5, points=20)
    q = places(PUMA, {name: found.swept[name] for name in bounds})
    v = np.column_stack([found.swept[f"v{k}"] for k in range(6)])
    corners = np.array(list(itertools.product((-1, 1), repeat=6))) * [3, 3, 3, 5, 5, 5]
    for k in range(20):
        all_corners = np.abs(PUMA.inverse_dynamics(np.tile(q[k], (64, 1)), np.tile(v[k], (64, 1)), corners)).max(axis=0)
        np.testing.assert_allclose(found.swept["torque"][k], all_corners, rtol=1e-9)
    stewart = studies.worst_torques(STEWART, {"x": (-0.1, 0.1)}, acceleration=5.0, points=20)
    pushes = 5.0 * np.random.default_rng(1).uniform(-1, 1, (300, 6))
    pose = places(STEWART, {"x": np.full(300, stewart.swept["x"][7])})
    forces = np.abs(STEWART.inverse_dynamics(pose, np.zeros((300, 6)), pushes, of="platform"))
    assert (forces <= stewart.swept["torque"][7] * (1 + 1e-9)).all() and (forces.max(axis=0) > 0.7 * stewart.swept["torque"][7]).all()


def test_natural_frequency_of_a_pendulum() -> None:
    pendulum = appell.Builder().joint("hip", mass=2.0, com=(0.5, 0, 0), inertia=(0.15, 0.2, 0.3)).build()
    found = studies.natural_frequencies(pendulum, {"hip": (-1, 1)}, stiffness=50.0, points=8)
    assert found["lowest"] == pytest.approx(math.sqrt(50.0 / (0.3 + 2.0 * 0.25)) / (2 * math.pi), rel=1e-12)


def test_natural_frequencies_of_a_platform() -> None:
    found = studies.natural_frequencies(STEWART, {"x": (-0.2, 0.2), "roll": (-0.2, 0.2)}, stiffness=1e7, points=8)
    where = places(STEWART, {name: found.swept[name] for name in ("x", "roll")})
    m, j_inv = STEWART.inertia_matrix(where, of="platform"), STEWART.inverse_jacobian(where, of="platform")
    for k in range(8):
        squares = np.linalg.eigvals(np.linalg.solve(m[k], 1e7 * j_inv[k].T @ j_inv[k]))
        np.testing.assert_allclose(found.swept["frequency"][k], np.sort(np.sqrt(squares.real)) / (2 * np.pi), rtol=1e-8)
    # Drives four times as stiff swing twice as fast.
    stiffer = studies.natural_frequencies(STEWART, {"x": (-0.2, 0.2), "roll": (-0.2, 0.2)}, stiffness=4e7, points=8)
    assert stiffer["lowest"] == pytest.approx(2 * found["lowest"], rel=1e-10)


# Tolerances


def test_tolerances_are_those_of_robots_made_so() -> None:
    """Gough-Stewart platforms whose file has points that are off, with their drives as before."""
    text, random = STEWART._source["text"], np.random.default_rng(5)
    names, influence = studies._tolerances.influences(STEWART)
    frames = STEWART.frames(STEWART.home_positions)
    for _ in range(4):
        offsets: list[Any] = []

        def moved(match: re.Match[str]) -> str:
            offsets.append(random.uniform(-50e-6, 50e-6, 3))
            numbers = [float(x) for x in match.group(2).split(",")]
            return f"{match.group(1)}xyz = [{', '.join(repr(float(x)) for x in numbers + offsets[-1])}]"

        made = appell.Robot(re.sub(r"((?:base|platform) = \{ )xyz = \[([^\]]*)\]", moved, text), "toml", "moved")
        pose = made.assemble(STEWART.home_positions)[0].pose
        assert pose is not None and len(offsets) == 12
        turn = pose[:3, :3] @ STEWART.home[:3, :3].T
        exact = [*(pose - STEWART.home)[:3, 3], *(0.5 * np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]]))]
        predicted = np.zeros(6)
        for leg in range(6):
            first, end = (3 * names.index(f"leg{leg + 1}.{name}") for name in ("u1", "end"))
            turned = frames[STEWART.frame_names.index(f"leg{leg + 1}.u1")][:3, :3]
            predicted += influence[:, first : first + 3] @ turned.T @ offsets[2 * leg]
            # The platform's point is on the other side of the joint.
            predicted -= influence[:, end : end + 3] @ offsets[2 * leg + 1]
        assert np.abs(predicted - exact).max() < 1e-3 * np.abs(exact).max()


def test_tolerances_of_an_arm() -> None:
    found = studies.tolerances(PUMA, 50e-6, points=2000)
    errors = found.swept["position"]
    assert found.swept.names == ["index", "error", "position", "attitude"]
    assert errors.max() <= found["position, at worst"] and found["position, 50 %"] < found["position, 95 %"] < found["position, largest"]
    # Offsets of joints of an arm move its end as they are: so many of them, each of variance size² / 3.
    joints = len(found.swept.space.names) / 3
    assert found["position, rms"] == pytest.approx(50e-6 * math.sqrt(joints), rel=0.05)
    one = studies.tolerances(PUMA, 50e-6, joints=["elbow"], points=100)
    assert one["position, at worst"] == pytest.approx(50e-6 * math.sqrt(sum(np.abs(row).sum() ** 2 for row in elbow_influence())), rel=1e-9)
    with pytest.raises(appell.QuestionError, match="no joint `knee`"):
        studies.tolerances(PUMA, joints=["knee"])
    with pytest.raises(appell.NumberError, match="`size` is 0"):
        studies.tolerances(PUMA, 0)


def elbow_influence() -> Any:
    names, influence = studies._tolerances.influences(PUMA)
    k = 3 * names.index("elbow")
    return influence[:3, k : k + 3]


# Certificates


@pytest.mark.parametrize("name", ["gough-stewart", "five-bar", "delta", "agile-wrist"])
def test_bounds_hold(name: str) -> None:
    """J_inv at many poses of a box, its corners among them, lies within the bounds over the box."""
    arm = robot(name)
    names = [appell._parallel.COORDINATES[freedom] for freedom in arm.freedoms]
    home = dict(zip("xyz", arm.home[:3, 3]))
    middle = np.array([home.get(one, 0.1) for one in names]) + 0.01
    random = np.random.default_rng(3)
    for size in (0.02, 0.001):
        cells = np.stack([middle - size, middle + size])[:, :, None]
        boxes = _certificate._boxes(names, cells)
        with np.errstate(all="ignore"):
            answer = _intervals.loaded(*generated(arm))(_certificate._pose(arm, names, boxes))
        low, high = (bounds[0, :, 0] for bounds in _intervals.stacked(boxes, answer))
        inside = random.uniform(-size, size, (300, len(names)))
        inside[: 2 ** len(names)] = size * np.array(list(itertools.product((-1, 1), repeat=len(names))))
        found = arm.inverse_jacobian(places(arm, dict(zip(names, (middle + inside).T))), of="platform").reshape(300, -1)
        known = np.isfinite(low) & np.isfinite(high)
        slack = 1e-12 * np.abs(found).max()  # of the robot's own rounding
        assert (found[:, known] >= low[known] - slack).all() and (found[:, known] <= high[known] + slack).all()
    assert known.all() and (high - low).max() < 0.2 * np.abs(found).max(), "close bounds of small boxes"


def generated(arm: appell.Robot) -> tuple[str, str]:
    code = arm.generate("inverse-jacobian", "python")
    return code.text, code.function


def test_a_box_without_singularities() -> None:
    found = studies.certificate(FIVE_BAR, {"x": (-0.1, 0.1), "y": (0.3, 0.4)})
    assert found.holds and found["proved"] == 1.0 and found["refuted"] == 0.0
    # The cells are the box.
    swept = found.swept
    areas = (swept["x.high"] - swept["x.low"]) * (swept["y.high"] - swept["y.low"])
    assert areas.sum() == pytest.approx(0.2 * 0.1, rel=1e-12) and len(swept) == found["cells"] > 1
    here = FIVE_BAR.singularity_map(("x", "y"), ranges={"x": (-0.1, 0.1), "y": (0.3, 0.4)}, grid=9)
    assert here.nearest("type2")[0] > 0.01


def test_a_box_with_singularities() -> None:
    box = {"x": (-0.2, 0.2), "y": (0.1, 0.45)}
    found = studies.certificate(FIVE_BAR, box, cells=2000, until_refuted=False)
    swept, middle = found.swept, FIVE_BAR.inverse_jacobian(places(FIVE_BAR, {"x": np.zeros(1), "y": np.array([0.275])}), of="platform")
    assert not found.holds and found["refuted"] > 0.1 and found["proved"] > 0.4
    # What was proved has one sign, what was refuted has another, or is out of reach.
    for state in (1, -1):
        which = swept["state"] == state
        x, y = (0.5 * (swept[f"{name}.low"] + swept[f"{name}.high"])[which] for name in ("x", "y"))
        reached = reaches(x, y)
        signs = np.sign(np.linalg.det(FIVE_BAR.inverse_jacobian(places(FIVE_BAR, {"x": x[reached], "y": y[reached]}), of="platform")))
        assert (signs == state * np.sign(np.linalg.det(middle[0]))).all() and (state == -1 or reached.all())
    assert studies.certificate(FIVE_BAR, box)["cells"] < found["cells"], "it stops where it is refuted"


def test_a_gough_stewart_platform_turns_to_90_degrees() -> None:
    assert studies.certificate(STEWART, {"yaw": (-1.5, 1.5)}).holds
    found = studies.certificate(STEWART, {"yaw": (-1.7, 1.7)})
    assert not found.holds and found["refuted"] > 0
    six = {"x": (-0.1, 0.1), "y": (-0.1, 0.1), "z": (0.65, 0.85), "roll": (-0.2, 0.2), "pitch": (-0.2, 0.2), "yaw": (-0.2, 0.2)}
    assert studies.certificate(STEWART, six).holds


def test_a_certificate_can_be_checked_again(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    found = studies.certificate(FIVE_BAR, {"x": (-0.1, 0.1), "y": (0.3, 0.4)}, folder=tmp_path / "a")
    read = appell.Swept.open(tmp_path / "a")
    again = _certificate._judged(read.space.points(), **{**read.manifest["what"]["given"], "robot": read.robots["robot"]})  # type: ignore[attr-defined]
    assert (again["state"] == 1).all() and len(again["state"]) == found["cells"]


@pytest.mark.parametrize(
    ("name", "box", "says"),
    [
        ("puma560", {"x": (0, 1)}, "has no closed loops"),
        ("four-bar", {"x": (0, 1)}, "has no platform"),
        ("delta", {"roll": (0, 1)}, "roll is not a degree of freedom of Delta robot; choose of x, y, z"),
        ("3-rps", {"roll": (-0.2, 0.2)}, "give way where roll change"),
        ("orthoglide", {"x": (-0.01, 0.01)}, "the inverse Jacobian reads q, pose"),
        ("delta", {"x": (-0.01, 0.01)}, "certificate: Delta robot: generated code has a choice between constants"),
        ("gough-stewart", {"yaw": (-4, 4)}, "turns up to 3 rad"),
        ("gough-stewart", {"yaw": (1, 0)}, "is no range"),
        ("gough-stewart", {}, "a box without coordinates"),
    ],
)
def test_certificates_that_cannot_be(name: str, box: Any, says: str) -> None:
    with pytest.raises(appell.AppellError, match=says):
        studies.certificate(robot(name), box)


# What studies have in common


def test_coordinates_that_are_none() -> None:
    with pytest.raises(appell.QuestionError, match="no coordinate `w` of Gough-Stewart platform; coordinates are x, y, z, roll"):
        studies.workspace(STEWART, {"w": (0, 1)})
    with pytest.raises(appell.QuestionError, match="no coordinate `x` of PUMA 560; coordinates are waist"):
        studies.dexterity(PUMA, {"x": (0, 1)})
    with pytest.raises(appell.QuestionError, match="has no closed loops"):
        studies.workspace(PUMA, {"elbow": (0, 1)})
    with pytest.raises(appell.ShapeError, match="`acceleration` has shape"):
        studies.worst_torques(PUMA, {"elbow": (0, 1)}, acceleration=[1, 2])
    with pytest.raises(appell.NumberError, match="`stiffness` is"):
        studies.natural_frequencies(PUMA, {"elbow": (0, 1)}, stiffness=-1)


def test_designs_that_are_none() -> None:
    def objective(arm: appell.Robot) -> float:
        return arm.mass

    with pytest.raises(appell.NumberError, match="CMA-ES is for one"):
        studies.design(lambda numbers: PUMA, {"x": (0, 1)}, {"a": objective, "b": objective}, method="cma-es")
    with pytest.raises(appell.NumberError, match='method="grid"'):
        studies.design(lambda numbers: PUMA, {"x": (0, 1)}, {"a": objective}, method="grid")
    with pytest.raises(appell.NumberError, match="`x` is a name twice"):
        studies.design(lambda numbers: PUMA, {"x": (0, 1)}, {"x": objective})


@pytest.mark.parametrize("module", ["pymoo.algorithms.moo.nsga2", "cma"])
def test_optimisers_that_are_missing(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, module, None)
    method = "cma-es" if module == "cma" else "nsga2"
    with pytest.raises(ImportError, match=r"pip install 'appell\[design\]'"):
        studies.design(lambda numbers: PUMA, {"x": (0, 1)}, {"a": lambda arm: arm.mass}, method=method)


def all_studies() -> list[Any]:
    box = {"x": (-0.1, 0.1), "y": (0.2, 0.4)}
    return [
        studies.workspace(FIVE_BAR, box, points=64),
        studies.workspace(FIVE_BAR, space=appell.Refine(box, 4, 2, by="good")),
        studies.dexterity(FIVE_BAR, box, points=64),
        studies.worst_torques(FIVE_BAR, box, acceleration=3.0, points=64),
        studies.natural_frequencies(FIVE_BAR, box, stiffness=1e3, points=64),
        studies.tolerances(FIVE_BAR, points=64),
        studies.certificate(FIVE_BAR, {"x": (-0.1, 0.1), "y": (0.3, 0.4)}),
    ]


def test_pages_need_no_other_file(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib").use("Agg")
    for k, study in enumerate(all_studies()):
        page = study.page(tmp_path / f"{k}.html").read_text(encoding="utf-8")
        assert page.startswith("<!doctype html>") and f"<h1>{study.title}: five-bar linkage</h1>" in page
        assert "src='data:image/png;base64," in page and "href=" not in page
        assert all(f"<th scope='row'>{name}</th>" in page for name in study.table)
        assert study.swept.manifest["identity"] in page and "all that is needed" in page.lower()
        assert repr(study).splitlines()[0] == f"{study.title}: five-bar linkage" and study._repr_html_().count("<tr>") == len(study.table)
        with pytest.raises(KeyError, match="results are"):
            study["nonsense"]
    with pytest.raises(FileExistsError):
        study.page(tmp_path / "0.html")
