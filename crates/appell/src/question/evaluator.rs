//! A question made ready on one robot, evaluated state by state.

use super::closed::Closed;
use super::method::How;
use super::open::Open;
use super::table::Trait;
use super::{AnswerError, Input, Method, Motion, Question, Refused, State, Target, UnknownMethod};
use crate::closed::drives::Sharing;
use crate::closed::formulation::Formulation;
use crate::closed::{Configuration, spherical};
use crate::{Model, Robot};

/// A question of one robot by one method, with all memory it needs: evaluates one state after another.
///
/// By default it runs on the processor's best instructions. A method that is named runs on plain numbers, whose answers are the
/// same on every processor.
pub struct Evaluator {
    robot: Robot,
    question: Question,
    method: &'static Method,
    columns: Vec<String>,
    reads: [bool; Input::ALL.len()], // which vectors of a state
    ready: Ready,
}

/// What it is answered with.
#[expect(clippy::large_enum_variant, reason = "there are few evaluators, each for many states")]
enum Ready {
    Open(Open),
    Closed(Closed),
}

impl Evaluator {
    /// Prepares a question; `method` is one of [`Question::methods`], the first if `None`.
    ///
    /// # Errors
    /// If the robot does not answer the question, or not by this method, or has no such frame.
    pub fn new(
        robot: impl Into<Robot>,
        question: Question,
        method: Option<&str>,
        target: Target,
    ) -> Result<Self, Refused> {
        let robot = robot.into();
        refuse(&robot, question, method, target)?;
        let known = question.methods(&robot);
        let found = known.iter().copied().find(|known| method.is_none_or(|name| known.name == name));
        let found = found.ok_or_else(|| UnknownMethod {
            method: method.unwrap_or_default().into(),
            question: question.name(),
            known: known.iter().map(|method| method.name).collect(),
        })?;
        let columns = question.columns(&robot);
        let ready = match (robot.model(), found.how) {
            (Model::Closed(closed), How::Closed(way)) => {
                Ready::Closed(Closed::new(closed, question, way, columns.len(), method.is_some()))
            }
            _ => Ready::Open(Open::new(robot.tree(), question, found, target, method.is_some())),
        };
        let reads = Input::ALL.map(|input| question.reads(input));
        Ok(Self { robot, question, method: found, columns, reads, ready })
    }

    /// The same with each state of a closed robot going on from the one before: joints turn on and keep their working modes.
    /// Otherwise every state is found from home.
    #[must_use]
    pub fn continuous(mut self, continuous: bool) -> Self {
        if let Ready::Closed(closed) = &mut self.ready {
            closed.found.continuous = continuous;
        }
        self
    }

    /// The same with poses whose dependent components follow the independent ones, however far, as those of an output always do.
    /// Otherwise those of a platform of its own give way by rounding alone.
    #[must_use]
    pub fn pose_follows(mut self, follows: bool) -> Self {
        if let Ready::Closed(closed) = &mut self.ready {
            closed.found.follows = follows;
        }
        self
    }

    /// The same with redundant drives that share the work so.
    #[must_use]
    pub fn sharing(mut self, sharing: Sharing) -> Self {
        if let Ready::Closed(closed) = &mut self.ready {
            closed.sharing = sharing;
        }
        self
    }

    /// The same with torques and forces of the least squares where the drives cannot hold a closed robot, instead of an
    /// error: singular values below `tolerance`, over the largest, count as zero.
    #[must_use]
    pub fn least_squares(mut self, tolerance: Option<f64>) -> Self {
        if let Ready::Closed(closed) = &mut self.ready {
            closed.least_squares = tolerance;
        }
        self
    }

    /// The robot.
    #[must_use]
    pub fn robot(&self) -> &Robot {
        &self.robot
    }

    /// The question.
    #[must_use]
    pub fn question(&self) -> Question {
        self.question
    }

