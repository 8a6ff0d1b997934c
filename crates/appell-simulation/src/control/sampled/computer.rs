//! The computer's side of a sampled loop: from what was measured to what is wanted, once a period.

use super::safety::Monitor;
use super::{AT_REST, Estimate, Fault, Mode, Outputs, Safety, Sensors, Timing, Trip};
use crate::control::Wanted;
use crate::control::signal::{AnalogOutput, Gripper};
use crate::simulation::{Law, Reason, View};

/// A clock that gives a time in s.
pub(super) type Clock<'r> = Box<dyn FnMut() -> f64 + 'r>;

/// A computer around any law. It knows the robot's side by [`Sensors`] and [`Outputs`] alone, so that these may come from
/// another process, or from a real robot.
pub struct Computer<'r> {
    pub(super) names: Vec<String>,
    pub(super) estimate: Estimate<'r>,
    pub(super) timing: Timing,
    pub(super) reference: Option<Wanted<'r>>,
    pub(super) clock: Option<Clock<'r>>,
    pub(super) outputs: Vec<Option<AnalogOutput>>, // what it knows of the robot's outputs
    pub(super) grippers: Vec<Gripper>,
    pub(super) braking: Option<Box<dyn Law + 'r>>,
    monitor: Monitor,
    phase: Phase,
    own: Vec<f64>,          // states of the law, and what it shows
    own_names: Vec<String>, // of what it shows
    own_rates: Vec<f64>,
    given: Vec<f64>, // of the torques and forces that are wanted
    saturated: Vec<bool>,
    step_time: Option<f64>,
    trip: Option<Trip>,
}

/// What it does.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Phase {
    /// Follows the law.
    Control,
    /// Slows the robot down by torques, s.
    Braking { until: f64 },
    /// Has put the brakes on.
    Braked,
}

impl<'r> Computer<'r> {
    pub(super) fn new(
        estimate: Estimate<'r>,
        names: Vec<String>,
        timing: Timing,
        outputs: Vec<Option<AnalogOutput>>,
        grippers: Vec<Gripper>,
    ) -> Self {
        let n = names.len();
        Self {
            names,
            estimate,
            timing,
            reference: None,
            clock: None,
            outputs,
            grippers,
            braking: None,
            monitor: Monitor::new(Safety::default(), n),
            phase: Phase::Control,
            own: Vec::new(),
            own_names: Vec::new(),
            own_rates: Vec::new(),
            given: vec![0.0; n],
            saturated: vec![false; n],
            step_time: None,
            trip: None,
        }
    }

    pub(super) fn watch(&mut self, safety: Safety) {
        self.monitor = Monitor::new(safety, self.names.len());
    }

    /// Begins a run of a law.
    ///
    /// # Errors
    /// If a closed robot cannot be at its start.
    pub fn begin(&mut self, law: &dyn Law) -> Result<(), Reason> {
        self.estimate.begin()?;
        self.own_names = law.shown().to_vec();
        self.own = vec![0.0; law.states() + self.own_names.len()];
        self.own_rates = vec![0.0; law.states()];
        self.monitor.begin();
        self.phase = Phase::Control;
        self.trip = None;
        self.saturated.fill(false);
        Ok(())
    }

    /// All that a computer does in a period: it looks at the sensors, asks the law, and says what it wants. Nothing is
    /// allocated but at a fault.
    ///
    /// # Errors
    /// If the law or its reference cannot go on; [`give_up`](Self::give_up) puts the brakes on then.
    pub fn step(&mut self, law: &mut dyn Law, sensors: &Sensors, outputs: &mut Outputs) -> Result<(), Reason> {
        let t = sensors.t;
        (outputs.sample, outputs.mode) = (sensors.sample, Mode::Run);
        self.step_time = None;
        if let Some(wanted) = &mut self.reference {
            wanted.find(t)?;
        }
        let wanted = self.reference.as_ref().map(|wanted| wanted.q.as_slice());
        let found = sensors.fault.or_else(|| self.monitor.look(sensors, wanted));
        if let Some(fault) = found.filter(|fault| self.trip.is_none() || !fault.kind.can_brake_by_torque()) {
            self.stop(fault, t);
        }
        if self.phase == Phase::Control {
            self.compute(law, sensors, outputs)?;
            if let Some(fault) = self.monitor.too_much(&outputs.efforts) {
                self.stop(fault, t);
            }
        }
        if let Phase::Braking { until } = self.phase {
            self.brake_by_torque(sensors, outputs, until);
        }
        if self.phase == Phase::Braked {
            outputs.mode = Mode::Brake;
            outputs.efforts.fill(0.0);
            self.saturated.fill(false);
        } else {
            for (on, gripper) in outputs.grippers.iter_mut().zip(&self.grippers) {
                *on = gripper.is_on(t);
            }
        }
        outputs.fault = self.trip.as_ref().map(|trip| trip.fault);
        Ok(())
    }

    /// Stops the robot for a fault: by torques first where that is possible, then by its brakes. The first fault counts.
    pub fn stop(&mut self, fault: Fault, t: f64) {
        let by_torque = fault.kind.can_brake_by_torque() && self.braking.is_some();
        let time = self.monitor.safety().braking;
        self.phase = match self.phase {
            Phase::Control if by_torque && time > 0.0 => Phase::Braking { until: t + time },
            Phase::Braking { until } if by_torque => Phase::Braking { until },
            _ => Phase::Braked,
        };
        if self.trip.is_none() {
            self.trip = Some(fault.at(t, &self.names));
        }
    }

