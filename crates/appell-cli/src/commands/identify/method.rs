//! How parameters are found from equations, by the names that users know.

use anyhow::{Context, ensure};
use appell_identification::base_parameters::BaseParameters;
use appell_identification::consistency::{self, ConsistencyError, Consistent, Prior};
use appell_identification::estimate::ridge::Parameter;
use appell_identification::estimate::{self, Estimate, estimate, huber, instruments};
use appell_identification::observation::Observation;
use clap::ValueEnum;

/// An estimator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Method {
    /// Weighted least squares: each joint by its own noise, found from the data
    #[value(alias = "wls")]
    Weighted,
    /// Least squares by the normal equations; all joints count alike
    #[value(alias = "ls")]
    LeastSquares,
    /// The same by reflections, which keep more digits
    Qr,
    /// Singular values without those below --tolerance: directions that the data hardly see are zero
    Svd,
    /// The shortest of all parameters that fit best
    #[value(alias = "pinv")]
    PseudoInverse,
    /// Short parameters preferred; how much, by cross-validation
    Ridge,
    /// The same, by the corner of the L-curve
    RidgeLCurve,
    /// Total least squares: noise in the motion too
    #[value(alias = "tls")]
    Total,
    /// Huber's: outliers count less
    Huber,
    /// Instrumental variables, for noise that the control loop feeds back: needs --instruments or --scenario
    #[value(alias = "iv")]
    Instruments,
    /// Bodies of positive density, friction that brakes, nearest to the robot's file
    Consistent,
}

/// A method with its settings.
#[derive(Clone, Copy)]
pub(super) struct Estimator {
    pub(super) method: Method,
    /// Whether equations are divided by their joints' noise, where the method does not do so itself.
    pub(super) weighs: bool,
    /// Of singular values, over the largest.
    pub(super) tolerance: f64,
    /// How much the robot's file counts in a consistent fit; 1 if not given, and less where it is far off.
    pub(super) trust: Option<f64>,
}

impl Estimator {
    /// A robot that could be real, near base parameters.
    pub(super) fn consistent(
        &self,
        equations: &Observation,
        base: &BaseParameters,
        estimate: &Estimate,
        prior: &Prior<'_>,
    ) -> Result<Consistent, ConsistencyError> {
        let fit = if self.trust.is_some() { consistency::fit } else { consistency::fit_far };
        fit(equations, base, estimate, prior)
    }

    /// Base parameters from their equations; `of_reference` are the same of a motion that knows nothing of the noise. Consistent parameters
    /// are found later, from weighted least squares.
    pub(super) fn fit(&self, reduced: &Observation, of_reference: Option<&Observation>) -> anyhow::Result<Estimate> {
        let method = match self.method {
            Method::Instruments => {
                let of_reference = of_reference.context("--method instruments needs --instruments")?;
                ensure!(
                    of_reference.samples() == reduced.samples(),
                    "--instruments leave {} samples and --data {}; they must be of the same instants",
                    of_reference.samples(),
                    reduced.samples()
                );
                let estimate = if self.weighs { instruments::weighted } else { instruments::estimate };
                return Ok(estimate(reduced, of_reference)?);
            }
            Method::Weighted | Method::Consistent => estimate::Method::Weighted,
            Method::LeastSquares => estimate::Method::LeastSquares,
            Method::Qr => estimate::Method::Qr,
            Method::Svd => estimate::Method::Svd { tolerance: self.tolerance },
            Method::PseudoInverse => estimate::Method::PseudoInverse,
            Method::Ridge => estimate::Method::Ridge(Parameter::CrossValidated),
            Method::RidgeLCurve => estimate::Method::Ridge(Parameter::LCurve),
            Method::Total => estimate::Method::Total,
            Method::Huber => estimate::Method::Huber { threshold: huber::USUAL_THRESHOLD },
        };
        Ok(estimate(reduced, method, self.weighs)?)
    }
}
