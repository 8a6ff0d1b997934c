//! What a run leaves behind: every period goes through a ring to a thread that has time to write.

use crate::system::SECOND;
use crate::timing::Timings;
use appell_simulation::control::sampled::{Computer, Fault, Instant, Outputs, Sensors, Trip, Truth};
use rtrb::{Consumer, Producer, RingBuffer};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Periods that the ring holds.
const PERIODS: usize = 8192;

/// A period, as a controller dealt with it.
#[derive(Debug, Clone, Default)]
pub struct Entry {
    /// What was measured.
    pub sensors: Sensors,
    /// What was made of it.
    pub outputs: Outputs,
    /// Where the robot is: the truth, or what the controller thinks where nobody knows it.
    pub robot: Truth,
    /// Positions of the reference; empty without one.
    pub wanted: Vec<f64>,
    /// At which drives more was wanted than the output gives.
    pub saturated: Vec<bool>,
    /// The law's own states.
    pub own: Vec<f64>,
    /// Why there is a safe stop, if there is, and since when, s.
    pub fault: Option<(f64, Fault)>,
    /// How much later than wanted the controller woke up, ns.
    pub wake_up: u64,
    /// How long the control step took, ns.
    pub step: u64,
}

/// The end of the ring in the control thread. Nothing is allocated, locked or written here.
pub struct Log {
    full: Producer<Box<Entry>>,
    empty: Consumer<Box<Entry>>,
    done: Arc<AtomicBool>,
    waits: bool,
    dropped: u64,
}

/// The other end.
pub struct LogReader {
    full: Consumer<Box<Entry>>,
    empty: Producer<Box<Entry>>,
    done: Arc<AtomicBool>,
}

/// A ring for a robot. One that `waits` lets the control thread wait where the reader is behind, for runs without a clock;
/// else periods are dropped and counted.
#[must_use]
pub fn ring(like: &Entry, waits: bool) -> (Log, LogReader) {
    let (full, taken) = RingBuffer::new(PERIODS);
    let (mut returned, empty) = RingBuffer::new(PERIODS);
    for _ in 0..PERIODS {
        let _ = returned.push(Box::new(like.clone()));
    }
    let done = Arc::new(AtomicBool::new(false));
    let log = Log { full, empty, done: Arc::clone(&done), waits, dropped: 0 };
    (log, LogReader { full: taken, empty: returned, done })
}

impl Entry {
    /// An entry that has room for a controller's periods.
    #[must_use]
    pub fn room(computer: &Computer<'_>, sensors: &Sensors, outputs: &Outputs) -> Self {
        let mut entry = Self::default();
        entry.fill(computer, sensors, outputs, [0; 2]);
        entry
    }

    fn fill(&mut self, computer: &Computer<'_>, sensors: &Sensors, outputs: &Outputs, [wake_up, step]: [u64; 2]) {
        copy_sensors(&mut self.sensors, sensors);
        copy_outputs(&mut self.outputs, outputs);
        match &sensors.truth {
            Some(truth) => self.robot.copy_from(&truth.view(sensors.t), truth.energy),
            None => {
                let unknown = appell::dynamics::energy::Energy { kinetic: f64::NAN, potential: f64::NAN };
                self.robot.copy_from(&computer.view(sensors), unknown);
            }
        }
        copy(&mut self.wanted, computer.wanted().unwrap_or_default());
        copy(&mut self.saturated, computer.saturated());
        copy(&mut self.own, computer.own());
        self.fault = computer.trip().map(|trip| (trip.t, trip.fault));
        (self.wake_up, self.step) = (wake_up, step);
    }

    /// The period as a record shows it; torques, forces and brakes that came of it are in the sensors `after` it.
    #[must_use]
    pub fn instant<'e>(&'e self, drives: &'e [usize], after: &'e Sensors, trip: Option<&'e Trip>) -> Instant<'e> {
        Instant {
            truth: self.robot.view(self.sensors.t),
            energy: self.robot.energy,
            drives,
            q: &self.sensors.q,
            v: &self.sensors.v,
            wanted: (!self.wanted.is_empty()).then_some(&self.wanted),
            commanded: &self.outputs.efforts,
            applied: &after.applied,
            saturated: &self.saturated,
            grippers: &self.outputs.grippers,
            own: &self.own,
            braked: after.braked,
            trip,
            step_time: Some(self.step as f64 / SECOND as f64),
        }
    }
}

impl Log {
    /// Logs a period, with how late the controller woke up and how long its step took, ns.
    pub fn push(&mut self, computer: &Computer<'_>, sensors: &Sensors, outputs: &Outputs, times: [u64; 2]) {
        let mut entry = loop {
            match self.empty.pop() {
                Ok(entry) => break entry,
                Err(_) if self.waits && !self.full.is_abandoned() => std::thread::yield_now(),
                Err(_) => {
                    self.dropped += 1;
                    return;
                }
            }
        };
        entry.fill(computer, sensors, outputs, times);
        // There is room: there are as many entries as places.
        let _ = self.full.push(entry);
    }

    /// Periods that the reader was too slow for.
    #[must_use]
    pub fn dropped(&self) -> u64 {
        self.dropped
    }
}

impl Drop for Log {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Release);
    }
}

impl LogReader {
    /// Reads all periods until the log is dropped; `each` sees every one.
    pub fn read(self, each: impl FnMut(&Entry)) {
        self.read_or(each, |_| {});
    }

    /// The same; `idle` hears for how long there was none.
    pub fn read_or(mut self, mut each: impl FnMut(&Entry), mut idle: impl FnMut(Duration)) {
        let mut last = std::time::Instant::now();
        loop {
            let is_done = self.done.load(Ordering::Acquire);
            while let Ok(entry) = self.full.pop() {
                last = std::time::Instant::now();
                each(&entry);
                let _ = self.empty.push(entry);
            }
            if is_done {
                return;
            }
            idle(last.elapsed());
            std::thread::sleep(Duration::from_micros(200));
        }
    }
}

/// How a run ended, for the one who started it.
#[derive(Debug, Clone, Default)]
pub struct Ended {
    /// The time of the last sample, s.
    pub t: f64,
    /// Samples that were dealt with.
    pub samples: u64,
    /// Why there was a safe stop, if there was.
    pub trip: Option<Trip>,
    /// Why law or hardware could not go on, if they could not.
    pub reason: Option<String>,
    /// Whether somebody asked it to end.
    pub interrupted: bool,
    /// Where a simulated robot was in the end, and what its drives gave.
    pub last: Option<Sensors>,
    /// What came and was not taken.
    pub health: crate::hardware::Health,
    /// How long things took.
    pub timings: Timings,
    /// Periods that were not logged.
    pub dropped: u64,
}

fn copy<T: Copy>(to: &mut Vec<T>, from: &[T]) {
    to.clear();
    to.extend_from_slice(from);
}

fn copy_sensors(to: &mut Sensors, from: &Sensors) {
    (to.sample, to.t, to.taken) = (from.sample, from.t, from.taken);
    (to.braked, to.ended, to.fault) = (from.braked, from.ended, from.fault);
    to.emergency_stop = from.emergency_stop;
    copy(&mut to.q, &from.q);
    copy(&mut to.v, &from.v);
    copy(&mut to.applied, &from.applied);
    copy(&mut to.hot, &from.hot);
}

fn copy_outputs(to: &mut Outputs, from: &Outputs) {
    (to.sample, to.mode, to.fault) = (from.sample, from.mode, from.fault);
    copy(&mut to.efforts, &from.efforts);
    copy(&mut to.grippers, &from.grippers);
}
