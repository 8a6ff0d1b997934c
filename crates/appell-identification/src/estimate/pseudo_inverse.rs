//! The pseudo-inverse of Moore and Penrose, φ = W⁺ y: of all parameters that fit best, the shortest, in their own units.
//!
//! Columns may depend on each other: it answers for all standard parameters at once, of which only the base parameters mean
//! something.

use super::scaled::alike;
use super::{Estimate, EstimateError, Fit, Observation};
use nalgebra::DMatrix;

/// Singular values below this, over the largest and the number of rows, are rounding.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// The estimate, with C = s² W⁺ W⁺ᵀ.
///
/// # Errors
/// If there are fewer equations than columns, or a number is NaN.
pub fn estimate(equations: &Observation) -> Result<Estimate, EstimateError> {
    let (rows, columns) = equations.matrix().shape();
    if rows <= columns || columns == 0 {
        return Err(EstimateError::TooFew { rows, columns });
    }
    let not_finite = |k: usize| EstimateError::NotFinite { name: equations.model().name(k) };
    if let Some(k) = equations.matrix().column_iter().position(|column| column.iter().any(|x| !x.is_finite())) {
        return Err(not_finite(k));
    }
    let qr = equations.matrix().clone().qr();
    let svd = qr.r().svd(true, true);
    let (u, v_t) = (svd.u.expect("asked for"), svd.v_t.expect("asked for"));
    let largest = svd.singular_values.max();
    let seen = |s: f64| s > ROUNDING * rows as f64 * largest;
    let inverse = svd.singular_values.map(|s| if seen(s) { 1.0 / s } else { 0.0 });
    let rank = svd.singular_values.iter().filter(|s| seen(**s)).count();
    let of_triangle = v_t.transpose() * DMatrix::from_diagonal(&inverse) * u.transpose();
    let mut right = equations.right().clone();
    qr.q_tr_mul(&mut right);
    let values = &of_triangle * right.rows(0, columns);
    let left = (equations.right() - equations.predicted(&values)).norm_squared();
    let variance = left / (rows - rank).max(1) as f64;
    Ok(Estimate {
        weights: alike(rows, equations.right().norm(), variance),
        method: "pseudo-inverse",
        note: (rank < columns).then(|| format!("rank {rank} of {columns}")),
        names: equations.model().names(),
        fit: Fit::of(equations, &values),
        covariance: &of_triangle * of_triangle.transpose() * variance,
        values,
        condition: condition(qr.r(), ROUNDING * rows as f64),
    })
}

/// The condition number of columns of length 1, as that of the other methods; those that are rounding left out.
fn condition(mut triangle: DMatrix<f64>, rounding: f64) -> f64 {
    for mut column in triangle.column_iter_mut() {
        let length = column.norm();
        column /= if length > 0.0 { length } else { 1.0 };
    }
    let singular = triangle.singular_values();
    let largest = singular.max();
    largest / singular.iter().copied().filter(|s| *s > rounding * largest).fold(largest, f64::min)
}
