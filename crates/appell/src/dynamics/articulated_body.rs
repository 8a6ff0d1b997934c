//! Forward dynamics by articulated bodies, O(n) (Featherstone1983).
//!
//! Seen from its joint, body j with everything beyond it, joints free to move, resists like one body with another
//! inertia. One sweep outwards finds the velocities, one inwards these articulated inertias, one outwards the
//! accelerations. Nothing is written as 6 × 6: rotational, coupling and translational blocks are named.
//!
//! | symbol | meaning | frame |
//! |---|---|---|
//! | ω, ν | angular velocity, velocity of the body's point at the origin | body |
//! | J, H, M | blocks of the articulated inertia: n = J α + H a,  f = Hᵀ α + M a | body |
//! | n, f | articulated bias moment and force | body |
//! | U | the moment and force a unit acceleration of the joint needs | body |
//! | D, u | its part along the joint; the force left to accelerate it | |

use super::{InertiaError, joint_effects};
use crate::description::JointKind;
use crate::mechanism::{Link, Mechanism};
use crate::real::{Measured, Real};
use crate::spatial::{Mat3, PlanarRotation, Sym3, Vec3};

/// What the sweeps keep of each body.
#[derive(Debug, Clone)]
pub struct Workspace<T = f64> {
    turns: Vec<PlanarRotation<T>>, // joint turns                   at the start
    bodies: Vec<State<T>>,         // motion, inertias, forces      all sweeps
    a: Vec<T>,                     // q̈, rad/s² or m/s²             outward
}

/// A moment and a force, or an angular and a linear motion.
#[derive(Debug, Clone, Copy)]
struct Pair<T> {
    angular: Vec3<T>,
    linear: Vec3<T>,
}

#[derive(Debug, Clone, Copy)]
struct State<T> {
    rotation: Mat3<T>,     // parent_from_body                  outward
    offset: Vec3<T>,       // O_parent → O_body                 outward
    velocity: Pair<T>,     // ω, ν                              outward
    drift: Pair<T>,        // acceleration the rate alone makes outward
    j: Sym3<T>,            // J                                 inward
    h: Mat3<T>,            // H                                 inward
    m: Sym3<T>,            // M                                 inward
    bias: Pair<T>,         // n, f                              inward
    u_column: Pair<T>,     // U                                 inward
    pivot: T,              // D                                 inward
    left: T,               // u                                 inward
    acceleration: Pair<T>, // α, a                              outward again
}

impl<T: Real> Pair<T> {
    fn zero(like: T) -> Self {
        Self { angular: Vec3::zero(like), linear: Vec3::zero(like) }
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Self { angular: self.angular + other.angular, linear: self.linear + other.linear }
    }

    #[inline(always)]
    fn times(self, k: T) -> Self {
        Self { angular: self.angular.times(k), linear: self.linear.times(k) }
    }

    /// Power of a force on a motion.
    #[inline(always)]
    fn dot(self, other: Self) -> T {
        self.angular.dot(other.angular) + self.linear.dot(other.linear)
    }
}

plain_workspace!(Workspace of Mechanism);

impl<T: Real> Workspace<T> {
    /// A workspace for this robot over the numbers of the kind of `like`.
    #[must_use]
    pub fn with_scalar(robot: &Mechanism, like: T) -> Self {
        let (n, zero, pair) = (robot.dof(), like.zero(), Pair::zero(like));
        let state = State {
            rotation: Mat3::zero(like),
            offset: Vec3::zero(like),
            velocity: pair,
            drift: pair,
            j: Sym3::zero(like),
            h: Mat3::zero(like),
            m: Sym3::zero(like),
            bias: pair,
            u_column: pair,
            pivot: zero,
            left: zero,
            acceleration: pair,
        };
        Self { turns: vec![PlanarRotation { cos: zero, sin: zero }; n], bodies: vec![state; n], a: vec![zero; n] }
    }
}

