//! The lines of a file with their numbers, and the cells of a line.
//!
//! A cell holds a name or a number, neither of which has a comma, a quote or a line break in it. So a line is a row,
//! and splitting it is all there is to do. The `csv` crate would do it as well, but its line numbers are wrong after
//! blank lines and with Windows line ends, and a message must name the right line.

use super::arrays::{self, Columns};
use crate::output::unread;
use anyhow::{Context, ensure};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

/// A text under reading, a line at a time.
pub(super) struct Lines {
    source: Box<dyn BufRead>,
    size: Option<u64>,
    line: String,
    number: u64,
    bytes: u64,
    is_again: bool,
}

/// What a file of a table holds.
pub(super) enum Opened {
    Lines(Lines),
    Arrays(Columns),
}

impl Lines {
    /// Opens a file, of text or of arrays; `-` is stdin, a text.
    pub(super) fn open(path: &Path) -> anyhow::Result<Opened> {
        if path == Path::new("-") {
            return Ok(Opened::Lines(Self::new(Box::new(io::stdin().lock()), None)));
        }
        let file = File::open(path).map_err(unread)?;
        let metadata = file.metadata().map_err(unread)?;
        ensure!(!metadata.is_dir(), "is a folder; give the path of a table");
        let size = metadata.is_file().then_some(metadata.len());
        let mut source = BufReader::with_capacity(1 << 16, file);
        if arrays::begins(source.fill_buf().map_err(unread)?) {
            let mut bytes = Vec::new();
            source.read_to_end(&mut bytes).map_err(unread)?;
            return arrays::read(&bytes).map(Opened::Arrays);
        }
        Ok(Opened::Lines(Self::new(Box::new(source), size)))
    }

    /// Of a text, with its size in bytes where that is known.
    pub(super) fn new(source: Box<dyn BufRead>, size: Option<u64>) -> Self {
        Self { source, size, line: String::new(), number: 0, bytes: 0, is_again: false }
    }

    /// The first line that is not blank.
    pub(super) fn header(&mut self) -> anyhow::Result<String> {
        let (_, header) = self.next()?.context("the table is empty; expected a header, then one row per line")?;
        Ok(header.to_owned())
    }

    /// Lets the line that was read last come once more.
    pub(super) fn again(&mut self) {
        self.is_again = true;
    }

    /// The next line that is not blank, with its number; `None` at the end.
    pub(super) fn next(&mut self) -> anyhow::Result<Option<(u64, &str)>> {
        if std::mem::take(&mut self.is_again) {
            return Ok(Some((self.number, &self.line)));
        }
        loop {
            self.line.clear();
            self.number += 1;
            let mut bounded = self.source.by_ref().take(LONGEST_LINE);
            let read = bounded
                .read_line(&mut self.line)
                .with_context(|| format!("line {} cannot be read; a table is text in UTF-8", self.number))?;
            ensure!(
                (read as u64) < LONGEST_LINE,
                "line {} is longer than {} MiB; this is not a table of states",
                self.number,
                LONGEST_LINE >> 20
            );
            self.bytes += read as u64;
            if read == 0 {
                return Ok(None);
            }
            ensure!(
                !self.line.trim_end().contains('\r'),
                "line {} has carriage returns within: lines must end in a line feed, with or without one before it",
                self.number
            );
            if self.number == 1 && self.line.starts_with(BYTE_ORDER_MARK) {
                self.line.remove(0);
            }
            if !self.line.trim().is_empty() {
                return Ok(Some((self.number, &self.line)));
            }
        }
    }

    /// The number of the line read last, counted from 1.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// Bytes read so far.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Bytes in all, if this is a file.
    pub(super) fn size(&self) -> Option<u64> {
        self.size
    }
}

/// Where a line ends at the latest, in bytes: robots of ten thousand joints fit, and memory stays bounded.
const LONGEST_LINE: u64 = 16 << 20;

/// What spreadsheets put before the first letter of a file.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// The cells of a line, without the space and the quotes around them.
pub(super) fn cells(line: &str) -> impl Iterator<Item = &str> {
    line.split(',').map(|cell| {
        let cell = cell.trim();
        cell.strip_prefix('"').and_then(|cell| cell.strip_suffix('"')).map_or(cell, str::trim)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_lines_count_but_are_skipped() {
        let mut lines = Lines::new(Box::new("\u{feff}q1, \"v1\"\r\n\r\n  \r\n1,2".as_bytes()), None);
        let mut next =
            || lines.next().unwrap().map(|(number, line)| (number, cells(line).collect::<Vec<_>>().join("|")));
        assert_eq!(next(), Some((1, "q1|v1".into())));
        assert_eq!(next(), Some((4, "1|2".into())));
        assert_eq!(next(), None);
    }

    #[test]
    fn other_encodings_are_refused_with_their_line() {
        let mut lines = Lines::new(Box::new(b"q1\n\xff\xfe\n".as_slice()), None);
        lines.next().unwrap();
        assert!(
            format!("{:#}", lines.next().unwrap_err()).starts_with("line 2 cannot be read; a table is text in UTF-8")
        );
        let mut lines = Lines::new(Box::new(b"q1\r1\r2\r".as_slice()), None);
        assert!(lines.next().unwrap_err().to_string().contains("carriage returns"));
    }
}
