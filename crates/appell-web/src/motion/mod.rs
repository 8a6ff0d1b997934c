//! Robots that move by themselves on the bench: what `appell_simulation` integrates, step by step, for a page.
//!
//! | file | what it holds |
//! |---|---|
//! | [`options`] | what a user may turn, as the contract writes it |
//! | `state` | a state that a plant is made of, and that stays of one |
//! | `truth` | the true robot and the one that the law knows: payload, friction, springs |
//! | `pace` | how long a step of the integration may be |
//! | `gains` | gains of a law by what the drives move |
//! | `forces` | all of these, ready to drive the robot; a push |
//! | `shared` | a reference that outlives the laws which follow it |
//! | [`run`] | the motion itself: steps, rewinding, what is shown |

pub mod options;
mod state;
mod truth;
mod pace;
mod gains;
mod shared;
mod forces;
pub mod run;

pub use options::Options;
pub use run::Motion;
