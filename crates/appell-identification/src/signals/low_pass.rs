//! Butterworth's low-pass of any order, run forwards and backwards so that nothing is late.
//!
//! The analogue filter |H|² = 1 / (1 + (ω/ω_c)^2N) becomes digital by the bilinear transformation, with the cut-off warped
//! to K = tan(π f_c / f_s) so that it stays where it is. Its poles come in pairs, each a section of second order with unit
//! gain at standstill, which keeps all digits where one polynomial of order N would lose them:
//!
//! ```text
//! 1/Q_k = 2 sin((2k + 1) π / 2N)          D = 1 + K/Q + K²
//! b = (1, 2, 1) K² / D                    a = (1, 2 (K² − 1) / D, (1 − K/Q + K²) / D)
//! b = (1, 1) K / (1 + K)                  a = (1, (K − 1) / (K + 1))                  the section left over for odd N
//! ```
//!
//! Forwards and backwards the gain is |H|², real: −3 dB a pass at the cut-off, −6 dB in all. |H|² is flat up to the order
//! 2N at ω = 0, so that polynomials of degree below 2N pass unchanged, far from the ends. At the ends the signal is
//! continued by its point reflection, and every section starts as if the first value had always been there (Gustafsson1996).

use super::SignalError;
use super::error::{finite, long_enough, positive_rate};
use core::f64::consts::PI;

/// The highest order offered: beyond, ringing is all that grows.
pub const HIGHEST_ORDER: usize = 20;

/// What is left of a disturbance when it counts as settled.
const SETTLED: f64 = 0.01;

/// A low-pass filter without delay.
///
/// ```
/// use appell_identification::signals::LowPass;
///
/// let filter = LowPass::new(4, 10.0, 1000.0)?;
/// let wave = |f: f64| (0..2000).map(|k| (f * f64::from(k) * std::f64::consts::TAU / 1000.0).sin()).collect::<Vec<_>>();
/// let slow = filter.zero_phase(&wave(1.0))?;
/// assert!((slow[1250] - 1.0).abs() < 1e-6, "what is slow passes, and is not late");
/// assert!(filter.zero_phase(&wave(100.0))?[1000].abs() < 1e-7, "what is fast does not");
/// # Ok::<(), appell_identification::signals::SignalError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct LowPass {
    sections: Vec<Section>,
    order: usize,
    warped: f64, // K = tan(π f_c / f_s)
    rate: f64,
    padding: usize,
}

/// Two poles and two zeros; a₀ = 1.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Section {
    b: [f64; 3],
    a: [f64; 2],
}

impl LowPass {
    /// The filter of an order that lets half the power pass at `cut_off`, for signals of `rate` samples per second, both in Hz.
    ///
    /// # Errors
    /// If the order is not 1 to [`HIGHEST_ORDER`], or the cut-off not between 0 and half the rate.
    pub fn new(order: usize, cut_off: f64, rate: f64) -> Result<Self, SignalError> {
        let nyquist = 0.5 * positive_rate(rate)?;
        if !(1..=HIGHEST_ORDER).contains(&order) {
            return Err(SignalError::Order { order, most: HIGHEST_ORDER });
        }
        if !(cut_off > 0.0 && cut_off < nyquist) {
            return Err(SignalError::CutOff { cut_off, nyquist });
        }
        let k = (PI * cut_off / rate).tan();
        let pair = |i: usize| {
            let damping = 2.0 * ((2 * i + 1) as f64 * PI / (2 * order) as f64).sin();
            let d = 1.0 + damping * k + k * k;
            let b = k * k / d;
            Section { b: [b, 2.0 * b, b], a: [2.0 * (k * k - 1.0) / d, (1.0 - damping * k + k * k) / d] }
        };
        let single = || {
            let b = k / (1.0 + k);
            Section { b: [b, b, 0.0], a: [(k - 1.0) / (k + 1.0), 0.0] }
        };
        let sections = (0..order / 2).map(pair).chain((order % 2 == 1).then(single)).collect();
        let mut filter = Self { sections, order, warped: k, rate, padding: 0 };
        filter.padding = filter.settling();
        Ok(filter)
    }

