//! A file under reading: typed access to its values, every problem with its line.
//!
//! A method that cannot read a value notes why and goes on, so that one reading finds all problems. Where a number
//! is needed to go on it is NaN then: [`Reader::finish`] knows that such a place has been reported.

use crate::description::check::key;
use crate::description::quantity::{self, Dimension, Quantity};
use crate::description::{BASE, Finding, Problem, Problems, Severity};
use crate::spatial::Vec3;
use ::toml::de::{DeTable, DeValue};
use std::collections::{HashMap, HashSet};

/// Where the lines of a text begin, what stands where, and what was found wrong so far.
pub(super) struct Reader {
    line_starts: Vec<usize>,
    lines: HashMap<String, usize>,
    problems: Vec<Problem>,
}

/// A value of the file, its path and the byte where it begins.
pub(super) struct Node<'a> {
    pub(super) place: String,
    pub(super) value: &'a DeValue<'a>,
    byte: usize,
}

/// A table of the file and its path, which is empty for the file itself.
pub(super) struct Table<'a> {
    place: String,
    table: &'a DeTable<'a>,
}

impl Reader {
    pub(super) fn new(text: &str) -> Self {
        let line_starts = core::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Self { line_starts, lines: HashMap::new(), problems: Vec::new() }
    }

    /// A value under its path; from now on the line of that path is known.
    fn node<'a>(&mut self, place: String, value: &'a DeValue<'a>, byte: usize) -> Node<'a> {
        self.lines.insert(place.clone(), self.line_at(byte));
        Node { place, value, byte }
    }

