//! A layout's file under reading: typed access to its values, every problem with its key and line.
//!
//! What cannot be read is noted, and reading goes on, so that one reading finds all problems.

use super::unit::Unit;
use appell::description::{Finding, Problem, Severity};
use toml::de::{DeTable, DeValue};

pub(super) const NAMES: &str = "names of columns, such as [\"q1\", \"q2\"]";
pub(super) const NUMBERS: &str = "a number, or an array of numbers";

/// A file under reading, and what was found wrong in it so far.
pub(super) struct Reader {
    line_starts: Vec<usize>,
    pub(super) problems: Vec<Problem>,
}

/// A table of the file and its path.
pub(super) struct Section<'a> {
    pub(super) place: &'a str,
    pub(super) table: &'a DeTable<'a>,
}

/// A value, its path and the byte where its key begins.
pub(super) struct Node<'a> {
    place: String,
    pub(super) value: &'a DeValue<'a>,
    byte: usize,
}

impl Reader {
    pub(super) fn new(text: &str) -> Self {
        let line_starts = core::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Self { line_starts, problems: Vec::new() }
    }

    pub(super) fn syntax(&mut self, error: &toml::de::Error) {
        let line = error.span().map(|span| self.line(span.start));
        let finding = Finding::Syntax(error.message().into());
        self.problems.push(Problem { place: "file".into(), line, severity: Severity::Error, finding });
    }

    fn line(&self, byte: usize) -> usize {
        self.line_starts.partition_point(|&start| start <= byte)
    }

    pub(super) fn error(&mut self, node: &Node<'_>, finding: Finding) {
        let line = Some(self.line(node.byte));
        self.problems.push(Problem { place: node.place.clone(), line, severity: Severity::Error, finding });
    }

    pub(super) fn missing(&mut self, place: String, expected: &'static str) {
        let finding = Finding::Missing { expected };
        self.problems.push(Problem { place, line: None, severity: Severity::Error, finding });
    }

