//! Rows on their way to stdout or a file, as CSV, as JSON with one object per line, or as arrays of NumPy or Parquet, with progress
//! for those who wait.

use super::arrays::{self, ArrayFormat};
use super::is_stream;
use crate::output::{self, Output};
use crate::progress::{Progress, Work};
use anyhow::{Context, ensure};
use appell_drawing::listing::short;
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::path::Path;

/// A larger table, in bytes, is asked for twice.
const LARGE: f64 = 1e9;

/// Bytes of a number in a table, about.
const BYTES_PER_NUMBER: f64 = 19.0;

/// How large a table of so many rows and columns gets, where that is much.
pub(crate) fn large(rows: f64, columns: f64) -> Option<String> {
    let bytes = rows * columns * BYTES_PER_NUMBER;
    let gigabytes = (bytes / 1e8).round() / 10.0;
    (bytes > LARGE).then(|| format!("about {} GB, {} rows", short(gigabytes), short(rows)))
}

/// The table of answers. Without [`Answers::finish`] no file appears.
pub(crate) struct Answers<'o> {
    out: Output<'o>,
    json: bool,
    labels: Vec<String>, // what stands before each number, `,` or `,"tau1":`
    line: Vec<u8>,
    progress: Progress,
    path: Option<&'o Path>,
    arrays: Option<Arrays>,
}

/// Rows that wait to be written as arrays.
struct Arrays {
    format: ArrayFormat,
    names: Vec<String>,
    numbers: Vec<f64>,
}

impl<'o> Answers<'o> {
    /// Starts a table at `path`; none, and `-`, is stdout. One that ends in `.npy`, `.npz` or `.parquet` is of arrays. CSV gets its
    /// header now. The names need no quotes in CSV: descriptions allow none that would.
    pub(crate) fn start(
        path: Option<&'o Path>,
        stdout: &'o mut dyn Write,
        json: bool,
        columns: &[String],
        work: Work,
    ) -> anyhow::Result<Self> {
        let path = path.filter(|path| !is_stream(path));
        let format = path.and_then(ArrayFormat::of);
        if let (Some(format), Some(path)) = (format, path) {
            format.expect_written().with_context(|| path.display().to_string())?;
        }
        let mut out = Output::create(path, stdout)?;
        let label = |(k, name): (usize, &String)| {
            let comma = if k == 0 { "" } else { "," };
            if json { format!("{comma}{}:", serde_json::Value::from(name.as_str())) } else { comma.to_owned() }
        };
        ensure!(format.is_none() || !json, "arrays are not JSON; leave out --json, or end the file in .json");
        let arrays = format.map(|format| Arrays { format, names: columns.to_vec(), numbers: Vec::new() });
        if !json && arrays.is_none() {
            writeln!(out, "{}", columns.join(","))?;
        }
        let labels = columns.iter().enumerate().map(label).collect();
        let progress = Progress::start(work, path.is_none() && io::stdout().is_terminal());
        Ok(Self { out, json, labels, line: Vec::new(), progress, path, arrays })
    }

    /// Writes a row, one finite value per column.
    pub(crate) fn write(&mut self, numbers: impl Iterator<Item = f64>) -> anyhow::Result<()> {
        self.write_known(numbers.map(Some))
    }

    /// Writes a row in which some numbers may not be known: an empty cell, null, or NaN. Others have the fewest digits that
    /// read back as the same number.
    pub(crate) fn write_known(&mut self, numbers: impl Iterator<Item = Option<f64>>) -> anyhow::Result<()> {
        if let Some(arrays) = &mut self.arrays {
            arrays.numbers.extend(numbers.take(arrays.names.len()).map(|number| number.unwrap_or(f64::NAN)));
            return Ok(());
        }
        let [open, close, unknown] = if self.json { ["{", "}\n", "null"] } else { ["", "\n", ""] };
        self.line.clear();
        self.line.extend_from_slice(open.as_bytes());
        for (label, number) in self.labels.iter().zip(numbers) {
            self.line.extend_from_slice(label.as_bytes());
            let mut buffer = ryu::Buffer::new();
            let number = number.map_or(unknown, |number| buffer.format_finite(number));
            self.line.extend_from_slice(number.as_bytes());
        }
        self.line.extend_from_slice(close.as_bytes());
        self.out.write_all(&self.line).context("cannot write the answers")
    }

    /// Reports progress.
    pub(crate) fn reach(&mut self, done: u64) {
        self.progress.reach(done);
    }

    /// Completes the table; a file takes its name, and `summary` is said.
    pub(crate) fn finish(mut self, summary: impl Display) -> anyhow::Result<()> {
        if let Some(Arrays { format, names, numbers }) = &self.arrays {
            self.out.write_all(&arrays::write(*format, names, numbers)?).context("cannot write the answers")?;
        }
        self.out.finish()?;
        drop(self.progress);
        if let Some(path) = self.path {
            output::note_file(format_args!("{}: {summary}", path.display()));
        }
        Ok(())
    }
}
