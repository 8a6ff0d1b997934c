//! What is reported of a run beyond that of a simulation: how long things took, what was counted.

use super::timings::{KINDS, quantiles};
use crate::report::{Facts, Plot};
use crate::trial::TIMINGS;
use appell_drawing::listing::short;
use appell_drawing::{Across, Curve, Look, Strip, strips};
use appell_realtime::hardware::Health;
use appell_realtime::log::Ended;
use appell_simulation::scenario::{Event, EventKind};
use serde_json::{Value, json};

/// What was counted in all, where it is not nothing. In lockstep nobody is late, and what is given again may come twice.
pub(super) fn counted(ended: &Ended, lockstep: bool) -> Vec<Event> {
    let Ended { t, timings, health, dropped, .. } = ended;
    let mut events = Vec::new();
    if !lockstep && [timings.missed, timings.without_sensors, *dropped].iter().any(|count| *count > 0) {
        let text = format!(
            "periods in all: {} missed, {} without sensors, {dropped} not logged",
            timings.missed, timings.without_sensors
        );
        events.push(Event::new(*t, EventKind::Missed, text).with_value(timings.missed as f64));
    }
    let repeated = if lockstep { 0 } else { health.stale + health.lost };
    let frames = health.corrupt + health.strangers + repeated;
    if frames > 0 {
        let text = format!("frames in all: {}", not_taken(health));
        events.push(Event::new(*t, EventKind::Frames, text).with_value(frames as f64));
    }
    events
}

/// Frames that came and were not taken, or that were overwritten.
fn not_taken(health: &Health) -> String {
    let Health { corrupt, strangers, stale, lost, .. } = health;
    format!("{corrupt} damaged, {strangers} of strangers, {stale} stale, {lost} lost")
}

/// In a line each.
pub(super) fn facts(ended: &Ended, lockstep: bool, wall: f64) -> Facts {
    let timings = &ended.timings;
    let mut facts = Vec::new();
    if lockstep {
        let rate = ended.samples as f64 / wall;
        facts.push(("Lockstep", format!("{} periods, {} a second", ended.samples, short(rate.round()))));
    }
    for (name, _, times) in KINDS {
        let summary = times(timings).summary();
        if summary.count > 0 {
            facts.push((name, quantiles(&summary)));
        }
    }
    if !lockstep {
        facts.push((
            "Periods",
            format!(
                "{}; {} missed, {} without sensors, {} not logged",
                ended.samples, timings.missed, timings.without_sensors, ended.dropped
            ),
        ));
    }
    if ended.health != Health::default() {
        facts.push(("Frames", not_taken(&ended.health)));
    }
    facts
}

/// As JSON.
pub(super) fn as_json(ended: &Ended) -> Value {
    let mut value = json!({
        "samples": ended.samples,
        "fault_code": ended.trip.as_ref().map(|trip| trip.fault.kind.code()),
        "fault": ended.trip.as_ref().map(|trip| trip.fault.kind.name()),
        "reason": ended.reason,
        "not_logged": ended.dropped,
        "corrupt": ended.health.corrupt,
        "strangers": ended.health.strangers,
        "stale": ended.health.stale,
    });
    if let (Value::Object(all), Value::Object(timings)) = (&mut value, ended.timings.to_json()) {
        all.extend(timings);
    }
    value
}

/// The histograms, one below the other.
pub(super) fn plot(ended: &Ended, title: &str) -> Plot {
    let summaries = KINDS.map(|(name, _, times)| (name, times(&ended.timings).summary()));
    let mut ends: Vec<u64> = summaries.iter().flat_map(|(_, summary)| &summary.steps).map(|(to, _)| *to).collect();
    ends.sort_unstable();
    ends.dedup();
    // A step is as wide as it is drawn: all grow by half.
    let places: Vec<f64> =
        ends.iter().flat_map(|&to| [to as f64 / 1.5, to as f64 * 0.999]).map(|to| to * 1e-3).collect();
    let heights = |steps: &[(u64, u64)]| {
        let count = |end: &u64| steps.iter().find(|(to, _)| to == end).map_or(0, |(_, count)| *count);
        ends.iter().flat_map(|end| [(count(end) as f64 + 1.0).log10(); 2]).collect::<Vec<f64>>()
    };
    let drawn: Vec<(&str, Vec<f64>)> = summaries
        .iter()
        .filter(|(_, summary)| summary.count > 0)
        .map(|(name, summary)| (*name, heights(&summary.steps)))
        .collect();
    let labels: Vec<String> =
        drawn.iter().map(|(name, _)| format!("lg (1 + periods), {}", name.to_lowercase())).collect();
    let panels: Vec<Strip<'_>> = drawn
        .iter()
        .zip(&labels)
        .map(|((name, values), label)| Strip { label, curves: vec![Curve { name, values }], look: Look::Alike })
        .collect();
    let across = Across { is_logarithmic: true, ..Across::even("µs", &places) };
    Plot {
        name: TIMINGS,
        caption: "How late wake-ups were, how long control steps and round trips took, for how long periods were missed at once: periods in steps that grow by half, on a logarithmic scale, \
                  so that the one that was late is seen."
            .into(),
        svg: strips(&format!("{title}: {TIMINGS}"), &across, &panels),
    }
}
