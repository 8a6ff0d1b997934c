//! Forward and inverse dynamics in a robot's own [coordinates](crate::mechanism::Coordinates): quaternions, followers, screws.
//!
//! With ẋ local rates, S constant and the rows of the tree as free joints,
//!
//! ```text
//! Sᵀ M S ẍ = τₓ − Sᵀ bias(rows, S ẋ)        a = B⁻¹ (ẍ − Ḃ v)
//! ```
//!
//! so that the methods of inertia and bias are those of any tree. τ is what acts along the velocities: of a follower's leader, with
//! the follower's drive taken as part of the transmission.

use super::joint_space::{Equations, EquationsWorkspace};
use super::{InertiaError, gibbs_appell_tensor, refuse_small_pivot, statics};
use crate::linear::Cholesky;
use crate::mechanism::{Coordinates, Mechanism};
use crate::real::{Measured, Real};

/// Workspace for forward dynamics in a robot's own coordinates.
#[derive(Debug, Clone)]
pub struct Workspace<T = f64> {
    equations: EquationsWorkspace<T>,
    cholesky: Cholesky<T>,
    rows: Vec<T>,   // positions of the rows
    rates: Vec<T>,  // and their rates
    matrix: Vec<T>, // Sᵀ M S
    bias: Vec<T>,   // Sᵀ bias, then Ḃ v
    a: Vec<T>,      // ẍ, then a
}

impl<T: Real> Workspace<T> {
    /// A workspace for this robot and these methods over the numbers of the kind of `like`.
    ///
    /// # Panics
    /// If the robot has no coordinates but its rows.
    #[must_use]
    pub fn with_scalar(robot: &Mechanism, equations: Equations, like: T) -> Self {
        let (n, m, zero) = (robot.dof(), of(robot).velocities().len(), like.zero());
        Self {
            equations: EquationsWorkspace::new(robot, equations, like),
            cholesky: Cholesky::new(m, like),
            rows: vec![zero; n],
            rates: vec![zero; n],
            matrix: vec![zero; m * m],
            bias: vec![zero; m],
            a: vec![zero; m],
        }
    }
}

/// Rates of the velocities `v` that the forces `tau` give at the position `q`.
///
/// # Errors
/// If the inertia matrix is singular.
///
/// # Panics
/// If a slice has the wrong length, or the robot has no coordinates but its rows.
#[inline(always)]
pub fn forward_dynamics<'w, T: Measured>(
    robot: &Mechanism,
    ws: &'w mut Workspace<T>,
    q: &[T],
    v: &[T],
    tau: &[T],
) -> Result<&'w [T], InertiaError> {
    let coordinates = of(robot);
    coordinates.anchor(q, &mut ws.rows);
    solve(robot, ws, v, tau)?;
    coordinates.bias(v, v, &mut ws.bias);
    for (a, &bias) in ws.a.iter_mut().zip(&ws.bias) {
        *a = *a - bias;
    }
    Ok(&ws.a)
}

/// Local accelerations ẍ that forces along the local rates give, where the rows are.
///
/// # Errors
/// If the inertia matrix is singular.
///
/// # Panics
/// If a slice has the wrong length, or the robot has no coordinates but its rows.
#[inline(always)]
pub fn local_forward_dynamics<'w, T: Measured>(
    robot: &Mechanism,
    ws: &'w mut Workspace<T>,
    rows: &[T],
    x: &[T],
    tau: &[T],
) -> Result<&'w [T], InertiaError> {
    ws.rows.copy_from_slice(rows);
    solve(robot, ws, x, tau)?;
    Ok(&ws.a)
}

/// ẍ at the rows of the workspace.
#[inline(always)]
fn solve<T: Measured>(robot: &Mechanism, ws: &mut Workspace<T>, x: &[T], tau: &[T]) -> Result<(), InertiaError> {
    let coordinates = of(robot);
    coordinates.spread(x, &mut ws.rates);
    let (matrix, bias) = ws.equations.evaluate(robot, &ws.rows, &ws.rates);
    coordinates.project(matrix, &mut ws.matrix);
    coordinates.collect(bias, &mut ws.bias);
    let m = ws.a.len();
    assert_eq!(tau.len(), m, "one value per velocity");
    for ((a, &tau), &bias) in ws.a.iter_mut().zip(tau).zip(&ws.bias) {
        *a = tau - bias;
    }
    ws.cholesky.decompose(&ws.matrix);
    ws.cholesky.solve(&mut ws.a);
    for (k, (&pivot, &row)) in ws.cholesky.pivots().iter().zip(coordinates.of_velocities()).enumerate() {
        refuse_small_pivot(robot, row, pivot, ws.matrix[k * m + k].greatest())?;
    }
    Ok(())
}

/// The coordinates of a robot that has some.
fn of(robot: &Mechanism) -> &Coordinates {
    robot.coordinates().expect("a robot whose coordinates are not its rows")
}

/// Workspace for inverse dynamics and gravity in a robot's own coordinates, whether these are its rows or not.
#[derive(Debug, Clone)]
pub struct Inverse<T = f64> {
    dynamics: gibbs_appell_tensor::Workspace<T>,
    gravity: statics::Workspace<T>,
    rows: [Vec<T>; 3], // positions, rates, accelerations of the rows
    local: Vec<T>,     // a + Ḃ v, then the forces
}

impl<T: Real> Inverse<T> {
    /// A workspace for this robot over the numbers of the kind of `like`.
    #[must_use]
    pub fn with_scalar(robot: &Mechanism, like: T) -> Self {
        Self {
            dynamics: gibbs_appell_tensor::Workspace::with_scalar(robot, like),
            gravity: statics::Workspace::with_scalar(robot, like),
            rows: core::array::from_fn(|_| vec![like.zero(); robot.dof()]),
            local: vec![like.zero(); robot.velocities().len()],
        }
    }
}

/// Forces along the velocities that give the accelerations.
///
/// # Panics
/// If a slice has the wrong length.
pub fn inverse_dynamics<'w, T: Real>(robot: &Mechanism, ws: &'w mut Inverse<T>, q: &[T], v: &[T], a: &[T]) -> &'w [T] {
    let Some(own) = robot.coordinates() else {
        return gibbs_appell_tensor::inverse_dynamics(robot, &mut ws.dynamics, q, v, a);
    };
    let [rows, rates, accelerations] = &mut ws.rows;
    own.anchor(q, rows);
    own.spread(v, rates);
    own.bias(v, v, &mut ws.local);
    for (local, &a) in ws.local.iter_mut().zip(a) {
        *local = *local + a;
    }
    own.spread(&ws.local, accelerations);
    let tau = gibbs_appell_tensor::inverse_dynamics(robot, &mut ws.dynamics, rows, rates, accelerations);
    own.collect(tau, &mut ws.local);
    &ws.local
}

/// Forces along the velocities that hold the robot against gravity.
///
/// # Panics
/// If `q` has the wrong length.
pub fn gravity<'w, T: Real>(robot: &Mechanism, ws: &'w mut Inverse<T>, q: &[T]) -> &'w [T] {
    let Some(own) = robot.coordinates() else { return statics::gravity(robot, &mut ws.gravity, q) };
    own.anchor(q, &mut ws.rows[0]);
    own.collect(statics::gravity(robot, &mut ws.gravity, &ws.rows[0]), &mut ws.local);
    &ws.local
}
