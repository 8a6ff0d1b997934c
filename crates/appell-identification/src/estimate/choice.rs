//! Any estimator by its name.

use super::ridge::Parameter;
use super::{
    Estimate, EstimateError, Observation, gains, huber, normal_equations, pseudo_inverse, reflections, ridge, total,
    truncated, weighted,
};

/// An estimator.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Method {
    /// [`weighted`].
    Weighted,
    /// [`normal_equations`].
    LeastSquares,
    /// [`reflections`].
    Qr,
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
    /// [`instruments`](super::instruments), which needs the equations of a second motion.
    Instruments,
    /// [`consistency::fit`](mod@crate::consistency) to weighted least squares.
    Consistent,
}

impl Method {
    /// All of them, with the usual settings.
    pub const ALL: [Self; 11] = [
        Self::Weighted,
        Self::LeastSquares,
        Self::Qr,
        Self::Svd { tolerance: 1e-10 },
        Self::PseudoInverse,
        Self::Ridge(Parameter::CrossValidated),
        Self::Ridge(Parameter::LCurve),
        Self::Total,
        Self::Huber { threshold: huber::USUAL_THRESHOLD },
        Self::Instruments,
        Self::Consistent,
    ];

    /// Its name, as users call it.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.words().0
    }

    /// Its short name, if it has one.
    #[must_use]
    pub const fn alias(&self) -> Option<&'static str> {
        self.words().1
    }

    /// What it does, in a line.
    #[must_use]
    pub const fn summary(&self) -> &'static str {
        self.words().2
    }

    const fn words(&self) -> (&'static str, Option<&'static str>, &'static str) {
        match self {
            Self::Weighted => {
                ("weighted", Some("wls"), "Weighted least squares: each joint by its own noise, found from the data")
            }
            Self::LeastSquares => {
                ("least-squares", Some("ls"), "Least squares by the normal equations; all joints count alike")
            }
            Self::Qr => ("qr", None, "The same by reflections, which keep more digits"),
            Self::Svd { .. } => (
                "svd",
                None,
                "Singular values without those below --tolerance: directions that the data hardly see are zero",
            ),
            Self::PseudoInverse => ("pseudo-inverse", Some("pinv"), "The shortest of all parameters that fit best"),
            Self::Ridge(Parameter::LCurve) => ("ridge-l-curve", None, "The same, by the corner of the L-curve"),
            Self::Ridge(_) => ("ridge", None, "Short parameters preferred; how much, by cross-validation"),
            Self::Total => ("total", Some("tls"), "Total least squares: noise in the motion too"),
            Self::Huber { .. } => ("huber", None, "Huber's: outliers count less"),
            Self::Instruments => (
                "instruments",
                Some("iv"),
                "Instrumental variables, for noise that the control loop feeds back: needs --instruments or --scenario",
            ),
            Self::Consistent => {
                ("consistent", None, "Bodies of positive density, friction that brakes, nearest to the robot's file")
            }
        }
    }

    /// The method of a name, or of a short one, with the usual settings.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.name() == name || method.alias() == Some(name))
    }
}

/// Parameters by a method. Those that do not weigh joints themselves are given equations that are divided by the joints'
/// noise if `weighs`; the fit is that of the equations as they are. Drive gains among the parameters are found by rounds of the
/// method ([`gains`]). Of [`Method::Consistent`] they are those that its fit begins with, by weighted least squares.
///
/// # Errors
/// If the method has no answer, as instrumental variables without instruments.
pub fn estimate(equations: &Observation, method: Method, weighs: bool) -> Result<Estimate, EstimateError> {
    if gains::are_asked(equations) {
        return gains::estimate(equations, |linear| of_linear(linear, method, weighs));
    }
    of_linear(equations, method, weighs)
}

/// The same where no column has noise.
fn of_linear(equations: &Observation, method: Method, weighs: bool) -> Result<Estimate, EstimateError> {
    if weighs && !matches!(method, Method::Weighted | Method::Consistent | Method::Huber { .. }) {
        let weights = weighted::estimate(equations)?.weights;
        let found = of_linear(&equations.weighed(&weights), method, false)?;
        return Ok(weighted::undo(equations, &weights, found));
    }
    match method {
        Method::LeastSquares => normal_equations::estimate(equations),
        Method::Qr => reflections::estimate(equations),
        Method::Weighted | Method::Consistent => weighted::estimate(equations),
        Method::Instruments => Err(EstimateError::NoInstruments),
        Method::Svd { tolerance } => truncated::estimate(equations, tolerance),
        Method::PseudoInverse => pseudo_inverse::estimate(equations),
        Method::Ridge(parameter) => ridge::estimate(equations, parameter),
        Method::Total => total::estimate(equations),
        Method::Huber { threshold } => huber::estimate(equations, threshold),
    }
}
