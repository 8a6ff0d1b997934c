//! Ways of reading a recording.

use crate::data::{EffortUnit, Layout, PositionUnit, Side, Time, TimeUnit, Unit};
use crate::number::shown;
use crate::parameters::Robot;
use appell::description::JointKind;
use core::f64::consts::{PI, TAU};
use core::fmt::{self, Display, Formatter};

/// A way of reading positions, time or efforts, beside the one that was said.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Reading {
    /// As the layout says.
    AsSaid,
    /// Angles are degrees.
    Degrees,
    /// Angles are radians, and were divided by 180/π.
    Radians,
    /// Angles are turns. Of one joint, and never certain: a factor of six is near what a rough file may be off.
    Turns,
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
    /// Time passed so many times as slowly.
    Pace(f64),
    /// Efforts are so many times what they were taken for: a thousandth, if they are in mN m.
    Efforts(f64),
    /// Efforts point the other way.
    Reversed,
    /// Efforts are those of the motors, before the gears of the robot's file.
    BeforeGears,
    /// Positions and efforts are counted the other way.
    Turned,
    /// Positions are counted the other way, and efforts are not.
    Backwards,
    /// Gravity pulls the other way: the robot hangs, or stands.
    UpsideDown,
    /// Angles are counted from a zero that is off, so that so many rad are to be added.
    Shifted(f64),
}

/// What a reading is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Time,
    Position,
    Effort,
    Gravity,
}

/// What is left unexplained of efforts, as a part of them; 3 where nothing is explained.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Evidence {
    /// As the columns were said to be.
    pub as_said: f64,
    /// Otherwise.
    pub otherwise: f64,
}

impl Display for Evidence {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let part = |part: f64| if part > 1.0 { "all".to_owned() } else { format!("{:.0} %", 100.0 * part) };
        let (with, without) = (part(self.otherwise), part(self.as_said));
        write!(f, "with that the robot's file leaves {with} of the efforts unexplained, without it {without}")
    }
}

impl Reading {
    pub(super) fn part(self) -> Part {
        match self {
            Self::Degrees
            | Self::Radians
            | Self::Turns
            | Self::Millimetres
            | Self::Metres
            | Self::Turned
            | Self::Backwards
            | Self::Shifted(_) => Part::Position,
            Self::Milliseconds | Self::Microseconds | Self::Seconds | Self::Pace(_) => Part::Time,
            Self::UpsideDown => Part::Gravity,
            Self::AsSaid | Self::Efforts(_) | Self::Reversed | Self::BeforeGears => Part::Effort,
        }
    }

    /// What positions of a joint are multiplied with.
    pub(super) fn of_position(self, kind: JointKind) -> f64 {
        match (self, kind) {
            (Self::Degrees, JointKind::Revolute) => PI / 180.0,
            (Self::Radians, JointKind::Revolute) => 180.0 / PI,
            (Self::Turns, JointKind::Revolute) => TAU,
            (Self::Millimetres, JointKind::Prismatic) => 1e-3,
            (Self::Metres, JointKind::Prismatic) => 1e3,
            (Self::Turned | Self::Backwards, _) => -1.0,
            _ => 1.0,
        }
    }

    /// What is added to positions of a joint.
    pub(super) fn shift(self, kind: JointKind) -> f64 {
        match (self, kind) {
            (Self::Shifted(angle), JointKind::Revolute) => angle,
            _ => 0.0,
        }
    }

    /// Whether positions of a joint are others in this reading.
    pub(super) fn is_about(self, kind: JointKind) -> bool {
        self.of_position(kind) != 1.0 || self.shift(kind) != 0.0
    }

