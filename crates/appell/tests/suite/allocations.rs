//! No call allocates once its workspace is made.

use crate::common::{closed_state, evaluators, open_state};
use appell::closed::drives::Sharing;
use appell::closed::formulation::Formulation;
use appell::closed::sample::ClosedState;
use appell::closed::{
    ClosedMechanism, assembly, coriolis, derivatives, energy, legs_platform, reactions, regressor, spherical,
    tree_closures, unit_parameters,
};
use appell::dynamics::joint_space::{self, Equations, Solver};
use appell::dynamics::{articulated_body, gibbs_appell_tensor};
use appell::kinematics;
use appell::kinematics::damped_least_squares::{self, Goal, Options};
use appell::question::{Motion, Question, State};
use appell::real::{Dual, Measured};
use appell::sample::{Family, Sampler, Shape};
use appell::{Robot, robots};

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
            let info = allocation_counter::measure(|| {
                evaluator.evaluate(state, &mut row).unwrap_or_else(|error| panic!("{label}: {error}"));
            });
            assert_eq!(info.count_total, 0, "{label}");
        }
    }
}

#[test]
fn no_method_of_any_question_allocates() {
    let mut sampler = Sampler::new(5);
    let puma = robots::find("puma560").unwrap().mechanism();
    for robot in [puma, sampler.robot(9, Shape::Tree), sampler.robot(12, Shape::Tree)] {
        let state = sampler.state(&robot);
        no_method_allocates(&robot.into(), &open_state(&state));
    }
}

/// By an assembled motion, by that of the drives a short way from home, and by that of the platform.
#[test]
fn nor_does_any_of_closed_robots() {
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
            let info = allocation_counter::measure(|| {
                dynamics.ask(question, state).unwrap_or_else(|error| panic!("{}: {error}", question.name()));
            });
            assert_eq!(info.count_total, 0, "{}: {}", robot.name(), question.name());
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
    let robot = robots::find("seven-axis").unwrap().mechanism();
    let frame = robot.frame("flange").unwrap();
    let mut forward = kinematics::Workspace::new(&robot);
    let pose = kinematics::positions(&robot, &mut forward, &[0.1, 0.5, -0.2, -1.5, 0.3, 1.8, 0.4])[frame];
    let (goal, start, options) = (Goal::Pose(pose), [0.0; 7], Options::default());
    let mut ws = damped_least_squares::Workspace::new(&robot);
    let info = allocation_counter::measure(|| {
        damped_least_squares::inverse_kinematics(&robot, &mut ws, frame, &goal, &start, &options).unwrap();
    });
    assert_eq!(info.count_total, 0);
}

#[test]
fn nor_on_dual_numbers() {
    let robot = robots::find("seven-axis").unwrap().mechanism();
    let x = [Dual::<7>::variable(0.3, 2); 7];
    let mut inverse = gibbs_appell_tensor::Workspace::with_scalar(&robot, x[0]);
    let mut forward = joint_space::Workspace::with_scalar(&robot, Equations::default(), Solver::GaussJordan, x[0]);
    let mut articulated = articulated_body::Workspace::with_scalar(&robot, x[0]);
    let info = allocation_counter::measure(|| {
        gibbs_appell_tensor::inverse_dynamics(&robot, &mut inverse, &x, &x, &x);
        joint_space::forward_dynamics(&robot, &mut forward, &x, &x, &x).unwrap();
        articulated_body::forward_dynamics(&robot, &mut articulated, &x, &x, &x).unwrap();
    });
    assert_eq!(info.count_total, 0);
}

