//! The Coriolis matrix C with Ṁ − 2C skew-symmetric, and inverse dynamics with two velocities.
//!
//! C(q, v) is not unique: many matrices give the forces C v. The one here is that of Christoffel's symbols, so that
//! vᵀ(Ṁ − 2C)v vanishes for every vector and not only for v. Body by body it is
//!
//! ```text
//! C = Σ m J_cᵀ J̇_c + J_ωᵀ ( I J̇_ω + B J_ω ),        B = ½ ( ω~ I − I ω~ − (I ω)~ )
//! ```
//!
//! where B + Bᵀ is the rate of the inertia in base axes and B ω = ω × I ω (Echeandia2021). Passivity-based control
//! needs no matrix but the product with another velocity w, which costs one sweep (Niemeyer1991).

use super::along_joint;
use super::base_axes::sum_towards_base;
use crate::description::JointKind;
use crate::kinematics;
use crate::mechanism::{Link, Mechanism};
use crate::real::Real;
use crate::spatial::{Vec3, Wrench, each};

/// What the sweeps keep of each body, in base axes.
#[derive(Debug, Clone)]
pub struct Workspace<T = f64> {
    motion: kinematics::Workspace<T>, // motion by v                                  outward
    second: Vec<Second<T>>,           // motion by w                                  outward
    carried: Vec<Wrench<T>>,          // of a body and all beyond, about its origin   inward
    tau: Vec<T>,                      // joint forces
    unit: Vec<T>,                     // one column's w, or zeros
    rest: Vec<T>,                     // zeros
    matrix: Vec<T>,                   // C, row by row
}

/// Motion of a body by the second velocity.
#[derive(Debug, Clone, Copy)]
struct Second<T> {
    omega: Vec3<T>,        // J_ω w
    omega_dot: Vec3<T>,    // J̇_ω w, and what accelerations add
    acceleration: Vec3<T>, // J̇ w of the origin, the same, minus gravity
}

plain_workspace!(Workspace of Mechanism);

impl<T: Real> Workspace<T> {
    /// A workspace for this robot over the numbers of the kind of `like`.
    #[must_use]
    pub fn with_scalar(robot: &Mechanism, like: T) -> Self {
        let (n, zeros) = (robot.dof(), vec![like.zero(); robot.dof()]);
        let vector = Vec3::zero(like);
        Self {
            motion: kinematics::Workspace::with_scalar(robot, like),
            second: vec![Second { omega: vector, omega_dot: vector, acceleration: vector }; n],
            carried: vec![Wrench::zero(like); n],
            tau: zeros.clone(),
            unit: zeros.clone(),
            rest: zeros,
            matrix: vec![like.zero(); n * n],
        }
    }
}

/// M(q) a + C(q, v) w + G(q): inverse dynamics with a second velocity `w` in place of one of the two in C(q, v) v.
///
/// Rotors are part of M; friction and springs are not included.
///
/// # Panics
/// If a slice does not have one value per joint.
#[inline(always)]
pub fn two_velocity_inverse_dynamics<'w, T: Real>(
    robot: &Mechanism,
    ws: &'w mut Workspace<T>,
    q: &[T],
    v: &[T],
    w: &[T],
    a: &[T],
) -> &'w [T] {
    robot.expect_lengths(&[q, v, w, a]);
    ws.motion.sweep_unaccelerated(robot, q, v);
    let up = robot.base_acceleration().lift(q[0]);
    sweeps(robot, &ws.motion, &mut ws.second, &mut ws.carried, v, w, a, up);
    read_joints(robot, &ws.motion, &ws.carried, &mut ws.tau);
    for ((tau, effects), &a) in ws.tau.iter_mut().zip(robot.effects()).zip(a) {
        *tau = a.scale_add(effects.rotor.reflected_inertia(), *tau);
    }
    &ws.tau
}

