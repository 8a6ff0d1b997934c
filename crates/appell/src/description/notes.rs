//! Problems under collection while a file is read, each with its line.

use super::{Description, Finding, Problem, Problems, Severity};
use std::collections::{HashMap, HashSet};

/// What stands where in a file, and what was found wrong so far.
#[derive(Default)]
pub(super) struct Notes {
    lines: HashMap<String, usize>,
    problems: Vec<Problem>,
}

impl Notes {
    /// From now on the line of a place is known.
    pub(super) fn locate(&mut self, place: &str, line: usize) {
        self.lines.insert(place.into(), line);
    }

    /// Notes an error.
    pub(super) fn error(&mut self, place: &str, finding: Finding) {
        self.error_at(place, place, finding);
    }

    /// Notes an error about a key that does not exist, at the line of another place that asks for it.
    pub(super) fn error_at(&mut self, place: &str, asking: &str, finding: Finding) {
        let line = self.line(asking);
        self.problems.push(Problem { place: place.into(), line, severity: Severity::Error, finding });
    }

    /// The line of a place, or of the nearest one around it.
    fn line(&self, place: &str) -> Option<usize> {
        self_and_ancestors(place).find_map(|place| self.lines.get(place)).copied()
    }

    /// All problems in the order of the file: those noted and those `checked` later.
    ///
    /// Of the latter only news: nothing about a place that could not be read, nor about numbers that are not
    /// finite, since the readers have looked at every one of them.
    pub(super) fn finish(mut self, checked: Problems) -> Problems {
        let noted: HashSet<&str> = self.problems.iter().map(|problem| problem.place.as_str()).collect();
        let news = checked.into_iter().filter(|problem| {
            !matches!(problem.finding, Finding::NotFinite { .. })
                && !self_and_ancestors(&problem.place).any(|place| noted.contains(place))
        });
        let news: Vec<Problem> = news.map(|problem| Problem { line: self.line(&problem.place), ..problem }).collect();
        self.problems.extend(news);
        self.problems.sort_by_key(|problem| problem.line);
        let mut problems = Problems::default();
        problems.extend(self.problems);
        problems
    }

    /// What was read with the warnings about it, or all problems if any is an error. `inspect` looks at the whole.
    pub(super) fn judge(
        self,
        description: Description,
        inspect: fn(&Description) -> Problems,
    ) -> Result<(Description, Problems), Problems> {
        let problems = self.finish(inspect(&description));
        if problems.errors() > 0 { Err(problems) } else { Ok((description, problems)) }
    }
}

/// A path, then the paths around it: `body.elbow.com[1]`, `body.elbow.com`, `body.elbow`, `body`.
fn self_and_ancestors(place: &str) -> impl Iterator<Item = &str> {
    core::iter::successors(Some(place), |place| place.rfind(['.', '[']).map(|end| &place[..end]))
}
