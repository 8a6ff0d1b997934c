//! Eigenvalues and eigenvectors of a symmetric matrix by Jacobi's rotations.

/// A = Q Λ Qᵀ of a small symmetric matrix, definite or not.
///
/// Pairs of rows and columns are turned until what is off the diagonal is rounding (Jacobi's cyclic method): eigenvectors are at right
/// angles to each other to rounding, also of eigenvalues that are equal.
#[derive(Debug, Clone)]
pub struct Symmetric {
    n: usize,
    turned: Vec<f64>,  // Qᵀ A Q so far, row by row
    vectors: Vec<f64>, // Qᵀ, row by row
    order: Vec<usize>, // of the rows, by ascending eigenvalue
}

/// Convergence is quadratic; more sweeps only happen to numbers that are not finite.
const SWEEPS: usize = 40;

impl Symmetric {
    /// Workspace for a matrix of `n` rows.
    #[must_use]
    pub fn new(n: usize) -> Self {
        Self { n, turned: vec![0.0; n * n], vectors: vec![0.0; n * n], order: (0..n).collect() }
    }

    /// Decomposes the symmetric part of `matrix`, given row by row.
    ///
    /// # Panics
    /// If `matrix` has not n² entries.
    pub fn decompose(&mut self, matrix: &[f64]) {
        let n = self.n;
        assert_eq!(matrix.len(), n * n, "a square matrix");
        for i in 0..n {
            for j in 0..n {
                self.turned[i * n + j] = 0.5 * (matrix[i * n + j] + matrix[j * n + i]);
                self.vectors[i * n + j] = f64::from(u8::from(i == j));
            }
        }
        let size = self.turned.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        for _ in 0..SWEEPS {
            let mut is_diagonal = true;
            for p in 0..n {
                for q in p + 1..n {
                    if self.turned[p * n + q].abs() > f64::EPSILON * 1e-3 * size {
                        is_diagonal = false;
                        self.turn(p, q);
                    }
                }
            }
            if is_diagonal {
                break;
            }
        }
        let value = |k: usize| self.turned[k * n + k];
        self.order.sort_by(|&i, &j| value(i).total_cmp(&value(j)));
    }

    /// Turns rows and columns p < q so that their entry vanishes.
    fn turn(&mut self, p: usize, q: usize) {
        let (n, a) = (self.n, &mut self.turned);
        let zeta = (a[q * n + q] - a[p * n + p]) / (2.0 * a[p * n + q]);
        let tangent = 1.0_f64.copysign(zeta) / (zeta.abs() + (1.0 + zeta * zeta).sqrt());
        let cos = 1.0 / (1.0 + tangent * tangent).sqrt();
        let sin = cos * tangent;
        for k in 0..n {
            let (x, y) = (a[p * n + k], a[q * n + k]);
            (a[p * n + k], a[q * n + k]) = (cos * x - sin * y, sin * x + cos * y);
        }
        for k in 0..n {
            let (x, y) = (a[k * n + p], a[k * n + q]);
            (a[k * n + p], a[k * n + q]) = (cos * x - sin * y, sin * x + cos * y);
            let (x, y) = (self.vectors[p * n + k], self.vectors[q * n + k]);
            (self.vectors[p * n + k], self.vectors[q * n + k]) = (cos * x - sin * y, sin * x + cos * y);
        }
        (a[p * n + q], a[q * n + p]) = (0.0, 0.0);
    }

    /// The `k`-th eigenvalue, ascending.
    ///
    /// # Panics
    /// If there is none.
    #[must_use]
    pub fn value(&self, k: usize) -> f64 {
        self.turned[self.order[k] * (self.n + 1)]
    }

    /// The eigenvector of the `k`-th eigenvalue, of length 1.
    ///
    /// # Panics
    /// If there is none.
    #[must_use]
    pub fn vector(&self, k: usize) -> &[f64] {
        let row = self.order[k];
        &self.vectors[row * self.n..(row + 1) * self.n]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::Sampler;
    use nalgebra::DMatrix;

    #[test]
    fn agrees_with_nalgebra() {
        let mut sampler = Sampler::new(5);
        for n in [1, 2, 3, 6, 11] {
            let any = DMatrix::from_fn(n, n, |_, _| sampler.within(1.0));
            let matrix = &any + any.transpose();
            let mut ours = Symmetric::new(n);
            ours.decompose(matrix.as_slice());
            let mut theirs: Vec<f64> = matrix.clone().symmetric_eigenvalues().iter().copied().collect();
            theirs.sort_by(f64::total_cmp);
            for (k, expected) in theirs.iter().enumerate() {
                assert!((ours.value(k) - expected).abs() < 1e-13, "{n}: {} {expected}", ours.value(k));
                let vector = nalgebra::DVector::from_row_slice(ours.vector(k));
                assert!((vector.norm() - 1.0).abs() < 1e-13);
                assert!((&matrix * &vector - ours.value(k) * &vector).norm() < 1e-13);
            }
        }
    }

    /// Equal eigenvalues have no eigenvectors of their own, but some at right angles to each other.
    #[test]
    fn equal_values_have_vectors_at_right_angles() {
        let mut jacobi = Symmetric::new(3);
        jacobi.decompose(&[2.0, 1.0, 1.0, 1.0, 2.0, 1.0, 1.0, 1.0, 2.0]);
        for (k, expected) in [1.0, 1.0, 4.0].into_iter().enumerate() {
            assert!((jacobi.value(k) - expected).abs() < 1e-15);
        }
        let dot: f64 = jacobi.vector(0).iter().zip(jacobi.vector(1)).map(|(x, y)| x * y).sum();
        assert!(dot.abs() < 1e-15, "{dot}");
    }
}
