//! How fast an operator moves the robot: the section `[operator]`.

use super::each::{positive, some_positive};
use super::{Each, ScenarioError, at};
use crate::control::operated::Pace;
use appell::description::notes::Notes;
use appell::description::toml::reader::{Reader, Table};

/// The section, as it is written.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct OperatorPart {
    numbers: [Option<f64>; NUMBERS.len()],
    speed: Option<Each>,
    acceleration: Option<Each>,
}

/// A number of a pace.
type Number = fn(&mut Pace) -> &mut f64;

/// Keys with one number.
const NUMBERS: [(&str, Number); 8] = [
    ("part_of_limit", |pace| &mut pace.part_of_limit),
    ("turning", |pace| &mut pace.turning),
    ("sliding", |pace| &mut pace.sliding),
    ("ramp_time", |pace| &mut pace.ramp_time),
    ("linear", |pace| &mut pace.linear),
    ("angular", |pace| &mut pace.angular),
    ("jog_timeout", |pace| &mut pace.jog_timeout),
    ("least_condition", |pace| &mut pace.least_condition),
];

const KEYS: &[&str] = &[
    "speed",
    "acceleration",
    "part_of_limit",
    "turning",
    "sliding",
    "ramp_time",
    "linear",
    "angular",
    "jog_timeout",
    "least_condition",
];

impl OperatorPart {
    pub(super) fn read(reader: &mut Reader, file: &Table<'_>) -> Self {
        let Some(table) = reader.get(file, "operator").and_then(|node| reader.table(&node, KEYS)) else {
            return Self::default();
        };
        Self {
            numbers: NUMBERS.map(|(key, _)| some_positive(reader, &table, key)),
            speed: Each::read(reader, &table, "speed"),
            acceleration: Each::read(reader, &table, "acceleration"),
        }
    }

    /// The pace of drives with these names.
    pub(super) fn pace(&self, names: &[String], notes: &Notes) -> Result<Pace, ScenarioError> {
        let mut pace = Pace::default();
        for ((_, number), given) in NUMBERS.iter().zip(self.numbers) {
            if let Some(given) = given {
                *number(&mut pace) = given;
            }
        }
        let each = |key: &str, each: &Option<Each>| {
            let values = each.as_ref().map(|each| each.of(names, None).and_then(positive));
            at(notes, &format!("operator.{key}"), values.transpose())
        };
        pace.speed = each("speed", &self.speed)?;
        pace.acceleration = each("acceleration", &self.acceleration)?;
        Ok(pace)
    }
}
