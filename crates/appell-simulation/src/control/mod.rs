//! Laws that make a robot do what is wanted. Each is a [`Law`]: a small trait, which a user's own law fits as well.
//!
//! | law | torques and forces | source |
//! |---|---|---|
//! | [`ComputedTorque::to_point`] | τ = ID(q, q̇, −K_d q̇ − K_p e) | Valera, table 4 |
//! | [`ComputedTorque::tracking`] | τ = ID(q, q̇, q̈_d − K_d ė − K_p e − K_i ∫ e) | the same, its derivative term corrected |
//! | [`JointPd`] | τ = −K_d ė − K_p e, and gravity or ID(q_d, q̇_d, q̈_d) in advance; of joints, or of the drives of a robot with closed loops | |
//! | [`Adaptive`] | τ = Y(q, q̇, q̇_r, q̈_r) φ̂ − K s, with φ̂ learnt on the way | Slotine1987 |
//! | [`PlatformTorque`] | τ = ID(pose, V, V̇_d − K_d (V − V_d) − K_p e) of a parallel robot | |
//! | [`DriveTorque`] | the same with the errors of its drives | |
//! | [`Limited`] | those of another law, cut at what the drives can give, without winding up | |
//!
//! with e = q − q_d. The model of a law may be another robot than the plant: that is what simulations are for. With an
//! exact model ë + K_d ė + K_p e = 0.
//!
//! | around a law | what it does | where |
//! |---|---|---|
//! | nothing | the law in continuous time, as it is written | [`simulation::run`](crate::simulation::run()) |
//! | a sampled loop | periods, zero-order hold, delay, safe stops, statistics | [`sampled`] |
//! | its chain of signals | encoders, potentiometers, converters, outputs, switches | [`signal`] |
//!
//! A law of one's own:
//!
//! ```
//! use appell::robots;
//! use appell_simulation::simulation::{Law, Options, Reason, View, plant::Tree, run};
//! use core::ops::ControlFlow;
//!
//! struct Brake(f64);
//!
//! impl Law for Brake {
//!     fn efforts(&mut self, now: &View<'_>, _: &[f64], _: &mut [f64], efforts: &mut [f64]) -> Result<(), Reason> {
//!         efforts.iter_mut().zip(now.v).for_each(|(effort, v)| *effort = -self.0 * v);
//!         Ok(())
//!     }
//! }
//! let robot = robots::find("scara").unwrap().mechanism();
//! let mut plant = Tree::new(&robot, &[0.0; 4], &[1.0, -1.0, 0.0, 2.0]);
//! let outcome = run(&mut plant, &mut Brake(5.0), 0.0, 0.5, &Options::default(), |_| ControlFlow::Continue(()));
//! assert!(outcome.stop.is_none());
//! ```

mod adaptive;
mod computed_torque;
mod feedback;
mod gains;
mod limited;
mod parallel;
mod pd;
pub mod signal;
pub mod operated;
pub mod sampled;

pub use adaptive::Adaptive;
pub use computed_torque::ComputedTorque;
pub(crate) use feedback::Wanted;
pub use gains::Gains;
pub use limited::Limited;
pub use parallel::{DriveTorque, PlatformTorque};
pub use pd::{InAdvance, JointPd};

pub use crate::simulation::Law;
