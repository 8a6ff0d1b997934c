//! Joints that make a frame follow a path.
//!
//! ```text
//! q    by closed form on one branch, or by Newton's method from the instant before:  Δq = J⁺ e
//! q̇ = J⁺ V        q̈ = J⁺ (V̇ − J̇ q̇)        J⁺: least squares, exact where the path can be followed
//! ```
//!
//! Newton's method goes along the path: where a step is too long for it, it takes two of half the length. So the joints
//! never jump to another branch, and what stops them has a time and a name. All is dimensionless, as in
//! [`damped_least_squares`]: linear rows over the reach, slides counted in reaches.

use super::{FollowError, FrameMotion, FrameReference, JointReference, Line, Shape, TimeLaw, expect_joints};
use appell::description::JointKind;
use appell::kinematics::damped_least_squares::{self, Goal, Options};
use appell::kinematics::spherical_wrist::{Arm, Branch};
use appell::kinematics::{self, jacobian, jacobian_rate_times_v};
use appell::linear::Householder;
use appell::mechanism::{Axes, Mechanism};
use appell::spatial::{Pose, Twist, turn_between};
use core::f64::consts::TAU;

/// What of the path the frame shall follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Task {
    /// Position and orientation.
    #[default]
    Pose,
    /// The position alone, in any orientation: for robots of three joints and fewer.
    Position,
}

/// Where the joints are at the start of the path.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Start<'s> {
    /// Near these positions, within the joints' limits; then on from instant to instant.
    Near(&'s [f64]),
    /// On a branch of an arm of the PUMA's type, in the turns nearest to these positions, at every instant.
    Branch(Branch, &'s [f64]),
}

/// A frame's path as a motion of the robot's joints. Joints that do not carry the frame rest.
pub struct Follower<'r> {
    robot: &'r Mechanism,
    frame: usize,
    path: Box<dyn FrameReference + 'r>,
    arm: Option<(Arm, Branch)>,
    active: Vec<usize>, // the joints that move
    units: Vec<f64>,    // of these: 1 rad, or the reach
    reach: f64,
    time: f64,       // of the instant before
    q: Vec<f64>,     // then
    trial: Vec<f64>, // where Newton's method is
    kinematics: kinematics::Workspace,
    reflections: Householder<f64>, // of the Jacobian's rows and active columns
    scratch: Vec<f64>,
    rows: usize,
}

/// Why an instant was not found.
enum Missed {
    Singular(f64),
    Away(Twist),
}

/// A pose is reached when what is left, over the reach or in rad, is below this.
const REACHED: f64 = 1e-10;
/// And is not improved below this.
const EXACT: f64 = 1e-14;
/// Steps of Newton's method from one instant to the next.
const STEPS: usize = 20;
/// The longest of these, rad or reaches.
const LONGEST_STEP: f64 = 0.3;
/// How often the way between two instants is halved.
const HALVINGS: i32 = 12;
/// Where the condition number is larger, the path meets a singularity.
const LARGEST_CONDITION: f64 = 1e7;
/// The part of a velocity that a robot may leave out.
const FITS: f64 = 1e-6;

