//! Inverse kinematics in closed form of the common legs of parallel robots: all positions of two or three joints that
//! bring the leg's end to its closing joint.
//!
//! A leg is recognised by where its axes are when its joints are at zero: its placements may have any parameters.
//! Two neighbours that make a [`Pair`] are solved together, the third joint by what the pair keeps of a point, as Paden
//! and Kahan solve arms (Murray1994, §3.3).
//!
//! | leg | joints | pair | third joint by | solutions |
//! |---|---|---|---|---|
//! | UPS, UPU, URS | two axes that meet, then any | universal | distance from their centre | 4 |
//! | RUS, RUU of a Delta, PUS | any, then two axes that meet | universal | distance from their centre | 4 |
//! | planar RR | parallel axes | planar | | 2 |
//! | RPS, PRS | a turn and a slide at a right angle | planar | | 2 |
//! | R‖RR, RR‖R, PRR … | a planar pair and a joint out of its plane | planar | height over the plane | 4 |
//! | US | two axes that meet | universal | | 2 |
//! | spherical RR-R | two axes and the closing one meet | universal, on the closing axis | | 2 |
//!
//! The closing joint is spherical, universal or revolute; all but the last row reach its point. Where a pose asks for
//! more than the leg can do, the answer is as near as the form comes.

mod pair;
mod roots;
mod single;

use super::closure::{Closure, Constraint, On};
use super::{ClosedMechanism, Leg};
use crate::description::ClosingJoint;
use crate::real::Measured;
use crate::spatial::{Pose, Vec3};
use pair::Pair;
pub(super) use roots::is_positive;
use roots::{JointAxis, Roots};
use single::Single;

/// What is taken for rounding, over the size of the leg.
const ROUNDING: f64 = 1e-12;

/// Positions of the joints of a leg; the third is unused in a leg of two.
pub(super) type Positions<T = f64> = [T; 3];

/// How the joints of a leg are found.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Form {
    split: Split,
    platform_from_end: Pose,
}

/// Who does what of a leg's joints. `end` is the point of the leg that must meet the closing joint, with all joints at
/// zero.
#[derive(Debug, Clone, PartialEq)]
enum Split {
    /// Two joints bring a point over the other.
    Pair { pair: Pair, end: Vec3 },
    /// A joint, then a pair.
    Before { single: Single, pair: Pair, end: Vec3 },
    /// A pair, then a joint.
    After { pair: Pair, single: Single, end: Vec3 },
    /// Two joints bring the closing joint's axis, which passes through their centre, over the other.
    Axis { pair: Pair, axis: Vec3 },
}

impl Form {
    /// The form of a leg, if it has one.
    pub(super) fn new(robot: &ClosedMechanism, leg: &Leg) -> Option<Self> {
        let closure = &robot.closures[leg.closure];
        let Constraint::Joint(closing) = closure.constraint else { return None };
        if !matches!(closing, ClosingJoint::Spherical | ClosingJoint::Universal | ClosingJoint::Revolute) {
            return None;
        }
        let (axes, Pose { rotation, position: end }) = at_zero(robot, leg, closure);
        let size = axes.iter().map(|joint_axis| (end - joint_axis.point).norm()).fold(robot.length, f64::max);
        let split = match axes[..] {
            [first, second] => match Pair::new(first, second, size)? {
                pair @ Pair::Universal(universal) if (end - universal.centre).norm() <= ROUNDING * size => {
                    let axis = (closing == ClosingJoint::Revolute).then(|| rotation.column(2));
                    Split::Axis { pair, axis: axis? }
                }
                pair => Split::Pair { pair, end },
            },
            [first, second, third] => {
                let after = Pair::new(first, second, size).and_then(|pair| {
                    let single = Single::after(third, pair.kept(), end, size)?;
                    Some(Split::After { pair, single, end })
                });
                let before = Pair::new(second, third, size).and_then(|pair| {
                    let single = Single::before(first, pair.kept(), size)?;
                    Some(Split::Before { single, pair, end })
                });
                // Where a leg can be split both ways, a universal joint tells how far the goal is.
                match (after, before) {
                    (Some(Split::After { pair: Pair::Planar { .. }, .. }) | None, Some(before)) => before,
                    (after, _) => after?,
                }
            }
            _ => return None,
        };
        let platform_from_end = if closure.first.on == On::Platform { closure.first.pose } else { closure.second.pose };
        Some(Self { split, platform_from_end })
    }

