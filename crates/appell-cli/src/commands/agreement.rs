//! `appell agreement`: how far the methods for one question differ.

use crate::arguments::number_that;
use crate::progress::{Progress, Work};
use crate::robot;
use appell::question::agreement::{Difference, compare};
use appell_drawing::listing::Listing;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::ops::ControlFlow;

/// Compare all methods for each question on random states.
///
/// The difference between a question's default method and another is the largest entry of the difference of their
/// answers over the largest entry of the default's answer; bias, gravity, Coriolis forces and reactions, which may
/// vanish, are measured against all joint forces of the state. Shown is the worst of all states.
///
/// States are random in ±π rad or ±0.5 m, ±2 rad/s or ±1 m/s, ±4 rad/s² or ±2 m/s², ±20 N m or N; the same seed
/// gives the same states on every machine. States of a robot with closed loops lie around its home, where its legs reach and its drives
/// hold it.
///
/// Exit codes: 0 all agree; 1 a difference exceeds the tolerance, or an inertia matrix is singular.
#[derive(clap::Args)]
#[command(after_help = "Example: appell agreement puma560 --states 10000 --seed 7")]
pub(crate) struct Args {
    #[command(flatten)]
    robot: robot::Choice,
    /// How many random states
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    states: u64,
    /// Seed of the random states
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The largest relative difference that counts as agreement
    #[arg(long, default_value_t = 1e-10, value_parser = tolerance)]
    tolerance: f64,
}

pub(crate) fn run(args: &Args, json: bool, out: &mut dyn Write) -> anyhow::Result<bool> {
    let robot = args.robot.load()?;
    let mut progress = Progress::start(Work::States(args.states), false);
    let differences = compare(&robot, args.states, args.seed, |done| {
        progress.reach(done);
        ControlFlow::Continue(())
    });
    drop(progress);
    let name = robot.name();
    let agree = differences.iter().all(|difference| difference.agrees(args.tolerance));
    if json {
        let all: Value = differences.iter().map(as_json).collect();
        let report = json!({
            "robot": name, "states": args.states, "seed": args.seed, "tolerance": args.tolerance,
            "agree": agree, "differences": all,
        });
        writeln!(out, "{report:#}")?;
    } else {
        writeln!(out, "{name}: {} random states, seed {}\n", args.states, args.seed)?;
        write(&differences, out)?;
        let far =
            differences.iter().any(|difference| difference.worst.is_some_and(|(worst, _)| worst > args.tolerance));
        let verdict = match (agree, far) {
            (true, _) => "All methods agree",
            (false, true) => "The methods do not all agree",
            (false, false) => "Not all states have an answer; where methods answer they agree",
        };
        writeln!(out, "\n{verdict} within {:e}.", args.tolerance)?;
    }
    Ok(agree)
}

fn write(differences: &[Difference], out: &mut dyn Write) -> io::Result<()> {
    let mut listing = Listing::new(["question", "method", "against", ">difference", ">at state"]);
    for Difference { question, method, against, worst, failed } in differences {
        let (difference, at) = match (failed, *worst) {
            (Some((_, at)), _) => ("singular".into(), at.to_string()),
            (None, Some((difference, at))) => (scientific(difference), at.to_string()),
            (None, None) => (String::new(), String::new()),
        };
        listing.push([question.name().into(), (*method).into(), (*against).into(), difference, at]);
    }
    listing.write(out)?;
    if let Some((error, at)) = differences.iter().find_map(|difference| difference.failed.as_ref()) {
        writeln!(out, "\nAt state {at}: {error}.")?;
    }
    Ok(())
}

/// A difference to two digits.
fn scientific(difference: f64) -> String {
    if difference == 0.0 { "0".into() } else { format!("{difference:.1e}") }
}

fn as_json(difference: &Difference) -> Value {
    let singular = difference.failed.as_ref();
    json!({
        "question": difference.question.name(),
        "method": difference.method,
        "against": difference.against,
        "difference": difference.worst.map(|(difference, _)| difference),
        "state": difference.worst.map(|(_, at)| at),
        "singular": singular.map(|(error, at)| json!({ "state": at, "message": error.to_string() })),
    })
}

/// Reads a tolerance.
fn tolerance(text: &str) -> Result<f64, String> {
    number_that(text, |x| x >= 0.0, "expected zero or a positive number, such as 1e-10")
}
