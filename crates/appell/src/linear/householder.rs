//! Least squares by Householder's reflections: A = Q R of a tall matrix, over any number.

use crate::real::Real;

/// A = Q R of a matrix with at least as many rows as columns, Q kept as reflections.
///
/// No pivot is chosen, so nothing depends on values: the columns must be independent, in any rows. Where they are
/// not, R has a small number on its diagonal, or NaN.
#[derive(Debug, Clone)]
pub struct Householder<T> {
    shape: (usize, usize),
    entries: Vec<T>,  // row by row: below the diagonal the reflections, above it R
    leading: Vec<T>,  // first entry of each reflection
    weights: Vec<T>,  // 2 / vᵀ v of each
    diagonal: Vec<T>, // of R
    inverses: Vec<T>, // of the diagonal
    along: Vec<T>,    // of each column along a reflection
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
            entries: vec![zero; rows * columns],
            leading: vec![zero; columns],
            weights: vec![zero; columns],
            diagonal: vec![zero; columns],
            inverses: vec![zero; columns],
            along: vec![zero; columns],
        }
    }

    /// Decomposes the matrix whose entry in row i and column k is `entry(i, k)`.
    ///
    /// ```text
    /// v = a − α e₁,   α = −sign(a₁) |a|,   Q_k = 1 − 2 v vᵀ / vᵀv,   vᵀv = 2 (|a|² + |a₁| |a|)
    /// ```
    #[inline(always)]
    pub fn decompose(&mut self, entry: impl Fn(usize, usize) -> T) {
        let (m, n) = self.shape;
        for (i, row) in self.entries.chunks_exact_mut(n.max(1)).enumerate() {
            row.iter_mut().enumerate().for_each(|(k, cell)| *cell = entry(i, k));
        }
        match self.shape {
            // The size of most robots: known to the compiler, which unrolls all loops.
            (6, 6) => self.reduce(6, 6),
            _ => self.reduce(m, n),
        }
    }

    /// Reflects column after column.
    #[inline(always)]
    fn reduce(&mut self, m: usize, n: usize) {
        let (entries, along) = (&mut self.entries[..m * n], &mut self.along[..n]);
        let (leadings, weights, diagonal) = (&mut self.leading[..n], &mut self.weights[..n], &mut self.diagonal[..n]);
        for k in 0..n {
            let first = entries[k * n + k];
            if k + 1 == m {
                // Nothing to reflect: the last entry of a square matrix stands as it is.
                diagonal[k] = first;
                continue;
            }
            let square = (k + 1..m).fold(first * first, |sum, i| entries[i * n + k].mul_add(entries[i * n + k], sum));
            let norm = square.sqrt();
            let alpha = first.where_positive(-norm, norm);
            let leading = first - alpha;
            let weight = first.constant(1.0) / (square - first * alpha);
            for c in k + 1..n {
                let sum = leading * entries[k * n + c];
                let sum = (k + 1..m).fold(sum, |sum, i| entries[i * n + k].mul_add(entries[i * n + c], sum));
                along[c] = sum * weight;
            }
            for c in k + 1..n {
                entries[k * n + c] = entries[k * n + c] - leading * along[c];
            }
            for i in k + 1..m {
                let v = entries[i * n + k];
                for c in k + 1..n {
                    entries[i * n + c] = entries[i * n + c] - v * along[c];
                }
            }
            (leadings[k], weights[k], diagonal[k]) = (leading, weight, alpha);
        }
        for (inverse, &r) in self.inverses[..n].iter_mut().zip(&*diagonal) {
            *inverse = r.constant(1.0) / r;
        }
    }

    /// x − v w vᵀ x for the reflection k.
    #[inline(always)]
    fn reflect(&self, k: usize, m: usize, n: usize, x: &mut [T]) {
        let (leading, entries, x) = (self.leading[k], &self.entries[..m * n], &mut x[..m]);
        let sum = (k + 1..m).fold(leading * x[k], |sum, i| entries[i * n + k].mul_add(x[i], sum));
        let along = sum * self.weights[k];
        x[k] = x[k] - leading * along;
        for i in k + 1..m {
            x[i] = x[i] - entries[i * n + k] * along;
        }
    }

    /// Replaces b by Qᵀ b.
    #[inline(always)]
    pub fn turn_into(&self, b: &mut [T]) {
        let (m, n) = self.shape;
        for k in 0..n.min(m - 1) {
            self.reflect(k, m, n, b);
        }
    }

    /// Replaces y by Q y.
    #[inline(always)]
    pub fn turn_out(&self, y: &mut [T]) {
        match self.shape {
            (6, 6) => {
                for k in (0..5).rev() {
                    self.reflect(k, 6, 6, y);
                }
            }
            (m, n) => {
                for k in (0..n.min(m - 1)).rev() {
                    self.reflect(k, m, n, y);
                }
            }
        }
    }

    /// Solves R x = y in place, in the first entries of `y`.
    #[inline(always)]
    pub fn solve_upper(&self, y: &mut [T]) {
        let n = self.shape.1;
        for k in (0..n).rev() {
            let row = &self.entries[k * n..(k + 1) * n];
            let sum = (k + 1..n).fold(y[k], |sum, j| sum - row[j] * y[j]);
            y[k] = sum * self.inverses[k];
        }
    }

    /// Solves Rᵀ x = y in place, in the first entries of `y`.
    #[inline(always)]
    pub fn solve_upper_transposed(&self, y: &mut [T]) {
        match self.shape.1 {
            6 => self.solve_transposed(6, y),
            n => self.solve_transposed(n, y),
        }
    }

    #[inline(always)]
    fn solve_transposed(&self, n: usize, y: &mut [T]) {
        let (entries, inverses, y) = (&self.entries[..n * n], &self.inverses[..n], &mut y[..n]);
        for k in 0..n {
            y[k] = y[k] * inverses[k];
            for j in k + 1..n {
                y[j] = y[j] - entries[k * n + j] * y[k];
            }
        }
    }

    /// The diagonal of R.
    #[must_use]
    pub fn diagonal(&self) -> &[T] {
        &self.diagonal
    }

    /// |R|² in Frobenius' norm, and the square of the determinant of R: cheap, and where the second is not small nothing
    /// more needs to be known.
    #[inline(always)]
    pub fn size_and_determinant_squared(&self) -> (T, T) {
        match self.shape.1 {
            6 => self.size_and_determinant(6),
            n => self.size_and_determinant(n),
        }
    }

    #[inline(always)]
    fn size_and_determinant(&self, n: usize) -> (T, T) {
        let (entries, diagonal) = (&self.entries[..n * n], &self.diagonal[..n]);
        let (mut size, mut determinant) = (diagonal[0].zero(), diagonal[0].constant(1.0));
        for k in 0..n {
            let square = diagonal[k] * diagonal[k];
            determinant = determinant * square;
            size = (k + 1..n).fold(size + square, |sum, c| entries[k * n + c].mul_add(entries[k * n + c], sum));
        }
        (size, determinant)
    }

    /// |R|² and |R⁻¹|² in Frobenius' norm. Their product is at least the square of the condition number, and at most n²
    /// of it.
    ///
    /// `scratch` has an entry a column.
    #[inline(always)]
    pub fn norms_squared(&self, scratch: &mut [T]) -> (T, T) {
        match self.shape.1 {
            6 => self.measure(6, scratch),
            n => self.measure(n, scratch),
        }
    }

    #[inline(always)]
    fn measure(&self, n: usize, scratch: &mut [T]) -> (T, T) {
        let (entries, scratch) = (&self.entries[..n * n], &mut scratch[..n]);
        let (diagonal, inverses) = (&self.diagonal[..n], &self.inverses[..n]);
        let zero = diagonal[0].zero();
        let (mut size, mut inverse) = (zero, zero);
        for k in 0..n {
            size = diagonal[k].mul_add(diagonal[k], size);
            size = (k + 1..n).fold(size, |sum, c| entries[k * n + c].mul_add(entries[k * n + c], sum));
        }
        for k in 0..n {
            // Row k of R⁻¹, from x R = (unit vector k).
            for j in k..n {
                let unit = zero.constant(if j == k { 1.0 } else { 0.0 });
                let sum = (k..j).fold(unit, |sum, i| sum - scratch[i] * entries[i * n + j]);
                scratch[j] = sum * inverses[j];
                inverse = scratch[j].mul_add(scratch[j], inverse);
            }
        }
        (size, inverse)
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
            let (size, inverse): (f64, f64) = qr.norms_squared(&mut vec![0.0; n]);
            let bound = (size * inverse).sqrt();
            assert!(condition <= bound * (1.0 + 1e-12) && bound <= condition * n as f64 * (1.0 + 1e-12));
        }
    }
}
