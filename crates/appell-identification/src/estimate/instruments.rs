//! Instrumental variables: Zᵀ W φ = Zᵀ y.
//!
//! In a closed loop the noise of the efforts moves the robot, and measured motion has noise of its own: W depends on the noise
//! of y, and least squares is biased however much is measured. Z is the observation matrix of a motion that knows nothing of
//! that noise, such as a simulation of the model under the same reference (IDIM-IV, Janot2014): φ is right in the mean as long
//! as Z and the noise have nothing in common.

use super::scaled::Scaled;
use super::{Estimate, EstimateError, Observation};
use nalgebra::DMatrix;

/// The estimate with `instruments` Z, a matrix of the same columns, with C = s² (Zᵀ W)⁻¹ Zᵀ Z (Wᵀ Z)⁻¹.
///
/// # Errors
/// If there are too few equations, or columns that depend on each other, or instruments that do not see a parameter.
///
/// # Panics
/// If the instruments have another shape or other columns.
pub fn estimate(equations: &Observation, instruments: &Observation) -> Result<Estimate, EstimateError> {
    assert_eq!(equations.model(), instruments.model(), "instruments for these columns");
    assert_eq!(equations.matrix().shape(), instruments.matrix().shape(), "an instrument an equation");
    let scaled = Scaled::new(equations)?;
    let condition = scaled.regular(equations)?;
    let of_instruments = Scaled::new(instruments)?;
    of_instruments.regular(instruments)?;
    let divided = |observation: &Observation, scaled: &Scaled| -> DMatrix<f64> {
        let mut matrix = observation.matrix().clone();
        matrix.column_iter_mut().zip(&scaled.lengths).for_each(|(mut column, length)| column /= *length);
        matrix
    };
    let (w, z) = (divided(equations, &scaled), divided(instruments, &of_instruments));
    let seen = z.tr_mul(&w);
    let refused = || EstimateError::Dependent { name: equations.model().name(0), condition };
    let inverse = seen.try_inverse().ok_or_else(refused)?;
    let solution = &inverse * z.tr_mul(equations.right());
    let covariance = &inverse * z.tr_mul(&z) * inverse.transpose() * scaled.variance(&solution);
    Ok(scaled.estimate("instrumental variables", equations, &solution, &covariance, condition))
}