/// Joint accelerations that the forces `tau` give at the state `q`, `v`.
///
/// # Errors
/// If a joint moves no inertia.
///
/// # Panics
/// If a slice does not have one value per joint.
#[inline(always)]
pub fn forward_dynamics<'w, T: Measured>(
    robot: &Mechanism,
    ws: &'w mut Workspace<T>,
    q: &[T],
    v: &[T],
    tau: &[T],
) -> Result<&'w [T], InertiaError> {
    robot.expect_lengths(&[q, v, tau]);
    super::turn_joints(robot, q, &mut ws.turns);
    velocities(robot, ws, q, v);
    inertias(robot, ws, q, v, tau);
    for (index, body) in ws.bodies.iter().enumerate().rev() {
        super::refuse_small_pivot(robot, index, body.pivot, robot.links()[index].inertia_scale())?;
    }
    accelerations(robot, ws, v);
    Ok(&ws.a)
}

/// Outward: velocities, and what bodies and rates contribute before any joint accelerates.
#[inline(always)]
fn velocities<T: Real>(robot: &Mechanism, ws: &mut Workspace<T>, q: &[T], v: &[T]) {
    for (k, link) in robot.links().iter().enumerate() {
        let zero = q[k].zero();
        let rate = Vec3::new(zero, zero, v[k]);
        let rotation = link.placement.rotation(ws.turns[k]);
        let offset = link.placement.offset(q[k]).vector(zero);
        let mut velocity = match link.parent {
            None => Pair::zero(zero),
            Some(p) => to_body(&rotation, offset, ws.bodies[p].velocity),
        };
        let drift = match link.joint {
            JointKind::Revolute => {
                velocity.angular.z = velocity.angular.z + v[k];
                Pair { angular: velocity.angular.cross(rate), linear: velocity.linear.cross(rate) }
            }
            JointKind::Prismatic => {
                velocity.linear.z = velocity.linear.z + v[k];
                Pair { angular: Vec3::zero(zero), linear: velocity.angular.cross(rate) }
            }
        };
        let body = &mut ws.bodies[k];
        body.rotation = rotation;
        body.offset = offset;
        body.velocity = velocity;
        body.drift = drift;
        body.j = link.composite.inertia_at_origin.lift(zero);
        body.h = Mat3::skew(link.com.scale(link.mass).lift(zero));
        let mass = zero.constant(link.mass);
        body.m = Sym3 { xx: mass, xy: zero, xz: zero, yy: mass, yz: zero, zz: mass };
        body.bias = gyroscopic(link, velocity);
    }
}

/// v ×* (I v): the moment and force that keep a body on its course.
#[inline(always)]
fn gyroscopic<T: Real>(link: &Link, velocity: Pair<T>) -> Pair<T> {
    let Pair { angular: w, linear: u } = velocity;
    let first_moment = link.com.scale(link.mass);
    let moment = link.composite.inertia_at_origin.times_moving(w) + first_moment.cross_moving(u);
    let momentum = u.scale(link.mass) - first_moment.cross_moving(w);
    Pair { angular: w.cross(moment) + u.cross(momentum), linear: w.cross(momentum) }
}

