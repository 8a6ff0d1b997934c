//! A file under reading: typed access to its values, every problem with its line.
//!
//! A method that cannot read a value notes why and goes on, so that one reading finds all problems. Where a number
//! is needed to go on it is NaN then: [`Notes::finish`] knows that such a place has been reported.

use crate::description::name::key;
use crate::description::notes::Notes;
use crate::description::quantity::{self, Dimension, Quantity};
use crate::description::{BASE, Finding};
use crate::spatial::Vec3;
use ::toml::de::{DeTable, DeValue};

/// A file under reading and what was found wrong in it so far.
pub struct Reader {
    /// What was found wrong, with its line.
    pub notes: Notes,
}

/// A value of the file, its path and the byte where it begins.
pub struct Node<'a> {
    /// Its path, such as `body.waist.mass`.
    pub place: String,
    /// What stands there.
    pub value: &'a DeValue<'a>,
    byte: usize,
}

/// A table of the file and its path, which is empty for the file itself.
pub struct Table<'a> {
    place: String,
    table: &'a DeTable<'a>,
}

impl Reader {
    /// Begins to read a text.
    pub fn new(text: &str) -> Self {
        Self { notes: Notes::new(text) }
    }

    /// A value under its path; from now on the line of that path is known.
    fn node<'a>(&mut self, place: String, value: &'a DeValue<'a>, byte: usize) -> Node<'a> {
        self.notes.mark(place.clone(), byte);
        Node { place, value, byte }
    }

