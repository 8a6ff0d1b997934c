//! What happens in a run, beside its motion: faults, brakes, saturation, grippers, its beginning and its end.

use super::moment::Moment;
use crate::control::sampled::{Fault, Instant, Trip};
use crate::simulation;

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventKind {
    /// It began.
    Begin,
    /// A fault was found, and a safe stop began.
    Fault,
    /// The brakes were put on.
    Brakes,
    /// A drive came to the limit of its torque or force.
    SaturationBegin,
    /// It left it.
    SaturationEnd,
    /// A gripper was switched.
    Gripper,
    /// The motion ended before its time.
    Stop,
    /// Somebody ended it.
    Interrupted,
    /// It ended.
    End,
    /// Periods that a controller missed, in all.
    Missed,
    /// Frames that were lost, or not taken, in all.
    Frames,
}

/// How much an event matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// It was expected.
    Info,
    /// It may be worth a look.
    Warning,
    /// Something was wrong.
    Error,
}

/// Something that happened.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// When, s.
    pub t: f64,
    /// What.
    pub kind: EventKind,
    /// The code of a fault, else 0.
    pub code: u16,
    /// The joint of the drive; empty if it is of none.
    pub joint: String,
    /// What was found, in the unit of its kind.
    pub value: Option<f64>,
    /// What was allowed.
    pub limit: Option<f64>,
    /// The same in words.
    pub text: String,
}

/// Who hears what happens.
pub type Listener<'l> = Box<dyn FnMut(&Event) + 'l>;

impl EventKind {
    /// What it is called in records.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Begin => "begin",
            Self::Fault => "fault",
            Self::Brakes => "brakes-on",
            Self::SaturationBegin => "saturation-begin",
            Self::SaturationEnd => "saturation-end",
            Self::Gripper => "gripper",
            Self::Stop => "stop",
            Self::Interrupted => "interrupted",
            Self::End => "end",
            Self::Missed => "missed-periods",
            Self::Frames => "lost-frames",
        }
    }

    /// How much it matters.
    #[must_use]
    pub const fn severity(self) -> Severity {
        match self {
            Self::Begin | Self::End | Self::Gripper | Self::SaturationEnd => Severity::Info,
            Self::SaturationBegin | Self::Interrupted | Self::Missed | Self::Frames => Severity::Warning,
            Self::Fault | Self::Brakes | Self::Stop => Severity::Error,
        }
    }
}

impl Event {
    /// An event of no drive.
    #[must_use]
    pub fn new(t: f64, kind: EventKind, text: impl Into<String>) -> Self {
        Self { t, kind, code: 0, joint: String::new(), value: None, limit: None, text: text.into() }
    }

    /// The same with a number, if it is one.
    #[must_use]
    pub fn with_value(self, value: f64) -> Self {
        Self { value: Some(value).filter(|value| value.is_finite()), ..self }
    }

    fn with_limit(self, limit: f64) -> Self {
        Self { limit: Some(limit).filter(|limit| limit.is_finite()), ..self }
    }
}

impl From<&Trip> for Event {
    fn from(trip: &Trip) -> Self {
        let Trip { t, fault: Fault { kind, value, limit, .. }, joint } = trip;
        let event = Self::new(*t, EventKind::Fault, trip.to_string()).with_value(*value).with_limit(*limit);
        Self { code: kind.code(), joint: joint.clone(), ..event }
    }
}

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
            self.tripped = true;
            self.found.push(trip.into());
        }
        if sampling.braked && !self.braked {
            self.braked = true;
            self.found.push(Event::new(t, EventKind::Brakes, "the brakes are on"));
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
