//! σ where residuals are not alike at all frequencies.
//!
//! Equations pass a low-pass before they are thinned: what noise they keep lies below its cut-off, where the motion is, and least squares, which
//! takes it for white, makes σ too small. Noise of encoders grows with the frequency, what a model leaves out is slow. So the
//! residual is looked at in bands. With C the cosine transform of each joint's equations, stretch by stretch, which keeps squares,
//!
//! ```text
//! C Λ W = Z,  C Λ e = z        G = (Zᵀ Z)⁻¹
//! s²_jb = Σ z² / Σ (1 − Z_k G Z_kᵀ)                       over the rows k of joint j in band b
//! cov φ = G (Σ_jb s²_jb Σ Z_kᵀ Z_k) G                     for cov z = diag s²_jb
//! ```
//!
//! with Λ the weights of the estimate. Z_k G Z_kᵀ is the part of a row that the parameters take, so that the sum of 1 − Z_k G Z_kᵀ is how many
//! independent residuals are left: bands in which the motion is, and the parameters take most, are not taken for quiet ones. With one band for all this is the s² G
//! of white noise. Every method has a covariance for white noise; its σ_i is multiplied with the root of cov_ii over (s² G)_ii, which for
//! methods by least squares is cov itself.

use super::{Estimate, Observation, Stretch};
use crate::signals::Cosines;
use crate::triangle::triangle;
use nalgebra::{DMatrix, DVector};
use rayon::prelude::*;

/// Bands, of one width, at most.
const MOST_BANDS: usize = 8;
/// So many equations per parameter are in a band at least, so that parameters take no more than a part of any.
const PER_PARAMETER: usize = 4;

/// What a joint leaves in a band.
#[derive(Clone)]
struct Band {
    squares: f64,
    rows: f64,
    moment: DMatrix<f64>, // Σ Z_kᵀ Z_k
}

/// The estimate with σ by the spectrum of its residual. `stretches` are those of the equations, one after the other.
///
/// # Panics
/// If the estimate is of other columns, or the stretches have not as many samples as the equations.
#[must_use]
pub fn by_spectrum(equations: &Observation, found: Estimate, stretches: &[Stretch]) -> Estimate {
    let factors = factors(equations, &found, stretches);
    let covariance = factors.map(|factors| {
        DMatrix::from_fn(factors.len(), factors.len(), |i, k| factors[i] * found.covariance[(i, k)] * factors[k])
    });
    Estimate { covariance: covariance.unwrap_or_else(|| found.covariance.clone()), ..found }
}

/// What σ are multiplied with; none where there is no residual, or columns depend on each other.
fn factors(equations: &Observation, found: &Estimate, stretches: &[Stretch]) -> Option<DVector<f64>> {
    let samples: usize = stretches.iter().map(|stretch| stretch.samples).sum();
    assert_eq!(samples, equations.samples(), "every sample is of a stretch");
    let (rows, parameters) = equations.matrix().shape();
    let count = (rows / (PER_PARAMETER * parameters.max(1))).clamp(1, MOST_BANDS);
    let (bands, r) = bands(equations, found, stretches, count);
    let inverse = r.solve_upper_triangular(&DMatrix::identity(parameters, parameters))?;
    let g = &inverse * inverse.transpose();
    let white = bands.iter().map(|band| band.squares).sum::<f64>() / rows.saturating_sub(parameters).max(1) as f64;
    let mut sum = DMatrix::zeros(parameters, parameters);
    for band in &bands {
        let left = band.rows - g.dot(&band.moment);
        // Of a joint that moves no longer than a few equations nothing is known for itself.
        let variance = if left > 1.0 { band.squares / left } else { white };
        sum += &band.moment * variance;
    }
    let covariance = &g * sum * &g;
    let factor = |k: usize| (covariance[(k, k)] / (white * g[(k, k)])).sqrt();
    let factors = DVector::from_fn(parameters, |k, _| factor(k));
    factors.iter().all(|factor| factor.is_finite() && *factor > 0.0).then_some(factors)
}

