//! Seeded random closed mechanisms that can be driven and are far from singularities, and states of them.
//!
//! ```
//! use appell::sample::{Family, Sampler};
//!
//! let mut sampler = Sampler::new(3);
//! let robot = sampler.closed_robot(Family::General(4));
//! let state = sampler.closed_state(&robot);
//! assert_eq!((robot.freedoms().len(), state.r.len()), (4, 4));
//! ```

use super::{ClosedMechanism, Configuration, assembly, drives, tree_closures};
use crate::description::Description;
use crate::linear::{Jacobi, dot, norm};
use crate::sample::{Family, Sampler};

/// The largest condition number of J_inv at home, and the largest rate without units that a unit of a degree of freedom
/// gives anything: a robot with more is drawn anew.
const WORST_HOME: (f64, f64) = (50.0, 20.0);

/// The same in a random state.
const WORST_STATE: (f64, f64) = (200.0, 60.0);

/// The largest of the inertia matrix without units at home, or of the robot's mass, over the least.
const WORST_INERTIA: f64 = 1e4;

/// How far the joint or platform that moves most is from home in a random state, over the characteristic length.
const STEP: f64 = 0.3;

/// A random state of a closed mechanism.
#[derive(Debug, Clone, PartialEq)]
pub struct ClosedState {
    /// An assembled configuration near home.
    pub at: Configuration,
    /// Independent velocities, in ±1 m/s or ±2 rad/s.
    pub r: Vec<f64>,
    /// Their rates, in ±2 m/s² or ±4 rad/s².
    pub r_dot: Vec<f64>,
    /// An effort a drive, in ±20 N or N m.
    pub tau: Vec<f64>,
    /// What acts from outside on each velocity u, in ±10 N or N m.
    pub load: Vec<f64>,
}

impl Sampler {
    /// A robot of a family, with drives; every fourth has one drive more than degrees of freedom.
    ///
    /// # Panics
    /// If the family has no robots of so many degrees of freedom.
    #[must_use]
    pub fn closed_robot(&mut self, family: Family) -> ClosedMechanism {
        self.driven_robot(family).1
    }

    /// The description of such a robot.
    ///
    /// # Panics
    /// If the family has no robots of so many degrees of freedom.
    #[must_use]
    pub fn closed_description(&mut self, family: Family) -> Description {
        self.driven_robot(family).0
    }

    fn driven_robot(&mut self, family: Family) -> (Description, ClosedMechanism) {
        loop {
            let mut description = self.closed_candidate(family);
            let Ok(undriven) = ClosedMechanism::new(&description) else { continue };
            // A leg may move by itself where many of its axes meet in a point.
            if undriven.freedoms().len() != family.freedoms()
                || family.is_parallel() == Some(undriven.legs().is_empty())
            {
                continue;
            }
            let Some(driven) = self.drives(&undriven, &description) else { continue };
            for j in driven {
                let name = &undriven.tree().joint_names()[j];
                description.joints.iter_mut().filter(|joint| joint.name == *name).for_each(|joint| joint.driven = true);
            }
            let Ok(robot) = ClosedMechanism::new(&description) else { continue };
            if is_within(&robot, robot.home(), WORST_HOME) && moves_mass(&robot) {
                return (description, robot);
            }
        }
    }

    /// Joints that hold the robot at home: one after the other, each the fastest, or nearly, of those that move when
    /// the ones before stand still. What stands for a platform has none.
    fn drives(&mut self, robot: &ClosedMechanism, description: &Description) -> Option<Vec<usize>> {
        let n = robot.freedoms().len();
        let mut workspace = tree_closures::Workspace::new(robot);
        let z = tree_closures::complement(robot, &mut workspace, robot.home()).ok()?;
        let mut rest: Vec<Vec<f64>> = z.chunks_exact(n).take(robot.tree().dof()).map(<[f64]>::to_vec).collect();
        for (j, row) in rest.iter_mut().enumerate() {
            for (c, entry) in row.iter_mut().enumerate() {
                *entry *= robot.length_scale(j) * drives::freedom_unit(robot, c);
            }
            if !description.joints.iter().any(|joint| joint.name == robot.tree().joint_names()[j]) {
                row.fill(0.0);
            }
        }
        let moving = rest.clone();
        let mut found = Vec::new();
        for _ in 0..n {
            let weights: Vec<f64> = rest.iter().map(|row| (2.0 + self.within(1.0)) * norm(row)).collect();
            let best = (0..rest.len()).max_by(|&a, &b| weights[a].total_cmp(&weights[b]))?;
            let size = norm(&rest[best]);
            if size.is_nan() || size < 1e-3 {
                return None;
            }
            let unit: Vec<f64> = rest[best].iter().map(|x| x / size).collect();
            for row in &mut rest {
                let along = dot(row, &unit);
                row.iter_mut().zip(&unit).for_each(|(x, y)| *x -= along * y);
            }
            found.push(best);
        }
        if self.once_in(4) {
            let others = (0..moving.len()).filter(|j| !found.contains(j) && norm(&moving[*j]) > 0.1);
            let others: Vec<usize> = others.collect();
            if !others.is_empty() {
                found.push(self.one_of(&others));
            }
        }
        Some(found)
    }

