//! States of a robot with closed loops, on all cores, and [in lanes](super::closed_lanes) what can be.

use super::{Batch, BatchError, Motions, States, closed_lanes, parts};
use appell::closed::ClosedMechanism;
use appell::question::closed::Moved;
use appell::question::{AnswerError, Evaluator, Motion, State};
use appell::spatial::{Pose, Quaternion, Vec3};
use core::ops::Range;
use rayon::prelude::*;
use std::sync::{Mutex, PoisonError};

/// States that one thread computes at a time.
const CHUNK: usize = 256;

/// Answers for all states.
pub(super) fn evaluate(
    batch: &Batch,
    robot: &ClosedMechanism,
    states: &States<'_>,
    answers: &mut [f64],
) -> Result<(), BatchError> {
    let fits = |vector: &[f64], width: usize| vector.is_empty() || vector.len() == width * states.count;
    if let Motions::Platform { pose, twist, acceleration } = states.motions() {
        let all_fit = pose.len() == 7 * states.count && fits(twist, 6) && fits(acceleration, 6);
        assert!(all_fit, "one value per component of the platform's motion and state");
    }
    let mut parts = parts(answers, states.count, CHUNK);
    let threads = rayon::current_num_threads().min(parts.len());
    let waiting = Mutex::new(parts.iter_mut().enumerate());
    let answers = (0..threads).into_par_iter().map(|_| work(batch, robot, states, &waiting));
    // The first error, whichever thread was the first to find one.
    let earlier = |one: BatchError, other: BatchError| if other.state < one.state { other } else { one };
    answers.filter_map(Result::err).reduce_with(earlier).map_or(Ok(()), Err)
}

/// Answers chunks, one after the other, as long as there are any, or until one has no answer: all before it have been taken.
/// What it is done with is made once, for lanes need a lot of memory.
fn work<'p>(
    batch: &Batch,
    robot: &ClosedMechanism,
    states: &States<'_>,
    waiting: &Mutex<impl Iterator<Item = (usize, &'p mut Vec<&'p mut [f64]>)>>,
) -> Result<(), BatchError> {
    let take = || waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
    let mut taken = take();
    if taken.is_none() {
        return Ok(());
    }
    let mut alone = Alone::new(batch, robot);
    let mut lanes = closed_lanes::prepare(batch, robot, &mut alone.evaluator);
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

/// Some states that one thread computes.
#[derive(Clone, Copy)]
pub(super) struct Chunk<'s> {
    pub(super) states: &'s States<'s>,
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
    pub(super) fn error(&self, i: usize, source: impl Into<AnswerError>) -> BatchError {
        BatchError { state: self.first + i, source: source.into() }
    }
}

/// A question for one state at a time.
pub(super) struct Alone<'r> {
    robot: &'r ClosedMechanism,
    evaluator: Evaluator,
    vectors: [Vec<f64>; 4], // of one state: how it moves, and its torques and forces
    row: Vec<f64>,
}

impl<'r> Alone<'r> {
    fn new(batch: &Batch, robot: &'r ClosedMechanism) -> Self {
        let method = Some(batch.method.name);
        let evaluator =
            Evaluator::new(&batch.robot, batch.question, method, batch.target).expect("it was asked before");
        let vectors = core::array::from_fn(|_| Vec::with_capacity(robot.driven().len().max(7)));
        let row = vec![0.0; evaluator.columns().len()];
        Self { robot, evaluator, vectors, row }
    }

    /// The motion of state `i` of a chunk.
    pub(super) fn find(&mut self, chunk: &Chunk<'_>, i: usize) -> Result<&Moved, BatchError> {
        let state = state(&mut self.vectors, chunk, i);
        let closed = self.evaluator.closed().expect("a robot with closed loops");
        closed.find(self.robot, &state).map_err(|source| chunk.error(i, source))
    }

    /// Answers some states of a chunk, one after the other.
    pub(super) fn answer(
        &mut self,
        chunk: &Chunk<'_>,
        states: Range<usize>,
        parts: &mut [&mut [f64]],
    ) -> Result<(), BatchError> {
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
    let mut state = State { tau, ..State::default() };
    match chunk.states.motions() {
        Motions::Platform { pose, twist, acceleration } => {
            take(pose, one);
            take(twist, two);
            take(acceleration, three);
            let given = |&x: &f64| !x.is_nan();
            let six = |numbers: &[f64]| core::array::from_fn(|k| numbers.get(k).copied().filter(given));
            let rotation = Quaternion { x: one[3], y: one[4], z: one[5], w: one[6] }.rotation();
            let pose = Pose { position: Vec3::new(one[0], one[1], one[2]), rotation };
            state.motion = Motion::Platform { pose, twist: six(two), acceleration: six(three) };
        }
        Motions::Joints { q, v, a } => {
            take(q, one);
            take(v, two);
            take(a, three);
            (state.q, state.v, state.a) = (one, two, three);
        }
    }
    state
}