impl<'r> Follower<'r> {
    /// Finds the start of a path. Joints that are `held` stay at the positions given for the start.
    ///
    /// ```
    /// use appell_simulation::trajectory::{Follower, JointReference, Line, Shape, Start, Task, TimeLaw};
    /// use appell::{kinematics, robots, spatial::{Pose, Vec3}};
    ///
    /// let robot = robots::find("puma560").unwrap().mechanism();
    /// let (hand, near) = (robot.frame("wrist-yaw").unwrap(), [0.3, -1.0, 0.2, 0.4, 1.0, 0.0]);
    /// let from = kinematics::positions(&robot, &mut kinematics::Workspace::new(&robot), &near)[hand];
    /// let to = Pose { position: from.position + Vec3::new(0.0, 0.1, -0.1), ..from };
    /// let line = Line::new(&from, &to, TimeLaw::new(Shape::Quintic, 1.0)?)?;
    /// let mut joints = Follower::new(&robot, hand, Box::new(line), Task::Pose, Start::Near(&near), &[])?;
    /// let [mut q, mut v, mut a] = [[0.0; 6]; 3];
    /// joints.at(0.5, &mut q, &mut v, &mut a)?;
    /// assert!(v.iter().any(|v| v.abs() > 0.1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the start is not reached, or more joints move the frame than the task has numbers.
    ///
    /// # Panics
    /// If the positions do not have one value per joint, or there is no such frame.
    pub fn new(
        robot: &'r Mechanism,
        frame: usize,
        mut path: Box<dyn FrameReference + 'r>,
        task: Task,
        start: Start<'_>,
        held: &[usize],
    ) -> Result<Self, FollowError> {
        let rows = if task == Task::Pose { 6 } else { 3 };
        let name = || robot.frames()[frame].name.clone();
        let carriers = robot.frames()[frame].body.into_iter().flat_map(|body| robot.path_to_base(body));
        let mut active: Vec<usize> = carriers.filter(|j| !held.contains(j)).collect();
        active.sort_unstable();
        if active.is_empty() {
            return Err(FollowError::Fixed { frame: name() });
        }
        if active.len() > rows {
            return Err(FollowError::Redundant { frame: name(), joints: active.len(), numbers: rows });
        }
        let (arm, near) = match start {
            Start::Near(near) => (None, near),
            Start::Branch(branch, near) => (Some((Arm::new(robot, frame)?, branch)), near),
        };
        robot.expect_lengths(&[near]);
        let reach = robot.reach(frame);
        let slides = |j: usize| robot.links()[j].joint == JointKind::Prismatic;
        let first = path.at(0.0)?.pose;
        let mut q = near.to_vec();
        if arm.is_none() && held.is_empty() {
            let goal = if task == Task::Pose { Goal::Pose(first) } else { Goal::Position(first.position) };
            let mut search = damped_least_squares::Workspace::new(robot);
            let options = Options::default();
            let found = damped_least_squares::inverse_kinematics(robot, &mut search, frame, &goal, near, &options)?;
            q.copy_from_slice(found.q);
        }
        let mut follower = Self {
            robot,
            frame,
            path,
            arm,
            units: active.iter().map(|&j| if slides(j) { reach } else { 1.0 }).collect(),
            reach,
            time: 0.0,
            trial: q.clone(),
            q,
            kinematics: kinematics::Workspace::new(robot),
            reflections: Householder::new(rows, active.len(), 0.0),
            scratch: vec![0.0; active.len()],
            active,
            rows,
        };
        if !held.is_empty() {
            follower.approach(&first);
        }
        follower.go_to(0.0)?;
        Ok(follower)
    }

    /// Goes straight to a pose, from where the frame is with the joints at `self.q`: as far as that leads.
    fn approach(&mut self, pose: &Pose) {
        let here = kinematics::positions(self.robot, &mut self.kinematics, &self.q)[self.frame];
        let line = TimeLaw::new(Shape::Constant, 1.0).and_then(|law| Line::new(&here, pose, law));
        if let Ok(line) = line {
            let path = core::mem::replace(&mut self.path, Box::new(line));
            let _ = self.go_to(1.0); // what is missing, the path itself will tell
            self.path = path;
            self.time = 0.0;
        }
    }

    /// Brings `self.q` to the pose of the path after the time `t`.
    fn go_to(&mut self, t: f64) -> Result<(), FollowError> {
        let goal = self.path.at(t)?.pose;
        if let Some((arm, branch)) = &self.arm {
            let found =
                arm.inverse_kinematics(&goal, *branch).map_err(|source| FollowError::OutOfReach { time: t, source })?;
            for (q, found) in self.q.iter_mut().zip(found) {
                *q = found + TAU * ((*q - found) / TAU).round();
            }
            self.time = t;
            return Ok(());
        }
        let shortest = (t - self.time).abs() * 0.5_f64.powi(HALVINGS);
        let mut aim = t;
        loop {
            let goal = if aim == t { goal } else { self.path.at(aim)?.pose };
            match self.reach(&goal) {
                Ok(()) => {
                    self.q.copy_from_slice(&self.trial);
                    self.time = aim;
                    if aim == t {
                        return Ok(());
                    }
                    aim = t;
                }
                Err(missed) => {
                    let step = 0.5 * (aim - self.time);
                    if step.abs() <= shortest {
                        return Err(self.missed(aim, &missed));
                    }
                    aim = self.time + step;
                }
            }
        }
    }

    /// Newton's method from `self.q`, into `self.trial`.
    fn reach(&mut self, goal: &Pose) -> Result<(), Missed> {
        self.trial.copy_from_slice(&self.q);
        let mut before = f64::INFINITY;
        for _ in 0..STEPS {
            let (missing, size) = self.missing(goal);
            if size <= EXACT || (size <= REACHED && size > 0.25 * before) {
                return Ok(());
            }
            if size.is_nan() || size >= before {
                return Err(Missed::Away(missing));
            }
            before = size;
            let condition = self.decompose();
            if condition > LARGEST_CONDITION {
                return Err(Missed::Singular(condition));
            }
            let mut step = self.scaled(missing);
            self.solve(&mut step);
            let longest = largest(&step[..self.active.len()]);
            if longest.is_nan() || longest > LONGEST_STEP {
                return Err(Missed::Away(missing));
            }
            for ((&j, unit), step) in self.active.iter().zip(&self.units).zip(step) {
                self.trial[j] += step * unit;
            }
        }
        Err(Missed::Away(self.missing(goal).0))
    }

