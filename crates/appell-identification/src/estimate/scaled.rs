//! Equations with columns of length 1, as small as their triangle.

use super::{Estimate, EstimateError, Fit, Observation};
use crate::triangle::triangle;
use nalgebra::{DMatrix, DVector, Dyn, SVD};

/// Over the size of the efforts, what noise is at least: data without noise would leave nothing to divide by.
pub(super) const LEAST_NOISE: f64 = 1e-12;

/// Beyond this condition number, columns count as dependent.
const DEPENDENT: f64 = 1e12;

/// W D⁻¹ = Q R, with D the lengths of the columns: what is left of W for least squares.
pub(super) struct Scaled {
    pub(super) lengths: DVector<f64>, // D
    pub(super) r: DMatrix<f64>,
    pub(super) right: DVector<f64>, // Qᵀ y
    pub(super) left_over: f64,      // ‖y‖² − ‖Qᵀ y‖²: what no parameters can explain
    pub(super) rows: usize,
    size: f64, // ‖y‖
}

impl Scaled {
    /// Reduces equations.
    pub(super) fn new(equations: &Observation) -> Result<Self, EstimateError> {
        let (rows, columns) = equations.matrix().shape();
        if rows <= columns || columns == 0 {
            return Err(EstimateError::TooFew { rows, columns });
        }
        let name = |k: usize| equations.model().name(k);
        if equations.right().iter().any(|y| !y.is_finite()) {
            return Err(EstimateError::NotFinite { name: "the right side".into() });
        }
        let mut lengths = equations.matrix().column_iter().map(|column| column.norm());
        if let Some(k) = lengths.clone().position(|length| !length.is_finite()) {
            return Err(EstimateError::NotFinite { name: name(k) });
        }
        if let Some(k) = lengths.position(|length| length == 0.0) {
            return Err(EstimateError::NotExcited { name: name(k) });
        }
        Ok(Self::of_triangle(rows, &bordered(equations)))
    }

    /// The same of so many equations of which the triangle of (W, y) is known, or that of their multiples.
    pub(super) fn of_triangle(rows: usize, triangle: &DMatrix<f64>) -> Self {
        let n = triangle.ncols() - 1;
        let lengths = DVector::from_iterator(n, triangle.columns(0, n).column_iter().map(|column| column.norm()));
        let mut r = triangle.view((0, 0), (n, n)).into_owned();
        r.column_iter_mut().zip(&lengths).for_each(|(mut column, length)| column /= *length);
        Self {
            lengths,
            r,
            right: triangle.view((0, n), (n, 1)).column(0).into_owned(),
            left_over: triangle[(n, n)].powi(2),
            rows,
            size: triangle.column(n).norm(),
        }
    }

    /// Condition number of R.
    pub(super) fn condition(&self) -> f64 {
        let values = self.r.singular_values();
        values.max() / values.min()
    }

    /// Refuses columns that depend on each other; the condition number otherwise.
    pub(super) fn regular(&self, equations: &Observation) -> Result<f64, EstimateError> {
        let condition = self.condition();
        if condition < DEPENDENT {
            return Ok(condition);
        }
        let diagonal = self.r.diagonal().map(f64::abs);
        Err(EstimateError::Dependent { name: equations.model().name(diagonal.imin()), condition })
    }

    /// Variance of a row's noise, from the residual of all rows.
    pub(super) fn variance(&self, scaled: &DVector<f64>) -> f64 {
        let left = self.left_over + (&self.right - &self.r * scaled).norm_squared();
        left / (self.rows - self.r.ncols()) as f64
    }

    /// An estimate from scaled parameters and their covariance.
    pub(super) fn estimate(
        &self,
        method: &'static str,
        equations: &Observation,
        scaled: &DVector<f64>,
        covariance: &DMatrix<f64>,
        condition: f64,
    ) -> Estimate {
        let values = scaled.component_div(&self.lengths);
        let n = values.len();
        Estimate {
            weights: alike(self.rows, self.size, self.variance(scaled)),
            method,
            note: None,
            names: equations.model().names(),
            fit: Fit::of(equations, &values),
            values,
            covariance: DMatrix::from_fn(n, n, |i, k| covariance[(i, k)] / (self.lengths[i] * self.lengths[k])),
            condition,
        }
    }

    /// An estimate by the singular values of R = U Σ Vᵀ, with `inverse` in place of Σ⁻¹.
    pub(super) fn by_singular_values(
        &self,
        method: &'static str,
        equations: &Observation,
        svd: &SVD<f64, Dyn, Dyn>,
        inverse: &DVector<f64>,
        condition: f64,
    ) -> Estimate {
        let (u, v_t) = (svd.u.as_ref().expect("asked for"), svd.v_t.as_ref().expect("asked for"));
        let solution = v_t.tr_mul(&u.tr_mul(&self.right).component_mul(inverse));
        let squares = DMatrix::from_diagonal(&inverse.component_mul(inverse));
        let covariance = v_t.transpose() * squares * v_t * self.variance(&solution);
        self.estimate(method, equations, &solution, &covariance, condition)
    }

    /// (Rᵀ R)⁻¹.
    pub(super) fn inverse_of_normal_matrix(&self) -> DMatrix<f64> {
        let n = self.r.ncols();
        let inverse = self.r.solve_upper_triangular(&DMatrix::identity(n, n)).expect("columns are independent");
        &inverse * inverse.transpose()
    }
}

/// The triangle of (W, y).
fn bordered(equations: &Observation) -> DMatrix<f64> {
    let (w, y) = (equations.matrix(), equations.right());
    let (rows, columns) = w.shape();
    triangle(rows, columns + 1, &|i, k| if k < columns { w[(i, k)] } else { y[i] })
}

/// W D⁻¹.
pub(super) fn divided(equations: &Observation, lengths: &DVector<f64>) -> DMatrix<f64> {
    let mut matrix = equations.matrix().clone();
    matrix.column_iter_mut().zip(lengths).for_each(|(mut column, length)| column /= *length);
    matrix
}

/// Weights of so many equations with noise of the same variance; `size` is the length of their right side.
pub(super) fn alike(rows: usize, size: f64, variance: f64) -> DVector<f64> {
    let noise = variance.sqrt().max(LEAST_NOISE * size / (rows.max(1) as f64).sqrt()).max(f64::MIN_POSITIVE.sqrt());
    DVector::from_element(rows, 1.0 / noise)
}
