//! A controller in a computer: it sees the robot once a period through a chain of signals, and holds what it wants until
//! the next time.
//!
//! | file | what it holds |
//! |---|---|
//! | `mod` | [`SampledLoop`]: what it is made of, and a run of both its sides in one place |
//! | `border` | [`Sensors`] and [`Outputs`]: what crosses between the two sides, wherever these are |
//! | `computer` | [`Computer`]: from what was measured to what is wanted |
//! | `estimate` | the whole robot from its measured drives: forward kinematics where there are loops |
//! | `safety`, `fault` | [`Safety`]: what a computer watches; [`Fault`]: what it can find, with codes |
//! | `device` | [`Device`]: a simulated robot that measures, converts, waits, holds, brakes |
//! | `chain` | [`Chain`]: which elements of [`signal`](super::signal) lie at each drive |
//! | `safe_stop` | [`SafeStop`]: what brakes do |
//! | `statistics` | [`Statistics`]: tracking errors, saturation, times of control steps |
//!
//! At every sample, in this order: the drives are measured; what is beyond its limits or cannot be, or a switch that is
//! closed, trips a safe stop; the law gives torques and forces for what was measured, and its own states go on by Euler's
//! step; the torques and forces are converted, and reach the drives a delay later. In between the robot moves in continuous time. The outputs are at
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

mod border;
mod chain;
mod computer;
mod device;
mod estimate;
mod fault;
mod safe_stop;
mod safety;
mod statistics;

pub use border::{Mode, Outputs, Sensors, Truth};
pub use chain::{Axis, Chain, Position, Speed};
pub use computer::Computer;
pub use device::Device;
pub use fault::{Fault, FaultKind, Trip};
pub use safe_stop::SafeStop;
pub use safety::{Frozen, Safety};
pub(crate) use statistics::Collected;
pub use statistics::{Statistics, StepTimes, Tracking};

use super::Wanted;
use super::signal::{SignalError, positive};
use crate::simulation::{self, Law, Options, Plant, Pulse, Reason, Stop, View};
use crate::trajectory::JointReference;
use appell::closed::{ClosedMechanism, Configuration};
use appell::dynamics::energy::Energy;
use appell::mechanism::Mechanism;
use core::ops::ControlFlow;
use estimate::Estimate;

/// Periods that a delay may last.
const LONGEST_DELAY: f64 = 1000.0;

/// Parts of a period that are no time.
pub const NO_TIME: f64 = 1e-9;

/// Slower than this a robot that brakes is at rest, rad/s or m/s.
pub const AT_REST: f64 = 1e-3;

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
    /// The law's own states, and then what else it shows.
    pub own: &'s [f64],
    /// Names of what it shows.
    pub own_names: &'s [String],
    /// Whether the brakes are on.
    pub braked: bool,
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

