"""Models of Pinocchio, read by appell.compat.pinocchio, against Pinocchio's own answers."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import appell
from appell.compat import pinocchio as bridge

from .robots import assert_examples_hold

pin = pytest.importorskip("pinocchio", reason="pinocchio is not installed: pip install pin example-robot-data")

#: Relative to the largest number of an answer.
TOLERANCE = 1e-10


def robots() -> list[Path]:
    """The robots of the package example-robot-data, if it is installed."""
    prefix = Path(pin.__file__)
    folders = [folder / "share/example-robot-data/robots" for folder in prefix.parents]
    return sorted(path for folder in folders if folder.is_dir() for path in folder.rglob("*.urdf"))


def difference(ours: Any, theirs: Any) -> float:
    gap = np.max(np.abs(np.asarray(ours) - np.asarray(theirs)), initial=0.0)
    return float(gap / max(np.max(np.abs(theirs), initial=0.0), 1e-300)) if gap > 0.0 else 0.0


def whole(upper: Any) -> Any:
    return np.triu(upper) + np.triu(upper, 1).T


def agree(model: Any, states: int = 3) -> appell.Robot:
    """Asserts that both libraries answer alike in random states, and gives the robot."""
    data, robot = model.createData(), bridge.from_model(model)
    assert robot.nv == model.nv
    names = bridge.frame_names(model)
    assert len(set(names)) == len(names)
    rng = np.random.default_rng(7)
    pin.seed(7)
    for _ in range(states):
        theirs = pin.randomConfiguration(model, np.full(model.nq, -2.0), np.full(model.nq, 2.0))
        v, a, tau = rng.normal(size=(3, model.nv))
        q = bridge.q_to_appell(model, theirs)
        assert difference(bridge.q_to_pinocchio(model, q), theirs) < 1e-14
        M = whole(pin.crba(model, data, theirs))
        derivatives = None if has_mimic(model) else pin.computeRNEADerivatives(model, data, theirs, v, a)
        expected = {
            "rnea": (robot.inverse_dynamics(q, v, a), pin.rnea(model, data, theirs, v, a)),
            "crba": (robot.inertia_matrix(q), M),
            "nle": (robot.bias(q, v), pin.nonLinearEffects(model, data, theirs, v)),
            "gravity": (robot.gravity(q), pin.computeGeneralizedGravity(model, data, theirs)),
        }
        by_q, by_v, by_a = robot.inverse_dynamics_derivatives(q, v, a)
        expected["da"] = (by_a, M)
        if derivatives is not None and not turns_its_axes(model):
            expected |= {"dq": (by_q, derivatives[0]), "dv": (by_v, derivatives[1])}
        else:
            for mine, along in ((by_q, "q"), (by_v, "v")):
                columns = [differences(model, theirs, v, a, along, step) for step in 1e-6 * np.eye(model.nv)]
                assert difference(mine, np.array(columns).T / 2e-6) < 1e-6, along
        scale = max(np.max(np.abs(pair[1])) for pair in expected.values())
        for what, (mine, other) in expected.items():
            size = max(np.max(np.abs(other)), 1e-6 * scale)  # what is zero there may be rounding here
            assert np.max(np.abs(mine - other)) <= TOLERANCE * size, what
        condition = np.linalg.cond(M)
        if condition < 1e12 and not has_mimic(model):  # Pinocchio's aba knows no joints that follow others
            acceleration = pin.aba(model, data, theirs, v, tau)
            allowed = max(TOLERANCE, 20 * condition * np.finfo(float).eps)
            assert difference(robot.forward_dynamics(q, v, tau), acceleration) < allowed
        pin.framesForwardKinematics(model, data, theirs)
        poses, ours = robot.frames(q), robot.frame_names
        for k, name in enumerate(names):
            if name != "base":
                assert difference(poses[ours.index(name)], data.oMf[k].homogeneous) < TOLERANCE, name
        moving = [k for k, name in enumerate(names) if name != "base"]
        for k in moving[-2:]:
            for axes, frame in ((None, pin.LOCAL_WORLD_ALIGNED), (names[k], pin.LOCAL)):
                J = pin.computeFrameJacobian(model, data, theirs, k, frame).reshape(6, model.nv)
                assert np.max(np.abs(robot.jacobian(q, frame=names[k], axes=axes) - J)) < TOLERANCE, names[k]
    return robot


def differences(model: Any, q: Any, v: Any, a: Any, along: str, step: Any) -> Any:
    """How Pinocchio's torques differ between the two ends of a step back and one forth."""
    data = model.createData()
    if along == "q":
        ends = [pin.rnea(model, data, pin.integrate(model, q, end), v, a).copy() for end in (step, -step)]
    else:
        ends = [pin.rnea(model, data, q, v + end, a).copy() for end in (step, -step)]
    return ends[0] - ends[1]


