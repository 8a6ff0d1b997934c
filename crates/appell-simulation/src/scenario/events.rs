//! Finds the events of a run, from sample to sample.

use super::event::{Event, EventKind};
use super::moment::Moment;
use crate::control::sampled::{Instant, Trip};
use crate::simulation;

/// Finds events, from sample to sample.
pub(super) struct Events {
    names: Vec<String>, // of the drives
    found: Vec<Event>,
    saturated: Vec<bool>,
    grippers: Vec<bool>,
    braked: bool,
    tripped: bool,
}

impl Events {
    /// Of a run that begins now.
    pub(super) fn new(names: Vec<String>, begin: String) -> Self {
        Self {
            found: vec![Event::new(0.0, EventKind::Begin, begin)],
            saturated: vec![false; names.len()],
            names,
            grippers: Vec::new(),
            braked: false,
            tripped: false,
        }
    }

    /// Looks at a sample, at which some drives have reached a limit: the law's, or that of their outputs.
    pub(super) fn see(&mut self, moment: &Moment<'_>, reached: &[bool], limits: Option<&[f64]>) {
        let t = moment.view.t;
        if let Some(sampling) = &moment.sampling {
            self.see_computer(t, sampling);
        }
        for (i, &reached) in reached.iter().enumerate() {
            if reached != self.saturated[i] {
                self.saturated[i] = reached;
                self.saturation(t, i, moment, limits);
            }
        }
    }

    fn see_computer(&mut self, t: f64, sampling: &Instant<'_>) {
        if let Some(trip) = sampling.trip.filter(|_| !self.tripped) {
            self.found.push(trip.into());
        }
        self.tripped = sampling.trip.is_some(); // an operator may take a robot up again
        if sampling.braked != self.braked {
            self.braked = sampling.braked;
            let text = if self.braked { "the brakes are on" } else { "the brakes are off" };
            self.found.push(Event::new(t, EventKind::Brakes, text));
        }
        self.grippers.resize(sampling.grippers.len(), false); // off before the beginning
        for (k, (&on, before)) in sampling.grippers.iter().zip(&mut self.grippers).enumerate() {
            if on != *before {
                *before = on;
                let text = format!("gripper {} {}", k + 1, if on { "on" } else { "off" });
                self.found.push(Event::new(t, EventKind::Gripper, text).with_value(f64::from(u8::from(on))));
            }
        }
    }

    fn saturation(&mut self, t: f64, i: usize, moment: &Moment<'_>, limits: Option<&[f64]>) {
        let joint = self.names[i].clone();
        let given = moment.efforts[i];
        let wanted = moment.sampling.map_or(given, |sampling| sampling.commanded[i]);
        let (kind, text) = if self.saturated[i] {
            (EventKind::SaturationBegin, format!("the drive of joint `{joint}` is at its limit"))
        } else {
            (EventKind::SaturationEnd, format!("the drive of joint `{joint}` is below its limit"))
        };
        let of_output = moment.sampling.is_some_and(|sampling| sampling.saturated[i]).then_some(given.abs());
        let limit = of_output.or(limits.map(|limits| limits[i])).unwrap_or(f64::NAN);
        self.found.push(Event { joint, ..Event::new(t, kind, text).with_value(wanted).with_limit(limit) });
    }

    /// What was found since the last time.
    pub(super) fn take(&mut self) -> impl Iterator<Item = Event> {
        self.found.drain(..)
    }

    /// The last ones: how it ended.
    pub(super) fn end(mut self, motion: &simulation::Outcome, trip: Option<&Trip>) -> Vec<Event> {
        let t = motion.t;
        self.found.extend(trip.filter(|_| !self.tripped).map(Event::from));
        self.found.extend(motion.stop.as_ref().map(|stop| Event::new(stop.t, EventKind::Stop, stop.to_string())));
        if motion.interrupted {
            self.found.push(Event::new(t, EventKind::Interrupted, "interrupted"));
        }
        self.found.push(Event::new(t, EventKind::End, "the end"));
        self.found
    }
}
