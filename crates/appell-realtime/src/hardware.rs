//! The border to a robot: what a controller needs of it, whether it is simulated in another process or made of steel.

use crate::frame::{Frame, FrameError};
use crate::link::Link;
use crate::system;
use appell_simulation::control::sampled::{Outputs, Sensors};
use std::io;

/// A robot, as a controller sees it. Somebody's own boards are one such type, in a file.
///
/// Neither call may allocate, log or wait for anything but what is said.
pub trait Hardware {
    /// Takes the newest sensors that have come, and waits for some at most until a time of [`now`](Self::now), 0 to not
    /// wait; whether there were any since the last call.
    ///
    /// # Errors
    /// If none can come any more; the fault of `sensors` may then say which.
    fn read(&mut self, sensors: &mut Sensors, until: u64) -> io::Result<bool>;

    /// Gives outputs to the robot.
    ///
    /// # Errors
    /// If they cannot be given any more.
    fn write(&mut self, outputs: &Outputs) -> io::Result<()>;

    /// The clock, ns.
    fn now(&mut self) -> u64 {
        system::now()
    }

    /// Sleeps until a time of the clock.
    fn sleep_until(&mut self, time: u64) {
        system::sleep_until(time);
    }

    /// When the newest sensors came, a time of [`now`](Self::now), where that is known: the controller keeps in step with them. Boards
    /// that give the clock themselves need none.
    fn arrived(&self) -> Option<u64> {
        None
    }

    /// For how long the machine was suspended so far, ns: the clock may have stood still meanwhile.
    fn suspended(&mut self) -> u64 {
        system::suspended()
    }

    /// What was wrong with what came.
    fn health(&self) -> Health {
        Health::default()
    }
}

/// What came and was not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Health {
    /// Frames that were damaged.
    pub corrupt: u64,
    /// The same in a row.
    pub corrupt_in_a_row: u64,
    /// Frames of somebody else, or of another run.
    pub strangers: u64,
    /// Frames that came twice, or after newer ones.
    pub stale: u64,
    /// Frames that were overwritten before they were taken.
    pub lost: u64,
}

/// A robot behind a link.
#[derive(Debug)]
pub struct Remote<L> {
    link: L,
    run: u64,
    frame: Frame,
    next: u64, // sample
    t: f64,    // of the last sensors
    arrived: Option<u64>,
    health: Health,
}

impl<L: Link> Remote<L> {
    /// A robot that has agreed to a run.
    pub fn new(link: L, run: u64) -> Self {
        Self { link, run, frame: Frame::default(), next: 0, t: 0.0, arrived: None, health: Health::default() }
    }
}

impl<L: Link> Hardware for Remote<L> {
    fn read(&mut self, sensors: &mut Sensors, until: u64) -> io::Result<bool> {
        let mut found = false;
        // What waits is taken at once; only where there is nothing it is waited for.
        while self.link.receive(&mut self.frame, if found { 0 } else { until })? {
            let judged = self.health.judge(&self.frame, self.run, self.next);
            if judged && self.frame.sensors(self.run, sensors).is_ok() {
                found = true;
                self.next = sensors.sample + 1;
                self.t = sensors.t;
                self.arrived = self.link.arrived(&self.frame);
            }
        }
        Ok(found)
    }

    fn write(&mut self, outputs: &Outputs) -> io::Result<()> {
        self.frame.put_outputs(self.run, system::now(), self.t, outputs);
        self.link.send(&self.frame)
    }

    fn arrived(&self) -> Option<u64> {
        self.arrived
    }

    fn health(&self) -> Health {
        Health { strangers: self.health.strangers + self.link.strangers(), lost: self.link.lost(), ..self.health }
    }
}

impl Health {
    /// Whether a frame is whole, of this run, and not older than `next`.
    pub(crate) fn judge(&mut self, frame: &Frame, run: u64, next: u64) -> bool {
        match frame.kind() {
            Err(FrameError::Magic | FrameError::Version { .. }) => self.strangers += 1,
            Err(_) => {
                self.corrupt += 1;
                self.corrupt_in_a_row += 1;
            }
            Ok(_) if frame.run() != run => self.strangers += 1,
            Ok(_) => {
                self.corrupt_in_a_row = 0;
                if frame.sample() >= next {
                    return true;
                }
                self.stale += 1;
            }
        }
        false
    }
}
