//! Motions, simulations, laws and scenarios.

#[path = "../../../appell/tests/suite/common/mod.rs"]
mod common;

mod control;
mod sampled_loop;
mod scenario;
mod simulation;
mod trajectory;

use appell_simulation::trajectory::{JointReference, Ramp, Shape, TimeLaw};

/// A motion of all joints that begins and ends at rest.
fn ramp(from: &[f64], to: &[f64], time: f64) -> Box<dyn JointReference> {
    Box::new(Ramp::new(from, to, TimeLaw::new(Shape::Quintic, time).unwrap()).unwrap())
}
