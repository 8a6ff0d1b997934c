//! The rows of a record, and what is counted on the way.

use super::event::Event;
use super::events::Events;
use super::moment::Moment;
use super::path::PlatformPath;
use super::recorder::Recorder;
use crate::control::sampled::{Collected, Instant};
use crate::trajectory::FrameReference;
use appell::spatial::{Mat3, Pose, Twist, Vec3};
use core::ops::ControlFlow;

/// Chooses the rows of a record from the samples of a loop, and counts at every sample.
pub struct Rows {
    pub(super) limits: Option<Vec<f64>>,
    pub(super) collected: Collected,
    pub(super) events: Events,
    path: Option<PlatformPath>,
    recorder: Option<Recorder>,
    reached: Vec<bool>,
    record: f64,
    half: f64, // of a period
    next: f64, // row's time
}

impl Rows {
    /// Rows every `record` s, of samples every `period` s, if there are such; `limits` are the law's.
    pub(super) fn new(
        limits: Option<Vec<f64>>,
        (drives, tracks): (usize, bool),
        [record, period]: [f64; 2],
        events: Events,
        path: Option<PlatformPath>,
    ) -> Self {
        let (collected, reached) = (Collected::new(drives, tracks), vec![false; drives]);
        Self { limits, collected, events, path, recorder: None, reached, record, half: 0.5 * period, next: 0.0 }
    }

    /// The same with a recorder, if there is one.
    pub(super) fn with_recorder(self, recorder: Option<Recorder>) -> Self {
        Self { recorder, ..self }
    }

    /// Takes a sample; shows it to `look` if it is the nearest to the time of the next row.
    pub fn take(
        &mut self,
        instant: &Instant<'_>,
        look: &mut impl FnMut(&Moment<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let moment = Moment::from(instant);
        self.count(&moment);
        self.recorder.iter_mut().for_each(|recorder| recorder.take(instant));
        if moment.view.t + self.half < self.next {
            return ControlFlow::Continue(());
        }
        self.next = ((moment.view.t + self.half) / self.record).floor().mul_add(self.record, self.record);
        look(&Moment { wanted_platform: self.wanted_platform(moment.view.t), ..moment })
    }

    /// What the recorder keeps of the last sample, if it does: numbers for [`recorded_columns`](super::recorded_columns).
    pub fn recorded(&self) -> Option<&[f64]> {
        self.recorder.as_ref()?.row()
    }

    /// What happened since the last time that was asked.
    pub fn events(&mut self) -> impl Iterator<Item = Event> {
        self.events.take()
    }

    /// Where the platform should be, if the reference is a path of it.
    pub(super) fn wanted_platform(&mut self, t: f64) -> Option<(Pose, Twist)> {
        self.path.as_mut().map(|path| wanted_on(&mut **path, t))
    }

    /// Counts a moment, but for errors of a robot that is stopped, and looks for events.
    pub(super) fn count(&mut self, moment: &Moment<'_>) {
        for (i, reached) in self.reached.iter_mut().enumerate() {
            let limit = self.limits.as_ref().map_or(f64::INFINITY, |limits| limits[i]);
            let cut = moment.sampling.map_or(moment.efforts[i], |sampling| sampling.commanded[i]);
            let saturated = moment.sampling.is_some_and(|sampling| sampling.saturated[i]);
            *reached = saturated || (limit > 0.0 && cut.abs() >= limit);
        }
        self.events.see(moment, &self.reached, self.limits.as_deref());
        if moment.sampling.is_some_and(|sampling| sampling.trip.is_some()) {
            return;
        }
        self.collected.count(&self.reached, None);
        if let Some(wanted) = moment.wanted {
            self.collected.track(moment.drives.iter().zip(wanted).map(|(&j, wanted)| moment.view.q[j] - wanted));
        }
    }
}

/// Where a path wants a platform to be, NaN where it has no such place.
pub(super) fn wanted_on(path: &mut dyn FrameReference, t: f64) -> (Pose, Twist) {
    let unknown = || Vec3::new(f64::NAN, f64::NAN, f64::NAN);
    let nowhere = || {
        let rotation = Mat3::from_rows([unknown(), unknown(), unknown()]);
        let twist = Twist { linear: unknown(), angular: unknown() };
        (Pose { position: unknown(), rotation }, twist)
    };
    path.at(t).map_or_else(|_| nowhere(), |wanted| (wanted.pose, wanted.twist))
}
