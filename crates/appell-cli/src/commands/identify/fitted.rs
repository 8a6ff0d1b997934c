//! One model of a robot, fitted: base parameters, a robot that could be real, and how well both do on other data.

use super::method::{Estimator, Method};
use super::simulation::Loops;
use anyhow::{Context, ensure};
use appell_identification::base_parameters::{BaseParameters, TOLERANCE, preference};
use appell_identification::consistency::{self, ConsistencyError, Consistent, Prior};
use appell_identification::estimate::{Estimate, Fit, RowFit, instruments, weighted};
use appell_identification::observation::Observation;
use appell_identification::parameters::{Model, Robot};
use appell_identification::validation::{CrossValidation, cross_validate};

/// A residual below which there is nothing to pay.
const EXACT: f64 = 1e-3;

/// Equations of one model.
pub(super) struct Data {
    pub(super) fitted: Observation,
    /// What is only predicted.
    pub(super) held_out: Option<Observation>,
    /// Of a motion that knows nothing of the noise.
    pub(super) of_reference: Option<Observation>,
}

/// A model with what was found of it.
pub(super) struct Fitted {
    /// Equations of its unknowns.
    pub(super) equations: Observation,
    pub(super) base: BaseParameters,
    pub(super) estimate: Estimate,
    pub(super) consistent: Result<Consistent, ConsistencyError>,
    /// The columns of [`Consistent::whole`].
    pub(super) whole: Model,
    pub(super) validation: Option<Validation>,
    /// Why there is no validation, where one was wanted.
    pub(super) not_validated: Option<String>,
}

/// How a model is fitted and tried.
pub(super) struct Trial<'t> {
    pub(super) estimator: &'t Estimator,
    /// In which what was found is simulated, where instruments are made so.
    pub(super) loops: Option<&'t Loops<'t>>,
    /// Parts of the data that are predicted by the others.
    pub(super) folds: usize,
    /// What is held out, in words.
    pub(super) by: &'t str,
}

/// How well data are predicted that were not fitted.
pub(super) struct Validation {
    /// By what, in words.
    pub(super) by: String,
    pub(super) estimate: Fit,
    pub(super) consistent: Option<Fit>,
}

impl Data {
    /// The same for another model.
    pub(super) fn map(&self, change: impl Fn(&Observation) -> anyhow::Result<Observation>) -> anyhow::Result<Self> {
        Ok(Self {
            fitted: change(&self.fitted)?,
            held_out: self.held_out.as_ref().map(&change).transpose()?,
            of_reference: self.of_reference.as_ref().map(&change).transpose()?,
        })
    }

    /// The base parameters that the data show: the robot's own where the motion is rich enough, and the names of those that it hides.
    pub(super) fn shown(
        &self,
        robot: Robot<'_>,
        whole: &BaseParameters,
    ) -> anyhow::Result<(BaseParameters, Vec<String>)> {
        let equations = &self.fitted;
        let rows = equations.matrix().nrows();
        ensure!(
            rows > whole.len(),
            "{rows} equations, in {} samples, for {} base parameters: record longer, or decimate less",
            equations.samples(),
            whole.len()
        );
        let shown = BaseParameters::of(equations, &preference(robot, equations.model()), TOLERANCE);
        ensure!(
            !shown.is_empty(),
            "nothing can be identified from these data: no parameter has an influence; know less with --known, ask for --effects, check the units"
        );
        if shown.len() >= whole.len() {
            return Ok((whole.clone(), Vec::new()));
        }
        let kept = whole.kept().iter().zip(whole.names());
        let hidden = kept.filter(|(k, _)| !shown.kept().contains(k)).map(|(_, name)| name).collect();
        Ok((shown, hidden))
    }
}

