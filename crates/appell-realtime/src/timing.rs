//! How long things take: histograms of nanoseconds.

use crate::system::SECOND;
use core::fmt;
use hdrhistogram::Histogram;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex, PoisonError};

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

    /// How many times there were, in steps: pairs of a time, ns, and how many were no longer than it but longer than the
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

    /// What one shows of them.
    #[must_use]
    pub fn summary(&self) -> Summary {
        let [median, p99, p99_9] = [0.5, 0.99, 0.999].map(|part| self.quantile(part));
        Summary { count: self.count(), median, p99, p99_9, longest: self.longest(), steps: self.steps() }
    }
}

/// Times in short, ns, for reports and pages.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Summary {
    /// How many there were.
    pub count: u64,
    /// Half of them took no longer.
    pub median: u64,
    /// 99 % of them took no longer.
    pub p99: u64,
    /// 99.9 % of them took no longer.
    pub p99_9: u64,
    /// None took longer.
    pub longest: u64,
    /// As of [`Times::steps`].
    pub steps: Vec<(u64, u64)>,
}

impl Summary {
    /// As JSON, in s.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let seconds = |time: u64| time as f64 / SECOND as f64;
        json!({
            "count": self.count,
            "median": seconds(self.median),
            "p99": seconds(self.p99),
            "p99_9": seconds(self.p99_9),
            "longest": seconds(self.longest),
            "histogram": self.steps.iter().map(|&(to, count)| json!([seconds(to), count])).collect::<Vec<_>>(),
        })
    }

    /// Read from JSON; zeros where something is missing.
    #[must_use]
    pub fn from_json(value: &Value) -> Self {
        let time = |value: &Value| (value.as_f64().unwrap_or(0.0) * 1e9).round() as u64;
        let step = |step: &Value| (time(&step[0]), step[1].as_u64().unwrap_or(0));
        Self {
            count: value["count"].as_u64().unwrap_or(0),
            median: time(&value["median"]),
            p99: time(&value["p99"]),
            p99_9: time(&value["p99_9"]),
            longest: time(&value["longest"]),
            steps: value["histogram"].as_array().into_iter().flatten().map(step).collect(),
        }
    }

    /// The histogram as a line of bars, in so many places at most, from short to long. Their heights are the logarithms of how many
    /// there were, so that the one among a million that was late is seen.
    #[must_use]
    pub fn bars(&self, places: usize) -> String {
        const BARS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
        let together = self.steps.len().div_ceil(places.max(1)).max(1);
        let counts = self.steps.chunks(together).map(|steps| steps.iter().map(|(_, count)| count).sum::<u64>());
        let counts: Vec<u64> = counts.collect();
        let most = (counts.iter().max().copied().unwrap_or(0) as f64).ln_1p();
        let bar = |count: u64| match count {
            0 => BARS[0],
            _ => BARS[((8.0 * (count as f64).ln_1p() / most).ceil() as usize).clamp(1, 8)],
        };
        counts.into_iter().map(bar).collect()
    }
}

/// What took how long in a period, ns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Timed {
    /// How much later than wanted the controller woke up; none in lockstep.
    pub wake_up: Option<u64>,
    /// From the sensors to the outputs.
    pub step: u64,
    /// From outputs to sensors that know of them, if these do.
    pub round_trip: Option<u64>,
    /// For how long periods were missed before this one, all at once.
    pub lost: Option<u64>,
    /// Periods that were missed so far.
    pub missed: u64,
    /// Periods without new sensors so far.
    pub without_sensors: u64,
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
    /// For how long periods were missed at once: whole periods.
    pub lost: Times,
    /// Periods that began before the one before had ended.
    pub missed: u64,
    /// Periods without new sensors.
    pub without_sensors: u64,
}

impl Timings {
    /// Counts what a period took. Nothing is allocated.
    pub fn take(&mut self, timed: &Timed) {
        self.step.record(timed.step);
        timed.wake_up.into_iter().for_each(|time| self.wake_up.record(time));
        timed.round_trip.into_iter().for_each(|time| self.round_trip.record(time));
        timed.lost.into_iter().for_each(|time| self.lost.record(time));
        (self.missed, self.without_sensors) = (timed.missed, timed.without_sensors);
    }

    /// As JSON, in s.
    #[must_use]
    pub fn to_json(&self) -> Value {
        json!({
            "wake_up": self.wake_up.summary().to_json(),
            "step": self.step.summary().to_json(),
            "round_trip": self.round_trip.summary().to_json(),
            "lost": self.lost.summary().to_json(),
            "missed": self.missed,
            "without_sensors": self.without_sensors,
        })
    }
}

/// Timings of a run while it goes on: the thread that logs takes them down, others look at them. The control thread has no part in it.
#[derive(Debug, Clone, Default)]
pub struct Live(Arc<Mutex<Timings>>);

impl Live {
    /// Takes down what a period took.
    pub fn take(&self, timed: &Timed) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take(timed);
    }

    /// The timings so far.
    #[must_use]
    pub fn timings(&self) -> Timings {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_comes_back_from_json() {
        let mut times = Times::default();
        (1..=2000).for_each(|k| times.record(1000 * k));
        let summary = times.summary();
        assert_eq!((summary.count, summary.steps.iter().map(|(_, count)| count).sum::<u64>()), (2000, 2000));
        assert!((990_000..=1_001_000).contains(&summary.median) && summary.longest >= 2_000_000, "{summary:?}");
        assert_eq!(Summary::from_json(&summary.to_json()), summary);
        assert_eq!(Summary::from_json(&json!(null)), Summary::default());
    }

    #[test]
    fn one_among_a_million_is_seen() {
        let steps = vec![(1000, 1_000_000), (1500, 30_000), (2250, 0), (3375, 0), (5062, 1)];
        let summary = Summary { count: 1_030_001, steps, ..Summary::default() };
        assert_eq!(summary.bars(20), "█▆  ▁");
        assert_eq!(summary.bars(3), "█ ▁", "neighbours together");
        assert_eq!((Summary::default().bars(10), summary.bars(0).chars().count()), (String::new(), 1));
    }
}