    /// The same value under another path.
    pub(super) fn called<'a>(&mut self, node: &Node<'a>, place: String) -> Node<'a> {
        self.node(place, node.value, node.byte)
    }

    /// The line of a byte, counted from 1.
    fn line_at(&self, byte: usize) -> usize {
        self.line_starts.partition_point(|&start| start <= byte)
    }

    /// Notes that the text is no TOML.
    pub(super) fn syntax_error(&mut self, error: &::toml::de::Error) {
        self.problems.push(Problem {
            place: "file".into(),
            line: error.span().map(|span| self.line_at(span.start)),
            severity: Severity::Error,
            finding: Finding::Syntax(error.message().into()),
        });
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
    /// finite, since the reader has looked at every one of them.
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

    /// Text.
    pub(super) fn text<'a>(&mut self, node: &Node<'a>, expected: &'static str) -> Option<&'a str> {
        let text = node.value.as_str();
        if text.is_none() {
            self.wrong_type(node, expected);
        }
        text
    }

    /// The name of a parent; none is the base, or what cannot be read.
    pub(super) fn parent(&mut self, node: &Node) -> Option<String> {
        self.text(node, "the name of a joint, or \"base\"").filter(|&name| name != BASE).map(Into::into)
    }

    /// True or false.
    pub(super) fn truth(&mut self, node: &Node) -> Option<bool> {
        let truth = node.value.as_bool();
        if truth.is_none() {
            self.wrong_type(node, "true or false");
        }
        truth
    }

    /// A plain number; NaN where there is none.
    pub(super) fn number(&mut self, node: &Node) -> f64 {
        let Some(value) = plain_number(node.value) else {
            self.wrong_type(node, "a number");
            return f64::NAN;
        };
        self.expect_finite(node, value);
        value
    }

    /// A number, or text with a unit.
    pub(super) fn quantity(&mut self, node: &Node, dimension: Dimension) -> Option<Quantity> {
        let quantity = match node.value {
            DeValue::String(text) => {
                let quantity = quantity::read(text, dimension);
                if quantity.is_none() {
                    let finding = Finding::Unreadable { text: text.to_string(), expected: dimension.expected() };
                    self.error(&node.place, finding);
                }
                quantity
            }
            value => {
                let constant = plain_number(value);
                if constant.is_none() {
                    self.wrong_type(node, dimension.expected());
                }
                constant.map(|constant| Quantity { constant, moves: false })
            }
        };
        if let Some(Quantity { constant, .. }) = quantity {
            self.expect_finite(node, constant);
        }
        quantity
    }

    /// A quantity that no joint moves; NaN where there is none.
    pub(super) fn constant(&mut self, node: &Node, dimension: Dimension) -> f64 {
        match self.quantity(node, dimension) {
            Some(Quantity { constant, moves: false }) => constant,
            Some(Quantity { moves: true, .. }) => {
                let text = node.value.as_str().unwrap_or_default().into();
                self.error(&node.place, Finding::Unreadable { text, expected: dimension.expected() });
                f64::NAN
            }
            None => f64::NAN,
        }
    }

    /// Three numbers, each read by `read`; NaN where there are none.
    pub(super) fn vector(
        &mut self,
        node: &Node,
        columns: &'static str,
        read: impl Fn(&mut Self, &Node) -> f64,
    ) -> Vec3<f64> {
        let Some(items) = self.items(node, "an array of three numbers") else { return Vec3::from([f64::NAN; 3]) };
        let numbers: Vec<f64> = items.iter().map(|item| read(self, item)).collect();
        <[f64; 3]>::try_from(numbers).map_or_else(
            |numbers| {
                self.error(&node.place, Finding::WrongLength { found: numbers.len(), expected: 3, columns });
                Vec3::from([f64::NAN; 3])
            },
            Vec3::from,
        )
    }

    /// The items of an array, at places counted from 1: `joints[1]`.
    pub(super) fn items<'a>(&mut self, node: &Node<'a>, expected: &'static str) -> Option<Vec<Node<'a>>> {
        let Some(array) = node.value.as_array() else {
            self.wrong_type(node, expected);
            return None;
        };
        let items = array
            .iter()
            .zip(1..)
            .map(|(item, number)| self.node(format!("{}[{number}]", node.place), item.get_ref(), item.span().start));
        Some(items.collect())
    }

    /// A table whose keys are known; others are noted.
    pub(super) fn table<'a>(&mut self, node: &Node<'a>, known: &'static [&'static str]) -> Option<Table<'a>> {
        let Some(table) = node.value.as_table() else {
            self.wrong_type(node, "a table");
            return None;
        };
        let table = Table { place: node.place.clone(), table };
        self.expect_known(&table, known);
        Some(table)
    }

    /// The file itself, as a table whose keys are known.
    pub(super) fn file<'a>(&mut self, table: &'a DeTable<'a>, known: &'static [&'static str]) -> Table<'a> {
        let table = Table { place: String::new(), table };
        self.expect_known(&table, known);
        table
    }

    /// The value of a key, if it is there.
    pub(super) fn get<'a>(&mut self, table: &Table<'a>, key: &str) -> Option<Node<'a>> {
        let (spanned, value) = table.table.get_key_value(key)?;
        Some(self.node(table.place_of(key), value.get_ref(), spanned.span().start))
    }

    /// The value of a key that must be there.
    pub(super) fn require<'a>(&mut self, table: &Table<'a>, key: &str, expected: &'static str) -> Option<Node<'a>> {
        let node = self.get(table, key);
        if node.is_none() {
            self.error(&table.place_of(key), Finding::Missing { expected });
        }
        node
    }

    /// The named sections of a kind, `[kind.NAME]`, in the order of the file.
    pub(super) fn sections<'a>(&mut self, file: &Table<'a>, kind: &str) -> Vec<(&'a str, Node<'a>)> {
        let Some(node) = self.get(file, kind) else { return Vec::new() };
        let Some(table) = node.value.as_table() else {
            self.wrong_type(&node, "a table of named sections");
            return Vec::new();
        };
        let mut sections: Vec<_> = table.iter().collect();
        sections.sort_by_key(|(name, _)| name.span().start);
        let sections = sections.into_iter().map(|(name, value)| {
            let place = format!("{}.{}", node.place, key(name.get_ref()));
            (name.get_ref().as_ref(), self.node(place, value.get_ref(), name.span().start))
        });
        sections.collect()
    }

    fn expect_known(&mut self, table: &Table, known: &'static [&'static str]) {
        for key in table.table.keys().filter(|key| !known.contains(&key.get_ref().as_ref())) {
            if let Some(node) = self.get(table, key.get_ref()) {
                self.error(&node.place, Finding::UnknownKey { known });
            }
        }
    }

    fn expect_finite(&mut self, node: &Node, value: f64) {
        if !value.is_finite() {
            self.error(&node.place, Finding::NotFinite { value });
        }
    }

    fn wrong_type(&mut self, node: &Node, expected: &'static str) {
        self.error(&node.place, Finding::WrongType { found: shown(node.value), expected });
    }
}

impl Table<'_> {
    fn place_of(&self, name: &str) -> String {
        if self.place.is_empty() { key(name).into_owned() } else { format!("{}.{}", self.place, key(name)) }
    }
}

/// A path, then the paths around it: `body.elbow.com[1]`, `body.elbow.com`, `body.elbow`, `body`.
fn self_and_ancestors(place: &str) -> impl Iterator<Item = &str> {
    core::iter::successors(Some(place), |place| place.rfind(['.', '[']).map(|end| &place[..end]))
}

fn plain_number(value: &DeValue) -> Option<f64> {
    match value {
        DeValue::Integer(integer) => {
            i128::from_str_radix(integer.as_str(), integer.radix()).ok().map(|integer| integer as f64)
        }
        DeValue::Float(float) => float.as_str().parse().ok(),
        _ => None,
    }
}

/// A value in a message: small ones as written, others by their kind.
pub(super) fn shown(value: &DeValue) -> String {
    match value {
        DeValue::String(text) => format!("{text:?}"),
        DeValue::Integer(integer) => integer.to_string(),
        DeValue::Float(float) => float.to_string(),
        DeValue::Boolean(truth) => truth.to_string(),
        DeValue::Datetime(_) => "a date".into(),
        DeValue::Array(_) => "an array".into(),
        DeValue::Table(_) => "a table".into(),
    }
}
