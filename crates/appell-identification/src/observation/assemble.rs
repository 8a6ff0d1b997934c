//! From samples of a motion to the observation matrix.

use super::{Observation, ObservationError};
use crate::parameters::{Body, Column, Effect, Model};
use appell::description::{Friction, JointEffects};
use appell::dynamics::regressor::{OF_A_JOINT, PARAMETERS_PER_BODY};
use appell::mechanism::Coordinates;
use appell::question::Question;
use appell::{Joint, Robot};
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

/// The equations that samples give for the parameters of a model.
///
/// ```
/// use appell::{Joint, Robot};
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
    let assembly = Assembly::new(robot, model)?;
    let (n, count) = (assembly.rows.len(), samples.count);
    let found = assembly.at(samples)?;
    let mut matrix = DMatrix::zeros(n * count, model.columns().len());
    let mut right = DVector::zeros(n * count);
    let mut signal = vec![0.0; count];
    for row in 0..n {
        for k in 0..model.columns().len() {
            if found.column(row, k, &mut signal) {
                matrix.column_mut(k).iter_mut().skip(row).step_by(n).zip(&signal).for_each(|(entry, x)| *entry = *x);
            }
        }
        if found.right(row, &mut signal) {
            right.iter_mut().skip(row).step_by(n).zip(&signal).for_each(|(y, x)| *y = *x);
        }
    }
    Ok(Observation::new(matrix, right, model.clone(), assembly.names()))
}

/// What makes equations of samples, any number of times.
pub(super) struct Assembly<'a> {
    robot: &'a Robot,
    model: &'a Model,
    /// The joints of the rows of a sample.
    pub(super) rows: Vec<Joint<'a>>,
    regressor: Batch,
    joints: Option<Batch>, // where loops are closed
}

/// The library's regressor and all joints' motion at some samples, in structures of arrays.
pub(super) struct Found<'f> {
    assembly: &'f Assembly<'f>,
    count: usize,
    regressor: Vec<f64>, // (row × width + column) × count + sample
    width: usize,
    joints: Vec<f64>, // q, v and a of all joints
    dof: usize,
    effort: Vec<f64>,
}

impl<'a> Assembly<'a> {
    pub(super) fn new(robot: &'a Robot, model: &'a Model) -> Result<Self, ObservationError> {
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
        let batch = |question| Batch::new(&with_effects, question).expect("every robot answers it");
        let joints = robot.closed().is_some().then(|| batch(Question::Joints));
        Ok(Self { robot, model, rows: robot.drives(), regressor: batch(Question::Regressor), joints })
    }

    /// The names of the rows.
    pub(super) fn names(&self) -> Vec<String> {
        self.rows.iter().map(|drive| drive.name.to_owned()).collect()
    }

    /// What the equations of samples are made of.
    pub(super) fn at(&self, samples: &Samples<'_>) -> Result<Found<'_>, ObservationError> {
        check(self.robot, samples, self.rows.len())?;
        let (count, states) = (samples.count, States::moving(samples.count, samples.motion));
        let answer = |batch: &Batch| {
            let mut answers = vec![0.0; batch.columns() * count];
            batch.evaluate(&states, &mut answers).map(|()| answers)
        };
        let regressor = answer(&self.regressor)?;
        let joints = match (&self.joints, samples.motion) {
            (None, Motions::Joints { q, v, a }) => match self.robot.tree().coordinates() {
                None => [q, v, a].concat(),
                Some(coordinates) => of_rows(coordinates, self.robot.tree().dof(), count, [q, v, a]),
            },
            (None, Motions::Platform { .. }) => return Err(ObservationError::NoPlatform),
            (Some(batch), _) => answer(batch)?,
        };
        let width = self.regressor.columns() / self.rows.len();
        let (dof, effort) = (self.robot.tree().dof(), samples.effort.to_vec());
        Ok(Found { assembly: self, count, regressor, width, joints, dof, effort })
    }
}

impl Found<'_> {
    /// The numbers of a column in a row of the samples; whether there are any but zeros, which are not written.
    pub(super) fn column(&self, row: usize, k: usize, to: &mut [f64]) -> bool {
        let Assembly { model, rows, .. } = self.assembly;
        let mut is_any = false;
        let mut add = |factor: f64, numbers: &[f64], along: Option<&[f64]>| {
            if !core::mem::replace(&mut is_any, true) {
                to.fill(0.0);
            }
            match along {
                None => to.iter_mut().zip(numbers).for_each(|(to, x)| *to += factor * x),
                Some(along) => to.iter_mut().zip(numbers).zip(along).for_each(|((to, x), y)| *to += factor * x * y),
            }
        };
        let acts = |numbers: &[f64]| numbers.iter().any(|x| *x != 0.0);
        match model.columns()[k] {
            Column::Inertial { body, parameter } => {
                let places: Vec<usize> = match body {
                    Body::Joint(joint) => model.alike(joint).iter().map(|joint| PARAMETERS_PER_BODY * joint).collect(),
                    Body::Platform => vec![(PARAMETERS_PER_BODY + OF_A_JOINT) * self.dof],
                };
                let numbers = places.into_iter().map(|place| self.entries(row, place + parameter as usize));
                numbers.filter(|numbers| acts(numbers)).for_each(|numbers| add(1.0, numbers, None));
            }
            Column::Effect { joint, effect: Effect::DriveGain } => {
                if rows[row].index == joint {
                    add(-1.0, self.efforts(row), None);
                }
            }
            Column::Effect { joint, effect } => {
                let force = self.force(row, joint);
                if acts(force) {
                    let along = effect.along(self.joint(0, joint), self.joint(1, joint), self.joint(2, joint));
                    add(1.0, force, Some(&along));
                }
            }
            Column::Coupled { motor, effect } => {
                let coefficients = &model.couplings()[motor].coefficients;
                let turned = coefficients.iter().enumerate().filter(|(_, c)| **c != 0.0);
                let turned: Vec<(f64, &[f64])> = turned.map(|(joint, &c)| (c, self.force(row, joint))).collect();
                if turned.iter().any(|(_, force)| acts(force)) {
                    let [q, v, a] = [0, 1, 2].map(|rate| self.turned(rate, coefficients));
                    let along = effect.along(&q, &v, &a);
                    turned.into_iter().for_each(|(c, force)| add(c, force, Some(&along)));
                }
            }
        }
        is_any
    }

    /// The right side of a row, its efforts; whether there is any, which a gain takes to the left, and is not written then.
    pub(super) fn right(&self, row: usize, to: &mut [f64]) -> bool {
        let Assembly { model, rows, .. } = self.assembly;
        let gain = Column::Effect { joint: rows[row].index, effect: Effect::DriveGain };
        to.copy_from_slice(self.efforts(row));
        !model.columns().contains(&gain)
    }

    fn efforts(&self, row: usize) -> &[f64] {
        &self.effort[row * self.count..(row + 1) * self.count]
    }

    fn entries(&self, row: usize, column: usize) -> &[f64] {
        let first = (row * self.width + column) * self.count;
        &self.regressor[first..first + self.count]
    }

    /// What a constant force in a joint needs of a row.
    fn force(&self, row: usize, joint: usize) -> &[f64] {
        self.entries(row, PARAMETERS_PER_BODY * self.dof + OF_A_JOINT * joint + OFFSET)
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
