//! The table of a motion, its plot, and the report on its limits.

use super::options::OutputArgs;
use super::whole::{Group, Whole};
use crate::output;
use crate::progress::{Progress, Work};
use crate::refusal;
use crate::table::{self, Answers};
use anyhow::ensure;
use appell::description::JointDescription;
use appell::mechanism::Mechanism;
use appell::{Model, Robot};
use appell_drawing::listing::{Listing, counted, short};
use appell_drawing::{Across, Curve, Look, Strip, strips};
use appell_simulation::trajectory::limits::{self, Peak, Report};
use appell_simulation::trajectory::{FollowError, JointStates, RobotMotion};
use serde_json::json;
use std::io::{self, Write};

/// A table of more rows is a mistake.
const MOST_ROWS: f64 = 1e8;

/// Checks, writes and draws a motion; `make` makes it anew, with torques and forces or without.
pub(super) fn write<'r>(
    robot: &Robot,
    make: impl Fn(bool) -> anyhow::Result<Whole<'r>>,
    args: &OutputArgs,
    what: &str,
    json: bool,
    stdout: &mut dyn Write,
) -> anyhow::Result<bool> {
    let answer = (|| {
        let accelerations = args.accelerations(robot)?;
        let checks = args.limits || !accelerations.is_empty();
        let limited = |joint: &JointDescription| joint.limits.effort.is_finite();
        let efforts = args.table.torques || crate::robot::description(robot).joints.iter().any(limited);
        let steps = steps(make(false)?.motion().duration(), args.table.dt)?;
        let report = if checks {
            let mut whole = make(efforts)?;
            let progress = Progress::start(Work::States(steps), false);
            let mut motion = Reported { motion: whole.motion(), progress, dt: args.table.dt };
            Some(limits::check(&mut motion, &accelerations, args.table.dt)?)
        } else {
            None
        };
        let fits = report.as_ref().is_none_or(|report| report.first.is_none());
        write_table(robot, make(args.table.torques)?, steps, args, what, json, stdout)?;
        if let Some(report) = &report {
            print(robot, report, args, json, stdout)?;
        }
        Ok(fits)
    })();
    answer.or_else(|error: anyhow::Error| match error.downcast_ref::<FollowError>() {
        // That the robot cannot follow is an answer; what it was asked for is not.
        Some(FollowError::Redundant { .. } | FollowError::Type(_) | FollowError::Fixed { .. }) | None => Err(error),
        Some(cannot) => {
            refusal::no(format_args!("{}: {cannot}", robot.name()));
            Ok(false)
        }
    })
}

/// How many rows follow the first.
fn steps(duration: f64, dt: f64) -> anyhow::Result<u64> {
    let steps = (duration / dt - 1e-9).ceil().max(1.0);
    ensure!(steps < MOST_ROWS, "{duration} s in steps of {dt} s are too many rows; choose a longer --dt");
    Ok(steps as u64)
}

/// A motion that reports progress while it is checked.
struct Reported<'m> {
    motion: &'m mut dyn RobotMotion,
    progress: Progress,
    dt: f64,
}

impl RobotMotion for Reported<'_> {
    fn duration(&self) -> f64 {
        self.motion.duration()
    }

    fn robot(&self) -> &Mechanism {
        self.motion.robot()
    }

    fn is_driven(&self, joint: usize) -> bool {
        self.motion.is_driven(joint)
    }

    fn at(&mut self, t: f64) -> Result<&JointStates, FollowError> {
        self.progress.reach((t / self.dt) as u64);
        self.motion.at(t)
    }
}

/// Writes all rows, and the plot.
fn write_table(
    robot: &Robot,
    mut whole: Whole<'_>,
    steps: u64,
    args: &OutputArgs,
    what: &str,
    json: bool,
    stdout: &mut dyn Write,
) -> anyhow::Result<()> {
    let duration = whole.motion().duration();
    let groups = whole.groups(args.table.torques);
    let names = groups.iter().flat_map(|group| group.columns.iter().map(|(name, _)| name.clone()));
    let columns: Vec<String> = std::iter::once("t".to_owned()).chain(names).collect();
    if let Some(size) = table::large((steps + 1) as f64, columns.len() as f64).filter(|_| !args.table.yes) {
        anyhow::bail!("this is a table of {size}; choose a longer --dt, or give --yes to write it as it is");
    }
    let mut drawn = Drawn::new(&groups);
    let mut answers = Answers::start(args.table.out.as_deref(), &mut *stdout, json, &columns, Work::States(steps + 1))?;
    let mut row = Vec::new();
    for k in 0..=steps {
        let t = if k == steps { duration } else { args.table.dt * k as f64 };
        whole.write(t, args.table.torques, &mut row)?;
        if let Some(column) = row.iter().position(|number| !number.is_finite()) {
            anyhow::bail!("after {t} s `{}` overflows; the numbers are too large", columns[column + 1]);
        }
        answers.write(std::iter::once(t).chain(row.iter().map(|x| x + 0.0)))?; // no negative zero
        answers.reach(k + 1);
        if args.table.plot.is_some() {
            drawn.push(t, &row);
        }
    }
    let (rows, name) = (counted(steps as usize + 1, "row"), robot.name());
    answers.finish(format_args!("{rows}, {what} of {name}, {} s", short(duration)))?;
    if let Some(path) = &args.table.plot {
        output::write_drawing(path, &drawn.draw(&format!("{name}: {what}"), &groups), stdout)?;
    }
    Ok(())
}

