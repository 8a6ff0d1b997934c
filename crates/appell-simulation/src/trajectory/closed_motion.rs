//! A robot with closed loops on a motion of its platform or of its drives.

use super::{FollowError, FrameMotion, FrameReference, JointReference, JointStates, RobotMotion, expect_joints};
use appell::Robot;
use appell::closed::{ClosedMechanism, Configuration, FromTwist};
use appell::mechanism::Mechanism;
use appell::question::{AnswerError, Evaluator, Motion, MotionError, Question, State, Target};
use appell::spatial::{Acceleration, Pose, Quaternion, Twist, Vec3};
use std::sync::Arc;

/// A component of a twist that is less than this, over the largest, is rounding of the path's ends.
const ROUNDING: f64 = 1e-3;

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
    robot: Arc<ClosedMechanism>,
    source: Source<'r>,
    kinematics: Evaluator, // of all joints
    dynamics: Option<Evaluator>,
    output: Option<Evaluator>, // pose, twist and acceleration, where dependent components may give way
    row: Vec<f64>,             // q, v and a of all joints
    tau: Vec<f64>,             // of the drives
    drives: [Vec<f64>; 3],     // q, v, a, where the motion is theirs
    states: JointStates,
}

enum Source<'r> {
    Platform(Box<dyn FrameReference + 'r>),
    Drives(Box<dyn JointReference + 'r>),
}

impl<'r> ClosedMotion<'r> {
    /// A robot whose platform follows a path; `efforts` are computed on demand.
    ///
    /// Of the path's rates the robot's independent velocities count. The other components of a pose follow them where the path leaves
    /// them as they are, as a line without an attitude does; one that moves them otherwise, by more than rounding, is refused where it does.
    #[must_use]
    pub fn of_platform(robot: &ClosedMechanism, path: Box<dyn FrameReference + 'r>, efforts: bool) -> Self {
        Self::new(robot, Source::Platform(path), efforts)
    }

    /// A robot whose driven joints move so.
    ///
    /// # Panics
    /// If the reference does not have one value per drive.
    #[must_use]
    pub fn of_drives(robot: &ClosedMechanism, reference: Box<dyn JointReference + 'r>, efforts: bool) -> Self {
        assert_eq!(reference.joints(), robot.driven().len(), "a reference of the drives");
        Self::new(robot, Source::Drives(reference), efforts)
    }

    fn new(robot: &ClosedMechanism, source: Source<'r>, efforts: bool) -> Self {
        let robot = Arc::new(robot.clone());
        let whole = Robot::from(Arc::clone(&robot));
        let evaluator = |question| {
            let evaluator = Evaluator::new(&whole, question, None, Target::default());
            evaluator.expect("every closed mechanism answers it").continuous(true).pose_follows(true)
        };
        let (n, drives) = (robot.tree().dof(), robot.driven().len());
        Self {
            source,
            kinematics: evaluator(Question::Joints),
            dynamics: efforts.then(|| evaluator(Question::InverseDynamics)),
            output: robot.platform().filter(|_| robot.freedoms().len() < 6).map(|_| evaluator(Question::Platform)),
            row: vec![0.0; 3 * n],
            tau: vec![0.0; drives],
            drives: core::array::from_fn(|_| vec![0.0; drives]),
            states: JointStates::new(n),
            robot,
        }
    }

    /// The platform's motion at an instant, where a path of it is followed: the path, or how the platform really moves on it.
    ///
    /// # Errors
    /// As the path, and where the robot cannot follow it.
    pub fn platform(&mut self, t: f64) -> Result<Option<FrameMotion>, FollowError> {
        let Source::Platform(path) = &mut self.source else { return Ok(None) };
        let moved = path.at(t)?;
        if self.output.is_none() {
            return Ok(Some(moved));
        }
        let moved = self.asked(t, moved)?;
        self.found(t, moved).map(Some)
    }

    /// What a path asks of the robot's independent velocities, where one component of the angular velocity depends on the two others.
    /// The platform then turns about its axis on top of the path, by C: ω = C ω_path + γ̇ z, α = C α_path + γ̇ z × C ω_path + γ̈ z.
    fn asked(&mut self, t: f64, mut moved: FrameMotion) -> Result<FrameMotion, FollowError> {
        if dependent_axis(&self.robot).is_none() {
            return Ok(moved);
        }
        let turn = self.found(t, moved)?.pose.rotation * moved.pose.rotation.transpose();
        let omega = turn * moved.twist.angular;
        moved.twist.angular = omega;
        let spin = self.found(t, moved)?.twist.angular - omega;
        moved.acceleration.angular = turn * moved.acceleration.angular + spin.cross(omega);
        Ok(moved)
    }

    /// How the platform moves where the rates of its independent components are these.
    fn found(&mut self, t: f64, asked: FrameMotion) -> Result<FrameMotion, FollowError> {
        let Some(output) = &mut self.output else { return Ok(asked) };
        let mut row = [0.0; 19];
        output.evaluate(&on_path(&self.robot, asked), &mut row).map_err(|source| failure(&self.robot, t, source))?;
        let [px, py, pz, x, y, z, w, rates @ ..] = row;
        let part = |k: usize| Vec3::new(rates[k], rates[k + 1], rates[k + 2]);
        Ok(FrameMotion {
            pose: Pose { position: Vec3::new(px, py, pz), rotation: Quaternion { x, y, z, w }.rotation() },
            twist: Twist { linear: part(0), angular: part(3) },
            acceleration: Acceleration { linear: part(6), angular: part(9) },
        })
    }

    /// The configuration at the time that was asked for last; home before.
    #[must_use]
    pub fn configuration(&mut self) -> &Configuration {
        match self.kinematics.closed() {
            Some(closed) => &closed.moved().at,
            None => self.robot.home(),
        }
    }

    /// Finds all joints after the time `t`.
    fn find(&mut self, t: f64) -> Result<(), FollowError> {
        let follows_path = matches!(self.source, Source::Platform(_));
        let state = match &mut self.source {
            Source::Platform(path) => {
                let moved = path.at(t)?;
                let asked = self.asked(t, moved)?;
                on_path(&self.robot, asked)
            }
            Source::Drives(reference) => {
                let [q, v, a] = &mut self.drives;
                reference.at(t, q, v, a)?;
                State::joints(q, v, a)
            }
        };
        let failed = |source| match source {
            source if follows_path => failure(&self.robot, t, source),
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

/// The component of the angular velocity that depends on the two others, of a robot that has one.
fn dependent_axis(robot: &ClosedMechanism) -> Option<usize> {
    let dof = robot.tree().dof();
    let depends = |k: &usize| !robot.freedoms().contains(&(dof + k));
    let mut dependent = (3..6).filter(depends);
    let is_of_platform = robot.freedoms()[0] >= dof;
    dependent.next().filter(|_| is_of_platform && dependent.next().is_none())
}

/// The state of a robot whose platform moves so: with the rates of its independent velocities, and those that the path
/// moves; a turn about the dependent axis is the path's only where it is the larger part.
fn on_path(robot: &ClosedMechanism, moved: FrameMotion) -> State<'static> {
    let FrameMotion { pose, twist, acceleration } = moved;
    let (twist, acceleration) = (twist.to_array(), acceleration.to_array());
    let dof = robot.tree().dof();
    let largest = |rates: &[f64]| rates.iter().fold(0.0, |most: f64, rate| most.max(rate.abs()));
    let is_moved = |k: usize| match dependent_axis(robot) {
        Some(axis) if axis == k => twist[k].abs() > 0.5 * largest(&twist[3..]),
        _ => twist[k].abs() > ROUNDING * largest(&twist),
    };
    let counts = |k: usize| FromTwist::is_needed(robot) || robot.freedoms().contains(&(dof + k)) || is_moved(k);
    let part = |rates: [f64; 6]| core::array::from_fn(|k| counts(k).then_some(rates[k]));
    let motion = Motion::Platform { pose, twist: part(twist), acceleration: part(acceleration) };
    State { motion, ..State::default() }
}

/// Why a robot cannot follow a path.
fn failure(robot: &ClosedMechanism, t: f64, source: AnswerError) -> FollowError {
    match source {
        AnswerError::Motion(MotionError::Impossible { component, given, possible }) => {
            let freedoms = robot.freedoms().len();
            FollowError::Constrained { time: t, freedoms, component, possible, wanted: given }
        }
        source => FollowError::Closed { time: t, source },
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
