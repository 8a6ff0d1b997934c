//! The library against numbers made by independent programs: 60-digit Newton-Euler, checked with Pinocchio.

use crate::common::{answer, assert_close, description, evaluators, golden, norm, numbers, robot};
use appell::dynamics::energy::energy;
use appell::kinematics;
use appell::mechanism::{Axes, Mechanism};
use appell::question::{Question, State};
use appell::robots;
use appell::spatial::Sym3;
use serde_json::Value;

/// A golden state's vectors. `tau_fd` is the input of its forward dynamics.
struct GoldenState<'g> {
    value: &'g Value,
    q: Vec<f64>,
    v: Vec<f64>,
    a: Vec<f64>,
    tau: Vec<f64>,
}

impl<'g> GoldenState<'g> {
    fn new(value: &'g Value) -> Self {
        let vector = |key: &str| numbers(&value[key]);
        Self { value, q: vector("q"), v: vector("qd"), a: vector("qdd"), tau: vector("tau_fd") }
    }

    fn state(&self) -> State<'_> {
        State { q: &self.q, v: &self.v, a: &self.a, tau: &self.tau, ..State::default() }
    }
}

fn states<'g>(file: &'g Value, key: &str) -> Vec<GoldenState<'g>> {
    file[key].as_array().expect("states").iter().map(GoldenState::new).collect()
}

/// Every method of a question, and its default on best instructions, against one key of every state.
fn every_method(
    robot: &Mechanism,
    states: &[GoldenState],
    question: Question,
    key: &str,
    tolerance: impl Fn(&Value) -> f64,
) {
    assert!(!states.is_empty());
    for (label, mut evaluator) in evaluators(robot, question) {
        for (k, golden) in states.iter().enumerate() {
            let label = format!("{label}, state {k}");
            let row = answer(&mut evaluator, &golden.state(), &label);
            assert_close(&row, &numbers(&golden.value[key]), tolerance(golden.value), &label);
        }
    }
}

/// The questions that every golden state of the PUMA answers, with the tolerances of the file's header.
fn puma(robot: &Mechanism, states: &[GoldenState]) {
    every_method(robot, states, Question::InverseDynamics, "tau", |_| 1e-12);
    every_method(robot, states, Question::Bias, "bias", |_| 1e-12);
    every_method(robot, states, Question::Gravity, "gravity", |_| 1e-12);
    every_method(robot, states, Question::CoriolisVector, "coriolis", |_| 1e-12);
    every_method(robot, states, Question::InertiaMatrix, "M", |_| 1e-12);
    every_method(robot, states, Question::ForwardDynamics, "qdd_fd", |_| 1e-11);
    every_method(robot, states, Question::Jacobian, "jacobian_world", |_| 1e-12);
}

#[test]
fn puma_regressor() {
    let file = golden("a_puma560.json");
    let robot = robot(&file["robot"]);
    every_method(&robot, &states(&file, "states"), Question::Regressor, "regressor", |_| 1e-12);
}

#[test]
fn puma_as_printed() {
    let file = golden("a_puma560.json");
    let (built_in, states) = (robots::find("puma560").unwrap().mechanism(), states(&file, "states"));
    assert_eq!(states.len(), 50);
    assert_eq!(built_in.links(), robot(&file["robot"]).links(), "the built-in robot is the golden one");
    puma(&built_in, &states);
    every_method(&built_in, &states, Question::JacobianRate, "jdot_qd", |_| 1e-12);
}

/// Golden frames are 3 × 4 matrices [R | p]; ours list the rotation, then the position.
#[test]
fn puma_frames() {
    let file = golden("a_puma560.json");
    let robot = robot(&file["robot"]);
    let mut ws = kinematics::Workspace::new(&robot);
    for state in states(&file, "states") {
        let poses = kinematics::positions(&robot, &mut ws, &state.q);
        for (pose, expected) in poses.iter().zip(state.value["frames"].as_array().unwrap()) {
            let rows = (0..3).flat_map(|i| {
                let row = pose.rotation.rows[i];
                [row.x, row.y, row.z, pose.position[i]]
            });
            assert_close(&rows.collect::<Vec<_>>(), &numbers(expected), 1e-12, "frame");
        }
    }
}

#[test]
fn puma_jacobian_in_its_own_axes_and_its_rate() {
    let file = golden("a_puma560.json");
    let robot = robot(&file["robot"]);
    let mut ws = kinematics::Workspace::new(&robot);
    for state in states(&file, "states") {
        let local = kinematics::jacobian(&robot, &mut ws, &state.q, 5, Axes::Frame(5));
        assert_close(local, &numbers(&state.value["jacobian_local"]), 1e-12, "local Jacobian");
        let rate = kinematics::jacobian_rate_times_v(&robot, &mut ws, &state.q, &state.v, 5, Axes::Base);
        assert_close(&rate.to_array(), &numbers(&state.value["jdot_qd"]), 1e-12, "rate of the Jacobian");
    }
}

/// The rotational and the translational term of the vectorial form are what massless bodies, and bodies without
/// inertia, need: τ is linear in both.
#[test]
fn puma_terms_of_the_vectorial_form() {
    let file = golden("a_puma560.json");
    let (mut massless, mut points) = (description(&file["robot"]), description(&file["robot"]));
    massless.joints.iter_mut().for_each(|joint| joint.body.mass = 0.0);
    points.joints.iter_mut().for_each(|joint| joint.body.inertia = Sym3::default());
    for (description, key) in [(massless, "A_term"), (points, "B_term")] {
        let robot = Mechanism::new(&description).unwrap();
        every_method(&robot, &states(&file, "states"), Question::InverseDynamics, key, |_| 1e-12);
    }
}

