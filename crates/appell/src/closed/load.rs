//! What acts on a closed mechanism from outside: wrenches at frames of the tree and at the platform's origin.

use super::{ClosedMechanism, Configuration};
use crate::dynamics::reactions::ExternalWrench;
use crate::kinematics;
use crate::spatial::Wrench;

/// External wrenches, as generalised forces on all velocities and on bodies. A new one is zero.
#[derive(Debug, Clone)]
pub struct Load {
    motion: kinematics::Workspace,
    on_velocities: Vec<f64>, // u; empty is nothing
    on_bodies: Vec<Wrench>,  // about each body's origin, base axes
}

impl Load {
    /// No load on this robot.
    #[must_use]
    pub fn new(robot: &ClosedMechanism) -> Self {
        Self {
            motion: kinematics::Workspace::new(robot.tree()),
            on_velocities: vec![0.0; robot.velocities()],
            on_bodies: vec![Wrench::zero(0.0); robot.tree().dof()],
        }
    }

    /// Takes wrenches at frames of the tree, and one at the platform's origin, all with components in base axes.
    ///
    /// # Panics
    /// If `at` belongs to another robot, or a wrench acts at a frame that does not exist.
    pub fn set(&mut self, robot: &ClosedMechanism, at: &Configuration, frames: &[ExternalWrench], platform: Wrench) {
        let (tree, dof) = (robot.tree(), robot.tree().dof());
        self.on_velocities.fill(0.0);
        self.on_bodies.fill(Wrench::zero(0.0));
        if robot.platform().is_some() {
            self.on_velocities[dof..].copy_from_slice(&platform.to_array());
        }
        if frames.is_empty() {
            return;
        }
        self.motion.sweep_at_rest(tree, &at.q);
        for &ExternalWrench { frame, wrench } in frames {
            let Some(body) = tree.frames()[frame].body else { continue };
            let point = self.motion.base_from_frame(tree, frame, 0.0).position;
            self.on_bodies[body] = self.on_bodies[body] + wrench.about(point - self.motion.bodies[body].pose.position);
            for j in tree.path_to_base(body) {
                let joint = &self.motion.bodies[j];
                let about = wrench.about(point - joint.pose.position);
                self.on_velocities[j] += crate::dynamics::along_joint(tree.links()[j].joint, joint, about);
            }
        }
    }

    /// The generalised forces on u.
    #[must_use]
    pub fn on_velocities(&self) -> &[f64] {
        &self.on_velocities
    }

    /// The wrenches on the bodies, about their origins in base axes.
    #[must_use]
    pub fn on_bodies(&self) -> &[Wrench] {
        &self.on_bodies
    }
}
