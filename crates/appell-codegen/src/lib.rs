//! Code of one robot: an algorithm of the library runs on recorded expressions, and what it did is simplified and
//! written as a function without a loop.
//!
//! ```text
//! algorithm on Expr ──► Graph ──► simplify ──► Program ──► emit::Language
//!  (dynamics, closed)   (equal expressions     (in order,   (C, Rust, CUDA, Python, Julia, LaTeX,
//!                        are one)               counted)     each with a self-test)
//! ```
//!
//! | file | what it is |
//! |---|---|
//! | `graph`, `expr` | expressions, simplified when they are made; the number that records |
//! | `simplify` | common factors, and what nobody needs |
//! | `differentiate`, `adjoint` | derivatives of what was recorded, along a direction and by many inputs at once |
//! | `program` | the computation in order: counted, run, written |
//! | `schedule` | an order in which few values wait, for devices |
//! | `tree`, `closed` | what is recorded for each question |
//! | `kernel` | a question of a robot as a program, with its arguments, costs and a test |
//! | `parameter` | parameters that stay inputs |
//! | `support` | which questions of which robots have code |
//! | [`emit`] | the languages |
//! | [`rollout`] | robots that move: their steps, laws and gradients as one function for devices |

mod adjoint;
mod closed;
mod differentiate;
pub mod emit;
mod expr;
mod graph;
mod kernel;
mod parameter;
mod program;
pub mod rollout;
mod schedule;
mod simplify;
mod support;
mod tree;

pub use expr::{Expr, Recorder};
pub use kernel::{Argument, Kernel, Options, Refused, Report, Sample, generate};
pub use parameter::{Owner, Parameter, Symbol, UnknownParameter};
pub use program::Program;
pub use support::{answers, writes};
