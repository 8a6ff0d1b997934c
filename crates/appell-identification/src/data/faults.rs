//! What is odd about a recording, and what of it no equation shall have.

use super::error::{DataError, Doubt};
use super::layout::Layout;
use super::measurement::{Columns, Measurement};
use super::motion::merged;
use super::tracks::Tracks;
use crate::signals::{self, Spectrum};
use crate::thresholds::{ALIASED, BEYOND_LIMIT, CUT_OFF, MOST_LEFT_OUT};
use appell::Robot;
use core::ops::Range;
use std::borrow::Cow;

/// Samples of a piece of a spectrum.
const PIECE: usize = 1024;

/// Runs of samples, channel by channel.
pub(super) type Runs = Vec<Vec<Range<usize>>>;

impl Layout {
    /// What is odd about the channels.
    pub(super) fn doubts(
        &self,
        tracks: &Tracks<'_>,
        efforts: &[Cow<'_, [f64]>],
        left_out: &Runs,
        columns: &Columns,
    ) -> Vec<Doubt> {
        let mut doubts = Vec::new();
        let unread = self.unread(columns);
        if !unread.is_empty() {
            doubts.push(Doubt::Unread { columns: unread, joints: self.position.columns.len() });
        }
        let mut look = |name: &String, signal: &[f64]| {
            let part =
                Spectrum::of(signal, tracks.instants(name).rate(), PIECE).map(|spectrum| spectrum.part_near_nyquist());
            if let Some(part) = part.ok().filter(|part| *part > ALIASED) {
                doubts.push(Doubt::Aliased { column: name.clone(), part });
            }
        };
        self.position.columns.iter().for_each(|name| look(name, &tracks.samples(name)));
        for ((name, effort), runs) in self.effort.columns.iter().zip(efforts).zip(left_out) {
            // What is left out would look like noise.
            let mut effort = Cow::Borrowed(&**effort);
            for run in runs.iter().filter(|run| run.start > 0) {
                let before = effort[run.start - 1];
                effort.to_mut()[run.clone()].fill(before);
            }
            look(name, &effort);
        }
        doubts
    }

    /// The channels of efforts with spikes put between their neighbours.
    pub(super) fn without_spikes<'c>(&self, tracks: &Tracks<'c>) -> (Vec<Cow<'c, [f64]>>, Vec<Doubt>) {
        let (mut repaired, mut doubts) = (Vec::new(), Vec::new());
        for name in &self.effort.columns {
            let mut signal = tracks.samples(name);
            let spikes = signals::spikes(&signal);
            if let Some(&first) = spikes.first() {
                let (row, value, samples) = (tracks.row(name, first) + 1, signal[first], spikes.len());
                doubts.push(Doubt::Spikes { column: name.clone(), row, value, samples });
                let signal = signal.to_mut();
                spikes.into_iter().for_each(|k| signal[k] = 0.5 * (signal[k - 1] + signal[k + 1]));
            }
            repaired.push(signal);
        }
        (repaired, doubts)
    }

    /// Samples of each channel of efforts that no equation shall have, and why, before what else was found; refused where they are too many.
    pub(super) fn left_out(
        &self,
        tracks: &Tracks<'_>,
        efforts: &[Cow<'_, [f64]>],
        others: Vec<Doubt>,
    ) -> Result<(Runs, Vec<Doubt>), DataError> {
        let (mut all, mut doubts) = (Vec::new(), Vec::new());
        for (k, (name, signal)) in self.effort.columns.iter().zip(efforts).enumerate() {
            let column = || name.clone();
            let first = |runs: &[Range<usize>]| {
                runs.first().map(|first| (tracks.row(name, first.start) + 1, signal[first.start]))
            };
            let count = |runs: &[Range<usize>]| runs.iter().map(ExactSizeIterator::len).sum::<usize>();
            let limit = self.effort_limit.get(k).copied();
            let least = if limit.is_some() { CUT_OFF[0] } else { CUT_OFF[1] };
            let mut cut_off = signals::saturated(signal, limit, least);
            if let Some((row, value)) = first(&cut_off) {
                doubts.push(Doubt::Saturated { column: column(), row, value, samples: count(&cut_off) });
            }
            let is_new =
                |run: &Range<usize>| !cut_off.iter().any(|other| other.start <= run.start && run.end <= other.end);
            let dead: Vec<_> = signals::dead(signal).into_iter().filter(is_new).collect();
            if let Some((row, value)) = first(&dead).filter(|_| !self.accepted.constant.contains(name)) {
                doubts.push(Doubt::Dead { column: column(), row, value, samples: count(&dead) });
                cut_off.extend(dead);
            }
            all.push(merged(&cut_off));
        }
        doubts.extend(others);
        let names = || self.effort.columns.iter().zip(&all);
        for (own, (name, _)) in names().enumerate() {
            let together = names().filter(|(other, _)| tracks.number(other) == tracks.number(name));
            let runs = merged(&together.flat_map(|(_, runs)| runs.iter().cloned()).collect::<Vec<_>>());
            let (bad, samples) = (runs.iter().map(ExactSizeIterator::len).sum::<usize>(), efforts[own].len());
            if bad as f64 > MOST_LEFT_OUT * samples as f64 {
                return Err(DataError::LeftOut {
                    bad,
                    samples,
                    reasons: doubts.iter().map(ToString::to_string).collect(),
                });
            }
        }
        Ok((all, doubts))
    }

    /// Efforts that a joint cannot have by the robot's file.
    pub(super) fn beyond_limits(&self, robot: &Robot, pieces: &[Measurement]) -> Vec<Doubt> {
        let mut doubts = Vec::new();
        for (k, drive) in robot.drives().iter().enumerate() {
            let limit = drive.limits.effort;
            let reaches = pieces.iter().flat_map(|piece| &piece.effort[k]).fold(0.0, |most: f64, x| most.max(x.abs()));
            let column = self.effort.columns[k].clone();
            if limit > 0.0 && reaches > BEYOND_LIMIT * limit && !self.accepted.unit.contains(&column) {
                doubts.push(Doubt::BeyondLimit { joint: drive.name.to_owned(), column, reaches, limit });
            }
        }
        doubts
    }

    /// Columns named as those of positions and efforts, but for a number that none of these has: of joints the robot lacks.
    fn unread(&self, columns: &Columns) -> Vec<String> {
        let stem = |name: &str| {
            let stem = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
            (stem.len() < name.len() && !stem.is_empty()).then(|| stem.to_owned())
        };
        let known: Vec<String> =
            self.position.columns.iter().chain(&self.effort.columns).filter_map(|name| stem(name)).collect();
        let names = columns.iter().map(|(name, _)| name);
        let is_like = |name: &&String| {
            self.columns().all(|read| read != *name) && stem(name).is_some_and(|stem| known.contains(&stem))
        };
        names.filter(is_like).cloned().collect()
    }
}
