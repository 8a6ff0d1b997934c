//! What is odd about a recording, and what of it no equation shall have.

use super::error::Doubt;
use super::layout::Layout;
use super::measure::{Columns, samples};
use crate::signals::{self, Spectrum};
use crate::thresholds::{ALIASED, BEYOND_LIMIT, CUT_OFF, MOST_EFFORT};
use appell::Robot;
use core::ops::Range;

/// Samples of a piece of a spectrum.
const PIECE: usize = 1024;

impl Layout {
    /// What is odd about the channels.
    pub(super) fn doubts(
        &self,
        rate: f64,
        joints: &[String],
        left_out: &[Range<usize>],
        columns: &Columns,
    ) -> Vec<Doubt> {
        let column = |name: &String| samples(columns, name);
        let mut doubts = Vec::new();
        let unread = self.unread(columns);
        if !unread.is_empty() {
            doubts.push(Doubt::Unread { columns: unread, joints: joints.len() });
        }
        for name in self.position.columns.iter().chain(&self.effort.columns) {
            // What is left out would look like noise.
            let mut signal = column(name).to_vec();
            for run in left_out.iter().filter(|run| run.start > 0 && self.effort.columns.contains(name)) {
                let before = signal[run.start - 1];
                signal[run.clone()].fill(before);
            }
            let part = Spectrum::of(&signal, rate, PIECE).map(|spectrum| spectrum.part_near_nyquist());
            if let Some(part) = part.ok().filter(|part| *part > ALIASED) {
                doubts.push(Doubt::Aliased { column: name.clone(), part });
            }
        }
        doubts
    }

    /// The columns with spikes of efforts put between their neighbours.
    pub(super) fn without_spikes(&self, columns: &Columns) -> (Vec<(String, Vec<f64>)>, Vec<Doubt>) {
        let (mut repaired, mut doubts) = (columns.to_vec(), Vec::new());
        for (name, signal) in repaired.iter_mut().filter(|(name, _)| self.effort.columns.contains(name)) {
            // What no sensor says is refused, not repaired.
            let spikes =
                if signal.iter().all(|x| x.abs() <= MOST_EFFORT) { signals::spikes(signal) } else { Vec::new() };
            if let Some(&first) = spikes.first() {
                let (row, value, samples) = (first + 1, signal[first], spikes.len());
                doubts.push(Doubt::Spikes { column: name.clone(), row, value, samples });
            }
            spikes.into_iter().for_each(|k| signal[k] = 0.5 * (signal[k - 1] + signal[k + 1]));
        }
        (repaired, doubts)
    }

    /// Samples that no equation shall have, and why.
    pub(super) fn left_out(&self, columns: &Columns) -> (Vec<Range<usize>>, Vec<Doubt>) {
        let (mut all, mut doubts) = (Vec::new(), Vec::new());
        for (k, name) in self.effort.columns.iter().enumerate() {
            let signal = samples(columns, name);
            let column = || name.clone();
            let first = |runs: &[Range<usize>]| runs.first().map(|first| (first.start + 1, signal[first.start]));
            let count = |runs: &[Range<usize>]| runs.iter().map(ExactSizeIterator::len).sum::<usize>();
            let limit = self.effort_limit.get(k).copied();
            let least = if limit.is_some() { CUT_OFF[0] } else { CUT_OFF[1] };
            let cut_off = signals::saturated(signal, limit, least);
            if let Some((row, value)) = first(&cut_off) {
                doubts.push(Doubt::Saturated { column: column(), row, value, samples: count(&cut_off) });
            }
            let is_new =
                |run: &Range<usize>| !cut_off.iter().any(|other| other.start <= run.start && run.end <= other.end);
            let dead: Vec<_> = signals::dead(signal).into_iter().filter(is_new).collect();
            if let Some((row, value)) = first(&dead).filter(|_| !self.accepted.constant.contains(name)) {
                doubts.push(Doubt::Dead { column: column(), row, value, samples: count(&dead) });
                all.extend(dead);
            }
            all.extend(cut_off);
        }
        (all, doubts)
    }

    /// Efforts that a joint cannot have by the robot's file.
    pub(super) fn beyond_limits(&self, robot: &Robot, joints: &[String], effort: &[Vec<f64>]) -> Vec<Doubt> {
        let mut doubts = Vec::new();
        for (k, drive) in robot.drives().iter().enumerate() {
            let limit = drive.limits.effort;
            let reaches = effort[k].iter().fold(0.0, |most: f64, x| most.max(x.abs()));
            let column = self.effort.columns[k].clone();
            if limit > 0.0 && reaches > BEYOND_LIMIT * limit && !self.accepted.unit.contains(&column) {
                doubts.push(Doubt::BeyondLimit { joint: joints[k].clone(), column, reaches, limit });
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
