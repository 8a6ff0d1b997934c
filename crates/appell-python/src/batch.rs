//! Many states at once: in lanes and on all cores where the question allows, in blocks that Ctrl-C can come between.

use crate::errors::{self, Kind};
use crate::given::{Given, Rows, are_finite};
use crate::robot::{How, Robot};
use crate::state::{Vectors, overflow, warn_undecided};
use appell::question::{AnswerError, Evaluator, Input, Question};
use appell_batch::{Batch, BatchError, States};
use core::ops::Range;
use numpy::ndarray::{ArrayView2, s};
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;
use rayon::ThreadPool;
use rayon::prelude::*;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// States between two looks at Ctrl-C.
const BETWEEN_SIGNALS: usize = 1 << 16;

/// States that one thread looks at and answers at a time: they stay in its cache.
const BLOCK: usize = 1024;

/// Numbers of answers: one state after the other, or one column after the other.
pub(crate) enum Answers {
    ByState(Vec<f64>),
    ByColumn(Vec<f64>),
}

impl Answers {
    /// Some columns of them, one state after the other.
    pub(crate) fn rows(&self, count: usize, columns: Range<usize>) -> Vec<f64> {
        match self {
            Self::ByState(all) => {
                let rows = all.chunks_exact((all.len() / count.max(1)).max(1));
                rows.flat_map(|row| &row[columns.clone()]).copied().collect()
            }
            Self::ByColumn(all) => {
                (0..count).flat_map(|i| columns.clone().map(move |column| all[column * count + i])).collect()
            }
        }
    }
}

/// Threads of this process, by how many, of which more than cores gain nothing; 0 is as many as there are cores, or as RAYON_NUM_THREADS
/// says. A process that was forked gets its own.
pub(crate) fn pool(threads: usize) -> PyResult<Arc<ThreadPool>> {
    let threads = threads.min(std::thread::available_parallelism().map_or(1, usize::from));
    type Pools = HashMap<(u32, usize), Arc<ThreadPool>>;
    static POOLS: Mutex<Option<Pools>> = Mutex::new(None);
    let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    let pools = pools.get_or_insert_default();
    let key = (std::process::id(), threads);
    if let Some(pool) = pools.get(&key) {
        return Ok(Arc::clone(pool));
    }
    let made = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let made = Arc::new(made.map_err(|error| PyValueError::new_err(format!("threads={threads}: {error}")))?);
    pools.insert(key, Arc::clone(&made));
    Ok(made)
}

/// Views of the rows of all inputs.
type Views<'v> = [Option<ArrayView2<'v, f64>>; Input::ALL.len()];

