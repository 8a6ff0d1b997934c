//! A layout from its text, or everything that is wrong with it, each with its key and line.

use super::layout::{Accepted, Channels, Layout, Side, Time};
use super::smoothing::{CutOff, Smoothing};
use super::unit::Unit;
use appell::description::toml::reader::{Node, Reader, Table};
use appell::description::{Finding, Problems, Quantity};
use nalgebra::DMatrix;
use toml::de::{DeTable, DeValue};

/// Cut-offs in words.
const CUT_OFFS: &[(&str, CutOff)] = &[("none", CutOff::Off), ("automatic", CutOff::Automatic)];

const SIDES: &[(&str, Side)] = &[("joint", Side::Joint), ("motor", Side::Motor)];

const SECTIONS: &[&str] = &["columns", "time", "position", "velocity", "effort", "gear", "joint", "filter", "accept"];

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
    /// let problems = Layout::read("time.rate = 1000\neffort = { columns = ['i1'], unit = 'kp' }").unwrap_err();
    /// assert_eq!(problems.to_string(), "error: position: is missing; expected a section [position]\n\
    ///     line 2: error: effort.unit: `kp` is not known here; words are N m, mN m, kgf m, kgf cm, lbf ft, lbf in, ozf in, N, kN, kgf, lbf, A, Nm, mNm");
    /// # Ok::<(), appell::description::Problems>(())
    /// ```
    ///
    /// # Errors
    /// Everything that is wrong, with its line.
    pub fn read(text: &str) -> Result<Self, Problems> {
        let mut reader = Reader::new(text);
        let (document, errors) = DeTable::parse_recoverable(text);
        if !errors.iter().all(|error| reader.syntax_error(text, error)) {
            return Err(reader.notes.finish([]));
        }
        let file = reader.file(document.get_ref(), SECTIONS);
        let layout = layout(&mut reader, &file).filter(|_| !reader.notes.has_errors());
        layout.ok_or_else(|| reader.notes.finish([]))
    }
}

fn layout(reader: &mut Reader, file: &Table<'_>) -> Option<Layout> {
    let time = section(reader, file, "time", Some("a section [time]"), &["column", "unit", "rate"]);
    let time = time.and_then(|section| instants(reader, &section));
    let known = &["columns", "unit", "counts", "side", "time"];
    let position = section(reader, file, "position", Some("a section [position]"), known);
    let position = position.and_then(|section| positions(reader, &section));
    let velocity = section(reader, file, "velocity", None, &["columns", "unit", "side", "time"]);
    let velocity = velocity.and_then(|section| channels(reader, &section, Unit::VELOCITIES));
    let header = reader.get(file, "columns").map(|node| names(reader, &node));
    let known = &["columns", "unit", "constant", "side", "time", "limit", "delay"];
    let effort = section(reader, file, "effort", Some("a section [effort]"), known);
    let effort = effort.and_then(|section| efforts(reader, &section));
    let gear = section(reader, file, "gear", None, &["ratio", "matrix"]).and_then(|section| gears(reader, &section));
    let joint = section(reader, file, "joint", None, &["sign", "offset"]);
    let sign = joint.as_ref().and_then(|section| reader.get(section, "sign")).map(|node| signs(reader, &node));
    let offset = joint.as_ref().and_then(|section| reader.get(section, "offset")).map(|node| offsets(reader, &node));
    let filter = section(reader, file, "filter", None, &["order", "cut_off", "decimation", "border"]);
    let filter = filter.map(|section| smoothing(reader, &section)).unwrap_or_default();
    let accepted = section(reader, file, "accept", None, &["constant", "unit"]).map(|section| {
        let mut of = |key: &str| reader.get(&section, key).map(|node| names(reader, &node)).unwrap_or_default();
        Accepted { constant: of("constant"), unit: of("unit") }
    });
    let (effort, effort_limit, delay) = effort?;
    Some(Layout {
        time: time?,
        position: position?,
        velocity,
        effort,
        effort_limit,
        gear,
        sign: sign.unwrap_or_default(),
        offset: offset.unwrap_or_default(),
        filter,
        accepted: accepted.unwrap_or_default(),
        delay,
        header,
    })
}

/// A section; one that must be there is `expected`.
fn section<'a>(
    reader: &mut Reader,
    file: &Table<'a>,
    key: &str,
    expected: Option<&'static str>,
    known: &'static [&'static str],
) -> Option<Table<'a>> {
    let node = match expected {
        Some(expected) => reader.require(file, key, expected),
        None => reader.get(file, key),
    };
    reader.table(&node?, known)
}

