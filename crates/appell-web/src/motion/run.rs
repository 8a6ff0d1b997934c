//! A motion that is integrated step by step: `Motion` of the contract.
//!
//! The robot goes in equal steps of a power of two, wherever a page looks: between two of them the integration knows what happened, and that
//! is shown. So the numbers do not depend on how often a page looks, and rewinding and going on again gives the same.

use super::forces::Forces;
use super::options::Options;
use super::state::State;
use crate::bench::Bench;
use crate::drawn::Sketch;
use crate::live::{Energy, Live};
use crate::numbers;
use crate::place::Place;
use appell::Robot;
use appell::closed::formulation::{self, Formulation};
use appell::spatial::Twist;
use appell_simulation::simulation::{Method, Options as Following, Reason, Sample, Simulation, Stop, View, Watched};
use core::ops::ControlFlow;
use serde::Serialize;

/// No robot moves faster, rad/s or m/s: as in scenarios.
const FASTEST: f64 = 1e4;

/// A page asks for no longer steps, s.
const LONGEST: f64 = 10.0;

/// Steps more than a motion needs, at most: near singularities of a robot with loops they are cut into ever smaller ones.
const CUT_STEPS: usize = 200;

/// Numbers that are kept of the past at most: 96 MB.
const KEPT: usize = 12 << 20;

/// `MotionStatus` of the contract.
#[derive(Debug, Clone, Serialize)]
pub struct Status {
    /// s.
    pub t: f64,
    /// Why it does not go on.
    pub ended: Option<String>,
    /// J.
    pub energy: Energy,
    /// Torques and forces of the drives.
    pub tau: Vec<f64>,
    /// Error of the reference per drive.
    pub error: Option<Vec<f64>>,
    /// How far loops are open at most, m.
    pub drift: f64,
}

/// What is shown of a moment.
#[derive(Debug, Clone)]
struct Shown {
    state: State,
    twist: Option<Twist>, // of the platform
    status: Status,
}

/// A moment from which the motion can go on.
#[derive(Debug, Clone)]
struct Snapshot {
    t: f64,       // that was asked for
    grid: f64,    // of the last whole step
    state: State, // there
    shown: Shown,
}

/// A robot that moves.
pub struct Motion {
    robot: Robot, // as on the bench
    start: Place,
    twin: Bench, // with the true robot, for what is shown
    forces: Forces,
    past: Vec<Snapshot>, // the last one is now
}

impl Motion {
    /// The robot of a bench, which moves from where it is, at rest, on.
    ///
    /// # Errors
    /// If the options do not fit it.
    pub fn new(bench: &Bench, options: &Options) -> Result<Self, String> {
        let (robot, start) = (bench.robot().clone(), bench.place().clone());
        let forces = Forces::new(&robot, bench.held(), &start, options)?;
        let mut twin = Bench::new(bench.own().clone(), "", "");
        twin.set_output(bench.output())?;
        twin.put(forces.truth().clone(), start.clone());
        let state = State::at_rest(&robot, &start);
        let mut motion = Self { robot, start, twin, forces, past: Vec::new() };
        let shown = motion.look(&state, 0.0, 0.0)?;
        motion.past.push(Snapshot { t: 0.0, grid: 0.0, state, shown });
        Ok(motion)
    }

    /// Takes other options from now on.
    ///
    /// # Errors
    /// If they do not fit the robot; the old ones stay.
    pub fn set(&mut self, options: &Options) -> Result<(), String> {
        let mut forces = Forces::new(&self.robot, self.twin.held(), &self.start, options)?;
        forces.push(self.forces.pushed())?;
        self.twin.put(forces.truth().clone(), self.start.clone());
        self.forces = forces;
        Ok(())
    }

    /// Pushes at what the hand holds, from now on, with a wrench in base axes; zero ends it.
    ///
    /// # Errors
    /// If it is no wrench, or the robot cannot be pushed.
    pub fn push(&mut self, wrench: &[f64]) -> Result<(), String> {
        numbers::expect("wrench", wrench, 6)?;
        self.forces.push(core::array::from_fn(|k| wrench[k]))
    }

