//! Ctrl-C and termination during long work: the temporary file goes, then the program. Work that can end by itself is asked
//! first.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What shells expect of a program that a signal ended.
pub(crate) const EXIT_CODE: u8 = 130;

/// The file under writing. Whoever gives it its final name holds the lock meanwhile.
static TEMPORARY: Mutex<Option<PathBuf>> = Mutex::new(None);

/// The file to remove when a signal comes.
pub(crate) fn temporary() -> MutexGuard<'static, Option<PathBuf>> {
    TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether work ends by itself when it is asked to, with what it has come to.
static ENDS_BY_ITSELF: AtomicBool = AtomicBool::new(false);

/// Whether it was asked to.
static ASKED: AtomicBool = AtomicBool::new(false);

/// From now on a first signal asks the work to end by itself, and a second one ends the program.
pub(crate) fn ask_first() {
    ENDS_BY_ITSELF.store(true, Ordering::Relaxed);
}

/// Whether a signal has asked the work to end.
pub(crate) fn is_asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}

/// From now on a signal removes the temporary file before it ends the program, wherever that waits.
///
/// A job that was started to ignore a signal, as by `nohup`, keeps doing so; it then loses this service.
pub(crate) fn remove_on_signal(path: PathBuf) {
    *temporary() = Some(path);
    listen();
}

/// From now on signals are heard; without a file, and unless work ends by itself, they end the program as ever.
pub(crate) fn listen() {
    if signals_are_ignored() {
        return;
    }
    // Where no handler can be set, the system's own stays: it ends the program.
    let _ = ctrlc::set_handler(|| {
        if ENDS_BY_ITSELF.load(Ordering::Relaxed) && !ASKED.swap(true, Ordering::Relaxed) {
            return;
        }
        if let Some(path) = temporary().take() {
            let _ = std::fs::remove_file(path);
        }
        crate::output::note("error: interrupted; the file was not written");
        std::process::exit(i32::from(EXIT_CODE));
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
