//! A robot with closed loops, drawn as it stands at home: so it is assembled by construction.
//!
//! Joints and closing joints are put where they are in the base; the parameters of each joint and the frames of each
//! closing joint on both its bodies follow from that.

use super::Sampler;
use crate::description::{
    Attachment, BodyDescription, Carrier, ClosingJoint, ClosureDescription, Description, JointDescription, JointKind,
    KhalilKleinfinger, PLATFORM, PlatformDescription,
};
use crate::spatial::{Mat3, PlanarRotation, Pose, Vec3};
use core::f64::consts::PI;

/// What has been drawn of a robot.
pub(super) struct Skeleton<'s> {
    pub(super) sampler: &'s mut Sampler,
    joints: Vec<JointDescription>,
    poses: Vec<Pose<f64>>, // base_from_joint at home
    platform: Option<PlatformDescription>,
    closures: Vec<ClosureDescription>,
}

/// What a joint or closing joint is put on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Base,
    Joint(usize),
    Platform,
}

impl<'s> Skeleton<'s> {
    pub(super) fn new(sampler: &'s mut Sampler) -> Self {
        Self { sampler, joints: Vec::new(), poses: Vec::new(), platform: None, closures: Vec::new() }
    }

    /// A platform with a body, and a payload once in four times.
    pub(super) fn platform(&mut self, home: Pose<f64>, turns: bool) {
        let body = self.sampler.body();
        let payload = if self.sampler.once_in(4) { self.sampler.body() } else { BodyDescription::default() };
        self.platform = Some(PlatformDescription { body, payload, turns, home, ..PlatformDescription::default() });
    }

    /// A joint about or along an axis through a point, at any position; its index.
    pub(super) fn joint(&mut self, on: Part, kind: JointKind, point: Vec3<f64>, axis: Vec3<f64>) -> usize {
        let pose = Pose { rotation: self.sampler.rotation_with_z(axis), position: point };
        let (home, moved) = match kind {
            JointKind::Revolute => {
                let angle = self.sampler.within(PI);
                (angle, Pose { rotation: PlanarRotation::by(-angle).matrix_z(), position: Vec3::zero(0.0) })
            }
            JointKind::Prismatic => {
                let way = self.sampler.within(0.5);
                (way, Pose { rotation: Mat3::identity(0.0), position: Vec3::new(0.0, 0.0, -way) })
            }
        };
        let parent_from_joint = self.pose(on).inverse() * pose * moved;
        let parent = match on {
            Part::Joint(j) => Some(self.joints[j].name.clone()),
            Part::Base => None,
            Part::Platform => Some(PLATFORM.into()),
        };
        let index = self.joints.len();
        self.joints.push(JointDescription {
            parent,
            placement: KhalilKleinfinger::from_pose(&parent_from_joint),
            driven: false,
            effects: if self.sampler.once_in(4) { self.sampler.effects() } else { Default::default() },
            home,
            body: self.sampler.body(),
            ..JointDescription::new(format!("joint{}", index + 1), kind)
        });
        self.poses.push(pose);
        index
    }

    /// Takes the mass from a joint's body, as from the cross of a universal joint.
    pub(super) fn without_mass(&mut self, joint: usize) {
        self.joints[joint].body = BodyDescription::default();
    }

    /// A closing joint between two parts at home, where both its frames would stand but for what it lets free: z is
    /// the axis it turns about or slides along; of a universal joint x, on the first part, and y, on the second.
    pub(super) fn close(&mut self, kind: ClosingJoint, first: Part, second: Part, at: Pose<f64>) {
        let still = Pose::identity(0.0);
        let turn = |rotation: Mat3<f64>| Pose { rotation, ..still };
        let slide = |way: f64| Pose { position: Vec3::new(0.0, 0.0, way), ..still };
        let (angle, other, way) = (self.sampler.within(PI), self.sampler.within(PI), self.sampler.within(0.2));
        let (of_first, of_second) = match kind {
            ClosingJoint::Spherical => (still, turn(self.sampler.rotation())),
            ClosingJoint::Revolute => (still, turn(PlanarRotation::by(angle).matrix_z())),
            ClosingJoint::Universal => {
                (turn(PlanarRotation::by(angle).matrix_x()), turn(PlanarRotation::by(other).matrix_y()))
            }
            ClosingJoint::Cylindrical => (still, turn(PlanarRotation::by(angle).matrix_z()) * slide(way)),
            ClosingJoint::Prismatic => (still, slide(way)),
            ClosingJoint::Rigid => (still, still),
        };
        // Either part may be written first, but a universal joint's axes are not alike.
        let swap = kind != ClosingJoint::Universal && self.sampler.once_in(2);
        let (one, two) = (self.attachment(first, at * of_first), self.attachment(second, at * of_second));
        let name = format!("leg{}.end", self.closures.len() + 1);
        let (first, second) = if swap { (two, one) } else { (one, two) };
        self.closures.push(ClosureDescription { name, kind, first, second });
    }

    fn attachment(&self, part: Part, at: Pose<f64>) -> Attachment {
        let on = match part {
            Part::Base => Carrier::Base,
            Part::Joint(j) => Carrier::Joint(self.joints[j].name.clone()),
            Part::Platform => Carrier::Platform,
        };
        Attachment { on, pose: self.pose(part).inverse() * at }
    }

    /// Where a part is at home.
    fn pose(&self, part: Part) -> Pose<f64> {
        match part {
            Part::Base => Pose::identity(0.0),
            Part::Joint(j) => self.poses[j],
            Part::Platform => self.platform.as_ref().map_or(Pose::identity(0.0), |platform| platform.home),
        }
    }

    /// The robot, without drives; its closing joints in any order, gravity in any direction every other time.
    pub(super) fn finish(mut self) -> Description {
        if self.sampler.once_in(2) {
            self.closures.reverse();
        }
        let plain = Description::default();
        let gravity = if self.sampler.once_in(2) { self.sampler.direction().scale(9.81) } else { plain.gravity };
        let Self { joints, platform, closures, .. } = self;
        Description { gravity, joints, platform, closures, ..plain }
    }
}

impl Sampler {
    /// A rotation whose z axis is given.
    pub(super) fn rotation_with_z(&mut self, z: Vec3<f64>) -> Mat3<f64> {
        let x = self.across(z);
        Mat3::from_rows([x, z.cross(x), z]).transpose()
    }

    /// A direction at a right angle to another.
    pub(super) fn across(&mut self, direction: Vec3<f64>) -> Vec3<f64> {
        loop {
            let normal = direction.cross(self.direction());
            if normal.norm() > 0.3 {
                return normal.scale(1.0 / normal.norm());
            }
        }
    }
}