    /// The units of all efforts in this reading, where another word for them says it; none where they are in that unit already.
    pub(super) fn units_of_efforts(self, robot: Robot<'_>, layout: &Layout) -> Vec<&'static str> {
        let unit = match self {
            Self::Efforts(factor) => named(robot, layout, factor),
            _ => None,
        };
        unit.map_or_else(Vec::new, |unit| vec![unit.word(); layout.effort.units.len()])
    }

    /// The units of all positions in this reading, of all joints or of one alone; none if it is about something else.
    pub(super) fn units(self, robot: Robot<'_>, layout: &Layout, alone: Option<usize>) -> Vec<&'static str> {
        let unit = match self {
            Self::Degrees => PositionUnit::Degree,
            Self::Radians => PositionUnit::Radian,
            Self::Turns => PositionUnit::Turn,
            Self::Millimetres => PositionUnit::Millimetre,
            Self::Metres => PositionUnit::Metre,
            _ => return Vec::new(),
        };
        let kinds = robot.measured().into_iter().map(|joint| robot.tree().links()[joint].joint);
        let is_read = |kind: JointKind| self.is_about(kind);
        let units = layout.position.units.iter().zip(kinds).enumerate();
        let word = |(k, (&said, kind)): (usize, (&PositionUnit, JointKind))| match (
            is_read(kind) && alone.is_none_or(|joint| joint == k),
            said,
            kind,
        ) {
            (true, ..) => unit.word(),
            (false, PositionUnit::Radian, JointKind::Prismatic) => PositionUnit::Metre.word(),
            _ => said.word(),
        };
        units.map(word).collect()
    }

    /// What time is multiplied with.
    pub(super) fn of_time(self) -> f64 {
        match self {
            Self::Milliseconds => 1e-3,
            Self::Microseconds => 1e-6,
            Self::Seconds => 1e3,
            Self::Pace(factor) => factor,
            _ => 1.0,
        }
    }

    /// What efforts are multiplied with, of a joint behind this gear.
    pub(super) fn of_effort(self, gear: f64) -> f64 {
        match self {
            Self::Efforts(factor) => factor,
            Self::Reversed | Self::Turned => -1.0,
            Self::BeforeGears => gear,
            _ => 1.0,
        }
    }

    /// Whether the robot moves faster than was said.
    pub(super) fn is_faster(self) -> bool {
        self.of_time() < 1.0
    }

    /// Of what, how it looks, and what to do.
    pub(super) fn words(self) -> [String; 3] {
        let size = |factor: f64| times(if factor > 1.0 { factor } else { 1.0 / factor });
        let [what, looks, remedy] = match self {
            Self::AsSaid => ["the columns", "are as said", "nothing is to be done"],
            Self::Degrees => ["the positions", "look like degrees", "say position.unit"],
            Self::Radians => ["the positions", "look like radians and not degrees", "say position.unit"],
            Self::Turns => ["the positions", "look like turns", "say position.unit"],
            Self::Millimetres => ["the positions", "look like millimetres", "say position.unit"],
            Self::Metres => ["the positions", "look like metres and not millimetres", "say position.unit"],
            Self::Milliseconds => ["the time", "looks like milliseconds", "say time.unit = \"ms\", or another rate"],
            Self::Microseconds => ["the time", "looks like microseconds", "say time.unit = \"us\", or another rate"],
            Self::Seconds => ["the time", "looks 1000 times too fast", "say time.unit = \"s\", or another rate"],
            Self::Pace(factor) => {
                let how = if factor > 1.0 { "fast" } else { "slow" };
                let remedy = "check time.unit and time.rate, and the inertias of the robot's file";
                return ["the time".into(), format!("looks {} times too {how}", size(factor)), remedy.into()];
            }
            Self::Efforts(factor) => {
                let how = if factor > 1.0 { "small" } else { "large" };
                let remedy = "check effort.unit, the constants, the gears and the masses of the robot's file";
                return ["the efforts".into(), format!("look {} times too {how}", size(factor)), remedy.into()];
            }
            Self::Reversed => {
                ["the efforts", "look as if they had the other sign", "check joint.sign and the constants"]
            }
            Self::Turned => [
                "positions and efforts",
                "look as if counted the other way",
                "check joint.sign, the gears, and on which side the robot's file has the centres of mass",
            ],
            Self::Backwards => [
                "the positions",
                "look as if counted the other way, and the efforts not",
                "turn the sign of that column round in the data",
            ],
            Self::BeforeGears => {
                ["the efforts", "look like those of the motors", "say effort.side = \"motor\" with [gear]"]
            }
            Self::UpsideDown => [
                "gravity",
                "looks as if it pulled the other way",
                "check gravity in the robot's file: does the robot hang?",
            ],
            Self::Shifted(angle) => {
                let degrees = angle.to_degrees().round();
                return [
                    "the zero".into(),
                    format!("looks {} degrees off", degrees.abs()),
                    format!(
                        "add {degrees} degrees to joint.offset, or check on which side the robot's file has the centres of mass"
                    ),
                ];
            }
        };
        [what, looks, remedy].map(Into::into)
    }
}

/// A factor with about three digits.
pub(super) fn times(factor: f64) -> String {
    shown(if factor >= 20.0 { factor.round() } else { format!("{factor:.2e}").parse().unwrap_or(factor) })
}

/// By how much a factor may be off from that of a unit.
const NEAR: f64 = 0.05;

/// The unit of all efforts if they are so many times what they were taken for; none where there is no such unit, or joints are of
/// different kinds, or were said to be in different units.
pub(super) fn named(robot: Robot<'_>, layout: &Layout, factor: f64) -> Option<EffortUnit> {
    let mut kinds = robot.measured().into_iter().map(|joint| robot.tree().links()[joint].joint);
    let kind = kinds.next().filter(|first| kinds.all(|kind| kind == *first))?;
    let said = *layout.effort.units.first()?;
    let are_alike = layout.effort.units.iter().all(|own| own.at(kind) == said.at(kind));
    let wanted = factor * said.in_si();
    let mut known = EffortUnit::WORDS.iter().map(|(_, unit)| *unit);
    let is_it = |unit: &EffortUnit| {
        unit.fits(kind) && *unit != EffortUnit::Ampere && (unit.in_si() / wanted - 1.0).abs() < NEAR
    };
    known.find(is_it).filter(|_| are_alike && said != EffortUnit::Ampere)
}

/// A gear below this is as good as none.
const GEAR: f64 = 8.0;

/// The gears of the measured joints by the layout, where efforts are said to be behind them, or by the robot's file; 1 where there is
/// none.
pub(super) fn gears(robot: Robot<'_>, layout: &Layout) -> Vec<f64> {
    if let (Some(gear), Side::Joint) = (&layout.gear, layout.effort.side) {
        return gear.diagonal().iter().copied().collect();
    }
    let gear = |joint: usize| robot.tree().effects()[joint].rotor.gear;
    robot.measured().into_iter().map(|joint| if gear(joint).abs() > GEAR { gear(joint) } else { 1.0 }).collect()
}

/// The readings that are possible of a robot, beside the units that the layout says.
pub(super) fn readings(robot: Robot<'_>, layout: &Layout) -> Vec<Reading> {
    let kinds: Vec<JointKind> = robot.measured().into_iter().map(|joint| robot.tree().links()[joint].joint).collect();
    let are_all = |kind: JointKind, unit: PositionUnit| {
        let mut said = layout.position.units.iter().zip(&kinds).filter(|(_, own)| **own == kind);
        said.all(|(said, _)| *said == unit)
    };
    let (turns, slides) = (kinds.contains(&JointKind::Revolute), kinds.contains(&JointKind::Prismatic));
    let in_degrees = are_all(JointKind::Revolute, PositionUnit::Degree);
    let in_millimetres = are_all(JointKind::Prismatic, PositionUnit::Millimetre);
    let is_second = matches!(layout.time, Time::Column { unit: TimeUnit::Second, .. });
    // Loops do not close so far from home, which takes long to find out.
    let is_open = matches!(robot, Robot::Tree(_));
    let all = [
        (Reading::Degrees, turns && !in_degrees),
        (Reading::Radians, turns && in_degrees),
        (Reading::Turns, turns && is_open && are_all(JointKind::Revolute, PositionUnit::Radian)),
        (Reading::Millimetres, slides && !in_millimetres),
        (Reading::Metres, slides && in_millimetres),
        (Reading::Milliseconds, true),
        (Reading::Microseconds, true),
        (Reading::Seconds, !is_second),
        (Reading::Efforts(1e-3), true),
        (Reading::Efforts(1e3), true),
        (Reading::Reversed, true),
        (Reading::UpsideDown, true),
        (Reading::BeforeGears, gears(robot, layout).iter().any(|&gear| gear != 1.0)),
    ];
    all.into_iter().filter(|(_, is_possible)| *is_possible).map(|(reading, _)| reading).collect()
}
