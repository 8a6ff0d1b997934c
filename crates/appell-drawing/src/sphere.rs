//! Robots all of whose axes meet in one point, drawn on a sphere about it: an axis is the point where it leaves the
//! sphere, a link the arc between two of them.

use super::placed::Placed;
use appell::closed::{Closure, Constraint, On};
use appell::description::{ClosingJoint, JointKind};
use appell::spatial::Vec3;

/// The sphere.
pub(super) struct Sphere {
    pub(super) centre: Vec3,
    pub(super) radius: f64,
}

/// A component of a unit vector that is rounding.
const ROUNDING: f64 = 1e-6;

impl Sphere {
    /// The sphere of a robot whose joints all turn and are all in one point; `None` for any other.
    pub(super) fn of(placed: &Placed<'_>) -> Option<Self> {
        let robot = placed.robot;
        let centre = placed.poses.first()?.position;
        let here = |point: Vec3| (point - centre).norm() < ROUNDING * robot.length();
        let turn = robot.tree().links().iter().all(|link| link.joint == JointKind::Revolute);
        let close = |closure: &Closure| {
            matches!(
                closure.constraint,
                Constraint::Joint(ClosingJoint::Revolute | ClosingJoint::Cylindrical) | Constraint::Attitude
            )
        };
        let meet = placed.poses.iter().all(|pose| here(pose.position));
        let meet = meet && placed.closing_frames().all(|(closure, pose)| close(closure) && here(pose.position));
        (turn && meet).then_some(Self { centre, radius: robot.length() })
    }

    /// Where a joint's axis leaves the sphere: on the side of the bodies that it joins.
    pub(super) fn at_joint(&self, placed: &Placed<'_>, j: usize) -> Vec3 {
        let parent = placed.robot.tree().links()[j].parent.map_or(On::Base, On::Body);
        self.towards(placed, placed.poses[j].rotation.column(2), [parent, On::Body(j)])
    }

    /// Where a closing joint's axis leaves the sphere.
    pub(super) fn at_closure(&self, placed: &Placed<'_>, closure: &Closure) -> Vec3 {
        let axis = placed.frame(&closure.first).rotation.column(2);
        self.towards(placed, axis, [closure.first.on, closure.second.on])
    }

    fn towards(&self, placed: &Placed<'_>, axis: Vec3, bodies: [On; 2]) -> Vec3 {
        let side: f64 = bodies.into_iter().map(|body| axis.dot(self.middle(placed, body))).sum();
        let sign = if side < -ROUNDING * self.radius { -1.0 } else { 1.0 };
        self.centre + axis.scale(sign * self.radius)
    }

    /// Where a body's mass is, seen from the centre.
    fn middle(&self, placed: &Placed<'_>, body: On) -> Vec3 {
        match body {
            On::Base => Vec3::zero(0.0),
            On::Body(j) => placed.poses[j].point(placed.robot.tree().links()[j].com) - self.centre,
            On::Platform => {
                let com = placed.robot.platform().map_or(Vec3::zero(0.0), |platform| platform.body().com);
                placed.at.pose.point(com) - self.centre
            }
        }
    }

    /// A closing joint by which the platform slides along its own arc, as in a star: its axis is at a right angle to
    /// the leg's last axis and to the platform's middle. Where it is, and along which direction it slides.
    pub(super) fn slider(&self, placed: &Placed<'_>, closure: &Closure) -> Option<(Vec3, Vec3)> {
        let leg = placed.robot.legs().iter().find(|leg| placed.robot.closures()[leg.closure].name == closure.name)?;
        let at = self.at_joint(placed, *leg.joints.last()?);
        let axis = placed.frame(&closure.first).rotation.column(2);
        let middle = self.middle(placed, On::Platform);
        let across = |v: Vec3| axis.dot(v).abs() < ROUNDING * self.radius;
        let slides = middle.norm() > ROUNDING * self.radius && across(middle) && across(at - self.centre);
        slides.then(|| (at, axis.cross(at - self.centre).scale(1.0 / self.radius)))
    }

    /// The middle of the platform, moved out to the sphere: where its mass is, if that is not in the centre.
    pub(super) fn out(&self, point: Vec3) -> Vec3 {
        let arm = point - self.centre;
        if arm.norm() > ROUNDING * self.radius { self.centre + arm.scale(self.radius / arm.norm()) } else { point }
    }

    /// The arc of a great circle between two points of the sphere.
    pub(super) fn arc(&self, from: Vec3, to: Vec3) -> Vec<Vec3> {
        const STEPS: u32 = 24;
        let [a, b] = [from, to].map(|point| (point - self.centre).scale(1.0 / self.radius));
        let normal = a.cross(b);
        if normal.norm() < ROUNDING {
            return vec![from, to];
        }
        let across = normal.cross(a).scale(1.0 / normal.norm());
        let angle = normal.norm().atan2(a.dot(b));
        let point = |step: u32| {
            let (sin, cos) = (angle * f64::from(step) / f64::from(STEPS)).sin_cos();
            self.centre + (a.scale(cos) + across.scale(sin)).scale(self.radius)
        };
        (0..=STEPS).map(point).collect()
    }

    /// What must be on the sheet.
    pub(super) fn points(&self) -> impl Iterator<Item = Vec3> + '_ {
        let axes = [Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.0, 1.0, 0.0), Vec3::new(0.0, 0.0, 1.0)];
        axes.into_iter().flat_map(|axis| [-1.0, 1.0].map(|sign| self.centre + axis.scale(sign * self.radius)))
    }
}
