//! Inverse and forward dynamics and the inertia matrix in first moments and inertias about the joints' origins, the
//! form that is linear in a body's ten parameters (Khalil1987).
//!
//! The parameters are numbers of the same kind as the state, and masses, first moments and inertias need not fit each
//! other: they may be regrouped ([`Bodies::regroup`]), so that most are zero. The text spares no zeros; it is meant for
//! numbers that do, as the recorded expressions of the crate `appell-codegen` are.
//!
//! | symbol | meaning | unit | frame |
//! |---|---|---|---|
//! | ω, ω̇, Ω | angular velocity, acceleration, ω̇~ + ω~ω~ | rad/s, rad/s², 1/s² | body |
//! | s̈ | acceleration of the body's origin, minus gravity | m/s² | body |
//! | m, mc, J | mass, first moment, inertia about the origin | kg, kg m, kg m² | body |
//! | f, n | force and moment about the origin that the body needs | N, N m | body |
//! | W, A | Σ q̇, Σ q̈ over the joints of one direction up to here | rad/s, rad/s² | |
//! | φ | force of all bodies beyond | N | body |
//!
//! Revolute joints that follow each other on parallel axes turn by the sum of their angles: what is free, rates and
//! moments, passes all of them by one turn from and to the axes before the first, its carrier's.

use super::{InertiaError, joint_effects, refuse_small_pivot};
use crate::description::JointKind;
use crate::linear::Ltdl;
use crate::mechanism::{Link, Mechanism};
use crate::real::{Measured, Real};
use crate::spatial::{Mat3, PlanarRotation, Vec3};

mod bodies;

pub use bodies::{Bodies, Body, spin_tensor};

/// What the sweeps keep of each body.
#[derive(Debug, Clone)]
pub struct Workspace<T = f64> {
    states: Vec<State<T>>,    // motion and forces          outward, inward
    composites: Vec<Body<T>>, // with all bodies beyond     inward, for the inertia matrix
    matrix: Vec<T>,           // inertia, row by row
    rest: Vec<T>,             // zeros
    solver: Ltdl<T>,
    tau: Vec<T>, // τ, or q̈
}

#[derive(Debug, Clone, Copy)]
struct State<T> {
    turn: PlanarRotation<T>,  // of the joint                                  at the start
    angle: T,                 // sum of the angles on parallel axes            at the start
    total: PlanarRotation<T>, // by that sum                                   at the start
    carried: [Vec3<T>; 2],    // ω and ω̇ of the carrier, in its axes           outward
    rates: [T; 2],            // W and A                                       outward
    omega: Vec3<T>,           // ω                                             outward
    omega_dot: Vec3<T>,       // ω̇                                             outward
    tensor: Mat3<T>,          // Ω                                             outward
    s_ddot: Vec3<T>,          // s̈                                             outward
    force: Vec3<T>,           // f, then with φ                                outward, inward
    moment: Vec3<T>,          // n, then with that of bodies beyond            outward, inward
    beyond: Vec3<T>,          // moment of what parallel joints carry, in the carrier's axes    inward
}

impl<T: Real> Workspace<T> {
    /// A workspace for this robot over the numbers of the kind of `like`.
    #[must_use]
    pub fn with_scalar(robot: &Mechanism, like: T) -> Self {
        let (n, zero, vector) = (robot.dof(), like.zero(), Vec3::zero(like));
        let still = PlanarRotation::NONE.lift(like);
        let state = State {
            turn: still,
            angle: zero,
            total: still,
            carried: [vector; 2],
            rates: [zero; 2],
            omega: vector,
            omega_dot: vector,
            tensor: Mat3::zero(like),
            s_ddot: vector,
            force: vector,
            moment: vector,
            beyond: vector,
        };
        Self {
            states: vec![state; n],
            composites: vec![Body::zero(like); n],
            matrix: vec![zero; n * n],
            rest: vec![zero; n],
            solver: Ltdl::new(n, like),
            tau: vec![zero; n],
        }
    }
}

