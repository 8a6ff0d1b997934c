//! Derivatives of the equations themselves, by composite bodies in base axes, O(n · depth) (Carpentier2018, Singh2022).
//!
//! A joint that turns or slides carries all bodies beyond it along, S ×* f, while the motion that its carrier gives them
//! stays: to them it changes by Ψ̇ and Ψ̈. For a joint j and each joint i between it and the base, j itself included,
//!
//! ```text
//! Ψ̇ = v_λ × S        Ψ̈ = a_λ × S + v_λ × Ψ̇                                λ: the carrier
//! ∂τᵢ/∂qⱼ = Sᵢ · (I Ψ̈ⱼ + 2 B Ψ̇ⱼ + Sⱼ ×* f)      ∂τⱼ/∂qᵢ = Sⱼ · (I Ψ̈ᵢ + 2 B Ψ̇ᵢ)
//! ∂τᵢ/∂q̇ⱼ = 2 Sᵢ · (I Ψ̇ⱼ + B Sⱼ)                ∂τⱼ/∂q̇ᵢ = 2 Sⱼ · (I Ψ̇ᵢ + B Sᵢ)
//! ∂τᵢ/∂q̈ⱼ = Sᵢ · I Sⱼ                            I, B, f: of the bodies that joint j carries
//! ```
//!
//! | symbol | meaning |
//! |---|---|
//! | S | motion that a unit velocity of the joint gives |
//! | v, a | velocity; acceleration, minus gravity |
//! | I, f | inertia of a composite body; wrench that its motion needs |
//! | B | with B + Bᵀ = İ and B v = v ×* I v of each body (Echeandia2021) |
//!
//! The papers take B for a 6 × 6 matrix. About the base's origin it has one tensor E and the momentum p,
//! B (ω, u) = (E ω, ω × p) and Bᵀ (ω, u) = (Eᵀ ω + p × u, 0), so that it costs no more than the inertia. A robot that has
//! gone far from its base loses digits by the square of the distance over its size.
//!
//! ```text
//! ∂q̈/∂x = −M⁻¹ ∂τ/∂x |_{q̈}   for x = q, q̇        ∂q̈/∂τ = M⁻¹
//! ```

use super::Derivatives;
use super::composite::{Composite, Motion, State};
use crate::description::JointKind;
use crate::dynamics::gibbs_appell_forward;
use crate::dynamics::{InertiaError, joint_effects, turn_joints};
use crate::linear::Ltdl;
use crate::mechanism::{Link, Mechanism};
use crate::real::{Measured, Real};
use crate::spatial::{Mat3, PlanarRotation, Vec3};

/// What the sweeps keep of each body, in base axes about the base's origin.
#[derive(Debug, Clone)]
pub struct Workspace<T = f64> {
    turns: Vec<PlanarRotation<T>>, // joint turns                       at the start
    states: Vec<State<T>>,         // poses and motions                 outward
    joints: Vec<Joint<T>>,         // axes and how they are carried     outward
    parents: Vec<Option<usize>>,   // the carriers, side by side        outward
    composites: Vec<Composite<T>>, // bodies, then with all beyond      body by body, inward
    result: Derivatives<T>,        // zero where neither carries the other    inward
}

/// A joint as motions.
#[derive(Debug, Clone, Copy)]
struct Joint<T> {
    axis: Motion<T>,     // S
    psi_dot: Motion<T>,  // Ψ̇
    psi_ddot: Motion<T>, // Ψ̈
}

plain_workspace!(Workspace of Mechanism);

impl<T: Real> Workspace<T> {
    /// A workspace for this robot over the numbers of the kind of `like`.
    #[must_use]
    pub fn with_scalar(robot: &Mechanism, like: T) -> Self {
        let (n, zero) = (robot.dof(), Motion::zero(like));
        let state = State { rotation: Mat3::identity(like), position: Vec3::zero(like), v: zero, a: zero };
        Self {
            turns: vec![PlanarRotation::NONE.lift(like); n],
            states: vec![state; n],
            joints: vec![Joint { axis: zero, psi_dot: zero, psi_ddot: zero }; n],
            parents: vec![None; n],
            composites: vec![Composite::zero(like); n],
            result: Derivatives::new(n, like),
        }
    }
}

