//! Any estimator by its name.

use super::ridge::Parameter;
use super::{
    Estimate, EstimateError, Observation, gains, huber, normal_equations, pseudo_inverse, reflections, ridge, total,
    truncated, weighted,
};

/// An estimator that needs nothing but equations.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Method {
    /// [`normal_equations`].
    LeastSquares,
    /// [`reflections`].
    Qr,
    /// [`weighted`].
    Weighted,
    /// [`truncated`].
    Svd {
        /// Singular values below this, over the largest, are left out.
        tolerance: f64,
    },
    /// [`pseudo_inverse`].
    PseudoInverse,
    /// [`ridge`].
    Ridge(Parameter),
    /// [`total`].
    Total,
    /// [`huber`].
    Huber {
        /// In standard deviations.
        threshold: f64,
    },
}

impl Method {
    /// All of them, with the usual settings.
    pub const ALL: [Self; 8] = [
        Self::LeastSquares,
        Self::Qr,
        Self::Weighted,
        Self::Svd { tolerance: 1e-10 },
        Self::PseudoInverse,
        Self::Ridge(Parameter::CrossValidated),
        Self::Total,
        Self::Huber { threshold: huber::USUAL_THRESHOLD },
    ];

    /// Its name, as programs call it.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::LeastSquares => "least-squares",
            Self::Qr => "qr",
            Self::Weighted => "weighted",
            Self::Svd { .. } => "svd",
            Self::PseudoInverse => "pseudo-inverse",
            Self::Ridge(_) => "ridge",
            Self::Total => "total",
            Self::Huber { .. } => "huber",
        }
    }

    /// The method of a name, with the usual settings.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.name() == name)
    }
}

/// Parameters by a method. Those that do not weigh joints themselves are given equations that are divided by the joints'
/// noise if `weighs`; the fit is that of the equations as they are. Drive gains among the parameters are found by rounds of the
/// method ([`gains`]).
///
/// # Errors
/// If the method has no answer.
pub fn estimate(equations: &Observation, method: Method, weighs: bool) -> Result<Estimate, EstimateError> {
    if gains::are_asked(equations) {
        return gains::estimate(equations, |linear| of_linear(linear, method, weighs));
    }
    of_linear(equations, method, weighs)
}

/// The same where no column has noise.
fn of_linear(equations: &Observation, method: Method, weighs: bool) -> Result<Estimate, EstimateError> {
    if weighs && !matches!(method, Method::Weighted | Method::Huber { .. }) {
        let weights = weighted::estimate(equations)?.1;
        return Ok(weights.undo(equations, of_linear(&weights.divide(equations), method, false)?));
    }
    match method {
        Method::LeastSquares => normal_equations::estimate(equations),
        Method::Qr => reflections::estimate(equations),
        Method::Weighted => weighted::estimate(equations).map(|(found, _)| found),
        Method::Svd { tolerance } => truncated::estimate(equations, tolerance),
        Method::PseudoInverse => pseudo_inverse::estimate(equations),
        Method::Ridge(parameter) => ridge::estimate(equations, parameter, None).map(|(found, _)| found),
        Method::Total => total::estimate(equations),
        Method::Huber { threshold } => huber::estimate(equations, threshold),
    }
}
