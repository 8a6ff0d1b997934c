//! The set of consistent parameters: a cone of positive definite pseudo-inertias, and of friction that is not negative.
//!
//! Its logarithmic barrier grows without limit towards the border,
//!
//! ```text
//! b = −Σ log det P − Σ log f        ∂b/∂φ_k = −tr(P⁻¹ E_k)        ∂²b/∂φ_k ∂φ_l = tr(P⁻¹ E_k P⁻¹ E_l)
//! ```
//!
//! with E_k the pseudo-inertia of a unit of parameter k.

use super::{ConsistencyError, PseudoInertia, bodies, flaws};
use crate::parameters::Model;
use appell::dynamics::regressor::OF_A_BODY;
use nalgebra::{DMatrix, DVector, Matrix4};

/// How much a thin body of the prior is thickened: the search starts inside.
const THIN: f64 = 1e-3;
/// Where friction starts that neither the prior nor the guess has.
const SOME_FRICTION: f64 = 1e-3;

/// Which parameters belong to what.
pub(super) struct Cone {
    bodies: Vec<Solid>,
    positive: Vec<usize>, // columns of friction and rotors
    free: Vec<usize>,
    prior: DVector<f64>, // with thin bodies thickened
}

/// A body that the prior says has mass.
struct Solid {
    columns: [usize; OF_A_BODY],
    inverse: Matrix4<f64>, // L₀⁻¹ of the prior
}

impl Cone {
    /// That of a model, and a point inside: bodies at the prior, friction that is zero there at a guess. Bodies that have no
    /// mass in the prior have none.
    pub(super) fn new(model: &Model, prior: &[f64], guess: &[f64]) -> Result<(Self, DVector<f64>), ConsistencyError> {
        let (of_bodies, part) = bodies(model);
        if let Some(k) = part {
            return Err(ConsistencyError::PartOfBody { name: model.name(k) });
        }
        if let Some(flaw) = flaws(model, prior).first() {
            return Err(ConsistencyError::Prior { flaw: flaw.to_string() });
        }
        let (mut solid, mut thick, mut absent) = (Vec::new(), DVector::from_column_slice(prior), Vec::new());
        for columns in of_bodies {
            let parameters = columns.map(|k| prior[k]);
            if parameters.iter().all(|&x| x == 0.0) {
                absent.extend(columns);
                continue;
            }
            let body = PseudoInertia::of(parameters).thickened(THIN);
            let Some(factor) = body.0.cholesky() else {
                return Err(ConsistencyError::Prior { flaw: format!("{} is of a point", model.name(columns[0])) });
            };
            let inverse = factor.l().try_inverse().expect("a triangle with positive diagonal");
            columns.iter().zip(body.parameters()).for_each(|(&k, x)| thick[k] = x);
            solid.push(Solid { columns, inverse });
        }
        let of_body = |k: &usize| absent.contains(k) || solid.iter().any(|body: &Solid| body.columns.contains(k));
        let effects = (0..prior.len()).filter(|k| !of_body(k));
        let (positive, free): (Vec<usize>, Vec<usize>) =
            effects.partition(|&k| model.columns()[k].lower_bound().is_some());
        let mut inside = thick.clone();
        positive.iter().filter(|&&k| prior[k] <= 0.0).for_each(|&k| inside[k] = guess[k].abs().max(SOME_FRICTION));
        free.iter().for_each(|&k| inside[k] = guess[k]);
        Ok((Self { bodies: solid, positive, free, prior: thick }, inside))
    }

    /// The columns that are not fixed at zero.
    pub(super) fn active(&self) -> Vec<usize> {
        let of_bodies = self.bodies.iter().flat_map(|body| body.columns);
        let mut active: Vec<usize> =
            of_bodies.chain(self.positive.iter().copied()).chain(self.free.iter().copied()).collect();
        active.sort_unstable();
        active
    }

    /// What the barrier counts: the distance from the best point is at most this times its weight.
    pub(super) fn order(&self) -> f64 {
        (4 * self.bodies.len() + self.positive.len()) as f64
    }

    /// The prior, thin bodies thickened.
    pub(super) fn prior(&self) -> &DVector<f64> {
        &self.prior
    }

