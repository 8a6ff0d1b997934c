//! The columns of a table as channels, each with the samples that it has and the instants at which they were taken.
//!
//! A channel has no sample in a row where its cell is empty, and its column of time is that of its section. Channels with samples in the same rows at the
//! same stamps were recorded together: they are a track. One whose rows are some of those of another track of the same stamps has the instants of
//! that, whether stamps are taken there or rows are counted; others have instants of their own, as the rows of another device between those
//! of the first.

use super::error::DataError;
use super::layout::{Channels, Layout, Time};
use super::measurement::{Columns, samples};
use crate::number::shown;
use crate::signals::{Grid, Instants, SignalError};
use crate::thresholds::{LEAST_SAMPLES, SHORT_STEP};
use core::ops::Range;
use std::borrow::Cow;

/// What a table recorded, and the even instants for all of it.
pub(super) struct Tracks<'c> {
    columns: &'c Columns,
    all: Vec<Track<'c>>,
    grid: Grid,
}

/// Channels that were recorded together.
struct Track<'c> {
    /// Their column of time; none where rows are counted.
    stamps: Option<&'c str>,
    /// The rows, where they are not all up to `count`.
    rows: Option<Vec<usize>>,
    count: usize,
    channels: Vec<&'c str>,
}

impl<'c> Tracks<'c> {
    /// The channels of some sections, of which the first are positions.
    pub(super) fn of(layout: &'c Layout, sections: &[&'c Channels], columns: &'c Columns) -> Result<Self, DataError> {
        let count = rows(layout, sections, columns);
        let mut all: Vec<Track<'c>> = Vec::new();
        for section in sections {
            let stamps = layout.stamps(section);
            // Two columns of the same stamps are one.
            let is_same = |other: &&Track<'_>| {
                other.stamps.zip(stamps).is_some_and(|(one, two)| samples(columns, one) == samples(columns, two))
            };
            let stamps = all.iter().find(is_same).map_or(stamps, |same| same.stamps);
            for name in &section.columns {
                let channel = &samples(columns, name)[..count];
                let filled = || (0..count).filter(|&k| !channel[k].is_nan());
                let found = filled().count();
                if found < LEAST_SAMPLES {
                    return Err(DataError::Sparse { column: name.clone(), found, rows: count, least: LEAST_SAMPLES });
                }
                let rows: Option<Vec<usize>> = (found < count).then(|| filled().collect());
                match all.iter_mut().find(|track| track.stamps == stamps && track.rows == rows) {
                    Some(track) => track.channels.push(name),
                    None => all.push(Track { stamps, rows, count, channels: vec![name] }),
                }
            }
        }
        let instants = instants(layout, columns, &all)?;
        let rate = match layout.time {
            Time::Column { rate, .. } => rate,
            Time::Rate(_) => None,
        };
        let of_all = || all.iter().filter_map(|track| track.stamps).collect::<Vec<_>>().join("`, `");
        let grid = Grid::of(instants, rate).map_err(|source| DataError::Time { column: of_all(), source })?;
        Ok(Self { columns, all, grid })
    }

    /// The even instants.
    pub(super) fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The samples of a channel.
    pub(super) fn samples(&self, name: &str) -> Cow<'c, [f64]> {
        let (track, channel) = (&self.all[self.number(name)], samples(self.columns, name));
        track.part(channel)
    }

    /// The row of a channel's sample, both counted from 0.
    pub(super) fn row(&self, name: &str, sample: usize) -> usize {
        self.all[self.number(name)].rows.as_ref().map_or(sample, |rows| rows[sample])
    }

    /// The instants of a channel's samples.
    pub(super) fn instants(&self, name: &str) -> &Instants {
        self.grid.recorded(self.number(name))
    }

    /// Samples of a channel at the even instants of a piece, recorded `delay` s late.
    pub(super) fn values(&self, piece: usize, name: &str, samples: &[f64], delay: f64) -> Vec<f64> {
        self.grid.values(piece, self.number(name), samples, delay)
    }

    /// Runs of a channel's samples as runs of the even instants of a piece.
    pub(super) fn runs(&self, piece: usize, name: &str, runs: &[Range<usize>], delay: f64) -> Vec<Range<usize>> {
        self.grid.runs(piece, self.number(name), runs, delay)
    }

    /// What a channel loses on the way to the even instants.
    pub(super) fn error(&self, name: &str, samples: &[f64]) -> f64 {
        self.grid.error(self.number(name), samples)
    }

    /// Whether channels were recorded together, by their number.
    pub(super) fn number(&self, name: &str) -> usize {
        self.all.iter().position(|track| track.channels.contains(&name)).expect("a channel of the layout")
    }

    /// What was found about the stamps and done about them, in words; nothing where they are even.
    pub(super) fn told(&self, layout: &Layout) -> String {
        let mut parts = Vec::new();
        for (number, track) in self.all.iter().enumerate() {
            let recorded = self.grid.recorded(number);
            let found = recorded.to_string();
            if self.all.len() > 1 {
                let by = track.stamps.map_or(String::new(), |stamps| format!(" by `{stamps}`"));
                let found = if found.is_empty() { found } else { format!(", {found}") };
                parts.push(format!("{} at {} Hz{by}{found}", track.named(layout), shown(round(recorded.rate()))));
            } else if !found.is_empty() {
                parts.push(found);
            }
        }
        if self.grid.is_interpolated() {
            parts.push(format!(
                "put on even instants at {} Hz by a cubic spline",
                shown(round(self.grid.clock().rate()))
            ));
        }
        parts.join("; ")
    }
}

