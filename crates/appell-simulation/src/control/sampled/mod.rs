//! A controller in a computer: it sees the robot once a period through a chain of signals, and holds what it wants until
//! the next time.
//!
//! | file | what it holds |
//! |---|---|
//! | `mod` | [`SampledLoop`]: what it is made of, and a run of it |
//! | `running` | one run: measuring, computing, waiting, writing, holding |
//! | `chain` | [`Chain`]: which elements of [`signal`](super::signal) lie at each drive |
//! | `estimate` | the whole robot from its measured drives: forward kinematics where there are loops |
//! | `safe_stop` | [`SafeStop`]: what a trip does |
//! | `statistics` | [`Statistics`]: tracking errors, saturation, times of control steps |
//!
//! At every sample, in this order: the drives are measured; a switch that is closed trips a safe stop; the law gives
//! torques and forces for what was measured, and its own states go on by Euler's step; the torques and forces are
//! converted, and reach the drives a delay later. In between the robot moves in continuous time. The outputs are at
//! zero until the first torques and forces arrive.
//!
//! ```
//! use appell_simulation::control::sampled::{Axis, Chain, Position, SampledLoop, Speed, Timing};
//! use appell_simulation::control::{ComputedTorque, Gains, signal::{AnalogOutput, Encoder}};
//! use appell::robots;
//! use appell_simulation::simulation::plant::Tree;
//! use core::ops::ControlFlow;
//!
//! let robot = robots::find("puma560").unwrap().mechanism();
//! let axis = Axis {
//!     position: Position::Encoder { encoder: Encoder::rotary(4000, 60.0)?, start: None },
//!     speed: Speed::Difference { cutoff: Some(300.0) },
//!     output: Some(AnalogOutput::new(20.0)?.with_limit(150.0)?),
//!     ..Axis::default()
//! };
//! let start = [0.0, -0.8, 0.3, 0.2, 0.6, 0.0];
//! let mut law = ComputedTorque::to_point(&robot, &[0.05, -0.75, 0.3, 0.2, 0.6, 0.1], vec![Gains::of(10.0, 1.0); 6]);
//! let mut plant = Tree::new(&robot, &start, &[0.0; 6]);
//! let mut sampled = SampledLoop::of_tree(&robot, Chain::of(axis, 6), Timing { period: 1e-3, delay: 0.5 })?;
//! let outcome = sampled.run(&mut plant, &mut law, 0.0, 0.1, |_| ControlFlow::Continue(()));
//! assert!(outcome.motion.stop.is_none() && outcome.statistics.samples == 100);
//! # Ok::<(), appell_simulation::control::signal::SignalError>(())
//! ```

mod chain;
mod estimate;
mod running;
mod safe_stop;
mod statistics;

pub use chain::{Axis, Chain, Position, Speed};
pub use safe_stop::{SafeStop, Trip};
pub(crate) use statistics::Collected;
pub use statistics::{Statistics, StepTimes, Tracking};

use super::Wanted;
use super::signal::{SignalError, positive};
use crate::simulation::{self, Law, Options, Plant, Pulse, Reason, Simulation, Stop, View};
use crate::trajectory::JointReference;
use appell::closed::{ClosedMechanism, Configuration};
use appell::dynamics::energy::Energy;
use appell::mechanism::Mechanism;
use core::ops::ControlFlow;
use estimate::Estimate;
use running::Running;

/// Periods that a delay may last.
const LONGEST_DELAY: f64 = 1000.0;

/// Parts of a period that are no time.
const NO_TIME: f64 = 1e-9;

/// When a loop computes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Timing {
    /// Time between samples, s.
    pub period: f64,
    /// From measuring to the change of the outputs, in periods: whole ones, or parts.
    pub delay: f64,
}

/// A sample, as it was dealt with. Slices have one value per drive where nothing else is said.
#[derive(Debug, Clone, Copy)]
pub struct Instant<'s> {
    /// Where the robot is in truth; all joints.
    pub truth: View<'s>,
    /// Its energy then.
    pub energy: Energy,
    /// The joints of the drives, in `truth`.
    pub drives: &'s [usize],
    /// Measured positions, rad or m.
    pub q: &'s [f64],
    /// Measured speeds, rad/s or m/s.
    pub v: &'s [f64],
    /// Positions of the reference, if there is one.
    pub wanted: Option<&'s [f64]>,
    /// Torques and forces that the law wants, N m or N; zero after a trip.
    pub commanded: &'s [f64],
    /// Torques and forces that come of it, after the delay; after a trip those of the safe stop, now.
    pub applied: &'s [f64],
    /// Whether more was wanted than the output gives.
    pub saturated: &'s [bool],
    /// Digital outputs, one per gripper.
    pub grippers: &'s [bool],
    /// Why there is a safe stop, if there is.
    pub trip: Option<&'s Trip>,
    /// How long the control step took, s, by the clock.
    pub step_time: Option<f64>,
}

/// How a run has ended.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Outcome {
    /// The motion; a trip does not end it.
    pub motion: simulation::Outcome,
    /// Why there was a safe stop, if there was.
    pub trip: Option<Trip>,
    /// What was counted.
    pub statistics: Statistics,
}

