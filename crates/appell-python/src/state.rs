//! One state as it is computed, and what is said about it: what a single call and a batch share.

use crate::errors::Kind;
use crate::given::{self, Given};
use crate::robot::Robot;
use appell::question::{AnswerError, Input, Question, State};
use pyo3::prelude::*;

/// The vectors of one state.
pub(crate) struct Vectors {
    rows: [Vec<f64>; Input::ALL.len()],
    external: Vec<(Option<usize>, Vec<f64>)>,
    is_platform: bool,
}

impl Vectors {
    /// Those of state `i`.
    pub(crate) fn of(robot: &Robot, given: &Given<'_>, i: usize) -> Self {
        let row = |rows: &given::Rows<'_>| rows.numbers.as_array().row(i).to_vec();
        let rows = core::array::from_fn(|k| {
            let width = robot.widths[usize::from(k > 0)];
            given.rows[k].as_ref().map_or_else(|| vec![0.0; width], row)
        });
        let external = given.external.iter().map(|(frame, rows)| (*frame, row(rows))).collect();
        Self { rows, external, is_platform: given.is_platform }
    }

    /// Answers for this state.
    pub(crate) fn evaluate(&self, evaluator: &mut appell::Evaluator, row: &mut [f64]) -> Result<(), AnswerError> {
        let [q, v, a, tau, w] = &self.rows;
        let (external, on_platform) = given::wrenches(&self.external);
        let mut state = State { q, v, a, tau, w, external: &external, on_platform, ..State::default() };
        if self.is_platform {
            state.motion = given::platform(q, if v.len() == 6 { v } else { &[] }, if a.len() == 6 { a } else { &[] });
        }
        evaluator.evaluate(&state, row)
    }
}

/// Numbers that are too large.
pub(crate) fn overflow(question: Question, robot: &Robot, row: &[f64], state: Option<usize>) -> PyErr {
    let columns = question.columns(&robot.inner);
    let column = row.iter().position(|x| !x.is_finite()).map_or("it", |k| columns[k].as_str());
    let state = state.map_or_else(String::new, |state| format!("state {state}: "));
    Kind::Number.error(format!("{state}`{column}` overflows; the numbers of the state or of the robot are too large"))
}

/// Warns of drives that cannot come straight from home.
pub(crate) fn warn_undecided(py: Python<'_>, states: &[usize]) -> PyResult<()> {
    let which = match states {
        [] => String::new(),
        [first, ..] => format!("{} states, the first of them {first}: ", states.len()),
    };
    let message = format!(
        "{which}the drives cannot come here straight from home, so that it is not decided which assembly the robot is in; \
         the nearest that was found is taken: assemble(drives, all=True) lists them"
    );
    let class = py.import("appell._errors")?.getattr("UndecidedWarning")?;
    py.import("warnings")?.call_method1("warn", (message, class, 1))?; // what is compiled has no frame of its own
    Ok(())
}
