//! From the lines of a table, or from arrays, to numbers.

use super::arrays::Columns;
use super::header::{Column, Vocabulary};
use super::lines::{Lines, Opened, cells};
use super::shown;
use crate::arguments::LARGEST_COORDINATE;
use crate::output;
use crate::progress::Work;
use anyhow::{Context, bail, ensure};
use appell_drawing::listing::{clip, counted};
use std::hash::Hash;
use std::path::Path;

/// A table under reading, where `Q` says what a column gives.
pub(crate) struct Reader<Q> {
    name: String,
    source: Source,
    rows: usize,
    columns: Vec<Column<Q>>,
}

/// Where the numbers come from.
enum Source {
    Lines(Lines),
    /// Columns that are in memory.
    Arrays(Vec<Vec<f64>>),
}

impl<Q: Copy + Eq + Hash> Reader<Q> {
    /// Opens a table and understands its header, by words that may depend on its names; `-` is stdin. Errors name the
    /// table.
    pub(super) fn open(path: &Path, mut vocabulary: impl FnMut(&[&str]) -> Vocabulary<Q>) -> anyhow::Result<Self> {
        let mut open = || -> anyhow::Result<Self> {
            let (source, header) = match Lines::open(path)? {
                Opened::Lines(mut lines) => {
                    let header = lines.header()?;
                    (Source::Lines(lines), cells(&header).map(str::to_owned).collect())
                }
                Opened::Arrays(Columns { names, numbers }) => {
                    let names = names.map_or_else(|| vocabulary(&[]).usual(numbers.len()), Ok)?;
                    (Source::Arrays(numbers), names)
                }
            };
            let names: Vec<&str> = header.iter().map(String::as_str).collect();
            let columns = vocabulary(&names).columns(&names)?;
            Ok(Self { name: shown(path), source, rows: 0, columns })
        };
        open().with_context(|| shown(path))
    }

    /// What is read of the table.
    pub(super) fn quantities(&self) -> impl Iterator<Item = Q> {
        self.columns.iter().filter(|column| column.read).map(|column| column.quantity)
    }

    /// Whether this is read.
    pub(super) fn has(&self, quantity: Q) -> bool {
        self.quantities().any(|read| read == quantity)
    }

    /// Whether a column gives a quantity of a kind by a name, as `q.elbow` does, and not by a number.
    pub(super) fn is_named(&self, kind: impl Fn(Q) -> bool) -> bool {
        self.columns.iter().any(|column| column.name.contains('.') && kind(column.quantity))
    }

    /// Reads the next row and hands over each number that is read; whether there was one. A table without any is warned
    /// of.
    pub(super) fn advance(&mut self, take: impl FnMut(Q, f64)) -> anyhow::Result<bool> {
        let is_row = self.next_row(take)?;
        if !is_row && self.rows == 0 {
            output::note(format_args!("{}: warning: the table has a header and no rows", self.name));
        }
        Ok(is_row)
    }

    /// The same of a table whose reader looks after its rows.
    pub(super) fn next_row(&mut self, take: impl FnMut(Q, f64)) -> anyhow::Result<bool> {
        let is_row = self.read_row(take).with_context(|| self.name.clone())?;
        self.rows += usize::from(is_row);
        Ok(is_row)
    }

    fn read_row(&mut self, mut take: impl FnMut(Q, f64)) -> anyhow::Result<bool> {
        let lines = match &mut self.source {
            Source::Lines(lines) => lines,
            Source::Arrays(numbers) => {
                let row = self.rows;
                if numbers.first().is_none_or(|first| row >= first.len()) {
                    return Ok(false);
                }
                for (values, column) in numbers.iter().zip(&self.columns).filter(|(_, column)| column.read) {
                    let value = checked(values[row], column).with_context(|| format!("row {}", row + 1))?;
                    take(column.quantity, value);
                }
                return Ok(true);
            }
        };
        let Some((number, line)) = lines.next()? else { return Ok(false) };
        expect_cells(number, line, self.columns.len())?;
        for (cell, column) in cells(line).zip(&self.columns).filter(|(_, column)| column.read) {
            let value = value(cell, &column.name)
                .and_then(|value| if column.is_angle { angle(value, &column.name) } else { Ok(value) });
            take(column.quantity, value.with_context(|| format!("line {number}"))?);
        }
        Ok(true)
    }

    /// What the table is called in messages.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Where the row is: `states.csv: line 7`, or `states.npy: row 6`.
    pub(crate) fn place(&self) -> String {
        let word = if matches!(self.source, Source::Lines(_)) { "line" } else { "row" };
        format!("{}: {word} {}", self.name, self.line())
    }

    /// The line of the row, counted from 1; of arrays the row.
    pub(crate) fn line(&self) -> u64 {
        match &self.source {
            Source::Lines(lines) => lines.number(),
            Source::Arrays(_) => self.rows as u64,
        }
    }

    /// Rows read so far.
    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// How much there is to read, as far as one can know.
    pub(crate) fn work(&self) -> Work {
        match &self.source {
            Source::Lines(lines) => lines.size().map_or(Work::Rows, Work::Bytes),
            Source::Arrays(numbers) => Work::States(numbers.first().map_or(0, Vec::len) as u64),
        }
    }

    /// How much of [`Self::work`] is done.
    pub(crate) fn done(&self) -> u64 {
        match &self.source {
            Source::Lines(lines) if lines.size().is_some() => lines.bytes(),
            _ => self.rows as u64,
        }
    }
}

/// Refuses a line of other than so many cells.
pub(super) fn expect_cells(number: u64, line: &str, expected: usize) -> anyhow::Result<()> {
    let found = line.matches(',').count() + 1;
    ensure!(
        found == expected,
        "line {number} has {} where the header has {}; decimals are written with a point",
        counted(found, "cell"),
        counted(expected, "column")
    );
    Ok(())
}

/// The number in a cell of a column.
pub(super) fn value(cell: &str, column: &str) -> anyhow::Result<f64> {
    ensure!(!cell.is_empty(), "column `{column}` is empty; expected a number");
    match cell.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        Ok(_) => bail!("column `{column}` holds `{}`; expected a finite number", clip(cell)),
        Err(_) => bail!("column `{column}` holds `{}`; expected a number", clip(cell)),
    }
}

/// A number of an array, which must be finite.
fn checked<Q>(value: f64, column: &Column<Q>) -> anyhow::Result<f64> {
    ensure!(value.is_finite(), "column `{}` holds {value}; expected a finite number", column.name);
    if column.is_angle { angle(value, &column.name) } else { Ok(value) }
}

/// Refuses an angle that is too large to mean one.
fn angle(value: f64, column: &str) -> anyhow::Result<f64> {
    ensure!(
        value.abs() <= LARGEST_COORDINATE,
        "column `{column}` holds {value:e} rad; beyond {LARGEST_COORDINATE:e} rad an angle loses its digits; subtract whole turns"
    );
    Ok(value)
}
