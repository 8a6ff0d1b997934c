//! Robots from texts, and what readers remark about them.

use appell::description::{Problems, Severity};
use appell::{Format, Robot, RobotError, RobotFile, robots};
use serde::Serialize;
use std::path::Path;

/// Files larger than this are not read: a page would stand still.
const LARGEST_FILE: usize = 32 << 20;

/// One remark of a reader.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Remark {
    /// The line of the file, counted from 1.
    pub line: Option<usize>,
    /// `error` or `warning`.
    pub severity: &'static str,
    /// What is wrong, where, and the remedy.
    pub message: String,
}

/// A built-in robot.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct BuiltIn {
    name: &'static str,
    summary: &'static str,
    kind: &'static str,
}

impl Remark {
    fn error(message: impl Into<String>) -> Self {
        Self { line: None, severity: "error", message: message.into() }
    }

    /// All problems of a reader.
    #[must_use]
    pub fn all(problems: &Problems) -> Vec<Self> {
        let remark = |problem: &appell::description::Problem| Self {
            line: problem.line,
            severity: if problem.severity == Severity::Error { "error" } else { "warning" },
            message: format!("{}: {}", problem.place, problem.finding),
        };
        problems.iter().map(remark).collect()
    }
}

/// What a robot of a file is called that does not say it.
fn name_of(file: &str) -> &str {
    Path::new(file).file_stem().and_then(|stem| stem.to_str()).unwrap_or("robot")
}

fn format_of(text: &str, file: &str) -> Result<Format, Vec<Remark>> {
    if text.len() > LARGEST_FILE {
        return Err(vec![Remark::error(format!("the file has {} MB; 32 are read", text.len() >> 20))]);
    }
    let format = Format::of_robot(Path::new(file), text);
    format.map_err(|error| vec![Remark::error(format!("{} {error}", if file.is_empty() { "the file" } else { file }))])
}

/// Reads a robot; the file's name tells its format, or its text where that says nothing.
///
/// # Errors
/// All remarks about it.
pub fn read(text: &str, file: &str) -> Result<Robot, Vec<Remark>> {
    let format = format_of(text, file)?;
    let read: RobotFile = format.read(text, name_of(file), false).map_err(|problems| Remark::all(&problems))?;
    Robot::try_from(read).map_err(|error| match error {
        RobotError::Description(problems) => Remark::all(&problems),
        other => vec![Remark::error(other.to_string())],
    })
}

/// Everything wrong or doubtful in a text.
#[must_use]
pub fn check(text: &str, file: &str) -> Vec<Remark> {
    let format = match format_of(text, file) {
        Ok(format) => format,
        Err(remarks) => return remarks,
    };
    let mut remarks = Remark::all(&format.inspect(text, false));
    // Loops are closed when a robot is made.
    if remarks.iter().all(|remark| remark.severity != "error")
        && let Err(more) = read(text, file)
    {
        let is_new = |remark: &Remark| !remarks.contains(remark);
        let more: Vec<Remark> = more.into_iter().filter(is_new).collect();
        remarks.extend(more);
    }
    remarks
}

/// The robots that come with the library.
#[must_use]
pub fn builtins() -> Vec<BuiltIn> {
    let of = |kind| move |robot: &robots::Builtin| BuiltIn { name: robot.name, summary: robot.summary, kind };
    robots::TREES.iter().map(of("tree")).chain(robots::CLOSED.iter().map(of("closed"))).collect()
}
