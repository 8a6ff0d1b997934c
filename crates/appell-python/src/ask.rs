//! A question asked from Python: one state or a batch, by the shapes of what is given.

use crate::batch::{self, Answers};
use crate::errors::{self, Kind};
use crate::given::{Arguments, Given, are_finite};
use crate::robot::{How, Prepared, Robot};
use crate::state::{Vectors, overflow, warn_undecided};
use crate::{array, device, dlpack, robot};
use appell::question::{AnswerError, Array, Input, Question, State};
use appell::spatial::Quaternion;
use numpy::ndarray::{ArrayView2, IxDyn};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// What else is asked for.
#[derive(Default)]
pub(crate) struct Options<'a, 'py> {
    pub(crate) external: Option<&'a Bound<'py, PyDict>>,
    pub(crate) method: Option<&'a str>,
    pub(crate) frame: Option<&'a str>,
    pub(crate) axes: Option<&'a str>,
    pub(crate) of: Option<&'a str>,
    pub(crate) out: Option<&'a Bound<'py, PyAny>>,
    pub(crate) threads: Option<usize>,
    pub(crate) device: Option<&'a str>,
}

/// Answers a question.
pub(crate) fn ask<'py>(
    robot: &Bound<'py, Robot>,
    question: Question,
    arguments: &Arguments<'_, 'py>,
    options: &Options<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let (py, own) = (robot.py(), robot.get());
    let how = own.how(question, options.method, options.frame, options.axes)?;
    if let Some(of) = options.of.filter(|of| !["drives", "platform"].contains(of)) {
        return Err(Kind::Question.error(format!("of=\"{of}\"; expected \"platform\" or \"drives\"")));
    }
    if options.threads == Some(0) {
        return Err(pyo3::exceptions::PyValueError::new_err("threads=0; expected at least 1, or None for all cores"));
    }
    if options.device.is_some() || arguments.iter().flatten().any(|argument| dlpack::is_on_gpu(argument)) {
        return device::ask(robot, question, how.as_ref(), arguments, options);
    }
    if options.external.is_none()
        && options.of != Some("platform")
        && let Some(answer) = at_once(py, own, question, how.as_ref(), arguments, options.out)?
    {
        return Ok(answer);
    }
    let given = Given::read(own, py, question, arguments, options.external, options.of)?;
    let answer = match given.count {
        None => {
            given.expect_finite()?;
            one(py, own, question, how.as_ref(), &given)?
        }
        Some(count) => {
            let answers = batch::answer(py, own, question, how.as_ref(), &given, count, options.threads)?;
            shown_many(py, own, question, count, answers, given.is_single)?
        }
    };
    match options.out {
        None => Ok(answer),
        Some(out) => write_into(py, &answer, out),
    }
}

/// One state whose vectors lie side by side in memory, which is the way of a control loop: none of the rest is asked.
#[inline]
fn at_once<'py>(
    py: Python<'py>,
    robot: &Robot,
    question: Question,
    how: Option<&How>,
    arguments: &Arguments<'_, 'py>,
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let mut vectors: [&[f64]; Input::ALL.len()] = [&[]; Input::ALL.len()];
    for &input in question.inputs() {
        let Some(numbers) = arguments[input as usize].and_then(array::numbers) else { return Ok(None) };
        if numbers.len() != robot.widths[usize::from(input != Input::Positions)] || !are_finite(numbers) {
            return Ok(None);
        }
        vectors[input as usize] = numbers;
    }
    let [q, v, a, tau, w] = vectors;
    let mut prepared = robot.take(question, how)?;
    let Prepared { evaluator, row, arrays } = &mut *prepared;
    let answered = evaluator.evaluate(&State { q, v, a, tau, w, ..State::default() }, row);
    let warned = if evaluator.is_undecided() { warn_undecided(py, &[]) } else { Ok(()) };
    let shown = match checked(answered, row, question, robot).and(warned) {
        Err(error) => Err(error),
        Ok(()) => match out {
            Some(out) if arrays.len() == 1 && arrays[0].shape.len() == 1 && array::written(out, row) => Ok(out.clone()),
            Some(out) => shown(py, question, row, arrays, false).and_then(|answer| write_into(py, &answer, out)),
            None => shown(py, question, row, arrays, false),
        },
    };
    robot.give(question, how, prepared);
    shown.map(Some)
}

