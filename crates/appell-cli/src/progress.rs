//! Progress on stderr, for people who wait: a bar on a terminal, from the second second on; in a log a line every ten
//! seconds.

use crate::output;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressStyle};
use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

/// The time from line to line of a log.
const LINE: Duration = Duration::from_secs(10);

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
    log: Option<Log>,
}

/// Where stderr is not a terminal: what is counted, since when, and when the next line is due.
struct Log {
    unit: &'static str,
    total: Option<u64>,
    start: Instant,
    due: Duration,
}

impl Log {
    /// The line that is due, if one is.
    fn line(&mut self, elapsed: Duration, done: u64) -> Option<String> {
        if elapsed < self.due {
            return None;
        }
        self.due = elapsed + LINE;
        let (unit, seconds) = (self.unit, elapsed.as_secs());
        Some(match self.total.filter(|&total| total > 0) {
            Some(total) => {
                let part = done as f64 / total as f64;
                let left = elapsed.as_secs_f64() * (1.0 - part) / part.max(1e-9);
                format!("{seconds} s: {done} of {total} {unit}, {:.0} %, about {left:.0} s left", 100.0 * part)
            }
            None => format!("{seconds} s: {done} {unit}"),
        })
    }
}

impl Progress {
    /// Starts the clock; the bar never shows where it would disturb.
    pub(crate) fn start(work: Work, disturbs: bool) -> Self {
        let (total, unit, template) = match work {
            Work::Bytes(total) => (Some(total), "bytes", "{wide_bar} {bytes}/{total_bytes}, {eta} left"),
            Work::States(total) => (Some(total), "states", "{wide_bar} {human_pos}/{human_len} states, {eta} left"),
            Work::Cells(total) => (Some(total), "cells", "{wide_bar} {human_pos}/{human_len} cells, {eta} left"),
            Work::Steps(total) => {
                (Some(total), "steps at most", "{wide_bar} {human_pos}/{human_len} steps, {eta} left at most")
            }
            Work::Milliseconds(total) => {
                (Some(total), "ms simulated", "{wide_bar} {human_pos}/{human_len} ms simulated, {eta} left")
            }
            Work::Rows => (None, "rows", "{spinner} {human_pos} rows"),
        };
        let style = ProgressStyle::with_template(template).expect("the templates above are valid");
        let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::hidden());
        let bar = bar.with_style(style).with_finish(ProgressFinish::AndClear);
        let start = Instant::now();
        let log = (!io::stderr().is_terminal()).then_some(Log { unit, total, start, due: LINE });
        Self { bar, hidden_since: (!disturbs).then_some(start), log }
    }

    /// Reports progress.
    pub(crate) fn reach(&mut self, done: u64) {
        self.bar.set_position(done);
        if self.hidden_since.is_some_and(|start| start.elapsed() > Duration::from_secs(1)) {
            self.hidden_since = None;
            self.bar.set_draw_target(ProgressDrawTarget::stderr()); // draws nothing but on a terminal
        }
        if let Some(log) = &mut self.log
            && let Some(line) = log.line(log.start.elapsed(), done)
        {
            output::note(line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_has_a_line_every_ten_seconds() {
        let seconds = Duration::from_secs;
        let mut log = Log { unit: "ms simulated", total: Some(200), start: Instant::now(), due: LINE };
        assert_eq!(log.line(seconds(9), 40), None);
        assert_eq!(log.line(seconds(12), 50).unwrap(), "12 s: 50 of 200 ms simulated, 25 %, about 36 s left");
        assert_eq!(log.line(seconds(21), 90), None);
        assert!(log.line(seconds(22), 100).unwrap().starts_with("22 s: 100 of 200"));
        let mut rows = Log { unit: "rows", total: None, start: Instant::now(), due: LINE };
        assert_eq!(rows.line(seconds(10), 7).unwrap(), "10 s: 7 rows");
    }
}