fn instants(reader: &mut Reader, section: &Table<'_>) -> Option<Time> {
    match (reader.get(section, "column"), reader.get(section, "rate")) {
        (None, Some(rate)) => Some(Time::Rate(positive(reader, &rate))),
        (column, rate) => {
            let expected = "the name of a column, or rate, in Hz";
            let column = column.or_else(|| reader.require(section, "column", expected))?;
            let name = reader.text(&column, "the name of a column")?.to_owned();
            let unit = reader.get(section, "unit").and_then(|node| unit(reader, &node, Unit::TIMES));
            let rate = rate.map(|rate| positive(reader, &rate));
            Some(Time::Column { name, unit: unit.unwrap_or(Unit::TIMES[0]), rate })
        }
    }
}

fn channels(reader: &mut Reader, section: &Table<'_>, known: &[Unit]) -> Option<Channels> {
    let side = reader.get(section, "side").and_then(|node| word(reader, &node, SIDES)).unwrap_or_default();
    let Some(columns) = reader.require(section, "columns", NAMES) else {
        units(reader, section, known, 0); // for what is wrong with it
        return None;
    };
    let columns = names(reader, &columns);
    let time = reader.get(section, "time");
    let time = time.and_then(|node| reader.text(&node, "the name of a column of time").map(ToOwned::to_owned));
    Some(Channels { units: units(reader, section, known, columns.len()), columns, factor: Vec::new(), side, time })
}

fn positions(reader: &mut Reader, section: &Table<'_>) -> Option<Channels> {
    let channels = channels(reader, section, Unit::POSITIONS)?;
    let Some(node) = reader.get(section, "counts") else { return Some(channels) };
    if let Some(unit) = reader.get(section, "unit") {
        reader.error(&unit.place, Finding::Excluded { by: "counts" });
    }
    let counts = each(reader, &node, channels.columns.len(), positive);
    let units = vec![Unit::COUNT; channels.columns.len()];
    Some(Channels { units, factor: counts.into_iter().map(f64::recip).collect(), ..channels })
}

fn efforts(reader: &mut Reader, section: &Table<'_>) -> Option<(Channels, Vec<f64>, f64)> {
    let mut channels = channels(reader, section, Unit::EFFORTS)?;
    let count = channels.columns.len();
    let limit = reader.get(section, "limit").map(|node| each(reader, &node, count, positive));
    let delay = reader.get(section, "delay").map_or(0.0, |node| reader.number(&node));
    let is_current = |unit: &Unit| *unit == Unit::AMPERE;
    if !channels.units.iter().any(is_current) {
        if let Some(node) = reader.get(section, "constant") {
            reader.error(&node.place, Finding::Excluded { by: "unit" });
        }
    } else if let Some(node) = reader.require(section, "constant", "N m or N per ampere, one number or one per column")
    {
        let constants = each(reader, &node, count, not_zero).into_iter().zip(&channels.units);
        channels.factor = constants.map(|(constant, unit)| if is_current(unit) { constant } else { 1.0 }).collect();
    }
    Some((channels, limit.unwrap_or_default(), delay))
}

fn gears(reader: &mut Reader, section: &Table<'_>) -> Option<DMatrix<f64>> {
    match (reader.get(section, "ratio"), reader.get(section, "matrix")) {
        (Some(_), Some(matrix)) => {
            reader.error(&matrix.place, Finding::Excluded { by: "ratio" });
            None
        }
        (None, Some(matrix)) => {
            let rows = items(reader, &matrix, "rows of numbers", |reader, row| {
                items(reader, row, "a row of numbers", Reader::number)
            });
            let (found, expected) = (rows.iter().map(Vec::len).find(|&length| length != rows.len()), rows.len());
            if let Some(found) = found {
                let columns = "as many numbers in a row as there are rows";
                reader.error(&matrix.place, Finding::WrongLength { found, expected, columns });
                return None;
            }
            Some(DMatrix::from_row_iterator(expected, expected, rows.into_iter().flatten()))
        }
        (ratio, None) => {
            let expected = "turns of the motors a turn of their joints, or matrix";
            let ratio = ratio.or_else(|| reader.require(section, "ratio", expected))?;
            Some(DMatrix::from_diagonal(&items(reader, &ratio, NUMBERS, Reader::number).into()))
        }
    }
}

