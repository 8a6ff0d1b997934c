//! From the lines of a table to states.

use super::header::{self, Column, Quantity};
use super::lines::{Lines, cells};
use crate::listing::{clip, counted};
use crate::progress::Work;
use anyhow::{Context, bail, ensure};
use appell::mechanism::Mechanism;
use appell::question::{Question, State};
use std::path::Path;

/// A table of states under reading, with the row read last.
pub(crate) struct StateTable {
    lines: Lines,
    columns: Vec<Column>,
    rows: usize,
    time: Option<f64>,      // if there is a column for it
    vectors: [Vec<f64>; 4], // as in Input::ALL; zeros where the question does not read
}

impl StateTable {
    /// Opens a table of states of a robot for a question; `-` is stdin.
    pub(crate) fn open(path: &Path, robot: &Mechanism, question: Question) -> anyhow::Result<Self> {
        let mut lines = Lines::open(path)?;
        let (_, header) = lines.next()?.context("the table is empty; expected a header, then one state a line")?;
        let columns = header::columns(cells(header), robot, question)?;
        let time = columns.iter().any(|column| column.quantity == Quantity::Time).then_some(0.0);
        Ok(Self { lines, columns, rows: 0, time, vectors: std::array::from_fn(|_| vec![0.0; robot.dof()]) })
    }

    /// Reads the next row; whether there was one.
    pub(crate) fn advance(&mut self) -> anyhow::Result<bool> {
        let Some((number, line)) = self.lines.next()? else { return Ok(false) };
        let (found, expected) = (line.matches(',').count() + 1, self.columns.len());
        ensure!(
            found == expected,
            "line {number} has {} where the header has {}; decimals are written with a point",
            counted(found, "cell"),
            counted(expected, "column")
        );
        for (cell, column) in cells(line).zip(&self.columns).filter(|(_, column)| column.read) {
            let value = value(cell, column).with_context(|| format!("line {number}"))?;
            match column.quantity {
                Quantity::Time => self.time = Some(value),
                Quantity::OfJoint { input, joint } => self.vectors[input][joint] = value,
            }
        }
        self.rows += 1;
        Ok(true)
    }

    /// The time of the row; `None` if the table has no column `t`.
    pub(crate) fn time(&self) -> Option<f64> {
        self.time
    }

    /// The state of the row.
    pub(crate) fn state(&self) -> State<'_> {
        let [q, v, a, tau] = &self.vectors;
        State { q, v, a, tau, ..State::default() }
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

/// The number in a cell.
fn value(cell: &str, column: &Column) -> anyhow::Result<f64> {
    let name = &column.name;
    ensure!(!cell.is_empty(), "column `{name}` is empty; expected a number");
    match cell.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        Ok(_) => bail!("column `{name}` holds `{}`; expected a finite number", clip(cell)),
        Err(_) => bail!("column `{name}` holds `{}`; expected a number", clip(cell)),
    }
}
