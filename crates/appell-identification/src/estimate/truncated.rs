//! Least squares by singular values, without those that are small: W D⁻¹ = U Σ Vᵀ, φ = D⁻¹ V Σ⁺ Uᵀ y.
//!
//! A direction of parameters in which the data say nearly nothing would take its value from the noise, divided by a small
//! number. Left out, its value is zero: biased, but near.

use super::scaled::Scaled;
use super::{Estimate, EstimateError, Observation};
use nalgebra::DVector;

/// The estimate without singular values below `tolerance` over the largest.
///
/// # Errors
/// If there are too few equations, or a column of zeros; or the tolerance is negative or no number.
pub fn estimate(equations: &Observation, tolerance: f64) -> Result<Estimate, EstimateError> {
    if tolerance.is_nan() || tolerance < 0.0 {
        return Err(EstimateError::NotPositive { what: "the tolerance of singular values", value: tolerance });
    }
    let scaled = Scaled::new(equations)?;
    let svd = scaled.r.clone().svd(true, true);
    let (u, v_t) = (svd.u.expect("asked for"), svd.v_t.expect("asked for"));
    let largest = svd.singular_values.max();
    let inverse = svd.singular_values.map(|s| if s > tolerance * largest { 1.0 / s } else { 0.0 });
    let solution = v_t.tr_mul(&u.tr_mul(&scaled.right).component_mul(&inverse));
    let seen: DVector<f64> = inverse.component_mul(&inverse);
    let covariance = v_t.transpose() * nalgebra::DMatrix::from_diagonal(&seen) * &v_t * scaled.variance(&solution);
    let least = svd.singular_values.iter().copied().filter(|s| *s > tolerance * largest).fold(largest, f64::min);
    let (all, left_out) = (inverse.len(), inverse.iter().filter(|inverse| **inverse == 0.0).count());
    let note = Some(format!("{left_out} of {all} singular values left out"));
    Ok(Estimate { note, ..scaled.estimate("SVD", equations, &solution, &covariance, largest / least) })
}
