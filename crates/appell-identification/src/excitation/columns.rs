//! The columns of a model as functions of the drives' motion, with their derivatives.

use super::ExcitationError;
use super::observer::Instant;
use crate::parameters::{Body, Column, Effect, Model};
use appell::Robot;
use appell::dynamics::regressor::{PARAMETERS_PER_BODY, columns as tree_columns};

/// Friction that jumps would leave an optimiser without a slope: its sign changes over at least this speed, rad/s or m/s.
const SMOOTHING: f64 = 0.01;

/// Where the entries of a column come from.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Source {
    /// Columns of the robot's regressor: one, or those of bodies that are alike.
    Regressor(Vec<usize>),
    /// An effect in x = Σ share × drive, projected onto each drive with its share.
    Effect { shares: Vec<f64>, effect: Effect },
}

impl Source {
    /// Of all columns of a model.
    pub(super) fn of(robot: &Robot, model: &Model) -> Result<Vec<Self>, ExcitationError> {
        let drives = robot.drives();
        let refused = |k: usize| ExcitationError::Column { column: model.name(k) };
        let effect = |k: usize, shares: Vec<f64>, effect: Effect| {
            if effect == Effect::DriveGain { Err(refused(k)) } else { Ok(Self::Effect { shares, effect }) }
        };
        let source = |(k, column): (usize, &Column)| match *column {
            Column::Inertial { body: Body::Joint(joint), parameter } => {
                let alike = model.alike(joint).iter();
                Ok(Self::Regressor(alike.map(|joint| PARAMETERS_PER_BODY * joint + parameter as usize).collect()))
            }
            Column::Inertial { body: Body::Platform, parameter } => {
                Ok(Self::Regressor(vec![tree_columns(robot.tree()) + parameter as usize]))
            }
            Column::Effect { joint, effect: acts } => {
                let drive = drives.iter().position(|drive| drive.index == joint).ok_or_else(|| refused(k))?;
                let share = |i: usize| f64::from(u8::from(i == drive));
                effect(k, (0..drives.len()).map(share).collect(), acts)
            }
            Column::Coupled { motor, effect: acts } => {
                let coefficients = &model.couplings()[motor].coefficients;
                effect(k, drives.iter().map(|drive| coefficients[drive.index]).collect(), acts)
            }
        };
        model.columns().iter().enumerate().map(source).collect()
    }
}

/// An effect at an instant of Σ share × drive, and its derivatives; `None` of those that are no such function.
fn value(effect: Effect, shares: &[f64], instant: &Instant, drives: &[usize]) -> Option<(f64, [f64; 3])> {
    let sum = |state: &dyn Fn(usize) -> f64| shares.iter().enumerate().map(|(k, share)| share * state(k)).sum();
    effect.at([sum(&|k| instant.at.q[drives[k]]), sum(&|k| instant.v[k]), sum(&|k| instant.a[k])], SMOOTHING)
}

/// Writes the rows of an instant from its regressor, a row per drive, row by row.
pub(super) fn write_rows(sources: &[Source], drives: &[usize], instant: &Instant, regressor: &[f64], rows: &mut [f64]) {
    let (width, count) = (regressor.len() / drives.len(), sources.len());
    for (k, source) in sources.iter().enumerate() {
        match source {
            Source::Regressor(columns) => {
                let sum = |i: usize| columns.iter().map(|column| regressor[i * width + column]).sum();
                (0..drives.len()).for_each(|i| rows[i * count + k] = sum(i));
            }
            Source::Effect { shares, effect } => {
                let along = value(*effect, shares, instant, drives).map_or(0.0, |(value, _)| value);
                shares.iter().enumerate().for_each(|(i, share)| rows[i * count + k] = share * along);
            }
        }
    }
}

/// Splits weights of the rows' entries into those of the regressor's, which are added to `weights`, and what the effects make
/// of them: derivatives by positions, velocities and accelerations of the drives, one after the other.
pub(super) fn split_weights(
    sources: &[Source],
    drives: &[usize],
    instant: &Instant,
    by_rows: &[f64],
    weights: &mut [f64],
) -> Vec<f64> {
    let (n, count) = (drives.len(), sources.len());
    let width = weights.len() / n;
    let mut gradient = vec![0.0; 3 * n];
    for (k, source) in sources.iter().enumerate() {
        match source {
            Source::Regressor(columns) => {
                let entries = (0..n).flat_map(|i| columns.iter().map(move |column| (i, column)));
                entries.for_each(|(i, column)| weights[i * width + column] += by_rows[i * count + k]);
            }
            Source::Effect { shares, effect } => {
                let weight: f64 = shares.iter().enumerate().map(|(i, share)| share * by_rows[i * count + k]).sum();
                let Some((_, slopes)) = value(*effect, shares, instant, drives) else { continue };
                for (block, slope) in slopes.into_iter().enumerate() {
                    shares.iter().enumerate().for_each(|(i, share)| gradient[block * n + i] += weight * slope * share);
                }
            }
        }
    }
    gradient
}

#[cfg(test)]
mod tests {
    use super::*;
    use appell::Robot;

    #[test]
    fn columns_that_are_no_function_of_the_motion_are_refused() {
        let robot = Robot::builtin("two-link").unwrap();
        let model = Model::bodies(&robot).with_effects(&[Effect::DriveGain]);
        let error = Source::of(&robot, &model).unwrap_err();
        assert_eq!(error, ExcitationError::Column { column: "g1".into() });
        let closed = Robot::builtin("five-bar").unwrap();
        let passive = closed.joints().find(|joint| !joint.driven).unwrap().index;
        let model = Model::bodies(&closed).with_effects_in(&[passive], &[Effect::Viscous]);
        assert!(matches!(Source::of(&closed, &model), Err(ExcitationError::Column { .. })));
    }
}
