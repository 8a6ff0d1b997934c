//! The bodies of a robot with closed loops, where they are in one configuration.

use appell::closed::{ClosedMechanism, Closure, Configuration, On, Side};
use appell::kinematics::{Workspace, positions};
use appell::spatial::Pose;

/// The bodies of a robot in one configuration.
pub(super) struct Placed<'r> {
    pub(super) robot: &'r ClosedMechanism,
    pub(super) at: &'r Configuration,
    /// Of the joints, z their axes.
    pub(super) poses: Vec<Pose>,
}

impl<'r> Placed<'r> {
    pub(super) fn new(robot: &'r ClosedMechanism, at: &'r Configuration) -> Self {
        let tree = robot.tree();
        let mut workspace = Workspace::new(tree);
        let frames = positions(tree, &mut workspace, &at.q);
        // The first frames are the bodies', in the user's convention; the joint is where that one hangs on.
        let joint = |j: usize| frames[j] * tree.frames()[j].body_from_frame.inverse();
        Self { robot, at, poses: (0..tree.dof()).map(joint).collect() }
    }

    /// The frame of one side of a closing joint.
    pub(super) fn frame(&self, side: &Side) -> Pose {
        match side.on {
            On::Base => side.pose,
            On::Body(body) => self.poses[body] * side.pose,
            On::Platform => self.at.pose * side.pose,
        }
    }

    /// All frames of closing joints, on their first sides.
    pub(super) fn closing_frames(&self) -> impl Iterator<Item = (&'r Closure, Pose)> + '_ {
        self.robot.closures().iter().map(|closure| (closure, self.frame(&closure.first)))
    }
}
