//! Derivatives of evenly sampled signals by central differences.
//!
//! ```text
//! ẋ_k = (x_{k+1} − x_{k−1}) / 2h                 ẍ_k = (x_{k+1} − 2 x_k + x_{k−1}) / h²
//! ẋ_0 = (−3 x_0 + 4 x_1 − x_2) / 2h              ẍ_0 = (2 x_0 − 5 x_1 + 4 x_2 − x_3) / h²        at the ends, likewise
//! ```
//!
//! Errors fall with h², at the ends too, and nothing is late. A wave of ω comes out smaller by sin(ωh)/ωh and by
//! (sin(ωh/2)/(ωh/2))²: noise grows less than by exact derivatives, but filter first.

use super::SignalError;
use super::error::{finite, long_enough};

/// The first derivative, with `step` s between samples.
///
/// ```
/// use appell_identification::signals::first_derivative;
///
/// assert_eq!(first_derivative(&[0.0, 1.0, 4.0, 9.0], 1.0)?, [0.0, 2.0, 4.0, 6.0]);
/// # Ok::<(), appell_identification::signals::SignalError>(())
/// ```
///
/// # Errors
/// If there are fewer than three samples, or one is not a number.
pub fn first_derivative(signal: &[f64], step: f64) -> Result<Vec<f64>, SignalError> {
    let n = signal.len();
    long_enough(n, 3)?;
    finite(signal)?;
    let end = |x: [f64; 3]| (-3.0 * x[0] + 4.0 * x[1] - x[2]) / (2.0 * step);
    let inside = signal.windows(3).map(|x| (x[2] - x[0]) / (2.0 * step));
    let (first, last) = (end([signal[0], signal[1], signal[2]]), -end([signal[n - 1], signal[n - 2], signal[n - 3]]));
    Ok(core::iter::once(first).chain(inside).chain([last]).collect())
}

/// The second derivative, with `step` s between samples.
///
/// # Errors
/// If there are fewer than four samples, or one is not a number.
pub fn second_derivative(signal: &[f64], step: f64) -> Result<Vec<f64>, SignalError> {
    let n = signal.len();
    long_enough(n, 4)?;
    finite(signal)?;
    let square = step * step;
    let end = |x: [f64; 4]| (2.0 * x[0] - 5.0 * x[1] + 4.0 * x[2] - x[3]) / square;
    let inside = signal.windows(3).map(|x| (x[2] - 2.0 * x[1] + x[0]) / square);
    let first = end([signal[0], signal[1], signal[2], signal[3]]);
    let last = end([signal[n - 1], signal[n - 2], signal[n - 3], signal[n - 4]]);
    Ok(core::iter::once(first).chain(inside).chain([last]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The largest error of both derivatives of sin 3t with this many samples in one second.
    fn errors(samples: usize) -> [f64; 2] {
        let step = 1.0 / samples as f64;
        let time: Vec<f64> = (0..=samples).map(|k| k as f64 * step).collect();
        let wave: Vec<f64> = time.iter().map(|t| (3.0 * t).sin()).collect();
        let worst = |found: Vec<f64>, exact: &dyn Fn(f64) -> f64| {
            found.iter().zip(&time).map(|(x, &t)| (x - exact(t)).abs()).fold(0.0, f64::max)
        };
        [
            worst(first_derivative(&wave, step).unwrap(), &|t| 3.0 * (3.0 * t).cos()),
            worst(second_derivative(&wave, step).unwrap(), &|t| -9.0 * (3.0 * t).sin()),
        ]
    }

    #[test]
    fn both_are_of_second_order_everywhere() {
        let (coarse, fine) = (errors(400), errors(800));
        for (coarse, fine) in coarse.into_iter().zip(fine) {
            let order = (coarse / fine).log2();
            assert!((order - 2.0).abs() < 0.1, "order {order}");
        }
    }

    #[test]
    fn polynomials_are_exact_up_to_their_degree() {
        let signal: Vec<f64> = (0..9).map(|k| f64::from(k * k) - 3.0 * f64::from(k)).collect();
        for (k, rate) in first_derivative(&signal, 1.0).unwrap().into_iter().enumerate() {
            assert_eq!(rate, 2.0 * k as f64 - 3.0);
        }
        let cubic: Vec<f64> = (0..9).map(|k| f64::from(k * k * k)).collect();
        for (k, second) in second_derivative(&cubic, 1.0).unwrap().into_iter().enumerate() {
            assert_eq!(second, 6.0 * k as f64);
        }
    }

    #[test]
    fn too_few_samples_and_missing_numbers_are_refused() {
        assert_eq!(first_derivative(&[1.0, 2.0], 1.0), Err(SignalError::TooShort { found: 2, least: 3 }));
        assert_eq!(second_derivative(&[1.0; 3], 1.0), Err(SignalError::TooShort { found: 3, least: 4 }));
        let error = first_derivative(&[1.0, f64::INFINITY, 2.0], 1.0).unwrap_err();
        assert_eq!(error, SignalError::NotFinite { row: 2, value: f64::INFINITY });
    }
}
