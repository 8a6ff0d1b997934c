//! The instants of a recorder's rows, which may be uneven, doubled or missing, and the even ones that filters and differences need.
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
//! Every piece goes onto its grid by a cubic spline of fourth order in the step (third at its ends). What that costs is measured by
//! the way back from the grid to the rows.

use super::SignalError;
use super::channel::{extremes, median};
use super::error::{finite, long_enough, positive_rate};
use crate::number::{counted, percent, rough, shown};
use crate::thresholds::{BRIDGED, GAP, JITTER, LEAST_SAMPLES, SMOOTHER};
use core::fmt;
use core::ops::Range;

/// Neighbours on each side that predict a sample.
const BESIDE: usize = 2;

/// Evenly sampled time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Clock {
    /// Between two samples on the average, s.
    pub step: f64,
    /// How far a step of the stamps is from that at worst, as a part of it.
    pub jitter: f64,
}

impl Clock {
    /// Samples a second, Hz.
    #[must_use]
    pub fn rate(&self) -> f64 {
        self.step.recip()
    }
}

/// The instants of rows, and how these get onto even ones.
///
/// ```
/// use appell_identification::signals::{Instants, SignalError};
///
/// // Every third sample is late, a row stands twice, and one is missing.
/// let times: Vec<f64> = (0..60).filter(|k| *k != 25).map(|k| 0.1 * f64::from(k) + if k % 3 == 0 { 0.03 } else { 0.0 }).collect();
/// let mut wave: Vec<f64> = times.iter().map(|t| t.sin()).collect();
/// let mut times = times;
/// times.insert(40, times[40]);
/// wave.insert(40, wave[40]);
/// let instants = Instants::of(&times, &[&wave], &[], None)?;
/// assert_eq!(instants.pieces(), 1);
/// let (even, grid) = (instants.on_grid(0, &wave, 0.0), instants.times(0));
/// assert!(grid.windows(2).all(|pair| (pair[1] - pair[0] - 0.1).abs() < 2e-3));
/// assert!(even.iter().zip(&grid).all(|(x, t)| (x - t.sin()).abs() < 2e-4));
/// # Ok::<(), SignalError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Instants {
    taken: Vec<f64>,           // when, s
    rows: Vec<Range<usize>>,   // the rows of each instant
    pieces: Vec<Range<usize>>, // instants without larger gaps
    clock: Clock,              // of the grid
    is_even: bool,             // the grid is that of the rows
    found: Found,
}

/// What was found about the stamps.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Found {
    jitter: f64,          // of the stamps within pieces, as a part of a step
    is_counted: bool,     // rows count, not stamps
    smoothness: [f64; 2], // what neighbours miss positions by, as a part of their range: stamped, counted
    doubled: usize,       // rows that stand twice
    joined: usize,        // other rows of one stamp
    bridged: [usize; 2],  // gaps, and samples missing in them
    longest: f64,         // the longest gap that ends a piece, s
    short: usize,         // rows in pieces that are too short
}

