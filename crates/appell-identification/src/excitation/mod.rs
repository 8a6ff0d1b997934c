//! Motions that let the unknowns of a robot be told apart, within its limits.
//!
//! | step | where |
//! |---|---|
//! | families of motions, linear in their coefficients | [`Form`] |
//! | limits of position, velocity, acceleration, effort | [`DriveLimits`] |
//! | coefficients that keep the first three by construction | `within` |
//! | the regressor along a motion, with derivatives by the drives' motion | `observer`, `columns` |
//! | condition number, log det | [`Criterion`] |
//! | all together, and what efforts beyond their limits cost | `problem` |
//! | a posture to begin from | `posture` |
//! | steps downhill | `start`, `descent` |
//! | random starts, jumps from the best of them | `rounds` |
//! | what is asked for, the last word on the limits, the best | [`Options`], [`search`](search()) |
//!
//! Gradients are exact: dual numbers through the regressor, the chain rule for the rest. The same seed gives the same motion
//! on any number of threads.

mod columns;
mod criterion;
mod descent;
mod error;
mod form;
mod limits;
mod observer;
mod options;
mod posture;
mod problem;
mod rounds;
mod search;
mod start;
mod within;

pub use criterion::Criterion;
pub use error::ExcitationError;
pub use form::{Excited, Form};
pub use limits::DriveLimits;
pub use options::Options;
pub use problem::Peak;
pub use search::{Excitation, Progress, random, search};
