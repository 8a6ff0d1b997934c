//! Inverse dynamics by the Gibbs-Appell equations in vectorial form, O(n)  [Valera, §2].
//!
//! The derivative of Gibbs' function splits into a rotational and a translational term, τⱼ = Aⱼ + Bⱼ, each summed
//! over the bodies beyond j. The equations of the paper are lost in our copy; they are re-derived in six steps, as
//! in its table 2, with the two sums merged into one recursion, which is what its operation counts say:
//!
//! | step | what | × | + |
//! |---|---|---|---|
//! | 1 | rotation matrices R, offsets s | 4n | 0 |
//! | 2 | ω, ω̇, s̈, r̈ | 62n − 75 | 46n − 61 |
//! | 3 | ∂ω̇ⱼ/∂q̈ⱼ = z | 0 | 0 |
//! | 4 | N = I ω̇ + ω × I ω | 24n − 23 | 18n − 18 |
//! | 5 | F = m r̈, φ, and the moments about the origins | 31n − 38 | 26n − 37 |
//! | 6 | τ = Aⱼ + Bⱼ | 0 | n |
//!
//! Step 1's matrices are a result of the algorithm ([`Workspace::rotations`]); the vectors are turned by plane turns.
//! Symbols as in [`gibbs_appell_tensor`](super::gibbs_appell_tensor).

use super::{along_z, joint_effects};
use crate::description::JointKind;
use crate::mechanism::{Link, Mechanism, Offset, Spin};
use crate::real::Real;
use crate::spatial::{Mat3, PlanarRotation, Vec3};

/// The names of the steps, under which [`Counted`](crate::real::Counted) reports them.
pub const STEPS: [&str; 6] = ["step 1", "step 2", "step 3", "step 4", "step 5", "step 6"];

/// What the steps keep of each body.
#[derive(Debug, Clone)]
pub struct Workspace<T = f64> {
    turns: Vec<PlanarRotation<T>>, // joint turns         at the start
    rotations: Vec<Mat3<T>>,       // parent_from_body    step 1
    bodies: Vec<State<T>>,         // motion and forces   steps 2 to 5
    tau: Vec<T>,                   // τ, N m or N         step 6
}

#[derive(Debug, Clone, Copy)]
struct State<T> {
    omega: Vec3<T>,     // ω                                 step 2
    omega_dot: Vec3<T>, // ω̇                                 step 2
    square: T,          // q̇² of a body that turns about z   step 2
    s_ddot: Vec3<T>,    // s̈                                 step 2
    r_ddot: Vec3<T>,    // r̈                                 step 2
    euler: Vec3<T>,     // N                                 step 4
    phi: Vec3<T>,       // φ, from the children              step 5
    carried: Vec3<T>,   // s × φ + R c of the children       step 5
}

plain_workspace!(Workspace of Mechanism);

impl<T: Real> Workspace<T> {
    /// A workspace for this robot over the numbers of the kind of `like`.
    #[must_use]
    pub fn with_scalar(robot: &Mechanism, like: T) -> Self {
        let (zero, vector) = (like.zero(), Vec3::zero(like));
        let state = State {
            omega: vector,
            omega_dot: vector,
            square: zero,
            s_ddot: vector,
            r_ddot: vector,
            euler: vector,
            phi: vector,
            carried: vector,
        };
        let n = robot.dof();
        Self {
            turns: vec![PlanarRotation { cos: zero, sin: zero }; n],
            rotations: vec![Mat3::zero(like); n],
            bodies: vec![state; n],
            tau: vec![zero; n],
        }
    }

    /// The matrices `parent_from_body` of the last call's configuration, one per body.
    #[must_use]
    pub fn rotations(&self) -> &[Mat3<T>] {
        &self.rotations
    }
}

