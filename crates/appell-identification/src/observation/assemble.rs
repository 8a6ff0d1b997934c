//! From samples of a motion to the observation matrix.

use super::{Observation, ObservationError};
use crate::parameters::{Body, Column, Effect, Model};
use appell::Robot;
use appell::description::{Friction, JointEffects};
use appell::dynamics::regressor::{OF_A_JOINT, PARAMETERS_PER_BODY};
use appell::mechanism::Coordinates;
use appell::question::Question;
use appell_batch::{Batch, Motions, States};
use nalgebra::{DMatrix, DVector};

/// A constant force among the columns of a joint in the library's regressor.
const OFFSET: usize = 2;

/// Samples of a motion in structures of arrays: number k of sample i is `[k * count + i]`.
#[derive(Debug, Clone, Copy)]
pub struct Samples<'s> {
    /// How many.
    pub count: usize,
    /// Of all joints of a tree, as [`Motions::Joints`]; of the drives or of the platform where loops are closed. All of
    /// positions, velocities and accelerations must be there.
    pub motion: Motions<'s>,
    /// Measured efforts, N m or N, of all joints of a tree or of the drives.
    pub effort: &'s [f64],
}

/// The library's regressor and all joints' motion at all samples, in structures of arrays.
struct Found {
    count: usize,
    regressor: Vec<f64>, // (row × width + column) × count + sample
    width: usize,
    joints: Vec<f64>, // q, v and a of all joints
    dof: usize,
}

/// The equations that samples give for the parameters of a model.
///
/// ```
/// use appell::Robot;
/// use appell_batch::Motions;
/// use appell_identification::observation::{observe, Samples};
/// use appell_identification::parameters::Model;
///
/// let arm = Robot::builtin("two-link").unwrap();
/// let (q, v, a) = ([0.1, 0.2], [1.0, -2.0], [0.5, 0.0]);
/// let motion = Motions::Joints { q: &q, v: &v, a: &a };
/// let equations = observe(&arm, &Model::bodies(&arm), &Samples { count: 1, motion, effort: &[3.0, 0.4] })?;
/// assert_eq!(equations.matrix().shape(), (2, 20));
/// # Ok::<(), appell_identification::observation::ObservationError>(())
/// ```
///
/// # Errors
/// If there are not as many numbers as samples, or some are none, or the robot cannot move so.
///
/// # Panics
/// If the model is of another robot.
pub fn observe(robot: &Robot, model: &Model, samples: &Samples<'_>) -> Result<Observation, ObservationError> {
    let drives = robot.drives();
    let (n, count) = (drives.len(), samples.count);
    check(robot, samples, n)?;
    let found = Found::new(robot, samples)?;
    let mut matrix = DMatrix::zeros(n * count, model.columns().len());
    let mut right = DVector::from_fn(n * count, |k, _| samples.effort[(k % n) * count + k / n]);
    for (k, column) in model.columns().iter().enumerate() {
        let mut write = |row: usize, numbers: &mut dyn Iterator<Item = f64>| {
            matrix.column_mut(k).iter_mut().skip(row).step_by(n).zip(numbers).for_each(|(entry, x)| *entry += x);
        };
        match *column {
            Column::Inertial { body, parameter } => {
                let places: Vec<usize> = match body {
                    Body::Joint(joint) => model.alike(joint).iter().map(|joint| PARAMETERS_PER_BODY * joint).collect(),
                    Body::Platform => vec![(PARAMETERS_PER_BODY + OF_A_JOINT) * found.dof],
                };
                for (place, row) in places.into_iter().flat_map(|place| (0..n).map(move |row| (place, row))) {
                    write(row, &mut found.column(row, place + parameter as usize).iter().copied());
                }
            }
            Column::Effect { joint, effect: Effect::DriveGain } => {
                let row = drives.iter().position(|drive| drive.index == joint).expect("a drive");
                write(row, &mut samples.effort[row * count..(row + 1) * count].iter().map(|tau| -tau));
                right.iter_mut().skip(row).step_by(n).for_each(|y| *y = 0.0);
            }
            Column::Effect { joint, effect } => {
                let along = effect.along(found.joint(0, joint), found.joint(1, joint), found.joint(2, joint));
                for row in 0..n {
                    write(row, &mut found.force(row, joint).iter().zip(&along).map(|(force, x)| force * x));
                }
            }
            Column::Coupled { motor, effect } => {
                let coefficients = &model.couplings()[motor].coefficients;
                let [q, v, a] = [0, 1, 2].map(|rate| found.turned(rate, coefficients));
                let along = effect.along(&q, &v, &a);
                for (joint, &c) in coefficients.iter().enumerate().filter(|(_, c)| **c != 0.0) {
                    for row in 0..n {
                        write(row, &mut found.force(row, joint).iter().zip(&along).map(|(force, x)| c * force * x));
                    }
                }
            }
        }
    }
    Ok(Observation::new(matrix, right, model.clone(), drives.iter().map(|drive| drive.name.to_owned()).collect()))
}

