//! How near a frame is to a singularity, which joints move without moving it, and what it cannot do.
//!
//! Lengths and angles do not compare until a length says how: here the characteristic length L divides the linear
//! rows of the Jacobian, and slides count in L. What is left has no unit, so that a robot and its model at any scale
//! have the same condition number.

use crate::description::JointKind;
use crate::linear::Jacobi;
use crate::mechanism::{Axes, Mechanism};
use crate::spatial::{Twist, Vec3};

/// What counts as how large.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Metric {
    /// L: the way that weighs as much as a turn by 1 rad, m.
    pub length: f64,
    /// A singular value below this, over the largest, counts as zero.
    pub tolerance: f64,
}

/// Measures of a Jacobian.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measures {
    /// w = √det(J Jᵀ) of the Jacobian in m and rad, or √det(Jᵀ J) with fewer than six joints: the volume of the
    /// motions that unit joint velocities give (Yoshikawa1985).
    pub manipulability: f64,
    /// Singular values of the dimensionless Jacobian, descending; the last ones are zero with fewer than six joints.
    pub singular_values: [f64; 6],
    /// Least over largest of them, of as many as there can be, in 0 to 1: the inverse of the condition number, which
    /// is infinite where this is zero.
    pub inverse_condition: f64,
    /// How many of them are not zero: the dimension of the frame's motions.
    pub rank: usize,
}

/// A motion of the joints that leaves the frame at rest.
#[derive(Debug, Clone, PartialEq)]
pub struct SelfMotion<'r> {
    /// The joints that move, by name, with their velocities in rad/s or m/s: the fastest first, and that one forwards.
    /// The sum of their squares is 1, where a slide counts in characteristic lengths.
    pub joints: Vec<(&'r str, f64)>,
}

/// Memory of the measures.
#[derive(Debug, Clone)]
pub struct Workspace {
    kinematics: super::Workspace, // the Jacobian
    plain: Vec<f64>,              // 6 × n, in m and rad
    jacobian: Vec<f64>,           // 6 × n, dimensionless
    transpose: Vec<f64>,          // n × 6, dimensionless
    of_frame: Jacobi,             // of the Jacobian: what the frame can do
    of_joints: Jacobi,            // of its transpose: what the joints do
}

impl Metric {
    /// With the frame's [reach](Mechanism::reach) as characteristic length, and 10⁻⁹ as tolerance.
    ///
    /// # Panics
    /// If there is no such frame.
    #[must_use]
    pub fn of(robot: &Mechanism, frame: usize) -> Self {
        Self { length: robot.reach(frame), tolerance: 1e-9 }
    }

    /// How many of these, which descend, are not zero.
    fn rank(&self, values: &[f64]) -> usize {
        values.iter().take_while(|&&value| value > self.tolerance * values[0]).count()
    }
}

impl Workspace {
    /// A workspace for this robot.
    #[must_use]
    pub fn new(robot: &Mechanism) -> Self {
        let n = robot.velocities().len();
        Self {
            kinematics: super::Workspace::new(robot),
            plain: vec![0.0; 6 * n],
            jacobian: vec![0.0; 6 * n],
            transpose: vec![0.0; 6 * n],
            of_frame: Jacobi::new(6, n),
            of_joints: Jacobi::new(n, 6),
        }
    }

    /// Fills all three matrices, by the velocities of the robot's own coordinates.
    fn linearise(&mut self, robot: &Mechanism, q: &[f64], frame: usize, length: f64) {
        let n = robot.velocities().len();
        let of_rows = super::jacobian(robot, &mut self.kinematics, q, frame, Axes::Base);
        match robot.coordinates() {
            None => self.plain.copy_from_slice(of_rows),
            Some(own) => own.columns(of_rows, &mut self.plain),
        }
        for j in 0..n {
            for i in 0..6 {
                let entry = self.plain[i * n + j] * kind(robot, j).pick(1.0, length) / if i < 3 { length } else { 1.0 };
                self.jacobian[i * n + j] = entry;
                self.transpose[6 * j + i] = entry;
            }
        }
    }
}

