//! The Agile Wrist of Abedloo, a 3-RRR robot whose axes all pass through one point, by the paper's own closed form.
//!
//! The paper prints formulas, parameters and figures. The formulas are written out here, corrected where they are not
//! right as printed, for any angles of the legs and any bodies; they referee the general methods.
//!
//! | symbol | meaning | frame |
//! |---|---|---|
//! | q | 321 Euler angles of the platform, R = Rz(q₁) Ry(q₂) Rx(q₃) | |
//! | u, w, v | axes of a leg's joints: at the base, between the links, on the platform | base |
//! | θ, ψ | angles of the first two joints; θ is driven | |
//! | α₁, α₂ | angular lengths of the links | |
//! | γ, λ; β, η | where u is on the base; where v is on the platform | |
//! | h | u · (v × w), zero where the leg is stretched or folded | |
//! | r₁, r₂ | rows with θ̇ = r₁ q̇ and ψ̇ = r₂ q̇; b₁, b₂ are their rates | |
//!
//! | file | what it holds |
//! |---|---|
//! | [`AgileWrist`] | the parameters, and the robot as a description |
//! | [`kinematics`] | inverse kinematics, rates and their rows, eqs 25 to 43 |
//! | [`dynamics`] | Jacobians of the bodies, M, C, G and J_act, torques and accelerations, eqs 19 to 24 and 44 to 51 |
//! | [`trajectory`] | the motion of eq. 52, and all methods along it |
//! | [`controlled`] | the same motion in a simulation under a stiff PD law, figures 4 to 7 |
//! | [`errata()`] | the misprints, each with numbers; `printed` holds the wrong forms |
//! | [`reach`] | where the legs reach, and how far they are from stretched |

pub mod controlled;
pub mod dynamics;
mod errata;
pub mod kinematics;
mod plant;
mod printed;
pub mod reach;
pub mod trajectory;
mod wrist;

pub use errata::errata;
pub use wrist::{AgileWrist, Leg, Mode, WristError};
