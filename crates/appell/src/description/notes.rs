//! What a reader finds wrong with a text, each problem with its line.

use super::{Description, Finding, Problem, Problems, Severity};
use core::mem::discriminant;
use std::collections::{HashMap, HashSet};

/// Where the lines of a text begin, what stands where, and what was found wrong so far.
#[derive(Debug, Clone, Default)]
pub struct Notes {
    line_starts: Vec<usize>,
    lines: HashMap<String, usize>,
    origins: HashMap<String, String>,
    problems: Vec<Problem>,
}

impl Notes {
    /// Of a text in which nothing was found wrong yet.
    pub(crate) fn new(text: &str) -> Self {
        let line_starts = core::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Self { line_starts, ..Self::default() }
    }

    /// From now on the line of this place is known.
    pub(crate) fn mark(&mut self, place: String, byte: usize) {
        let line = self.line_at(byte);
        self.lines.insert(place, line);
    }

    /// From now on the line of this place is known, without a look at the text.
    pub(crate) fn locate(&mut self, place: &str, line: usize) {
        self.lines.insert(place.into(), line);
    }

    /// From now on what is found wrong at `place` is told about `origin`, the part of the text it was made from.
    pub(crate) fn derive(&mut self, place: String, origin: String) {
        self.origins.insert(place, origin);
    }

    /// The line of a byte, counted from 1.
    fn line_at(&self, byte: usize) -> usize {
        self.line_starts.partition_point(|&start| start <= byte)
    }

    /// Notes that the text breaks the grammar, at a byte if that is known.
    pub(crate) fn syntax_error(&mut self, byte: Option<usize>, finding: Finding) {
        let line = byte.map(|byte| self.line_at(byte));
        self.problems.push(Problem { place: "file".into(), line, severity: Severity::Error, finding });
    }

    /// Notes an error.
    pub fn error(&mut self, place: &str, finding: Finding) {
        self.error_at(place, place, finding);
    }

    /// Notes an error about a key that does not exist, at the line of another place that asks for it.
    pub(crate) fn error_at(&mut self, place: &str, asking: &str, finding: Finding) {
        let line = self.line(asking);
        self.problems.push(Problem { place: place.into(), line, severity: Severity::Error, finding });
    }

    /// What `find` makes of a text; an error where that is nothing.
    pub(crate) fn find<T>(
        &mut self,
        place: &str,
        text: &str,
        expected: &'static str,
        find: impl FnOnce(&str) -> Option<T>,
    ) -> Option<T> {
        let found = find(text);
        if found.is_none() {
            self.error(place, Finding::Unreadable { text: text.into(), expected });
        }
        found
    }

    /// A number, with an error if it is not finite.
    pub(crate) fn expect_finite(&mut self, place: &str, value: f64) -> f64 {
        if !value.is_finite() {
            self.error(place, Finding::NotFinite { value });
        }
        value
    }

    /// Notes a warning.
    pub(crate) fn warning(&mut self, place: &str, finding: Finding) {
        let line = self.line(place);
        self.problems.push(Problem { place: place.into(), line, severity: Severity::Warning, finding });
    }

    /// Notes problems that know their places but not their lines.
    pub fn add(&mut self, problems: Problems) {
        let lined = problems.into_iter().map(|problem| Problem { line: self.line(&problem.place), ..problem });
        let lined: Vec<Problem> = lined.collect();
        self.problems.extend(lined);
    }

    /// Whether something was noted about this very place.
    pub(crate) fn is_noted(&self, place: &str) -> bool {
        self.problems.iter().any(|problem| problem.place == place)
    }

    /// Whether an error was noted.
    pub fn has_errors(&self) -> bool {
        self.problems.iter().any(|problem| problem.severity == Severity::Error)
    }

    /// The line of a place, or of the nearest one around it.
    fn line(&self, place: &str) -> Option<usize> {
        self_and_ancestors(place).find_map(|place| self.lines.get(place)).copied()
    }

    /// Where a problem is reported, and its line.
    pub fn reported(&self, place: String) -> (String, Option<usize>) {
        let place = self.origin(&place).unwrap_or(place);
        let line = self.line(&place);
        (place, line)
    }

    /// All problems in the order of the file: those noted, and of those `checked` later the news, which is nothing
    /// about a place that could not be read.
    pub fn finish(mut self, checked: impl IntoIterator<Item = Problem>) -> Problems {
        let checked = self.told_at_origins(checked);
        let noted: HashSet<&str> = self.problems.iter().map(|problem| problem.place.as_str()).collect();
        let is_news = |problem: &Problem| !self_and_ancestors(&problem.place).any(|place| noted.contains(place));
        let news = checked.into_iter().filter(is_news).collect();
        self.add(news);
        self.problems.sort_by_key(|problem| problem.line);
        self.problems.into_iter().collect()
    }

    /// The problems with places of the text. What several places inherit from one is reported once.
    fn told_at_origins(&self, checked: impl IntoIterator<Item = Problem>) -> Vec<Problem> {
        let mut told = HashSet::new();
        let mut is_first = |problem: &Problem| {
            let Some(place) = self.origin(&problem.place) else { return Some(problem.place.clone()) };
            told.insert((place.clone(), discriminant(&problem.finding))).then_some(place)
        };
        checked.into_iter().filter_map(|problem| Some(Problem { place: is_first(&problem)?, ..problem })).collect()
    }

    /// The place that `place` was made from, if it is none of the text.
    fn origin(&self, place: &str) -> Option<String> {
        let (around, origin) = self_and_ancestors(place).find_map(|around| self.origins.get_key_value(around))?;
        Some(format!("{origin}{}", &place[around.len()..]))
    }

    /// What was read with the warnings about it, or all problems if any is an error. `inspect` looks at the whole; of
    /// what it finds, numbers that are not finite are no news, since the reader has looked at every one of them.
    pub(crate) fn judge(
        self,
        description: Description,
        inspect: fn(&Description) -> Problems,
    ) -> Result<(Description, Problems), Problems> {
        let checked = inspect(&description).into_iter();
        let problems = self.finish(checked.filter(|problem| !matches!(problem.finding, Finding::NotFinite { .. })));
        if problems.errors() > 0 { Err(problems) } else { Ok((description, problems)) }
    }
}

/// A path, then the paths around it: `body.elbow.com[1]`, `body.elbow.com`, `body.elbow`, `body`.
fn self_and_ancestors(place: &str) -> impl Iterator<Item = &str> {
    core::iter::successors(Some(place), |place| place.rfind(['.', '[']).map(|end| &place[..end]))
}
