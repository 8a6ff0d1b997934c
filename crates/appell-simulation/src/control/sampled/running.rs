//! One run of a sampled loop: what happens at a sample, and between two.

use super::chain::Wire;
use super::safe_stop::Stopping;
use super::statistics::Collected;
use super::{Instant, NO_TIME, SampledLoop, Trip};
use crate::control::Wanted;
use crate::control::signal::Noise;
use crate::simulation::law::Constant;
use crate::simulation::{Cost, Law, Outcome, Reason, Simulation, View};
use appell::dynamics::energy::Energy;
use core::ops::ControlFlow;

/// What changes in a run.
pub(super) struct Running {
    wires: Vec<Wire>,
    q: Vec<f64>, // measured
    v: Vec<f64>,
    own: Vec<f64>, // states of the law
    own_rates: Vec<f64>,
    commanded: Vec<f64>,
    given: Vec<f64>, // of these
    applied: Vec<f64>,
    saturated: Vec<bool>,
    grippers: Vec<bool>,
    stopped_at: Vec<f64>,   // true positions of the drives at the trip
    pending: Vec<Vec<f64>>, // torques and forces of the last samples, the newest first
    held: Constant,         // torques and forces of the drives now
    pub(super) trip: Option<Trip>,
    pub(super) cost: Cost,
    pub(super) collected: Collected,
}

impl Running {
    /// Switches everything on with the robot where it is; the law has `own` states.
    pub(super) fn switch_on(around: &mut SampledLoop<'_>, truth: &View<'_>, own: usize) -> Result<Self, Reason> {
        around.estimate.begin()?;
        let n = around.drives.len();
        let zeros = || vec![0.0; n];
        let mut noise = Noise::new(around.chain.seed);
        let mut wires = Vec::new();
        for ((axis, &j), joint) in around.chain.axes.iter().zip(&around.drives).zip(&around.names) {
            let position = truth.q[j];
            let outside =
                || Reason::Law(format!("joint `{joint}` starts at {position}, beyond its potentiometer's range"));
            wires.push(Wire::switch_on(axis, around.timing.period, position, &mut noise).ok_or_else(outside)?);
        }
        Ok(Self {
            wires,
            q: zeros(),
            v: zeros(),
            own: vec![0.0; own],
            own_rates: vec![0.0; own],
            commanded: zeros(),
            given: zeros(),
            applied: zeros(),
            saturated: vec![false; n],
            grippers: vec![false; around.chain.grippers.len()],
            stopped_at: zeros(),
            pending: vec![zeros(); around.timing.delay as usize + 2],
            held: Constant(zeros()),
            trip: None,
            cost: Cost::default(),
            collected: Collected::new(n, around.reference.is_some()),
        })
    }

