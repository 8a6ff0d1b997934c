//! The table of a motion under control, written while it runs.

use crate::progress::Work;
use crate::report::{plot_files, remove};
use crate::table::Answers;
use anyhow::Context;
use appell::Robot;
use appell_simulation::scenario::Moment;
use std::io::Write;
use std::path::Path;

/// The files of a run: the table of the motion, its events, both as MCAP, what a recorder keeps, which `simulate` alone has, and every frame,
/// which `run` alone has.
pub(crate) const RECORD: &str = "record.csv";
pub(crate) const EVENTS: &str = "events.csv";
pub(crate) const RECORDING: &str = "record.mcap";
pub(crate) const RECORDER: &str = "recorder.csv";
pub(crate) const FRAMES: &str = "frames.bin";

/// The plots, by the names of their files.
pub(crate) const PLOTS: [&str; 5] = ["positions", "speeds", "efforts", "errors", "energy"];

/// The plot of how long the parts of a period took, which `run` alone has.
pub(crate) const TIMINGS: &str = "timings";

/// The table, and what of it the plots need. Nothing is written before the first row.
pub(crate) struct Record<'o> {
    path: &'o Path,
    stdout: Option<&'o mut dyn Write>,
    turns: bool, // whether the platform has an attitude
    begun: Option<(Answers<'o>, Rows)>,
    row: Vec<f64>,
}

/// What the plots need: the symbol of every column, without a number, and some of the rows.
pub(crate) struct Rows {
    pub(crate) symbols: Vec<&'static str>,
    pub(crate) kept: Kept,
}

impl<'o> Record<'o> {
    /// A record of a robot's motion, at `path`.
    pub(crate) fn new(machine: &Robot, path: &'o Path, stdout: &'o mut dyn Write) -> Self {
        let turns = machine.platform().is_some_and(|platform| platform.turns);
        Self { path, stdout: Some(stdout), turns, begun: None, row: Vec::new() }
    }

    /// Writes a row.
    pub(crate) fn write(&mut self, moment: &Moment<'_>) -> anyhow::Result<()> {
        if self.begun.is_none() {
            self.begun = Some(self.begin(moment)?);
        }
        let Some((answers, rows)) = &mut self.begun else { return Ok(()) };
        let t = moment.view.t;
        self.row.clear();
        let (turns, row) = (self.turns, &mut self.row);
        moment.columns(turns, |_, _, number| row.push(number));
        // NaN is left empty, and ends the motion soon.
        let known = |number: f64| number.is_finite().then_some(number + 0.0); // no negative zero
        answers.write_known(std::iter::once(t).chain(self.row.iter().copied()).map(known))?;
        rows.kept.push(t, &self.row);
        Ok(())
    }

    /// Begins the table with its header.
    fn begin(&mut self, moment: &Moment<'_>) -> anyhow::Result<(Answers<'o>, Rows)> {
        let (mut symbols, mut names) = (Vec::new(), vec!["t".to_owned()]);
        moment.columns(self.turns, |symbol, name, _| {
            symbols.push(symbol);
            names.push(name());
        });
        let stdout = self.stdout.take().context("a record begins once")?;
        let answers = Answers::start(Some(self.path), stdout, false, &names, Work::Rows)?;
        Ok((answers, Rows { kept: Kept::new(symbols.len()), symbols }))
    }

    /// Completes the table, as long as it has become.
    pub(crate) fn finish(self) -> anyhow::Result<Option<Rows>> {
        let Some((answers, rows)) = self.begun else { return Ok(None) };
        answers.finish(format_args!("{} rows", rows.kept.rows()))?;
        Ok(Some(rows))
    }
}

/// Takes away what a run before has left, so that no plot of one stands beside the record of another.
pub(crate) fn clear(folder: &Path) -> anyhow::Result<()> {
    clear_plots(folder)?;
    remove(folder, [RECORD, EVENTS, RECORDING, RECORDER, FRAMES].into_iter().map(str::to_owned))
}

/// The same of a run whose record is there already.
pub(crate) fn clear_plots(folder: &Path) -> anyhow::Result<()> {
    remove(folder, plot_files(PLOTS.into_iter().chain([TIMINGS])).chain(["report.html".to_owned()]))
}

/// As many rows at most.
const MOST: usize = 8000;

/// Some of the rows of a table, at equal distances.
pub(crate) struct Kept {
    pub(crate) times: Vec<f64>,
    pub(crate) columns: Vec<Vec<f64>>,
    /// The largest number of each column over all rows, without its sign.
    pub(crate) peaks: Vec<f64>,
    every: usize,
    seen: usize,
}

impl Kept {
    pub(crate) fn new(columns: usize) -> Self {
        Self { times: Vec::new(), columns: vec![Vec::new(); columns], peaks: vec![0.0; columns], every: 1, seen: 0 }
    }

    /// Takes a row, or not.
    pub(crate) fn push(&mut self, t: f64, row: &[f64]) {
        self.peaks.iter_mut().zip(row).for_each(|(peak, number)| *peak = peak.max(number.abs()));
        if self.seen.is_multiple_of(self.every) {
            self.times.push(t);
            self.columns.iter_mut().zip(row).for_each(|(column, number)| column.push(*number));
        }
        self.seen += 1;
        if self.times.len() >= MOST {
            self.every *= 2;
            halve(&mut self.times);
            self.columns.iter_mut().for_each(halve);
        }
    }

    /// How many rows there were.
    pub(crate) fn rows(&self) -> usize {
        self.seen
    }
}

/// Keeps the first of every two.
fn halve(numbers: &mut Vec<f64>) {
    let mut k = 0;
    numbers.retain(|_| {
        k += 1;
        k % 2 == 1
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_tables_are_thinned_evenly() {
        let mut kept = Kept::new(1);
        (0..=50_000).for_each(|k| kept.push(f64::from(k), &[2.0 * f64::from(k)]));
        kept.push(50_001.0, &[-1e9]); // between the rows that are kept
        assert_eq!((kept.rows(), kept.peaks[0]), (50_002, 1e9));
        assert!((MOST / 2..MOST).contains(&kept.times.len()));
        assert!(kept.times.windows(2).all(|pair| pair[1] - pair[0] == 8.0), "{:?}", &kept.times[..5]);
        assert!(kept.times.iter().zip(&kept.columns[0]).all(|(t, x)| *x == 2.0 * t));
    }
}
