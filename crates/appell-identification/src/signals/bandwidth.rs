//! How fast a motion is: the frequency below which nearly all of its velocity's power lies, noise left aside.
//!
//! ```text
//! P(f) = Σ_{f' ≤ f} max(0, S(f') − 2 N) f'²          P(f₉₉.₉) = 0.999 P(∞)
//! ```
//!
//! S is the spectrum of the positions and N their noise, which is white as that of an encoder is: the largest S above half of the
//! highest frequency, where no robot moves; steps of a periodic motion are lines there, which a mean would miss. The factor f² makes it the power of the velocity, up to a constant.
//!
//! The steps of a small or slow motion are not white: it crosses them at frequencies of its own. So nothing counts, either, above the
//! frequency beyond which all power together is no more than that of the steps, step²/12 (twice that).

use super::channel::quantum;
use super::{SignalError, Spectrum};

/// The part of the power that counts as all of it.
const NEARLY_ALL: f64 = 0.999;

/// How many times the largest noise a density must have to be motion.
const ABOVE_NOISE: f64 = 2.0;

/// A spectrum is that of the whole signal, or the average over pieces of so many samples: slow motions need long ones, as what they
/// leak to other frequencies counts by f².
const PIECE: usize = 1 << 17;

/// How many times the power of an encoder's steps may be theirs.
const OF_STEPS: f64 = 2.0;

/// Where only noise is, as a part of half the sample rate.
const NOISE: f64 = 0.5;

/// The frequency in Hz below which 99.9 % of the velocity's power lies, of positions sampled at `rate` Hz; none where nothing
/// rises above the noise.
///
/// ```
/// use appell_identification::signals::bandwidth;
///
/// // 2 Hz, as an encoder of 12 bits sees it at 1 kHz.
/// let step = std::f64::consts::TAU / 4096.0;
/// let wave = (0..8000).map(|k| (f64::from(k) * 2e-3 * std::f64::consts::TAU).sin());
/// let seen: Vec<f64> = wave.map(|q| (q / step).round() * step).collect();
/// let found = bandwidth(&seen, 1000.0)?.unwrap();
/// assert!((2.0..4.0).contains(&found), "{found}");
/// # Ok::<(), appell_identification::signals::SignalError>(())
/// ```
///
/// # Errors
/// If there are fewer than eight samples, one is not a number, or the rate not positive.
pub fn bandwidth(positions: &[f64], rate: f64) -> Result<Option<f64>, SignalError> {
    let Spectrum { frequencies, densities } = Spectrum::of(positions, rate, PIECE)?;
    let fast = ((NOISE * densities.len() as f64) as usize).min(densities.len() - 1);
    let noise = densities[fast..].iter().copied().fold(0.0, f64::max);
    // The frequency above which there are only steps.
    let steps = OF_STEPS * quantum(positions).powi(2) / 12.0;
    let mut above = 0.0;
    let last = (1..densities.len()).rev().find(|&k| {
        above += densities[k] * frequencies[1];
        above > steps
    });
    let last = last.unwrap_or(0);
    let of_motion = |k: usize| {
        let density = if k <= last { densities[k] } else { 0.0 };
        (density - ABOVE_NOISE * noise).max(0.0) * frequencies[k].powi(2)
    };
    let whole: f64 = (0..densities.len()).map(of_motion).sum();
    if whole <= 0.0 {
        return Ok(None);
    }
    let mut below = 0.0;
    let reached = (0..densities.len()).find(|&k| {
        below += of_motion(k);
        below >= NEARLY_ALL * whole
    });
    Ok(reached.map(|k| frequencies[k]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use appell::sample::Sampler;
    use core::f64::consts::TAU;

    fn waves(parts: &[(f64, f64)], rate: f64, samples: usize) -> Vec<f64> {
        let at = |k: usize| parts.iter().map(|(f, size)| size * (TAU * f * k as f64 / rate).sin()).sum();
        (0..samples).map(at).collect()
    }

    /// Of pure waves the power is known: 3 Hz of a tenth has (0.1 · 3)² where 0.5 Hz of 1 has 0.5², and 9 Hz of 10⁻⁴ has nothing.
    #[test]
    fn the_fastest_wave_that_counts_is_found() {
        let found = bandwidth(&waves(&[(0.5, 1.0), (3.0, 0.1), (9.0, 1e-4)], 200.0, 8000), 200.0).unwrap().unwrap();
        assert!((3.0..3.3).contains(&found), "{found}");
    }

    #[test]
    fn noise_does_not_count_and_noise_alone_is_no_motion() {
        let mut sampler = Sampler::new(2);
        let mut noisy = waves(&[(1.0, 0.3)], 1000.0, 10_000);
        noisy.iter_mut().for_each(|q| *q += sampler.within(1e-3));
        let found = bandwidth(&noisy, 1000.0).unwrap().unwrap();
        assert!((1.0..2.5).contains(&found), "{found}");
        assert_eq!(bandwidth(&[0.5; 1000], 1000.0), Ok(None));
    }

    /// 17 bits, of which a wave of 0.3 Hz crosses a few dozen: they are no motion.
    #[test]
    fn steps_of_a_small_motion_do_not_count() {
        let step = TAU / 131_072.0;
        for size in [2e-4, 1e-3, 2e-3, 5e-3, 0.5] {
            let wave = waves(&[(0.1, size), (0.3, 0.5 * size)], 500.0, 5000);
            let seen: Vec<f64> = wave.iter().map(|q| (q / step).round() * step).collect();
            let found = bandwidth(&seen, 500.0).unwrap().unwrap();
            assert!((0.3..1.0).contains(&found), "{size}: {found}");
        }
    }
}