/// The Coriolis matrix at the state `q`, `v`, all n² entries row by row.
///
/// # Panics
/// If a slice does not have one value per joint.
#[inline(always)]
pub fn coriolis_matrix<'w, T: Real>(robot: &Mechanism, ws: &'w mut Workspace<T>, q: &[T], v: &[T]) -> &'w [T] {
    robot.expect_lengths(&[q, v]);
    ws.motion.sweep_unaccelerated(robot, q, v);
    let n = robot.dof();
    ws.unit.fill(q[0].zero());
    for column in 0..n {
        ws.unit[column] = q[0].constant(1.0);
        sweeps(robot, &ws.motion, &mut ws.second, &mut ws.carried, v, &ws.unit, &ws.rest, Vec3::zero(q[0]));
        read_joints(robot, &ws.motion, &ws.carried, &mut ws.tau);
        for (row, &tau) in ws.tau.iter().enumerate() {
            ws.matrix[row * n + column] = tau;
        }
        ws.unit[column] = q[0].zero();
    }
    &ws.matrix
}

/// Motion by `w` and `a` outwards, the wrenches it needs inwards; e is the joint's axis, d = O_body − O_parent.
///
/// ```text
/// revolute    ω_w = ω_w,p + e w     ω̇_w = ω̇_w,p + (ω_p × e) w + e a     p̈_w = p̈_w,p + ω̇_w,p × d + ω_w,p × ḋ
/// prismatic   ω_w, ω̇_w as the parent's                                  p̈_w = … + (ω_p × e) w + e a
/// ```
///
/// with ḋ = ω_p × d, and e q̇ more where the joint slides.
#[inline(always)]
#[expect(clippy::too_many_arguments, reason = "the workspace by its parts, and the state")]
fn sweeps<T: Real>(
    robot: &Mechanism,
    motion: &kinematics::Workspace<T>,
    second: &mut [Second<T>],
    carried: &mut [Wrench<T>],
    v: &[T],
    w: &[T],
    a: &[T],
    up: Vec3<T>,
) {
    let zero = Vec3::zero(v[0]);
    for (j, link) in robot.links().iter().enumerate() {
        let body = &motion.bodies[j];
        let (carrier, origin, turning) = match link.parent {
            None => (Second { omega: zero, omega_dot: zero, acceleration: up }, zero, zero),
            Some(p) => (second[p], motion.bodies[p].pose.position, motion.bodies[p].omega),
        };
        let (axis, arm) = (body.axis(), body.pose.position - origin);
        let own = turning.cross(axis).times(w[j]) + axis.times(a[j]);
        let mut arm_rate = turning.cross(arm);
        if link.joint == JointKind::Prismatic {
            arm_rate = arm_rate + axis.times(v[j]);
        }
        let mut here = Second {
            acceleration: carrier.acceleration + carrier.omega_dot.cross(arm) + carrier.omega.cross(arm_rate),
            ..carrier
        };
        match link.joint {
            JointKind::Revolute => {
                here.omega = here.omega + axis.times(w[j]);
                here.omega_dot = here.omega_dot + own;
            }
            JointKind::Prismatic => here.acceleration = here.acceleration + own,
        }
        second[j] = here;
        carried[j] = wrench(link, body, &here);
    }
    sum_towards_base(robot, &motion.bodies, carried);
}

/// Force and moment that a body's two motions need, about its origin.
#[inline(always)]
fn wrench<T: Real>(link: &Link, body: &kinematics::BodyMotion<T>, second: &Second<T>) -> Wrench<T> {
    let rotation = body.pose.rotation;
    let arm = rotation.times_fixed(link.com);
    let acceleration = second.acceleration + second.omega_dot.cross(arm) + second.omega.cross(body.omega.cross(arm));
    let [omega, second_omega, omega_dot] = each(
        [body.omega, second.omega, second.omega_dot],
        #[inline(always)]
        |vector| rotation.transpose_times(vector),
    );
    let inertia = {
        #[inline(always)]
        |vector| link.inertia.times_moving(vector)
    };
    let twice_b =
        omega.cross(inertia(second_omega)) - inertia(omega.cross(second_omega)) - inertia(omega).cross(second_omega);
    let moment = rotation * (inertia(omega_dot) + twice_b.scale(0.5));
    Wrench { force: acceleration.scale(link.mass), moment }.about(arm)
}

/// What the wrenches demand along the joints.
#[inline(always)]
fn read_joints<T: Real>(robot: &Mechanism, motion: &kinematics::Workspace<T>, carried: &[Wrench<T>], tau: &mut [T]) {
    for (j, link) in robot.links().iter().enumerate() {
        tau[j] = along_joint(link.joint, &motion.bodies[j], carried[j]);
    }
}
