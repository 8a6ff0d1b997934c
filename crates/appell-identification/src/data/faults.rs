//! What is odd about a recording, and what of it no equation shall have.

use super::error::Doubt;
use super::layout::Layout;
use super::measure::{LEAST, MOST, Measurement, samples};
use crate::parameters::Robot;
use crate::signals::{self, ALIASED, Spectrum};
use appell::description::JointKind;
use core::ops::Range;

/// Efforts beyond this many times the limit of the robot's file are told.
const BEYOND_LIMIT: f64 = 2.0;

/// Efforts this near to it, over it, in more than this part of the samples, look cut off there.
const NEAR_LIMIT: f64 = 0.05;
const AT_LIMIT: f64 = 0.05;

/// Samples in a row at a known limit that are cut off, and at a channel's own highest or lowest value.
const CUT_OFF: [usize; 2] = [3, 20];

/// A part of a recording in which a channel must not stand still while others move.
const STILL: f64 = 0.05;

/// A joint moves that changes by this part of its range.
const MOVES: f64 = 0.02;

/// Samples of a piece of a spectrum.
const PIECE: usize = 1024;

/// Jitter of time that is worth telling, as a part of a step.
const JITTER: f64 = 0.02;

/// A joint that turns so many times as far as all others, or less far by that, of at least so many others, may be in another unit.
const RANGE: f64 = 4.0;
const OTHERS: usize = 3;

impl Layout {
    /// What is odd about the channels.
    pub(super) fn doubts(&self, measured: &Measurement, columns: &[(String, Vec<f64>)]) -> Vec<Doubt> {
        let column = |name: &String| samples(columns, name);
        let mut doubts = Vec::new();
        let unread = self.unread(columns);
        if !unread.is_empty() {
            doubts.push(Doubt::Unread { columns: unread, joints: measured.joints.len() });
        }
        if measured.clock.jitter > JITTER {
            doubts.push(Doubt::Jitter { jitter: measured.clock.jitter });
        }
        let samples = measured.time.len();
        let least = ((STILL * samples as f64) as usize).max(LEAST);
        for name in self.position.columns.iter().chain(&self.effort.columns) {
            // Rest at the beginning and at the end is usual; while others move it is not.
            let inside = |run: &Range<usize>| run.start > 0 && run.end < samples;
            let others = self.position.columns.iter().filter(|other| *other != name);
            let moves = |other: &[f64], run: &Range<usize>| {
                let [least, most] = signals::extremes(other);
                (other[run.end - 1] - other[run.start]).abs() > MOVES * (most - least)
            };
            let others_move = |run: &Range<usize>| others.clone().any(|other| moves(column(other), run));
            // A joint that is held comes to rest; a sensor stops in the middle of a motion.
            let is_abrupt = |run: &Range<usize>| signals::ends_abruptly(column(name), run);
            let runs = signals::stuck(column(name), least).into_iter();
            let runs = runs.filter(|run| inside(run) && others_move(run) && is_abrupt(run));
            if let Some(longest) = runs.max_by_key(ExactSizeIterator::len) {
                let (row, samples) = (longest.start + 1, longest.len());
                doubts.push(Doubt::Stuck { column: name.clone(), row, samples });
            }
        }
        for name in self.position.columns.iter().chain(&self.effort.columns) {
            // What is left out would look like noise.
            let mut signal = column(name).to_vec();
            for run in measured.left_out.iter().filter(|run| run.start > 0 && self.effort.columns.contains(name)) {
                let before = signal[run.start - 1];
                signal[run.clone()].fill(before);
            }
            let part = Spectrum::of(&signal, measured.clock.rate(), PIECE).map(|spectrum| spectrum.part_near_nyquist());
            if let Some(part) = part.ok().filter(|part| *part > ALIASED) {
                doubts.push(Doubt::Aliased { column: name.clone(), part });
            }
        }
        doubts
    }

