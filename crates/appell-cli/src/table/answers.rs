//! Rows on their way to stdout or a file, with progress for those who wait.

use super::is_stream;
use super::rows::{Format, RowWriter};
use crate::output::{self, Output};
use crate::progress::{Progress, Work};
use anyhow::Context;
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::path::Path;

/// The table of answers. Without [`Answers::finish`] no file appears.
pub(crate) struct Answers<'o> {
    writer: RowWriter<Output<'o>>,
    progress: Progress,
    path: Option<&'o Path>,
}

impl<'o> Answers<'o> {
    /// Starts a table at `path`; none, and `-`, is stdout.
    pub(crate) fn start(
        path: Option<&'o Path>,
        stdout: &'o mut dyn Write,
        json: bool,
        columns: &[String],
        work: Work,
    ) -> anyhow::Result<Self> {
        let path = path.filter(|path| !is_stream(path));
        let format = if json { Format::JsonLines } else { Format::Csv };
        let writer = RowWriter::new(Output::create(path, stdout)?, format, columns)?;
        Ok(Self { writer, progress: Progress::start(work, path.is_none() && io::stdout().is_terminal()), path })
    }

    /// Writes a row, one finite value per column.
    pub(crate) fn write(&mut self, numbers: impl Iterator<Item = f64>) -> anyhow::Result<()> {
        self.write_known(numbers.map(Some))
    }

    /// Writes a row in which some numbers may not be known.
    pub(crate) fn write_known(&mut self, numbers: impl Iterator<Item = Option<f64>>) -> anyhow::Result<()> {
        self.writer.write(numbers).context("cannot write the answers")
    }

    /// Reports progress.
    pub(crate) fn reach(&mut self, done: u64) {
        self.progress.reach(done);
    }

    /// Completes the table; a file takes its name, and `summary` is said.
    pub(crate) fn finish(self, summary: impl Display) -> anyhow::Result<()> {
        let Self { writer, progress, path } = self;
        writer.into_inner().finish()?;
        drop(progress);
        if let Some(path) = path {
            output::note_file(format_args!("{}: {summary}", path.display()));
        }
        Ok(())
    }
}
