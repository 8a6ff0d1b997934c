//! Ctrl-C and termination during long work: the temporary file goes, then the program.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What shells expect of a program that a signal ended.
const EXIT_CODE: i32 = 130;

/// The file under writing. Whoever gives it its final name holds the lock meanwhile.
static TEMPORARY: Mutex<Option<PathBuf>> = Mutex::new(None);

/// The file to remove when a signal comes.
pub(crate) fn temporary() -> MutexGuard<'static, Option<PathBuf>> {
    TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From now on a signal removes the temporary file before it ends the program, wherever that waits.
///
/// A job that was started to ignore a signal, as by `nohup`, keeps doing so; it then loses this service.
pub(crate) fn remove_on_signal(path: PathBuf) {
    *temporary() = Some(path);
    if signals_are_ignored() {
        return;
    }
    // Where no handler can be set, the system's own stays: it ends the program.
    let _ = ctrlc::set_handler(|| {
        if let Some(path) = temporary().take() {
            let _ = std::fs::remove_file(path);
        }
        crate::output::note("error: interrupted; the file was not written");
        std::process::exit(EXIT_CODE);
    });
}

/// Whether the program was started with one of the signals ignored; known on Linux only.
fn signals_are_ignored() -> bool {
    const HANGUP_INTERRUPT_TERMINATE: u64 = 1 << 0 | 1 << 1 | 1 << 14;
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask & HANGUP_INTERRUPT_TERMINATE != 0
}
