//! A layout from its text, or everything that is wrong with it, each with its key and line.

use super::layout::{Accepted, Channels, Layout, Side, Time};
use super::nodes::{NAMES, NUMBERS, Node, Reader, Section};
use super::smoothing::{CutOff, Smoothing};
use super::unit::{EffortUnit, PositionUnit, Unit, VelocityUnit};
use appell::description::{Finding, Problems, Quantity};
use nalgebra::DMatrix;
use toml::de::{DeTable, DeValue};

/// Cut-offs in words.
const CUT_OFFS: &[(&str, CutOff)] = &[("none", CutOff::Off), ("automatic", CutOff::Automatic)];

const SIDES: &[(&str, Side)] = &[("joint", Side::Joint), ("motor", Side::Motor)];

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

impl Reader {
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
        let filter = filter.map(|section| self.smoothing(&section)).unwrap_or_default();
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
        let Some(columns) = self.get(section, "columns") else {
            self.units::<U>(section, 0); // for what is wrong with it
            self.missing(format!("{}.columns", section.place), NAMES);
            return None;
        };
        let columns = self.names(&columns);
        Some(Channels { units: self.units(section, columns.len()), columns, factor: Vec::new(), side })
    }

    fn positions(&mut self, section: &Section<'_>) -> Option<Channels<PositionUnit>> {
        let channels = self.channels::<PositionUnit>(section)?;
        let Some(node) = self.get(section, "counts") else { return Some(channels) };
        if let Some(unit) = self.get(section, "unit") {
            self.error(&unit, Finding::Excluded { by: "counts" });
        }
        let counts = self.each(&node, channels.columns.len(), Self::positive);
        let units = vec![PositionUnit::Count; channels.columns.len()];
        Some(Channels { units, factor: counts.into_iter().map(f64::recip).collect(), ..channels })
    }

    fn efforts(&mut self, section: &Section<'_>) -> Option<(Channels<EffortUnit>, Vec<f64>)> {
        let mut channels = self.channels::<EffortUnit>(section)?;
        let count = channels.columns.len();
        let limit = self.get(section, "limit").map(|node| self.each(&node, count, Self::positive));
        let is_current = |unit: &EffortUnit| *unit == EffortUnit::Ampere;
        match (self.get(section, "constant"), channels.units.iter().any(is_current)) {
            (Some(node), true) => {
                let constants = self.each(&node, count, Self::not_zero).into_iter().zip(&channels.units);
                channels.factor =
                    constants.map(|(constant, unit)| if is_current(unit) { constant } else { 1.0 }).collect();
            }
            (Some(node), false) => self.error(&node, Finding::Excluded { by: "unit" }),
            (None, true) => {
                self.missing(format!("{}.constant", section.place), "N m or N an ampere, one number or one a column");
            }
            (None, false) => {}
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

    fn smoothing(&mut self, section: &Section<'_>) -> Smoothing {
        let default = Smoothing::default();
        let mut count = |key: &str| {
            let node = self.get(section, key)?;
            let value = self.positive(&node);
            if value.is_finite() && value.fract() != 0.0 {
                self.error(&node, Finding::NotACount { value });
            }
            Some(value as usize)
        };
        let (order, decimation) = (count("order").unwrap_or(default.order), count("decimation"));
        let cut_off = self.get(section, "cut_off").map(|node| match node.value {
            DeValue::String(_) => self.word(&node, CUT_OFFS).unwrap_or_default(),
            _ => CutOff::At(self.positive(&node)),
        });
        let border = self.get(section, "border").map(|node| {
            let value = self.number(&node);
            if value < 0.0 {
                self.error(&node, Finding::Negative { value });
            }
            value
        });
        Smoothing { order, cut_off: cut_off.unwrap_or_default(), decimation, border }
    }
}

#[cfg(test)]
mod tests;