def turns_its_axes(model: Any) -> bool:
    """Whether axes of a joint move against its body, which Pinocchio's derivatives leave out."""
    return any(kind in joint.shortname() for joint in model.joints for kind in ("ZYX", "Universal", "Composite"))


def has_mimic(model: Any) -> bool:
    return len(getattr(model, "mimicking_joints", [])) > 0


def chain(*joints: Any) -> Any:
    """A model of joints one on the other, in random places, with random bodies, rotors and gravity."""
    model, parent = pin.Model(), 0
    for k, joint in enumerate(joints):
        parent = model.addJoint(parent, joint, pin.SE3.Random(), f"j{k}")
        model.appendBodyToJoint(parent, pin.Inertia.Random(), pin.SE3.Random())
        frame = model.addJointFrame(parent)
        model.addBodyFrame(f"body {k}", parent, pin.SE3.Random(), frame)
    model.gravity.linear = np.array([1.0, 2.0, -8.0])
    return model


AXIS = np.array([1.0, 2.0, 3.0]) / np.sqrt(14.0)


def composite() -> Any:
    joint = pin.JointModelComposite()
    for element in (pin.JointModelRX(), pin.JointModelPY(), pin.JointModelRUBZ()):
        joint.addJoint(element, pin.SE3.Random())
    return joint


JOINTS: dict[str, Any] = {
    "RX": lambda: pin.JointModelRX(),
    "PY": lambda: pin.JointModelPY(),
    "RUBY": lambda: pin.JointModelRUBY(),
    "RevoluteUnaligned": lambda: pin.JointModelRevoluteUnaligned(AXIS),
    "PrismaticUnaligned": lambda: pin.JointModelPrismaticUnaligned(AXIS),
    "HZ": lambda: pin.JointModelHZ(0.3),
    "HelicalUnaligned": lambda: pin.JointModelHelicalUnaligned(AXIS, -0.2),
    "Translation": lambda: pin.JointModelTranslation(),
    "SphericalZYX": lambda: pin.JointModelSphericalZYX(),
    "Universal": lambda: pin.JointModelUniversal(np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.6, 0.8])),
    "Composite": composite,
    "Spherical": lambda: pin.JointModelSpherical(),
    "FreeFlyer": lambda: pin.JointModelFreeFlyer(),
}


@pytest.mark.parametrize("kind", JOINTS)
def test_every_joint(kind: str) -> None:
    pin.seed(3)
    np.random.seed(3)
    model = chain(pin.JointModelRZ(), JOINTS[kind](), pin.JointModelPX(), pin.JointModelRY())
    if kind not in ("Spherical", "FreeFlyer"):
        model.armature = np.random.default_rng(0).uniform(0.1, 1.0, model.nv)
    agree(model)


@pytest.mark.parametrize("kind", ["Spherical", "FreeFlyer", "Composite", "RUBY"])
def test_every_joint_at_the_root(kind: str) -> None:
    pin.seed(4)
    agree(chain(JOINTS[kind](), pin.JointModelRY()))


@pytest.mark.parametrize("sample", ["Manipulator", "Humanoid", "HumanoidRandom"])
def test_sample_models(sample: str) -> None:
    agree(getattr(pin, f"buildSampleModel{sample}")())


@pytest.mark.parametrize("path", robots(), ids=lambda path: path.stem)
@pytest.mark.parametrize("floating", [False, True], ids=["fixed", "floating"])
def test_example_robot_data(path: Path, floating: bool) -> None:
    root = [pin.JointModelFreeFlyer()] if floating else []
    try:
        model = pin.buildModelFromUrdf(str(path), *root)
    except (ValueError, RuntimeError) as error:
        pytest.skip(f"Pinocchio does not read it: {str(error).splitlines()[0]}")
    if model.nv == 0:
        with pytest.raises(appell.RobotError, match="no joint"):
            bridge.from_model(model)
        return
    agree(model, states=2)


