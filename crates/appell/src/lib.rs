//! Robot dynamics by the Gibbs-Appell equations: any serial robot, any scalar, no allocation in hot calls.
//!
//! The data flows one way, and a module uses only those above it:
//!
//! | module | what it is |
//! |---|---|
//! | [`real`] | what a number must do: `f64`, `f32`, counting, exact derivatives |
//! | [`spatial`] | vectors, tensors, turns, poses |
//! | [`description`] | what a user writes, and what is wrong with it |
//! | [`mechanism`] | what we compute with: checked, ordered, immutable |

pub mod description;
pub mod mechanism;
pub mod real;
pub mod robots;
pub mod spatial;
