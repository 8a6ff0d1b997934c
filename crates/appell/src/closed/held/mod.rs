//! What the legs keep of the platform while all drives stand still, seen from where the axes of their passive joints are.
//!
//! | passive joints | closing joint | kept |
//! |---|---|---|
//! | two axes that meet in a point | holds a point | the distance of the points |
//! | one axis, all axes parallel | a parallel axis, or a point | the distance of the points in the plane |
//! | one axis, all axes meet in a point | a revolute one | the angle between the axes |
//!
//! That is so wherever the drive of the leg is: UPS, RUS and PUS legs are in the first row, RRR, RPR and PRR in the second.

mod lengths;

use super::closure::{Closure, Constraint, On};
use super::{ClosedMechanism, Leg, spherical, tree_closures};
use crate::description::{ClosingJoint, JointKind};
use crate::spatial::{Pose, Vec3};
pub(super) use lengths::{LAST_STEP, Lengths, ROUGHLY};

/// What is taken for rounding: sines of angles, and lengths over the characteristic length.
const ROUNDING: f64 = 1e-10;

/// The sine below which the point where two axes meet is not known well enough.
const NEARLY_PARALLEL: f64 = 1e-3;

/// A point of the platform at a distance from a fixed one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Distance {
    /// a: in the platform's frame, m.
    pub(super) point: Vec3,
    /// b: in the base, m.
    pub(super) centre: Vec3,
    /// l, m.
    pub(super) length: f64,
}

/// A direction of the platform at an angle to a fixed one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Angle {
    /// v: in the platform's frame.
    pub(super) direction: Vec3,
    /// w: in the base.
    pub(super) fixed: Vec3,
    /// The cosine of the angle.
    pub(super) cosine: f64,
}

/// What holds a platform.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Held {
    /// Six distances.
    Spatial([Distance; 6]),
    /// Three distances in a plane.
    Planar { normal: Vec3, legs: [Distance; 3] },
    /// Three angles about a point.
    Spherical { centre: Vec3, legs: [Angle; 3] },
    /// Three distances, and the platform does not turn.
    Spheres([Distance; 3]),
    /// Two distances in a plane, and the platform does not turn.
    Circles { normal: Vec3, legs: [Distance; 2] },
}

/// A joint of a leg, passive ones at zero and the drive where it is.
#[derive(Debug, Clone, Copy)]
struct Axis {
    kind: JointKind,
    driven: bool,
    direction: Vec3,
    point: Vec3,
}

/// A leg with one drive.
struct PlacedLeg<'r> {
    closure: &'r Closure,
    axes: Vec<Axis>,
    /// base_from_end, the closing joint as the leg carries it.
    end: Pose,
    /// platform_from_end.
    on_platform: Pose,
}

impl Held {
    /// What holds a robot's platform with the drives at `positions`, if it is one of these.
    pub(super) fn of(robot: &ClosedMechanism, positions: &[f64]) -> Option<Self> {
        let legs: Vec<&Leg> = robot.legs.iter().filter(|leg| !leg.joints.is_empty()).collect();
        let others = robot.legs.iter().filter(|leg| leg.joints.is_empty());
        let (n, freedoms) = (legs.len(), robot.freedoms.len());
        if n != robot.driven.len()
            || n != freedoms
            || others.map(|leg| &robot.closures[leg.closure]).any(|closure| closure.constraint != Constraint::Attitude)
        {
            return None;
        }
        let placed: Vec<PlacedLeg<'_>> =
            legs.iter().map(|leg| PlacedLeg::new(robot, leg, positions)).collect::<Option<_>>()?;
        let size = ROUNDING * robot.length;
        if let Ok(meeting) = spherical::recognise(robot) {
            let legs: Vec<Angle> = placed.iter().map(PlacedLeg::angle).collect::<Option<_>>()?;
            return Some(Self::Spherical { centre: meeting.centre, legs: legs.try_into().ok()? });
        }
        if let Some(legs) = placed.iter().map(|leg| leg.distance(size)).collect::<Option<Vec<_>>>() {
            return match n {
                6 if placed.iter().all(|leg| leg.closure.constraint == Constraint::Joint(ClosingJoint::Spherical)) => {
                    Some(Self::Spatial(legs.try_into().ok()?))
                }
                3 if keeps_attitude(robot) => Some(Self::Spheres(legs.try_into().ok()?)),
                _ => None,
            };
        }
        let normal = placed[0].passive().next()?.direction;
        let legs: Vec<Distance> = placed.iter().map(|leg| leg.distance_in_plane(normal)).collect::<Option<_>>()?;
        let are_revolute = placed.iter().all(|leg| leg.turns_about(normal, robot));
        match n {
            3 if are_revolute => Some(Self::Planar { normal, legs: legs.try_into().ok()? }),
            2 if keeps_attitude(robot) => Some(Self::Circles { normal, legs: legs.try_into().ok()? }),
            _ => None,
        }
    }
}