/// A sampled loop around any law: a computer, and what a robot's side is made of.
pub struct SampledLoop<'r> {
    computer: Computer<'r>,
    drives: Vec<usize>,
    chain: Chain,
    options: Options,
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
        let outputs = chain.axes.iter().map(|axis| axis.output).collect();
        let computer = Computer::new(estimate, names, timing, outputs, chain.grippers.clone());
        Ok(Self { computer, drives, chain, options: Options::default(), pulse: None })
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
        self.computer.reference = Some(Wanted::new(reference));
        self
    }

    /// The same with a clock that gives a time in s: the library has none.
    #[must_use]
    pub fn with_clock(mut self, clock: impl FnMut() -> f64 + 'r) -> Self {
        self.computer.clock = Some(Box::new(clock));
        self
    }

    /// The same with one who hears the time after every step of the motion, and may end it.
    #[must_use]
    pub fn with_pulse(mut self, pulse: Pulse<'r>) -> Self {
        self.pulse = Some(pulse);
        self
    }

    /// The same with more that is watched, and a law without states of its own that slows the robot down before the brakes
    /// are put on.
    #[must_use]
    pub fn with_safety(mut self, safety: Safety, braking: Option<Box<dyn Law + 'r>>) -> Self {
        self.computer.watch(safety);
        self.computer.braking = braking;
        self
    }

    /// The computer alone, for a robot somewhere else.
    #[must_use]
    pub fn into_computer(self) -> Computer<'r> {
        self.computer
    }

    /// The robot's side alone, switched on at the time `begin`, s, with the robot where it is.
    ///
    /// # Errors
    /// If a joint is beyond the range of its potentiometer.
    ///
    /// # Panics
    /// If the plant does not have one effort per drive.
    pub fn device<'p>(&self, plant: &'p mut dyn Plant, begin: f64) -> Result<Device<'p>, Reason> {
        let Computer { names, timing, .. } = &self.computer;
        Device::switch_on((&self.chain, *timing), (&self.drives, names), plant, begin, &self.options)
    }

    /// Switches both sides on at `begin` and runs to `end`, s; `look` sees every sample, and may end it. After a trip the
    /// motion goes on under the safe stop.
    ///
    /// # Panics
    /// If the plant does not have one effort per drive.
    pub fn run(
        &mut self,
        plant: &mut dyn Plant,
        law: &mut dyn Law,
        begin: f64,
        end: f64,
        mut look: impl FnMut(&Instant<'_>) -> ControlFlow<()>,
    ) -> Outcome {
        let failed = |reason| Outcome { motion: stopped(begin, reason), ..Outcome::default() };
        if let Err(reason) = self.computer.begin(law) {
            return failed(reason);
        }
        let mut device = match self.device(&mut *plant, begin) {
            Ok(device) => device,
            Err(reason) => return failed(reason),
        };
        if let Some(pulse) = &mut self.pulse {
            device = device.with_pulse(Box::new(pulse));
        }
        let computer = &mut self.computer;
        let n = self.drives.len();
        let (mut sensors, mut outputs) = (Sensors::new(n), Outputs::new(n, computer.grippers()));
        let mut collected = Collected::new(n, computer.reference.is_some());
        let period = computer.timing.period;
        let early = samples(begin, end, period).find_map(|Period { sample, t, until }| {
            device.sense(sample, t, &mut sensors);
            if let Err(reason) = computer.step(law, &sensors, &mut outputs) {
                return Some(stopped(t, reason));
            }
            device.take(&outputs);
            let energy = device.energy();
            let instant = Instant {
                truth: device.view(t),
                energy,
                drives: device.drives(),
                q: &sensors.q,
                v: &sensors.v,
                wanted: computer.wanted(),
                commanded: &outputs.efforts,
                applied: device.applied(),
                saturated: computer.saturated(),
                grippers: &outputs.grippers,
                own: computer.own(),
                own_names: computer.own_names(),
                braked: device.is_braked(),
                trip: computer.trip(),
                step_time: computer.step_time(),
            };
            if instant.trip.is_none() {
                collected.count(instant.saturated, instant.step_time);
                if let Some(wanted) = instant.wanted {
                    let joints = instant.drives.iter().zip(wanted);
                    collected.track(joints.map(|(&j, wanted)| instant.truth.q[j] - wanted));
                }
            }
            match look(&instant) {
                ControlFlow::Continue(()) => device.advance(t, until),
                ControlFlow::Break(()) => Some(simulation::Outcome { interrupted: true, ..Default::default() }),
            }
        });
        let motion = simulation::Outcome { t: device.t(), cost: device.cost(), ..early.unwrap_or_default() };
        drop(device);
        Outcome { motion, trip: self.computer.trip().cloned(), statistics: collected.finish(period) }
    }
}

/// A sample, and the time until the next.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Period {
    /// The number of the sample.
    pub sample: u64,
    /// Its time, s.
    pub t: f64,
    /// The time of the next, or the end, s.
    pub until: f64,
}

/// The samples from `begin` to `end`, s, the same for both sides of a loop.
pub fn samples(begin: f64, end: f64, period: f64) -> impl Iterator<Item = Period> {
    let last = end - NO_TIME * period;
    let at = move |sample: u64| begin + sample as f64 * period;
    (0_u64..)
        .map(move |sample| (sample, at(sample), at(sample + 1)))
        .take_while(move |(_, t, _)| *t < last)
        .map(move |(sample, t, next)| Period { sample, t, until: if next < last { next } else { end } })
}

/// A motion that was stopped.
fn stopped(t: f64, reason: Reason) -> simulation::Outcome {
    simulation::Outcome { t, stop: Some(Stop { t, reason }), ..Default::default() }
}
