//! Recordings that do not fit the others: another load, another layout, another robot.
//!
//! Each recording is predicted by parameters of the others alone. An outlier is predicted much worse than the others fit themselves, and
//! than it fits itself, which one that is only noisier is not; and spoils their fit when it is fitted with them. Of two recordings that do
//! not agree each is an outlier to the other.

use crate::estimate::{Estimate, Fit, truncated, weighted};
use crate::observation::Observation;
use crate::thresholds::{BETTER_WITHOUT, HARDLY_SHOWN, OUTLIER_RATIO, OUTLIER_RESIDUAL, SMALL_SINGULAR_VALUE};

/// A recording that does not fit the others.
#[derive(Debug, Clone, PartialEq)]
pub struct Outlier {
    /// Its number, counted from 0.
    pub recording: usize,
    /// Its residual with parameters of the others.
    pub predicted: f64,
    /// The residual of the others with them.
    pub others: f64,
    /// What is left where all are fitted together.
    pub together: f64,
}

/// The recordings that do not fit the others, where the equations are those of recordings with so many samples, one after the other.
///
/// # Panics
/// If the recordings have not as many samples as the equations.
#[must_use]
pub fn outliers(equations: &Observation, found: &Estimate, samples: &[usize]) -> Vec<Outlier> {
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
        let by_others = weighted::estimate(&rest).ok().filter(|found| found.condition < HARDLY_SHOWN)?;
        let others = Fit::of(&rest, &by_others.values).relative;
        let own = equations.part(own);
        let predicted = Fit::of(&own, &by_others.values).relative;
        // A short one may leave some parameters open.
        let itself = truncated::estimate(&own, SMALL_SINGULAR_VALUE).map_or(predicted, |found| found.fit.relative);
        let is_outlier =
            predicted > OUTLIER_RESIDUAL.max(OUTLIER_RATIO * others.max(itself)) && others < BETTER_WITHOUT * together;
        is_outlier.then_some(Outlier { recording, predicted, others, together })
    };
    ends.zip(samples).enumerate().filter_map(of_recording).collect()
}