/// A sampled loop around any law.
pub struct SampledLoop<'r> {
    estimate: Estimate<'r>,
    drives: Vec<usize>,
    names: Vec<String>,
    chain: Chain,
    timing: Timing,
    options: Options,
    reference: Option<Wanted<'r>>,
    clock: Option<Box<dyn FnMut() -> f64 + 'r>>,
    pulse: Option<Pulse<'r>>,
}

impl<'r> SampledLoop<'r> {
    /// A loop around a tree or chain, all of whose joints are driven and measured.
    ///
    /// # Errors
    /// If the chain or the timing is impossible, or does not fit the robot.
    pub fn of_tree(robot: &Mechanism, chain: Chain, timing: Timing) -> Result<Self, SignalError> {
        Self::new(Estimate::Tree, Estimate::drives(robot, 0..robot.velocities().len()), chain, timing)
    }

    /// A loop around a robot with closed loops, whose drives are measured. What the law sees of the other joints and of
    /// the platform follows from them by forward kinematics of `robot`, from `start` on, where the plant shall begin.
    ///
    /// # Errors
    /// As [`of_tree`](Self::of_tree), and if there are not as many drives as degrees of freedom.
    pub fn of_closed(
        robot: &'r ClosedMechanism,
        start: &Configuration,
        chain: Chain,
        timing: Timing,
    ) -> Result<Self, SignalError> {
        let drives = Estimate::drives(robot.tree(), robot.driven().iter().copied());
        Self::new(Estimate::of_closed(robot, start)?, drives, chain, timing)
    }

    fn new(
        estimate: Estimate<'r>,
        (drives, names): (Vec<usize>, Vec<String>),
        chain: Chain,
        timing: Timing,
    ) -> Result<Self, SignalError> {
        positive("sample period", timing.period)?;
        if !(0.0..=LONGEST_DELAY).contains(&timing.delay) {
            return Err(SignalError::Delay { periods: timing.delay, most: LONGEST_DELAY });
        }
        chain.check(&names, timing.period)?;
        let options = Options::default();
        Ok(Self { estimate, drives, names, chain, timing, options, reference: None, clock: None, pulse: None })
    }

    /// The same with other steps and events of the motion between the samples. Their own sampling is not used.
    #[must_use]
    pub fn with_options(mut self, options: Options) -> Self {
        self.options = Options { sampling: None, ..options };
        self
    }

    /// The same with a reference of the drives, for the tracking errors; laws have references of their own.
    ///
    /// # Panics
    /// If it is not of the drives.
    #[must_use]
    pub fn with_reference(mut self, reference: Box<dyn JointReference + 'r>) -> Self {
        assert_eq!(reference.joints(), self.drives.len(), "a reference of the drives");
        self.reference = Some(Wanted::new(reference));
        self
    }

    /// The same with a clock that gives a time in s: the library has none.
    #[must_use]
    pub fn with_clock(mut self, clock: impl FnMut() -> f64 + 'r) -> Self {
        self.clock = Some(Box::new(clock));
        self
    }

    /// The same with one who hears the time after every step of the motion, and may end it.
    #[must_use]
    pub fn with_pulse(mut self, pulse: Pulse<'r>) -> Self {
        self.pulse = Some(pulse);
        self
    }

    /// Switches the chain on at `begin` and runs to `end`, s; `look` sees every sample, and may end it. After a trip the
    /// motion goes on under the safe stop.
    ///
    /// # Panics
    /// If the plant does not have one effort per drive.
    pub fn run(
        &mut self,
        plant: &mut dyn Plant,
        controller: &mut dyn Law,
        begin: f64,
        end: f64,
        mut look: impl FnMut(&Instant<'_>) -> ControlFlow<()>,
    ) -> Outcome {
        assert_eq!(plant.efforts(), self.drives.len(), "a plant with these drives");
        let mut running = match Running::switch_on(self, &plant.view(begin), controller.states()) {
            Ok(running) => running,
            Err(reason) => return Outcome { motion: stopped(begin, reason), ..Outcome::default() },
        };
        let mut pulse = self.pulse.take();
        let mut simulation = Simulation::new(plant, 0, begin, &self.options);
        if let Some(pulse) = &mut pulse {
            simulation = simulation.with_pulse(Box::new(pulse));
        }
        let period = self.timing.period;
        let last = end - NO_TIME * period;
        let mut times = (0_u64..).map(|k| [k, k + 1].map(|k| begin + k as f64 * period)).take_while(|[t, _]| *t < last);
        let early = times.find_map(|[t, next]| {
            let until = if next < last { next } else { end };
            let energy = simulation.energy();
            match running.sample(self, controller, &simulation.plant().view(t), energy, &mut look) {
                Ok(ControlFlow::Continue(())) => running.advance(self, &mut simulation, t, until),
                Ok(ControlFlow::Break(())) => Some(simulation::Outcome { interrupted: true, ..Default::default() }),
                Err(reason) => Some(stopped(t, reason)),
            }
        });
        let Running { cost, trip, collected, .. } = running;
        let motion = simulation::Outcome { t: simulation.t(), cost, ..early.unwrap_or_default() };
        drop(simulation);
        self.pulse = pulse;
        Outcome { motion, trip, statistics: collected.finish(period) }
    }
}

/// A motion that was stopped.
fn stopped(t: f64, reason: Reason) -> simulation::Outcome {
    simulation::Outcome { t, stop: Some(Stop { t, reason }), ..Default::default() }
}
