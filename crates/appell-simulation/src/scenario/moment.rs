//! What a scenario shows while it runs, and how it has ended.

use super::event::{Event, Listener};
use super::recorder::RowListener;
use crate::control::Gains;
use crate::control::sampled::{Instant, StepTimes, Timing, Tracking, Trip};
use crate::simulation::{Cost, Pulse, Stop, View};
use appell::dynamics::energy::Energy;
use appell::spatial::{Pose, Twist, Vec3, turn_between};

/// A moment of a scenario. Slices have one value per drive where nothing else is said.
#[derive(Debug, Clone, Copy)]
pub struct Moment<'s> {
    /// Where the robot is in truth; all joints.
    pub view: View<'s>,
    /// The joints of the drives, in `view`.
    pub drives: &'s [usize],
    /// Positions of the reference, if there is one.
    pub wanted: Option<&'s [f64]>,
    /// Pose and twist that the platform should have, if the reference is a path of it; NaN where that has none.
    pub wanted_platform: Option<(Pose, Twist)>,
    /// The law's own states, and in a loop what else it shows.
    pub own: &'s [f64],
    /// Names of what it shows.
    pub own_names: &'s [String],
    /// Torques and forces that act, N m or N; of a computer those that it gives out now.
    pub efforts: &'s [f64],
    /// J.
    pub energy: Energy,
    /// What the computer sees and wants, if there is one.
    pub sampling: Option<Instant<'s>>,
}

/// How far a platform is from where it should be, in base axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlatformError {
    /// Position less the wanted one, m.
    pub position: Vec3,
    /// The turn from the wanted attitude to its own, as a rotation vector, rad.
    pub rotation: Vec3,
    /// Twist less the wanted one.
    pub twist: Twist,
}

impl Moment<'_> {
    /// The name of a number of `own`, from 0.
    #[must_use]
    pub fn own_name(&self, k: usize) -> String {
        let named = k.checked_sub(self.own.len() - self.own_names.len()).and_then(|k| self.own_names.get(k));
        named.map_or_else(|| format!("own{}", k + 1), |name| format!("own_{name}"))
    }

    /// How far the platform is from its reference, where there are both.
    #[must_use]
    pub fn platform_error(&self) -> Option<PlatformError> {
        let ((pose, twist), (wanted, wanted_twist)) = (self.view.platform?, self.wanted_platform?);
        Some(PlatformError {
            position: pose.position - wanted.position,
            rotation: turn_between(&wanted.rotation, &pose.rotation),
            twist: Twist { linear: twist.linear - wanted_twist.linear, angular: twist.angular - wanted_twist.angular },
        })
    }
}

/// What watches a scenario while it runs.
#[derive(Default)]
pub struct Watch<'w> {
    /// Gives the time, s, for the times of control steps.
    pub clock: Option<Box<dyn FnMut() -> f64 + 'w>>,
    /// Hears the simulated time after every step, and may end it.
    pub pulse: Option<Pulse<'w>>,
    /// Hears what happens, as soon as it is seen; how it ended is in the [`Outcome`].
    pub events: Option<Listener<'w>>,
    /// Hears the rows of the recorder, if there is one: numbers for [`recorded_columns`](super::recorded_columns).
    pub recorded: Option<RowListener<'w>>,
}

/// How a scenario has ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// When, s.
    pub t: f64,
    /// When it should have, s.
    pub duration: f64,
    /// What the integration has cost.
    pub cost: Cost,
    /// Why it ended before its time.
    pub stop: Option<Stop>,
    /// Whether the one who looked wanted no more.
    pub interrupted: bool,
    /// Why there was a safe stop, if there was.
    pub trip: Option<Trip>,
    /// Errors of the drives, at the samples of a computer or else at the rows of the record; empty without a reference.
    pub tracking: Vec<Tracking>,
    /// At how many of these instants each drive was at its limit; `None` where nothing limits torques and forces.
    pub saturated: Option<Vec<usize>>,
    /// How many there were.
    pub instants: usize,
    /// Times of control steps, if there is a computer and a clock.
    pub step_times: Option<StepTimes>,
    /// When the computer samples, if there is one.
    pub timing: Option<Timing>,
    /// What is doubtful about the gains.
    pub doubts: Vec<Doubt>,
    /// The events of its end, after those on the way.
    pub last_events: Vec<Event>,
}

/// What is doubtful about the gains of a law.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages are the documentation")]
pub enum Doubt {
    #[error("the gains of {} are not stable, even with an exact model: K_p = {}, K_d = {}, K_i = {}",
        of.join(", "), gains.proportional, gains.derivative, gains.integral)]
    Unstable { of: Vec<String>, gains: Gains },
    #[error("a gain is negative, and pushes away from what is wanted")]
    PushesAway,
    #[error(
        "the gains of {} are too high for a period of {period} s and a delay of {delay} periods: even with an exact model the error grows by {growth:.3} from sample to sample",
        of.join(", ")
    )]
    TooSlow { of: Vec<String>, growth: f64, period: f64, delay: f64 },
}

/// What a scenario takes at least.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LeastWork {
    /// Steps of the integration.
    pub steps: f64,
    /// Rows of the record.
    pub rows: f64,
}

impl<'s> From<&Instant<'s>> for Moment<'s> {
    fn from(instant: &Instant<'s>) -> Self {
        let &Instant { truth, drives, wanted, own, own_names, applied, energy, .. } = instant;
        Self {
            view: truth,
            drives,
            wanted,
            wanted_platform: None, // a computer follows drives
            own,
            own_names,
            efforts: applied,
            energy,
            sampling: Some(*instant),
        }
    }
}