impl Instants {
    /// Of stamps, s, with the positions and all other channels that were recorded at them; `rate` is that of the grid, Hz, if it is
    /// not to be that of the rows.
    ///
    /// # Errors
    /// If there are fewer than three, one is not a number, time goes backwards, all pieces are too short, or the rate is not positive.
    ///
    /// # Panics
    /// If a channel has not as many samples.
    pub fn of(stamps: &[f64], positions: &[&[f64]], others: &[&[f64]], rate: Option<f64>) -> Result<Self, SignalError> {
        long_enough(stamps.len(), 3)?;
        finite(stamps)?;
        rate.map(positive_rate).transpose()?;
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
        let usual = median(of_single.windows(2).map(|pair| pair[1] - pair[0]).filter(|step| *step > 0.0));
        if usual <= 0.0 {
            return Err(SignalError::StandsStill { time: stamps[0] });
        }

        // Stretches without a missing sample, and the pieces that they make where little is missing between them.
        let ends = gaps(&of_single, usual);
        let bounds: Vec<usize> = [0].into_iter().chain(ends.iter().map(|k| k + 1)).chain([single.len()]).collect();
        let stretches: Vec<Range<usize>> = bounds.windows(2).map(|pair| pair[0]..pair[1]).collect();
        let slope = slope(&of_single, &stretches);
        let step_within = |range: &Range<usize>| {
            let steps = of_single[range.clone()].windows(2).map(|pair| ((pair[1] - pair[0]) / slope - 1.0).abs());
            steps.fold(0.0, f64::max)
        };
        let jitter = stretches.iter().map(step_within).fold(0.0, f64::max);

        // By stamps or by counting, as positions are smoother.
        let by_stamp = joined(single.len(), |k| of_single[k] == of_single[k - 1]);
        let by_stamp: Vec<Range<usize>> =
            by_stamp.iter().map(|group| single[group.start].start..single[group.end - 1].end).collect();
        let stamped: Vec<f64> = by_stamp.iter().map(|rows| stamps[rows.start]).collect();
        let mut by_count = Vec::with_capacity(single.len());
        for stretch in &stretches {
            let mean = |of: &dyn Fn(usize) -> f64| stretch.clone().map(of).sum::<f64>() / stretch.len() as f64;
            let begin = mean(&|k| of_single[k]) - slope * mean(&|k| (k - stretch.start) as f64);
            by_count.extend((0..stretch.len()).map(|k| begin + slope * k as f64));
        }
        // Lines through short stretches may overlap by a part of a step.
        let grows = by_count.windows(2).all(|pair| pair[1] > pair[0]);
        let smoothness = match jitter > JITTER {
            true => [(&stamped, &by_stamp), (&by_count, &single)]
                .map(|(times, rows)| roughness(times, rows, positions, (GAP + 1.0) * usual)),
            false => [0.0; 2],
        };
        let is_counted = jitter > JITTER && grows && smoothness[1] < SMOOTHER * smoothness[0];
        let joined = if is_counted { 0 } else { single.len() - by_stamp.len() };
        let (taken, rows) = if is_counted { (by_count, single) } else { (stamped, by_stamp) };

        // Pieces.
        let lost = |k: usize| (((taken[k + 1] - taken[k]) / usual).round() as usize).saturating_sub(1);
        let between: Vec<usize> = gaps(&taken, usual);
        let (bridged, cut): (Vec<usize>, Vec<usize>) = between.into_iter().partition(|&k| lost(k) <= BRIDGED);
        let bounds: Vec<usize> = [0].into_iter().chain(cut.iter().map(|k| k + 1)).chain([taken.len()]).collect();
        let all = bounds.windows(2).map(|pair| pair[0]..pair[1]);
        let (pieces, short): (Vec<_>, Vec<_>) = all.partition(|piece| cut.is_empty() || piece.len() >= LEAST_SAMPLES);
        long_enough(pieces.iter().map(ExactSizeIterator::len).max().unwrap_or(0), 3)?;
        let is_even = (jitter <= JITTER || is_counted) && (doubled + joined, bridged.len(), rate) == (0, 0, None);
        let found = Found {
            jitter,
            is_counted,
            smoothness,
            doubled,
            joined,
            bridged: [bridged.len(), bridged.iter().map(|&k| lost(k)).sum()],
            longest: cut.iter().map(|&k| taken[k + 1] - taken[k]).fold(0.0, f64::max),
            short: short.iter().flat_map(|piece| &rows[piece.clone()]).map(ExactSizeIterator::len).sum(),
        };
        let clock = Clock { step: rate.map_or(slope, f64::recip), jitter };
        Ok(Self { taken, rows, pieces, clock, is_even, found })
    }

    /// So many rows, each a step after the other, s.
    #[must_use]
    pub fn even(count: usize, step: f64) -> Self {
        Self {
            taken: (0..count).map(|k| k as f64 * step).collect(),
            rows: (0..count).map(|k| k..k + 1).collect(),
            pieces: core::iter::once(0..count).collect(),
            clock: Clock { step, jitter: 0.0 },
            is_even: true,
            found: Found::default(),
        }
    }

    /// The clock of the grid.
    #[must_use]
    pub fn clock(&self) -> Clock {
        self.clock
    }

    /// How many pieces there are.
    #[must_use]
    pub fn pieces(&self) -> usize {
        self.pieces.len()
    }

    /// The rows of a piece.
    #[must_use]
    pub fn rows(&self, piece: usize) -> Range<usize> {
        let Range { start, end } = self.pieces[piece];
        self.rows[start].start..self.rows[end - 1].end
    }

    /// The even instants of a piece, s.
    #[must_use]
    pub fn times(&self, piece: usize) -> Vec<f64> {
        let taken = &self.taken[self.pieces[piece].clone()];
        if self.is_even {
            return taken.to_vec();
        }
        let (step, [.., last]) = (self.clock.step, taken) else { unreachable!("a piece has samples") };
        // Rounding does not take the last one away.
        let count = ((last - taken[0]) / step + 1e-6) as usize + 1;
        (0..count).map(|k| (taken[0] + k as f64 * step).min(*last)).collect()
    }

