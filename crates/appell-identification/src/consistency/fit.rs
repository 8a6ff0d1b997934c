//! The physically consistent fit.
//!
//! ```text
//! min ‖R (B φ − β)‖² + trust² ( Σ ‖L₀⁻¹ (P − P₀) L₀⁻ᵀ‖² + Σ ((f − f₀) / f₀)² )        over all consistent φ
//! ```
//!
//! β is an estimate of base parameters, by whatever method, and Rᵀ R = W_bᵀ Λ² W_b says how much the data know of it: Λ are the weights
//! that the method gave the equations. For weighted least squares the first part is ‖Λ (W φ − y)‖² but for a constant; for
//! Huber's outliers count as little as there, and for instrumental variables the pull is to an estimate without bias.
//!
//! The second part measures the distance from a prior as Lee2020 does,
//! the same in all frames and units: it decides what the data do not, and the standard parameters come out whole.
//!
//! The cost is quadratic and the set of consistent φ a cone: a semidefinite program, small enough for Newton's method on
//! cost + t b, with b the cone's barrier and t smaller and smaller (Boyd2004, chapter 11). What is found costs at most t × the
//! cone's order more than the best. It starts at the prior and never leaves the cone. (Log-Cholesky coordinates with Levenberg's
//! and Marquardt's steps were tried before: where bodies end up thin, at the border, they crawl for thousands of rounds.)

use super::ConsistencyError;
use super::cone::{Cone, State};
use crate::base_parameters::BaseParameters;
use crate::estimate::{Estimate, Fit};
use crate::observation::Observation;
use crate::parameters::{Column, Model};
use crate::triangle::triangle;
use nalgebra::{DMatrix, DVector};

/// Newton's steps at most.
const ROUNDS: usize = 1000;
/// How often margins grow at most.
const WIDENINGS: usize = 5;
/// How much more than the best may be paid, over the cost, or over the number of equations, each of which costs 1 where σ is its noise.
const GAP: f64 = 1e-6;
/// The noise of a joint, over the size of its efforts, at least: no sensor is better, and of simulated data the rounding would
/// decide.
const LEAST_NOISE: f64 = 1e-4;
/// By how much a prior may let the residual grow before it counts less,
const PRICE: f64 = 0.2;
/// a condition number beyond which free parameters follow noise, and the prior is to count,
const NOISE_DECIDES: f64 = 1e3;
/// a residual below which there is nothing to gain,
const EXACT: f64 = 1e-3;
/// how much less,
const LESS_TRUST: [f64; 4] = [1e-1, 1e-2, 1e-3, 1e-4];
/// and by how much a residual may be larger and still as good.
const AS_GOOD: f64 = 0.02;
/// By how much t falls at a time; half the square of Newton's decrement at which it does.
const FALL: f64 = 0.1;
const CENTRED: f64 = 1e-2;
/// A step is shortened by half until it gains this part of what its slope promises.
const GAIN: f64 = 0.1;
const HALVINGS: i32 = 60;

/// A first idea of a robot.
#[derive(Debug, Clone, Copy)]
pub struct Prior<'p> {
    /// All that is to be consistent: the columns of the equations, and those that are known of the same bodies
    /// ([`Model::with_whole_bodies`]).
    pub model: &'p Model,
    /// Their values. What is no column of the equations stays so.
    pub values: &'p [f64],
    /// How much it counts: 1 takes it as known to about its own size, more for better.
    pub trust: f64,
}

/// Physically consistent parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct Consistent {
    /// All standard parameters, in the order of the equations' columns.
    pub values: DVector<f64>,
    /// The same with those that are known, in the order of the prior's columns.
    pub whole: DVector<f64>,
    /// How well the equations hold.
    pub fit: Fit,
    /// The residual of the estimate of base parameters in the same equations: the price of consistency is the difference.
    pub unconstrained: Fit,
    /// How much the prior counted.
    pub trust: f64,
    /// What it costs, in the relative residual, that bodies keep away from those without volume.
    pub margin_cost: f64,
    /// Bodies that are points in the prior, which were taken as balls of aluminium, by the names of their masses.
    pub balls: Vec<String>,
}

