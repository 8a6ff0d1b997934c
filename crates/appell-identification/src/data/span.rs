//! How much a recording can say: the independent equations in it, however fast it was sampled.
//!
//! ```text
//! B = √3 rms(q̈) / (2π rms(q̇))        N = joints · (2 · 3B · T + 1)
//! ```
//!
//! A signal of bandwidth B is told by 2 B T + 1 numbers in T seconds (Shannon); rows beyond that repeat each other. Equations hold
//! products of velocities and sines of positions, of three times the bandwidth and more, so that N is generous. B is the mean over the joints that move, since those at rest
//! feel them too; of a joint it is that of a flat spectrum which has the same quotient of
//! acceleration and velocity (Rice): unlike a spectrum it also holds of recordings that are shorter than a wave. Means over short
//! pieces take the encoders' noise away; where by the steps some is left they are made longer. B T is bounded by a third of the pieces, which
//! is more than any unknowns need.

use super::measurement::Measurement;
use crate::number::shown;
use crate::signals::quantum;
use core::f64::consts::TAU;

/// Pieces of a recording whose means are compared.
const PIECES: usize = 128;

/// How much wider equations are than motions.
const OF_PRODUCTS: f64 = 3.0;

/// What part of accelerations an encoder's steps may make up before pieces are made longer, and how few there may be.
const LITTLE: f64 = 0.02;
const FEWEST: usize = 16;

/// What a recording can say.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Span {
    /// How long it is, s.
    pub seconds: f64,
    /// Of the joints that move, on the average, Hz.
    pub bandwidth: f64,
    /// Independent equations, of all joints.
    pub equations: f64,
}

/// Fewer independent equations than unknowns.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error(
    "too little was recorded: {} s of a motion of about {} Hz hold {} independent equations, however many rows there are, and there are \
     {unknowns} unknowns; record longer, at least {} s of such a motion, move faster and more (`appell excite`), or ask for less (--known, \
     --effects, of parallel robots --equal-legs)", shown(*seconds), shown(*bandwidth), shown(*equations), shown(*needed)
)]
pub struct TooLittle {
    /// All recordings together, s.
    pub seconds: f64,
    /// Of the joints that move, Hz.
    pub bandwidth: f64,
    /// Independent equations, at most.
    pub equations: f64,
    /// Base parameters.
    pub unknowns: usize,
    /// What would do, s.
    pub needed: f64,
}

impl Measurement {
    /// What it can say.
    ///
    /// ```
    /// use appell_identification::data::Measurement;
    /// use appell_identification::signals::Clock;
    ///
    /// // Two seconds of 1 Hz: 2 · 3 · √3 · 2 + 1 equations, at any rate.
    /// for rate in [100.0, 1000.0] {
    ///     let time: Vec<f64> = (0..(2.0 * rate) as usize).map(|k| k as f64 / rate).collect();
    ///     let q: Vec<f64> = time.iter().map(|t| (std::f64::consts::TAU * t).sin()).collect();
    ///     let (clock, effort) = (Clock::even(1.0 / rate), vec![q.clone()]);
    ///     let span = Measurement { joints: vec!["arm".into()], time, clock, q: vec![q], v: None, effort, left_out: vec![] }.span();
    ///     assert!((span.equations - 21.8).abs() < 0.7, "{span:?}");
    /// }
    /// ```
    #[must_use]
    pub fn span(&self) -> Span {
        let seconds = self.time.len() as f64 * self.clock.step;
        let moving = self.q.iter().map(|q| bandwidth(q, self.clock.step)).filter(|bandwidth| *bandwidth > 0.0);
        let moving: Vec<f64> = moving.collect();
        let bandwidth = moving.iter().sum::<f64>() / moving.len().max(1) as f64;
        let equations = self.q.len() as f64 * (2.0 * OF_PRODUCTS * bandwidth * seconds + 1.0);
        Span { seconds, bandwidth, equations }
    }
}

