//! A search, and random motions to measure it by; the last word on the limits.

use super::ExcitationError;
use super::columns::Source;
use super::criterion::{Criterion, Spectral};
use super::form::{Basis, Excited};
use super::limits::{DriveLimits, narrowest};
use super::options::Options;
use super::posture::anchor;
use super::problem::{Peak, Problem};
use super::within::Within;
use crate::base_parameters::structural;
use appell::Robot;
use appell::sample::Sampler;
use core::ops::ControlFlow;
use nalgebra::{DMatrix, DVector};
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};

/// How far a start has come.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// Which, from 0.
    pub restart: usize,
    /// Steps so far.
    pub iteration: usize,
    /// The condition number of its motion, of scaled columns where that is what is made small.
    pub condition: f64,
}

/// A motion that excites.
#[derive(Debug, Clone, PartialEq)]
pub struct Excitation {
    /// Of the drives.
    pub motion: Excited,
    /// The columns of the model that it tells apart.
    pub columns: Vec<usize>,
    /// Condition number of their observation matrix, in SI units.
    pub condition: f64,
    /// The same with columns of length 1.
    pub scaled_condition: f64,
    /// log det (Wᵀ W / rows) of it.
    pub log_determinant: f64,
    /// Position, velocity, acceleration and effort of each drive, then positions of passive joints that have limits.
    pub peaks: Vec<Peak>,
    /// Which start it comes from, from 0.
    pub restart: usize,
    /// Whether it was asked to stop early.
    pub stopped: bool,
}

impl Excitation {
    /// How many times better than another motion it is, in the measure of a criterion.
    #[must_use]
    pub fn gain(&self, other: &Self, criterion: Criterion) -> f64 {
        (other.cost(criterion) - self.cost(criterion)).exp()
    }

    /// The logarithm of what a criterion makes small. The covariance of p parameters is σ² (Wᵀ W)⁻¹, so that its axes have the geometric
    /// mean σ det(Wᵀ W)^(−1/2p).
    fn cost(&self, criterion: Criterion) -> f64 {
        match criterion {
            Criterion::Condition => self.condition.ln(),
            Criterion::ScaledCondition => self.scaled_condition.ln(),
            Criterion::Determinant => -self.log_determinant / (2.0 * self.columns.len() as f64),
        }
    }
}

/// Instants of the last check, a coefficient.
const FINE: usize = 100;

/// The part of a limit that motions use at most at those instants, so that they keep it between them.
const SAFE: f64 = 1.0 - 3e-4;

/// Steps by which a motion that is too strong becomes smaller, and how many.
const SMALLER: (f64, usize) = (0.95, 60);

