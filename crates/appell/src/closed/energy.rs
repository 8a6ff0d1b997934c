//! Kinetic and potential energy of a closed mechanism.

use super::{ClosedMechanism, Configuration};
use crate::dynamics::energy::{self, Energy};
use crate::kinematics::Workspace;
use crate::real::Real;
use crate::spatial::Vec3;

/// Energy of the tree and the platform at the velocities u, as [`motion`](super::legs_platform::motion) gives them.
///
/// The workspace is one of the robot's [`tree`](ClosedMechanism::tree).
///
/// # Panics
/// If `u` has not one number a velocity, or `at` belongs to another robot.
pub fn energy<T: Real>(robot: &ClosedMechanism, ws: &mut Workspace<T>, at: &Configuration<T>, u: &[T]) -> Energy<T> {
    assert_eq!(u.len(), robot.velocities(), "one number a velocity");
    let (v, twist) = u.split_at(robot.tree().dof());
    let mut energy = energy::energy(robot.tree(), ws, &at.q, v);
    if let (Some(platform), &[vx, vy, vz, wx, wy, wz]) = (robot.platform(), twist) {
        let turned = platform.turned(&at.pose.rotation);
        let kinetic = turned.kinetic(Vec3::new(vx, vy, vz), Vec3::new(wx, wy, wz));
        energy.kinetic = energy.kinetic + kinetic;
        energy.potential = energy.potential + platform.potential(&at.pose, robot.tree().gravity());
    }
    energy
}
