//! Any number of states, in lanes and on all cores.

use super::Instructions;
use appell::dynamics::InertiaError;
use appell::mechanism::Mechanism;
use appell::question::kernel::{self, Inputs, Kernel};
use appell::question::{self, Evaluator, Input, Question, State, Target};
use appell::real::Lanes;
use core::ops::Range;
use fearless_simd::{Level, Simd};
use prefetch_index::prefetch_index;
use rayon::prelude::*;

/// States in structures of arrays: one vector after the other, `q[j * count + i]`. Vectors that the question does not read
/// may be empty.
#[derive(Debug, Clone, Copy, Default)]
pub struct States<'s> {
    /// How many.
    pub count: usize,
    /// Positions, rad or m.
    pub q: &'s [f64],
    /// Velocities, rad/s or m/s.
    pub v: &'s [f64],
    /// Accelerations, rad/s² or m/s².
    pub a: &'s [f64],
    /// Efforts, N m or N.
    pub tau: &'s [f64],
    /// Second velocities, rad/s or m/s.
    pub w: &'s [f64],
}

/// Why a batch has no answer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("state {state}: {source}")]
pub struct BatchError {
    /// The first state that has none, counted from 0.
    pub state: usize,
    /// Why.
    pub source: InertiaError,
}

/// States that one thread computes at a time.
const CHUNK: usize = 1024;

/// Lanes of the widest registers of any processor, and more.
const WIDEST: usize = 16;

/// How many blocks of lanes ahead memory is asked for what will be read and written: with a stream a number of a state, there
/// are more of them than processors follow by themselves.
const AHEAD: usize = 4;

/// Robots with more joints than this have their forward dynamics by articulated bodies, O(n), one state after the other: in lanes
/// O(n³) takes longer.
const LONG: usize = 36;

type Answer = fn(&Job<'_>, usize, &mut [&mut [f64]]) -> Result<(), BatchError>;

/// A question of one robot for many states.
#[derive(Clone, Copy)]
pub struct Batch<'r> {
    robot: &'r Mechanism,
    question: Question,
    target: Target,
    columns: usize,
    method: Option<&'static str>,
    level: Level,
    answer: Answer,
}

/// What all threads read.
struct Job<'j> {
    robot: &'j Mechanism,
    question: Question,
    target: Target,
    method: Option<&'static str>, // of states that are answered one by one
    level: Level,
    vectors: [&'j [f64]; 5],
    count: usize,
}

impl<'r> Batch<'r> {
    /// Prepares a question; `None` if it cannot be computed in lanes.
    #[must_use]
    pub fn new(robot: &'r Mechanism, question: Question, target: Target) -> Option<Self> {
        let columns = question.columns(robot).len();
        let level = Instructions::default().level();
        let batch = |method, answer| Self { robot, question, target, columns, method, level, answer };
        if question == Question::ForwardDynamics && robot.dof() > LONG {
            return Some(batch(Some(question::OF_LONG_ROBOTS), one_by_one));
        }
        Some(batch(None, kernel::visit(question, InChunks)?))
    }

    /// The same with instructions of the user's choice.
    #[must_use]
    pub fn by(self, instructions: Instructions) -> Self {
        Self { level: instructions.level(), ..self }
    }

    /// The method that answers, where it is not the question's first.
    #[must_use]
    pub fn method(&self) -> Option<&'static str> {
        self.method
    }

    /// How many numbers the answer for a state has.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Answers for all states, on the threads of rayon's pool.
    ///
    /// # Errors
    /// If the inertia matrix of a state is singular, for forward dynamics. Some answers are written then.
    ///
    /// # Panics
    /// If a vector that the question reads has not one number a joint and state, or `answers` not one a column and state.
    pub fn evaluate(&self, states: &States<'_>, answers: &mut [f64]) -> Result<(), BatchError> {
        let States { count, q, v, a, tau, w } = *states;
        let n = self.robot.dof();
        for (input, vector) in Input::ALL.iter().zip([q, v, a, tau, w]) {
            let is_read = self.question.inputs().contains(input);
            assert!(!is_read || vector.len() == n * count, "one number a joint and state");
        }
        assert_eq!(answers.len(), self.columns * count, "one number a column and state");
        if count == 0 {
            return Ok(());
        }
        let read = |input: &Input, vector| if self.question.inputs().contains(input) { vector } else { &[][..] };
        let given = [q, v, a, tau, w];
        let vectors = core::array::from_fn(|k| read(&Input::ALL[k], given[k]));
        let Self { robot, question, target, method, level, .. } = *self;
        let job = Job { robot, question, target, method, level, vectors, count };
        // The parts of all columns that belong to a chunk of states.
        let mut parts: Vec<Vec<&mut [f64]>> =
            (0..count.div_ceil(CHUNK)).map(|_| Vec::with_capacity(self.columns)).collect();
        for column in answers.chunks_exact_mut(count) {
            column.chunks_mut(CHUNK).zip(&mut parts).for_each(|(part, parts)| parts.push(part));
        }
        let answers = parts.par_iter_mut().enumerate().map(|(k, parts)| (self.answer)(&job, k * CHUNK, parts));
        // The first error, whichever thread was the first to find one.
        answers.reduce(|| Ok(()), Result::and)
    }
}

