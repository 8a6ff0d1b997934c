//! Recordings that do not fit the others: another load, another layout, another robot.
//!
//! Each recording is predicted by parameters of the others alone. A stranger is predicted much worse than the others fit themselves, and
//! than it fits itself, which one that is only noisier is not; and spoils their fit when it is fitted with them. Of two recordings that do
//! not agree each is a stranger to the other.

use crate::estimate::{Estimate, Fit, truncated, weighted};
use crate::observation::Observation;

/// How many times as much as of their own efforts the others leave of those of a stranger,
const WORSE: f64 = 4.0;

/// how much at least,
const MUCH: f64 = 0.03;

/// and what part of the residual of all they leave without it, at most.
const BETTER: f64 = 0.6;

/// Others that say less, by their condition number, predict nothing.
const SAY_NOTHING: f64 = 1e4;

/// Singular values below this part of the largest say nothing.
const SMALL: f64 = 1e-4;

/// A recording that does not fit the others.
#[derive(Debug, Clone, PartialEq)]
pub struct Stranger {
    /// Its number, counted from 0.
    pub recording: usize,
    /// What parameters of the others leave of its efforts.
    pub predicted: f64,
    /// What they leave of the others'.
    pub others: f64,
    /// What is left where all are fitted together.
    pub together: f64,
}

/// The recordings that do not fit the others, where the equations are those of recordings with so many samples, one after the other.
///
/// # Panics
/// If the recordings have not as many samples as the equations.
#[must_use]
pub fn strangers(equations: &Observation, found: &Estimate, samples: &[usize]) -> Vec<Stranger> {
    let total: usize = samples.iter().sum();
    assert_eq!(total, equations.samples(), "every sample is of a recording");
    if samples.len() < 2 {
        return Vec::new();
    }
    let together = Fit::of(equations, &found.values).relative;
    let ends = samples.iter().scan(0, |end, count| {
        *end += count;
        Some(*end)
    });
    let of_recording = |(recording, (end, count)): (usize, (usize, &usize))| {
        let own = end - count..end;
        let rest: Vec<usize> = (0..total).filter(|i| !own.contains(i)).collect();
        let rest = equations.samples_of(&rest);
        // Others that do not move all joints cannot be asked.
        let (by_others, _) = weighted::estimate(&rest).ok().filter(|(found, _)| found.condition < SAY_NOTHING)?;
        let others = Fit::of(&rest, &by_others.values).relative;
        let own = equations.part(own);
        let predicted = Fit::of(&own, &by_others.values).relative;
        // A short one may leave some parameters open.
        let itself = truncated::estimate(&own, SMALL).map_or(predicted, |found| found.fit.relative);
        let is_stranger = predicted > MUCH.max(WORSE * others.max(itself)) && others < BETTER * together;
        is_stranger.then_some(Stranger { recording, predicted, others, together })
    };
    ends.zip(samples).enumerate().filter_map(of_recording).collect()
}
