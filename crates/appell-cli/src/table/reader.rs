//! From the lines of a table to numbers.

use super::header::{Column, Vocabulary};
use super::lines::{Lines, cells};
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
    lines: Lines,
    rows: usize,
    columns: Vec<Column<Q>>,
}

impl<Q: Copy + Eq + Hash> Reader<Q> {
    /// Opens a table and understands its header, by words that may depend on its names; `-` is stdin. Errors name the
    /// table.
    pub(super) fn open(path: &Path, vocabulary: impl FnOnce(&[&str]) -> Vocabulary<Q>) -> anyhow::Result<Self> {
        let open = || -> anyhow::Result<Self> {
            let mut lines = Lines::open(path)?;
            let header = lines.header()?;
            let names: Vec<&str> = cells(&header).collect();
            let columns = vocabulary(&names).columns(&names)?;
            Ok(Self { name: shown(path), lines, rows: 0, columns })
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
        let Some((number, line)) = self.lines.next()? else { return Ok(false) };
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

    /// Where the row is: `states.csv: line 7`.
    pub(crate) fn place(&self) -> String {
        format!("{}: line {}", self.name, self.line())
    }

    /// The line of the row, counted from 1.
    pub(crate) fn line(&self) -> u64 {
        self.lines.number()
    }

    /// Rows read so far.
    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// How much there is to read, as far as one can know.
    pub(crate) fn work(&self) -> Work {
        self.lines.size().map_or(Work::Rows, Work::Bytes)
    }

    /// How much of [`Self::work`] is done.
    pub(crate) fn done(&self) -> u64 {
        match self.work() {
            Work::Bytes(_) => self.lines.bytes(),
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

/// Refuses an angle that is too large to mean one.
fn angle(value: f64, column: &str) -> anyhow::Result<f64> {
    ensure!(
        value.abs() <= LARGEST_COORDINATE,
        "column `{column}` holds {value:e} rad; beyond {LARGEST_COORDINATE:e} rad an angle loses its digits; subtract whole turns"
    );
    Ok(value)
}
