//! No call allocates once its workspace is made.

use crate::common::{closed_cases, closed_state, evaluators, open, open_state};
use crate::transmissions::{made, tree};
use appell::closed::drives::Sharing;
use appell::closed::sample::ClosedState;
use appell::closed::{ClosedMechanism, assembly, legs_platform, spherical, tree_closures};
use appell::dynamics::joint_space::{self, Equations, Solver};
use appell::dynamics::{articulated_body, gibbs_appell_tensor};
use appell::kinematics;
use appell::kinematics::damped_least_squares::{self, Goal, Options};
use appell::question::{Motion, Question, State};
use appell::real::{Dual, Measured};
use appell::sample::{Sampler, Shape};
use appell::{Robot, robots};
use core::fmt::Display;

#[track_caller]
fn allocates_nothing(label: impl Display, work: impl FnOnce()) {
    assert_eq!(allocation_counter::measure(work).count_total, 0, "{label}");
}

#[test]
fn the_counter_sees_allocations() {
    let info = allocation_counter::measure(|| drop(std::hint::black_box(vec![1.0, 2.0])));
    assert_eq!(info.count_total, 1);
}

/// Fails if a question by any of its methods, or by its default on best instructions, allocates for a state.
fn no_method_allocates(robot: &Robot, state: &State<'_>) {
    for question in Question::ALL {
        for (label, mut evaluator) in evaluators(robot, question) {
            let mut row = vec![0.0; evaluator.columns().len()];
            allocates_nothing(label.as_str(), || {
                evaluator.evaluate(state, &mut row).unwrap_or_else(|error| panic!("{label}: {error}"));
            });
        }
    }
}

#[test]
fn no_method_of_any_question_allocates() {
    let mut sampler = Sampler::new(5);
    let puma = open("puma560");
    let geared = made(&tree(5, true).0);
    let trees = [sampler.robot(9, Shape::Tree), sampler.robot(12, Shape::Tree), sampler.robot(9, Shape::Mixed)];
    for robot in [puma, geared].into_iter().chain(trees) {
        let state = sampler.state(&robot);
        no_method_allocates(&robot.into(), &open_state(&state));
    }
}

/// By an assembled motion, by that of the drives a short way from home, and by that of the platform.
#[test]
fn nor_does_any_of_closed_robots() {
    for (robot, state, _) in closed_cases(|_| true, 0..1) {
        no_method_allocates(&robot.into(), &closed_state(&state));
    }
    for builtin in robots::CLOSED {
        let closed = builtin.closed();
        let state = Sampler::new(2).closed_state(&closed);
        let robot = Robot::from(&closed);
        no_method_allocates(&robot, &closed_state(&state));
        let q: Vec<f64> = closed.driven().iter().map(|&j| closed.home().q[j] + 0.01).collect();
        let rates = vec![0.2; q.len()];
        no_method_allocates(&robot, &State { tau: &state.tau, ..State::joints(&q, &rates, &rates) });
        if closed.platform().is_some() {
            let of_freedoms = |k: usize| closed.freedoms().contains(&(closed.tree().dof() + k)).then_some(0.2);
            let (twist, acceleration) = (core::array::from_fn(of_freedoms), core::array::from_fn(of_freedoms));
            let motion = Motion::Platform { pose: state.at.pose, twist, acceleration };
            no_method_allocates(&robot, &State { motion, tau: &state.tau, ..State::default() });
        }
    }
}

/// The first call of every question counts, too.
#[test]
fn nor_do_all_questions_of_a_robot_together() {
    let asks_nothing_more = |robot: &Robot, state: &State<'_>| {
        let mut dynamics = robot.dynamics();
        for question in Question::ALL.into_iter().filter(|question| !question.methods(robot).is_empty()) {
            allocates_nothing(format!("{}: {}", robot.name(), question.name()), || {
                dynamics.ask(question, state).unwrap_or_else(|error| panic!("{}: {error}", question.name()));
            });
        }
    };
    for builtin in robots::TREES {
        let tree = builtin.mechanism();
        let state = Sampler::new(6).state(&tree);
        asks_nothing_more(&tree.into(), &open_state(&state));
    }
    for builtin in robots::CLOSED {
        let closed = builtin.closed();
        let state = Sampler::new(6).closed_state(&closed);
        asks_nothing_more(&closed.into(), &closed_state(&state));
    }
}

#[test]
fn nor_does_inverse_kinematics() {
    let robot = open("seven-axis");
    let frame = robot.frame("flange").unwrap();
    let mut forward = kinematics::Workspace::new(&robot);
    let pose = kinematics::positions(&robot, &mut forward, &[0.1, 0.5, -0.2, -1.5, 0.3, 1.8, 0.4])[frame];
    let (goal, start, options) = (Goal::Pose(pose), [0.0; 7], Options::default());
    let mut ws = damped_least_squares::Workspace::new(&robot);
    allocates_nothing("inverse kinematics", || {
        damped_least_squares::inverse_kinematics(&robot, &mut ws, frame, &goal, &start, &options).unwrap();
    });
}

