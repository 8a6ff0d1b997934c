//! Least squares by Householder's reflections: W = Q R, R φ = Qᵀ y.

use super::scaled::Scaled;
use super::{Estimate, EstimateError, Observation};

/// The estimate, with C = s² (Rᵀ R)⁻¹ and s² the mean square of the residual.
///
/// # Errors
/// If there are too few equations, or columns that depend on each other.
pub fn estimate(equations: &Observation) -> Result<Estimate, EstimateError> {
    of(equations, &Scaled::new(equations)?, "QR")
}

/// The same of equations that are reduced already, or of their multiples.
pub(super) fn of(equations: &Observation, scaled: &Scaled, method: &'static str) -> Result<Estimate, EstimateError> {
    let condition = scaled.regular(equations)?;
    let solution = scaled.r.solve_upper_triangular(&scaled.right).expect("columns are independent");
    let covariance = scaled.inverse_of_normal_matrix() * scaled.variance(&solution);
    Ok(scaled.estimate(method, equations, &solution, &covariance, condition))
}
