//! A robot about a point for the general methods, with room for them: what referees the closed forms.

use super::study::{StudyError, assembled};
use appell::closed::drives::Sharing;
use appell::closed::{ClosedMechanism, Configuration, assembly, legs_platform, tree_closures};
use appell::description::Description;
use appell::spatial::{Mat3, Pose, Vec3};

/// The robot with the memory of both methods.
pub(super) struct General {
    pub(super) robot: ClosedMechanism,
    assembly: assembly::Workspace,
    pub(super) legs: legs_platform::Workspace,
    pub(super) tree: tree_closures::Workspace,
}

impl General {
    pub(super) fn new(description: &Description) -> Result<Self, StudyError> {
        let robot = ClosedMechanism::new(description)?;
        Ok(Self {
            assembly: assembly::Workspace::new(&robot),
            legs: legs_platform::Workspace::new(&robot),
            tree: tree_closures::Workspace::new(&robot),
            robot,
        })
    }

    /// The configuration at an attitude of the platform, angles in (−π, π].
    pub(super) fn at(&mut self, rotation: Mat3<f64>) -> Result<Configuration, StudyError> {
        let mut at = assembled(&self.robot, &mut self.assembly, self.robot.home(), about_point(rotation))?;
        assembly::wrap(&self.robot, &mut at);
        Ok(at)
    }

    /// Torques by tree + closures, of ω and ω̇.
    pub(super) fn torques(
        &mut self,
        at: &Configuration,
        omega: Vec3<f64>,
        omega_dot: Vec3<f64>,
    ) -> Result<[f64; 3], StudyError> {
        let (r, r_dot, sharing) = (omega.to_array(), omega_dot.to_array(), Sharing::default());
        let tau = tree_closures::inverse_dynamics(&self.robot, &mut self.tree, at, &r, &r_dot, &[], &sharing)?;
        Ok([tau[0], tau[1], tau[2]])
    }
}

/// A frame in the point.
pub(super) fn about_point(rotation: Mat3<f64>) -> Pose {
    Pose { rotation, position: Vec3::zero(0.0) }
}
