//! Inertia matrix by the natural orthogonal complement, O(n³) (Angeles1988).
//!
//! The twists of all bodies depend linearly on the joint rates, t = T q̇, and T is an orthogonal complement of the
//! constraints the joints impose. The kinetic energy then gives the matrix at once:
//!
//! ```text
//! D = Tᵀ M T = Σᵢ ( mᵢ c_ijᵀ c_ik + ω_ijᵀ Iᵢ ω_ik )
//! ```
//!
//! with ω_ij, c_ij the angular velocity of body i and the velocity of its centre of mass at a unit rate of joint j.
//! The paper factors M before it multiplies; we do not, so that a body may have any inertia the user insists on.

use super::joint_effects;
use crate::description::JointKind;
use crate::mechanism::{Link, Mechanism};
use crate::real::Real;
use crate::spatial::{PlanarRotation, Vec3};

/// What the steps keep.
#[derive(Debug, Clone)]
pub struct Workspace<T = f64> {
    turns: Vec<PlanarRotation<T>>, // joint turns                              at the start
    complement: Vec<Rates<T>>,     // T: body i at a unit rate of j, at i n + j
    matrix: Vec<T>,                // all entries, row by row
}

/// Motion of a body at a unit rate of one joint, in the body's frame.
#[derive(Debug, Clone, Copy)]
struct Rates<T> {
    angular: Vec3<T>, // ω_ij
    origin: Vec3<T>,  // velocity of the body's origin
    com: Vec3<T>,     // c_ij
}

plain_workspace!(Workspace of Mechanism);

impl<T: Real> Workspace<T> {
    /// A workspace for this robot over the numbers of the kind of `like`.
    #[must_use]
    pub fn with_scalar(robot: &Mechanism, like: T) -> Self {
        let (n, zero, vector) = (robot.dof(), like.zero(), Vec3::zero(like));
        Self {
            turns: vec![PlanarRotation { cos: zero, sin: zero }; n],
            complement: vec![Rates { angular: vector, origin: vector, com: vector }; n * n],
            matrix: vec![zero; n * n],
        }
    }
}

/// The inertia matrix at the configuration `q`, all n² entries row by row.
///
/// # Panics
/// If `q` does not have one value per joint.
pub fn inertia_matrix<'w, T: Real>(robot: &Mechanism, ws: &'w mut Workspace<T>, q: &[T]) -> &'w [T] {
    robot.expect_lengths(&[q]);
    super::turn_joints(robot, q, &mut ws.turns);
    let n = robot.dof();
    for (i, link) in robot.links().iter().enumerate() {
        let zero = q[i].zero();
        let z = Vec3::new(zero, zero, q[i].constant(1.0));
        ws.complement[i * n + i] = match link.joint {
            JointKind::Revolute => rates(link, z, Vec3::zero(zero)),
            JointKind::Prismatic => rates(link, Vec3::zero(zero), z),
        };
        if let Some(p) = link.parent {
            let (place, turn) = (&link.placement, ws.turns[i]);
            let offset = place.offset(q[i]).vector(zero);
            for j in robot.path_to_base(p) {
                let Rates { angular, origin, .. } = ws.complement[p * n + j];
                let origin = place.to_body(turn, origin + angular.cross(offset));
                ws.complement[i * n + j] = rates(link, place.to_body(turn, angular), origin);
            }
        }
        multiply(robot, link, i, n, &ws.complement, &mut ws.matrix, zero);
    }
    joint_effects::add_to_inertia(robot, &mut ws.matrix);
    &ws.matrix
}

/// The rates of a body from its angular velocity and its origin's velocity.
#[inline(always)]
fn rates<T: Real>(link: &Link, angular: Vec3<T>, origin: Vec3<T>) -> Rates<T> {
    Rates { angular, origin, com: origin - link.com.cross_moving(angular) }
}

/// Adds body i's part of Tᵀ M T. Its own row and column are met here first, and so begun.
#[inline(always)]
fn multiply<T: Real>(
    robot: &Mechanism,
    link: &Link,
    i: usize,
    n: usize,
    complement: &[Rates<T>],
    matrix: &mut [T],
    zero: T,
) {
    for j in robot.path_to_base(i) {
        let Rates { angular, com, .. } = complement[i * n + j];
        let (spin, momentum) = (link.inertia.times_moving(angular), com.scale(link.mass));
        for k in robot.path_to_base(j) {
            let other = &complement[i * n + k];
            let part = other.com.dot(momentum) + other.angular.dot(spin);
            let so_far = if j == i { zero } else { matrix[j * n + k] };
            matrix[j * n + k] = so_far + part;
            matrix[k * n + j] = matrix[j * n + k];
        }
    }
}
