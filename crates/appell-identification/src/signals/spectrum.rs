//! How the power of a signal is spread over frequencies: an average over windowed pieces (Welch1967).
//!
//! ```text
//! S(f) = 2 Σ |F(w x)|² / (pieces · f_s · Σ w²)          w Hann's window, pieces overlapping by half, each without its mean
//! ```
//!
//! Σ S Δf is the variance. Power that is left near half the sample rate has come, in part, from beyond: aliasing.

use super::SignalError;
use super::error::{finite, long_enough, positive_rate};
use core::f64::consts::TAU;
use realfft::RealFftPlanner;

/// Where the highest frequencies begin, as a part of half the sample rate.
const HIGHEST: f64 = 0.8;

/// Power densities at frequencies.
#[derive(Debug, Clone, PartialEq)]
pub struct Spectrum {
    /// Hz.
    pub frequencies: Vec<f64>,
    /// One-sided, squared unit of the signal a Hz.
    pub densities: Vec<f64>,
}

impl Spectrum {
    /// By pieces of `piece` samples of a signal of `rate` Hz; by pieces of its whole length if it is shorter.
    ///
    /// ```
    /// use appell_identification::signals::Spectrum;
    ///
    /// let wave: Vec<f64> = (0..1000).map(|k| (10.0 * f64::from(k) / 200.0 * std::f64::consts::TAU).sin()).collect();
    /// let spectrum = Spectrum::of(&wave, 200.0, 400)?;
    /// assert!((spectrum.power(9.0, 11.0) - 0.5).abs() < 1e-3, "half the square of the amplitude");
    /// # Ok::<(), appell_identification::signals::SignalError>(())
    /// ```
    ///
    /// # Errors
    /// If there are fewer than eight samples, one is not a number, or the rate not positive.
    pub fn of(signal: &[f64], rate: f64, piece: usize) -> Result<Self, SignalError> {
        positive_rate(rate)?;
        finite(signal)?;
        let length = piece.min(signal.len());
        long_enough(length, 8)?;
        let window: Vec<f64> = (0..length).map(|k| 0.5 - 0.5 * (TAU * k as f64 / length as f64).cos()).collect();
        let energy: f64 = window.iter().map(|w| w * w).sum();
        let transform = RealFftPlanner::<f64>::new().plan_fft_forward(length);
        let (mut input, mut output) = (transform.make_input_vec(), transform.make_output_vec());
        let mut densities = vec![0.0; output.len()];
        let starts = (0..=signal.len() - length).step_by(length - length / 2);
        let pieces = starts.clone().count();
        for start in starts {
            let samples = &signal[start..start + length];
            let mean = samples.iter().sum::<f64>() / length as f64;
            input.iter_mut().zip(samples).zip(&window).for_each(|((to, x), w)| *to = w * (x - mean));
            let done = transform.process(&mut input, &mut output);
            assert!(done.is_ok(), "the buffers are the transform's own");
            densities.iter_mut().zip(&output).for_each(|(sum, bin)| *sum += bin.norm_sqr());
        }
        for (k, density) in densities.iter_mut().enumerate() {
            // Frequencies below zero count too, but for zero itself and half the rate, which have none.
            let sides = if k == 0 || 2 * k == length { 1.0 } else { 2.0 };
            *density *= sides / (pieces as f64 * rate * energy);
        }
        let frequencies = (0..densities.len()).map(|k| k as f64 * rate / length as f64).collect();
        Ok(Self { frequencies, densities })
    }

    /// The power between two frequencies, both included, in the squared unit of the signal.
    #[must_use]
    pub fn power(&self, from: f64, to: f64) -> f64 {
        let width = self.frequencies[1];
        let band = self.frequencies.iter().zip(&self.densities).filter(|(f, _)| (from..=to).contains(*f));
        band.map(|(_, density)| width * density).sum()
    }

    /// Which part of the power lies in the highest fifth of the frequencies: beyond 0.05 it is noise, or folded down.
    #[must_use]
    pub fn part_near_nyquist(&self) -> f64 {
        let nyquist = self.frequencies[self.frequencies.len() - 1];
        let whole = self.power(0.0, nyquist);
        if whole > 0.0 { self.power(HIGHEST * nyquist, nyquist) / whole } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::thresholds::ALIASED;
    use appell::sample::Sampler;

    #[test]
    fn agrees_with_scipy() {
        // scipy 1.17.1: signal.welch(x, fs=50, window='hann', nperseg=64, noverlap=32)
        const WELCH: [(usize, f64); 4] = [
            (0, 5.0958630880807416e-05),
            (3, 0.4251659291694998),
            (11, 0.10101137293968625),
            (12, 0.04549504929797914),
        ];
        let x: Vec<f64> = (0..200).map(f64::from).map(|k| (0.3 * k).sin() + 0.5 * (1.1 * k + 0.2).cos()).collect();
        let spectrum = Spectrum::of(&x, 50.0, 64).unwrap();
        assert_eq!(spectrum.frequencies.len(), 33);
        for (k, expected) in WELCH {
            assert!((spectrum.densities[k] / expected - 1.0).abs() < 1e-9, "bin {k}: {}", spectrum.densities[k]);
        }
    }

    #[test]
    fn the_whole_power_is_the_variance() {
        let mut sampler = Sampler::new(7);
        let noise: Vec<f64> = (0..40_000).map(|_| sampler.within(1.0)).collect();
        let spectrum = Spectrum::of(&noise, 100.0, 256).unwrap();
        assert!((spectrum.power(0.0, 50.0) * 3.0 - 1.0).abs() < 0.02, "a third is the variance of ±1");
        assert!((spectrum.part_near_nyquist() - 0.2).abs() < 0.02, "white");
    }

    #[test]
    fn power_near_half_the_rate_is_doubted() {
        let wave = |f: f64| (0..2000).map(|k| (TAU * f * f64::from(k) / 100.0).sin()).collect::<Vec<_>>();
        let part = |f: f64| Spectrum::of(&wave(f), 100.0, 256).unwrap().part_near_nyquist();
        assert!(part(3.0) < ALIASED && part(46.0) > ALIASED);
        assert_eq!(Spectrum::of(&[1.0; 100], 10.0, 64).unwrap().part_near_nyquist(), 0.0);
        assert_eq!(Spectrum::of(&[1.0; 5], 10.0, 64), Err(SignalError::TooShort { found: 5, least: 8 }));
    }
}
