//! States of an open robot, in lanes and on all cores.

use super::{Batch, BatchError, States, parts, rows};
use appell::dynamics::InertiaError;
use appell::mechanism::Mechanism;
use appell::question::kernel::{self, Inputs, Kernel};
use appell::question::{Evaluator, Input, State};
use appell::real::{Fused, Lanes};
use core::ops::Range;
use fearless_simd::{Level, Simd};
use prefetch_index::prefetch_index;
use rayon::prelude::*;

/// States that one thread computes at a time.
const CHUNK: usize = 1024;

/// Lanes of the widest registers of any processor, and more.
const WIDEST: usize = 16;

/// How many blocks of lanes ahead memory is asked for what will be read and written: with a stream a number of a state, there
/// are more of them than processors follow by themselves.
const AHEAD: usize = 4;

type Answer = fn(&Job<'_>, usize, Places<'_, '_>) -> Result<(), BatchError>;

/// What all threads read.
struct Job<'j> {
    batch: &'j Batch,
    robot: &'j Mechanism,
    level: Level,
    vectors: [&'j [f64]; 5],
    count: usize,
}

/// Where the answers of a chunk go, which lie as the states do.
enum Places<'p, 'a> {
    /// The chunk's part of every column.
    Columns(&'p mut [&'a mut [f64]]),
    /// The chunk's rows.
    Rows(&'p mut [f64]),
}

/// Answers for all states, in columns.
pub(super) fn evaluate(
    batch: &Batch,
    robot: &Mechanism,
    states: &States<'_>,
    answers: &mut [f64],
) -> Result<(), BatchError> {
    let (job, answer) = prepared(batch, robot, states);
    let mut parts = parts(answers, states.count, CHUNK);
    let parts = parts.par_iter_mut().enumerate();
    let answers = parts.map(|(k, parts)| answer(&job, k * CHUNK, Places::Columns(parts)));
    // The first error, whichever thread was the first to find one.
    answers.reduce(|| Ok(()), Result::and)
}

/// Answers for all states, in rows.
pub(super) fn evaluate_rows(
    batch: &Batch,
    robot: &Mechanism,
    states: &States<'_>,
    answers: &mut [f64],
) -> Result<(), BatchError> {
    let (job, answer) = prepared(batch, robot, states);
    let rows = answers.par_chunks_mut(CHUNK * batch.columns).enumerate();
    let answers = rows.map(|(k, rows)| answer(&job, k * CHUNK, Places::Rows(rows)));
    answers.reduce(|| Ok(()), Result::and)
}

/// What all threads read, and what each does with a chunk.
fn prepared<'j>(batch: &'j Batch, robot: &'j Mechanism, states: &States<'j>) -> (Job<'j>, Answer) {
    let read = |input: Input| if batch.question.reads(input) { states.vector(input) } else { &[] };
    let (level, vectors) = (batch.instructions.level(), Input::ALL.map(read));
    let in_lanes = if batch.is_in_lanes() { kernel::visit(batch.question, InChunks) } else { None };
    (Job { batch, robot, level, vectors, count: states.count }, in_lanes.unwrap_or(one_by_one))
}

/// How a question is answered in chunks.
struct InChunks;

impl kernel::Visitor for InChunks {
    type Output = Answer;

    fn visit<K: Kernel>(self) -> Answer
    where
        K::Memory<f64>: Send,
        K::Memory<Fused>: Send,
    {
        chunk::<K>
    }
}

/// The states of a chunk that begins at `first`.
fn chunk<K: Kernel>(job: &Job<'_>, first: usize, places: Places<'_, '_>) -> Result<(), BatchError> {
    // Not for every level there is: every question is compiled for each, and below AVX2 lanes gain little.
    #[cfg(target_arch = "x86_64")]
    {
        if let Some(avx512) = job.level.as_avx512() {
            return enabled::<K, _>(avx512, job, first, places);
        }
        if let Some(avx2) = job.level.as_avx2() {
            return enabled::<K, _>(avx2, job, first, places);
        }
        one_by_one(job, first, places)
    }
    #[cfg(not(target_arch = "x86_64"))]
    fearless_simd::dispatch!(job.level, simd => in_lanes::<K, _>(simd, job, first, places))
}

/// The states of a chunk, each as the question is answered everywhere.
fn one_by_one(job: &Job<'_>, first: usize, mut places: Places<'_, '_>) -> Result<(), BatchError> {
    let Job { batch, robot, vectors, count, .. } = *job;
    let method = Some(batch.method.name);
    let mut evaluator =
        Evaluator::new(&batch.robot, batch.question, method, batch.target).expect("it was asked before");
    let sizes = Input::ALL.map(|input| match input {
        Input::Positions => robot.positions().len(),
        _ => robot.velocities().len(),
    });
    let mut state = sizes.map(|size| vec![0.0; size]);
    let mut row = vec![0.0; batch.columns];
    for i in 0..(count - first).min(CHUNK) {
        for (own, given) in state.iter_mut().zip(vectors).filter(|(_, given)| !given.is_empty()) {
            let width = own.len();
            match places {
                Places::Columns(_) => own.iter_mut().enumerate().for_each(|(j, x)| *x = given[j * count + first + i]),
                Places::Rows(_) => own.copy_from_slice(&given[(first + i) * width..][..width]),
            }
        }
        let [q, v, a, tau, w] = &state;
        let answered = evaluator.evaluate(&State { q, v, a, tau, w, ..State::default() }, &mut row);
        answered.map_err(|source| BatchError { state: first + i, source })?;
        match &mut places {
            Places::Columns(parts) => parts.iter_mut().zip(&row).for_each(|(part, &number)| part[i] = number),
            Places::Rows(rows) => rows[i * row.len()..][..row.len()].copy_from_slice(&row),
        }
    }
    Ok(())
}

