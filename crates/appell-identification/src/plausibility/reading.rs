//! Ways of reading a recording, beside the declared one: other units, and other signs.

use crate::data::{EffortUnit, Layout, PositionUnit, Time, TimeUnit, Unit};
use crate::number::{percent, shown};
use crate::thresholds::LEAST_FACTOR;
use appell::Robot;
use appell::description::JointKind;
use core::f64::consts::PI;
use core::fmt::{self, Display, Formatter};

/// A way of reading positions, time or efforts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Reading {
    /// As the layout says.
    AsDeclared,
    /// Angles are degrees.
    Degrees,
    /// Angles are radians, and were divided by 180/π.
    Radians,
    /// Slides are in millimetres.
    Millimetres,
    /// Slides are in metres, and were divided by 1000.
    Metres,
    /// Time is in milliseconds.
    Milliseconds,
    /// Time is in microseconds.
    Microseconds,
    /// Time is in seconds, and was divided by 1000.
    Seconds,
    /// Efforts are so many times what they were taken for: a thousandth, if they are in mN m.
    Efforts(f64),
    /// Efforts have the other sign.
    Reversed,
    /// Positions and efforts have the other sign.
    Turned,
    /// Positions have the other sign, and efforts do not.
    Backwards,
}

/// What a reading is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Time,
    Position,
    Effort,
}

/// The residual of the robot's file, as a part of the torques; 3 where nothing is explained.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Evidence {
    /// As the columns were declared.
    pub as_declared: f64,
    /// Otherwise.
    pub otherwise: f64,
}

impl Evidence {
    /// Whether the residual of the other reading is below this, and below this part of that of the declared one.
    pub(super) fn is_below(self, [most, part]: [f64; 2]) -> bool {
        self.otherwise < most && self.otherwise < part * self.as_declared
    }
}

impl Display for Evidence {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let part = |part: f64| if part > 1.0 { "all".to_owned() } else { percent(part) };
        let (with, without) = (part(self.otherwise), part(self.as_declared));
        write!(f, "with that the residual of the robot's file is {with} of the torques, without it {without}")
    }
}

impl Reading {
    pub(super) fn part(self) -> Part {
        match self {
            Self::Milliseconds | Self::Microseconds | Self::Seconds => Part::Time,
            Self::AsDeclared | Self::Efforts(_) | Self::Reversed => Part::Effort,
            _ => Part::Position,
        }
    }

    /// What positions of a joint are multiplied with.
    pub(super) fn of_position(self, kind: JointKind) -> f64 {
        match (self, kind) {
            (Self::Degrees, JointKind::Revolute) => PI / 180.0,
            (Self::Radians, JointKind::Revolute) => 180.0 / PI,
            (Self::Millimetres, JointKind::Prismatic) => 1e-3,
            (Self::Metres, JointKind::Prismatic) => 1e3,
            (Self::Turned | Self::Backwards, _) => -1.0,
            _ => 1.0,
        }
    }

    /// What time is multiplied with.
    pub(super) fn of_time(self) -> f64 {
        match self {
            Self::Milliseconds => 1e-3,
            Self::Microseconds => 1e-6,
            Self::Seconds => 1e3,
            _ => 1.0,
        }
    }

    /// What efforts are multiplied with.
    pub(super) fn of_effort(self) -> f64 {
        match self {
            Self::Efforts(factor) => factor,
            Self::Reversed | Self::Turned => -1.0,
            _ => 1.0,
        }
    }

    /// The units that a layout would say, of all columns of positions or efforts; none if it is about something else. Of positions, those of
    /// one joint may be read alone.
    pub(super) fn units(self, robot: &Robot, layout: &Layout, alone: Option<usize>) -> Vec<&'static str> {
        let unit = match self {
            Self::Degrees => PositionUnit::Degree,
            Self::Radians => PositionUnit::Radian,
            Self::Millimetres => PositionUnit::Millimetre,
            Self::Metres => PositionUnit::Metre,
            Self::Efforts(factor) => {
                let unit = named(robot, layout, factor);
                return unit.map_or_else(Vec::new, |unit| vec![unit.word(); layout.effort.units.len()]);
            }
            _ => return Vec::new(),
        };
        let units = layout.position.units.iter().zip(kinds(robot)).enumerate();
        let word = |(k, (&declared, kind)): (usize, (&PositionUnit, JointKind))| match (
            self.of_position(kind) != 1.0 && alone.is_none_or(|joint| joint == k),
            declared,
            kind,
        ) {
            (true, ..) => unit.word(),
            (false, PositionUnit::Radian, JointKind::Prismatic) => PositionUnit::Metre.word(),
            _ => declared.word(),
        };
        units.map(word).collect()
    }

    /// Of what, how it looks, and what to do.
    pub(super) fn words(self) -> [String; 3] {
        let [what, looks, remedy] = match self {
            Self::AsDeclared => ["the columns", "are as declared", "nothing is to be done"],
            Self::Degrees => ["the positions", "look like degrees", "say position.unit"],
            Self::Radians => ["the positions", "look like radians and not degrees", "say position.unit"],
            Self::Millimetres => ["the positions", "look like millimetres", "say position.unit"],
            Self::Metres => ["the positions", "look like metres and not millimetres", "say position.unit"],
            Self::Milliseconds => ["the time", "looks like milliseconds", "say time.unit = \"ms\", or another rate"],
            Self::Microseconds => ["the time", "looks like microseconds", "say time.unit = \"us\", or another rate"],
            Self::Seconds => ["the time", "looks 1000 times too fast", "say time.unit = \"s\", or another rate"],
            Self::Efforts(factor) => {
                let (size, how) = if factor > 1.0 { (factor, "small") } else { (1.0 / factor, "large") };
                let remedy = "check effort.unit, the constants, the gears and the masses of the robot's file";
                return [
                    "the torques and forces".into(),
                    format!("look {} times too {how}", times(size)),
                    remedy.into(),
                ];
            }
            Self::Reversed => {
                ["the torques and forces", "look as if they had the other sign", "check joint.sign and the constants"]
            }
            Self::Turned => [
                "positions, torques and forces",
                "look as if they had the other sign",
                "check joint.sign, the gears, and on which side the robot's file has the centres of mass",
            ],
            Self::Backwards => [
                "the positions",
                "look as if they had the other sign, and the torques and forces not",
                "turn the sign of that column round in the data",
            ],
        };
        [what, looks, remedy].map(Into::into)
    }
}

