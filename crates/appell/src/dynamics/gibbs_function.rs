//! Gibbs' function itself, the "energy of the accelerations"  [Mata2002, eqs 3 and 4].
//!
//! ```text
//! G = Σ ½ m r̈·r̈ + ½ ω̇·I ω̇ + ω̇·(ω × I ω)
//! ```
//!
//! and ½ I q̈² + (friction + spring) q̈ of the joints,
//!
//! with r̈ the acceleration of the centre of mass minus gravity. Its gradient by q̈ is τ and its Hessian is the
//! inertia matrix, which is how it referees every other method. Computed in base axes.

use super::joint_effects;
use crate::kinematics::Workspace;
use crate::mechanism::Mechanism;
use crate::real::Real;

/// Gibbs' function at the state `q`, `v` and the acceleration `a`, N m/s², up to a function of `q` and `v`.
///
/// ```
/// use appell::{dynamics::gibbs_function, kinematics::Workspace, real::Dual, robots};
///
/// // The gradient by the accelerations is the joint forces: at rest, what holds the arm.
/// let robot = robots::find("two-link").unwrap().mechanism();
/// let a = [Dual::<2>::variable(0.0, 0), Dual::variable(0.0, 1)];
/// let rest = [Dual::fixed(0.0); 2];
/// let mut workspace = Workspace::with_scalar(&robot, a[0]);
/// let tau = gibbs_function::gibbs_function(&robot, &mut workspace, &rest, &rest, &a).derivative;
/// assert!((tau[1] - 10.0 * 1.0 * 9.81).abs() < 1e-12); // m2 c2 g of the horizontal bar
/// ```
///
/// # Panics
/// If a slice does not have one value per joint.
#[inline(always)]
pub fn gibbs_function<T: Real>(robot: &Mechanism, ws: &mut Workspace<T>, q: &[T], v: &[T], a: &[T]) -> T {
    robot.expect_lengths(&[q, v, a]);
    ws.sweep_with_gravity(robot, q, v, a);
    let mut gibbs = q[0].zero();
    for (link, body) in robot.links().iter().zip(&ws.bodies) {
        let r_ddot = body.acceleration_of(body.pose.rotation.times_fixed(link.com));
        let omega = body.pose.rotation.transpose_times(body.omega);
        let omega_dot = body.pose.rotation.transpose_times(body.omega_dot);
        let quadratic = r_ddot.dot(r_ddot).scale(link.mass) + omega_dot.dot(link.inertia.times_moving(omega_dot));
        let gyroscopic = omega_dot.dot(omega.cross(link.inertia.times_moving(omega)));
        gibbs = gibbs + quadratic.scale(0.5) + gyroscopic;
    }
    for (j, effects) in robot.effects().iter().enumerate() {
        let rotor = (a[j] * a[j]).scale(0.5 * effects.rotor.reflected_inertia());
        gibbs = gibbs + rotor + joint_effects::force(effects, q[j], v[j]) * a[j];
    }
    gibbs
}
