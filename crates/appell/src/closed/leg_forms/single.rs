//! The joint of a leg of three that a pair leaves: before it, or after it.
//!
//! A joint after the pair moves the leg's end, one before it moves the goal backwards. Either way a point m goes where
//! the pair can bring it over the point k: there it has the distance or the height that the pair keeps.
//!
//! ```text
//! turn    2 d·R w = |k − c|² − |w|² − |d|²    d = p − c, w = m − p, the heights along s taken together
//!         n·R w   = n·(k − p)
//! slide   |m + q s − c| = |k − c|             n·(m + q s) = n·k
//! ```

use super::pair::Kept;
use super::roots::{self, JointAxis, Position, Roots, across};
use crate::description::JointKind;
use crate::real::{Measured, Real};
use crate::spatial::Vec3;

/// Below this, over the size of the leg, a joint does not change what the pair keeps.
const STILL: f64 = 1e-6;

/// The joint, as it moves the point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Single(JointAxis);

impl Single {
    /// A joint before the pair, unless what the pair keeps does not depend on it.
    pub(super) fn before(joint_axis: JointAxis, kept: Kept, size: f64) -> Option<Self> {
        is_effective(&joint_axis, kept, size).then(|| Self(joint_axis.reversed()))
    }

    /// A joint after the pair, which moves the `end`, unless what the pair keeps does not depend on it.
    pub(super) fn after(joint_axis: JointAxis, kept: Kept, end: Vec3, size: f64) -> Option<Self> {
        let moves = joint_axis.joint == JointKind::Prismatic
            || across(joint_axis.axis, end - joint_axis.point).norm() > STILL * size;
        (moves && is_effective(&joint_axis, kept, size)).then_some(Self(joint_axis))
    }

    /// Where the joint carries a point that it moves.
    #[inline(always)]
    pub(super) fn carry<T: Real>(&self, position: Position<T>, m: Vec3<T>) -> Vec3<T> {
        self.0.carry(position, m)
    }

    /// The positions in which the pair can bring m over k.
    #[inline(always)]
    pub(super) fn solve<T: Measured>(&self, kept: Kept, m: Vec3<T>, k: Vec3<T>, near: f64) -> Roots<T> {
        let JointAxis { joint, axis, point } = self.0;
        let like = m.x;
        let (s, p) = (axis.lift(like), point.lift(like));
        match (joint, kept) {
            (JointKind::Revolute, Kept::DistanceFrom(centre)) => {
                let (w, d, c) = (across(s, m - p), across(axis, point - centre).lift(like), centre.lift(like));
                let (height, goal) = (s.dot(m - c), k - c);
                let rest = (goal.dot(goal) - height * height - w.dot(w) - d.dot(d)).scale(0.5);
                roots::turns([w.dot(d), s.dot(w.cross(d)), rest], w.dot(w) * d.dot(d), near)
            }
            (JointKind::Revolute, Kept::HeightAlong(normal)) => {
                let (w, n) = (m - p, normal.lift(like));
                let rest = n.dot(k - p) - s.dot(w).scale(axis.dot(normal));
                roots::turns([across(s, n).dot(w), s.dot(w.cross(n)), rest], w.dot(w), near)
            }
            (JointKind::Prismatic, Kept::DistanceFrom(centre)) => {
                let c = centre.lift(like);
                roots::slides(s, m - c, (k - c).dot(k - c))
            }
            (JointKind::Prismatic, Kept::HeightAlong(n)) => roots::slide_to_height(n, axis, n.lift(like).dot(k - m)),
        }
    }
}

fn is_effective(joint_axis: &JointAxis, kept: Kept, size: f64) -> bool {
    let effect = match (joint_axis.joint, kept) {
        (JointKind::Revolute, Kept::DistanceFrom(centre)) => {
            across(joint_axis.axis, centre - joint_axis.point).norm() / size
        }
        (JointKind::Revolute, Kept::HeightAlong(normal)) => across(joint_axis.axis, normal).norm(),
        (JointKind::Prismatic, Kept::DistanceFrom(_)) => 1.0,
        (JointKind::Prismatic, Kept::HeightAlong(normal)) => joint_axis.axis.dot(normal).abs(),
    };
    effect > STILL
}
