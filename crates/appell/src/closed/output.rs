//! A robot whose output is named, beside the same robot without: how it can be assembled does not depend on where one looks.

use super::{ClosedMechanism, Configuration};
use crate::description::{Carrier, Description, along_the_base};
use crate::kinematics;
use crate::spatial::Pose;

/// The robot without its output, and where the output is on it.
#[derive(Debug, PartialEq)]
pub(super) struct OfOutput {
    /// The robot as its file has it.
    pub(super) plain: ClosedMechanism,
    body: Option<usize>, // that carries the output; none is the platform
    body_from_output: Pose,
    described: Option<Pose>, // where the platform is at home
}

impl OfOutput {
    /// Of a description that names an output, if the robot can be had without.
    pub(super) fn of(description: &Description) -> Option<Self> {
        let name = description.output.as_deref()?;
        let without = Description { output: None, ..description.clone() };
        let plain = ClosedMechanism::new(&without).ok()?;
        let (carrier, body_from_output) = without.frame_of(name)?;
        let body = match carrier {
            Carrier::Base => return None,
            Carrier::Platform => None,
            Carrier::Joint(name) => Some(plain.tree.joint_names().iter().position(|joint| *joint == name)?),
        };
        Some(Self { plain, body, body_from_output, described: without.platform.map(|platform| platform.home) })
    }

    /// The configuration of the robot with its output that is one of the robot without.
    pub(super) fn look_at(&self, robot: &ClosedMechanism, plain: &Configuration) -> Configuration {
        let mut at = robot.home.clone();
        let names = self.plain.tree.joint_names();
        // A platform that became a body of the tree has joints there that nobody else has.
        let moved = self.described.map(|home| home.inverse() * plain.pose);
        let mut of_platform = moved.iter().flat_map(along_the_base);
        for (name, q) in robot.tree.joint_names().iter().zip(&mut at.q) {
            match names.iter().position(|other| other == name) {
                Some(j) => *q = plain.q[j],
                None => *q = of_platform.next().unwrap_or(*q),
            }
        }
        let mut workspace = kinematics::Workspace::new(&self.plain.tree);
        let base_from_body = match self.body {
            Some(body) => kinematics::positions(&self.plain.tree, &mut workspace, &plain.q)[body],
            None => plain.pose,
        };
        at.pose = base_from_body * self.body_from_output;
        at
    }
}
