//! Closing a law or boards of somebody's at the end of a run: that, too, may not come back.

use super::logging::end_what_hangs;
use appell_realtime::log::Busy;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// Closes something within some time, s; else the program ends, and says whose call it is.
pub(super) fn within(seconds: f64, whose: Busy, close: impl FnOnce()) {
    let (done, ends) = mpsc::channel::<()>();
    let (begin, most) = (Instant::now(), Duration::from_secs_f64(seconds));
    thread::spawn(move || {
        if ends.recv_timeout(most) == Err(RecvTimeoutError::Timeout) {
            end_what_hangs(whose, begin.elapsed());
        }
    });
    close();
    drop(done);
}
