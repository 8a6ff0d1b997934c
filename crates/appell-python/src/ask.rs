//! A question asked from Python: one state or a batch, by the shapes of what is given.

use crate::batch;
use crate::errors::{self, Kind};
use crate::given::{Arguments, Given, are_finite};
use crate::robot::{How, Prepared, Robot};
use crate::shown::{Options, shown, shown_many, write_into};
use crate::state::{Vectors, overflow, warn_undecided};
use crate::{array, device, dlpack, robot};
use appell::question::{AnswerError, Input, Question, State};
use pyo3::prelude::*;
use pyo3::types::PyDict;

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
