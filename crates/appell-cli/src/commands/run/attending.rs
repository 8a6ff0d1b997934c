//! Who attends to a run: a signal on the terminal, and an operator.

use crate::interrupt::{self, Passing};
use crate::output;
use appell_realtime::controller::{Asked, Attendant, Load};
use appell_realtime::operator::{Console, Facts, Fault, Request, Server, desk, socket_of};
use appell_realtime::timing::Live;
use appell_simulation::control::operated::{Operated, Order, Positions};
use appell_simulation::control::sampled::{AT_REST, Computer, Outputs, Sensors, Trip};
use appell_simulation::scenario::Prepared;
use std::path::Path;

/// An operator sees the robot so often, s.
const SHOWN_EVERY: f64 = 0.02;

/// Who attends to a run, and where its timings are looked at.
pub(super) struct Attending<'r> {
    pub(super) attendant: Box<dyn Attendant + 'r>,
    pub(super) live: Live,
    _served: Option<(Server, Passing)>,
}

impl<'r> Attending<'r> {
    /// A signal on the terminal; and, where there is an operator's motion, the operator, who is listened to from now on.
    pub(super) fn new(
        path: &Path,
        operated: Option<Operated<'r>>,
        computer: &Computer<'_>,
        prepared: &Prepared<'_>,
    ) -> anyhow::Result<Self> {
        let Some(operated) = operated else {
            return Ok(Self { attendant: Box::new(Terminal), live: Live::default(), _served: None });
        };
        let period = computer.timing().period;
        let every = (SHOWN_EVERY / period).ceil().max(1.0) as u32;
        let (console, desk) = desk(Facts::of(prepared.model(), &operated, period), every);
        let live = desk.live().clone();
        let server = Server::start(desk, &socket_of(path)?, &path.with_extension("points.toml"))?;
        let passing = Passing::new(server.files());
        output::note(format_args!("listens to `appell operate {}`", path.display()));
        let zeros = vec![0.0; computer.names().len()];
        let attendant = Box::new(Operator { console, operated, resets: false, zeros });
        Ok(Self { attendant, live, _served: Some((server, passing)) })
    }
}

/// A signal on the terminal stops the robot and ends the run.
struct Terminal;

impl Attendant for Terminal {
    fn asks(&mut self, _: &Sensors) -> Asked {
        if interrupt::is_asked() { Asked::End } else { Asked::Nothing }
    }

    fn sees(&mut self, _: &Computer<'_>, _: &Sensors, _: &Outputs, _: Load) {}
}

/// So does an operator, who moves the robot besides.
struct Operator<'r> {
    console: Console,
    operated: Operated<'r>,
    resets: bool,    // as soon as the robot is at rest
    zeros: Vec<f64>, // a reference that there is not
}

impl Operator<'_> {
    /// Takes the robot up again where it stands, as soon as its brakes hold it. Where it is not known where that is, nothing
    /// moves on.
    fn reset(&mut self, sensors: &Sensors) -> Asked {
        let at_rest = sensors.braked && sensors.v.iter().all(|v| v.abs() < AT_REST);
        // An order that was given in this period has the precedence.
        if !(self.resets && at_rest) || self.console.given().is_some() {
            return Asked::Nothing;
        }
        if self.console.give(&self.operated, Order::Restart(Positions::of(&sensors.q))).is_err() {
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

    fn order(&self) -> Option<&Order> {
        self.console.given()
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