    /// Goes on by a time, s.
    ///
    /// # Errors
    /// If the time is none, or too long.
    pub fn step(&mut self, dt: f64) -> Result<Status, String> {
        if !(0.0..=LONGEST).contains(&dt) {
            return Err(format!("a step of {dt} s; expected 0 to {LONGEST} s"));
        }
        let now = self.now();
        if dt == 0.0 || now.shown.status.ended.is_some() {
            return Ok(now.shown.status.clone());
        }
        let (t, h) = (now.t + dt, self.forces.step);
        let whole = ((t - now.grid) / h).floor();
        let mut next = Snapshot { t, ..now.clone() };
        let mut ended = None;
        if whole > 0.0 {
            (next.state, next.grid, ended) = self.carry(&now.state, now.grid, now.grid + whole * h);
        }
        // What is left of a sum of times by rounding is no time.
        let rest = if ended.is_some() || t - next.grid < 1e-6 * h { 0.0 } else { t - next.grid };
        match self.look(&next.state, next.grid, rest) {
            Ok(shown) => next.shown = shown,
            Err(why) => ended = ended.or(Some(why)),
        }
        if let Some(why) = ended {
            next.shown.status.ended.get_or_insert(why);
        }
        let status = next.shown.status.clone();
        self.keep(next);
        Ok(status)
    }

    /// Goes back to an earlier time that was stepped to; what came later is forgotten. Of long motions some of the past is forgotten, too:
    /// then it is the time before.
    ///
    /// # Errors
    /// If the time is none.
    pub fn rewind(&mut self, t: f64) -> Result<Status, String> {
        if t.is_nan() {
            return Err("no time to go back to".into());
        }
        let later = self.past.partition_point(|snapshot| snapshot.shown.status.t <= t + 1e-9);
        self.past.truncate(later.max(1));
        Ok(self.now().shown.status.clone())
    }

    /// All positions.
    #[must_use]
    pub fn q(&self) -> &[f64] {
        match &self.now().shown.state {
            State::Tree { q, .. } => q,
            State::Closed { at, .. } => &at.q,
        }
    }

    /// What is drawn.
    #[must_use]
    pub fn sketch(&self) -> Sketch {
        Sketch::new(&self.robot, &self.now().shown.state.place())
    }

    /// Everything about the true robot in its present motion.
    pub fn live(&mut self) -> Live {
        let Shown { state, twist, status } = self.now().shown.clone();
        self.twin.place = state.place();
        let accelerations =
            self.accelerations(&state, &status.tau).unwrap_or_else(|| vec![0.0; self.robot.freedoms().len()]);
        let (v, a) = match (twist, self.robot.closed()) {
            (Some(twist), Some(closed)) => {
                let (dof, mut a) = (closed.tree().dof(), vec![0.0; 6]);
                let platform = closed.freedoms().iter().zip(&accelerations).filter(|(k, _)| **k >= dof);
                platform.for_each(|(k, rate)| a[k - dof] = *rate);
                (twist.to_array().to_vec(), a)
            }
            _ => (state.rates(&self.robot), accelerations),
        };
        // A motion that is not finite has ended, and its last moment is shown at rest.
        let _ = self.twin.set_motion(&v, &a);
        let mut live = self.twin.live();
        live.tau = Some(status.tau);
        live
    }

    /// Rates of the independent velocities; none at a singularity.
    fn accelerations(&self, state: &State, tau: &[f64]) -> Option<Vec<f64>> {
        if let (State::Closed { at, .. }, Some(closed)) = (state, self.forces.truth().closed()) {
            let mut workspace = formulation::Workspace::new(closed, Formulation::of(closed)[0]);
            let load = self.forces.load();
            let rates =
                formulation::forward_dynamics(closed, &mut workspace, at, &state.rates(&self.robot), tau, &load)
                    .ok()?;
            return Some(rates.to_vec());
        }
        let mut plant = self.forces.plant(state).ok()?;
        let (mut x_rates, mut r_rates) = (vec![0.0; plant.freedoms()], vec![0.0; plant.freedoms()]);
        plant.rates(&self.forces.with_push(self.q(), tau), &mut x_rates, &mut r_rates).ok()?;
        Some(r_rates)
    }

