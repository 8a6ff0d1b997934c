//! The physically consistent fit.
//!
//! ```text
//! min ‖(W φ − y) / σ‖² + trust² ( Σ ‖L₀⁻¹ (P − P₀) L₀⁻ᵀ‖² + Σ ((f − f₀) / f₀)² )        over all consistent φ
//! ```
//!
//! σ is the noise of each joint by weighted least squares. The second part measures the distance from a prior as Lee2020 does,
//! the same in all frames and units: it decides what the data do not, and the standard parameters come out whole. The cost is
//! convex in φ, and φ a one-to-one function of free numbers, so that whatever stands still is the minimum. It is found by
//! Levenberg's and Marquardt's steps with exact derivatives, on the triangle of the equations.

use super::unknowns::Unknowns;
use super::{ConsistencyError, Flaw, flaws};
use crate::base_parameters::BaseParameters;
use crate::estimate::{Fit, weighted};
use crate::observation::Observation;
use nalgebra::{DMatrix, DVector};

/// Rounds at most; the relative change of the cost that ends them, met this many times.
const ROUNDS: usize = 2000;
const SETTLED: f64 = 1e-9;
const TIMES: usize = 5;

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
    /// Steps that were taken.
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
    let mut guess = vec![0.0; prior.len()];
    base.kept().iter().zip(&plain.values).for_each(|(&k, &value)| guess[k] = value);
    let (unknowns, start) = Unknowns::new(equations.model(), prior, &guess)?;
    let weighed = weights.divide(equations);
    let columns = prior.len();
    let qr = weighed.matrix().clone().qr();
    let mut right = weighed.right().clone();
    qr.q_tr_mul(&mut right);
    // One linear system over φ: the data's triangle above the prior's metric.
    let (triangle, metric) = (qr.r(), unknowns.metric() * trust);
    let (above, below) = (triangle.nrows(), metric.nrows());
    let mut system = DMatrix::zeros(above + below, columns);
    system.rows_mut(0, above).copy_from(&triangle);
    system.rows_mut(above, below).copy_from(&metric);
    let mut target = DVector::zeros(above + below);
    target.rows_mut(0, above).copy_from(&right.rows(0, above));
    target.rows_mut(above, below).copy_from(&(&metric * &unknowns.prior));
    let left_over = right.rows_range(above..).norm_squared();
    let (values, rounds) = descend(&unknowns, &system, &target, left_over, start)?;
    let distance = (&metric * (&values - &unknowns.prior)).norm() / trust.max(f64::MIN_POSITIVE);
    Ok(Consistent { fit: Fit::of(equations, &values), unconstrained: plain.fit, values, distance, rounds })
}

/// Levenberg and Marquardt: steps along (Jᵀ J + μ diag Jᵀ J)⁻¹ Jᵀ r, μ smaller after a success, larger after a failure.
fn descend(
    unknowns: &Unknowns,
    system: &DMatrix<f64>,
    target: &DVector<f64>,
    left_over: f64,
    mut numbers: DVector<f64>,
) -> Result<(DVector<f64>, usize), ConsistencyError> {
    let cost_at = |parameters: &DVector<f64>| (system * parameters - target).norm_squared() + left_over;
    let normal = system.tr_mul(system);
    let right = system.tr_mul(target);
    let (mut parameters, mut slopes) = unknowns.at(&numbers);
    let mut cost = cost_at(&parameters);
    let (mut damping, mut small, mut change) = (1e-3, 0, f64::INFINITY);
    for round in 0..ROUNDS {
        let gradient = slopes.tr_mul(&(&right - &normal * &parameters));
        let mut hessian = slopes.tr_mul(&(&normal * &slopes));
        let least = f64::EPSILON * hessian.diagonal().max();
        (0..numbers.len()).for_each(|k| hessian[(k, k)] += damping * hessian[(k, k)].max(least) + least);
        let step = hessian.cholesky().map(|cholesky| cholesky.solve(&gradient));
        let trial = step.map(|step| &numbers + step).filter(|trial| trial.iter().all(|x| x.is_finite()));
        let better = trial.and_then(|trial| {
            let (parameters, slopes) = unknowns.at(&trial);
            let cost_there = cost_at(&parameters);
            (cost_there <= cost).then_some((trial, parameters, slopes, cost_there))
        });
        if let Some((trial, there, slopes_there, cost_there)) = better {
            change = (cost - cost_there) / cost.max(f64::MIN_POSITIVE);
            (numbers, parameters, slopes, cost) = (trial, there, slopes_there, cost_there);
            damping = (damping * 0.2_f64).max(1e-12);
            small = if change < SETTLED { small + 1 } else { 0 };
        } else {
            damping *= 8.0;
            // Nothing better within reach of rounding: it stands still.
            small = if damping > 1e12 { TIMES } else { small };
        }
        if small >= TIMES {
            return Ok((parameters, round + 1));
        }
    }
    Err(ConsistencyError::NotSettled { rounds: ROUNDS, change })
}