/// The consistent parameters that are nearest to an estimate of base parameters, as the data see it, and nearest to a prior
/// where the data do not decide.
///
/// `equations` have all standard parameters as columns, `base` says which are independent, and `estimate` is of these.
///
/// # Errors
/// If the prior is not physically consistent, or has not all columns of a body; or what is known leaves no body.
///
/// # Panics
/// If the prior has not one value per column and all columns of the equations, or `base` and `estimate` are of others.
pub fn fit(
    equations: &Observation,
    base: &BaseParameters,
    estimate: &Estimate,
    prior: &Prior<'_>,
) -> Result<Consistent, ConsistencyError> {
    fit_within(equations, base, estimate, prior, true)
}

/// The same with bodies that keep away from the border, or may come as near as they like.
fn fit_within(
    equations: &Observation,
    base: &BaseParameters,
    estimate: &Estimate,
    prior: &Prior<'_>,
    keeps_margin: bool,
) -> Result<Consistent, ConsistencyError> {
    let columns = prior.values.len();
    assert_eq!(prior.model.columns().len(), columns, "one value per column");
    assert_eq!(estimate.values.len(), base.len(), "an estimate of the base parameters");
    let place = |column: &Column| prior.model.columns().iter().position(|other| other == column);
    let places: Vec<usize> =
        equations.model().columns().iter().map(|column| place(column).expect("a prior of all columns")).collect();
    // B, and what is known of each column, in the order of the prior's.
    let mut regrouping = DMatrix::zeros(base.len(), columns);
    let (mut states, mut guess) = (vec![State::Known; columns], vec![0.0; columns]);
    for (k, &to) in places.iter().enumerate() {
        let shares = base.regrouping().column(k);
        states[to] = if shares.iter().all(|share| *share == 0.0) { State::Hidden } else { State::Seen };
        regrouping.set_column(to, &shares);
    }
    base.kept().iter().zip(&estimate.values).for_each(|(&k, &value)| guess[places[k]] = value);
    let (cone, start) = Cone::new(prior.model, prior.values, &guess, &states)?;
    let mut cone = if keeps_margin { cone } else { cone.without_margin() };
    let reduced = base.reduce(equations);
    let weights = weights(&reduced, estimate);
    let left_over = (reduced.right() - reduced.predicted(&estimate.values)).component_mul(&weights).norm_squared();
    // One linear system over φ: the data's triangle above the prior's metric.
    let (w, metric) = (reduced.matrix(), cone.metric() * prior.trust);
    let r = triangle(w.nrows(), w.ncols(), &|i, k| weights[i] * w[(i, k)]);
    let (above, below) = (r.nrows(), metric.nrows());
    let mut system = DMatrix::zeros(above + below, columns);
    system.rows_mut(0, above).copy_from(&(&r * regrouping));
    system.rows_mut(above, below).copy_from(&metric);
    let mut target = DVector::zeros(above + below);
    target.rows_mut(0, above).copy_from(&(r * &estimate.values));
    target.rows_mut(above, below).copy_from(&(&metric * &cone.prior));
    let mut whole = descend(&cone, &system, &target, left_over, weights.len(), start)?;
    for _ in 0..WIDENINGS {
        if !cone.widen(&mut whole) {
            break;
        }
        whole = descend(&cone, &system, &target, left_over, weights.len(), whole)?;
    }
    cone.move_points(prior.values, &mut whole);
    let values = whole.select_rows(&places);
    Ok(Consistent {
        fit: Fit::of(equations, &values),
        unconstrained: Fit::of(&reduced, &estimate.values),
        values,
        whole,
        trust: prior.trust,
        margin_cost: 0.0,
        balls: cone.balls.iter().map(|&k| prior.model.name(k)).collect(),
    })
}

