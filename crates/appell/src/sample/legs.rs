//! Random robots of legs and a platform.

use super::Sampler;
use super::skeleton::{Part, Skeleton};
use crate::description::{ClosingJoint, Description, FrameDescription, JointKind};
use crate::spatial::{Mat3, Pose, Vec3};
use JointKind::{Prismatic, Revolute};

/// How many motions a closing joint lets free.
pub(super) const fn freedoms(kind: ClosingJoint) -> usize {
    match kind {
        ClosingJoint::Spherical => 3,
        ClosingJoint::Universal | ClosingJoint::Cylindrical => 2,
        ClosingJoint::Revolute | ClosingJoint::Prismatic => 1,
        ClosingJoint::Rigid => 0,
    }
}

/// Whether a closing joint lets something slide.
const fn slides(kind: ClosingJoint) -> bool {
    matches!(kind, ClosingJoint::Prismatic | ClosingJoint::Cylindrical)
}

impl Sampler {
    /// Legs that together take 6 − n degrees of freedom from the platform. `branched`: the second stands on the first's
    /// body.
    pub(super) fn general_robot(&mut self, n: usize, branched: bool) -> Description {
        let home = self.platform_pose();
        let mut robot = Skeleton::new(self);
        robot.platform(home, true);
        let legs = 2 + robot.sampler.below(5);
        let taken = robot.dealt(legs, n);
        robot.general_legs(home.position, taken, branched);
        robot.finish()
    }

    /// Such a robot with one to three joints in a row on its platform, of n degrees of freedom together.
    pub(super) fn hybrid(&mut self, n: usize) -> Description {
        let home = self.platform_pose();
        let mut robot = Skeleton::new(self);
        robot.platform(home, true);
        let serial = (n.saturating_sub(6) + robot.sampler.below(3)).clamp(1, n - 1);
        let legs = 2 + robot.sampler.below(3);
        let taken = robot.dealt(legs, n - serial);
        robot.general_legs(home.position, taken, false);
        let mut on = Part::Platform;
        for k in 0..serial {
            let kind = if k == 1 && robot.sampler.once_in(3) { JointKind::Prismatic } else { JointKind::Revolute };
            let (point, axis) = (home.position + robot.sampler.vector(0.4), robot.sampler.direction());
            on = Part::Joint(robot.joint(on, kind, point, axis));
        }
        let mut hybrid = robot.finish();
        let last = hybrid.joints.last().map(|joint| joint.name.clone());
        let pose = Pose { rotation: self.rotation(), position: self.vector(0.3) };
        hybrid.frames.push(FrameDescription { name: "tool".into(), parent: last, pose });
        hybrid.output = Some("tool".into());
        hybrid
    }

    /// In the plane across a random normal, or across z.
    pub(super) fn planar_robot(&mut self, n: usize) -> Description {
        let plane = self.plane();
        let home = Pose { position: self.in_plane(&plane, 0.3), rotation: self.rotation() };
        let mass_point = n == 2 && self.once_in(2);
        let legs = if mass_point { 2 } else { 3 + self.below(2) };
        let mut robot = Skeleton::new(self);
        robot.platform(home, !mass_point);
        for leg in 0..legs {
            use ClosingJoint::{Cylindrical, Revolute, Rigid, Spherical};
            // One leg at least must keep the platform in the plane, and from turning out of it.
            let closing = match leg {
                _ if mass_point => Spherical,
                0 => robot.sampler.one_of(&[Revolute, ClosingJoint::Prismatic, Rigid]),
                _ => robot.sampler.one_of(&[Revolute, Spherical, Cylindrical, ClosingJoint::Prismatic, Rigid]),
            };
            let freedoms = if n == 2 && leg == 0 && !mass_point { 2 } else { 3 };
            robot.planar_leg(&plane, home.position, freedoms, closing, mass_point);
        }
        robot.finish()
    }

