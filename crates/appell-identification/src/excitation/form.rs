//! Families of motions that are linear in their coefficients: the same functions of time for all joints.
//!
//! ```text
//! q_j(t) = middle_j + Σ_k c_jk f_k(t)
//! ```
//!
//! The functions are those of [`Fourier`] from rest, or of a quintic [`Spline`] at rest at both ends, with one coefficient
//! 1 and the others 0. Both begin without velocity and acceleration; the series ends so, too.

use appell_simulation::trajectory::{Ends, FollowError, Fourier, JointReference, PathError, Spline};
use nalgebra::{DMatrix, DVector};

/// A family of motions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Form {
    /// Fourier series that begin at rest, without acceleration.
    Fourier {
        /// At least 2.
        harmonics: usize,
        /// Of the first, Hz: the motion takes its period.
        frequency: f64,
    },
    /// Quintic splines at rest at both ends, through points at even times.
    Spline {
        /// At least 3, both ends included.
        points: usize,
        /// s.
        duration: f64,
    },
}

/// A motion of one of the families.
#[derive(Debug, Clone, PartialEq)]
pub enum Excited {
    /// A Fourier series.
    Fourier(Fourier),
    /// A spline.
    Spline(Spline),
}

/// The functions of a family and their two derivatives, sampled: a row per instant, a column per coefficient.
#[derive(Debug, Clone)]
pub(super) struct Basis {
    pub(super) values: [DMatrix<f64>; 3],
}

impl Form {
    /// How long a motion takes, s.
    #[must_use]
    pub fn duration(&self) -> f64 {
        match *self {
            Self::Fourier { frequency, .. } => 1.0 / frequency,
            Self::Spline { duration, .. } => duration,
        }
    }

    /// How many coefficients a joint has.
    pub(super) fn coefficients(&self) -> usize {
        match *self {
            Self::Fourier { harmonics, .. } => 1 + 2 * harmonics,
            Self::Spline { points, .. } => points,
        }
    }

    /// The coefficients of the function that is 1 all the time.
    pub(super) fn constant(&self) -> DVector<f64> {
        let count = self.coefficients();
        match self {
            Self::Fourier { .. } => DVector::from_fn(count, |k, _| f64::from(u8::from(k == 0))),
            Self::Spline { .. } => DVector::from_element(count, 1.0),
        }
    }

    /// The motion with these coefficients, a column per joint, about `middle`.
    pub(super) fn motion(&self, middle: &[f64], coefficients: &DMatrix<f64>) -> Result<Excited, PathError> {
        match *self {
            Self::Fourier { harmonics, frequency } => {
                let joints = coefficients.column_iter();
                let offset: Vec<f64> = joints.clone().zip(middle).map(|(c, middle)| middle + c[0]).collect();
                let terms: Vec<Vec<[f64; 2]>> =
                    joints.map(|c| (0..harmonics).map(|k| [c[1 + 2 * k], c[2 + 2 * k]]).collect()).collect();
                Fourier::new(&offset, &terms, frequency, 1.0)?.from_rest().map(Excited::Fourier)
            }
            Self::Spline { points, duration } => {
                let times: Vec<f64> = (0..points).map(|k| duration * k as f64 / (points.max(2) - 1) as f64).collect();
                let point = |k: usize| coefficients.row(k).iter().zip(middle).map(|(c, middle)| middle + c).collect();
                let points: Vec<Vec<f64>> = (0..points).map(point).collect();
                Spline::quintic(&times, &points, Ends::Rest).map(Excited::Spline)
            }
        }
    }

    /// The functions at `samples` instants in the middles of as many equal parts of the motion.
    pub(super) fn basis(&self, samples: usize) -> Result<Basis, PathError> {
        let k = self.coefficients();
        let mut units = self.motion(&vec![0.0; k], &DMatrix::identity(k, k))?;
        let mut values = [(); 3].map(|()| DMatrix::zeros(samples, k));
        let [mut q, mut v, mut a] = [(); 3].map(|()| vec![0.0; k]);
        for row in 0..samples {
            let t = self.duration() * (row as f64 + 0.5) / samples as f64;
            units.at(t, &mut q, &mut v, &mut a).expect("a polynomial or a series is everywhere");
            for (matrix, state) in values.iter_mut().zip([&q, &v, &a]) {
                matrix.row_mut(row).copy_from_slice(state);
            }
        }
        Ok(Basis { values })
    }
}

impl Basis {
    /// Numbers of all joints, one joint after the other, as a column per joint.
    pub(super) fn shaped(&self, x: &DVector<f64>) -> DMatrix<f64> {
        let coefficients = self.values[0].ncols();
        DMatrix::from_column_slice(coefficients, x.len() / coefficients, x.as_slice())
    }

    /// Positions (less the middles), velocities and accelerations, a row per instant, a column per joint.
    pub(super) fn states(&self, coefficients: &DMatrix<f64>) -> [DMatrix<f64>; 3] {
        self.values.each_ref().map(|functions| functions * coefficients)
    }

