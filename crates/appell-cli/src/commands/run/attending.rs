//! Who attends to a run: a signal on the terminal, and an operator.

use crate::interrupt;
use appell_realtime::controller::{Asked, Attendant, Load};
use appell_realtime::operator::{Console, Fault, Request};
use appell_simulation::control::operated::Operated;
use appell_simulation::control::sampled::{AT_REST, Computer, Outputs, Sensors, Trip};

/// A signal on the terminal stops the robot and ends the run.
pub(super) struct Terminal;

impl Attendant for Terminal {
    fn asks(&mut self, _: &Sensors) -> Asked {
        if interrupt::is_asked() { Asked::End } else { Asked::Nothing }
    }

    fn sees(&mut self, _: &Computer<'_>, _: &Sensors, _: &Outputs, _: Load) {}
}

/// So does an operator, who moves the robot besides.
pub(super) struct Operator<'r> {
    pub(super) console: Console,
    pub(super) operated: Operated<'r>,
    pub(super) resets: bool,    // as soon as the robot is at rest
    pub(super) zeros: Vec<f64>, // a reference that there is not
}

impl Operator<'_> {
    /// Takes the robot up again where it stands, as soon as its brakes hold it. Where it is not known where that is, nothing
    /// moves on.
    fn reset(&mut self, sensors: &Sensors) -> Asked {
        let at_rest = sensors.braked && sensors.v.iter().all(|v| v.abs() < AT_REST);
        if !(self.resets && at_rest && self.operated.restart(&sensors.q).is_ok()) {
            return Asked::Nothing;
        }
        self.resets = false;
        self.console.set_stopped(false);
        Asked::Reset
    }
}

impl Attendant for Operator<'_> {
    fn asks(&mut self, sensors: &Sensors) -> Asked {
        match self.console.obey(&self.operated) {
            Some(Request::Stop) => Asked::Stop,
            Some(Request::Quit) => Asked::End,
            Some(Request::Reset) => {
                self.resets = true;
                Asked::Nothing
            }
            None if interrupt::is_asked() => Asked::End,
            None => self.reset(sensors),
        }
    }

    fn sees(&mut self, computer: &Computer<'_>, sensors: &Sensors, outputs: &Outputs, load: Load) {
        if computer.trip().is_some() {
            self.console.set_stopped(true);
        }
        let Some(status) = self.console.status() else { return };
        (status.t, status.load, status.misses) = (sensors.t, load.part, load.missed);
        let wanted = computer.wanted().unwrap_or(&self.zeros);
        status.set_drives(&sensors.q, &sensors.v, &outputs.efforts, wanted);
        let fault = |trip: &Trip| Fault::new(trip.fault.kind.code(), trip.fault.kind.name());
        status.fault = computer.trip().map_or(Fault::default(), fault);
        self.console.show(&self.operated);
    }
}
