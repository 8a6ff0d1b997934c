//! A law that is not of this library: what the file says of it, and who makes it.
//!
//! The library opens no file. It keeps what was asked for, [`Scenario::law_library`](super::Scenario::law_library), until
//! someone who opens files gives a maker, [`Scenario::put_law`](super::Scenario::put_law).

use super::each::numbers;
use crate::simulation::{Law, Reason};
use crate::trajectory::{FrameReference, JointReference};
use ::toml::de::DeValue;
use appell::Robot;
use appell::description::Finding;
use appell::description::toml::reader::{Node, Reader};
use core::fmt;
use std::sync::Arc;

/// A law in a shared library, as a scenario asks for it.
#[derive(Debug, Clone, PartialEq)]
pub struct LawLibrary {
    /// The library's file, seen from the scenario's.
    pub library: String,
    /// Its parameters: names, and one value or several; without a name where the file has a list alone.
    pub parameters: Vec<(String, Vec<f64>)>,
}

/// What a law of one's own shall drive, and the motion that it shall follow.
pub struct LawOrder<'r> {
    /// The robot, as the controller knows it.
    pub model: &'r Robot,
    /// Names of the drives.
    pub names: Vec<String>,
    /// Their joints, in a [`View`](crate::simulation::View).
    pub drives: Vec<usize>,
    /// Time between two samples, s; none in continuous time.
    pub period: Option<f64>,
    /// The motion of the drives.
    pub reference: Box<dyn JointReference + 'r>,
    /// The motion of the platform, where the scenario's reference is one.
    pub platform: Option<Box<dyn FrameReference + 'r>>,
}

/// Makes a law.
type Make = dyn for<'r> Fn(LawOrder<'r>) -> Result<Box<dyn Law + 'r>, Reason> + Send + Sync;

/// A law of one's own: what was asked for, and its maker once there is one.
#[derive(Clone)]
pub(super) struct OwnLaw {
    pub(super) asked: LawLibrary,
    pub(super) make: Option<Arc<Make>>,
    pub(super) period: Option<f64>,
}

impl fmt::Debug for OwnLaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { asked, make, period } = self;
        f.debug_struct("OwnLaw").field("asked", asked).field("made", &make.is_some()).field("period", period).finish()
    }
}

impl PartialEq for OwnLaw {
    fn eq(&self, other: &Self) -> bool {
        self.asked == other.asked && self.period == other.period
    }
}

impl OwnLaw {
    /// Reads `{ library = "law.so", parameters = { kp = 100.0 } }`.
    pub(super) fn read(reader: &mut Reader, node: &Node<'_>) -> Option<Self> {
        let table = reader.table(node, &["library", "parameters"])?;
        let library = reader.require(&table, "library", "the path of a shared library, seen from this file")?;
        let library = reader.text(&library, "the path of a shared library")?.to_owned();
        let mut parameters = Vec::new();
        if let Some(node) = reader.get(&table, "parameters") {
            if node.value.is_array() {
                parameters.push((String::new(), numbers(reader, &node)));
            } else if node.value.is_table() {
                for (name, node) in reader.sections(&table, "parameters") {
                    let values = match node.value {
                        DeValue::Array(_) => numbers(reader, &node),
                        _ => vec![reader.number(&node)],
                    };
                    parameters.push((name.to_owned(), values));
                }
            } else {
                let (found, expected) = (node.shown(), "a table of numbers, or an array of them");
                reader.error(&node.place, Finding::WrongType { found, expected });
            }
        }
        Some(Self { asked: LawLibrary { library, parameters }, make: None, period: None })
    }
}
