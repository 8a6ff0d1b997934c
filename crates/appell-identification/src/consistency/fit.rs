//! The physically consistent fit.
//!
//! ```text
//! min ‖(W φ − y) / σ‖² + trust² ( Σ ‖L₀⁻¹ (P − P₀) L₀⁻ᵀ‖² + Σ ((f − f₀) / f₀)² )        over all consistent φ
//! ```
//!
//! σ is the noise of each joint by weighted least squares. The second part measures the distance from a prior as Lee2020 does,
//! the same in all frames and units: it decides what the data do not, and the standard parameters come out whole.
//!
//! The cost is quadratic and the set of consistent φ a cone: a semidefinite program, small enough for Newton's method on
//! cost + t b, with b the cone's barrier and t smaller and smaller (Boyd2004, chapter 11). What is found costs at most t × the
//! cone's order more than the best. It starts at the prior and never leaves the cone. (Log-Cholesky coordinates with Levenberg's
//! and Marquardt's steps were tried before: where bodies end up thin, at the border, they crawl for thousands of rounds.)

use super::cone::Cone;
use super::{ConsistencyError, Flaw, flaws};
use crate::base_parameters::BaseParameters;
use crate::estimate::{Fit, Weights, weighted};
use crate::observation::Observation;
use nalgebra::{DMatrix, DVector};

/// Newton's steps at most.
const ROUNDS: usize = 1000;
/// How much more than the best may be paid, over the cost, or over the number of equations, each of which costs 1 where σ is its noise.
const GAP: f64 = 1e-6;
/// The noise of a joint, over the size of its efforts, at least: no sensor is better, and of simulated data the rounding would
/// decide.
const LEAST_NOISE: f64 = 1e-4;
/// By how much t falls at a time; half the square of Newton's decrement at which it does.
const FALL: f64 = 0.1;
const CENTRED: f64 = 1e-2;
/// A step is shortened by half until it gains this part of what its slope promises.
const GAIN: f64 = 0.1;
const HALVINGS: i32 = 60;

/// Parameters that a real robot can have.
#[derive(Debug, Clone, PartialEq)]
pub struct Consistent {
    /// All standard parameters, in the order of the equations' columns.
    pub values: DVector<f64>,
    /// How well the equations hold.
    pub fit: Fit,
    /// What base parameters of any value leave of the same equations: the price of consistency is the difference.
    pub unconstrained: Fit,
    /// The distance from the prior, 1 being a change by its own size.
    pub distance: f64,
    /// Newton's steps that were taken.
    pub rounds: usize,
}

impl Consistent {
    /// What makes them inconsistent: nothing.
    #[must_use]
    pub fn flaws(&self, equations: &Observation) -> Vec<Flaw> {
        flaws(equations.model(), self.values.as_slice())
    }
}

/// The consistent parameters that fit best, and are nearest to a prior where the data do not decide.
///
/// `equations` have all standard parameters as columns, `base` says which are independent, `trust` is how much the prior
/// counts: 1 takes it as known to about its own size, more for better.
///
/// # Errors
/// If the prior is of no real robot, a body has not all its columns, or the equations cannot be weighed.
///
/// # Panics
/// If the prior has not one number a column, or `base` is of other columns.
pub fn fit(
    equations: &Observation,
    base: &BaseParameters,
    prior: &[f64],
    trust: f64,
) -> Result<Consistent, ConsistencyError> {
    assert_eq!(prior.len(), equations.matrix().ncols(), "one number a column");
    let (plain, weights) = weighted::estimate(&base.reduce(equations))?;
    let noise = weights.0.iter().zip(&plain.fit.rows);
    let weights = Weights(noise.map(|(noise, row)| noise.max(LEAST_NOISE * row.rms / row.relative)).collect());
    let mut guess = vec![0.0; prior.len()];
    base.kept().iter().zip(&plain.values).for_each(|(&k, &value)| guess[k] = value);
    let (cone, start) = Cone::new(equations.model(), prior, &guess)?;
    let weighed = weights.divide(equations);
    let columns = prior.len();
    let qr = weighed.matrix().clone().qr();
    let mut right = weighed.right().clone();
    qr.q_tr_mul(&mut right);
    // One linear system over φ: the data's triangle above the prior's metric.
    let (triangle, metric) = (qr.r(), cone.metric() * trust);
    let (above, below) = (triangle.nrows(), metric.nrows());
    let mut system = DMatrix::zeros(above + below, columns);
    system.rows_mut(0, above).copy_from(&triangle);
    system.rows_mut(above, below).copy_from(&metric);
    let mut target = DVector::zeros(above + below);
    target.rows_mut(0, above).copy_from(&right.rows(0, above));
    target.rows_mut(above, below).copy_from(&(&metric * cone.prior()));
    let left_over = right.rows_range(above..).norm_squared();
    let (values, rounds) = descend(&cone, &system, &target, left_over, weighed.right().len(), start)?;
    let distance = (&metric * (&values - cone.prior())).norm() / trust.max(f64::MIN_POSITIVE);
    Ok(Consistent { fit: Fit::of(equations, &values), unconstrained: plain.fit, values, distance, rounds })
}

