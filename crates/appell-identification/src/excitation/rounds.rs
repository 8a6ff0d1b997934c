//! Where the work of a search goes: random starts first, then jumps from the best of them, then the best once more, seen at more
//! instants.
//!
//! The criterion has a valley at every turn: descents from random motions end in different ones, and hardly any in a deep one. A valley
//! beside a deep one is more often deeper than one anywhere (basin hopping, WalesDoye1997): the best motion is pushed, improved again, and
//! kept if it has become better. Half of those that jump go on to the next round, which shares as many jumps among them, so
//! that most of the work is spent where it pays.

use super::ExcitationError;
use super::descent::{Objective, descend};
use super::form::Basis;
use super::options::Options;
use super::search::{Found, Progress, Task, mixed};
use super::start::{STAGES, Start};
use super::within::Within;
use appell::sample::Sampler;
use core::ops::ControlFlow;
use nalgebra::DVector;
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};

/// Random motions from which each start takes the best.
const DRAWS: usize = 10;

/// Steps that gain less end a stage.
const LEAST_GAIN: f64 = 1e-5;

/// How many jump in the first round at most, and in the last at least, where there are so many.
const JUMPING: [usize; 2] = [8, 2];

/// A push, as a part of a joint's free numbers: the least, and how many times that the largest is.
const PUSH: (f64, f64) = (0.08, 5.0);

/// The first of the stages that a pushed motion passes: a smoother one would forget where it comes from.
const AFTER_PUSH: usize = 1;

/// So many times the instants of the search let the last steps see what happens between them.
const FINER: usize = 3;

/// Asks whether to go on.
type Watch<'w> = &'w (dyn Fn(&Progress) -> ControlFlow<()> + Sync);

/// A start, as far as it has come.
#[derive(Clone)]
struct Runner {
    start: usize,
    steps: usize,
    x: DVector<f64>,
    /// In the last stage.
    value: f64,
}

/// How many jump, round by round.
fn jumping(starts: usize) -> Vec<usize> {
    let [most, least] = JUMPING;
    let first = starts.div_ceil(2).clamp(1, most);
    core::iter::successors(Some(first), |&count| (count > least).then(|| (count / 2).max(least))).collect()
}

/// Steps of a start's stage, of a jump's stage, and of the last.
fn steps(options: &Options) -> [usize; 3] {
    [options.iterations.div_ceil(STAGES.len()), options.iterations.div_ceil(6), options.iterations.div_ceil(2)]
}

/// Jumps of each that jumps, round by round, with how many do.
fn jumps(options: &Options) -> Vec<(usize, usize)> {
    let starts = options.restarts.max(1);
    let rounds = jumping(starts);
    let share = (starts * options.hops).div_ceil(rounds.len());
    rounds.into_iter().map(|count| (count, share.div_ceil(count))).collect()
}

impl Options {
    /// No search takes more steps than this.
    #[must_use]
    pub fn most_steps(&self) -> usize {
        let [start, jump, last] = steps(self);
        let rounds = jumps(self);
        let jumps: usize = rounds.iter().map(|(count, each)| count * each).sum();
        self.restarts.max(1) * start * STAGES.len()
            + jumps * jump * (STAGES.len() - AFTER_PUSH)
            + rounds.last().map_or(0, |(count, _)| count * last)
    }
}

impl Task<'_, '_> {
    /// The best motion of all rounds; never worse than what the starts alone have found.
    pub(super) fn rounds(&self, watch: Watch<'_>, stopped: &AtomicBool) -> Found {
        let go_on = || !stopped.load(Ordering::Relaxed);
        let starts = (0..self.options.restarts.max(1)).into_par_iter().filter(|_| go_on());
        let mut runners: Vec<Runner> = starts.map(|start| self.start(start, watch)).collect();
        let finished = runners.par_iter().map(|runner| self.finish_at(&self.basis, runner));
        let of_starts =
            finished.reduce_with(|one, other| self.better(one, other)).unwrap_or(Err(ExcitationError::Stopped));
        for (round, (count, each)) in jumps(self.options).into_iter().enumerate() {
            runners.sort_by(|one, other| one.value.total_cmp(&other.value));
            runners.truncate(count);
            let jumping = runners.par_iter_mut().filter(|_| go_on());
            jumping.for_each(|runner| self.jump(round, runner, each, watch));
        }
        let last = runners.par_iter_mut().map(|runner| self.polish(runner, go_on(), watch));
        // Of two that fail the starts know why.
        let of_jumps = last.reduce_with(|one, other| self.better(one, other)).unwrap_or(Err(ExcitationError::Stopped));
        self.better(of_jumps, of_starts)
    }

