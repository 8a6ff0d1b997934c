//! Crossing a singularity of Type 2 with finite torques (Briot2008).
//!
//! The drives must hold J_invᵀ τ = w, w = M_rob ṙ + c_rob. Where J_inv t_s = 0, they can only if the motion that they do
//! not control needs no force:
//!
//! ```text
//! t_s · w = 0                                         the criterion, one equation for ṙ
//! ṙ' = ṙ − t_s (t_s · w) / (t_sᵀ M_rob t_s)            the nearest ṙ that satisfies it, in the metric of the inertia
//! ```
//!
//! The change is along t_s itself: the drives leave that motion alone, and the robot falls through it as its inertia
//! wants. [`passage()`] makes a path with this acceleration at the crossing, [`nearest()`] and [`between`] find where
//! to cross, and [`crosses_once`] makes sure that a path does so there alone.

mod criterion;
mod nearest;
mod passage;

pub use criterion::{Criterion, SATISFIED, SINGULAR, Workspace, applies, corrected, criterion};
pub use nearest::{Nearest, nearest};
pub use passage::{CrossingError, Passage, Path, Shape, between, crosses_once, passage};
