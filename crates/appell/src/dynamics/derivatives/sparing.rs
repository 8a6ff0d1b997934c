//! Derivatives with as few runs as needed: inverse dynamics by q and q̇, and the inertia matrix for the rest.
//!
//! ```text
//! ∂τ/∂q̈ = M        ∂q̈/∂x = −M⁻¹ ∂τ/∂x |_{q̈}   for x = q, q̇        ∂q̈/∂τ = M⁻¹
//! ```

use super::{DIRECTIONS, Derivatives, Number, Seeds};
use crate::dynamics::{InertiaError, gibbs_appell_inertia, gibbs_appell_tensor, joint_space};
use crate::linear::Cholesky;
use crate::mechanism::Mechanism;
use crate::real::Dual;

/// Room for runs on dual numbers and their results.
#[derive(Debug, Clone)]
pub struct Workspace {
    inverse: gibbs_appell_tensor::Workspace<Number>,
    inertia: gibbs_appell_inertia::Workspace,
    forward: joint_space::Workspace,
    cholesky: Cholesky<f64>,
    seeds: Seeds,
    column: Vec<f64>,
    result: Derivatives,
}

impl Workspace {
    /// A workspace for this robot.
    #[must_use]
    pub fn new(robot: &Mechanism) -> Self {
        let n = robot.dof();
        Self {
            inverse: gibbs_appell_tensor::Workspace::over(robot, Dual::fixed(0.0)),
            inertia: gibbs_appell_inertia::Workspace::new(robot),
            forward: joint_space::Workspace::new(robot),
            cholesky: Cholesky::new(n, 0.0),
            seeds: Seeds::new(n),
            column: vec![0.0; n],
            result: Derivatives::new(n),
        }
    }
}

/// Derivatives of the joint forces by q, q̇ and q̈, at a state and acceleration.
///
/// # Panics
/// If a slice has not one number a joint.
pub fn of_inverse_dynamics<'w>(
    robot: &Mechanism,
    ws: &'w mut Workspace,
    q: &[f64],
    v: &[f64],
    a: &[f64],
) -> &'w Derivatives {
    robot.expect_lengths(&[q, v, a]);
    for first in (0..2 * robot.dof()).step_by(DIRECTIONS) {
        ws.seeds.vary(first, [q, v, a]);
        let [q, v, a] = &ws.seeds.vectors;
        let tau = gibbs_appell_tensor::inverse_dynamics(robot, &mut ws.inverse, q, v, a);
        ws.result.keep(first, tau);
    }
    let inertia = gibbs_appell_inertia::inertia_matrix(robot, &mut ws.inertia, q);
    ws.result.by_third.copy_from_slice(inertia);
    &ws.result
}

/// Derivatives of the joint accelerations by q, q̇ and τ, at a state under joint forces.
///
/// # Errors
/// If the inertia matrix is singular.
///
/// # Panics
/// If a slice has not one number a joint.
pub fn of_forward_dynamics<'w>(
    robot: &Mechanism,
    ws: &'w mut Workspace,
    q: &[f64],
    v: &[f64],
    tau: &[f64],
) -> Result<&'w Derivatives, InertiaError> {
    robot.expect_lengths(&[q, v, tau]);
    let n = robot.dof();
    let mut a = core::mem::take(&mut ws.column);
    let solved = joint_space::forward_dynamics(robot, &mut ws.forward, q, v, tau).map(|found| a.copy_from_slice(found));
    if solved.is_ok() {
        of_inverse_dynamics(robot, ws, q, v, &a);
    }
    ws.column = a;
    solved?;
    let Workspace { cholesky, column, result: Derivatives { by_q, by_v, by_third }, .. } = &mut *ws;
    cholesky.decompose(by_third);
    for matrix in [by_q, by_v] {
        for k in 0..n {
            (0..n).for_each(|row| column[row] = -matrix[row * n + k]);
            cholesky.solve(column);
            (0..n).for_each(|row| matrix[row * n + k] = column[row]);
        }
    }
    for k in 0..n {
        column.fill(0.0);
        column[k] = 1.0;
        cholesky.solve(column);
        (0..n).for_each(|row| by_third[row * n + k] = column[row]);
    }
    Ok(&ws.result)
}
