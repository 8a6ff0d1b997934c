//! The robot's loop: a simulated robot behind a link, in lockstep with its controller or by the clock.

use crate::frame::Frame;
use crate::hardware::Health;
use crate::link::Link;
use crate::system::{SECOND, now, sleep_until};
use appell_simulation::control::sampled::{AT_REST, Device, Fault, FaultKind, Mode, Outputs, Period, Sensors, samples};
use appell_simulation::simulation::Stop;
use std::io;

/// It is at rest for good after so long, s.
const REST: f64 = 0.05;

/// A robot that is alone and does not come to rest, as one without brakes that falls, is not watched for longer, s.
const ALONE: f64 = 10.0;

/// In lockstep a frame that nobody answers is sent again after this time, ns: UDP loses some.
const AGAIN: u64 = SECOND / 50;

/// Periods without the other side, where the trial does not say how many.
pub const WATCHDOG: u32 = 10;

/// How a robot serves.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// The run that was agreed on.
    pub run: u64,
    /// How long the trial takes, s.
    pub duration: f64,
    /// s.
    pub period: f64,
    /// Whether it waits for the controller instead of the clock.
    pub lockstep: bool,
    /// Periods without outputs after which the brakes are put on.
    pub watchdog: u32,
    /// The same in lockstep, as time, s.
    pub patience: f64,
}

/// How a robot has served.
#[derive(Debug, Clone, Default)]
pub struct Served {
    /// The time it has come to, s.
    pub t: f64,
    /// Samples.
    pub samples: u64,
    /// Why the motion could not go on, if it could not.
    pub stop: Option<Stop>,
    /// When the brakes were put on, s, and the robot's own reason for it, if it had one.
    pub braked: Option<(f64, Option<Fault>)>,
    /// When it came to rest after that, s.
    pub at_rest: Option<f64>,
    /// Whether the one who looked wanted no more.
    pub interrupted: bool,
    /// What came and was not taken.
    pub health: Health,
    /// Periods without outputs.
    pub without_outputs: u64,
}

/// Lets a robot serve a controller; `see` sees every sample, and says whether to go on. Without a controller it brakes,
/// comes to rest, and ends.
///
/// # Errors
/// If the link fails.
pub fn serve(
    link: &mut dyn Link,
    device: &mut Device<'_>,
    grippers: usize,
    plan: &Plan,
    mut see: impl FnMut(&mut Device<'_>, &Sensors) -> bool,
) -> io::Result<Served> {
    let n = device.drives().len();
    let (mut sensors, mut outputs) = (Sensors::new(n), Outputs::new(n, grippers));
    let mut served = Served::default();
    let mut end = Ends { link, plan, frame: Frame::default(), health: Health::default(), next: 0, missing: 0 };
    let period = (plan.period * SECOND as f64) as u64;
    let mut tick = now();
    let mut alone_since = None;
    for Period { sample, t, until } in samples(0.0, plan.duration, plan.period) {
        device.sense(sample, t, &mut sensors);
        device.tell_truth(&mut sensors);
        if !see(device, &sensors) {
            served.interrupted = true;
            device.brake(Some(Fault::of_all(FaultKind::EmergencyStop, 1.0, 0.0)));
        }
        end.send(&sensors)?;
        // By the clock, too, the first outputs are waited for: the periods begin when both sides are there.
        let mut came = false;
        if plan.lockstep || sample == 0 {
            // Who has ended, or did not answer once, is not waited for again.
            let gone = device.is_braked_by_itself() || outputs.mode == Mode::End || end.missing > 0;
            came = !gone && end.wait(&sensors, &mut outputs)?;
            tick = now();
        }
        if !plan.lockstep {
            tick += period;
            sleep_until(tick);
            came |= end.newest(&mut outputs)?;
        }
        if came {
            device.take(&outputs);
        } else {
            device.hold();
            served.without_outputs += 1;
        }
        let crashed = end.link.crashed().map(|signal| Fault::of_all(FaultKind::LawCrashed, signal as f64, 0.0));
        // A controller that has said that this was all is not missed.
        if let Some(fault) = crashed.or(end.given_up(came || outputs.mode == Mode::End)) {
            device.brake(Some(fault));
        }
        if device.is_braked() {
            let (_, own) = served.braked.get_or_insert((t, None));
            *own = device.fault();
        }
        served.samples = sample + 1;
        if let Some(early) = device.advance(t, until) {
            served.stop = early.stop;
            served.interrupted |= early.interrupted;
            break;
        }
        // Alone, or told that this was all, it ends when it is at rest.
        let alone = device.is_braked_by_itself() || outputs.mode == Mode::End || served.interrupted;
        if alone && until - *alone_since.get_or_insert(t) >= ALONE {
            break;
        }
        if device.is_braked() && device.view(until).v.iter().all(|v| v.abs() < AT_REST) {
            let since = *served.at_rest.get_or_insert(until);
            if alone && until - since >= REST {
                break;
            }
        } else {
            served.at_rest = None;
        }
    }
    served.t = device.t();
    device.sense(served.samples, served.t, &mut sensors);
    device.tell_truth(&mut sensors);
    sensors.ended = true;
    end.send(&sensors)?;
    served.health = end.health();
    Ok(served)
}

/// The robot's end of a link.
struct Ends<'l> {
    link: &'l mut dyn Link,
    plan: &'l Plan,
    frame: Frame,
    health: Health,
    next: u64, // sample whose outputs are not known yet
    missing: u32,
}

impl Ends<'_> {
    fn send(&mut self, sensors: &Sensors) -> io::Result<()> {
        self.frame.put_sensors(self.plan.run, now(), sensors);
        self.link.send(&self.frame)
    }

    /// The newest outputs that have come, if there are new ones.
    fn newest(&mut self, outputs: &mut Outputs) -> io::Result<bool> {
        let mut found = false;
        while self.link.receive(&mut self.frame, 0)? {
            found |= self.take(outputs);
        }
        Ok(found)
    }

    /// Waits for the outputs of a sample, for some time.
    fn wait(&mut self, sensors: &Sensors, outputs: &mut Outputs) -> io::Result<bool> {
        let until = now() + (self.plan.patience * SECOND as f64) as u64;
        loop {
            let again = until.min(now() + AGAIN);
            while self.link.receive(&mut self.frame, again)? {
                if self.take(outputs) && (outputs.sample == sensors.sample || outputs.mode == Mode::End) {
                    return Ok(true);
                }
            }
            if now() >= until || self.link.crashed().is_some() {
                return Ok(false);
            }
            self.send(sensors)?;
        }
    }

    fn take(&mut self, outputs: &mut Outputs) -> bool {
        let taken = self.health.judge(&self.frame, self.plan.run, self.next)
            && self.frame.outputs(self.plan.run, outputs).is_ok();
        if taken {
            self.next = outputs.sample + 1;
        }
        taken
    }

    /// Why nothing is to be waited for any more, if it is not.
    fn given_up(&mut self, came: bool) -> Option<Fault> {
        self.missing = if came { 0 } else { self.missing + 1 };
        let limit = if self.plan.lockstep { 0 } else { self.plan.watchdog };
        let kind = if self.health.corrupt_in_a_row > 0 { FaultKind::Corrupt } else { FaultKind::OutputsLost };
        (self.missing > limit).then(|| Fault::of_all(kind, f64::from(self.missing), f64::from(limit)))
    }

    fn health(&self) -> Health {
        Health { strangers: self.health.strangers + self.link.strangers(), lost: self.link.lost(), ..self.health }
    }
}
