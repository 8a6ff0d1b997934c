//! Even instants for all channels, whenever each was recorded: filters and differences need them.
//!
//! The grid has the rate of what was recorded fastest, unless another is asked for, and pieces where all channels have samples. Channels come onto it
//! by a cubic spline of fourth order in the step (third at its ends). What that costs is measured by the way back from the grid to the
//! rows. Where all channels were recorded together and evenly, the grid is that of their rows, which stay as they are.

use super::SignalError;
use super::error::positive_rate;
use super::instants::{Clock, Instants};
use super::spline::Spline;
use crate::thresholds::{FINEST, LEAST_SAMPLES};
use core::ops::Range;

/// Samples on each side that a spline carries a fault to.
const CARRIED: f64 = 2.0;

/// Even instants, piece by piece, and the instants at which channels were recorded.
#[derive(Debug, Clone, PartialEq)]
pub struct Grid {
    recorded: Vec<Instants>,
    pieces: Vec<Piece>,
    clock: Clock,
    is_even: bool, // and is that of the rows
}

/// A piece of the grid.
#[derive(Debug, Clone, PartialEq)]
struct Piece {
    times: Vec<f64>,
    of: Vec<usize>, // the pieces of what was recorded
}

impl Grid {
    /// For channels that were recorded at these instants; at `rate`, Hz, if it is not to be that of the fastest.
    ///
    /// # Errors
    /// If they have no time in common, or the rate is not positive, or much higher than theirs.
    ///
    /// # Panics
    /// If there are no instants.
    pub fn of(recorded: Vec<Instants>, rate: Option<f64>) -> Result<Self, SignalError> {
        rate.map(positive_rate).transpose()?;
        let steps = || recorded.iter().map(|own| own.step);
        let finest = steps().fold(f64::INFINITY, f64::min);
        let step = rate.map_or(finest, f64::recip);
        if step * FINEST < finest {
            return Err(SignalError::TooFine { rate: step.recip(), recorded: finest.recip() });
        }
        let jitter = recorded.iter().map(|own| own.found.jitter).fold(0.0, f64::max);
        let clock = Clock { step, jitter, slowest: steps().fold(step, f64::max) };
        let is_even = rate.is_none() && recorded.len() == 1 && recorded[0].is_even;
        let first = &recorded[0];
        let mut spans: Vec<([f64; 2], Vec<usize>)> =
            (0..first.pieces.len()).map(|own| (first.span(own), vec![own])).collect();
        for other in &recorded[1..] {
            let before = core::mem::take(&mut spans);
            for ([begin, end], of) in before {
                for own in 0..other.pieces.len() {
                    let [from, to] = other.span(own);
                    let both = [begin.max(from), end.min(to)];
                    if both[1] - both[0] >= (LEAST_SAMPLES - 1) as f64 * step {
                        spans.push((both, [&of[..], &[own]].concat()));
                    }
                }
            }
        }
        if spans.is_empty() {
            let whole = |own: &Instants| [own.span(0)[0], own.span(own.pieces.len() - 1)[1]];
            let last = recorded.last().map_or([0.0; 2], whole);
            return Err(SignalError::NothingInCommon { first: whole(first), other: last });
        }
        let times = |[begin, end]: [f64; 2]| -> Vec<f64> {
            // Rounding does not take the last one away.
            let count = ((end - begin) / step + 1e-6) as usize + 1;
            (0..count).map(|k| (begin + k as f64 * step).min(end)).collect()
        };
        let piece = |(span, of): ([f64; 2], Vec<usize>)| match is_even {
            true => Piece { times: first.taken[first.pieces[of[0]].clone()].to_vec(), of },
            false => Piece { times: times(span), of },
        };
        let pieces = spans.into_iter().map(piece).collect();
        Ok(Self { pieces, clock, is_even, recorded })
    }

    /// Its clock.
    #[must_use]
    pub fn clock(&self) -> Clock {
        self.clock
    }

    /// How many pieces there are.
    #[must_use]
    pub fn pieces(&self) -> usize {
        self.pieces.len()
    }

    /// The even instants of a piece, s.
    #[must_use]
    pub fn times(&self, piece: usize) -> &[f64] {
        &self.pieces[piece].times
    }

