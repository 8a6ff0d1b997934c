//! The robot's side of a sampled loop: a simulated robot with its sensors, converters, drives and brakes.

use super::chain::Wire;
use super::safe_stop::Stopping;
use super::{Chain, Fault, FaultKind, Mode, NO_TIME, Outputs, SafeStop, Sensors, Timing, Truth};
use crate::control::signal::Noise;
use crate::simulation::law::Constant;
use crate::simulation::{Cost, Law, Options, Outcome, Plant, Pulse, Reason, Simulation, View};
use appell::dynamics::energy::Energy;
use core::ops::ControlFlow;

/// A simulated robot behind its wires.
pub struct Device<'p> {
    drives: Vec<usize>,
    timing: Timing,
    safe_stop: SafeStop,
    emergency_stop: Option<f64>, // s
    simulation: Simulation<'p>,
    wires: Vec<Wire>,
    applied: Vec<f64>,
    stopped_at: Vec<f64>,   // true positions of the drives when the brakes were put on
    pending: Vec<Vec<f64>>, // torques and forces of the last samples, the newest first
    held: Constant,         // torques and forces of the drives now
    braked: bool,
    fault: Option<Fault>,
    taken: u64, // outputs so far
    cost: Cost,
}

impl<'p> Device<'p> {
    /// Switches everything on with the robot where it is, at the time `begin`, s.
    ///
    /// # Errors
    /// If a joint is beyond the range of its potentiometer.
    ///
    /// # Panics
    /// If the chain, which was checked, is of another number of drives than the plant.
    pub(super) fn switch_on(
        (chain, timing): (&Chain, Timing),
        (drives, names): (&[usize], &[String]),
        plant: &'p mut dyn Plant,
        begin: f64,
        options: &Options,
    ) -> Result<Self, Reason> {
        let n = drives.len();
        assert_eq!(plant.efforts(), n, "a plant with these drives");
        let zeros = || vec![0.0; n];
        let mut noise = Noise::new(chain.seed);
        let mut wires = Vec::new();
        let truth = plant.view(begin);
        for ((axis, &j), joint) in chain.axes.iter().zip(drives).zip(names) {
            let position = truth.q[j];
            let outside =
                || Reason::Law(format!("joint `{joint}` starts at {position}, beyond its potentiometer's range"));
            wires.push(Wire::switch_on(axis, timing.period, position, &mut noise).ok_or_else(outside)?);
        }
        Ok(Self {
            drives: drives.to_vec(),
            timing,
            safe_stop: chain.safe_stop.clone(),
            emergency_stop: chain.emergency_stop,
            simulation: Simulation::new(plant, 0, begin, options),
            wires,
            applied: zeros(),
            stopped_at: zeros(),
            pending: vec![zeros(); timing.delay as usize + 2],
            held: Constant(zeros()),
            braked: false,
            fault: None,
            taken: 0,
            cost: Cost::default(),
        })
    }

    /// The same with one who hears the time after every step of the motion, and may end it.
    #[must_use]
    pub fn with_pulse(mut self, pulse: Pulse<'p>) -> Self {
        self.simulation = self.simulation.with_pulse(pulse);
        self
    }

    /// Measures the drives at a sample, and looks at the switches.
    pub fn sense(&mut self, sample: u64, t: f64, sensors: &mut Sensors) {
        let truth = self.simulation.plant().view(t);
        (sensors.sample, sensors.t) = (sample, t);
        for (i, (&j, wire)) in self.drives.iter().zip(&mut self.wires).enumerate() {
            (sensors.q[i], sensors.v[i]) = wire.measure(t, truth.q[j], truth.v[j]);
            sensors.hot[i] = wire.over_temperature.as_ref().is_some_and(|switch| switch.is_closed(t));
        }
        sensors.emergency_stop = self.emergency_stop.is_some_and(|at| t >= at);
        sensors.taken = self.taken;
        sensors.applied.copy_from_slice(&self.applied);
        (sensors.braked, sensors.fault) = (self.braked, self.fault);
    }

    /// Adds to a sample what no sensor says.
    pub fn tell_truth(&mut self, sensors: &mut Sensors) {
        let energy = self.simulation.energy();
        let view = self.simulation.plant().view(sensors.t);
        sensors.truth.get_or_insert_with(Truth::default).copy_from(&view, energy);
    }

    /// Takes the outputs of a computer. Torques that are not finite put the brakes on.
    pub fn take(&mut self, outputs: &Outputs) {
        self.taken = outputs.sample + 1;
        match outputs.mode {
            Mode::Run if self.is_braked_by_itself() => {}
            Mode::Run => match outputs.efforts.iter().position(|effort| !effort.is_finite()) {
                Some(drive) => {
                    let fault = Fault::of_drive(FaultKind::LawNotFinite, drive, outputs.efforts[drive], 0.0);
                    self.brake(Some(fault));
                }
                None => {
                    self.release();
                    for (i, wire) in self.wires.iter().enumerate() {
                        self.applied[i] = wire.write(outputs.efforts[i]);
                    }
                    self.pending.rotate_right(1);
                    self.pending[0].copy_from_slice(&self.applied);
                }
            },
            Mode::Brake | Mode::End => self.brake(None),
        }
        if self.braked {
            let truth = self.simulation.plant().view(self.simulation.t());
            stopping(&self.safe_stop, &self.drives, &self.stopped_at).hold(&truth, &mut self.applied);
        }
    }