    /// The same value under another path.
    pub(crate) fn called<'a>(&mut self, node: &Node<'a>, place: String) -> Node<'a> {
        self.node(place, node.value, node.byte)
    }

    /// Notes an error of grammar; whether the rest of the text can be understood all the same, as after a key that
    /// stands twice.
    pub fn syntax_error(&mut self, text: &str, error: &::toml::de::Error) -> bool {
        let is_duplicate = error.message() == "duplicate key";
        let key = error.span().and_then(|span| text.get(span)).filter(|_| is_duplicate);
        let finding = match key {
            Some(key) => Finding::DuplicateKey { key: key.trim().into() },
            None => Finding::Syntax(error.message().into()),
        };
        self.notes.syntax_error(error.span().map(|span| span.start), finding);
        is_duplicate
    }

    /// Notes an error.
    pub fn error(&mut self, place: &str, finding: Finding) {
        self.notes.error(place, finding);
    }

    /// What was read, or a note why not.
    fn note<T>(&mut self, node: &Node, read: Result<T, Finding>) -> Option<T> {
        read.map_err(|finding| self.error(&node.place, finding)).ok()
    }

    /// Text.
    pub fn text<'a>(&mut self, node: &Node<'a>, expected: &'static str) -> Option<&'a str> {
        self.note(node, node.value.as_str().ok_or_else(|| node.wrong_type(expected)))
    }

    /// One of the words that `find` knows.
    pub(crate) fn word<T>(&mut self, node: &Node, expected: &'static str, find: fn(&str) -> Option<T>) -> Option<T> {
        let text = self.text(node, expected)?;
        self.notes.find(&node.place, text, expected, find)
    }

    /// The name of a parent; none is the base, or what cannot be read.
    pub(crate) fn parent(&mut self, node: &Node) -> Option<String> {
        self.text(node, "the name of a joint, or \"base\"").filter(|&name| name != BASE).map(Into::into)
    }

    /// True or false.
    pub fn truth(&mut self, node: &Node) -> Option<bool> {
        self.note(node, node.value.as_bool().ok_or_else(|| node.wrong_type("true or false")))
    }

    /// A plain number; NaN where there is none.
    pub fn number(&mut self, node: &Node) -> f64 {
        self.any_number(node).map_or(f64::NAN, |number| self.notes.expect_finite(&node.place, number))
    }

    /// The plain number of a key, or another where it is left out.
    pub(crate) fn number_or(&mut self, table: &Table, key: &str, left_out: f64) -> f64 {
        self.get(table, key).map_or(left_out, |node| self.number(&node))
    }

    /// The plain number of a key that must be there; NaN where there is none.
    pub(crate) fn require_number(&mut self, table: &Table, key: &str, expected: &'static str) -> f64 {
        self.require(table, key, expected).map_or(f64::NAN, |node| self.number(&node))
    }

    /// A plain number that may be infinite.
    pub(crate) fn any_number(&mut self, node: &Node) -> Option<f64> {
        self.note(node, node.number().ok_or_else(|| node.wrong_type("a number")))
    }

    /// A number, or text with a unit.
    pub(crate) fn quantity(&mut self, node: &Node, dimension: Dimension) -> Option<Quantity> {
        let quantity = self.any_quantity(node, dimension)?;
        self.notes.expect_finite(&node.place, quantity.constant);
        Some(quantity)
    }

    /// A number that may be infinite, or text with a unit.
    fn any_quantity(&mut self, node: &Node, dimension: Dimension) -> Option<Quantity> {
        let quantity = match node.value {
            DeValue::String(text) => quantity::read(text, dimension).ok_or_else(|| node.unreadable(dimension)),
            _ => match node.number() {
                Some(constant) => Ok(Quantity { constant, moves: false }),
                None => Err(node.wrong_type(dimension.expected())),
            },
        };
        self.note(node, quantity)
    }

    /// A quantity that no joint moves; NaN where there is none.
    pub fn constant(&mut self, node: &Node, dimension: Dimension) -> f64 {
        let quantity = self.quantity(node, dimension);
        self.unmoved(node, quantity, dimension)
    }

    /// The unmoved quantity of a key, or zero where it is left out.
    pub(crate) fn constant_or_zero(&mut self, table: &Table, key: &str, dimension: Dimension) -> f64 {
        self.get(table, key).map_or(0.0, |node| self.constant(&node, dimension))
    }

    /// A limit of a position, which may be infinite; NaN where there is none.
    pub(crate) fn limit(&mut self, node: &Node, dimension: Dimension) -> f64 {
        let quantity = self.any_quantity(node, dimension);
        self.unmoved(node, quantity, dimension)
    }

    fn unmoved(&mut self, node: &Node, quantity: Option<Quantity>, dimension: Dimension) -> f64 {
        let Some(Quantity { constant, moves }) = quantity else { return f64::NAN };
        if moves {
            self.error(&node.place, node.unreadable(dimension));
        }
        constant
    }

    /// Three numbers, each read by `read`; NaN where there are none.
    pub fn vector(&mut self, node: &Node, columns: &'static str, read: impl Fn(&mut Self, &Node) -> f64) -> Vec3<f64> {
        let Some(items) = self.items(node, "an array of three numbers") else { return Vec3::from([f64::NAN; 3]) };
        let numbers: Vec<f64> = items.iter().map(|item| read(self, item)).collect();
        let [x, y, z] = numbers[..] else {
            self.error(&node.place, Finding::WrongLength { found: numbers.len(), expected: 3, columns });
            return Vec3::from([f64::NAN; 3]);
        };
        Vec3::new(x, y, z)
    }

    /// The items of an array, at places counted from 1: `joints[1]`.
    pub fn items<'a>(&mut self, node: &Node<'a>, expected: &'static str) -> Option<Vec<Node<'a>>> {
        let array = self.note(node, node.value.as_array().ok_or_else(|| node.wrong_type(expected)))?;
        let items = array
            .iter()
            .zip(1..)
            .map(|(item, number)| self.node(format!("{}[{number}]", node.place), item.get_ref(), item.span().start));
        Some(items.collect())
    }

    /// A table whose keys are known; others are noted.
    pub fn table<'a>(&mut self, node: &Node<'a>, known: &'static [&'static str]) -> Option<Table<'a>> {
        let table = self.any_table(node)?;
        self.expect_known(&table, known);
        Some(table)
    }

    /// A table of any keys, which are to be looked at first.
    pub fn any_table<'a>(&mut self, node: &Node<'a>) -> Option<Table<'a>> {
        let table = self.note(node, node.value.as_table().ok_or_else(|| node.wrong_type("a table")))?;
        Some(Table { place: node.place.clone(), table })
    }

    /// The file itself, as a table whose keys are known.
    pub fn file<'a>(&mut self, table: &'a DeTable<'a>, known: &'static [&'static str]) -> Table<'a> {
        let table = Table { place: String::new(), table };
        self.expect_known(&table, known);
        table
    }

    /// The value of a key, if it is there.
    pub fn get<'a>(&mut self, table: &Table<'a>, key: &str) -> Option<Node<'a>> {
        let (spanned, value) = table.table.get_key_value(key)?;
        Some(self.node(table.place_of(key), value.get_ref(), spanned.span().start))
    }

    /// The value of a key that must be there.
    pub fn require<'a>(&mut self, table: &Table<'a>, key: &str, expected: &'static str) -> Option<Node<'a>> {
        let node = self.get(table, key);
        if node.is_none() {
            self.error(&table.place_of(key), Finding::Missing { expected });
        }
        node
    }

    /// The named sections of a kind, `[kind.NAME]`, in the order of the file.
    pub fn sections<'a>(&mut self, around: &Table<'a>, kind: &str) -> Vec<(&'a str, Node<'a>)> {
        let Some(node) = self.get(around, kind) else { return Vec::new() };
        let table = self.note(&node, node.value.as_table().ok_or_else(|| node.wrong_type("named sections")));
        let mut sections: Vec<_> = table.into_iter().flatten().collect();
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
}

impl Node<'_> {
    /// The text it holds; empty where it is none.
    pub fn text(&self) -> String {
        self.value.as_str().unwrap_or_default().into()
    }

    fn number(&self) -> Option<f64> {
        match self.value {
            DeValue::Integer(integer) => {
                i128::from_str_radix(integer.as_str(), integer.radix()).ok().map(|integer| integer as f64)
            }
            DeValue::Float(float) => float.as_str().parse().ok(),
            _ => None,
        }
    }

    fn unreadable(&self, dimension: Dimension) -> Finding {
        Finding::Unreadable { text: self.text(), expected: dimension.expected() }
    }

    fn wrong_type(&self, expected: &'static str) -> Finding {
        Finding::WrongType { found: self.shown(), expected }
    }

    /// The value in a message: small ones as written, others by their kind.
    pub fn shown(&self) -> String {
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

impl Table<'_> {
    /// The path of a key.
    pub fn place_of(&self, name: &str) -> String {
        if self.place.is_empty() { key(name).into_owned() } else { format!("{}.{}", self.place, key(name)) }
    }
}
