//! How fast an operator's motions are, how far they go, and why one has ended.

use appell::Robot;
use appell::description::{JointKind, Limits, plain};

/// An operator moves robots of so many drives at most: what passes between threads has a fixed size.
pub const MOST_DRIVES: usize = 64;

/// No drive goes farther, rad or m: the numbers would not tell one place from the next any more.
pub const FARTHEST: f64 = 1e6;

/// What is said of an operator's motions beyond the robot's file. The default is what a person beside a robot expects.
#[derive(Debug, Clone, PartialEq)]
pub struct Pace {
    /// The part of a drive's velocity limit in the robot's file that is used: 0.5.
    pub part_of_limit: f64,
    /// Largest speed of drives that turn and have no velocity limit in the file: 1 rad/s.
    pub turning: f64,
    /// The same of drives that slide: 0.25 m/s, the reduced speed of ISO 10218.
    pub sliding: f64,
    /// How long a drive takes from rest to its largest speed, s; its acceleration limit follows, which robots' files do
    /// not have: 0.5 s.
    pub ramp_time: f64,
    /// Largest speeds, one per drive, rad/s or m/s, in place of all of the above.
    pub speed: Option<Vec<f64>>,
    /// Largest accelerations, one per drive, rad/s² or m/s².
    pub acceleration: Option<Vec<f64>>,
    /// Largest speed of a tool or platform that is jogged: 0.25 m/s.
    pub linear: f64,
    /// The same of its turns: 0.5 rad/s.
    pub angular: f64,
    /// A jog ends by itself if it is not renewed within this time: 0.5 s.
    pub jog_timeout: f64,
    /// Nearer to a singularity an operator's motions stop: inverse condition number 0.005.
    pub least_condition: f64,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            part_of_limit: 0.5,
            turning: 1.0,
            sliding: 0.25,
            ramp_time: 0.5,
            speed: None,
            acceleration: None,
            linear: 0.25,
            angular: 0.5,
            jog_timeout: 0.5,
            least_condition: 0.005,
        }
    }
}

