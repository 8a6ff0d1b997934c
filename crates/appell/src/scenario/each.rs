//! Numbers of joints as people write them: one for all, one each, or by name.

use super::{Cause, Notes};
use crate::description::Finding;
use crate::description::quantity::{self, Dimension};
use crate::description::toml::reader::{Node, Reader, Table};
use ::toml::de::DeValue;

/// One number for all joints, one each, or some by their names.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Each {
    One(f64),
    All(Vec<f64>),
    Named(Vec<(String, f64)>),
}

const EXPECTED: &str =
    "a number, an array of one number a joint, or a table by joint; angles may be text such as \"45 deg\"";

impl Each {
    /// Reads numbers that may carry units of angle or length.
    pub(super) fn read(reader: &mut Reader, section: &Table<'_>, key: &str) -> Option<Self> {
        let node = reader.get(section, key)?;
        Some(match node.value {
            DeValue::Array(_) => Self::All(numbers(reader, &node)),
            DeValue::Table(_) => {
                let parts = reader.sections(section, key);
                Self::Named(parts.iter().map(|(name, node)| ((*name).to_owned(), number(reader, node))).collect())
            }
            _ => Self::One(number(reader, &node)),
        })
    }

    /// One number a joint of these names; `none` is for those that are not named, if they need not be.
    pub(super) fn of(&self, names: &[String], none: Option<f64>) -> Result<Vec<f64>, Cause> {
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
pub(super) fn number(reader: &mut Reader, node: &Node<'_>) -> f64 {
    let DeValue::String(text) = node.value else { return reader.number(node) };
    let read = |dimension| quantity::read(text, dimension).filter(|quantity| !quantity.moves);
    match read(Dimension::Angle).or_else(|| read(Dimension::Length)) {
        Some(quantity) => quantity.constant,
        None => {
            reader.error(&node.place, Finding::Unreadable { text: text.to_string(), expected: EXPECTED });
            f64::NAN
        }
    }
}

/// The numbers of an array.
pub(super) fn numbers(reader: &mut Reader, node: &Node<'_>) -> Vec<f64> {
    let items = reader.items(node, "an array of numbers").unwrap_or_default();
    items.iter().map(|item| number(reader, item)).collect()
}

/// The numbers of a key, if it is there.
pub(super) fn some_numbers(reader: &mut Reader, section: &Table<'_>, key: &str) -> Option<Vec<f64>> {
    let node = reader.get(section, key)?;
    Some(numbers(reader, &node))
}

/// The number of a key, if it is there.
pub(super) fn some_number(reader: &mut Reader, section: &Table<'_>, key: &str) -> Option<f64> {
    let node = reader.get(section, key)?;
    Some(number(reader, &node))
}

/// A positive number of a key, if it is there.
pub(super) fn some_positive(reader: &mut Reader, section: &Table<'_>, key: &str) -> Option<f64> {
    let node = reader.get(section, key)?;
    let value = number(reader, &node);
    if value.is_finite() && value <= 0.0 {
        reader.error(&node.place, Finding::NotPositive { value });
    }
    Some(value)
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
        let (place, line) = notes.told(place.to_owned());
        super::ScenarioError { place, line, cause: cause.into() }
    })
}
