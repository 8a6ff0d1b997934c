"""Every question of every built-in robot: one state and many, in every order of memory, by every method, against laws of mechanics."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import appell
import states
from states import NAMES, ask, close, error

COUNT = 9

QUESTIONS = list(appell.questions())

#: Every question with every robot that answers it.
ASKED = [(name, question) for name in NAMES for question in QUESTIONS if question in states.robot(name).methods]

OPEN = [name for name in NAMES if states.is_open(states.robot(name))]
CLOSED = [name for name in NAMES if name not in OPEN]
WITH_PLATFORM = [name for name in CLOSED if states.robot(name).home_numbers is not None]


def expected_shapes(robot: appell.Robot, question: str) -> list[tuple[int, ...]]:
    """The shapes that the docstrings promise for one state."""
    n, m, frames = len(robot.freedoms), robot.nv, len(robot.frame_names)
    is_open, joints = states.is_open(robot), len(robot.joints)
    has_platform = robot.home_numbers is not None
    return {
        "inverse-dynamics": [(m,)],
        "forward-dynamics": [(6,), (m,)] if has_platform else [(m,)],
        "inertia-matrix": [(n, n)],
        "bias": [(n,)],
        "gravity": [(n,)],
        "coriolis-vector": [(n,)],
        "coriolis-matrix": [(n, n)],
        "two-velocity-inverse-dynamics": [(n,)],
        "motor-torques": [(len(robot.motors),)],
        "reactions": [(len(robot.columns("reactions")) // 6, 6)],
        "regressor": [(m, len(robot.parameters))],
        "inverse-dynamics-derivatives": [(m, n)] * 3,
        "forward-dynamics-derivatives": [(n, n), (n, n), (n, m)],
        "energy": [(2,)],
        "momentum": [(6,)],
        "centre-of-mass": [(3,)],
        "centre-of-mass-jacobian": [(3, n)],
        "gibbs-function": [(1,)],
        "frames": [(frames, 4, 4)],
        "velocities": [(frames, 6)],
        "accelerations": [(frames, 6)],
        "jacobian": [(6, m)],
        "jacobian-rate": [(6,)],
        "singularity": [(3,)] if is_open else [(4,)],
        "actuated": [(m,)] * 3,
        "joints": [(joints,)] * 3,
        "platform": [(4, 4), (6,), (6,)],
        "inverse-jacobian": [(m, n)],
        "psi": [(6, n)] * 2,
    }[question]


def scale_of(question: str) -> float:
    """What differences are measured by where an answer may be zero but for rounding: Ψ, whose entries are 1 and its rate 0."""
    return 1.0 if question == "psi" else 0.0


# The table and the class


def test_every_question_has_a_method_and_every_method_a_question() -> None:
    signatures = {name: getattr(method, "__text_signature__", None) for name, method in vars(appell._appell.Robot).items()}
    asking = {name for name, signature in signatures.items() if signature and "threads" in signature}
    assert asking - {"ask", "_reach"} == {states.method_name(question) for question in QUESTIONS}
    for question in QUESTIONS:
        spelled = question.replace("-", "_")
        assert states.method_name(question) == spelled or question == "joints"
    assert isinstance(states.robot("puma560").joints, list), "the one method that is renamed gives way to this list"


def test_a_method_takes_the_vectors_of_its_question() -> None:
    for question, inputs in states.INPUTS.items():
        signature = getattr(appell._appell.Robot, states.method_name(question)).__text_signature__
        vectors = signature.partition("*")[0].replace("(", "").replace("$self", "").replace("/", "")
        names = [part.partition("=")[0].strip() for part in vectors.split(",") if part.strip(" )")]
        assert names == inputs, question


def test_every_question_is_answered_by_some_built_in_robot() -> None:
    assert {question for _, question in ASKED} == set(QUESTIONS)


# One state and many


@pytest.mark.parametrize("name, question", ASKED)
def test_shapes_are_those_documented(name: str, question: str) -> None:
    robot = states.robot(name)
    many = states.random(robot, COUNT)
    one = {key: value[0] for key, value in many.items()}
    shapes = expected_shapes(robot, question)
    assert [array.shape for array in ask(robot, question, one)] == shapes
    assert [array.shape for array in ask(robot, question, many)] == [(COUNT, *shape) for shape in shapes]
    numbers = len(robot.columns(question))
    in_columns = {"frames": numbers // 12 * 16, "platform": numbers + 9}.get(question, numbers)
    assert sum(int(np.prod(shape)) for shape in shapes) == in_columns
    assert all(array.dtype == np.float64 for array in ask(robot, question, many))


@pytest.mark.parametrize("name, question", ASKED)
def test_all_ways_to_give_states_agree(name: str, question: str) -> None:
    robot = states.robot(name)
    many = states.random(robot, COUNT)
    expected = ask(robot, question, many)

    def compare(found: tuple[Any, ...], what: str, tolerance: float = 1e-10) -> None:
        assert len(found) == len(expected), what
        for one, other in zip(found, expected):
            assert error(one, other, scale_of(question)) <= tolerance, what

    singly = [ask(robot, question, {key: value[i] for key, value in many.items()}) for i in range(COUNT)]
    compare(tuple(np.stack(arrays) for arrays in zip(*singly)), "states one by one")
    compare(ask(robot, question, {key: np.asfortranarray(value) for key, value in many.items()}), "Fortran's order")
    strided = {key: np.repeat(np.repeat(value, 3, axis=0), 2, axis=1)[::3, ::2] for key, value in many.items()}
    compare(ask(robot, question, strided), "strides")
    turned = {key: np.ascontiguousarray(value[::-1, ::-1])[::-1, ::-1] for key, value in many.items()}
    compare(ask(robot, question, turned), "negative strides")
    mixed = {key: np.asfortranarray(value) if k % 2 else value for k, (key, value) in enumerate(many.items())}
    compare(ask(robot, question, mixed), "mixed orders")
    compare(ask(robot, question, {key: value.tolist() for key, value in many.items()}), "lists")
    compare(ask(robot, question, many, threads=1), "one thread")
    vectors = states.arguments(question, many)
    by_name = robot.ask(question, **dict(zip(states.INPUTS[question], vectors)))
    compare(by_name if isinstance(by_name, tuple) else (by_name,), "ask by name")


@pytest.mark.parametrize("name, question", ASKED)
def test_single_precision_in_and_out(name: str, question: str) -> None:
    robot = states.robot(name)
    short = {key: value.astype(np.float32) for key, value in states.random(robot, COUNT).items()}
    expected = ask(robot, question, {key: value.astype(np.float64) for key, value in short.items()})
    for i, state in (None, short), (0, {key: value[0] for key, value in short.items()}):
        for one, other in zip(ask(robot, question, state), expected):
            assert one.dtype == np.float32
            assert close(one, other if i is None else other[i], 1e-6, scale_of(question))


@pytest.mark.parametrize("name, question", ASKED)
def test_all_methods_agree(name: str, question: str) -> None:
    robot = states.robot(name)
    many = states.random(robot, COUNT)
    expected = ask(robot, question, many)
    methods = robot.methods[question]
    assert methods
    for method in methods:
        # Solutions of linear equations are as near as the condition of their matrix lets them.
        for one, other in zip(ask(robot, question, many, method=method), expected):
            assert error(one, other, scale_of(question)) <= 1e-10, method
    with pytest.raises(appell.QuestionError, match="no-such-method|method"):
        ask(robot, question, many, method="no-such-method")


@pytest.mark.parametrize("name", NAMES)
def test_questions_that_a_robot_does_not_answer_are_refused(name: str) -> None:
    robot = states.robot(name)
    state = states.random(robot, 1)
    for question in set(QUESTIONS) - set(robot.methods):
        with pytest.raises(appell.QuestionError):
            ask(robot, question, state)


@pytest.mark.parametrize("name", NAMES)
def test_vectors_left_out_are_zero(name: str) -> None:
    robot = states.robot(name)
    many = states.random(robot, COUNT)
    for question in robot.methods:
        if question in ("forward-dynamics", "forward-dynamics-derivatives", "two-velocity-inverse-dynamics"):
            continue  # all their vectors must be given
        method = getattr(robot, states.method_name(question))
        zeros = {key: value if key == "q" else np.zeros_like(value) for key, value in many.items()}
        for i in None, 0:
            pick = slice(None) if i is None else i
            found = method(many["q"][pick])
            found = found if isinstance(found, tuple) else (found,)
            expected = ask(robot, question, {key: value[pick] for key, value in zeros.items()})
            assert all(close(one, other) for one, other in zip(found, expected)), question


@pytest.mark.parametrize("name", ["puma560", "delta"])
def test_one_vector_serves_all_states(name: str) -> None:
    robot = states.robot(name)
    many = states.random(robot, COUNT)
    found = robot.inverse_dynamics(many["q"][0], many["v"], many["a"][0])
    expected = [robot.inverse_dynamics(many["q"][0], v, many["a"][0]) for v in many["v"]]
    assert close(found, expected)


# Laws of open robots


def plain(robot: appell.Robot) -> appell.Robot:
    """The robot without friction and springs, which laws of energy leave out."""
    for joint in robot.joints:
        if joint["name"].startswith("platform."):
            continue  # the free motion of a platform that carries branches: no joint of the file
        robot = robot.with_joint(joint["name"], viscous=0.0, coulomb=0.0, offset=0.0, stiffness=0.0)
    return robot


def along(q: Any, v: Any, a: Any, time: float) -> tuple[Any, Any]:
    """Position and velocity after a time at constant acceleration."""
    return q + v * time + 0.5 * a * time**2, v + a * time


@pytest.mark.parametrize("name", NAMES)
def test_inertia_is_symmetric_and_positive(name: str) -> None:
    robot = states.robot(name)
    M = robot.inertia_matrix(states.random(robot, COUNT)["q"])
    assert close(M, np.swapaxes(M, 1, 2), 1e-12)
    assert (np.linalg.eigvalsh(M) > 0).all()


@pytest.mark.parametrize("name", NAMES)
def test_forward_dynamics_undoes_inverse_dynamics(name: str) -> None:
    robot = states.robot(name)
    s = states.random(robot, COUNT)
    tau = robot.inverse_dynamics(s["q"], s["v"], s["a"])
    answer = robot.forward_dynamics(s["q"], s["v"], tau)
    a = answer[-1] if isinstance(answer, tuple) else answer
    condition = np.linalg.cond(robot.inertia_matrix(s["q"])).max()
    assert error(a, s["a"]) <= max(1e-10, 100 * condition * np.finfo(float).eps)


@pytest.mark.parametrize("name", OPEN)
def test_inverse_dynamics_is_the_sum_of_its_parts(name: str) -> None:
    robot = states.robot(name)
    s = states.random(robot, COUNT)
    tau = robot.inverse_dynamics(s["q"], s["v"], s["a"])
    M, b = robot.inertia_matrix(s["q"]), robot.bias(s["q"], s["v"])
    assert close(tau, np.einsum("nij,nj->ni", M, s["a"]) + b)
    C, c = robot.coriolis_matrix(s["q"], s["v"]), robot.coriolis_vector(s["q"], s["v"])
    assert close(np.einsum("nij,nj->ni", C, s["v"]), c, scale=np.abs(tau).max())
    bare = plain(robot)
    assert close(bare.bias(s["q"], s["v"]), c + robot.gravity(s["q"]))
    two = robot.two_velocity_inverse_dynamics(s["q"], s["v"], s["a"], s["w"])
    expected = np.einsum("nij,nj->ni", M, s["a"]) + np.einsum("nij,nj->ni", C, s["w"]) + robot.gravity(s["q"])
    assert close(two, expected)


@pytest.mark.parametrize("name", OPEN)
def test_rate_of_inertia_less_twice_coriolis_is_skew(name: str) -> None:
    robot = states.robot(name)
    s = states.random(robot, COUNT)
    h = 1e-5
    rate = (robot.inertia_matrix(s["q"] + h * s["v"]) - robot.inertia_matrix(s["q"] - h * s["v"])) / (2 * h)
    C = robot.coriolis_matrix(s["q"], s["v"])
    assert np.abs(C).max() > 0
    assert close(C + np.swapaxes(C, 1, 2), rate, 1e-8)


@pytest.mark.parametrize("name", OPEN)
def test_power_is_the_rate_of_energy(name: str) -> None:
    robot = plain(states.robot(name))
    s = states.random(robot, COUNT)
    h = 1e-5
    after, before = (robot.energy(*along(s["q"], s["v"], s["a"], t)).sum(axis=1) for t in (h, -h))
    power = (robot.inverse_dynamics(s["q"], s["v"], s["a"]) * s["v"]).sum(axis=1)
    assert close((after - before) / (2 * h), power, 1e-7)
    kinetic = robot.energy(s["q"], s["v"])[:, 0]
    assert close(kinetic, 0.5 * np.einsum("ni,nij,nj->n", s["v"], robot.inertia_matrix(s["q"]), s["v"]))


@pytest.mark.parametrize("name", OPEN)
def test_gravity_is_the_gradient_of_potential_energy(name: str) -> None:
    robot = plain(states.robot(name))
    q = states.random(robot, COUNT)["q"]
    h = 1e-5
    for k, one in enumerate(np.eye(robot.nv)):
        rate = (robot.energy(q + h * one)[:, 1] - robot.energy(q - h * one)[:, 1]) / (2 * h)
        assert close(robot.gravity(q)[:, k], rate, 1e-7, scale=np.abs(robot.gravity(q)).max())


@pytest.mark.parametrize("name", NAMES)
def test_regressor_times_parameters_is_torque(name: str) -> None:
    robot = states.robot(name)
    s = states.random(robot, COUNT)
    Y, phi = robot.regressor(s["q"], s["v"], s["a"]), robot.parameter_values
    assert phi.shape == (len(robot.parameters),)
    assert len(set(robot.parameters)) == len(robot.parameters)
    tau = robot.inverse_dynamics(s["q"], s["v"], s["a"])
    assert close(Y @ phi, tau), "no built-in robot has springs"


def test_regressor_leaves_out_springs() -> None:
    robot = states.robot("two-link")
    sprung = robot.with_joint("short", stiffness=7.0, rest=0.3)
    s = states.random(sprung, COUNT)
    rest = sprung.inverse_dynamics(s["q"], s["v"], s["a"]) - sprung.regressor(s["q"], s["v"], s["a"]) @ sprung.parameter_values
    assert close(rest, np.stack([7.0 * (s["q"][:, 0] - 0.3), np.zeros(COUNT)], axis=1))


def test_regressor_of_friction_and_rotors() -> None:
    effects = dict(viscous=0.7, coulomb=1.3, offset=0.2, rotor_inertia=1e-4, gear=50.0)
    robot = states.robot("two-link").with_joint("long", **effects)
    s = states.random(robot, COUNT)
    Y, phi = robot.regressor(s["q"], s["v"], s["a"]), robot.parameter_values
    assert close(Y @ phi, robot.inverse_dynamics(s["q"], s["v"], s["a"]))
    bare = states.robot("two-link").inverse_dynamics(s["q"], s["v"], s["a"])
    named = dict(zip(robot.parameters, phi))
    assert named["long.viscous"] == pytest.approx(0.7) and named["long.coulomb"] == pytest.approx(1.3)
    assert named["long.rotor"] == pytest.approx(1e-4 * 50.0**2)
    own = 0.7 * s["v"][:, 1] + 1.3 * np.tanh(s["v"][:, 1] / 1e-3) + 0.2 + 0.25 * s["a"][:, 1]
    found = (robot.inverse_dynamics(s["q"], s["v"], s["a"]) - bare)[:, 1]
    assert close(found, own, 1e-6), "friction, with Coulomb's smoothed"


@pytest.mark.parametrize("name", OPEN)
def test_derivatives_of_dynamics_by_finite_differences(name: str) -> None:
    robot = states.robot(name)
    s = states.random(robot, COUNT)
    h = 1e-5
    for question, third in ("inverse-dynamics", "a"), ("forward-dynamics", "tau"):
        value = getattr(robot, states.method_name(question))
        given = [s["q"], s["v"], s[third]]
        exact = ask(robot, question + "-derivatives", s)
        for which, derivative in enumerate(exact):
            for k, one in enumerate(np.eye(robot.nv)):
                ends = []
                for sign in 1.0, -1.0:
                    moved = list(given)
                    moved[which] = moved[which] + sign * h * one
                    ends.append(value(*moved))
                assert close(derivative[:, :, k], (ends[0] - ends[1]) / (2 * h), 1e-5, scale=np.abs(derivative).max())
    M = robot.inertia_matrix(s["q"])
    assert close(robot.inverse_dynamics_derivatives(s["q"], s["v"], s["a"])[2], M)


@pytest.mark.parametrize("name", OPEN)
def test_gradient_of_gibbs_function_is_torque(name: str) -> None:
    robot = plain(states.robot(name))
    s = states.random(robot, COUNT)
    tau = robot.inverse_dynamics(s["q"], s["v"], s["a"])
    for k, one in enumerate(np.eye(robot.nv)):
        # Quadratic in the accelerations: a difference of any size is exact.
        high, low = (robot.gibbs_function(s["q"], s["v"], s["a"] + sign * one)[:, 0] for sign in (0.5, -0.5))
        size = max(np.abs(high).max(), np.abs(tau).max())
        assert close(high - low, tau[:, k], 1e-9, scale=size)


def twist_between(before: Any, after: Any, time: float) -> Any:
    """The mean velocity, linear first, in base axes, from a pose to another one near it."""
    linear = (after[..., :3, 3] - before[..., :3, 3]) / time
    spin = (after[..., :3, :3] - before[..., :3, :3]) / time
    skew = spin @ np.swapaxes(0.5 * (after + before)[..., :3, :3], -1, -2)
    return np.concatenate([linear, np.stack([skew[..., 2, 1], skew[..., 0, 2], skew[..., 1, 0]], axis=-1)], axis=-1)


@pytest.mark.parametrize("name", OPEN)
def test_jacobians_by_finite_differences_of_frames(name: str) -> None:
    robot = states.robot(name)
    q = states.random(robot, COUNT)["q"]
    h = 1e-5
    for index, frame in enumerate(robot.frame_names):
        J = robot.jacobian(q, frame=frame)
        for k, one in enumerate(np.eye(robot.nv)):
            ends = [robot.frames(q + sign * h * one)[:, index] for sign in (-1.0, 1.0)]
            assert close(J[:, :, k], twist_between(*ends, 2 * h), 1e-8, scale=1.0)
        R = robot.pose(q, frame)[:, :3, :3]
        turned = robot.jacobian(q, frame=frame, axes=frame)
        assert close(np.concatenate([R @ turned[:, :3], R @ turned[:, 3:]], axis=1), J)
    last = robot.frame_names[-1]
    assert close(robot.jacobian(q), robot.jacobian(q, frame=last))


@pytest.mark.parametrize("name", OPEN)
def test_velocities_and_accelerations_follow_from_jacobians(name: str) -> None:
    robot = states.robot(name)
    s = states.random(robot, COUNT)
    V, A = robot.velocities(s["q"], s["v"]), robot.accelerations(s["q"], s["v"], s["a"])
    h = 1e-5
    for index, frame in enumerate(robot.frame_names):
        J = robot.jacobian(s["q"], frame=frame)
        rate = robot.jacobian_rate(s["q"], s["v"], frame=frame)
        assert close(V[:, index], np.einsum("nij,nj->ni", J, s["v"]), scale=1.0)
        assert close(A[:, index], np.einsum("nij,nj->ni", J, s["a"]) + rate, scale=1.0)
        ends = [robot.velocities(*along(s["q"], s["v"], s["a"], t))[:, index] for t in (-h, h)]
        assert close(A[:, index], (ends[1] - ends[0]) / (2 * h), 1e-7, scale=1.0)


@pytest.mark.parametrize("name", OPEN)
def test_momentum_and_centre_of_mass(name: str) -> None:
    robot = states.robot(name)
    s = states.random(robot, COUNT)
    J = robot.centre_of_mass_jacobian(s["q"])
    h = 1e-5
    for k, one in enumerate(np.eye(robot.nv)):
        ends = [robot.centre_of_mass(s["q"] + sign * h * one) for sign in (-1.0, 1.0)]
        assert close(J[:, :, k], (ends[1] - ends[0]) / (2 * h), 1e-8, scale=1.0)
    linear = robot.momentum(s["q"], s["v"])[:, :3]
    assert close(linear, robot.mass * np.einsum("nij,nj->ni", J, s["v"]))
    height = robot.centre_of_mass(s["q"]) @ np.asarray(robot.gravity_vector)
    potential = robot.energy(s["q"])[:, 1]
    assert close(potential - potential[0], -robot.mass * (height - height[0]), scale=np.abs(potential).max())


@pytest.mark.parametrize("name", OPEN)
def test_singularity_is_that_of_the_jacobian(name: str) -> None:
    robot = states.robot(name)
    q = states.random(robot, COUNT)["q"]
    J = robot.jacobian(q)
    found = robot.singularity(q)
    values = np.linalg.svd(J, compute_uv=False)
    assert close(found[:, 0], np.prod(values[:, : min(6, robot.nv)], axis=1), 1e-9, scale=1.0)
    assert (found[:, 1] >= 0).all() and (found[:, 1] <= 1).all()
    assert (found[:, 2] == np.linalg.matrix_rank(J)).all()


@pytest.mark.parametrize("name", OPEN)
def test_reactions_of_one_body_are_newtons_law(name: str) -> None:
    robot = states.robot(name)
    s = states.random(robot, COUNT)
    reactions = robot.reactions(s["q"], s["v"], s["a"])
    assert robot.columns("reactions")[0] == f"{robot.joints[0]['name']}.fx"
    # The first joint carries everything: its force is the rate of momentum less the weight.
    first = robot.frames(s["q"])[:, robot.frame_names.index(robot.joints[0]["name"]), :3, :3]
    force = np.einsum("nij,nj->ni", first, reactions[:, 0, :3])
    h = 1e-5
    ends = [robot.momentum(*along(s["q"], s["v"], s["a"], t))[:, :3] for t in (-h, h)]
    expected = (ends[1] - ends[0]) / (2 * h) - robot.mass * np.asarray(robot.gravity_vector)
    assert close(force, expected, 1e-7)


@pytest.mark.parametrize("name", NAMES)
def test_frames_are_rigid(name: str) -> None:
    robot = states.robot(name)
    q = states.random(robot, COUNT)["q"]
    poses = robot.frames(q)
    R = poses[..., :3, :3]
    assert close(R @ np.swapaxes(R, -1, -2), np.broadcast_to(np.eye(3), R.shape), 1e-12)
    assert close(np.linalg.det(R), np.ones(R.shape[:2]), 1e-12)
    assert (poses[..., 3, :] == [0.0, 0.0, 0.0, 1.0]).all()
    for index, frame in enumerate(robot.frame_names):
        assert close(robot.pose(q, frame), poses[:, index], 1e-14)
        assert close(robot.pose(q[0], frame), poses[0, index], 1e-10)
    assert close(robot.pose(q), poses[:, -1], 1e-14)
    with pytest.raises(appell.QuestionError, match="no frame `nowhere`"):
        robot.pose(q, "nowhere")


def test_motors_without_transmissions_are_joints() -> None:
    robot = states.robot("puma560")
    s = states.random(robot, COUNT)
    assert close(robot.motor_torques(s["q"], s["v"], s["a"]), robot.inverse_dynamics(s["q"], s["v"], s["a"]))


def test_motor_torques_have_the_power_of_joint_torques() -> None:
    robot = states.data_file("geared-wrist.toml")
    s = states.random(robot, COUNT)
    motors, joints = robot.motor_torques(s["q"], s["v"], s["a"]), robot.inverse_dynamics(s["q"], s["v"], s["a"])
    assert motors.shape == (COUNT, len(robot.motors))
    by_motors = robot.methods["motor-torques"]
    for method in by_motors:
        assert close(robot.motor_torques(s["q"], s["v"], s["a"], method=method), motors)
    # Joint forces are linear in motors' with constant ratios: as many states as numbers tell the ratios of all.
    ratios = np.linalg.lstsq(motors[:5], joints[:5], rcond=None)[0]
    assert close(motors @ ratios, joints, 1e-8)


# Laws of robots with loops


def platform_state(robot: appell.Robot, count: int) -> tuple[Any, Any, Any, Any]:
    """Poses that the loops allow, twists, accelerations, and the drives' motion that they belong to."""
    s = states.random(robot, count)
    pose, twist, acceleration = robot.platform(s["q"], s["v"], s["a"])
    return pose, twist, acceleration, s


