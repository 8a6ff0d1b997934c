//! Exceptions: the classes stand in `appell/_errors.py`, so that they can be both ours and Python's own kinds.

use appell::RobotError;
use appell::question::{AnswerError, MotionError, Refused};
use appell_batch::BatchError;
use appell_codegen::rollout;
use appell_device::DeviceError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

/// A kind of exception.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A file or a description gives no robot.
    Robot,
    /// A robot does not answer this question, or not so.
    Question,
    /// An array has the wrong shape.
    Shape,
    /// A number is NaN or infinite, or an answer would be.
    Number,
    /// A state is none of the robot's, or singular.
    State,
    /// Recordings, or what is asked of them, give no parameters.
    Recording,
    /// A device, or its compiler, is not there or fails.
    Device,
}

impl Kind {
    const ALL: [Self; 7] =
        [Self::Robot, Self::Question, Self::Shape, Self::Number, Self::State, Self::Recording, Self::Device];

    fn name(self) -> &'static str {
        match self {
            Self::Robot => "RobotError",
            Self::Question => "QuestionError",
            Self::Shape => "ShapeError",
            Self::Number => "NumberError",
            Self::State => "StateError",
            Self::Recording => "RecordingError",
            Self::Device => "DeviceError",
        }
    }

    /// An exception of this kind.
    pub(crate) fn error(self, message: impl Into<String>) -> PyErr {
        static CLASSES: PyOnceLock<Vec<Py<PyType>>> = PyOnceLock::new();
        Python::attach(|py| {
            let classes = CLASSES.get_or_try_init(py, || -> PyResult<Vec<Py<PyType>>> {
                let module = py.import("appell._errors")?;
                let class = |kind: Self| Ok(module.getattr(kind.name())?.cast_into::<PyType>()?.unbind());
                Self::ALL.into_iter().map(class).collect()
            });
            match classes {
                Ok(classes) => PyErr::from_type(classes[self as usize].bind(py).clone(), message.into()),
                Err(error) => error,
            }
        })
    }
}

/// Why a text gives no robot.
pub(crate) fn of_robot(error: &RobotError) -> PyErr {
    Kind::Robot.error(error.to_string())
}

/// Why a question cannot be asked.
pub(crate) fn of_question(error: &Refused) -> PyErr {
    Kind::Question.error(error.to_string())
}

/// Why a state has no answer.
pub(crate) fn of_answer(error: &AnswerError) -> PyErr {
    kind(error).error(error.to_string())
}

/// Why a batch has none; `before` states went before it.
pub(crate) fn of_batch(BatchError { state, source }: &BatchError, before: usize) -> PyErr {
    kind(source).error(format!("state {}: {source}", before + state))
}

/// Why a device has no answer.
pub(crate) fn of_device(error: &DeviceError) -> PyErr {
    let kind = match error {
        DeviceError::State(error) => return of_batch(error, 0),
        DeviceError::Code(_) | DeviceError::Platform { .. } | DeviceError::Assembled { .. } => Kind::Question,
        DeviceError::NotFinite { .. } => Kind::Number,
        _ => Kind::Device,
    };
    kind.error(error.to_string())
}

/// Why there is no rollout.
pub(crate) fn of_rollout(error: &rollout::Refused) -> PyErr {
    match error {
        rollout::Refused::Inertia(cause) => Kind::State.error(format!("{error}: {cause}")),
        rollout::Refused::Singular(cause) => Kind::State.error(format!("{error}: {cause}")),
        _ => Kind::Question.error(error.to_string()),
    }
}

fn kind(error: &AnswerError) -> Kind {
    match error {
        AnswerError::Length { .. } => Kind::Shape,
        AnswerError::Refused(_) | AnswerError::Motion(MotionError::NoPlatform) => Kind::Question,
        AnswerError::Inertia(_) | AnswerError::Motion(_) | AnswerError::NotUnit(_) => Kind::State,
    }
}