def urdf(joints: str) -> str:
    body = '<inertial><origin xyz="0.1 0.2 0.3"/><mass value="2"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
    links = '<link name="l0"/>' + "".join(f'<link name="l{k}">{body}</link>' for k in (1, 2, 3))
    return f'<robot name="arm">{links}{joints}</robot>'


def joint(k: int, kind: str, inside: str) -> str:
    origin = f'<origin xyz="0.1 0.{k} 0.2" rpy="0.{k} 1.5707963267948966 0.3"/>'
    return f'<joint name="j{k}" type="{kind}"><parent link="l{k - 1}"/><child link="l{k}"/>{origin}{inside}</joint>'


def test_a_continuous_joint_about_any_axis() -> None:
    axis = '<axis xyz="0.48 0.6 0.64"/>'
    text = urdf(joint(1, "continuous", axis) + joint(2, "continuous", axis) + joint(3, "prismatic", axis + LIMIT))
    model = pin.buildModelFromXML(text)
    assert "Unbounded" in model.joints[1].shortname()
    robot = agree(model)
    assert (robot.nq, model.nq) == (3, 5)
    batch = np.random.default_rng(0).uniform(-3, 3, (7, 3))
    np.testing.assert_allclose(bridge.q_to_appell(model, bridge.q_to_pinocchio(model, batch)), batch, atol=1e-14)


LIMIT = '<limit lower="-1" upper="2" velocity="3" effort="40"/>'


def test_joints_that_follow_others() -> None:
    mimic = '<mimic joint="j1" multiplier="-2.5" offset="0.3"/>'
    text = urdf(joint(1, "revolute", LIMIT) + joint(2, "revolute", LIMIT) + joint(3, "prismatic", LIMIT + mimic))
    model = pin.buildModelFromXML(text, mimic=True)
    assert has_mimic(model) and model.nv == 2
    agree(model)


@pytest.mark.parametrize("kind", ["revolute", "continuous", "prismatic"])
def test_one_number_moves_two_joints(kind: str) -> None:
    mimic = '<mimic joint="j1" multiplier="0.5" offset="-0.1"/>'
    text = urdf(joint(1, kind, LIMIT) + joint(2, kind, LIMIT + mimic) + joint(3, "fixed", ""))
    model = pin.buildModelFromXML(text, mimic=True)
    assert model.nv == 1
    agree(model)


def test_limits_rotors_and_friction_are_taken_over() -> None:
    inside = LIMIT + '<dynamics damping="0.5" friction="0.25"/>'
    model = pin.buildModelFromXML(urdf(joint(1, "revolute", inside) + joint(2, "prismatic", inside) + joint(3, "revolute", LIMIT)))
    model.armature = np.array([0.5, 0.0, 0.25])
    model.rotorInertia, model.rotorGearRatio = np.array([0.5, 0.0, 0.01]), np.array([1.0, 1.0, 5.0])
    robot = agree(model)
    first = robot.joints[0]
    assert (first["lower"], first["upper"], first["velocity"], first["effort"]) == (-1.0, 2.0, 3.0, 40.0)
    values = dict(zip(robot.parameters, robot.parameter_values))
    assert (values["j1.rotor"], values["j2.rotor"], values["j3.rotor"]) == (0.5, 0.0, 0.25)
    assert values["j1.viscous"] == 0.0
    rubbing = bridge.from_model(model, friction=True)
    values = dict(zip(rubbing.parameters, rubbing.parameter_values))
    assert (values["j1.viscous"], values["j1.coulomb"], values["j3.viscous"]) == (0.5, 0.25, 0.0)


def test_reduced_and_pickled() -> None:
    whole_model = pin.buildSampleModelHumanoid()
    model = pin.buildReducedModel(whole_model, [5, 9], pin.neutral(whole_model))
    robot = agree(model)
    assert pickle.loads(pickle.dumps(robot)) == robot


def test_names() -> None:
    model = pin.Model()
    parent = model.addJoint(0, pin.JointModelRX(), pin.SE3.Identity(), "base")
    model.appendBodyToJoint(parent, pin.Inertia.Random(), pin.SE3.Identity())
    frame = model.addJointFrame(parent)
    model.addBodyFrame("base", parent, pin.SE3.Random(), frame)
    model.addBodyFrame('odd, "name" <&>', parent, pin.SE3.Random(), frame)
    robot = agree(model)
    assert bridge.frame_names(model) == ["base", "joint:base", "body:base", "odd_ _name_ <&>"]
    assert not any("the name" in warning for warning in robot.warnings)