def same_turns(robot: appell.Robot, found: Any, expected: Any) -> Any:
    """Positions of joints with as many whole turns as others: a pose does not tell them."""
    turns = 2 * np.pi * np.array([joint["kind"] == "revolute" for joint in robot.joints])
    if found.shape[-1] == robot.nv:
        names = [joint["name"] for joint in robot.joints]
        turns = turns[[names.index(drive) for drive in robot.drives]]
    return found + turns * np.round((expected - found) / np.where(turns > 0, turns, 1.0))


def independent(robot: appell.Robot, twist: Any) -> Any:
    """The independent components of a twist."""
    return twist[:, [["vx", "vy", "vz", "wx", "wy", "wz"].index(name) for name in robot.freedoms]]


@pytest.mark.parametrize("name", WITH_PLATFORM)
def test_platform_and_drives_are_the_same_motion(name: str) -> None:
    robot = states.robot(name)
    pose, twist, acceleration, s = platform_state(robot, COUNT)
    q, v, a = robot.actuated(pose, twist, acceleration)
    q = same_turns(robot, q, s["q"])
    assert close(q, s["q"], 1e-9) and close(v, s["v"], 1e-9) and close(a, s["a"], 1e-8)
    again = robot.platform(q, v, a)
    assert close(again[0], pose, 1e-9) and close(again[1], twist, 1e-9) and close(again[2], acceleration, 1e-8)


