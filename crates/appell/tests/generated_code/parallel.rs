//! Parallel and spherical robots, from the platform's motion.

use super::harness::{Case, check_everywhere};
use super::{STATES, all_questions};
use appell::closed::ClosedMechanism;
use appell::closed::scheme::{self, Scheme};
use appell::codegen::{Kind, Options, Refused, Robot, generate};
use appell::question::closed::{Evaluator, Motion, State};
use appell::question::{Input, Question};
use appell::robots;
use appell::sample::Sampler;
use appell::spatial::Quaternion;

fn builtin(name: &str) -> ClosedMechanism {
    robots::find(name).unwrap().closed()
}

fn case(robot: &ClosedMechanism, question: Question) -> Case {
    let kernel = generate(Robot::Closed(robot), question, &Options::default()).unwrap();
    let mut evaluator = Evaluator::new(robot, question, None).unwrap();
    let mut ws = scheme::Workspace::new(robot, Scheme::of(robot)[0]);
    let (mut sampler, mut inputs, mut expected) = (Sampler::new(11), Vec::new(), Vec::new());
    for _ in 0..STATES {
        let state = sampler.closed_state(robot);
        let (u, u_dot) = ws.motion(robot, &state.at, &state.r, &state.r_dot).unwrap();
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
        let mut row = vec![0.0; evaluator.columns().len()];
        let motion = Motion::Platform { pose, twist: twist.map(Some), acceleration: acceleration.map(Some) };
        evaluator.evaluate(&State { motion, tau: &state.tau, ..State::default() }, &mut row).unwrap();
        expected.extend(row);
    }
    Case { kernel, inputs, expected }
}

#[test]
fn of_parallel_robots_in_every_language_that_runs_here() {
    let platform = builtin("gough-stewart");
    assert_eq!(Kind::of(Robot::Closed(&platform)), Kind::Parallel);
    let mut cases: Vec<Case> = all_questions(Kind::Parallel).map(|question| case(&platform, question)).collect();
    cases.extend(["delta", "3-rps"].map(|name| case(&builtin(name), Question::InverseDynamics)));
    check_everywhere("parallel", &cases);
}

#[test]
fn of_spherical_robots_in_every_language_that_runs_here() {
    let wrist = builtin("agile-wrist");
    assert_eq!(Kind::of(Robot::Closed(&wrist)), Kind::Spherical);
    let mut cases: Vec<Case> = all_questions(Kind::Spherical).map(|question| case(&wrist, question)).collect();
    cases.push(case(&builtin("sst"), Question::InverseDynamics));
    check_everywhere("spherical", &cases);
}

#[test]
fn of_closed_robots_without_a_platform_there_is_none() {
    let refused = generate(Robot::Closed(&builtin("four-bar")), Question::Gravity, &Options::default());
    assert_eq!(refused.unwrap_err(), Refused::NoLegs);
}
