//! Gauss-Jordan elimination, as in the stability example of Mata et al.

use crate::real::Real;

/// Workspace to eliminate in, and the pivots that were met.
///
/// Rows are not exchanged: an inertia matrix is positive definite, and an exchange would be a branch on a value.
#[derive(Debug, Clone)]
pub struct GaussJordan<T> {
    n: usize,
    matrix: Vec<T>,
    pivots: Vec<T>,
}

impl<T: Real> GaussJordan<T> {
    /// Workspace for a system of `n` equations.
    #[must_use]
    pub fn new(n: usize, like: T) -> Self {
        Self { n, matrix: vec![like.zero(); n * n], pivots: vec![like.zero(); n] }
    }

    /// Solves `matrix` x = b in place.
    ///
    /// # Panics
    /// If `matrix` has not n² entries or `b` not n.
    #[inline(always)]
    pub fn solve(&mut self, matrix: &[T], b: &mut [T]) {
        let n = self.n;
        assert_eq!(b.len(), n, "one right-hand side an equation");
        self.matrix.copy_from_slice(matrix);
        for i in 0..n {
            let pivot = self.matrix[i * n + i];
            self.pivots[i] = pivot;
            for column in i + 1..n {
                self.matrix[i * n + column] = self.matrix[i * n + column] / pivot;
            }
            b[i] = b[i] / pivot;
            for row in (0..n).filter(|&row| row != i) {
                let factor = self.matrix[row * n + i];
                for column in i + 1..n {
                    self.matrix[row * n + column] =
                        self.matrix[row * n + column] - factor * self.matrix[i * n + column];
                }
                b[row] = b[row] - factor * b[i];
            }
        }
    }

    /// What was left of each diagonal entry.
    #[must_use]
    pub fn pivots(&self) -> &[T] {
        &self.pivots
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
        let mut elimination = GaussJordan::new(3, 0.0);
        elimination.solve(&matrix, &mut y);
        for i in 0..3 {
            assert!((x[i] - y[i]).abs() < 1e-15);
            assert!((cholesky.pivots()[i] - elimination.pivots()[i]).abs() < 1e-15);
        }
    }
}