/// The error of an answer, or of one that is no number.
fn checked(answered: Result<(), AnswerError>, row: &[f64], question: Question, robot: &Robot) -> PyResult<()> {
    answered.map_err(|error| errors::of_answer(&error))?;
    if are_finite(row) {
        return Ok(());
    }
    Err(overflow(question, robot, row, None))
}

/// One state, however it is given.
fn one<'py>(
    py: Python<'py>,
    robot: &Robot,
    question: Question,
    how: Option<&How>,
    given: &Given<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let mut prepared = robot.take(question, how)?;
    let answered = {
        let Prepared { evaluator, row, .. } = &mut *prepared;
        let vectors = Vectors::of(robot, given, 0);
        checked(vectors.evaluate(evaluator, row), row, question, robot)
    };
    let answer = answered.and_then(|()| shown(py, question, &prepared.row, &prepared.arrays, given.is_single));
    let is_undecided = prepared.evaluator.is_undecided();
    robot.give(question, how, prepared);
    if is_undecided {
        warn_undecided(py, &[])?;
    }
    answer
}

/// An answer as arrays: one, or a tuple of them.
pub(crate) fn shown<'py>(
    py: Python<'py>,
    question: Question,
    row: &[f64],
    arrays: &[Array],
    is_single: bool,
) -> PyResult<Bound<'py, PyAny>> {
    if is_single {
        expect_single(row)?;
    }
    let mut start = 0;
    let mut one = |array: &Array| -> PyResult<Bound<'py, PyAny>> {
        let size: usize = array.shape.iter().product();
        let numbers = &row[start..start + size];
        start += size;
        let shown = match (as_poses(question, array, numbers), array.shape.as_slice()) {
            (Some((shape, poses)), _) => PyArray1::from_vec(py, poses).reshape(IxDyn(&shape))?.into_any(),
            (None, &[rows, columns]) => {
                let view = ArrayView2::from_shape((rows, columns), numbers).expect("as many numbers");
                PyArray2::from_array(py, &view).into_any()
            }
            (None, _) => PyArray1::from_slice(py, numbers).into_any(),
        };
        if is_single { shown.call_method1("astype", ("float32",)) } else { Ok(shown) }
    };
    match arrays {
        [array] => one(array),
        arrays => Ok(PyTuple::new(py, arrays.iter().map(one).collect::<PyResult<Vec<_>>>()?)?.into_any()),
    }
}

/// Refuses an answer that single precision cannot hold.
fn expect_single(numbers: &[f64]) -> PyResult<()> {
    match numbers.iter().find(|x| x.abs() > f64::from(f32::MAX)) {
        None => Ok(()),
        Some(x) => {
            Err(Kind::Number
                .error(format!("{x:e} is beyond float32, in which the arguments are; give them in float64")))
        }
    }
}

/// Poses as 4 × 4 matrices, where an array has others: twelve numbers of a frame, or position and quaternion of a platform.
fn as_poses(question: Question, array: &Array, numbers: &[f64]) -> Option<(Vec<usize>, Vec<f64>)> {
    let matrix = |rotation: [f64; 9], [x, y, z]: [f64; 3]| {
        let [a, b, c, d, e, f, g, h, i] = rotation;
        [a, b, c, x, d, e, f, y, g, h, i, z, 0.0, 0.0, 0.0, 1.0]
    };
    if question == Question::Frames {
        let frame = |n: &[f64]| matrix(core::array::from_fn(|k| n[k]), [n[9], n[10], n[11]]);
        return Some((vec![array.shape[0], 4, 4], numbers.chunks_exact(12).flat_map(frame).collect()));
    }
    if question == Question::Platform && array.name == "pose" {
        let pose = |n: &[f64]| {
            let rotation = Quaternion { x: n[3], y: n[4], z: n[5], w: n[6] }.rotation();
            matrix(core::array::from_fn(|k| rotation.rows[k / 3].to_array()[k % 3]), [n[0], n[1], n[2]])
        };
        return Some((vec![4, 4], numbers.chunks_exact(7).flat_map(pose).collect()));
    }
    None
}

