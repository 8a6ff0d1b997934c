//! The joints of a leg, by what they do to the point of its closing joint.

use super::super::ClosedMechanism;
use super::super::constraints::{Constraints, PointMotion};
use crate::description::JointKind;
use crate::real::Real;
use crate::spatial::Vec3;

/// What a joint gives the leg's end, a unit of its rate.
#[derive(Debug, Clone, Copy)]
pub(super) struct UnitMotion<T> {
    joint: JointKind,
    pub(super) linear: Vec3<T>,  // of the point
    pub(super) angular: Vec3<T>, // zero of a slide
}

impl<T: Real> UnitMotion<T> {
    pub(super) fn with_scalar(robot: &ClosedMechanism, j: usize, like: T) -> Self {
        let zero = Vec3::zero(like);
        Self { joint: robot.tree().links()[j].joint, linear: zero, angular: zero }
    }

    #[inline(always)]
    pub(super) fn place(&mut self, robot: &ClosedMechanism, all: &Constraints<T>, j: usize, point: Vec3<T>) {
        (self.linear, self.angular) = all.unit_motion(robot, j, point);
    }
}

/// Motion of the leg's end at q̈ = 0, gathered from the last joint inwards.
///
/// ```text
/// v = Σ uₖ        ω = Σ ωₖ        a = Σ ωₖ × (uₖ + 2 v′)        ω̇ = Σ ωₖ × ω′
/// ```
///
/// uₖ and ωₖ are what joint k gives, v′ and ω′ what all joints beyond it give. A slide has no ωₖ.
#[inline(always)]
pub(super) fn end_motion<T: Real>(joints: &[UnitMotion<T>], rates: &[T], like: T) -> PointMotion<T> {
    let mut end = PointMotion::at_rest(like);
    let last = joints.len().wrapping_sub(1);
    for (k, (joint, &rate)) in joints.iter().zip(rates).enumerate().rev() {
        let linear = joint.linear.times(rate);
        if joint.joint == JointKind::Revolute {
            let angular = joint.angular.times(rate);
            if k == last {
                (end.acceleration, end.omega) = (angular.cross(linear), angular);
            } else {
                let beyond = end.velocity + end.velocity + linear;
                end.acceleration = end.acceleration + angular.cross(beyond);
                end.omega_dot = end.omega_dot + angular.cross(end.omega);
                end.omega = end.omega + angular;
            }
        }
        end.velocity = if k == last { linear } else { end.velocity + linear };
    }
    end
}
