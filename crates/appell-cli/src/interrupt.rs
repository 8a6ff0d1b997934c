//! Ctrl-C during long work: stop between two rows, so that temporary files are removed and no result is half written.

use std::sync::atomic::{AtomicBool, Ordering};

static REQUESTED: AtomicBool = AtomicBool::new(false);

/// The work was interrupted by the user or the system.
#[derive(Debug, thiserror::Error)]
#[error("interrupted; nothing was written to a file")]
pub(crate) struct Interrupted;

/// From now on Ctrl-C and termination are noted instead of ending the program at once. A second one ends it.
pub(crate) fn listen() {
    // Where no handler can be set, the system's own stays: it ends the program.
    let _ = ctrlc::set_handler(|| {
        if REQUESTED.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(EXIT_CODE));
        }
    });
}

/// An error once the user asked to stop.
pub(crate) fn check() -> Result<(), Interrupted> {
    if REQUESTED.load(Ordering::Relaxed) { Err(Interrupted) } else { Ok(()) }
}

/// What shells expect of a program that Ctrl-C ended.
pub(crate) const EXIT_CODE: u8 = 130;
