//! What an estimator gives, and how good it is.

use super::Observation;
use crate::number::shown;
use nalgebra::{DMatrix, DVector};

/// Parameters with their uncertainty.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimate {
    /// The method's name.
    pub method: &'static str,
    /// What the method made of the data, in words, where it chose something: how many outliers, which λ.
    pub note: Option<String>,
    /// The parameters' names, those of the columns.
    pub names: Vec<String>,
    /// The parameters.
    pub values: DVector<f64>,
    /// Their covariance.
    pub covariance: DMatrix<f64>,
    /// Condition number of the matrix with columns of length 1.
    pub condition: f64,
    /// What each equation counts: one over the standard deviation of its noise, as the method takes it to be. All alike of plain
    /// least squares, joint by joint where joints are weighed, less for outliers by Huber's.
    pub weights: DVector<f64>,
    /// How well the equations hold.
    pub fit: Fit,
}

/// How well equations hold.
#[derive(Debug, Clone, PartialEq)]
pub struct Fit {
    /// ‖y − W φ‖ / ‖y‖ of all rows, y being [`Observation::measured`].
    pub relative: f64,
    /// The same joint by joint.
    pub rows: Vec<RowFit>,
}

/// How well the equations of a joint hold.
#[derive(Debug, Clone, PartialEq)]
pub struct RowFit {
    /// The joint.
    pub name: String,
    /// Root of the mean square of the residual, N m or N.
    pub rms: f64,
    /// ‖y − W φ‖ / ‖y‖ of its rows.
    pub relative: f64,
}

/// Why there is no estimate.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "fields are named as in the messages")]
pub enum EstimateError {
    /// Fewer equations than unknowns.
    #[error("{rows} equations for {columns} parameters: more samples are needed")]
    TooFew { rows: usize, columns: usize },
    /// A parameter that the motion does not show.
    #[error("nothing in the data depends on `{name}`: move so that it matters, or leave it out")]
    NotExcited { name: String },
    /// Columns that depend on each other. `name`: the last parameter concerned; `condition`: condition number of the
    /// scaled matrix.
    #[error(
        "`{name}` cannot be told from the other parameters (condition number {condition:.1e}): reduce to base parameters, excite better, or estimate by SVD or ridge"
    )]
    Dependent { name: String, condition: f64 },
    /// NaN or an infinity. `name`: the column, or the right side.
    #[error("the equations contain NaN or an infinity, in column `{name}`")]
    NotFinite { name: String },
    /// Instrumental variables without any.
    #[error("instrumental variables need instruments, or a scenario: a motion that knows nothing of the noise")]
    NoInstruments,
    /// Rounds that change their answer for ever.
    #[error("{what} did not converge in {rounds} rounds: {remedy}")]
    NotConverged { what: &'static str, rounds: usize, remedy: &'static str },
    /// Something that must be positive is not.
    #[error("{what} is {}; it must be positive", shown(*value))]
    NotPositive { what: &'static str, value: f64 },
}

impl Estimate {
    /// The same with other names, as those of base parameters.
    ///
    /// # Panics
    /// If there is not one name per parameter.
    #[must_use]
    pub fn named(self, names: Vec<String>) -> Self {
        assert_eq!(names.len(), self.names.len(), "one name per parameter");
        Self { names, ..self }
    }

    /// The method, with what it made of the data where it chose something.
    #[must_use]
    pub fn method_and_note(&self) -> String {
        self.note.as_ref().map_or(self.method.to_owned(), |note| format!("{} ({note})", self.method))
    }

    /// Standard deviations.
    #[must_use]
    pub fn sigma(&self) -> DVector<f64> {
        self.covariance.diagonal().map(|variance| variance.max(0.0).sqrt())
    }

    /// Standard deviations over the size of the parameters, in percent; infinite where a parameter is zero.
    #[must_use]
    pub fn relative_sigma(&self) -> DVector<f64> {
        self.sigma().zip_map(&self.values, |sigma, value| 100.0 * sigma / value.abs())
    }

    /// Correlations of the parameters, −1 to 1.
    #[must_use]
    pub fn correlation(&self) -> DMatrix<f64> {
        let sigma = self.sigma();
        let size = |i: usize, k: usize| (sigma[i] * sigma[k]).max(f64::MIN_POSITIVE);
        DMatrix::from_fn(sigma.len(), sigma.len(), |i, k| self.covariance[(i, k)] / size(i, k))
    }

    /// The pairs of parameters that are correlated beyond a limit: the data show little but their combination.
    #[must_use]
    pub fn correlated(&self, limit: f64) -> Vec<(usize, usize, f64)> {
        let correlation = self.correlation();
        let pairs = (0..self.values.len()).flat_map(|k| (0..k).map(move |i| (i, k)));
        pairs.map(|(i, k)| (i, k, correlation[(i, k)])).filter(|pair| pair.2.abs() > limit).collect()
    }
}

impl Fit {
    /// How well equations hold with some parameters.
    ///
    /// # Panics
    /// If there is not one value per column.
    #[must_use]
    pub fn of(equations: &Observation, values: &DVector<f64>) -> Self {
        let residual = equations.right() - equations.predicted(values);
        Self::of_residual(equations.rows(), &residual, &equations.measured(values))
    }

    /// The same of some of the equations.
    ///
    /// # Panics
    /// If there is not one value per column, and one choice per equation.
    #[must_use]
    pub fn of_some(equations: &Observation, values: &DVector<f64>, chosen: &[bool]) -> Self {
        let (n, all) = (equations.rows().len(), equations.right().len());
        assert_eq!(chosen.len(), all, "one choice per equation");
        let kept = |numbers: DVector<f64>| DVector::from_fn(all, |k, _| if chosen[k] { numbers[k] } else { 0.0 });
        let residual = kept(equations.right() - equations.predicted(values));
        let mut fit = Self::of_residual(equations.rows(), &residual, &kept(equations.measured(values)));
        for (row, own) in fit.rows.iter_mut().enumerate() {
            let many = chosen.iter().skip(row).step_by(n).filter(|chosen| **chosen).count();
            own.rms *= ((all / n) as f64 / many.max(1) as f64).sqrt();
        }
        fit
    }

    /// The same by what is left of measured efforts, sample after sample.
    pub(crate) fn of_residual(rows: &[String], residual: &DVector<f64>, measured: &DVector<f64>) -> Self {
        let n = rows.len();
        let relative = |left: f64, whole: f64| if whole > 0.0 { (left / whole).sqrt() } else { 0.0 };
        let of_row = |(row, name): (usize, &String)| {
            let squares = |numbers: &DVector<f64>| numbers.iter().skip(row).step_by(n).map(|x| x * x).sum::<f64>();
            let left = squares(residual);
            RowFit {
                name: name.clone(),
                rms: (left / (residual.len() / n).max(1) as f64).sqrt(),
                relative: relative(left, squares(measured)),
            }
        };
        Self {
            relative: relative(residual.norm_squared(), measured.norm_squared()),
            rows: rows.iter().enumerate().map(of_row).collect(),
        }
    }
}