/// Joint forces τ that give the accelerations `a` at the state `q`, `v`.
///
/// # Panics
/// If a slice does not have one value per joint.
pub fn inverse_dynamics<'w, T: Real>(
    robot: &Mechanism,
    bodies: &Bodies<T>,
    ws: &'w mut Workspace<T>,
    q: &[T],
    v: &[T],
    a: &[T],
) -> &'w [T] {
    robot.expect_lengths(&[q, v, a]);
    sweep(robot, bodies, robot.base_acceleration(), ws, q, v, a);
    joint_effects::add_to_forces(robot, q, v, Some(a), &mut ws.tau);
    &ws.tau
}

/// Joint forces at q̈ = 0: centrifugal, Coriolis and gravity terms, friction and springs together.
///
/// # Panics
/// If a slice does not have one value per joint.
pub fn bias<'w, T: Real>(robot: &Mechanism, bodies: &Bodies<T>, ws: &'w mut Workspace<T>, q: &[T], v: &[T]) -> &'w [T] {
    robot.expect_lengths(&[q, v]);
    at_zero_acceleration(robot, bodies, robot.base_acceleration(), ws, q, v);
    joint_effects::add_to_forces(robot, q, v, None, &mut ws.tau);
    &ws.tau
}

/// Joint forces of the velocities alone: the bias of a robot that weighs nothing.
///
/// # Panics
/// If a slice does not have one value per joint.
pub fn coriolis_vector<'w, T: Real>(
    robot: &Mechanism,
    bodies: &Bodies<T>,
    ws: &'w mut Workspace<T>,
    q: &[T],
    v: &[T],
) -> &'w [T] {
    robot.expect_lengths(&[q, v]);
    at_zero_acceleration(robot, bodies, Vec3::zero(0.0), ws, q, v);
    &ws.tau
}

/// Joint forces at q̇ = q̈ = 0: what holds the robot.
///
/// # Panics
/// If `q` does not have one value per joint.
pub fn gravity<'w, T: Real>(robot: &Mechanism, bodies: &Bodies<T>, ws: &'w mut Workspace<T>, q: &[T]) -> &'w [T] {
    robot.expect_lengths(&[q]);
    let rest = core::mem::take(&mut ws.rest);
    sweep(robot, bodies, robot.base_acceleration(), ws, q, &rest, &rest);
    ws.rest = rest;
    &ws.tau
}

/// The inertia matrix at the configuration `q`, all n² entries row by row, by composite bodies about the origins.
///
/// # Panics
/// If `q` does not have one value per joint.
pub fn inertia_matrix<'w, T: Real>(
    robot: &Mechanism,
    bodies: &Bodies<T>,
    ws: &'w mut Workspace<T>,
    q: &[T],
) -> &'w [T] {
    robot.expect_lengths(&[q]);
    turn_joints(robot, bodies, &mut ws.states, q);
    ws.composites.copy_from_slice(bodies.as_slice());
    let n = robot.dof();
    for (j, link) in robot.links().iter().enumerate().rev() {
        let (turn, offset) = (ws.states[j].turn, link.placement.offset(q[j]).vector(q[j]));
        let body = ws.composites[j];
        if let Some(p) = link.parent {
            ws.composites[p] = ws.composites[p] + body.seen_from_parent(&link.placement, turn, offset);
        }
        // What a unit acceleration of the joint needs, carried to the base.
        let (zero, mc) = (q[j].zero(), body.first_moment);
        let (mut force, mut moment) = match link.joint {
            JointKind::Revolute => (Vec3::new(-mc.y, mc.x, zero), body.inertia.z_column()),
            JointKind::Prismatic => (Vec3::new(zero, zero, body.mass), Vec3::new(mc.y, -mc.x, zero)),
        };
        for k in robot.path_to_base(j) {
            let Link { joint, placement, .. } = &robot.links()[k];
            let entry = joint.pick(moment.z, force.z);
            ws.matrix[j * n + k] = entry;
            ws.matrix[k * n + j] = entry;
            let turn = ws.states[k].turn;
            force = placement.to_parent(turn, force);
            moment = placement.offset(q[k]).cross(force) + placement.to_parent(turn, moment);
        }
    }
    joint_effects::add_to_inertia(robot, &mut ws.matrix);
    &ws.matrix
}