    /// All axes through one point, on which the platform's origin lies every other time. Some have a ball there.
    pub(super) fn spherical_robot(&mut self, n: usize) -> Description {
        let centre = self.vector(0.5);
        let position = if self.once_in(2) { centre } else { centre + self.vector(0.3) };
        let home = Pose { position, rotation: self.rotation() };
        let legs = 2 + self.below(5);
        let mut robot = Skeleton::new(self);
        robot.platform(home, true);
        for leg in 0..legs {
            use ClosingJoint::{Cylindrical, Revolute, Rigid, Universal};
            // The first leg takes the degrees of freedom that there are not, and holds the point.
            let closing = match leg {
                0 => robot.sampler.one_of(&[Revolute, Rigid]),
                _ => robot.sampler.one_of(&[Revolute, Revolute, Rigid, Cylindrical, Universal]),
            };
            let freedoms = if leg == 0 { n } else { 3 };
            let joints = freedoms - self::freedoms(closing).min(if closing == Cylindrical { 1 } else { 2 });
            let mut on = Part::Base;
            for _ in 0..joints {
                let axis = robot.sampler.direction();
                let point = centre + axis.scale(robot.sampler.within(0.3));
                on = Part::Joint(robot.joint(on, JointKind::Revolute, point, axis));
            }
            let axis = robot.sampler.direction();
            // The axes of a universal joint meet in its middle.
            let way = if closing == Universal { 0.0 } else { 0.3 + robot.sampler.within(0.1) };
            let at = Pose { rotation: robot.sampler.rotation_with_z(axis), position: centre + axis.scale(way) };
            robot.close(closing, on, Part::Platform, at);
        }
        if robot.sampler.once_in(4) {
            let at = Pose { rotation: robot.sampler.rotation(), position: centre };
            robot.close(ClosingJoint::Spherical, Part::Base, Part::Platform, at);
        }
        robot.finish()
    }

    /// Legs of a first joint and two universal joints with parallel axes: each forbids the platform to turn about one
    /// axis.
    pub(super) fn translational_robot(&mut self) -> Description {
        let home = self.platform_pose();
        let legs = 3 + usize::from(self.once_in(4));
        let mut robot = Skeleton::new(self);
        robot.platform(home, true);
        for _ in 0..legs {
            let a = robot.sampler.direction();
            let b = robot.sampler.across(a);
            let foot = robot.sampler.vector(0.6);
            let end = home.position + robot.sampler.vector(0.3);
            let elbow = (foot + end).scale(0.5) + robot.sampler.vector(0.4);
            let first = if robot.sampler.once_in(3) {
                let along = robot.sampler.direction();
                robot.joint(Part::Base, Prismatic, foot, along)
            } else {
                robot.joint(Part::Base, Revolute, foot, a)
            };
            let cross = robot.joint(Part::Joint(first), Revolute, elbow, a);
            robot.without_mass(cross);
            let forearm = robot.joint(Part::Joint(cross), Revolute, elbow, b);
            let at = Pose { rotation: Mat3::from_rows([b, a, b.cross(a)]).transpose(), position: end };
            robot.close(ClosingJoint::Universal, Part::Joint(forearm), Part::Platform, at);
        }
        robot.finish()
    }

    fn platform_pose(&mut self) -> Pose<f64> {
        Pose { position: Vec3::new(0.0, 0.0, 0.8) + self.vector(0.2), rotation: self.rotation() }
    }

    /// Axes whose z is the normal of a plane: those of the base every fourth time.
    pub(super) fn plane(&mut self) -> Mat3<f64> {
        if self.once_in(4) { Mat3::identity(0.0) } else { self.rotation() }
    }

    /// A point of a plane.
    pub(super) fn in_plane(&mut self, plane: &Mat3<f64>, limit: f64) -> Vec3<f64> {
        *plane * Vec3::new(self.within(limit), self.within(limit), 0.0)
    }

    /// A joint of a plane: mostly about the normal, else along a direction of the plane.
    pub(super) fn planar_joint(&mut self, plane: &Mat3<f64>, slides: bool) -> (JointKind, Vec3<f64>) {
        if slides {
            let normal = plane.column(2);
            (Prismatic, self.across(normal))
        } else {
            (Revolute, plane.column(2))
        }
    }
}