    /// A channel that was recorded `delay` s late, at the even instants of a piece; its first or last value where there is none.
    ///
    /// # Panics
    /// If it has not as many samples as there were stamps.
    #[must_use]
    pub fn on_grid(&self, piece: usize, channel: &[f64], delay: f64) -> Vec<f64> {
        let values = self.values(piece, channel);
        if self.is_even && delay == 0.0 {
            return values;
        }
        let taken = &self.taken[self.pieces[piece].clone()];
        let within = |t: &f64| (t + delay).clamp(taken[0], taken[taken.len() - 1]);
        Spline::through(taken, values).at(&self.times(piece).iter().map(within).collect::<Vec<_>>())
    }

    /// Runs of rows as runs of samples of a piece, with what the spline carries them to, of channels that were recorded `delay` s late;
    /// and the samples at an end for which that leaves none.
    #[must_use]
    pub fn runs(&self, piece: usize, of_rows: &[Range<usize>], delay: f64) -> Vec<Range<usize>> {
        let count = self.times(piece).len();
        let piece = self.pieces[piece].clone();
        let (begin, step) = (self.taken[piece.start], self.clock.step);
        let instant = |row: usize| self.rows.partition_point(|rows| rows.end <= row);
        let place = |row: usize| (self.taken[instant(row).clamp(piece.start, piece.end - 1)] - begin - delay) / step;
        let reach = if self.is_even && delay == 0.0 { 0.0 } else { BESIDE as f64 };
        let run = |run: &Range<usize>| {
            let first = (place(run.start).round() - reach).max(0.0) as usize;
            let last = (place(run.end - 1).round() + reach).max(-1.0) + 1.0;
            first..(last as usize).min(count)
        };
        let own = self.rows[piece.start].start..self.rows[piece.end - 1].end;
        let of_rows = of_rows.iter().filter(|run| run.start < own.end && own.start < run.end).map(run);
        let without = ((delay.abs() / step).ceil() as usize).min(count);
        let at_end = if delay > 0.0 { count - without..count } else { 0..without };
        of_rows.chain([at_end]).filter(|run| !run.is_empty()).collect()
    }

    /// What is lost of a channel on the grid: the root of the mean square of what the way back to its rows misses.
    ///
    /// # Panics
    /// If it has not as many samples as there were stamps.
    #[must_use]
    pub fn error(&self, channel: &[f64]) -> f64 {
        let (mut squares, mut count) = (0.0, 0);
        for piece in (0..self.pieces.len()).filter(|_| !self.is_even) {
            let grid = self.times(piece);
            if grid.len() < 3 {
                continue;
            }
            let last = grid[grid.len() - 1];
            let taken = &self.taken[self.pieces[piece].clone()];
            let inside = taken.partition_point(|t| *t <= last);
            let back = Spline::through(&grid, self.on_grid(piece, channel, 0.0)).at(&taken[..inside]);
            let values = self.values(piece, channel);
            squares += back.iter().zip(values).map(|(back, x)| (back - x).powi(2)).sum::<f64>();
            count += inside;
        }
        if count > 0 { (squares / f64::from(count as u32)).sqrt() } else { 0.0 }
    }

    /// Whether the samples are others than the rows.
    #[must_use]
    pub fn is_interpolated(&self) -> bool {
        !self.is_even
    }

    /// The values at the instants of a piece.
    fn values(&self, piece: usize, channel: &[f64]) -> Vec<f64> {
        let rows = &self.rows[self.pieces[piece].clone()];
        rows.iter().map(|rows| mean(&channel[rows.clone()])).collect()
    }
}

impl fmt::Display for Instants {
    /// What was found about the stamps and what was done, in words; nothing where they are even.
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
            parts.push(format!(
                "cut at gaps of up to {} s into {}{short}",
                rough(longest),
                counted(self.pieces(), "piece")
            ));
        }
        if !self.is_even {
            parts.push(format!("put on even instants at {} Hz by a cubic spline", shown(round(self.clock.rate()))));
        }
        f.write_str(&parts.join("; "))
    }
}

fn counted_rows(count: usize) -> String {
    counted(count, "row")
}

