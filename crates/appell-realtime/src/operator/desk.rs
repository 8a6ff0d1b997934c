//! The two ends between an operator and a control thread: rings of a fixed size, and a flag for the emergency stop, which
//! no queue can delay.

use super::facts::Facts;
use super::status::Status;
use appell_simulation::control::operated::{MOST_DRIVES, Operated, Refusal};
use rtrb::{Consumer, Producer, RingBuffer};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What a control thread is to do. Names are resolved, sizes fixed.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(missing_docs, reason = "as the commands")]
#[expect(clippy::large_enum_variant, reason = "a box would be freed by the control thread")]
pub enum Order {
    Home,
    Hold,
    Jog { drive: usize, speed: f64 },
    JogFreedom { freedom: usize, speed: f64 },
    GoTo { positions: [f64; MOST_DRIVES], drives: usize },
    Follow,
    Reset,
    Quit,
}

/// What the reference cannot do: the runner does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Request {
    /// Emergency stop.
    Stop,
    /// Go on after a stop or a fault, at rest where the robot is.
    Reset,
    /// End the controller.
    Quit,
}

/// An order with its number, and how it was taken.
type Numbered = (u64, Order);
type Answered = (u64, Result<(), Refusal>);

/// Orders that wait at most, and statuses that nobody has taken.
const ORDERS: usize = 32;
const STATUSES: usize = 16;

/// Orders that are obeyed in one period.
const ORDERS_PER_PERIOD: usize = 4;

/// The end of the control thread: it neither waits nor allocates.
pub struct Console {
    orders: Consumer<Numbered>,
    answers: Producer<Answered>,
    statuses: Producer<Status>,
    stop: Arc<AtomicBool>,
    status: Status,
    every: u32,
    left: u32,  // periods to the next status
    busy: bool, // stopped: motions are refused
}

/// The other end.
pub struct Desk {
    orders: Producer<Numbered>,
    answers: Consumer<Answered>,
    statuses: Consumer<Status>,
    stop: Arc<AtomicBool>,
    facts: Facts,
    number: u64,
    last: Option<Status>,
}

/// A desk for a robot, on which a status is shown every so many periods.
#[must_use]
pub fn desk(facts: Facts, every: u32) -> (Console, Desk) {
    let (order_in, order_out) = RingBuffer::new(ORDERS);
    let (answer_in, answer_out) = RingBuffer::new(ORDERS);
    let (status_in, status_out) = RingBuffer::new(STATUSES);
    let stop = Arc::new(AtomicBool::new(false));
    let console = Console {
        orders: order_out,
        answers: answer_in,
        statuses: status_in,
        stop: Arc::clone(&stop),
        status: Status::new(facts.drives.len()),
        every: every.max(1),
        left: 0,
        busy: false,
    };
    let desk = Desk { orders: order_in, answers: answer_out, statuses: status_out, stop, facts, number: 0, last: None };
    (console, desk)
}

impl Console {
    /// Obeys what was ordered, a few orders a period; what the reference cannot do is the runner's. A stop comes first, and
    /// motions are refused from then on, until [`set_stopped`](Self::set_stopped) says otherwise.
    pub fn obey(&mut self, operated: &Operated<'_>) -> Option<Request> {
        if self.stop.swap(false, Ordering::AcqRel) {
            operated.hold();
            self.set_stopped(true);
            return Some(Request::Stop);
        }
        for _ in 0..ORDERS_PER_PERIOD {
            let (number, order) = self.orders.pop().ok()?;
            let mut request = None;
            let answer = match order {
                Order::Reset => {
                    request = Some(Request::Reset);
                    Ok(())
                }
                Order::Quit => {
                    request = Some(Request::Quit);
                    Ok(())
                }
                Order::Hold => {
                    operated.hold();
                    Ok(())
                }
                // A stopped robot is not moved by a word.
                _ if self.busy => Err(Refusal::Stopped),
                Order::Home => operated.home(),
                Order::Jog { drive, speed } => operated.jog(drive, speed),
                Order::JogFreedom { freedom, speed } => operated.jog_freedom(freedom, speed),
                Order::GoTo { positions, drives } => operated.go_to(&positions[..drives.min(MOST_DRIVES)]),
                Order::Follow => operated.follow(),
            };
            let _ = self.answers.push((number, answer)); // whoever does not read waits in vain
            if request.is_some() {
                return request;
            }
        }
        None
    }

    /// The status to be filled, once in so many periods; then [`show`](Self::show) it.
    pub fn status(&mut self) -> Option<&mut Status> {
        self.status.periods += 1;
        if self.left > 0 {
            self.left -= 1;
            return None;
        }
        self.left = self.every - 1;
        Some(&mut self.status)
    }

    /// Shows the status.
    pub fn show(&mut self, operated: &Operated<'_>) {
        (self.status.mode, self.status.ending) = (operated.mode(), operated.ending());
        let _ = self.statuses.push(self.status); // nobody looks
    }

    /// From now on motions are refused, or obeyed again: at once, whenever the next status is.
    pub fn set_stopped(&mut self, stopped: bool) {
        self.busy = stopped;
        self.status.stopped = stopped;
    }
}

impl Desk {
    /// What does not change.
    #[must_use]
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// The last status, if there was one.
    pub fn status(&mut self) -> Option<&Status> {
        while let Ok(status) = self.statuses.pop() {
            self.last = Some(status);
        }
        self.last.as_ref()
    }

    /// Gives an order; its number, or nothing if too many wait.
    pub fn order(&mut self, order: Order) -> Option<u64> {
        self.number += 1;
        self.orders.push((self.number, order)).ok().map(|()| self.number)
    }

    /// How an order was taken.
    pub fn answer(&mut self) -> Option<(u64, Result<(), Refusal>)> {
        self.answers.pop().ok()
    }

    /// Emergency stop, before everything that waits.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Release);
    }

    /// Whether the control thread is gone.
    #[must_use]
    pub fn is_abandoned(&self) -> bool {
        self.orders.is_abandoned()
    }
}
