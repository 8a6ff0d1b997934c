//! Timings in the terminal, while a run goes on.

use super::timings::lines;
use appell_drawing::listing::short;
use appell_realtime::log::Entry;
use appell_realtime::timing::Live;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// From picture to picture of a terminal; to the first block of a log, and from block to block.
const TERMINAL: Duration = Duration::from_millis(500);
const FIRST: Duration = Duration::from_secs(1);
const LOG: Duration = Duration::from_secs(10);

/// Places of the bars.
const PLACES: usize = 24;

/// What shows them, in the thread that logs.
pub(super) struct Show {
    live: Live,
    is_terminal: bool,
    shown: Instant,
    lines: usize, // that stand there
    t: f64,
    periods: u64,
}

impl Show {
    /// On stderr.
    pub(super) fn new(live: Live) -> Self {
        Self { live, is_terminal: io::stderr().is_terminal(), shown: Instant::now(), lines: 0, t: 0.0, periods: 0 }
    }

    /// Hears of a period.
    pub(super) fn note(&mut self, entry: &Entry) {
        (self.t, self.periods) = (entry.sensors.t, self.periods + 1);
    }

    /// Shows what there is, if it is time.
    pub(super) fn show(&mut self) {
        let after = match self.lines {
            _ if self.is_terminal => TERMINAL,
            0 => FIRST,
            _ => LOG,
        };
        if self.shown.elapsed() < after {
            return;
        }
        self.shown = Instant::now();
        let text = self.text();
        let lines = text.lines().count();
        let mut out = io::stderr().lock();
        if self.is_terminal && self.lines > 0 {
            let _ = write!(out, "\x1b[{}A\x1b[J", self.lines); // over what stands there
        }
        let _ = out.write_all(text.as_bytes()); // if it is closed there is nobody who looks
        self.lines = lines;
    }

    fn text(&self) -> String {
        let timings = self.live.timings();
        let first = format!(
            "t = {} s: {} periods, {} missed, {} without sensors",
            short((1e3 * self.t).round() / 1e3),
            self.periods,
            timings.missed,
            timings.without_sensors
        );
        let all = [first].into_iter().chain(lines(&timings, PLACES));
        all.map(|line| line + "\n").collect()
    }
}
