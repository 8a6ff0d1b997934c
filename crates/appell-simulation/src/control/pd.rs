//! A spring and a damper at each drive, and what is known in advance.

use super::Gains;
use super::feedback::{Feedback, Wanted};
use super::parallel::Model;
use crate::simulation::{Integral, Law, Reason, View};
use crate::trajectory::{ClosedMotion, JointReference, RobotMotion, TreeMotion};
use appell::closed::ClosedMechanism;
use appell::dynamics::generalised::{self, Inverse};
use appell::mechanism::Mechanism;

/// What is added to the feedback.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum InAdvance {
    /// Nothing.
    #[default]
    Nothing,
    /// Gravity where the robot is: G(q).
    Gravity,
    /// What the wanted motion needs: ID(q_d, q̇_d, q̈_d).
    WantedMotion,
}

/// τ = −K_d (q̇ − q̇_d) − K_p (q − q_d) − K_i ∫ (q − q_d) dt of the driven joints, gains in N m/rad or N/m, and what is
/// known in advance.
pub struct JointPd<'r> {
    wanted: Motion<'r>,
    drives: Vec<usize>, // their joints
    gravity: Gravity<'r>,
    feedback: Feedback,
}

/// What is to be followed.
enum Motion<'r> {
    /// Positions and velocities of the drives, without what the rest of the robot does then.
    Drives(Wanted<'r>),
    /// All joints, with the torques and forces that this needs.
    Robot(Box<dyn RobotMotion + 'r>),
}

/// Whose gravity is known.
enum Gravity<'r> {
    Unknown,
    Tree(&'r Mechanism, Box<Inverse>),
    Closed(Box<Model<'r>>),
}

impl<'r> JointPd<'r> {
    /// Follows a motion of all joints.
    ///
    /// # Panics
    /// If there is not one set of gains per joint, or the reference is of another number of joints.
    #[must_use]
    pub fn new(
        model: &'r Mechanism,
        reference: Box<dyn JointReference + 'r>,
        gains: Vec<Gains>,
        in_advance: InAdvance,
    ) -> Self {
        let wanted = match in_advance {
            InAdvance::WantedMotion => Motion::Robot(Box::new(TreeMotion::new(model, reference, true))),
            _ => Motion::Drives(Wanted::new(reference)),
        };
        let gravity = match in_advance {
            InAdvance::Gravity => Gravity::Tree(model, Box::new(Inverse::with_scalar(model, 0.0))),
            _ => Gravity::Unknown,
        };
        Self::with(wanted, (0..model.velocities().len()).collect(), gravity, gains)
    }

    /// Follows a motion of the drives of a robot with closed loops.
    ///
    /// # Panics
    /// If there is not one set of gains per drive, or the reference is of another number of drives.
    #[must_use]
    pub fn of_drives(
        robot: &'r ClosedMechanism,
        reference: Box<dyn JointReference + 'r>,
        gains: Vec<Gains>,
        in_advance: InAdvance,
    ) -> Self {
        let wanted = match in_advance {
            InAdvance::WantedMotion => Motion::Robot(Box::new(ClosedMotion::of_drives(robot, reference, true))),
            _ => Motion::Drives(Wanted::new(reference)),
        };
        let gravity = match in_advance {
            InAdvance::Gravity => Gravity::Closed(Box::new(Model::new(robot))),
            _ => Gravity::Unknown,
        };
        Self::with(wanted, robot.driven().to_vec(), gravity, gains)
    }

    fn with(wanted: Motion<'r>, drives: Vec<usize>, gravity: Gravity<'r>, gains: Vec<Gains>) -> Self {
        assert_eq!(gains.len(), drives.len(), "one set of gains per drive");
        if let Motion::Drives(wanted) = &wanted {
            assert_eq!(wanted.q.len(), drives.len(), "a reference of the drives");
        }
        Self { wanted, drives, gravity, feedback: Feedback(gains) }
    }
}

impl Law for JointPd<'_> {
    fn states(&self) -> usize {
        self.feedback.states()
    }

    fn integral(&self) -> Integral {
        Integral::OfEachDrive
    }

    fn efforts(&mut self, now: &View<'_>, own: &[f64], rates: &mut [f64], efforts: &mut [f64]) -> Result<(), Reason> {
        match &mut self.gravity {
            Gravity::Unknown => efforts.fill(0.0),
            Gravity::Tree(model, ws) => efforts.copy_from_slice(generalised::gravity(model, ws, now.q)),
            Gravity::Closed(model) => model.hold(now, efforts)?,
        }
        match &mut self.wanted {
            Motion::Drives(wanted) => {
                wanted.find(now.t)?;
                for (i, &j) in self.drives.iter().enumerate() {
                    let off = [0.0, now.q[j] - wanted.q[i], now.v[j] - wanted.v[i]];
                    efforts[i] += self.feedback.correct(i, off, own, rates);
                }
            }
            Motion::Robot(motion) => {
                let wanted = motion.at(now.t)?;
                for (i, &j) in self.drives.iter().enumerate() {
                    let off = [wanted.tau[j], now.q[j] - wanted.q[j], now.v[j] - wanted.v[j]];
                    efforts[i] += self.feedback.correct(i, off, own, rates);
                }
            }
        }
        Ok(())
    }
}
