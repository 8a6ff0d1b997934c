//! A simulation of the PUMA under torques that were computed before  [Mata2002, §5.2, tables 6 and 7].
//!
//! The hand goes along a line; inverse kinematics and inverse dynamics give the torques; forward dynamics under these
//! torques is integrated by steps of order 5(4), and what comes out is compared with what went in. Nothing leads the arm
//! back, so that errors grow as the arm lets them.
//!
//! The paper says that torques were found for every instant, that the tolerance was 10⁻⁶, and that an interval of 0.1 s was
//! employed. It does not say what the torques are between the instants: see [`Torques`].

use super::{PumaLine, StudyError};
use crate::mechanism::Mechanism;
use crate::simulation::plant::{ForwardMethod, Tree};
use crate::simulation::{Cost, Drive, Method, Options, Plant, Reason, Simulation, Stop, Tolerances, View};
use crate::trajectory::{Follower, JointStates, RobotMotion, TreeMotion};
use core::ops::ControlFlow;

/// Between two instants, s.
pub const INTERVAL: f64 = 0.1;

/// Of the integration, relative and absolute.
pub const TOLERANCE: f64 = 1e-6;

/// What drives the arm between two instants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Torques {
    /// Inverse kinematics and dynamics at every evaluation.
    Exact,
    /// Straight from one instant's torques to the next one's.
    Straight,
    /// Those of the instant before.
    Held,
}

impl Torques {
    /// All readings.
    pub const ALL: [Self; 3] = [Self::Exact, Self::Straight, Self::Held];
}

/// The methods of the paper's tables, in their order.
pub const METHODS: [(ForwardMethod, &str); 3] = [
    (ForwardMethod::CompositeBody, "CRBA"),
    (ForwardMethod::ArticulatedBody, "ABA"),
    (ForwardMethod::GibbsAppell, "GA"),
];

/// The experiment, ready to be run by any method.
pub struct OpenLoop<'r> {
    robot: &'r Mechanism,
    instants: Vec<JointStates>, // INTERVAL apart
}

/// The arm at an instant: simulated less wanted, joint by joint.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// s.
    pub t: f64,
    /// q, q̇ and q̈: rad, rad/s, rad/s².
    pub errors: [Vec<f64>; 3],
}

/// What one method makes of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// At every instant, the first and the last among them.
    pub samples: Vec<Sample>,
    /// What the integration has cost.
    pub cost: Cost,
}

impl<'r> OpenLoop<'r> {
    /// Follows the paper's line, and keeps the torques.
    ///
    /// # Errors
    /// If the arm cannot follow it.
    pub fn new(robot: &'r Mechanism) -> Result<Self, StudyError> {
        let line = PumaLine::MATA;
        let mut motion = TreeMotion::new(robot, Box::new(line.joints(robot)?), true);
        let count = (line.duration / INTERVAL).round() as usize;
        let instants = (0..=count).map(|k| motion.at(line.duration * k as f64 / count as f64).cloned());
        Ok(Self { robot, instants: instants.collect::<Result<_, _>>()? })
    }

    /// The wanted motion, from instant to instant.
    #[must_use]
    pub fn instants(&self) -> &[JointStates] {
        &self.instants
    }

    /// Simulates so many intervals, all of them at most.
    ///
    /// # Errors
    /// If the simulation ends before its time.
    pub fn run(
        &self,
        method: ForwardMethod,
        torques: Torques,
        tolerance: f64,
        intervals: usize,
    ) -> Result<Run, StudyError> {
        let first = &self.instants[0];
        let mut plant = Tree::with(self.robot, &first.q, &first.v, method);
        let mut referee = plant.clone();
        let mut drive = match torques {
            Torques::Exact => {
                Given::Exact(Box::new(TreeMotion::new(self.robot, Box::new(PumaLine::MATA.joints(self.robot)?), true)))
            }
            Torques::Straight => Given::Table { instants: &self.instants, straight: true },
            Torques::Held => Given::Table { instants: &self.instants, straight: false },
        };
        let tolerances = Tolerances { relative: tolerance, absolute: tolerance };
        let options =
            Options { method: Method::DormandPrince(tolerances), sampling: Some(f64::INFINITY), ..Options::default() };
        let mut simulation = Simulation::new(&mut plant, 0, 0.0, &options);
        let mut samples = Vec::new();
        let mut cost = Cost::default();
        for (k, wanted) in self.instants.iter().enumerate().take(intervals + 1) {
            let t = INTERVAL * k as f64;
            let outcome = simulation.advance(&mut drive, t, |_| ControlFlow::Continue(()));
            outcome.stop.map_or(Ok(()), Err)?;
            cost = outcome.cost;
            samples.push(look(&simulation.plant().view(t), wanted, &mut referee).map_err(|reason| Stop { t, reason })?);
        }
        Ok(Run { samples, cost })
    }
}

/// The simulated arm less the wanted one; its acceleration is that under the wanted torques.
fn look(now: &View<'_>, wanted: &JointStates, plant: &mut Tree<'_>) -> Result<Sample, Reason> {
    let n = now.q.len();
    let (mut v, mut a) = (vec![0.0; n], vec![0.0; n]);
    plant.place(now.q, now.v)?;
    plant.rates(&wanted.tau, &mut v, &mut a)?;
    let less = |simulated: &[f64], wanted: &[f64]| simulated.iter().zip(wanted).map(|(s, w)| s - w).collect();
    Ok(Sample { t: now.t, errors: [less(now.q, &wanted.q), less(&v, &wanted.v), less(&a, &wanted.a)] })
}

impl Run {
    /// Means of the sizes of all errors over the instants, by joint: q, q̇, q̈.
    #[must_use]
    pub fn averages(&self) -> [Vec<f64>; 3] {
        [0, 1, 2].map(|order| {
            let joints = self.samples[0].errors[order].len();
            let mean = |j: usize| {
                self.samples.iter().map(|s| s.errors[order][j].abs()).sum::<f64>() / self.samples.len() as f64
            };
            (0..joints).map(mean).collect()
        })
    }
}

/// Torques of a time.
enum Given<'s> {
    Exact(Box<TreeMotion<'s>>),
    Table { instants: &'s [JointStates], straight: bool },
}

impl Drive for Given<'_> {
    fn efforts(&mut self, now: &View<'_>, _: &[f64], _: &mut [f64], efforts: &mut [f64]) -> Result<(), Reason> {
        match self {
            Self::Exact(motion) => {
                let states = motion.at(now.t).map_err(|error| Reason::Drive(error.to_string()))?;
                efforts.copy_from_slice(&states.tau);
            }
            Self::Table { instants, straight } => {
                let last = instants.len() - 2;
                let k = ((now.t / INTERVAL + 1e-9).floor() as usize).min(last);
                let part = if *straight { now.t / INTERVAL - k as f64 } else { 0.0 };
                for (effort, (before, after)) in
                    efforts.iter_mut().zip(instants[k].tau.iter().zip(&instants[k + 1].tau))
                {
                    *effort = before + part * (after - before);
                }
            }
        }
        Ok(())
    }
}