/// How a question is answered in chunks.
struct InChunks;

impl kernel::Visitor for InChunks {
    type Output = Answer;

    fn visit<K: Kernel>(self) -> Answer {
        chunk::<K>
    }
}

/// The states of a chunk that begins at `first`.
fn chunk<K: Kernel>(job: &Job<'_>, first: usize, parts: &mut [&mut [f64]]) -> Result<(), BatchError> {
    // Not for every level there is: every question is compiled for each, and below AVX2 lanes gain little.
    #[cfg(target_arch = "x86_64")]
    {
        if let Some(avx512) = job.level.as_avx512() {
            return enabled::<K, _>(avx512, job, first, parts);
        }
        if let Some(avx2) = job.level.as_avx2() {
            return enabled::<K, _>(avx2, job, first, parts);
        }
        one_by_one(job, first, parts)
    }
    #[cfg(not(target_arch = "x86_64"))]
    fearless_simd::dispatch!(job.level, simd => in_lanes::<K, _>(simd, job, first, parts))
}

/// The states of a chunk, each as the question is answered everywhere.
fn one_by_one(job: &Job<'_>, first: usize, parts: &mut [&mut [f64]]) -> Result<(), BatchError> {
    let Job { robot, question, target, method, vectors, count, .. } = *job;
    let mut evaluator = Evaluator::new(robot, question, method, target).expect("a method that there is");
    let mut state = [(); 5].map(|()| vec![0.0; robot.dof()]);
    let mut row = vec![0.0; parts.len()];
    for i in 0..(count - first).min(CHUNK) {
        for (own, given) in state.iter_mut().zip(vectors).filter(|(_, given)| !given.is_empty()) {
            own.iter_mut().enumerate().for_each(|(j, x)| *x = given[j * count + first + i]);
        }
        let [q, v, a, tau, w] = &state;
        let answered = evaluator.evaluate(State { q, v, a, tau, w, external: &[] }, &mut row);
        answered.map_err(|source| BatchError { state: first + i, source })?;
        parts.iter_mut().zip(&row).for_each(|(part, &number)| part[i] = number);
    }
    Ok(())
}

/// The same where the processor has these instructions.
#[cfg(target_arch = "x86_64")]
fn enabled<K: Kernel, S: Simd>(
    simd: S,
    job: &Job<'_>,
    first: usize,
    parts: &mut [&mut [f64]],
) -> Result<(), BatchError> {
    simd.vectorize(
        #[inline(always)]
        || in_lanes::<K, _>(simd, job, first, parts),
    )
}

#[inline(always)]
fn in_lanes<K: Kernel, S: Simd>(
    simd: S,
    job: &Job<'_>,
    first: usize,
    parts: &mut [&mut [f64]],
) -> Result<(), BatchError> {
    let zero = Lanes::splat(simd, 0.0);
    let mut block = Block::<K, S> {
        memory: K::memory(job.robot, job.target, zero),
        state: core::array::from_fn(|_| vec![zero; job.robot.dof()]),
    };
    let size = (job.count - first).min(CHUNK);
    let (mut next, mut end_of_alone) = (0, 0);
    while next < size {
        let used = if next < end_of_alone { 1 } else { (size - next).min(Lanes::<S>::LEN) };
        match block.answer(simd, job, first, next..next + used, parts) {
            Ok(()) => next += used,
            Err(source) if used == 1 => return Err(BatchError { state: first + next, source }),
            // One of them has no answer, or none that stands beside the others': each by itself, in the same lanes.
            Err(_) => end_of_alone = next + used,
        }
    }
    Ok(())
}

