//! What can be wrong with a scenario beyond what can be read in it, and where.

use crate::control::operated::OperatedError;
use crate::control::signal::SignalError;
use crate::simulation::Reason;
use crate::trajectory::{FollowError, PathError};
use appell::closed::SingularError;
use appell::closed::assembly::AssemblyError;
use appell::description::plain;
use appell::mechanism::{CircularCoupling, NotUnit};
use appell::question::MotionError;
use core::fmt;

/// Why a scenario cannot be played.
#[derive(Debug, Clone, PartialEq)]
pub struct ScenarioError {
    /// The key it is about, as a path: `controller.natural_frequency`.
    pub place: String,
    /// The line of the file, counted from 1, where one is known.
    pub line: Option<usize>,
    /// What is wrong.
    pub cause: Cause,
}

impl fmt::Display for ScenarioError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        write!(f, "{}: {}", self.place, self.cause)
    }
}

impl core::error::Error for ScenarioError {}

/// What is wrong at a place of a scenario.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages are the documentation")]
pub enum Cause {
    #[error("is missing; expected {expected}")]
    Missing { expected: &'static str },
    #[error("there is no joint `{name}`; joints are {}", known.join(", "))]
    UnknownJoint { name: String, known: Vec<String> },
    #[error("there is no frame `{name}`; frames are {}", known.join(", "))]
    UnknownFrame { name: String, known: Vec<String> },
    #[error("has the wrong length ({found}, expected {expected}): one value for each of {}", of.join(", "))]
    Length { found: usize, expected: usize, of: Vec<String> },
    #[error("joint `{joint}` is {kind}; the unit of its value is of another kind")]
    Unit { joint: String, kind: &'static str },
    #[error(transparent)]
    Circular(#[from] CircularCoupling),
    #[error(transparent)]
    NotUnit(#[from] NotUnit),
    #[error(
        "is for joints that turn or slide, and `{joint}` is a quaternion; leave out reference, controller and loop"
    )]
    Quaternion { joint: String },
    #[error(
        "`{joint}` is a quaternion, and friction, rotor and spring act along one axis; leave the section out, or describe the joint by revolute ones"
    )]
    EffectsOfQuaternion { joint: String },
    #[error(
        "`{joint}` has Coulomb friction without smoothing, and several joints move it, so that it cannot stick by itself; give it some, such as smoothing = 0.01 (rad/s or m/s)"
    )]
    Sharp { joint: String },
    #[error("{robot} has no limits of effort in its file; give values, N m or N")]
    NoLimits { robot: String },
    #[error("does not mention joint `{joint}`; give one value for all, or name every joint")]
    Unnamed { joint: String },
    #[error(
        "has {found} values; expected 3: x, y, z, or 6: with roll, pitch, yaw, or 7: with a quaternion qx, qy, qz, qw"
    )]
    Pose { found: usize },
    #[error("the quaternion has the norm {}; expected 1", plain(*norm))]
    Norm { norm: f64 },
    #[error("is {}; expected {expected}", plain(*value))]
    OutOfRange { value: f64, expected: &'static str },
    #[error("is for {of}, and {robot} is not one; {remedy}")]
    NotForThis { of: &'static str, robot: String, remedy: &'static str },
    #[error("`{library}` is a shared library, and none is opened here; run the scenario with `appell simulate`")]
    NotOpened { library: String },
    #[error("{drives} drives cannot follow {freedoms} degrees of freedom with this law; it needs as many of both")]
    Drives { drives: usize, freedoms: usize },
    #[error(
        "joint `{joint}` starts at {}, beyond its {which} limit {}; start elsewhere, or let `run.stop_at` leave out \"position\"",
        plain(*value), plain(*limit)
    )]
    Start { joint: String, value: f64, which: &'static str, limit: f64 },
    #[error("the body of `{body}` gets {what} {}; that is not physically consistent, so change less", plain(*value))]
    Body { body: String, what: &'static str, value: f64 },
    #[error(transparent)]
    Path(#[from] PathError),
    #[error(transparent)]
    Follow(#[from] FollowError),
    #[error(transparent)]
    Motion(#[from] MotionError),
    #[error(transparent)]
    Assembly(#[from] AssemblyError),
    #[error(transparent)]
    Singular(#[from] SingularError),
    #[error(transparent)]
    Signal(#[from] SignalError),
    #[error(transparent)]
    Operated(Box<OperatedError>),
    #[error(transparent)]
    Plant(#[from] Reason),
}

impl From<OperatedError> for Cause {
    fn from(error: OperatedError) -> Self {
        Self::Operated(Box::new(error))
    }
}
