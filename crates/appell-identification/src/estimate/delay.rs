//! Whether efforts were recorded later or earlier than positions: a drive that sends its current with the next telegram, a filter
//! on one channel only.
//!
//! ```text
//! τ(t − d) ≈ τ − d τ̇        W φ − d τ̂˙ = y,        τ̂ = W φ̂
//! ```
//!
//! d is one unknown more, beside all others, since friction and rotors take over what they can of it.

use super::{Estimate, Observation, reflections};
use nalgebra::{DMatrix, DVector};

/// Doubted from this many σ on, and where the residual falls by this part at least.
const CERTAIN: f64 = 5.0;
const WORTH: f64 = 0.1;

/// Efforts that are late.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Delay {
    /// By how much, s; negative where they are early.
    pub seconds: f64,
    /// Its standard deviation, s.
    pub sigma: f64,
    /// The part of the weighted residual that is gone with it.
    pub gain: f64,
}

/// The delay of efforts after positions, where there is one worth telling. `recordings` are the numbers of samples of each recording,
/// one after the other, `step` the seconds between two.
///
/// # Panics
/// If the recordings have not as many samples as the equations.
#[must_use]
pub fn delay(equations: &Observation, found: &Estimate, recordings: &[usize], step: f64) -> Option<Delay> {
    assert_eq!(recordings.iter().sum::<usize>(), equations.samples(), "all samples are of a recording");
    let n = equations.rows().len();
    let predicted = equations.predicted(&found.values);
    let mut inside = Vec::new(); // samples with neighbours
    let mut begin = 0;
    for &samples in recordings {
        inside.extend(begin + 1..(begin + samples).saturating_sub(1).max(begin + 1));
        begin += samples;
    }
    let part = equations.samples_of(&inside);
    let rows = inside.iter().flat_map(|&i| (0..n).map(move |row| i * n + row));
    let weights: Vec<f64> = rows.clone().map(|row| found.weights[row]).collect();
    let rates: Vec<f64> = rows.map(|row| (predicted[row + n] - predicted[row - n]) / (2.0 * step)).collect();
    // One column more, under the first one's name: estimators look at numbers only.
    let columns = part.matrix().ncols();
    let places: Vec<usize> = (0..columns).chain([0]).collect();
    let model = part.model().with_columns(&places);
    let mut matrix = DMatrix::zeros(rates.len(), columns + 1);
    matrix.columns_mut(0, columns).copy_from(part.matrix());
    matrix.set_column(columns, &(-DVector::from_vec(rates)));
    let weights = weights.into();
    let without = reflections::estimate(&part.weighed(&weights)).ok()?;
    let with = Observation::new(matrix, part.right().clone(), model, part.rows().to_vec()).weighed(&weights);
    let with_delay = reflections::estimate(&with).ok()?;
    let left =
        |equations: &Observation, found: &Estimate| (equations.right() - equations.predicted(&found.values)).norm();
    let gain = 1.0 - left(&with, &with_delay) / left(&part.weighed(&weights), &without);
    let delay = Delay { seconds: with_delay.values[columns], sigma: with_delay.sigma()[columns], gain };
    (delay.seconds.abs() > CERTAIN * delay.sigma && gain > WORTH).then_some(delay)
}