/// States side by side, and memory to compute with.
struct Block<K: Kernel, S: Simd> {
    memory: K::Memory<Lanes<S>>,
    state: [Vec<Lanes<S>>; 5],
}

impl<K: Kernel, S: Simd> Block<K, S> {
    /// Answers some states, no more than there are lanes, of a chunk that begins at `first`.
    #[inline(always)]
    fn answer(
        &mut self,
        simd: S,
        job: &Job<'_>,
        first: usize,
        states: Range<usize>,
        parts: &mut [&mut [f64]],
    ) -> Result<(), InertiaError> {
        let Job { robot, vectors, count, .. } = *job;
        let used = states.len();
        for (lanes, numbers) in self.state.iter_mut().zip(vectors).filter(|(_, numbers)| !numbers.is_empty()) {
            for (j, lanes) in lanes.iter_mut().enumerate() {
                let begin = j * count + first + states.start;
                prefetch_index(numbers, begin + AHEAD * Lanes::<S>::LEN);
                *lanes = loaded(simd, &numbers[begin..][..used]);
            }
        }
        let [q, v, a, tau, w] = &self.state;
        K::run(
            robot,
            &mut self.memory,
            &Inputs { q, v, a, tau, w },
            #[inline(always)]
            |column, lanes: Lanes<S>| {
                prefetch_index(&*parts[column], states.start + AHEAD * Lanes::<S>::LEN);
                store(lanes, &mut parts[column][states.clone()]);
            },
        )
    }
}

/// States side by side; at the end of a batch the lanes that are left over compute the last one again.
#[inline(always)]
pub(super) fn loaded<S: Simd>(simd: S, from: &[f64]) -> Lanes<S> {
    if from.len() == Lanes::<S>::LEN {
        return Lanes::load(simd, from);
    }
    let mut all = [from[from.len() - 1]; WIDEST];
    all[..from.len()].copy_from_slice(from);
    Lanes::load(simd, &all)
}

/// The first lanes, as many as there are places.
#[inline(always)]
pub(super) fn store<S: Simd>(lanes: Lanes<S>, to: &mut [f64]) {
    if to.len() == Lanes::<S>::LEN {
        return lanes.store(to);
    }
    let mut all = [0.0; WIDEST];
    lanes.store(&mut all);
    to.copy_from_slice(&all[..to.len()]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use appell::sample::{Sampler, Shape};

    /// A tree beyond the size at which the method changes, against the default one by one.
    #[test]
    fn large_trees_by_articulated_bodies() {
        let mut sampler = Sampler::new(5);
        let robot = sampler.robot(LONG + 4, Shape::Tree);
        let (count, n) = (3, robot.dof());
        let [q, v, tau] =
            [1.0, 1.0, 5.0].map(|limit| (0..n * count).map(|_| sampler.within(limit)).collect::<Vec<_>>());
        let batch = Batch::new(&robot, Question::ForwardDynamics, Target::default()).unwrap();
        assert_eq!(batch.method(), Some("articulated-body"));
        let mut found = vec![0.0; n * count];
        batch.evaluate(&States { count, q: &q, v: &v, tau: &tau, ..States::default() }, &mut found).unwrap();
        let mut evaluator = Evaluator::new(&robot, Question::ForwardDynamics, None, Target::default()).unwrap();
        let mut row = vec![0.0; n];
        for i in 0..count {
            let of = |vector: &[f64]| vector.iter().skip(i).step_by(count).copied().collect::<Vec<f64>>();
            let (q, v, tau) = (of(&q), of(&v), of(&tau));
            evaluator.evaluate(State { q: &q, v: &v, tau: &tau, ..State::default() }, &mut row).unwrap();
            let size = row.iter().fold(0.0, |size: f64, x| size.max(x.abs()));
            for (a, b) in of(&found).iter().zip(&row) {
                assert!((a - b).abs() <= 1e-6 * size, "{a} {b}");
            }
        }
    }
}
