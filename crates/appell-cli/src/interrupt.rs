//! Ctrl-C and termination during long work: temporary files go, then the program. Work that can end by itself is asked
//! first.
//!
//! A job that was started to ignore a signal, as by `nohup` or in the background of a script, keeps doing so. The
//! handler of the crate `ctrlc` takes all three signals at once, so that the others are waited for by a thread then.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// What shells expect of a program that a signal ended.
pub(crate) const EXIT_CODE: u8 = 130;

/// A second signal so soon after the first is the same request: `timeout` sends two, to its command and to the group that this is in.
const SAME_REQUEST: Duration = Duration::from_millis(500);

/// The files under writing, and those that shall not stay: sockets, shared memory. Whoever gives one its final name holds the lock meanwhile.
static TEMPORARY: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// The files to remove when a signal comes.
pub(crate) fn temporary() -> MutexGuard<'static, Vec<PathBuf>> {
    TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether work ends by itself when it is asked to, with what it has come to.
static ENDS_BY_ITSELF: AtomicBool = AtomicBool::new(false);

/// Whether it was asked to.
static ASKED: AtomicBool = AtomicBool::new(false);

/// When it was.
static ASKED_AT: OnceLock<Instant> = OnceLock::new();

/// From now on a first signal asks the work to end by itself, and a second one, half a second later or more, ends the program.
pub(crate) fn ask_first() {
    ENDS_BY_ITSELF.store(true, Ordering::Relaxed);
}

/// Whether a signal has asked the work to end.
pub(crate) fn is_asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}

/// From now on a signal removes the temporary file before it ends the program, wherever that waits.
pub(crate) fn remove_on_signal(path: PathBuf) {
    temporary().push(path);
    listen();
}

/// From now on signals are heard; without a file, and unless work ends by itself, they end the program as ever.
pub(crate) fn listen() {
    if ignored() == 0 {
        // Where no handler can be set, the system's own stays: it ends the program.
        let _ = ctrlc::set_handler(hear);
    }
}

/// A signal has come.
fn hear() {
    let mut what = "the file was not written";
    if ENDS_BY_ITSELF.load(Ordering::Relaxed) {
        ASKED.store(true, Ordering::Relaxed);
        if ASKED_AT.get_or_init(Instant::now).elapsed() < SAME_REQUEST {
            return;
        }
        what = "twice, so that it ends at once";
    }
    remove_files();
    let _ = writeln!(io::stderr(), "error: interrupted; {what}");
    std::process::exit(i32::from(EXIT_CODE));
}

/// Removes the files that shall not stay where the program ends in the middle of its work.
pub(crate) fn remove_files() {
    for path in temporary().drain(..) {
        let _ = std::fs::remove_file(path);
    }
}

/// Files that go with the program, however a signal ends it: for as long as this lives, whose owner removes them in the end.
#[cfg(target_os = "linux")]
pub(crate) struct Passing(Vec<PathBuf>);

#[cfg(target_os = "linux")]
impl Passing {
    pub(crate) fn new(paths: impl IntoIterator<Item = PathBuf>) -> Self {
        let paths: Vec<PathBuf> = paths.into_iter().collect();
        temporary().extend(paths.iter().cloned());
        Self(paths)
    }
}

#[cfg(target_os = "linux")]
impl Drop for Passing {
    fn drop(&mut self) {
        temporary().retain(|path| !self.0.contains(path));
    }
}

/// Before the first thread is made: where some signals are ignored, the others are held back from all threads and heard
/// by one of its own.
#[cfg(target_os = "linux")]
pub(crate) fn prepare() {
    use nix::sys::signal::{SigSet, Signal};
    let ignored = ignored();
    if ignored == 0 {
        return;
    }
    let mut heard = SigSet::empty();
    for signal in [Signal::SIGHUP, Signal::SIGINT, Signal::SIGTERM] {
        if ignored & bit(signal as u32) == 0 {
            heard.add(signal);
        }
    }
    // Where they cannot be held back they end the program as ever.
    if heard.iter().next().is_some() && heard.thread_block().is_ok() {
        std::thread::spawn(move || {
            while heard.wait().is_ok() {
                hear();
            }
        });
    }
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn prepare() {}

/// A signal's place in the kernel's masks.
const fn bit(signal: u32) -> u64 {
    1 << (signal - 1)
}

/// Which of the signals the program was started to ignore, as a mask; known on Linux only.
fn ignored() -> u64 {
    const HANGUP_INTERRUPT_TERMINATE: u64 = bit(1) | bit(2) | bit(15);
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask & HANGUP_INTERRUPT_TERMINATE
}
