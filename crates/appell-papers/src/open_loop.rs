//! A simulation of the PUMA under torques that were computed before  [Mata2002, §5.2, tables 6 and 7].
//!
//! The hand goes along a line; inverse kinematics and inverse dynamics give the torques; forward dynamics under these
//! torques is integrated by steps of order 5(4), and what comes out is compared with what went in. Nothing leads the arm
//! back, so that errors grow as the arm lets them.
//!
//! The paper says that torques were found for every instant, that the tolerance was 10⁻⁶, and that an interval of 0.1 s was
//! employed. It does not say what the torques are between the instants: see [`Torques`].

use super::study::{Check, Comparison, largest};
use super::{PumaLine, StudyError};
use appell::mechanism::Mechanism;
use appell_simulation::simulation::plant::{ForwardMethod, Tree};
use appell_simulation::simulation::{Cost, Law, Method, Options, Plant, Reason, Simulation, Stop, Tolerances, View};
use appell_simulation::trajectory::{JointStates, RobotMotion, TreeMotion};
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

/// The methods of table 7, in its order, by their acronyms; it calls the second one ABM.
pub const METHODS: [(ForwardMethod, &str); 3] = [
    (ForwardMethod::CompositeBody, "CRBA"),
    (ForwardMethod::ArticulatedBody, "ABA"),
    (ForwardMethod::GibbsAppell, "GA"),
];

/// Table 6, joint by joint: means of |Δq|, rad, |Δq̇|, rad/s, and |Δq̈|, rad/s², of GA.
///
/// Lines 2 and 4, 2 and 3, and 1 and 6 repeat each other's numbers to six digits and more, each in another column.
pub const PRINTED_AVERAGES: [[f64; 3]; 6] = [
    [6.918_782_69e-4, 1.282_095_33e-3, 2.844_390_95e-3],
    [1.739_721_01e-2, 1.660_873_80e-3, 9.223_187_61e-2],
    [8.546_939_90e-4, 1.660_874_59e-3, 3.132_615_87e-3],
    [1.739_720_67e-2, 4.056_373_23e-2, 9.223_185_81e-2],
    [1.782_595_78e-2, 4.176_306_99e-2, 9.542_218_69e-3],
    [6.918_782_69e-4, 1.219_080_65e-3, 2.437_242_78e-3],
];

/// Table 7: seconds on a Pentium II of 400 MHz, and evaluations, in the order of [`METHODS`].
pub const PRINTED_COSTS: [(f64, usize); 3] = [(0.65, 1122), (0.71, 1089), (0.59, 1092)];

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

    /// Simulates so many intervals, all of them at most, to a tolerance.
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
        let options = Options {
            method: Method::DormandPrince(tolerances),
            sampling: Some(2.0 * PumaLine::MATA.duration),
            ..Options::default()
        };
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

/// All readings by all methods.
#[derive(Debug, Clone, PartialEq)]
pub struct Study {
    /// By [`Torques::ALL`] and [`METHODS`].
    pub runs: [[Run; 3]; 3],
    /// GA under exact torques over one interval alone.
    pub one_interval: Run,
}

impl Study {
    /// Runs them over the whole line.
    ///
    /// # Errors
    /// As [`OpenLoop::new`] and [`OpenLoop::run`].
    pub fn of(robot: &Mechanism) -> Result<Self, StudyError> {
        let experiment = OpenLoop::new(robot)?;
        let all = experiment.instants.len() - 1;
        let by = |torques: Torques| -> Result<[Run; 3], StudyError> {
            let [crba, aba, ga] = METHODS.map(|(method, _)| experiment.run(method, torques, TOLERANCE, all));
            Ok([crba?, aba?, ga?])
        };
        let [exact, straight, held] = Torques::ALL.map(by);
        let one_interval = experiment.run(ForwardMethod::GibbsAppell, Torques::Exact, TOLERANCE, 1)?;
        Ok(Self { runs: [exact?, straight?, held?], one_interval })
    }

    /// The runs of a reading, by [`METHODS`].
    #[must_use]
    pub fn of_torques(&self, torques: Torques) -> &[Run; 3] {
        &self.runs[torques as usize]
    }

    /// What we claim of it.
    #[must_use]
    pub fn checks(&self) -> [Check; 6] {
        let [exact, straight, _] = &self.runs;
        let evaluations = |runs: &[Run; 3]| {
            runs.iter().map(|run| run.cost.evaluations.abs_diff(runs[2].cost.evaluations)).max().unwrap_or(0) as f64
        };
        let [position, ..] = exact[2].largest();
        let check = |what, difference, limit| Check { what, difference, limit };
        [
            check("exact torques, CRBA and GA: q, rad, and its rates", exact[0].apart(&exact[2]), 1e-8),
            check("exact torques, ABA and GA: q, rad, and its rates", exact[1].apart(&exact[2]), 1e-8),
            check("straight torques, CRBA and GA: q, rad, and its rates", straight[0].apart(&straight[2]), 1e-8),
            check("straight torques, ABA and GA: q, rad, and its rates", straight[1].apart(&straight[2]), 1e-8),
            check("evaluations of the three methods", evaluations(exact).max(evaluations(straight)), 0.0),
            check("exact torques, GA: simulated and wanted q, rad", position, 1e-4),
        ]
    }
}

impl Run {
    /// The largest error of all joints and instants: q, q̇, q̈.
    #[must_use]
    pub fn largest(&self) -> [f64; 3] {
        [0, 1, 2].map(|order| largest(self.samples.iter().flat_map(|sample| &sample.errors[order])))
    }

    /// How far another run of the same experiment is from this one, in all numbers.
    #[must_use]
    pub fn apart(&self, other: &Self) -> f64 {
        let numbers = |run: &Self| run.samples.iter().flat_map(|sample| sample.errors.concat()).collect::<Vec<f64>>();
        let mut seen = Comparison::default();
        seen.see(&numbers(self), &numbers(other));
        seen.difference
    }

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

impl Law for Given<'_> {
    fn efforts(&mut self, now: &View<'_>, _: &[f64], _: &mut [f64], efforts: &mut [f64]) -> Result<(), Reason> {
        match self {
            Self::Exact(motion) => {
                efforts.copy_from_slice(&motion.at(now.t)?.tau);
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