    /// The method that answers it.
    #[must_use]
    pub fn method(&self) -> &'static Method {
        self.method
    }

    /// The names of the numbers it answers.
    #[must_use]
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// The same by the names of joints and independent velocities, as [`Question::named_columns`].
    #[must_use]
    pub fn named_columns(&self) -> Vec<String> {
        self.question.named_columns(&self.robot)
    }

    /// Answers for one state into `row`, one value per column. Allocates nothing, but where the drives of a closed robot
    /// are so far from home, or from where they were, that a way there is searched.
    ///
    /// # Errors
    /// If a vector that the question reads has the wrong length, the motion is none of the robot's, or the state is singular.
    ///
    /// # Panics
    /// If `row` does not have one value per column.
    pub fn evaluate(&mut self, state: &State<'_>, row: &mut [f64]) -> Result<(), AnswerError> {
        assert_eq!(row.len(), self.columns.len(), "one value per column");
        match (&mut self.ready, self.robot.model()) {
            (Ready::Open(open), _) => {
                let robot = self.robot.tree();
                match robot.coordinates() {
                    None => expect_lengths(state, self.reads, robot.dof(), robot.dof())?,
                    Some(own) => {
                        expect_lengths(state, self.reads, own.positions().len(), own.velocities().len())?;
                        own.check(state.q)?;
                    }
                }
                Ok(open.evaluate(robot, state, row)?)
            }
            (Ready::Closed(closed), Model::Closed(robot)) => {
                let [q, v, a, tau, w] = self.reads;
                let of_drives = matches!(state.motion, Motion::Joints);
                let reads = [q && of_drives, v && of_drives, a && of_drives, tau, w && of_drives];
                expect_lengths(state, reads, robot.driven().len(), robot.driven().len())?;
                Ok(closed.evaluate(robot, state, row)?)
            }
            (Ready::Closed(_), Model::Tree(_)) => unreachable!("made of one robot"),
        }
    }

    /// What answers a robot with closed loops, for those who go on from a motion that it finds.
    #[must_use]
    pub fn closed(&mut self) -> Option<&mut Closed> {
        match &mut self.ready {
            Ready::Open(_) => None,
            Ready::Closed(closed) => Some(closed),
        }
    }

    /// Whether the state answered last was given by drives that cannot come there straight from home: the nearest assembly that was
    /// found is taken then.
    #[must_use]
    pub fn is_undecided(&self) -> bool {
        matches!(&self.ready, Ready::Closed(closed) if closed.is_undecided())
    }

    /// The configuration of the state of a closed robot answered last.
    #[must_use]
    pub fn configuration(&self) -> Option<&Configuration> {
        match &self.ready {
            Ready::Open(_) => None,
            Ready::Closed(closed) => Some(&closed.found.moved.at),
        }
    }
}

/// Refuses vectors of a wrong length, of those that are read. Every state pays for this: all lengths are looked at without a
/// branch each.
#[inline]
fn expect_lengths(
    state: &State<'_>,
    reads: [bool; Input::ALL.len()],
    positions: usize,
    others: usize,
) -> Result<(), AnswerError> {
    let State { q, v, a, tau, w, .. } = *state;
    let found = [q.len(), v.len(), a.len(), tau.len(), w.len()];
    let expected = [positions, others, others, others, others];
    let is_wrong = |k: usize| reads[k] & (found[k] != expected[k]);
    if is_wrong(0) | is_wrong(1) | is_wrong(2) | is_wrong(3) | is_wrong(4) {
        return Err(wrong_length(reads, found, expected));
    }
    Ok(())
}

/// Which length it is.
#[cold]
fn wrong_length<const N: usize>(reads: [bool; N], found: [usize; N], expected: [usize; N]) -> AnswerError {
    let k = (0..N).find(|&k| reads[k] && found[k] != expected[k]).expect("one is wrong");
    AnswerError::Length { input: Input::ALL[k], found: found[k], expected: expected[k] }
}

/// Refuses what a robot cannot answer.
fn refuse(robot: &Robot, question: Question, method: Option<&str>, target: Target) -> Result<(), Refused> {
    let (row, name) = (question.row(), question.name());
    let Some(closed) = robot.closed() else {
        if row.open.is_empty() {
            return Err(Refused::Open { question: name });
        }
        if let Some(transmission) = robot.tree().motors().underactuated().filter(|_| question == Question::MotorTorques)
        {
            return Err(Refused::Underactuated { question: name, transmission: transmission.into() });
        }
        let frames = robot.tree().frames();
        if let Some(frame) = target.frame.filter(|&frame| frame >= frames.len()) {
            let known = frames.iter().map(|frame| frame.name.clone()).collect();
            return Err(Refused::Frame { frame: format!("number {frame}"), known });
        }
        return Ok(());
    };
    if row.closed.is_empty() {
        return Err(Refused::Question { question: name });
    }
    if row.traits.contains(&Trait::Platform) && closed.platform().is_none() {
        return Err(Refused::NoPlatform { question: name });
    }
    let is_spherical =
        |known: &&Method| matches!(known.how, How::Closed(way) if way.of_motion() == Formulation::Spherical);
    let wanted = row.closed.iter().filter(is_spherical).find(|known| method == Some(known.name));
    if let Some(wanted) = wanted {
        spherical::recognise(closed).map_err(|problem| Refused::NotSpherical { method: wanted.name, problem })?;
    }
    Ok(())
}
