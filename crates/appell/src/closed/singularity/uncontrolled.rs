//! The motions that the drives do not control, which nothing but friction holds at a singularity of Type 2.

use super::measures::{Metric, Workspace};
use crate::closed::actuation::Rows;
use crate::closed::{ClosedMechanism, Configuration, Screw};
use crate::linear::norm;
use crate::spatial::{Twist, Vec3};

/// A motion that the closures allow.
#[derive(Debug, Clone, PartialEq)]
pub struct Motion {
    /// How much of it the drives control: the norm of their rates over that of all velocities, without units.
    pub controlled: f64,
    /// All velocities, rad/s and m/s: joints, then the platform's twist.
    ///
    /// The platform's twist has the norm 1 without units, and its largest component is positive; where it rests, or
    /// there is none, the same holds for the joints.
    pub u: Vec<f64>,
    /// The platform's screw, if it moves.
    pub screw: Option<Screw>,
}

/// The motion that the drives control least: at Type 2 the one that they cannot hold.
///
/// # Panics
/// If `at` belongs to another robot.
#[must_use]
pub fn least_controlled(robot: &ClosedMechanism, ws: &mut Workspace, at: &Configuration, metric: &Metric) -> Motion {
    ws.linearise(robot, at, metric);
    let decomposed = ws.decompose_drives(robot, metric);
    Motion::new(robot, ws, at, metric, decomposed, ws.of_drives.values().len() - 1)
}

/// All motions that the drives do not control, by the metric's tolerance: none but at Type 2 and constraint singularities,
/// and in robots with fewer drives than degrees of freedom.
///
/// # Panics
/// If `at` belongs to another robot.
#[must_use]
pub fn uncontrolled(robot: &ClosedMechanism, ws: &mut Workspace, at: &Configuration, metric: &Metric) -> Vec<Motion> {
    ws.linearise(robot, at, metric);
    let decomposed = ws.decompose_drives(robot, metric);
    let values = ws.of_drives.values();
    let controlled = values.iter().take_while(|&&value| value > metric.tolerance * values[0].max(1.0)).count();
    (controlled..values.len()).map(|k| Motion::new(robot, ws, at, metric, decomposed, k)).collect()
}

impl Motion {
    /// The k-th of the motions, by how much the drives control them.
    fn new(
        robot: &ClosedMechanism,
        ws: &Workspace,
        at: &Configuration,
        metric: &Metric,
        (rows, count): (Rows, usize),
        k: usize,
    ) -> Self {
        let dof = robot.tree().dof();
        let weights = ws.of_drives.left(k);
        let mut u = vec![0.0; robot.velocities()];
        if rows == Rows::Unknown {
            for (x, entry) in u.iter_mut().enumerate() {
                *entry = weights.iter().enumerate().map(|(i, weight)| weight * ws.motion(i, count, x)).sum();
            }
        } else {
            ws.actuation.expand(robot, weights, &mut u);
        }
        let of_drives = robot.driven().iter().map(|&j| u[j] * u[j]).sum::<f64>().sqrt();
        let controlled = of_drives / norm(&u);
        let moves = norm(&u[dof..]) > metric.tolerance * norm(&u);
        let leading = if moves { &u[dof..] } else { &u[..dof] };
        // The first of equals, so that rounding does not choose the sense.
        let largest = leading.iter().fold(0.0, |most: f64, &x| if x.abs() > most.abs() + 1e-9 { x } else { most });
        let scale = 1.0_f64.copysign(largest) / norm(leading);
        u.iter_mut().zip(&ws.units).for_each(|(u, unit)| *u *= scale * unit);
        let screw = moves.then(|| twist(&u[dof..])).flatten();
        let screw = screw.and_then(|twist| Screw::of(&twist, at.pose.position, metric.length));
        Self { controlled, u, screw }
    }

    /// The platform's twist; none without a platform.
    #[must_use]
    pub fn twist(&self, robot: &ClosedMechanism) -> Option<Twist> {
        twist(&self.u[robot.tree().dof()..])
    }

    /// The independent velocities r of it.
    #[must_use]
    pub fn freedoms(&self, robot: &ClosedMechanism) -> Vec<f64> {
        robot.freedoms().iter().map(|&k| self.u[k]).collect()
    }

    /// What it is: the platform's screw where the platform moves, else the joints that do, with their rates.
    #[must_use]
    pub fn words(&self, robot: &ClosedMechanism) -> String {
        if let Some(screw) = self.screw {
            return screw.to_string();
        }
        let joints = robot.tree().joint_names().iter().zip(&self.u).filter(|(_, rate)| rate.abs() > 1e-9);
        let rates: Vec<String> = joints.map(|(name, rate)| format!("{name} {rate:+.4}")).collect();
        format!("joints move: {}", rates.join(", "))
    }
}

fn twist(u: &[f64]) -> Option<Twist> {
    let &[x, y, z, a, b, c] = u else { return None };
    Some(Twist { linear: Vec3::new(x, y, z), angular: Vec3::new(a, b, c) })
}
