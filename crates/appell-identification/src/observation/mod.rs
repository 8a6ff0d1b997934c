//! The observation matrix: what a robot's motion says about its parameters, W φ = y.
//!
//! A sample gives one row per joint of a tree, or a drive of a robot with closed loops; samples follow each other, so that
//! row k is of joint k mod n. Columns are those of a [`Model`], y are the measured efforts. Both are filtered and thinned
//! alike: of long recordings while they are made, by [`observe_thinned`].
//!
//! Effects in a joint multiply the column of a constant force there, which the library's regressor has: so they serve
//! passive joints of closed robots too. Regressors of many states are computed by [`appell_batch`].

mod assemble;
mod error;
mod thinned;

pub use assemble::{Samples, observe};
pub use error::ObservationError;
pub use thinned::observe_thinned;

use crate::data::Load;
use crate::parameters::{Column, Inertial, Model, UnknownName};
use crate::signals::{Decimation, SignalError};
use core::ops::Range;
use nalgebra::{DMatrix, DVector};
use std::sync::Arc;

/// Linear equations for parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct Observation {
    matrix: Arc<DMatrix<f64>>, // W, which may be hundreds of megabytes
    right: DVector<f64>,       // y
    known: DVector<f64>,       // efforts of what is known, which y is without
    model: Model,              // the columns
    rows: Vec<String>,         // the rows of a sample, by the joints' names
}

impl Observation {
    /// Equations that were made elsewhere.
    ///
    /// # Panics
    /// If there are not as many rows as right sides, whole samples, and a column of the model for each of the matrix.
    #[must_use]
    pub fn new(matrix: DMatrix<f64>, right: DVector<f64>, model: Model, rows: Vec<String>) -> Self {
        assert_eq!(matrix.nrows(), right.len(), "a right side a row");
        assert_eq!(matrix.ncols(), model.columns().len(), "a column per parameter");
        assert!(!rows.is_empty() && matrix.nrows().is_multiple_of(rows.len()), "whole samples");
        let known = DVector::zeros(right.len());
        Self { matrix: Arc::new(matrix), right, known, model, rows }
    }

    /// The same with other numbers.
    pub(crate) fn with_numbers(&self, matrix: DMatrix<f64>, [right, known]: [DVector<f64>; 2]) -> Self {
        Self { matrix: Arc::new(matrix), right, known, model: self.model.clone(), rows: self.rows.clone() }
    }

    /// What is known of the efforts, which the right side is without.
    pub(crate) fn known(&self) -> &DVector<f64> {
        &self.known
    }

    /// W.
    #[must_use]
    pub fn matrix(&self) -> &DMatrix<f64> {
        &self.matrix
    }

    /// y.
    #[must_use]
    pub fn right(&self) -> &DVector<f64> {
        &self.right
    }

    /// What the columns are.
    #[must_use]
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The names of a sample's rows: of joints or drives.
    #[must_use]
    pub fn rows(&self) -> &[String] {
        &self.rows
    }

    /// How many samples there are.
    #[must_use]
    pub fn samples(&self) -> usize {
        self.matrix.nrows() / self.rows.len()
    }

    /// Columns and right side low-passed and thinned alike.
    ///
    /// # Errors
    /// If there are too few samples for it.
    pub fn decimated(&self, decimation: &Decimation) -> Result<Self, SignalError> {
        let n = self.rows.len();
        let vector = |numbers: &DVector<f64>| -> Result<DVector<f64>, SignalError> {
            let column = DMatrix::from_column_slice(numbers.len(), 1, numbers.as_slice());
            Ok(decimation.of_stacked(&column, n)?.column(0).into_owned())
        };
        let vectors = [vector(&self.right)?, vector(&self.known)?];
        Ok(self.with_numbers(decimation.of_stacked(&self.matrix, n)?, vectors))
    }

    /// Some consecutive samples.
    ///
    /// # Panics
    /// If there are not so many.
    #[must_use]
    pub fn part(&self, samples: Range<usize>) -> Self {
        self.samples_of(&samples.collect::<Vec<_>>())
    }

    /// Some samples, by their indices.
    ///
    /// # Panics
    /// If there is no such sample.
    #[must_use]
    pub fn samples_of(&self, samples: &[usize]) -> Self {
        let n = self.rows.len();
        let rows: Vec<usize> = samples.iter().flat_map(|i| i * n..(i + 1) * n).collect();
        let vectors = [&self.right, &self.known].map(|numbers| numbers.select_rows(&rows));
        self.with_numbers(self.matrix.select_rows(&rows), vectors)
    }

