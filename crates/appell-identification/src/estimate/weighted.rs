//! Weighted least squares: the equations of each joint are divided by the standard deviation of its noise.
//!
//! ```text
//! σ_j² = ‖y_j − W_j φ‖² / (rows − columns / joints)        W_j / σ_j,  y_j / σ_j
//! ```
//!
//! from σ = 1, until no σ changes: a joint of 0.1 N m noise counts as it should beside one of 10 N m.

use super::scaled::{LEAST_NOISE, Scaled};
use super::{Estimate, EstimateError, Fit, Observation, reflections};
use crate::triangle::triangle;
use nalgebra::{DMatrix, DVector};

/// Rounds at most; the change of σ, over σ, that ends them.
const ROUNDS: usize = 50;
const SETTLED: f64 = 1e-6;

/// What each equation is multiplied with: one over the noise of its joint, which these parameters leave.
pub(super) fn weights(equations: &Observation, values: &DVector<f64>) -> DVector<f64> {
    let (samples, n) = (equations.samples() as f64, equations.rows().len());
    let freedom = (samples - values.len() as f64 / n as f64).max(1.0);
    let sigma = |row: super::RowFit| {
        let size = if row.relative > 0.0 { row.rms / row.relative } else { 0.0 };
        (row.rms * (samples / freedom).sqrt()).max(LEAST_NOISE * size).max(f64::MIN_POSITIVE.sqrt())
    };
    let sigma: Vec<f64> = Fit::of(equations, values).rows.into_iter().map(sigma).collect();
    DVector::from_fn(equations.right().len(), |k, _| 1.0 / sigma[k % n])
}

/// An estimate of weighed equations, as one of the equations themselves.
pub(super) fn undo(equations: &Observation, weights: &DVector<f64>, found: Estimate) -> Estimate {
    let weights = found.weights.component_mul(weights);
    Estimate { weights, fit: Fit::of(equations, &found.values), ..found }
}

/// The estimate; its weights are what the noise of the joints makes of them.
///
/// # Errors
/// If there are too few equations, or columns that depend on each other.
pub fn estimate(equations: &Observation) -> Result<Estimate, EstimateError> {
    let mut found = reflections::estimate(equations)?;
    let (triangles, n) = (of_joints(equations), equations.rows().len());
    let mut last = DVector::from_element(equations.right().len(), 1.0);
    for _ in 0..ROUNDS {
        let next = weights(equations, &found.values);
        let change = last.component_div(&next).add_scalar(-1.0).amax();
        last = next;
        let (height, width) = triangles[0].shape();
        let all = triangle(n * height, width, &|i, k| last[i / height] * triangles[i / height][(i % height, k)]);
        found =
            reflections::of(equations, &Scaled::of_triangle(equations.right().len(), &all), "weighted least squares")?;
        if change < SETTLED {
            break;
        }
    }
    Ok(Estimate { weights: found.weights.component_mul(&last), ..found })
}

/// The triangle of (W_j, y_j) of each joint: rounds change σ alone.
fn of_joints(equations: &Observation) -> Vec<DMatrix<f64>> {
    let (w, y, n) = (equations.matrix(), equations.right(), equations.rows().len());
    let columns = w.ncols();
    let of_joint = |joint: usize| {
        triangle(equations.samples(), columns + 1, &|i, k| {
            let row = i * n + joint;
            if k < columns { w[(row, k)] } else { y[row] }
        })
    };
    (0..n).map(of_joint).collect()
}