    /// Takes a law up again after a stop, with its own states at zero.
    pub fn reset(&mut self) {
        self.phase = Phase::Control;
        self.trip = None;
        self.own.fill(0.0);
        self.monitor.begin();
    }

    /// Answers a sample after the law has failed: with brakes.
    pub fn give_up(&mut self, fault: Fault, sensors: &Sensors, outputs: &mut Outputs) {
        self.stop(fault, sensors.t);
        self.phase = Phase::Braked;
        outputs.efforts.fill(0.0);
        self.saturated.fill(false);
        let fault = self.trip.as_ref().map(|trip| trip.fault);
        (outputs.sample, outputs.mode, outputs.fault) = (sensors.sample, Mode::Brake, fault);
    }

    /// Asks the law, for what was measured.
    fn compute(&mut self, law: &mut dyn Law, sensors: &Sensors, outputs: &mut Outputs) -> Result<(), Reason> {
        let mut now = || self.clock.as_mut().map(|clock| clock());
        let begin = now();
        let view = self.estimate.view(sensors.t, &sensors.q, &sensors.v)?;
        let (states, shown) = self.own.split_at_mut(self.own_rates.len());
        law.efforts(&view, states, &mut self.own_rates, &mut outputs.efforts)?;
        if !shown.is_empty() {
            law.show(shown)?;
        }
        let end = now();
        self.step_time = end.zip(begin).map(|(end, begin)| end - begin);
        // What the outputs do not give does not wind the law up; that counts are whole is no reason.
        for (i, &wanted) in outputs.efforts.iter().enumerate() {
            let written = self.outputs[i].map(|output| output.write(wanted));
            self.saturated[i] = written.is_some_and(|written| written.saturated);
            self.given[i] = written.filter(|written| written.saturated).map_or(wanted, |written| written.effort);
        }
        law.integral().hold(&outputs.efforts, &self.given, &mut self.own_rates);
        for (own, rate) in self.own.iter_mut().zip(&self.own_rates) {
            *own += self.timing.period * rate;
        }
        let states = &self.own[..self.own_rates.len()];
        if !outputs.efforts.iter().chain(states).all(|number| number.is_finite()) {
            return Err(Reason::NotFinite { what: "an effort of the law, or a state of it," });
        }
        Ok(())
    }

    /// Slows the robot down, until it is at rest or the time has passed.
    fn brake_by_torque(&mut self, sensors: &Sensors, outputs: &mut Outputs, until: f64) {
        let at_rest = sensors.v.iter().all(|v| v.abs() < AT_REST);
        let given = match (&mut self.braking, self.estimate.view(sensors.t, &sensors.q, &sensors.v)) {
            (Some(law), Ok(view)) if !at_rest && sensors.t < until => {
                law.efforts(&view, &[], &mut [], &mut outputs.efforts).is_ok()
                    && outputs.efforts.iter().all(|effort| effort.is_finite())
            }
            _ => false,
        };
        if !given {
            self.phase = Phase::Braked;
            return;
        }
        if let Some(most) = &self.monitor.safety().effort {
            outputs.efforts.iter_mut().zip(most).for_each(|(effort, most)| *effort = effort.clamp(-most, *most));
        }
        for (i, &wanted) in outputs.efforts.iter().enumerate() {
            self.saturated[i] = self.outputs[i].is_some_and(|output| output.write(wanted).saturated);
        }
    }

    /// The whole robot, as it was thought to be at the last sample that the law was asked for.
    #[must_use]
    pub fn view<'s>(&'s self, sensors: &'s Sensors) -> View<'s> {
        self.estimate.last(sensors.t, &sensors.q, &sensors.v)
    }

    /// Names of its drives.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// What it watches.
    #[must_use]
    pub fn safety(&self) -> &Safety {
        self.monitor.safety()
    }

    /// When it computes.
    #[must_use]
    pub fn timing(&self) -> Timing {
        self.timing
    }

    /// Where the drives should be at the last sample, if there is a reference.
    #[must_use]
    pub fn wanted(&self) -> Option<&[f64]> {
        self.reference.as_ref().map(|wanted| wanted.q.as_slice())
    }

    /// At which drives more was wanted than the output gives.
    #[must_use]
    pub fn saturated(&self) -> &[bool] {
        &self.saturated
    }

    /// The law's own states, and then what else it [shows](Law::shown).
    #[must_use]
    pub fn own(&self) -> &[f64] {
        &self.own
    }

    /// Names of what it shows.
    #[must_use]
    pub fn own_names(&self) -> &[String] {
        &self.own_names
    }

    /// How many digital outputs it has.
    #[must_use]
    pub fn grippers(&self) -> usize {
        self.grippers.len()
    }

    /// How long the last control step took, s, by the clock.
    #[must_use]
    pub fn step_time(&self) -> Option<f64> {
        self.step_time
    }

    /// Why there is a safe stop, if there is.
    #[must_use]
    pub fn trip(&self) -> Option<&Trip> {
        self.trip.as_ref()
    }

    /// Whether it follows its law: there was no fault.
    #[must_use]
    pub fn is_in_control(&self) -> bool {
        self.phase == Phase::Control
    }
}