impl<'r> PlacedLeg<'r> {
    fn new(robot: &'r ClosedMechanism, leg: &Leg, positions: &[f64]) -> Option<Self> {
        let closure = &robot.closures[leg.closure];
        let (own, other) = match closure.first.on {
            On::Platform => (&closure.second, &closure.first),
            _ => (&closure.first, &closure.second),
        };
        let mut base_from_body = Pose::identity(0.0);
        let mut axes = Vec::new();
        for &j in &leg.joints {
            let link = &robot.tree.links()[j];
            let drive = robot.driven.iter().position(|&driven| driven == j);
            let q = drive.map_or(0.0, |drive| positions[drive]);
            let place = &link.placement;
            let pose = Pose { rotation: place.rotation(place.turn(q)), position: place.offset(q).vector(q) };
            base_from_body = base_from_body * pose;
            let (direction, point) = (base_from_body.rotation.column(2), base_from_body.position);
            axes.push(Axis { kind: link.joint, driven: drive.is_some(), direction, point });
        }
        let has_one_drive = axes.iter().filter(|axis| axis.driven).count() == 1;
        let turns = axes.iter().all(|axis| axis.driven || axis.kind == JointKind::Revolute);
        (has_one_drive && turns).then(|| Self {
            closure,
            axes,
            end: base_from_body * own.pose,
            on_platform: other.pose,
        })
    }

    fn passive(&self) -> impl Iterator<Item = &Axis> {
        self.axes.iter().filter(|axis| !axis.driven)
    }

    /// The distance from where two passive axes meet.
    fn distance(&self, size: f64) -> Option<Distance> {
        let passive: Vec<&Axis> = self.passive().collect();
        let [first, second] = passive[..] else { return None };
        let normal = first.direction.cross(second.direction);
        let square = normal.dot(normal);
        let between = second.point - first.point;
        let meet = square > NEARLY_PARALLEL * NEARLY_PARALLEL && normal.dot(between).abs() <= size * square.sqrt();
        if !meet || !self.closure.constraint.holds_point() {
            return None;
        }
        let centre = first.point + first.direction.scale(between.cross(second.direction).dot(normal) / square);
        let length = (self.end.position - centre).norm();
        Some(Distance { point: self.on_platform.position, centre, length })
    }

    /// The distance from the one passive axis, where the leg moves in a plane.
    fn distance_in_plane(&self, normal: Vec3) -> Option<Distance> {
        let passive: Vec<&Axis> = self.passive().collect();
        let [axis] = passive[..] else { return None };
        let is_in_plane = |axis: &Axis| match axis.kind {
            JointKind::Revolute => axis.direction.cross(normal).norm() <= ROUNDING,
            JointKind::Prismatic => axis.direction.dot(normal).abs() <= ROUNDING,
        };
        if !self.axes.iter().all(is_in_plane) || !self.closure.constraint.holds_point() {
            return None;
        }
        let arm = self.end.position - axis.point;
        let length = (arm - normal.scale(normal.dot(arm))).norm();
        Some(Distance { point: self.on_platform.position, centre: axis.point, length })
    }

    /// Whether the platform turns about the normal on the closing joint, and can do nothing else there.
    fn turns_about(&self, normal: Vec3, robot: &ClosedMechanism) -> bool {
        let on_platform = robot.home.pose.rotation * self.on_platform.rotation.column(2);
        self.closure.constraint == Constraint::Joint(ClosingJoint::Revolute)
            && self.end.rotation.column(2).cross(normal).norm() <= ROUNDING
            && on_platform.cross(normal).norm() <= ROUNDING
    }

    /// The angle between the one passive axis and that of the closing joint.
    fn angle(&self) -> Option<Angle> {
        let passive: Vec<&Axis> = self.passive().collect();
        let ([axis], Constraint::Joint(ClosingJoint::Revolute)) = (&passive[..], self.closure.constraint) else {
            return None;
        };
        let cosine = axis.direction.dot(self.end.rotation.column(2));
        Some(Angle { direction: self.on_platform.rotation.column(2), fixed: axis.direction, cosine })
    }
}

/// Whether the platform only slides: it may not turn, or its legs do not let it at home.
fn keeps_attitude(robot: &ClosedMechanism) -> bool {
    if robot.platform.as_ref().is_none_or(|platform| !platform.turns) {
        return true;
    }
    let mut workspace = tree_closures::Workspace::new(robot);
    let Ok(motions) = tree_closures::complement(robot, &mut workspace, &robot.home) else { return false };
    let turns = &motions[(robot.tree.dof() + 3) * robot.freedoms.len()..];
    turns.iter().all(|turn| (turn * robot.length).abs() <= ROUNDING)
}