impl Fitted {
    /// Fits a model.
    pub(super) fn new(
        data: Data,
        base: BaseParameters,
        robot: Robot<'_>,
        &Trial { estimator, loops, folds, by }: &Trial<'_>,
    ) -> anyhow::Result<Self> {
        let Data { fitted: equations, held_out, of_reference } = data;
        let whole = equations.model().with_whole_bodies();
        let values = whole.values(robot);
        let prior = Prior { model: &whole, values: &values, trust: estimator.trust.unwrap_or(1.0) };
        let reduced = base.reduce(&equations);
        let free = match loops {
            None => estimator.fit(&reduced, of_reference.map(|z| base.reduce(&z)).as_ref()),
            Some(loops) => weighted::estimate(&reduced).map_err(Into::into).and_then(|(start, _)| {
                instruments::by_simulation(&reduced, start, |found| {
                    let found = consistency::fit(&equations, &base, found, &prior)?;
                    let simulated = loops.equations(&whole, found.whole.as_slice(), equations.model())?;
                    anyhow::Ok(base.reduce(&simulated))
                })
            }),
        };
        let free = free.with_context(|| format!("{} samples, {} base parameters", equations.samples(), base.len()))?;
        let consistent = estimator.consistent(&equations, &base, &free, &prior);
        let estimate = match estimator.method {
            Method::Consistent => {
                let found = consistent.clone()?;
                let values = base.values(found.values.as_slice());
                // At most as uncertain as free parameters are.
                Estimate { method: "a physically consistent fit", values, fit: found.fit, ..free }
            }
            _ => free,
        };
        let estimate = estimate.named(base.names());
        let (mut validation, mut not_validated) = (None, None);
        if let Some(others) = held_out {
            validation = Some(Validation {
                by: by.to_owned(),
                estimate: Fit::of(&base.reduce(&others), &estimate.values),
                consistent: consistent.as_ref().ok().map(|found| Fit::of(&others, &found.values)),
            });
        } else if folds > 1 && estimator.method != Method::Instruments && equations.samples() >= folds {
            let trust = consistent.as_ref().ok().map(|found| found.trust);
            match cross(&equations, &base, &prior, estimator, folds, trust) {
                Ok(found) => validation = Some(found),
                Err(error) => not_validated = Some(format!("{error:#}")),
            }
        }
        Ok(Self { equations, base, estimate, consistent, whole, validation, not_validated })
    }

    /// Efforts as measured, and what the estimate says of them, of equations of this model. Drive gains belong to the former.
    pub(super) fn efforts(&self, equations: &Observation) -> [Vec<f64>; 2] {
        self.base.reduce(equations).efforts(&self.estimate.values)
    }

    /// The part of the efforts that the consistent parameters leave; equations that the estimator takes for outliers count as
    /// little as there.
    pub(super) fn left(&self, found: &Consistent) -> f64 {
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

/// Parts of the data, each predicted by the others, by a robot that could be real, too, with the trust that was chosen for it.
fn cross(
    equations: &Observation,
    base: &BaseParameters,
    prior: &Prior<'_>,
    estimator: &Estimator,
    folds: usize,
    trust: Option<f64>,
) -> anyhow::Result<Validation> {
    let fit = |part: &Observation, trust: f64| -> anyhow::Result<_> {
        let free = estimator.fit(&base.reduce(part), None)?;
        Ok(consistency::fit(part, base, &free, &Prior { trust, ..*prior })?.values)
    };
    let of_consistent = trust.map(|trust| cross_validate(equations, folds, |part| fit(part, trust))).transpose()?;
    let of_estimate = match (&of_consistent, estimator.method) {
        (Some(found), Method::Consistent) => found.clone(),
        _ => {
            cross_validate(&base.reduce(equations), folds, |part| estimator.fit(part, None).map(|found| found.values))?
        }
    };
    Ok(Validation {
        by: format!("{folds} parts of the data, each predicted by the others"),
        estimate: together(&of_estimate),
        consistent: of_consistent.as_ref().map(together),
    })
}

/// What consistency costs, over the residual without it; none where there is hardly a residual.
pub(super) fn price(found: &Consistent) -> Option<f64> {
    let free = found.unconstrained.relative;
    (found.fit.relative > EXACT).then(|| (found.fit.relative / free - 1.0).max(0.0))
}

/// All parts of a cross-validation as one.
fn together(parts: &CrossValidation) -> Fit {
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
