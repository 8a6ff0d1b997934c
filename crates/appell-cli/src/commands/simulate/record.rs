//! The table of a motion under control, written while it runs.

use super::kept::Kept;
use crate::place::quaternion;
use crate::progress::Work;
use crate::report::{plot_files, remove};
use crate::table::{Answers, POSITION, QUATERNION};
use anyhow::Context;
use appell::Robot;
use appell_simulation::scenario::Moment;
use std::io::Write;
use std::path::Path;

/// The plots, by the names of their files.
pub(super) const PLOTS: [&str; 5] = ["positions", "speeds", "efforts", "errors", "energy"];

/// Columns that a plot shows together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Group {
    Position,
    Speed,
    Effort,
    Platform,
    Wanted,
    Error,
    Energy,
    Measured,
    Command,
    Gripper,
}

/// The table, and what of it the plots need. Nothing is written before the first row.
pub(super) struct Record<'o> {
    path: &'o Path,
    stdout: Option<&'o mut dyn Write>,
    turns: bool, // whether the platform has an attitude
    begun: Option<(Answers<'o>, Rows)>,
    row: Vec<f64>,
}

/// What the plots need: the group of every column, and some of the rows.
pub(super) struct Rows {
    pub(super) groups: Vec<Group>,
    pub(super) kept: Kept,
}

impl<'o> Record<'o> {
    /// A record of a robot's motion, at `path`.
    pub(super) fn new(machine: &Robot, path: &'o Path, stdout: &'o mut dyn Write) -> Self {
        let turns = machine.platform().is_some_and(|platform| platform.turns);
        Self { path, stdout: Some(stdout), turns, begun: None, row: Vec::new() }
    }

    /// Writes a row.
    pub(super) fn write(&mut self, moment: &Moment<'_>) -> anyhow::Result<()> {
        if self.begun.is_none() {
            self.begun = Some(self.begin(moment)?);
        }
        let Some((answers, rows)) = &mut self.begun else { return Ok(()) };
        let t = moment.view.t;
        self.row.clear();
        let (turns, row) = (self.turns, &mut self.row);
        columns(moment, turns, |_, _, number| row.push(number));
        // NaN is left empty, and ends the motion soon.
        let known = |number: f64| number.is_finite().then_some(number + 0.0); // no negative zero
        answers.write_known(std::iter::once(t).chain(self.row.iter().copied()).map(known))?;
        rows.kept.push(t, &self.row);
        Ok(())
    }

    /// Begins the table with its header.
    fn begin(&mut self, moment: &Moment<'_>) -> anyhow::Result<(Answers<'o>, Rows)> {
        let (mut groups, mut names) = (Vec::new(), vec!["t".to_owned()]);
        columns(moment, self.turns, |group, name, _| {
            groups.push(group);
            names.push(name());
        });
        let stdout = self.stdout.take().context("a record begins once")?;
        let answers = Answers::start(Some(self.path), stdout, false, &names, Work::Rows)?;
        Ok((answers, Rows { kept: Kept::new(groups.len()), groups }))
    }

    /// Completes the table, as long as it has become.
    pub(super) fn finish(self) -> anyhow::Result<Option<Rows>> {
        let Some((answers, rows)) = self.begun else { return Ok(None) };
        answers.finish(format_args!("{} rows", rows.kept.rows()))?;
        Ok(Some(rows))
    }
}

/// Takes away what a run before has left, so that no plot of one stands beside the record of another.
pub(super) fn clear(folder: &Path) -> anyhow::Result<()> {
    remove(folder, plot_files(PLOTS).chain(["record.csv".to_owned(), "report.html".to_owned()]))
}

/// Names every column of a row but the time: its group, its name and its number.
fn columns(moment: &Moment<'_>, turns: bool, mut add: impl FnMut(Group, &dyn Fn() -> String, f64)) {
    let mut each = |group, symbol: &str, numbers: &mut dyn Iterator<Item = f64>| {
        for (k, number) in numbers.enumerate() {
            add(group, &|| format!("{symbol}{}", k + 1), number);
        }
    };
    each(Group::Position, "q", &mut moment.drives.iter().map(|&j| moment.view.q[j]));
    each(Group::Speed, "v", &mut moment.drives.iter().map(|&j| moment.view.v[j]));
    each(Group::Effort, "tau", &mut moment.efforts.iter().copied());
    if let Some(wanted) = moment.wanted {
        each(Group::Wanted, "wanted", &mut wanted.iter().copied());
        let pairs = moment.drives.iter().zip(wanted);
        each(Group::Error, "error", &mut pairs.map(|(&j, wanted)| moment.view.q[j] - wanted));
    }
    if let Some(sampling) = moment.sampling {
        each(Group::Measured, "measured", &mut sampling.q.iter().copied());
        each(Group::Command, "command", &mut sampling.commanded.iter().copied());
        each(Group::Gripper, "gripper", &mut sampling.grippers.iter().map(|&on| f64::from(u8::from(on))));
    }
    if let Some((pose, _)) = moment.view.platform {
        let names = POSITION.into_iter().chain(QUATERNION);
        let numbers = pose.position.to_array().into_iter().chain(quaternion(&pose));
        for (name, number) in names.zip(numbers).take(if turns { 7 } else { 3 }) {
            add(Group::Platform, &|| name.to_owned(), number);
        }
    }
    add(Group::Energy, &|| "kinetic".to_owned(), moment.energy.kinetic);
    add(Group::Energy, &|| "potential".to_owned(), moment.energy.potential);
}
