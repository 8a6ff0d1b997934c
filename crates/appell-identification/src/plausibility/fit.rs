//! The bounded fit of one joint's efforts by what the robot's file knows.

use nalgebra::{DMatrix, DVector, SMatrix, SVector};

/// Gravity, what the bodies need beside, acceleration, velocity, its sign.
const COLUMNS: usize = 5;

/// Rounds of the bounded fit.
const ROUNDS: usize = 300;

/// The normal equations of a joint's fit.
#[derive(Debug, Clone)]
pub(super) struct JointFit {
    gram: SMatrix<f64, COLUMNS, COLUMNS>,
    right: SVector<f64, COLUMNS>,
    square: f64, // of the efforts
    rotor: f64,  // the most inertia that one may have
}

impl JointFit {
    pub(super) fn new(columns: &[DVector<f64>; COLUMNS], efforts: &DVector<f64>, rotor: f64) -> Self {
        let matrix = DMatrix::from_columns(columns);
        let gram = matrix.tr_mul(&matrix);
        let right = matrix.tr_mul(efforts);
        Self {
            gram: SMatrix::from_column_slice(gram.as_slice()),
            right: SVector::from_column_slice(right.as_slice()),
            square: efforts.norm_squared(),
            rotor,
        }
    }

    /// The residual, as a part of the torques, if bodies differ from those of the file by a scale, and by no more than a factor
    /// beside: min ‖A x − b‖/‖b‖ within bounds, one unknown after the other, again and again, since the cost is convex and the bounds are
    /// a box.
    pub(super) fn left(&self, scale: f64, wrong: f64) -> f64 {
        let bounds = [
            [scale / wrong, scale * wrong],
            [scale / wrong, scale * wrong],
            [0.0, scale * self.rotor],
            [0.0, f64::INFINITY],
            [0.0, f64::INFINITY],
        ];
        let mut x = SVector::from_fn(|k, _| 0.0_f64.clamp(bounds[k][0], bounds[k][1]));
        for _ in 0..ROUNDS {
            for (k, [lower, upper]) in bounds.iter().enumerate() {
                let square = self.gram[(k, k)];
                if square > 0.0 {
                    let slope = self.right[k] - self.gram.column(k).dot(&x);
                    x[k] = (x[k] + slope / square).clamp(*lower, *upper);
                }
            }
        }
        let left = self.square + x.dot(&(self.gram * x - 2.0 * self.right));
        (left.max(0.0) / self.square).sqrt()
    }
}

/// The residuals of all joints that show something.
pub(super) fn left(fits: &[Option<JointFit>], scale: f64, wrong: f64) -> Vec<Option<f64>> {
    fits.iter().map(|fit| fit.as_ref().map(|fit| fit.left(scale, wrong))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use appell::sample::Sampler;

    /// Bounds that do not bind leave what least squares leaves; where one binds, the others are least squares of the rest.
    #[test]
    fn bounded_fits_are_least_squares_within_a_box() {
        let mut sampler = Sampler::new(4);
        let columns: [DVector<f64>; COLUMNS] =
            core::array::from_fn(|_| DVector::from_fn(40, |_, _| sampler.within(1.0)));
        let a = DMatrix::from_columns(&columns);
        let b = &a * DVector::from_column_slice(&[0.5, 2.0, 1.0, 0.7, 0.3])
            + DVector::from_fn(40, |_, _| sampler.within(0.1));
        let relative = |left: DVector<f64>| left.norm() / b.norm();
        let free = a.clone().svd(true, true).solve(&b, 0.0).unwrap();
        let fit = JointFit::new(&columns, &b, 10.0);
        let wide = fit.left(1.0, 10.0);
        assert!((wide - relative(&b - &a * &free)).abs() < 1e-9);
        // The second is at most 1.5 then.
        let bound = fit.left(0.5, 3.0);
        let rest = a.select_columns(&[0, 2, 3, 4]);
        let right = &b - a.column(1) * 1.5;
        let others = rest.clone().svd(true, true).solve(&right, 0.0).unwrap();
        assert!(
            (0.5 / 3.0..1.5).contains(&others[0]) && others.iter().all(|x| *x > 0.0),
            "another bound binds: {others}"
        );
        assert!((bound - relative(right - rest * others)).abs() < 1e-9 && bound > wide);
    }
}
