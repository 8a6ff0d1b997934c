//! Inverse dynamics by Newton's and Euler's equations of each body, O(n) (Luh1980).
//!
//! The textbook recursion with rotation matrices and no case for the first or last body: plain enough to referee the
//! Gibbs-Appell methods. Symbols: ω, ω̇ angular velocity and acceleration; p̈ acceleration of the body's origin, minus
//! gravity; F, N force at and moment about the centre of mass; f, n what the joint transmits. All in body frames.

use super::joint_effects;
use crate::description::JointKind;
use crate::mechanism::Mechanism;
use crate::real::Real;
use crate::spatial::{Mat3, PlanarRotation, Vec3, Wrench};

/// What the recursions keep of each body.
#[derive(Debug, Clone)]
pub struct Workspace<T = f64> {
    turns: Vec<PlanarRotation<T>>, // joint turns         at the start
    bodies: Vec<State<T>>,         // motion and forces   outward, inward
    rest: Vec<T>,                  // q̈ = 0, for the bias
    tau: Vec<T>,                   // τ, N m or N         inward
}

#[derive(Debug, Clone, Copy)]
struct State<T> {
    rotation: Mat3<T>,  // parent_from_body    outward
    offset: Vec3<T>,    // O_parent → O_body   outward
    omega: Vec3<T>,     // ω                   outward
    omega_dot: Vec3<T>, // ω̇                   outward
    p_ddot: Vec3<T>,    // p̈                   outward
    force: Vec3<T>,     // F, then f           outward, inward
    moment: Vec3<T>,    // N + r × F, then n   outward, inward
}

plain_workspace!(Workspace of Mechanism);

impl<T: Real> Workspace<T> {
    /// A workspace for this robot over the numbers of the kind of `like`.
    #[must_use]
    pub fn with_scalar(robot: &Mechanism, like: T) -> Self {
        let (zero, vector) = (like.zero(), Vec3::zero(like));
        let state = State {
            rotation: Mat3::zero(like),
            offset: vector,
            omega: vector,
            omega_dot: vector,
            p_ddot: vector,
            force: vector,
            moment: vector,
        };
        let n = robot.dof();
        Self {
            turns: vec![PlanarRotation { cos: zero, sin: zero }; n],
            bodies: vec![state; n],
            rest: vec![zero; n],
            tau: vec![zero; n],
        }
    }
}

/// Joint forces τ that give the accelerations `a` at the state `q`, `v`.
///
/// # Panics
/// If a slice does not have one value per joint.
#[inline(always)]
pub fn inverse_dynamics<'w, T: Real>(
    robot: &Mechanism,
    ws: &'w mut Workspace<T>,
    q: &[T],
    v: &[T],
    a: &[T],
) -> &'w [T] {
    robot.expect_lengths(&[q, v, a]);
    recursions(robot, robot.base_acceleration(), &mut ws.turns, &mut ws.bodies, &mut ws.tau, q, v, a);
    joint_effects::add_to_forces(robot, q, v, Some(a), &mut ws.tau);
    &ws.tau
}

/// The wrench that each joint transmits from its carrier to its body, along the axes of the body's own frame, the one
/// of the joint's name, and about the point of the joint's axis nearest to that frame's origin.
///
/// # Panics
/// If a slice does not have one value per joint.
#[inline(always)]
pub fn reactions<'w, T: Real>(
    robot: &'w Mechanism,
    ws: &'w mut Workspace<T>,
    q: &[T],
    v: &[T],
    a: &[T],
) -> impl Iterator<Item = Wrench<T>> + 'w {
    robot.expect_lengths(&[q, v, a]);
    recursions(robot, robot.base_acceleration(), &mut ws.turns, &mut ws.bodies, &mut ws.tau, q, v, a);
    ws.bodies.iter().zip(robot.frames()).enumerate().map(|(j, (body, own))| {
        let axes = own.body_from_frame.lift(body.force.x).rotation;
        let slide = Vec3::new(0.0, 0.0, -robot.joint_point(j)).lift(body.force.x);
        let Wrench { force, moment } = Wrench { force: body.force, moment: body.moment }.about(slide);
        Wrench { force: axes.transpose_times(force), moment: axes.transpose_times(moment) }
    })
}

