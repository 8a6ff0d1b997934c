//! A robot with closed loops on a motion of its platform or of its drives.

use super::{FollowError, FrameMotion, FrameReference, JointReference, JointStates, RobotMotion, expect_joints};
use appell::Robot;
use appell::closed::{ClosedMechanism, FromTwist};
use appell::mechanism::Mechanism;
use appell::question::{AnswerError, Evaluator, Motion, MotionError, Question, State, Target};

/// All joints of a robot with closed loops, with the torques and forces of its drives. As a [`JointReference`] it is
/// the motion of the drives.
///
/// ```
/// use appell_simulation::trajectory::{ClosedMotion, JointReference, Line, Shape, TimeLaw};
/// use appell::{robots, spatial::{Pose, Vec3}};
///
/// let robot = robots::find("gough-stewart").unwrap().closed();
/// let home = robot.home().pose;
/// let to = Pose { position: home.position + Vec3::new(0.0, 0.0, 0.05), ..home };
/// let line = Line::new(&home, &to, TimeLaw::new(Shape::Quintic, 0.5)?)?;
/// let mut legs = ClosedMotion::of_platform(&robot, Box::new(line), false);
/// let [mut q, mut v, mut a] = [[0.0; 6]; 3];
/// legs.at(0.25, &mut q, &mut v, &mut a)?;
/// assert!(v.iter().all(|&v| v > 0.0), "all legs grow");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ClosedMotion<'r> {
    robot: &'r ClosedMechanism,
    source: Source<'r>,
    kinematics: Evaluator, // of all joints
    dynamics: Option<Evaluator>,
    row: Vec<f64>,         // q, v and a of all joints
    tau: Vec<f64>,         // of the drives
    drives: [Vec<f64>; 3], // q, v, a, where the motion is theirs
    states: JointStates,
}

enum Source<'r> {
    Platform(Box<dyn FrameReference + 'r>),
    Drives(Box<dyn JointReference + 'r>),
}

impl<'r> ClosedMotion<'r> {
    /// A robot whose platform follows a path; `efforts` are computed on demand.
    ///
    /// Of the path's rates the robot's independent velocities count. Components of a pose that are none give way by
    /// rounding; a path that needs more is refused where it does.
    #[must_use]
    pub fn of_platform(robot: &'r ClosedMechanism, path: Box<dyn FrameReference + 'r>, efforts: bool) -> Self {
        Self::new(robot, Source::Platform(path), efforts)
    }

    /// A robot whose driven joints move so.
    ///
    /// # Panics
    /// If the reference does not have one value per drive.
    #[must_use]
    pub fn of_drives(robot: &'r ClosedMechanism, reference: Box<dyn JointReference + 'r>, efforts: bool) -> Self {
        assert_eq!(reference.joints(), robot.driven().len(), "a reference of the drives");
        Self::new(robot, Source::Drives(reference), efforts)
    }

    fn new(robot: &'r ClosedMechanism, source: Source<'r>, efforts: bool) -> Self {
        let whole = Robot::from(robot);
        let evaluator = |question| {
            let evaluator = Evaluator::new(&whole, question, None, Target::default());
            evaluator.expect("every closed mechanism answers it").continuous(true)
        };
        let (n, drives) = (robot.tree().dof(), robot.driven().len());
        Self {
            robot,
            source,
            kinematics: evaluator(Question::Joints),
            dynamics: efforts.then(|| evaluator(Question::InverseDynamics)),
            row: vec![0.0; 3 * n],
            tau: vec![0.0; drives],
            drives: core::array::from_fn(|_| vec![0.0; drives]),
            states: JointStates::new(n),
        }
    }

    /// The platform's path at an instant, where that is followed.
    ///
    /// # Errors
    /// As the path.
    pub fn platform(&mut self, t: f64) -> Result<Option<FrameMotion>, FollowError> {
        match &mut self.source {
            Source::Platform(path) => path.at(t).map(Some),
            Source::Drives(_) => Ok(None),
        }
    }

    /// Finds all joints after the time `t`.
    fn find(&mut self, t: f64) -> Result<(), FollowError> {
        let state = match &mut self.source {
            Source::Platform(path) => {
                let FrameMotion { pose, twist, acceleration } = path.at(t)?;
                let mut parts = [[None; 6]; 2];
                let dof = self.robot.tree().dof();
                let counts = |k: &usize| FromTwist::is_needed(self.robot) || self.robot.freedoms().contains(&(dof + k));
                for k in (0..6).filter(counts) {
                    parts[0][k] = Some(twist.to_array()[k]);
                    parts[1][k] = Some(acceleration.to_array()[k]);
                }
                let motion = Motion::Platform { pose, twist: parts[0], acceleration: parts[1] };
                State { motion, ..State::default() }
            }
            Source::Drives(reference) => {
                let [q, v, a] = &mut self.drives;
                reference.at(t, q, v, a)?;
                State::joints(q, v, a)
            }
        };
        let freedoms = self.robot.freedoms().len();
        let follows_path = matches!(self.source, Source::Platform(_));
        let failed = |source| match source {
            AnswerError::Motion(MotionError::Impossible { component, given, possible }) if follows_path => {
                FollowError::Constrained { time: t, freedoms, component, possible, wanted: given }
            }
            source => FollowError::Closed { time: t, source },
        };
        self.kinematics.evaluate(&state, &mut self.row).map_err(failed)?;
        let n = self.robot.tree().dof();
        self.states.q.copy_from_slice(&self.row[..n]);
        self.states.v.copy_from_slice(&self.row[n..2 * n]);
        self.states.a.copy_from_slice(&self.row[2 * n..]);
        if let Some(dynamics) = &mut self.dynamics {
            dynamics.evaluate(&state, &mut self.tau).map_err(failed)?;
            self.robot.driven().iter().zip(&self.tau).for_each(|(&j, &tau)| self.states.tau[j] = tau);
        }
        Ok(())
    }
}

impl RobotMotion for ClosedMotion<'_> {
    fn duration(&self) -> f64 {
        match &self.source {
            Source::Platform(path) => path.duration(),
            Source::Drives(reference) => reference.duration(),
        }
    }

    fn robot(&self) -> &Mechanism {
        self.robot.tree()
    }

    fn is_driven(&self, joint: usize) -> bool {
        self.robot.driven().contains(&joint)
    }

    fn at(&mut self, t: f64) -> Result<&JointStates, FollowError> {
        self.find(t)?;
        Ok(&self.states)
    }
}

impl JointReference for ClosedMotion<'_> {
    fn joints(&self) -> usize {
        self.robot.driven().len()
    }

    fn duration(&self) -> f64 {
        RobotMotion::duration(self)
    }

    fn at(&mut self, t: f64, q: &mut [f64], v: &mut [f64], a: &mut [f64]) -> Result<(), FollowError> {
        expect_joints(self.robot.driven().len(), [q, v, a]);
        self.find(t)?;
        for (k, &j) in self.robot.driven().iter().enumerate() {
            (q[k], v[k], a[k]) = (self.states.q[j], self.states.v[j], self.states.a[j]);
        }
        Ok(())
    }
}