    /// What is missing to the goal at `self.trial`, and how much that is.
    fn missing(&mut self, goal: &Pose) -> (Twist, f64) {
        self.kinematics.sweep_at_rest(self.robot, &self.trial);
        let pose = self.kinematics.base_from_frame(self.robot, self.frame, 0.0);
        let (linear, angular) = (goal.position - pose.position, turn_between(&pose.rotation, &goal.rotation));
        let missing = Twist { linear, angular };
        let size = largest(&self.scaled(missing)[..self.rows]);
        (missing, size)
    }

    /// Q R of the Jacobian at `self.trial`; a bound of its condition number.
    fn decompose(&mut self) -> f64 {
        let n = self.robot.dof();
        let jacobian = jacobian(self.robot, &mut self.kinematics, &self.trial, self.frame, Axes::Base);
        let (active, units, reach) = (&self.active, &self.units, self.reach);
        self.reflections.decompose(|i, k| {
            let entry = jacobian[i * n + active[k]] * units[k];
            if i < 3 { entry / reach } else { entry }
        });
        let (size, inverse) = self.reflections.norms_squared(&mut self.scratch);
        let condition = (size * inverse).sqrt();
        if condition.is_nan() { f64::INFINITY } else { condition }
    }

    fn scaled(&self, twist: Twist) -> [f64; 6] {
        Twist { linear: twist.linear.scale(1.0 / self.reach), ..twist }.to_array()
    }

    /// Solves for the rates of the active joints, in the first entries; what is left over, of what there was.
    fn solve(&self, rates: &mut [f64; 6]) -> f64 {
        let all = largest(&rates[..self.rows]);
        self.reflections.turn_into(&mut rates[..self.rows]);
        let left = largest(&rates[self.active.len()..self.rows]);
        self.reflections.solve_upper(&mut rates[..self.rows]);
        if all > 0.0 { left / all } else { 0.0 }
    }

    fn missed(&self, time: f64, missed: &Missed) -> FollowError {
        let frame = self.robot.frames()[self.frame].name.clone();
        match *missed {
            Missed::Singular(condition) => FollowError::Singular { time, frame, condition },
            Missed::Away(Twist { linear, angular }) => {
                let orientation = if self.rows == 6 { angular.norm() } else { 0.0 };
                FollowError::NotReached { time, frame, position: linear.norm(), orientation }
            }
        }
    }
}

/// Largest absolute value, NaN if there is one.
fn largest(numbers: &[f64]) -> f64 {
    numbers.iter().fold(0.0, |most, x| if x.abs() > most || x.is_nan() { x.abs() } else { most })
}

impl JointReference for Follower<'_> {
    fn joints(&self) -> usize {
        self.q.len()
    }

    fn duration(&self) -> f64 {
        self.path.duration()
    }

    /// Goes on from the instant asked for before; steps of a table or a simulation are short enough.
    fn at(&mut self, t: f64, q: &mut [f64], v: &mut [f64], a: &mut [f64]) -> Result<(), FollowError> {
        expect_joints(self.q.len(), [q, v, a]);
        self.go_to(t)?;
        q.copy_from_slice(&self.q);
        v.fill(0.0);
        a.fill(0.0);
        let FrameMotion { twist, acceleration, .. } = self.path.at(t)?;
        self.trial.copy_from_slice(q);
        let condition = self.decompose();
        if condition > LARGEST_CONDITION {
            return Err(self.missed(t, &Missed::Singular(condition)));
        }
        let mut rates = self.scaled(twist);
        let off = self.solve(&mut rates);
        if off > FITS {
            return Err(FollowError::CannotMove { time: t, frame: self.robot.frames()[self.frame].name.clone(), off });
        }
        let spread = |rates: [f64; 6], into: &mut [f64]| {
            for ((&j, unit), rate) in self.active.iter().zip(&self.units).zip(rates) {
                into[j] = rate * unit;
            }
        };
        spread(rates, v);
        let carried = jacobian_rate_times_v(self.robot, &mut self.kinematics, q, v, self.frame, Axes::Base);
        let rest =
            Twist { linear: acceleration.linear - carried.linear, angular: acceleration.angular - carried.angular };
        let mut rates = self.scaled(rest);
        self.solve(&mut rates);
        spread(rates, a);
        Ok(())
    }
}