/// Answers of many states as arrays: one, or a tuple of them, with the states first.
pub(crate) fn shown_many<'py>(
    py: Python<'py>,
    robot: &Robot,
    question: Question,
    count: usize,
    answers: Answers,
    is_single: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let arrays = question.arrays(&robot.inner);
    let columns: usize = arrays.iter().map(|array| array.shape.iter().product::<usize>()).sum();
    if is_single {
        let (Answers::ByState(numbers) | Answers::ByColumn(numbers)) = &answers;
        expect_single(numbers)?;
    }
    // A row per state, whatever the order in memory.
    let all = match answers {
        Answers::ByState(numbers) => PyArray1::from_vec(py, numbers).reshape(IxDyn(&[count, columns]))?.into_any(),
        Answers::ByColumn(numbers) => {
            PyArray1::from_vec(py, numbers).reshape(IxDyn(&[columns, count]))?.into_any().getattr("T")?
        }
    };
    let all = if is_single { all.call_method1("astype", ("float32",))? } else { all };
    let mut start = 0;
    let mut one = |array: &Array| -> PyResult<Bound<'py, PyAny>> {
        let size: usize = array.shape.iter().product();
        let part = if arrays.len() == 1 {
            all.clone()
        } else {
            let columns = pyo3::types::PySlice::new(py, start as isize, (start + size) as isize, 1);
            all.get_item((pyo3::types::PySlice::full(py), columns))?
        };
        start += size;
        if question == Question::Frames || (question == Question::Platform && array.name == "pose") {
            let rows = part.call_method1("astype", ("float64",))?.call_method1("ravel", ())?;
            let rows: Vec<f64> = rows.extract()?;
            let (mut shape, poses) = as_poses(question, array, &rows).expect("a question about poses");
            shape.insert(0, count);
            let shown = PyArray1::from_vec(py, poses).reshape(IxDyn(&shape))?.into_any();
            return if is_single { shown.call_method1("astype", ("float32",)) } else { Ok(shown) };
        }
        if array.shape.len() == 1 {
            return Ok(part);
        }
        let mut shape = vec![count];
        shape.extend(&array.shape);
        part.call_method1("reshape", (PyTuple::new(py, shape)?,))
    };
    match arrays.as_slice() {
        [array] => one(array),
        arrays => Ok(PyTuple::new(py, arrays.iter().map(one).collect::<PyResult<Vec<_>>>()?)?.into_any()),
    }
}

/// Writes an answer into arrays of the user's, all or none of them.
pub(crate) fn write_into<'py>(
    py: Python<'py>,
    answer: &Bound<'py, PyAny>,
    out: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    py.import("appell._out")?.call_method1("write", (answer, out))?;
    Ok(out.clone())
}

/// Any question by its name.
#[pymethods]
impl Robot {
    /// Answers any question of the table by its name: `robot.ask("inverse-dynamics", q, v, a)`; `appell.questions()` lists them.
    ///
    /// >>> appell.load("two-link").ask("gravity", [0.1, 0.2]).shape
    /// (2,)
    #[pyo3(signature = (question, q, v = None, a = None, tau = None, w = None, *, external = None, method = None, frame = None, axes = None, of = None, out = None, threads = None, device = None))]
    #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
    fn ask<'py>(
        slf: &Bound<'py, Self>,
        question: &str,
        q: &Bound<'py, PyAny>,
        v: Option<&Bound<'py, PyAny>>,
        a: Option<&Bound<'py, PyAny>>,
        tau: Option<&Bound<'py, PyAny>>,
        w: Option<&Bound<'py, PyAny>>,
        external: Option<&Bound<'py, PyDict>>,
        method: Option<&str>,
        frame: Option<&str>,
        axes: Option<&str>,
        of: Option<&str>,
        out: Option<&Bound<'py, PyAny>>,
        threads: Option<usize>,
        device: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let options = Options { external, method, frame, axes, of, out, threads, device };
        let (question, arguments) = (robot::find(question)?, [Some(q), v, a, tau, w]);
        let given =
            Input::ALL.into_iter().zip(arguments).find(|(input, given)| given.is_some() && !question.reads(*input));
        if let Some((input, _)) = given {
            return Err(Kind::Question.error(format!("{} does not read `{}`", question.name(), input.symbol())));
        }
        ask(slf, question, &arguments, &options)
    }
}
