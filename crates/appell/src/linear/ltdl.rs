//! Decomposition of a symmetric matrix without roots, from the last row to the first.

use crate::real::Real;

/// A = Lᵀ D L with a unit lower triangle L: the last unknown is eliminated first.
///
/// Of a robot's inertia matrix this keeps the zeros between bodies on different branches, and no root stands in the
/// chain of dependent operations (Featherstone2005).
#[derive(Debug, Clone)]
pub struct Ltdl<T> {
    n: usize,
    factors: Vec<T>,  // L_ki at i n + k
    left: Vec<T>,     // what is left of A
    pivots: Vec<T>,   // D
    inverses: Vec<T>, // 1 / D: one division per row, and the rest multiplies
}

impl<T: Real> Ltdl<T> {
    /// Workspace for a system of `n` equations.
    #[must_use]
    pub fn new(n: usize, like: T) -> Self {
        Self {
            n,
            factors: vec![like.zero(); n * n],
            left: vec![like.zero(); n * n],
            pivots: vec![like.zero(); n],
            inverses: vec![like.zero(); n],
        }
    }

    /// Decomposes `matrix`, of which the lower triangle is read.
    ///
    /// ```text
    /// for k from the last: D_k = A_kk    L_ki = A_ki / D_k    A_ij ← A_ij − L_ki A_kj    (j ≤ i < k)
    /// ```
    ///
    /// # Panics
    /// If `matrix` has not n² entries.
    #[inline(always)]
    pub fn decompose(&mut self, matrix: &[T]) {
        let n = self.n;
        assert_eq!(matrix.len(), n * n, "a square matrix");
        if T::PARTS == 1 && n == 6 {
            return self.decompose_unrolled::<6>(matrix);
        }
        if T::PARTS == 1 && n == 7 {
            return self.decompose_unrolled::<7>(matrix);
        }
        self.left.copy_from_slice(matrix);
        for k in (0..n).rev() {
            let inverse = self.keep(k, self.left[k * n + k]);
            let (above, row) = self.left.split_at_mut(k * n);
            for (i, above) in above.chunks_exact_mut(n).enumerate() {
                let factor = row[i] * inverse;
                subtract(&mut above[..=i], factor, &row[..=i]);
                self.factors[i * n + k] = factor;
            }
        }
    }

    /// The same for the sizes of arms, without a loop: all that is left of the matrix stays in registers. Loops of three
    /// numbers each take ten times the instructions of their arithmetic.
    #[inline(always)]
    fn decompose_unrolled<const N: usize>(&mut self, matrix: &[T]) {
        let mut left = [[matrix[0]; N]; N];
        for_each::<N>(
            #[inline(always)]
            |i| {
                for_each::<N>(
                    #[inline(always)]
                    |j| left[i][j] = matrix[i * N + j],
                );
            },
        );
        for_each::<N>(
            #[inline(always)]
            |step| {
                let k = N - 1 - step;
                let inverse = self.keep(k, left[k][k]);
                for_each::<N>(
                    #[inline(always)]
                    |i| {
                        if i < k {
                            let factor = left[k][i] * inverse;
                            let minus = -factor;
                            for_each::<N>(
                                #[inline(always)]
                                |j| {
                                    if j <= i {
                                        left[i][j] = minus.mul_add(left[k][j], left[i][j]);
                                    }
                                },
                            );
                            self.factors[i * N + k] = factor;
                        }
                    },
                );
            },
        );
    }

    /// Keeps a pivot and its inverse, and gives the inverse.
    #[inline(always)]
    fn keep(&mut self, k: usize, pivot: T) -> T {
        let inverse = pivot.constant(1.0) / pivot;
        (self.pivots[k], self.inverses[k]) = (pivot, inverse);
        inverse
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
        if T::PARTS == 1 && n == 6 {
            return self.solve_unrolled::<6>(b);
        }
        if T::PARTS == 1 && n == 7 {
            return self.solve_unrolled::<7>(b);
        }
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

    /// The same for the sizes of arms, without a loop.
    #[inline(always)]
    fn solve_unrolled<const N: usize>(&self, b: &mut [T]) {
        let (factors, inverses) = (&self.factors[..N * N], &self.inverses[..N]);
        let mut x = [b[0]; N];
        x.copy_from_slice(&b[..N]);
        for_each::<N>(
            #[inline(always)]
            |step| {
                let k = N - 1 - step;
                let minus = -x[k];
                for_each::<N>(
                    #[inline(always)]
                    |i| {
                        if i < k {
                            x[i] = minus.mul_add(factors[i * N + k], x[i]);
                        }
                    },
                );
            },
        );
        for_each::<N>(
            #[inline(always)]
            |k| {
                x[k] = x[k] * inverses[k];
                for_each::<N>(
                    #[inline(always)]
                    |i| {
                        if i < k {
                            x[k] = (-x[i]).mul_add(factors[i * N + k], x[k]);
                        }
                    },
                );
            },
        );
        b[..N].copy_from_slice(&x);
    }

    /// Solves Lᵀ D L X = B in place for all columns of B, given row by row: each step is one of whole rows.
    ///
    /// # Panics
    /// If `b` has not n rows.
    #[inline(always)]
    pub fn solve_columns(&self, b: &mut [T]) {
        let n = self.n;
        let width = b.len() / n;
        assert_eq!(b.len(), n * width, "one row per equation");
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

/// Calls a step with 0, 1, … N − 1, of which there are at most seven, each time with a number that the compiler knows: what is chosen by
/// it is gone at run time.
#[inline(always)]
fn for_each<const N: usize>(mut step: impl FnMut(usize)) {
    macro_rules! call {
        ($($index:literal)*) => { $(if $index < N { step($index) })* };
    }
    call!(0 1 2 3 4 5 6);
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
    use crate::sample::Sampler;

    /// Sizes with loops and without.
    #[test]
    fn all_sizes_agree_with_cholesky() {
        let mut sampler = Sampler::new(4);
        for n in 1..10 {
            let half: Vec<f64> = (0..n * n).map(|_| sampler.within(1.0)).collect();
            let entry = |i: usize, j: usize| -> f64 {
                (0..n).map(|k| half[i * n + k] * half[j * n + k]).sum::<f64>() + if i == j { 1.0 } else { 0.0 }
            };
            let matrix: Vec<f64> = (0..n * n).map(|k| entry(k / n, k % n)).collect();
            let b: Vec<f64> = (0..n).map(|_| sampler.within(1.0)).collect();
            let mut columns: Vec<f64> = b.iter().flat_map(|&b| [b, 2.0 * b]).collect();
            let (mut x, mut y) = (b.clone(), b);
            let (mut cholesky, mut elimination) = (Cholesky::new(n, 0.0), Ltdl::new(n, 0.0));
            cholesky.decompose(&matrix);
            cholesky.solve(&mut x);
            elimination.decompose(&matrix);
            elimination.solve(&mut y);
            assert!(x.iter().zip(&y).all(|(x, y)| (x - y).abs() < 1e-14), "{n}: {x:?} {y:?}");
            assert!(elimination.pivots().iter().all(|&pivot| pivot > 0.0));
            assert_eq!(elimination.pivots()[n - 1], matrix[n * n - 1], "the last is eliminated first");
            elimination.solve_columns(&mut columns);
            for (row, x) in columns.chunks_exact(2).zip(y) {
                assert!((row[0] - x).abs() < 1e-14 && (row[1] - 2.0 * x).abs() < 1e-14, "{n}: {columns:?}");
            }
        }
    }
}
