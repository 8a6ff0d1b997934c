//! Many states of a robot with closed loops, on all cores.
//!
//! Legs are assembled one state after the other: searches end when they have converged, each at its own step. What follows, the
//! dynamics of legs and platform, is computed [in lanes](super::closed_lanes).

use super::closed_lanes;
use crate::closed::ClosedMechanism;
use crate::question::Question;
use crate::question::closed::{Evaluator, Motion, MotionError, Refused, State};
use crate::spatial::{Pose, Quaternion, Vec3};
use core::ops::Range;
use rayon::prelude::*;

/// Motions in structures of arrays: `pose[k * count + i]` is number k of state i. What a question does not read may be empty.
#[derive(Debug, Clone, Copy)]
pub enum Motions<'s> {
    /// Of the platform: seven numbers of its pose, px py pz qx qy qz qw, six of its twist and of the twist's rate, linear first.
    /// A component of these that depends on others may be NaN, and is found from them.
    Platform {
        /// m, and a quaternion of length 1.
        pose: &'s [f64],
        /// m/s and rad/s.
        twist: &'s [f64],
        /// m/s² and rad/s².
        acceleration: &'s [f64],
    },
    /// Of the driven joints.
    Drives {
        /// rad or m.
        q: &'s [f64],
        /// rad/s or m/s.
        v: &'s [f64],
        /// rad/s² or m/s².
        a: &'s [f64],
    },
}

/// States of a robot with closed loops; each is found from home.
#[derive(Debug, Clone, Copy)]
pub struct ClosedStates<'s> {
    /// How many.
    pub count: usize,
    /// How they move.
    pub motions: Motions<'s>,
    /// Efforts of the drives, N m or N: `tau[k * count + i]`; may be empty.
    pub tau: &'s [f64],
}

/// Why a batch has no answer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("state {state}: {source}")]
pub struct ClosedBatchError {
    /// The first state that has none, counted from 0.
    pub state: usize,
    /// Why.
    pub source: MotionError,
}

/// States that one thread computes at a time.
const CHUNK: usize = 256;

/// A question of a robot with closed loops for many states, by its default method; that of legs and platform in lanes for
/// inverse and forward dynamics, inertia matrix and bias.
///
/// ```
/// use appell::batch::{ClosedBatch, ClosedStates, Motions};
/// use appell::{question::Question, robots};
///
/// let robot = robots::find("gough-stewart").unwrap().closed();
/// let batch = ClosedBatch::new(&robot, Question::InverseDynamics)?;
/// let count = 3;
/// let heights = [0.74, 0.75, 0.76];
/// let one = [1.0; 3];
/// let zeros = [0.0; 18];
/// let pose: Vec<f64> = [&zeros[..6], &heights, &zeros[..9], &one].concat();
/// let motions = Motions::Platform { pose: &pose, twist: &zeros, acceleration: &zeros };
/// let mut efforts = vec![0.0; batch.columns() * count];
/// batch.evaluate(&ClosedStates { count, motions, tau: &[] }, &mut efforts)?;
/// assert!(efforts.iter().all(|effort| *effort > 0.0), "all legs bear the platform");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct ClosedBatch<'r> {
    robot: &'r ClosedMechanism,
    question: Question,
    columns: usize,
}

impl<'r> ClosedBatch<'r> {
    /// Prepares a question.
    ///
    /// # Errors
    /// If closed mechanisms, or this one, do not answer it.
    pub fn new(robot: &'r ClosedMechanism, question: Question) -> Result<Self, Refused> {
        let columns = Evaluator::new(robot, question, None)?.columns().len();
        Ok(Self { robot, question, columns })
    }

