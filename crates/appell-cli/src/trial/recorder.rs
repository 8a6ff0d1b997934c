//! The table that a recorder keeps beside the computer, written while it runs.

use crate::progress::Work;
use crate::table::Answers;
use anyhow::Context;
use appell_simulation::scenario::recorded_columns;
use std::io::Write;
use std::path::Path;

/// The table. Nothing is written before the first row.
pub(crate) struct RecorderTable<'o> {
    path: &'o Path,
    stdout: Option<&'o mut dyn Write>,
    columns: Vec<String>,
    begun: Option<Answers<'o>>,
    rows: usize,
}

impl<'o> RecorderTable<'o> {
    /// A table of so many drives at `path`.
    pub(crate) fn new(drives: usize, path: &'o Path, stdout: &'o mut dyn Write) -> Self {
        Self { path, stdout: Some(stdout), columns: recorded_columns(drives), begun: None, rows: 0 }
    }

    /// Writes a row.
    pub(crate) fn write(&mut self, row: &[f64]) -> anyhow::Result<()> {
        if self.begun.is_none() {
            let stdout = self.stdout.take().context("a table begins once")?;
            self.begun = Some(Answers::start(Some(self.path), stdout, false, &self.columns, Work::Rows)?);
        }
        self.rows += 1;
        // What is not finite is left empty, as in the record.
        let known = |number: &f64| number.is_finite().then_some(number + 0.0);
        self.begun.as_mut().map_or(Ok(()), |answers| answers.write_known(row.iter().map(known)))
    }

    /// Completes the table, if there is one.
    pub(crate) fn finish(self) -> anyhow::Result<()> {
        let rows = self.rows;
        self.begun.map_or(Ok(()), |answers| answers.finish(format_args!("{rows} rows of the recorder")))
    }
}