fn signs(reader: &mut Reader, node: &Node<'_>) -> Vec<f64> {
    items(reader, node, "an array of 1 and -1", |reader, item| {
        let sign = reader.number(item);
        if sign.is_finite() && sign.abs() != 1.0 {
            reader.error(&item.place, Finding::WrongType { found: item.shown(), expected: "1 or -1" });
        }
        sign
    })
}

fn offsets(reader: &mut Reader, node: &Node<'_>) -> Vec<f64> {
    items(reader, node, "an array of angles or lengths", |reader, item| match item.value {
        DeValue::String(text) => Quantity::constant(text).unwrap_or_else(|| {
            let expected = "a number in rad or m, or text such as \"-90 deg\" or \"30 mm\"";
            reader.error(&item.place, Finding::Unreadable { text: text.to_string(), expected });
            f64::NAN
        }),
        _ => reader.number(item),
    })
}

fn smoothing(reader: &mut Reader, section: &Table<'_>) -> Smoothing {
    let default = Smoothing::default();
    let mut count = |key: &str| {
        let node = reader.get(section, key)?;
        let value = positive(reader, &node);
        if value.is_finite() && value.fract() != 0.0 {
            reader.error(&node.place, Finding::NotACount { value });
        }
        Some(value as usize)
    };
    let (order, decimation) = (count("order").unwrap_or(default.order), count("decimation"));
    let cut_off = reader.get(section, "cut_off").map(|node| match node.value {
        DeValue::String(_) => word(reader, &node, CUT_OFFS).unwrap_or_default(),
        _ => CutOff::At(positive(reader, &node)),
    });
    let border = reader.get(section, "border").map(|node| {
        let value = reader.number(&node);
        if value < 0.0 {
            reader.error(&node.place, Finding::Negative { value });
        }
        value
    });
    Smoothing { order, cut_off: cut_off.unwrap_or_default(), decimation, border }
}

/// One of the words that are known.
fn word<T: Copy>(reader: &mut Reader, node: &Node<'_>, words: &[(&str, T)]) -> Option<T> {
    let text = reader.text(node, "text")?;
    let found = words.iter().find(|(word, _)| *word == text).map(|(_, value)| *value);
    if found.is_none() {
        let known = words.iter().map(|(word, _)| (*word).to_owned()).collect();
        reader.error(&node.place, Finding::UnknownWord { word: text.to_owned(), known });
    }
    found
}

fn unit(reader: &mut Reader, node: &Node<'_>, known: &[Unit]) -> Option<Unit> {
    word(reader, node, &known.iter().map(|unit| (unit.word, *unit)).collect::<Vec<_>>())
}

/// One unit for all columns, or one each.
fn units(reader: &mut Reader, section: &Table<'_>, known: &[Unit], count: usize) -> Vec<Unit> {
    let Some(node) = reader.get(section, "unit") else { return vec![known[0]; count] };
    each(reader, &node, count, |reader, node| unit(reader, node, known).unwrap_or(known[0]))
}

fn names(reader: &mut Reader, node: &Node<'_>) -> Vec<String> {
    items(reader, node, NAMES, |reader, item| reader.text(item, "the name of a column").unwrap_or_default().to_owned())
}

/// One value for all columns, or one each.
fn each<T: Clone>(
    reader: &mut Reader,
    node: &Node<'_>,
    expected: usize,
    read: impl Fn(&mut Reader, &Node<'_>) -> T,
) -> Vec<T> {
    if !matches!(node.value, DeValue::Array(_)) {
        return vec![read(reader, node); expected];
    }
    let all = items(reader, node, NUMBERS, read);
    let found = all.len();
    if found != expected {
        reader.error(&node.place, Finding::WrongLength { found, expected, columns: "one per column" });
    }
    all
}

fn items<T>(
    reader: &mut Reader,
    node: &Node<'_>,
    expected: &'static str,
    read: impl Fn(&mut Reader, &Node<'_>) -> T,
) -> Vec<T> {
    let items = reader.items(node, expected).unwrap_or_default();
    items.iter().map(|item| read(reader, item)).collect()
}

fn not_zero(reader: &mut Reader, node: &Node<'_>) -> f64 {
    let value = reader.number(node);
    if value == 0.0 {
        reader.error(&node.place, Finding::WrongType { found: "0".into(), expected: "a number other than 0" });
    }
    value
}

fn positive(reader: &mut Reader, node: &Node<'_>) -> f64 {
    let value = reader.number(node);
    if value <= 0.0 {
        reader.error(&node.place, Finding::NotPositive { value });
    }
    value
}

#[cfg(test)]
mod tests;
