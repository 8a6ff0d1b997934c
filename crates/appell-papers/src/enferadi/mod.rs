//! The spherical star-triangle robot of Enferadi2010, 3-RRP, by the paper's own formulas of virtual work.
//!
//! A star turns about a point; its three arcs slide on the sides of a spherical triangle. The formulas are written out
//! here, corrected where they are not right as printed, for any triangle, any star and any bodies; gravity, which the
//! paper leaves out, is added. They referee the general methods.
//!
//! | symbol | meaning | frame |
//! |---|---|---|
//! | v_k, w_k | corner of the base's triangle; normal of the side from v_k to v_{k+1}, the axis of motor k | base |
//! | s, t_k | middle of the star; normal of its arc k | base |
//! | r_k | where arc and side meet | base |
//! | γ_k | angle of motor k, from v_k to r_k; driven | |
//! | μ_k, β_k | angle between side and arc; from r_k to s along the arc | |
//! | α_k | angles between the arcs: from arc 1 to 2 α₃, from 3 to 1 α₂ | |
//! | c_k | (r × t) · w = sin μ, zero where arc and side are one | |
//! | {1k}, {2k} | frames of the motor's link, x along r and z along w; and of the passive link, x along r and z along t | |
//!
//! | file | what it holds |
//! |---|---|
//! | [`StarTriangle`] | the parameters, and the robot as a description |
//! | [`kinematics`] | inverse kinematics, rates and accelerations, eqs 1 to 42 |
//! | [`dynamics`] | link Jacobians, virtual work, torques and accelerations, eqs 43 to 75 |
//! | [`trajectory`] | the motions of §7.2, and all methods along them |
//! | [`reactions`] | what all joints transmit, which the paper does not give |
//! | [`errata()`] | the misprints, each with numbers; `printed` holds the wrong forms |

pub mod dynamics;
mod errata;
pub mod kinematics;
mod printed;
pub mod reactions;
mod star;
pub mod trajectory;

pub use errata::errata;
pub use star::{StarError, StarTriangle};
