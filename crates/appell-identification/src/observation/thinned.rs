//! Equations that are low-passed and thinned while they are made: what [`observe`] and [`Observation::decimated`] make, without the
//! equations of all samples in between, which are hundreds of numbers each.

use super::assemble::{Assembly, Found, Samples, observe};
use super::{Observation, ObservationError};
use crate::data::JointMotion;
use crate::parameters::Model;
use crate::signals::Decimation;
use crate::signals::blocks::{BESIDE, Signals, filtered};
use appell::Robot;
use appell_batch::{BatchError, Motions};
use nalgebra::{DMatrix, DVector};

/// The equations of a motion for the parameters of a model, low-passed and thinned by a decimation, without what is left out of the motion.
///
/// # Errors
/// As [`observe`].
///
/// # Panics
/// If the model is of another robot.
pub fn observe_thinned(
    robot: &Robot,
    model: &Model,
    motion: &JointMotion,
    decimation: &Decimation,
) -> Result<Observation, ObservationError> {
    let at = motion.right_samples(decimation);
    let Some(filter) = decimation.filter() else {
        let [q, v, a, effort] = motion.at(&at);
        let motion = Motions::Joints { q: &q, v: &v, a: &a };
        return observe(robot, model, &Samples { count: at.len(), motion, effort: &effort })
            .map_err(|error| of_rows(error, &at));
    };
    let assembly = Assembly::new(robot, model)?;
    let (n, columns) = (assembly.rows.len(), model.columns().len());
    let make = |rows: &[usize]| {
        let [q, v, a, effort] = motion.at(rows);
        let motion = Motions::Joints { q: &q, v: &v, a: &a };
        assembly.at(&Samples { count: rows.len(), motion, effort: &effort }).map_err(|error| of_rows(error, rows))
    };
    // Columns of a row beside each other, the last one being the right side; rows of the same columns follow each other.
    let place = |group: usize| (group % n, BESIDE * (group / n));
    let write = |found: &Found<'_>, group: usize, to: &mut Signals| {
        let (row, first) = place(group);
        let (mut signal, mut is_any) = (vec![0.0; to.len()], false);
        for k in first..(first + BESIDE).min(columns + 1) {
            let is_written =
                if k < columns { found.column(row, k, &mut signal) } else { found.right(row, &mut signal) };
            if is_written {
                to.iter_mut().zip(&signal).for_each(|(to, x)| to[k - first] = *x);
                is_any = true;
            }
        }
        is_any
    };
    let groups = n * (columns + 1).div_ceil(BESIDE);
    let found = filtered(filter, motion.count, &at, groups, make, write)?;
    let mut matrix = DMatrix::zeros(n * at.len(), columns);
    let mut right = DVector::zeros(n * at.len());
    for (group, signals) in found.into_iter().enumerate() {
        let (row, first) = place(group);
        for k in first..(first + BESIDE).min(columns + 1) {
            let column = if k < columns { &mut matrix.column_mut(k) } else { &mut right.column_mut(0) };
            column.iter_mut().skip(row).step_by(n).zip(&signals).for_each(|(to, x)| *to = x[k - first]);
        }
    }
    Ok(Observation::new(matrix, right, model.clone(), assembly.names()))
}

/// An error of some samples, of which `rows` says where they are from.
fn of_rows(error: ObservationError, rows: &[usize]) -> ObservationError {
    match error {
        ObservationError::Closed(BatchError { state, source }) => BatchError { state: rows[state], source }.into(),
        ObservationError::NotFinite { what, sample, component, value } => {
            ObservationError::NotFinite { what, sample: rows[sample - 1] + 1, component, value }
        }
        other => other,
    }
}