    /// What was recorded together, by its number.
    #[must_use]
    pub fn recorded(&self, number: usize) -> &Instants {
        &self.recorded[number]
    }

    /// Whether the samples are others than the rows.
    #[must_use]
    pub fn is_interpolated(&self) -> bool {
        !self.is_even
    }

    /// A channel, of the instants of a number, that was recorded `delay` s late, at the even instants of a piece; its first or last value where there
    /// is none.
    ///
    /// # Panics
    /// If it has not as many samples as there were stamps.
    #[must_use]
    pub fn values(&self, piece: usize, number: usize, channel: &[f64], delay: f64) -> Vec<f64> {
        let (recorded, Piece { times, of }) = (&self.recorded[number], &self.pieces[piece]);
        let values = recorded.values(of[number], channel);
        if self.is_even && delay == 0.0 {
            return values;
        }
        let taken = &recorded.taken[recorded.pieces[of[number]].clone()];
        let within = |t: &f64| (t + delay).clamp(taken[0], taken[taken.len() - 1]);
        Spline::through(taken, values).at(&times.iter().map(within).collect::<Vec<_>>())
    }

    /// Runs of rows as runs of samples of a piece, with what the spline carries them to, of channels that were recorded `delay` s late;
    /// and the samples at an end for which that leaves none.
    #[must_use]
    pub fn runs(&self, piece: usize, number: usize, of_rows: &[Range<usize>], delay: f64) -> Vec<Range<usize>> {
        let (recorded, Piece { times, of }) = (&self.recorded[number], &self.pieces[piece]);
        let (count, own) = (times.len(), recorded.pieces[of[number]].clone());
        let (begin, step) = (times[0], self.clock.step);
        let instant = |row: usize| recorded.rows.partition_point(|rows| rows.end <= row);
        let place = |row: usize| (recorded.taken[instant(row).clamp(own.start, own.end - 1)] - begin - delay) / step;
        // A spline reaches as many of its own samples, which may be fewer than those of the grid.
        let reach = if self.is_even && delay == 0.0 { 0.0 } else { CARRIED * (recorded.step / step).max(1.0) };
        let run = |run: &Range<usize>| {
            let first = (place(run.start).round() - reach).max(0.0) as usize;
            let last = (place(run.end - 1).round() + reach).max(-1.0) + 1.0;
            first..(last as usize).min(count)
        };
        let rows = recorded.rows[own.start].start..recorded.rows[own.end - 1].end;
        let of_rows = of_rows.iter().filter(|run| run.start < rows.end && rows.start < run.end).map(run);
        // A delay takes samples from where the channel has none.
        let [first, last] = recorded.span(of[number]);
        let before = times.partition_point(|t| t + delay < first - 1e-6 * step);
        let after = times.partition_point(|t| t + delay <= last + 1e-6 * step);
        of_rows.chain([0..before, after..count]).filter(|run| !run.is_empty()).collect()
    }

    /// What is lost of a channel on the grid: the root of the mean square of what the way back to its rows misses.
    ///
    /// # Panics
    /// If it has not as many samples as there were stamps.
    #[must_use]
    pub fn error(&self, number: usize, channel: &[f64]) -> f64 {
        let recorded = &self.recorded[number];
        let (mut squares, mut count) = (0.0, 0);
        for (piece, Piece { times, of }) in self.pieces.iter().enumerate().filter(|_| !self.is_even) {
            if times.len() < 3 {
                continue;
            }
            let taken = &recorded.taken[recorded.pieces[of[number]].clone()];
            let last = times[times.len() - 1];
            let inside = taken.partition_point(|t| *t < times[0])..taken.partition_point(|t| *t <= last);
            let back = Spline::through(times, self.values(piece, number, channel, 0.0)).at(&taken[inside.clone()]);
            let values = &recorded.values(of[number], channel)[inside.clone()];
            squares += back.iter().zip(values).map(|(back, x)| (back - x).powi(2)).sum::<f64>();
            count += inside.len();
        }
        if count > 0 { (squares / f64::from(count as u32)).sqrt() } else { 0.0 }
    }
}
