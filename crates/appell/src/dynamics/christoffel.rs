//! The Coriolis matrix from its definition by Christoffel's symbols, O(n⁴): the referee of [`coriolis`](super::coriolis).
//!
//! ```text
//! C_ij = Σₖ ½ ( ∂M_ij/∂qₖ + ∂M_ik/∂qⱼ − ∂M_jk/∂qᵢ ) q̇ₖ
//! ```
//!
//! The derivatives of the inertia matrix are exact, by dual numbers, one direction per run.

use super::composite_body;
use crate::mechanism::Mechanism;
use crate::real::{Dual, Real};

/// Workspace for the derivatives of the inertia matrix.
#[derive(Debug, Clone)]
pub struct Workspace<T = f64> {
    inertia: composite_body::Workspace<Dual<1, T>>,
    q: Vec<Dual<1, T>>,
    slopes: Vec<T>, // ∂M_ij/∂qₖ at (k n + i) n + j
    matrix: Vec<T>, // C, row by row
}

plain_workspace!(Workspace of Mechanism);

impl<T: Real> Workspace<T> {
    /// A workspace for this robot over the numbers of the kind of `like`.
    #[must_use]
    pub fn with_scalar(robot: &Mechanism, like: T) -> Self {
        let (n, zero) = (robot.dof(), like.zero());
        Self {
            inertia: composite_body::Workspace::with_scalar(robot, Dual::fixed(zero)),
            q: vec![Dual::fixed(zero); n],
            slopes: vec![zero; n * n * n],
            matrix: vec![zero; n * n],
        }
    }
}

/// The Coriolis matrix at the state `q`, `v`, all n² entries row by row.
///
/// # Panics
/// If a slice does not have one value per joint.
pub fn coriolis_matrix<'w, T: Real>(robot: &Mechanism, ws: &'w mut Workspace<T>, q: &[T], v: &[T]) -> &'w [T] {
    robot.expect_lengths(&[q, v]);
    let n = robot.dof();
    for (k, slopes) in ws.slopes.chunks_exact_mut(n * n).enumerate() {
        for (j, (seeded, &q)) in ws.q.iter_mut().zip(q).enumerate() {
            *seeded = if j == k { Dual::variable(q, 0) } else { Dual::fixed(q) };
        }
        let inertia = composite_body::inertia_matrix(robot, &mut ws.inertia, &ws.q);
        slopes.iter_mut().zip(inertia).for_each(|(slope, entry)| *slope = entry.derivative[0]);
    }
    let slope = |i: usize, j: usize, k: usize| ws.slopes[(k * n + i) * n + j];
    for i in 0..n {
        for j in 0..n {
            let twice =
                (0..n).fold(q[0].zero(), |sum, k| sum + (slope(i, j, k) + slope(i, k, j) - slope(j, k, i)) * v[k]);
            ws.matrix[i * n + j] = twice.scale(0.5);
        }
    }
    &ws.matrix
}
