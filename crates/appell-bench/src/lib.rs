//! Timing and tables for the benchmarks, by the rule of the peers' harness so that both can stand side by side.

mod peers;
mod timing;

pub use peers::Peers;
pub use timing::{Timing, time, time_repeats};

use appell::mechanism::Mechanism;

/// States that are cycled through while timing.
pub const STATES: usize = 64;

/// The deterministic states all peers are measured on, one row a state.
#[derive(Debug)]
#[expect(missing_docs, reason = "named as everywhere")]
pub struct States {
    pub q: Vec<Vec<f64>>,
    pub v: Vec<Vec<f64>>,
    pub a: Vec<Vec<f64>>,
}

impl States {
    /// The states of a robot.
    #[must_use]
    pub fn of(robot: &Mechanism) -> Self {
        Self::of_joints(robot.dof())
    }

    /// The states of a robot of so many joints.
    #[must_use]
    pub fn of_joints(n: usize) -> Self {
        let table =
            |f: fn(f64, f64) -> f64| (0..STATES).map(|k| (0..n).map(|i| f(k as f64, i as f64)).collect()).collect();
        Self {
            q: table(|k, i| 1.20 * (0.37 * k + 1.10 * i + 0.20).sin()),
            v: table(|k, i| 0.90 * (0.53 * k + 0.70 * i + 0.40).cos()),
            a: table(|k, i| 1.50 * (0.29 * k + 0.90 * i + 1.00).sin()),
        }
    }
}
