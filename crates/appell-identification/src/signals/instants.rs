//! The instants of a recorder's rows, which may be uneven, doubled or missing.
//!
//! | what | what becomes of it |
//! |---|---|
//! | rows that stand twice, alike in all numbers | one of them is left out |
//! | uneven stamps | taken as they are, or rows are counted: by whichever the positions are smoother |
//! | other rows of one stamp | their mean, unless rows are counted |
//! | some samples missing | bridged by the spline |
//! | more of them | the recording is cut into pieces there |
//!
//! Recorders stamp a row when they come to write it, which may be long after its samples were taken; others take samples late. So a
//! position is predicted by its four neighbours (Lagrange), with either of the two times, and the one that misses it by less is
//! taken: misses are divided by what white noise would make of them, 1 + Σ w², so that noise prefers none.
//!
//! What is recorded at instants of its own, as torques by another device, has such instants beside these; a [`Grid`](super::Grid) is even
//! and has all of them.

use super::SignalError;
use super::channel::{extremes, median};
use super::error::{finite, long_enough};
use crate::number::{counted, percent, rough};
use crate::thresholds::{BRIDGED, GAP, JITTER, LEAST_SAMPLES, SMOOTHER};
use core::fmt;
use core::ops::Range;

/// Neighbours on each side that predict a sample,
const BESIDE: usize = 2;
/// how many samples they are apart: next to each other noise may be all that there is,
const STRIDES: [usize; 3] = [1, 4, 16];
/// and how many samples are predicted at most.
const PREDICTED: usize = 100_000;
/// Rows on each side of a gap of which none is late, or all are.
const BESIDE_GAP: usize = 20;

/// Evenly sampled time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Clock {
    /// Between two samples on the average, s.
    pub step: f64,
    /// How far a step of the stamps is from that at worst, as a part of it.
    pub jitter: f64,
    /// Between two samples, on the average, of what was recorded most slowly, s.
    pub slowest: f64,
}

impl Clock {
    /// Of channels that were all recorded together, evenly.
    #[must_use]
    pub fn even(step: f64) -> Self {
        Self { step, jitter: 0.0, slowest: step }
    }

    /// Samples a second, Hz.
    #[must_use]
    pub fn rate(&self) -> f64 {
        self.step.recip()
    }
}

/// The instants at which some channels were recorded together.
///
/// ```
/// use appell_identification::signals::{Grid, Instants, SignalError};
///
/// // Every third sample is late, a row stands twice, and one is missing.
/// let times: Vec<f64> = (0..60).filter(|k| *k != 25).map(|k| 0.1 * f64::from(k) + if k % 3 == 0 { 0.03 } else { 0.0 }).collect();
/// let mut wave: Vec<f64> = times.iter().map(|t| t.sin()).collect();
/// let mut times = times;
/// times.insert(40, times[40]);
/// wave.insert(40, wave[40]);
/// let grid = Grid::of(vec![Instants::of(&times, &[&wave], &[])?], None)?;
/// assert_eq!(grid.pieces(), 1);
/// let (even, instants) = (grid.values(0, 0, &wave, 0.0), grid.times(0));
/// assert!(instants.windows(2).all(|pair| (pair[1] - pair[0] - 0.1).abs() < 2e-3));
/// assert!(even.iter().zip(instants).all(|(x, t)| (x - t.sin()).abs() < 2e-4));
/// # Ok::<(), SignalError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Instants {
    pub(super) taken: Vec<f64>,           // when, s
    pub(super) rows: Vec<Range<usize>>,   // the rows of each instant
    pub(super) pieces: Vec<Range<usize>>, // instants without larger gaps
    pub(super) step: f64,                 // on the average, s
    pub(super) is_even: bool,             // as it is
    pub(super) found: Found,
}