impl Found {
    fn new(robot: &Robot, samples: &Samples<'_>) -> Result<Self, ObservationError> {
        let (count, states) = (samples.count, States::moving(samples.count, samples.motion));
        let with_effects = match robot.closed() {
            None => Robot::from(robot.tree().with_effects(with_columns)),
            Some(closed) => {
                let (drives, freedoms) = (closed.driven().len(), closed.freedoms().len());
                if drives != freedoms {
                    return Err(ObservationError::RedundantDrives { drives, freedoms });
                }
                Robot::from(closed.with_tree(|tree| tree.with_effects(with_columns)))
            }
        };
        let answer = |question| {
            let batch = Batch::new(&with_effects, question).expect("every robot answers it");
            let mut answers = vec![0.0; batch.columns() * count];
            batch.evaluate(&states, &mut answers).map(|()| (answers, batch.columns()))
        };
        let (regressor, columns) = answer(Question::Regressor)?;
        let joints = match (robot.closed(), samples.motion) {
            (None, Motions::Joints { q, v, a }) => match robot.tree().coordinates() {
                None => [q, v, a].concat(),
                Some(coordinates) => of_rows(coordinates, robot.tree().dof(), count, [q, v, a]),
            },
            _ => answer(Question::Joints)?.0,
        };
        Ok(Self { count, regressor, width: columns / robot.drives().len(), joints, dof: robot.tree().dof() })
    }

    fn column(&self, row: usize, column: usize) -> &[f64] {
        let first = (row * self.width + column) * self.count;
        &self.regressor[first..first + self.count]
    }

    /// What a constant force in a joint needs of a row.
    fn force(&self, row: usize, joint: usize) -> &[f64] {
        self.column(row, PARAMETERS_PER_BODY * self.dof + OF_A_JOINT * joint + OFFSET)
    }

    /// Position (0), velocity (1) or acceleration (2) of a joint.
    fn joint(&self, rate: usize, joint: usize) -> &[f64] {
        let first = (rate * self.dof + joint) * self.count;
        &self.joints[first..first + self.count]
    }

    /// The same of a motor that several joints turn.
    fn turned(&self, rate: usize, coefficients: &[f64]) -> Vec<f64> {
        let mut sum = vec![0.0; self.count];
        for (joint, c) in coefficients.iter().enumerate() {
            sum.iter_mut().zip(self.joint(rate, joint)).for_each(|(sum, x)| *sum += c * x);
        }
        sum
    }
}

/// Motions of all joints of a tree of which some stand, from those of the others.
fn of_rows(coordinates: &Coordinates, joints: usize, count: usize, motions: [&[f64]; 3]) -> Vec<f64> {
    let mut all = vec![0.0; 3 * joints * count];
    let mut rows = vec![0.0; joints];
    for (rate, numbers) in motions.into_iter().enumerate() {
        for sample in 0..count {
            let own: Vec<f64> = numbers.iter().skip(sample).step_by(count).copied().collect();
            match rate {
                0 => coordinates.anchor(&own, &mut rows),
                _ => coordinates.spread(&own, &mut rows),
            }
            let to = all[rate * joints * count..].iter_mut().skip(sample).step_by(count);
            to.zip(&rows).for_each(|(to, x)| *to = *x);
        }
    }
    all
}

/// Effects that the regressor has columns for; which, does not matter.
fn with_columns(_: &str, _: JointEffects) -> JointEffects {
    JointEffects { friction: Friction { viscous: 1.0, ..Friction::default() }, ..JointEffects::default() }
}

fn check(robot: &Robot, samples: &Samples<'_>, efforts: usize) -> Result<(), ObservationError> {
    let parts = match (samples.motion, robot.platform().is_some()) {
        (Motions::Joints { q, v, a }, _) => {
            [("positions", q, efforts), ("velocities", v, efforts), ("accelerations", a, efforts)]
        }
        (Motions::Platform { pose, twist, acceleration }, true) => {
            [("poses", pose, 7), ("twists", twist, 6), ("accelerations", acceleration, 6)]
        }
        (Motions::Platform { .. }, false) => return Err(ObservationError::NoPlatform),
    };
    for (what, numbers, width) in parts.into_iter().chain([("efforts", samples.effort, efforts)]) {
        let (found, expected) = (numbers.len(), width * samples.count);
        if found != expected {
            return Err(ObservationError::Length { what, found, samples: samples.count, width, expected });
        }
        if let Some(k) = numbers.iter().position(|x| !x.is_finite()) {
            let (component, sample) = (k / samples.count + 1, k % samples.count + 1);
            return Err(ObservationError::NotFinite { what, sample, component, value: numbers[k] });
        }
    }
    Ok(())
}
