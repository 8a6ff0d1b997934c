//! Why a question cannot be asked, or has no answer.

use super::{Input, MotionError};
use crate::closed::spherical::NotSpherical;
use crate::dynamics::InertiaError;
use crate::mechanism::NotUnit;

/// Why a state has no answer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum AnswerError {
    /// The inertia matrix is singular.
    #[error(transparent)]
    Inertia(#[from] InertiaError),
    /// A robot with closed loops cannot move so, or is at a singularity.
    #[error(transparent)]
    Motion(#[from] MotionError),
    /// A vector of the state has the wrong length.
    #[error("`{}` has the wrong length ({found}, expected {expected}): one value per joint, or per drive of a robot with closed loops; of a spherical joint 4 positions and 3 of all others, of a free one 7 and 6", input.symbol())]
    Length {
        /// The vector.
        input: Input,
        /// How many values it has.
        found: usize,
        /// How many it should have.
        expected: usize,
    },
    /// A quaternion is not an attitude.
    #[error(transparent)]
    NotUnit(#[from] NotUnit),
    /// The question is none of this robot's.
    #[error(transparent)]
    Refused(#[from] Refused),
}

/// Why a question cannot be asked.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Refused {
    /// There is no such method.
    #[error(transparent)]
    Method(#[from] UnknownMethod),
    /// Open robots do not answer it.
    #[error("{question} is for robots with closed loops, and this robot has none")]
    Open {
        /// The question.
        question: &'static str,
    },
    /// Closed mechanisms do not answer it.
    #[error(
        "{question} has no answer for a robot with closed loops; ask for inverse-jacobian, or for forces, inertia or motion"
    )]
    Question {
        /// The question.
        question: &'static str,
    },
    /// The method is for spherical robots.
    #[error("method {method} is for spherical robots: {problem}")]
    NotSpherical {
        /// The method.
        method: &'static str,
        /// Why this one is not.
        problem: NotSpherical,
    },
    /// The mechanism has no platform.
    #[error(
        "{question} is about the platform, and the robot has none; name its output: the frame that is meant, or `output` in its file"
    )]
    NoPlatform {
        /// The question.
        question: &'static str,
    },
    /// Motors are fewer than the joints that they drive.
    #[error(
        "{question} does not follow from the motion of the joints: the transmission `{transmission}` has fewer motors than \
         joints; ask for inverse-dynamics"
    )]
    Underactuated {
        /// The question.
        question: &'static str,
        /// The transmission.
        transmission: String,
    },
    /// The robot has no such frame.
    #[error("no frame `{frame}`; frames are {}", known.join(", "))]
    Frame {
        /// What was asked for.
        frame: String,
        /// What there is.
        known: Vec<String>,
    },
}

/// A method that a question does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{method}` does not answer {question}; its methods are {}", known.join(", "))]
pub struct UnknownMethod {
    /// What was asked for.
    pub method: String,
    /// The question's name.
    pub question: &'static str,
    /// What there is.
    pub known: Vec<&'static str>,
}
