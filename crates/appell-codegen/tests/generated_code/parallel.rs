//! Parallel and spherical robots, from the platform's motion.

use super::harness::{Case, assert_close_to, check_everywhere};
use super::{STATES, all_questions, builtin};
use appell::closed::formulation::{self, Formulation};
use appell::closed::sample::ClosedState;
use appell::question::{Evaluator, Input, Motion, Question, State, Target};
use appell::sample::{Family, Sampler};
use appell::spatial::Quaternion;
use appell::{Kind, Robot};
use appell_codegen::{Options, Parameter, Refused, generate};

fn case(robot: &Robot, question: Question) -> Case {
    kept_case(robot, question, &[], &[])
}

/// A program with random states and what the library answers there, of a robot whose kept parameters have other values than
/// when the program was made.
fn kept_case(robot: &Robot, question: Question, keep: &[&str], values: &[f64]) -> Case {
    let keep: Vec<Parameter> = keep.iter().map(|word| word.parse().unwrap()).collect();
    let changed = keep.iter().zip(values).fold(robot.clone(), |robot, (one, &value)| one.put(&robot, value));
    let kernel = generate(robot, question, &Options { keep, ..Options::default() }).unwrap();
    let mut evaluator = Evaluator::new(&changed, question, None, Target::default()).unwrap();
    let robot = changed.closed().unwrap();
    let mut ws = formulation::Workspace::new(robot, Formulation::of(robot)[0]);
    let (mut sampler, mut inputs, mut expected) = (Sampler::new(11), Vec::new(), Vec::new());
    for _ in 0..STATES {
        let state = sampler.closed_state(robot);
        let (u, u_dot) = formulation::motion(robot, &mut ws, &state.at, &state.r, &state.r_dot).unwrap();
        let platform = |u: &[f64]| -> [f64; 6] { u[robot.tree().dof()..].try_into().unwrap() };
        let (twist, acceleration, pose) = (platform(u), platform(u_dot), state.at.pose);
        let Quaternion { x, y, z, w } = Quaternion::of_rotation(&pose.rotation);
        // The length of a quaternion is of no meaning.
        let long = |x: f64| 1.5 * x;
        for input in question.inputs() {
            match input {
                Input::Positions => {
                    inputs.extend(pose.position.to_array());
                    inputs.extend([x, y, z, w].map(long));
                }
                Input::Velocities => inputs.extend(twist),
                Input::Accelerations => inputs.extend(acceleration),
                Input::Forces | Input::SecondVelocities => inputs.extend(&state.tau),
            }
        }
        inputs.extend(values);
        let mut row = vec![0.0; evaluator.columns().len()];
        evaluator.evaluate(&State { tau: &state.tau, ..State::platform(pose, twist, acceleration) }, &mut row).unwrap();
        expected.extend(row);
    }
    Case { kernel, inputs, expected }
}

#[test]
fn of_parallel_robots_in_every_language_that_runs_here() {
    let platform = builtin("gough-stewart");
    assert_eq!(platform.kind(), Kind::Parallel);
    let mut cases: Vec<Case> = all_questions(Kind::Parallel).map(|question| case(&platform, question)).collect();
    cases.extend(["delta", "3-rps", "planar-3rrr"].map(|name| case(&builtin(name), Question::InverseDynamics)));
    let keep = ["mP", "czP", "IxyP", "m3", "cz3", "Ixx2"];
    for question in [Question::InverseDynamics, Question::InertiaMatrix, Question::ForwardDynamics] {
        cases.push(kept_case(&platform, question, &keep, &[7.0, 0.2, 0.1, 3.0, -0.4, 0.3]));
    }
    cases.push(kept_case(&builtin("delta"), Question::Bias, &["m1", "cx6", "mP"], &[2.0, 0.3, 1.5]));
    let rubbing = Robot::from(platform.closed().unwrap().with_tree(|tree| Sampler::new(21).with_effects(tree)));
    for question in [Question::InverseDynamics, Question::ForwardDynamics, Question::InverseDynamicsDerivatives] {
        cases.push(case(&rubbing, question));
    }
    check_everywhere("parallel", &cases);
}

#[test]
fn of_spherical_robots_in_every_language_that_runs_here() {
    let wrist = builtin("agile-wrist");
    assert_eq!(wrist.kind(), Kind::Spherical);
    let mut cases: Vec<Case> = all_questions(Kind::Spherical).map(|question| case(&wrist, question)).collect();
    for question in [Question::InverseDynamics, Question::ForwardDynamics, Question::ForwardDynamicsDerivatives] {
        cases.push(case(&builtin("sst"), question));
    }
    let keep = ["m1", "cy2", "Iyz4", "mP", "IxxP"];
    for question in [Question::InverseDynamics, Question::ForwardDynamics] {
        cases.push(kept_case(&wrist, question, &keep, &[0.9, 0.05, 1e-4, 0.7, 3e-3]));
    }
    check_everywhere("spherical", &cases);
}

