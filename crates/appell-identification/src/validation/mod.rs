//! Whether an estimate says something about data it has not seen, and which parameters it needs.
//!
//! | question | where |
//! |---|---|
//! | how well are held-out parts predicted | [`cross_validate`] |
//! | which parameters matter | [`essential`] |
//! | which recordings are not of the same robot | [`outliers()`] |

mod outliers;

pub use outliers::{Outlier, outliers};

use crate::estimate::{Estimate, EstimateError, Fit, reflections, weighted};
use crate::observation::Observation;
use nalgebra::DVector;

/// How well parts of the data are predicted by parameters of the rest.
#[derive(Debug, Clone, PartialEq)]
pub struct CrossValidation {
    /// ‖y − W φ‖ / ‖y‖ of all held-out parts together.
    pub relative: f64,
    /// Each part.
    pub folds: Vec<Fit>,
}

/// Predicts each of `folds` consecutive parts of the samples by parameters that are fitted to the others. Parts are
/// consecutive because samples next to each other know each other.
///
/// # Errors
/// If a fit fails.
///
/// # Panics
/// If there are fewer than two folds, or fewer samples than folds.
pub fn cross_validate<E>(
    equations: &Observation,
    folds: usize,
    fit: impl Fn(&Observation) -> Result<DVector<f64>, E>,
) -> Result<CrossValidation, E> {
    let samples = equations.samples();
    assert!((2..=samples).contains(&folds), "from two folds to one per sample");
    let (mut found, mut left, mut whole) = (Vec::with_capacity(folds), 0.0, 0.0);
    for fold in 0..folds {
        let held_out = fold * samples / folds..(fold + 1) * samples / folds;
        let rest: Vec<usize> = (0..samples).filter(|i| !held_out.contains(i)).collect();
        let values = fit(&equations.samples_of(&rest))?;
        let part = equations.part(held_out);
        left += (part.right() - part.predicted(&values)).norm_squared();
        whole += part.measured(&values).norm_squared();
        found.push(Fit::of(&part, &values));
    }
    let relative = if whole > 0.0 { (left / whole).sqrt() } else { 0.0 };
    Ok(CrossValidation { relative, folds: found })
}

/// The parameters that matter.
#[derive(Debug, Clone, PartialEq)]
pub struct Essential {
    /// Their columns.
    pub kept: Vec<usize>,
    /// The columns that were left out, in this order, each with the weighted residual after it, over the first.
    pub eliminated: Vec<(usize, f64)>,
    /// The estimate of those that matter.
    pub estimate: Estimate,
}

/// Leaves out the parameter of the largest relative σ, again and again, as long as the residual, weighted by the joints'
/// noise, stays below 1 + `loss` of that of all parameters.
///
/// # Errors
/// If the equations cannot be solved.
pub fn essential(equations: &Observation, loss: f64) -> Result<Essential, EstimateError> {
    let (_, weights) = weighted::estimate(equations)?;
    let weighed = weights.divide(equations);
    let residual = |estimate: &Estimate, columns: &[usize]| {
        (weighed.right() - weighed.with_columns(columns).predicted(&estimate.values)).norm()
    };
    let mut kept: Vec<usize> = (0..equations.matrix().ncols()).collect();
    let mut found = reflections::estimate(&weighed)?;
    let first = residual(&found, &kept);
    let mut eliminated = Vec::new();
    while kept.len() > 1 {
        let least_certain = found.relative_sigma().imax();
        let mut fewer = kept.clone();
        let column = fewer.remove(least_certain);
        let next = reflections::estimate(&weighed.with_columns(&fewer))?;
        let growth = residual(&next, &fewer) / first.max(f64::MIN_POSITIVE);
        if growth > 1.0 + loss {
            break;
        }
        eliminated.push((column, growth));
        (kept, found) = (fewer, next);
    }
    let fit = Fit::of(&equations.with_columns(&kept), &found.values);
    Ok(Essential { kept, eliminated, estimate: Estimate { method: "essential parameters", fit, ..found } })
}
