//! A robot without loops on a motion of its joints.

use super::{FollowError, JointReference, JointStates, RobotMotion};
use appell::dynamics::generalised::{Inverse, inverse_dynamics};
use appell::mechanism::Mechanism;

/// All joints of a tree, with the torques and forces that the motion needs.
///
/// ```
/// use appell::robots;
/// use appell_simulation::trajectory::{Ramp, RobotMotion, Shape, TimeLaw, TreeMotion};
///
/// let robot = robots::find("scara").unwrap().mechanism();
/// let ramp = Ramp::new(&[0.0; 4], &[1.0, 0.5, 0.1, 0.0], TimeLaw::new(Shape::Quintic, 1.0)?)?;
/// let mut motion = TreeMotion::new(&robot, Box::new(ramp), true);
/// let quill = motion.at(0.5)?.tau[2];
/// assert!((quill + (0.8 + 0.4) * 9.81).abs() < 1e-9, "half-way the quill bears weights alone");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct TreeMotion<'r> {
    robot: &'r Mechanism,
    reference: Box<dyn JointReference + 'r>,
    dynamics: Option<Box<Inverse>>,
    states: JointStates,
}

impl<'r> TreeMotion<'r> {
    /// A robot on a motion; `efforts` are computed on demand.
    ///
    /// # Panics
    /// If the reference has not the robot's joints.
    #[must_use]
    pub fn new(robot: &'r Mechanism, reference: Box<dyn JointReference + 'r>, efforts: bool) -> Self {
        let n = robot.velocities().len();
        assert_eq!(reference.joints(), n, "a reference of the robot's joints");
        let dynamics = efforts.then(|| Box::new(Inverse::with_scalar(robot, 0.0)));
        Self { robot, reference, dynamics, states: JointStates::new(n) }
    }
}

impl RobotMotion for TreeMotion<'_> {
    fn duration(&self) -> f64 {
        self.reference.duration()
    }

    fn robot(&self) -> &Mechanism {
        self.robot
    }

    fn is_driven(&self, joint: usize) -> bool {
        self.robot.driven()[self.robot.coordinates().map_or(joint, |own| own.of_velocities()[joint])]
    }

    fn at(&mut self, t: f64) -> Result<&JointStates, FollowError> {
        let JointStates { q, v, a, tau } = &mut self.states;
        self.reference.at(t, q, v, a)?;
        if let Some(dynamics) = &mut self.dynamics {
            tau.copy_from_slice(inverse_dynamics(self.robot, dynamics, q, v, a));
        }
        Ok(&self.states)
    }
}