    /// The columns with spikes of efforts put between their neighbours.
    pub(super) fn without_spikes(&self, columns: &[(String, Vec<f64>)]) -> (Vec<(String, Vec<f64>)>, Vec<Doubt>) {
        let (mut repaired, mut doubts) = (columns.to_vec(), Vec::new());
        for (name, signal) in repaired.iter_mut().filter(|(name, _)| self.effort.columns.contains(name)) {
            // What no sensor says is refused, not repaired.
            let spikes = if signal.iter().all(|x| x.abs() <= MOST) { signals::spikes(signal) } else { Vec::new() };
            if let Some(&first) = spikes.first() {
                let (row, value, samples) = (first + 1, signal[first], spikes.len());
                doubts.push(Doubt::Spikes { column: name.clone(), row, value, samples });
            }
            spikes.into_iter().for_each(|k| signal[k] = 0.5 * (signal[k - 1] + signal[k + 1]));
        }
        (repaired, doubts)
    }

    /// Samples that no equation shall have, and why.
    pub(super) fn left_out(&self, columns: &[(String, Vec<f64>)]) -> (Vec<Range<usize>>, Vec<Doubt>) {
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
    pub(super) fn beyond_limits(&self, robot: Robot<'_>, measured: &Measurement) -> Vec<Doubt> {
        let mut doubts = Vec::new();
        for (k, joint) in robot.measured().into_iter().enumerate() {
            let limit = robot.tree().limits()[joint].effort;
            let reaches = measured.effort[k].iter().fold(0.0, |most: f64, x| most.max(x.abs()));
            let column = self.effort.columns[k].clone();
            if limit > 0.0 && reaches > BEYOND_LIMIT * limit && !self.accepted.unit.contains(&column) {
                doubts.push(Doubt::BeyondLimit { joint: measured.joints[k].clone(), column, reaches, limit });
                continue;
            }
            let near = |x: &&f64| limit > 0.0 && (x.abs() / limit - 1.0).abs() < NEAR_LIMIT;
            let samples = measured.effort[k].iter().filter(near).count();
            if samples as f64 > AT_LIMIT * measured.time.len() as f64 {
                doubts.push(Doubt::AtLimit { joint: measured.joints[k].clone(), column, limit, samples });
            }
        }
        doubts
    }

    /// Joints that turn much farther, or less far, than all others.
    pub(super) fn odd_ranges(&self, robot: Robot<'_>, measured: &Measurement) -> Vec<Doubt> {
        let turning = robot.measured().into_iter().enumerate();
        let turning = turning.filter(|(_, joint)| robot.tree().links()[*joint].joint == JointKind::Revolute);
        let ranges: Vec<(usize, f64)> = turning
            .map(|(k, _)| (k, signals::extremes(&measured.q[k])))
            .map(|(k, [least, most])| (k, most - least))
            .filter(|(k, range)| *range > 0.0 && !self.accepted.constant.contains(&self.position.columns[*k]))
            .collect();
        let odd = |&(k, range): &(usize, f64)| {
            let column = self.position.columns[k].clone();
            let others: Vec<f64> = ranges.iter().filter(|other| other.0 != k).map(|other| other.1).collect();
            let [least, most] = signals::extremes(&others);
            // What would be small in degrees, too, is at rest.
            let is_small = RANGE * range < least && RANGE * range.to_degrees() > least;
            let is_odd = others.len() >= OTHERS && (range > RANGE * most || is_small);
            (is_odd && !self.accepted.unit.contains(&column)).then(|| Doubt::Range {
                joint: measured.joints[k].clone(),
                column,
                range,
                others: [least, most],
            })
        };
        ranges.iter().filter_map(odd).collect()
    }

    /// Columns named as those of positions and efforts, but for a number that none of these has: of joints the robot lacks.
    fn unread(&self, columns: &[(String, Vec<f64>)]) -> Vec<String> {
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
