//! `appell check`: everything wrong or doubtful in a robot's file.

use crate::listing::counted;
use crate::robot;
use appell::description::{Problems, Severity};
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;

/// Check a robot's file and list all its problems.
///
/// Each problem comes with its line, its place and a remedy. An error forbids to compute. A warning does not: it is
/// about numbers that no body can have, as published tables do, or that were probably right in another unit or with
/// another sign.
///
/// Exit codes: 0 the robot can be computed; 1 it cannot, or has warnings with --strict; 2 the file cannot be read.
#[derive(clap::Args)]
#[command(after_help = "Example: appell check my-robot.toml --strict")]
pub(crate) struct Args {
    /// Path of a robot's file, or a built-in robot's name
    file: PathBuf,
    /// Treat warnings as errors
    #[arg(long)]
    strict: bool,
}

pub(crate) fn run(args: &Args, json: bool, out: &mut dyn Write) -> anyhow::Result<bool> {
    let source = robot::find(&args.file)?;
    let problems = source.format.inspect(&source.text);
    let problems = if args.strict { problems.strict() } else { problems };
    let computable = problems.errors() == 0;
    if json {
        writeln!(out, "{:#}", as_json(&problems))?;
    } else {
        for problem in problems.iter() {
            writeln!(out, "{}: {problem}", source.name)?;
        }
        let (errors, warnings) = (counted(problems.errors(), "error"), counted(problems.warnings(), "warning"));
        let verdict = if computable { "can be computed" } else { "refused" };
        writeln!(out, "{}: {verdict}, {errors}, {warnings}", source.name)?;
    }
    Ok(computable)
}

/// The problems as an array of objects.
pub(super) fn as_json(problems: &Problems) -> Value {
    let one = |problem: &appell::description::Problem| {
        let severity = match problem.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let message = problem.finding.to_string();
        json!({ "line": problem.line, "place": problem.place, "severity": severity, "message": message })
    };
    problems.iter().map(one).collect()
}
