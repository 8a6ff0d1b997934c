//! Derivatives of other formulations by all 3n variables: the referee of [`analytic`](super::analytic).

use super::{DIRECTIONS, Derivatives, Number, Seeds};
use crate::dynamics::joint_space::{self, Equations, Solver};
use crate::dynamics::{InertiaError, articulated_body, newton_euler};
use crate::mechanism::Mechanism;
use crate::real::Dual;

/// Workspace for runs on dual numbers and their results.
#[derive(Debug, Clone)]
pub struct Workspace {
    inverse: newton_euler::Workspace<Number>,
    forward: articulated_body::Workspace<Number>,
    equations: joint_space::Workspace<Number>,
    seeds: Seeds,
    result: Derivatives,
}

impl Workspace {
    /// A workspace for this robot.
    #[must_use]
    pub fn new(robot: &Mechanism) -> Self {
        let zero = Dual::fixed(0.0);
        Self {
            inverse: newton_euler::Workspace::with_scalar(robot, zero),
            forward: articulated_body::Workspace::with_scalar(robot, zero),
            equations: joint_space::Workspace::with_scalar(robot, Equations::CompositeBody, Solver::Cholesky, zero),
            seeds: Seeds::new(robot.dof()),
            result: Derivatives::new(robot.dof(), 0.0),
        }
    }
}

/// Derivatives of the joint forces by q, q̇ and q̈, through Newton-Euler.
///
/// # Panics
/// If a slice does not have one value per joint.
pub fn of_inverse_dynamics<'w>(
    robot: &Mechanism,
    ws: &'w mut Workspace,
    q: &[f64],
    v: &[f64],
    a: &[f64],
) -> &'w Derivatives {
    robot.expect_lengths(&[q, v, a]);
    for first in (0..3 * robot.dof()).step_by(DIRECTIONS) {
        ws.seeds.vary(first, [q, v, a]);
        let [q, v, a] = &ws.seeds.vectors;
        let tau = newton_euler::inverse_dynamics(robot, &mut ws.inverse, q, v, a);
        ws.result.keep(first, tau);
    }
    &ws.result
}

/// Derivatives of the joint accelerations by q, q̇ and τ, through articulated bodies.
///
/// # Errors
/// If the inertia matrix is singular.
///
/// # Panics
/// If a slice does not have one value per joint.
pub fn of_forward_dynamics<'w>(
    robot: &Mechanism,
    ws: &'w mut Workspace,
    q: &[f64],
    v: &[f64],
    tau: &[f64],
) -> Result<&'w Derivatives, InertiaError> {
    robot.expect_lengths(&[q, v, tau]);
    for first in (0..3 * robot.dof()).step_by(DIRECTIONS) {
        ws.seeds.vary(first, [q, v, tau]);
        let [q, v, tau] = &ws.seeds.vectors;
        let a = articulated_body::forward_dynamics(robot, &mut ws.forward, q, v, tau)?;
        ws.result.keep(first, a);
    }
    Ok(&ws.result)
}

/// The same through the equations of the joints: composite bodies and Newton-Euler.
///
/// # Errors
/// If the inertia matrix is singular.
///
/// # Panics
/// If a slice does not have one value per joint.
pub fn of_equations<'w>(
    robot: &Mechanism,
    ws: &'w mut Workspace,
    q: &[f64],
    v: &[f64],
    tau: &[f64],
) -> Result<&'w Derivatives, InertiaError> {
    robot.expect_lengths(&[q, v, tau]);
    for first in (0..3 * robot.dof()).step_by(DIRECTIONS) {
        ws.seeds.vary(first, [q, v, tau]);
        let [q, v, tau] = &ws.seeds.vectors;
        let a = joint_space::forward_dynamics(robot, &mut ws.equations, q, v, tau)?;
        ws.result.keep(first, a);
    }
    Ok(&ws.result)
}
