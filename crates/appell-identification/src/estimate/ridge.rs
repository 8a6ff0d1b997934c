//! Ridge regression: short parameters are preferred, min ‖W φ − y‖² + λ² ‖D (φ − φ₀)‖².
//!
//! D are the lengths of the columns, so that units do not matter; φ₀ is zero, or a prior. With W D⁻¹ = U Σ Vᵀ each direction
//! is damped by the filter factor f = σ² / (σ² + λ²). λ is given, or found from the data:
//!
//! ```text
//! L-curve           the corner of (log ‖W φ − y‖, log ‖D φ‖): most curved       (Hansen1992)
//! cross-validation  min ‖W φ − y‖² / (rows − Σ f)², each row predicted by the others  (Golub1979)
//! ```

use super::scaled::Scaled;
use super::{Estimate, EstimateError, Observation};
use nalgebra::{DMatrix, DVector};

/// How λ is found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Parameter {
    /// It is given, over the largest singular value.
    Given(f64),
    /// By the corner of the L-curve.
    LCurve,
    /// By generalised cross-validation.
    CrossValidated,
}

/// Values of λ that are tried, evenly in its logarithm from 10⁻⁸ of the largest singular value up to it.
const TRIALS: usize = 161;
const DECADES: f64 = 8.0;

/// An estimate, and the λ it took, over the largest singular value.
///
/// # Errors
/// If there are too few equations, a column of zeros, or a λ that is negative or no number.
pub fn estimate(
    equations: &Observation,
    parameter: Parameter,
    prior: Option<&DVector<f64>>,
) -> Result<(Estimate, f64), EstimateError> {
    let scaled = Scaled::new(equations)?;
    let svd = scaled.r.clone().svd(true, true);
    let (u, v_t) = (svd.u.expect("asked for"), svd.v_t.expect("asked for"));
    let values = svd.singular_values;
    let largest = values.max();
    let start = prior.map_or_else(|| DVector::zeros(values.len()), |prior| prior.component_mul(&scaled.lengths));
    // What is left to explain beside the prior, in the directions of U.
    let spectrum = Spectrum {
        rest: u.tr_mul(&(&scaled.right - &scaled.r * &start)),
        values: &values,
        left_over: scaled.left_over,
        rows: scaled.rows,
    };
    let trials = || (0..TRIALS).map(|k| largest * 10_f64.powf(-DECADES * (1.0 - k as f64 / (TRIALS - 1) as f64)));
    let lambda = match parameter {
        Parameter::Given(lambda) if lambda.is_nan() || lambda < 0.0 => {
            return Err(EstimateError::NotPositive { what: "the ridge parameter", value: lambda });
        }
        Parameter::Given(lambda) => lambda * largest,
        Parameter::CrossValidated => {
            trials().min_by(|a, b| spectrum.predicted_error(*a).total_cmp(&spectrum.predicted_error(*b))).unwrap_or(0.0)
        }
        Parameter::LCurve => corner(&trials().map(|lambda| (lambda, spectrum.sizes(lambda))).collect::<Vec<_>>()),
    };
    let damped = values.map(|s| s / (s * s + lambda * lambda));
    let solution = start + v_t.tr_mul(&spectrum.rest.component_mul(&damped));
    let squares = DMatrix::from_diagonal(&damped.component_mul(&damped));
    let covariance = v_t.transpose() * squares * &v_t * scaled.variance(&solution);
    let condition = (largest.hypot(lambda)) / values.min().hypot(lambda);
    let method = match parameter {
        Parameter::Given(_) => "ridge",
        Parameter::CrossValidated => "ridge by cross-validation",
        Parameter::LCurve => "ridge by the L-curve",
    };
    let note = Some(format!("λ is {:.1e} of the largest singular value", lambda / largest));
    let found = Estimate { note, ..scaled.estimate(method, equations, &solution, &covariance, condition) };
    Ok((found, lambda / largest))
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