    /// One start, drawn and improved.
    fn start(&self, start: usize, watch: Watch<'_>) -> Runner {
        let mut sampler = Sampler::new(mixed(self.options.seed, start));
        let within = Within::new(&self.basis, &self.problem.limits);
        let mut descent = self.descent(&self.basis, &within, start, 0, watch);
        let mut draw = || {
            let free = DVector::from_column_slice(self.draw(&mut sampler).as_slice());
            (descent.value(&free), free)
        };
        let draws: Vec<(f64, DVector<f64>)> = (0..DRAWS).map(|_| draw()).collect();
        let x = draws.into_iter().min_by(|a, b| a.0.total_cmp(&b.0)).expect("some were drawn").1;
        let (x, value) = pass(&mut descent, 0, x, steps(self.options)[0], &[f64::INFINITY; STAGES.len()]);
        Runner { start, steps: descent.steps, x, value }
    }

    /// Pushes a motion some times, and keeps what has become better.
    fn jump(&self, round: usize, runner: &mut Runner, times: usize, watch: Watch<'_>) {
        let mut sampler = Sampler::new(mixed(!self.options.seed, round * self.options.restarts + runner.start));
        let within = Within::new(&self.basis, &self.problem.limits);
        let mut descent = self.descent(&self.basis, &within, runner.start, runner.steps, watch);
        let mut reached = values(&mut descent, &runner.x);
        for _ in 0..times {
            let size = PUSH.0 * PUSH.1.powf(0.5 + sampler.within(0.5));
            let mut pushed = self.basis.shaped(&runner.x);
            for mut joint in pushed.column_iter_mut() {
                let most = size * joint.norm() / (joint.len() as f64).sqrt();
                joint.iter_mut().for_each(|number| *number += sampler.within(most));
            }
            let pushed = DVector::from_column_slice(pushed.as_slice());
            let (x, value) = pass(&mut descent, AFTER_PUSH, pushed, steps(self.options)[1], &reached);
            if descent.stopped {
                break;
            }
            if value < runner.value {
                (runner.x, runner.value) = (x, value);
                reached = values(&mut descent, &runner.x);
            }
        }
        runner.steps = descent.steps;
    }

    /// The last steps, where nothing hides between instants.
    fn polish(&self, runner: &mut Runner, go_on: bool, watch: Watch<'_>) -> Found {
        if !go_on {
            return self.finish_at(&self.basis, runner);
        }
        let basis = self.options.form.basis(FINER * self.options.samples)?;
        let within = Within::new(&basis, &self.problem.limits);
        let mut descent = self.descent(&basis, &within, runner.start, runner.steps, watch);
        descent.stage = STAGES.len() - 1;
        runner.x = descend(&mut descent, runner.x.clone(), steps(self.options)[2], LEAST_GAIN).0;
        self.finish_at(&basis, runner)
    }

    fn descent<'t>(
        &'t self,
        basis: &'t Basis,
        within: &'t Within<'t>,
        restart: usize,
        steps: usize,
        watch: Watch<'t>,
    ) -> Start<'t, 't> {
        Start { problem: &self.problem, basis, within, watch, restart, steps, stage: 0, last: None, stopped: false }
    }

    fn finish_at(&self, basis: &Basis, runner: &Runner) -> Found {
        let within = Within::new(basis, &self.problem.limits);
        self.finish(runner.start, &within.coefficients(&basis.shaped(&runner.x)))
    }
}

/// The value of a motion in every stage.
fn values(descent: &mut Start<'_, '_>, x: &DVector<f64>) -> [f64; STAGES.len()] {
    core::array::from_fn(|stage| {
        descent.stage = stage;
        descent.value(x)
    })
}

/// Stage after stage; the point reached, and its value in the last: +∞ if a stage before ends above `below`.
fn pass(
    descent: &mut Start<'_, '_>,
    first: usize,
    mut x: DVector<f64>,
    steps: usize,
    below: &[f64; STAGES.len()],
) -> (DVector<f64>, f64) {
    let mut value = f64::INFINITY;
    for (stage, below) in below.iter().enumerate().skip(first) {
        descent.stage = stage;
        (x, value) = descend(descent, x, steps, LEAST_GAIN);
        if descent.stopped {
            break;
        }
        if value > *below {
            return (x, f64::INFINITY);
        }
    }
    (x, value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use appell::Robot;

    #[test]
    fn half_of_them_go_on_and_share_as_many_jumps() {
        assert_eq!(
            [1, 2, 3, 8, 16, 100].map(jumping),
            [vec![1], vec![1], vec![2], vec![4, 2], vec![8, 4, 2], vec![8, 4, 2]]
        );
        let robot = Robot::builtin("two-link").unwrap();
        let mut options = Options::new(&robot, crate::parameters::Model::bodies(&robot));
        (options.restarts, options.hops) = (16, 6);
        assert_eq!(jumps(&options), [(8, 4), (4, 8), (2, 16)]);
        options.hops = 0;
        assert!(jumps(&options).iter().all(|(_, each)| *each == 0));
    }
}