/// Six digits of a rate.
fn round(x: f64) -> f64 {
    format!("{x:.5e}").parse().unwrap_or(x)
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

/// The steps in which samples are missing: long ones that short ones before or after do not make up for, as where a sample is late.
fn gaps(times: &[f64], usual: f64) -> Vec<usize> {
    let steps: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let is_gap = |k: &usize| {
        if steps[*k] <= GAP * usual {
            return false;
        }
        let many = (steps[*k] / usual).round().max(2.0) as usize;
        let whole = |steps: &mut dyn Iterator<Item = &f64>| -> f64 {
            let (mut sum, mut found) = (0.0, 0);
            steps.take(many).for_each(|step| (sum, found) = (sum + step, found + 1));
            sum + (many - found) as f64 * usual
        };
        let least = whole(&mut steps[*k..].iter()).min(whole(&mut steps[..=*k].iter().rev()));
        least > (many as f64 + GAP - 1.0) * usual
    };
    (0..steps.len()).filter(is_gap).collect()
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

/// What neighbours miss samples by, over the channels' ranges: the root of the mean square, as white noise counts.
fn roughness(times: &[f64], rows: &[Range<usize>], channels: &[&[f64]], widest: f64) -> f64 {
    let near = |window: &&[f64]| window.windows(2).all(|pair| pair[1] - pair[0] < widest);
    let many = 2 * BESIDE + 1;
    let range = |channel: &[f64]| {
        let [least, most] = extremes(channel);
        most - least
    };
    let channels: Vec<(&[f64], f64)> = channels.iter().map(|channel| (*channel, range(channel))).collect();
    let (mut sum, mut count) = (0.0, 0_u32);
    for (k, window) in times.windows(many).enumerate().filter(|(_, window)| near(window)) {
        let others = || (0..many).filter(|i| *i != BESIDE);
        let weight = |i: usize| {
            let rest = others().filter(|other| *other != i);
            rest.map(|other| (window[BESIDE] - window[other]) / (window[i] - window[other])).product::<f64>()
        };
        let weights: [f64; 2 * BESIDE + 1] = core::array::from_fn(|i| if i == BESIDE { 0.0 } else { weight(i) });
        let noise = 1.0 + weights.iter().map(|w| w * w).sum::<f64>();
        for (channel, range) in channels.iter().filter(|(_, range)| *range > 0.0) {
            let value = |i: usize| mean(&channel[rows[k + i].clone()]);
            let missed = value(BESIDE) - others().map(|i| weights[i] * value(i)).sum::<f64>();
            sum += (missed / range).powi(2) / noise;
            count += 1;
        }
    }
    if count > 0 { (sum / f64::from(count)).sqrt() } else { 0.0 }
}

/// A cubic spline, as curved at its ends as next to them: x″ of its knots from a tridiagonal system.
///
/// h_{i−1} x″_{i−1} + 2 (h_{i−1} + h_i) x″_i + h_i x″_{i+1} = 6 (Δx_i / h_i − Δx_{i−1} / h_{i−1}),   x″_0 = x″_1,   x″_n = x″_{n−1}
struct Spline<'t> {
    times: &'t [f64],
    values: Vec<f64>,
    curvatures: Vec<f64>,
}

impl<'t> Spline<'t> {
    fn through(times: &'t [f64], values: Vec<f64>) -> Self {
        let n = times.len();
        let h = |i: usize| times[i + 1] - times[i];
        let rise = |i: usize| (values[i + 1] - values[i]) / h(i);
        let (mut diagonal, mut curvatures) = (vec![1.0; n], vec![0.0; n]);
        for i in 1..n.saturating_sub(1) {
            let own = 2.0 * (h(i - 1) + h(i));
            let at_ends = if i == 1 { h(0) } else { 0.0 } + if i == n - 2 { h(i) } else { 0.0 };
            let factor = if i == 1 { 0.0 } else { h(i - 1) / diagonal[i - 1] };
            diagonal[i] = own + at_ends - factor * h(i - 1);
            curvatures[i] = 6.0 * (rise(i) - rise(i - 1)) - factor * curvatures[i - 1];
        }
        for i in (1..n.saturating_sub(1)).rev() {
            let next = if i + 2 < n { h(i) * curvatures[i + 1] } else { 0.0 };
            curvatures[i] = (curvatures[i] - next) / diagonal[i];
        }
        if n > 2 {
            (curvatures[0], curvatures[n - 1]) = (curvatures[1], curvatures[n - 2]);
        }
        Self { times, values, curvatures }
    }

    /// Its values at instants that grow.
    fn at(&self, instants: &[f64]) -> Vec<f64> {
        let mut k = 0;
        let value = |&t: &f64| {
            while k + 2 < self.times.len() && self.times[k + 1] < t {
                k += 1;
            }
            let h = self.times[k + 1] - self.times[k];
            let (a, b) = ((self.times[k + 1] - t) / h, (t - self.times[k]) / h);
            let bent = (a.powi(3) - a) * self.curvatures[k] + (b.powi(3) - b) * self.curvatures[k + 1];
            a * self.values[k] + b * self.values[k + 1] + bent * h * h / 6.0
        };
        instants.iter().map(value).collect()
    }
}

#[cfg(test)]
mod tests;