    /// All that happens at a sample.
    pub(super) fn sample(
        &mut self,
        around: &mut SampledLoop<'_>,
        controller: &mut dyn Law,
        truth: &View<'_>,
        energy: Energy,
        look: &mut impl FnMut(&Instant<'_>) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Reason> {
        for (i, (&j, wire)) in around.drives.iter().zip(&mut self.wires).enumerate() {
            (self.q[i], self.v[i]) = wire.measure(truth.q[j], truth.v[j]);
        }
        if let Some(wanted) = &mut around.reference {
            wanted.find(truth.t)?;
        }
        self.watch(around, truth);
        let mut step_time = None;
        if self.trip.is_some() {
            stopping(around, &self.stopped_at).hold(truth, &mut self.applied);
        } else {
            step_time = self.compute(around, controller, truth.t)?;
            self.write(around, truth, step_time);
        }
        Ok(look(&Instant {
            truth: *truth,
            energy,
            drives: &around.drives,
            q: &self.q,
            v: &self.v,
            wanted: around.reference.as_ref().map(|wanted| wanted.q.as_slice()),
            commanded: &self.commanded,
            applied: &self.applied,
            saturated: &self.saturated,
            grippers: &self.grippers,
            trip: self.trip.as_ref(),
            step_time,
        }))
    }

    /// Looks at the switches, and trips a safe stop at the first that is closed.
    fn watch(&mut self, around: &SampledLoop<'_>, truth: &View<'_>) {
        let is_closed = |wire: &Wire| wire.over_temperature.as_ref().is_some_and(|switch| switch.is_closed(truth.t));
        let Some(first) = self.wires.iter().position(is_closed).filter(|_| self.trip.is_none()) else { return };
        self.trip = Some(Trip { t: truth.t, joint: around.names[first].clone() });
        around.drives.iter().zip(&mut self.stopped_at).for_each(|(&j, at)| *at = truth.q[j]);
        self.commanded.fill(0.0);
        self.saturated.fill(false);
    }

    /// Asks the law, for what was measured; how long it took.
    fn compute(
        &mut self,
        around: &mut SampledLoop<'_>,
        controller: &mut dyn Law,
        t: f64,
    ) -> Result<Option<f64>, Reason> {
        let mut now = || around.clock.as_mut().map(|clock| clock());
        let begin = now();
        let view = around.estimate.view(t, &self.q, &self.v)?;
        controller.efforts(&view, &self.own, &mut self.own_rates, &mut self.commanded)?;
        let end = now();
        // What the outputs do not give does not wind the law up; that counts are whole is no reason.
        self.given.copy_from_slice(&self.commanded);
        for (given, wire) in self.given.iter_mut().zip(&self.wires) {
            let (effort, saturated) = wire.write(*given);
            *given = if saturated { effort } else { *given };
        }
        controller.integral().hold(&self.commanded, &self.given, &mut self.own_rates);
        for (own, rate) in self.own.iter_mut().zip(&self.own_rates) {
            *own += around.timing.period * rate;
        }
        if !self.commanded.iter().chain(&self.own).all(|number| number.is_finite()) {
            return Err(Reason::NotFinite { what: "an effort of the law, or a state of it," });
        }
        Ok(end.zip(begin).map(|(end, begin)| end - begin))
    }

    /// Writes the outputs, and counts.
    fn write(&mut self, around: &SampledLoop<'_>, truth: &View<'_>, step_time: Option<f64>) {
        for (i, wire) in self.wires.iter().enumerate() {
            (self.applied[i], self.saturated[i]) = wire.write(self.commanded[i]);
        }
        for (on, gripper) in self.grippers.iter_mut().zip(&around.chain.grippers) {
            *on = gripper.is_on(truth.t);
        }
        self.pending.rotate_right(1);
        self.pending[0].copy_from_slice(&self.applied);
        self.collected.count(&self.saturated, step_time);
        if let Some(Wanted { q, .. }) = &around.reference {
            self.collected.track(around.drives.iter().zip(q).map(|(&j, wanted)| truth.q[j] - wanted));
        }
    }

    /// Lets the robot move from the sample at `t` to the next, or to the end of the run; why it did not come there.
    pub(super) fn advance(
        &mut self,
        around: &SampledLoop<'_>,
        simulation: &mut Simulation<'_>,
        t: f64,
        until: f64,
    ) -> Option<Outcome> {
        let period = around.timing.period;
        if self.trip.is_some() {
            let mut stopping = stopping(around, &self.stopped_at);
            return passed(simulation, &mut stopping, until, &mut self.cost);
        }
        // Torques and forces of m + f periods ago: in the first part f of this period those of m + 1 samples ago, then
        // of m.
        let (whole, part) = (around.timing.delay as usize, around.timing.delay.fract());
        let change = until.min(t + part * period);
        for (sample, end) in [(whole + 1, change), (whole, until)] {
            let time = end - simulation.t();
            if time <= NO_TIME * period {
                continue;
            }
            self.held.0.copy_from_slice(&self.pending[sample]);
            let early = passed(simulation, &mut self.held, end, &mut self.cost);
            if early.is_some() {
                return early;
            }
            for (switch, effort) in self.wires.iter_mut().map(|wire| &mut wire.over_temperature).zip(&self.held.0) {
                switch.iter_mut().for_each(|switch| switch.heat(*effort, time));
            }
        }
        None
    }
}

fn stopping<'s>(around: &'s SampledLoop<'_>, at: &'s [f64]) -> Stopping<'s> {
    Stopping { how: &around.chain.safe_stop, drives: &around.drives, at }
}

/// Moves on to `end`; why it did not come there.
fn passed(simulation: &mut Simulation<'_>, law: &mut dyn Law, end: f64, cost: &mut Cost) -> Option<Outcome> {
    let outcome = simulation.advance(law, end, |_| ControlFlow::Continue(()));
    *cost = outcome.cost;
    (outcome.stop.is_some() || outcome.interrupted).then_some(outcome)
}
