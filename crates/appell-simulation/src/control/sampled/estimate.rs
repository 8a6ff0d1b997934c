//! What a controller knows of its robot: all of it, from the measured drives.

use crate::control::signal::SignalError;
use crate::simulation::plant::closed_view;
use crate::simulation::{Reason, View};
use appell::closed::formulation::Formulation;
use appell::closed::{ClosedMechanism, Configuration};
use appell::mechanism::Mechanism;
use appell::question::closed::Found;
use appell::question::{Motion, MotionError, State};

/// From measured drives to a moment as a law sees it.
pub(super) enum Estimate<'r> {
    /// All joints are measured.
    Tree,
    /// Joints and platform by forward kinematics from sample to sample.
    Closed { robot: &'r ClosedMechanism, start: Configuration, found: Box<Found> },
}

impl<'r> Estimate<'r> {
    pub(super) fn of_closed(robot: &'r ClosedMechanism, start: &Configuration) -> Result<Self, SignalError> {
        let (drives, freedoms) = (robot.driven().len(), robot.freedoms().len());
        if drives != freedoms {
            return Err(SignalError::Unmeasured { drives, freedoms });
        }
        let mut found = Box::new(Found::new(robot, Formulation::of(robot)[0]));
        found.continuous = true;
        Ok(Self::Closed { robot, start: start.clone(), found })
    }

    /// The joints of the drives, and their names.
    pub(super) fn drives(robot: &Mechanism, driven: impl Iterator<Item = usize>) -> (Vec<usize>, Vec<String>) {
        driven.map(|j| (j, robot.velocities()[j].clone())).unzip()
    }

    /// Goes back to the start.
    pub(super) fn begin(&mut self) -> Result<(), Reason> {
        let Self::Closed { robot, start, found } = self else { return Ok(()) };
        let none = vec![0.0; robot.freedoms().len()];
        let motion = Motion::Assembled { at: start, r: &none, r_dot: &none };
        found.find(robot, &State { motion, ..State::default() }, false, false).map_err(unknown)
    }

    /// What was found last, of drives so.
    pub(super) fn last<'s>(&'s self, t: f64, q: &'s [f64], v: &'s [f64]) -> View<'s> {
        match self {
            Self::Tree => View { t, q, v, r: v, platform: None },
            Self::Closed { robot, found, .. } => closed_view(robot, t, &found.moved.at, &found.moved.r, &found.moved.u),
        }
    }

    /// The robot with its drives so.
    pub(super) fn view<'s>(&'s mut self, t: f64, q: &'s [f64], v: &'s [f64]) -> Result<View<'s>, Reason> {
        match self {
            Self::Tree => {}
            Self::Closed { robot, found, .. } => {
                found.find(robot, &State::joints(q, v, &[]), true, false).map_err(unknown)?;
            }
        }
        Ok(self.last(t, q, v))
    }
}

fn unknown(error: MotionError) -> Reason {
    match error {
        MotionError::Assembly(error) => error.into(),
        MotionError::Singular(error) => error.into(),
        other => Reason::Law(other.to_string()),
    }
}
