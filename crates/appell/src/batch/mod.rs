//! Many states at once: lanes of the processor times its cores.
//!
//! | file | what it holds |
//! |---|---|
//! | `kernel` | questions over numbers of any kind |
//! | [`Single`], `fused` | one state at a time, by the fused instructions of the processor |
//! | [`Batch`] | any number of states of an open robot, in lanes and on all cores |
//! | [`ClosedBatch`] | of a robot with closed loops, on all cores |
//! | [`Instructions`] | with which of the processor's |
//! | [`ClosedSingle`] | of such a robot one state at a time, by fused instructions |
//! | `closed_lanes` | of such robots, what can be in lanes: the table of it |
//!
//! States lie in structures of arrays: `q[j * count + i]` is joint j of state i, and `answers[c * count + i]` is number c of its
//! answer. Every state is computed by the same instructions wherever it stands, so that answers do not depend on the number of
//! threads nor on the states beside; but of closed robots, states in lanes beside one that is singular, or
//! must be searched for, are computed one by one.
//!
//! ```
//! use appell::{batch::{Batch, States}, question::{Question, Target}, robots};
//!
//! let robot = robots::find("puma560").unwrap().mechanism();
//! let batch = Batch::new(&robot, Question::Gravity, Target::default()).unwrap();
//! let count = 1000;
//! let q: Vec<f64> = (0..6 * count).map(|k| (k % 7) as f64 * 0.1).collect();
//! let mut answers = vec![0.0; batch.columns() * count];
//! batch.evaluate(&States { count, q: &q, ..States::default() }, &mut answers)?;
//! # Ok::<(), appell::batch::BatchError>(())
//! ```
//!
//! The instructions are chosen when the program runs: AVX-512, AVX2 with fused multiply-add, or, where it has neither,
//! one state after the other as everywhere.

mod closed;
mod closed_lanes;
mod closed_single;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod fused;
mod instructions;
pub(crate) mod kernel;
mod many;
mod single;

pub use closed::{ClosedBatch, ClosedBatchError, ClosedStates, Motions};
pub use closed_single::ClosedSingle;
pub use instructions::Instructions;
pub use many::{Batch, BatchError, States};
pub use single::Single;

/// The method that answers forward dynamics of robots with many joints: O(n), where the default is O(n³).
const OF_LONG_ROBOTS: &str = "articulated-body";
