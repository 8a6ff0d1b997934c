//! Cholesky's decomposition A = L Lᵀ.

use crate::real::Real;

/// A lower triangle and the pivots that were met on the way to it.
#[derive(Debug, Clone)]
pub struct Cholesky<T> {
    n: usize,
    first: Vec<usize>, // where each row begins
    lower: Vec<T>,     // L, row by row
    pivots: Vec<T>,    // L_ii²
}

impl<T: Real> Cholesky<T> {
    /// Workspace for a system of `n` equations.
    #[must_use]
    pub fn new(n: usize, like: T) -> Self {
        Self::of_rows_from(vec![0; n], like)
    }

    /// Workspace for a system of which row i has only zeros before the column `first[i]`: L has them too, and they are
    /// left out.
    #[must_use]
    pub fn of_rows_from(first: Vec<usize>, like: T) -> Self {
        let n = first.len();
        Self { n, first, lower: vec![like.zero(); n * n], pivots: vec![like.zero(); n] }
    }

    /// Decomposes `matrix`, of which the lower triangle is read: n³/6 + n²/2 + n/3 × and +.
    ///
    /// ```text
    /// L_ij = (A_ij − Σ L_ik L_jk) / L_jj        L_ii = √(A_ii − Σ L_ik²)
    /// ```
    ///
    /// # Panics
    /// If `matrix` has not n² entries.
    #[inline(always)]
    pub fn decompose(&mut self, matrix: &[T]) {
        let n = self.n;
        assert_eq!(matrix.len(), n * n, "a square matrix");
        for i in 0..n {
            for j in self.first[i]..=i {
                let entry = matrix[i * n + j];
                let mut sum = entry.zero();
                for k in self.first[i].max(self.first[j])..j {
                    sum = self.lower[i * n + k].mul_add(self.lower[j * n + k], sum);
                }
                let rest = entry - sum;
                self.lower[i * n + j] = if i == j { rest.sqrt() } else { rest / self.lower[j * n + j] };
                if i == j {
                    self.pivots[i] = rest;
                }
            }
        }
    }

    /// What was left of each diagonal entry: all positive if and only if the matrix was positive definite.
    #[must_use]
    pub fn pivots(&self) -> &[T] {
        &self.pivots
    }

    /// Solves L Lᵀ x = b in place: n² + n × and n² − n +.
    ///
    /// # Panics
    /// If `b` has not n entries.
    #[inline(always)]
    pub fn solve(&self, b: &mut [T]) {
        self.solve_lower(b);
        self.solve_upper(b);
    }

    /// Solves L x = b in place.
    ///
    /// # Panics
    /// If `b` has not n entries.
    #[inline(always)]
    pub fn solve_lower(&self, b: &mut [T]) {
        let n = self.n;
        assert_eq!(b.len(), n, "one right-hand side an equation");
        for i in 0..n {
            let (solved, rest) = b.split_at_mut(i);
            let (row, first) = (&self.lower[i * n..], self.first[i]);
            for (&x, &entry) in solved[first..].iter().zip(&row[first..]) {
                rest[0] = rest[0] - entry * x;
            }
            rest[0] = rest[0] / row[i];
        }
    }

    /// Solves Lᵀ x = b in place.
    ///
    /// # Panics
    /// If `b` has not n entries.
    #[inline(always)]
    pub fn solve_upper(&self, b: &mut [T]) {
        let n = self.n;
        assert_eq!(b.len(), n, "one right-hand side an equation");
        for i in (0..n).rev() {
            let (rest, solved) = b.split_at_mut(i + 1);
            let column = self.lower[i * n + i..].iter().step_by(n);
            for (&x, &entry) in solved.iter().zip(column.skip(1)) {
                rest[i] = rest[i] - entry * x;
            }
            rest[i] = rest[i] / self.lower[i * n + i];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solves_what_it_decomposed() {
        let matrix = [4.0_f64, 1.0, 0.5, 1.0, 3.0, -0.2, 0.5, -0.2, 2.0];
        let mut cholesky = Cholesky::new(3, 0.0);
        cholesky.decompose(&matrix);
        let mut x = [1.0, 2.0, 3.0];
        cholesky.solve(&mut x);
        for i in 0..3 {
            let row: f64 = (0..3).map(|k| matrix[i * 3 + k] * x[k]).sum();
            assert!((row - (i + 1) as f64).abs() < 1e-14);
        }
        assert!(cholesky.pivots().iter().all(|&pivot| pivot > 0.0));
    }

    /// Two blocks that only the last row couples.
    #[test]
    fn zeros_are_left_out() {
        let matrix = [4.0_f64, 0.0, 0.0, 0.5, 0.0, 3.0, -0.2, 0.1, 0.0, -0.2, 2.0, 0.3, 0.5, 0.1, 0.3, 5.0];
        let (mut whole, mut sparse) = (Cholesky::new(4, 0.0), Cholesky::of_rows_from(vec![0, 1, 1, 0], 0.0));
        let (mut x, mut y) = ([1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0]);
        whole.decompose(&matrix);
        whole.solve(&mut x);
        sparse.decompose(&matrix);
        sparse.solve(&mut y);
        assert_eq!((x, whole.pivots()), (y, sparse.pivots()));
    }

    #[test]
    fn an_indefinite_matrix_shows_in_a_pivot() {
        let mut cholesky = Cholesky::new(2, 0.0);
        cholesky.decompose(&[1.0, 2.0, 2.0, 1.0]);
        assert_eq!(cholesky.pivots(), [1.0, -3.0]);
    }
}
