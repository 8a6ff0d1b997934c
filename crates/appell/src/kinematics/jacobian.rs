//! The Jacobian of any frame, and its rate times the velocities.

use super::Workspace;
use crate::description::JointKind;
use crate::mechanism::{Axes, Mechanism};
use crate::real::Real;
use crate::spatial::{Acceleration, Vec3};

/// The 6 × n Jacobian of a frame, row by row: linear velocity of the frame's origin, then angular velocity, with
/// components along `axes`.
///
/// ```
/// use appell::{kinematics, mechanism::Axes, robots};
///
/// let robot = robots::find("puma560").unwrap().mechanism();
/// let mut workspace = kinematics::Workspace::new(&robot);
/// let hand = robot.frames().len() - 1;
/// let jacobian = kinematics::jacobian(&robot, &mut workspace, &[0.0; 6], hand, Axes::Base);
/// assert!((jacobian[0] - 0.15).abs() < 1e-15); // x velocity of the hand, a rad/s of the waist
/// ```
///
/// # Panics
/// If `q` does not have one value per joint, or there is no such frame.
#[inline(always)]
pub fn jacobian<'w, T: Real>(
    robot: &Mechanism,
    ws: &'w mut Workspace<T>,
    q: &[T],
    frame: usize,
    axes: Axes,
) -> &'w [T] {
    robot.expect_lengths(&[q]);
    ws.sweep_at_rest(robot, q);
    let n = robot.dof();
    let rotation = ws.base_from_axes(robot, axes, q[0]);
    let origin = ws.base_from_frame(robot, frame, q[0]).position;
    let zero = Vec3::zero(q[0]);
    ws.jacobian.fill(q[0].zero());
    let Some(body) = robot.frames()[frame].body else {
        return &ws.jacobian;
    };
    for j in robot.path_to_base(body) {
        let joint = &ws.bodies[j];
        let axis = joint.axis();
        let (linear, angular) = match robot.links()[j].joint {
            JointKind::Revolute => (axis.cross(origin - joint.pose.position), axis),
            JointKind::Prismatic => (axis, zero),
        };
        let (linear, angular) = (rotation.transpose_times(linear), rotation.transpose_times(angular));
        for (row, entry) in linear.to_array().into_iter().chain(angular.to_array()).enumerate() {
            ws.jacobian[row * n + j] = entry;
        }
    }
    &ws.jacobian
}

/// J̇ v of a frame: the acceleration of its origin and its angular acceleration at q̈ = 0, with components along
/// `axes` and without gravity.
///
/// In base axes this is the rate of [`jacobian`]'s matrix times `v`. Along other axes it is the same vector by its
/// components there, so that acceleration = J a + J̇ v holds in any axes.
///
/// # Panics
/// If a slice does not have one value per joint, or there is no such frame.
#[inline(always)]
pub fn jacobian_rate_times_v<T: Real>(
    robot: &Mechanism,
    ws: &mut Workspace<T>,
    q: &[T],
    v: &[T],
    frame: usize,
    axes: Axes,
) -> Acceleration<T> {
    robot.expect_lengths(&[q, v]);
    ws.sweep_unaccelerated(robot, q, v);
    let rotation = ws.base_from_axes(robot, axes, q[0]);
    let Some(body) = robot.frames()[frame].body else {
        return Acceleration { linear: Vec3::zero(q[0]), angular: Vec3::zero(q[0]) };
    };
    let origin = ws.base_from_frame(robot, frame, q[0]).position;
    let body = &ws.bodies[body];
    Acceleration {
        linear: rotation.transpose_times(body.acceleration_of(origin - body.pose.position)),
        angular: rotation.transpose_times(body.omega_dot),
    }
}
