//! How long the parts of a period take, in words and bars: for the report, the terminal, the operator's page.

use appell_drawing::listing::short;
use appell_realtime::timing::{Summary, Times, Timings};

/// Of some timings, one kind of times.
type Kind = fn(&Timings) -> &Times;

/// The kinds of times: what they are called, in JSON as well, and where they are.
pub(crate) const KINDS: [(&str, &str, Kind); 4] = [
    ("Wake-up", "wake_up", |timings| &timings.wake_up),
    ("Step", "step", |timings| &timings.step),
    ("Round trip", "round_trip", |timings| &timings.round_trip),
    ("Missed", "lost", |timings| &timings.lost),
];

/// A time, ns, in µs.
fn us(time: u64) -> String {
    format!("{} µs", short((time as f64 / 10.0).round() / 100.0))
}

/// The quantiles of some times.
pub(crate) fn quantiles(summary: &Summary) -> String {
    let Summary { median, p99, p99_9, longest, .. } = summary;
    format!("median {}, 99 % within {}, 99.9 % within {}, longest {}", us(*median), us(*p99), us(*p99_9), us(*longest))
}

/// The same where there is little room: to three digits.
pub(crate) fn in_short(summary: &Summary) -> String {
    let Summary { median, p99, p99_9, longest, .. } = summary;
    let time = |time: &u64| {
        let (time, unit) = if *time < 1_000_000 { (*time as f64 / 1e3, "µs") } else { (*time as f64 / 1e6, "ms") };
        let digits: f64 = format!("{time:.2e}").parse().unwrap_or(0.0);
        format!("{digits} {unit}")
    };
    [median, p99, p99_9, longest].map(time).join(" · ")
}

/// Lines with the bars of all kinds.
pub(crate) fn lines(timings: &Timings, places: usize) -> Vec<String> {
    let all = KINDS.map(|(name, _, times)| (name, times(timings).summary()));
    let line = |(name, summary): (&str, Summary)| {
        format!("{name:<11}{:<places$}  {}", summary.bars(places), quantiles(&summary))
    };
    all.into_iter().filter(|(_, summary)| summary.count > 0).map(line).collect()
}