    pub(super) fn require<'a>(
        &mut self,
        file: &'a DeTable<'a>,
        key: &'static str,
        expected: &'static str,
        known: &'static [&'static str],
    ) -> Option<Section<'a>> {
        if file.get(key).is_none() {
            self.missing(key.into(), expected);
        }
        self.section(file, key, known)
    }

    pub(super) fn section<'a>(
        &mut self,
        file: &'a DeTable<'a>,
        key: &'static str,
        known: &'static [&'static str],
    ) -> Option<Section<'a>> {
        let node = self.get(&Section { place: "", table: file }, key)?;
        let DeValue::Table(table) = node.value else {
            self.error(&node, Finding::WrongType { found: node.shown(), expected: "a section" });
            return None;
        };
        let section = Section { place: key, table };
        self.expect_known(&section, known);
        Some(section)
    }

    pub(super) fn expect_known(&mut self, section: &Section<'_>, known: &'static [&'static str]) {
        for key in section.table.keys().filter(|key| !known.contains(&key.get_ref().as_ref())) {
            if let Some(node) = self.get(section, key.get_ref()) {
                self.error(&node, Finding::UnknownKey { known });
            }
        }
    }

    #[expect(clippy::unused_self, reason = "all access goes through the reader")]
    pub(super) fn get<'a>(&self, section: &Section<'a>, key: &str) -> Option<Node<'a>> {
        let (spanned, value) = section.table.get_key_value(key)?;
        let place = if section.place.is_empty() { key.to_owned() } else { format!("{}.{key}", section.place) };
        Some(Node { place, value: value.get_ref(), byte: spanned.span().start })
    }

    pub(super) fn unit<U: Unit>(&mut self, section: &Section<'_>) -> Option<U> {
        let node = self.get(section, "unit")?;
        self.word(&node, U::WORDS)
    }

    /// One unit for all columns, or one each.
    pub(super) fn units<U: Unit + Default>(&mut self, section: &Section<'_>, count: usize) -> Vec<U> {
        let Some(node) = self.get(section, "unit") else { return vec![U::default(); count] };
        if !matches!(node.value, DeValue::Array(_)) {
            return vec![self.word(&node, U::WORDS).unwrap_or_default(); count];
        }
        let units = self.items(&node, "a unit, or an array of units", |reader, item| {
            reader.word(item, U::WORDS).unwrap_or_default()
        });
        self.expect_one_a_column(&node, units.len(), count);
        units
    }

    fn expect_one_a_column(&mut self, node: &Node<'_>, found: usize, expected: usize) {
        if found != expected {
            self.error(node, Finding::WrongLength { found, expected, columns: "one a column" });
        }
    }

    pub(super) fn word<T: Copy>(&mut self, node: &Node<'_>, words: &[(&str, T)]) -> Option<T> {
        let text = self.text(node, "text")?;
        let found = words.iter().find(|(word, _)| *word == text).map(|(_, value)| *value);
        if found.is_none() {
            let known = words.iter().map(|(word, _)| (*word).to_owned()).collect();
            self.error(node, Finding::UnknownWord { word: text, known });
        }
        found
    }

    pub(super) fn text(&mut self, node: &Node<'_>, expected: &'static str) -> Option<String> {
        let text = node.value.as_str().map(ToOwned::to_owned);
        if text.is_none() {
            self.error(node, Finding::WrongType { found: node.shown(), expected });
        }
        text
    }

    pub(super) fn names(&mut self, node: &Node<'_>) -> Vec<String> {
        self.items(node, NAMES, |reader, item| reader.text(item, "the name of a column").unwrap_or_default())
    }

    /// One number for all, or one each.
    pub(super) fn each(&mut self, node: &Node<'_>, count: usize, read: fn(&mut Self, &Node<'_>) -> f64) -> Vec<f64> {
        if !matches!(node.value, DeValue::Array(_)) {
            return vec![read(self, node); count];
        }
        let numbers = self.items(node, NUMBERS, read);
        self.expect_one_a_column(node, numbers.len(), count);
        numbers
    }

    pub(super) fn items<T>(
        &mut self,
        node: &Node<'_>,
        expected: &'static str,
        read: impl Fn(&mut Self, &Node<'_>) -> T,
    ) -> Vec<T> {
        let DeValue::Array(items) = node.value else {
            self.error(node, Finding::WrongType { found: node.shown(), expected });
            return Vec::new();
        };
        let item = |(k, item): (usize, &toml::Spanned<DeValue<'_>>)| {
            let place = format!("{}[{}]", node.place, k + 1);
            read(self, &Node { place, value: item.get_ref(), byte: item.span().start })
        };
        items.iter().enumerate().map(item).collect()
    }

    /// A finite number; NaN, and noted, where there is none.
    pub(super) fn number(&mut self, node: &Node<'_>) -> f64 {
        let number = match node.value {
            DeValue::Integer(integer) => i64::from_str_radix(integer.as_str(), integer.radix()).ok().map(|x| x as f64),
            DeValue::Float(float) => float.as_str().parse().ok(),
            _ => None,
        };
        match number {
            Some(value) if f64::is_finite(value) => value,
            Some(value) => {
                self.error(node, Finding::NotFinite { value });
                f64::NAN
            }
            None => {
                self.error(node, Finding::WrongType { found: node.shown(), expected: "a number" });
                f64::NAN
            }
        }
    }

    pub(super) fn not_zero(&mut self, node: &Node<'_>) -> f64 {
        let value = self.number(node);
        if value == 0.0 {
            self.error(node, Finding::WrongType { found: "0".into(), expected: "a number other than 0" });
        }
        value
    }

    pub(super) fn positive(&mut self, node: &Node<'_>) -> f64 {
        let value = self.number(node);
        if value <= 0.0 {
            self.error(node, Finding::NotPositive { value });
        }
        value
    }
}

impl Node<'_> {
    /// The value in a message: small ones as written, others by their kind.
    pub(super) fn shown(&self) -> String {
        match self.value {
            DeValue::String(text) => format!("{text:?}"),
            DeValue::Integer(integer) => integer.to_string(),
            DeValue::Float(float) => float.to_string(),
            DeValue::Boolean(truth) => truth.to_string(),
            DeValue::Datetime(_) => "a date".into(),
            DeValue::Array(_) => "an array".into(),
            DeValue::Table(_) => "a table".into(),
        }
    }
}
