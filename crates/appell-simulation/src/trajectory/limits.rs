//! Whether a motion stays within the limits of the joints: the first one it passes, and how near it comes to all.
//!
//! The motion is looked at in steps. Where a limit is passed between two of them, bisection finds when; where a quantity has
//! its peak between them, close enough to a limit to pass it, the peak is searched for. So the answer hardly depends on the step.

use super::{FollowError, JointStates, RobotMotion};
use appell::description::Limits;

/// What has a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names speak for themselves")]
pub enum Quantity {
    Position,
    Velocity,
    Acceleration,
    Effort,
}

/// A limit that a motion passes.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error(
    "after {time:.6} s the {} of joint `{joint}` is {value:.6}, beyond its limit {limit:.6}", quantity.name()
)]
pub struct Violation {
    /// When it does, s.
    pub time: f64,
    /// The joint's name.
    pub joint: String,
    /// What of it.
    pub quantity: Quantity,
    /// How large it is then.
    pub value: f64,
    /// How large it may be.
    pub limit: f64,
}

/// How near a quantity of a joint comes to its limit: where that is, or, without a limit, where it is largest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Peak {
    /// The joint's index.
    pub joint: usize,
    /// What of it.
    pub quantity: Quantity,
    /// When, s; to the step.
    pub time: f64,
    /// How large it is then.
    pub value: f64,
    /// Its limit on that side; infinite where there is none.
    pub limit: f64,
}

/// What was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// The limit that is passed first.
    pub first: Option<Violation>,
    /// Of every joint and quantity, in this order.
    pub peaks: Vec<Peak>,
}

/// A limit counts as passed beyond this part of it: motions that use a limit fully do not pass it.
const ROUNDING: f64 = 1e-9;
/// The relative accuracy of times.
const BISECTIONS: usize = 60;
/// Steps of the search for a peak: each leaves two thirds of the interval.
const SECTIONS: usize = 50;

impl Quantity {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Position, Self::Velocity, Self::Acceleration, Self::Effort];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Position => "position",
            Self::Velocity => "velocity",
            Self::Acceleration => "acceleration",
            Self::Effort => "effort",
        }
    }
}

/// Checks the limits of position, velocity and effort of a robot's description along a motion, and of acceleration where
/// they are given, one value per joint, in steps of `step` s.
///
/// ```
/// use appell::mechanism::Mechanism;
/// use appell_simulation::trajectory::{Ramp, Shape, TimeLaw, TreeMotion, limits::{Quantity, check}};
///
/// let text = r#"
/// name = "pendulum"
/// frames = "modified-dh"
/// joints = [["arm", "revolute", 0.0, 0.0, "q", 0.0]]
/// body.arm = { mass = 1.0, com = [0.5, 0.0, 0.0], inertia = { xx = 0.01, yy = 0.01, zz = 0.01 } }
/// joint.arm.limits = { velocity = 1.0 }
/// "#;
/// let robot = Mechanism::from_toml(text).unwrap();
/// let ramp = Ramp::new(&[0.0], &[1.0], TimeLaw::new(Shape::Cubic, 1.2)?)?;
/// let report = check(&mut TreeMotion::new(&robot, Box::new(ramp), false), &[], 0.01)?;
/// let first = report.first.unwrap();
/// assert_eq!((first.joint.as_str(), first.quantity), ("arm", Quantity::Velocity));
/// assert!((first.time - 0.6 * (1.0 - 0.2_f64.sqrt())).abs() < 1e-6, "6 (τ − τ²) / T = 1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the robot cannot follow the motion.
///
/// # Panics
/// If there are accelerations, and not one per joint, or the step is not positive.
pub fn check(motion: &mut dyn RobotMotion, accelerations: &[f64], step: f64) -> Result<Report, FollowError> {
    assert!(step > 0.0, "a positive step");
    let mut watch = Watch::new(motion, accelerations);
    let duration = motion.duration();
    let count = (duration / step).ceil().clamp(1.0, 1e9) as usize;
    let time = |k: usize| duration * k as f64 / count as f64;
    let size = watch.excess.len();
    // The excesses at this instant and the two before.
    let mut window = [vec![f64::NAN; size], vec![f64::NAN; size], vec![f64::NAN; size]];
    let mut first: Option<Violation> = None;
    for k in 0..=count {
        let states = motion.at(time(k))?;
        watch.look(states);
        watch.remember(states, time(k));
        if first.is_some() {
            continue;
        }
        window.rotate_left(1);
        window[2].copy_from_slice(&watch.excess);
        if watch.is_beyond() {
            let start = if k == 0 { 0.0 } else { time(k - 1) };
            first = Some(watch.narrow(motion, [start, time(k)])?);
        }
        if k >= 2 {
            for i in 0..size {
                let [before, here, after] = window.each_ref().map(|excess| excess[i]);
                let top = peak(before, here, after);
                if !top.is_finite() || here > ROUNDING || 2.0 * top - here <= ROUNDING {
                    continue;
                }
                if let Some(top) = watch.climb(motion, i, [time(k - 2), time(k)])? {
                    let found = watch.narrow(motion, [time(k - 2), top])?;
                    first = first.filter(|first| first.time <= found.time).or(Some(found));
                }
            }
        }
    }
    Ok(Report { first, peaks: watch.peaks })
}