/// The best motion found: `watch` hears of every step, and may break.
///
/// ```
/// use appell::Robot;
/// use appell_identification::excitation::{Form, Options, search};
/// use appell_identification::parameters::Model;
/// use std::ops::ControlFlow;
///
/// let robot = Robot::builtin("two-link").unwrap();
/// let mut options = Options::new(&robot, Model::bodies(&robot));
/// options.form = Form::Fourier { harmonics: 3, frequency: 0.2 };
/// options.limits.iter_mut().for_each(|limits| limits.velocity = 2.0);
/// (options.restarts, options.iterations) = (2, 20);
/// let found = search(&robot, &options, &|_| ControlFlow::Continue(()))?;
/// assert!(found.condition < 200.0 && found.peaks.iter().all(|peak| peak.part <= 1.0));
/// # Ok::<(), appell_identification::excitation::ExcitationError>(())
/// ```
///
/// # Errors
/// If the limits leave no motion, and which of them; if the robot or the form do not fit; if nothing was found.
pub fn search(
    robot: &Robot,
    options: &Options,
    watch: &(dyn Fn(&Progress) -> ControlFlow<()> + Sync),
) -> Result<Excitation, ExcitationError> {
    let task = Task::new(robot, options)?;
    let stopped = AtomicBool::new(false);
    let ask = |progress: &Progress| {
        if watch(progress).is_break() {
            stopped.store(true, Ordering::Relaxed);
        }
        if stopped.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let mut best = task.rounds(&ask, &stopped)?;
    best.stopped = stopped.load(Ordering::Relaxed);
    Ok(best)
}

/// The best of `count` random motions of the same form that use the same limits fully: what a search is measured against.
/// `watch` is asked before each, and may break.
///
/// # Errors
/// As [`search`]; stopped, if it was asked to.
pub fn random(
    robot: &Robot,
    options: &Options,
    count: usize,
    watch: &(dyn Fn() -> ControlFlow<()> + Sync),
) -> Result<Excitation, ExcitationError> {
    let task = Task::new(robot, options)?;
    let stopped = AtomicBool::new(false);
    let draw = |k: usize| {
        if stopped.load(Ordering::Relaxed) || watch().is_break() {
            stopped.store(true, Ordering::Relaxed);
            return Err(ExcitationError::Stopped);
        }
        let mut coefficients = task.draw(&mut Sampler::new(mixed(options.seed, k)));
        for (mut column, limits) in coefficients.column_iter_mut().zip(&options.limits) {
            column *= limits.half();
        }
        task.finish(k, &coefficients)
    };
    // Only the best so far is kept, of however many.
    let motions = (0..count.max(1)).into_par_iter().take_any_while(|_| !stopped.load(Ordering::Relaxed)).map(draw);
    let found = motions.reduce_with(|one, other| task.better(one, other)).unwrap_or(Err(ExcitationError::Stopped));
    if stopped.load(Ordering::Relaxed) { Err(ExcitationError::Stopped) } else { found }
}

/// What all starts share.
pub(super) struct Task<'o, 'r> {
    pub(super) options: &'o Options,
    pub(super) problem: Problem<'r>,
    columns: Vec<usize>,
    pub(super) basis: Basis,
    fine: Basis,
    anchor: Option<Vec<f64>>, // a posture that can be held, from the middles, where not every posture can
}

pub(super) type Found = Result<Excitation, ExcitationError>;

impl<'o, 'r> Task<'o, 'r> {
    fn new(robot: &'r Robot, options: &'o Options) -> Result<Self, ExcitationError> {
        let n = robot.drives().len();
        let weights = if options.weights.is_empty() { vec![1.0; n] } else { options.weights.clone() };
        for found in [options.limits.len(), weights.len()] {
            if found != n {
                return Err(ExcitationError::Count { found, expected: n });
            }
        }
        if let Some(closed) = robot.closed() {
            let freedoms = closed.freedoms().len();
            if freedoms != n {
                return Err(ExcitationError::Drives { drives: n, freedoms });
            }
        }
        options.limits.iter().try_for_each(DriveLimits::check)?;
        let fine = options.form.basis(FINE * options.form.coefficients())?;
        let basis = options.form.basis(options.samples)?;
        let sources = Source::of(robot, &options.model)?;
        let anchor =
            anchor(&Problem::new(robot, options.limits.clone(), Vec::new(), options.criterion, weights.clone()))?;
        let columns = structural(robot, &options.model)?.kept().to_vec();
        let (rows, unknowns) = (options.samples * n, columns.len());
        if rows < unknowns {
            return Err(ExcitationError::Samples { rows, unknowns });
        }
        let chosen = columns.iter().map(|&k| sources[k].clone()).collect();
        let problem = Problem::new(robot, options.limits.clone(), chosen, options.criterion, weights);
        Ok(Self { options, problem, columns, basis, fine, anchor })
    }

    /// Random free numbers, a column per joint: coefficients in units of half the joint's range.
    pub(super) fn draw(&self, sampler: &mut Sampler) -> DMatrix<f64> {
        let form = &self.options.form;
        let mut free = DMatrix::from_fn(form.coefficients(), self.problem.drives.len(), |_, _| sampler.within(1.0));
        if let Some(anchor) = &self.anchor {
            // About a posture that can be held, large or small.
            let size = 0.5 + sampler.within(0.5);
            for ((mut column, anchor), limits) in free.column_iter_mut().zip(anchor).zip(&self.problem.limits) {
                column *= size;
                let shift = anchor / limits.half() - mean(&self.basis, &column.clone_owned());
                column += form.constant() * shift;
            }
        }
        free
    }

    /// The motion with these coefficients, or with all of the limits used, whichever is better; or the largest of its shape
    /// that keeps them.
    pub(super) fn finish(&self, restart: usize, coefficients: &DMatrix<f64>) -> Found {
        let within = Within::new(&self.fine, &self.problem.limits);
        let scaled = |size: &dyn Fn(f64) -> f64| {
            let column = |(j, column): (usize, nalgebra::DVectorView<'_, f64>)| {
                let column = column.clone_owned();
                let used = within.largest(j, &column);
                if used > 0.0 { &column * size(SAFE / used) } else { column }
            };
            DMatrix::from_columns(&coefficients.column_iter().enumerate().map(column).collect::<Vec<_>>())
        };
        let (as_is, full) = (scaled(&|most| most.min(1.0)), scaled(&|most| most));
        let tries = [self.weigh(restart, &full), self.weigh(restart, &as_is)];
        if tries.iter().any(Result::is_ok) {
            let [full, as_is] = tries;
            return self.better(full, as_is);
        }
        let constant = self.options.form.constant();
        let centre: Vec<f64> = as_is.column_iter().map(|column| mean(&self.fine, &column.clone_owned())).collect();
        let mut size = 1.0;
        let mut last = Err(ExcitationError::Stopped);
        for _ in 0..SMALLER.1 {
            size *= SMALLER.0;
            let column = |(j, column): (usize, nalgebra::DVectorView<'_, f64>)| {
                let rest = self.anchor.as_ref().map_or(centre[j], |anchor| size * centre[j] + (1.0 - size) * anchor[j]);
                (column - &constant * centre[j]) * size + &constant * rest
            };
            let smaller = DMatrix::from_columns(&as_is.column_iter().enumerate().map(column).collect::<Vec<_>>());
            last = self.weigh(restart, &smaller);
            if last.is_ok() {
                break;
            }
        }
        last
    }

    /// The motion with these coefficients, if it keeps all limits.
    fn weigh(&self, restart: usize, coefficients: &DMatrix<f64>) -> Found {
        let (states, evaluated) = self.problem.of_coefficients(&self.fine, coefficients)?;
        let peaks = self.problem.peaks(&states, &evaluated);
        let restarts = self.options.restarts;
        let worst = peaks.iter().max_by(|one, other| one.part.total_cmp(&other.part));
        if let Some(Peak { joint, quantity, value, limit, .. }) =
            worst.filter(|worst| worst.part.is_nan() || worst.part > SAFE + 1e-12)
        {
            let (joint, quantity, value, limit) = (joint.clone(), *quantity, *value, *limit);
            return Err(ExcitationError::NotFound { restarts, joint, quantity, value, limit });
        }
        let unknowns = self.columns.len();
        let seen = |criterion: Criterion| {
            Spectral::of(&evaluated.rows, criterion).ok_or_else(|| {
                let (joint, quantity, limit) = narrowest(&self.problem.limits, self.options.form.duration());
                ExcitationError::NotExciting { restarts, unknowns, joint, quantity, limit }
            })
        };
        let (spectral, scaled) = (seen(Criterion::Condition)?, seen(Criterion::ScaledCondition)?);
        let middle: Vec<f64> = self.problem.limits.iter().map(DriveLimits::middle).collect();
        Ok(Excitation {
            motion: self.options.form.motion(&middle, coefficients)?,
            columns: self.columns.clone(),
            condition: spectral.condition(),
            scaled_condition: scaled.condition(),
            log_determinant: spectral.log_determinant(),
            peaks,
            restart,
            stopped: false,
        })
    }

    /// The better of two, the first if they are alike; or why the second has failed.
    pub(super) fn better(&self, one: Found, other: Found) -> Found {
        let rank = |excitation: &Excitation| excitation.cost(self.options.criterion);
        match (&one, &other) {
            (Ok(a), Ok(b)) if rank(b) >= rank(a) => one,
            (Ok(_), Err(_)) => one,
            _ => other,
        }
    }
}

/// The seed of a start.
pub(super) fn mixed(seed: u64, start: usize) -> u64 {
    Sampler::new(seed).bits() ^ Sampler::new(!(start as u64)).bits()
}

/// The mean position of a joint with these coefficients, from the middle.
fn mean(basis: &Basis, coefficients: &DVector<f64>) -> f64 {
    (&basis.values[0] * coefficients).mean()
}
