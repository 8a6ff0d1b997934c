//! The hand on the bench: what it is asked for is looked at, and the robot moved as far as it comes.

use crate::bench::Bench;
use crate::moves;
use crate::numbers::{expect, pose};
use crate::place::Place;

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
        let Self { robot, tools, place, .. } = self;
        Ok(moves::set_joint(robot, tools, place, index, value).unwrap_or_default())
    }

    /// Moves the drives, in the order of `tau`. Says why they did not come there.
    ///
    /// # Errors
    /// If there are not as many, or one is not finite.
    pub fn set_drives(&mut self, drives: &[f64]) -> Result<String, String> {
        let Self { robot, tools, place, .. } = self;
        expect("drives", drives, robot.drives().len())?;
        Ok(moves::set_drives(robot, tools, place, drives).unwrap_or_default())
    }

    /// Moves what the hand holds towards a pose: straight, as far as it comes. Components that a robot cannot choose follow the
    /// others. Says why it did not come there.
    ///
    /// # Errors
    /// If it is no pose.
    pub fn set_pose(&mut self, numbers: &[f64]) -> Result<String, String> {
        let Self { robot, tools, place, held, .. } = self;
        Ok(moves::set_pose(robot, tools, place, *held, &pose(numbers)?).unwrap_or_default())
    }

    /// Puts all positions where they are given, limits or not. Those of a robot with loops must close them; its working modes
    /// become those it has there. Says why it did not come there.
    ///
    /// # Errors
    /// If there are not as many, or one is not finite.
    pub fn set_q(&mut self, q: &[f64]) -> Result<String, String> {
        expect("q", q, self.q().len())?;
        let mut place = self.place.clone();
        if let Some(why) = moves::put(&self.robot, &mut self.tools, &mut place, q) {
            return Ok(why);
        }
        match place {
            Place::Closed(at) => self.take(at),
            place => self.place = place,
        }
        Ok(String::new())
    }
}
