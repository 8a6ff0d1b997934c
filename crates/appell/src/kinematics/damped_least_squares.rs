//! Inverse kinematics of any frame by damped least squares, within the joints' limits, with restarts.
//!
//! | symbol | meaning |
//! |---|---|
//! | e | what is missing to the goal: the way to it over the frame's reach, and the rotation vector |
//! | J | Jacobian of the frame, with linear rows over the reach and slides counted in reaches |
//! | λ² | damping, proportional to eᵀe |
//! | μ | their ratio: it falls when a step succeeds and grows when one fails |
//!
//! ```text
//! Δq = Jᵀ (J Jᵀ + λ² 1)⁻¹ e        (Nakamura1986)
//! λ² = μ eᵀe                       (Sugihara2011)
//! ```
//!
//! All of it is dimensionless, so that an arm of millimetres behaves as one of metres. The damping vanishes with the
//! error, so that convergence is quadratic at regular poses; it stands in the 6 × 6 system, so that robots with fewer
//! or more than six joints, and goals of three numbers, need no case of their own.
//!
//! Where two branches nearly meet, within 10⁻³ of a singularity, a descent may creep along the valley between them.
//! Restarts get around it: of 100 000 random poses of random and built-in robots, half as many restarts missed three.

use crate::description::{JointKind, Limits};
use crate::linear::Cholesky;
use crate::mechanism::{Axes, Mechanism};
use crate::sample::Sampler;
use crate::spatial::{Mat3, Pose, Twist, Vec3, turn_between};
use core::f64::consts::{PI, TAU};

/// What a frame shall reach, in the base.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Goal {
    /// A position and an orientation.
    Pose(Pose),
    /// A position, in any orientation.
    Position(Vec3),
    /// An orientation, at any place.
    Orientation(Mat3),
}

/// When to be content, and when to give up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// The distances that count as reached: 1e-12 m and 1e-12 rad. Rounding asks for more from about 1 km of reach.
    pub tolerance: Residual,
    /// Steps from one start: 100.
    pub iterations: usize,
    /// Random starts after the given one: 100. The first few are near it.
    pub restarts: usize,
    /// Where the random numbers begin.
    pub seed: u64,
}

/// Distance of a frame from its goal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Residual {
    /// m
    pub position: f64,
    /// rad
    pub orientation: f64,
}

/// A configuration in which the frame is at its goal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Solution<'w> {
    /// Joint positions, rad or m; a joint without limits is within half a turn of the start.
    pub q: &'w [f64],
    /// What is left of the way.
    pub residual: Residual,
    /// Steps from all starts together.
    pub iterations: usize,
    /// Random starts that were needed.
    pub restarts: usize,
}

/// No start led to the goal: it is out of reach, or beyond the joints' limits, or was not found.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error(
    "frame `{frame}` does not reach the goal: {:.3e} m and {:.3e} rad are left in the best of {} starts, \
     after {iterations} iterations in all",
    residual.position, residual.orientation, restarts + 1
)]
pub struct Unreached {
    /// The frame's name.
    pub frame: String,
    /// The best configuration.
    pub q: Vec<f64>,
    /// How far it is from the goal; infinite if the goal or the start is not a number.
    pub residual: Residual,
    /// Steps from all starts together.
    pub iterations: usize,
    /// Random starts that were made.
    pub restarts: usize,
}

/// Memory of the solver.
#[derive(Debug, Clone)]
pub struct Workspace {
    kinematics: super::Workspace, // of the configuration looked at last
    units: Vec<f64>,              // 1 rad, or the reach            at the start
    q: Vec<f64>,                  // the configuration              a successful step
    trial: Vec<f64>,              // where a step would lead        a step
    best: Vec<f64>,               // of all starts                  the end of a descent
    jacobian: Vec<f64>,           // J, 6 × n, row by row           a step
    normal: Vec<f64>,             // J Jᵀ + λ² 1, 6 × 6             a step
    cholesky: Cholesky<f64>,      // its factor                     a step
}

/// Steps are not longer than this, in rad or reaches: beyond it a linear model of a robot is worth nothing.
const LONGEST_STEP: f64 = 1.0;
/// μ at a start, the factors by which it falls and grows, the least, and that at which steps are too short to matter.
const DAMPING: f64 = 0.1;
const RELIEF: f64 = 0.1;
const CAUTION: f64 = 5.0;
const LEAST_DAMPING: f64 = 1e-6;
const HOPELESS_DAMPING: f64 = 1e6;

impl Default for Options {
    fn default() -> Self {
        let tolerance = Residual { position: 1e-12, orientation: 1e-12 };
        Self { tolerance, iterations: 100, restarts: 100, seed: 1 }
    }
}

