//! The two ends between an operator and a control thread: rings of a fixed size, and a flag for the emergency stop, which
//! no queue can delay.

use super::facts::Facts;
use super::status::Status;
use crate::timing::Live;
use appell_simulation::control::operated::{self, Operated, Refusal};
use rtrb::{Consumer, Producer, RingBuffer};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What a control thread is to do. Names are resolved, sizes fixed.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "a box would be freed by the control thread")]
pub enum Order {
    /// An order to the reference.
    Move(operated::Order),
    /// Go on after a stop.
    Reset,
    /// End the controller.
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
    is_new: bool,
    given: Option<operated::Order>, // to the reference, in this period
}

/// The other end.
pub struct Desk {
    orders: Producer<Numbered>,
    answers: Consumer<Answered>,
    statuses: Consumer<Status>,
    stop: Arc<AtomicBool>,
    facts: Facts,
    live: Live,
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
        is_new: true,
        given: None,
    };
    let (live, last) = (Live::default(), None);
    let desk = Desk { orders: order_in, answers: answer_out, statuses: status_out, stop, facts, live, number: 0, last };
    (console, desk)
}

impl Console {
    /// Obeys what was ordered, one order a period; what the reference cannot do is the runner's. A stop comes first, and
    /// motions are refused from then on, until [`set_stopped`](Self::set_stopped) says otherwise.
    pub fn obey(&mut self, operated: &Operated<'_>) -> Option<Request> {
        self.given = None;
        if self.is_new {
            self.is_new = false;
            let _ = self.give(operated, operated::Order::Hold); // so that a record says that the run was operated
        }
        if self.stop.swap(false, Ordering::AcqRel) {
            let _ = self.give(operated, operated::Order::Hold); // holding is never refused
            self.set_stopped(true);
            return Some(Request::Stop);
        }
        // Nothing else is done in a period that has its order.
        if self.given.is_some() {
            return None;
        }
        let (number, order) = self.orders.pop().ok()?;
        let (answer, request) = match order {
            Order::Reset => (Ok(()), Some(Request::Reset)),
            Order::Quit => (Ok(()), Some(Request::Quit)),
            // A stopped robot is not moved by a word.
            Order::Move(order) if self.busy && order != operated::Order::Hold => (Err(Refusal::Stopped), None),
            Order::Move(order) => (self.give(operated, order), None),
        };
        let _ = self.answers.push((number, answer)); // whoever does not read waits in vain
        request
    }

    /// Gives an order to the reference, and notes it.
    ///
    /// # Errors
    /// If it cannot be obeyed.
    pub fn give(&mut self, operated: &Operated<'_>, order: operated::Order) -> Result<(), Refusal> {
        self.given = Some(order);
        operated.obey(&order)
    }

    /// The last order that the reference was given in this period, if it was: with all of them a run can be given again.
    #[must_use]
    pub fn given(&self) -> Option<&operated::Order> {
        self.given.as_ref()
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

    /// Where the timings of the run are taken down, for who asks for them.
    #[must_use]
    pub fn live(&self) -> &Live {
        &self.live
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