/// Joint forces τ that give the accelerations `a` at the state `q`, `v`.
///
/// # Panics
/// If a slice does not have one value per joint.
pub fn inverse_dynamics<'w, T: Real>(
    robot: &Mechanism,
    ws: &'w mut Workspace<T>,
    q: &[T],
    v: &[T],
    a: &[T],
) -> &'w [T] {
    robot.expect_lengths(&[q, v, a]);
    let (links, up) = (robot.links(), robot.base_acceleration());
    super::turn_joints(robot, q, &mut ws.turns);
    T::section(STEPS[0]);
    for (j, link) in links.iter().enumerate() {
        ws.rotations[j] = link.placement.rotation(ws.turns[j]);
    }
    T::section(STEPS[1]);
    for (j, link) in links.iter().enumerate() {
        let (carriers, rest) = ws.bodies.split_at_mut(j);
        let parent = link.parent.map(|p| (&carriers[p], links[p].spin));
        motion(up, link, parent, &mut rest[0], ws.turns[j], q[j], v[j], a[j]);
    }
    T::section(STEPS[3]);
    for ((link, body), &a) in links.iter().zip(&mut ws.bodies).zip(a) {
        match link.spin {
            Spin::Still => {}
            Spin::AboutZ => body.euler.z = a.scale(link.inertia.zz),
            Spin::General => {
                let momentum = link.inertia.times_moving(body.omega);
                body.euler = link.inertia.times_moving(body.omega_dot) + body.omega.cross(momentum);
            }
        }
    }
    for (j, link) in links.iter().enumerate().rev() {
        T::section(STEPS[4]);
        let parent = link.parent.map(|p| &links[p]);
        let translational = forces(link, parent, j, &mut ws.bodies, ws.turns[j], q[j]);
        T::section(STEPS[5]);
        ws.tau[j] = match link.joint {
            JointKind::Revolute => ws.bodies[j].euler.z + translational, // Aⱼ + Bⱼ
            JointKind::Prismatic => translational,
        };
    }
    joint_effects::add_to_forces(robot, q, v, Some(a), &mut ws.tau);
    &ws.tau
}

/// Step 2: motion of one body from its parent's.
///
/// ```text
/// ω = Rᵀωₚ + ρ z q̇                 ω̇ = Rᵀω̇ₚ + ρ (z q̈ + Rᵀωₚ × z q̇)
/// s̈ = Rᵀ(s̈ₚ + ω̇ₚ × s + ωₚ × (ωₚ × s)) + (1 − ρ)(2 ω × z q̇ + z q̈)
/// r̈ = s̈ + ω̇ × r + ω × (ω × r)
/// ```
#[inline(always)]
#[expect(clippy::too_many_arguments, reason = "one step of a recursion reads all of these")]
fn motion<T: Real>(
    up: Vec3<f64>,
    link: &Link,
    parent: Option<(&State<T>, Spin)>,
    body: &mut State<T>,
    turn: PlanarRotation<T>,
    q: T,
    v: T,
    a: T,
) {
    let place = &link.placement;
    let s = place.offset(q);
    body.s_ddot = match parent {
        None => match along_z(up) {
            Some(up) => place.to_body_along_z(turn, v.constant(up)),
            None => place.to_body(turn, up.lift(v)),
        },
        Some((parent, Spin::Still)) => place.to_body(turn, parent.s_ddot),
        Some((parent, Spin::AboutZ)) => place.to_body(turn, plane(parent, parent.s_ddot, s)),
        Some((parent, Spin::General)) => {
            let s = s.vector(v);
            let centripetal = parent.omega.cross(parent.omega.cross(s));
            place.to_body(turn, parent.s_ddot + parent.omega_dot.cross(s) + centripetal)
        }
    };
    let inherited = match parent {
        None | Some((_, Spin::Still)) => None,
        Some((parent, Spin::AboutZ)) => {
            Some((place.to_body_along_z(turn, parent.omega.z), place.to_body_along_z(turn, parent.omega_dot.z)))
        }
        Some((parent, Spin::General)) => {
            Some((place.to_body(turn, parent.omega), place.to_body(turn, parent.omega_dot)))
        }
    };
    match (inherited, link.joint) {
        (None, JointKind::Prismatic) => {
            body.s_ddot.z = body.s_ddot.z + a;
            body.r_ddot = body.s_ddot;
        }
        (None, JointKind::Revolute) => {
            body.omega.z = v;
            body.omega_dot.z = a;
            body.square = v * v;
            body.r_ddot = plane(body, body.s_ddot, Offset::Fixed(link.com));
        }
        (Some((omega, omega_dot)), JointKind::Revolute) => {
            body.omega = Vec3::new(omega.x, omega.y, omega.z + v);
            body.omega_dot = Vec3::new(omega_dot.x + omega.y * v, omega_dot.y - omega.x * v, omega_dot.z + a);
            body.r_ddot = body.s_ddot + centre_of_mass(link, body);
        }
        (Some((omega, omega_dot)), JointKind::Prismatic) => {
            body.omega = omega;
            body.omega_dot = omega_dot;
            let sliding = Vec3::new(omega.y * (v + v), -(omega.x * (v + v)), a);
            body.s_ddot = body.s_ddot + sliding;
            body.r_ddot = body.s_ddot + centre_of_mass(link, body);
        }
    }
}

