//! Whether torques are asked for beside a singularity, where they mean little.

use crate::output;
use appell::Robot;
use appell::question::{Evaluator, Question, State, Target};
use appell_batch::{Batch, States};
use appell_drawing::listing::counted;

/// A condition number beyond this is beside a singularity.
const LARGEST_CONDITION: f64 = 1e6;

/// The measures of the question `singularity` that torques suffer from, by their types.
const TYPES: [&str; 3] = ["Type 1", "Type 2", "constraint"];

/// Looks at every state whose torques are asked for, and keeps account of those beside a singularity.
pub(super) struct Nearness {
    one: Evaluator,
    many: Batch,
    columns: usize,
    found: Vec<f64>,
    rows: usize,
    near: usize,
    first: Option<First>,
}

/// The first row beside a singularity.
struct First {
    line: u64,
    kind: &'static str,
    inverse_condition: f64,
}

impl Nearness {
    /// Where the question is about torques.
    pub(super) fn of(robot: &Robot, question: Question) -> Option<Self> {
        robot.closed()?;
        let is_of_torques = matches!(question, Question::InverseDynamics | Question::InverseDynamicsDerivatives);
        if !is_of_torques {
            return None;
        }
        let one = Evaluator::new(robot, Question::Singularity, None, Target::default()).ok()?;
        let many = Batch::new(robot, Question::Singularity).ok()?;
        let columns = many.columns();
        Some(Self { one, many, columns, found: vec![0.0; columns], rows: 0, near: 0, first: None })
    }

    /// Looks at one state. A state that cannot be reached has no torques, which is reported elsewhere.
    pub(super) fn look(&mut self, state: &State<'_>, line: u64) {
        self.found.resize(self.columns, 0.0);
        if self.one.evaluate(state, &mut self.found).is_ok() {
            self.count(1, |_| line);
        }
    }

    /// Looks at the states of many lines.
    pub(super) fn look_at(&mut self, states: &States<'_>, lines: &[u64]) {
        self.found.resize(self.columns * lines.len(), 0.0);
        if self.many.evaluate(states, &mut self.found).is_ok() {
            self.count(lines.len(), |row| lines[row]);
        }
    }

    /// Counts rows whose measures are found, column by column.
    fn count(&mut self, rows: usize, line: impl Fn(usize) -> u64) {
        self.rows += rows;
        for row in 0..rows {
            let of_type = |k: usize| self.found[k * rows + row];
            let nearest = (0..TYPES.len()).min_by(|&a, &b| of_type(a).total_cmp(&of_type(b)));
            let Some(nearest) = nearest.filter(|&k| of_type(k) * LARGEST_CONDITION < 1.0) else { continue };
            self.near += 1;
            let (line, inverse_condition) = (line(row), of_type(nearest));
            self.first.get_or_insert(First { line, kind: TYPES[nearest], inverse_condition });
        }
    }

    /// Warns of rows beside a singularity, once, if there were some.
    pub(super) fn report(&self, table: &str) {
        let Some(First { line, kind, inverse_condition }) = &self.first else { return };
        let (near, rows) = (self.near, counted(self.rows, "row"));
        let are = if near == 1 { "is" } else { "are" };
        let condition =
            if *inverse_condition > 0.0 { format!("{:.1e}", 1.0 / inverse_condition) } else { "inf".into() };
        output::note(format_args!(
            "{table}: warning: {near} of {rows} {are} beside a singularity, with a condition number beyond {LARGEST_CONDITION:e}; \
             the first, line {line}, is nearest to a {kind} singularity, condition number {condition}: torques there are \
             not reliable; see `appell singularities`"
        ));
    }
}
