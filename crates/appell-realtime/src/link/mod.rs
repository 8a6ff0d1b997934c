//! Ways between a controller and its robot: shared memory on one machine, UDP between machines.

mod shared_memory;
mod udp;

pub use shared_memory::SharedMemory;
pub use udp::Udp;

use crate::frame::Frame;
use std::io;

/// A way for frames, in both directions. What arrives is judged by who asked for it.
pub trait Link {
    /// Sends a frame.
    ///
    /// # Errors
    /// If it cannot be sent, for good.
    fn send(&mut self, frame: &Frame) -> io::Result<()>;

    /// The oldest frame that was not taken yet; waits for one at most until an instant of the
    /// [monotonic clock](crate::system::now), 0 to not wait. Whether there was one.
    ///
    /// # Errors
    /// If nothing can arrive any more.
    fn receive(&mut self, frame: &mut Frame, until: u64) -> io::Result<bool>;

    /// Waits for a frame that `take` takes, whoever sent it where no peer is known yet; its sender is the peer from then on.
    /// Whether there was one until an instant of the monotonic clock.
    ///
    /// # Errors
    /// If nothing can arrive.
    fn agree(&mut self, frame: &mut Frame, until: u64, take: &mut dyn FnMut(&Frame) -> bool) -> io::Result<bool> {
        while self.receive(frame, until)? {
            if take(frame) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Forgets a peer that [`agree`](Self::agree) has found and that wants something else: another may come.
    fn forget(&mut self) {}

    /// Frames that came from somewhere else than the peer, and were not taken.
    fn strangers(&self) -> u64 {
        0
    }

    /// Frames that were overwritten before they were taken.
    fn lost(&self) -> u64 {
        0
    }

    /// When the last frame came that was received, as an instant of the monotonic clock, where that is known.
    fn arrived(&self, _frame: &Frame) -> Option<u64> {
        None
    }

    /// From now on a law of this process that crashes lets the other end know, where the link can.
    fn tell_crashes(&self) {}

    /// The signal by which the law of the other end has crashed, if that is known; 0 where it has ended its process.
    fn crashed(&self) -> Option<u64> {
        None
    }
}

impl<L: Link + ?Sized> Link for Box<L> {
    fn send(&mut self, frame: &Frame) -> io::Result<()> {
        (**self).send(frame)
    }

    fn receive(&mut self, frame: &mut Frame, until: u64) -> io::Result<bool> {
        (**self).receive(frame, until)
    }

    fn agree(&mut self, frame: &mut Frame, until: u64, take: &mut dyn FnMut(&Frame) -> bool) -> io::Result<bool> {
        (**self).agree(frame, until, take)
    }

    fn forget(&mut self) {
        (**self).forget();
    }

    fn strangers(&self) -> u64 {
        (**self).strangers()
    }

    fn lost(&self) -> u64 {
        (**self).lost()
    }

    fn arrived(&self, frame: &Frame) -> Option<u64> {
        (**self).arrived(frame)
    }

    fn tell_crashes(&self) {
        (**self).tell_crashes();
    }

    fn crashed(&self) -> Option<u64> {
        (**self).crashed()
    }
}