/// Derivatives of the joint forces by q, q̇ and q̈, at a state and acceleration.
///
/// ```
/// use appell::{dynamics::derivatives::analytic, robots};
///
/// let robot = robots::find("puma560").unwrap().mechanism();
/// let mut workspace = analytic::Workspace::new(&robot);
/// let found = analytic::of_inverse_dynamics(&robot, &mut workspace, &[0.1; 6], &[0.2; 6], &[0.3; 6]);
/// assert!(found.by_q[0].abs() < 1e-12); // the heading of the base does not matter
/// ```
///
/// # Panics
/// If a slice does not have one value per joint.
#[inline(always)]
pub fn of_inverse_dynamics<'w, T: Real>(
    robot: &Mechanism,
    ws: &'w mut Workspace<T>,
    q: &[T],
    v: &[T],
    a: &[T],
) -> &'w Derivatives<T> {
    robot.expect_lengths(&[q, v, a]);
    turn_joints(robot, q, &mut ws.turns);
    let (n, links) = (robot.dof(), robot.links());
    let Workspace { turns, states, joints, parents, composites, result } = ws;
    let (states, joints, composites) = (&mut states[..n], &mut joints[..n], &mut composites[..n]);
    let up = robot.base_acceleration();
    // Each sweep is a loop of its own, and nothing is copied out of the workspace: so the processor begins the next before the last has ended.
    for (j, link) in links.iter().enumerate() {
        let (before, rest) = states.split_at_mut(j);
        let (own, state, joint) = ([q[j], v[j], a[j]], &mut rest[0], &mut joints[j]);
        match link.parent {
            None => start(link, turns[j], own, up, state, joint),
            Some(p) => move_on(link, turns[j], own, &before[p], state, joint),
        }
        parents[j] = link.parent;
    }
    for ((link, state), body) in links.iter().zip(&*states).zip(&mut *composites) {
        body.set_body(link, state);
    }
    for (j, link) in links.iter().enumerate().rev() {
        let (before, rest) = composites.split_at_mut(j);
        if let Some(p) = link.parent {
            before[p].add(&rest[0]);
        }
        differentiate(j, link.composite.mass, &rest[0], joints, &parents[..n], result);
    }
    let Derivatives { by_q, by_v, by_input } = result;
    joint_effects::add_to_slopes(robot, v, by_q, by_v);
    joint_effects::add_to_inertia(robot, by_input);
    result
}

/// Pose and motion of a body on the base, which does not move: Ψ̇ = 0.
#[inline(always)]
fn start<T: Real>(
    link: &Link,
    turn: PlanarRotation<T>,
    [q, v, a]: [T; 3],
    up: Vec3<f64>,
    state: &mut State<T>,
    joint: &mut Joint<T>,
) {
    let zero = Vec3::zero(q);
    let (rotation, position) = (link.placement.rotation(turn), link.placement.offset(q).vector(q));
    let axis = axis_of(link, &rotation, position);
    joint.axis = axis;
    joint.psi_dot = Motion::zero(q);
    joint.psi_ddot = Motion { angular: zero, linear: up.cross_moving(axis.angular) };
    state.rotation = rotation;
    state.position = position;
    state.v = Motion { angular: axis.angular.times(v), linear: axis.linear.times(v) };
    state.a = axis.times_add(a, Motion { angular: zero, linear: up.lift(q) });
}

/// S: a turn about, or a slide along the body's z.
#[inline(always)]
fn axis_of<T: Real>(link: &Link, rotation: &Mat3<T>, position: Vec3<T>) -> Motion<T> {
    let z = rotation.column(2);
    match link.joint {
        JointKind::Revolute => Motion { angular: z, linear: position.cross(z) },
        JointKind::Prismatic => Motion { angular: Vec3::zero(z.x), linear: z },
    }
}

/// Pose and motion of a body, and its joint, from those of its carrier.
#[inline(always)]
fn move_on<T: Real>(
    link: &Link,
    turn: PlanarRotation<T>,
    [q, v, a]: [T; 3],
    carrier: &State<T>,
    state: &mut State<T>,
    joint: &mut Joint<T>,
) {
    let place = &link.placement;
    let [x, y, z] = carrier.rotation.rows;
    let rotation = Mat3::from_rows([place.to_body(turn, x), place.to_body(turn, y), place.to_body(turn, z)]);
    let position = carrier.position + place.offset(q).times(&carrier.rotation);
    let axis = axis_of(link, &rotation, position);
    let psi_dot = carrier.v.cross(axis);
    joint.axis = axis;
    joint.psi_dot = psi_dot;
    joint.psi_ddot = carrier.a.cross(axis).plus(carrier.v.cross(psi_dot));
    state.rotation = rotation;
    state.position = position;
    state.v = axis.times_add(v, carrier.v);
    state.a = axis.times_add(a, psi_dot.times_add(v, carrier.a)); // v × S = v_λ × S
}

