//! How long things take: histograms of nanoseconds.

use crate::system::SECOND;
use core::fmt;
use hdrhistogram::Histogram;

/// Times longer than this are counted as this, ns.
const LONGEST: u64 = 60 * SECOND;

/// Times of one kind. Recording one allocates nothing.
#[derive(Clone)]
pub struct Times(Histogram<u64>);

impl fmt::Debug for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} times, median {} ns, longest {} ns", self.count(), self.quantile(0.5), self.longest())
    }
}

impl Default for Times {
    fn default() -> Self {
        Self(Histogram::new_with_bounds(1, LONGEST, 3).expect("these bounds are valid"))
    }
}

impl Times {
    /// Counts a time, ns.
    pub fn record(&mut self, time: u64) {
        self.0.saturating_record(time);
    }

    /// How many there were.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.0.len()
    }

    /// The time that a part of all does not pass, ns: 0.5 is the median, 1 the longest.
    #[must_use]
    pub fn quantile(&self, part: f64) -> u64 {
        self.0.value_at_quantile(part)
    }

    /// The longest, ns.
    #[must_use]
    pub fn longest(&self) -> u64 {
        self.0.max()
    }

    /// How many times were longer, in steps: pairs of a time, ns, and how many were no longer than it but longer than the
    /// step before. Steps grow by half.
    #[must_use]
    pub fn steps(&self) -> Vec<(u64, u64)> {
        let mut steps = Vec::new();
        for step in self.0.iter_log(100, 1.5) {
            steps.push((step.value_iterated_to(), step.count_since_last_iteration()));
        }
        let first = steps.iter().position(|(_, count)| *count > 0).unwrap_or(steps.len());
        steps.split_off(first)
    }
}

/// What is timed in a run of a controller.
#[derive(Debug, Clone, Default)]
pub struct Timings {
    /// How much later than wanted the controller woke up; none in lockstep.
    pub wake_up: Times,
    /// From the sensors to the outputs.
    pub step: Times,
    /// From the outputs to sensors that know of them.
    pub round_trip: Times,
    /// Periods that began before the one before had ended.
    pub missed: u64,
    /// Periods without new sensors.
    pub without_sensors: u64,
}
