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

/// How well each of `folds` consecutive parts of the samples is predicted by parameters that are fitted to the others. Parts are
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
) -> Result<Fit, E> {
    let samples = equations.samples();
    assert!((2..=samples).contains(&folds), "from two folds to one per sample");
    let (mut left, mut whole) = (Vec::new(), Vec::new());
    for fold in 0..folds {
        let held_out = fold * samples / folds..(fold + 1) * samples / folds;
        let rest: Vec<usize> = (0..samples).filter(|i| !held_out.contains(i)).collect();
        let values = fit(&equations.samples_of(&rest))?;
        let part = equations.part(held_out);
        left.extend(&(part.right() - part.predicted(&values)));
        whole.extend(&part.measured(&values));
    }
    Ok(Fit::of_residual(equations.rows(), &left.into(), &whole.into()))
}

/// The parameters that matter.
#[derive(Debug, Clone, PartialEq)]
pub struct Essential {
    /// Their columns.
    pub kept: Vec<usize>,
    /// The estimate of those that matter.
    pub estimate: Estimate,
}

/// Leaves out the parameter of the largest relative σ, again and again, as long as the residual, weighted by the joints'
/// noise, stays below 1 + `loss` of that of all parameters.
///
/// # Errors
/// If the equations cannot be solved.
pub fn essential(equations: &Observation, loss: f64) -> Result<Essential, EstimateError> {
    let weighed = equations.weighed(&weighted::estimate(equations)?.weights);
    let residual = |estimate: &Estimate, columns: &[usize]| {
        (weighed.right() - weighed.with_columns(columns).predicted(&estimate.values)).norm()
    };
    let mut kept: Vec<usize> = (0..equations.matrix().ncols()).collect();
    let mut found = reflections::estimate(&weighed)?;
    let first = residual(&found, &kept);
    while kept.len() > 1 {
        let least_certain = found.relative_sigma().imax();
        let mut fewer = kept.clone();
        fewer.remove(least_certain);
        let next = reflections::estimate(&weighed.with_columns(&fewer))?;
        if residual(&next, &fewer) > (1.0 + loss) * first {
            break;
        }
        (kept, found) = (fewer, next);
    }
    let fit = Fit::of(&equations.with_columns(&kept), &found.values);
    Ok(Essential { kept, estimate: Estimate { method: "essential parameters", fit, ..found } })
}
