//! Long work in a thread of its own, so that Ctrl-C is heard while it goes on.

use pyo3::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// How often Python is asked whether somebody wants no more.
const LOOK: Duration = Duration::from_millis(50);

/// Does some work without the interpreter; `work` may look at the flag, which says that nobody waits for it any more.
pub(crate) fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&AtomicBool) -> T + Send + 'static,
) -> PyResult<T> {
    let stop = Arc::new(AtomicBool::new(false));
    let (tell, hear) = channel();
    let heard = Arc::clone(&stop);
    let thread = std::thread::spawn(move || {
        let _ = tell.send(work(&heard)); // nobody hears it where it was interrupted
    });
    // A receiver belongs to one thread, and Python may hand this one's lock to another.
    let hear = std::sync::Mutex::new(hear);
    loop {
        let heard = py.detach(|| hear.lock().unwrap_or_else(std::sync::PoisonError::into_inner).recv_timeout(LOOK));
        match heard {
            Ok(result) => return Ok(result),
            Err(RecvTimeoutError::Timeout) => {
                if let Err(error) = py.check_signals() {
                    stop.store(true, Ordering::Relaxed);
                    return Err(error);
                }
            }
            Err(RecvTimeoutError::Disconnected) => {
                let message = match thread.join() {
                    Err(panic) => panic.downcast_ref::<String>().cloned().unwrap_or_else(|| "it ended early".into()),
                    Ok(()) => "it ended early".into(),
                };
                return Err(pyo3::exceptions::PyRuntimeError::new_err(format!(
                    "a fault of appell, please report it: {message}"
                )));
            }
        }
    }
}