    /// The same filter with signals continued by this many samples at both ends; otherwise by [`LowPass::settling`].
    #[must_use]
    pub fn with_padding(self, padding: usize) -> Self {
        Self { padding, ..self }
    }

    /// Where half the power passes, Hz.
    #[must_use]
    pub fn cut_off(&self) -> f64 {
        self.rate * self.warped.atan() / PI
    }

    /// How many samples after a disturbance one hundredth of it is left: what to trim from both ends.
    ///
    /// The slowest analogue poles have the real part −ω_c sin(π / 2N).
    #[must_use]
    pub fn settling(&self) -> usize {
        let slowest = 2.0 * self.warped * (PI / (2 * self.order) as f64).sin();
        (-SETTLED.ln() / slowest).ceil().max(3.0) as usize
    }

    /// The signal filtered forwards, then backwards: smooth and not late.
    ///
    /// # Errors
    /// If it has fewer than four samples, or NaN.
    pub fn zero_phase(&self, signal: &[f64]) -> Result<Vec<f64>, SignalError> {
        long_enough(signal.len(), 4)?;
        finite(signal)?;
        let padding = self.padding_of(signal.len());
        let mut work = odd_extension(signal, padding);
        self.begin([work[0][0]]).pass(work.iter_mut());
        self.begin(work[work.len() - 1]).pass(work.iter_mut().rev());
        Ok(work[padding..padding + signal.len()].iter().map(|[x]| *x).collect())
    }

    /// By how many samples signals of so many are continued at both ends.
    pub(super) fn padding_of(&self, samples: usize) -> usize {
        self.padding.min(samples - 1)
    }

    /// One pass over signals beside each other, in the steady state of the values that they begin with.
    pub(super) fn begin<const SIGNALS: usize>(&self, first: [f64; SIGNALS]) -> Pass<'_, SIGNALS> {
        // Every section passes a constant on as it is.
        let steady = |Section { b, a }: &Section| {
            let later = first.map(|x| (b[2] - a[1]) * x);
            [core::array::from_fn(|k| (b[1] - a[0]) * first[k] + later[k]), later]
        };
        Pass { sections: &self.sections, states: self.sections.iter().map(steady).collect() }
    }
}

/// One pass, forwards or backwards, over signals beside each other, which may come piece by piece.
#[derive(Debug, Clone)]
pub(super) struct Pass<'f, const SIGNALS: usize> {
    sections: &'f [Section],
    states: Vec<[[f64; SIGNALS]; 2]>, // what a section adds to the next sample, and to that after it
}

impl<const SIGNALS: usize> Pass<'_, SIGNALS> {
    /// The next samples.
    pub(super) fn pass<'s>(&mut self, samples: impl Iterator<Item = &'s mut [f64; SIGNALS]>) {
        // Transposed second form.
        for samples in samples {
            for (Section { b, a }, [next, later]) in self.sections.iter().zip(&mut self.states) {
                for k in 0..SIGNALS {
                    let x = samples[k];
                    let y = b[0] * x + next[k];
                    next[k] = b[1] * x - a[0] * y + later[k];
                    later[k] = b[2] * x - a[1] * y;
                    samples[k] = y;
                }
            }
        }
    }
}

/// The signal with its point reflections about both ends, `padding` samples each: level and slope go on.
fn odd_extension(signal: &[f64], padding: usize) -> Vec<[f64; 1]> {
    let last = signal.len() - 1;
    let before = (1..=padding).rev().map(|k| 2.0 * signal[0] - signal[k]);
    let after = (1..=padding).map(|k| 2.0 * signal[last] - signal[last - k]);
    before.chain(signal.iter().copied()).chain(after).map(|x| [x]).collect()
}

#[cfg(test)]
mod tests;
