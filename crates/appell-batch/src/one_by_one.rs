//! States of a robot with closed loops, one after the other: a chunk of them, and a question for one.

use super::{Batch, BatchError, Motions, States};
use appell::closed::ClosedMechanism;
use appell::question::closed::Moved;
use appell::question::{AnswerError, Evaluator, Motion, State};
use appell::spatial::{Pose, Quaternion, Vec3};
use core::ops::Range;

/// States that one thread computes at a time.
pub(super) const CHUNK: usize = 256;

/// Some states that one thread computes.
#[derive(Clone, Copy)]
pub(super) struct Chunk<'s> {
    pub(super) states: &'s States<'s>,
    pub(super) first: usize,
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
    batch: &'r Batch,
    robot: &'r ClosedMechanism,
    pub(super) evaluator: Evaluator,
    vectors: [Vec<f64>; 4], // of one state: how it moves, and its efforts
    row: Vec<f64>,
}

impl<'r> Alone<'r> {
    pub(super) fn new(batch: &'r Batch, robot: &'r ClosedMechanism) -> Self {
        let method = Some(batch.method.name);
        let evaluator =
            Evaluator::new(&batch.robot, batch.question, method, batch.target).expect("it was asked before");
        let vectors = core::array::from_fn(|_| Vec::with_capacity(robot.driven().len().max(7)));
        let row = vec![0.0; evaluator.columns().len()];
        Self { batch, robot, evaluator, vectors, row }
    }

    /// The motion of state `i` of a chunk.
    pub(super) fn find(&mut self, chunk: &Chunk<'_>, i: usize) -> Result<&Moved, BatchError> {
        let state = state(&mut self.vectors, chunk, i);
        let closed = self.evaluator.closed().expect("a robot with closed loops");
        closed.find(self.robot, &state).map_err(|source| chunk.error(i, source))?;
        if closed.is_undecided() {
            self.batch.note_undecided(chunk.first + i);
        }
        Ok(closed.moved())
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
            if self.evaluator.is_undecided() {
                self.batch.note_undecided(chunk.first + i);
            }
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
