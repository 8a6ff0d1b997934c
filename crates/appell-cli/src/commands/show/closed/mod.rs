//! A robot with closed loops, in one configuration.

pub(super) mod json;
pub(super) mod text;

use super::Args;
use crate::place::Place;
use crate::robot;
use appell::Robot;
use appell::closed::{ClosedMechanism, Configuration, On};
use appell::description::{BASE, Description, PLATFORM};
use appell::kinematics::Workspace;
use appell::spatial::Vec3;
use appell_drawing::notation;

/// A robot with all its loops closed.
pub(super) struct Shown<'r> {
    whole: &'r Robot,
    description: &'r Description,
    robot: &'r ClosedMechanism,
    place: Place,
    at: Configuration,
    com: Vec3<f64>,
}

impl<'r> Shown<'r> {
    /// The robot where the arguments ask for it.
    pub(super) fn new(args: &Args, whole: &'r Robot, robot: &'r ClosedMechanism) -> anyhow::Result<Self> {
        let description = robot::description(whole);
        let (place, at) = args.place.assemble(robot)?;
        let com = robot.centre_of_mass(&mut Workspace::new(robot.tree()), &at);
        Ok(Self { whole, description, robot, place, at, com })
    }

    /// The robot as a drawing, under its kind and place.
    pub(super) fn drawing(&self) -> anyhow::Result<String> {
        let kind = if self.robot.legs().is_empty() {
            "closed mechanism".into()
        } else {
            notation::of_robot(self.robot, self.description, false)
        };
        let note = format!("{kind}, at {}", self.place.name());
        appell_drawing::draw_closed(self.robot, &self.at, self.com, &note)
    }

    /// Of all joints of the tree.
    pub(super) fn positions(&self) -> &[f64] {
        &self.at.q
    }

    /// How many loops there are, each independent of the others.
    fn loops(&self) -> usize {
        self.description.closures.len() - usize::from(self.robot.platform().is_some())
    }

    /// The name of what carries one side of a closing joint.
    fn carrier(&self, on: On) -> &str {
        match on {
            On::Base => BASE,
            On::Platform => PLATFORM,
            On::Body(body) => &self.robot.tree().joint_names()[body],
        }
    }
}