/// Answers for `count` states.
pub(crate) fn answer<'py>(
    py: Python<'py>,
    robot: &Robot,
    question: Question,
    how: Option<&How>,
    given: &Given<'py>,
    count: usize,
    threads: Option<usize>,
) -> PyResult<Answers> {
    if threads == Some(0) {
        return Err(PyValueError::new_err("threads=0; expected at least 1, or None for all cores"));
    }
    let pool = pool(threads.unwrap_or(0))?;
    let by_method = how.is_some_and(|how| how.method.is_some());
    let views: Views<'_> =
        core::array::from_fn(|k| given.rows[k].as_ref().map(|rows: &Rows<'_>| rows.numbers.as_array()));
    if by_method || !given.external.is_empty() {
        given.expect_finite()?;
        return one_by_one(py, robot, question, how, given, count, &pool);
    }
    let batch = robot.batch(question, how.unwrap_or(&How::default()))?;
    let columns = batch.columns();
    let is_turned = |input: &Input| views[*input as usize].as_ref().is_some_and(|view| view.t().is_standard_layout());
    let by_column = count > 0 && question.inputs().iter().all(is_turned);
    let (is_closed, is_platform) = (robot.inner.closed().is_some(), given.is_platform);
    let mut answers = zeros(columns, count)?;
    if by_column {
        given.expect_finite()?;
        let slices = views.each_ref().map(|view| view.as_ref().and_then(|view| view.t().to_slice()).unwrap_or(&[]));
        let states = states(count, slices, given.is_platform);
        let answered = py.detach(|| pool.install(|| batch.evaluate(&states, &mut answers)));
        answered.map_err(|error| errors::of_batch(&error, 0))?;
        expect_finite_columns(robot, question, &answers, count)?;
        warn(py, &batch, 0, is_closed)?;
        return Ok(Answers::ByColumn(answers));
    }
    for start in (0..count).step_by(BETWEEN_SIGNALS) {
        let size = (count - start).min(BETWEEN_SIGNALS);
        let part = &mut answers[start * columns..][..size * columns];
        let answered = py.detach(|| {
            // The batch keeps account of doubtful states of robots with loops, of one call of it.
            let block = if is_closed { size } else { BLOCK };
            pool.install(|| in_blocks(robot, &batch, is_platform, &views, start, part, block))
        });
        match answered {
            Ok(()) => {}
            Err(Fault::NotFinite) => {
                given.expect_finite()?;
                return Err(Kind::Number.error("an array was changed while it was read"));
            }
            Err(Fault::Overflow { state, row }) => return Err(overflow(question, robot, &row, Some(state))),
            Err(Fault::Answer(error)) => return Err(errors::of_batch(&error, start)),
        }
        warn(py, &batch, start, is_closed)?;
        py.check_signals()?;
    }
    Ok(Answers::ByState(answers))
}

/// Room for all answers, or a MemoryError where there is none.
fn zeros(columns: usize, count: usize) -> PyResult<Vec<f64>> {
    let no_room = || {
        PyMemoryError::new_err(format!("{columns} numbers of each of {count} states; ask for fewer states at a time"))
    };
    let size = columns.checked_mul(count).ok_or_else(no_room)?;
    Vec::<f64>::new().try_reserve_exact(size).map_err(|_| no_room())?;
    Ok(vec![0.0; size])
}

/// States from their columns.
fn states<'s>(count: usize, [q, v, a, tau, w]: [&'s [f64]; Input::ALL.len()], is_platform: bool) -> States<'s> {
    if is_platform {
        States { count, pose: q, twist: v, acceleration: a, tau, ..States::default() }
    } else {
        States { count, q, v, a, tau, w, ..States::default() }
    }
}

/// Why a block has no answer.
enum Fault {
    /// A number that was given is not finite.
    NotFinite,
    /// A number of the answer is not.
    Overflow { state: usize, row: Vec<f64> },
    /// A state has none.
    Answer(BatchError),
}

/// Looks at states and answers them, a block per thread at a time.
fn in_blocks(
    robot: &Robot,
    batch: &Batch,
    is_platform: bool,
    views: &Views<'_>,
    start: usize,
    answers: &mut [f64],
    block: usize,
) -> Result<(), Fault> {
    let columns = batch.columns();
    let question = batch.question();
    let widths: [usize; Input::ALL.len()] = core::array::from_fn(|k| {
        let is_read = question.reads(Input::ALL[k]);
        match (is_read, is_platform, k) {
            (false, ..) => 0,
            (true, true, 0) => 7,
            (true, true, 1 | 2) => 6,
            (true, _, k) => robot.widths[usize::from(k > 0)],
        }
    });
    let one = |gathered: &mut [Vec<f64>; Input::ALL.len()], (number, answers): (usize, &mut [f64])| {
        let (first, size) = (number * block, answers.len() / columns);
        for ((to, view), width) in gathered.iter_mut().zip(views).zip(widths) {
            match view {
                Some(view) if view.is_standard_layout() => {}
                Some(view) => {
                    to.clear();
                    to.extend(view.slice(s![start + first..start + first + size, ..]));
                }
                None => to.resize(width * size, 0.0), // it was left out, or is not read
            }
        }
        let mut rows: [&[f64]; Input::ALL.len()] = gathered.each_ref().map(Vec::as_slice);
        for (k, (rows, view)) in rows.iter_mut().zip(views).enumerate() {
            if let Some(all) = view.as_ref().and_then(|view| view.as_slice()) {
                *rows = &all[(start + first) * widths[k]..][..size * widths[k]];
            }
            // What is left out of a platform's twist or acceleration is NaN.
            let may_be = |x: &f64| x.is_finite() || (is_platform && (1..3).contains(&k) && x.is_nan());
            if !are_finite(rows) && !rows.iter().all(may_be) {
                return Err(Fault::NotFinite);
            }
        }
        let answered = batch.evaluate_rows(&states(size, rows, is_platform), answers);
        answered.map_err(|error| Fault::Answer(BatchError { state: first + error.state, ..error }))?;
        if !are_finite(answers) {
            let state = answers.iter().position(|x| !x.is_finite()).unwrap_or(0) / columns;
            let row = answers[state * columns..][..columns].to_vec();
            return Err(Fault::Overflow { state: start + first + state, row });
        }
        Ok(())
    };
    let blocks = answers.par_chunks_mut(block * columns).enumerate();
    blocks.map_init(Default::default, one).reduce(|| Ok(()), Result::and)
}

