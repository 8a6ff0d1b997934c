//! What the methods in base axes share: wrenches summed towards the base and read along the joints.

use crate::description::JointKind;
use crate::kinematics::BodyMotion;
use crate::mechanism::Mechanism;
use crate::real::Real;
use crate::spatial::Wrench;

/// Adds each body's wrench, about its origin, to its carrier's, about the carrier's: of a body and all beyond.
#[inline(always)]
pub(super) fn sum_towards_base<T: Real>(robot: &Mechanism, bodies: &[BodyMotion<T>], wrenches: &mut [Wrench<T>]) {
    for (j, link) in robot.links().iter().enumerate().rev() {
        if let Some(p) = link.parent {
            let arm = bodies[j].pose.position - bodies[p].pose.position;
            wrenches[p] = wrenches[p] + wrenches[j].about(arm);
        }
    }
}

/// The part of a wrench, about the joint's origin, along the joint: its generalised force.
#[inline(always)]
pub(crate) fn along_joint<T: Real>(joint: JointKind, body: &BodyMotion<T>, wrench: Wrench<T>) -> T {
    body.axis().dot(joint.pick(wrench.moment, wrench.force))
}
