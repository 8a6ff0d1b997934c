//! Many states at once: in lanes and on all cores where the question allows, in blocks that Ctrl-C can come between.

use crate::errors::{self, Kind};
use crate::given::{Given, Rows, are_finite};
use crate::robot::{How, Robot};
use crate::state::{Vectors, overflow, warn_undecided};
use appell::question::{AnswerError, Evaluator, Input, Question};
use appell_batch::{Batch, BatchError, States};
use numpy::ndarray::ArrayView2;
use prefetch_index::prefetch_index;
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;
use rayon::ThreadPool;
use rayon::prelude::*;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// States between two looks at Ctrl-C.
const BETWEEN_SIGNALS: usize = 1 << 16;

/// States that one thread turns over into the lanes' order at a time: they stay in its cache. No power of two: columns that begin a page
/// apart, two dozen of them, would share a few lines of the cache.
const BLOCK: usize = 504;

/// Numbers in a line of the cache.
const OF_A_LINE: usize = 8;

/// Numbers of answers: one state after the other, or one column after the other.
pub(crate) enum Answers {
    ByState(Vec<f64>),
    ByColumn(Vec<f64>),
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

/// Calls a function for rows of a width that the compiler knows, of those that most robots have; otherwise its slower twin.
macro_rules! of_width {
    ($width:expr, $function:ident($($argument:expr),*)) => {
        match $width {
            1 => $function::<1>($($argument,)* 1),
            2 => $function::<2>($($argument,)* 2),
            3 => $function::<3>($($argument,)* 3),
            4 => $function::<4>($($argument,)* 4),
            5 => $function::<5>($($argument,)* 5),
            6 => $function::<6>($($argument,)* 6),
            7 => $function::<7>($($argument,)* 7),
            8 => $function::<8>($($argument,)* 8),
            9 => $function::<9>($($argument,)* 9),
            width => $function::<0>($($argument,)* width),
        }
    };
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
            // Of robots with loops a state takes longer than turning it over, and the batch keeps account of doubtful ones.
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

/// Turns states over into columns, answers them, and turns the answers back, a block per thread at a time.
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
    let memory = || (widths.map(|width| vec![0.0; width * block]), vec![0.0; columns * block]);
    let one = |(turned, found): &mut ([Vec<f64>; 5], Vec<f64>), (number, rows): (usize, &mut [f64])| {
        let (first, size) = (number * block, rows.len() / columns);
        for (k, ((to, view), width)) in turned.iter_mut().zip(views).zip(widths).enumerate() {
            let Some(view) = view else { continue };
            let to = &mut to[..width * size];
            turn_over(view, start + first, width, to);
            // What is left out of a platform's twist or acceleration is NaN.
            let may_be = |x: &f64| x.is_finite() || (is_platform && (1..3).contains(&k) && x.is_nan());
            if !are_finite(to) && !to.iter().all(may_be) {
                return Err(Fault::NotFinite);
            }
        }
        let states = states(size, core::array::from_fn(|k| &turned[k][..widths[k] * size]), is_platform);
        let found = &mut found[..columns * size];
        let answered = batch.evaluate(&states, found);
        answered.map_err(|error| Fault::Answer(BatchError { state: first + error.state, ..error }))?;
        if !are_finite(found) {
            let state = found.iter().position(|x| !x.is_finite()).unwrap_or(0) % size;
            let row = found.iter().skip(state).step_by(size).copied().collect();
            return Err(Fault::Overflow { state: start + first + state, row });
        }
        of_width!(columns, to_rows(found, rows));
        Ok(())
    };
    let blocks = answers.par_chunks_mut(block * columns).enumerate();
    blocks.map_init(memory, one).reduce(|| Ok(()), Result::and)
}

/// Rows one after the other as columns; `WIDTH` is that of a row, or zero if only `width` says it. Meanwhile memory is asked for as many
/// rows that come `after`: they are read at many places at once, more than a processor follows by itself.
fn to_columns<const WIDTH: usize>(rows: &[f64], after: &[f64], columns: &mut [f64], width: usize) {
    let size = rows.len() / width;
    if WIDTH == 0 {
        for (j, column) in columns.chunks_exact_mut(size).enumerate() {
            column.iter_mut().zip(rows.chunks_exact(width)).for_each(|(to, row)| *to = row[j]);
        }
        return;
    }
    let mut all = columns.chunks_exact_mut(size);
    let mut columns: [&mut [f64]; WIDTH] = core::array::from_fn(|_| all.next().expect("a column per number"));
    for (i, row) in rows.as_chunks::<WIDTH>().0.iter().enumerate() {
        for number in (0..WIDTH).step_by(OF_A_LINE) {
            prefetch_index(after, i * WIDTH + number);
        }
        for (column, &x) in columns.iter_mut().zip(row) {
            column[i] = x;
        }
    }
}

/// Columns as rows one after the other; see [`to_columns`].
fn to_rows<const WIDTH: usize>(columns: &[f64], rows: &mut [f64], width: usize) {
    let size = rows.len() / width;
    if WIDTH == 0 {
        for (c, column) in columns.chunks_exact(size).enumerate() {
            rows.chunks_exact_mut(width).zip(column).for_each(|(row, &x)| row[c] = x);
        }
        return;
    }
    let mut all = columns.chunks_exact(size);
    let columns: [&[f64]; WIDTH] = core::array::from_fn(|_| all.next().expect("a column per number"));
    for (i, row) in rows.as_chunks_mut::<WIDTH>().0.iter_mut().enumerate() {
        for (x, column) in row.iter_mut().zip(columns) {
            *x = column[i];
        }
    }
}

/// Rows from the `first` on as columns.
fn turn_over(rows: &ArrayView2<'_, f64>, first: usize, width: usize, columns: &mut [f64]) {
    let size = columns.len() / width;
    if let Some(flat) = rows.as_slice() {
        let (now, after) = flat[first * width..].split_at(size * width);
        return of_width!(width, to_columns(now, after, columns));
    }
    let rows = rows.slice(numpy::ndarray::s![first..first + size, ..]);
    for (column, to) in rows.columns().into_iter().zip(columns.chunks_exact_mut(size)) {
        to.iter_mut().zip(column).for_each(|(to, &x)| *to = x);
    }
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