/// What the plot shows.
struct Drawn {
    x: Vec<f64>,
    values: Vec<Vec<f64>>, // a column
    relative: Vec<bool>,   // columns that are drawn from their start
    start: Vec<f64>,       // what is taken away from each column
}

impl Drawn {
    fn new(groups: &[Group]) -> Self {
        let relative: Vec<bool> =
            groups.iter().flat_map(|group| group.columns.iter().map(|_| group.from_start)).collect();
        Self { x: Vec::new(), values: vec![Vec::new(); relative.len()], start: Vec::new(), relative }
    }

    fn push(&mut self, t: f64, row: &[f64]) {
        if self.x.is_empty() {
            self.start = row.iter().zip(&self.relative).map(|(&x, &relative)| if relative { x } else { 0.0 }).collect();
        }
        self.x.push(t);
        for ((values, number), start) in self.values.iter_mut().zip(row).zip(&self.start) {
            values.push(number - start);
        }
    }

    fn draw(&self, title: &str, groups: &[Group]) -> String {
        let mut first = 0;
        let mut panels = Vec::new();
        for group in groups {
            let columns = &self.values[first..first + group.columns.len()];
            first += group.columns.len();
            let curves = group.columns.iter().zip(columns).map(|((_, name), values)| Curve { name, values });
            let moves = columns.iter().flatten().any(|&number| number != 0.0);
            if !group.title.is_empty() && moves {
                panels.push(Strip { label: &group.title, curves: curves.collect(), look: Look::Alike });
            }
        }
        strips(title, &Across::even("t (s)", &self.x), &panels)
    }
}

/// Reports the first limit that is passed, and how near the motion comes to all.
fn print(robot: &Robot, report: &Report, args: &OutputArgs, json: bool, stdout: &mut dyn Write) -> anyhow::Result<()> {
    let names = robot.tree().joint_names(); // peaks are of rows of the tree, of which a screw has two
    let mut stderr = io::stderr();
    let out: &mut dyn Write = if args.table.out.is_some() { stdout } else { &mut stderr };
    let driven = |joint: usize| match robot.model() {
        Model::Tree(_) => true,
        Model::Closed(closed) => closed.driven().contains(&joint),
    };
    let moves = |peak: &&Peak| peak.limit.is_finite() || (peak.value != 0.0 && driven(peak.joint));
    if json {
        let peak = |peak: &Peak| {
            let limit = peak.limit.is_finite().then_some(peak.limit);
            json!({ "joint": names[peak.joint], "quantity": peak.quantity.name(), "time": peak.time,
                    "value": peak.value, "limit": limit })
        };
        let first = report.first.as_ref().map(|first| {
            json!({ "joint": first.joint, "quantity": first.quantity.name(), "time": first.time,
                    "value": first.value, "limit": first.limit })
        });
        let peaks: Vec<_> = report.peaks.iter().filter(moves).map(peak).collect();
        writeln!(out, "{:#}", json!({ "within_limits": first.is_none(), "first": first, "peaks": peaks }))?;
        return Ok(());
    }
    let mut listing = Listing::new(["joint", "quantity", ">largest", ">at t (s)", ">limit", ">used"]);
    for peak in report.peaks.iter().filter(moves) {
        let limited = peak.limit.is_finite();
        let used = if limited && peak.quantity != limits::Quantity::Position && peak.limit != 0.0 {
            format!("{:.0} %", 100.0 * (peak.value / peak.limit).abs())
        } else {
            String::new()
        };
        let limit = if limited { short(peak.limit) } else { "–".into() };
        let cells =
            [names[peak.joint].clone(), peak.quantity.name().into(), short(peak.value), short(peak.time), limit, used];
        listing.push(cells);
    }
    listing.write(out)?;
    match &report.first {
        Some(violation) => writeln!(out, "{violation}")?,
        None if report.peaks.iter().all(|peak| peak.limit.is_infinite()) => {
            writeln!(out, "{} has no limits, and --max-acceleration gives none", robot.name())?;
        }
        None => writeln!(out, "all limits are kept")?,
    }
    Ok(())
}
