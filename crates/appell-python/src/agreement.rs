//! How far the methods for one question differ on random states.

use crate::errors;
use crate::robot::Robot;
use crate::waiting::interruptible;
use appell::question::{Evaluator, Motion, Question, Refused, State, Target};
use appell::sample::{RandomState, Sampler};
use appell::{Model, Robot as Inner};
use pyo3::prelude::*;

/// Question, method, the default method it is measured against, the largest relative difference, and why a state had no answer.
type Outcome = (&'static str, &'static str, &'static str, Option<f64>, Option<String>);

#[pymethods]
impl Robot {
    /// The largest differences between each question's default method and its others.
    #[pyo3(name = "_agreement", signature = (states, seed))]
    fn differences(&self, py: Python<'_>, states: u64, seed: u64) -> PyResult<Vec<Outcome>> {
        let inner = self.inner.clone();
        let found = interruptible(py, move |abandoned| compare(&inner, states, seed, || abandoned.get()))?;
        found.map_err(|error| errors::of_question(&error))
    }
}

/// A method that is measured against the default one.
struct Rival {
    evaluator: Evaluator,
    worst: Option<f64>,
    failed: Option<String>,
}

struct Contest {
    first: Evaluator,
    rivals: Vec<Rival>,
    answers: [Vec<f64>; 2],
}

fn compare(
    robot: &Inner,
    states: u64,
    seed: u64,
    mut is_abandoned: impl FnMut() -> bool,
) -> Result<Vec<Outcome>, Refused> {
    let ready = |question, method| Evaluator::new(robot, question, method, Target::default());
    let mut contests = Vec::new();
    for question in Question::ALL {
        // Of closed robots the rest is kinematics of an assembled robot, in which formulations cannot differ.
        let is_kinematics = matches!(question, Question::Frames | Question::CentreOfMass | Question::Singularity);
        let methods = question.methods(robot);
        if methods.len() < 2 || (robot.closed().is_some() && is_kinematics) {
            continue;
        }
        let mut all = methods.into_iter().map(|method| ready(question, Some(method.name)));
        let first = all.next().expect("two at least")?;
        let rival = |evaluator: Evaluator| Rival { evaluator, worst: None, failed: None };
        let rivals = all.map(|made| made.map(rival)).collect::<Result<Vec<_>, _>>()?;
        let answers = [(); 2].map(|()| vec![0.0; first.columns().len()]);
        contests.push(Contest { first, rivals, answers });
    }
    let mut forces = ready(Question::InverseDynamics, None)?;
    let mut tau = vec![0.0; forces.columns().len()];
    let mut sampler = Sampler::new(seed);
    for _ in 0..states {
        if is_abandoned() {
            break;
        }
        let mut judge = |state: &State<'_>| {
            let force = forces.evaluate(state, &mut tau).map_or(0.0, |()| largest(tau.iter().copied()));
            contests.iter_mut().for_each(|contest| contest.judge(state, force));
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
    }
    Ok(contests.into_iter().flat_map(Contest::outcomes).collect())
}

impl Contest {
    fn judge(&mut self, state: &State<'_>, force: f64) {
        let [ours, theirs] = &mut self.answers;
        let answered = self.first.evaluate(state, ours);
        let size = largest(ours.iter().copied());
        let size = match self.first.question() {
            // What may vanish is measured against all joint forces.
            Question::Bias
            | Question::Gravity
            | Question::CoriolisVector
            | Question::CoriolisMatrix
            | Question::Reactions => size.max(force),
            _ => size,
        };
        for Rival { evaluator, worst, failed } in &mut self.rivals {
            match answered.clone().and_then(|()| evaluator.evaluate(state, theirs)) {
                Ok(()) => {
                    let apart = largest(ours.iter().zip(&*theirs).map(|(ours, theirs)| ours - theirs));
                    let ratio = if apart == 0.0 { 0.0 } else { apart / size };
                    let ratio = if ratio.is_nan() { f64::INFINITY } else { ratio };
                    *worst = Some(worst.map_or(ratio, |worst: f64| worst.max(ratio)));
                }
                Err(error) => {
                    failed.get_or_insert_with(|| error.to_string());
                }
            }
        }
    }

    fn outcomes(self) -> Vec<Outcome> {
        let (question, against) = (self.first.question().name(), self.first.method().name);
        let one = |rival: Rival| (question, rival.evaluator.method().name, against, rival.worst, rival.failed);
        self.rivals.into_iter().map(one).collect()
    }
}

/// The largest magnitude; NaN if there is one.
fn largest(numbers: impl Iterator<Item = f64>) -> f64 {
    numbers.map(f64::abs).fold(0.0, |most, number| if number > most || number.is_nan() { number } else { most })
}
