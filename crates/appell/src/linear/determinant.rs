//! The determinant of a small matrix.

/// The determinant of an n × n matrix, which is eliminated, the largest pivot of each column first.
pub(crate) fn determinant(matrix: &mut [f64], n: usize) -> f64 {
    let mut determinant = 1.0;
    for k in 0..n {
        let size = |row: &usize| matrix[row * n + k].abs();
        let pivot = (k..n).max_by(|a, b| size(a).total_cmp(&size(b))).unwrap_or(k);
        if matrix[pivot * n + k] == 0.0 {
            return 0.0;
        }
        if pivot != k {
            (0..n).for_each(|c| matrix.swap(pivot * n + c, k * n + c));
            determinant = -determinant;
        }
        determinant *= matrix[k * n + k];
        for row in k + 1..n {
            let factor = matrix[row * n + k] / matrix[k * n + k];
            (k..n).for_each(|c| matrix[row * n + c] -= factor * matrix[k * n + c]);
        }
    }
    determinant
}
