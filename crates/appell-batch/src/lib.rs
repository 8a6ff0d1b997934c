//! Many states at once: lanes of the processor times its cores.
//!
//! | file | what it holds |
//! |---|---|
//! | [`Batch`] | any number of states of an open robot, in lanes and on all cores |
//! | [`ClosedBatch`] | of a robot with closed loops, on all cores |
//! | [`Instructions`] | with which of the processor's |
//! | `closed_lanes` | of such robots, what can be in lanes: the table of it |
//!
//! States lie in structures of arrays: `q[j * count + i]` is joint j of state i, and `answers[c * count + i]` is number c of its
//! answer. Every state is computed by the same instructions wherever it stands, so that answers do not depend on the number of
//! threads nor on the states beside; but of closed robots, states in lanes beside one that is singular, or
//! must be searched for, are computed one by one.
//!
//! ```
//! use appell::{question::{Question, Target}, robots};
//! use appell_batch::{Batch, States};
//!
//! let robot = robots::find("puma560").unwrap().mechanism();
//! let batch = Batch::new(&robot, Question::Gravity, Target::default()).unwrap();
//! let count = 1000;
//! let q: Vec<f64> = (0..6 * count).map(|k| (k % 7) as f64 * 0.1).collect();
//! let mut answers = vec![0.0; batch.columns() * count];
//! batch.evaluate(&States { count, q: &q, ..States::default() }, &mut answers)?;
//! # Ok::<(), crate::BatchError>(())
//! ```
//!
//! The instructions are chosen when the program runs: AVX-512, AVX2 with fused multiply-add, or, where it has neither,
//! one state after the other as everywhere.

mod closed;
mod closed_lanes;
mod instructions;
mod many;

pub use closed::{ClosedBatch, ClosedBatchError, ClosedStates, Motions};
pub use instructions::Instructions;
pub use many::{Batch, BatchError, States};
