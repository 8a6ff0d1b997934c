//! The rows of a record, and what is counted on the way.

use super::moment::Moment;
use crate::control::sampled::{Collected, Instant};
use core::ops::ControlFlow;

/// Chooses the rows of a record from the samples of a loop, and counts at every sample.
pub struct Rows {
    pub(super) limits: Option<Vec<f64>>,
    pub(super) collected: Collected,
    reached: Vec<bool>,
    record: f64,
    half: f64, // of a period
    next: f64, // row's time
}

impl Rows {
    /// Rows every `record` s, of samples every `period` s, if there are such; `limits` are the law's.
    pub(super) fn new(limits: Option<Vec<f64>>, drives: usize, tracks: bool, [record, period]: [f64; 2]) -> Self {
        let (collected, reached) = (Collected::new(drives, tracks), vec![false; drives]);
        Self { limits, collected, reached, record, half: 0.5 * period, next: 0.0 }
    }

    /// Takes a sample; shows it to `look` if it is the nearest to the time of the next row.
    pub fn take(
        &mut self,
        instant: &Instant<'_>,
        look: &mut impl FnMut(&Moment<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let moment = Moment::from(instant);
        if instant.trip.is_none() {
            self.count(&moment);
        }
        if moment.view.t + self.half < self.next {
            return ControlFlow::Continue(());
        }
        self.next = ((moment.view.t + self.half) / self.record).floor().mul_add(self.record, self.record);
        look(&moment)
    }

    /// Counts a moment.
    pub(super) fn count(&mut self, moment: &Moment<'_>) {
        for (i, reached) in self.reached.iter_mut().enumerate() {
            let limit = self.limits.as_ref().map_or(f64::INFINITY, |limits| limits[i]);
            let cut = moment.sampling.map_or(moment.efforts[i], |sampling| sampling.commanded[i]);
            let saturated = moment.sampling.is_some_and(|sampling| sampling.saturated[i]);
            *reached = saturated || (limit > 0.0 && cut.abs() >= limit);
        }
        self.collected.count(&self.reached, None);
        if let Some(wanted) = moment.wanted {
            self.collected.track(moment.drives.iter().zip(wanted).map(|(&j, wanted)| moment.view.q[j] - wanted));
        }
    }
}
