//! What an operator orders, as data: it crosses threads, and is written into records, so that a run can be given again.

use super::bounds::{MOST_DRIVES, Refusal};
use super::motion::Moving;

/// An order to an operator's motion. Names are resolved, and its size is fixed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Order {
    /// Come to rest and stay.
    Hold,
    /// Go to the home.
    Home,
    /// Move a drive at a speed, rad/s or m/s.
    Jog {
        /// Its number, from 0.
        drive: usize,
        /// rad/s or m/s.
        speed: f64,
    },
    /// Move the tool or platform.
    JogFreedom {
        /// The direction's number, from 0.
        freedom: usize,
        /// rad/s or m/s.
        speed: f64,
    },
    /// Go to positions of the drives.
    GoTo(Positions),
    /// Follow the trajectory.
    Follow,
    /// Be at rest at positions of the drives, after a stop.
    Restart(Positions),
}

/// Positions of the drives, rad or m, in a room of fixed size.
#[derive(Debug, Clone, Copy)]
pub struct Positions {
    all: [f64; MOST_DRIVES],
    drives: usize,
}

impl Positions {
    /// Copies positions.
    ///
    /// # Panics
    /// If there are more than [`MOST_DRIVES`].
    #[must_use]
    pub fn of(positions: &[f64]) -> Self {
        let mut all = [0.0; MOST_DRIVES];
        all[..positions.len()].copy_from_slice(positions);
        Self { all, drives: positions.len() }
    }

    /// One value per drive.
    #[must_use]
    pub fn values(&self) -> &[f64] {
        &self.all[..self.drives]
    }
}

impl PartialEq for Positions {
    fn eq(&self, other: &Self) -> bool {
        self.values() == other.values()
    }
}

impl Moving<'_> {
    /// Does what is ordered.
    pub(super) fn obey(&mut self, order: &Order) -> Result<(), Refusal> {
        match order {
            Order::Hold => {
                self.hold();
                Ok(())
            }
            Order::Home => self.home(),
            Order::Jog { drive, speed } => self.jog(*drive, *speed),
            Order::JogFreedom { freedom, speed } => self.jog_freedom(*freedom, *speed),
            Order::GoTo(positions) => self.go_to(positions.values()),
            Order::Follow => self.follow(),
            Order::Restart(positions) => self.restart(positions.values()),
        }
    }
}