/// The same where the processor has these instructions.
#[cfg(target_arch = "x86_64")]
fn enabled<K: Kernel, S: Simd>(simd: S, job: &Job<'_>, first: usize, places: Places<'_, '_>) -> Result<(), BatchError> {
    simd.vectorize(
        #[inline(always)]
        || in_lanes::<K, _>(simd, job, first, places),
    )
}

#[inline(always)]
fn in_lanes<K: Kernel, S: Simd>(
    simd: S,
    job: &Job<'_>,
    first: usize,
    mut places: Places<'_, '_>,
) -> Result<(), BatchError> {
    let zero = Lanes::splat(simd, 0.0);
    let dof = job.robot.dof();
    let (given, found) = match places {
        Places::Columns(_) => Default::default(),
        Places::Rows(_) => (
            job.vectors.map(|rows| vec![0.0; if rows.is_empty() { 0 } else { dof * Lanes::<S>::LEN }]),
            vec![0.0; job.batch.columns * Lanes::<S>::LEN],
        ),
    };
    let mut block = Block::<K, S> {
        memory: K::memory(job.robot, job.batch.target, zero),
        state: core::array::from_fn(|_| vec![zero; dof]),
        turned: Turned { states: 0..0, given, found },
    };
    let size = (job.count - first).min(CHUNK);
    let (mut next, mut end_of_alone) = (0, 0);
    while next < size {
        let used = if next < end_of_alone { 1 } else { (size - next).min(Lanes::<S>::LEN) };
        match block.answer(simd, job, first, next..next + used, &mut places) {
            Ok(()) => next += used,
            Err(source) if used == 1 => return Err(BatchError { state: first + next, source: source.into() }),
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
    turned: Turned,
}

/// Rows turned over into columns as long as there are lanes.
struct Turned {
    states: Range<usize>, // of the chunk, that stand in `given`
    given: [Vec<f64>; 5],
    found: Vec<f64>,
}

impl Turned {
    /// Turns some states of a chunk over, unless they stand here.
    fn take(&mut self, job: &Job<'_>, first: usize, states: Range<usize>, lanes: usize) {
        if states == self.states {
            return;
        }
        let width = job.robot.dof();
        for (given, numbers) in self.given.iter_mut().zip(job.vectors).filter(|(given, _)| !given.is_empty()) {
            let numbers = &numbers[(first + states.start) * width..(first + states.end) * width];
            rows::to_columns(numbers, width, lanes, given);
        }
        self.states = states;
    }
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
        places: &mut Places<'_, '_>,
    ) -> Result<(), InertiaError> {
        let Job { batch, robot, vectors, count, .. } = *job;
        let used = states.len();
        let Self { memory, state, turned } = self;
        match places {
            Places::Columns(_) => {
                for (lanes, numbers) in state.iter_mut().zip(vectors).filter(|(_, numbers)| !numbers.is_empty()) {
                    for (j, lanes) in lanes.iter_mut().enumerate() {
                        let begin = j * count + first + states.start;
                        prefetch_index(numbers, begin + AHEAD * Lanes::<S>::LEN);
                        *lanes = loaded(simd, &numbers[begin..][..used]);
                    }
                }
            }
            Places::Rows(_) => {
                turned.take(job, first, states.clone(), Lanes::<S>::LEN);
                for (lanes, numbers) in state.iter_mut().zip(&turned.given) {
                    for (lanes, numbers) in lanes.iter_mut().zip(numbers.chunks_exact(Lanes::<S>::LEN)) {
                        *lanes = Lanes::load(simd, numbers);
                    }
                }
                // The next ones, long before they are loaded: lanes that were written number by number a moment ago are waited for.
                let next = states.end..(states.end + Lanes::<S>::LEN).min((count - first).min(CHUNK));
                if !next.is_empty() {
                    turned.take(job, first, next, Lanes::<S>::LEN);
                }
            }
        }
        let [q, v, a, tau, w] = &*state;
        let found = &mut turned.found;
        K::run(
            robot,
            memory,
            &Inputs { q, v, a, tau, w },
            #[inline(always)]
            |column, lanes: Lanes<S>| match places {
                Places::Columns(parts) => {
                    prefetch_index(&*parts[column], states.start + AHEAD * Lanes::<S>::LEN);
                    store(lanes, &mut parts[column][states.clone()]);
                }
                Places::Rows(_) => lanes.store(&mut found[column * Lanes::<S>::LEN..]),
            },
        )?;
        if let Places::Rows(rows) = places {
            let rows = &mut rows[states.start * batch.columns..states.end * batch.columns];
            rows::to_rows(found, batch.columns, Lanes::<S>::LEN, rows);
        }
        Ok(())
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
