//! Where identified parameters come from, as comments of a robot's file.

use crate::estimate::Fit;
use appell::description::{Description, Problems, toml, urdf};
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
    /// What says what their columns are.
    pub layout: Option<Source>,
    /// The estimator, in words.
    pub method: String,
    /// What else was chosen, a line each: filters, effects, what was known.
    pub settings: Vec<String>,
    /// When, as the caller writes dates: the library has no clock.
    pub date: String,
    /// How well the equations hold with this robot.
    pub fit: Fit,
    /// The same on data that were not fitted.
    pub validation: Option<Fit>,
    /// What a file has no numbers for, where a larger model was fitted beside that of the file.
    pub beyond: Option<Beyond>,
}

/// What a larger model has beyond a robot's file.
#[derive(Debug, Clone, PartialEq)]
pub struct Beyond {
    /// Its parameters that a file has no numbers for, with their values.
    pub parameters: Vec<(String, f64)>,
    /// How well the equations hold with all of it.
    pub fit: Fit,
}

impl Provenance {
    /// Lines of text, without marks of a comment; what a file cannot say at the end.
    fn lines(&self) -> Vec<String> {
        let percent = |fit: &Fit| {
            let joints = fit.rows.iter().map(|row| format!("{} {:.2} %", row.name, 100.0 * row.relative));
            format!("{:.2} % ({})", 100.0 * fit.relative, joints.collect::<Vec<_>>().join(", "))
        };
        let mut lines = vec![format!("Identified on {} by {}.", self.date, self.method)];
        let told = |what: &'static str| move |source: &Source| format!("{what}: {}, {}", source.name, source.hash);
        lines.extend(self.sources.iter().map(told("Data")));
        lines.extend(self.layout.iter().map(told("Layout")));
        lines.extend(self.settings.iter().cloned());
        lines.push(format!("Relative residual: {}", percent(&self.fit)));
        lines.extend(self.validation.as_ref().map(|fit| format!("On data that were not fitted: {}", percent(fit))));
        if let Some(Beyond { parameters, fit }) = &self.beyond {
            let parameters = parameters.iter().map(|(name, value)| format!("{name} = {value:.6}"));
            lines.push(format!("Beyond this file: {}", parameters.collect::<Vec<_>>().join(", ")));
            lines.push(format!("With them, and other values for the rest: {}", percent(fit)));
        }
        // A line is a line: names of files may be anything.
        lines.into_iter().map(|line| line.replace(char::is_control, " ")).collect()
    }
}

/// The robot's TOML file, headed by comments that say where its numbers come from.
#[must_use]
pub fn to_toml(identified: &Description, provenance: &Provenance) -> String {
    let mut text = String::new();
    for line in provenance.lines() {
        let _ = writeln!(text, "# {line}");
    }
    text + "\n" + &toml::write(identified)
}

/// The robot's URDF, with a comment that says where its numbers come from; and what a URDF cannot say, a line per kind.
///
/// # Errors
/// If the robot has closed loops, or is not valid.
pub fn to_urdf(identified: &Description, provenance: &Provenance) -> Result<(String, Vec<String>), Problems> {
    let (text, dropped) = urdf::write(identified)?;
    // A reader of the file alone must know that gravity, or a spring, is gone.
    let gone = by_kind(&dropped);
    let lines = provenance.lines().into_iter().chain(gone.iter().cloned());
    let comment: String = lines.map(|line| format!("  {}\n", without_runs(&line))).collect();
    let start = text.find("<robot").unwrap_or(0);
    Ok((format!("{}<!--\n{comment}-->\n{}", &text[..start], &text[start..]), gone))
}

/// Problems a line per kind: `rotor of waist, elbow: …`.
fn by_kind(problems: &Problems) -> Vec<String> {
    let mut kinds: Vec<(&str, String, Vec<&str>)> = Vec::new();
    for problem in problems.iter() {
        let (joint, what) = match problem.place.strip_prefix("joints.").and_then(joint_and_key) {
            Some((joint, what)) => (Some(joint), what),
            None => (None, problem.place.as_str()),
        };
        let finding = problem.finding.to_string();
        match kinds.iter_mut().find(|(other, text, _)| *other == what && *text == finding) {
            Some((.., joints)) => joints.extend(joint),
            None => kinds.push((what, finding, joint.into_iter().collect())),
        }
    }
    let line = |(what, finding, joints): (&str, String, Vec<&str>)| match joints.as_slice() {
        [] => format!("{what}: {finding}"),
        joints => format!("{what} of {}: {finding}", joints.join(", ")),
    };
    kinds.into_iter().map(line).collect()
}

/// The joint's name and what follows it, of `elbow.friction.offset` or `"my elbow".rotor`.
fn joint_and_key(place: &str) -> Option<(&str, &str)> {
    match place.strip_prefix('"') {
        Some(quoted) => quoted.rsplit_once("\"."),
        None => place.split_once('.'),
    }
}

/// XML has no two hyphens in a comment: `--` becomes `- -`.
fn without_runs(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    for letter in line.chars() {
        if letter == '-' && text.ends_with('-') {
            text.push(' ');
        }
        text.push(letter);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::joint_and_key;

    #[test]
    fn names_of_joints_may_have_dots() {
        assert_eq!(joint_and_key("elbow.friction.offset"), Some(("elbow", "friction.offset")));
        assert_eq!(joint_and_key("\"my.elbow\".rotor"), Some(("my.elbow", "rotor")));
    }

    #[test]
    fn hyphens_stay_but_for_runs() {
        assert_eq!(super::without_runs("2026-11-16, a--b---c.csv"), "2026-11-16, a- -b- - -c.csv");
    }
}
