//! Long calls without a loop of their own here: another thread works, and this one looks whether Ctrl-C was pressed, and says how far the
//! work is.

use core::ops::ControlFlow;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// How long Ctrl-C may take to be heard.
const PATIENCE: Duration = Duration::from_millis(50);

/// Memory of the thread's stack: recorded expressions are visited deep.
const STACK: usize = 64 << 20;

/// What the thread that works says, how far it is, and hears, whether anybody waits for the answer.
#[derive(Clone, Default)]
pub(crate) struct Waiting(Arc<Shared>);

#[derive(Default)]
struct Shared {
    abandoned: AtomicBool,
    done: AtomicU64, // how much of how much
    of: AtomicU64,
}

impl Waiting {
    /// Whether to give up.
    pub(crate) fn is_over(&self) -> bool {
        self.0.abandoned.load(Ordering::Relaxed)
    }

    /// Says how much of how much is done, and hears whether to go on.
    pub(crate) fn reach(&self, done: usize, of: usize) -> ControlFlow<()> {
        self.0.of.store(of as u64, Ordering::Relaxed);
        self.0.done.store(done as u64, Ordering::Relaxed);
        if self.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Tells a function of Python.
    fn tell(&self, pulse: &Bound<'_, PyAny>) -> PyResult<()> {
        let [done, of] = [&self.0.done, &self.0.of].map(|number| number.load(Ordering::Relaxed));
        pulse.call1((done, of)).map(|_| ())
    }
}

/// Lets `work` run while other threads of Python run, too. `pulse` is a function of Python that is told how
/// much of how much is done. After Ctrl-C the call
/// returns at once; work that does not look at [`Waiting`] goes on unseen, and its answer is dropped.
pub(crate) fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    pulse: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Waiting) -> T + Send + 'static,
) -> PyResult<T> {
    let (send, mut receive) = mpsc::sync_channel(1);
    let waiting = Waiting::default();
    let seen = waiting.clone();
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
                let told = || pulse.map_or(Ok(()), |pulse| waiting.tell(pulse));
                if let Err(interrupt) = py.check_signals().and_then(|()| told()) {
                    waiting.0.abandoned.store(true, Ordering::Relaxed);
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
