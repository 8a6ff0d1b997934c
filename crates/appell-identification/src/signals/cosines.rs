//! A signal as a sum of cosines: the orthonormal cosine transform (DCT-II), of any length.
//!
//! ```text
//! X_k = √(c_k / n) Σ x_t cos(π (t + ½) k / n)        c_0 = 1, c_k = 2        Σ X² = Σ x²
//! ```
//!
//! Cosine k has the frequency k / n of half the sample rate. Unlike Fourier's sums it takes the signal for one that turns round at its ends,
//! so that one which does not end where it began is no jump.

use core::f64::consts::PI;
use realfft::{RealFftPlanner, RealToComplex};
use std::sync::Arc;

/// The transform of signals of one length.
pub(crate) struct Cosines {
    samples: usize,
    transform: Arc<dyn RealToComplex<f64>>, // of the signal and its mirror image
}

impl Cosines {
    /// Of signals of so many samples.
    pub(crate) fn new(samples: usize) -> Self {
        Self { samples, transform: RealFftPlanner::<f64>::new().plan_fft_forward(2 * samples.max(1)) }
    }

    /// Puts the cosines in the place of the samples.
    ///
    /// # Panics
    /// If the signal has another length.
    pub(crate) fn replace(&self, signal: &mut [f64]) {
        let n = self.samples;
        assert_eq!(signal.len(), n, "a signal of the length that was planned for");
        let mut mirrored: Vec<f64> = signal.iter().chain(signal.iter().rev()).copied().collect();
        let mut output = self.transform.make_output_vec();
        let done = n == 0 || self.transform.process(&mut mirrored, &mut output).is_ok();
        assert!(done, "the buffers are the transform's own");
        for (k, to) in signal.iter_mut().enumerate() {
            let (sin, cos) = (PI * k as f64 / (2 * n) as f64).sin_cos();
            // Half of Re exp(−iπk/2n) Y_k, Y of both halves.
            let sum = 0.5 * (cos * output[k].re + sin * output[k].im);
            *to = sum * (if k == 0 { 1.0 } else { 2.0 } / n as f64).sqrt();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use appell::sample::Sampler;

    #[test]
    fn cosines_are_found_and_no_power_is_lost() {
        for n in [1, 2, 7, 64, 101] {
            let mut sampler = Sampler::new(n as u64);
            let signal: Vec<f64> = (0..n).map(|_| sampler.within(1.0)).collect();
            let mut found = signal.clone();
            Cosines::new(n).replace(&mut found);
            for (k, found) in found.iter().enumerate() {
                let size = (if k == 0 { 1.0 } else { 2.0 } / n as f64).sqrt();
                let cosine = |t: usize| size * (PI * (t as f64 + 0.5) * k as f64 / n as f64).cos();
                let expected: f64 = signal.iter().enumerate().map(|(t, x)| cosine(t) * x).sum();
                assert!((found - expected).abs() < 1e-12, "{n} {k}: {found} {expected}");
            }
        }
    }
}
