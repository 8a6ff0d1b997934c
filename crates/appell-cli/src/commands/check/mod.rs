//! `appell check`: everything wrong or doubtful in a robot's file.

mod closed;

use crate::robot::{self, Source};
use appell::description::{Problem, Problems, Severity};
use appell::{Format, RobotFile};
use appell_drawing::listing::counted;
use serde_json::{Value, json};
use std::fmt;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Check a robot's file and list all its problems.
///
/// Each problem comes with its line, its place and a remedy. An error forbids to compute. A warning does not: it is
/// about numbers that no body can have, as published tables do, or that were probably right in another unit or with
/// another sign.
///
/// A robot with closed loops is also assembled. Errors are then a leg that does not reach,
/// loops that let nothing move, a motor that the loops lock, and a home at which the robot has degrees of freedom that
/// it has nowhere else. Warnings are constraints that repeat others, fewer drives than degrees of freedom, a home where
/// the drives cannot hold all degrees of freedom (a singularity of Type 2), and a home beyond the limits. Notes are not
/// problems.
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
    /// Let the root link of a URDF or SDF file move freely, by a free joint root_joint with a quaternion
    #[arg(long)]
    floating_base: bool,
}

/// What is said about a place of a file.
struct Remark {
    line: Option<usize>,
    place: String,
    weight: Weight,
    message: String,
}

/// How much a remark matters.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Weight {
    /// The robot cannot be computed.
    Error,
    /// It can; it deserves a look.
    Warning,
    /// It is worth knowing.
    Note,
}

impl Weight {
    const fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

impl From<&Problem> for Remark {
    fn from(problem: &Problem) -> Self {
        let weight = match problem.severity {
            Severity::Error => Weight::Error,
            Severity::Warning => Weight::Warning,
        };
        Self { line: problem.line, place: problem.place.clone(), weight, message: problem.finding.to_string() }
    }
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        write!(f, "{}: {}: {}", self.weight.name(), self.place, self.message)
    }
}

pub(crate) fn run(args: &Args, json: bool, out: &mut dyn Write) -> anyhow::Result<bool> {
    let source = robot::find(&args.file)?;
    source.expect_root(args.floating_base)?;
    let mut remarks = inspect(&args.file, &source, args.floating_base);
    let doubtful = remarks.iter_mut().filter(|remark| args.strict && remark.weight == Weight::Warning);
    doubtful.for_each(|remark| remark.weight = Weight::Error);
    let count = |weight: Weight| remarks.iter().filter(|remark| remark.weight == weight).count();
    let computable = count(Weight::Error) == 0;
    if json {
        writeln!(out, "{:#}", remarks.iter().map(remark_as_json).collect::<Value>())?;
    } else {
        for remark in &remarks {
            writeln!(out, "{}: {remark}", source.name)?;
        }
        let [errors, warnings] = [Weight::Error, Weight::Warning].map(|weight| counted(count(weight), weight.name()));
        let verdict = if computable { "can be computed" } else { "refused" };
        writeln!(out, "{}: {verdict}, {errors}, {warnings}", source.name)?;
    }
    Ok(computable)
}

/// What there is to say about a file: about its text, and, if that is right, about the loops it closes.
fn inspect(path: &Path, source: &Source, floating_base: bool) -> Vec<Remark> {
    let problems = source.format.inspect(&source.text, floating_base);
    let mut remarks: Vec<Remark> = problems.iter().map(Remark::from).collect();
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    if let Ok(RobotFile { description, .. }) = source.format.read(&source.text, &stem, floating_base)
        && problems.errors() == 0
        && description.is_closed()
    {
        // Only our own files say where a closing joint, a leg or a home stands.
        let text = if source.format == Format::Toml { &*source.text } else { "" };
        remarks.extend(closed::inspect(text, &description));
    }
    remarks
}

fn remark_as_json(Remark { line, place, weight, message }: &Remark) -> Value {
    json!({ "line": line, "place": place, "severity": weight.name(), "message": message })
}

/// The problems as an array of objects.
pub(super) fn as_json(problems: &Problems) -> Value {
    problems.iter().map(|problem| remark_as_json(&problem.into())).collect()
}