/// Joint accelerations that the forces `tau` give at the state `q`, `v`: M and bias, eliminated from the tip.
///
/// # Errors
/// If the inertia matrix is singular, with the joint and its pivot.
///
/// # Panics
/// If a slice does not have one value per joint.
pub fn forward_dynamics<'w, T: Measured>(
    robot: &Mechanism,
    bodies: &Bodies<T>,
    ws: &'w mut Workspace<T>,
    q: &[T],
    v: &[T],
    tau: &[T],
) -> Result<&'w [T], InertiaError> {
    robot.expect_lengths(&[q, v, tau]);
    bias(robot, bodies, ws, q, v);
    ws.tau.iter_mut().zip(tau).for_each(|(rest, &tau)| *rest = tau - *rest);
    inertia_matrix(robot, bodies, ws, q);
    ws.solver.decompose(&ws.matrix);
    let n = robot.dof();
    // The last is eliminated first: what is wrong there spoils those before.
    for (j, &pivot) in ws.solver.pivots().iter().enumerate().rev() {
        refuse_small_pivot(robot, j, pivot, ws.matrix[j * n + j].greatest())?;
    }
    ws.solver.solve(&mut ws.tau);
    Ok(&ws.tau)
}

fn at_zero_acceleration<T: Real>(
    robot: &Mechanism,
    bodies: &Bodies<T>,
    up: Vec3<f64>,
    ws: &mut Workspace<T>,
    q: &[T],
    v: &[T],
) {
    let rest = core::mem::take(&mut ws.rest);
    sweep(robot, bodies, up, ws, q, v, &rest);
    ws.rest = rest;
}

/// Both sweeps. `up` is the base's acceleration.
fn sweep<T: Real>(
    robot: &Mechanism,
    bodies: &Bodies<T>,
    up: Vec3<f64>,
    ws: &mut Workspace<T>,
    q: &[T],
    v: &[T],
    a: &[T],
) {
    turn_joints(robot, bodies, &mut ws.states, q);
    for (j, link) in robot.links().iter().enumerate() {
        let (carriers, rest) = ws.states.split_at_mut(j);
        move_body(robot, up, link, link.parent.map(|p| &carriers[p]), &mut rest[0], q[j], v[j], a[j]);
        let state = &mut rest[0];
        let State { omega, omega_dot, tensor, s_ddot, .. } = *state;
        (state.force, state.moment) = bodies.as_slice()[j].needs(omega, omega_dot, &tensor, s_ddot);
    }
    for (j, link) in robot.links().iter().enumerate().rev() {
        let State { turn, total, force, moment, beyond, .. } = ws.states[j];
        ws.tau[j] = match link.joint {
            JointKind::Revolute => moment.z + beyond.z,
            JointKind::Prismatic => force.z,
        };
        let Some(p) = link.parent else { continue };
        let place = &link.placement;
        let on_parent = place.to_parent(turn, force);
        let lever = place.offset(q[j]).cross(on_parent);
        let parent = &mut ws.states[p];
        parent.force = parent.force + on_parent;
        match link.joint {
            JointKind::Revolute if continues(robot, link) => {
                parent.moment = parent.moment + lever;
                parent.beyond = parent.beyond + (total.about_z(moment) + beyond);
            }
            JointKind::Revolute => {
                let carried = place.carrier_to_parent(total.about_z(moment) + beyond);
                parent.moment = parent.moment + (carried + lever);
            }
            JointKind::Prismatic => parent.moment = parent.moment + (place.to_parent(turn, moment) + lever),
        }
    }
}