/// What was found about stamps.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Found {
    pub(super) jitter: f64,          // of the stamps within pieces, as a part of a step
    pub(super) is_counted: bool,     // rows count, not stamps
    pub(super) smoothness: [f64; 2], // what neighbours miss positions by, as a part of their range: stamped, counted
    pub(super) doubled: usize,       // rows that stand twice
    pub(super) joined: usize,        // other rows of one stamp
    pub(super) bridged: [usize; 2],  // gaps, and samples missing in them
    pub(super) longest: f64,         // the longest gap that ends a piece, s
    pub(super) short: usize,         // rows in pieces that are too short
}

impl Instants {
    /// Of stamps, s, with the positions and all other channels that were recorded at them.
    ///
    /// # Errors
    /// If there are fewer than three, one is not a number, time goes backwards, or all pieces are too short.
    ///
    /// # Panics
    /// If a channel has not as many samples.
    pub fn of(stamps: &[f64], positions: &[&[f64]], others: &[&[f64]]) -> Result<Self, SignalError> {
        long_enough(stamps.len(), 3)?;
        finite(stamps)?;
        assert!(positions.iter().chain(others).all(|channel| channel.len() == stamps.len()), "one sample per stamp");
        if let Some(k) = stamps.windows(2).position(|pair| pair[1] < pair[0]) {
            return Err(SignalError::Backwards { row: k + 2, time: stamps[k + 1], before: stamps[k] });
        }
        let is_twice = |k: usize| {
            stamps[k] == stamps[k - 1] && positions.iter().chain(others).all(|channel| channel[k] == channel[k - 1])
        };
        let single = joined(stamps.len(), is_twice);
        let doubled = stamps.len() - single.len();
        let of_single: Vec<f64> = single.iter().map(|rows| stamps[rows.start]).collect();
        let by_stamp = joined(single.len(), |k| of_single[k] == of_single[k - 1]);
        let stamped: Vec<f64> = by_stamp.iter().map(|group| of_single[group.start]).collect();

        // Rows by counting, with the step in the middle, or the mean one: in bursts the first is too short, with larger gaps the second too long.
        let (middle, last) = (usual(&of_single)?, of_single.len() - 1);
        let mean = (of_single[last] - of_single[0]) / last as f64;
        let mut tried = vec![Counted::new(&of_single, middle)];
        if (mean / middle - 1.0).abs() > JITTER {
            tried.push(Counted::new(&of_single, mean));
        }

        // By stamps or by counting, as positions are smoother, where they differ most.
        let each: Vec<Range<usize>> = (0..single.len()).map(|k| k..k + 1).collect();
        let (mut taken_by, mut smoothness) = (0, [0.0; 2]);
        for (k, counted) in tried.iter().enumerate().filter(|(_, own)| own.jitter > JITTER && own.grows()) {
            for stride in STRIDES {
                let found = [(&stamped, &by_stamp), (&counted.times, &each)]
                    .map(|(times, groups)| roughness(times, (groups, &single), positions, &counted.stretches, stride));
                let contrast =
                    |[stamped, counted]: [f64; 2]| if stamped > 0.0 { (counted / stamped).ln().abs() } else { 0.0 };
                if contrast(found) > contrast(smoothness) {
                    (taken_by, smoothness) = (k, found);
                }
            }
        }
        let is_counted = smoothness[1] < SMOOTHER * smoothness[0];
        let Counted { usual, slope, jitter, times, .. } = tried.swap_remove(if is_counted { taken_by } else { 0 });
        let joined = if is_counted { 0 } else { single.len() - by_stamp.len() };
        let (taken, rows) = match is_counted {
            true => (times, single),
            false => {
                let rows = |group: &Range<usize>| single[group.start].start..single[group.end - 1].end;
                (stamped, by_stamp.iter().map(rows).collect())
            }
        };
        let found = Found { jitter, is_counted, smoothness, doubled, joined, ..Found::default() };
        Self::in_pieces(taken, rows, [slope, usual], jitter <= JITTER || is_counted, found)
    }

