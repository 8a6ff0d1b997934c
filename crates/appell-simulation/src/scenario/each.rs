//! Numbers of joints as people write them: one for all, one each, or by name.

use super::{Cause, Notes};
use ::toml::de::DeValue;
use appell::description::quantity::{self, Dimension};
use appell::description::toml::reader::{Node, Reader, Table};
use appell::description::{Finding, JointKind};

/// One number for all joints, one each, or some by their names.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Each {
    One(Number),
    All(Vec<Number>),
    Named(Vec<(String, Number)>),
}

/// A number, and what its unit measures if it has one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Number {
    pub(super) value: f64,
    dimension: Option<Dimension>,
}

impl Each {
    /// Reads plain numbers.
    pub(super) fn read(reader: &mut Reader, section: &Table<'_>, key: &str) -> Option<Self> {
        Self::read_by(reader, section, key, |reader, node| Number { value: reader.number(node), dimension: None })
    }

    /// Reads positions, which may carry units.
    pub(super) fn read_positions(reader: &mut Reader, section: &Table<'_>, key: &str) -> Option<Self> {
        Self::read_by(reader, section, key, position)
    }

    fn read_by(
        reader: &mut Reader,
        section: &Table<'_>,
        key: &str,
        number: fn(&mut Reader, &Node<'_>) -> Number,
    ) -> Option<Self> {
        let node = reader.get(section, key)?;
        expect_entries(reader, &node, "a number, one per joint, or some by the names of joints");
        Some(match node.value {
            DeValue::Array(_) => {
                let items = reader.items(&node, "an array of numbers").unwrap_or_default();
                Self::All(items.iter().map(|item| number(reader, item)).collect())
            }
            DeValue::Table(_) => {
                let parts = reader.sections(section, key);
                Self::Named(parts.iter().map(|(name, node)| ((*name).to_owned(), number(reader, node))).collect())
            }
            _ => Self::One(number(reader, &node)),
        })
    }

    /// One value per joint of these names; `none` is for those that are not named, if they need not be.
    pub(super) fn of(&self, names: &[String], none: Option<f64>) -> Result<Vec<f64>, Cause> {
        let none = none.map(|value| Number { value, dimension: None });
        Ok(self.spread(names, none)?.into_iter().map(|number| number.value).collect())
    }

    /// One position per drive, in a unit of its kind.
    pub(super) fn positions(&self, drives: &[(String, JointKind)]) -> Result<Vec<f64>, Cause> {
        let names: Vec<String> = drives.iter().map(|(name, _)| name.clone()).collect();
        let numbers = self.spread(&names, None)?;
        for ((joint, kind), number) in drives.iter().zip(&numbers) {
            let is_other = match kind {
                JointKind::Revolute => number.dimension == Some(Dimension::Length),
                JointKind::Prismatic => number.dimension == Some(Dimension::Angle),
            };
            if is_other {
                return Err(Cause::Unit { joint: joint.clone(), kind: kind.name() });
            }
        }
        Ok(numbers.into_iter().map(|number| number.value).collect())
    }

    fn spread(&self, names: &[String], none: Option<Number>) -> Result<Vec<Number>, Cause> {
        match self {
            Self::One(one) => Ok(vec![*one; names.len()]),
            Self::All(all) if all.len() == names.len() => Ok(all.clone()),
            Self::All(all) => Err(Cause::Length { found: all.len(), expected: names.len(), of: names.to_vec() }),
            Self::Named(named) => {
                if let Some((name, _)) = named.iter().find(|(name, _)| !names.contains(name)) {
                    return Err(Cause::UnknownJoint { name: name.clone(), known: names.to_vec() });
                }
                let number = |joint: &String| {
                    let found = named.iter().find(|(name, _)| name == joint).map(|(_, number)| *number);
                    found.or(none).ok_or_else(|| Cause::Unnamed { joint: joint.clone() })
                };
                names.iter().map(number).collect()
            }
        }
    }
}

/// A number, or text with a unit of angle or length; NaN where there is none.
pub(super) fn position(reader: &mut Reader, node: &Node<'_>) -> Number {
    let DeValue::String(text) = node.value else { return Number { value: reader.number(node), dimension: None } };
    for dimension in [Dimension::Angle, Dimension::Length] {
        if let Some(quantity) = quantity::read(text, dimension).filter(|quantity| !quantity.moves) {
            // Text without a unit is read as either.
            let plain = quantity::read(text, Dimension::Angle) == quantity::read(text, Dimension::Length);
            return Number { value: quantity.constant, dimension: (!plain).then_some(dimension) };
        }
    }
    let expected = "a number in rad or m, or text such as \"45 deg\" or \"30 mm\"";
    reader.error(&node.place, Finding::Unreadable { text: text.to_string(), expected });
    Number { value: f64::NAN, dimension: None }
}

/// The numbers of an array.
pub(super) fn numbers(reader: &mut Reader, node: &Node<'_>) -> Vec<f64> {
    let items = reader.items(node, "an array of numbers").unwrap_or_default();
    items.iter().map(|item| reader.number(item)).collect()
}

/// The positions of an array: angles and lengths, as they come.
pub(super) fn positions(reader: &mut Reader, node: &Node<'_>) -> Vec<f64> {
    let items = reader.items(node, "an array of numbers").unwrap_or_default();
    positions_of(reader, &items)
}

/// Positions, one per item.
pub(super) fn positions_of(reader: &mut Reader, items: &[Node<'_>]) -> Vec<f64> {
    items.iter().map(|item| position(reader, item).value).collect()
}

/// The numbers of a pose: lengths, then angles or a quaternion.
pub(super) fn pose_numbers(reader: &mut Reader, node: &Node<'_>) -> Vec<f64> {
    let items = reader.items(node, "an array of numbers").unwrap_or_default();
    pose_of(reader, &items)
}

/// Three lengths, then numbers that may be angles.
pub(super) fn pose_of(reader: &mut Reader, items: &[Node<'_>]) -> Vec<f64> {
    let number =
        |(k, item): (usize, &Node<'_>)| reader.constant(item, if k < 3 { Dimension::Length } else { Dimension::Angle });
    items.iter().enumerate().map(number).collect()
}

/// Refuses a table or an array without entries: it says nothing, which is seldom what was meant.
pub(super) fn expect_entries(reader: &mut Reader, node: &Node<'_>, expected: &'static str) {
    let found = match node.value {
        DeValue::Table(table) if table.is_empty() => "an empty table",
        DeValue::Array(items) if items.is_empty() => "an empty array",
        _ => return,
    };
    reader.error(&node.place, Finding::WrongType { found: found.to_owned(), expected });
}

/// What is made of a key, if it is there.
pub(super) fn some<T>(
    reader: &mut Reader,
    section: &Table<'_>,
    key: &str,
    read: impl FnOnce(&mut Reader, &Node<'_>) -> T,
) -> Option<T> {
    reader.get(section, key).map(|node| read(reader, &node))
}

/// Refuses a key beside others that make it meaningless.
pub(super) fn exclude(reader: &mut Reader, section: &Table<'_>, key: &'static str, others: &[&str]) {
    if reader.get(section, key).is_none() {
        return;
    }
    for other in others {
        if let Some(node) = reader.get(section, other) {
            reader.error(&node.place, Finding::Excluded { by: key });
        }
    }
}

/// A positive number of a key, if it is there.
pub(super) fn some_positive(reader: &mut Reader, section: &Table<'_>, key: &str) -> Option<f64> {
    let node = reader.get(section, key)?;
    let value = reader.number(&node);
    if value.is_finite() && value <= 0.0 {
        reader.error(&node.place, Finding::NotPositive { value });
    }
    Some(value)
}

/// Whether a key says yes; no where it is not there.
pub(super) fn some_truth(reader: &mut Reader, section: &Table<'_>, key: &str) -> bool {
    reader.get(section, key).and_then(|node| reader.truth(&node)).unwrap_or(false)
}

/// A count of a key, if it is there.
pub(super) fn some_count(reader: &mut Reader, section: &Table<'_>, key: &str) -> Option<u32> {
    let node = reader.get(section, key)?;
    let value = reader.number(&node);
    if value.is_finite() && (value < 0.0 || value.fract() != 0.0 || value > f64::from(u32::MAX)) {
        reader.error(&node.place, Finding::NotACount { value });
    }
    Some(value as u32)
}

/// A word of a key, one of those known, if it is there.
pub(super) fn some_word<T: Copy>(
    reader: &mut Reader,
    section: &Table<'_>,
    key: &str,
    words: &'static [(&'static str, T)],
) -> Option<T> {
    let node = reader.get(section, key)?;
    let text = reader.text(&node, "text")?;
    let found = words.iter().find(|(word, _)| *word == text).map(|(_, value)| *value);
    if found.is_none() {
        let known = words.iter().map(|(word, _)| (*word).to_owned()).collect();
        reader.error(&node.place, Finding::UnknownWord { word: text.to_owned(), known });
    }
    found
}

/// Gives a cause its place and line.
pub(super) fn at<T, C: Into<Cause>>(
    notes: &Notes,
    place: &str,
    result: Result<T, C>,
) -> Result<T, super::ScenarioError> {
    result.map_err(|cause| {
        let (place, line) = notes.reported(place.to_owned());
        super::ScenarioError { place, line, cause: cause.into() }
    })
}

/// Numbers that are all positive.
pub(super) fn positive(values: Vec<f64>) -> Result<Vec<f64>, Cause> {
    let wrong = values.iter().find(|value| value.is_nan() || **value <= 0.0);
    let expected = "a positive number";
    wrong.map_or(Ok(()), |&value| Err(Cause::OutOfRange { value, expected })).map(|()| values)
}

/// Numbers none of which is negative.
pub(super) fn not_negative(values: Vec<f64>) -> Result<Vec<f64>, Cause> {
    let wrong = values.iter().find(|value| value.is_nan() || **value < 0.0);
    let expected = "zero or a positive number";
    wrong.map_or(Ok(()), |&value| Err(Cause::OutOfRange { value, expected })).map(|()| values)
}
