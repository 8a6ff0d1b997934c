//! An arc of a circle, of a frame whose orientation stays, goes the shortest way, or turns with the arc.
//!
//! ```text
//! p = c + ρ,  ρ = cos(θ s) ρ₀ + sin(θ s) n × ρ₀           n: the axis, θ: the angle of the whole arc
//! ṗ = θ ṡ n × ρ      p̈ = θ s̈ n × ρ − (θ ṡ)² ρ
//! ```

use super::line::slerp;
use super::{Along, FollowError, FrameMotion, FrameReference, PathError, TimeLaw, finite};
use appell::spatial::{Acceleration, Mat3, Pose, Twist, Vec3, turned};
use core::f64::consts::TAU;

/// An arc of a circle in space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Arc {
    start: Mat3,
    centre: Vec3,
    radius: Vec3, // ρ₀
    axis: Vec3,
    angle: f64,
    turn: Vec3, // of the orientation, over the whole arc
    law: TimeLaw,
}

/// How a frame is turned along an arc.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Attitude {
    /// As at the start.
    Constant,
    /// The shortest way to this orientation at the end.
    Slerp(Mat3),
    /// With the arc: the centre stays where it is as seen from the frame.
    Following,
}

/// Three points this near to a line, over the distance of the outer ones, lie on it.
const COLLINEAR: f64 = 1e-9;

impl Arc {
    /// From a pose through a point to another point.
    ///
    /// # Errors
    /// If a number is not finite, two points are the same, or all lie on a line.
    pub fn through(from: &Pose, through: Vec3, to: Vec3, attitude: Attitude, law: TimeLaw) -> Result<Self, PathError> {
        finite("a pose", &from.to_array())?;
        finite("a point", through.to_array().iter().chain(&to.to_array()))?;
        let (a, b) = (through - from.position, to - from.position);
        for (way, one, other) in [
            (a, "the start", "the point on the way"),
            (b, "the start", "the end"),
            (b - a, "the point on the way", "the end"),
        ] {
            if way.norm() == 0.0 {
                return Err(PathError::SamePlace { one, other });
            }
        }
        // The circumcentre, seen from the start: (a² b − b² a) × (a × b) / 2 |a × b|².
        let normal = a.cross(b);
        let distance = normal.norm() / b.norm().max(a.norm());
        if distance <= COLLINEAR * a.norm().max(b.norm()) {
            return Err(PathError::Collinear { distance });
        }
        let to_centre = (b.scale(a.dot(a)) - a.scale(b.dot(b))).cross(normal).scale(0.5 / normal.dot(normal));
        let axis = normal.scale(1.0 / normal.norm());
        let (rho, end) = (-to_centre, b - to_centre);
        // The way from start over `through` to the end turns about +n, by less than a whole turn.
        let angle = axis.dot(rho.cross(end)).atan2(rho.dot(end));
        let angle = if angle > 0.0 { angle } else { angle + TAU };
        Self::about(from, from.position + to_centre, axis, angle, attitude, law)
    }

    /// From a pose about an axis through a centre, by an angle, rad, which may be more than a turn and negative.
    ///
    /// ```
    /// use appell_simulation::trajectory::{Arc, Attitude, Shape, TimeLaw};
    /// use appell::spatial::{Pose, Vec3};
    ///
    /// let start = Pose { position: Vec3::new(1.0, 0.0, 0.5), ..Pose::identity(0.0) };
    /// let (up, law) = (Vec3::new(0.0, 0.0, 1.0), TimeLaw::new(Shape::Constant, 2.0)?);
    /// let arc = Arc::about(&start, Vec3::zero(0.0), up, 3.0, Attitude::Constant, law)?;
    /// assert!((arc.motion(1.0).twist.linear.norm() - 1.5).abs() < 1e-15, "θ / T times the radius");
    /// assert!((arc.motion(1.0).acceleration.linear.norm() - 2.25).abs() < 1e-15);
    /// # Ok::<(), appell_simulation::trajectory::PathError>(())
    /// ```
    ///
    /// # Errors
    /// If a number is not finite, the angle or the axis is zero, the start lies on the axis, or the turn to the
    /// orientation of the end is half a turn.
    pub fn about(
        from: &Pose,
        centre: Vec3,
        axis: Vec3,
        angle: f64,
        attitude: Attitude,
        law: TimeLaw,
    ) -> Result<Self, PathError> {
        finite("a pose", &from.to_array())?;
        finite("centre, axis or angle", centre.to_array().iter().chain(&axis.to_array()).chain(&[angle]))?;
        let length = super::positive("length of the axis", axis.norm())?;
        if angle == 0.0 {
            return Err(PathError::SamePlace { one: "the start", other: "the end" });
        }
        let axis = axis.scale(1.0 / length);
        let arm = from.position - centre;
        let along = axis.scale(axis.dot(arm)); // the circle lies in the plane of the start
        let radius = arm - along;
        if radius.norm() <= COLLINEAR * arm.norm() {
            return Err(PathError::OnAxis);
        }
        let turn = match attitude {
            Attitude::Constant => Vec3::zero(0.0),
            Attitude::Slerp(end) => {
                finite("an orientation", end.rows.map(Vec3::to_array).as_flattened())?;
                slerp(&from.rotation, &end, 2)?
            }
            Attitude::Following => axis.scale(angle),
        };
        Ok(Self { start: from.rotation, centre: centre + along, radius, axis, angle, turn, law })
    }

    /// The middle of the circle.
    #[must_use]
    pub fn centre(&self) -> Vec3 {
        self.centre
    }

    /// m.
    #[must_use]
    pub fn radius(&self) -> f64 {
        self.radius.norm()
    }

    /// Of the whole arc, rad.
    #[must_use]
    pub fn angle(&self) -> f64 {
        self.angle
    }

    /// Way of the origin, m.
    #[must_use]
    pub fn length(&self) -> f64 {
        self.radius() * self.angle.abs()
    }

    /// Where the frame is and how it moves after the time `t`; at rest before the start and after the end.
    #[must_use]
    pub fn motion(&self, t: f64) -> FrameMotion {
        let Along { s, rate, second } = self.law.at(t);
        let (sin, cos) = (self.angle * s).sin_cos();
        let rho = self.radius.scale(cos) + self.axis.cross(self.radius).scale(sin);
        let (spin, angular_acceleration) = (self.angle * rate, self.angle * second);
        let tangent = self.axis.cross(rho);
        let still = self.turn == Vec3::zero(0.0);
        FrameMotion {
            pose: Pose {
                rotation: if still { self.start } else { turned(&self.start, self.turn.scale(s)) },
                position: self.centre + rho,
            },
            twist: Twist { linear: tangent.scale(spin), angular: self.turn.scale(rate) },
            acceleration: Acceleration {
                linear: tangent.scale(angular_acceleration) - rho.scale(spin * spin),
                angular: self.turn.scale(second),
            },
        }
    }
}

impl FrameReference for Arc {
    fn duration(&self) -> f64 {
        self.law.duration()
    }

    fn at(&mut self, t: f64) -> Result<FrameMotion, FollowError> {
        Ok(self.motion(t))
    }
}