/// A configuration that brings a frame to its goal, near `start` if one is found there.
///
/// Every configuration on the way is within the joints' limits; a start that is not is brought there first. Joints
/// that do not carry the frame stay where they are.
///
/// ```
/// use appell::kinematics::damped_least_squares::{Goal, Options, Workspace, inverse_kinematics};
/// use appell::{kinematics, robots};
///
/// let robot = robots::find("seven-axis").unwrap().mechanism();
/// let flange = robot.frame("flange").unwrap();
/// let mut forward = kinematics::Workspace::new(&robot);
/// let pose = kinematics::positions(&robot, &mut forward, &[0.1, 0.5, -0.2, -1.5, 0.3, 1.8, 0.4])[flange];
///
/// let mut workspace = Workspace::new(&robot);
/// let solution =
///     inverse_kinematics(&robot, &mut workspace, flange, &Goal::Pose(pose), &[0.0; 7], &Options::default())?;
/// let found = kinematics::positions(&robot, &mut forward, solution.q)[flange];
/// assert!((found.position - pose.position).norm() < 1e-11);
/// # Ok::<(), kinematics::damped_least_squares::Unreached>(())
/// ```
///
/// # Errors
/// If no start leads to the goal.
///
/// # Panics
/// If `start` does not have one value per joint, or there is no such frame.
pub fn inverse_kinematics<'w>(
    robot: &Mechanism,
    ws: &'w mut Workspace,
    frame: usize,
    goal: &Goal,
    start: &[f64],
    options: &Options,
) -> Result<Solution<'w>, Unreached> {
    robot.expect_lengths(&[start]);
    let search = Search { robot, frame, goal, start, reach: robot.reach(frame) };
    for (unit, link) in ws.units.iter_mut().zip(robot.links()) {
        *unit = link.joint.pick(1.0, search.reach);
    }
    let mut sampler = Sampler::new(options.seed);
    let (mut least, mut iterations) = (f64::INFINITY, 0);
    let mut residual = Residual { position: f64::INFINITY, orientation: f64::INFINITY };
    ws.best.copy_from_slice(start);
    for restarts in 0..=options.restarts {
        search.draw(&mut sampler, restarts, &ws.units, &mut ws.q);
        let error = ws.descend(&search, options, &mut iterations);
        if search.cost(error) < least {
            least = search.cost(error);
            residual = Residual::of(error);
            ws.best.copy_from_slice(&ws.q);
        }
        if options.tolerance.covers(residual) {
            return Ok(Solution { q: &ws.best, residual, iterations, restarts });
        }
    }
    let (frame, q) = (robot.frames()[frame].name.clone(), ws.best.clone());
    Err(Unreached { frame, q, residual, iterations, restarts: options.restarts })
}

/// What stays the same from step to step.
struct Search<'s> {
    robot: &'s Mechanism,
    frame: usize,
    goal: &'s Goal,
    start: &'s [f64],
    reach: f64,
}

impl Search<'_> {
    /// The way from a configuration to the goal, in base axes: m and rad.
    fn error(&self, kinematics: &mut super::Workspace, q: &[f64]) -> Twist {
        kinematics.sweep_at_rest(self.robot, q);
        let pose = kinematics.base_from_frame(self.robot, self.frame, 0.0);
        let way_to = |position: Vec3| position - pose.position;
        let turn_to = |rotation: Mat3| turn_between(&pose.rotation, &rotation);
        let nothing = Vec3::zero(0.0);
        match *self.goal {
            Goal::Pose(goal) => Twist { linear: way_to(goal.position), angular: turn_to(goal.rotation) },
            Goal::Position(position) => Twist { linear: way_to(position), angular: nothing },
            Goal::Orientation(rotation) => Twist { linear: nothing, angular: turn_to(rotation) },
        }
    }

    /// e, dimensionless.
    fn scaled(&self, error: Twist) -> [f64; 6] {
        Twist { linear: error.linear.scale(1.0 / self.reach), ..error }.to_array()
    }

    /// eᵀe.
    fn cost(&self, error: Twist) -> f64 {
        self.scaled(error).iter().map(|e| e * e).sum()
    }

    /// What each row of the Jacobian is multiplied by: zero where the goal is not about it.
    fn row_scales(&self) -> [f64; 6] {
        let (linear, angular) = match self.goal {
            Goal::Pose(_) => (1.0 / self.reach, 1.0),
            Goal::Position(_) => (1.0 / self.reach, 0.0),
            Goal::Orientation(_) => (0.0, 1.0),
        };
        [linear, linear, linear, angular, angular, angular]
    }

    /// The start, and then random configurations: the first four from a box around it that widens to the limits, or
    /// to half a turn or π reaches each way where there are none.
    fn draw(&self, sampler: &mut Sampler, restart: usize, units: &[f64], q: &mut [f64]) {
        q.copy_from_slice(self.start);
        let width = (restart as f64 / 4.0).min(1.0);
        let body = self.robot.frames()[self.frame].body;
        for j in body.into_iter().flat_map(|body| self.robot.path_to_base(body)) {
            let Limits { lower, upper, .. } = self.robot.limits()[j];
            let down = if lower.is_finite() { lower - q[j] } else { -PI * units[j] };
            let up = if upper.is_finite() { upper - q[j] } else { PI * units[j] };
            q[j] += width * (0.5 * (down + up) + sampler.within(0.5 * (up - down)));
        }
        self.confine(q);
    }

    /// Brings joints back within their limits, and those without to the turn nearest to the start.
    fn confine(&self, q: &mut [f64]) {
        for (j, q) in q.iter_mut().enumerate() {
            let Limits { lower, upper, .. } = self.robot.limits()[j];
            if self.robot.links()[j].joint == JointKind::Revolute && lower.is_infinite() && upper.is_infinite() {
                *q -= TAU * ((*q - self.start[j]) / TAU).round();
            }
            *q = q.max(lower).min(upper);
        }
    }
}