    /// All positions that bring the leg to a pose of the platform, angles in ±π; an angle that the pose does not
    /// determine stays `near`. Positions where a joint `may` not be are not followed, all but the last one's, nor turns
    /// from `near`, given by their cosines, that a joint `may_turn` not make.
    #[inline(always)]
    pub(super) fn solve<T: Measured>(
        &self,
        pose: &Pose<T>,
        near: Positions,
        (may, may_turn): (impl Fn(usize, T::Plain) -> bool, impl Fn(T::Plain) -> bool),
        mut visit: impl FnMut(Positions<T>),
    ) {
        let like = pose.position.x;
        let Pose { rotation, position } = self.platform_from_end;
        let goal = match self.split {
            Split::Axis { .. } => pose.rotation * rotation.column(2).lift(like),
            _ => pose.point(position.lift(like)),
        };
        let [n1, n2, n3] = near;
        let (pair, end) = match &self.split {
            Split::Axis { pair, axis } => (pair, axis.lift(like)),
            Split::Pair { pair, end } | Split::Before { pair, end, .. } | Split::After { pair, end, .. } => {
                (pair, end.lift(like))
            }
        };
        let alone = match &self.split {
            Split::Before { single, .. } => single.solve(pair.kept(), goal, end, n1),
            Split::After { single, .. } => single.solve(pair.kept(), end, goal, n3),
            _ => Roots::zero(like),
        };
        for root in alone.as_slice() {
            let own = root.position();
            // The point that the pair brings to a goal, and which joints it is made of.
            let (point, goal, near, first) = match &self.split {
                Split::Before { single, .. } if may(0, own.q.plain()) => (end, single.carry(own, goal), [n2, n3], 1),
                Split::After { single, .. } if may(2, own.q.plain()) => (single.carry(own, end), goal, [n1, n2], 0),
                Split::Pair { .. } | Split::Axis { .. } => (end, goal, [n1, n2], 0),
                _ => continue,
            };
            let (point, goal) = match self.split {
                Split::Axis { .. } => (point, goal), // directions
                _ => (pair.seen(point), pair.seen(goal)),
            };
            // A reference would do, but is not inlined.
            let (may, may_turn) = (
                #[inline(always)]
                |k: usize, q: T::Plain| may(first + k, q),
                #[inline(always)]
                |cosine: T::Plain| may_turn(cosine),
            );
            pair.solve(
                point,
                goal,
                near,
                (may, may_turn),
                #[inline(always)]
                |[one, other]| visit(if first == 1 { [own.q, one, other] } else { [one, other, own.q] }),
            );
        }
    }
}

/// The joints of a leg and the frame of its closing joint, all joints at zero.
fn at_zero(robot: &ClosedMechanism, leg: &Leg, closure: &Closure) -> (Vec<JointAxis>, Pose) {
    let mut base_from_body = Pose::identity(0.0);
    let joint_axis = |&j: &usize| {
        let link = &robot.tree.links()[j];
        let (rotation, position) = (link.placement.rotation(link.placement.turn(0.0)), link.placement.offset_at_zero());
        base_from_body = base_from_body * Pose { rotation, position };
        JointAxis { joint: link.joint, axis: base_from_body.rotation.column(2), point: base_from_body.position }
    };
    let axes = leg.joints.iter().map(joint_axis).collect();
    let own = if closure.first.on == On::Platform { &closure.second } else { &closure.first };
    (axes, base_from_body * own.pose)
}
