//! The hand: a robot is moved as far as its joints, its reach and its singularities permit, and always ends where it can be.

mod closed;
mod pull;
mod tree;

use crate::place::{Held, Place};
use appell::description::{JointKind, Limits};
use appell::mechanism::Mechanism;
use appell::spatial::Pose;
use appell::{Model, Robot};

/// Memory of the moves of one robot.
#[expect(clippy::large_enum_variant, reason = "one per robot")]
pub(crate) enum Tools {
    /// Of a tree.
    Tree(tree::Tools),
    /// Of a robot with loops.
    Closed(closed::Tools),
}

/// How a move ended: why it did not come to its end, in words.
pub(crate) type Ended = Option<String>;

impl Tools {
    pub(crate) fn new(robot: &Robot) -> Self {
        match robot.model() {
            Model::Tree(tree) => Self::Tree(tree::Tools::new(tree)),
            Model::Closed(closed) => Self::Closed(closed::Tools::new(closed)),
        }
    }
}

/// Moves one number of `q`.
pub(crate) fn set_joint(robot: &Robot, tools: &mut Tools, place: &mut Place, index: usize, value: f64) -> Ended {
    match (tools, place, robot.model()) {
        (Tools::Tree(_), Place::Tree(q), Model::Tree(tree)) => tree::set_joint(tree, q, index, value),
        (Tools::Closed(tools), Place::Closed(at), Model::Closed(closed)) => {
            closed::set_joint(closed, tools, at, index, value)
        }
        _ => None,
    }
}

/// Moves the drives.
pub(crate) fn set_drives(robot: &Robot, tools: &mut Tools, place: &mut Place, drives: &[f64]) -> Ended {
    match (tools, place, robot.model()) {
        (Tools::Tree(_), Place::Tree(q), Model::Tree(tree)) => tree::set_drives(tree, q, drives),
        (Tools::Closed(tools), Place::Closed(at), Model::Closed(closed)) => {
            closed::set_drives(closed, tools, at, drives)
        }
        _ => None,
    }
}

/// Moves what the hand holds.
pub(crate) fn set_pose(robot: &Robot, tools: &mut Tools, place: &mut Place, held: Held, goal: &Pose) -> Ended {
    match (tools, place, robot.model()) {
        (Tools::Tree(tools), Place::Tree(q), Model::Tree(tree)) => tree::set_pose(tree, tools, q, held, goal),
        (Tools::Closed(tools), Place::Closed(at), Model::Closed(closed)) => {
            closed::set_pose(closed, tools, at, held, goal)
        }
        _ => None,
    }
}

/// Puts all positions; those of a robot with loops where they close them, in whatever working modes.
pub(crate) fn put(robot: &Robot, tools: &mut Tools, place: &mut Place, q: &[f64]) -> Ended {
    match (tools, place, robot.model()) {
        (Tools::Tree(_), Place::Tree(own), Model::Tree(tree)) => tree::put(tree, own, q),
        (Tools::Closed(tools), Place::Closed(at), Model::Closed(closed)) => closed::put(closed, tools, at, q),
        _ => None,
    }
}

/// A position brought within the limits of a row, and which limit that was.
fn within(tree: &Mechanism, row: usize, value: f64) -> (f64, Ended) {
    let Limits { lower, upper, .. } = tree.limits()[row];
    let bounded = value.max(lower).min(upper);
    let why = (bounded != value).then(|| at_limit(tree, row, bounded));
    (bounded, why)
}

/// The limit of a row, in words.
fn at_limit(tree: &Mechanism, row: usize, limit: f64) -> String {
    let name = &tree.joint_names()[row];
    match tree.links()[row].joint {
        JointKind::Revolute => format!("limit of joint {name}: {:.1}°", limit.to_degrees()),
        JointKind::Prismatic => format!("limit of joint {name}: {limit:.4} m"),
    }
}