impl Span {
    /// Both together, as pieces of one recording.
    #[must_use]
    pub(crate) fn and(self, other: Self) -> Self {
        let seconds = self.seconds + other.seconds;
        let bandwidth = (self.bandwidth * self.seconds + other.bandwidth * other.seconds) / seconds;
        Self { seconds, bandwidth, equations: self.equations + other.equations }
    }

    /// Refuses recordings that cannot tell so many unknowns.
    ///
    /// # Errors
    /// If all together hold fewer independent equations.
    pub fn expect_enough(recordings: &[Self], unknowns: usize) -> Result<(), TooLittle> {
        let sum = |of: fn(&Self) -> f64| recordings.iter().map(of).sum::<f64>();
        let (seconds, equations) = (sum(|span| span.seconds), sum(|span| span.equations));
        if equations >= unknowns as f64 {
            return Ok(());
        }
        let bandwidth = recordings.iter().map(|span| span.bandwidth).fold(0.0, f64::max);
        Err(TooLittle {
            seconds,
            bandwidth: (10.0 * bandwidth).round() / 10.0,
            equations: equations.round(),
            unknowns,
            needed: (10.0 * seconds * unknowns as f64 / equations).ceil() / 10.0,
        })
    }
}

/// The bandwidth of a signal, `step` s between two samples, Hz; 0 of one that stands still. Of recordings longer than so many pieces of
/// their waves it is too small.
pub(super) fn bandwidth(signal: &[f64], step: f64) -> f64 {
    let differences = |x: &[f64]| x.windows(2).map(|pair| pair[1] - pair[0]).collect::<Vec<f64>>();
    let mean_square = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>() / x.len().max(1) as f64;
    let count = quantum(signal);
    let mut many = (signal.len() / PIECES).max(1);
    loop {
        let means: Vec<f64> = signal.chunks_exact(many).map(|piece| piece.iter().sum::<f64>() / many as f64).collect();
        let first = differences(&means);
        let (slow, fast) = (mean_square(&first), mean_square(&differences(&first)));
        // Second differences of noise have six times its variance.
        let noise = 6.0 * count * count / (12.0 * many as f64);
        if noise <= LITTLE * fast || means.len() <= FEWEST {
            return if slow > 0.0 { (3.0 * fast / slow).sqrt() / (TAU * step * many as f64) } else { 0.0 };
        }
        many *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use appell::sample::Sampler;

    /// A flat spectrum up to 3 Hz, in many waves, as an encoder of 14 bits sees it.
    #[test]
    fn the_bandwidth_is_that_of_a_flat_spectrum() {
        let mut sampler = Sampler::new(3);
        let waves: Vec<[f64; 3]> = (1..=60)
            .map(|k| {
                let frequency = 0.05 * f64::from(k);
                // Velocities of one size.
                [frequency, sampler.within(3.0), 1.0 / frequency]
            })
            .collect();
        let at = |t: f64| waves.iter().map(|[f, phase, size]| size * (TAU * f * t + phase).sin()).sum::<f64>();
        let step = TAU / 16384.0;
        let signal: Vec<f64> = (0..8000).map(|k| (at(1e-3 * f64::from(k)) / step).round() * step).collect();
        let found = bandwidth(&signal, 1e-3);
        assert!((2.5..3.3).contains(&found), "{found}");
        assert_eq!(bandwidth(&[0.3; 1000], 1e-3), 0.0);
    }

    /// More rows of the same time say no more; more time does.
    #[test]
    fn time_counts_and_not_rows() {
        let span = |seconds: f64, equations: f64| Span { seconds, bandwidth: 1.0, equations };
        let short = [span(0.5, 20.0), span(0.5, 18.0)];
        let error = Span::expect_enough(&short, 58).unwrap_err();
        assert_eq!((error.seconds, error.equations, error.unknowns, error.needed), (1.0, 38.0, 58, 1.6));
        assert!(error.to_string().contains("1 s of a motion of about 1 Hz hold 38 independent equations"), "{error}");
        assert_eq!(Span::expect_enough(&[short[0], span(4.0, 60.0)], 58), Ok(()));
    }
}
