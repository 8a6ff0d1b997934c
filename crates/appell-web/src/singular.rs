//! Motions that the drives do not, or hardly, control, and the robot moved along them.

use crate::bench::Bench;
use crate::drawn::Sketch;
use crate::moves::Tools;
use crate::place::Place;
use appell::Model;
use appell::closed::coordinates::Coordinates;
use appell::closed::singularity::{self, Metric, Motion};
use appell::closed::{ClosedMechanism, Configuration};
use serde::Serialize;

/// `Uncontrolled` of the contract.
#[derive(Debug, Clone, Serialize)]
pub struct Uncontrolled {
    /// How much of it the drives control; 0: nothing.
    pub controlled: f64,
    words: String,
    twist: Option<Vec<f64>>,
}

/// A motion moves the robot at most by this part of its size.
const NUDGE: f64 = 0.1;

impl Bench {
    /// All motions that the drives do not control here, or else the one that they control least; none of a tree.
    pub fn uncontrolled(&mut self) -> Vec<Uncontrolled> {
        let Some((robot, motions)) = self.motions() else { return Vec::new() };
        let one = |motion: &Motion| Uncontrolled {
            controlled: motion.controlled,
            words: motion.words(robot),
            twist: motion.twist(robot).map(|twist| twist.to_array().to_vec()),
        };
        motions.iter().map(one).collect()
    }

    /// The sketch moved along one of these motions, by a part of a tenth of the robot's size; loops are closed where they can be.
    ///
    /// # Errors
    /// If there is no such motion.
    pub fn nudged(&mut self, k: usize, amount: f64) -> Result<Sketch, String> {
        crate::numbers::expect("amount", &[amount], 1)?;
        let size = self.size();
        let Place::Closed(at) = self.place.clone() else { return Err("a tree has no uncontrolled motion".into()) };
        let Some((robot, motions)) = self.motions() else { return Err("a tree has no uncontrolled motion".into()) };
        let motion = motions.get(k).ok_or_else(|| format!("no motion {k}; there are {}", motions.len()))?;
        let step = amount.clamp(-2.0, 2.0) * NUDGE * size / robot.length();
        let moved = moved(robot, &at, motion, step);
        Ok(Sketch::new(&self.robot, &Place::Closed(moved)))
    }

    fn motions(&mut self) -> Option<(&ClosedMechanism, Vec<Motion>)> {
        let (Model::Closed(robot), Place::Closed(at), Tools::Closed(tools)) =
            (self.robot.model(), &self.place, &mut self.tools)
        else {
            return None;
        };
        let (workspace, metric) = (tools.singularity(), Metric::of(robot));
        let mut motions = singularity::uncontrolled(robot, workspace, at, &metric);
        if motions.is_empty() {
            motions.push(singularity::least_controlled(robot, workspace, at, &metric));
        }
        Some((robot, motions))
    }
}

/// A configuration some way along a motion. Its platform goes straight; then legs are where they reach it, so that drives move by as
/// little as the motion is not theirs. Where they do not reach it, everything goes straight.
fn moved(robot: &ClosedMechanism, at: &Configuration, motion: &Motion, step: f64) -> Configuration {
    let mut straight = at.clone();
    straight.advance(motion.u.iter().map(|u| step * u).enumerate());
    let mut coordinates = Coordinates::new(robot);
    coordinates.anchor(at);
    let x: Vec<f64> = motion.freedoms(robot).iter().map(|r| step * r).collect();
    let mut closed = straight.clone();
    match coordinates.place(robot, &x, &mut closed) {
        Ok(()) => closed,
        Err(_) => straight,
    }
}