impl Workspace {
    /// A workspace for this robot.
    #[must_use]
    pub fn new(robot: &Mechanism) -> Self {
        let n = robot.dof();
        Self {
            kinematics: super::Workspace::new(robot),
            units: vec![0.0; n],
            q: vec![0.0; n],
            trial: vec![0.0; n],
            best: vec![0.0; n],
            jacobian: vec![0.0; 6 * n],
            normal: vec![0.0; 36],
            cholesky: Cholesky::new(6, 0.0),
        }
    }

    /// Goes from `self.q` towards the goal until it is reached or no step helps; the error that is left.
    fn descend(&mut self, search: &Search<'_>, options: &Options, iterations: &mut usize) -> Twist {
        let mut error = search.error(&mut self.kinematics, &self.q);
        let mut damping = DAMPING;
        for _ in 0..options.iterations {
            if options.tolerance.covers(Residual::of(error)) || damping > HOPELESS_DAMPING {
                break;
            }
            *iterations += 1;
            self.step(search, error, damping);
            let there = search.error(&mut self.kinematics, &self.trial);
            if search.cost(there) < search.cost(error) {
                error = there;
                core::mem::swap(&mut self.q, &mut self.trial);
                damping = (damping * RELIEF).max(LEAST_DAMPING);
            } else {
                damping *= CAUTION;
            }
        }
        error
    }

    /// Fills `self.trial` with q + Δq, brought back within the limits.
    fn step(&mut self, search: &Search<'_>, error: Twist, damping: f64) {
        let n = self.q.len();
        let mut e = search.scaled(error);
        self.linearise(search, &e);
        let mut trace = 0.0;
        for i in 0..6 {
            for k in 0..=i {
                let rows = self.jacobian[i * n..(i + 1) * n].iter().zip(&self.jacobian[k * n..]);
                self.normal[6 * i + k] = rows.map(|(x, y)| x * y).sum();
            }
            trace += self.normal[7 * i];
        }
        // The second term keeps the matrix definite where rounding is all that is left of a direction.
        let lambda_squared = damping * search.cost(error) + 16.0 * f64::EPSILON * trace;
        (0..6).for_each(|i| self.normal[7 * i] += lambda_squared);
        self.cholesky.decompose(&self.normal);
        self.cholesky.solve(&mut e);
        let delta = |j: usize| (0..6).map(|i| self.jacobian[i * n + j] * e[i]).sum::<f64>();
        let longest = (0..n).map(|j| delta(j).abs()).fold(0.0, f64::max);
        let shortening = if longest > LONGEST_STEP { LONGEST_STEP / longest } else { 1.0 };
        for j in 0..n {
            self.trial[j] = self.q[j] + shortening * delta(j) * self.units[j];
        }
        search.confine(&mut self.trial);
    }

    /// Fills `self.jacobian`, without the columns of joints at a limit that the goal pulls further out.
    fn linearise(&mut self, search: &Search<'_>, e: &[f64; 6]) {
        let n = self.q.len();
        let jacobian = super::jacobian(search.robot, &mut self.kinematics, &self.q, search.frame, Axes::Base);
        let scales = search.row_scales();
        for (j, &q) in self.q.iter().enumerate() {
            let column: [f64; 6] = core::array::from_fn(|i| scales[i] * jacobian[i * n + j] * self.units[j]);
            let pull: f64 = column.iter().zip(e).map(|(x, y)| x * y).sum();
            let Limits { lower, upper, .. } = search.robot.limits()[j];
            let held = (q >= upper && pull > 0.0) || (q <= lower && pull < 0.0);
            for (i, entry) in column.into_iter().enumerate() {
                self.jacobian[i * n + j] = if held { 0.0 } else { entry };
            }
        }
    }
}

impl Residual {
    fn of(error: Twist) -> Self {
        Self { position: error.linear.norm(), orientation: error.angular.norm() }
    }

    /// Whether `other` is as small in both.
    fn covers(self, other: Self) -> bool {
        other.position <= self.position && other.orientation <= self.orientation
    }
}