/// Regrouping, with the platform too, leaves efforts and inertia of robots of any legs and closing joints, and saves
/// operations on those of six legs.
#[test]
fn regrouped_legs_and_platforms_are_the_same_robot() {
    let mut generated = 0;
    for family in Family::ALL {
        for seed in 0..6 {
            let robot = Sampler::new(seed).closed_robot(family);
            for question in [Question::InverseDynamics, Question::InertiaMatrix, Question::ForwardDynamics] {
                let Ok(kernel) = generate(&Robot::from(&robot), question, &Options::default()) else { continue };
                let label = format!("{family:?} {seed} {}", question.name());
                // Some of them are near singularities, which rounding grows at.
                let found = kernel.program.run(&kernel.sample.inputs);
                assert_close_to(1e-8, &found, &kernel.sample.outputs, &label);
                generated += 1;
            }
        }
    }
    assert!(generated >= 30, "{generated}");
    let platform = builtin("gough-stewart");
    for question in [Question::InverseDynamics, Question::ForwardDynamics, Question::InertiaMatrix, Question::Gravity] {
        let whole = Options { regroup: false, ..Options::default() };
        let report = |options| generate(&platform, question, options).unwrap().report;
        let [whole, regrouped] = [&whole, &Options::default()].map(report);
        assert_eq!(whole.regrouped, None);
        assert_eq!(whole.generated, regrouped.specialised);
        let (few, many) = (regrouped.regrouped.unwrap(), whole.generated);
        assert!(few.multiplications < many.multiplications && few.additions < many.additions, "{}", question.name());
        assert_eq!(regrouped.generated, few);
    }
}

/// The same of a robot whose legs have no closed forms: all joints are inputs.
fn assembled_case(robot: &Robot, question: Question, states: usize) -> Case {
    let kernel = generate(robot, question, &Options::default()).unwrap();
    let mut evaluator = Evaluator::new(robot, question, None, Target::default()).unwrap();
    let closed = robot.closed().unwrap();
    let (mut sampler, mut inputs, mut expected) = (Sampler::new(11), Vec::new(), Vec::new());
    for _ in 0..states {
        let ClosedState { at, r, r_dot, tau, .. } = sampler.closed_state(closed);
        inputs.extend(&at.q);
        for input in question.inputs() {
            match input {
                Input::Positions if robot.platform().is_some() => {
                    let Quaternion { x, y, z, w } = Quaternion::of_rotation(&at.pose.rotation);
                    inputs.extend(at.pose.position.to_array());
                    inputs.extend([x, y, z, w].map(|x| 1.5 * x));
                }
                Input::Positions => {}
                Input::Velocities => inputs.extend(&r),
                Input::Accelerations => inputs.extend(&r_dot),
                Input::Forces | Input::SecondVelocities => inputs.extend(&tau),
            }
        }
        let motion = Motion::Assembled { at: &at, r: &r, r_dot: &r_dot };
        let mut row = vec![0.0; evaluator.columns().len()];
        evaluator.evaluate(&State { tau: &tau, motion, ..State::default() }, &mut row).unwrap();
        expected.extend(row);
    }
    Case { kernel, inputs, expected }
}

#[test]
fn of_closed_robots_in_every_language_that_runs_here() {
    let linkage = builtin("four-bar");
    let coupler = linkage.with_output("coupler").unwrap();
    assert_eq!((linkage.kind(), coupler.kind()), (Kind::Closed, Kind::Closed));
    let has_none = |question: &Question| *question != Question::Jacobian;
    let mut cases: Vec<Case> = all_questions(Kind::Closed)
        .filter(has_none)
        .map(|question| assembled_case(&linkage, question, STATES))
        .collect();
    cases.extend(all_questions(Kind::Closed).map(|question| assembled_case(&coupler, question, STATES)));
    check_everywhere("closed", &cases);
}

/// Hybrids, parallelograms and plates of several bodies answer as the library does at states near home.
#[test]
fn of_large_closed_robots_by_the_recorded_program() {
    for name in ["palletizer", "tricept", "orthoglide", "delta-parallelograms", "par4"] {
        for question in [Question::InverseDynamics, Question::ForwardDynamics, Question::Jacobian] {
            let Case { kernel, inputs, expected } = assembled_case(&builtin(name), question, 20);
            let (reads, writes) = (kernel.sample.inputs.len(), kernel.sample.outputs.len());
            for (k, (inputs, expected)) in inputs.chunks(reads).zip(expected.chunks(writes)).enumerate() {
                assert_close_to(
                    1e-9,
                    &kernel.program.run(inputs),
                    expected,
                    &format!("{name} {} {k}", question.name()),
                );
            }
        }
    }
}

#[test]
fn of_closed_robots_without_a_platform_there_is_no_jacobian() {
    let refused = |keep: &[&str], question| {
        let keep = keep.iter().map(|word| word.parse().unwrap()).collect();
        generate(&builtin("four-bar"), question, &Options { keep, ..Options::default() }).unwrap_err()
    };
    assert!(matches!(refused(&[], Question::Jacobian), Refused::NoPlatform { .. }));
    assert!(matches!(refused(&["m1"], Question::Gravity), Refused::KeptWithoutForms { .. }));
}
