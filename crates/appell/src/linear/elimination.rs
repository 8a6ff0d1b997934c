//! Elimination with exchange of rows and columns, for systems whose rank is not known before.

use crate::real::Measured;

/// Equations A x = 0 or b solved for some of their unknowns, the largest entry first.
///
/// Unlike its neighbours it looks at values, to choose pivots: it is for mechanisms whose constraints may repeat
/// each other.
#[derive(Debug, Clone)]
pub struct Elimination<T> {
    shape: (usize, usize),
    entries: Vec<T>, // row by row
    pivots: Vec<(usize, usize)>,
    free: Vec<bool>, // rows without a pivot
    least: f64,      // pivot
    rest: f64,
}

impl<T: Measured> Elimination<T> {
    /// Workspace for a matrix of this many rows and columns, those of the right-hand sides included.
    #[must_use]
    pub fn new(rows: usize, columns: usize, like: T) -> Self {
        Self {
            shape: (rows, columns),
            entries: vec![like.zero(); rows * columns],
            pivots: Vec::with_capacity(rows.min(columns)),
            free: vec![true; rows],
            least: f64::INFINITY,
            rest: 0.0,
        }
    }

    /// The matrix to fill in before [`eliminate`](Self::eliminate), row by row.
    pub fn entries(&mut self) -> &mut [T] {
        &mut self.entries
    }

    /// Solves for the unknowns that are `allowed`, until no entry of theirs is larger than `tolerance`: a unit is left
    /// in the pivot of each, zeros above and below.
    pub fn eliminate(&mut self, allowed: &[bool], tolerance: f64) {
        self.eliminate_where(allowed.len(), |k| allowed[k], tolerance);
    }

    /// The same for the first `unknowns`.
    pub fn eliminate_up_to(&mut self, unknowns: usize, tolerance: f64) {
        self.eliminate_where(unknowns, |_| true, tolerance);
    }

    fn eliminate_where(&mut self, unknowns: usize, allowed: impl Fn(usize) -> bool, tolerance: f64) {
        let (m, n) = self.shape;
        self.pivots.clear();
        self.free.fill(true);
        self.least = f64::INFINITY;
        loop {
            let (mut largest, mut at) = (0.0, (0, 0));
            for i in (0..m).filter(|&i| self.free[i]) {
                for k in (0..unknowns).filter(|&k| allowed(k)) {
                    let size = self.entries[i * n + k].least().abs();
                    // A NaN must not hide behind a comparison.
                    if size > largest || size.is_nan() {
                        (largest, at) = (size, (i, k));
                    }
                }
            }
            self.rest = largest;
            if largest <= tolerance || largest.is_nan() {
                return;
            }
            self.least = self.least.min(largest);
            self.clear_column(at);
            self.pivots.push(at);
            self.free[at.0] = false;
        }
    }

    fn clear_column(&mut self, (i, k): (usize, usize)) {
        let (m, n) = self.shape;
        let inverse = self.entries[i * n + k].constant(1.0) / self.entries[i * n + k];
        for c in 0..n {
            self.entries[i * n + c] = self.entries[i * n + c] * inverse;
        }
        for r in (0..m).filter(|&r| r != i) {
            let factor = self.entries[r * n + k];
            for c in 0..n {
                self.entries[r * n + c] = self.entries[r * n + c] - factor * self.entries[i * n + c];
            }
        }
        // What elimination leaves there is rounding.
        for r in 0..m {
            let one = if r == i { 1.0 } else { 0.0 };
            self.entries[r * n + k] = self.entries[r * n + k].constant(one);
        }
    }

    /// Row and column of each pivot, in the order they were found.
    #[must_use]
    pub fn pivots(&self) -> &[(usize, usize)] {
        &self.pivots
    }

    /// The smallest pivot, infinite if there is none: how far the matrix is from a lower rank, about.
    #[must_use]
    pub fn least(&self) -> f64 {
        self.least
    }

    /// The largest entry that was not worth a pivot.
    #[must_use]
    pub fn rest(&self) -> f64 {
        self.rest
    }

    /// An entry of what is left.
    #[inline(always)]
    #[must_use]
    pub fn entry(&self, row: usize, column: usize) -> T {
        self.entries[row * self.shape.1 + column]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_rows_are_told_and_contradictions_show() {
        let mut equations = Elimination::new(3, 4, 0.0_f64);
        // x + 2 y = z, twice, and y = z with another right-hand side in the last column.
        equations.entries().copy_from_slice(&[1.0, 2.0, -1.0, 0.0, 2.0, 4.0, -2.0, 0.5, 0.0, 1.0, -1.0, 3.0]);
        equations.eliminate(&[true, true, false, false], 1e-12);
        assert_eq!(equations.pivots().len(), 2);
        let solved = |unknown: usize| equations.pivots().iter().find(|(_, k)| *k == unknown).expect("solved").0;
        assert_eq!([equations.entry(solved(0), 2), equations.entry(solved(1), 2)], [1.0, -1.0]);
        let free = equations.free.iter().position(|&free| free).expect("one row repeats another");
        assert!(equations.entry(free, 2).abs() < 1e-15, "it says nothing new of z");
        assert!((equations.entry(free, 3).abs() - 0.25).abs() < 1e-15, "but contradicts on the right");
    }
}