/// The same with a prior that may be far off, as one without the payload that a robot carries: where the residual, of all joints alike, grows by more than a
/// fifth it counts ten times less, again and again, down to a ten-thousandth, unless noise decides on free
/// parameters. Of fits that are as good that of most trust is taken.
///
/// # Errors
/// As [`fit`].
///
/// # Panics
/// As [`fit`].
pub fn fit_far(
    equations: &Observation,
    base: &BaseParameters,
    estimate: &Estimate,
    prior: &Prior<'_>,
) -> Result<Consistent, ConsistencyError> {
    let mut found = vec![fit(equations, base, estimate, prior)?];
    for less in LESS_TRUST {
        if price(&found[found.len() - 1]) <= 1.0 + PRICE || estimate.condition > NOISE_DECIDES {
            break;
        }
        // A prior that hardly counts may leave bodies undecided, and the fit without an end: what was found before holds.
        match fit(equations, base, estimate, &Prior { trust: less * prior.trust, ..*prior }) {
            Ok(next) => found.push(next),
            Err(_) => break,
        }
    }
    let least = found.iter().map(price).fold(f64::INFINITY, f64::min);
    let is_as_good = |found: &Consistent| price(found) <= (1.0 + AS_GOOD) * least;
    let mut found = found.into_iter().find(is_as_good).expect("the best is as good");
    let trusted = Prior { trust: found.trust, ..*prior };
    if let Ok(nearer) = fit_within(equations, base, estimate, &trusted, false) {
        found.margin_cost = found.fit.relative - nearer.fit.relative;
    }
    Ok(found)
}

/// The residual over that of free parameters, joints counting alike: the root of the mean square of the quotients.
fn price(found: &Consistent) -> f64 {
    let rows = found.fit.rows.iter().zip(&found.unconstrained.rows);
    let squares: f64 = rows.map(|(own, free)| (own.relative.max(EXACT) / free.relative.max(EXACT)).powi(2)).sum();
    (squares / found.fit.rows.len() as f64).sqrt()
}

/// The weights of an estimate, none larger than sensors allow.
fn weights(reduced: &Observation, estimate: &Estimate) -> DVector<f64> {
    let n = reduced.rows().len();
    let measured = reduced.measured(&estimate.values);
    let size = |row: usize| {
        let squares: f64 = measured.iter().skip(row).step_by(n).map(|y| y * y).sum();
        (squares / reduced.samples() as f64).sqrt()
    };
    let most: Vec<f64> = (0..n).map(|row| 1.0 / (LEAST_NOISE * size(row)).max(f64::MIN_POSITIVE)).collect();
    DVector::from_fn(measured.len(), |k, _| estimate.weights[k].min(most[k % n]))
}

/// Newton's method on ‖A φ − b‖² + t × barrier, t falling.
fn descend(
    cone: &Cone,
    system: &DMatrix<f64>,
    target: &DVector<f64>,
    left_over: f64,
    equations: usize,
    mut at: DVector<f64>,
) -> Result<DVector<f64>, ConsistencyError> {
    let cost_at = |at: &DVector<f64>| (system * at - target).norm_squared() + left_over;
    let (normal, right) = (system.tr_mul(system) * 2.0, system.tr_mul(target) * 2.0);
    let active = &cone.active;
    let mut weight = cost_at(&at) / cone.order().max(1.0);
    for round in 1..=ROUNDS {
        let mut gradient = &normal * &at - &right;
        let mut hessian = normal.clone();
        cone.add_derivatives(&at, weight, &mut gradient, &mut hessian);
        let gradient = gradient.select_rows(active);
        let hessian = hessian.select_rows(active).select_columns(active);
        let step = newton_step(&hessian, &gradient).ok_or(ConsistencyError::NotConverged { rounds: round })?;
        let promised = -gradient.dot(&step);
        let whole = |at: &DVector<f64>| cone.barrier(at).map(|barrier| cost_at(at) + weight * barrier);
        let now = whole(&at).ok_or(ConsistencyError::NotConverged { rounds: round })?;
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
                return Ok(at);
            }
            weight *= FALL;
        }
    }
    Err(ConsistencyError::NotConverged { rounds: ROUNDS })
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