/// ω̇ × r + ω × (ω × r)
#[inline(always)]
fn centre_of_mass<T: Real>(link: &Link, body: &State<T>) -> Vec3<T> {
    let tangential = -link.com.cross_moving(body.omega_dot);
    let centripetal = body.omega.cross(-link.com.cross_moving(body.omega));
    tangential + centripetal
}

/// Acceleration of the point `s` of a body that turns about z, from its origin's: 4 × and 4 +.
#[inline(always)]
fn plane<T: Real>(body: &State<T>, origin: Vec3<T>, s: Offset<T>) -> Vec3<T> {
    let (a, square) = (body.omega_dot.z, body.square);
    let x = s.y_times(a) + s.x_times(square);
    let y = s.x_times(a) - s.y_times(square);
    Vec3::new(origin.x - x, origin.y + y, origin.z)
}

/// Step 5: forces and moments of one body and all beyond, handed to the parent; the translational term Bⱼ.
///
/// ```text
/// φₚ = R (F + φ)        b = r × F + Σ (s × φ + R c)        c = b + N
/// Bⱼ = z · b  (revolute),  z · (F + φ)  (prismatic)
/// ```
///
/// A first joint that turns needs no more than the z component of its moment.
#[inline(always)]
fn forces<T: Real>(
    link: &Link,
    parent: Option<&Link>,
    j: usize,
    bodies: &mut [State<T>],
    turn: PlanarRotation<T>,
    q: T,
) -> T {
    let body = &bodies[j];
    if link.spin == Spin::AboutZ && link.parent.is_none() {
        let (r, acc) = (link.com, body.r_ddot);
        let own = r.cross_moving_z(acc).scale(link.mass);
        return if link.leaf { own } else { own + body.carried.z };
    }
    let own_force = body.r_ddot.scale(link.mass);
    let force = if link.leaf { own_force } else { own_force + body.phi };
    let own = link.com.cross_moving(own_force);
    let b = if link.leaf { own } else { own + body.carried };
    let c = b + body.euler;
    if let (Some(p), Some(parent)) = (link.parent, parent) {
        let place = &link.placement;
        let s = place.offset(q);
        let only_z = parent.spin == Spin::AboutZ && parent.parent.is_none();
        let phi = if only_z { place.to_parent_xy(turn, force) } else { place.to_parent(turn, force) };
        let carrier = &mut bodies[p];
        carrier.phi = if link.first_met { phi } else { carrier.phi + phi };
        if only_z {
            let z = s.cross_z(phi) + place.to_parent_z(turn, c);
            carrier.carried.z = if link.first_met { z } else { carrier.carried.z + z };
        } else {
            let moment = s.cross(phi) + place.to_parent(turn, c);
            carrier.carried = if link.first_met { moment } else { carrier.carried + moment };
        }
    }
    link.joint.pick(b.z, force.z)
}
