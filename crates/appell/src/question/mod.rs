//! Any question of a robot by its name: what it reads, what it answers, and by which methods.
//!
//! One row of the [`table`] is a question: name, what it reads, its columns, for which robots, its methods with the default
//! first. Everything that chooses at run time comes from it: single states, batches, generated code, the command line, bindings,
//! the tests of agreement, golden data and allocations. Code that knows its question and its method calls
//! [`dynamics`](crate::dynamics), [`kinematics`](crate::kinematics) and [`closed`](crate::closed) itself.
//!
//! | file | what it holds |
//! |---|---|
//! | [`table`] | the questions |
//! | [`columns`](Question::columns) | names of the numbers of an answer |
//! | [`kernel`] | how a question of an open robot is answered, on numbers of any kind |
//! | [`generalised`] | the same in coordinates that are not the rows of the tree |
//! | [`Method`] | what a method is called and does |
//! | `methods` | how further methods of open robots are made ready |
//! | [`closed`] | the same for robots with closed loops |
//! | [`Evaluator`] | one question of one robot, state by state |
//! | [`Dynamics`] | all questions of one robot |
//! | [`agreement`] | how far the methods for one question differ, on random states |
//! | [`crossings`] | where a motion meets Type 2, and by which torques |
//!
//! ```
//! use appell::{Robot, question::{Evaluator, Question, State, Target}};
//!
//! let robot = Robot::builtin("scara")?;
//! let mut evaluator = Evaluator::new(&robot, Question::InertiaMatrix, None, Target::default())?;
//! let mut row = vec![0.0; evaluator.columns().len()];
//! evaluator.evaluate(&State { q: &[0.1, 0.2, 0.05, 0.0], ..State::default() }, &mut row)?;
//! assert_eq!(evaluator.columns()[1], "M12");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod agreement;
mod by_motors;
pub mod closed;
mod columns;
pub mod crossings;
mod dynamics;
mod error;
mod evaluator;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod fused;
pub mod generalised;
pub mod kernel;
mod method;
mod methods;
mod open;
mod own_coordinates;
mod ready;
mod state;
pub mod table;

pub use closed::{Motion, MotionError};
pub use columns::{Array, Columns, Part, Size};
pub use dynamics::Dynamics;
pub use error::{AnswerError, Refused, UnknownMethod};
pub use evaluator::Evaluator;
pub use method::Method;
pub use state::{Input, State, Target};
pub use table::Question;