/// States one after the other by a named method or with wrenches, on all cores.
fn one_by_one<'py>(
    py: Python<'py>,
    robot: &Robot,
    question: Question,
    how: Option<&How>,
    given: &Given<'py>,
    count: usize,
    pool: &ThreadPool,
) -> PyResult<Answers> {
    let plain = How::default();
    let how = how.unwrap_or(&plain);
    let make = || Evaluator::new(&robot.inner, question, how.method.as_deref(), how.target());
    let columns = make().map_err(|error| errors::of_question(&error))?.columns().len();
    let mut answers = zeros(columns, count)?;
    let mut undecided = Vec::new();
    for start in (0..count).step_by(BLOCK) {
        let size = (count - start).min(BLOCK);
        let states: Vec<Vectors> = (start..start + size).map(|i| Vectors::of(robot, given, i)).collect();
        let part = &mut answers[start * columns..][..size * columns];
        type Answered = Result<Option<usize>, (usize, AnswerError)>;
        let answered: Vec<Answered> = py.detach(|| {
            pool.install(|| {
                let one = |evaluator: &mut Evaluator, (i, (row, state)): (usize, (&mut [f64], &Vectors))| {
                    state.evaluate(evaluator, row).map_err(|error| (start + i, error))?;
                    Ok(evaluator.is_undecided().then_some(start + i))
                };
                let rows = part.par_chunks_exact_mut(columns).zip(&states).enumerate();
                rows.map_init(|| make().expect("it was made before"), one).collect()
            })
        });
        for answered in answered {
            let doubtful = answered.map_err(|(state, source)| errors::of_batch(&BatchError { state, source }, 0))?;
            undecided.extend(doubtful);
        }
        if let Some(at) = part.iter().position(|x| !x.is_finite()) {
            let row = at / columns;
            return Err(overflow(question, robot, &part[row * columns..][..columns], Some(start + row)));
        }
        py.check_signals()?;
    }
    if !undecided.is_empty() {
        warn_undecided(py, &undecided)?;
    }
    Ok(Answers::ByState(answers))
}

fn expect_finite_columns(robot: &Robot, question: Question, answers: &[f64], count: usize) -> PyResult<()> {
    let Some(at) = answers.iter().position(|x| !x.is_finite()) else { return Ok(()) };
    let state = at % count;
    let row: Vec<f64> = answers.iter().skip(state).step_by(count).copied().collect();
    Err(overflow(question, robot, &row, Some(state)))
}

fn warn(py: Python<'_>, batch: &Batch, start: usize, is_closed: bool) -> PyResult<()> {
    let states = if is_closed { batch.undecided() } else { Vec::new() };
    if states.is_empty() {
        return Ok(());
    }
    let states: Vec<usize> = states.into_iter().map(|state| start + state).collect();
    warn_undecided(py, &states)
}
