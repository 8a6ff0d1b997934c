//! Long calls without a loop of their own here: another thread works, and this one looks whether Ctrl-C was pressed.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// How long Ctrl-C may take to be heard.
const PATIENCE: Duration = Duration::from_millis(50);

/// Memory of the thread's stack: recorded expressions are visited deep.
const STACK: usize = 64 << 20;

/// Says whether nobody waits for the answer any more.
#[derive(Clone, Default)]
pub(crate) struct Abandoned(Arc<AtomicBool>);

impl Abandoned {
    /// Whether to give up.
    pub(crate) fn get(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Lets `work` run while other threads of Python run, too. After Ctrl-C the call returns at once; work that does not look at
/// [`Abandoned`] goes on unseen, and its answer is dropped.
pub(crate) fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&Abandoned) -> T + Send + 'static,
) -> PyResult<T> {
    let (send, mut receive) = mpsc::sync_channel(1);
    let abandoned = Abandoned::default();
    let seen = abandoned.clone();
    let worker = thread::Builder::new().name("appell".into()).stack_size(STACK).spawn(move || {
        // Who gave up does not listen.
        let _ = send.send(work(&seen));
    })?;
    loop {
        let receive = &mut receive; // alone here, so that another thread may be given it
        let heard = py.detach(move || receive.recv_timeout(PATIENCE));
        match heard {
            Ok(answer) => return Ok(answer),
            Err(RecvTimeoutError::Timeout) => {
                if let Err(interrupt) = py.check_signals() {
                    abandoned.0.store(true, Ordering::Relaxed);
                    return Err(interrupt);
                }
            }
            Err(RecvTimeoutError::Disconnected) => {
                // It answers, or panics.
                let cause = worker.join().err();
                let text = cause.as_ref().and_then(|cause| cause.downcast_ref::<String>().cloned());
                let text =
                    text.or_else(|| cause.and_then(|cause| cause.downcast_ref::<&str>().map(ToString::to_string)));
                let text = text.unwrap_or_default();
                return Err(PyRuntimeError::new_err(format!("a fault of appell, please report it: {text}")));
            }
        }
    }
}
