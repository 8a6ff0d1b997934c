//! All questions of one robot, by its default methods, without naming one.

use super::{AnswerError, Evaluator, Question, Refused, State, Target};
use crate::Robot;

/// Robots of at most this many joints have the memory of all questions made at once; of longer ones, for whom a matrix may be
/// gigabytes, that of a question is made when it is asked first.
const AT_ONCE: usize = 64;

/// All questions of one robot: workspaces of the default, fastest methods. Answers are borrowed from it, and nothing is
/// allocated after it is made (beyond 64 joints: after a question was asked first), but for drives of a closed robot far from home,
/// to which a way is searched.
///
/// An open robot takes the motion of its joints; a closed one that of its drives by the same calls, or that of its platform by
/// [`Dynamics::ask`].
///
/// ```
/// use appell::{Question, Robot, State};
///
/// let robot = Robot::builtin("puma560")?;
/// let mut dynamics = robot.dynamics();
/// let (q, v, a) = ([0.1; 6], [0.2; 6], [0.3; 6]);
/// let tau = dynamics.inverse_dynamics(&q, &v, &a)?.to_vec();
/// let found = dynamics.forward_dynamics(&q, &v, &tau)?;
/// assert!(found.iter().zip(&a).all(|(found, a)| (found - a).abs() < 1e-12));
/// assert_eq!(dynamics.inertia_matrix(&q)?.len(), 36);
///
/// let hexapod = Robot::builtin("gough-stewart")?;
/// let mut dynamics = hexapod.dynamics();
/// let state = State::platform(hexapod.closed().unwrap().home().pose, [0.0; 6], [0.0; 6]);
/// assert!(dynamics.ask(Question::InverseDynamics, &state)?.iter().all(|force| *force > 0.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Dynamics {
    robot: Robot,
    target: Target,
    ready: Vec<Option<Ready>>, // by question
}

/// A question made ready, and its last answer.
struct Ready {
    evaluator: Evaluator,
    answer: Vec<f64>,
}

impl Robot {
    /// All questions of this robot by its default methods.
    #[must_use]
    pub fn dynamics(&self) -> Dynamics {
        let mut dynamics = Dynamics {
            robot: self.clone(),
            target: Target::default(),
            ready: Question::ALL.iter().map(|_| None).collect(),
        };
        if self.tree().dof() <= AT_ONCE {
            dynamics.prepare_all();
        }
        dynamics
    }
}

impl Dynamics {
    /// The same with Jacobians and singularities of this frame, instead of the last one.
    ///
    /// # Errors
    /// If the robot has no such frame.
    pub fn about(mut self, frame: &str) -> Result<Self, Refused> {
        let index = self.robot.tree().frame(frame).ok_or_else(|| Refused::Frame {
            frame: frame.into(),
            known: self.robot.frames().into_iter().map(String::from).collect(),
        })?;
        self.target.frame = Some(index);
        let asked = Question::ALL.into_iter().filter(|question| question.is_about_one_frame());
        for question in asked {
            if self.ready[question as usize].take().is_some() {
                self.ready[question as usize] = self.prepared(question).ok();
            }
        }
        Ok(self)
    }

    /// The robot.
    #[must_use]
    pub fn robot(&self) -> &Robot {
        &self.robot
    }

    /// Answers any question for a state.
    ///
    /// # Errors
    /// If the robot does not answer it, a vector has the wrong length, the motion is none of the robot's, or the state is
    /// singular.
    pub fn ask(&mut self, question: Question, state: &State<'_>) -> Result<&[f64], AnswerError> {
        let place = question as usize;
        if self.ready[place].is_none() {
            self.ready[place] = Some(self.prepared(question)?);
        }
        let Ready { evaluator, answer } = self.ready[place].as_mut().expect("made ready before");
        evaluator.evaluate(state, answer)?;
        Ok(answer)
    }

    /// τ = M a + C + G + friction: joint forces that give the accelerations, N m or N.
    ///
    /// # Errors
    /// As [`Dynamics::ask`].
    pub fn inverse_dynamics(&mut self, q: &[f64], v: &[f64], a: &[f64]) -> Result<&[f64], AnswerError> {
        self.ask(Question::InverseDynamics, &State::joints(q, v, a))
    }

    /// Joint accelerations that the forces give, rad/s² or m/s²; of a robot with a platform, after its six.
    ///
    /// # Errors
    /// As [`Dynamics::ask`].
    pub fn forward_dynamics(&mut self, q: &[f64], v: &[f64], tau: &[f64]) -> Result<&[f64], AnswerError> {
        self.ask(Question::ForwardDynamics, &State::forced(q, v, tau))
    }

    /// The inertia matrix, row by row.
    ///
    /// # Errors
    /// As [`Dynamics::ask`].
    pub fn inertia_matrix(&mut self, q: &[f64]) -> Result<&[f64], AnswerError> {
        self.ask(Question::InertiaMatrix, &State::joints(q, &[], &[]))
    }

    /// Forces at zero acceleration: velocities, gravity, friction and springs.
    ///
    /// # Errors
    /// As [`Dynamics::ask`].
    pub fn bias(&mut self, q: &[f64], v: &[f64]) -> Result<&[f64], AnswerError> {
        self.ask(Question::Bias, &State::joints(q, v, &[]))
    }

    /// Forces that hold the robot against gravity.
    ///
    /// # Errors
    /// As [`Dynamics::ask`].
    pub fn gravity(&mut self, q: &[f64]) -> Result<&[f64], AnswerError> {
        self.ask(Question::Gravity, &State::joints(q, &[], &[]))
    }

    /// C with Ṁ − 2C skew, row by row.
    ///
    /// # Errors
    /// As [`Dynamics::ask`].
    pub fn coriolis_matrix(&mut self, q: &[f64], v: &[f64]) -> Result<&[f64], AnswerError> {
        self.ask(Question::CoriolisMatrix, &State::joints(q, v, &[]))
    }

    /// The 6 × n Jacobian of the frame asked [`about`](Dynamics::about), or of the platform by its drives, row by row: linear,
    /// then angular.
    ///
    /// # Errors
    /// As [`Dynamics::ask`].
    pub fn jacobian(&mut self, q: &[f64]) -> Result<&[f64], AnswerError> {
        self.ask(Question::Jacobian, &State::joints(q, &[], &[]))
    }

    /// Y of τ = Y φ, row by row.
    ///
    /// # Errors
    /// As [`Dynamics::ask`].
    pub fn regressor(&mut self, q: &[f64], v: &[f64], a: &[f64]) -> Result<&[f64], AnswerError> {
        self.ask(Question::Regressor, &State::joints(q, v, a))
    }

    /// ∂τ/∂q, ∂τ/∂v and ∂τ/∂a, one after the other, each row by row.
    ///
    /// # Errors
    /// As [`Dynamics::ask`].
    pub fn inverse_dynamics_derivatives(&mut self, q: &[f64], v: &[f64], a: &[f64]) -> Result<&[f64], AnswerError> {
        self.ask(Question::InverseDynamicsDerivatives, &State::joints(q, v, a))
    }

    fn prepared(&self, question: Question) -> Result<Ready, Refused> {
        let evaluator = Evaluator::new(&self.robot, question, None, self.target)?;
        let answer = vec![0.0; evaluator.columns().len()];
        Ok(Ready { evaluator, answer })
    }

    fn prepare_all(&mut self) {
        for question in Question::ALL {
            self.ready[question as usize] = self.prepared(question).ok();
        }
    }
}
