//! Momentum of a closed mechanism: that of its tree, and its platform's.

use super::{ClosedMechanism, Configuration};
use crate::dynamics::momentum::{self, Momentum};
use crate::kinematics::Workspace;
use crate::real::Real;
use crate::spatial::Vec3;

/// Linear momentum, and angular momentum about the centre of mass, in base axes, at the velocities u.
///
/// # Panics
/// If `u` does not have one value per velocity, or `at` belongs to another robot.
#[inline(always)]
pub fn momentum<T: Real>(
    robot: &ClosedMechanism,
    ws: &mut Workspace<T>,
    at: &Configuration<T>,
    u: &[T],
) -> Momentum<T> {
    let (tree, dof) = (robot.tree(), robot.tree().dof());
    let of_tree = momentum::momentum(tree, ws, &at.q, &u[..dof]);
    let (Some(platform), &[vx, vy, vz, wx, wy, wz]) = (robot.platform(), &u[dof..]) else { return of_tree };
    let (velocity, omega) = (Vec3::new(vx, vy, vz), Vec3::new(wx, wy, wz));
    let arm = at.pose.rotation.times_fixed(platform.first_moment);
    let linear = velocity.scale(platform.mass) + omega.cross(arm);
    // About the platform's origin first, then all about the common centre.
    let inertia = platform.inertia.lift(u[0]).turned_by(&at.pose.rotation);
    let angular = arm.cross(velocity) + inertia * omega;
    let tree_centre = momentum::centre_of_mass(tree, ws, &at.q);
    let centre = robot.centre_of_mass(ws, at);
    Momentum {
        linear: of_tree.linear + linear,
        angular: of_tree.angular
            + (tree_centre - centre).cross(of_tree.linear)
            + angular
            + (at.pose.position - centre).cross(linear),
    }
}
