//! Kinetic and potential energy, in base axes.

use crate::kinematics::Workspace;
use crate::mechanism::Mechanism;
use crate::real::Real;

/// Energy of a robot, J.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Energy<T = f64> {
    /// Σ ½ m ċ·ċ + ½ ω·I ω, and ½ I q̇² of the rotors
    pub kinetic: T,
    /// −Σ m g·c, and ½ k (q − q₀)² of the springs; weight counts from the base's origin.
    pub potential: T,
}

/// Kinetic and potential energy at the state `q`, `v`.
///
/// # Panics
/// If a slice does not have one value per joint.
#[inline(always)]
pub fn energy<T: Real>(robot: &Mechanism, ws: &mut Workspace<T>, q: &[T], v: &[T]) -> Energy<T> {
    robot.expect_lengths(&[q, v]);
    ws.sweep_unaccelerated(robot, q, v);
    let gravity = robot.gravity().lift(q[0]);
    let (mut kinetic, mut potential) = (q[0].zero(), q[0].zero());
    for (link, body) in robot.links().iter().zip(&ws.bodies) {
        let arm = body.pose.rotation.times_fixed(link.com);
        let velocity = body.velocity_of(arm);
        let omega = body.pose.rotation.transpose_times(body.omega);
        let twice = velocity.dot(velocity).scale(link.mass) + omega.dot(link.inertia.times_moving(omega));
        kinetic = kinetic + twice.scale(0.5);
        potential = potential - gravity.dot(body.pose.position + arm).scale(link.mass);
    }
    for ((effects, &q), &v) in robot.effects().iter().zip(q).zip(v) {
        let stretch = q - q.constant(effects.spring.rest);
        kinetic = kinetic + (v * v).scale(0.5 * effects.rotor.reflected_inertia());
        potential = potential + (stretch * stretch).scale(0.5 * effects.spring.stiffness);
    }
    Energy { kinetic, potential }
}
