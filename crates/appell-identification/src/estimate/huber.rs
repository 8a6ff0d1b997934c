//! Huber's estimator: residuals count by their squares up to a threshold and by their size beyond, so that a few wrong
//! samples do not decide. Least squares again and again, with the weights min(1, k s / |r|), s the joint's spread by the
//! median of |r|  (Huber1964). With ψ = r/s cut off at ±k,
//!
//! ```text
//! C = Σ ψ² / (rows − columns) / (the part of rows that is not cut off)² × (Wᵀ s⁻² W)⁻¹
//! ```

use super::scaled::LEAST_NOISE;
use super::{Estimate, EstimateError, Fit, Observation, reflections};
use nalgebra::DVector;

/// The usual threshold, in standard deviations: 95 % as good as least squares where there are no outliers.
pub const USUAL_THRESHOLD: f64 = 1.345;

/// The median of |r| of normal noise, in standard deviations.
const MEDIAN: f64 = 0.674_489_75;
/// An equation that is off by so many standard deviations is counted as an outlier.
const OUTLIER: f64 = 5.0;
/// Rounds at most; the change of parameters, over their size, that ends them.
const ROUNDS: usize = 100;
const SETTLED: f64 = 1e-10;

/// The estimate for residuals beyond `threshold` standard deviations being outliers.
///
/// # Errors
/// If there are too few equations, or columns that depend on each other; or the threshold is not positive.
pub fn estimate(equations: &Observation, threshold: f64) -> Result<Estimate, EstimateError> {
    if threshold.is_nan() || threshold <= 0.0 {
        return Err(EstimateError::NotPositive { what: "the threshold of outliers", value: threshold });
    }
    let n = equations.rows().len();
    let mut found = reflections::estimate(equations)?;
    for _ in 0..ROUNDS {
        let (residual, spreads) = residual_and_spreads(equations, &found.values);
        // A joint with less noise counts more, as in weighted least squares.
        let weight = |k: usize| (threshold * spreads[k % n] / residual[k].abs()).min(1.0).sqrt() / spreads[k % n];
        let weights = DVector::from_fn(residual.len(), |k, _| weight(k));
        let lighter = equations.weighed(&weights);
        let next = Estimate { weights, ..reflections::estimate(&lighter)? };
        let change = (&next.values - &found.values).norm() / next.values.norm().max(f64::MIN_POSITIVE);
        found = next;
        if change < SETTLED {
            break;
        }
    }
    let (residual, spreads) = residual_and_spreads(equations, &found.values);
    let sizes = || residual.iter().enumerate().map(|(k, r)| (r / spreads[k % n]).abs());
    let (rows, far) = (residual.len(), sizes().filter(|size| *size > OUTLIER).count());
    let note = Some(format!("{far} of {rows} equations are off by more than {OUTLIER} standard deviations"));
    // C. How far an outlier is off does not matter to it.
    let within = sizes().filter(|size| *size <= threshold).count() as f64 / rows as f64;
    let variance = sizes().map(|size| size.min(threshold).powi(2)).sum::<f64>() / (rows - found.values.len()) as f64;
    let alike = reflections::estimate(&equations.weighed(&DVector::from_fn(rows, |k, _| 1.0 / spreads[k % n])))?;
    // Its own is s² (Wᵀ s⁻² W)⁻¹, s being one over its weights.
    let inverse = alike.covariance * alike.weights[0].powi(2);
    let covariance = inverse * (variance / within.powi(2).max(f64::MIN_POSITIVE));
    Ok(Estimate { method: "Huber", note, fit: Fit::of(equations, &found.values), covariance, ..found })
}

/// What is left, and each joint's spread.
fn residual_and_spreads(equations: &Observation, values: &DVector<f64>) -> (DVector<f64>, Vec<f64>) {
    let residual = equations.right() - equations.predicted(values);
    let spreads = (0..equations.rows().len()).map(|row| spread(equations, &residual, row)).collect();
    (residual, spreads)
}

/// A joint's spread: the median of |r|, over that of normal noise.
fn spread(equations: &Observation, residual: &DVector<f64>, row: usize) -> f64 {
    let n = equations.rows().len();
    let of_row =
        |numbers: &DVector<f64>| -> Vec<f64> { numbers.iter().skip(row).step_by(n).map(|x| x.abs()).collect() };
    let mut sizes = of_row(residual);
    let middle = sizes.len() / 2;
    let median = *sizes.select_nth_unstable_by(middle, f64::total_cmp).1;
    let size = of_row(equations.right()).into_iter().fold(0.0, f64::max);
    (median / MEDIAN).max(LEAST_NOISE * size).max(f64::MIN_POSITIVE.sqrt())
}
