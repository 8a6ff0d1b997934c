//! Who attends to a run: a signal on the terminal, and an operator.

use crate::interrupt;
use appell_realtime::controller::{Asked, Attendant};
use appell_realtime::operator::{Console, Fault, Request};
use appell_simulation::control::operated::Operated;
use appell_simulation::control::sampled::{Computer, Outputs, Sensors, Trip};

/// A signal on the terminal stops the robot and ends the run.
pub(super) struct Terminal;

impl Attendant for Terminal {
    fn asks(&mut self, _: &Sensors) -> Asked {
        if interrupt::is_asked() { Asked::End } else { Asked::Nothing }
    }

    fn sees(&mut self, _: &Computer<'_>, _: &Sensors, _: &Outputs, _: f64) {}
}

/// So does an operator, who moves the robot besides.
pub(super) struct Operator<'r> {
    pub(super) console: Console,
    pub(super) operated: Operated<'r>,
    pub(super) zeros: Vec<f64>, // a reference that there is not
}

impl Attendant for Operator<'_> {
    fn asks(&mut self, sensors: &Sensors) -> Asked {
        match self.console.obey(&self.operated) {
            Some(Request::Stop) => Asked::Stop,
            Some(Request::Quit) => Asked::End,
            // Where it is not known where the robot is, nothing moves on.
            Some(Request::Reset) if self.operated.restart(&sensors.q).is_ok() => {
                self.console.set_stopped(false);
                Asked::Reset
            }
            _ if interrupt::is_asked() => Asked::End,
            _ => Asked::Nothing,
        }
    }

    fn sees(&mut self, computer: &Computer<'_>, sensors: &Sensors, outputs: &Outputs, load: f64) {
        if computer.trip().is_some() {
            self.console.set_stopped(true);
        }
        let Some(status) = self.console.status() else { return };
        (status.t, status.load) = (sensors.t, load);
        let wanted = computer.wanted().unwrap_or(&self.zeros);
        status.set_drives(&sensors.q, &sensors.v, &outputs.efforts, wanted);
        let fault = |trip: &Trip| Fault::new(trip.fault.kind.code(), trip.fault.kind.name());
        status.fault = computer.trip().map_or(Fault::default(), fault);
        self.console.show(&self.operated);
    }
}
