//! Scenarios in a page: those that come with appell, and a run of one as `appell simulate` does it.

use super::refuse_large;
use crate::reading::{self, Remark};
use appell::{Robot, robots};
use appell_simulation::scenario::{EXAMPLES, Event, LeastWork, Moment, Outcome, Scenario, Watch};
use core::ops::ControlFlow;
use serde::Serialize;
use std::cell::{Cell, RefCell};

/// Steps of the integration that a page waits for, and numbers that it keeps.
const MOST_STEPS: usize = 3_000_000;
const MOST_NUMBERS: usize = 4_000_000;

/// `TrialRun` of the contract: the record as `appell simulate` writes it into record.csv.
#[derive(Debug, Clone, Serialize)]
pub struct TrialRun {
    /// The header.
    pub columns: Vec<String>,
    /// Numbers that are none are NaN.
    pub rows: Vec<Vec<f64>>,
    /// What happened, a line each.
    pub events: Vec<String>,
    /// How it went, in lines.
    pub summary: String,
    /// Why it ended before its time.
    pub stop: Option<String>,
}

/// A scenario that comes with appell.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Known {
    name: &'static str,
    text: &'static str,
}

/// The scenarios that come with appell.
#[must_use]
pub fn scenarios() -> Vec<Known> {
    EXAMPLES.iter().map(|example| Known { name: example.name, text: example.toml }).collect()
}

/// Runs a scenario with a robot: a built-in one by its name, or the text of a file; by the scenario's own name where there is none.
///
/// # Errors
/// If one of both cannot be read, if they do not fit, or if it would take too long.
pub fn play(text: &str, robot: &str, file: &str) -> Result<TrialRun, String> {
    let scenario = Scenario::read(text).map_err(|problems| format!("not a scenario\n{problems}"))?;
    refuse_files(&scenario)?;
    let robot = machine(&scenario, robot, file)?;
    refuse_large(&robot)?;
    refuse_long(&scenario, &robot)?;
    let turns = robot.platform().is_some_and(|platform| platform.turns);
    let (mut columns, mut rows) = (Vec::new(), Vec::new());
    let (steps, large) = (Cell::new(0_usize), Cell::new(false));
    let events = RefCell::new(Vec::new());
    let line = |event: &Event| format!("{:.6} s: {}: {}", event.t, event.kind.name(), event.text);
    let watch = Watch {
        clock: None,
        pulse: Some(Box::new(|_| {
            steps.set(steps.get() + 1);
            if steps.get() > MOST_STEPS { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })),
        events: Some(Box::new(|event: &Event| events.borrow_mut().push(line(event)))),
        recorded: None,
    };
    let outcome = scenario.play(&robot, watch, |moment: &Moment<'_>| {
        if rows.is_empty() {
            columns.push("t".to_owned());
            moment.columns(turns, |_, name, _| columns.push(name()));
        }
        let mut row = vec![moment.view.t];
        moment.columns(turns, |_, _, number| row.push(number));
        // As in record.csv: what is not finite is left out, and there is no negative zero.
        row.iter_mut().for_each(|number| *number = if number.is_finite() { *number + 0.0 } else { f64::NAN });
        rows.push(row);
        large.set(rows.len() * columns.len() > MOST_NUMBERS);
        if large.get() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let outcome = outcome.map_err(|error| error.to_string())?;
    let mut events = events.into_inner();
    events.extend(outcome.last_events.iter().map(line));
    let too_long = (steps.get() > MOST_STEPS || large.get())
        .then(|| format!("after {:.6} s: {}", outcome.t, too_long("more than a page waits for")));
    let stop = too_long.or_else(|| outcome.stop.as_ref().map(ToString::to_string));
    Ok(TrialRun { columns, rows, events, summary: summary(&robot, &outcome), stop })
}

/// The robot of a scenario.
fn machine(scenario: &Scenario, robot: &str, file: &str) -> Result<Robot, String> {
    let words = |remarks: Vec<Remark>| {
        let lines: Vec<String> = remarks.into_iter().map(|remark| remark.message).collect();
        lines.join("\n")
    };
    let name = if robot.is_empty() { scenario.robot.as_str() } else { robot };
    let read = if file.is_empty() {
        if robots::find(name).is_none() {
            return Err(format!(
                "the scenario's robot `{name}` is not built in, and a page opens no files: put it on the bench first"
            ));
        }
        Robot::builtin(name).map_err(|error| error.to_string())?
    } else {
        reading::read(robot, file).map_err(words)?
    };
    let read = match scenario.output.as_deref() {
        None => read,
        Some(_) if read.closed().is_none() => {
            return Err(format!("output: {} has no closed loops; remove it", read.name()));
        }
        Some(frame) => read.with_output(frame).map_err(|error| error.to_string())?,
    };
    read.coupled().map_err(|error| error.to_string())
}

/// Refuses scenarios that name other files.
fn refuse_files(scenario: &Scenario) -> Result<(), String> {
    if let Some(file) = scenario.points_file() {
        return Err(format!(
            "reference.file: a page does not open {file}; write its rows as `points`, or take `appell simulate`"
        ));
    }
    match scenario.law_library() {
        Some(law) => Err(format!(
            "controller.law: a page does not open the library {}; take another law, or `appell simulate`",
            law.library
        )),
        None => Ok(()),
    }
}

fn too_long(what: &str) -> String {
    format!(
        "{what}; take a shorter duration, longer steps or a longer time from row to row (run.record), or `appell simulate`"
    )
}

/// Refuses runs that a page would wait for in vain.
fn refuse_long(scenario: &Scenario, robot: &Robot) -> Result<(), String> {
    let LeastWork { steps, rows } = scenario.least_work(robot).map_err(|error| error.to_string())?;
    if steps > MOST_STEPS as f64 {
        return Err(too_long(&format!("this run takes at least {steps:.0} steps, too many for a page")));
    }
    // Time, energies, and per drive position, speed, torque, what is wanted and its error.
    let columns = 3 + 5 * robot.drives().len();
    if rows * columns as f64 > MOST_NUMBERS as f64 {
        return Err(too_long(&format!("this run has {rows:.0} rows, too many for a page")));
    }
    Ok(())
}

fn summary(robot: &Robot, outcome: &Outcome) -> String {
    let mut lines = vec![format!("{} of {} s in {} steps", outcome.t, outcome.duration, outcome.cost.steps)];
    for (drive, tracking) in robot.drives().iter().zip(&outcome.tracking) {
        lines.push(format!("{}: largest error {:.3e}, rms {:.3e}", drive.name, tracking.largest, tracking.rms));
    }
    lines.extend(outcome.trip.iter().map(ToString::to_string));
    lines.extend(outcome.doubts.iter().map(ToString::to_string));
    lines.join("\n")
}