#[test]
fn nor_on_dual_numbers() {
    let robot = open("seven-axis");
    let x = [Dual::<7>::variable(0.3, 2); 7];
    let mut inverse = gibbs_appell_tensor::Workspace::with_scalar(&robot, x[0]);
    let mut forward = joint_space::Workspace::with_scalar(&robot, Equations::default(), Solver::GaussJordan, x[0]);
    let mut articulated = articulated_body::Workspace::with_scalar(&robot, x[0]);
    allocates_nothing("dual numbers", || {
        gibbs_appell_tensor::inverse_dynamics(&robot, &mut inverse, &x, &x, &x);
        joint_space::forward_dynamics(&robot, &mut forward, &x, &x, &x).unwrap();
        articulated_body::forward_dynamics(&robot, &mut articulated, &x, &x, &x).unwrap();
    });
}

/// All methods for closed mechanisms, on plain and dual numbers, with redundant drives and without.
#[test]
fn nor_on_closed_mechanisms() {
    for (robot, state, _) in closed_cases(|_| true, 0..1) {
        let sharing = Sharing { preload: vec![1.0; robot.driven().len()], ..Sharing::default() };
        closed_calls_allocate_nothing(&robot, &state, &sharing, |x| x);
        closed_calls_allocate_nothing(&robot, &state, &Sharing::default(), Dual::<3>::fixed);
    }
}

fn closed_calls_allocate_nothing<T: Measured>(
    robot: &ClosedMechanism,
    state: &ClosedState,
    sharing: &Sharing,
    lift: impl Fn(f64) -> T,
) {
    let numbers = |x: &[f64]| x.iter().map(|&x| lift(x)).collect::<Vec<T>>();
    let [r, r_dot, tau, load] = [&state.r, &state.r_dot, &state.tau, &state.load].map(|x| numbers(x));
    let at = state.at.lift(r[0]);
    let mut tree = tree_closures::Workspace::with_scalar(robot, r[0]);
    allocates_nothing(format!("{}: tree + closures", robot.name()), || {
        tree_closures::inertia_matrix(robot, &mut tree, &at).unwrap();
        tree_closures::complement(robot, &mut tree, &at).unwrap();
        for solver in [tree_closures::Solver::NullSpace, tree_closures::Solver::Kkt] {
            tree.solver = solver;
            tree_closures::inverse_dynamics(robot, &mut tree, &at, &r, &r_dot, &load, sharing).unwrap();
            tree_closures::forward_dynamics(robot, &mut tree, &at, &r, &tau, &load).unwrap();
        }
    });
    if legs_platform::applies(robot) {
        let mut legs = legs_platform::Workspace::with_scalar(robot, r[0]);
        allocates_nothing(format!("{}: legs + platform", robot.name()), || {
            legs_platform::inverse_dynamics(robot, &mut legs, &at, &r, &r_dot, &load, sharing).unwrap();
            legs_platform::inertia_matrix(robot, &mut legs, &at).unwrap();
            legs_platform::inverse_jacobian(robot, &mut legs, &at).unwrap();
            legs_platform::forward_dynamics(robot, &mut legs, &at, &r, &tau, &load).unwrap();
        });
    }
    if spherical::applies(robot) {
        let mut ws = spherical::Workspace::with_scalar(robot, r[0]);
        allocates_nothing(format!("{}: spherical", robot.name()), || {
            spherical::inverse_dynamics(robot, &mut ws, &at, &r, &r_dot, &load, sharing).unwrap();
            spherical::by_equations(robot, &mut ws, &at, &r, &r_dot, &load, sharing).unwrap();
            spherical::inertia_matrix(robot, &mut ws, &at).unwrap();
            spherical::equations(robot, &mut ws, &at, &r, spherical::Coriolis::Paper).unwrap();
            spherical::forward_dynamics(robot, &mut ws, &at, &r, &tau, &load).unwrap();
        });
    }
}

#[test]
fn nor_does_the_assembly_of_closed_robots() {
    for robot in robots::CLOSED {
        let (name, robot) = (robot.name, robot.closed());
        let mut ws = assembly::Workspace::new(&robot);
        let mut at = robot.home().clone();
        let drives: Vec<f64> = robot.driven().iter().map(|&j| at.q[j] + 0.01).collect();
        allocates_nothing(format!("{name}, drives"), || {
            assembly::at_drives(&robot, &mut ws, &drives, &mut at).unwrap();
        });
        at.q.copy_from_slice(&robot.home().q);
        allocates_nothing(format!("{name}, pose"), || assembly::at_pose(&robot, &mut ws, &mut at).unwrap());
    }
}
