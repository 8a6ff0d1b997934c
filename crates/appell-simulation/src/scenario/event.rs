//! What happens in a run, beside its motion: faults, brakes, saturation, grippers, its beginning and its end.

use crate::control::sampled::{Fault, Trip};

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

    /// The same with what was allowed, if it is a number.
    #[must_use]
    pub fn with_limit(self, limit: f64) -> Self {
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
