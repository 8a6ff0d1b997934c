//! A layout from its text, or everything that is wrong with it, each with its key and line.

use super::layout::{Accepted, Channels, Filter, Layout, Side, Time};
use super::unit::{EffortUnit, PositionUnit, Unit, VelocityUnit};
use appell::description::{Finding, Problem, Problems, Quantity, Severity};
use nalgebra::DMatrix;
use toml::de::{DeTable, DeValue};

const SIDES: &[(&str, Side)] = &[("joint", Side::Joint), ("motor", Side::Motor)];
const NAMES: &str = "names of columns, such as [\"q1\", \"q2\"]";
const NUMBERS: &str = "a number, or an array of numbers";

impl Layout {
    /// Reads a layout.
    ///
    /// ```
    /// use appell_identification::data::Layout;
    ///
    /// let layout = Layout::read("
    ///     time.rate = 1000
    ///     position = { columns = ['q1', 'q2'], unit = 'deg' }
    ///     effort = { columns = ['i1', 'i2'], unit = 'A', constant = [0.2, 0.1] }
    /// ")?;
    /// assert_eq!(layout.effort.factor, [0.2, 0.1]);
    /// let problems = Layout::read("time.rate = 1000\neffort = { columns = ['i1'], unit = 'Nm' }").unwrap_err();
    /// assert_eq!(problems.to_string(), "error: position: is missing; expected a section [position]\n\
    ///     line 2: error: effort.unit: `Nm` is not known here; words are N m, mN m, N, A");
    /// # Ok::<(), appell::description::Problems>(())
    /// ```
    ///
    /// # Errors
    /// Everything that is wrong, with its line.
    pub fn read(text: &str) -> Result<Self, Problems> {
        let mut reader = Reader::new(text);
        let (file, errors) = DeTable::parse_recoverable(text);
        for error in errors {
            reader.syntax(&error);
        }
        let layout = reader.layout(file.get_ref());
        reader.problems.sort_by_key(|problem| problem.line);
        match layout {
            Some(layout) if reader.problems.is_empty() => Ok(layout),
            _ => Err(reader.problems.into_iter().collect()),
        }
    }
}

struct Reader {
    line_starts: Vec<usize>,
    problems: Vec<Problem>,
}

/// A table of the file and its path.
struct Section<'a> {
    place: &'a str,
    table: &'a DeTable<'a>,
}

/// A value, its path and the byte where its key begins.
struct Node<'a> {
    place: String,
    value: &'a DeValue<'a>,
    byte: usize,
}

impl Reader {
    fn new(text: &str) -> Self {
        let line_starts = core::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Self { line_starts, problems: Vec::new() }
    }

    fn syntax(&mut self, error: &toml::de::Error) {
        let line = error.span().map(|span| self.line(span.start));
        let finding = Finding::Syntax(error.message().into());
        self.problems.push(Problem { place: "file".into(), line, severity: Severity::Error, finding });
    }

    fn line(&self, byte: usize) -> usize {
        self.line_starts.partition_point(|&start| start <= byte)
    }

    fn error(&mut self, node: &Node<'_>, finding: Finding) {
        let line = Some(self.line(node.byte));
        self.problems.push(Problem { place: node.place.clone(), line, severity: Severity::Error, finding });
    }

    fn missing(&mut self, place: String, expected: &'static str) {
        let finding = Finding::Missing { expected };
        self.problems.push(Problem { place, line: None, severity: Severity::Error, finding });
    }

    fn layout(&mut self, file: &DeTable<'_>) -> Option<Layout> {
        const SECTIONS: &[&str] = &["time", "position", "velocity", "effort", "gear", "joint", "filter", "accept"];
        self.expect_known(&Section { place: "", table: file }, SECTIONS);
        let time = self.require(file, "time", "a section [time]", &["column", "unit", "rate"]);
        let time = time.and_then(|section| self.time(&section));
        let position = self.require(file, "position", "a section [position]", &["columns", "unit", "counts", "side"]);
        let position = position.and_then(|section| self.positions(&section));
        let velocity = self.section(file, "velocity", &["columns", "unit", "side"]);
        let velocity = velocity.map(|section| self.channels::<VelocityUnit>(&section));
        let effort =
            self.require(file, "effort", "a section [effort]", &["columns", "unit", "constant", "side", "limit"]);
        let effort = effort.and_then(|section| self.efforts(&section));
        let gear = self.section(file, "gear", &["ratio", "matrix"]).and_then(|section| self.gear(&section));
        let joint = self.section(file, "joint", &["sign", "offset"]);
        let sign = joint.as_ref().and_then(|section| self.get(section, "sign")).map(|node| self.signs(&node));
        let offset = joint.as_ref().and_then(|section| self.get(section, "offset")).map(|node| self.offsets(&node));
        let filter = self.section(file, "filter", &["order", "cut_off", "decimation", "border"]);
        let filter = filter.map(|section| self.filter(&section)).unwrap_or_default();
        let accept = self.section(file, "accept", &["constant", "unit"]);
        let accepted = accept.map(|section| Accepted {
            constant: self.get(&section, "constant").map(|node| self.names(&node)).unwrap_or_default(),
            unit: self.get(&section, "unit").map(|node| self.names(&node)).unwrap_or_default(),
        });
        let (effort, effort_limit) = effort?;
        Some(Layout {
            time: time?,
            position: position?,
            velocity: velocity.flatten(),
            effort,
            effort_limit,
            gear,
            sign: sign.unwrap_or_default(),
            offset: offset.unwrap_or_default(),
            filter,
            accepted: accepted.unwrap_or_default(),
        })
    }

