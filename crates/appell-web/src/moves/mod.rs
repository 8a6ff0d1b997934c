//! The hand: a robot is moved as far as its joints, its reach and its singularities permit, and always ends where it can be.

mod closed;
mod pull;
mod tree;

use crate::bench::Bench;
use crate::numbers::{expect, pose};
use crate::place::Place;
use appell::description::{JointKind, Limits};
use appell::mechanism::Mechanism;
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
type Ended = Option<String>;

impl Tools {
    pub(crate) fn new(robot: &Robot) -> Self {
        match robot.model() {
            Model::Tree(tree) => Self::Tree(tree::Tools::new(tree)),
            Model::Closed(closed) => Self::Closed(closed::Tools::new(closed)),
        }
    }
}

impl Bench {
    /// Moves one number of `q`; loops stay closed. Says why it did not come there.
    ///
    /// # Errors
    /// If there is no such number, or the value is none.
    pub fn set_joint(&mut self, index: usize, value: f64) -> Result<String, String> {
        let count = self.q().len();
        if index >= count {
            return Err(format!("no joint {index}; there are {count}"));
        }
        expect("value", &[value], 1)?;
        self.moved(|tools, robot, place| match (tools, place, robot.model()) {
            (Tools::Tree(_), Place::Tree(q), Model::Tree(tree)) => tree::set_joint(tree, q, index, value),
            (Tools::Closed(tools), Place::Closed(at), Model::Closed(closed)) => {
                closed::set_joint(closed, tools, at, index, value)
            }
            _ => None,
        })
    }

    /// Moves the drives, in the order of `tau`. Says why they did not come there.
    ///
    /// # Errors
    /// If there are not as many, or one is not finite.
    pub fn set_drives(&mut self, drives: &[f64]) -> Result<String, String> {
        expect("drives", drives, self.robot.drives().len())?;
        self.moved(|tools, robot, place| match (tools, place, robot.model()) {
            (Tools::Tree(_), Place::Tree(q), Model::Tree(tree)) => tree::set_drives(tree, q, drives),
            (Tools::Closed(tools), Place::Closed(at), Model::Closed(closed)) => {
                closed::set_drives(closed, tools, at, drives)
            }
            _ => None,
        })
    }

    /// Moves what the hand holds towards a pose: straight, as far as it comes. Components that a robot cannot choose follow the
    /// others. Says why it did not come there.
    ///
    /// # Errors
    /// If it is no pose.
    pub fn set_pose(&mut self, numbers: &[f64]) -> Result<String, String> {
        let (goal, held) = (pose(numbers)?, self.held);
        self.moved(|tools, robot, place| match (tools, place, robot.model()) {
            (Tools::Tree(tools), Place::Tree(q), Model::Tree(tree)) => tree::set_pose(tree, tools, q, held, &goal),
            (Tools::Closed(tools), Place::Closed(at), Model::Closed(closed)) => {
                closed::set_pose(closed, tools, at, held, &goal)
            }
            _ => None,
        })
    }

    /// Puts all positions where they are given, limits or not. Those of a robot with loops must close them; its working modes
    /// become those it has there. Says why it did not come there.
    ///
    /// # Errors
    /// If there are not as many, or one is not finite.
    pub fn set_q(&mut self, q: &[f64]) -> Result<String, String> {
        expect("q", q, self.q().len())?;
        if let (Tools::Closed(tools), Place::Closed(at), Model::Closed(closed)) =
            (&mut self.tools, &self.place, self.robot.model())
        {
            let mut found = at.clone();
            if let Some(why) = closed::put(closed, tools, &mut found, q) {
                return Ok(why);
            }
            self.take(found);
            return Ok(String::new());
        }
        self.moved(|_, robot, place| match (place, robot.model()) {
            (Place::Tree(own), Model::Tree(tree)) => tree::put(tree, own, q),
            _ => None,
        })
    }

    /// Takes an assembled configuration, and its working modes with it.
    pub(crate) fn take(&mut self, at: appell::closed::Configuration) {
        let Model::Closed(closed) = self.robot.model() else { return };
        if appell::closed::assembly::is_in_working_mode(closed, &at) {
            self.place = Place::Closed(at);
        } else {
            let robot = closed.in_working_modes_of(&at).into();
            self.put(robot, Place::Closed(at));
        }
    }

    fn moved(&mut self, go: impl FnOnce(&mut Tools, &Robot, &mut Place) -> Ended) -> Result<String, String> {
        Ok(go(&mut self.tools, &self.robot, &mut self.place).unwrap_or_default())
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