    /// The barrier; `None` outside.
    pub(super) fn barrier(&self, at: &DVector<f64>) -> Option<f64> {
        let mut sum = 0.0;
        for body in &self.bodies {
            let l = PseudoInertia::of(body.columns.map(|k| at[k])).0.cholesky()?.l();
            sum -= 2.0 * l.diagonal().iter().map(|x| x.ln()).sum::<f64>();
        }
        for &k in &self.positive {
            if at[k].is_nan() || at[k] <= 0.0 {
                return None;
            }
            sum -= at[k].ln();
        }
        sum.is_finite().then_some(sum)
    }

    /// Its gradient and Hessian at a point inside, added to what is there with a weight.
    pub(super) fn add_derivatives(
        &self,
        at: &DVector<f64>,
        weight: f64,
        gradient: &mut DVector<f64>,
        hessian: &mut DMatrix<f64>,
    ) {
        for body in &self.bodies {
            let inertia = PseudoInertia::of(body.columns.map(|k| at[k])).0;
            let inverse = inertia.cholesky().expect("a point inside").inverse();
            let moved: [Matrix4<f64>; OF_A_BODY] = core::array::from_fn(|k| inverse * unit(k));
            for (i, &row) in body.columns.iter().enumerate() {
                gradient[row] -= weight * moved[i].trace();
                for (k, &column) in body.columns.iter().enumerate() {
                    hessian[(row, column)] += weight * moved[i].component_mul(&moved[k].transpose()).sum();
                }
            }
        }
        for &k in &self.positive {
            gradient[k] -= weight / at[k];
            hessian[(k, k)] += weight / (at[k] * at[k]);
        }
    }

    /// The distance from the prior as a matrix: its rows times (parameters − prior) are, squared and summed up,
    /// Σ ‖L₀⁻¹ (P − P₀) L₀⁻ᵀ‖² of the bodies and the relative changes of friction and rotors. What the prior does not know,
    /// being zero or free, costs nothing.
    pub(super) fn metric(&self) -> DMatrix<f64> {
        let mut metric = DMatrix::zeros(16 * self.bodies.len() + self.positive.len(), self.prior.len());
        for (b, body) in self.bodies.iter().enumerate() {
            for (k, &column) in body.columns.iter().enumerate() {
                let change = body.inverse * unit(k) * body.inverse.transpose();
                change.iter().enumerate().for_each(|(i, x)| metric[(16 * b + i, column)] = *x);
            }
        }
        for (i, &column) in self.positive.iter().enumerate().filter(|(_, column)| self.prior[**column] > 0.0) {
            metric[(16 * self.bodies.len() + i, column)] = 1.0 / self.prior[column];
        }
        metric
    }
}

/// E_k.
fn unit(k: usize) -> Matrix4<f64> {
    PseudoInertia::of(core::array::from_fn(|i| if i == k { 1.0 } else { 0.0 })).0
}

#[cfg(test)]
mod tests {
    use super::*;
    use appell::robots;

    /// The barrier's derivatives against central differences, at the seven-axis arm.
    #[test]
    fn derivatives_are_exact() {
        let robot = robots::find("seven-axis").unwrap().mechanism();
        let model = Model::bodies(&robot).with_effects(&[crate::parameters::Effect::Viscous]);
        let prior = model.values(&robot);
        let (cone, at) = Cone::new(&model, &prior, &vec![0.5; prior.len()]).unwrap();
        let n = prior.len();
        let derivatives = |at: &DVector<f64>| {
            let (mut gradient, mut hessian) = (DVector::zeros(n), DMatrix::zeros(n, n));
            cone.add_derivatives(at, 1.0, &mut gradient, &mut hessian);
            (gradient, hessian)
        };
        let (gradient, hessian) = derivatives(&at);
        for k in [0, 3, 14, 29, 38, 47, 66, 70, 76] {
            let h = 1e-6 / hessian[(k, k)].sqrt();
            let moved = |step: f64| {
                let mut moved = at.clone();
                moved[k] += step;
                moved
            };
            let (up, down) = (moved(h), moved(-h));
            let slope = (cone.barrier(&up).unwrap() - cone.barrier(&down).unwrap()) / (2.0 * h);
            assert!((slope - gradient[k]).abs() < 1e-6 * gradient.amax(), "{k}: {slope} {}", gradient[k]);
            let curve = (derivatives(&up).0 - derivatives(&down).0) / (2.0 * h);
            assert!((curve - hessian.column(k)).amax() < 1e-6 * hessian.column(k).amax(), "{k}");
        }
        assert_eq!(cone.order(), 35.0);
        assert!(cone.barrier(&-&at).is_none());
    }
}