/// A factor with about three digits.
pub(super) fn times(factor: f64) -> String {
    shown(if factor >= 20.0 { factor.round() } else { format!("{factor:.2e}").parse().unwrap_or(factor) })
}

/// Whether measured joints turn or slide.
pub(super) fn kinds(robot: &Robot) -> Vec<JointKind> {
    robot.drives().iter().map(|drive| drive.kind).collect()
}

/// The readings that are possible of all columns of positions, time or efforts, beside what the layout declares.
pub(super) fn readings(robot: &Robot, layout: &Layout) -> Vec<Reading> {
    let kinds = kinds(robot);
    let are_all = |kind: JointKind, unit: PositionUnit| {
        let mut declared = layout.position.units.iter().zip(&kinds).filter(|(_, own)| **own == kind);
        declared.all(|(declared, _)| *declared == unit)
    };
    let (turns, slides) = (kinds.contains(&JointKind::Revolute), kinds.contains(&JointKind::Prismatic));
    let in_degrees = are_all(JointKind::Revolute, PositionUnit::Degree);
    let in_millimetres = are_all(JointKind::Prismatic, PositionUnit::Millimetre);
    let all = [
        (Reading::Degrees, turns && !in_degrees),
        (Reading::Radians, turns && in_degrees),
        (Reading::Millimetres, slides && !in_millimetres),
        (Reading::Metres, slides && in_millimetres),
        (Reading::Milliseconds, true),
        (Reading::Microseconds, true),
        (Reading::Seconds, !matches!(layout.time, Time::Column { unit: TimeUnit::Second, .. })),
        (Reading::Reversed, true),
    ];
    all.into_iter().filter(|(_, is_possible)| *is_possible).map(|(reading, _)| reading).collect()
}

/// Factors of units with the prefixes kilo and milli.
pub(super) const PREFIXES: [f64; 2] = [1e3, 1e-3];

/// Factors by which all efforts may be in another unit than declared.
pub(super) fn factors(robot: &Robot, layout: &Layout) -> Vec<f64> {
    let kinds = kinds(robot);
    let declared = layout.effort.units.first().map_or(EffortUnit::default(), |unit| *unit);
    let is_known = |unit: &EffortUnit| *unit != EffortUnit::Ampere && kinds.iter().any(|kind| unit.fits(*kind));
    let units = EffortUnit::TABLE.iter().map(|row| row.1).filter(is_known);
    let units = units.filter(|_| declared != EffortUnit::Ampere).map(|unit| unit.in_si() / declared.in_si());
    let is_one = |factor: &f64| (1.0 / LEAST_FACTOR..=LEAST_FACTOR).contains(factor);
    units.chain(PREFIXES).filter(|factor| !is_one(factor)).collect()
}

/// The unit of all efforts if they are so many times what they were taken for; none where there is no such unit, or joints are of
/// different kinds, or were declared in different units.
fn named(robot: &Robot, layout: &Layout, factor: f64) -> Option<EffortUnit> {
    let kinds = kinds(robot);
    let (kind, declared) = (*kinds.first()?, *layout.effort.units.first()?);
    let are_alike = kinds.iter().all(|other| *other == kind)
        && layout.effort.units.iter().all(|own| own.at(kind) == declared.at(kind));
    let wanted = factor * declared.in_si();
    let is_it = |unit: &EffortUnit| unit.fits(kind) && (unit.in_si() / wanted - 1.0).abs() < 1e-6;
    let mut known = EffortUnit::TABLE.iter().map(|row| row.1).filter(|unit| *unit != EffortUnit::Ampere);
    known.find(is_it).filter(|_| are_alike && declared != EffortUnit::Ampere)
}
