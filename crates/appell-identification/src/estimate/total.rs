//! Total least squares: noise of like size in the columns, scaled to length 1, and in y. The smallest change of both that
//! makes the equations solvable is along the last right singular vector of (W D⁻¹, y / ‖y‖)  (VanHuffel1991):
//!
//! ```text
//! φ = (Wᵀ W − σ² 1)⁻¹ Wᵀ y        σ: the smallest singular value
//! ```
//!
//! Where only y is noisy, least squares is better: total least squares would put its noise into the columns.

use super::scaled::Scaled;
use super::{Estimate, EstimateError, Observation};
use nalgebra::{DMatrix, DVector};

/// Of the last right singular vector, the least part along y: below, the equations have no solution of this kind.
const GENERIC: f64 = 1e-12;

/// The estimate; its covariance is to first order.
///
/// # Errors
/// If there are too few equations, columns that depend on each other, or right sides of zero.
pub fn estimate(equations: &Observation) -> Result<Estimate, EstimateError> {
    let scaled = Scaled::new(equations)?;
    let condition = scaled.regular(equations)?;
    let n = scaled.r.ncols();
    let size = equations.right().norm();
    if size == 0.0 {
        return Err(EstimateError::NotPositive { what: "the size of the right side", value: size });
    }
    // The triangle of (W D⁻¹, y / ‖y‖).
    let mut bordered = DMatrix::zeros(n + 1, n + 1);
    bordered.view_mut((0, 0), (n, n)).copy_from(&scaled.r);
    bordered.view_mut((0, n), (n, 1)).copy_from(&(&scaled.right / size));
    bordered[(n, n)] = scaled.left_over.sqrt() / size;
    let svd = bordered.svd(false, true);
    let last = svd.singular_values.imin();
    let vector: DVector<f64> = svd.v_t.expect("asked for").row(last).transpose();
    if vector[n].abs() < GENERIC {
        return Err(EstimateError::Dependent { name: equations.model().name(vector.rows(0, n).iamax()), condition });
    }
    let solution = vector.rows(0, n) * (-size / vector[n]);
    let shrink = svd.singular_values[last].powi(2);
    let reduced = scaled.r.tr_mul(&scaled.r) - DMatrix::identity(n, n) * shrink;
    let refused = || EstimateError::Dependent { name: equations.model().name(n - 1), condition };
    let inverse = reduced.clone().cholesky().ok_or_else(refused)?.inverse();
    // s² (1 + ‖φ‖²) (Wᵀ W − σ² 1)⁻¹ Wᵀ W (Wᵀ W − σ² 1)⁻¹, s² of a column's noise.
    let noise = shrink / (scaled.rows - n) as f64 * (size * size + solution.norm_squared());
    let covariance = &inverse * scaled.r.tr_mul(&scaled.r) * &inverse * noise;
    Ok(scaled.estimate("total least squares", equations, &solution, &covariance, condition))
}
