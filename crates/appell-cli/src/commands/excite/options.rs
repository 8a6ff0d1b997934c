//! From arguments to the library's options.

use crate::arguments::{self, choice, number, one_each, positive};
use crate::commands::identify::arguments::UnknownArgs;
use appell::Robot;
use appell_identification::excitation::{Criterion, DriveLimits, Form, Options};
use clap::builder::PossibleValue;

/// What is looked for, and within what.
#[derive(clap::Args)]
pub(super) struct ExciteOptions {
    /// Least positions, rad or m: one for all drives, or one each
    #[arg(long, value_name = "Q1,Q2,…", value_delimiter = ',', value_parser = number)]
    lower: Vec<f64>,
    /// Largest positions, rad or m
    #[arg(long, value_name = "Q1,Q2,…", value_delimiter = ',', value_parser = number)]
    upper: Vec<f64>,
    /// Largest speeds, rad/s or m/s
    #[arg(long, value_name = "V1,V2,…", value_delimiter = ',', value_parser = number)]
    velocity: Vec<f64>,
    /// Largest accelerations, rad/s² or m/s²
    #[arg(long, value_name = "A1,A2,…", value_delimiter = ',', value_parser = number)]
    acceleration: Vec<f64>,
    /// Largest efforts, N m or N
    #[arg(long, value_name = "F1,F2,…", value_delimiter = ',', value_parser = number)]
    effort: Vec<f64>,
    /// Of a Fourier series: how many harmonics
    #[arg(long, value_name = "K", default_value_t = 5, value_parser = clap::value_parser!(u32).range(2..=100))]
    harmonics: u32,
    /// Of a Fourier series: the base frequency, Hz; the motion takes its period
    #[arg(long, value_name = "HZ", default_value_t = 0.1, value_parser = positive)]
    frequency: f64,
    /// A spline through this many points instead
    #[arg(long, value_name = "N", conflicts_with_all = ["harmonics", "frequency"], requires = "time")]
    #[arg(value_parser = clap::value_parser!(u32).range(3..=1000))]
    points: Option<u32>,
    /// Of --points: how long it takes, s
    #[arg(long, value_name = "S", value_parser = arguments::time, requires = "points")]
    time: Option<f64>,
    #[command(flatten)]
    unknowns: UnknownArgs,
    /// What is made small
    #[arg(long, value_parser = choice(CRITERIA.map(|(name, help, criterion)| (PossibleValue::new(name).help(help), criterion))))]
    #[arg(default_value = "condition")]
    criterion: Criterion,
    /// What an equation of each drive counts, such as 1 over the noise of its effort
    #[arg(long, value_name = "W1,W2,…", value_delimiter = ',', value_parser = positive)]
    weights: Vec<f64>,
    /// Instants that a motion is seen at during the search
    #[arg(long, value_name = "N", default_value_t = 80, value_parser = clap::value_parser!(u32).range(2..=100_000))]
    samples: u32,
    /// Random starts
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    starts: u32,
    /// Steps of each start
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    steps: u32,
    /// Jumps for each start: the best motions are pushed, improved again, and kept if better
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(0..=100_000))]
    hops: u32,
    /// Where the random numbers begin
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// What is made small, by name.
pub(super) const CRITERIA: [(&str, &str, Criterion); 3] = [
    ("condition", "The condition number of the observation matrix in SI units: the worst σ", Criterion::Condition),
    (
        "scaled-condition",
        "The same with columns of length 1, as `appell identify` prints it: collinear unknowns, whatever their units",
        Criterion::ScaledCondition,
    ),
    ("determinant", "The volume of the confidence ellipsoid: all σ together", Criterion::Determinant),
];

impl ExciteOptions {
    /// The robot with the joints that stand.
    pub(super) fn observed(&self, robot: &Robot) -> anyhow::Result<Robot> {
        self.unknowns.observed(robot)
    }

    /// The library's options for a robot.
    pub(super) fn of(&self, robot: &Robot) -> anyhow::Result<Options> {
        let mut options = Options::new(robot, self.unknowns.model(robot)?);
        let limits = &mut options.limits;
        put("--lower", &self.lower, limits, |limits, q| limits.lower = q)?;
        put("--upper", &self.upper, limits, |limits, q| limits.upper = q)?;
        put("--velocity", &self.velocity, limits, |limits, v| limits.velocity = v)?;
        put("--acceleration", &self.acceleration, limits, |limits, a| limits.acceleration = a)?;
        put("--effort", &self.effort, limits, |limits, tau| limits.effort = tau)?;
        options.form = match (self.points, self.time) {
            (Some(points), Some(duration)) => Form::Spline { points: points as usize, duration },
            _ => Form::Fourier { harmonics: self.harmonics as usize, frequency: self.frequency },
        };
        options.criterion = self.criterion;
        options.weights = one_each("--weights", &self.weights, options.limits.len())?;
        options.samples = self.samples as usize;
        (options.restarts, options.iterations) = (self.starts as usize, self.steps as usize);
        options.hops = self.hops as usize;
        options.seed = self.seed;
        Ok(options)
    }
}

/// Puts one limit for all drives, or one each.
fn put(
    option: &str,
    numbers: &[f64],
    limits: &mut [DriveLimits],
    set: impl Fn(&mut DriveLimits, f64),
) -> anyhow::Result<()> {
    let each = one_each(option, numbers, limits.len())?;
    limits.iter_mut().zip(each).for_each(|(limits, number)| set(limits, number));
    Ok(())
}