    fn time(&mut self, section: &Section<'_>) -> Option<Time> {
        match (self.get(section, "column"), self.get(section, "rate")) {
            (Some(_), Some(rate)) => {
                self.error(&rate, Finding::Excluded { by: "column" });
                None
            }
            (Some(column), None) => {
                let name = self.text(&column, "the name of a column")?;
                Some(Time::Column { name, unit: self.unit(section).unwrap_or_default() })
            }
            (None, Some(rate)) => Some(Time::Rate(self.positive(&rate))),
            (None, None) => {
                self.missing("time.column".into(), "the name of a column, or rate, in Hz");
                None
            }
        }
    }

    fn channels<U: Unit + Default>(&mut self, section: &Section<'_>) -> Option<Channels<U>> {
        let side = self.get(section, "side").and_then(|node| self.word(&node, SIDES)).unwrap_or_default();
        let unit = self.unit(section).unwrap_or_default();
        let Some(columns) = self.get(section, "columns") else {
            self.missing(format!("{}.columns", section.place), NAMES);
            return None;
        };
        Some(Channels { columns: self.names(&columns), unit, factor: Vec::new(), side })
    }

    fn positions(&mut self, section: &Section<'_>) -> Option<Channels<PositionUnit>> {
        let channels = self.channels::<PositionUnit>(section)?;
        let Some(node) = self.get(section, "counts") else { return Some(channels) };
        if let Some(unit) = self.get(section, "unit") {
            self.error(&unit, Finding::Excluded { by: "counts" });
        }
        let counts = self.each(&node, channels.columns.len(), Self::positive);
        Some(Channels { unit: PositionUnit::Turn, factor: counts.into_iter().map(f64::recip).collect(), ..channels })
    }

    fn efforts(&mut self, section: &Section<'_>) -> Option<(Channels<EffortUnit>, Vec<f64>)> {
        let mut channels = self.channels::<EffortUnit>(section)?;
        let count = channels.columns.len();
        let limit = self.get(section, "limit").map(|node| self.each(&node, count, Self::positive));
        match (self.get(section, "constant"), channels.unit) {
            (Some(node), EffortUnit::Ampere) => channels.factor = self.each(&node, count, Self::number),
            (Some(node), _) => self.error(&node, Finding::Excluded { by: "unit" }),
            (None, EffortUnit::Ampere) => {
                self.missing(format!("{}.constant", section.place), "N m or N an ampere, one number or one a column");
            }
            (None, _) => {}
        }
        Some((channels, limit.unwrap_or_default()))
    }

    fn gear(&mut self, section: &Section<'_>) -> Option<DMatrix<f64>> {
        match (self.get(section, "ratio"), self.get(section, "matrix")) {
            (Some(_), Some(matrix)) => {
                self.error(&matrix, Finding::Excluded { by: "ratio" });
                None
            }
            (Some(ratio), None) => Some(DMatrix::from_diagonal(&self.items(&ratio, NUMBERS, Self::number).into())),
            (None, Some(matrix)) => {
                let rows = self.items(&matrix, "rows of numbers", |reader, row| {
                    reader.items(row, "a row of numbers", Self::number)
                });
                let (found, expected) = (rows.iter().map(Vec::len).find(|&length| length != rows.len()), rows.len());
                if let Some(found) = found {
                    let columns = "as many numbers in a row as there are rows";
                    self.error(&matrix, Finding::WrongLength { found, expected, columns });
                    return None;
                }
                Some(DMatrix::from_row_iterator(expected, expected, rows.into_iter().flatten()))
            }
            (None, None) => {
                self.missing("gear.ratio".into(), "turns of the motors a turn of their joints, or matrix");
                None
            }
        }
    }

