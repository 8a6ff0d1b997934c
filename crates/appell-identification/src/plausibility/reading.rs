//! Ways of reading a recording, beside the declared one: other units, and other signs.

use crate::data::{Layout, Time, Unit};
use crate::number::{percent, shown};
use crate::thresholds::{EXPLAINED, LEAST_FACTOR};
use appell::Robot;
use appell::description::JointKind;
use core::f64::consts::PI;
use core::fmt::{self, Display, Formatter};

/// A way of reading positions, time or efforts: what they are multiplied with, and what is said of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Reading {
    position: [f64; 2], // of joints that turn, and that slide
    pub(super) time: f64,
    pub(super) effort: f64,
    unit: Option<&'static str>,
    looks: &'static str, // nothing where a factor tells
    remedy: &'static str,
}

/// What a reading is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Time,
    Position,
    Effort,
}

/// The residual of the robot's file, as a part of the torques; 3 where nothing is explained.
#[derive(Clone, Copy)]
pub(super) struct Evidence {
    pub(super) as_declared: f64,
    pub(super) otherwise: f64,
}

impl Evidence {
    /// Whether the residual of the other reading is below this, and below this part of that of the declared one; nothing is to be explained
    /// otherwise where the file explains it as declared.
    pub(super) fn is_below(self, [most, part]: [f64; 2]) -> bool {
        self.as_declared > EXPLAINED[0] && self.otherwise < most && self.otherwise < part * self.as_declared
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
    const DECLARED: Self =
        Self { position: [1.0; 2], time: 1.0, effort: 1.0, unit: None, looks: "", remedy: "say position.unit" };
    const OTHER_SIGN: &'static str = "look as if they had the other sign";

    pub(super) const DEGREES: Self = Self::of_unit([PI / 180.0, 1.0], "deg", "look like degrees");
    pub(super) const RADIANS: Self = Self::of_unit([180.0 / PI, 1.0], "rad", "look like radians and not degrees");
    pub(super) const MILLIMETRES: Self = Self::of_unit([1.0, 1e-3], "mm", "look like millimetres");
    pub(super) const METRES: Self = Self::of_unit([1.0, 1e3], "m", "look like metres and not millimetres");
    pub(super) const MILLISECONDS: Self =
        Self::of_time(1e-3, "looks like milliseconds", "say time.unit = \"ms\", or another rate");
    pub(super) const MICROSECONDS: Self =
        Self::of_time(1e-6, "looks like microseconds", "say time.unit = \"us\", or another rate");
    pub(super) const SECONDS: Self =
        Self::of_time(1e3, "looks 1000 times too fast", "say time.unit = \"s\", or another rate");
    pub(super) const REVERSED: Self =
        Self { effort: -1.0, looks: Self::OTHER_SIGN, remedy: "check joint.sign and the constants", ..Self::DECLARED };
    pub(super) const TURNED: Self = Self {
        position: [-1.0; 2],
        effort: -1.0,
        looks: Self::OTHER_SIGN,
        remedy: "check joint.sign, the gears, and on which side the robot's file has the centres of mass",
        ..Self::DECLARED
    };
    pub(super) const BACKWARDS: Self = Self {
        position: [-1.0; 2],
        looks: "look as if they had the other sign, and the torques and forces not",
        remedy: "turn the sign of that column round in the data",
        ..Self::DECLARED
    };

    /// Efforts are so many times what they were taken for: a thousandth, if they are in mN m.
    pub(super) const fn efforts(factor: f64) -> Self {
        let remedy = "check effort.unit, the constants, the gears and the masses of the robot's file";
        Self { effort: factor, remedy, ..Self::DECLARED }
    }

    const fn of_unit(position: [f64; 2], unit: &'static str, looks: &'static str) -> Self {
        Self { position, unit: Some(unit), looks, ..Self::DECLARED }
    }

    const fn of_time(time: f64, looks: &'static str, remedy: &'static str) -> Self {
        Self { time, looks, remedy, ..Self::DECLARED }
    }

    pub(super) fn part(self) -> Part {
        match self {
            Self { time: 1.0, position: [1.0, 1.0], .. } => Part::Effort,
            Self { time: 1.0, .. } => Part::Position,
            _ => Part::Time,
        }
    }

    /// What positions of a joint are multiplied with.
    pub(super) fn of_position(self, kind: JointKind) -> f64 {
        self.position[usize::from(kind == JointKind::Prismatic)]
    }

    /// Of what it is, and how that looks.
    pub(super) fn words(self) -> [String; 2] {
        let what = match self.part() {
            Part::Time => "the time",
            Part::Position if self.effort == 1.0 => "the positions",
            Part::Position => "positions, torques and forces",
            Part::Effort => "the torques and forces",
        };
        let (size, how) = if self.effort > 1.0 { (self.effort, "small") } else { (1.0 / self.effort, "large") };
        let looks =
            if self.looks.is_empty() { format!("look {} times too {how}", times(size)) } else { self.looks.into() };
        [what.into(), looks]
    }

    /// What to do; positions may be those of one joint alone.
    pub(super) fn remedy(self, robot: &Robot, layout: &Layout, alone: Option<usize>) -> String {
        if self.looks.is_empty() {
            let unit =
                named(robot, layout, self.effort).map(|unit| format!("say effort.unit = \"{}\", or ", unit.word));
            return unit.unwrap_or_default() + self.remedy;
        }
        let Some(unit) = self.unit else { return self.remedy.into() };
        let units = layout.position.units.iter().zip(kinds(robot)).enumerate();
        let word = |(k, (declared, kind)): (usize, (&Unit, JointKind))| match (declared.word, kind) {
            _ if self.of_position(kind) != 1.0 && alone.is_none_or(|joint| joint == k) => unit,
            ("rad", JointKind::Prismatic) => "m",
            (word, _) => word,
        };
        let units: Vec<&str> = units.map(word).collect();
        let are_alike = units.iter().all(|unit| *unit == units[0]);
        format!("{} = {}", self.remedy, if are_alike { format!("{:?}", units[0]) } else { format!("{units:?}") })
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
    let units = |kind: JointKind, [usual, other]: [Reading; 2]| {
        let mut declared = layout.position.units.iter().zip(&kinds).filter(|(_, own)| **own == kind);
        let is_other = declared.all(|(declared, _)| Some(declared.word) == other.unit);
        kinds.contains(&kind).then_some(if is_other { usual } else { other })
    };
    let angles = units(JointKind::Revolute, [Reading::RADIANS, Reading::DEGREES]);
    let lengths = units(JointKind::Prismatic, [Reading::METRES, Reading::MILLIMETRES]);
    let in_seconds = matches!(&layout.time, Time::Column { unit, .. } if unit.in_si == 1.0);
    let others = [Reading::MILLISECONDS, Reading::MICROSECONDS, Reading::REVERSED];
    angles.into_iter().chain(lengths).chain((!in_seconds).then_some(Reading::SECONDS)).chain(others).collect()
}

/// Factors of units with the prefixes kilo and milli.
pub(super) const PREFIXES: [f64; 2] = [1e3, 1e-3];

/// Factors by which all efforts may be in another unit than declared.
pub(super) fn factors(robot: &Robot, layout: &Layout) -> Vec<f64> {
    let kinds = kinds(robot);
    let declared = layout.effort.units.first().unwrap_or(&Unit::EFFORTS[0]);
    let is_known = |unit: &&Unit| *declared != Unit::AMPERE && kinds.iter().any(|kind| unit.fits(*kind));
    let factors = Unit::EFFORTS.iter().filter(is_known).map(|unit| unit.in_si / declared.in_si);
    let is_one = |factor: &f64| (1.0 / LEAST_FACTOR..=LEAST_FACTOR).contains(factor);
    factors.chain(PREFIXES).filter(|factor| !is_one(factor)).collect()
}

/// The unit of all efforts if they are so many times what they were taken for; none where there is no such unit, or joints are of
/// different kinds, or were declared in different units.
fn named(robot: &Robot, layout: &Layout, factor: f64) -> Option<&'static Unit> {
    let kinds = kinds(robot);
    let (kind, declared) = (*kinds.first()?, layout.effort.units.first()?);
    let is_alike = |own: &Unit| own.in_si == declared.in_si && *own != Unit::AMPERE;
    let are_alike = kinds.iter().all(|other| *other == kind) && layout.effort.units.iter().all(is_alike);
    let wanted = factor * declared.in_si;
    let is_it = |unit: &&Unit| **unit != Unit::AMPERE && unit.fits(kind) && (unit.in_si / wanted - 1.0).abs() < 1e-6;
    Unit::EFFORTS.iter().find(is_it).filter(|_| are_alike)
}

#[cfg(test)]
mod tests {
    use super::Evidence;
    use crate::thresholds::{CERTAIN, LIKELY};

    #[test]
    fn what_the_file_explains_is_not_read_otherwise() {
        let is_below =
            |as_declared: f64, limits| Evidence { as_declared, otherwise: 0.1 * as_declared }.is_below(limits);
        assert!(!is_below(0.02, LIKELY) && !is_below(0.02, CERTAIN));
        assert!(is_below(0.9, LIKELY) && is_below(0.9, CERTAIN));
    }
}
