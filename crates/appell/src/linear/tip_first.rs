//! Decomposition of a symmetric matrix without roots, from the last row to the first.

use crate::real::Real;

/// A = Lᵀ D L with a unit lower triangle L: the last unknown is eliminated first.
///
/// Of a robot's inertia matrix this keeps the zeros between bodies on different branches, and no root stands in the
/// chain of dependent operations (Featherstone2005).
#[derive(Debug, Clone)]
pub struct TipFirst<T> {
    n: usize,
    factors: Vec<T>,  // L_ki at i n + k
    left: Vec<T>,     // what is left of A_ki, there too
    pivots: Vec<T>,   // D
    inverses: Vec<T>, // 1 / D: one division a row, and the rest multiplies
}

impl<T: Real> TipFirst<T> {
    /// Room for a system of `n` equations.
    #[must_use]
    pub fn new(n: usize, witness: T) -> Self {
        Self {
            n,
            factors: vec![witness.zero(); n * n],
            left: vec![witness.zero(); n * n],
            pivots: vec![witness.zero(); n],
            inverses: vec![witness.zero(); n],
        }
    }

    /// Decomposes `matrix`, of which the lower triangle is read.
    ///
    /// # Panics
    /// If `matrix` has not n² entries.
    #[inline(always)]
    pub fn decompose(&mut self, matrix: &[T]) {
        let n = self.n;
        assert_eq!(matrix.len(), n * n, "a square matrix");
        for k in (0..n).rev() {
            self.take_row(k, &matrix[k * n..=k * n + k]);
        }
    }

    /// Takes the row k of the matrix, up to its diagonal, after all rows below it: who computes them in this order need not
    /// wait for a division while there are rows left.
    ///
    /// ```text
    /// A_kj ← A_kj − Σ L_ik A_ij  (i > k)    D_k = A_kk    L_kj = A_kj / D_k    (j ≤ k)
    /// ```
    ///
    /// # Panics
    /// If `row` has not k + 1 entries.
    #[inline(always)]
    pub fn take_row(&mut self, k: usize, row: &[T]) {
        let n = self.n;
        assert_eq!(row.len(), k + 1, "a row up to its diagonal");
        let Self { factors, left, .. } = self;
        let mut pivot = row[k];
        for (j, &entry) in row.iter().enumerate() {
            // Entry by entry, nothing is copied: what was just computed is taken from where it is.
            let below = factors[k * n + k + 1..(k + 1) * n].iter().zip(&left[j * n + k + 1..(j + 1) * n]);
            pivot = below.rev().fold(
                entry,
                #[inline(always)]
                |entry, (&factor, &other)| (-factor).mul_add(other, entry),
            );
            left[j * n + k] = pivot; // the last is the diagonal's
        }
        let inverse = pivot.constant(1.0) / pivot;
        (self.pivots[k], self.inverses[k]) = (pivot, inverse);
        for j in 0..k {
            factors[j * n + k] = left[j * n + k] * inverse;
        }
    }

    /// What was left of each diagonal entry: all positive if and only if the matrix was positive definite.
    #[must_use]
    pub fn pivots(&self) -> &[T] {
        &self.pivots
    }

    /// Solves Lᵀ D L x = b in place.
    ///
    /// # Panics
    /// If `b` has not n entries.
    #[inline(always)]
    pub fn solve(&self, b: &mut [T]) {
        let n = self.n;
        assert_eq!(b.len(), n, "one right-hand side an equation");
        for k in (0..n).rev() {
            let (before, rest) = b.split_at_mut(k);
            let minus = -rest[0];
            for (i, b) in before.iter_mut().enumerate() {
                *b = minus.mul_add(self.factors[i * n + k], *b);
            }
        }
        for k in 0..n {
            b[k] = b[k] * self.inverses[k];
            for i in 0..k {
                b[k] = (-b[i]).mul_add(self.factors[i * n + k], b[k]);
            }
        }
    }

    /// Solves Lᵀ D L X = B in place for all columns of B, given row by row: each step is one of whole rows.
    ///
    /// # Panics
    /// If `b` has not n rows.
    #[inline(always)]
    pub fn solve_columns(&self, b: &mut [T]) {
        let n = self.n;
        let width = b.len() / n;
        assert_eq!(b.len(), n * width, "one row an equation");
        for k in (0..n).rev() {
            let (before, row) = b.split_at_mut(k * width);
            for i in 0..k {
                subtract(&mut before[i * width..][..width], self.factors[i * n + k], &row[..width]);
            }
        }
        for k in 0..n {
            let (before, row) = b.split_at_mut(k * width);
            let row = &mut row[..width];
            for x in &mut *row {
                *x = *x * self.inverses[k];
            }
            for i in 0..k {
                subtract(row, self.factors[i * n + k], &before[i * width..][..width]);
            }
        }
    }
}

/// row ← row − factor · other.
#[inline(always)]
fn subtract<T: Real>(row: &mut [T], factor: T, other: &[T]) {
    let minus = -factor;
    for (x, &y) in row.iter_mut().zip(other) {
        *x = minus.mul_add(y, *x);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linear::Cholesky;

    #[test]
    fn agrees_with_cholesky() {
        let matrix = [4.0_f64, 1.0, 0.5, 1.0, 3.0, -0.2, 0.5, -0.2, 2.0];
        let (mut x, mut y) = ([1.0, -2.0, 0.3], [1.0, -2.0, 0.3]);
        let mut cholesky = Cholesky::new(3, 0.0);
        cholesky.decompose(&matrix);
        cholesky.solve(&mut x);
        let mut elimination = TipFirst::new(3, 0.0);
        elimination.decompose(&matrix);
        elimination.solve(&mut y);
        assert!(x.iter().zip(y).all(|(x, y)| (x - y).abs() < 1e-15), "{x:?} {y:?}");
        assert!(elimination.pivots().iter().all(|&pivot| pivot > 0.0));
        assert_eq!(elimination.pivots()[2], 2.0, "the last is eliminated first");
        let mut columns = [1.0, 2.0, -2.0, -4.0, 0.3, 0.6];
        elimination.solve_columns(&mut columns);
        for (row, x) in columns.chunks_exact(2).zip(y) {
            assert!((row[0] - x).abs() < 1e-15 && (row[1] - 2.0 * x).abs() < 1e-15, "{columns:?} {y:?}");
        }
    }
}