#[test]
fn random_chains_of_revolute_and_prismatic_joints() {
    let file = golden("d_chains.json");
    let robots = file["robots"].as_array().unwrap();
    assert_eq!(robots.len(), 20);
    for entry in robots {
        let (robot, states) = (robot(&entry["robot"]), states(entry, "states"));
        every_method(&robot, &states, Question::InverseDynamics, "tau", |_| 1e-12);
        // The file's robots have α = ±π/2 rounded, ours exactly: where the bias is nothing but this rounding, as on a
        // horizontal slide, the tolerance refers to the forces.
        every_method(&robot, &states, Question::Bias, "bias", |state| {
            let (bias, tau) = (norm(&numbers(&state["bias"])), norm(&numbers(&state["tau"])));
            if bias < 1e-13 * tau { 1e-12 * tau / bias } else { 1e-12 }
        });
        every_method(&robot, &states, Question::InertiaMatrix, "M", |_| 1e-12);
        every_method(&robot, &states, Question::ForwardDynamics, "qdd_fd", |state| {
            1e-12 + 20.0 * state["cond_M"].as_f64().unwrap() * 2.2e-16
        });
    }
}

/// Joint motion and torque along the straight lines of both papers.
#[test]
fn torques_along_the_papers_trajectories() {
    for (name, instants) in [("b_trajectory_002.json", 87), ("b_trajectory_001_part.json", 4)] {
        let file = golden(name);
        let robot = robot(&file["robot"]);
        let column = |key: &str| file[key].as_array().unwrap().iter().map(numbers).collect::<Vec<_>>();
        let (q, v, a, tau) = (column("q"), column("qd"), column("qdd"), column("tau"));
        assert_eq!(tau.len(), instants);
        for (label, mut evaluator) in evaluators(&robot, Question::InverseDynamics) {
            let label = format!("{name}: {label}");
            for k in 0..instants {
                let row = answer(&mut evaluator, &State::joints(&q[k], &v[k], &a[k]), &label);
                assert_close(&row, &tau[k], 1e-10, &label);
            }
        }
        // the hand moves on the line at constant speed, without turning
        let mut ws = kinematics::Workspace::new(&robot);
        let duration = file["T"].as_f64().unwrap();
        let (start, end) = (numbers(&file["p0"]), numbers(&file["p1"]));
        for (k, t) in numbers(&file["t"]).into_iter().enumerate() {
            let hand = kinematics::positions(&robot, &mut ws, &q[k])[5].position.to_array();
            let line: Vec<f64> = (0..3).map(|i| start[i] + (end[i] - start[i]) * t / duration).collect();
            assert_close(&hand, &line, 1e-11, "the hand's position");
            let twist = kinematics::velocities(&robot, &mut ws, &q[k], &v[k])[5].to_array();
            let speed: Vec<f64> = (0..6).map(|i| if i < 3 { (end[i] - start[i]) / duration } else { 0.0 }).collect();
            assert_close(&twist, &speed, 1e-10, "the hand's velocity");
            let acceleration = kinematics::accelerations(&robot, &mut ws, &q[k], &v[k], &a[k])[5].to_array();
            assert!(norm(&acceleration) < 1e-10, "the hand does not accelerate: {acceleration:?}");
        }
    }
}

#[test]
fn two_link_arm_of_ascher() {
    let file = golden("c_ascher_two_link.json");
    let robot = robots::find("two-link").unwrap().mechanism();
    for (label, mut evaluator) in evaluators(&robot, Question::ForwardDynamics) {
        for reference in file["reference"].as_array().unwrap().iter().map(numbers) {
            let q = [0.0, reference[0].to_radians()];
            let row = answer(&mut evaluator, &State::forced(&q, &[0.0; 2], &[0.0; 2]), &label);
            assert_close(&row, &reference[1..3], 1e-9, &label);
        }
    }
}

/// Energy at the start of the golden free fall.
#[test]
fn energy_of_the_puma() {
    let file = golden("e_simulation.json");
    let robot = robot(&file["robot"]);
    let mut ws = kinematics::Workspace::new(&robot);
    let fall = &file["free_fall"][0];
    let expected = fall["energy_J"].as_f64().unwrap();
    let start = energy(&robot, &mut ws, &numbers(&fall["q0"]), &numbers(&fall["qd0"]));
    assert_close(&[start.kinetic + start.potential], &[expected], 1e-12, "energy at the start");
    for (q, v) in fall["q"].as_array().unwrap().iter().zip(fall["qd"].as_array().unwrap()) {
        let later = energy(&robot, &mut ws, &numbers(q), &numbers(v));
        assert_close(&[later.kinetic + later.potential], &[expected], 1e-11, "energy is conserved in free fall");
    }
}

#[test]
fn puma_with_signs_corrected() {
    let file = golden("a_puma560.json");
    let (built_in, states) = (robots::find("puma560-b").unwrap().mechanism(), states(&file, "states_variant_B"));
    assert_eq!(states.len(), 5);
    assert_eq!(built_in.links(), robot(&file["robot_variant_B"]).links());
    puma(&built_in, &states);
}
