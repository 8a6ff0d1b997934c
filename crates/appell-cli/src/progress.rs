//! Progress on stderr, for people who wait: from the second second on, and only on a terminal.

use indicatif::{ProgressBar, ProgressFinish, ProgressStyle};
use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

/// How much there is to do, in which unit.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Work {
    /// Bytes of a file.
    Bytes(u64),
    /// Random states.
    States(u64),
    /// Rows of an input whose end is not known.
    Rows,
}

/// A bar that does not exist yet while the work may be short.
pub(crate) struct Progress {
    work: Work,
    started: Instant,
    wanted: bool,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// Starts the clock. A bar would only disturb where `quiet`, or without a terminal.
    pub(crate) fn start(work: Work, quiet: bool) -> Self {
        Self { work, started: Instant::now(), wanted: !quiet && io::stderr().is_terminal(), bar: None }
    }

    /// Tells how much is done.
    pub(crate) fn reach(&mut self, done: u64) {
        if !self.wanted {
            return;
        }
        if self.bar.is_none() && self.started.elapsed() > Duration::from_secs(1) {
            self.bar = Some(self.work.bar());
        }
        if let Some(bar) = &self.bar {
            bar.set_position(done);
        }
    }
}

impl Work {
    /// A bar that vanishes when it is dropped.
    fn bar(self) -> ProgressBar {
        let (bar, template) = match self {
            Self::Bytes(total) => (ProgressBar::new(total), "{wide_bar} {bytes}/{total_bytes}, {eta} left"),
            Self::States(total) => (ProgressBar::new(total), "{wide_bar} {pos}/{len} states, {eta} left"),
            Self::Rows => (ProgressBar::new_spinner(), "{spinner} {human_pos} rows, {per_sec}"),
        };
        let style = ProgressStyle::with_template(template).expect("the templates above are valid");
        bar.with_style(style).with_finish(ProgressFinish::AndClear)
    }
}