    /// A state of a closed mechanism: a little way from home along its degrees of freedom, in any motion.
    #[must_use]
    pub fn closed_state(&mut self, robot: &ClosedMechanism) -> ClosedState {
        let n = robot.freedoms().len();
        let r: Vec<f64> = (0..n).map(|c| drives::freedom_unit(robot, c) * self.within(1.0)).collect();
        let mut halves = core::iter::successors(Some(STEP), |step| Some(0.5 * step)).take(20);
        let at = halves.find_map(|step| near_home(robot, &r, step));
        let draw = |sampler: &mut Self, linear: f64, angular: f64| -> Vec<f64> {
            let limit = |c: usize| if drives::freedom_unit(robot, c) == 1.0 { linear } else { angular };
            (0..n).map(|c| sampler.within(limit(c))).collect()
        };
        ClosedState {
            at: at.unwrap_or_else(|| robot.home().clone()),
            r: draw(self, 1.0, 2.0),
            r_dot: draw(self, 2.0, 4.0),
            tau: robot.driven().iter().map(|_| self.within(20.0)).collect(),
            load: (0..robot.velocities()).map(|_| self.within(10.0)).collect(),
        }
    }
}

/// The configuration a step along a motion from home, if it is a good one.
fn near_home(robot: &ClosedMechanism, r: &[f64], step: f64) -> Option<Configuration> {
    let mut workspace = tree_closures::Workspace::new(robot);
    let mut at = robot.home().clone();
    let rest = vec![0.0; r.len()];
    let (u, _) = tree_closures::motion(robot, &mut workspace, &at, r, &rest).ok()?;
    let fastest = u.iter().enumerate().fold(0.0, |most: f64, (k, u)| most.max((u * robot.length_scale(k)).abs()));
    let step = step * robot.length() / fastest;
    at.advance(u.iter().map(|u| step * u).enumerate());
    assembly::at_home(robot, &mut assembly::Workspace::new(robot), &mut at).ok()?;
    is_within(robot, &at, WORST_STATE).then_some(at)
}

/// Whether the condition of J_inv and the rates that a unit of a degree of freedom gives are no worse than allowed.
fn is_within(robot: &ClosedMechanism, at: &Configuration, (condition, rate): (f64, f64)) -> bool {
    let n = robot.freedoms().len();
    let mut workspace = tree_closures::Workspace::new(robot);
    let Ok(z) = tree_closures::complement(robot, &mut workspace, at) else { return false };
    let j_inv: Vec<f64> = robot.driven().iter().flat_map(|&j| z[j * n..(j + 1) * n].to_vec()).collect();
    let fast = z.iter().enumerate().any(|(i, z)| {
        let unit = robot.length_scale(i / n) * drives::freedom_unit(robot, i % n);
        z.is_nan() || (z * unit).abs() > rate
    });
    // One drive alone is always well conditioned: it must also move as the degrees of freedom do.
    let values = drives::singular_values(robot, &j_inv).0;
    !fast && values[n - 1] * condition >= values[0].max(1.0)
}

/// Whether every degree of freedom moves some mass at home, so that forward dynamics has an answer.
fn moves_mass(robot: &ClosedMechanism) -> bool {
    let n = robot.freedoms().len();
    let mut workspace = tree_closures::Workspace::new(robot);
    let Ok(inertia) = tree_closures::inertia_matrix(robot, &mut workspace, robot.home()) else { return false };
    let units = |k: usize| drives::freedom_unit(robot, k / n) * drives::freedom_unit(robot, k % n);
    let inertia: Vec<f64> = inertia.iter().enumerate().map(|(k, entry)| entry * units(k)).collect();
    let mut jacobi = Jacobi::new(n, n);
    jacobi.decompose(&inertia);
    let mass = robot.tree().mass() + robot.platform().map_or(0.0, |platform| platform.mass);
    jacobi.values()[n - 1] * WORST_INERTIA >= jacobi.values()[0].max(mass)
}
