"""Rollouts: beside steps in Python by the library's own dynamics, and laws and costs of one's own beside those of the package."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np
import pytest

import appell
from appell import rollouts

PUMA = appell.load("puma560")
# Not the stiff one of the paper: steps of a fixed length are to follow it.
ARM = appell.load("two-link").with_body("short", mass=2.0, inertia=[0.1] * 3 + [0.0] * 3)
ARM = ARM.with_body("long", mass=1.0, com=[0.3, 0, 0], inertia=[0.05] * 3 + [0.0] * 3)
FIVE_BAR = appell.load("five-bar")
RNG = np.random.default_rng(24)
DT = 2e-3


def stepped(rates: Callable[[float, Any, Any], Any], q: Any, v: Any, steps: int, dt: float = DT, scheme: str = "rk4") -> tuple[Any, Any]:
    """The same schemes, by NumPy: `rates(t, q, v)` are accelerations."""
    for k in range(steps):
        t = k * dt
        if scheme == "semi-implicit":
            v = v + dt * rates(t, q, v)
            q = q + dt * v
            continue
        a1 = rates(t, q, v)
        v2 = v + dt / 2 * a1
        a2 = rates(t + dt / 2, q + dt / 2 * v, v2)
        v3 = v + dt / 2 * a2
        a3 = rates(t + dt / 2, q + dt / 2 * v2, v3)
        v4 = v + dt * a3
        a4 = rates(t + dt, q + dt * v3, v4)
        q = q + dt / 6 * (v + 2 * v2 + 2 * v3 + v4)
        v = v + dt / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
    return q, v


def off(found: Any, expected: Any) -> float:
    return float((np.abs(found - expected) / np.maximum(1.0, np.abs(expected))).max())


def passage(start: Any, goal: Any, time: float, t: float) -> tuple[Any, Any, Any]:
    s = min(t / time, 1.0)
    way = np.asarray(goal) - start
    return (
        start + way * s**3 * (10 - 15 * s + 6 * s**2),
        way * 30 * s**2 * (1 - s) ** 2 / time,
        way * 60 * s * (1 - s) * (1 - 2 * s) / time**2,
    )


@pytest.mark.parametrize("scheme", ["rk4", "semi-implicit"])
def test_computed_torque_is_that_of_the_library(scheme: str) -> None:
    q0, v0, goals = RNG.uniform(-1, 1, (3, 9, 6))
    kp, kd = np.linspace(50, 100, 6), 15.0
    law = rollouts.computed_torque(kp, kd, rollouts.passage(q0, goals, time=0.1))

    def torques(t: float, q: Any, v: Any) -> Any:
        q_d, v_d, a_d = passage(q0, goals, 0.1, t)
        return PUMA.inverse_dynamics(q, v, a_d + kd * (v_d - v) + kp * (q_d - q))

    found = PUMA.rollout(q0, v0, law, 60, DT, scheme=scheme, stored=["torques", "positions"], stride=30)
    q, v = stepped(lambda t, q, v: PUMA.forward_dynamics(q, v, torques(t, q, v)), q0, v0, 60, scheme=scheme)
    assert off(found.q, q) < 1e-10 and off(found.v, v) < 1e-10
    assert found.positions is not None and found.torques is not None and found.velocities is None
    assert found.positions.shape == found.torques.shape == (9, 2, 6)
    assert np.allclose(found.t, [0.06, 0.12]) and np.array_equal(found.positions[:, -1], found.q)
    before = PUMA.rollout(q0, v0, law, 59, DT, scheme=scheme)
    assert off(found.torques[:, -1], torques(59 * DT, before.q, before.v)) < 1e-9
    assert found.astray is None and found.ended is None and found.cost is None and found.violation is None


def test_one_robot_has_no_axis_of_robots_and_one_vector_serves_all() -> None:
    law = rollouts.gravity_pd(50.0, 9.0, rollouts.sinusoid([0.1, 0.2], 0.3, 6.0))
    one = ARM.rollout([0.1, 0.2], None, law, 40, DT, stored="positions")
    assert ">(2,)<" in one._repr_html_() and np.array_equal(ARM.rollout(0.0, None, law, 1, DT).q, ARM.rollout([0.0, 0.0], None, law, 1, DT).q)
    assert one.q.shape == (2,) and one.positions is not None and one.positions.shape == (40, 2)
    many = ARM.rollout(np.tile([0.1, 0.2], (20, 1)), [0.0, 0.0], law, 40, DT)
    assert many.q.shape == (20, 2) and off(many.q, one.q) < 1e-13

    def rates(t: float, q: Any, v: Any) -> Any:
        q_d, v_d = [0.1, 0.2] + 0.3 * np.sin(6 * t), 0.3 * 6 * np.cos(6 * t)
        return ARM.forward_dynamics(q, v, ARM.gravity(q) + 9.0 * (v_d - v) + 50.0 * (q_d - q))

    q, v = stepped(rates, np.array([0.1, 0.2]), np.zeros(2), 40)
    assert off(one.q, q) < 1e-10 and off(one.v, v) < 1e-10
    assert ARM.rollout(np.empty((0, 2)), None, law, 40, DT).q.shape == (0, 2)


def test_every_robot_has_parameters_of_its_own() -> None:
    count, robot = 9, PUMA.with_frame("tool", "wrist-yaw", xyz=(0, 0.02, 0.1), rpy=(0.3, 0, 0))
    varied = {
        "m2": RNG.uniform(15, 20, count),
        "Izz3": RNG.uniform(3.0, 3.5, count),
        "viscous.elbow": RNG.uniform(0, 2, count),
        "payload.tool": RNG.uniform(0, 3, count),
    }
    tau = RNG.uniform(-5, 5, (count, 30, 6))
    found = robot.rollout(np.full(6, 0.2), None, rollouts.open_torques(tau), 30, DT, varied=varied)
    assert len(np.unique(found.q[:, 1])) == count
    for k in (0, count - 1):
        mass, inertia, viscous, load = (float(value[k]) for value in varied.values())
        other = robot.with_body("shoulder", mass=mass).with_body("elbow", inertia=[3.3768, 0.3009, inertia, 0, 0, 0])
        other = other.with_joint("elbow", viscous=viscous).with_payload(load, frame="tool")

        def rates(t: float, q: Any, v: Any) -> Any:
            return other.forward_dynamics(q, v, held)

        q, v = np.full(6, 0.2), np.zeros(6)
        for held in tau[k]:
            q, v = stepped(rates, q, v, 1)
        assert off(found.q[k], q) < 1e-10 and off(found.v[k], v) < 1e-10


def test_coulomb_friction_varies_where_it_is_smooth() -> None:
    law = rollouts.open_torques(np.zeros((20, 2)))
    smooth = ARM.with_joint("long", smoothing=0.01)
    found = smooth.rollout([0.1, 0.2], [1.0, 2.0], law, 20, DT, varied={"coulomb.long": [0.0, 0.1]})
    rough = smooth.with_joint("long", coulomb=0.1)
    q, _ = stepped(lambda t, q, v: rough.forward_dynamics(q, v, [0, 0]), np.array([0.1, 0.2]), np.array([1.0, 2.0]), 20)
    assert off(found.q[1], q) < 1e-10 and off(found.q[0], q) > 1e-6
    with pytest.raises(appell.QuestionError, match="smoothing"):
        ARM.rollout([0.1, 0.2], None, law, 20, DT, varied={"coulomb.long": 0.1})


def test_laws_of_ones_own_are_those_of_the_package() -> None:
    q0, v0 = RNG.uniform(-1, 1, (2, 9, 2))
    phases = RNG.uniform(-1, 1, 9)

    def reference(moment: rollouts.Moment) -> Any:
        angle = 6.0 * moment.t + moment["phase"]
        return 0.3 * np.sin(angle), 1.8 * np.cos(angle), -10.8 * np.sin(angle)

    def torque(moment: rollouts.Moment) -> Any:
        q, v, a = reference(moment)
        return moment.efforts(a + moment["kd"] * (v - moment.v) + moment["kp"] * (q - moment.q))

    def held(moment: rollouts.Moment) -> Any:
        q, v, _ = reference(moment)
        return moment.gravity() + moment["kd"] * (v - moment.v) + moment["kp"] * (q - moment.q)

    numbers: dict[str, Any] = {"kp": [50.0, 60.0], "kd": 9.0}
    along = rollouts.sinusoid(0.0, 0.3, 6.0, np.column_stack([phases, phases]))
    for function, built_in in ((torque, rollouts.computed_torque), (held, rollouts.gravity_pd)):
        own = ARM.rollout(q0, v0, rollouts.law(function, shared=numbers, own={"phase": phases}), 50, DT)
        expected = ARM.rollout(q0, v0, built_in([50.0, 60.0], 9.0, along), 50, DT)
        assert off(own.q, expected.q) < 1e-11 and off(own.v, expected.v) < 1e-11


def test_functions_of_laws_are_those_of_numpy() -> None:
    def law(moment: rollouts.Moment) -> Any:
        q, v = moment.q, moment.v
        first = np.sqrt(q[0] ** 2 + 1.0) / np.exp(-abs(v[1])) + np.arctan2(v[0], 2.0) ** 3 + np.tanh(3 * q[0])
        second = rollouts.where_positive(q[1] - v[1], np.sin(q[1]), 2 - np.cos(moment.t) + v[1] ** 0)
        return rollouts.clip(np.array([+first, second]) @ np.array([[1.0, 0.5], [-0.5, 1.0]]), -moment["most"], moment["most"])

    def numbers(t: float, q: Any, v: Any) -> Any:
        first = np.sqrt(q[:, 0] ** 2 + 1) / np.exp(-np.abs(v[:, 1])) + np.arctan2(v[:, 0], 2) ** 3 + np.tanh(3 * q[:, 0])
        second = np.where(q[:, 1] > v[:, 1], np.sin(q[:, 1]), 3 - np.cos(t))
        return np.clip(np.column_stack([first, second]) @ [[1.0, 0.5], [-0.5, 1.0]], [-2.0, -1.0], [2.0, 1.0])

    q0, v0 = RNG.uniform(-1, 1, (2, 40, 2))
    found = ARM.rollout(q0, v0, rollouts.law(law, shared={"most": [2.0, 1.0]}), 1, DT, stored="torques")
    assert found.torques is not None and off(found.torques[:, 0], numbers(0.0, q0, v0)) < 1e-12
    found = ARM.rollout(q0, v0, rollouts.law(law, shared={"most": [2.0, 1.0]}), 5, 1e-5)
    q, v = stepped(lambda t, q, v: ARM.forward_dynamics(q, v, numbers(t, q, v)), q0, v0, 5, 1e-5)
    assert off(found.v, v) < 1e-7


def test_a_law_may_be_given_torques_to_limit() -> None:
    tau = RNG.uniform(-3, 3, (6, 25, 2))
    law = rollouts.law(lambda moment: rollouts.clip(moment.tau, -1.0, 1.0), torques=tau)
    found = ARM.rollout([0.1, 0.2], None, law, 25, DT)
    expected = ARM.rollout([0.1, 0.2], None, rollouts.open_torques(np.clip(tau, -1, 1)), 25, DT)
    assert off(found.q, expected.q) < 1e-13


def test_single_precision_is_computed_in_it() -> None:
    q0 = RNG.uniform(-1, 1, (30, 6))
    law = rollouts.computed_torque(50.0, 15.0, rollouts.passage(0.0, 0.5, time=0.1))
    exact = PUMA.rollout(q0.astype(np.float32).astype(float), None, law, 50, DT)
    found = PUMA.rollout(q0.astype(np.float32), None, law, 50, DT)
    assert found.q.dtype == np.float32 and exact.q.dtype == np.float64
    assert 0 < off(found.q, exact.q) < 1e-3


def test_limits_end_a_rollout() -> None:
    arm = ARM.with_joint("long", lower=-0.5, upper=0.5)
    v0 = np.array([[0.0, 0.0], [0.0, 2.0], [0.0, -4.0]])
    still = arm.with_gravity([0, 0, 0])
    found = still.rollout([0.0, 0.1], v0, rollouts.open_torques(np.zeros((400, 2))), 400, DT, limits=True, stored="positions")
    assert found.ended is not None and found.positions is not None
    assert found.ended[0] == 400 and 0 < found.ended[2] < found.ended[1] < 400
    assert (np.abs(found.positions[..., 1]) <= 0.5).all()
    last = found.positions[1, found.ended[1] - 1 :]
    assert (last == last[0]).all() and abs(found.q[1, 1]) > 0.49
    assert np.abs(still.rollout([0.0, 0.1], v0, rollouts.open_torques(np.zeros((400, 2))), 400, DT).q[1:, 1]).min() > 0.5


def test_loops_stay_closed() -> None:
    start, goal = FIVE_BAR.home_positions, FIVE_BAR.home_positions + [0.2, -0.1]
    law = rollouts.computed_torque(400.0, 40.0, rollouts.passage(start, goal, time=0.3))
    masses = np.linspace(0.5, 0.7, 9)
    found = FIVE_BAR.rollout(FIVE_BAR.home, None, law, 400, 1e-3, varied={"mP": masses}, stored=["velocities"], stride=400)
    assert found.q.shape == (9, 7) and found.v.shape == (9, 2)
    assert found.violation is not None and found.violation.max() < 1e-9
    assert np.abs(FIVE_BAR.actuated(found.q[4])[0] - goal).max() < 1e-6  # that of the file's mass
    assert np.abs(FIVE_BAR.actuated(found.q[0])[0] - goal).max() > 1e-5


def test_a_five_bar_moves_as_in_a_simulation() -> None:
    tau = np.array([0.4, -0.3])
    run = appell.simulate(FIVE_BAR, lambda t, q, v: tau, duration=0.2, tolerance=1e-11)
    found = FIVE_BAR.rollout(FIVE_BAR.home, None, rollouts.open_torques(np.tile(tau, (200, 1))), 200, 1e-3)
    assert run.pose is not None and np.abs(found.q[:3] - run.pose[-1, :3, 3]).max() < 1e-8


def test_costs_and_gradients_are_those_of_finite_differences() -> None:
    steps, count = 15, 3
    tau, q0, v0 = RNG.uniform(-1, 1, (count, steps, 2)), RNG.uniform(-1, 1, (count, 2)), RNG.uniform(-1, 1, (count, 2))
    varied = {"m2": np.array([0.9, 1.0, 1.1]), "viscous.long": np.full(count, 0.1)}
    along = rollouts.passage(0.0, [1.0, 0.5], time=0.1)
    weights: dict[str, Any] = {"q": 3.0, "v": [0.1, 0.2], "tau": 1e-2, "q_end": 50.0, "v_end": 1.0}

    def price(tau: Any = tau, q0: Any = q0, v0: Any = v0, weights: Any = weights, varied: Any = varied) -> Any:
        cost = rollouts.quadratic(along, **weights)
        found = ARM.rollout(q0, v0, rollouts.open_torques(tau), steps, 0.01, varied=varied, cost=cost).cost
        assert found is not None
        return found

    everything = ["start", "torques", "varied", "shared"]
    cost = rollouts.quadratic(along, **weights)
    found = ARM.rollout_gradient(q0, v0, rollouts.open_torques(tau), steps, 0.01, cost=cost, by=everything, varied=varied)
    assert np.allclose(found.cost, price(), rtol=1e-13)
    assert found["torques"].shape == tau.shape and found["m2"].shape == (count,) and found["cost.wq"].shape == (count, 2)

    def check(derivative: Any, up: Any, down: Any, h: float) -> None:
        assert np.allclose(derivative, (up - down) / (2 * h), rtol=1e-6, atol=1e-6)

    h = 1e-6
    one = np.zeros((steps, 2))
    one[4, 1] = h
    check(found["torques"][:, 4, 1], price(tau=tau + one), price(tau=tau - one), h)
    side = np.array([0.0, h])
    check(found["q0"][:, 1], price(q0=q0 + side), price(q0=q0 - side), h)
    check(found["v0"][:, 1], price(v0=v0 + side), price(v0=v0 - side), h)
    for name in varied:
        up, down = (price(varied={**varied, name: varied[name] + d}) for d in (h, -h))
        check(found[name], up, down, h)
    up, down = (price(weights={**weights, "v": [0.1, 0.2 + d]}) for d in (h, -h))
    check(found["cost.wv"][:, 1], up, down, h)
    one_robot = ARM.rollout_gradient(q0[0], v0[0], rollouts.open_torques(tau[0]), steps, 0.01, cost=cost, by="torques")
    assert one_robot["torques"].shape == (steps, 2) and one_robot.cost.shape == ()
    with pytest.raises(KeyError, match="torques"):
        one_robot["m2"]


def test_costs_of_ones_own_are_those_of_the_package() -> None:
    tau, q0 = RNG.uniform(-1, 1, (30, 2)), RNG.uniform(-1, 1, (9, 2))
    goals = RNG.uniform(-1, 1, (9, 2))

    def running(moment: rollouts.Moment) -> Any:
        return 0.1 * sum((moment.q - moment["goal"]) ** 2) + moment["price"] * (moment.tau @ moment.tau)

    own = rollouts.cost(running, lambda moment: 5.0 * sum(moment.v**2), shared={"price": 0.01}, own={"goal": goals})
    same = rollouts.quadratic(rollouts.sinusoid(goals, 0.0, 1.0), q=0.1, tau=0.01, v_end=5.0)
    for scheme in ("rk4", "semi-implicit"):
        costs: list[Any] = [
            ARM.rollout(q0, None, rollouts.open_torques(tau), 30, DT, scheme=scheme, cost=cost).cost for cost in (own, same)
        ]
        assert costs[0].shape == (9,) and np.allclose(costs[0], costs[1], rtol=1e-12)
    by = ARM.rollout_gradient(q0, None, rollouts.open_torques(tau), 30, DT, cost=own, by=["own", "shared"])
    assert by["cost.goal"].shape == (9, 2) and by["cost.price"].shape == (9, 1)


def test_a_robot_that_goes_astray_is_named() -> None:
    v0 = np.zeros((300, 2))
    v0[[5, 7]] = 1e200, 0.0
    found = ARM.rollout([0.1, 0.2], v0, rollouts.open_torques(np.zeros((5, 2))), 5, DT)
    assert found.astray == 5 and list(np.flatnonzero(~np.isfinite(found.q).all(axis=1))) == [5, 7]
    others = np.delete(found.q, [5, 7], axis=0)  # they are not touched by it
    assert (others == others[0]).all() and off(others[0], [0.1, 0.2]) > 1e-4


HOLD = rollouts.law(lambda moment: moment.gravity())
NO_LAW: Any = lambda t, q, v: q  # noqa: E731


@pytest.mark.parametrize(
    ("call", "error", "said"),
    [
        (lambda: ARM.rollout(np.zeros(3), None, HOLD, 5, DT), appell.ShapeError, r"`q0` has shape \(3,\); expected \(2,\)"),
        (lambda: ARM.rollout(np.zeros((3, 2)), np.zeros((4, 2)), HOLD, 5, DT), appell.ShapeError, "`v0` is given for 4 robots"),
        (lambda: ARM.rollout([0, np.nan], None, HOLD, 5, DT), appell.NumberError, "`q0`"),
        (lambda: ARM.rollout([0, 0], None, HOLD, 0, DT), appell.NumberError, "steps=0"),
        (lambda: ARM.rollout([0, 0], None, HOLD, 2**63, DT), appell.NumberError, "more than can be counted"),
        (lambda: ARM.rollout("ab", None, HOLD, 5, DT), TypeError, "`q0` is an array of <U2"),
        (lambda: ARM.rollout([0, 0], None, HOLD, 5, DT, varied=["m2"]), TypeError, "varied is a list"),
        (lambda: ARM.rollout([0, 0], None, rollouts.law(lambda m: np.arcsin(m.q)), 5, DT), TypeError, "takes arcsin of a number; laws know"),
        (lambda: ARM.rollout([0, 0], None, rollouts.law(lambda m: [float(x) for x in m.q]), 5, DT), TypeError, "written down once"),
        (lambda: ARM.rollout([0, 0], None, HOLD, 5, -DT), appell.NumberError, "dt=-0.002"),
        (lambda: ARM.rollout([0, 0], None, HOLD, 5, DT, scheme="euler"), appell.QuestionError, "no scheme `euler`; there are rk4"),
        (lambda: ARM.rollout([0, 0], None, HOLD, 5, DT, stored="forces"), appell.QuestionError, "no channel `forces`"),
        (lambda: ARM.rollout([0, 0], None, HOLD, 5, DT, stored="torques", stride=6), appell.NumberError, "stores nothing"),
        (lambda: ARM.rollout([0, 0], None, HOLD, 5, DT, device="gpu"), appell.DeviceError, "gpu"),
        (lambda: ARM.rollout([0, 0], None, HOLD, 5, DT, varied={"m9": 1.0}), appell.QuestionError, "m9"),
        (lambda: ARM.rollout([0, 0], None, HOLD, 5, DT, varied={"mass": 1.0}), appell.QuestionError, "viscous.JOINT"),
        (lambda: ARM.rollout([0, 0], None, HOLD, 5, DT, varied={"viscous.knee": 1.0}), appell.QuestionError, "no joint `knee`"),
        (lambda: ARM.rollout([0, 0], None, HOLD, 5, DT, varied={"payload.hand": 1.0}), appell.QuestionError, "no frame `hand`"),
        (lambda: ARM.rollout([0, 0], None, HOLD, 5, DT, varied={"m1": np.ones((2, 2))}), appell.ShapeError, "`m1`"),
        (lambda: ARM.rollout([0, 0], None, NO_LAW, 5, DT), TypeError, "appell.rollouts"),
        (lambda: ARM.rollout([0, 0], None, rollouts.law(lambda m: [0.0] * 3), 5, DT), appell.QuestionError, "3 torques"),
        (lambda: ARM.rollout([0, 0], None, rollouts.law(lambda m: None), 5, DT), appell.ShapeError, "answers nothing"),
        (lambda: ARM.rollout([0, 0], None, rollouts.law(lambda m: m.t), 5, DT), appell.ShapeError, "for each drive"),
        (lambda: ARM.rollout([0, 0], None, rollouts.law(lambda m: m["kp"] * m.q), 5, DT), appell.QuestionError, "no number `kp`"),
        (lambda: ARM.rollout([0, 0], None, rollouts.law(lambda m: m.q if m.t > 1 else -m.q), 5, DT), TypeError, "where_positive"),
        (lambda: ARM.rollout([0, 0], None, rollouts.law(lambda m: m.q * np.inf), 5, DT), appell.NumberError, "inf"),
        (lambda: ARM.rollout([0, 0], None, rollouts.open_torques(np.zeros((4, 2))), 5, DT), appell.ShapeError, r"\(5, 2\)"),
        (lambda: ARM.rollout_gradient([0, 0], None, HOLD, 5, DT, cost=rollouts.cost(), by="torques"), appell.QuestionError, "open"),
        (lambda: ARM.rollout_gradient([0, 0], None, HOLD, 5, DT, cost=rollouts.cost(), by="time"), appell.QuestionError, "by `time`"),
        (lambda: FIVE_BAR.rollout(np.zeros(3), None, HOLD, 5, DT), appell.ShapeError, "pose"),
        (lambda: FIVE_BAR.rollout_gradient(FIVE_BAR.home, None, HOLD, 5, DT, cost=rollouts.cost()), appell.QuestionError, "loops"),
        (lambda: appell.load("tricept").rollout(appell.load("tricept").home, None, HOLD, 5, DT), appell.QuestionError, "Tricept"),
    ],
)
def test_what_does_not_fit_is_refused(call: Callable[[], Any], error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        call()


def test_what_cannot_be_stored_is_a_memory_error() -> None:
    with pytest.raises(MemoryError, match="stride"):
        ARM.rollout([0, 0], None, HOLD, 2**61, DT, stored="positions")
