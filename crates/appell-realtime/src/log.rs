//! What a run leaves behind: every period goes through a ring to a thread that has time to write.

use crate::system::SECOND;
use crate::timing::{Timed, Timings};
use appell_simulation::control::operated::Order;
use appell_simulation::control::sampled::{Computer, Fault, Instant, Outputs, Sensors, Trip, Truth};
use core::ops::ControlFlow;
use rtrb::{Consumer, Producer, RingBuffer};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant as Moment};

/// Periods that the ring holds.
const PERIODS: usize = 8192;

/// More time than this from look to look at the control thread does not count: the machine was busy, or the process stood still.
const BETWEEN_LOOKS: Duration = Duration::from_millis(10);

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
    /// What an operator has ordered of the reference before, if anything.
    pub order: Option<Order>,
    /// What took how long.
    pub timed: Timed,
}

/// Whose code the control thread is in: what of it may not come back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u64)]
pub enum Busy {
    /// Its own.
    No = 0,
    /// The law's.
    Law = 1,
    /// That of boards, or of the link.
    Hardware = 2,
}

/// Whose code the control thread is in, for another thread to see: how often this has changed, and the last.
#[derive(Debug, Clone, Default)]
struct Doing(Arc<AtomicU64>);

impl Doing {
    fn set(&self, busy: Busy) {
        let before = self.0.load(Ordering::Relaxed); // nobody else writes it
        self.0.store((before & !3).wrapping_add(4) | busy as u64, Ordering::Release);
    }

    fn get(&self) -> (u64, Busy) {
        let now = self.0.load(Ordering::Acquire);
        let busy = match now & 3 {
            1 => Busy::Law,
            2 => Busy::Hardware,
            _ => Busy::No,
        };
        (now, busy)
    }
}

/// The end of the ring in the control thread. Nothing is allocated, locked or written here.
pub struct Log {
    full: Producer<Box<Entry>>,
    empty: Consumer<Box<Entry>>,
    done: Arc<AtomicBool>,
    doing: Doing,
    waits: bool,
    dropped: u64,
}

/// The other end.
pub struct LogReader {
    full: Consumer<Box<Entry>>,
    empty: Producer<Box<Entry>>,
    done: Arc<AtomicBool>,
    doing: Doing,
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
    let doing = Doing::default();
    let log = Log { full, empty, done: Arc::clone(&done), doing: doing.clone(), waits, dropped: 0 };
    (log, LogReader { full: taken, empty: returned, done, doing })
}

impl Entry {
    /// An entry that has room for a controller's periods.
    #[must_use]
    pub fn room(computer: &Computer<'_>, sensors: &Sensors, outputs: &Outputs) -> Self {
        let mut entry = Self::default();
        entry.fill(computer, sensors, outputs, None, Timed::default());
        entry
    }

    fn fill(
        &mut self,
        computer: &Computer<'_>,
        sensors: &Sensors,
        outputs: &Outputs,
        order: Option<&Order>,
        timed: Timed,
    ) {
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
        (self.order, self.timed) = (order.copied(), timed);
    }

    /// The period as a record shows it, with what a computer calls the law's own numbers; torques, forces and brakes that came of it are in the sensors `after` it.
    #[must_use]
    pub fn instant<'e>(
        &'e self,
        (drives, own_names): (&'e [usize], &'e [String]),
        after: &'e Sensors,
        trip: Option<&'e Trip>,
    ) -> Instant<'e> {
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
            own_names,
            braked: after.braked,
            trip,
            step_time: Some(self.timed.step as f64 / SECOND as f64),
        }
    }
}

impl Log {
    /// Logs a period, with what an operator has ordered before it, and what took how long.
    pub fn push(
        &mut self,
        computer: &Computer<'_>,
        sensors: &Sensors,
        outputs: &Outputs,
        order: Option<&Order>,
        timed: Timed,
    ) {
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
        entry.fill(computer, sensors, outputs, order, timed);
        // There is room: there are as many entries as places.
        let _ = self.full.push(entry);
    }

    /// Calls somebody's code, so that another thread knows where the control thread is if it does not come back.
    pub fn during<T>(&self, busy: Busy, call: impl FnOnce() -> T) -> T {
        self.doing.set(busy);
        let answer = call();
        self.doing.set(Busy::No);
        answer
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
        let _ = self.read_or(each, |_, _| ControlFlow::Continue(())); // nothing ends it
    }

    /// The same; `look` sees between them for how long the control thread has been in one call of somebody's code. Whether it wanted no
    /// more.
    pub fn read_or(
        mut self,
        mut each: impl FnMut(&Entry),
        mut look: impl FnMut(Busy, Duration) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (mut looked, mut seen, mut since) = (Moment::now(), self.doing.get(), Duration::ZERO);
        loop {
            let is_done = self.done.load(Ordering::Acquire);
            while let Ok(entry) = self.full.pop() {
                each(&entry);
                let _ = self.empty.push(entry);
            }
            if is_done {
                return ControlFlow::Continue(());
            }
            // Where the whole process stood still, nobody hangs.
            let passed = looked.elapsed().min(BETWEEN_LOOKS);
            looked = Moment::now();
            let now = self.doing.get();
            since = if now == seen && now.1 != Busy::No { since + passed } else { Duration::ZERO };
            seen = now;
            look(now.1, since)?;
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
