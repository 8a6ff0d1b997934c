//! From numbers to lines: CSV, or JSON with one object per line.

use std::io::{self, Write};

/// How a row is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// A header, then the numbers with commas between them.
    Csv,
    /// An object a row, with the columns as keys.
    JsonLines,
}

/// Writes rows of numbers, each in the fewest digits that read back as the same number.
pub(crate) struct RowWriter<W> {
    out: W,
    format: Format,
    labels: Vec<String>, // what stands before each number, `,` or `,"tau1":`
    line: Vec<u8>,
}

impl<W: Write> RowWriter<W> {
    /// Starts a table; CSV gets its header now. The names need no quotes in CSV: descriptions allow none that would.
    pub(crate) fn new(mut out: W, format: Format, columns: &[String]) -> io::Result<Self> {
        let label = |(k, name): (usize, &String)| {
            let comma = if k == 0 { "" } else { "," };
            match format {
                Format::Csv => comma.to_owned(),
                Format::JsonLines => format!("{comma}{}:", serde_json::Value::from(name.as_str())),
            }
        };
        if format == Format::Csv {
            writeln!(out, "{}", columns.join(","))?;
        }
        Ok(Self { out, format, labels: columns.iter().enumerate().map(label).collect(), line: Vec::new() })
    }

    /// Writes a row, one finite value per column, or none: an empty cell, or null.
    pub(crate) fn write(&mut self, numbers: impl Iterator<Item = Option<f64>>) -> io::Result<()> {
        let (open, close): (&[u8], &[u8]) = match self.format {
            Format::Csv => (b"", b"\n"),
            Format::JsonLines => (b"{", b"}\n"),
        };
        self.line.clear();
        self.line.extend_from_slice(open);
        for (label, number) in self.labels.iter().zip(numbers) {
            self.line.extend_from_slice(label.as_bytes());
            match (number, self.format) {
                (Some(number), _) => self.line.extend_from_slice(ryu::Buffer::new().format_finite(number).as_bytes()),
                (None, Format::Csv) => {}
                (None, Format::JsonLines) => self.line.extend_from_slice(b"null"),
            }
        }
        self.line.extend_from_slice(close);
        self.out.write_all(&self.line)
    }

    /// The writer below.
    pub(crate) fn into_inner(self) -> W {
        self.out
    }
}
