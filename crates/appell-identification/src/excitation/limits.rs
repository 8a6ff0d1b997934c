//! What a motion may not exceed, drive by drive.

use super::ExcitationError;
use appell::description::JointKind;
use appell::{Joint, Robot};
use appell_simulation::trajectory::limits::Quantity;
use core::f64::consts::PI;

/// Sizes that limits have: beyond them nothing can be computed, and no robot moves.
const SIZES: [f64; 2] = [1e-9, 1e9];

/// How far, fast and strong a driven joint may be; infinite where there is no limit.
#[derive(Debug, Clone, PartialEq)]
pub struct DriveLimits {
    /// The joint's name.
    pub joint: String,
    /// Least position, rad or m.
    pub lower: f64,
    /// Largest position, rad or m.
    pub upper: f64,
    /// Largest speed, rad/s or m/s.
    pub velocity: f64,
    /// Largest acceleration, rad/s² or m/s². No robot file says it.
    pub acceleration: f64,
    /// Largest effort, N m or N, by the robot's parameters as they are.
    pub effort: f64,
}

impl DriveLimits {
    /// Those of a robot's description, one per drive: without accelerations, and with ±π where a turning joint of an open robot
    /// has no end.
    #[must_use]
    pub fn of(robot: &Robot) -> Vec<Self> {
        let limits = |Joint { name, kind, limits: described, .. }: Joint<'_>| {
            let turns = kind == JointKind::Revolute && robot.closed().is_none();
            let range = |limit: f64, turn: f64| if limit.is_infinite() && turns { turn } else { limit };
            Self {
                joint: name.to_owned(),
                lower: range(described.lower, -PI),
                upper: range(described.upper, PI),
                velocity: described.velocity,
                acceleration: f64::INFINITY,
                effort: described.effort,
            }
        };
        robot.drives().into_iter().map(limits).collect()
    }

    /// The middle of the range.
    pub(super) fn middle(&self) -> f64 {
        0.5 * (self.lower + self.upper)
    }

    /// Half the range.
    pub(super) fn half(&self) -> f64 {
        0.5 * (self.upper - self.lower)
    }

    /// How far a wave of so many radians a second may swing by each limit, with the limit itself; that of position is the whole range.
    fn swings(&self, omega: f64) -> [(Quantity, f64, f64); 3] {
        [
            (Quantity::Position, self.upper - self.lower, self.half()),
            (Quantity::Velocity, self.velocity, self.velocity / omega),
            (Quantity::Acceleration, self.acceleration, self.acceleration / (omega * omega)),
        ]
    }

    /// Refuses limits that leave no motion.
    pub(super) fn check(&self) -> Result<(), ExcitationError> {
        let joint = || self.joint.clone();
        if !(self.lower.is_finite() && self.upper.is_finite()) {
            return Err(ExcitationError::NoRange { joint: joint() });
        }
        if self.lower >= self.upper {
            return Err(ExcitationError::Range { joint: joint(), lower: self.lower, upper: self.upper });
        }
        let rates = [
            (Quantity::Velocity, self.velocity),
            (Quantity::Acceleration, self.acceleration),
            (Quantity::Effort, self.effort),
        ];
        if let Some((quantity, limit)) = rates.into_iter().find(|(_, limit)| limit.is_nan() || *limit <= 0.0) {
            return Err(ExcitationError::Limit { joint: joint(), quantity, limit });
        }
        let [least, most] = SIZES;
        let ends = [(Quantity::Position, self.lower), (Quantity::Position, self.upper)];
        let too_far = ends.into_iter().find(|(_, limit)| limit.abs() > most);
        let too_near = (self.upper - self.lower < least).then_some((Quantity::Position, self.upper));
        let mut rates = rates.into_iter().filter(|(_, limit)| limit.is_finite());
        let absurd = rates.find(|(_, limit)| !(least..=most).contains(limit));
        match too_far.or(too_near).or(absurd) {
            Some((quantity, limit)) => Err(ExcitationError::Absurd { joint: joint(), quantity, limit }),
            None => Ok(()),
        }
    }
}

/// The joint that may swing least in so many seconds, by which limit, and that limit.
///
/// # Panics
/// If there is no drive.
pub(super) fn narrowest(limits: &[DriveLimits], seconds: f64) -> (String, Quantity, f64) {
    let swings = limits.iter().flat_map(|own| own.swings(2.0 * PI / seconds).map(|swing| (own, swing)));
    let least = swings.min_by(|(_, one), (_, other)| one.2.total_cmp(&other.2));
    let (own, (quantity, limit, _)) = least.expect("a robot with drives");
    (own.joint.clone(), quantity, limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In 2π s a limit of velocity is an amplitude, so is one of acceleration.
    #[test]
    fn the_narrowest_limit_is_that_of_the_smallest_swing() {
        let limits = |joint: &str, half: f64, velocity: f64, acceleration: f64| DriveLimits {
            joint: joint.into(),
            lower: 1.0 - half,
            upper: 1.0 + half,
            velocity,
            acceleration,
            effort: 1.0,
        };
        let mut all = vec![limits("a", 2.0, 1.0, 3.0), limits("b", 1.5, f64::INFINITY, 0.5)];
        assert_eq!(narrowest(&all, 2.0 * PI), ("b".into(), Quantity::Acceleration, 0.5));
        // A tenth of the time: velocities do a tenth, accelerations a hundredth.
        assert_eq!(narrowest(&all[..1], 0.2 * PI), ("a".into(), Quantity::Acceleration, 3.0));
        all.push(limits("c", 0.25, 1.0, 1.0));
        assert_eq!(narrowest(&all, 2.0 * PI), ("c".into(), Quantity::Position, 0.5));
    }
}
