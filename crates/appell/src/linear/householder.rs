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
    /// Workspace for a matrix of this many rows and columns.
    ///
    /// # Panics
    /// If there are fewer rows than columns.
    #[must_use]
    pub fn new(rows: usize, columns: usize, like: T) -> Self {
        assert!(rows >= columns, "at least as many rows as columns");
        let zero = like.zero();
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
    /// v = a − α e₁,   α = −sign(a₁) |a|,   Q_k = 1 − 2 v vᵀ / vᵀv,   vᵀv = 2 (|a|² + |a₁| |a|),   vᵀ x = aᵀ x − α x₁
    /// ```
    #[inline(always)]
    pub fn decompose(&mut self, entry: impl Fn(usize, usize) -> T) {
        self.decompose_beside(entry, &mut []);
    }

    /// Decomposes the matrix whose entry in row i and column k is `entry(i, k)`, and replaces b, which has an entry a
    /// row or none, by Qᵀ b on the way.
    #[inline(always)]
    pub fn decompose_beside(&mut self, entry: impl Fn(usize, usize) -> T, b: &mut [T]) {
        match (self.shape, b.len()) {
            ((6, 6), 0) if T::PARTS == 1 => self.decompose_six(entry, &mut []),
            ((6, 6), 6) if T::PARTS == 1 => self.decompose_six(entry, &mut b[..6]),
            _ => self.decompose_any(entry, b),
        }
    }

    /// The size of most robots, written out: the compiler knows all indices and keeps the matrix at hand.
    #[inline(always)]
    fn decompose_six(&mut self, entry: impl Fn(usize, usize) -> T, b: &mut [T]) {
        let mut entries = [entry(0, 0); 36];
        for (place, cell) in entries.iter_mut().enumerate().skip(1) {
            *cell = entry(place / 6, place % 6);
        }
        let mut along = [entries[0]; 6];
        let columns = [
            reflect_column((6, 6), 0, &mut entries, b, &mut along),
            reflect_column((6, 6), 1, &mut entries, b, &mut along),
            reflect_column((6, 6), 2, &mut entries, b, &mut along),
            reflect_column((6, 6), 3, &mut entries, b, &mut along),
            reflect_column((6, 6), 4, &mut entries, b, &mut along),
            reflect_column((6, 6), 5, &mut entries, b, &mut along),
        ];
        self.entries.copy_from_slice(&entries);
        for (k, column) in columns.into_iter().enumerate() {
            self.keep(k, column);
        }
    }

    #[inline(always)]
    fn decompose_any(&mut self, entry: impl Fn(usize, usize) -> T, b: &mut [T]) {
        let (m, n) = self.shape;
        for (i, row) in self.entries.chunks_exact_mut(n.max(1)).enumerate() {
            for (k, cell) in row.iter_mut().enumerate() {
                *cell = entry(i, k);
            }
        }
        for k in 0..n {
            let column = reflect_column((m, n), k, &mut self.entries, b, &mut self.along);
            self.keep(k, column);
        }
    }

    #[inline(always)]
    fn keep(&mut self, k: usize, [leading, weight, diagonal]: [T; 3]) {
        (self.leading[k], self.weights[k], self.diagonal[k]) = (leading, weight, diagonal);
        self.inverses[k] = diagonal.constant(1.0) / diagonal;
    }

    /// x − v w vᵀ x for the reflection k.
    #[inline(always)]
    fn reflect(&self, k: usize, m: usize, n: usize, x: &mut [T]) {
        let (leading, entries, x) = (self.leading[k], &self.entries[..m * n], &mut x[..m]);
        let mut sum = leading * x[k];
        for i in k + 1..m {
            sum = entries[i * n + k].mul_add(x[i], sum);
        }
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
        match self.shape.1 {
            6 => self.solve(6, y),
            n => self.solve(n, y),
        }
    }

    #[inline(always)]
    fn solve(&self, n: usize, y: &mut [T]) {
        let (entries, inverses, y) = (&self.entries[..n * n], &self.inverses[..n], &mut y[..n]);
        for k in (0..n).rev() {
            y[k] = y[k] * inverses[k];
            for i in 0..k {
                y[i] = y[i] - entries[i * n + k] * y[k];
            }
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
            size = size + square;
            for c in k + 1..n {
                size = entries[k * n + c].mul_add(entries[k * n + c], size);
            }
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
            for c in k + 1..n {
                size = entries[k * n + c].mul_add(entries[k * n + c], size);
            }
        }
        for k in 0..n {
            // Row k of R⁻¹, from x R = (unit vector k).
            for j in k..n {
                let mut sum = zero.constant(if j == k { 1.0 } else { 0.0 });
                for i in k..j {
                    sum = sum - scratch[i] * entries[i * n + j];
                }
                scratch[j] = sum * inverses[j];
                inverse = scratch[j].mul_add(scratch[j], inverse);
            }
        }
        (size, inverse)
    }
}

/// Reflects column k of a matrix, all beyond it and what stands beside them: the reflection's first entry and weight, and
/// the entry of R on the diagonal.
#[inline(always)]
fn reflect_column<T: Real>(
    (m, n): (usize, usize),
    k: usize,
    entries: &mut [T],
    beside: &mut [T],
    along: &mut [T],
) -> [T; 3] {
    let first = entries[k * n + k];
    if k + 1 == m {
        // Nothing to reflect: the last entry of a square matrix stands as it is.
        return [first, first.zero(), first];
    }
    // All products of the column at once: none waits for the root.
    let mut square = first * first;
    for i in k + 1..m {
        square = entries[i * n + k].mul_add(entries[i * n + k], square);
    }
    for c in k + 1..n {
        let mut product = first * entries[k * n + c];
        for i in k + 1..m {
            product = entries[i * n + k].mul_add(entries[i * n + c], product);
        }
        along[c] = product;
    }
    let norm = square.sqrt();
    let alpha = first.where_positive(-norm, norm);
    let leading = first - alpha;
    let weight = first.constant(1.0) / (square - first * alpha);
    for c in k + 1..n {
        along[c] = (along[c] - alpha * entries[k * n + c]) * weight;
        entries[k * n + c] = entries[k * n + c] - leading * along[c];
    }
    for i in k + 1..m {
        let v = entries[i * n + k];
        for c in k + 1..n {
            entries[i * n + c] = entries[i * n + c] - v * along[c];
        }
    }
    if !beside.is_empty() {
        let mut product = first * beside[k];
        for i in k + 1..m {
            product = entries[i * n + k].mul_add(beside[i], product);
        }
        let along = (product - alpha * beside[k]) * weight;
        beside[k] = beside[k] - leading * along;
        for i in k + 1..m {
            beside[i] = beside[i] - entries[i * n + k] * along;
        }
    }
    [leading, weight, alpha]
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
