//! Fourier series in joint space, as motions that excite a robot are made of.
//!
//! ```text
//! q_j(t) = q₀_j + Σ_k a_jk sin(k ω t) + b_jk cos(k ω t)        ω = 2π f
//! ```
//!
//! A series begins at rest if Σ k a_k = 0 and Σ k² b_k = 0. The nearest coefficients for which both hold are a − k Σ l a_l / Σ l²
//! and b − k² Σ l² b_l / Σ l⁴: the motion stays periodic with the same frequencies, and rests for an instant in every period.

use super::time_law::clamped;
use super::{FollowError, JointReference, PathError, expect_joints, numbers, positive};
use core::f64::consts::TAU;

/// A Fourier series of every joint.
#[derive(Debug, Clone, PartialEq)]
pub struct Fourier {
    offset: Vec<f64>,
    terms: Vec<Vec<[f64; 2]>>, // a and b, harmonic by harmonic, a joint
    omega: f64,
    duration: f64,
}

impl Fourier {
    /// The series with these coefficients `[a, b]`, rad or m, harmonic by harmonic for each joint, about `offset`; the base
    /// frequency is in Hz, and the motion takes `periods` of it.
    ///
    /// ```
    /// use appell_simulation::trajectory::{Fourier, JointReference};
    ///
    /// let mut series = Fourier::new(&[0.5], &[vec![[0.2, 0.0], [-0.1, 0.0]]], 0.5, 2.0)?;
    /// let [mut q, mut v, mut a] = [[0.0]; 3];
    /// series.at(0.0, &mut q, &mut v, &mut a).unwrap();
    /// assert_eq!((q, v), ([0.5], [0.0]), "at rest: 0.2 − 2 · 0.1 = 0");
    /// assert_eq!(series.duration(), 4.0);
    /// # Ok::<(), appell_simulation::trajectory::PathError>(())
    /// ```
    ///
    /// # Errors
    /// If there is not a row of finite coefficients a joint, or frequency or periods are not positive.
    pub fn new(offset: &[f64], terms: &[Vec<[f64; 2]>], frequency: f64, periods: f64) -> Result<Self, PathError> {
        numbers("the offset", offset, offset.len())?;
        if terms.len() != offset.len() {
            return Err(PathError::Length { what: "the series", found: terms.len(), expected: offset.len() });
        }
        super::finite("a coefficient", terms.iter().flatten().flatten())?;
        let (frequency, periods) = (positive("frequency", frequency)?, positive("number of periods", periods)?);
        let duration = positive("duration", periods / frequency)?;
        Ok(Self { offset: offset.to_vec(), terms: terms.to_vec(), omega: TAU * frequency, duration })
    }

    /// The nearest series that begins at rest, without acceleration.
    ///
    /// # Errors
    /// If a joint that moves has one harmonic only.
    pub fn from_rest(mut self) -> Result<Self, PathError> {
        for (j, terms) in self.terms.iter_mut().enumerate() {
            if terms.len() == 1 && terms[0] != [0.0; 2] {
                return Err(PathError::OneHarmonic { joint: j + 1, harmonics: 1 });
            }
            for (part, weight) in [(0, 1), (1, 2)] {
                let order = |k: usize| ((k + 1) as f64).powi(weight);
                let sum: f64 = terms.iter().enumerate().map(|(k, term)| order(k) * term[part]).sum();
                let squares: f64 = (0..terms.len()).map(|k| order(k) * order(k)).sum();
                terms.iter_mut().enumerate().for_each(|(k, term)| term[part] -= order(k) * sum / squares);
            }
        }
        Ok(self)
    }

    /// The coefficients `[a, b]`, harmonic by harmonic for each joint.
    #[must_use]
    pub fn terms(&self) -> &[Vec<[f64; 2]>] {
        &self.terms
    }
}

impl JointReference for Fourier {
    fn joints(&self) -> usize {
        self.offset.len()
    }

    fn duration(&self) -> f64 {
        self.duration
    }

    fn at(&mut self, t: f64, q: &mut [f64], v: &mut [f64], a: &mut [f64]) -> Result<(), FollowError> {
        expect_joints(self.offset.len(), [q, v, a]);
        let (t, moves) = clamped(t, self.duration);
        for (j, terms) in self.terms.iter().enumerate() {
            (q[j], v[j], a[j]) = (self.offset[j], 0.0, 0.0);
            for (k, [sine, cosine]) in terms.iter().enumerate() {
                let omega = self.omega * (k + 1) as f64;
                let (sin, cos) = (omega * t).sin_cos();
                let wave = sine * sin + cosine * cos;
                q[j] += wave;
                if moves {
                    v[j] += omega * (sine * cos - cosine * sin);
                    a[j] -= omega * omega * wave;
                }
            }
        }
        Ok(())
    }
}
