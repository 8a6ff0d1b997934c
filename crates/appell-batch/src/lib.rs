//! Many states at once: lanes of the processor times its cores.
//!
//! | file | what it holds |
//! |---|---|
//! | [`Batch`] | a question of one robot for any number of states |
//! | [`States`] | the states |
//! | `open` | of an open robot, in lanes and on all cores |
//! | `rows` | states that lie one after the other, turned over into lanes |
//! | `closed` | of a robot with closed loops, on all cores |
//! | `closed_lanes` | of such robots, what can be in lanes: the table of it |
//! | [`Instructions`] | with which of the processor's |
//!
//! States lie in structures of arrays: `q[j * count + i]` is joint j of state i, and `answers[c * count + i]` is number c of its
//! answer; [`Batch::evaluate_rows`] takes them one after the other. Every state is computed by the same instructions wherever it
//! stands, so that answers do not depend on the number of threads nor on the states beside; but of closed robots, states in
//! lanes beside one that is singular, or must be searched for, are computed one by one.
//!
//! ```
//! use appell::{Question, Robot};
//! use appell_batch::{Batch, States};
//!
//! let robot = Robot::builtin("puma560")?;
//! let batch = Batch::new(&robot, Question::Gravity)?;
//! let count = 1000;
//! let q: Vec<f64> = (0..6 * count).map(|k| (k % 7) as f64 * 0.1).collect();
//! let mut answers = vec![0.0; batch.columns() * count];
//! batch.evaluate(&States { count, q: &q, ..States::default() }, &mut answers)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The instructions are chosen at run time: AVX-512, AVX2 with fused multiply-add, or, where it has neither,
//! one state after the other as everywhere.

mod closed;
mod closed_lanes;
mod instructions;
mod one_by_one;
mod open;
mod rows;
mod states;

pub use instructions::Instructions;
pub use states::{Motions, States};

use appell::question::{AnswerError, Evaluator, Input, Method, Question, Refused, Target, kernel, table};
use appell::{Model, Robot};
use std::sync::{Arc, Mutex, PoisonError};

/// A question of one robot for many states, by its default method.
#[derive(Clone)]
pub struct Batch {
    robot: Robot,
    question: Question,
    target: Target,
    method: &'static Method,
    columns: usize,
    widths: [usize; 2], // numbers of a position, and of all others
    instructions: Instructions,
    undecided: Arc<Mutex<Vec<usize>>>, // states of the last evaluation
}

/// Why a batch has no answer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("state {state}: {source}")]
pub struct BatchError {
    /// The first state that has none, counted from 0.
    pub state: usize,
    /// Why.
    pub source: AnswerError,
}

impl Batch {
    /// Prepares a question.
    ///
    /// # Errors
    /// If the robot does not answer it.
    pub fn new(robot: impl Into<Robot>, question: Question) -> Result<Self, Refused> {
        Self::about(robot, question, Target::default())
    }

    /// Prepares a question about a frame of an open robot.
    ///
    /// # Errors
    /// If the robot does not answer it, or has no such frame.
    pub fn about(robot: impl Into<Robot>, question: Question, target: Target) -> Result<Self, Refused> {
        let robot = robot.into();
        let method = question.method_of_batches(&robot).map(|method| method.name);
        let evaluator = Evaluator::new(&robot, question, method, target)?;
        let (method, columns) = (evaluator.method(), evaluator.columns().len());
        let (instructions, undecided) = (Instructions::default(), Arc::default());
        let widths = [robot.positions().len(), robot.drives().len()];
        Ok(Self { robot, question, target, method, columns, widths, instructions, undecided })
    }

    /// The same with instructions of the user's choice.
    #[must_use]
    pub fn by(self, instructions: Instructions) -> Self {
        Self { instructions, ..self }
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

    /// The frame that it is about.
    #[must_use]
    pub fn target(&self) -> Target {
        self.target
    }

    /// The method that answers.
    #[must_use]
    pub fn method(&self) -> &'static Method {
        self.method
    }