/// Newton's method on ‖A φ − b‖² + t × barrier, t falling.
fn descend(
    cone: &Cone,
    system: &DMatrix<f64>,
    target: &DVector<f64>,
    left_over: f64,
    equations: usize,
    mut at: DVector<f64>,
) -> Result<(DVector<f64>, usize), ConsistencyError> {
    let cost_at = |at: &DVector<f64>| (system * at - target).norm_squared() + left_over;
    let (normal, right) = (system.tr_mul(system) * 2.0, system.tr_mul(target) * 2.0);
    let active = cone.active();
    let mut weight = cost_at(&at) / cone.order().max(1.0);
    for round in 1..=ROUNDS {
        let mut gradient = &normal * &at - &right;
        let mut hessian = normal.clone();
        cone.add_derivatives(&at, weight, &mut gradient, &mut hessian);
        let gradient = gradient.select_rows(&active);
        let hessian = hessian.select_rows(&active).select_columns(&active);
        let step = newton_step(&hessian, &gradient).ok_or(ConsistencyError::NotSettled { rounds: round })?;
        let promised = -gradient.dot(&step);
        let whole = |at: &DVector<f64>| cone.barrier(at).map(|barrier| cost_at(at) + weight * barrier);
        let now = whole(&at).ok_or(ConsistencyError::NotSettled { rounds: round })?;
        let moved = (0..HALVINGS).find_map(|halving| {
            let part = 0.5_f64.powi(halving);
            let mut there = at.clone();
            active.iter().zip(&step).for_each(|(&k, step)| there[k] += part * step);
            whole(&there).filter(|cost| *cost <= now - GAIN * part * promised).map(|_| there)
        });
        let stands = moved.is_none();
        at = moved.unwrap_or(at);
        if 0.5 * promised <= CENTRED * weight || stands {
            if weight * cone.order() <= GAP * cost_at(&at).max(equations as f64) {
                return Ok((at, round));
            }
            weight *= FALL;
        }
    }
    Err(ConsistencyError::NotSettled { rounds: ROUNDS })
}

/// −H⁻¹ g, with H scaled to ones on its diagonal: parameters have many units.
fn newton_step(hessian: &DMatrix<f64>, gradient: &DVector<f64>) -> Option<DVector<f64>> {
    let scale = hessian.diagonal().map(|x| 1.0 / x.max(f64::MIN_POSITIVE).sqrt());
    let n = gradient.len();
    let scaled = DMatrix::from_fn(n, n, |i, k| {
        let regular = if i == k { f64::EPSILON } else { 0.0 };
        hessian[(i, k)] * scale[i] * scale[k] + regular
    });
    let step = scaled.cholesky()?.solve(&gradient.component_mul(&scale)).component_mul(&scale);
    step.iter().all(|x| x.is_finite()).then_some(-step)
}
