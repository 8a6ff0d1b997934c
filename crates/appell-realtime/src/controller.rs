//! The controller's loop: once a period from sensors to outputs, by the clock or in lockstep with the robot.

use crate::hardware::Hardware;
use crate::log::{Busy, Ended, Log};
use crate::phase::{PHASE, correction};
use crate::robot::WATCHDOG;
use crate::system::{self, SECOND};
use crate::timing::{Timed, Timings};
use appell_simulation::control::operated::Order;
use appell_simulation::control::sampled::{AT_REST, Computer, Fault, FaultKind, Mode, NO_TIME, Outputs, Sensors};
use appell_simulation::simulation::{Law, Reason};
use std::io;

/// A robot that is to end gets so long to come to rest, s.
const COME_TO_REST: f64 = 3.0;

/// Sensors that are late are waited for, for this part of a period.
const PATIENT: u64 = 4;

/// The longest that hardware is asked to wait for the first sensors at once, ns: between, it is seen to come back.
const FIRST: u64 = SECOND / 10;

/// Samples whose outputs' times are remembered, for round trips.
const REMEMBERED: usize = 64;

/// In lockstep outputs that nobody takes are given again after this time, ns.
const AGAIN: u64 = SECOND / 50;

/// How a controller runs.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// How long the trial takes, s; infinite until somebody ends it.
    pub duration: f64,
    /// Whether it waits for the robot instead of the clock.
    pub lockstep: bool,
    /// How long a robot in lockstep, or one that begins, may be silent, s.
    pub patience: f64,
    /// Whether it goes on after a stop, for somebody who takes it up again.
    pub stays: bool,
}

/// What somebody asks of a controller while it runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Asked {
    /// Nothing.
    #[default]
    Nothing,
    /// Stop the robot, by torques and brakes.
    Stop,
    /// Let the brakes go, and follow the law again.
    Reset,
    /// End the run.
    End,
}

/// Who attends to a controller: hears what it does, once a period, and may ask for something. It may not allocate, lock or
/// wait.
pub trait Attendant {
    /// Before the law is asked, at a sample.
    fn asks(&mut self, sensors: &Sensors) -> Asked;

    /// What it has ordered of the reference before this sample, for the record.
    fn order(&self) -> Option<&Order> {
        None
    }

    /// After the outputs are given.
    fn sees(&mut self, computer: &Computer<'_>, sensors: &Sensors, outputs: &Outputs, load: Load);
}

/// How busy a controller is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Load {
    /// The part of the period that the control step took.
    pub part: f64,
    /// Periods that were missed so far.
    pub missed: u64,
}

/// Nobody.
pub struct Nobody;

impl Attendant for Nobody {
    fn asks(&mut self, _: &Sensors) -> Asked {
        Asked::Nothing
    }

