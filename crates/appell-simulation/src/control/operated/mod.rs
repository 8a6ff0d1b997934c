//! A reference that is made while it runs: what an operator commands, as a motion of the drives.
//!
//! | file | what it holds |
//! |---|---|
//! | `mod` | [`Operated`]: commands, and the reference that laws follow |
//! | `motion/` | the motion itself, from instant to instant |
//! | `order` | [`Order`]: commands as data, for records and other threads |
//! | `output` | rates of the drives for a direction of the tool or platform |
//! | `guard` | where the robot may come to rest |
//! | `bounds` | limits of the drives, and why a motion ended |
//!
//! Whatever is commanded when, positions and velocities are continuous, and accelerations stay within their limits but
//! for those that a followed trajectory has of itself:
//!
//! | command | motion |
//! |---|---|
//! | [`hold`](Operated::hold) | to rest: of a trajectory or a tool on its path, else straight ahead |
//! | [`jog`](Operated::jog) | one drive to a speed, at its acceleration limit; the others to rest |
//! | [`jog_freedom`](Operated::jog_freedom) | the tool or platform along or about an axis of the base, or another independent velocity |
//! | [`go_to`](Operated::go_to), [`home`](Operated::home) | to rest, then straight in joint space, by a quintic |
//! | [`follow`](Operated::follow) | to rest, to the trajectory's beginning, then as it says |
//!
//! A jog ends by itself where it is not renewed. Motions but trajectories, which are looked at when they are given, stop
//! by themselves before limits of joints and singularities, and say why: [`Operated::ending`].
//!
//! ```
//! use appell::Robot;
//! use appell_simulation::control::operated::{Mode, Operated, Pace};
//!
//! let robot = Robot::builtin("puma560").unwrap();
//! let operated = Operated::new(&robot, &[0.0, -0.8, 0.3, 0.2, 0.6, 0.0], &Pace::default())?;
//! let mut reference = operated.reference(); // for a law, and one for the loop
//! operated.jog(0, 0.2).unwrap();
//! let [mut q, mut v, mut a] = [[0.0; 6]; 3];
//! for k in 0..=300 {
//!     reference.at(f64::from(k) * 1e-3, &mut q, &mut v, &mut a)?;
//! }
//! assert!((v[0] - 0.2).abs() < 1e-12 && operated.mode() == Mode::Jogging);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bounds;
mod guard;
mod output;
mod motion;
mod order;

pub use bounds::{Bounds, Ending, FARTHEST, MOST_DRIVES, OperatedError, Pace, Refusal};
pub use motion::Mode;
pub use order::{Order, Positions};

use crate::trajectory::{FollowError, JointReference};
use appell::Robot;
use motion::Moving;
use std::cell::RefCell;
use std::rc::Rc;

/// A motion that an operator commands; clones are handles of the same one, within a thread.
///
/// Time is that of the reference: a command acts from the instant asked for last. The reference goes forward; asked for
/// an earlier instant it answers with the last one.
#[derive(Clone)]
pub struct Operated<'r>(Rc<RefCell<Moving<'r>>>);

impl<'r> Operated<'r> {
    /// At rest at positions of the drives, which are also its home.
    ///
    /// # Errors
    /// If the robot has quaternions, too many drives or, with loops, not as many drives as degrees of freedom; if the start or
    /// the pace cannot be.
    pub fn new(robot: &Robot, start: &[f64], pace: &Pace) -> Result<Self, OperatedError> {
        Ok(Self(Rc::new(RefCell::new(Moving::new(robot, start, pace)?))))
    }

    /// The same with another home, to which [`home`](Self::home) goes.
    ///
    /// # Errors
    /// If it does not have one finite value per drive.
    pub fn with_home(self, home: &[f64]) -> Result<Self, OperatedError> {
        self.0.borrow_mut().set_home(home)?;
        Ok(self)
    }

    /// The same with another frame of an open robot as the tool that is jogged; the last one where this is not called.
    ///
    /// # Errors
    /// If there is no such frame.
    pub fn with_tool(self, frame: &str) -> Result<Self, OperatedError> {
        self.0.borrow_mut().set_tool(frame)?;
        Ok(self)
    }

