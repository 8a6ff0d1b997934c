//! Drive gains: efforts in units to be found stand among the columns, with their noise, and least squares would be biased by it:
//! small gains make the noise small too. So the measured efforts are put in the gains' columns as the parameters predict them,
//! and the noise on the right side, where every estimator expects it.
//!
//! ```text
//! Y φ − g τ = y        τ̂ = (Y φ − y) / g        (Y, −τ̂) (φ, g) = y + g (τ − τ̂)
//! ```
//!
//! These are Gauss's and Newton's steps on τ − τ̂(φ, g), again and again until nothing changes. τ̂ is linear in 1/g, so
//! that it is 1/g that takes the step: g² / (2 g − g') where g' solves the equations. A joint of known gain has its efforts on the right
//! side anyway.

use super::{Estimate, EstimateError, Fit, Observation, pseudo_inverse, reflections};
use nalgebra::DVector;

/// Rounds at most; the change of parameters, over their size, that ends them.
const ROUNDS: usize = 100;
const SETTLED: f64 = 1e-9;

/// A gain grows to no more than this many times itself in a round.
const GROWTH: f64 = 4.0;

/// The columns of gains.
fn gains(equations: &Observation) -> Vec<usize> {
    let columns = equations.model().columns().iter().enumerate();
    columns.filter(|(_, column)| column.is_gain()).map(|(k, _)| k).collect()
}

/// The equations of the drive that a gain's column is of; none where all its efforts are zero.
fn equations_of(equations: &Observation, gain: usize) -> impl Iterator<Item = usize> + use<> {
    let (efforts, n) = (equations.matrix().column(gain), equations.rows().len());
    let first = efforts.iter().position(|&effort| effort != 0.0).map_or(efforts.len(), |row| row % n);
    (first..efforts.len()).step_by(n)
}

/// Whether equations have gains among their unknowns.
#[must_use]
pub fn are_asked(equations: &Observation) -> bool {
    !gains(equations).is_empty()
}

/// Equations that are linear about some parameters, with the noise of the efforts on the right side; the same ones where there are
/// no gains.
///
/// # Panics
/// If there is not one value per column.
#[must_use]
pub fn linear(equations: &Observation, values: &DVector<f64>) -> Observation {
    let gains = gains(equations);
    if gains.is_empty() {
        return equations.clone();
    }
    let residual = equations.right() - equations.predicted(values); // g (τ − τ̂)
    let (mut matrix, mut right) = (equations.matrix().clone(), equations.right().clone());
    for k in gains {
        for row in equations_of(equations, k) {
            // −τ̂ = −τ + (τ − τ̂).
            matrix[(row, k)] += residual[row] / values[k];
            right[row] += residual[row];
        }
    }
    equations.with_numbers(matrix, [right, equations.known().clone()])
}

/// The estimate by a method for equations whose columns have no noise.
///
/// # Errors
/// If the method has no answer, or the gains did not converge.
pub fn estimate(
    equations: &Observation,
    by: impl Fn(&Observation) -> Result<Estimate, EstimateError>,
) -> Result<Estimate, EstimateError> {
    let gains = gains(equations);
    // Gains of 1, and what least squares makes of the noise: the better one first.
    let mut starts = vec![of_ones(equations, &gains)?];
    starts.extend(reflections::estimate(equations).map(|found| found.values));
    starts.retain(|values| gains.iter().all(|&k| values[k] > 0.0));
    starts.sort_by(|one, other| left(equations, &gains, one).total_cmp(&left(equations, &gains, other)));
    let mut refused = not_settled();
    for start in starts {
        match settled(equations, &gains, start, &by) {
            Ok(found) => return Ok(found),
            Err(error) => refused = error,
        }
    }
    Err(refused)
}

fn not_settled() -> EstimateError {
    let remedy = "the data hardly show them; know something heavier, or more gains, or excite better";
    EstimateError::NotConverged { what: "the drive gains", rounds: ROUNDS, remedy }
}

/// Rounds of a method from some parameters on.
fn settled(
    equations: &Observation,
    gains: &[usize],
    mut values: DVector<f64>,
    by: impl Fn(&Observation) -> Result<Estimate, EstimateError>,
) -> Result<Estimate, EstimateError> {
    for _ in 0..ROUNDS {
        let next = by(&linear(equations, &values))?;
        let mut there = next.values.clone();
        for &k in gains {
            let (now, solved) = (values[k], next.values[k]);
            there[k] = now / (2.0 - solved / now).max(1.0 / GROWTH);
        }
        let change = (&there - &values).norm() / there.norm().max(f64::MIN_POSITIVE);
        values = there;
        if change < SETTLED {
            return Ok(Estimate { fit: Fit::of(equations, &values), values, ..next });
        }
    }
    Err(not_settled())
}

/// ‖τ − τ̂‖² over ‖τ‖², summed up over the drives.
fn left(equations: &Observation, gains: &[usize], values: &DVector<f64>) -> f64 {
    let residual = equations.right() - equations.predicted(values);
    let of_drive = |&k: &usize| {
        let squares = equations_of(equations, k).map(|row| residual[row].powi(2)).sum::<f64>();
        squares / (values[k] * values[k] * equations.matrix().column(k).norm_squared())
    };
    gains.iter().map(of_drive).sum()
}

/// Parameters for gains of 1.
fn of_ones(equations: &Observation, gains: &[usize]) -> Result<DVector<f64>, EstimateError> {
    let mut values = DVector::from_element(equations.matrix().ncols(), 1.0);
    let known: Vec<(String, f64)> = gains.iter().map(|&k| (equations.model().name(k), 1.0)).collect();
    let others = equations.with_known(&known).expect("columns of these equations");
    if others.matrix().ncols() > 0 {
        let found = pseudo_inverse::estimate(&others)?;
        let places = (0..values.len()).filter(|k| !gains.contains(k));
        places.zip(&found.values).for_each(|(k, &value)| values[k] = value);
    }
    Ok(values)
}
