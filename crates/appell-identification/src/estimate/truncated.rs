//! Least squares by singular values, without those that are small: W D⁻¹ = U Σ Vᵀ, φ = D⁻¹ V Σ⁺ Uᵀ y.
//!
//! A direction of parameters in which the data say nearly nothing would take its value from the noise, divided by a small
//! number. Left out, its value is zero: biased, but near.

use super::scaled::Scaled;
use super::{Estimate, EstimateError, Observation};

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
    let largest = svd.singular_values.max();
    let is_seen = |s: &f64| *s > tolerance * largest;
    let inverse = svd.singular_values.map(|s| if is_seen(&s) { 1.0 / s } else { 0.0 });
    let least = svd.singular_values.iter().copied().filter(is_seen).fold(largest, f64::min);
    let (all, left_out) = (inverse.len(), inverse.iter().filter(|inverse| **inverse == 0.0).count());
    let note = Some(format!("{left_out} of {all} singular values left out"));
    Ok(Estimate { note, ..scaled.by_singular_values("SVD", equations, &svd, &inverse, largest / least) })
}