    /// The same with a trajectory of the drives to follow. It is followed once here, so that nothing is wrong with it later.
    ///
    /// # Errors
    /// If it is not of these drives, cannot be followed, or passes a position limit.
    pub fn with_trajectory(self, trajectory: Box<dyn JointReference + 'r>) -> Result<Self, OperatedError> {
        self.0.borrow_mut().set_trajectory(trajectory)?;
        Ok(self)
    }

    /// The motion as a reference, for a law or a loop; there may be several.
    #[must_use]
    pub fn reference(&self) -> Box<dyn JointReference + 'r> {
        Box::new(self.clone())
    }

    /// Does what is ordered; the methods that follow do the same, each for one order.
    ///
    /// # Errors
    /// If it cannot be obeyed; the motion before goes on.
    pub fn obey(&self, order: &Order) -> Result<(), Refusal> {
        self.0.borrow_mut().obey(order)
    }

    /// Comes to rest and stays.
    pub fn hold(&self) {
        self.0.borrow_mut().hold();
    }

    /// Straight to positions of the drives.
    ///
    /// # Errors
    /// If there is not one finite value per drive, within its limits.
    pub fn go_to(&self, positions: &[f64]) -> Result<(), Refusal> {
        self.0.borrow_mut().go_to(positions)
    }

    /// To its home.
    ///
    /// # Errors
    /// If that is beyond a limit.
    pub fn home(&self) -> Result<(), Refusal> {
        self.0.borrow_mut().home()
    }

    /// Moves a drive at a speed, rad/s or m/s, cut at its limit, until the next command or until it was not renewed in time.
    ///
    /// # Errors
    /// If there is no such drive, or the speed is not finite.
    pub fn jog(&self, drive: usize, speed: f64) -> Result<(), Refusal> {
        self.0.borrow_mut().jog(drive, speed)
    }

    /// Moves the tool or platform in a direction, one of [`freedoms`](Self::freedoms), likewise.
    ///
    /// # Errors
    /// If there is no such direction, or the speed is not finite.
    pub fn jog_freedom(&self, freedom: usize, speed: f64) -> Result<(), Refusal> {
        self.0.borrow_mut().jog_freedom(freedom, speed)
    }

    /// Goes to the beginning of the trajectory and follows it.
    ///
    /// # Errors
    /// If there is none.
    pub fn follow(&self) -> Result<(), Refusal> {
        self.0.borrow_mut().follow()
    }

    /// Jumps to positions of the drives, at rest: for a robot whose power was off, or that has moved by itself.
    ///
    /// # Errors
    /// If there is not one finite value per drive.
    pub fn restart(&self, positions: &[f64]) -> Result<(), Refusal> {
        self.0.borrow_mut().restart(positions)
    }

    /// What it does now.
    #[must_use]
    pub fn mode(&self) -> Mode {
        self.0.borrow().mode()
    }

    /// How the last motion ended.
    #[must_use]
    pub fn ending(&self) -> Ending {
        self.0.borrow().ending()
    }

    /// Names of the directions of [`jog_freedom`](Self::jog_freedom): of an open robot `vx` … `wz` of its tool.
    #[must_use]
    pub fn freedoms(&self) -> Vec<String> {
        self.0.borrow().freedoms().to_vec()
    }

    /// Of each of them whether it turns, and its largest speed, rad/s or m/s.
    #[must_use]
    pub fn freedom_speeds(&self) -> Vec<(bool, f64)> {
        self.0.borrow().freedom_speeds()
    }

    /// The limits of the drives that are kept.
    #[must_use]
    pub fn bounds(&self) -> Bounds {
        self.0.borrow().bounds().clone()
    }

    /// Whether there is a trajectory to follow.
    #[must_use]
    pub fn has_trajectory(&self) -> bool {
        self.0.borrow().has_trajectory()
    }
}

impl JointReference for Operated<'_> {
    fn joints(&self) -> usize {
        self.0.borrow().drives()
    }

    /// It has no end.
    fn duration(&self) -> f64 {
        f64::INFINITY
    }

    fn at(&mut self, t: f64, q: &mut [f64], v: &mut [f64], a: &mut [f64]) -> Result<(), FollowError> {
        self.0.borrow_mut().at(t, q, v, a);
        Ok(())
    }
}