/// All methods for closed mechanisms, on plain and dual numbers, with redundant drives and without.
#[test]
fn nor_on_closed_mechanisms() {
    for (k, family) in Family::ALL.into_iter().enumerate() {
        let mut sampler = Sampler::new(k as u64);
        let robot = sampler.closed_robot(family);
        let state = sampler.closed_state(&robot);
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
    let info = allocation_counter::measure(|| {
        tree_closures::inertia_matrix(robot, &mut tree, &at).unwrap();
        tree_closures::complement(robot, &mut tree, &at).unwrap();
        for solver in [tree_closures::Solver::NullSpace, tree_closures::Solver::Kkt] {
            tree.solver = solver;
            tree_closures::inverse_dynamics(robot, &mut tree, &at, &r, &r_dot, &load, sharing).unwrap();
            tree_closures::forward_dynamics(robot, &mut tree, &at, &r, &tau, &load).unwrap();
        }
    });
    assert_eq!(info.count_total, 0, "{}: tree + closures", robot.name());
    if legs_platform::applies(robot) {
        let mut legs = legs_platform::Workspace::with_scalar(robot, r[0]);
        let info = allocation_counter::measure(|| {
            legs_platform::inverse_dynamics(robot, &mut legs, &at, &r, &r_dot, &load, sharing).unwrap();
            legs_platform::inertia_matrix(robot, &mut legs, &at).unwrap();
            legs_platform::inverse_jacobian(robot, &mut legs, &at).unwrap();
            legs_platform::forward_dynamics(robot, &mut legs, &at, &r, &tau, &load).unwrap();
        });
        assert_eq!(info.count_total, 0, "{}: legs + platform", robot.name());
    }
    if spherical::applies(robot) {
        let mut ws = spherical::Workspace::with_scalar(robot, r[0]);
        let info = allocation_counter::measure(|| {
            spherical::inverse_dynamics(robot, &mut ws, &at, &r, &r_dot, &load, sharing).unwrap();
            spherical::by_equations(robot, &mut ws, &at, &r, &r_dot, &load, sharing).unwrap();
            spherical::inertia_matrix(robot, &mut ws, &at).unwrap();
            spherical::equations(robot, &mut ws, &at, &r, spherical::Coriolis::Paper).unwrap();
            spherical::forward_dynamics(robot, &mut ws, &at, &r, &tau, &load).unwrap();
        });
        assert_eq!(info.count_total, 0, "{}: spherical", robot.name());
    }
}

/// Reactions, Coriolis matrix, regressor, energy and derivatives, by both formulations and their referees.
#[test]
fn nor_does_what_is_built_on_them() {
    for (k, family) in Family::ALL.into_iter().enumerate() {
        let mut sampler = Sampler::new(k as u64);
        let robot = &sampler.closed_robot(family);
        let ClosedState { at, r, r_dot, tau, .. } = &sampler.closed_state(robot);
        for &formulation in Formulation::of(robot) {
            let mut transmitted = reactions::Workspace::new(robot, formulation);
            let mut matrix = coriolis::Workspace::new(robot, formulation);
            let mut linear = regressor::Workspace::new(robot, formulation);
            let mut exact = derivatives::Workspace::new(robot, formulation);
            let info = allocation_counter::measure(|| {
                reactions::reactions(robot, &mut transmitted, at, r, r_dot, tau, (&[], &[])).unwrap();
                coriolis::coriolis_matrix(robot, &mut matrix, at, r).unwrap();
                regressor::regressor(robot, &mut linear, at, r, r_dot).unwrap();
                derivatives::of_inverse_dynamics(robot, &mut exact, at, r, r_dot).unwrap();
                derivatives::of_forward_dynamics(robot, &mut exact, at, r, tau).unwrap();
            });
            assert_eq!(info.count_total, 0, "{family:?}: {}", formulation.name());
        }
        let mut transmitted = reactions::Workspace::by_singular_values(robot);
        let mut linear = unit_parameters::Workspace::new(robot);
        let mut exact = derivatives::Workspace::with_reactions(robot);
        let mut whole = energy::OfWhole::new(robot, Formulation::TreeClosures);
        let info = allocation_counter::measure(|| {
            reactions::reactions(robot, &mut transmitted, at, r, r_dot, tau, (&[], &[])).unwrap();
            unit_parameters::regressor(&mut linear, at, r, r_dot).unwrap();
            derivatives::of_inverse_dynamics(robot, &mut exact, at, r, r_dot).unwrap();
            derivatives::of_forward_dynamics(robot, &mut exact, at, r, tau).unwrap();
            energy::of_whole(robot, &mut whole, at, r).unwrap();
        });
        assert_eq!(info.count_total, 0, "{family:?}: referees");
    }
}

#[test]
fn nor_does_the_assembly_of_closed_robots() {
    for robot in robots::CLOSED {
        let (name, robot) = (robot.name, robot.closed());
        let mut ws = assembly::Workspace::new(&robot);
        let mut at = robot.home().clone();
        let drives: Vec<f64> = robot.driven().iter().map(|&j| at.q[j] + 0.01).collect();
        let info = allocation_counter::measure(|| assembly::at_drives(&robot, &mut ws, &drives, &mut at).unwrap());
        assert_eq!(info.count_total, 0, "{name}, drives");
        at.q.copy_from_slice(&robot.home().q);
        let info = allocation_counter::measure(|| assembly::at_pose(&robot, &mut ws, &mut at).unwrap());
        assert_eq!(info.count_total, 0, "{name}, pose");
    }
}
