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
//! | [`course`], [`trajectory`] | a motion through taught points: times, samples, limits |
//! | `shared` | a reference that outlives the laws which follow it |
//! | `written` | a motion as a scenario |
//! | [`trial`] | scenarios, played |
//! | [`run`] | the motion itself: steps, rewinding, what is shown |

pub mod course;
pub mod options;
mod state;
mod truth;
mod pace;
mod gains;
mod shared;
mod forces;
pub mod run;
pub mod trajectory;
mod written;
pub mod trial;

pub use options::Options;
pub use run::Motion;

use appell::Robot;
use appell::closed::ClosedMechanism;

/// Velocities of a robot that moves in a page, at most: matrices of more would fill its memory.
const MOST_VELOCITIES: usize = 500;

/// Refuses robots that are too large to move in a page.
fn refuse_large(robot: &Robot) -> Result<(), String> {
    let many = robot.closed().map_or(robot.tree().dof(), ClosedMechanism::velocities);
    if many <= MOST_VELOCITIES {
        return Ok(());
    }
    Err(format!("{} has {many} velocities; robots of up to {MOST_VELOCITIES} move in a page", robot.name()))
}
