//! Least squares by Householder's reflections: A = Q R of a tall matrix, over any number.

use crate::real::Real;

/// A = Q R of a matrix with at least as many rows as columns, Q kept as reflections.
///
/// No pivot is chosen, so nothing depends on values: the columns must be independent, in any rows. Where they are
/// not, R has a small number on its diagonal, or NaN.
#[derive(Debug, Clone)]
pub struct Householder<T> {
    shape: (usize, usize),
    columns: Vec<T>,  // column by column: below the diagonal the reflections, above it R
    leading: Vec<T>,  // first entry of each reflection
    weights: Vec<T>,  // 2 / vᵀ v of each
    diagonal: Vec<T>, // of R
}

impl<T: Real> Householder<T> {
    /// Room for a matrix of this many rows and columns.
    ///
    /// # Panics
    /// If there are fewer rows than columns.
    #[must_use]
    pub fn new(rows: usize, columns: usize, witness: T) -> Self {
        assert!(rows >= columns, "at least as many rows as columns");
        let zero = witness.zero();
        Self {
            shape: (rows, columns),
            columns: vec![zero; rows * columns],
            leading: vec![zero; columns],
            weights: vec![zero; columns],
            diagonal: vec![zero; columns],
        }
    }

    /// Decomposes the matrix whose entry in row i and column k is `entry(i, k)`.
    ///
    /// ```text
    /// v = a − α e₁,   α = −sign(a₁) |a|,   Q_k = 1 − 2 v vᵀ / vᵀv,   vᵀv = 2 (|a|² + |a₁| |a|)
    /// ```
    pub fn decompose(&mut self, entry: impl Fn(usize, usize) -> T) {
        let (m, n) = self.shape;
        for k in 0..n {
            for i in 0..m {
                self.columns[k * m + i] = entry(i, k);
            }
        }
        for k in 0..n {
            let (done, rest) = self.columns.split_at_mut((k + 1) * m);
            let column = &mut done[k * m + k..];
            let first = column[0];
            if column.len() == 1 {
                // Nothing to reflect: the last entry of a square matrix stands as it is.
                self.diagonal[k] = first;
                continue;
            }
            let square = column.iter().skip(1).fold(first * first, |sum, &x| x.mul_add(x, sum));
            let norm = square.sqrt();
            let alpha = first.where_positive(-norm, norm);
            let leading = first - alpha;
            let weight = first.constant(1.0) / (square - first * alpha);
            for other in rest.chunks_exact_mut(m) {
                reflect(leading, &column[1..], weight, &mut other[k..]);
            }
            (self.leading[k], self.weights[k], self.diagonal[k]) = (leading, weight, alpha);
        }
    }

    /// Replaces b by Qᵀ b.
    #[inline(always)]
    pub fn turn_into(&self, b: &mut [T]) {
        let (m, n) = self.shape;
        for k in 0..n.min(m - 1) {
            reflect(self.leading[k], &self.columns[k * m + k + 1..(k + 1) * m], self.weights[k], &mut b[k..m]);
        }
    }

    /// Replaces y by Q y.
    #[inline(always)]
    pub fn turn_out(&self, y: &mut [T]) {
        let (m, n) = self.shape;
        for k in (0..n.min(m - 1)).rev() {
            reflect(self.leading[k], &self.columns[k * m + k + 1..(k + 1) * m], self.weights[k], &mut y[k..m]);
        }
    }

    /// Solves R x = y in place, in the first entries of `y`.
    #[inline(always)]
    pub fn solve_upper(&self, y: &mut [T]) {
        let (m, n) = self.shape;
        for k in (0..n).rev() {
            let sum = (k + 1..n).fold(y[k], |sum, j| sum - self.columns[j * m + k] * y[j]);
            y[k] = sum / self.diagonal[k];
        }
    }