    fn signs(&mut self, node: &Node<'_>) -> Vec<f64> {
        self.items(node, "an array of 1 and -1", |reader, item| {
            let sign = reader.number(item);
            if sign.is_finite() && sign.abs() != 1.0 {
                reader.error(item, Finding::WrongType { found: item.shown(), expected: "1 or -1" });
            }
            sign
        })
    }

    fn offsets(&mut self, node: &Node<'_>) -> Vec<f64> {
        self.items(node, "an array of angles or lengths", |reader, item| match item.value {
            DeValue::String(text) => Quantity::constant(text).unwrap_or_else(|| {
                let expected = "a number in rad or m, or text such as \"-90 deg\" or \"30 mm\"";
                reader.error(item, Finding::Unreadable { text: text.to_string(), expected });
                f64::NAN
            }),
            _ => reader.number(item),
        })
    }

    fn filter(&mut self, section: &Section<'_>) -> Filter {
        let default = Filter::default();
        let mut count = |key: &str, otherwise: usize| {
            let Some(node) = self.get(section, key) else { return otherwise };
            let value = self.positive(&node);
            if value.is_finite() && value.fract() != 0.0 {
                self.error(&node, Finding::NotACount { value });
            }
            value as usize
        };
        let (order, decimation) = (count("order", default.order), count("decimation", default.decimation));
        let cut_off = self.get(section, "cut_off").map(|node| self.positive(&node));
        let border = self.get(section, "border").map(|node| {
            let value = self.number(&node);
            if value < 0.0 {
                self.error(&node, Finding::Negative { value });
            }
            value
        });
        Filter { order, cut_off, decimation, border }
    }

    fn require<'a>(
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

    fn section<'a>(
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