@pytest.mark.parametrize("name, question", [pair for pair in ASKED if pair[0] in WITH_PLATFORM])
def test_questions_from_the_platforms_motion_agree_with_the_drives(name: str, question: str) -> None:
    robot = states.robot(name)
    pose, twist, acceleration, s = platform_state(robot, COUNT)
    expected = ask(robot, question, s)

    def compare(found: tuple[Any, ...], expected: Any, what: str) -> None:
        for k, (one, other) in enumerate(zip(found, expected)):
            if question in ("actuated", "joints") and k == 0:
                one = same_turns(robot, one, other)
            assert error(one, other, scale_of(question)) <= 1e-8, what

    moved = {"q": pose, "v": twist, "a": acceleration, "tau": s["tau"]}
    compare(ask(robot, question, moved), expected, "six components")
    few = {"q": pose, "v": independent(robot, twist), "a": independent(robot, acceleration), "tau": s["tau"]}
    compare(ask(robot, question, few), expected, "independent components alone")
    single = {key: value[0] for key, value in moved.items()}
    compare(ask(robot, question, single, of="platform"), [array[0] for array in expected], "one state")


@pytest.mark.parametrize("name", WITH_PLATFORM)
def test_jacobians_of_robots_with_loops(name: str) -> None:
    robot = states.robot(name)
    pose, twist, _, s = platform_state(robot, COUNT)
    r = independent(robot, twist)
    inverse, psi = robot.inverse_jacobian(s["q"]), robot.psi(s["q"], s["v"])[0]
    assert close(np.einsum("nij,nj->ni", inverse, r), s["v"])
    assert close(np.einsum("nij,nj->ni", psi, r), twist)
    assert close(np.einsum("nij,nj->ni", robot.jacobian(s["q"]), s["v"]), twist)
    h = 1e-5
    ends = [robot.platform(*along(s["q"], s["v"], 0.0 * s["a"], t)[:1])[0] for t in (-h, h)]
    assert close(twist_between(*ends, 2 * h), twist, 1e-6)
    ends = [robot.psi(*along(s["q"], s["v"], 0.0 * s["a"], t)) for t in (-h, h)]
    assert close(robot.psi(s["q"], s["v"])[1], (ends[1][0] - ends[0][0]) / (2 * h), 1e-6, scale=1.0)