    /// Derivatives by states as derivatives by the coefficients: the transpose of [`Basis::states`].
    pub(super) fn pull_back(&self, by_states: &[DMatrix<f64>; 3]) -> DMatrix<f64> {
        let parts = self.values.iter().zip(by_states).map(|(functions, by)| functions.tr_mul(by));
        parts.reduce(|sum, part| sum + part).expect("three of them")
    }
}

impl Excited {
    /// What a series swings about, rad or m, one value per joint; of a spline where it begins.
    #[must_use]
    pub fn about(&self) -> Vec<f64> {
        let mut motion = self.clone();
        let [mut q, mut v, mut a] = [(); 3].map(|()| vec![0.0; motion.joints()]);
        motion.at(0.0, &mut q, &mut v, &mut a).expect("a polynomial or a series is everywhere");
        if let Self::Fourier(series) = self {
            let cosines = series.terms().iter().map(|terms| terms.iter().map(|[_, cosine]| cosine).sum::<f64>());
            q.iter_mut().zip(cosines).for_each(|(q, sum)| *q -= sum);
        }
        q
    }
}

impl JointReference for Excited {
    fn joints(&self) -> usize {
        match self {
            Self::Fourier(series) => series.joints(),
            Self::Spline(spline) => spline.joints(),
        }
    }

    fn duration(&self) -> f64 {
        match self {
            Self::Fourier(series) => series.duration(),
            Self::Spline(spline) => spline.duration(),
        }
    }

    fn at(&mut self, t: f64, q: &mut [f64], v: &mut [f64], a: &mut [f64]) -> Result<(), FollowError> {
        match self {
            Self::Fourier(series) => series.at(t, q, v, a),
            Self::Spline(spline) => spline.at(t, q, v, a),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use appell::sample::Sampler;

    const FORMS: [Form; 2] =
        [Form::Fourier { harmonics: 3, frequency: 0.25 }, Form::Spline { points: 6, duration: 3.0 }];

    #[test]
    fn motions_are_linear_in_their_coefficients_and_start_at_rest() {
        let mut sampler = Sampler::new(3);
        for form in FORMS {
            let middle = [0.5, -1.0];
            let coefficients = DMatrix::from_fn(form.coefficients(), 2, |_, _| sampler.within(1.0));
            let mut motion = form.motion(&middle, &coefficients).unwrap();
            for (j, start) in motion.about().into_iter().enumerate() {
                assert!((start - middle[j] - coefficients[(0, j)]).abs() < 1e-12, "{form:?}");
            }
            let [q, v, a] = form.basis(17).unwrap().states(&coefficients);
            let [mut x, mut rate, mut second] = [[0.0; 2]; 3];
            for k in 0..17 {
                motion.at(form.duration() * (k as f64 + 0.5) / 17.0, &mut x, &mut rate, &mut second).unwrap();
                for j in 0..2 {
                    let pairs = [(middle[j] + q[(k, j)], x[j]), (v[(k, j)], rate[j]), (a[(k, j)], second[j])];
                    assert!(pairs.iter().all(|(one, other)| (one - other).abs() < 1e-11), "{form:?} {pairs:?}");
                }
            }
            let still = form.basis(5).unwrap().states(&DMatrix::from_columns(&[form.constant()]));
            assert!(still[0].iter().all(|q| (q - 1.0).abs() < 1e-12) && still[1].amax() < 1e-12);
            for t in [0.0, form.duration()] {
                motion.at(t, &mut x, &mut rate, &mut second).unwrap();
                assert!(rate.iter().chain(&second).all(|x| x.abs() < 1e-12), "{form:?} at {t}: {rate:?} {second:?}");
            }
        }
    }

    #[test]
    fn what_coefficients_feel_is_the_transpose() {
        let mut sampler = Sampler::new(4);
        for form in FORMS {
            let basis = form.basis(11).unwrap();
            let coefficients = DMatrix::from_fn(form.coefficients(), 3, |_, _| sampler.within(1.0));
            let by = [(); 3].map(|()| DMatrix::from_fn(11, 3, |_, _| sampler.within(1.0)));
            let states = basis.states(&coefficients);
            let one: f64 = states.iter().zip(&by).map(|(x, y)| x.dot(y)).sum();
            let other = basis.pull_back(&by).dot(&coefficients);
            assert!((one - other).abs() < 1e-10 * one.abs().max(1.0));
        }
    }

    #[test]
    fn forms_that_are_none_are_refused() {
        assert!(Form::Fourier { harmonics: 1, frequency: 0.1 }.basis(5).is_err());
        assert!(Form::Fourier { harmonics: 3, frequency: 0.0 }.basis(5).is_err());
        assert!(Form::Spline { points: 1, duration: 1.0 }.basis(5).is_err());
    }
}