    /// The samples of this one and then of another of the same robot and model, as of a second file.
    ///
    /// # Panics
    /// If the columns or rows are others.
    #[must_use]
    pub fn followed_by(&self, other: &Self) -> Self {
        assert!(self.model == other.model && self.rows == other.rows, "the same columns and rows");
        let (above, height) = (self.matrix.nrows(), self.matrix.nrows() + other.matrix.nrows());
        let matrix = DMatrix::from_fn(height, self.matrix.ncols(), |i, k| match i.checked_sub(above) {
            None => self.matrix[(i, k)],
            Some(below) => other.matrix[(below, k)],
        });
        let vector =
            |one: &DVector<f64>, two: &DVector<f64>| DVector::from_iterator(height, one.iter().chain(two).copied());
        self.with_numbers(matrix, [vector(&self.right, &other.right), vector(&self.known, &other.known)])
    }

    /// The columns of these indices alone, in this order.
    ///
    /// # Panics
    /// If there is no such column.
    #[must_use]
    pub fn with_columns(&self, kept: &[usize]) -> Self {
        if kept.iter().copied().eq(0..self.matrix.ncols()) {
            return self.clone();
        }
        let (model, matrix) = (self.model.with_columns(kept), Arc::new(self.matrix.select_columns(kept)));
        Self { matrix, model, ..self.clone() }
    }

    /// The same with a load that is known, which the robot's own bodies are without: y less what it needs.
    ///
    /// # Panics
    /// If the equations have not all columns of the body that carries it.
    #[must_use]
    pub fn with_load(&self, load: &Load) -> Self {
        let mut loaded = self.clone();
        for parameter in Inertial::ALL {
            let column = Column::Inertial { body: load.body, parameter };
            let k = self.model.columns().iter().position(|own| *own == column).expect("all columns of a body");
            loaded.right.axpy(-load.parameter(parameter), &self.matrix.column(k), 1.0);
            loaded.known.axpy(load.parameter(parameter), &self.matrix.column(k), 1.0);
        }
        loaded
    }

    /// The same for the parameters that are not known yet: y less what the known ones need.
    ///
    /// # Errors
    /// If a name is none.
    pub fn with_known(&self, known: &[(impl AsRef<str>, f64)]) -> Result<Self, UnknownName> {
        let (mut right, mut efforts) = (self.right.clone(), self.known.clone());
        let mut is_known = vec![false; self.matrix.ncols()];
        for (name, value) in known {
            for k in self.model.find(name.as_ref())? {
                if !core::mem::replace(&mut is_known[k], true) {
                    right.axpy(-*value, &self.matrix.column(k), 1.0);
                    if !self.model.columns()[k].is_gain() {
                        efforts.axpy(*value, &self.matrix.column(k), 1.0);
                    }
                }
            }
        }
        let kept: Vec<usize> = (0..self.matrix.ncols()).filter(|&k| !is_known[k]).collect();
        Ok(Self { right, known: efforts, ..self.with_columns(&kept) })
    }

    /// The equations, each multiplied with a number.
    ///
    /// # Panics
    /// If there is not one number an equation.
    #[must_use]
    pub fn weighed(&self, weights: &DVector<f64>) -> Self {
        assert_eq!(weights.len(), self.right.len(), "one number an equation");
        let mut matrix = DMatrix::clone(&self.matrix);
        matrix.column_iter_mut().for_each(|mut column| column.component_mul_assign(weights));
        self.with_numbers(matrix, [&self.right, &self.known].map(|numbers| numbers.component_mul(weights)))
    }

    /// The efforts that were measured: y with what is known, and where drives have gains to be found, which stand on the
    /// left, what these make of them.
    ///
    /// # Panics
    /// If there is not one value per column.
    #[must_use]
    pub fn measured(&self, parameters: &DVector<f64>) -> DVector<f64> {
        assert_eq!(parameters.len(), self.matrix.ncols(), "one value per column");
        let mut measured = &self.right + &self.known;
        for (k, column) in self.model.columns().iter().enumerate() {
            if column.is_gain() {
                measured.axpy(-parameters[k], &self.matrix.column(k), 1.0);
            }
        }
        measured
    }

    /// Efforts that parameters predict, W φ.
    ///
    /// # Panics
    /// If there is not one value per column.
    #[must_use]
    pub fn predicted(&self, parameters: &DVector<f64>) -> DVector<f64> {
        &*self.matrix * parameters
    }

    /// Efforts as they were measured, and what parameters predict of them with what is known.
    ///
    /// # Panics
    /// If there is not one value per column.
    #[must_use]
    pub fn efforts(&self, parameters: &DVector<f64>) -> [Vec<f64>; 2] {
        let measured = self.measured(parameters);
        let predicted = &measured - (&self.right - self.predicted(parameters));
        [measured, predicted].map(|efforts| efforts.as_slice().to_vec())
    }
}
