//! Where identified parameters come from, as comments of a robot's file.

use super::Identified;
use crate::estimate::Fit;
use appell::description::{Problems, toml, urdf};
use core::fmt::Write;

/// A file of measurements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// Its name.
    pub name: String,
    /// What tells it from others, such as `sha256:…`; the caller's.
    pub hash: String,
}

/// Where identified parameters come from.
#[derive(Debug, Clone, PartialEq)]
pub struct Provenance {
    /// The data.
    pub sources: Vec<Source>,
    /// The estimator, in words.
    pub method: String,
    /// When, as the caller writes dates: the library has no clock.
    pub date: String,
    /// How well the equations hold.
    pub fit: Fit,
    /// The same on data that were not fitted.
    pub validation: Option<Fit>,
    /// The same without what a file cannot say, where there is something.
    pub of_file: Option<Fit>,
}

impl Provenance {
    /// Lines of text, without marks of a comment; what a file cannot say at the end.
    fn lines(&self, identified: &Identified) -> Vec<String> {
        let percent = |fit: &Fit| {
            let joints = fit.rows.iter().map(|row| format!("{} {:.2} %", row.name, 100.0 * row.relative));
            format!("{:.2} % ({})", 100.0 * fit.relative, joints.collect::<Vec<_>>().join(", "))
        };
        let mut lines = vec![format!("Identified on {} by {}.", self.date, self.method)];
        lines.extend(self.sources.iter().map(|source| format!("Data: {}, {}", source.name, source.hash)));
        lines.push(format!("Relative residual: {}", percent(&self.fit)));
        lines.extend(self.validation.as_ref().map(|fit| format!("On data that were not fitted: {}", percent(fit))));
        lines.extend(
            self.of_file.as_ref().map(|fit| format!("This file alone, without what is named below: {}", percent(fit))),
        );
        if !identified.left_out.is_empty() {
            let left_out = identified.left_out.iter().map(|(name, value)| format!("{name} = {value:.6}"));
            lines.push(format!("Not in this file: {}", left_out.collect::<Vec<_>>().join(", ")));
        }
        // A line is a line: names of files may be anything.
        lines.into_iter().map(|line| line.replace(char::is_control, " ")).collect()
    }
}

/// The robot's TOML file, headed by comments that say where its numbers come from.
#[must_use]
pub fn to_toml(identified: &Identified, provenance: &Provenance) -> String {
    let mut text = String::new();
    for line in provenance.lines(identified) {
        let _ = writeln!(text, "# {line}");
    }
    text + "\n" + &toml::write(&identified.description)
}

/// The robot's URDF, with a comment that says where its numbers come from; and what a URDF cannot say.
///
/// # Errors
/// If the robot has closed loops, or is not valid.
pub fn to_urdf(identified: &Identified, provenance: &Provenance) -> Result<(String, Problems), Problems> {
    let (text, dropped) = urdf::write(&identified.description)?;
    // XML has no two hyphens in a comment.
    let comment: String =
        provenance.lines(identified).iter().map(|line| format!("  {}\n", line.replace('-', "\u{2010}"))).collect();
    let start = text.find("<robot").unwrap_or(0);
    Ok((format!("{}<!--\n{comment}-->\n{}", &text[..start], &text[start..]), dropped))
}