/// All joints' bands, and the triangle of Z, which is that of Λ W.
fn bands(equations: &Observation, found: &Estimate, stretches: &[Stretch], count: usize) -> (Vec<Band>, DMatrix<f64>) {
    let (w, weights, n) = (equations.matrix(), &found.weights, equations.rows().len());
    let (rows, parameters) = w.shape();
    let residual = equations.right() - equations.predicted(&found.values);
    let transforms: Vec<Cosines> = stretches.iter().map(|stretch| Cosines::new(stretch.samples)).collect();
    let nothing = Band { squares: 0.0, rows: 0.0, moment: DMatrix::zeros(parameters, parameters) };
    let mut bands = vec![nothing; n * count];
    // One joint after the other: Z may be large.
    for (joint, bands) in bands.chunks_mut(count).enumerate() {
        let transformed = |(signal, of): (&mut [f64], &[f64])| {
            let weighed = of.iter().zip(weights).skip(joint).step_by(n);
            signal.iter_mut().zip(weighed).for_each(|(to, (x, weight))| *to = x * weight);
            let mut rest = signal;
            for (stretch, transform) in stretches.iter().zip(&transforms) {
                let (own, after) = rest.split_at_mut(stretch.samples);
                transform.replace(own);
                rest = after;
            }
        };
        let samples = rows / n;
        let (mut z, mut left) = (DMatrix::zeros(samples, parameters), vec![0.0; samples]);
        let columns = z.as_mut_slice().par_chunks_mut(samples.max(1)).zip(w.as_slice().par_chunks(rows.max(1)));
        columns.for_each(transformed);
        transformed((&mut left, residual.as_slice()));
        let mut first = 0;
        for stretch in stretches {
            for (b, band) in bands.iter_mut().enumerate() {
                let [from, to] = [b, b + 1].map(|b| first + (b * stretch.samples).div_ceil(count));
                let part = z.rows_range(from..to);
                band.squares += left[from..to].iter().map(|x| x * x).sum::<f64>();
                band.rows += (to - from) as f64;
                band.moment += part.tr_mul(&part);
            }
            first += stretch.samples;
        }
    }
    (bands, triangle(rows, parameters, &|i, k| weights[i] * w[(i, k)]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::weighted;
    use crate::parameters::Model;
    use crate::signals::Decimation;
    use appell::Robot;
    use appell::sample::Sampler;
    use core::f64::consts::TAU;

    /// Two joints, slow waves of three parameters, noise at 100 Hz, of which every fifth sample is kept: white noise, of which the equations'
    /// low-pass leaves what is slow; slow noise, of what a model leaves out; and noise that grows with the frequency. Of all σ says what
    /// repeated trials do, and for white residuals it is too small, far too small, and too large.
    #[test]
    fn sigma_is_that_of_repeated_trials() {
        const SAMPLES: usize = 1000;
        const LAGS: usize = 11;
        let decimation = Decimation::new(5, 100.0).unwrap().with_border(20);
        let robot = Robot::builtin("two-link").unwrap();
        let model = Model::bodies(&robot).with_columns(&[0, 1, 2]);
        let truth = DVector::from_column_slice(&[2.0, -0.5, 0.25]);
        let (mut white, mut fast, slow) = ([0.0; LAGS], [0.0; LAGS], [0.3; LAGS]);
        white[0] = 1.0;
        (fast[0], fast[LAGS / 2]) = (1.0, -0.5);
        for (kernel, for_white) in [(white, 0.7..0.95), (slow, 0.3..0.75), (fast, 1.15..2.0)] {
            let mut sampler = Sampler::new(4);
            let waves: [[f64; 2]; 6] = core::array::from_fn(|_| [0.45 + sampler.within(0.3), sampler.within(3.0)]);
            let wave = |[frequency, phase]: [f64; 2], t: f64| (TAU * frequency * t + phase).sin();
            let exact =
                DMatrix::from_fn(2 * SAMPLES, 3, |row, k| wave(waves[k + 3 * (row % 2)], 0.01 * (row / 2) as f64));
            let (trials, mut seen, mut said, mut plain) = (300.0, 0.0, 0.0, 0.0);
            for _ in 0..300 {
                let mut draw = || (0..6).map(|_| sampler.within(1.0)).sum::<f64>();
                let drawn: Vec<f64> = (0..2 * (SAMPLES + LAGS)).map(|_| draw()).collect();
                let noise =
                    |row: usize| kernel.iter().enumerate().map(|(lag, x)| x * drawn[row + 2 * lag]).sum::<f64>();
                let right = &exact * &truth + DVector::from_fn(2 * SAMPLES, |row, _| noise(row));
                let names = vec!["one".into(), "two".into()];
                let all = Observation::new(exact.clone(), right, model.clone(), names);
                let equations = all.decimated(&decimation).unwrap();
                let stretches = [Stretch { recording: 0, samples: equations.samples(), step: 0.05 }];
                let before = weighted::estimate(&equations).unwrap();
                let found = by_spectrum(&equations, before.clone(), &stretches);
                seen += (&found.values - &truth).norm_squared() / trials;
                said += found.covariance.trace() / trials;
                plain += before.covariance.trace() / trials;
            }
            let [said, plain] = [said, plain].map(|variance| f64::sqrt(variance / seen));
            println!("σ over what 300 trials do: {said:.3}, for white residuals {plain:.3}");
            // That of 300 trials of three parameters is known to 3 %.
            assert!((said - 1.0).abs() < 0.09, "{said}");
            assert!(for_white.contains(&plain), "{plain}");
        }
    }

    /// Noise that is white in the equations: σ is what it was, but for chance.
    #[test]
    fn white_noise_changes_little() {
        let mut sampler = Sampler::new(8);
        let robot = Robot::builtin("two-link").unwrap();
        let model = Model::bodies(&robot).with_columns(&[0, 1]);
        let w = DMatrix::from_fn(4000, 2, |_, _| sampler.within(1.0));
        let right = DVector::from_fn(4000, |_, _| sampler.within(1.0));
        let equations = Observation::new(w, right, model, vec!["one".into(), "two".into()]);
        let found = weighted::estimate(&equations).unwrap();
        let stretches = [1500, 500].map(|samples| Stretch { recording: 0, samples, step: 0.1 });
        let before = found.sigma();
        let after = by_spectrum(&equations, found, &stretches).sigma();
        assert!((after.component_div(&before)).iter().all(|part| (part - 1.0).abs() < 0.05), "{after} {before}");
    }
}
