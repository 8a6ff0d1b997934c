//! What to doubt about an estimate.

use super::Estimate;
use crate::parameters::Model;
use core::fmt;

/// Relative σ, in percent, beyond which the data hardly show a parameter.
const UNCERTAIN: f64 = 50.0;
/// Correlation beyond which the data show little but a combination of two parameters.
const COLLINEAR: f64 = 0.98;
/// A value of the wrong sign is doubted from this many σ on.
const CERTAIN: f64 = 2.0;

/// Something to doubt.
#[derive(Debug, Clone, PartialEq)]
pub enum Doubt {
    /// The motion hardly shows it: its σ is beyond half of it.
    NotExcited {
        /// The parameter.
        name: String,
        /// σ over the value, percent.
        relative_sigma: f64,
    },
    /// Only a combination of two shows.
    Collinear {
        /// One.
        first: String,
        /// The other.
        second: String,
        /// −1 to 1.
        correlation: f64,
    },
    /// Friction that drives, or a negative rotor, beyond its uncertainty.
    WrongSign {
        /// The parameter.
        name: String,
        /// Its value.
        value: f64,
        /// Its standard deviation.
        sigma: f64,
    },
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotExcited { name, relative_sigma } => {
                write!(f, "{name} is hardly excited: σ is {relative_sigma:.0} % of it")
            }
            Self::Collinear { first, second, correlation } => {
                write!(f, "{first} and {second} are collinear: correlation {correlation:.3}")
            }
            Self::WrongSign { name, value, sigma } => {
                write!(f, "{name} = {value:.4} ± {sigma:.4} has the wrong sign: the model misses something")
            }
        }
    }
}

/// What to doubt about an estimate of the columns of a model.
///
/// # Panics
/// If the estimate is of other columns.
#[must_use]
pub fn doubts(estimate: &Estimate, model: &Model) -> Vec<Doubt> {
    assert_eq!(estimate.values.len(), model.columns().len(), "an estimate of these columns");
    let (sigma, relative) = (estimate.sigma(), estimate.relative_sigma());
    let name = |k: usize| estimate.names[k].clone();
    let count = estimate.values.len();
    let uncertain = (0..count).filter(|&k| relative[k] > UNCERTAIN);
    let collinear = estimate.correlated(COLLINEAR).into_iter();
    // Bodies' base parameters are sums and differences, of any sign.
    let is_wrong = |&k: &usize| {
        let effect = !matches!(model.columns()[k], crate::parameters::Column::Inertial { .. });
        effect && model.columns()[k].lower_bound().is_some() && estimate.values[k] < -CERTAIN * sigma[k]
    };
    let wrong = (0..count).filter(is_wrong);
    uncertain
        .map(|k| Doubt::NotExcited { name: name(k), relative_sigma: relative[k] })
        .chain(collinear.map(|(i, k, correlation)| Doubt::Collinear { first: name(i), second: name(k), correlation }))
        .chain(wrong.map(|k| Doubt::WrongSign { name: name(k), value: estimate.values[k], sigma: sigma[k] }))
        .collect()
}