/// Whether a revolute joint turns on about the direction of the joint before it.
fn continues(robot: &Mechanism, link: &Link) -> bool {
    let turns = |link: &Link| link.joint == JointKind::Revolute;
    turns(link) && link.placement.is_parallel() && link.parent.is_some_and(|p| turns(&robot.links()[p]))
}

/// The joints' turns, and those of joints on parallel axes together. A round body is left where it is.
fn turn_joints<T: Real>(robot: &Mechanism, bodies: &Bodies<T>, states: &mut [State<T>], q: &[T]) {
    assert_eq!(states.len(), robot.dof(), "the workspace belongs to another robot");
    for (j, (link, body)) in robot.links().iter().zip(bodies.as_slice()).enumerate() {
        let before = link.parent.filter(|_| continues(robot, link)).map(|p| (states[p].angle, states[p].total));
        let state = &mut states[j];
        if body.is_round {
            state.turn = PlanarRotation::NONE.lift(q[j]);
            state.total = before.map_or(state.turn, |(_, total)| total);
            continue;
        }
        state.turn = link.placement.turn(q[j]);
        let own = q[j] + q[j].constant(link.placement.theta());
        (state.angle, state.total) = match before {
            None => (own, state.turn),
            Some((angle, _)) => (angle + own, PlanarRotation::by(angle + own)),
        };
    }
}

/// Motion of one body from its parent's.
///
/// ```text
/// ω = R_Wᵀ ω_C + z W        ω̇ = R_Wᵀ ω̇_C + ω × z W + z A        R_W: by the sum of the angles, C: the carrier's axes
/// s̈ = Rᵀ(s̈ₚ + Ωₚ s)        prismatic: + 2 ω × z q̇ + z q̈
/// ```
#[expect(clippy::too_many_arguments, reason = "one step of a recursion reads all of these")]
fn move_body<T: Real>(
    robot: &Mechanism,
    up: Vec3<f64>,
    link: &Link,
    parent: Option<&State<T>>,
    state: &mut State<T>,
    q: T,
    v: T,
    a: T,
) {
    let place = &link.placement;
    let still = Vec3::zero(v);
    let (omega, omega_dot) = parent.map_or((still, still), |parent| (parent.omega, parent.omega_dot));
    state.s_ddot = place
        .to_body(state.turn, parent.map_or(up.lift(v), |parent| parent.s_ddot + place.offset(q).times(&parent.tensor)));
    match link.joint {
        JointKind::Revolute => {
            (state.carried, state.rates) = match parent.filter(|_| continues(robot, link)) {
                Some(parent) => (parent.carried, [parent.rates[0] + v, parent.rates[1] + a]),
                None => ([place.to_carrier(omega), place.to_carrier(omega_dot)], [v, a]),
            };
            let [omega, omega_dot] = state.carried.map(|carried| state.total.into_z(carried));
            let [rate, acceleration] = state.rates;
            state.omega = Vec3::new(omega.x, omega.y, omega.z + rate);
            state.omega_dot =
                Vec3::new(omega.y.mul_add(rate, omega_dot.x), omega_dot.y - omega.x * rate, omega_dot.z + acceleration);
        }
        JointKind::Prismatic => {
            state.omega = place.to_body(state.turn, omega);
            state.omega_dot = place.to_body(state.turn, omega_dot);
            let (x, y) = (state.omega.y * (v + v), state.omega.x * (v + v));
            let Vec3 { x: s_x, y: s_y, z: s_z } = state.s_ddot;
            state.s_ddot = Vec3::new(s_x + x, s_y - y, s_z + a);
        }
    }
    state.tensor = spin_tensor(state.omega, state.omega_dot);
    state.beyond = still;
}
