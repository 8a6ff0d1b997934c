//! Least squares by the normal equations, Wᵀ W φ = Wᵀ y, and Cholesky's factors.
//!
//! The shortest way, and the one that loses digits: the condition number is squared.

use super::scaled::{Scaled, divided};
use super::{Estimate, EstimateError, Observation};

/// The estimate, with C = s² (Wᵀ W)⁻¹ and s² the mean square of the residual.
///
/// # Errors
/// If there are too few equations, or columns that depend on each other.
pub fn estimate(equations: &Observation) -> Result<Estimate, EstimateError> {
    let scaled = Scaled::new(equations)?;
    let condition = scaled.regular(equations)?;
    let matrix = divided(equations, &scaled.lengths);
    let refused = || EstimateError::Dependent { name: equations.model().name(0), condition };
    let cholesky = matrix.tr_mul(&matrix).cholesky().ok_or_else(refused)?;
    let solution = cholesky.solve(&matrix.tr_mul(equations.right()));
    let covariance = cholesky.inverse() * scaled.variance(&solution);
    Ok(scaled.estimate("least squares", equations, &solution, &covariance, condition))
}