/// The top of the parabola through three values at equal distances, if the middle one is the largest. The true peak may be
/// higher; twice the rise is searched for.
fn peak(before: f64, here: f64, after: f64) -> f64 {
    let (slope, bend) = (0.5 * (after - before), before - 2.0 * here + after);
    if here >= before && here >= after && bend < 0.0 { here - 0.5 * slope * slope / bend } else { f64::NEG_INFINITY }
}

/// How far every quantity of every joint is beyond its limit.
struct Watch {
    limits: Vec<Limits>,
    accelerations: Vec<f64>,
    driven: Vec<bool>,
    excess: Vec<f64>, // over the limit, joint by joint; −∞ where there is none
    peaks: Vec<Peak>,
    heights: Vec<f64>, // excess at the peaks, or the value without its sign where there is no limit
}

impl Watch {
    fn new(motion: &dyn RobotMotion, accelerations: &[f64]) -> Self {
        let limits = motion.robot().limits().to_vec();
        let n = limits.len();
        assert!(accelerations.is_empty() || accelerations.len() == n, "one acceleration per joint, or none");
        let nothing = |joint: usize, quantity| Peak { joint, quantity, time: 0.0, value: 0.0, limit: f64::INFINITY };
        Self {
            accelerations: if accelerations.is_empty() { vec![f64::INFINITY; n] } else { accelerations.to_vec() },
            driven: (0..n).map(|j| motion.is_driven(j)).collect(),
            excess: vec![f64::NEG_INFINITY; 4 * n],
            heights: vec![f64::NEG_INFINITY; 4 * n],
            peaks: (0..n).flat_map(|j| Quantity::ALL.map(|quantity| nothing(j, quantity))).collect(),
            limits,
        }
    }

    /// Value and limit of a quantity of a joint, and how far the one is beyond the other.
    fn measure(&self, states: &JointStates, i: usize) -> (f64, f64, f64) {
        let (j, quantity) = (i / 4, Quantity::ALL[i % 4]);
        let Limits { lower, upper, velocity, effort } = self.limits[j];
        let (value, limit) = match quantity {
            Quantity::Position => {
                let q = states.q[j];
                let range = upper - lower;
                let unit = if range.is_finite() && range > 0.0 { range } else { 1.0 };
                let (below, above) = ((lower - q) / unit, (q - upper) / unit);
                return if below > above { (q, lower, below) } else { (q, upper, above) };
            }
            Quantity::Velocity => (states.v[j], velocity),
            Quantity::Acceleration => (states.a[j], self.accelerations[j]),
            Quantity::Effort => (states.tau[j], if self.driven[j] { effort } else { f64::INFINITY }),
        };
        let excess = match limit {
            f64::INFINITY => f64::NEG_INFINITY,
            0.0 => value.abs(),
            _ => value.abs() / limit - 1.0,
        };
        (value, limit.copysign(value), excess)
    }

    fn look(&mut self, states: &JointStates) {
        for i in 0..self.excess.len() {
            self.excess[i] = self.measure(states, i).2;
        }
    }

    fn remember(&mut self, states: &JointStates, time: f64) {
        for i in 0..self.peaks.len() {
            let (value, limit, excess) = self.measure(states, i);
            let height = if excess.is_finite() { excess } else { value.abs() };
            if height > self.heights[i] {
                self.heights[i] = height;
                self.peaks[i] = Peak { time, value, limit, ..self.peaks[i] };
            }
        }
    }

    fn is_beyond(&self) -> bool {
        self.excess.iter().any(|&excess| excess > ROUNDING)
    }

    /// The first instant between one within the limits and one beyond.
    fn narrow(
        &mut self,
        motion: &mut dyn RobotMotion,
        [mut within, mut beyond]: [f64; 2],
    ) -> Result<Violation, FollowError> {
        for _ in 0..BISECTIONS {
            let middle = 0.5 * (within + beyond);
            if middle <= within || middle >= beyond {
                break;
            }
            self.look(motion.at(middle)?);
            *(if self.is_beyond() { &mut beyond } else { &mut within }) = middle;
        }
        let states = motion.at(beyond)?;
        self.look(states);
        let by_excess = |&i: &usize, &k: &usize| self.excess[i].total_cmp(&self.excess[k]);
        let i = (0..self.excess.len()).max_by(by_excess).unwrap_or(0);
        let (value, limit, _) = self.measure(states, i);
        let joint = motion.robot().joint_names()[i / 4].clone();
        Ok(Violation { time: beyond, joint, quantity: Quantity::ALL[i % 4], value, limit })
    }

    /// When a quantity is beyond its limit at its peak in an interval, if it is.
    fn climb(
        &mut self,
        motion: &mut dyn RobotMotion,
        i: usize,
        [mut from, mut to]: [f64; 2],
    ) -> Result<Option<f64>, FollowError> {
        for _ in 0..SECTIONS {
            let third = (to - from) / 3.0;
            let [left, right] = [from + third, to - third];
            let heights = [self.measure(motion.at(left)?, i).2, self.measure(motion.at(right)?, i).2];
            if let Some(top) = [left, right].into_iter().zip(heights).find(|(_, height)| *height > ROUNDING) {
                return Ok(Some(top.0));
            }
            if heights[0] < heights[1] {
                from = left;
            } else {
                to = right;
            }
        }
        Ok(None)
    }
}
