//! Equations with columns of length 1, as small as their triangle.

use super::{Estimate, EstimateError, Fit, Observation};
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
        let lengths = DVector::from_iterator(columns, equations.matrix().column_iter().map(|column| column.norm()));
        if let Some(k) = lengths.iter().position(|length| !length.is_finite()) {
            return Err(EstimateError::NotFinite { name: name(k) });
        }
        if let Some(k) = lengths.iter().position(|&length| length == 0.0) {
            return Err(EstimateError::NotExcited { name: name(k) });
        }
        let qr = divided(equations, &lengths).qr();
        let mut right = equations.right().clone();
        qr.q_tr_mul(&mut right);
        let left_over = right.rows_range(columns..).norm_squared();
        Ok(Self { lengths, r: qr.r(), right: right.rows(0, columns).into_owned(), left_over, rows })
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
            weights: alike(equations, self.variance(scaled)),
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

/// W D⁻¹.
pub(super) fn divided(equations: &Observation, lengths: &DVector<f64>) -> DMatrix<f64> {
    let mut matrix = equations.matrix().clone();
    matrix.column_iter_mut().zip(lengths).for_each(|(mut column, length)| column /= *length);
    matrix
}

/// Weights of equations that all have noise of the same variance.
pub(super) fn alike(equations: &Observation, variance: f64) -> DVector<f64> {
    let rows = equations.right().len();
    let size = equations.right().norm() / (rows.max(1) as f64).sqrt();
    let noise = variance.sqrt().max(LEAST_NOISE * size).max(f64::MIN_POSITIVE.sqrt());
    DVector::from_element(rows, 1.0 / noise)
}