/// What an operator's motions are made of cannot be used.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages are the documentation")]
pub enum OperatedError {
    #[error("{what} has the wrong length ({found}, expected {expected})")]
    Length { what: &'static str, found: usize, expected: usize },
    #[error("{what} is {}; expected a positive number", plain(*value))]
    NotPositive { what: &'static str, value: f64 },
    #[error("{what} has NaN or an infinite number")]
    NotFinite { what: &'static str },
    #[error("{robot} has joints with quaternions, which an operator cannot move yet")]
    Quaternion { robot: String },
    #[error("{robot} has {drives} drives and {freedoms} degrees of freedom; an operator needs as many of both")]
    Drives { robot: String, drives: usize, freedoms: usize },
    #[error("{robot} has {drives} drives; an operator moves {MOST_DRIVES} at most")]
    TooMany { robot: String, drives: usize },
    #[error("{robot} has no frame `{frame}`; it has {}", known.join(", "))]
    UnknownFrame { robot: String, frame: String, known: Vec<String> },
    #[error("at its start: {0}")]
    Start(#[from] appell::question::MotionError),
    #[error("the motion to follow: {0}")]
    Motion(#[from] crate::trajectory::FollowError),
    #[error("after {time:.6} s the motion to follow takes joint `{joint}` to {}, beyond its limit {}", plain(*value), plain(*limit))]
    MotionBeyondLimit { time: f64, joint: String, value: f64, limit: f64 },
}

/// Why a command is not obeyed. The motion before goes on.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages are the documentation")]
pub enum Refusal {
    #[error("has the wrong length ({found}, expected {expected})")]
    Length { found: usize, expected: usize },
    #[error("is NaN or infinite")]
    NotFinite,
    #[error("there is no drive {number}; there are {drives}")]
    UnknownDrive { number: usize, drives: usize },
    #[error("there is no degree of freedom {number}; there are {freedoms}")]
    UnknownFreedom { number: usize, freedoms: usize },
    #[error("drive {drive} would go to {}, beyond its limit {}", plain(*value), plain(*limit))]
    BeyondLimit { drive: usize, value: f64, limit: f64 },
    #[error("drive {drive} would go to {}; expected at most {} rad or m", plain(*value), plain(FARTHEST))]
    TooFar { drive: usize, value: f64 },
    #[error("the loops of the robot do not close there")]
    Unreachable,
    #[error("the robot is stopped; reset first")]
    Stopped,
    #[error("there is no trajectory to follow")]
    NoTrajectory,
}

/// How an operator's motion has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ending {
    /// As it was asked to: arrived, or at rest.
    #[default]
    Done,
    /// A jog was not renewed in time.
    NotRenewed,
    /// This joint, among all of the robot, is at a position limit.
    Limit(usize),
    /// A singularity is near.
    Singular,
    /// The tool or platform cannot move that way.
    CannotMove,
    /// It could not go on within the acceleration limits: mostly near a singularity, or at the end of the reach.
    TooSharp,
    /// The drives cannot be there: the loops do not close.
    Unreachable,
    /// The trajectory has no place at this time.
    Lost,
}

impl Ending {
    /// What it means, but for the joint's name.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::NotRenewed => "the jog was not renewed",
            Self::Limit(_) => "a joint is at its limit",
            Self::Singular => "a singularity is near; move single joints away from it",
            Self::CannotMove => "the robot cannot move that way here",
            Self::TooSharp => {
                "too sharp a motion for the acceleration limits: a singularity or the end of the reach is near"
            }
            Self::Unreachable => "the robot cannot be assembled there",
            Self::Lost => "the trajectory cannot be followed further",
        }
    }
}

/// The limits of every drive, as they are used.
#[derive(Debug, Clone, PartialEq)]
pub struct Bounds {
    /// Least positions, rad or m.
    pub lower: Vec<f64>,
    /// Largest positions.
    pub upper: Vec<f64>,
    /// Largest speeds, rad/s or m/s.
    pub speed: Vec<f64>,
    /// Largest accelerations, rad/s² or m/s².
    pub acceleration: Vec<f64>,
}

impl Bounds {
    /// Those of a robot's file, and `pace` where it has none.
    ///
    /// # Errors
    /// If a number is not positive, or a list has the wrong length.
    pub fn of(robot: &Robot, pace: &Pace) -> Result<Self, OperatedError> {
        for (what, value) in [
            ("the part of the velocity limit", pace.part_of_limit),
            ("the speed of turning drives", pace.turning),
            ("the speed of sliding drives", pace.sliding),
            ("the ramp time", pace.ramp_time),
            ("the linear speed", pace.linear),
            ("the angular speed", pace.angular),
            ("the time-out of a jog", pace.jog_timeout),
            ("the least inverse condition number", pace.least_condition),
        ] {
            positive(what, value)?;
        }
        let drives = robot.drives();
        let given = |what, list: &Option<Vec<f64>>| {
            let Some(list) = list else { return Ok(None) };
            if list.len() != drives.len() {
                return Err(OperatedError::Length { what, found: list.len(), expected: drives.len() });
            }
            list.iter().try_for_each(|&value| positive(what, value))?;
            Ok(Some(list.clone()))
        };
        let by_file = |limits: Limits, kind: JointKind| match limits.velocity {
            limit if limit.is_finite() && limit > 0.0 => pace.part_of_limit * limit,
            _ if kind == JointKind::Prismatic => pace.sliding,
            _ => pace.turning,
        };
        let by_file = || drives.iter().map(|drive| by_file(drive.limits, drive.kind)).collect();
        let speed: Vec<f64> = given("the speeds", &pace.speed)?.unwrap_or_else(by_file);
        let ramps = || speed.iter().map(|speed| speed / pace.ramp_time).collect();
        let acceleration = given("the accelerations", &pace.acceleration)?.unwrap_or_else(ramps);
        let lower = drives.iter().map(|drive| drive.limits.lower).collect();
        let upper = drives.iter().map(|drive| drive.limits.upper).collect();
        Ok(Self { lower, upper, speed, acceleration })
    }

    /// How long it takes to come to rest straight ahead, all drives together, s.
    pub(super) fn braking_time(&self, v: &[f64]) -> f64 {
        v.iter().zip(&self.acceleration).fold(0.0, |most: f64, (v, a)| most.max(v.abs() / a))
    }
}

fn positive(what: &'static str, value: f64) -> Result<(), OperatedError> {
    if value > 0.0 && value.is_finite() { Ok(()) } else { Err(OperatedError::NotPositive { what, value }) }
}