def test_what_has_no_equal_is_refused() -> None:
    with pytest.raises(appell.RobotError, match="`j0` is a .*Planar"):
        bridge.from_model(chain(pin.JointModelPlanar()))
    model = chain(pin.JointModelFreeFlyer())
    model.armature = np.ones(6)
    with pytest.raises(appell.RobotError, match="`j0` of several turns has the armature"):
        bridge.from_model(model)
    with pytest.raises(appell.ShapeError, match=r"expected \(7,\) or \(N, 7\)"):
        bridge.q_to_appell(model, np.zeros(6))


def test_the_rows_of_the_page() -> None:
    """What docs/python/pinocchio.md says beside what `agree` compares."""
    model = pin.buildSampleModelHumanoidRandom()
    data, robot = model.createData(), bridge.from_model(model)
    pin.seed(1)
    theirs = pin.randomConfiguration(model, -np.ones(model.nq), np.ones(model.nq))
    rng = np.random.default_rng(0)
    v, a, tau = rng.normal(size=(3, model.nv))
    q = bridge.q_to_appell(model, theirs)
    np.testing.assert_array_equal(robot.neutral, bridge.q_to_appell(model, pin.neutral(model)))
    parameters = np.concatenate([body.toDynamicParameters() for body in list(model.inertias)[1:]])
    frame, world = model.nframes - 1, pin.LOCAL_WORLD_ALIGNED
    name = bridge.frame_names(model)[frame]
    index = robot.frame_names.index(name)
    pin.forwardKinematics(model, data, theirs, v, a)
    velocity = pin.getFrameVelocity(model, data, frame, world).vector
    acceleration = pin.getFrameClassicalAcceleration(model, data, frame, world).vector
    pin.computeJointJacobiansTimeVariation(model, data, theirs, v)
    rate = pin.getFrameJacobianTimeVariation(model, data, frame, world) @ v
    force = pin.Force(rng.normal(size=6))
    forces = [pin.Force.Zero() for _ in range(model.njoints)]
    forces[5] = force
    elbow = str(model.names[5])
    R = robot.pose(q, elbow)[:3, :3]
    external = {elbow: np.concatenate([R @ force.linear, R @ force.angular])}
    loaded = pin.rnea(model, data, theirs, v, a, forces).copy()
    pin.rnea(model, data, theirs, v, a)
    reactions = np.array([wrench.vector for wrench in list(data.f)[1:]])
    energy = [pin.computeKineticEnergy(model, data, theirs, v), pin.computePotentialEnergy(model, data, theirs)]
    by_q, by_v, by_tau = pin.computeABADerivatives(model, data, theirs, v, tau)
    ours = robot.forward_dynamics_derivatives(q, v, tau)
    for what, mine, other in [
        ("regressor", robot.regressor(q, v, a), pin.computeJointTorqueRegressor(model, data, theirs, v, a)),
        ("parameters", robot.parameter_values, parameters),
        ("velocity", robot.velocities(q, v)[index], velocity),
        ("acceleration", robot.accelerations(q, v, a)[index], acceleration),
        ("jacobian rate", robot.jacobian_rate(q, v, frame=name), rate),
        ("external", robot.inverse_dynamics(q, v, a, external=external), loaded),
        ("reactions", robot.reactions(q, v, a), reactions),
        ("energy", robot.energy(q, v), energy),
        ("centre of mass", robot.centre_of_mass(q), pin.centerOfMass(model, data, theirs)),
        ("its Jacobian", robot.centre_of_mass_jacobian(q), pin.jacobianCenterOfMass(model, data, theirs)),
        ("momentum", robot.momentum(q, v), pin.computeCentroidalMomentum(model, data, theirs, v).vector),
        ("centroidal map", robot.momentum(q, np.eye(model.nv)).T, pin.computeCentroidalMap(model, data, theirs)),
        ("coriolis", robot.coriolis_matrix(q, v), pin.computeCoriolisMatrix(model, data, theirs, v)),
        ("aba by q", ours[0], by_q),
        ("aba by v", ours[1], by_v),
        ("aba by tau", ours[2], whole(by_tau)),
        ("inverse of M", ours[2], whole(pin.computeMinverse(model, data, theirs))),
    ]:
        assert difference(mine, other) < TOLERANCE, what


def test_examples() -> None:
    assert_examples_hold(bridge)
