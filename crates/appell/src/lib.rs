//! Robot dynamics by the Gibbs-Appell equations: serial, tree-like and parallel robots, any scalar, no allocation in hot
//! calls.
//!
//! The data flows one way, and a module uses only those above it:
//!
//! | module | what it is |
//! |---|---|
//! | [`real`] | what a number must do: `f64`, `f32`, counting, exact derivatives |
//! | [`spatial`] | vectors, tensors, turns, poses |
//! | [`linear`] | small linear systems over any number |
//! | [`description`] | what a user writes, and what is wrong with it |
//! | [`mechanism`] | what we compute with: checked, ordered, immutable |
//! | [`sample`] | seeded random robots and states |
//! | [`kinematics`] | poses, Jacobians, velocities, accelerations |
//! | [`dynamics`] | one file per method: the table question × method × cost |
//! | [`closed`] | parallel robots and closed mechanisms: assembly, mobility, dynamics |
//! | [`robots`] | the built-in robots |
//! | [`question`] | any question by its name: what programs and bindings call |

pub mod real;
pub mod spatial;
pub mod linear;
pub mod polynomial;
pub mod description;
pub mod mechanism;
pub mod sample;
pub mod kinematics;
pub mod dynamics;
pub mod closed;
pub mod robots;
mod robot;
pub mod question;

pub use question::{AnswerError, Dynamics, Evaluator, Question, State};
pub use robot::{Format, Joint, Kind, Model, Robot, RobotError, RobotFile, UnreadFormat};
