//! The instants of a measurement: whether they grow evenly, as filters and differences need them to.

use super::SignalError;
use super::channel::median;
use super::error::{finite, long_enough};
use crate::thresholds::{GAP, UNEVEN};

/// Evenly sampled time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Clock {
    /// Between two samples on the average, s.
    pub step: f64,
    /// How far a step is from that at worst, as a part of it: rounding of the written times, or the recorder's jitter.
    pub jitter: f64,
}

impl Clock {
    /// The clock of these instants, s.
    ///
    /// ```
    /// use appell_identification::signals::{Clock, SignalError};
    ///
    /// assert_eq!(Clock::of(&[0.0, 0.5, 1.0])?.rate(), 2.0);
    /// assert_eq!(Clock::of(&[0.0, 0.5, 0.4]), Err(SignalError::Backwards { row: 3, time: 0.4, before: 0.5 }));
    /// # Ok::<(), SignalError>(())
    /// ```
    ///
    /// # Errors
    /// What is wrong first: NaN, time that goes backwards or stands still, missing samples, or steps that
    /// differ by more than a tenth.
    pub fn of(times: &[f64]) -> Result<Self, SignalError> {
        long_enough(times.len(), 3)?;
        finite(times)?;
        if let Some(k) = times.windows(2).position(|pair| pair[1] <= pair[0]) {
            let (before, time, row) = (times[k], times[k + 1], k + 2);
            return Err(if time < before {
                SignalError::Backwards { row, time, before }
            } else {
                SignalError::Twice { row, time }
            });
        }
        let steps: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let usual = median(steps.iter().copied());
        // A late sample makes the next step short; a lost one does not.
        let has_gap = |k: &usize| {
            let neighbours = [k.checked_sub(1), Some(k + 1)].into_iter().flatten().filter_map(|other| steps.get(other));
            let shortest = neighbours.copied().fold(usual, f64::min);
            steps[*k] > GAP * usual && steps[*k] + shortest > (GAP + 1.0) * usual
        };
        if let Some(k) = (0..steps.len()).find(has_gap) {
            let lost = |k: usize| (steps[k] / usual).round() as usize - 1;
            let count = (0..steps.len()).filter(has_gap).map(lost).sum();
            return Err(SignalError::Dropped { row: k + 1, gap: steps[k], step: usual, count });
        }
        let step = (times[times.len() - 1] - times[0]) / steps.len() as f64;
        let distance = |&k: &usize| (steps[k] - step).abs();
        let worst = (0..steps.len()).max_by(|i, k| distance(i).total_cmp(&distance(k))).unwrap_or(0);
        let jitter = distance(&worst) / step;
        if jitter > UNEVEN {
            return Err(SignalError::Uneven { row: worst + 1, step: usual, found: steps[worst] });
        }
        Ok(Self { step, jitter })
    }

    /// Samples a second, Hz.
    #[must_use]
    pub fn rate(&self) -> f64 {
        self.step.recip()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounded_times_still_are_even() {
        let times: Vec<f64> = (0..100).map(|k| (f64::from(k) / 3.0 * 1000.0).round() / 1000.0).collect();
        let clock = Clock::of(&times).unwrap();
        assert!((clock.rate() - 3.0).abs() < 1e-3 && clock.jitter < 0.003, "{clock:?}");
    }

    #[test]
    fn every_fault_is_named_with_its_row() {
        let even: Vec<f64> = (0..20).map(|k| 0.1 * f64::from(k)).collect();
        let with = |row: usize, time: f64| {
            let mut times = even.clone();
            times[row - 1] = time;
            Clock::of(&times).unwrap_err()
        };
        assert!(matches!(with(4, f64::NAN), SignalError::NotFinite { row: 4, .. }));
        assert_eq!(with(4, even[2]), SignalError::Twice { row: 4, time: even[2] });
        assert!(matches!(with(4, 0.05), SignalError::Backwards { row: 4, .. }));
        assert!(matches!(with(4, 0.32), SignalError::Uneven { row: 3 | 4, .. }));
        assert!(matches!(with(4, 0.36), SignalError::Uneven { row: 3 | 4, .. }), "late, not lost");
        let mut lost = even.clone();
        lost.drain(8..11);
        lost.remove(2);
        let error = Clock::of(&lost).unwrap_err();
        assert!(matches!(error, SignalError::Dropped { row: 2, count: 4, .. }), "{error}");
        assert_eq!(Clock::of(&even[..2]), Err(SignalError::TooShort { found: 2, least: 3 }));
    }
}
