//! What an operator has ordered, as frames of a file.

use super::{Frame, FrameError, HEAD, Kind, word};
use appell_simulation::control::operated::{MOST_DRIVES, Order, Positions};

impl Frame {
    /// Writes what an operator has ordered at a sample.
    pub fn put_order(&mut self, sample: u64, t: f64, order: &Order) {
        let (code, what, number) = match order {
            Order::Hold => (0, 0, None),
            Order::Home => (1, 0, None),
            Order::Jog { drive, speed } => (2, *drive, Some(*speed)),
            Order::JogFreedom { freedom, speed } => (3, *freedom, Some(*speed)),
            Order::GoTo(_) => (4, 0, None),
            Order::Follow => (5, 0, None),
            Order::Restart(_) => (6, 0, None),
        };
        let numbers: &[f64] = match order {
            Order::GoTo(positions) | Order::Restart(positions) => positions.values(),
            _ => number.as_slice(),
        };
        self.begin(Kind::Order, code, [0, sample, 0], t);
        self.counts(numbers.len(), 0, None);
        self.word(what as u64);
        self.word(0);
        self.numbers(numbers);
        self.finish();
    }

    /// Reads what an operator has ordered.
    ///
    /// # Errors
    /// If it is no such frame.
    pub fn order(&self) -> Result<Order, FrameError> {
        if self.kind()? != Kind::Order {
            return Err(FrameError::Kind);
        }
        let (length, what) = ((word(&self.bytes, 5) & 0xffff) as usize, word(&self.bytes, 8) as usize);
        self.expect_words(HEAD + length + 1)?;
        let mut room = [0.0; MOST_DRIVES];
        let numbers = room.get_mut(..length).ok_or(FrameError::Drives)?;
        self.read(HEAD, numbers);
        let speed = numbers.first().copied().ok_or(FrameError::Drives);
        Ok(match self.bytes[7] {
            0 => Order::Hold,
            1 => Order::Home,
            2 => Order::Jog { drive: what, speed: speed? },
            3 => Order::JogFreedom { freedom: what, speed: speed? },
            4 => Order::GoTo(Positions::of(numbers)),
            5 => Order::Follow,
            6 => Order::Restart(Positions::of(numbers)),
            _ => return Err(FrameError::Kind),
        })
    }

    /// How many bytes an order has that stands at the front of some; none where something else does.
    #[must_use]
    pub fn length_at(bytes: &[u8]) -> Option<usize> {
        let head = bytes.get(..8 * HEAD).filter(|head| head[6] == Kind::Order as u8)?;
        Some(8 * (HEAD + (word(head, 5) & 0xffff) as usize + 1))
    }
}
