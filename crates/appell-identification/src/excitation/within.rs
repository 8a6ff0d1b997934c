//! Coefficients that keep the limits whatever the free numbers are.
//!
//! Position, velocity and acceleration are linear in a joint's coefficients. With s over all instants and limits of how much
//! of a limit is used, free numbers θ become
//!
//! ```text
//! c = unit θ S(θ)      S = (1 + Σ |s|ᵖ)^(−1/p)      so that all |s(c)| < 1
//! ```
//!
//! since the largest is never above the p-norm. Small θ are left as they are, and large ones end near the limits. No
//! constraint is left for the optimiser, and every step of it is a motion the robot can make.

use super::form::Basis;
use super::limits::DriveLimits;
use nalgebra::{DMatrix, DVector};

/// p: the larger, the nearer to the limits motions come, and the more their border bends.
const SHARPNESS: i32 = 40;

/// The map from free numbers to coefficients.
#[derive(Debug, Clone)]
pub(super) struct Within<'b> {
    basis: &'b Basis,
    units: Vec<f64>,         // half of the range, a joint
    inverses: Vec<[f64; 3]>, // of the limits, a joint: position about the middle, velocity, acceleration
}

impl<'b> Within<'b> {
    pub(super) fn new(basis: &'b Basis, limits: &[DriveLimits]) -> Self {
        Self {
            basis,
            units: limits.iter().map(DriveLimits::half).collect(),
            inverses: limits.iter().map(|l| [l.half(), l.velocity, l.acceleration].map(f64::recip)).collect(),
        }
    }

    /// How much of its limits a joint uses: of each, at each instant.
    fn used(&self, joint: usize, coefficients: &DVector<f64>) -> [DVector<f64>; 3] {
        core::array::from_fn(|i| &self.basis.values[i] * coefficients * self.inverses[joint][i])
    }

    /// The largest part of a limit that a joint uses with these coefficients.
    pub(super) fn largest(&self, joint: usize, coefficients: &DVector<f64>) -> f64 {
        self.used(joint, coefficients).iter().map(DVector::amax).fold(0.0, f64::max)
    }

    /// The coefficients of all joints, a column each.
    pub(super) fn coefficients(&self, free: &DMatrix<f64>) -> DMatrix<f64> {
        let columns: Vec<DVector<f64>> = (0..free.ncols()).map(|j| self.squeeze(j, free).0).collect();
        DMatrix::from_columns(&columns)
    }

    /// Coefficients of a joint, S, and what ∂S/∂θ is without the factor −S.
    fn squeeze(&self, joint: usize, free: &DMatrix<f64>) -> (DVector<f64>, f64, DVector<f64>) {
        let unit = self.units[joint];
        let raw = free.column(joint) * unit;
        let used = self.used(joint, &raw);
        // All powers relative to the largest, so that none overflows.
        let largest = used.iter().map(DVector::amax).fold(1.0, f64::max);
        let powers: f64 = used.iter().flat_map(DVector::iter).map(|s| (s / largest).powi(SHARPNESS)).sum();
        let sum = largest.powi(-SHARPNESS) + powers;
        let squeezed = sum.powf(-1.0 / f64::from(SHARPNESS)) / largest;
        let mut slope = DVector::zeros(raw.len());
        for ((functions, used), inverse) in self.basis.values.iter().zip(&used).zip(self.inverses[joint]) {
            let weights = used.map(|s| (s / largest).powi(SHARPNESS - 1) / (largest * sum));
            slope += functions.tr_mul(&weights) * (inverse * unit);
        }
        (raw * squeezed, squeezed, slope)
    }

    /// Derivatives by the free numbers from those by the coefficients.
    pub(super) fn pull_back(&self, free: &DMatrix<f64>, by_coefficients: &DMatrix<f64>) -> DMatrix<f64> {
        let column = |joint: usize| {
            let (coefficients, squeezed, slope) = self.squeeze(joint, free);
            let by = by_coefficients.column(joint);
            by * (squeezed * self.units[joint]) - slope * coefficients.dot(&by)
        };
        DMatrix::from_columns(&(0..free.ncols()).map(column).collect::<Vec<_>>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::excitation::Form;
    use appell::sample::Sampler;

    fn limits() -> Vec<DriveLimits> {
        let drive = |lower, upper, velocity, acceleration| DriveLimits {
            joint: String::new(),
            lower,
            upper,
            velocity,
            acceleration,
            effort: f64::INFINITY,
        };
        vec![drive(-1.0, 2.0, 3.0, f64::INFINITY), drive(0.2, 0.4, f64::INFINITY, 0.1)]
    }

    #[test]
    fn whatever_the_free_numbers_are_the_limits_hold() {
        let basis = Form::Fourier { harmonics: 4, frequency: 0.5 }.basis(80).unwrap();
        let limits = limits();
        let within = Within::new(&basis, &limits);
        let mut sampler = Sampler::new(1);
        for size in [1e-3, 1.0, 1e3, 1e12] {
            let free = DMatrix::from_fn(9, 2, |_, _| sampler.within(size));
            let coefficients = within.coefficients(&free);
            for joint in 0..2 {
                let used = within.largest(joint, &coefficients.column(joint).into_owned());
                assert!(used < 1.0 && (size < 1e2 || used > 0.85), "size {size}: {used}");
            }
            let [q, v, a] = basis.states(&coefficients);
            for (j, limit) in limits.iter().enumerate() {
                assert!(q.column(j).iter().all(|q| (limit.lower..limit.upper).contains(&(q + limit.middle()))));
                assert!(v.column(j).amax() < limit.velocity && a.column(j).amax() < limit.acceleration);
            }
        }
    }

    #[test]
    fn derivatives_match_differences() {
        let basis = Form::Spline { points: 7, duration: 2.0 }.basis(40).unwrap();
        let limits = limits();
        let within = Within::new(&basis, &limits);
        let mut sampler = Sampler::new(2);
        for size in [0.3, 3.0] {
            let free = DMatrix::from_fn(7, 2, |_, _| sampler.within(size));
            let by = DMatrix::from_fn(7, 2, |_, _| sampler.within(1.0));
            let gradient = within.pull_back(&free, &by);
            let value = |free: &DMatrix<f64>| within.coefficients(free).dot(&by);
            for k in 0..free.len() {
                let h = 1e-5 * size;
                let [mut up, mut down] = [free.clone(), free.clone()];
                up[k] += h;
                down[k] -= h;
                let difference = (value(&up) - value(&down)) / (2.0 * h);
                assert!((gradient[k] - difference).abs() < 1e-6 * gradient.amax(), "{k}: {} {difference}", gradient[k]);
            }
        }
    }
}
