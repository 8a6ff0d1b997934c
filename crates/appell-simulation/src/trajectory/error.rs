//! Why there is no such path, or no motion along it.

use appell::description::plain;
use appell::kinematics::damped_least_squares::Unreached;
use appell::kinematics::spherical_wrist::{NotOfPumaType, OutOfReach};
use appell::question::AnswerError;

/// Why there is no such path.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages are the documentation")]
pub enum PathError {
    #[error("the {what} is {}; it must be a positive number", plain(*value))]
    NotPositive { what: &'static str, value: f64 },
    #[error("the {what} takes the part {}; it must be above 0 and at most 0.5", plain(*value))]
    Part { what: &'static str, value: f64 },
    #[error("a {shape} law needs a limit of its {limit}; without one it would jump")]
    Unlimited { shape: &'static str, limit: &'static str },
    #[error("{what} is not a finite number")]
    NotFinite { what: &'static str },
    #[error("{what} has the wrong length ({found}, expected {expected})")]
    Length { what: &'static str, found: usize, expected: usize },
    #[error("a path needs {least} {what} at least; there are {found}")]
    TooFew { what: &'static str, found: usize, least: usize },
    #[error("the time of point {point} is {} s, not after {} s, that of the point before", plain(*time), plain(*before))]
    Times { point: usize, time: f64, before: f64 },
    #[error("{one} and {other} are the same place; a path between them has no length")]
    SamePlace { one: &'static str, other: &'static str },
    #[error(
        "the three points of the arc lie on a line, within {distance:.1e} m: no circle goes through them; move one aside or take a line"
    )]
    Collinear { distance: f64 },
    #[error("the start lies on the axis of the arc, and stays there; give another centre or axis")]
    OnAxis,
    #[error(
        "the turn to point {point} is by half a turn, within {off:.1e} rad: it could go either way; put a point in between"
    )]
    HalfTurn { point: usize, off: f64 },
    #[error("blends of {} s overlap between points {point} and {next}, {room:.6} s apart; take shorter ones", plain(*blend))]
    Blends { blend: f64, point: usize, next: usize, room: f64 },
    #[error(
        "a motion from rest needs two harmonics at least, to make up for each other; joint {joint} has {harmonics}"
    )]
    OneHarmonic { joint: usize, harmonics: usize },
}

/// Why a robot does not follow a path.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages are the documentation")]
pub enum FollowError {
    #[error("the start of the path: {0}")]
    Start(#[from] Unreached),
    #[error(transparent)]
    Type(#[from] NotOfPumaType),
    #[error(
        "{joints} joints move frame `{frame}` where {numbers} suffice, so that there are many ways to follow the path; hold {} of them",
        joints - numbers
    )]
    Redundant { frame: String, joints: usize, numbers: usize },
    #[error("no joint that may move carries frame `{frame}`")]
    Fixed { frame: String },
    #[error(
        "after {time:.6} s frame `{frame}` cannot follow the path: {position:.3e} m and {orientation:.3e} rad are left; there the reach ends, or a singularity is in the way"
    )]
    NotReached { time: f64, frame: String, position: f64, orientation: f64 },
    #[error("after {time:.6} s: {source}")]
    OutOfReach { time: f64, source: OutOfReach },
    #[error(
        "after {time:.6} s the path meets a singularity of frame `{frame}`: the condition number of its Jacobian is {condition:.1e}"
    )]
    Singular { time: f64, frame: String, condition: f64 },
    #[error("after {time:.6} s frame `{frame}` cannot move as the path does: {off:.1e} of its velocity is left")]
    CannotMove { time: f64, frame: String, off: f64 },
    #[error(
        "after {time:.6} s the output cannot move as the path does: the robot has {freedoms} degree{} of freedom, and `{component}` would be {} where \
         the path wants {}; take a path along which it can move, or move its drives: trajectory joints",
        if *freedoms == 1 { "" } else { "s" }, plain(*possible), plain(*wanted)
    )]
    Constrained { time: f64, freedoms: usize, component: String, possible: f64, wanted: f64 },
    #[error("after {time:.6} s: {source}")]
    Closed { time: f64, source: AnswerError },
}

impl FollowError {
    /// When it happened, s; `None` before the start.
    #[must_use]
    pub const fn time(&self) -> Option<f64> {
        match self {
            Self::Start(_) | Self::Type(_) | Self::Redundant { .. } | Self::Fixed { .. } => None,
            Self::NotReached { time, .. }
            | Self::OutOfReach { time, .. }
            | Self::Singular { time, .. }
            | Self::CannotMove { time, .. }
            | Self::Constrained { time, .. }
            | Self::Closed { time, .. } => Some(*time),
        }
    }
}