    /// Solves Rᵀ x = y in place, in the first entries of `y`.
    #[inline(always)]
    pub fn solve_upper_transposed(&self, y: &mut [T]) {
        let (m, n) = self.shape;
        for k in 0..n {
            let column = &self.columns[k * m..k * m + k];
            let sum = column.iter().zip(&y[..k]).fold(y[k], |sum, (&r, &x)| sum - r * x);
            y[k] = sum / self.diagonal[k];
        }
    }

    /// The diagonal of R.
    #[must_use]
    pub fn diagonal(&self) -> &[T] {
        &self.diagonal
    }

    /// |R| |R⁻¹| in Frobenius' norm, squared: at least the square of the condition number, and at most n² of it.
    ///
    /// `scratch` has an entry a column.
    #[inline(always)]
    pub fn condition_squared(&self, scratch: &mut [T]) -> T {
        let (m, n) = self.shape;
        let zero = self.diagonal[0].zero();
        let (mut size, mut inverse) = (zero, zero);
        for k in 0..n {
            let r = self.diagonal[k];
            size = r.mul_add(r, size);
            size = self.columns[k * m..k * m + k].iter().fold(size, |sum, &x| x.mul_add(x, sum));
            // Column k of the inverse: zero below its diagonal.
            scratch[k] = r.constant(1.0) / r;
            inverse = scratch[k].mul_add(scratch[k], inverse);
            for i in (0..k).rev() {
                let sum = (i + 1..=k).fold(zero, |sum, j| sum - self.columns[j * m + i] * scratch[j]);
                scratch[i] = sum / self.diagonal[i];
                inverse = scratch[i].mul_add(scratch[i], inverse);
            }
        }
        size * inverse
    }
}

/// x − v w vᵀx for v = (leading, tail).
#[inline(always)]
fn reflect<T: Real>(leading: T, tail: &[T], weight: T, x: &mut [T]) {
    let along = x[1..].iter().zip(tail).fold(leading * x[0], |sum, (&x, &v)| v.mul_add(x, sum)) * weight;
    x[0] = x[0] - leading * along;
    for (x, &v) in x[1..].iter_mut().zip(tail) {
        *x = *x - v * along;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::Sampler;
    use nalgebra::{DMatrix, DVector};

    #[test]
    fn agrees_with_nalgebra() {
        let mut sampler = Sampler::new(5);
        for (m, n) in [(1, 1), (3, 3), (6, 6), (5, 2), (7, 6), (9, 3)] {
            let matrix = DMatrix::from_fn(m, n, |_, _| sampler.within(1.0));
            let mut qr = Householder::new(m, n, 0.0);
            qr.decompose(|i, k| matrix[(i, k)]);
            let b = DVector::from_fn(m, |_, _| sampler.within(1.0));
            let mut x = b.as_slice().to_vec();
            qr.turn_into(&mut x);
            let mut back = x.clone();
            qr.turn_out(&mut back);
            assert!((DVector::from_vec(back) - &b).norm() < 1e-14, "Q Qᵀ = 1");
            qr.solve_upper(&mut x);
            let expected = matrix.clone().svd(true, true).solve(&b, 0.0).expect("both sides are there");
            let least_squares = DVector::from_row_slice(&x[..n]);
            assert!((&least_squares - &expected).norm() < 1e-12, "{m} × {n}");
            let mut y = vec![0.0; m];
            y[..n].copy_from_slice(expected.as_slice());
            qr.solve_upper_transposed(&mut y);
            qr.turn_out(&mut y);
            let y = DVector::from_vec(y);
            assert!((matrix.transpose() * &y - &expected).norm() < 1e-12, "Aᵀ y = x");
            let least_norm = matrix.transpose().svd(true, true).solve(&expected, 0.0).expect("both sides are there");
            assert!((y - least_norm).norm() < 1e-11, "of the least norm");
            let values = matrix.singular_values();
            let condition = values.iter().fold(0.0_f64, |most, &x| most.max(x)) / values.min();
            let bound = f64::sqrt(qr.condition_squared(&mut vec![0.0; n]));
            assert!(condition <= bound * (1.0 + 1e-12) && bound <= condition * n as f64 * (1.0 + 1e-12));
        }
    }
}