impl Skeleton<'_> {
    /// How much each of some legs takes from the platform, which keeps n degrees of freedom: a leg of f takes 6 − f, at
    /// most four.
    fn dealt(&mut self, legs: usize, n: usize) -> Vec<usize> {
        let mut taken = vec![0; legs];
        for _ in n..6 {
            loop {
                let leg = self.sampler.below(legs);
                if taken[leg] < 4 {
                    taken[leg] += 1;
                    break;
                }
            }
        }
        taken
    }

    /// Legs that take so much from a platform, the second on the first's body or not.
    fn general_legs(&mut self, platform: Vec3<f64>, taken: Vec<usize>, branched: bool) {
        let mut foot = Part::Base;
        for (leg, taken) in taken.into_iter().enumerate() {
            let first = self.general_leg(if leg == 1 { foot } else { Part::Base }, platform, 6 - taken);
            if branched && leg == 0 {
                foot = first;
            }
        }
    }

    /// A leg of so many degrees of freedom, those of its closing joint included; what its first joint carries.
    fn general_leg(&mut self, foot: Part, platform: Vec3<f64>, freedoms_of_leg: usize) -> Part {
        let closing = loop {
            let kind = self.sampler.one_of(&ClosingJoint::ALL);
            if freedoms(kind) < freedoms_of_leg {
                break kind;
            }
        };
        let joints = freedoms_of_leg - freedoms(closing);
        let (base, end) = (self.sampler.vector(0.7), platform + self.sampler.vector(0.3));
        let mut slide_left = !slides(closing);
        let (mut on, mut first, mut point) = (foot, foot, base);
        for k in 0..joints {
            // Axes meet in a point every third time, and the body between them may be a cross without mass.
            let meets = k > 0 && self.sampler.once_in(3);
            if !meets {
                let part = k as f64 / joints as f64;
                point = base.scale(1.0 - part) + end.scale(part) + self.sampler.vector(0.3);
            }
            let slides = slide_left && self.sampler.once_in(4);
            slide_left &= !slides;
            let axis = self.sampler.direction();
            let joint = self.joint(on, if slides { Prismatic } else { Revolute }, point, axis);
            if let (Part::Joint(before), true) = (on, meets && self.sampler.once_in(2)) {
                self.without_mass(before);
            }
            on = Part::Joint(joint);
            if k == 0 {
                first = on;
            }
        }
        let at = Pose { rotation: self.sampler.rotation(), position: end };
        self.close(closing, on, Part::Platform, at);
        first
    }

    /// A leg in a plane, of so many degrees of freedom there, one of the closing joint included unless that is rigid.
    fn planar_leg(
        &mut self,
        plane: &Mat3<f64>,
        platform: Vec3<f64>,
        freedoms: usize,
        closing: ClosingJoint,
        at_origin: bool,
    ) {
        let joints = if closing == ClosingJoint::Rigid { freedoms } else { freedoms - 1 };
        let end = if at_origin { platform } else { platform + self.sampler.in_plane(plane, 0.4) };
        let base = self.sampler.in_plane(plane, 0.8);
        let mut slide_left = closing != ClosingJoint::Prismatic;
        let mut on = Part::Base;
        for k in 0..joints {
            let part = k as f64 / joints as f64;
            let point = base.scale(1.0 - part) + end.scale(part) + self.sampler.in_plane(plane, 0.3);
            // Bodies of a planar robot lie in parallel planes.
            let height = plane.column(2).scale(self.sampler.within(0.05));
            let slides = slide_left && self.sampler.once_in(4);
            slide_left &= !slides;
            let (kind, axis) = self.sampler.planar_joint(plane, slides);
            on = Part::Joint(self.joint(on, kind, point + height, axis));
        }
        let axis = match closing {
            ClosingJoint::Prismatic => self.sampler.across(plane.column(2)),
            _ => plane.column(2),
        };
        let at = Pose { rotation: self.sampler.rotation_with_z(axis), position: end };
        self.close(closing, on, Part::Platform, at);
    }
}
