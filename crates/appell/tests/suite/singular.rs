//! A joint that moves no inertia is an error with its name and pivot, by every method, never a NaN.

use appell::description::{BodyDescription, Description, JointType};
use appell::dynamics::InertiaError;
use appell::mechanism::Mechanism;
use appell::question::{AnswerError, Evaluator, Question, State, Target};
use appell::sample::{RandomState, Sampler, Shape};
use appell::spatial::Sym3;

/// A random chain of revolute joints, changed before it is built.
fn chain(n: usize, change: impl Fn(&mut Description)) -> Mechanism {
    let mut description = Sampler::new(4).description(n, Shape::Chain);
    description.joints.iter_mut().for_each(|joint| joint.kind = JointType::Revolute);
    change(&mut description);
    Mechanism::new(&description).unwrap()
}

/// What every method says of a state that it refuses, with the method's name.
fn refusals(robot: &Mechanism, q: &[f64]) -> impl Iterator<Item = (&'static str, AnswerError)> {
    let RandomState { v, tau, .. } = Sampler::new(9).state(robot);
    Question::ForwardDynamics.row().open.iter().map(move |method| {
        let mut evaluator =
            Evaluator::new(robot, Question::ForwardDynamics, Some(method.name), Target::default()).unwrap();
        let error = evaluator.evaluate(&State::forced(q, &v, &tau), &mut vec![0.0; q.len()]);
        (method.name, error.expect_err(method.name))
    })
}

/// Every method refuses, and names one of the given joints.
fn is_refused(robot: &Mechanism, guilty: &[&str]) {
    for (method, error) in refusals(robot, &Sampler::new(9).state(robot).q) {
        let AnswerError::Inertia(InertiaError::Singular { joint, index, pivot, .. }) = &error else {
            panic!("{method}: {error}")
        };
        assert!(guilty.contains(&joint.as_str()), "{method}: {error}");
        assert!(pivot.abs() < 1e-10, "{method}: {error}");
        assert_eq!(robot.joint_names()[*index], *joint);
    }
}

#[test]
fn a_massless_last_body() {
    is_refused(&chain(5, |d| d.joints[4].body = BodyDescription::default()), &["joint5"]);
}

#[test]
fn a_massless_sliding_body() {
    let robot = chain(3, |d| {
        d.joints[2].body = BodyDescription::default();
        d.joints[2].kind = JointType::Prismatic;
    });
    is_refused(&robot, &["joint3"]);
}

#[test]
fn a_robot_without_any_mass() {
    is_refused(
        &chain(3, |d| d.joints.iter_mut().for_each(|j| j.body = BodyDescription::default())),
        &["joint1", "joint2", "joint3"],
    );
}

/// Two joints on one axis with nothing between them: one too many, and rounding must not hide it.
#[test]
fn two_joints_on_one_axis() {
    let robot = chain(4, |d| {
        d.joints[1].body = BodyDescription::default();
        d.joints[2].placement.alpha = 0.0;
        d.joints[2].placement.d = 0.0;
    });
    is_refused(&robot, &["joint2", "joint3"]);
}

/// A point mass on its own axis has no inertia about it.
#[test]
fn a_point_mass_on_the_axis() {
    let robot = chain(2, |d| {
        d.joints[1].body.inertia = Default::default();
        d.joints[1].body.com = [0.0, 0.0, 0.2].into();
    });
    is_refused(&robot, &["joint2"]);
}

/// A NaN in the state is told apart from a singular robot.
#[test]
fn a_state_that_is_not_a_number() {
    for (method, error) in refusals(&chain(3, |_| ()), &[0.1, f64::NAN, 0.2]) {
        assert!(matches!(error, AnswerError::Inertia(InertiaError::NotFinite { .. })), "{method}: {error}");
    }
}

/// A body with negative inertia is told apart from one without.
#[test]
fn an_inertia_that_is_negative() {
    let robot = chain(2, |d| d.joints[1].body.inertia = Sym3 { xx: -5.0, yy: -5.0, zz: -5.0, ..Sym3::default() });
    for (method, error) in refusals(&robot, &Sampler::new(9).state(&robot).q) {
        assert!(matches!(error, AnswerError::Inertia(InertiaError::Indefinite { .. })), "{method}: {error}");
    }
}
