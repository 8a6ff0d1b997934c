//! Weighted least squares: the equations of each joint are divided by the standard deviation of its noise.
//!
//! ```text
//! σ_j² = ‖y_j − W_j φ‖² / (rows − columns / joints)        W_j / σ_j,  y_j / σ_j
//! ```
//!
//! from σ = 1, until no σ changes: a joint of 0.1 N m noise counts as it should beside one of 10 N m.

use super::scaled::LEAST_NOISE;
use super::{Estimate, EstimateError, Fit, Observation, reflections};
use nalgebra::DVector;

/// Rounds at most; the change of σ, over σ, that ends them.
const ROUNDS: usize = 50;
const SETTLED: f64 = 1e-6;

/// The standard deviations of the joints' noise, N m or N.
#[derive(Debug, Clone, PartialEq)]
pub struct Weights(pub Vec<f64>);

impl Weights {
    /// The residual noise, per joint.
    pub(super) fn of(equations: &Observation, values: &DVector<f64>) -> Self {
        let (samples, n) = (equations.samples() as f64, equations.rows().len() as f64);
        let freedom = (samples - values.len() as f64 / n).max(1.0);
        let sigma = |row: super::RowFit| {
            let size = if row.relative > 0.0 { row.rms / row.relative } else { 0.0 };
            (row.rms * (samples / freedom).sqrt()).max(LEAST_NOISE * size).max(f64::MIN_POSITIVE.sqrt())
        };
        Self(Fit::of(equations, values).rows.into_iter().map(sigma).collect())
    }

    /// Equations that are divided by the noise of their joints.
    ///
    /// # Panics
    /// If there is not one value per joint.
    #[must_use]
    pub fn divide(&self, equations: &Observation) -> Observation {
        equations.weighed(&self.of_equations(equations))
    }

    /// What each equation is multiplied with.
    fn of_equations(&self, equations: &Observation) -> DVector<f64> {
        let n = equations.rows().len();
        assert_eq!(self.0.len(), n, "one value per joint");
        DVector::from_fn(equations.right().len(), |k, _| 1.0 / self.0[k % n])
    }

    /// An estimate of divided equations, as one of the equations themselves.
    pub(super) fn undo(&self, equations: &Observation, found: Estimate) -> Estimate {
        let weights = found.weights.component_mul(&self.of_equations(equations));
        Estimate { weights, fit: Fit::of(equations, &found.values), ..found }
    }
}

/// The estimate and the noise of each joint.
///
/// # Errors
/// If there are too few equations, or columns that depend on each other.
pub fn estimate(equations: &Observation) -> Result<(Estimate, Weights), EstimateError> {
    let mut weights = Weights(vec![1.0; equations.rows().len()]);
    let mut found = reflections::estimate(equations)?;
    for _ in 0..ROUNDS {
        let next = Weights::of(equations, &found.values);
        let change = next.0.iter().zip(&weights.0).map(|(a, b)| (a / b - 1.0).abs()).fold(0.0, f64::max);
        weights = next;
        found = reflections::estimate(&weights.divide(equations))?;
        if change < SETTLED {
            break;
        }
    }
    Ok((Estimate { method: "weighted least squares", ..weights.undo(equations, found) }, weights))
}
