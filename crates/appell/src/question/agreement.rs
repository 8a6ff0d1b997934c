//! How far the methods for one question differ, on random states.
//!
//! The difference of two answers is their largest entry apart over the largest entry of the default method's; bias, gravity, Coriolis
//! forces and reactions, which may vanish, are measured against all joint forces of the state.
//!
//! ```
//! use appell::{Robot, question::agreement};
//! use core::ops::ControlFlow;
//!
//! let robot = Robot::builtin("two-link")?;
//! let differences = agreement::compare(&robot, 10, 1, |_state| ControlFlow::Continue(()));
//! assert!(differences.iter().all(|difference| difference.agrees(1e-10)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::{AnswerError, Evaluator, Motion, Question, State, Target};
use crate::sample::{RandomState, Sampler};
use crate::{Model, Robot};
use core::ops::ControlFlow;

/// How far a method is from its question's default method.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// The question.
    pub question: Question,
    /// The method.
    pub method: &'static str,
    /// The default method, which it is measured against.
    pub against: &'static str,
    /// The largest relative difference and the state that it is of, counted from 1; none if no state had an answer. Infinite where
    /// an answer is NaN.
    pub worst: Option<(f64, u64)>,
    /// Why the first state that has no answer has none, and which it is.
    pub failed: Option<(AnswerError, u64)>,
}

impl Difference {
    /// Whether every state has an answer, within a relative tolerance.
    #[must_use]
    pub fn agrees(&self, tolerance: f64) -> bool {
        self.failed.is_none() && self.worst.is_some_and(|(difference, _)| difference <= tolerance)
    }
}

/// Puts every question with several methods to the same random states: of all joints, or around home where loops are closed. `progress`
/// is called after each state with how many are done, and may stop there.
pub fn compare(
    robot: &Robot,
    states: u64,
    seed: u64,
    mut progress: impl FnMut(u64) -> ControlFlow<()>,
) -> Vec<Difference> {
    // What formulations of closed robots can differ in: the rest is kinematics of an assembled robot.
    let is_compared = |question: &Question| {
        robot.closed().is_none()
            || !matches!(question, Question::Frames | Question::CentreOfMass | Question::Singularity)
    };
    let contests = Question::ALL.into_iter().filter(is_compared).filter_map(|question| Contest::new(robot, question));
    let mut contests: Vec<Contest> = contests.collect();
    let mut forces = Evaluator::new(robot, Question::InverseDynamics, None, Target::default()).ok();
    let mut tau = vec![0.0; forces.as_ref().map_or(0, |forces| forces.columns().len())];
    let mut sampler = Sampler::new(seed);
    for number in 1..=states {
        let mut judge = |state: &State<'_>| {
            let answered = forces.as_mut().is_some_and(|forces| forces.evaluate(state, &mut tau).is_ok());
            let force = if answered { largest(tau.iter().copied()) } else { 0.0 };
            contests.iter_mut().for_each(|contest| contest.judge(number, state, force));
        };
        match robot.model() {
            Model::Tree(tree) => {
                let RandomState { q, v, a, tau, .. } = &sampler.state(tree);
                judge(&State { q, v, a, tau, w: a, ..State::default() });
            }
            Model::Closed(closed) => {
                let sample = sampler.closed_state(closed);
                let motion = Motion::Assembled { at: &sample.at, r: &sample.r, r_dot: &sample.r_dot };
                judge(&State { motion, tau: &sample.tau, ..State::default() });
            }
        }
        if progress(number).is_break() {
            break;
        }
    }
    contests.into_iter().flat_map(|contest| contest.rivals).map(|(_, difference)| difference).collect()
}

/// A question with its default method, and the others that are measured against it.
struct Contest {
    first: Evaluator,
    answers: [Vec<f64>; 2], // of the first and of a rival
    rivals: Vec<(Evaluator, Difference)>,
}

impl Contest {
    /// The question's methods on this robot; none if it does not answer it, or has one alone.
    fn new(robot: &Robot, question: Question) -> Option<Self> {
        let methods = question.methods(robot).into_iter();
        let mut evaluators =
            methods.filter_map(|method| Evaluator::new(robot, question, Some(method.name), Target::default()).ok());
        let first = evaluators.next()?;
        let against = first.method().name;
        let rival = |evaluator: Evaluator| {
            let method = evaluator.method().name;
            (evaluator, Difference { question, method, against, worst: None, failed: None })
        };
        let rivals: Vec<_> = evaluators.map(rival).collect();
        let answers = [(); 2].map(|()| vec![0.0; first.columns().len()]);
        (!rivals.is_empty()).then_some(Self { first, answers, rivals })
    }

    /// Lets all methods answer for a state, whose largest joint force is `force`.
    fn judge(&mut self, number: u64, state: &State<'_>, force: f64) {
        let [ours, theirs] = &mut self.answers;
        let answered = self.first.evaluate(state, ours);
        let size = largest(ours.iter().copied());
        let size = match self.first.question() {
            Question::Bias
            | Question::Gravity
            | Question::CoriolisVector
            | Question::CoriolisMatrix
            | Question::Reactions => size.max(force),
            _ => size,
        };
        for (evaluator, difference) in &mut self.rivals {
            match answered.clone().and_then(|()| evaluator.evaluate(state, theirs)) {
                Ok(()) => {
                    let apart = largest(ours.iter().zip(&*theirs).map(|(ours, theirs)| ours - theirs));
                    let ratio = relative(apart, size);
                    if difference.worst.is_none_or(|(worst, _)| ratio > worst) {
                        difference.worst = Some((ratio, number));
                    }
                }
                Err(error) => {
                    difference.failed.get_or_insert((error, number));
                }
            }
        }
    }
}

/// The largest magnitude; NaN if there is one.
fn largest(numbers: impl Iterator<Item = f64>) -> f64 {
    numbers.map(f64::abs).fold(0.0, |most, number| if number > most || number.is_nan() { number } else { most })
}

/// A difference over the size of what differs; infinite if either is NaN.
fn relative(difference: f64, size: f64) -> f64 {
    match difference / size {
        _ if difference == 0.0 => 0.0,
        ratio if ratio.is_nan() => f64::INFINITY,
        ratio => ratio,
    }
}