    fn sees(&mut self, _: &Computer<'_>, _: &Sensors, _: &Outputs, _: Load) {}
}

/// Runs a controller until the trial, the robot or somebody ends it. Every fault ends in brakes.
pub fn run(
    hardware: &mut dyn Hardware,
    computer: &mut Computer<'_>,
    law: &mut dyn Law,
    plan: &Plan,
    log: &mut Log,
    attendant: &mut dyn Attendant,
) -> Ended {
    let n = computer.names().len();
    let mut outputs = Outputs::new(n, computer.grippers());
    let period = computer.timing().period;
    let mut running = Running {
        hardware,
        plan,
        sensors: Sensors::new(n),
        period: (period * SECOND as f64) as u64,
        watchdog: computer.safety().watchdog.unwrap_or(WATCHDOG),
        next: 0,
        before: 0,
        suspended: 0,
        given_at: [0; REMEMBERED],
        timed: Timed::default(),
        timings: Timings::default(),
    };
    let mut ended = Ended::default();
    let (mut late, mut ends_at) = (0, f64::INFINITY);
    let last = plan.duration - NO_TIME * period;
    let mut came = running.first(log);
    loop {
        match came {
            Ok(None) => {}
            Ok(Some(fault)) => {
                computer.give_up(fault, &running.sensors, &mut outputs);
                let _ = running.hardware.write(&outputs); // a link that is lost carries nothing
                break;
            }
            Err(error) => {
                let lost = || Fault::of_all(FaultKind::SensorsLost, f64::INFINITY, f64::from(running.watchdog));
                let fault = running.sensors.fault.unwrap_or_else(lost);
                computer.give_up(fault, &running.sensors, &mut outputs);
                ended.reason = Some(error.to_string());
                break;
            }
        }
        let t = running.sensors.t;
        if running.sensors.ended || t >= last || t >= ends_at {
            // A robot that has ended by itself says why with its last word.
            if let Some(fault) = running.sensors.fault.filter(|_| computer.trip().is_none()) {
                computer.give_up(fault, &running.sensors, &mut outputs);
            }
            break;
        }
        match attendant.asks(&running.sensors) {
            Asked::Nothing => {}
            // What the robot's side has against it is not taken back from here.
            Asked::Reset if running.sensors.fault.is_none() => computer.reset(),
            Asked::Reset => {}
            Asked::Stop => computer.stop(Fault::of_all(FaultKind::EmergencyStop, 1.0, 0.0), t),
            Asked::End => {
                ended.interrupted = true;
                ends_at = ends_at.min(t + COME_TO_REST);
                computer.stop(Fault::of_all(FaultKind::EmergencyStop, 1.0, 0.0), t);
            }
        }
        let begin = running.hardware.now();
        if let Err(reason) = log.during(Busy::Law, || computer.step(law, &running.sensors, &mut outputs)) {
            computer.give_up(failed(&reason, &outputs), &running.sensors, &mut outputs);
            ended.reason = Some(reason.to_string());
        }
        let step = running.hardware.now().saturating_sub(begin);
        running.timed.step = step;
        late = if step > running.period && !plan.lockstep { late + 1 } else { 0 };
        if late > computer.safety().late.unwrap_or(WATCHDOG) {
            let fault = Fault::of_all(FaultKind::LawLate, step as f64 / SECOND as f64, period);
            computer.give_up(fault, &running.sensors, &mut outputs);
        }
        let at_rest = running.sensors.braked && running.sensors.v.iter().all(|v| v.abs() < AT_REST);
        if outputs.mode == Mode::Brake && at_rest && (ended.interrupted || !(plan.lockstep || plan.stays)) {
            break;
        }
        ended.samples += 1;
        log.during(Busy::Hardware, || running.give(&outputs));
        running.timings.take(&running.timed);
        log.push(computer, &running.sensors, &outputs, attendant.order(), running.timed);
        let load = Load { part: step as f64 / running.period as f64, missed: running.timed.missed };
        attendant.sees(computer, &running.sensors, &outputs, load);
        came = if plan.lockstep { running.answer(&outputs, log) } else { running.tick(log) };
    }
    // Newer than all that was given.
    (outputs.mode, outputs.sample) = (Mode::End, outputs.sample.max(running.sensors.sample) + 1);
    if let Err(error) = running.hardware.write(&outputs) {
        ended.reason.get_or_insert_with(|| error.to_string());
    }
    ended.t = running.sensors.t;
    ended.trip = computer.trip().cloned();
    ended.health = running.hardware.health();
    ended.timings = running.timings;
    (ended.timings.missed, ended.timings.without_sensors) = (running.timed.missed, running.timed.without_sensors);
    ended.dropped = log.dropped();
    ended.last = Some(running.sensors);
    ended
}

/// The fault of a law that could not go on.
fn failed(reason: &Reason, outputs: &Outputs) -> Fault {
    let wrong = outputs.efforts.iter().position(|effort| !effort.is_finite());
    match (reason, wrong) {
        (_, Some(drive)) => Fault::of_drive(FaultKind::LawNotFinite, drive, outputs.efforts[drive], 0.0),
        (Reason::NotFinite { .. }, None) => Fault::of_all(FaultKind::LawNotFinite, f64::NAN, 0.0),
        _ => Fault::of_all(FaultKind::LawFailed, 0.0, 0.0),
    }
}

/// What changes in a run.
struct Running<'h> {
    hardware: &'h mut dyn Hardware,
    plan: &'h Plan,
    sensors: Sensors,
    period: u64, // ns
    watchdog: u32,
    next: u64,                   // time of the next period, ns
    before: u64,                 // time of the last look at the clock, ns
    suspended: u64,              // what the machine had slept then, ns
    given_at: [u64; REMEMBERED], // when outputs were given, ns, by sample
    timed: Timed,                // of this period
    timings: Timings,
}