@pytest.mark.parametrize("name", CLOSED)
def test_drives_have_the_power_of_the_independent_velocities(name: str) -> None:
    robot = states.robot(name)
    s = states.random(robot, COUNT)
    tau = robot.inverse_dynamics(s["q"], s["v"], s["a"])
    if name in WITH_PLATFORM:
        _, twist, acceleration = robot.platform(s["q"], s["v"], s["a"])
        r, r_dot = independent(robot, twist), independent(robot, acceleration)
    else:
        r, r_dot = s["v"], s["a"]  # its drives are its freedoms
    M, bias = robot.inertia_matrix(s["q"]), robot.bias(s["q"], s["v"])
    assert close(np.einsum("nij,ni->nj", robot.inverse_jacobian(s["q"]), tau), np.einsum("nij,nj->ni", M, r_dot) + bias, 1e-9)
    kinetic = robot.energy(s["q"], s["v"])[:, 0]
    assert close(kinetic, 0.5 * np.einsum("ni,nij,nj->n", r, M, r), 1e-9)
    c, C = robot.coriolis_vector(s["q"], s["v"]), robot.coriolis_matrix(s["q"], s["v"])
    assert close(np.einsum("nij,nj->ni", C, r), c, 1e-9, scale=np.abs(bias).max())


@pytest.mark.parametrize("name", CLOSED)
def test_power_is_the_rate_of_energy_with_loops(name: str) -> None:
    robot = plain(states.robot(name))
    s = states.random(robot, COUNT)
    h = 1e-5
    after, before = (robot.energy(*along(s["q"], s["v"], s["a"], t)).sum(axis=1) for t in (h, -h))
    power = (robot.inverse_dynamics(s["q"], s["v"], s["a"]) * s["v"]).sum(axis=1)
    assert close((after - before) / (2 * h), power, 1e-5)


@pytest.mark.parametrize("name", CLOSED)
def test_joint_motion_holds_the_drives(name: str) -> None:
    robot = states.robot(name)
    s = states.random(robot, COUNT)
    driven = [joint["name"] for joint in robot.joints]
    places = [driven.index(drive) for drive in robot.drives]
    for all_, drives, given in zip(robot.joint_motion(s["q"], s["v"], s["a"]), robot.actuated(s["q"], s["v"], s["a"]), "qva"):
        assert all_.shape == (COUNT, len(robot.joints))
        assert close(all_[:, places], drives, 1e-12)
        assert close(drives, s[given], 1e-9)


@pytest.mark.parametrize("name", CLOSED)
def test_singularity_numbers_are_inverse_conditions(name: str) -> None:
    robot = states.robot(name)
    found = robot.singularity(states.random(robot, COUNT)["q"])
    assert (found >= 0).all() and (found <= 1 + 1e-12).all()
    assert (found > 0).all(), "states near home are regular"