/// What a velocity of the robot is.
fn kind(robot: &Mechanism, velocity: usize) -> JointKind {
    robot.links()[robot.coordinates().map_or(velocity, |own| own.of_velocities()[velocity])].joint
}

/// Manipulability, singular values, condition and rank of a frame's Jacobian. Allocates nothing.
///
/// ```
/// use appell::kinematics::singularity::{Metric, Workspace, measures};
/// use appell::robots;
///
/// let robot = robots::find("puma560").unwrap().mechanism();
/// let wrist = robot.frame("wrist-yaw").unwrap();
/// let (metric, mut workspace) = (Metric::of(&robot, wrist), Workspace::new(&robot));
/// assert_eq!(measures(&robot, &mut workspace, &[0.1, 0.2, 0.3, 0.4, 0.0, 0.6], wrist, &metric).rank, 5);
/// assert_eq!(measures(&robot, &mut workspace, &[0.1, 0.2, 0.3, 0.4, 0.5, 0.6], wrist, &metric).rank, 6);
/// ```
///
/// # Panics
/// If `q` does not have one value per joint, or there is no such frame.
pub fn measures(robot: &Mechanism, ws: &mut Workspace, q: &[f64], frame: usize, metric: &Metric) -> Measures {
    let most = robot.velocities().len().min(6);
    ws.linearise(robot, q, frame, metric.length);
    ws.of_frame.decompose(&ws.plain);
    let manipulability = ws.of_frame.values()[..most].iter().product();
    ws.of_frame.decompose(&ws.jacobian);
    let values = ws.of_frame.values();
    let inverse_condition = if values[0] > 0.0 { values[most - 1] / values[0] } else { 0.0 };
    Measures {
        manipulability,
        singular_values: core::array::from_fn(|k| values[k]),
        inverse_condition,
        rank: metric.rank(values),
    }
}

/// The motions of the joints that leave a frame at rest, at right angles to each other: the null space of its
/// Jacobian. Joints that do not carry the frame are among them.
///
/// # Panics
/// If `q` does not have one value per joint, or there is no such frame.
#[must_use]
pub fn self_motions<'r>(
    robot: &'r Mechanism,
    ws: &mut Workspace,
    q: &[f64],
    frame: usize,
    metric: &Metric,
) -> Vec<SelfMotion<'r>> {
    ws.linearise(robot, q, frame, metric.length);
    ws.of_joints.decompose(&ws.transpose);
    let rank = metric.rank(ws.of_joints.values());
    (rank..robot.velocities().len()).map(|k| SelfMotion::new(robot, ws.of_joints.left(k), metric)).collect()
}

/// The twists that a frame cannot make, in base axes: at right angles, by the metric, to each other and to all that
/// it can make. A robot with fewer than six joints has some everywhere.
///
/// # Panics
/// If `q` does not have one value per joint, or there is no such frame.
#[must_use]
pub fn lost_directions(robot: &Mechanism, ws: &mut Workspace, q: &[f64], frame: usize, metric: &Metric) -> Vec<Twist> {
    ws.linearise(robot, q, frame, metric.length);
    ws.of_frame.decompose(&ws.jacobian);
    let rank = metric.rank(ws.of_frame.values());
    let twist = |k: usize| {
        let [x, y, z, rx, ry, rz] = core::array::from_fn(|i| ws.of_frame.left(k)[i]);
        Twist { linear: Vec3::new(x, y, z).scale(metric.length), angular: Vec3::new(rx, ry, rz) }
    };
    (rank..6).map(twist).collect()
}

impl<'r> SelfMotion<'r> {
    /// From the dimensionless velocities of all joints.
    fn new(robot: &'r Mechanism, velocities: &[f64], metric: &Metric) -> Self {
        let mut order: Vec<usize> = (0..velocities.len()).filter(|&j| velocities[j].abs() > metric.tolerance).collect();
        order.sort_by(|&i, &j| velocities[j].abs().total_cmp(&velocities[i].abs()));
        let sense = velocities[order[0]].signum();
        let velocity = |j: usize| sense * velocities[j] * kind(robot, j).pick(1.0, metric.length);
        Self { joints: order.into_iter().map(|j| (robot.velocities()[j].as_str(), velocity(j))).collect() }
    }
}