/// The derivatives that joint j has with itself and all that carry it.
#[inline(always)]
fn differentiate<T: Real>(
    j: usize,
    mass: f64,
    body: &Composite<T>,
    joints: &[Joint<T>],
    parents: &[Option<usize>],
    result: &mut Derivatives<T>,
) {
    let n = joints.len();
    let Derivatives { by_q, by_v, by_input } = result;
    let (by_q, by_v, by_input) = (&mut by_q[..n * n], &mut by_v[..n * n], &mut by_input[..n * n]);
    let Joint { axis, psi_dot, psi_ddot } = &joints[j];
    let of_a = body.inertia_times(mass, *axis);
    let half_of_v = body.coriolis_times_add(axis.angular, body.inertia_times(mass, *psi_dot));
    let of_v = half_of_v + half_of_v;
    let twice_psi_dot = psi_dot.angular + psi_dot.angular;
    let coriolis = body.coriolis_times_add(twice_psi_dot, body.inertia_times(mass, *psi_ddot));
    let of_q = axis.carry_add(body.load, coriolis);
    let own = j * n + j;
    (by_q[own], by_v[own], by_input[own]) = (axis.dot(of_q), axis.dot(of_v), axis.dot(of_a));
    let half = body.coriolis_transposed_times(*axis); // Sⱼ · B, a moment and no force
    let back = half + half;
    let mut next = parents[j];
    while let Some(i) = next {
        let Joint { axis, psi_dot, psi_ddot } = &joints[i];
        let (row, column) = (j * n + i, i * n + j);
        let inertia = axis.dot(of_a);
        let by_rate = psi_dot.dot(of_a);
        let lower_q = psi_dot.angular.dot_add(back, psi_ddot.dot(of_a));
        let lower_v = axis.angular.dot_add(back, by_rate + by_rate);
        let (upper_q, upper_v) = (axis.dot(of_q), axis.dot(of_v));
        (by_q[row], by_v[row], by_input[row]) = (lower_q, lower_v, inertia);
        (by_q[column], by_v[column], by_input[column]) = (upper_q, upper_v, inertia);
        next = parents[i];
    }
}

/// What derivatives of forward dynamics need.
#[derive(Debug, Clone)]
pub struct ForwardWorkspace<T = f64> {
    forward: gibbs_appell_forward::Workspace<T>, // q̈
    inverse: Workspace<T>,                       // ∂τ/∂q, ∂τ/∂q̇, M, and at the end the result
    solver: Ltdl<T>,                             // M = Lᵀ D L
}

plain_workspace!(ForwardWorkspace of Mechanism);

impl<T: Real> ForwardWorkspace<T> {
    /// A workspace for this robot over the numbers of the kind of `like`.
    #[must_use]
    pub fn with_scalar(robot: &Mechanism, like: T) -> Self {
        Self {
            forward: gibbs_appell_forward::Workspace::with_scalar(robot, like),
            inverse: Workspace::with_scalar(robot, like),
            solver: Ltdl::new(robot.dof(), like),
        }
    }
}

/// Derivatives of the joint accelerations by q, q̇ and τ, at a state under joint forces.
///
/// # Errors
/// If the inertia matrix is singular.
///
/// # Panics
/// If a slice does not have one value per joint.
#[inline(always)]
pub fn of_forward_dynamics<'w, T: Measured>(
    robot: &Mechanism,
    ws: &'w mut ForwardWorkspace<T>,
    q: &[T],
    v: &[T],
    tau: &[T],
) -> Result<&'w Derivatives<T>, InertiaError> {
    let ForwardWorkspace { forward, inverse, solver } = ws;
    let a = gibbs_appell_forward::forward_dynamics(robot, forward, q, v, tau)?;
    let zero = q[0].zero();
    for matrix in inverse.result.matrices() {
        matrix.fill(zero); // what the last call left between joints of which neither carries the other
    }
    of_inverse_dynamics(robot, inverse, q, v, a);
    let Derivatives { by_q, by_v, by_input } = &mut inverse.result;
    solver.decompose(by_input);
    for matrix in [by_q, by_v] {
        for entry in &mut *matrix {
            *entry = -*entry;
        }
        solver.solve_columns(matrix);
    }
    by_input.fill(zero);
    for entry in by_input.iter_mut().step_by(robot.dof() + 1) {
        *entry = q[0].constant(1.0);
    }
    solver.solve_columns(by_input);
    Ok(&inverse.result)
}