/// Joint forces at q̈ = 0: centrifugal, Coriolis and gravity terms, friction and springs together.
///
/// # Panics
/// If a slice does not have one value per joint.
#[inline(always)]
pub fn bias<'w, T: Real>(robot: &Mechanism, ws: &'w mut Workspace<T>, q: &[T], v: &[T]) -> &'w [T] {
    robot.expect_lengths(&[q, v]);
    recursions(robot, robot.base_acceleration(), &mut ws.turns, &mut ws.bodies, &mut ws.tau, q, v, &ws.rest);
    joint_effects::add_to_forces(robot, q, v, None, &mut ws.tau);
    &ws.tau
}

/// Joint forces of the velocities alone: the bias of a robot that weighs nothing.
///
/// # Panics
/// If a slice does not have one value per joint.
#[inline(always)]
pub fn coriolis_vector<'w, T: Real>(robot: &Mechanism, ws: &'w mut Workspace<T>, q: &[T], v: &[T]) -> &'w [T] {
    robot.expect_lengths(&[q, v]);
    recursions(robot, Vec3::zero(0.0), &mut ws.turns, &mut ws.bodies, &mut ws.tau, q, v, &ws.rest);
    &ws.tau
}

/// Joint forces at q̇ = q̈ = 0: what holds the robot.
///
/// # Panics
/// If `q` does not have one value per joint.
#[inline(always)]
pub fn gravity<'w, T: Real>(robot: &Mechanism, ws: &'w mut Workspace<T>, q: &[T]) -> &'w [T] {
    robot.expect_lengths(&[q]);
    recursions(robot, robot.base_acceleration(), &mut ws.turns, &mut ws.bodies, &mut ws.tau, q, &ws.rest, &ws.rest);
    &ws.tau
}

/// Both recursions. `up` is the base's acceleration.
#[inline(always)]
#[expect(clippy::too_many_arguments, reason = "the workspace by its parts, and the state")]
fn recursions<T: Real>(
    robot: &Mechanism,
    up: Vec3<f64>,
    turns: &mut [PlanarRotation<T>],
    bodies: &mut [State<T>],
    tau: &mut [T],
    q: &[T],
    v: &[T],
    a: &[T],
) {
    super::turn_joints(robot, q, turns);
    for (j, link) in robot.links().iter().enumerate() {
        let zero = Vec3::zero(q[j]);
        let (omega, omega_dot, p_ddot) = match link.parent {
            None => (zero, zero, up.lift(q[j])),
            Some(p) => (bodies[p].omega, bodies[p].omega_dot, bodies[p].p_ddot),
        };
        let rotation = link.placement.rotation(turns[j]);
        let offset = link.placement.offset(q[j]).vector(q[j]);
        let (rate, acceleration) =
            (Vec3::new(v[j].zero(), v[j].zero(), v[j]), Vec3::new(a[j].zero(), a[j].zero(), a[j]));
        let carried_omega = rotation.transpose_times(omega);
        let carried_omega_dot = rotation.transpose_times(omega_dot);
        let carried_p_ddot =
            rotation.transpose_times(p_ddot + omega_dot.cross(offset) + omega.cross(omega.cross(offset)));
        let (omega, omega_dot, p_ddot) = match link.joint {
            JointKind::Revolute => {
                (carried_omega + rate, carried_omega_dot + carried_omega.cross(rate) + acceleration, carried_p_ddot)
            }
            JointKind::Prismatic => {
                let coriolis = carried_omega.cross(rate);
                (carried_omega, carried_omega_dot, carried_p_ddot + coriolis + coriolis + acceleration)
            }
        };
        let com = link.com.lift(q[j]);
        let force = (p_ddot + omega_dot.cross(com) + omega.cross(omega.cross(com))).scale(link.mass); // Newton
        let spin = link.inertia.times_moving(omega);
        let moment = link.inertia.times_moving(omega_dot) + omega.cross(spin) + com.cross(force); // Euler
        bodies[j] = State { rotation, offset, omega, omega_dot, p_ddot, force, moment };
    }
    for (j, link) in robot.links().iter().enumerate().rev() {
        let State { rotation, offset, force, moment, .. } = bodies[j];
        tau[j] = link.joint.pick(moment.z, force.z);
        if let Some(p) = link.parent {
            let on_parent = rotation * force;
            bodies[p].force = bodies[p].force + on_parent;
            bodies[p].moment = bodies[p].moment + rotation * moment + offset.cross(on_parent);
        }
    }
}
