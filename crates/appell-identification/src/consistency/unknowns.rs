//! All parameters of a model from free numbers: bodies by log-Cholesky, friction and rotors by exponentials, the rest as
//! they are.

use super::{ConsistencyError, PseudoInertia, bodies, flaws};
use crate::parameters::Model;
use appell::dynamics::regressor::OF_A_BODY;
use nalgebra::{DMatrix, DVector, Matrix4};

/// How much a thin body of the prior is thickened.
const THIN: f64 = 1e-3;
/// Where friction starts that neither the prior nor the guess has.
const SOME_FRICTION: f64 = 1e-3;

/// How the parameters of a model depend on free numbers.
pub(super) struct Unknowns {
    bodies: Vec<Solid>,
    positive: Vec<usize>, // columns of friction and rotors
    free: Vec<usize>,
    pub(super) prior: DVector<f64>,
    columns: usize,
}

/// A body that the prior says has mass.
struct Solid {
    columns: [usize; OF_A_BODY],
    inverse: Matrix4<f64>, // L₀⁻¹ of the prior
}

impl Unknowns {
    /// Those of a model, and numbers to start from: bodies at the prior, friction that is zero there at a guess. Bodies that
    /// have no mass in the prior have none.
    pub(super) fn new(model: &Model, prior: &[f64], guess: &[f64]) -> Result<(Self, DVector<f64>), ConsistencyError> {
        let (of_bodies, part) = bodies(model);
        if let Some(k) = part {
            return Err(ConsistencyError::PartOfBody { name: model.name(k) });
        }
        if let Some(flaw) = flaws(model, prior).first() {
            return Err(ConsistencyError::Prior { flaw: flaw.to_string() });
        }
        let (mut solid, mut start, mut used) = (Vec::new(), Vec::new(), DVector::from_column_slice(prior));
        let mut absent = vec![false; prior.len()];
        for columns in of_bodies {
            let parameters = columns.map(|k| prior[k]);
            if parameters.iter().all(|&x| x == 0.0) {
                columns.iter().for_each(|&k| absent[k] = true);
                continue;
            }
            let thick = PseudoInertia::of(parameters).thickened(THIN);
            let (Some(factor), Some(coordinates)) = (thick.factor(), thick.coordinates()) else {
                return Err(ConsistencyError::Prior { flaw: format!("{} is of a point", model.name(columns[0])) });
            };
            let inverse = factor.try_inverse().expect("a triangle with positive diagonal");
            columns.iter().zip(thick.parameters()).for_each(|(&k, x)| used[k] = x);
            solid.push(Solid { columns, inverse });
            start.extend(coordinates);
        }
        let of_body = |k: usize| absent[k] || solid.iter().any(|body: &Solid| body.columns.contains(&k));
        let effects: Vec<usize> = (0..prior.len()).filter(|&k| !of_body(k)).collect();
        let (positive, free): (Vec<usize>, Vec<usize>) =
            effects.into_iter().partition(|&k| model.columns()[k].lower_bound().is_some());
        let first = |&k: &usize| match prior[k] {
            known if known > 0.0 => known,
            _ => guess[k].abs().max(SOME_FRICTION),
        };
        start.extend(positive.iter().map(|k| first(k).ln()));
        start.extend(free.iter().map(|&k| prior[k]));
        let unknowns = Self { bodies: solid, positive, free, prior: used, columns: prior.len() };
        Ok((unknowns, DVector::from_vec(start)))
    }

    /// The parameters at free numbers, and their derivatives: a row a parameter.
    pub(super) fn at(&self, numbers: &DVector<f64>) -> (DVector<f64>, DMatrix<f64>) {
        let mut parameters = DVector::zeros(self.columns);
        let mut derivatives = DMatrix::zeros(self.columns, numbers.len());
        let mut place = 0;
        for body in &self.bodies {
            let (at, slopes) = PseudoInertia::at(core::array::from_fn(|k| numbers[place + k]));
            for (i, (&row, x)) in body.columns.iter().zip(at.parameters()).enumerate() {
                parameters[row] = x;
                (0..OF_A_BODY).for_each(|k| derivatives[(row, place + k)] = slopes[(i, k)]);
            }
            place += OF_A_BODY;
        }
        for &row in &self.positive {
            parameters[row] = numbers[place].exp();
            derivatives[(row, place)] = parameters[row];
            place += 1;
        }
        for &row in &self.free {
            parameters[row] = numbers[place];
            derivatives[(row, place)] = 1.0;
            place += 1;
        }
        (parameters, derivatives)
    }

    /// The distance from the prior as a matrix: its rows times (parameters − prior) are, squared and summed up,
    /// Σ ‖L₀⁻¹ (P − P₀) L₀⁻ᵀ‖² of the bodies and the relative changes of friction and rotors. What the prior
    /// does not know, being zero or free, costs nothing.
    pub(super) fn metric(&self) -> DMatrix<f64> {
        let mut metric = DMatrix::zeros(16 * self.bodies.len() + self.positive.len(), self.columns);
        for (b, body) in self.bodies.iter().enumerate() {
            for (k, &column) in body.columns.iter().enumerate() {
                let unit = PseudoInertia::of(core::array::from_fn(|i| if i == k { 1.0 } else { 0.0 }));
                let change = body.inverse * unit.0 * body.inverse.transpose();
                change.iter().enumerate().for_each(|(i, x)| metric[(16 * b + i, column)] = *x);
            }
        }
        for (i, &column) in self.positive.iter().enumerate().filter(|(_, column)| self.prior[**column] > 0.0) {
            metric[(16 * self.bodies.len() + i, column)] = 1.0 / self.prior[column];
        }
        metric
    }
}
