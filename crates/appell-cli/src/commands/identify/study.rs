//! What is found from recordings: base parameters, how well they do on other data, and a robot that could be real.

use super::method::{Estimator, Method};
use super::recording::{Recording, joined};
use super::unknowns::Unknowns;
use crate::listing::short;
use anyhow::{Context, ensure};
use appell_identification::base_parameters::{BaseParameters, TOLERANCE, preference, structural};
use appell_identification::consistency::{self, ConsistencyError, Consistent};
use appell_identification::estimate::{Doubt, Estimate, Fit, RowFit, doubts};
use appell_identification::observation::Observation;
use appell_identification::parameters::Robot;
use appell_identification::validation::{CrossValidation, Essential, cross_validate, essential};

/// A condition number beyond which noise rules.
const ILL_CONDITIONED: f64 = 1000.0;

/// What consistency may cost, over the residual without it, before it is doubted.
const PRICE: f64 = 0.1;

/// The part of the efforts below which a parameter has no influence.
const INFLUENCE: f64 = 1e-3;

/// A residual below which there is nothing to pay.
const EXACT: f64 = 1e-3;

/// What was asked for.
pub(super) struct Question<'q> {
    pub(super) robot: Robot<'q>,
    pub(super) unknowns: &'q Unknowns,
    pub(super) recordings: &'q [Recording],
    pub(super) held_out: &'q [Recording],
    pub(super) of_reference: &'q [Recording],
    pub(super) estimator: Estimator<'q>,
    pub(super) folds: usize,
    /// By how much the residual may grow when parameters are left out.
    pub(super) loss: Option<f64>,
}

/// What was found.
pub(super) struct Study {
    /// Equations of all unknowns.
    pub(super) equations: Observation,
    /// How many base parameters the robot has, whatever moves it.
    pub(super) structural: usize,
    pub(super) base: BaseParameters,
    pub(super) estimate: Estimate,
    pub(super) consistent: Result<Consistent, ConsistencyError>,
    /// The residual of data that were not fitted, of the estimate and of the consistent parameters.
    pub(super) validation: Option<Validation>,
    pub(super) essential: Option<Essential>,
    pub(super) warnings: Vec<String>,
}

/// How well other data are predicted.
pub(super) struct Validation {
    /// By what, in words.
    pub(super) by: String,
    pub(super) estimate: Fit,
    pub(super) consistent: Option<Fit>,
}

