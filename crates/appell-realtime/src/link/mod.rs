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

    /// Frames that came from somewhere else than the peer, and were not taken.
    fn strangers(&self) -> u64 {
        0
    }

    /// Frames that were overwritten before they were taken.
    fn lost(&self) -> u64 {
        0
    }
}
