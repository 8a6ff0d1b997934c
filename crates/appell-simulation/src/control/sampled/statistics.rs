//! How well a sampled loop has done.

/// What was counted over all samples under control, that is, until a trip.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Statistics {
    /// How many samples.
    pub samples: usize,
    /// True positions less wanted ones, drive by drive; empty without a reference.
    pub tracking: Vec<Tracking>,
    /// Samples at which more was wanted than the output gives, drive by drive.
    pub saturated: Vec<usize>,
    /// Times of control steps, if there was a clock.
    pub step_times: Option<StepTimes>,
}

/// Error of one drive at the samples, rad or m.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Tracking {
    /// The largest, without its sign.
    pub largest: f64,
    /// Root of the mean square.
    pub rms: f64,
}

/// How long control steps took, s: from the measured numbers to the wanted torques and forces.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StepTimes {
    /// Half of them took no longer.
    pub median: f64,
    /// 99.9 % of them took no longer.
    pub most: f64,
    /// None took longer.
    pub longest: f64,
    /// How many took longer than a period: deadlines missed.
    pub late: usize,
}

impl StepTimes {
    /// Of some times, s, against a period, s; none of none.
    #[must_use]
    pub fn of(mut times: Vec<f64>, period: f64) -> Option<Self> {
        times.sort_by(f64::total_cmp);
        let longest = *times.last()?;
        // The smallest that a part of all does not pass.
        let quantile = |part: f64| times[((part * times.len() as f64).ceil() as usize).max(1) - 1];
        let late = times.iter().filter(|&&time| time > period).count();
        Some(Self { median: quantile(0.5), most: quantile(0.999), longest, late })
    }
}

/// Statistics while they are collected.
pub(crate) struct Collected {
    samples: usize,
    tracked: usize,
    errors: Vec<(f64, f64)>, // the largest, and the sum of squares
    saturated: Vec<usize>,
    times: Vec<f64>,
}

impl Collected {
    pub(crate) fn new(drives: usize, tracks: bool) -> Self {
        let errors = if tracks { vec![(0.0, 0.0); drives] } else { Vec::new() };
        Self { samples: 0, tracked: 0, errors, saturated: vec![0; drives], times: Vec::new() }
    }

    pub(crate) fn track(&mut self, errors: impl Iterator<Item = f64>) {
        self.tracked += 1;
        for ((largest, squares), error) in self.errors.iter_mut().zip(errors) {
            *largest = error.abs().max(*largest);
            *squares += error * error;
        }
    }

    pub(crate) fn count(&mut self, saturated: &[bool], time: Option<f64>) {
        self.samples += 1;
        self.saturated.iter_mut().zip(saturated).for_each(|(count, &is)| *count += usize::from(is));
        self.times.extend(time);
    }

    pub(crate) fn finish(self, period: f64) -> Statistics {
        let tracked = self.tracked.max(1) as f64;
        let tracking = |(largest, squares): (f64, f64)| Tracking { largest, rms: (squares / tracked).sqrt() };
        Statistics {
            samples: self.samples,
            tracking: self.errors.into_iter().map(tracking).collect(),
            saturated: self.saturated,
            step_times: StepTimes::of(self.times, period),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_of_the_times_themselves() {
        let times = (1..=2000).rev().map(f64::from).collect();
        let expected = StepTimes { median: 1000.0, most: 1998.0, longest: 2000.0, late: 10 };
        assert_eq!(StepTimes::of(times, 1990.0), Some(expected));
        assert_eq!(StepTimes::of(Vec::new(), 1.0), None);
        let one = StepTimes { median: 3.0, most: 3.0, longest: 3.0, late: 1 };
        assert_eq!(StepTimes::of(vec![3.0], 1.0), Some(one));
    }
}