    /// The same of channels that have samples in some of the rows alone, which grow; these are counted from 0 then.
    ///
    /// # Errors
    /// As [`Instants::of`].
    pub fn part(&self, rows: &[usize]) -> Result<Self, SignalError> {
        let of_rows = |rows_of: &Range<usize>| {
            let first = rows.partition_point(|row| *row < rows_of.start);
            first..first + rows[first..].partition_point(|row| *row < rows_of.end)
        };
        let (taken, own): (Vec<f64>, Vec<Range<usize>>) = self
            .taken
            .iter()
            .zip(&self.rows)
            .map(|(t, rows)| (*t, of_rows(rows)))
            .filter(|(_, rows)| !rows.is_empty())
            .unzip();
        long_enough(taken.len(), 3)?;
        let usual = usual(&taken)?;
        let stretches = stretches(&taken, usual);
        let slope = slope(&taken, &stretches);
        let is_regular = jitter(&taken, &stretches, slope) <= JITTER;
        // How uneven the stamps are is told of all together.
        Self::in_pieces(taken, own, [slope, usual], is_regular, Found::default())
    }

    /// The pieces of instants whose steps are so long on the average, and usually.
    fn in_pieces(
        taken: Vec<f64>,
        rows: Vec<Range<usize>>,
        [step, usual]: [f64; 2],
        is_regular: bool,
        found: Found,
    ) -> Result<Self, SignalError> {
        let lost = |k: usize| (((taken[k + 1] - taken[k]) / usual).round() as usize).saturating_sub(1);
        let between: Vec<usize> = gaps(&taken, usual);
        let (bridged, cut): (Vec<usize>, Vec<usize>) = between.into_iter().partition(|&k| lost(k) <= BRIDGED);
        let bounds: Vec<usize> = [0].into_iter().chain(cut.iter().map(|k| k + 1)).chain([taken.len()]).collect();
        let all = bounds.windows(2).map(|pair| pair[0]..pair[1]);
        let (pieces, short): (Vec<_>, Vec<_>) = all.partition(|piece| cut.is_empty() || piece.len() >= LEAST_SAMPLES);
        if pieces.is_empty() {
            return Err(SignalError::Scattered {
                longest: short.iter().map(ExactSizeIterator::len).max().unwrap_or(0),
            });
        }
        long_enough(pieces.iter().map(ExactSizeIterator::len).max().unwrap_or(0), 3)?;
        let is_even = is_regular && found.doubled + found.joined + bridged.len() == 0;
        let found = Found {
            bridged: [bridged.len(), bridged.iter().map(|&k| lost(k)).sum()],
            longest: cut.iter().map(|&k| taken[k + 1] - taken[k]).fold(0.0, f64::max),
            short: short.iter().flat_map(|piece| &rows[piece.clone()]).map(ExactSizeIterator::len).sum(),
            ..found
        };
        Ok(Self { taken, rows, pieces, step, is_even, found })
    }

    /// So many rows, each a step after the other, s.
    #[must_use]
    pub fn even(count: usize, step: f64) -> Self {
        Self {
            taken: (0..count).map(|k| k as f64 * step).collect(),
            rows: (0..count).map(|k| k..k + 1).collect(),
            pieces: core::iter::once(0..count).collect(),
            step,
            is_even: true,
            found: Found::default(),
        }
    }

    /// Samples a second, Hz.
    #[must_use]
    pub fn rate(&self) -> f64 {
        self.step.recip()
    }

    /// The rows of each piece.
    pub fn pieces(&self) -> impl Iterator<Item = Range<usize>> {
        self.pieces.iter().map(|piece| self.rows[piece.start].start..self.rows[piece.end - 1].end)
    }

    /// When a piece begins and ends, s.
    pub(super) fn span(&self, piece: usize) -> [f64; 2] {
        let Range { start, end } = self.pieces[piece];
        [self.taken[start], self.taken[end - 1]]
    }

    /// The values at the instants of a piece.
    pub(super) fn values(&self, piece: usize, channel: &[f64]) -> Vec<f64> {
        let rows = &self.rows[self.pieces[piece].clone()];
        rows.iter().map(|rows| mean(&channel[rows.clone()])).collect()
    }
}