/// Inward: frees each joint and adds what remains to the parent.
///
/// ```text
/// U = Iᴬ S,  D = Sᵀ U,  u = τ − Sᵀ p        Iᵃ = Iᴬ − U Uᵀ/D,  pᵃ = p + Iᵃ c + U u/D
/// ```
///
/// Along a joint without a rotor Iᵃ is zero by construction; it is left out rather than left to cancel. A rotor adds
/// to D alone.
#[inline(always)]
fn inertias<T: Real>(robot: &Mechanism, ws: &mut Workspace<T>, q: &[T], v: &[T], tau: &[T]) {
    for (k, link) in robot.links().iter().enumerate().rev() {
        let zero = q[k].zero();
        let (j, h, m) = (ws.bodies[k].j, ws.bodies[k].h, ws.bodies[k].m);
        let body = &mut ws.bodies[k];
        let u = match link.joint {
            JointKind::Revolute => Pair { angular: j.z_column(), linear: h.rows[2] },
            JointKind::Prismatic => Pair { angular: h.column(2), linear: m.z_column() },
        };
        body.pivot = link.joint.pick(u.angular.z, u.linear.z);
        body.left = tau[k] - link.joint.pick(body.bias.angular.z, body.bias.linear.z);
        let effects = &robot.effects()[k];
        let rotor = effects.rotor.reflected_inertia();
        if robot.has_effects() {
            body.pivot = body.pivot + zero.constant(rotor);
            body.left = body.left - joint_effects::force(effects, q[k], v[k]);
        }
        body.u_column = u;
        let Some(p) = link.parent else { continue };
        let per_pivot = u.times(zero.constant(1.0) / body.pivot);
        let mut free_j = j - outer(u.angular, per_pivot.angular).upper();
        let mut free_h = h - outer(u.angular, per_pivot.linear);
        let mut free_m = m - outer(u.linear, per_pivot.linear).upper();
        match link.joint {
            _ if rotor != 0.0 => {}
            JointKind::Revolute => {
                (free_j.xz, free_j.yz, free_j.zz) = (zero, zero, zero);
                free_h.rows[2] = Vec3::zero(zero);
            }
            JointKind::Prismatic => {
                (free_m.xz, free_m.yz, free_m.zz) = (zero, zero, zero);
                free_h.rows.iter_mut().for_each(|row| row.z = zero);
            }
        }
        let Pair { angular: alpha, linear: acc } = body.drift;
        let resistance =
            Pair { angular: free_j * alpha + free_h * acc, linear: free_h.transpose_times(alpha) + free_m * acc };
        let bias = body.bias.plus(resistance).plus(per_pivot.times(body.left));
        let (r, s) = (body.rotation, body.offset);
        let on_parent = r * bias.linear;
        let parent_bias = Pair { angular: r * bias.angular + s.cross(on_parent), linear: on_parent };
        let (parent_j, parent_h, parent_m) = shift(&r, s, free_j, free_h, free_m);
        let parent = &mut ws.bodies[p];
        parent.j = parent.j + parent_j;
        parent.h = parent.h + parent_h;
        parent.m = parent.m + parent_m;
        parent.bias = parent.bias.plus(parent_bias);
    }
}

/// An inertia seen from the parent's origin in the parent's axes.
///
/// ```text
/// M' = R M Rᵀ        H' = R H Rᵀ + s~ M'        J' = R J Rᵀ − R H Rᵀ s~ + s~ H'ᵀ
/// ```
#[inline(always)]
fn shift<T: Real>(r: &Mat3<T>, s: Vec3<T>, j: Sym3<T>, h: Mat3<T>, m: Sym3<T>) -> (Sym3<T>, Mat3<T>, Sym3<T>) {
    let cross = Mat3::skew(s);
    let turned_h = *r * h * r.transpose();
    let turned_m = m.turned_by(r);
    let shifted_h = turned_h + cross * turned_m.full();
    let shifted_j = j.turned_by(r).full() - turned_h * cross + cross * shifted_h.transpose();
    (shifted_j.upper(), shifted_h, turned_m)
}

/// Outward again: accelerations of joints and bodies. Gravity is the base's acceleration.
#[inline(always)]
fn accelerations<T: Real>(robot: &Mechanism, ws: &mut Workspace<T>, v: &[T]) {
    for (k, link) in robot.links().iter().enumerate() {
        let carrier = match link.parent {
            None => Pair { angular: Vec3::zero(v[k]), linear: robot.base_acceleration().lift(v[k]) },
            Some(p) => ws.bodies[p].acceleration,
        };
        let body = &mut ws.bodies[k];
        let mut acceleration = to_body(&body.rotation, body.offset, carrier).plus(body.drift);
        let a = (body.left - body.u_column.dot(acceleration)) / body.pivot;
        match link.joint {
            JointKind::Revolute => acceleration.angular.z = acceleration.angular.z + a,
            JointKind::Prismatic => acceleration.linear.z = acceleration.linear.z + a,
        }
        body.acceleration = acceleration;
        ws.a[k] = a;
    }
}

/// The parent's motion, seen at the body's origin in the body's axes.
#[inline(always)]
fn to_body<T: Real>(rotation: &Mat3<T>, offset: Vec3<T>, motion: Pair<T>) -> Pair<T> {
    Pair {
        angular: rotation.transpose_times(motion.angular),
        linear: rotation.transpose_times(motion.linear + motion.angular.cross(offset)),
    }
}

/// a bᵀ
#[inline(always)]
fn outer<T: Real>(a: Vec3<T>, b: Vec3<T>) -> Mat3<T> {
    Mat3::from_rows([b.times(a.x), b.times(a.y), b.times(a.z)])
}
