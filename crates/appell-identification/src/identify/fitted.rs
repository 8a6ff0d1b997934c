//! One model of a robot, fitted: base parameters, a physically consistent robot, and how well both do on other data.

use crate::base_parameters::BaseParameters;
use crate::consistency::{ConsistencyError, Consistent};
use crate::estimate::{Estimate, Fit, RowFit};
use crate::observation::Observation;
use crate::parameters::Model;
use crate::thresholds::NO_RESIDUAL;
use crate::validation::CrossValidation;

/// A model with what was found of it.
#[derive(Debug, Clone)]
pub struct Fitted {
    /// Equations of its unknowns.
    pub equations: Observation,
    /// What of them can be identified.
    pub base: BaseParameters,
    /// The base parameters.
    pub estimate: Estimate,
    /// All parameters, physically consistent.
    pub consistent: Result<Consistent, ConsistencyError>,
    /// The columns of [`Consistent::whole`].
    pub whole: Model,
    /// How well data are predicted that were not fitted, where some were.
    pub validation: Option<Validation>,
    /// Why there is no validation, where one was wanted.
    pub not_validated: Option<String>,
}

/// How well data are predicted that were not fitted.
#[derive(Debug, Clone)]
pub struct Validation {
    /// By what, in words.
    pub by: String,
    /// By the base parameters.
    pub estimate: Fit,
    /// By the physically consistent parameters.
    pub consistent: Option<Fit>,
}

impl Fitted {
    /// Efforts as measured, and what the estimate says of them, of equations of this model. Drive gains belong to the former.
    #[must_use]
    pub fn efforts(&self, equations: &Observation) -> [Vec<f64>; 2] {
        self.base.reduce(equations).efforts(&self.estimate.values)
    }

    /// The held-out residual of the physically consistent parameters, or of the free ones where there are none.
    #[must_use]
    pub fn held_out(&self) -> Option<&Fit> {
        let validation = self.validation.as_ref()?;
        Some(validation.consistent.as_ref().unwrap_or(&validation.estimate))
    }

    /// The residual of the consistent parameters; equations that the estimator takes for outliers count as little as there.
    pub(super) fn residual(&self, found: &Consistent) -> f64 {
        let n = self.equations.rows().len();
        let weights = &self.estimate.weights;
        let largest = |row: usize| weights.iter().skip(row).step_by(n).copied().fold(f64::MIN_POSITIVE, f64::max);
        let of_joints: Vec<f64> = (0..n).map(largest).collect();
        let residual = self.equations.right() - self.equations.predicted(&found.values);
        let measured = self.equations.measured(&found.values);
        let squares = |numbers: &[f64]| -> f64 {
            numbers.iter().enumerate().map(|(k, x)| (x * weights[k] / of_joints[k % n]).powi(2)).sum()
        };
        (squares(residual.as_slice()) / squares(measured.as_slice()).max(f64::MIN_POSITIVE)).sqrt()
    }
}

/// What consistency costs, over the residual without it; none where there is hardly a residual.
#[must_use]
pub fn price(found: &Consistent) -> Option<f64> {
    let free = found.unconstrained.relative;
    (found.fit.relative > NO_RESIDUAL).then(|| (found.fit.relative / free - 1.0).max(0.0))
}

/// All parts of a cross-validation as one.
pub(super) fn together(parts: &CrossValidation) -> Fit {
    let rows = parts.folds.first().map_or(0, |fold| fold.rows.len());
    let of_row = |row: usize| {
        let fits = || parts.folds.iter().map(|fold| &fold.rows[row]);
        let squares = |size: &dyn Fn(&RowFit) -> f64| fits().map(|fit| size(fit).powi(2)).sum::<f64>();
        let left = squares(&|fit| fit.rms);
        let whole = squares(&|fit| if fit.relative > 0.0 { fit.rms / fit.relative } else { 0.0 });
        RowFit {
            name: parts.folds[0].rows[row].name.clone(),
            rms: (left / parts.folds.len() as f64).sqrt(),
            relative: if whole > 0.0 { (left / whole).sqrt() } else { 0.0 },
        }
    };
    Fit { relative: parts.relative, rows: (0..rows).map(of_row).collect() }
}
