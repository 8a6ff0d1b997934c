//! All working modes of a robot for a pose of its platform: every way in which every leg reaches it, and whole robots made of them.
//!
//! Every choice of a solution of each leg is a robot with closed loops. Where a leg is stretched or folded two of its solutions are one: a
//! singularity of Type 1, where the robot may go from one working mode into the other.
//!
//! ```
//! use appell::{closed::working_modes::WorkingModes, robots};
//!
//! let robot = robots::find("five-bar").unwrap().closed();
//! let modes = WorkingModes::of(&robot, &robot.home().pose);
//! assert_eq!(modes.count(), 4, "each elbow has two sides");
//! assert!(modes.collisions().next().is_none(), "no arm is stretched");
//! ```

use super::assembly::{self, Workspace};
use super::singularity::{self, Metric};
use super::{ClosedMechanism, Configuration};
use crate::spatial::{Pose, wrapped};

/// The distance to Type 1 below which two solutions of a leg are one: what rounding leaves of it.
const COINCIDE: f64 = 1e-6;

/// How far a leg begins aside to see whether its solutions are determined, rad or m.
const ASIDE: f64 = 0.3;

/// All working modes for a pose.
#[derive(Debug, Clone, PartialEq)]
pub struct WorkingModes {
    /// Those of each leg, in the order of [`ClosedMechanism::legs`].
    pub legs: Vec<LegModes>,
    pose: Pose,
}

/// All solutions of a leg.
#[derive(Debug, Clone, PartialEq)]
pub struct LegModes {
    /// The one nearest to home first; none if the leg does not reach the pose. A leg without joints has one, without numbers.
    pub solutions: Vec<LegMode>,
    /// Whether they are found in closed form, which misses none.
    pub in_closed_form: bool,
}

/// A solution of a leg.
#[derive(Debug, Clone, PartialEq)]
pub struct LegMode {
    /// Positions of its joints, angles in (−π, π].
    pub q: Vec<f64>,
    /// Distance of the leg to Type 1, from 0 to 1.
    pub type1: f64,
    /// Whether it is one of a continuum: the leg moves while the platform rests, as one folded onto its first axis does.
    pub is_of_continuum: bool,
}

impl LegMode {
    /// Whether two solutions are one here.
    #[must_use]
    pub fn is_double(&self) -> bool {
        self.type1 < COINCIDE && !self.is_of_continuum
    }
}

impl WorkingModes {
    /// Those of a robot at a pose of its platform.
    #[must_use]
    pub fn of(robot: &ClosedMechanism, pose: &Pose) -> Self {
        let mut workspace = Workspace::new(robot);
        let mut singularity = singularity::Workspace::new(robot);
        let metric = Metric::of(robot);
        let mut at = Configuration { q: robot.home().q.clone(), pose: *pose };
        let mut of_leg = |k: usize| {
            let joints = &robot.legs()[k].joints;
            let mut mode = |q: Vec<f64>| {
                joints.iter().zip(&q).for_each(|(&j, &q)| at.q[j] = q);
                let type1 = singularity::measures(robot, &mut singularity, &at, &metric).legs[k].inverse_condition;
                LegMode { q, type1, is_of_continuum: false }
            };
            if joints.is_empty() {
                return LegModes {
                    solutions: vec![LegMode { q: Vec::new(), type1: 1.0, is_of_continuum: false }],
                    in_closed_form: true,
                };
            }
            let found = assembly::leg_solutions(robot, &mut workspace, pose, k);
            let mut solutions: Vec<LegMode> = found.into_iter().map(&mut mode).collect();
            let in_closed_form = workspace.has_closed_form(k);
            if in_closed_form && solutions.iter().any(LegMode::is_double) {
                // What the pose does not determine is as it was before: elsewhere from elsewhere.
                let mut aside = Configuration { q: robot.home().q.clone(), pose: *pose };
                joints.iter().for_each(|&j| aside.q[j] += ASIDE);
                let others = assembly::leg_solutions_from(robot, &mut workspace, aside, k);
                let is_same = |one: &[f64], other: &[f64]| {
                    one.iter().zip(other).all(|(one, other)| wrapped(one - other).abs() < COINCIDE)
                };
                for one in solutions.iter_mut().filter(|one| one.is_double()) {
                    one.is_of_continuum = !others.iter().any(|other| is_same(&one.q, other));
                }
            }
            LegModes { solutions, in_closed_form }
        };
        Self { legs: (0..robot.legs().len()).map(&mut of_leg).collect(), pose: *pose }
    }

    /// How many whole robots they make: none where a leg does not reach the pose, or there are no legs.
    #[must_use]
    pub fn count(&self) -> usize {
        if self.legs.is_empty() { 0 } else { self.legs.iter().map(|leg| leg.solutions.len()).product() }
    }

    /// Whether all of every leg are known.
    #[must_use]
    pub fn are_all(&self) -> bool {
        self.legs.iter().all(|leg| leg.in_closed_form)
    }

    /// How many there are, and how that is known, where the first `most` whole robots are shown.
    #[must_use]
    pub fn words(&self, robot: &ClosedMechanism, most: usize) -> String {
        let moving = robot.legs().iter().zip(&self.legs).filter(|(leg, _)| !leg.joints.is_empty());
        let each: Vec<String> = moving.map(|(_, modes)| modes.solutions.len().to_string()).collect();
        let how = if self.are_all() { "in closed form: these are all" } else { "by random starts: others may exist" };
        let total = self.count();
        let shown = if total > most { format!(", the first {most} of which are here") } else { String::new() };
        format!("{} working modes of the legs make {total} whole robots{shown}; {how}", each.join(" × "))
    }

    /// Which solution each leg has in a whole robot, counted from 0; the last leg changes first.
    ///
    /// # Panics
    /// If there are not so many whole robots.
    #[must_use]
    pub fn choice(&self, mut number: usize) -> Vec<usize> {
        assert!(number < self.count(), "there are {} whole robots", self.count());
        let mut choice: Vec<usize> = Vec::with_capacity(self.legs.len());
        for leg in self.legs.iter().rev() {
            choice.push(number % leg.solutions.len());
            number /= leg.solutions.len();
        }
        choice.reverse();
        choice
    }

    /// A whole robot, by the solutions that its legs have.
    ///
    /// # Panics
    /// If a leg does not have such a solution, or the robot is another.
    #[must_use]
    pub fn whole(&self, robot: &ClosedMechanism, choice: &[usize]) -> Configuration {
        let mut at = Configuration { q: robot.home().q.clone(), pose: self.pose };
        for ((leg, modes), &k) in robot.legs().iter().zip(&self.legs).zip(choice) {
            leg.joints.iter().zip(&modes.solutions[k].q).for_each(|(&j, &q)| at.q[j] = q);
        }
        at
    }

    /// Legs and their solutions in which two are one: Type 1.
    pub fn collisions(&self) -> impl Iterator<Item = (usize, usize)> {
        let of_leg = |(leg, modes): (usize, &LegModes)| {
            let double = modes.solutions.iter().enumerate().filter(|(_, mode)| mode.is_double());
            double.map(|(k, _)| (leg, k)).collect::<Vec<_>>()
        };
        self.legs.iter().enumerate().flat_map(of_leg)
    }
}