    fn now(&self) -> &Snapshot {
        self.past.last().expect("a motion has a beginning")
    }

    /// How it is integrated: the end of a joint's way ends it, as in scenarios.
    fn following(&self, time: f64, sampling: f64) -> Following {
        Following {
            method: Method::RungeKutta { step: self.forces.step },
            sampling: Some(sampling),
            stop_at: Watched { position: self.forces.has_limits(), ..Watched::default() },
            fastest: FASTEST,
            most_steps: CUT_STEPS + (time / self.forces.step) as usize,
            ..Following::default()
        }
    }

    /// Whole steps from one time to another: the state then, the time, and why it was the end.
    fn carry(&self, from: &State, begin: f64, end: f64) -> (State, f64, Option<String>) {
        let made = self.forces.plant(from).and_then(|plant| Ok((plant, self.forces.law()?)));
        let (mut plant, mut law) = match made {
            Ok(made) => made,
            Err(why) => return (from.clone(), begin, Some(why)),
        };
        let mut simulation =
            Simulation::new(&mut *plant, law.states(), begin, &self.following(end - begin, f64::INFINITY));
        let outcome = simulation.advance(&mut *law, end, |_| ControlFlow::Continue(()));
        let ended = outcome.stop.map(|stop| words(&stop.reason));
        (from.of(&simulation.plant().view(outcome.t)), outcome.t, ended)
    }

    /// What is seen a little after a whole step.
    fn look(&self, from: &State, grid: f64, after: f64) -> Result<Shown, String> {
        let mut plant = self.forces.plant(from)?;
        let mut law = self.forces.law()?;
        let sampling = if after > 0.0 { after } else { f64::INFINITY };
        let end = if after > 0.0 { grid + self.forces.step } else { grid };
        let mut shown: Option<Shown> = None;
        let mut simulation = Simulation::new(&mut *plant, law.states(), grid, &self.following(end - grid, sampling));
        let outcome = simulation.advance(&mut *law, end, |sample| {
            let twist = sample.view.platform.map(|(_, twist)| twist);
            let state = from.of(&sample.view);
            let status = self.status(sample, &state);
            shown = Some(Shown { state, twist, status });
            if sample.view.t > grid { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let mut shown =
            shown.ok_or_else(|| outcome.stop.as_ref().map_or_else(String::new, |stop| words(&stop.reason)))?;
        shown.status.ended = outcome.stop.map(|Stop { reason, .. }| words(&reason));
        Ok(shown)
    }

    fn status(&self, sample: &Sample<'_>, state: &State) -> Status {
        let View { t, q, .. } = sample.view;
        let tau = self.forces.without_push(q, sample.efforts);
        let energy = Energy { kinetic: sample.energy.kinetic, potential: sample.energy.potential };
        Status { t, ended: None, energy, tau, error: self.forces.error(t, q), drift: self.forces.opening(state) }
    }

    /// Keeps a moment; where there are too many, every second one of the older half goes.
    fn keep(&mut self, next: Snapshot) {
        let each = 2 * next.state.len() + 40;
        if self.past.len() * each > KEPT {
            let half = self.past.len() / 2;
            let mut k = 0;
            self.past.retain(|_| {
                k += 1;
                k > half || k % 2 == 1
            });
        }
        self.past.push(next);
    }
}

/// Why a motion does not go on.
fn words(reason: &Reason) -> String {
    match reason {
        Reason::TooManySteps { .. } => {
            "the robot comes so near to a singularity that steps become too short to go on".to_owned()
        }
        other => other.to_string(),
    }
}
