//! The columns of a model as functions of the drives' motion, with their derivatives.

use super::ExcitationError;
use super::observer::Instant;
use crate::parameters::{Body, Column, Effect, Model};
use appell::Robot;
use appell::dynamics::joint_effects::sign;
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
            let known = value(effect, [0.0; 3]).is_some();
            if known { Ok(Self::Effect { shares, effect }) } else { Err(refused(k)) }
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

/// An effect at position, velocity and acceleration, and its derivatives by them; `None` of those that are no such function.
fn value(effect: Effect, [q, v, a]: [f64; 3]) -> Option<(f64, [f64; 3])> {
    Some(match effect {
        Effect::Viscous => (v, [0.0, 1.0, 0.0]),
        Effect::Coulomb { smoothing } => {
            let width = smoothing.max(SMOOTHING);
            (sign(v, width), [0.0, width * width / (v * v + width * width).powf(1.5), 0.0])
        }
        Effect::Offset => (1.0, [0.0; 3]),
        Effect::Rotor => (a, [0.0, 0.0, 1.0]),
        Effect::Stiffness => (q, [1.0, 0.0, 0.0]),
        Effect::Cubic => (v * v * v, [0.0, 3.0 * v * v, 0.0]),
        Effect::Asymmetric => {
            let root = (v * v + SMOOTHING * SMOOTHING).sqrt();
            (root, [0.0, v / root, 0.0])
        }
        Effect::SquareRoot => {
            let size = v * v + SMOOTHING * SMOOTHING;
            (v / size.powf(0.25), [0.0, size.powf(-0.25) - 0.5 * v * v / size.powf(1.25), 0.0])
        }
        Effect::Stribeck { speed } => {
            let (near, jump) = ((-(v / speed).powi(2)).exp(), sign(v, SMOOTHING));
            let slope = SMOOTHING * SMOOTHING / (v * v + SMOOTHING * SMOOTHING).powf(1.5);
            (near * jump, [0.0, near * (slope - 2.0 * v / (speed * speed) * jump), 0.0])
        }
        Effect::DriveGain => return None,
    })
}

/// The motion of Σ share × drive.
fn shared(shares: &[f64], instant: &Instant, drives: &[usize]) -> [f64; 3] {
    let sum = |state: &dyn Fn(usize) -> f64| shares.iter().enumerate().map(|(k, share)| share * state(k)).sum();
    [sum(&|k| instant.at.q[drives[k]]), sum(&|k| instant.v[k]), sum(&|k| instant.a[k])]
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
                let along = value(*effect, shared(shares, instant, drives)).map_or(0.0, |(value, _)| value);
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
                let Some((_, slopes)) = value(*effect, shared(shares, instant, drives)) else { continue };
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
    fn slopes_of_effects_match_differences() {
        let effects = [
            Effect::Viscous,
            Effect::Coulomb { smoothing: 0.1 },
            Effect::Offset,
            Effect::Rotor,
            Effect::Stiffness,
            Effect::Cubic,
            Effect::Asymmetric,
            Effect::SquareRoot,
            Effect::Stribeck { speed: 0.1 },
        ];
        let at = [0.3, 0.05, -2.0];
        for effect in effects {
            let (_, slopes) = value(effect, at).unwrap();
            for (k, slope) in slopes.into_iter().enumerate() {
                let f = |step: f64| {
                    let mut moved = at;
                    moved[k] += step;
                    value(effect, moved).unwrap().0
                };
                assert!((slope - (f(1e-6) - f(-1e-6)) / 2e-6).abs() < 1e-7 * (1.0 + slope.abs()), "{effect:?}");
            }
        }
    }

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
