//! Singular values and left singular vectors by one-sided Jacobi rotations.

/// A = U Σ Vᵀ of a small matrix, with all of U: what spans nothing is there with the singular value zero.
///
/// Rows are rotated in pairs until each is at a right angle to all others (Hestenes1958); then they are Σ Vᵀ and the
/// product of the rotations is Uᵀ. Small singular values come out as exact as large ones, down to the rounding of these, which the
/// eigenvalues of A Aᵀ cannot give. For the null space of A, decompose Aᵀ.
#[derive(Debug, Clone)]
pub struct Jacobi {
    shape: (usize, usize),
    rotated: Vec<f64>, // Σ Vᵀ, row by row
    left: Vec<f64>,    // Uᵀ, row by row
    values: Vec<f64>,  // of Σ, descending
}

/// Convergence is quadratic: six to ten sweeps are usual, and more only happen to numbers that are not finite.
const SWEEPS: usize = 40;

impl Jacobi {
    /// Workspace for a matrix of this many rows and columns.
    #[must_use]
    pub fn new(rows: usize, columns: usize) -> Self {
        Self {
            shape: (rows, columns),
            rotated: vec![0.0; rows * columns],
            left: vec![0.0; rows * rows],
            values: vec![0.0; rows],
        }
    }

    /// Decomposes `matrix`, given row by row.
    ///
    /// # Panics
    /// If `matrix` has another number of entries.
    pub fn decompose(&mut self, matrix: &[f64]) {
        let (m, n) = self.shape;
        self.rotated.copy_from_slice(matrix);
        self.left.fill(0.0);
        self.left.iter_mut().step_by(m + 1).for_each(|entry| *entry = 1.0);
        // What is left of a row that the others span is rounding, at no angle to anything.
        let nothing = f64::EPSILON * f64::EPSILON * dot(matrix, matrix);
        for _ in 0..SWEEPS {
            let mut at_right_angles = true;
            for (p, q) in pairs(m) {
                let (one, other) = pair(&mut self.rotated, n, p, q);
                let Some((cos, sin)) = rotation(one, other, nothing) else { continue };
                at_right_angles = false;
                rotate(one, other, cos, sin);
                let (one, other) = pair(&mut self.left, m, p, q);
                rotate(one, other, cos, sin);
            }
            if at_right_angles {
                break;
            }
        }
        for (i, value) in self.values.iter_mut().enumerate() {
            let row = &self.rotated[i * n..(i + 1) * n]; // empty where the matrix has no columns
            let square = dot(row, row);
            *value = if square <= nothing { 0.0 } else { square.sqrt() };
        }
        self.sort();
    }

    /// The singular values, one per row of the matrix, descending.
    #[must_use]
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The left singular vector of the `k`-th value.
    ///
    /// # Panics
    /// If there is no such value.
    #[must_use]
    pub fn left(&self, k: usize) -> &[f64] {
        let m = self.shape.0;
        &self.left[k * m..(k + 1) * m]
    }

    /// Orders the values and their vectors.
    fn sort(&mut self) {
        let m = self.shape.0;
        for (p, q) in pairs(m) {
            if self.values[p] < self.values[q] {
                self.values.swap(p, q);
                let (one, other) = pair(&mut self.left, m, p, q);
                one.swap_with_slice(other);
            }
        }
    }
}

/// All p < q < m.
fn pairs(m: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..m).flat_map(move |p| (p + 1..m).map(move |q| (p, q)))
}

/// Rows `p` < `q` of a matrix.
fn pair(matrix: &mut [f64], columns: usize, p: usize, q: usize) -> (&mut [f64], &mut [f64]) {
    let (before, after) = matrix.split_at_mut(q * columns);
    (&mut before[p * columns..(p + 1) * columns], &mut after[..columns])
}

/// Cosine and sine of the smaller turn that sets two rows at a right angle; `None` if they are, or the square of one is nothing.
fn rotation(one: &[f64], other: &[f64], nothing: f64) -> Option<(f64, f64)> {
    let (alpha, beta, gamma) = products(one, other);
    if gamma.abs() <= f64::EPSILON * (alpha * beta).sqrt() || alpha.min(beta) <= nothing {
        return None;
    }
    let zeta = (beta - alpha) / (2.0 * gamma);
    // Rows whose lengths are so different that a square overflows are not turned.
    let tangent = 1.0_f64.copysign(zeta) / (zeta.abs() + (1.0 + zeta * zeta).sqrt());
    let cos = 1.0 / (1.0 + tangent * tangent).sqrt();
    Some((cos, cos * tangent))
}

/// x · x, y · y and x · y in one pass, every other entry by itself: a processor adds them beside each other.
fn products(x: &[f64], y: &[f64]) -> (f64, f64, f64) {
    let mut sums = [[0.0; 3]; 2];
    let mut add = |k: usize, x: f64, y: f64| {
        let [xx, yy, xy] = &mut sums[k];
        (*xx, *yy, *xy) = (*xx + x * x, *yy + y * y, *xy + x * y);
    };
    let ((xs, x_rest), (ys, y_rest)) = (x.as_chunks::<2>(), y.as_chunks::<2>());
    for (x, y) in xs.iter().zip(ys) {
        add(0, x[0], y[0]);
        add(1, x[1], y[1]);
    }
    x_rest.iter().zip(y_rest).for_each(|(&x, &y)| add(0, x, y));
    let [even, odd] = sums;
    (even[0] + odd[0], even[1] + odd[1], even[2] + odd[2])
}

fn rotate(one: &mut [f64], other: &mut [f64], cos: f64, sin: f64) {
    for (x, y) in one.iter_mut().zip(other) {
        (*x, *y) = (cos * *x - sin * *y, sin * *x + cos * *y);
    }
}

pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

pub(crate) fn norm(x: &[f64]) -> f64 {
    dot(x, x).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::Sampler;
    use nalgebra::DMatrix;

    #[test]
    fn a_matrix_without_columns_spans_nothing() {
        let mut none = Jacobi::new(3, 0);
        none.decompose(&[]);
        assert_eq!(none.values(), [0.0; 3]);
    }

    #[test]
    fn agrees_with_nalgebra() {
        let mut sampler = Sampler::new(3);
        for (m, n) in [(6, 6), (6, 7), (7, 6), (6, 2), (3, 12)] {
            let entries: Vec<f64> = (0..m * n).map(|_| sampler.within(1.0)).collect();
            let mut ours = Jacobi::new(m, n);
            ours.decompose(&entries);
            let matrix = DMatrix::from_row_slice(m, n, &entries);
            let theirs = matrix.singular_values();
            for (value, expected) in ours.values().iter().zip(theirs.iter().copied().chain(core::iter::repeat(0.0))) {
                assert!((value - expected).abs() < 1e-14, "{m} × {n}: {:?} {theirs}", ours.values());
            }
            for (k, &value) in ours.values().iter().enumerate() {
                let left = nalgebra::DVector::from_row_slice(ours.left(k));
                assert!((left.norm() - 1.0).abs() < 1e-14);
                assert!(((matrix.transpose() * left).norm() - value).abs() < 1e-14, "‖Aᵀ u‖ = σ");
            }
        }
    }

    #[test]
    fn small_values_are_exact() {
        let mut jacobi = Jacobi::new(2, 2);
        jacobi.decompose(&[1e-12, 1e-12, 1.0, -1.0]);
        let [large, small] = jacobi.values() else { unreachable!() };
        assert!((large / 2.0_f64.sqrt() - 1.0).abs() < 1e-15 && (small / 2e-24_f64.sqrt() - 1.0).abs() < 1e-15);
    }
}