impl Track<'_> {
    /// Its part of a column.
    fn part<'c>(&self, column: &'c [f64]) -> Cow<'c, [f64]> {
        match &self.rows {
            None => Cow::Borrowed(&column[..self.count]),
            Some(rows) => rows.iter().map(|&row| column[row]).collect(),
        }
    }

    fn len(&self) -> usize {
        self.rows.as_ref().map_or(self.count, Vec::len)
    }

    /// The places of another's rows among its own, if it has all of them.
    fn places(&self, other: &Self) -> Option<Vec<usize>> {
        let others = || other.rows.as_ref().map_or_else(|| (0..other.count).collect(), Clone::clone).into_iter();
        match &self.rows {
            None => Some(others().collect()),
            Some(rows) => others().map(|row| rows.binary_search(&row).ok()).collect(),
        }
    }

    /// Its channels in words.
    fn named(&self, layout: &Layout) -> String {
        let words = ["positions", "velocities", "torques and forces"];
        let sections = [Some(&layout.position), layout.velocity.as_ref(), Some(&layout.effort)];
        let has = |name: &String| self.channels.contains(&name.as_str());
        let mut named = Vec::new();
        for (word, section) in words.into_iter().zip(sections).filter_map(|(word, section)| Some((word, section?))) {
            match section.columns.iter().all(has) {
                true => named.push(word.to_owned()),
                false => named.extend(section.columns.iter().filter(|name| has(name)).map(|name| format!("`{name}`"))),
            }
        }
        named.join(", ")
    }
}

/// How many rows count: all, but for a last one that is not whole, where a recorder was stopped while it wrote, or that is sooner than others, as our own tables
/// have it, which end where the motion does.
fn rows(layout: &Layout, sections: &[&Channels], columns: &Columns) -> usize {
    let names = || sections.iter().flat_map(|section| &section.columns);
    let count = names().next().map_or(0, |name| samples(columns, name).len());
    let is_sooner = |name: &str| match samples(columns, name) {
        [.., before, last, end] => end > last && end - last < SHORT_STEP * (last - before),
        _ => false,
    };
    let is_whole = |name: &String| samples(columns, name)[..count - 1].iter().all(|x| !x.is_nan());
    let is_last_missing = || names().any(|name| samples(columns, name)[count - 1].is_nan()) && names().all(is_whole);
    let is_short = sections.iter().filter_map(|section| layout.stamps(section)).any(is_sooner);
    if is_short || is_last_missing() { count - 1 } else { count }
}

/// The instants of tracks: those with most rows first, of which others are parts.
fn instants(layout: &Layout, columns: &Columns, all: &[Track<'_>]) -> Result<Vec<Instants>, DataError> {
    let mut found: Vec<Option<Instants>> = vec![None; all.len()];
    let mut order: Vec<usize> = (0..all.len()).collect();
    order.sort_by_key(|&k| core::cmp::Reverse(all[k].len()));
    for k in order {
        let track = &all[k];
        let wider = (0..all.len()).filter(|&other| all[other].stamps == track.stamps);
        let wider = wider.filter_map(|other| Some((found[other].as_ref()?, all[other].places(track)?))).next();
        let own = match (wider, &layout.time, track.stamps) {
            (Some((whole, places)), ..) => whole.part(&places),
            (None, Time::Rate(rate), _) => {
                let even = Instants::even(track.count, rate.recip());
                track.rows.as_ref().map_or_else(|| Ok(even.clone()), |rows| even.part(rows))
            }
            (None, Time::Column { unit, .. }, stamps) => {
                let column = samples(columns, stamps.unwrap_or_default());
                let row = |sample: usize| track.rows.as_ref().map_or(sample, |rows| rows[sample]);
                if let Some(row) = (0..track.len()).map(row).find(|&row| !column[row].is_finite()) {
                    let name = stamps.unwrap_or_default().to_owned();
                    return Err(DataError::NotFinite { column: name, row: row + 1, value: column[row] });
                }
                let stamps: Vec<f64> = track.part(column).iter().map(|t| t * unit.in_si).collect();
                let channels: Vec<(bool, Cow<'_, [f64]>)> = track
                    .channels
                    .iter()
                    .map(|name| {
                        (layout.position.columns.iter().any(|own| own == name), track.part(samples(columns, name)))
                    })
                    .collect();
                // Where there are no positions, what there is.
                let has_positions = channels.iter().any(|(is_position, _)| *is_position);
                let of = |wanted: bool| {
                    channels
                        .iter()
                        .filter(move |(own, _)| (*own || !has_positions) == wanted)
                        .map(|(_, channel)| &**channel)
                        .collect::<Vec<_>>()
                };
                Instants::of(&stamps, &of(true), &of(false)).map_err(|error| match error {
                    SignalError::Backwards { row: sample, time, before } => {
                        SignalError::Backwards { row: row(sample - 1) + 1, time, before }
                    }
                    other => other,
                })
            }
        };
        let column = || track.stamps.unwrap_or_default().to_owned();
        found[k] = Some(own.map_err(|source| DataError::Time { column: column(), source })?);
    }
    Ok(found.into_iter().flatten().collect())
}

/// Six digits of a rate.
fn round(x: f64) -> f64 {
    format!("{x:.5e}").parse().unwrap_or(x)
}
