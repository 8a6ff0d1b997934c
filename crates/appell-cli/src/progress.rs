//! Progress on stderr, for people who wait: from the second second on, and only on a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressStyle};
use std::time::{Duration, Instant};

/// How much there is to do, in which unit.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Work {
    /// Bytes of a file.
    Bytes(u64),
    /// Random states.
    States(u64),
    /// Cells of a map.
    Cells(u64),
    /// Steps of a search, at most.
    Steps(u64),
    /// Simulated time, in ms.
    Milliseconds(u64),
    /// Rows of an input whose end is not known.
    Rows,
}

/// A bar that stays hidden while the work may be short. It vanishes when it is dropped.
pub(crate) struct Progress {
    bar: ProgressBar,
    hidden_since: Option<Instant>,
}

impl Progress {
    /// Starts the clock; the bar never shows where it would disturb.
    pub(crate) fn start(work: Work, disturbs: bool) -> Self {
        let (total, template) = match work {
            Work::Bytes(total) => (Some(total), "{wide_bar} {bytes}/{total_bytes}, {eta} left"),
            Work::States(total) => (Some(total), "{wide_bar} {human_pos}/{human_len} states, {eta} left"),
            Work::Cells(total) => (Some(total), "{wide_bar} {human_pos}/{human_len} cells, {eta} left"),
            Work::Steps(total) => (Some(total), "{wide_bar} {human_pos}/{human_len} steps, {eta} left at most"),
            Work::Milliseconds(total) => (Some(total), "{wide_bar} {human_pos}/{human_len} ms simulated, {eta} left"),
            Work::Rows => (None, "{spinner} {human_pos} rows"),
        };
        let style = ProgressStyle::with_template(template).expect("the templates above are valid");
        let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::hidden());
        let bar = bar.with_style(style).with_finish(ProgressFinish::AndClear);
        Self { bar, hidden_since: (!disturbs).then(Instant::now) }
    }

    /// Tells how much is done.
    pub(crate) fn reach(&mut self, done: u64) {
        self.bar.set_position(done);
        if self.hidden_since.is_some_and(|start| start.elapsed() > Duration::from_secs(1)) {
            self.hidden_since = None;
            self.bar.set_draw_target(ProgressDrawTarget::stderr()); // draws nothing but on a terminal
        }
    }
}
