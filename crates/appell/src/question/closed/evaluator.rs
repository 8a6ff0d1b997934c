//! A question made ready on one closed mechanism, evaluated state by state.

use super::answers::{Given, Run};
use super::motion::{Found, Moved};
use super::ways::prepare;
use super::{Method, Motion, MotionError, State, Way, all_methods, columns, has_answer, is_about_platform, methods};
use crate::closed::drives::Sharing;
use crate::closed::scheme::Scheme;
use crate::closed::spherical::{self, NotSpherical};
use crate::closed::{ClosedMechanism, Load};
use crate::question::{Input, Question, UnknownMethod};
use crate::spatial::Wrench;

/// A question of one closed mechanism by one method, with all memory it needs.
pub struct Evaluator<'r> {
    robot: &'r ClosedMechanism,
    question: Question,
    method: Method,
    columns: Vec<String>,
    run: Run<'r>,
    found: Found,
    load: Load,
    sharing: Sharing,
    least_squares: Option<f64>,
}

/// Why a question cannot be asked.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Refused {
    /// There is no such method.
    #[error(transparent)]
    Method(#[from] UnknownMethod),
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
    /// The mechanism has no platform to tell of.
    #[error("{question} is about the platform, and the robot has none")]
    NoPlatform {
        /// The question.
        question: &'static str,
    },
}

/// Whether a question is answered from the independent velocities and their rates alone.
fn is_of_freedoms(question: Question, way: Way) -> bool {
    let dynamics = [
        Question::InverseDynamics,
        Question::ForwardDynamics,
        Question::InertiaMatrix,
        Question::Bias,
        Question::Gravity,
        Question::CoriolisVector,
    ];
    matches!(way, Way::By(_)) && dynamics.contains(&question)
}

impl<'r> Evaluator<'r> {
    /// Prepares a question; `method` is one of [`methods`], the first if `None`.
    ///
    /// # Errors
    /// If closed mechanisms do not answer the question, or not by this method.
    pub fn new(robot: &'r ClosedMechanism, question: Question, method: Option<&str>) -> Result<Self, Refused> {
        if !has_answer(question) {
            return Err(Refused::Question { question: question.name() });
        }
        if is_about_platform(question) && robot.platform().is_none() {
            return Err(Refused::NoPlatform { question: question.name() });
        }
        let of_spherical = all_methods(question).iter().filter(|known| known.way.scheme() == Scheme::Spherical);
        if let Some(wanted) = of_spherical.into_iter().find(|known| method == Some(known.name)) {
            let refused = |problem| Refused::NotSpherical { method: wanted.name, problem };
            spherical::recognise(robot).map_err(refused)?;
        }
        let mut known = methods(robot, question);
        let found = known.find(|known| method.is_none_or(|name| known.name == name));
        let method = found.ok_or_else(|| UnknownMethod {
            method: method.unwrap_or_default().into(),
            question: question.name(),
            known: methods(robot, question).map(|method| method.name).collect(),
        })?;
        let mut found = Found::new(robot, method.way.scheme());
        found.expands = !is_of_freedoms(question, method.way);
        Ok(Self {
            robot,
            question,
            method,
            columns: columns(question, robot),
            run: prepare(robot, question, method.way),
            found,
            load: Load::new(robot),
            sharing: Sharing::default(),
            least_squares: None,
        })
    }

    /// The same with each state going on from the one before: joints turn on and keep their working modes. Otherwise
    /// every state is found from home.
    #[must_use]
    pub fn continuous(mut self, continuous: bool) -> Self {
        self.found.continuous = continuous;
        self
    }

    /// The same with redundant drives that share the work so.
    #[must_use]
    pub fn sharing(mut self, sharing: Sharing) -> Self {
        self.sharing = sharing;
        self
    }

    /// The same with efforts of the least squares where the drives cannot hold the robot, instead of an error: singular
    /// values below `tolerance`, over the largest, count as zero.
    #[must_use]
    pub fn least_squares(mut self, tolerance: Option<f64>) -> Self {
        self.least_squares = tolerance;
        self
    }

    /// The question.
    #[must_use]
    pub fn question(&self) -> Question {
        self.question
    }

    /// The method that answers it.
    #[must_use]
    pub fn method(&self) -> Method {
        self.method
    }

    /// The names of the numbers it answers.
    #[must_use]
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Answers for one state into `row`, one number a column.
    ///
    /// # Errors
    /// If the motion is none of the robot's, or at a singularity.
    ///
    /// # Panics
    /// If a vector that the question reads has not one number a drive, or `row` not one a column.
    pub fn evaluate(&mut self, state: &State<'_>, row: &mut [f64]) -> Result<(), MotionError> {
        assert_eq!(row.len(), self.columns.len(), "one number a column");
        self.find(&state.motion)?;
        let on_platform = state.on_platform.unwrap_or(Wrench::zero(0.0));
        self.load.set(self.robot, &self.found.moved.at, state.external, on_platform);
        let given = Given {
            moved: &self.found.moved,
            tau: state.tau,
            load: self.load.on_velocities(),
            on_bodies: self.load.on_bodies(),
            sharing: &self.sharing,
            least_squares: self.least_squares,
        };
        Ok((self.run)(&given, row)?)
    }

    /// The configuration and the independent velocities of a motion, as far as the question reads them.
    pub fn find(&mut self, motion: &Motion<'_>) -> Result<&Moved, MotionError> {
        let reads = |input| self.question.inputs().contains(&input);
        let (velocities, accelerations) = (reads(Input::Velocities), reads(Input::Accelerations));
        self.found.find(self.robot, motion, velocities, accelerations)?;
        Ok(&self.found.moved)
    }

    /// The formulation that answers, if it is one.
    pub fn scheme(&self) -> Option<Scheme> {
        match self.method.way {
            Way::By(scheme) => Some(scheme),
            _ => None,
        }
    }

    /// Whether all velocities and their rates are asked for, and not only the independent ones.
    pub fn expands(&self) -> bool {
        self.found.expands
    }

    /// The configuration of the state answered last.
    #[must_use]
    pub fn configuration(&self) -> &crate::closed::Configuration {
        &self.found.moved.at
    }
}
