//! Momentum of the whole robot, its centre of mass and how joints move it, in base axes, O(n).

use super::base_axes::along_joint;
use crate::kinematics::Workspace;
use crate::mechanism::Mechanism;
use crate::real::Real;
use crate::spatial::{Mat3, Vec3, Wrench};

/// Momentum of a robot without its base, in base axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Momentum<T = f64> {
    /// Σ m ċ, kg m/s.
    pub linear: Vec3<T>,
    /// Σ (c − c̄) × m ċ + I ω, about the centre of mass of all, kg m²/s.
    pub angular: Vec3<T>,
}

/// Centre of mass of all bodies. A robot without mass has it in the base's origin.
///
/// # Panics
/// If `q` does not have one value per joint.
#[inline(always)]
pub fn centre_of_mass<T: Real>(robot: &Mechanism, ws: &mut Workspace<T>, q: &[T]) -> Vec3<T> {
    robot.expect_lengths(&[q]);
    ws.sweep_at_rest(robot, q);
    centre(robot, ws, q[0])
}

/// The 3 × n Jacobian of the centre of mass, row by row, into `jacobian`.
///
/// A column is what the weight of all bodies beyond a joint would ask of it, a mass: ∂c̄/∂qⱼ = M_j/M e × (c̄ⱼ − Oⱼ).
///
/// # Panics
/// If `q` does not have one value per joint, or `jacobian` does not have three.
#[inline(always)]
pub fn centre_of_mass_jacobian<T: Real>(robot: &Mechanism, ws: &mut Workspace<T>, q: &[T], jacobian: &mut [T]) {
    robot.expect_lengths(&[q]);
    let n = robot.dof();
    assert_eq!(jacobian.len(), 3 * n, "three values per joint");
    ws.sweep_at_rest(robot, q);
    let per_mass = per_mass(robot);
    jacobian.fill(q[0].zero());
    for (i, link) in robot.links().iter().enumerate() {
        let com = com_of(robot, ws, i);
        for j in robot.path_to_base(i) {
            let joint = &ws.bodies[j];
            for (row, unit) in Mat3::identity(q[0]).rows.into_iter().enumerate() {
                let pull = Wrench { force: unit, moment: Vec3::zero(q[0]) }.about(com - joint.pose.position);
                let entry = &mut jacobian[row * n + j];
                *entry = along_joint(robot.links()[j].joint, joint, pull).scale_add(link.mass * per_mass, *entry);
            }
        }
    }
}

/// Momentum at the state `q`, `v`.
///
/// # Panics
/// If a slice does not have one value per joint.
#[inline(always)]
pub fn momentum<T: Real>(robot: &Mechanism, ws: &mut Workspace<T>, q: &[T], v: &[T]) -> Momentum<T> {
    robot.expect_lengths(&[q, v]);
    ws.sweep_unaccelerated(robot, q, v);
    let middle = centre(robot, ws, q[0]);
    let (mut linear, mut angular) = (Vec3::zero(q[0]), Vec3::zero(q[0]));
    for (i, link) in robot.links().iter().enumerate() {
        let body = &ws.bodies[i];
        let com = com_of(robot, ws, i);
        let push = body.velocity_of(com - body.pose.position).scale(link.mass);
        let spin = link.inertia.times_moving(body.pose.rotation.transpose_times(body.omega));
        linear = linear + push;
        angular = angular + (com - middle).cross(push) + body.pose.rotation * spin;
    }
    Momentum { linear, angular }
}

/// Centre of mass of body i, after the sweep.
#[inline(always)]
fn com_of<T: Real>(robot: &Mechanism, ws: &Workspace<T>, i: usize) -> Vec3<T> {
    let pose = &ws.bodies[i].pose;
    pose.position + pose.rotation.times_fixed(robot.links()[i].com)
}

/// Centre of mass of all bodies, after the sweep.
#[inline(always)]
fn centre<T: Real>(robot: &Mechanism, ws: &Workspace<T>, like: T) -> Vec3<T> {
    let mut moment = Vec3::zero(like);
    for (i, link) in robot.links().iter().enumerate() {
        moment = moment + com_of(robot, ws, i).scale(link.mass);
    }
    moment.scale(per_mass(robot))
}

fn per_mass(robot: &Mechanism) -> f64 {
    let mass = robot.mass();
    if mass > 0.0 { 1.0 / mass } else { 0.0 }
}