impl fmt::Display for Instants {
    /// What was found about the stamps, in words; nothing where they are even.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Found { jitter, is_counted, smoothness, doubled, joined, bridged, longest, short } = self.found;
        let mut parts = Vec::new();
        if jitter > JITTER {
            let [stamped, counted] = smoothness.map(rough);
            let taken = if is_counted { "rows are counted instead" } else { "taken as they are" };
            parts.push(format!(
                "stamps uneven by up to {} of a step, {taken} (neighbours predict positions to {counted} of their range by \
                 counting, {stamped} by stamps)",
                percent(jitter)
            ));
        }
        let counted_rows = |count: usize| counted(count, "row");
        if doubled > 0 {
            parts.push(format!("{} left out that stand twice", counted_rows(doubled)));
        }
        if joined > 0 {
            parts.push(format!("{} of one stamp joined with others", counted_rows(joined)));
        }
        if bridged[0] > 0 {
            parts.push(format!("{} missing in {} bridged", counted(bridged[1], "sample"), counted(bridged[0], "gap")));
        }
        if longest > 0.0 {
            let short =
                if short > 0 { format!(", {} in short ones left out", counted_rows(short)) } else { String::new() };
            let pieces = counted(self.pieces.len(), "piece");
            parts.push(format!("cut at gaps of up to {} s into {pieces}{short}", rough(longest)));
        }
        f.write_str(&parts.join("; "))
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// So many things in runs, each of which belongs to the one before it where that is said.
fn joined(count: usize, belongs: impl Fn(usize) -> bool) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::with_capacity(count);
    for k in 0..count {
        match runs.last_mut().filter(|_| belongs(k)) {
            Some(run) => run.end = k + 1,
            None => runs.push(k..k + 1),
        }
    }
    runs
}

/// The steps in which samples are missing: long ones that short ones before or after do not make up for, as where a sample is late, and after which no row is as
/// early as before, as where many are late.
fn gaps(times: &[f64], usual: f64) -> Vec<usize> {
    let steps: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let mut found = Vec::new();
    for k in (0..steps.len()).filter(|&k| steps[k] > GAP * usual) {
        let many = (steps[k] / usual).round().max(2.0) as usize;
        let whole = |steps: &mut dyn Iterator<Item = &f64>| -> f64 {
            let (mut sum, mut found) = (0.0, 0);
            steps.take(many).for_each(|step| (sum, found) = (sum + step, found + 1));
            sum + (many - found) as f64 * usual
        };
        let least = whole(&mut steps[k..].iter()).min(whole(&mut steps[..=k].iter().rev()));
        let late = |row: usize| times[row] - times[k] - usual * (row as f64 - k as f64);
        let earliest = |rows: Range<usize>| rows.map(late).fold(f64::INFINITY, f64::min);
        let last = found.last().map_or(0, |gap| gap + 1);
        let before = earliest(last.max((k + 1).saturating_sub(BESIDE_GAP))..k + 1);
        let after = earliest(k + 1..times.len().min(k + 1 + BESIDE_GAP));
        if least > (many as f64 + GAP - 1.0) * usual && after - before > (GAP - 1.0) * usual {
            found.push(k);
        }
    }
    found
}

/// Rows by counting.
struct Counted {
    usual: f64, // the step by which gaps are told, s
    stretches: Vec<Range<usize>>,
    slope: f64,      // the step that fits all stretches, s
    jitter: f64,     // of the stamps, as a part of it
    times: Vec<f64>, // even within stretches
}

impl Counted {
    /// Of stamps, s, with such a step.
    fn new(stamps: &[f64], usual: f64) -> Self {
        let stretches = stretches(stamps, usual);
        let slope = slope(stamps, &stretches);
        let mut times = Vec::with_capacity(stamps.len());
        for stretch in &stretches {
            let mean = |of: &dyn Fn(usize) -> f64| stretch.clone().map(of).sum::<f64>() / stretch.len() as f64;
            let begin = mean(&|k| stamps[k]) - slope * mean(&|k| (k - stretch.start) as f64);
            times.extend((0..stretch.len()).map(|k| begin + slope * k as f64));
        }
        Self { usual, jitter: jitter(stamps, &stretches, slope), stretches, slope, times }
    }

