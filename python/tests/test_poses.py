"""Poses of a platform in all their forms, and wrenches from outside."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import appell
import states
from states import DELTA, PUMA, STEWART, close


def quaternion_of(pose: Any) -> Any:
    from scipy.spatial.transform import Rotation

    return Rotation.from_matrix(pose[..., :3, :3]).as_quat()


def some_poses(robot: appell.Robot, count: int) -> tuple[Any, Any, Any]:
    s = states.random(robot, count)
    result: tuple[Any, Any, Any] = robot.platform(s["q"], s["v"], s["a"])
    return result


@pytest.mark.parametrize("name", ["gough-stewart", "delta", "3-rps", "hexapod-6rus", "planar-3rrr", "par4"])
def test_poses_in_all_forms(name: str) -> None:
    rotation = pytest.importorskip("scipy.spatial.transform").Rotation
    robot = states.robot(name)
    poses, twists, accelerations = some_poses(robot, 5)
    expected = robot.inverse_dynamics(poses, twists, accelerations)
    p, quaternion, R = poses[:, :3, 3], quaternion_of(poses), poses[:, :3, :3]
    forms: dict[str, Any] = {
        "matrices": poses,
        "Fortran's order": np.asfortranarray(poses),
        "position and quaternion": (p, quaternion),
        "the other quaternion": (p, -quaternion),
        "position and matrix": (p, R),
        "position and Rotation": (p, rotation.from_quat(quaternion)),
        "seven numbers": np.hstack([p, quaternion]),
        "rounded quaternions": (p, np.round(quaternion, 12)),
    }
    for form, given in forms.items():
        assert close(robot.inverse_dynamics(given, twists, accelerations), expected, 1e-8), form
    one = robot.inverse_dynamics(poses[0], twists[0], accelerations[0], of="platform")
    assert close(one, expected[0], 1e-9)
    singles: dict[str, Any] = {
        "position and quaternion": (p[0], quaternion[0]),
        "lists": (p[0].tolist(), quaternion[0].tolist()),
        "position and matrix": (p[0], R[0]),
        "position and Rotation": (p[0], rotation.from_quat(quaternion[0])),
        "seven numbers": np.hstack([p[0], quaternion[0]]),
        "a list of seven": np.hstack([p[0], quaternion[0]]).tolist(),
    }
    for form, given in singles.items():
        found = robot.inverse_dynamics(given, twists[0], accelerations[0])
        assert found.shape == (robot.nv,) and close(found, one, 1e-8), form


def test_a_rotation_alone_is_at_the_home_position() -> None:
    rotation = pytest.importorskip("scipy.spatial.transform").Rotation
    turned = rotation.from_rotvec([0.05, -0.02, 0.1])
    pose = STEWART.home.copy()
    pose[:3, :3] = turned.as_matrix()
    assert close(STEWART.inverse_dynamics(turned), STEWART.inverse_dynamics(pose))


@pytest.mark.parametrize(
    "form", [lambda p: p, lambda p: (p[:3, 3], p[:3, :3]), lambda p: np.hstack([p[:3, 3], [0.0, 0.0, 0.0, 1.0]])]
)
def test_poses_in_single_precision_are_answered_in_it(form: Any) -> None:
    given = form(STEWART.home.astype(np.float32))
    given = tuple(x.astype(np.float32) for x in given) if isinstance(given, tuple) else given.astype(np.float32)
    found = STEWART.inverse_dynamics(given, of="platform")
    assert close(found, STEWART.inverse_dynamics(STEWART.home), 1e-5)
    assert found.dtype == np.float32


@pytest.mark.parametrize("attitude", range(24))
def test_every_quarter_turn_is_read_rightly(attitude: int) -> None:
    rotation = pytest.importorskip("scipy.spatial.transform").Rotation
    turned = rotation.create_group("O")[attitude]
    from appell import _poses

    found = _poses.of_rotations(turned.as_matrix())
    same = abs(float(found @ turned.as_quat()))
    assert same == pytest.approx(1.0, abs=1e-14)
    assert close(_poses.matrices(np.hstack([[1.0, 2.0, 3.0], found]))[:3, :3], turned.as_matrix(), 1e-14)


@pytest.mark.parametrize(
    "pose, kind",
    [
        (2.0 * np.eye(4), appell.NumberError),
        (-np.eye(4), appell.NumberError),
        (np.diag([-1.0, 1.0, 1.0, 1.0]), appell.NumberError),
        (np.full((4, 4), np.nan), appell.NumberError),
        (np.zeros((4, 4)), appell.NumberError),
        (np.eye(4)[:3], appell.ShapeError),
        (np.eye(3), appell.ShapeError),
        (np.zeros((2, 2, 4, 4)), appell.ShapeError),
        (([0.0, 0.0, 0.4], [0.0, 0.0, 0.0, 0.0]), appell.NumberError),
        (([0.0, 0.0, 0.4], [0.0, 0.0, 0.0, 2.0]), appell.NumberError),
        (([0.0, 0.0, 0.4], [np.nan, 0.0, 0.0, 1.0]), appell.NumberError),
        (([0.0, 0.0, np.inf], [0.0, 0.0, 0.0, 1.0]), appell.NumberError),
        (([0.0, 0.0], [0.0, 0.0, 0.0, 1.0]), appell.ShapeError),
        (([0.0, 0.0, 0.4], [0.0, 0.0, 1.0]), appell.ShapeError),
        ((np.zeros((3, 3)), np.tile([0.0, 0.0, 0.0, 1.0], (4, 1))), appell.ShapeError),
        ((np.zeros((2, 2, 3)), [0.0, 0.0, 0.0, 1.0]), appell.ShapeError),
        ([0.0, 0.0, 0.4, 0.0, 0.0, 0.0, 3.0], appell.NumberError),
        (([0.0, 0.0, 1e9], [0.0, 0.0, 0.0, 1.0]), appell.StateError),
    ],
)
def test_what_is_no_pose_is_refused(pose: Any, kind: Any) -> None:
    for question in "inverse-dynamics", "singularity", "frames":
        with pytest.raises(kind):
            STEWART.ask(question, pose)


def test_four_by_four_of_four_drives_must_be_said() -> None:
    robot = states.robot("par4")
    with pytest.raises(appell.ShapeError, match='of="platform"'):
        robot.inverse_dynamics(robot.home)
    q = np.tile(robot.home_positions, (4, 1))
    assert close(robot.inverse_dynamics(q, of="drives"), np.tile(robot.inverse_dynamics(robot.home, of="platform"), (4, 1)), 1e-8)


def test_twists_that_the_loops_forbid_are_refused() -> None:
    assert DELTA.inverse_dynamics(DELTA.home, [0.1, 0.0, 0.0, 0.0, 0.0, 0.0]).shape == (3,)
    with pytest.raises(appell.StateError, match="`wx`"):
        DELTA.inverse_dynamics(DELTA.home, [0.1, 0.0, 0.0, 1.0, 0.0, 0.0])
    few, six = DELTA.inverse_dynamics(DELTA.home, [0.1, 0.2, 0.3]), DELTA.inverse_dynamics(DELTA.home, [0.1, 0.2, 0.3, 0, 0, 0])
    nan = DELTA.inverse_dynamics(DELTA.home, [0.1, 0.2, 0.3, np.nan, np.nan, np.nan])
    assert close(few, six) and close(nan, six), "NaN is a component that follows from the others"
    with pytest.raises(appell.StateError, match="`vx`"):
        DELTA.inverse_dynamics(DELTA.home, [np.nan, 0.0, 0.0, 0.0, 0.0, 0.0])
    with pytest.raises(appell.NumberError):
        DELTA.inverse_dynamics(DELTA.home, [np.inf, 0.0, 0.0, 0.0, 0.0, 0.0])
    with pytest.raises(appell.ShapeError):
        DELTA.inverse_dynamics(DELTA.home, [0.0, 0.0])


# Wrenches from outside


@pytest.mark.parametrize("name", ["puma560", "scara", "seven-axis", "stanford"])
def test_wrenches_act_by_the_jacobian(name: str) -> None:
    robot = states.robot(name)
    s = states.random(robot, 7)
    rng = np.random.default_rng(3)
    frames = robot.frame_names
    wrenches = {frame: rng.uniform(-5, 5, (7, 6)) for frame in (frames[-1], frames[1])}
    free = robot.inverse_dynamics(s["q"], s["v"], s["a"])
    with_ = robot.inverse_dynamics(s["q"], s["v"], s["a"], external=wrenches)
    expected = sum(np.einsum("nij,ni->nj", robot.jacobian(s["q"], frame=frame), w) for frame, w in wrenches.items())
    assert close(free - with_, expected, 1e-9)
    for question in "bias", "motor-torques":
        vectors = states.arguments(question, s)
        assert close(robot.ask(question, *vectors) - robot.ask(question, *vectors, external=wrenches), expected, 1e-9)
    a = robot.forward_dynamics(s["q"], s["v"], with_, external=wrenches)
    assert close(a, s["a"], 1e-8)
    for method in robot.methods["inverse-dynamics"]:
        assert close(robot.inverse_dynamics(s["q"], s["v"], s["a"], external=wrenches, method=method), with_, 1e-9)
    singly = [
        robot.inverse_dynamics(s["q"][i], s["v"][i], s["a"][i], external={frame: w[i] for frame, w in wrenches.items()})
        for i in range(7)
    ]
    assert close(np.stack(singly), with_, 1e-12)
    shared = robot.inverse_dynamics(s["q"], external={frames[-1]: wrenches[frames[-1]][0]})
    singly = [robot.inverse_dynamics(q, external={frames[-1]: wrenches[frames[-1]][0].tolist()}) for q in s["q"]]
    assert close(shared, np.stack(singly), 1e-12)


@pytest.mark.parametrize("name", ["gough-stewart", "delta", "five-bar", "orthoglide"])
def test_wrenches_on_a_platform_act_by_its_jacobian(name: str) -> None:
    robot = states.robot(name)
    s = states.random(robot, 5)
    wrench = np.random.default_rng(4).uniform(-5, 5, (5, 6))
    free = robot.inverse_dynamics(s["q"], s["v"], s["a"])
    with_ = robot.inverse_dynamics(s["q"], s["v"], s["a"], external={"platform": wrench})
    assert close(free - with_, np.einsum("nij,ni->nj", robot.jacobian(s["q"]), wrench), 1e-8)


@pytest.mark.parametrize(
    "external, kind",
    [
        ([np.zeros(6)], TypeError),
        ({3: np.zeros(6)}, TypeError),
        ({"elbow": None}, TypeError),
        ({"elbow": "push"}, TypeError),
        ({"elbow": np.zeros(3)}, appell.ShapeError),
        ({"elbow": np.zeros((2, 2, 6))}, appell.ShapeError),
        ({"elbow": np.full(6, np.nan)}, appell.NumberError),
        ({"nowhere": np.zeros(6)}, appell.QuestionError),
        ({"": np.zeros(6)}, appell.QuestionError),
    ],
)
def test_wrong_wrenches(external: Any, kind: Any) -> None:
    with pytest.raises(kind):
        PUMA.inverse_dynamics(np.zeros(6), external=external)


def test_no_wrenches_are_no_change(q: Any, expected: Any) -> None:
    assert close(PUMA.inverse_dynamics(q, q, q, external={}), expected, 1e-14)
    assert close(PUMA.inverse_dynamics(q, q, q, external={"elbow": np.zeros(6)}), expected, 1e-13)
