//! One model of a robot, fitted: base parameters, a physically consistent robot, and how well both do on other data.

use crate::base_parameters::BaseParameters;
use crate::consistency::{ConsistencyError, Consistent};
use crate::estimate::{Estimate, Fit};
use crate::number::rough;
use crate::observation::Observation;
use crate::parameters::{Column, Inertial, Model};
use crate::thresholds::NO_RESIDUAL;
use appell::Robot;
use core::fmt;
use nalgebra::DVector;

/// A model with what was found of it.
#[derive(Debug, Clone)]
pub struct Fitted {
    /// Equations of its unknowns.
    pub equations: Observation,
    /// What of them can be identified.
    pub base: BaseParameters,
    /// The base parameters.
    pub estimate: Estimate,
    /// Their values by the data alone, where the estimate is that of a consistent robot.
    pub free: DVector<f64>,
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
        let weights = DVector::from_fn(weights.len(), |k, _| weights[k] / of_joints[k % n]);
        Fit::of(&self.equations.weighed(&weights), &found.values).relative
    }
}

/// What all bodies weigh in the robot's files, kg.
pub(super) struct Masses {
    pub(super) urdf: f64,
    pub(super) toml: f64,
    before: f64,
}

impl Masses {
    /// Of the given robot, and of what was found of it for both files.
    pub(super) fn of(robot: &Robot, toml: &Fitted, urdf: &Fitted) -> Self {
        let mass = |model: &Model, values: &[f64]| -> f64 {
            let is_mass = |column: &Column| matches!(column, Column::Inertial { parameter: Inertial::M, .. });
            model.columns().iter().zip(values).filter(|(column, _)| is_mass(column)).map(|(_, mass)| mass).sum()
        };
        let found = |fitted: &Fitted| {
            fitted.consistent.as_ref().map_or(f64::NAN, |found| mass(&fitted.whole, found.whole.as_slice()))
        };
        Self { urdf: found(urdf), toml: found(toml), before: mass(&toml.whole, &toml.whole.values(robot)) }
    }
}

impl fmt::Display for Masses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [urdf, toml, before] = [self.urdf, self.toml, self.before].map(rough);
        write!(
            f,
            "the bodies of robot.urdf weigh {urdf} kg, those of robot.toml {toml} kg, and those of the robot before {before} kg: in robot.urdf they \
             take over what rotors do"
        )
    }
}

/// What consistency costs, over the residual without it; none where there is hardly a residual.
#[must_use]
pub fn price(found: &Consistent) -> Option<f64> {
    let free = found.unconstrained.relative;
    (found.fit.relative > NO_RESIDUAL).then(|| (found.fit.relative / free - 1.0).max(0.0))
}
