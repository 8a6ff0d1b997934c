//! Exact derivatives of inverse and forward dynamics, by running the algorithms on dual numbers.
//!
//! Forward dynamics is differentiated through inverse dynamics at the acceleration it gives:
//!
//! ```text
//! ∂q̈/∂x = −M⁻¹ ∂τ/∂x |_{q̈}   for x = q, q̇        ∂q̈/∂τ = M⁻¹
//! ```
//!
//! Where Coulomb friction jumps, its derivative is that of the branch it is on.

use super::joint_space::{self, Equations, Solver};
use super::{InertiaError, gibbs_appell_inertia, gibbs_appell_tensor};
use crate::linear::Cholesky;
use crate::mechanism::Mechanism;
use crate::real::Dual;

/// Directions that one run carries: more would cost registers, fewer more runs.
const DIRECTIONS: usize = 6;

/// Room for runs on dual numbers and their results.
#[derive(Debug, Clone)]
pub struct Workspace {
    inverse: gibbs_appell_tensor::Workspace<Dual<DIRECTIONS>>,
    inertia: gibbs_appell_inertia::Workspace,
    forward: joint_space::Workspace,
    cholesky: Cholesky<f64>,
    column: Vec<f64>,
    q: Vec<Dual<DIRECTIONS>>,
    v: Vec<Dual<DIRECTIONS>>,
    a: Vec<Dual<DIRECTIONS>>,
    result: Matrices,
}

/// Derivatives of a vector of n numbers by three vectors of n numbers, each n × n and row by row.
#[derive(Debug, Clone, PartialEq)]
struct Matrices {
    by_q: Vec<f64>,
    by_v: Vec<f64>,
    by_third: Vec<f64>,
}

/// ∂τ/∂q, ∂τ/∂q̇ and ∂τ/∂q̈, each n × n and row by row.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(missing_docs, reason = "named by what they are")]
pub struct InverseDerivatives<'w> {
    pub by_q: &'w [f64],
    pub by_v: &'w [f64],
    pub by_a: &'w [f64],
}

/// ∂q̈/∂q, ∂q̈/∂q̇ and ∂q̈/∂τ, each n × n and row by row.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(missing_docs, reason = "named by what they are")]
pub struct ForwardDerivatives<'w> {
    pub by_q: &'w [f64],
    pub by_v: &'w [f64],
    pub by_tau: &'w [f64],
}

impl Workspace {
    /// A workspace for this robot.
    #[must_use]
    pub fn new(robot: &Mechanism) -> Self {
        let (n, zero) = (robot.dof(), Dual::fixed(0.0));
        let square = vec![0.0; n * n];
        Self {
            inverse: gibbs_appell_tensor::Workspace::over(robot, zero),
            inertia: gibbs_appell_inertia::Workspace::new(robot),
            forward: joint_space::Workspace::over(robot, Equations::GibbsAppell, Solver::Cholesky, 0.0),
            cholesky: Cholesky::new(n, 0.0),
            column: vec![0.0; n],
            q: vec![zero; n],
            v: vec![zero; n],
            a: vec![zero; n],
            result: Matrices { by_q: square.clone(), by_v: square.clone(), by_third: square },
        }
    }

    /// Fills `by_q` and `by_v` with the derivatives of inverse dynamics, and `by_third` with the inertia matrix.
    fn differentiate(&mut self, robot: &Mechanism, q: &[f64], v: &[f64], a: &[f64]) {
        let n = robot.dof();
        for first in (0..2 * n).step_by(DIRECTIONS) {
            let seed = |x: f64, index: usize| match index.checked_sub(first) {
                Some(direction) if direction < DIRECTIONS => Dual::variable(x, direction),
                _ => Dual::fixed(x),
            };
            for j in 0..n {
                self.q[j] = seed(q[j], j);
                self.v[j] = seed(v[j], n + j);
                self.a[j] = Dual::fixed(a[j]);
            }
            let tau = gibbs_appell_tensor::inverse_dynamics(robot, &mut self.inverse, &self.q, &self.v, &self.a);
            for (row, tau) in tau.iter().enumerate() {
                for (index, &derivative) in (first..2 * n).zip(&tau.derivative) {
                    match index.checked_sub(n) {
                        None => self.result.by_q[row * n + index] = derivative,
                        Some(k) => self.result.by_v[row * n + k] = derivative,
                    }
                }
            }
        }
        let inertia = gibbs_appell_inertia::inertia_matrix(robot, &mut self.inertia, q);
        self.result.by_third.copy_from_slice(inertia);
    }
}

/// Derivatives of the joint forces at a state and acceleration. ∂τ/∂q̈ is the inertia matrix.
///
/// # Panics
/// If a slice has not one number a joint.
pub fn of_inverse_dynamics<'w>(
    robot: &Mechanism,
    ws: &'w mut Workspace,
    q: &[f64],
    v: &[f64],
    a: &[f64],
) -> InverseDerivatives<'w> {
    robot.expect_lengths(&[q, v, a]);
    ws.differentiate(robot, q, v, a);
    InverseDerivatives { by_q: &ws.result.by_q, by_v: &ws.result.by_v, by_a: &ws.result.by_third }
}

/// Derivatives of the joint accelerations at a state under joint forces.
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
) -> Result<ForwardDerivatives<'w>, InertiaError> {
    robot.expect_lengths(&[q, v, tau]);
    let n = robot.dof();
    let mut a = core::mem::take(&mut ws.column);
    let solved = joint_space::forward_dynamics(robot, &mut ws.forward, q, v, tau).map(|found| a.copy_from_slice(found));
    if solved.is_ok() {
        ws.differentiate(robot, q, v, &a);
    }
    ws.column = a;
    solved?;
    let Workspace { cholesky, column, result: Matrices { by_q, by_v, by_third }, .. } = ws;
    cholesky.decompose(by_third);
    for matrix in [&mut *by_q, &mut *by_v] {
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
    Ok(ForwardDerivatives { by_q, by_v, by_tau: by_third })
}