impl Question<'_> {
    pub(super) fn study(&self) -> anyhow::Result<Study> {
        let mut warnings: Vec<String> = Vec::new();
        for recording in self.recordings.iter().chain(self.held_out).chain(self.of_reference) {
            warnings.extend(recording.measured.doubts.iter().map(|doubt| format!("{}: {doubt}", recording.name)));
        }
        let equations = joined(self.recordings).context("--data names no file")?;
        let of_reference = joined(self.of_reference);
        let whole = structural(self.robot, &self.unknowns.model)?;
        let base = self.shown(&equations, &whole, &mut warnings)?;
        let estimate = self.estimator.fit(&equations, &base, of_reference.as_ref())?;
        if estimate.condition > ILL_CONDITIONED {
            warnings.push(format!(
                "the condition number is {:.0}: noise decides much; excite better (`appell excite`), ask for less, or let equal \
                 legs share their bodies (--equal-legs)",
                estimate.condition
            ));
        }
        let reduced = base.reduce(&equations);
        let mut doubts = doubts(&estimate, reduced.model());
        doubts.retain(|doubt| matters(doubt, &reduced, &estimate));
        warnings.extend(told(&doubts));
        let Estimator { prior, trust, .. } = self.estimator;
        let consistent = consistency::fit(&equations, &base, prior, trust);
        match &consistent {
            Ok(found) => warnings.extend(price(found).filter(|price| *price > PRICE).map(|price| {
                format!(
                    "consistent parameters fit {:.0} % worse than free ones: the model misses something, units are not what the \
                     layout says, or the robot's file is far off",
                    100.0 * price
                )
            })),
            Err(error) => warnings.push(format!("no physically consistent fit, so that no robot is written: {error}")),
        }
        let essential = self.loss.map(|loss| essential(&reduced, loss)).transpose()?;
        let validation = self.validation(&equations, &base, &estimate, consistent.as_ref().ok(), &mut warnings);
        let structural = whole.len();
        Ok(Study { equations, structural, base, estimate, consistent, validation, essential, warnings })
    }

    /// The base parameters that the data show: the robot's own where the motion is rich enough.
    fn shown(
        &self,
        equations: &Observation,
        whole: &BaseParameters,
        warnings: &mut Vec<String>,
    ) -> anyhow::Result<BaseParameters> {
        let rows = equations.matrix().nrows();
        ensure!(
            rows > whole.len(),
            "{rows} equations, in {} samples, for {} base parameters: record longer, or decimate less",
            equations.samples(),
            whole.len()
        );
        let shown = BaseParameters::of(equations, &preference(self.robot, equations.model()), TOLERANCE);
        ensure!(
            !shown.is_empty(),
            "nothing can be identified from these data: no parameter has an influence; know less with --known, ask for --effects, check the units"
        );
        if shown.len() >= whole.len() {
            return Ok(whole.clone());
        }
        let kept = whole.kept().iter().zip(whole.names());
        let hidden: Vec<String> = kept.filter(|(k, _)| !shown.kept().contains(k)).map(|(_, name)| name).collect();
        warnings.push(format!(
            "the motion does not excite {} of {} base parameters, which stay with others: {}",
            whole.len() - shown.len(),
            whole.len(),
            hidden.join(", ")
        ));
        Ok(shown)
    }

    fn validation(
        &self,
        equations: &Observation,
        base: &BaseParameters,
        estimate: &Estimate,
        consistent: Option<&Consistent>,
        warnings: &mut Vec<String>,
    ) -> Option<Validation> {
        if let Some(others) = joined(self.held_out) {
            let names: Vec<&str> = self.held_out.iter().map(|recording| recording.name.as_str()).collect();
            return Some(Validation {
                by: names.join(", "),
                estimate: Fit::of(&base.reduce(&others), &estimate.values),
                consistent: consistent.map(|found| Fit::of(&others, &found.values)),
            });
        }
        let Estimator { method, prior, trust, .. } = self.estimator;
        if self.folds < 2 || method == Method::Instruments || equations.samples() < self.folds {
            return None;
        }
        let of_consistent = consistent.map(|_| {
            let fit = |part: &Observation| consistency::fit(part, base, prior, trust).map(|found| found.values);
            cross_validate(equations, self.folds, fit).map_err(anyhow::Error::from)
        });
        let of_estimate = match (&of_consistent, method) {
            (Some(Ok(found)), Method::Consistent) => Ok(found.clone()),
            _ => cross_validate(&base.reduce(equations), self.folds, |part| {
                self.estimator.fit_base(part).map(|found| found.values)
            })
            .map_err(anyhow::Error::from),
        };
        match (of_estimate, of_consistent.transpose()) {
            (Ok(estimate), Ok(consistent)) => Some(Validation {
                by: format!("{} parts of the data, each predicted by the others", self.folds),
                estimate: together(&estimate),
                consistent: consistent.as_ref().map(together),
            }),
            (Err(error), _) | (_, Err(error)) => {
                warnings.push(format!("no cross-validation, parts of the data are too poor alone: {error:#}"));
                None
            }
        }
    }
}

/// Whether a doubt is worth telling: a wrong sign of what has no influence is rounding.
fn matters(doubt: &Doubt, reduced: &Observation, estimate: &Estimate) -> bool {
    let Doubt::WrongSign { name, value, .. } = doubt else { return true };
    let column = estimate.names.iter().position(|own| own == name);
    column.is_none_or(|k| value.abs() * reduced.matrix().column(k).norm() > INFLUENCE * reduced.right().norm())
}

/// Doubts in words, all parameters that are hardly excited in one.
fn told(doubts: &[Doubt]) -> Vec<String> {
    let hardly = |doubt: &Doubt| match doubt {
        Doubt::NotExcited { name, relative_sigma } => Some(format!("{name} {relative_sigma:.0} %")),
        _ => None,
    };
    let excited_little: Vec<String> = doubts.iter().filter_map(hardly).collect();
    let together = (!excited_little.is_empty())
        .then(|| format!("hardly excited, with σ beyond half of them: {}", excited_little.join(", ")));
    let others = doubts.iter().filter_map(|doubt| match doubt {
        Doubt::NotExcited { .. } => None,
        Doubt::WrongSign { name, value, sigma } => Some(format!(
            "{name} = {} ± {} has the wrong sign: the model misses something",
            short(*value),
            short(*sigma)
        )),
        Doubt::Collinear { .. } => Some(doubt.to_string()),
    });
    together.into_iter().chain(others).collect()
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
