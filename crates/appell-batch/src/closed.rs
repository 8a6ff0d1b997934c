//! Many states of a robot with closed loops, on all cores, and [in lanes](super::closed_lanes) what can be.

use super::{Instructions, closed_lanes};
use appell::closed::ClosedMechanism;
use appell::question::Question;
use appell::question::closed::{Evaluator, Motion, MotionError, Moved, Refused, State};
use appell::spatial::{Pose, Quaternion, Vec3};
use core::ops::Range;
use rayon::prelude::*;
use std::sync::{Mutex, PoisonError};

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

/// A question of a robot with closed loops for many states, by its default method.
///
/// ```
/// use crate::{ClosedBatch, ClosedStates, Motions};
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
    instructions: Instructions,
}

impl<'r> ClosedBatch<'r> {
    /// Prepares a question.
    ///
    /// # Errors
    /// If closed mechanisms, or this one, do not answer it.
    pub fn new(robot: &'r ClosedMechanism, question: Question) -> Result<Self, Refused> {
        let columns = Evaluator::new(robot, question, None)?.columns().len();
        Ok(Self { robot, question, columns, instructions: Instructions::default() })
    }

    /// The same with instructions of the user's choice.
    #[must_use]
    pub fn by(self, instructions: Instructions) -> Self {
        Self { instructions, ..self }
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
        let threads = rayon::current_num_threads().min(parts.len());
        let waiting = Mutex::new(parts.iter_mut().enumerate());
        let answers = (0..threads).into_par_iter().map(|_| self.work(states, &waiting));
        // The first error, whichever thread was the first to find one.
        let earlier =
            |one: ClosedBatchError, other: ClosedBatchError| if other.state < one.state { other } else { one };
        match answers.filter_map(Result::err).reduce_with(earlier) {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    /// Answers chunks, one after the other, as long as there are any, or until one has no answer: all before it have been taken.
    /// What it is done with is made once, for lanes need a lot of memory.
    fn work<'p>(
        &self,
        states: &ClosedStates<'_>,
        waiting: &Mutex<impl Iterator<Item = (usize, &'p mut Vec<&'p mut [f64]>)>>,
    ) -> Result<(), ClosedBatchError> {
        let take = || waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
        let mut taken = take();
        if taken.is_none() {
            return Ok(());
        }
        let mut alone = Alone::new(self.robot, self.question);
        let mut lanes = closed_lanes::prepare(self.robot, &alone.evaluator, self.instructions);
        while let Some((k, parts)) = taken {
            let chunk = Chunk { states, first: k * CHUNK };
            match &mut lanes {
                Some(lanes) => lanes.answer(&chunk, &mut alone, parts)?,
                None => alone.answer(&chunk, 0..chunk.size(), parts)?,
            }
            taken = take();
        }
        Ok(())
    }
}

/// Some states that one thread computes.
#[derive(Clone, Copy)]
pub(super) struct Chunk<'s> {
    pub(super) states: &'s ClosedStates<'s>,
    first: usize,
}

impl<'s> Chunk<'s> {
    /// How many states it has.
    pub(super) fn size(&self) -> usize {
        (self.states.count - self.first).min(CHUNK)
    }

    /// Number `k` of some of its states; `None` if the vector is empty.
    pub(super) fn numbers(&self, vector: &'s [f64], k: usize, states: &Range<usize>) -> Option<&'s [f64]> {
        let begin = k * self.states.count + self.first;
        (!vector.is_empty()).then(|| &vector[begin + states.start..begin + states.end])
    }

    /// Why state `i` has no answer.
    pub(super) fn error(&self, i: usize, source: MotionError) -> ClosedBatchError {
        ClosedBatchError { state: self.first + i, source }
    }
}

/// A question for one state at a time.
pub(super) struct Alone<'r> {
    evaluator: Evaluator<'r>,
    vectors: [Vec<f64>; 4], // of one state: how it moves, and its efforts
    row: Vec<f64>,
}

impl<'r> Alone<'r> {
    fn new(robot: &'r ClosedMechanism, question: Question) -> Self {
        let evaluator = Evaluator::new(robot, question, None).expect("it was asked before");
        let vectors = core::array::from_fn(|_| Vec::with_capacity(robot.driven().len().max(7)));
        let row = vec![0.0; evaluator.columns().len()];
        Self { evaluator, vectors, row }
    }

    /// The motion of state `i` of a chunk.
    pub(super) fn find(&mut self, chunk: &Chunk<'_>, i: usize) -> Result<&Moved, ClosedBatchError> {
        let state = state(&mut self.vectors, chunk, i);
        self.evaluator.find(&state.motion).map_err(|source| chunk.error(i, source))
    }

    /// Answers some states of a chunk, one after the other.
    pub(super) fn answer(
        &mut self,
        chunk: &Chunk<'_>,
        states: Range<usize>,
        parts: &mut [&mut [f64]],
    ) -> Result<(), ClosedBatchError> {
        for i in states {
            let state = state(&mut self.vectors, chunk, i);
            let answered = self.evaluator.evaluate(&state, &mut self.row);
            answered.map_err(|source| chunk.error(i, source))?;
            parts.iter_mut().zip(&self.row).for_each(|(part, number)| part[i] = *number);
        }
        Ok(())
    }
}

/// State `i` of a chunk, its numbers gathered in `vectors`.
fn state<'v>(vectors: &'v mut [Vec<f64>; 4], chunk: &Chunk<'_>, i: usize) -> State<'v> {
    let (count, i) = (chunk.states.count, chunk.first + i);
    let take = |vector: &[f64], into: &mut Vec<f64>| {
        into.clear();
        into.extend(vector.iter().skip(i).step_by(count));
    };
    let [one, two, three, tau] = vectors;
    take(chunk.states.tau, tau);
    let motion = match chunk.states.motions {
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
