//! Robots with closed loops: asked for a motion of the platform or of the drives, answered for the drives and the
//! independent velocities.
//!
//! | file | what it holds |
//! |---|---|
//! | [`Motion`], [`Found`] | from a motion as users give it to a configuration and the independent velocities |
//! | [`by_formulation`] | how a formulation answers a question, on numbers of any kind |
//! | `prepare`, `referees` | which method answers; what looks at values; second methods |
//! | [`Closed`] | a question made ready, by fused instructions where the processor has them |

mod answers;
mod fused;
mod motion;
mod prepare;
mod ready;
mod referees;

pub use answers::{Given, Run, accelerations, bare, by_formulation, is_of_any_number};
pub use motion::{FITS, Found, Motion, MotionError, Moved};
pub use ready::Closed;
