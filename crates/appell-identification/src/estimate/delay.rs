//! Whether efforts were recorded later or earlier than positions: a drive that sends its current with the next telegram, a filter
//! on one channel only.
//!
//! ```text
//! τ(t − d) ≈ τ − d τ̇        W φ − d τ̂˙ = y,        τ̂ = W φ̂
//! ```
//!
//! d is one unknown more, beside all others, since friction and rotors take over what they can of it.

use super::{Estimate, Observation};
use nalgebra::DVector;

/// Doubted from this many σ on, and where the residual falls by this part at least.
const CERTAIN: f64 = 5.0;
const WORTH: f64 = 0.1;

/// Less than this, s, is none.
const LEAST: f64 = 2e-4;

/// Efforts that are late.
#[derive(Debug, Clone, PartialEq)]
pub struct Delay {
    /// The joint whose efforts are late, or whose positions are early; none if all are.
    pub joint: Option<String>,
    /// By how much, s, to first order; negative where they are early.
    pub seconds: f64,
    /// The part of what is left of these efforts that is gone with it.
    pub gain: f64,
}

/// The delay of efforts after positions, of all joints or of the one that explains more, where there is one worth telling. `stretches` are the numbers of samples
/// that follow each other without a gap, one stretch after the other, and `step` the seconds between two.
///
/// # Panics
/// If the stretches have not as many samples as the equations.
#[must_use]
pub fn delay(equations: &Observation, found: &Estimate, stretches: &[usize], step: f64) -> Option<Delay> {
    assert_eq!(stretches.iter().sum::<usize>(), equations.samples(), "every sample is of a stretch");
    let n = equations.rows().len();
    let left = equations.right() - equations.predicted(&found.values);
    let predicted = equations.measured(&found.values) - left;
    let mut inside = Vec::new(); // samples with neighbours
    let mut begin = 0;
    for &samples in stretches {
        inside.extend(begin + 1..(begin + samples).saturating_sub(1).max(begin + 1));
        begin += samples;
    }
    if inside.len() * n <= equations.matrix().ncols() {
        return None; // nothing is left over to see it in
    }
    let rows: Vec<usize> = inside.iter().flat_map(|&i| (0..n).map(move |row| i * n + row)).collect();
    let rate = |row: usize| (predicted[row + n] - predicted[row - n]) / (2.0 * step);
    let weights = DVector::from_iterator(rows.len(), rows.iter().map(|&row| found.weights[row]));
    let part = equations.samples_of(&inside).weighed(&weights);
    let slopes = DVector::from_iterator(rows.len(), rows.iter().map(|&row| -rate(row))).component_mul(&weights);
    // What the columns cannot explain of the efforts, and of their slopes.
    let q = part.matrix().clone().qr().q();
    let rest = |vector: DVector<f64>| &vector - &q * q.tr_mul(&vector);
    let residual = rest(part.right().clone());
    let of = |joint: Option<usize>| {
        let chosen = |k: usize| joint.is_none_or(|row| k % n == row);
        let slope = rest(DVector::from_fn(slopes.len(), |k, _| if chosen(k) { slopes[k] } else { 0.0 }));
        let seconds = slope.dot(&residual) / slope.norm_squared();
        let after = &residual - &slope * seconds;
        let freedom = slopes.len().saturating_sub(part.matrix().ncols() + 1).max(1) as f64;
        let sigma = after.norm() / (freedom.sqrt() * slope.norm());
        let squares = |vector: &DVector<f64>| -> f64 {
            vector.iter().enumerate().filter(|(k, _)| chosen(*k)).map(|(_, x)| x * x).sum()
        };
        let gain = 1.0 - (squares(&after) / squares(&residual)).sqrt();
        let name = joint.map(|row| equations.rows()[row].clone());
        let explained = residual.norm_squared() - after.norm_squared();
        let is_told = seconds.abs() > (CERTAIN * sigma).max(LEAST) && gain > WORTH;
        is_told.then_some((explained, Delay { joint: name, seconds, gain }))
    };
    let best = (0..n).filter_map(|row| of(Some(row))).max_by(|one, other| one.0.total_cmp(&other.0));
    match (of(None), best) {
        (Some((of_all, all)), Some((of_one, _))) if of_one < of_all => Some(all),
        (all, one) => one.or(all).map(|(_, delay)| delay),
    }
}
