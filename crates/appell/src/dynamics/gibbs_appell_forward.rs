//! Forward dynamics by the Gibbs-Appell equations, D(q) q̈ = τ − bias, solved tip first: the quickest way for arms.
//!
//! D by [`gibbs_appell_inertia`], the bias by [`gibbs_appell_tensor`], both from one set of sines and cosines; D = Lᵀ Δ L from the
//! last joint on, without roots. It is what batches and single fused states run: one way alone, because all of it is compiled
//! again for every kind of processor. [`joint_space`](super::joint_space) has the ways of the papers beside each other.

use super::{InertiaError, gibbs_appell_inertia, gibbs_appell_tensor, refuse_small_pivot, turn_joints};
use crate::linear::Ltdl;
use crate::mechanism::Mechanism;
use crate::real::{Measured, Real};

/// Memory of the algorithm for one robot.
#[derive(Debug, Clone)]
pub struct Workspace<T = f64> {
    inertia: gibbs_appell_inertia::Workspace<T>,
    bias: gibbs_appell_tensor::Workspace<T>,
    solver: Ltdl<T>,
    a: Vec<T>, // τ − bias, then q̈
}

plain_workspace!(Workspace of Mechanism);

impl<T: Real> Workspace<T> {
    /// A workspace for this robot over the numbers of the kind of `like`.
    #[must_use]
    pub fn with_scalar(robot: &Mechanism, like: T) -> Self {
        Self {
            inertia: gibbs_appell_inertia::Workspace::with_scalar(robot, like),
            bias: gibbs_appell_tensor::Workspace::with_scalar(robot, like),
            solver: Ltdl::new(robot.dof(), like),
            a: vec![like.zero(); robot.dof()],
        }
    }
}

/// Joint accelerations that the forces `tau` give at the state `q`, `v`.
///
/// ```
/// use appell::{dynamics::gibbs_appell_forward, robots};
///
/// let robot = robots::find("two-link").unwrap().mechanism();
/// let mut workspace = gibbs_appell_forward::Workspace::new(&robot);
/// let a = gibbs_appell_forward::forward_dynamics(&robot, &mut workspace, &[0.0; 2], &[0.0; 2], &[0.0; 2])?;
/// assert!((a[0] + 492.1080780955652).abs() < 1e-9); // the short link drops fast
/// # Ok::<(), appell::dynamics::InertiaError>(())
/// ```
///
/// # Errors
/// If the inertia matrix is singular, with the joint and its pivot.
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
    let Workspace { inertia, bias, solver, a } = ws;
    turn_joints(robot, q, bias.turns());
    let forces = gibbs_appell_tensor::bias_after_turns(robot, bias, q, v);
    for ((a, &tau), &force) in a.iter_mut().zip(tau).zip(forces) {
        *a = tau - force;
    }
    core::mem::swap(bias.turns(), inertia.turns()); // one set of sines and cosines for both
    let matrix = gibbs_appell_inertia::inertia_after_turns(robot, inertia, q);
    solver.decompose(matrix);
    solver.solve(a);
    // In the order of elimination: what is wrong with one pivot spoils those after it.
    let n = robot.dof();
    for (index, &pivot) in solver.pivots().iter().enumerate().rev() {
        refuse_small_pivot(robot, index, pivot, matrix[index * n + index].greatest())?;
    }
    Ok(a)
}
