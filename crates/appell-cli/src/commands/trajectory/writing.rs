//! The table of a motion, its plot, and the report on its limits.

use super::options::OutputArgs;
use super::whole::{Group, Whole};
use crate::drawing::{Curve, Strip, strips};
use crate::listing::{Listing, counted, short};
use crate::output;
use crate::progress::Work;
use crate::robot::{Model, Robot};
use crate::table::Answers;
use anyhow::ensure;
use appell::trajectory::FollowError;
use appell::trajectory::limits::{self, Peak, Report};
use serde_json::json;
use std::io::{self, Write};

/// A table of more rows is a mistake.
const MOST_ROWS: f64 = 1e8;

/// Checks, writes and draws a motion; `make` makes it anew, with efforts or without.
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
        let report = if checks { Some(limits::check(make(true)?.motion(), &accelerations, args.dt)?) } else { None };
        let fits = report.as_ref().is_none_or(|report| report.first.is_none());
        table(robot, make(args.torques)?, args, what, json, stdout)?;
        if let Some(report) = &report {
            tell(robot, report, args, json, stdout)?;
        }
        Ok(fits)
    })();
    answer.or_else(|error: anyhow::Error| match error.downcast_ref::<FollowError>() {
        // That the robot cannot follow is an answer; what it was asked for is not.
        Some(FollowError::Redundant { .. } | FollowError::Type(_) | FollowError::Fixed { .. }) | None => Err(error),
        Some(cannot) => {
            output::note(format_args!("error: {}: {cannot}", robot.description.name));
            Ok(false)
        }
    })
}

/// Writes all rows, and the plot.
fn table(
    robot: &Robot,
    mut whole: Whole<'_>,
    args: &OutputArgs,
    what: &str,
    json: bool,
    stdout: &mut dyn Write,
) -> anyhow::Result<()> {
    let duration = whole.motion().duration();
    let steps = (duration / args.dt - 1e-9).ceil().max(1.0);
    ensure!(steps < MOST_ROWS, "{} s in steps of {} s are too many rows; choose a longer --dt", duration, args.dt);
    let steps = steps as u64;
    let groups = whole.groups(args.torques);
    let names = groups.iter().flat_map(|group| group.columns.iter().map(|(name, _)| name.clone()));
    let columns: Vec<String> = std::iter::once("t".to_owned()).chain(names).collect();
    let mut drawn = Drawn { x: Vec::new(), values: vec![Vec::new(); columns.len() - 1] };
    let mut answers = Answers::start(args.out.as_deref(), &mut *stdout, json, &columns, Work::States(steps + 1))?;
    let mut row = Vec::new();
    for k in 0..=steps {
        let t = if k == steps { duration } else { args.dt * k as f64 };
        whole.write(t, args.torques, &mut row)?;
        if let Some(column) = row.iter().position(|number| !number.is_finite()) {
            anyhow::bail!("after {t} s `{}` overflows; the numbers are too large", columns[column + 1]);
        }
        answers.write(std::iter::once(t).chain(row.iter().map(|x| x + 0.0)))?; // no negative zero
        answers.reach(k + 1);
        if args.plot.is_some() {
            drawn.push(t, &row);
        }
    }
    let (rows, name) = (counted(steps as usize + 1, "row"), &robot.description.name);
    answers.finish(format_args!("{rows}, {what} of {name}, {} s", short(duration)))?;
    if let Some(path) = &args.plot {
        output::write_file(path, &drawn.draw(&format!("{name}: {what}"), &groups), stdout)?;
    }
    Ok(())
}

/// What the plot shows.
struct Drawn {
    x: Vec<f64>,
    values: Vec<Vec<f64>>, // a column
}

impl Drawn {
    fn push(&mut self, t: f64, row: &[f64]) {
        self.x.push(t);
        self.values.iter_mut().zip(row).for_each(|(values, &number)| values.push(number));
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
                panels.push(Strip { label: &group.title, curves: curves.collect() });
            }
        }
        strips(title, "t (s)", &self.x, &panels)
    }
}

/// Tells the first limit that is passed, and how near the motion comes to all.
fn tell(robot: &Robot, report: &Report, args: &OutputArgs, json: bool, stdout: &mut dyn Write) -> anyhow::Result<()> {
    let names: Vec<&str> = robot.description.joints.iter().map(|joint| joint.name.as_str()).collect();
    let mut stderr = io::stderr();
    let out: &mut dyn Write = if args.out.is_some() { stdout } else { &mut stderr };
    let driven = |joint: usize| match &robot.model {
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
            [names[peak.joint].into(), peak.quantity.name().into(), short(peak.value), short(peak.time), limit, used];
        listing.push(cells);
    }
    listing.write(out)?;
    match &report.first {
        Some(violation) => writeln!(out, "{violation}")?,
        None => writeln!(out, "all limits are kept")?,
    }
    Ok(())
}