    fn expect_known(&mut self, section: &Section<'_>, known: &'static [&'static str]) {
        for key in section.table.keys().filter(|key| !known.contains(&key.get_ref().as_ref())) {
            if let Some(node) = self.get(section, key.get_ref()) {
                self.error(&node, Finding::UnknownKey { known });
            }
        }
    }

    #[expect(clippy::unused_self, reason = "all access goes through the reader")]
    fn get<'a>(&self, section: &Section<'a>, key: &str) -> Option<Node<'a>> {
        let (spanned, value) = section.table.get_key_value(key)?;
        let place = if section.place.is_empty() { key.to_owned() } else { format!("{}.{key}", section.place) };
        Some(Node { place, value: value.get_ref(), byte: spanned.span().start })
    }

    fn unit<U: Unit>(&mut self, section: &Section<'_>) -> Option<U> {
        let node = self.get(section, "unit")?;
        self.word(&node, U::WORDS)
    }

    fn word<T: Copy>(&mut self, node: &Node<'_>, words: &[(&str, T)]) -> Option<T> {
        let text = self.text(node, "text")?;
        let found = words.iter().find(|(word, _)| *word == text).map(|(_, value)| *value);
        if found.is_none() {
            let known = words.iter().map(|(word, _)| (*word).to_owned()).collect();
            self.error(node, Finding::UnknownWord { word: text, known });
        }
        found
    }

    fn text(&mut self, node: &Node<'_>, expected: &'static str) -> Option<String> {
        let text = node.value.as_str().map(ToOwned::to_owned);
        if text.is_none() {
            self.error(node, Finding::WrongType { found: node.shown(), expected });
        }
        text
    }

    fn names(&mut self, node: &Node<'_>) -> Vec<String> {
        self.items(node, NAMES, |reader, item| reader.text(item, "the name of a column").unwrap_or_default())
    }

    /// One number for all, or one each.
    fn each(&mut self, node: &Node<'_>, count: usize, read: fn(&mut Self, &Node<'_>) -> f64) -> Vec<f64> {
        if !matches!(node.value, DeValue::Array(_)) {
            return vec![read(self, node); count];
        }
        let numbers = self.items(node, NUMBERS, read);
        if numbers.len() != count {
            let finding = Finding::WrongLength { found: numbers.len(), expected: count, columns: "one a column" };
            self.error(node, finding);
        }
        numbers
    }

    fn items<T>(
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
    fn number(&mut self, node: &Node<'_>) -> f64 {
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

    fn positive(&mut self, node: &Node<'_>) -> f64 {
        let value = self.number(node);
        if value <= 0.0 {
            self.error(node, Finding::NotPositive { value });
        }
        value
    }
}

impl Node<'_> {
    /// The value in a message: small ones as written, others by their kind.
    fn shown(&self) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::TimeUnit;
    use core::f64::consts::PI;

    const FULL: &str = r#"
        [time]
        column = "t"
        unit = "ms"
        [position]
        columns = ["m1", "m2"]
        counts = [4096, 1000]
        side = "motor"
        [velocity]
        columns = ["w1", "w2"]
        unit = "rpm"
        [effort]
        columns = ["i1", "i2"]
        unit = "A"
        constant = 0.5
        limit = [10, 20.5]
        [gear]
        matrix = [[32, 0], [5, -48]]
        [joint]
        sign = [1, -1]
        offset = ["-90 deg", 0.25]
        [filter]
        cut_off = 100
        decimation = 50
        border = 0.1
        [accept]
        constant = ["m2"]
    "#;

    #[test]
    fn a_full_layout_is_read() {
        let layout = Layout::read(FULL).unwrap();
        assert_eq!(layout.time, Time::Column { name: "t".into(), unit: TimeUnit::Millisecond });
        assert_eq!(layout.position.factor, [1.0 / 4096.0, 1e-3]);
        assert_eq!((layout.position.unit, layout.position.side), (PositionUnit::Turn, Side::Motor));
        assert_eq!(layout.velocity.as_ref().unwrap().unit, VelocityUnit::TurnAMinute);
        assert_eq!(
            (layout.effort.factor.as_slice(), layout.effort_limit.as_slice()),
            (&[0.5, 0.5][..], &[10.0, 20.5][..])
        );
        assert_eq!(layout.gear.as_ref().unwrap()[(1, 0)], 5.0);
        assert_eq!((layout.sign.as_slice(), layout.offset.as_slice()), (&[1.0, -1.0][..], &[-PI / 2.0, 0.25][..]));
        assert_eq!(layout.filter, Filter { order: 4, cut_off: Some(100.0), decimation: 50, border: Some(0.1) });
        assert_eq!(layout.accepted.constant, ["m2"]);
        assert_eq!(layout.columns().collect::<Vec<_>>(), ["t", "m1", "m2", "w1", "w2", "i1", "i2"]);
    }

    #[test]
    fn everything_wrong_is_told_with_its_line() {
        let text = r#"
[time]
column = 3
[position]
columns = "q1"
unit = "degrees"
turns = 1
[effort]
columns = ["i1", 2]
unit = "A"
[gear]
ratio = [1, "x"]
[joint]
sign = [2]
offset = ["90 grad"]
[filter]
order = 2.5
cut_off = -1
"#;
        let problems = Layout::read(text).unwrap_err().to_string();
        for expected in [
            "line 3: error: time.column: is 3; expected the name of a column",
            "line 5: error: position.columns: is \"q1\"; expected names of columns",
            "line 6: error: position.unit: `degrees` is not known here; words are rad, deg, turn, m, mm",
            "line 7: error: position.turns: is not known here; known keys are columns, unit, counts, side",
            "line 9: error: effort.columns[2]: is 2; expected the name of a column",
            "error: effort.constant: is missing; expected N m or N an ampere",
            "line 12: error: gear.ratio[2]: is \"x\"; expected a number",
            "line 14: error: joint.sign[1]: is 2; expected 1 or -1",
            "line 15: error: joint.offset[1]: `90 grad` is not a number in rad or m",
            "line 17: error: filter.order: is 2.5; expected a whole number",
            "line 18: error: filter.cut_off: is -1; expected a positive number",
        ] {
            assert!(problems.contains(expected), "{expected}\nis not among\n{problems}");
        }
        assert_eq!(problems.lines().count(), 11, "{problems}");
    }

    #[test]
    fn what_excludes_each_other_and_broken_toml() {
        let told = |text: &str| Layout::read(text).unwrap_err().to_string();
        let rest = "\nposition.columns = ['q']\neffort.columns = ['i']\n";
        assert!(told(&format!("time = {{ column = 't', rate = 5 }}{rest}")).contains("no meaning beside `column`"));
        assert!(
            told(&format!("time.rate = 5{rest}gear = {{ ratio = [1], matrix = [[1]] }}")).contains("beside `ratio`")
        );
        assert!(told(&format!("time.rate = 5{rest}effort.constant = 2")).contains("no meaning beside `unit`"));
        assert!(told(&format!("time.rate = 5{rest}gear.matrix = [[1, 2]]")).contains("has 2 entries; expected 1"));
        assert!(told("time = {").contains("is not TOML"));
        assert!(told("").contains("time: is missing"));
        assert!(Layout::read(&format!("time.rate = 5{rest}")).is_ok());
    }
}
