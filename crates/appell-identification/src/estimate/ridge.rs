//! Ridge regression: short parameters are preferred, min ‖W φ − y‖² + λ² ‖D φ‖².
//!
//! D are the lengths of the columns, so that units do not matter. With W D⁻¹ = U Σ Vᵀ each direction
//! is damped by the filter factor f = σ² / (σ² + λ²). λ is found from the data:
//!
//! ```text
//! L-curve           the corner of (log ‖W φ − y‖, log ‖D φ‖): most curved       (Hansen1992)
//! cross-validation  min ‖W φ − y‖² / (rows − Σ f)², each row predicted by the others  (Golub1979)
//! ```

use super::scaled::Scaled;
use super::{Estimate, EstimateError, Observation};
use nalgebra::DVector;

/// How λ is found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Parameter {
    /// By the corner of the L-curve.
    LCurve,
    /// By generalised cross-validation.
    CrossValidated,
}

/// Values of λ that are tried, evenly in its logarithm from 10⁻⁸ of the largest singular value up to it.
const TRIALS: usize = 161;
const DECADES: f64 = 8.0;

/// The estimate.
///
/// # Errors
/// If there are too few equations, or a column of zeros.
pub fn estimate(equations: &Observation, parameter: Parameter) -> Result<Estimate, EstimateError> {
    let scaled = Scaled::new(equations)?;
    let svd = scaled.r.clone().svd(true, true);
    let values = &svd.singular_values;
    let largest = values.max();
    let rest = svd.u.as_ref().expect("asked for").tr_mul(&scaled.right);
    let spectrum = Spectrum { rest, values, left_over: scaled.left_over, rows: scaled.rows };
    let trials = (0..TRIALS).map(|k| largest * 10_f64.powf(-DECADES * (1.0 - k as f64 / (TRIALS - 1) as f64)));
    let (method, lambda) = match parameter {
        Parameter::CrossValidated => {
            let error = |lambda: &f64| spectrum.predicted_error(*lambda);
            let least = trials.min_by(|a, b| error(a).total_cmp(&error(b)));
            ("ridge by cross-validation", least.unwrap_or(0.0))
        }
        Parameter::LCurve => {
            let curve: Vec<_> = trials.map(|lambda| (lambda, spectrum.sizes(lambda))).collect();
            ("ridge by the L-curve", corner(&curve))
        }
    };
    let condition = largest.hypot(lambda) / values.min().hypot(lambda);
    let note = Some(format!("λ is {:.1e} of the largest singular value", lambda / largest));
    let damped = values.map(|s| s / (s * s + lambda * lambda));
    Ok(Estimate { note, ..scaled.by_singular_values(method, equations, &svd, &damped, condition) })
}

/// What is to be explained, along the singular vectors.
struct Spectrum<'s> {
    rest: DVector<f64>,
    values: &'s DVector<f64>,
    left_over: f64,
    rows: usize,
}

impl Spectrum<'_> {
    /// ‖W φ − y‖² and ‖D φ‖².
    fn sizes(&self, lambda: f64) -> [f64; 2] {
        let squares = |f: &dyn Fn(f64) -> f64| self.values.zip_map(&self.rest, |s, x| (f(s) * x).powi(2)).sum();
        let down = |s: f64| s * s + lambda * lambda;
        [self.left_over + squares(&|s| lambda * lambda / down(s)), squares(&|s| s / down(s))]
    }

    /// The mean square of what the other rows predict of each, up to a factor.
    fn predicted_error(&self, lambda: f64) -> f64 {
        let used: f64 = self.values.map(|s| s * s / (s * s + lambda * lambda)).sum();
        self.sizes(lambda)[0] / (self.rows as f64 - used).powi(2)
    }
}

/// The λ at which the curve of logarithms turns most sharply to the left: its curvature, by differences.
fn corner(curve: &[(f64, [f64; 2])]) -> f64 {
    let log = |[error, size]: [f64; 2]| [error.max(f64::MIN_POSITIVE).ln(), size.max(f64::MIN_POSITIVE).ln()];
    let turn = |window: &[(f64, [f64; 2])]| {
        let [a, b, c] = [0, 1, 2].map(|k| log(window[k].1));
        let (d, dd) = ([0, 1].map(|i| 0.5 * (c[i] - a[i])), [0, 1].map(|i| c[i] - 2.0 * b[i] + a[i]));
        (d[0] * dd[1] - d[1] * dd[0]) / (d[0] * d[0] + d[1] * d[1]).powf(1.5).max(f64::MIN_POSITIVE)
    };
    let sharpest = curve.windows(3).max_by(|a, b| turn(a).total_cmp(&turn(b)));
    sharpest.map_or(0.0, |window| window[1].0)
}