    /// Lines through short stretches may overlap by a part of a step.
    fn grows(&self) -> bool {
        self.times.windows(2).all(|pair| pair[1] > pair[0])
    }
}

/// The step in the middle of all that are any.
fn usual(times: &[f64]) -> Result<f64, SignalError> {
    let usual = median(times.windows(2).map(|pair| pair[1] - pair[0]).filter(|step| *step > 0.0));
    if usual > 0.0 { Ok(usual) } else { Err(SignalError::StandsStill { time: times[0] }) }
}

/// Samples between which none is missing.
fn stretches(times: &[f64], usual: f64) -> Vec<Range<usize>> {
    let ends = gaps(times, usual);
    let bounds: Vec<usize> = [0].into_iter().chain(ends.iter().map(|k| k + 1)).chain([times.len()]).collect();
    bounds.windows(2).map(|pair| pair[0]..pair[1]).collect()
}

/// How far a step is from the mean one at worst, as a part of it.
fn jitter(times: &[f64], stretches: &[Range<usize>], step: f64) -> f64 {
    let off = |stretch: &Range<usize>| {
        let steps = times[stretch.clone()].windows(2).map(|pair| ((pair[1] - pair[0]) / step - 1.0).abs());
        steps.fold(0.0, f64::max)
    };
    stretches.iter().map(off).fold(0.0, f64::max)
}

/// The step that fits all stretches best, by least squares.
fn slope(times: &[f64], stretches: &[Range<usize>]) -> f64 {
    let (mut above, mut below) = (0.0, 0.0);
    for stretch in stretches {
        let (middle, level) = (0.5 * (stretch.len() - 1) as f64, mean(&times[stretch.clone()]));
        for (k, t) in times[stretch.clone()].iter().enumerate() {
            above += (k as f64 - middle) * (t - level);
            below += (k as f64 - middle).powi(2);
        }
    }
    above / below
}

/// What neighbours miss samples by, over the channels' ranges: the root of the mean square, as white noise counts; of groups of rows, each at an
/// instant, within stretches.
fn roughness(
    times: &[f64],
    (groups, rows): (&[Range<usize>], &[Range<usize>]),
    channels: &[&[f64]],
    stretches: &[Range<usize>],
    stride: usize,
) -> f64 {
    let is_whole = |from: usize, to: usize| {
        let own = stretches.partition_point(|stretch| stretch.end <= groups[from].start);
        groups[to].end <= stretches[own].end
    };
    let range = |channel: &[f64]| {
        let [least, most] = extremes(channel);
        most - least
    };
    let channels: Vec<(&[f64], f64)> = channels.iter().map(|channel| (*channel, range(channel))).collect();
    let (mut sum, mut count) = (0.0, 0_u32);
    let (reach, every) = (2 * BESIDE * stride, times.len().div_ceil(PREDICTED).max(1));
    for from in (0..times.len().saturating_sub(reach)).step_by(every).filter(|&from| is_whole(from, from + reach)) {
        let at = |i: usize| from + i * stride;
        let others = || (0..=2 * BESIDE).filter(|i| *i != BESIDE);
        let weight = |i: usize| {
            let rest = others().filter(|other| *other != i);
            rest.map(|other| (times[at(BESIDE)] - times[at(other)]) / (times[at(i)] - times[at(other)]))
                .product::<f64>()
        };
        let weights: [f64; 2 * BESIDE + 1] = core::array::from_fn(|i| if i == BESIDE { 0.0 } else { weight(i) });
        let noise = 1.0 + weights.iter().map(|w| w * w).sum::<f64>();
        for (channel, range) in channels.iter().filter(|(_, range)| *range > 0.0) {
            let value = |i: usize| {
                let group = &groups[at(i)];
                mean(&channel[rows[group.start].start..rows[group.end - 1].end])
            };
            let missed = value(BESIDE) - others().map(|i| weights[i] * value(i)).sum::<f64>();
            sum += (missed / range).powi(2) / noise;
            count += 1;
        }
    }
    if count > 0 { (sum / f64::from(count)).sqrt() } else { 0.0 }
}

#[cfg(test)]
mod tests;