impl Running<'_> {
    /// Waits for the first sensors, with which the periods begin.
    fn first(&mut self, log: &Log) -> io::Result<Option<Fault>> {
        let mut now = self.hardware.now();
        let (until, gives_up) = self.patience(now);
        while !self.read(log, until.min(now + FIRST))? {
            now = self.hardware.now();
            if now >= until || system::now() >= gives_up {
                return Ok(Some(self.lost(f64::INFINITY)));
            }
            self.sleep_until(log, now + self.period);
        }
        self.before = self.hardware.now();
        self.suspended = self.hardware.suspended();
        self.next = self.before + self.period / PHASE;
        Ok(None)
    }

    /// Until when a robot may be silent, by the hardware's clock, and by the system's, since that of boards may stand still.
    fn patience(&self, now: u64) -> (u64, u64) {
        let patience = (self.plan.patience * SECOND as f64) as u64;
        (now.saturating_add(patience), system::now().saturating_add(patience))
    }

    /// Takes what has come, or waits for it until some time.
    fn read(&mut self, log: &Log, until: u64) -> io::Result<bool> {
        log.during(Busy::Hardware, || self.hardware.read(&mut self.sensors, until))
    }

    /// Sleeps until some time; the time then. Boards may have a clock of their own, which may stand still.
    fn sleep_until(&mut self, log: &Log, time: u64) -> u64 {
        log.during(Busy::Hardware, || {
            self.hardware.sleep_until(time);
            self.hardware.now()
        })
    }

    /// Gives outputs, and remembers when.
    fn give(&mut self, outputs: &Outputs) {
        self.given_at[outputs.sample as usize % REMEMBERED] = self.hardware.now();
        let _ = self.hardware.write(outputs); // what is lost the robot's watchdog sees
    }

    /// Sleeps until the next period, and takes what has come; why the run cannot go on, if it cannot.
    fn tick(&mut self, log: &Log) -> io::Result<Option<Fault>> {
        let mut missing = 0;
        self.timed.lost = None;
        self.before = self.hardware.now(); // a long step is late, and no jump
        loop {
            self.next += self.period;
            let now = self.hardware.now();
            if now > self.next {
                let passed = (now - self.next).div_ceil(self.period);
                self.timed.missed += passed;
                self.timed.lost = Some(self.timed.lost.unwrap_or(0) + passed * self.period);
                self.next += passed * self.period;
            }
            let now = self.sleep_until(log, self.next);
            let most = u64::from(self.watchdog) * self.period;
            let jump = now.abs_diff(self.before);
            if now < self.before || jump > most + self.period {
                let [jump, most] = [jump, most].map(|time| time as f64 / SECOND as f64);
                return Ok(Some(Fault::of_all(FaultKind::ClockJump, jump, most)));
            }
            // While the machine sleeps the clock stands still.
            let slept = self.hardware.suspended().saturating_sub(self.suspended);
            if slept > most {
                let [slept, most] = [slept, most].map(|time| time as f64 / SECOND as f64);
                return Ok(Some(Fault::of_all(FaultKind::Suspended, slept, most)));
            }
            self.before = now;
            self.timed.wake_up = Some(now.saturating_sub(self.next));
            if self.read(log, self.next + self.period / PATIENT)? {
                self.took_round_trip(now);
                if let Some(came) = self.hardware.arrived() {
                    self.next = self.next.saturating_add_signed(correction(self.next, came, self.period));
                }
                return Ok(None);
            }
            self.timed.without_sensors += 1;
            missing += 1;
            if missing > self.watchdog {
                return Ok(Some(self.lost(f64::from(missing))));
            }
        }
    }

    /// Waits for the robot's answer, in lockstep.
    fn answer(&mut self, outputs: &Outputs, log: &Log) -> io::Result<Option<Fault>> {
        let begin = self.hardware.now();
        let (until, gives_up) = self.patience(begin);
        loop {
            let now = self.hardware.now();
            if self.read(log, until.min(now + AGAIN))? {
                let now = self.hardware.now();
                self.took_round_trip(now);
                return Ok(None);
            }
            if self.hardware.now() >= until || system::now() >= gives_up {
                return Ok(Some(self.lost(f64::INFINITY)));
            }
            log.during(Busy::Hardware, || {
                let _ = self.hardware.write(outputs);
            });
        }
    }

    fn took_round_trip(&mut self, now: u64) {
        let given = self.sensors.taken.checked_sub(1).map(|taken| self.given_at[taken as usize % REMEMBERED]);
        self.timed.round_trip = given.map(|given| now.saturating_sub(given));
    }

    fn lost(&self, missing: f64) -> Fault {
        let is_corrupt = self.hardware.health().corrupt_in_a_row > 0;
        let kind = if is_corrupt { FaultKind::Corrupt } else { FaultKind::SensorsLost };
        Fault::of_all(kind, missing, f64::from(self.watchdog))
    }
}
