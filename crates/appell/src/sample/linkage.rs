//! Random closed mechanisms without a platform.

use super::Sampler;
use super::legs::freedoms;
use super::skeleton::{Part, Skeleton};
use crate::description::{ClosingJoint, Description, FrameDescription, JointKind};
use crate::spatial::Pose;

impl Sampler {
    /// Cranks on the base, and dyads: two links from any two bodies to a common joint. A dyad closes a loop and adds
    /// no degree of freedom, so that four-bars, Watt's and Stephenson's chains, five-bars and more come out.
    pub(super) fn planar_linkage(&mut self, cranks: usize) -> Description {
        let plane = self.plane();
        let dyads = cranks.max(2) - 1 + self.below(3);
        let mut robot = Skeleton::new(self);
        let mut bodies = vec![Part::Base];
        for _ in 0..cranks {
            let point = robot.sampler.in_plane(&plane, 0.6);
            let slides = robot.sampler.once_in(5);
            let (kind, axis) = robot.sampler.planar_joint(&plane, slides);
            bodies.push(Part::Joint(robot.joint(Part::Base, kind, point, axis)));
        }
        for dyad in 0..dyads {
            // Every crank moves something: dyad k holds crank k + 1, and the one before it or any other body.
            let one =
                if dyad + 1 < cranks { bodies[dyad + 2] } else { bodies[1 + robot.sampler.below(bodies.len() - 1)] };
            let two = loop {
                let other = if dyad + 1 < cranks { bodies[dyad + 1] } else { robot.sampler.one_of(&bodies) };
                if other != one {
                    break other;
                }
            };
            let mut link = |robot: &mut Skeleton<'_>, on: Part, slides: bool| {
                let point = robot.sampler.in_plane(&plane, 0.8);
                let (kind, axis) = robot.sampler.planar_joint(&plane, slides);
                let link = Part::Joint(robot.joint(on, kind, point, axis));
                bodies.push(link);
                link
            };
            let slides = robot.sampler.once_in(5);
            let (one, two) = (link(&mut robot, one, slides), link(&mut robot, two, false));
            use ClosingJoint::{Cylindrical, Revolute, Spherical};
            let closing = robot.sampler.one_of(&[Revolute, Spherical, Cylindrical]);
            let at = Pose {
                rotation: robot.sampler.rotation_with_z(plane.column(2)),
                position: robot.sampler.in_plane(&plane, 0.8),
            };
            robot.close(closing, one, two, at);
        }
        robot.finish()
    }

    /// The same robot with a frame of some body as its output.
    pub(super) fn with_output(&mut self, mut robot: Description) -> Description {
        let parent = robot.joints[self.below(robot.joints.len())].name.clone();
        let pose = Pose { rotation: self.rotation(), position: self.vector(0.3) };
        robot.frames.push(FrameDescription { name: "tool".into(), parent: Some(parent), pose });
        robot.output = Some("tool".into());
        robot
    }

    /// A chain of 6 + n degrees of freedom from the base to the base, those of its closing joint included.
    pub(super) fn single_loop(&mut self, n: usize) -> Description {
        let closing = self.one_of(&ClosingJoint::ALL);
        let joints = 6 + n - freedoms(closing);
        let mut robot = Skeleton::new(self);
        let mut on = Part::Base;
        for k in 0..joints {
            let kind = if k % 4 == 2 && robot.sampler.once_in(2) { JointKind::Prismatic } else { JointKind::Revolute };
            let (point, axis) = (robot.sampler.vector(0.6), robot.sampler.direction());
            on = Part::Joint(robot.joint(on, kind, point, axis));
        }
        let at = Pose { rotation: robot.sampler.rotation(), position: robot.sampler.vector(0.6) };
        robot.close(closing, on, Part::Base, at);
        robot.finish()
    }
}
