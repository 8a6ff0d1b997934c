//! Ways of reading a recording.

use crate::data::{EffortUnit, Layout, PositionUnit, Side, Time, TimeUnit};
use crate::parameters::Robot;
use appell::description::JointKind;
use core::f64::consts::{PI, TAU};
use core::fmt::{self, Display, Formatter};

/// A way of reading positions, time or efforts, beside the one that was said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
    /// Efforts are a thousandth of what they were taken for: mN m.
    Thousandth,
    /// Efforts are a thousand times what they were taken for: N m, divided by 1000.
    Thousandfold,
    /// Efforts point the other way.
    Reversed,
    /// Efforts are those of the motors, before the gears of the robot's file.
    BeforeGears,
    /// Positions and efforts are counted the other way.
    Turned,
}

/// What a reading is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Time,
    Position,
    Effort,
}

/// A recording that fits the robot's file much better when it is read in another way.
#[derive(Debug, Clone, PartialEq)]
pub struct Misread {
    /// Which.
    pub reading: Reading,
    /// The joint, where it is about one.
    pub joint: Option<String>,
    /// The columns it is about; none where there is no column of time.
    pub columns: Vec<String>,
    /// Where it is about units of positions or efforts that a layout can say, those of all their columns.
    pub units: Vec<&'static str>,
    /// What is left of the efforts.
    pub evidence: Evidence,
    /// Whether nothing else is likely.
    pub is_certain: bool,
}

impl core::error::Error for Misread {}

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

impl Display for Misread {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { reading, joint, columns, units, evidence, .. } = self;
        let [what, remedy] = reading.words();
        let remedy = match units.split_first() {
            None => remedy.to_owned(),
            Some((first, _)) if reading.part() == Part::Effort => {
                format!("say effort.unit = \"{first}\", or {remedy}")
            }
            Some((first, rest)) if rest.iter().all(|unit| unit == first) => format!("{remedy} = \"{first}\""),
            Some(_) => format!("{remedy} = {units:?}"),
        };
        let of_joint = joint.as_ref().map_or(String::new(), |joint| format!(" of joint `{joint}`"));
        let columns: Vec<String> = columns.iter().map(|column| format!("`{column}`")).collect();
        let columns = if columns.is_empty() { String::new() } else { format!(" ({})", columns.join(", ")) };
        write!(
            f,
            "{what}{of_joint}{columns}: {evidence}; {remedy}, or name the columns in accept.unit if they are right"
        )
    }
}

impl Reading {
    pub(super) fn part(self) -> Part {
        match self {
            Self::Degrees | Self::Radians | Self::Turns | Self::Millimetres | Self::Metres | Self::Turned => {
                Part::Position
            }
            Self::Milliseconds | Self::Microseconds | Self::Seconds => Part::Time,
            Self::AsSaid | Self::Thousandth | Self::Thousandfold | Self::Reversed | Self::BeforeGears => Part::Effort,
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
            (Self::Turned, _) => -1.0,
            _ => 1.0,
        }
    }

    /// The units of all efforts in this reading, where another word for them says it; none where they are in that unit already.
    pub(super) fn units_of_efforts(self, robot: Robot<'_>, layout: &Layout) -> Vec<&'static str> {
        let (said, unit) = match self {
            Self::Thousandth => (EffortUnit::NewtonMetre, "mN m"),
            Self::Thousandfold => (EffortUnit::MillinewtonMetre, "N m"),
            _ => return Vec::new(),
        };
        let turns = robot.measured().into_iter().all(|joint| robot.tree().links()[joint].joint == JointKind::Revolute);
        let are_all = layout.effort.units.iter().all(|own| *own == said);
        if turns && are_all { vec![unit; layout.effort.units.len()] } else { Vec::new() }
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
        let is_read = |kind: JointKind| self.of_position(kind) != 1.0;
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
            _ => 1.0,
        }
    }

    /// What efforts are multiplied with, of a joint behind this gear.
    pub(super) fn of_effort(self, gear: f64) -> f64 {
        match self {
            Self::Thousandth => 1e-3,
            Self::Thousandfold => 1e3,
            Self::Reversed | Self::Turned => -1.0,
            Self::BeforeGears => gear,
            _ => 1.0,
        }
    }

    /// Whether the robot moves faster than was said.
    pub(super) fn is_faster(self) -> bool {
        self.of_time() < 1.0
    }

    /// What it is, and what to do.
    fn words(self) -> [&'static str; 2] {
        match self {
            Self::AsSaid => ["the columns are as said", "nothing is to be done"],
            Self::Degrees => ["the positions look like degrees", "say position.unit"],
            Self::Radians => ["the positions look like radians and not degrees", "say position.unit"],
            Self::Turns => ["the positions look like turns", "say position.unit"],
            Self::Millimetres => ["the positions look like millimetres", "say position.unit"],
            Self::Metres => ["the positions look like metres and not millimetres", "say position.unit"],
            Self::Milliseconds => ["the time looks like milliseconds", "say time.unit = \"ms\", or another rate"],
            Self::Microseconds => ["the time looks like microseconds", "say time.unit = \"us\", or another rate"],
            Self::Seconds => ["the time looks 1000 times too fast", "say time.unit = \"s\", or another rate"],
            Self::Thousandth => ["the efforts look 1000 times too large", SCALE],
            Self::Thousandfold => ["the efforts look 1000 times too small", SCALE],
            Self::Reversed => ["the efforts look as if they had the other sign", "check joint.sign and the constants"],
            Self::Turned => {
                ["positions and efforts look as if counted the other way", "check joint.sign and the gears"]
            }
            Self::BeforeGears => {
                ["the efforts look like those of the motors", "say effort.side = \"motor\" with [gear]"]
            }
        }
    }
}

/// What to do about efforts of a wrong size.
const SCALE: &str = "check effort.unit, the constants and the gears";

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
        (Reading::Thousandth, true),
        (Reading::Thousandfold, true),
        (Reading::Reversed, true),
        (Reading::BeforeGears, gears(robot, layout).iter().any(|&gear| gear != 1.0)),
    ];
    all.into_iter().filter(|(_, is_possible)| *is_possible).map(|(reading, _)| reading).collect()
}
