//! A straight line of a frame, whose orientation stays or goes the shortest way: slerp.
//!
//! ```text
//! p = p₀ + s Δp      R = exp(s φ̂) R₀      φ: the rotation vector from R₀ to R₁
//! V = ṡ (Δp, φ)      V̇ = s̈ (Δp, φ)        the axis of the turn does not move
//! ```

use super::{Along, FollowError, FrameMotion, FrameReference, PathError, Rates, TimeLaw, finite};
use appell::spatial::{Acceleration, Mat3, Pose, Twist, Vec3, turn_between, turned};
use core::f64::consts::PI;

/// A line in space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Line {
    from: Pose,
    way: Vec3,
    turn: Vec3,
    law: TimeLaw,
}

/// The largest rates of a frame along its path: of its origin, m/s, m/s² and m/s³, and of its turn, rad/s and so on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrameRates {
    /// Of the origin, along the path.
    pub linear: Rates,
    /// Of the turn about its axis.
    pub angular: Rates,
}

impl FrameRates {
    /// Those of s on a way of this length with a turn by this angle.
    #[must_use]
    pub fn over(&self, length: f64, angle: f64) -> Rates {
        self.linear.over(length).and(self.angular.over(angle))
    }
}

/// Half turns have no shortest way: this near to one, rad, it is refused.
const HALF_TURN: f64 = 1e-9;

impl Line {
    /// From one pose to another by a time law.
    ///
    /// # Errors
    /// If a pose is not finite, both are the same, or half a turn apart, which may go either way.
    pub fn new(from: &Pose, to: &Pose, law: TimeLaw) -> Result<Self, PathError> {
        finite("a pose", &from.to_array())?;
        finite("a pose", &to.to_array())?;
        let (way, turn) = (to.position - from.position, slerp(&from.rotation, &to.rotation, 2)?);
        if way.norm() == 0.0 && turn.norm() == 0.0 {
            return Err(PathError::SamePlace { one: "the start", other: "the end" });
        }
        Ok(Self { from: *from, way, turn, law })
    }

    /// Way of the origin, m.
    #[must_use]
    pub fn length(&self) -> f64 {
        self.way.norm()
    }

    /// Where the frame is and how it moves after the time `t`; at rest before the start and after the end.
    #[must_use]
    pub fn motion(&self, t: f64) -> FrameMotion {
        let Along { s, rate, second } = self.law.at(t);
        // Without a turn the orientation is as given, to the last digit.
        let still = self.turn == Vec3::zero(0.0);
        let rotation = if still { self.from.rotation } else { turned(&self.from.rotation, self.turn.scale(s)) };
        FrameMotion {
            pose: Pose { rotation, position: self.from.position + self.way.scale(s) },
            twist: Twist { linear: self.way.scale(rate), angular: self.turn.scale(rate) },
            acceleration: Acceleration { linear: self.way.scale(second), angular: self.turn.scale(second) },
        }
    }
}

/// The rotation vector of the shortest turn to the orientation of a point; one of half a turn is refused.
pub(super) fn slerp(from: &Mat3, to: &Mat3, point: usize) -> Result<Vec3, PathError> {
    let turn = turn_between(from, to);
    let off = (turn.norm() - PI).abs();
    if off < HALF_TURN { Err(PathError::HalfTurn { point, off }) } else { Ok(turn) }
}

impl FrameReference for Line {
    fn duration(&self) -> f64 {
        self.law.duration()
    }

    fn at(&mut self, t: f64) -> Result<FrameMotion, FollowError> {
        Ok(self.motion(t))
    }
}