    /// How many numbers the answer for a state has.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Whether states are answered side by side, and not only on all cores.
    #[must_use]
    pub fn is_in_lanes(&self) -> bool {
        match self.robot.model() {
            Model::Tree(tree) => {
                let is_of_rows = tree.coordinates().is_none();
                is_of_rows && kernel::has(self.question) && self.method.name != table::OF_LONG_ROBOTS
            }
            Model::Closed(_) => appell::question::closed::is_of_any_number(self.question),
        }
    }

    /// The states of the last evaluation that were given by drives which cannot come there straight from home, counted from 0: which
    /// assembly a closed robot is in cannot be decided there, and the nearest that was found is taken.
    #[must_use]
    pub fn undecided(&self) -> Vec<usize> {
        let mut states = self.undecided.lock().unwrap_or_else(PoisonError::into_inner).clone();
        states.sort_unstable();
        states.dedup();
        states
    }

    /// Answers for all states, on the threads of rayon's pool.
    ///
    /// # Errors
    /// If a state has no answer: it is singular, or none of the robot's. Some answers are written then.
    ///
    /// # Panics
    /// If a vector that the question reads has not one value per joint (or drive) and state, or `answers` not one per column
    /// and state.
    pub fn evaluate(&self, states: &States<'_>, answers: &mut [f64]) -> Result<(), BatchError> {
        self.begin(states, answers);
        if states.count == 0 || self.columns == 0 {
            return Ok(());
        }
        match self.robot.model() {
            Model::Tree(tree) => open::evaluate(self, tree, states, answers),
            Model::Closed(robot) => closed::evaluate(self, robot, states, answers),
        }
    }

    /// The same of states that lie one after the other: `q[i * width + j]` is joint j of state i, and `answers[i * columns + c]` is number c
    /// of its answer. Each has the same answer to the last bit.
    ///
    /// # Errors
    /// As [`Batch::evaluate`].
    ///
    /// # Panics
    /// As [`Batch::evaluate`].
    pub fn evaluate_rows(&self, states: &States<'_>, answers: &mut [f64]) -> Result<(), BatchError> {
        self.begin(states, answers);
        if states.count == 0 || self.columns == 0 {
            return Ok(());
        }
        match self.robot.model() {
            Model::Tree(tree) => open::evaluate_rows(self, tree, states, answers),
            // A state takes longer than turning it over.
            Model::Closed(robot) => {
                rows::by_columns(states, answers, |states, answers| closed::evaluate(self, robot, states, answers))
            }
        }
    }

    /// Looks at what is given, and forgets the evaluation before.
    fn begin(&self, states: &States<'_>, answers: &[f64]) {
        let count = states.count;
        assert_eq!(answers.len(), self.columns * count, "one value per column and state");
        let [positions, others] = self.widths;
        for input in Input::ALL.into_iter().filter(|&input| self.question.reads(input)) {
            let is_read = matches!(states.motions(), Motions::Joints { .. }) || input == Input::Forces;
            let width = if input == Input::Positions { positions } else { others };
            let length = states.vector(input).len();
            assert!(!is_read || length == width * count, "`{}`: one value per joint and state", input.symbol());
        }
        self.undecided.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

impl Batch {
    /// Keeps account of a state whose assembly cannot be decided.
    fn note_undecided(&self, state: usize) {
        self.undecided.lock().unwrap_or_else(PoisonError::into_inner).push(state);
    }
}

/// The parts of all columns that belong to chunks of so many states.
fn parts(answers: &mut [f64], count: usize, chunk: usize) -> Vec<Vec<&mut [f64]>> {
    let columns = answers.len() / count;
    let mut parts: Vec<Vec<&mut [f64]>> = (0..count.div_ceil(chunk)).map(|_| Vec::with_capacity(columns)).collect();
    for column in answers.chunks_exact_mut(count) {
        column.chunks_mut(chunk).zip(&mut parts).for_each(|(part, parts)| parts.push(part));
    }
    parts
}