    /// How many numbers the answer for a state has.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Answers for all states, on the threads of rayon's pool.
    ///
    /// # Errors
    /// If a state has no answer: it cannot be assembled, or is singular. Some answers are written then.
    ///
    /// # Panics
    /// If a vector is neither empty nor of the right length, or `answers` has not one number a column and state.
    pub fn evaluate(&self, states: &ClosedStates<'_>, answers: &mut [f64]) -> Result<(), ClosedBatchError> {
        let count = states.count;
        assert_eq!(answers.len(), self.columns * count, "one number a column and state");
        let drives = self.robot.driven().len();
        let fits = |vector: &[f64], width: usize| vector.is_empty() || vector.len() == width * count;
        let all_fit = match states.motions {
            Motions::Platform { pose, twist, acceleration } => {
                pose.len() == 7 * count && fits(twist, 6) && fits(acceleration, 6)
            }
            Motions::Drives { q, v, a } => [q, v, a].iter().all(|vector| fits(vector, drives)),
        };
        assert!(all_fit && fits(states.tau, drives), "one number a component and state");
        if count == 0 {
            return Ok(());
        }
        let mut parts: Vec<Vec<&mut [f64]>> =
            (0..count.div_ceil(CHUNK)).map(|_| Vec::with_capacity(self.columns)).collect();
        for column in answers.chunks_exact_mut(count) {
            column.chunks_mut(CHUNK).zip(&mut parts).for_each(|(part, parts)| parts.push(part));
        }
        let lanes = closed_lanes::Lanewise::of(self.robot, self.question);
        let answered = parts.par_iter_mut().enumerate().map_init(
            || Evaluator::new(self.robot, self.question, None).expect("it was asked before"),
            |evaluator, (k, parts)| {
                let mut chunk = Chunk::new(states, drives, k * CHUNK, parts.len());
                match lanes {
                    Some(lanes) => lanes.answer(self.robot, evaluator, &mut chunk, parts),
                    None => chunk.answer(evaluator, 0..chunk.size(), parts),
                }
            },
        );
        answered.reduce(|| Ok(()), Result::and)
    }
}

/// Some states that one thread computes, one after the other.
pub(super) struct Chunk<'s> {
    states: &'s ClosedStates<'s>,
    first: usize,
    vectors: [Vec<f64>; 4], // of one state: how it moves, and its efforts
    row: Vec<f64>,
}

impl<'s> Chunk<'s> {
    fn new(states: &'s ClosedStates<'s>, drives: usize, first: usize, columns: usize) -> Self {
        let vectors = core::array::from_fn(|_| Vec::with_capacity(drives.max(7)));
        Self { states, first, vectors, row: vec![0.0; columns] }
    }

    /// How many states it has.
    pub(super) fn size(&self) -> usize {
        (self.states.count - self.first).min(CHUNK)
    }

    /// State `i` of the chunk.
    pub(super) fn state(&mut self, i: usize) -> State<'_> {
        let (count, i) = (self.states.count, self.first + i);
        let take = |vector: &[f64], into: &mut Vec<f64>| {
            into.clear();
            into.extend(vector.iter().skip(i).step_by(count));
        };
        let [one, two, three, tau] = &mut self.vectors;
        take(self.states.tau, tau);
        let motion = match self.states.motions {
            Motions::Platform { pose, twist, acceleration } => {
                take(pose, one);
                take(twist, two);
                take(acceleration, three);
                let given = |&x: &f64| !x.is_nan();
                let six = |numbers: &[f64]| core::array::from_fn(|k| numbers.get(k).copied().filter(given));
                let rotation = Quaternion { x: one[3], y: one[4], z: one[5], w: one[6] }.rotation();
                let pose = Pose { position: Vec3::new(one[0], one[1], one[2]), rotation };
                Motion::Platform { pose, twist: six(two), acceleration: six(three) }
            }
            Motions::Drives { q, v, a } => {
                take(q, one);
                take(v, two);
                take(a, three);
                Motion::Drives { q: one, v: two, a: three }
            }
        };
        State { motion, tau, ..State::default() }
    }

    /// Answers some of its states, one after the other.
    pub(super) fn answer(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        states: Range<usize>,
        parts: &mut [&mut [f64]],
    ) -> Result<(), ClosedBatchError> {
        let mut row = core::mem::take(&mut self.row);
        for i in states {
            let answered = evaluator.evaluate(&self.state(i), &mut row);
            answered.map_err(|source| self.error(i, source))?;
            parts.iter_mut().zip(&row).for_each(|(part, number)| part[i] = *number);
        }
        self.row = row;
        Ok(())
    }

    /// Why state `i` has no answer.
    pub(super) fn error(&self, i: usize, source: MotionError) -> ClosedBatchError {
        ClosedBatchError { state: self.first + i, source }
    }
}