    /// Lets a period begin without outputs: the converters hold what they have.
    pub fn hold(&mut self) {
        if !self.braked {
            self.pending.rotate_right(1);
            self.pending[0].copy_from_slice(&self.applied);
        }
    }

    /// Lets the brakes go, after a reset of the computer that had them put on. Those that the robot's side has put on by
    /// itself stay.
    fn release(&mut self) {
        if !self.braked {
            return;
        }
        self.braked = false;
        self.pending.iter_mut().for_each(|efforts| efforts.fill(0.0));
        if let SafeStop::Friction(torque) = &self.safe_stop {
            self.simulation.set_brakes(&vec![0.0; torque.len()]);
        }
    }

    /// Puts the brakes on; with a fault, and for good, if the robot's side does so by itself.
    pub fn brake(&mut self, fault: Option<Fault>) {
        if self.braked {
            self.fault = self.fault.or(fault);
            return;
        }
        (self.braked, self.fault) = (true, fault);
        if let SafeStop::Friction(torque) = &self.safe_stop {
            self.simulation.set_brakes(torque);
        }
        let truth = self.simulation.plant().view(self.simulation.t());
        self.drives.iter().zip(&mut self.stopped_at).for_each(|(&j, at)| *at = truth.q[j]);
    }

    /// Lets the robot move from the sample at `t` to the next, or to the end of the run; why it did not come there.
    pub fn advance(&mut self, t: f64, until: f64) -> Option<Outcome> {
        let Self { simulation, cost, .. } = self;
        let period = self.timing.period;
        if self.braked {
            let mut stopping = stopping(&self.safe_stop, &self.drives, &self.stopped_at);
            return passed(simulation, &mut stopping, until, cost);
        }
        // Torques and forces of m + f periods ago: in the first part f of this period those of m + 1 samples ago, then
        // of m.
        let (whole, part) = (self.timing.delay as usize, self.timing.delay.fract());
        let change = until.min(t + part * period);
        for (sample, end) in [(whole + 1, change), (whole, until)] {
            let time = end - simulation.t();
            if time <= NO_TIME * period {
                continue;
            }
            self.held.0.copy_from_slice(&self.pending[sample]);
            let early = passed(simulation, &mut self.held, end, cost);
            if early.is_some() {
                return early;
            }
            for (switch, effort) in self.wires.iter_mut().map(|wire| &mut wire.over_temperature).zip(&self.held.0) {
                switch.iter_mut().for_each(|switch| switch.heat(*effort, time));
            }
        }
        None
    }

    /// The time it has come to, s.
    #[must_use]
    pub fn t(&self) -> f64 {
        self.simulation.t()
    }

    /// Where the robot is in truth.
    #[must_use]
    pub fn view(&self, t: f64) -> View<'_> {
        self.simulation.plant().view(t)
    }

    /// Its energy.
    pub fn energy(&mut self) -> Energy {
        self.simulation.energy()
    }

    /// The joints of the drives.
    #[must_use]
    pub fn drives(&self) -> &[usize] {
        &self.drives
    }

    /// Torques and forces that came of the last outputs; of brakes those at that moment.
    #[must_use]
    pub fn applied(&self) -> &[f64] {
        &self.applied
    }

    /// Whether the brakes are on.
    #[must_use]
    pub fn is_braked(&self) -> bool {
        self.braked
    }

    /// Whether the robot's side has put them on by itself.
    #[must_use]
    pub fn is_braked_by_itself(&self) -> bool {
        self.braked && self.fault.is_some()
    }

    /// Why they are, if the robot's side put them on by itself.
    #[must_use]
    pub fn fault(&self) -> Option<Fault> {
        self.fault
    }

    /// What its motion has cost.
    #[must_use]
    pub fn cost(&self) -> Cost {
        self.cost
    }
}

fn stopping<'s>(how: &'s SafeStop, drives: &'s [usize], at: &'s [f64]) -> Stopping<'s> {
    Stopping { how, drives, at }
}

/// Moves on to `end`; why it did not come there.
fn passed(simulation: &mut Simulation<'_>, law: &mut dyn Law, end: f64, cost: &mut Cost) -> Option<Outcome> {
    let outcome = simulation.advance(law, end, |_| ControlFlow::Continue(()));
    *cost = outcome.cost;
    (outcome.stop.is_some() || outcome.interrupted).then_some(outcome)
}
