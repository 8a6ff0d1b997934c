//! How well a motion tells the unknowns apart: functions of the eigenvalues λ of A = Wᵀ W / rows.
//!
//! ```text
//! condition       log κ ≈ (1/2p) (log Σ λᵖ + log Σ λ⁻ᵖ)       smooth, and log κ = ½ log(λ_max / λ_min) for p → ∞
//! D-optimality    −(1/2b) Σ log λ                             the mean of −log σ over the b singular values
//! ```
//!
//! With A = V Λ Vᵀ the derivative of f by W is 2 W V diag(∂f/∂λ) Vᵀ / rows.
//!
//! The scaled condition is that of U = W D⁻¹, with D the roots of the columns' mean squares. Units fall out of it: it is what estimators
//! solve with, and within √b of the least that any scaling of columns has (VanDerSluis1969). What it cannot see is how large a column is:
//! a motion that hardly moves a joint may be good by it. With G its derivative by U, and g, u and w columns,
//!
//! ```text
//! ∂f/∂w = (g − u (u · g) / rows) / D
//! ```

use nalgebra::{DMatrix, DVector, SymmetricEigen};

/// What is made small.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Criterion {
    /// The condition number of the observation matrix.
    #[default]
    Condition,
    /// The condition number of the observation matrix with columns of length 1: how far the unknowns are from being collinear, in
    /// whatever units.
    ScaledCondition,
    /// The volume of the confidence ellipsoid: log det (Wᵀ W) is made large.
    Determinant,
}

/// An eigenvalue below this part of the largest is rounding: A's entries are squares.
const ROUNDING: f64 = 1e-15;

/// Eigenvalues and -vectors of A.
#[derive(Debug, Clone)]
pub(super) struct Spectral {
    eigen: SymmetricEigen<f64, nalgebra::Dyn>,
    rows: f64,
    scales: Option<DVector<f64>>, // D, where columns are scaled
}

impl Spectral {
    /// What a criterion sees of an observation matrix; `None` if it cannot tell all unknowns apart.
    pub(super) fn of(w: &DMatrix<f64>, criterion: Criterion) -> Option<Self> {
        let rows = w.nrows() as f64;
        let mut a = w.tr_mul(w) / rows;
        let scales = (criterion == Criterion::ScaledCondition).then(|| a.diagonal().map(f64::sqrt));
        if let Some(scales) = &scales {
            a = DMatrix::from_fn(a.nrows(), a.ncols(), |i, k| a[(i, k)] / (scales[i] * scales[k]));
        }
        if !a.iter().all(|x| x.is_finite()) {
            return None;
        }
        let eigen = a.symmetric_eigen();
        let largest = eigen.eigenvalues.max();
        (eigen.eigenvalues.min() > ROUNDING * largest).then_some(Self { eigen, rows, scales })
    }

    /// The condition number of W, or of what it is scaled to.
    pub(super) fn condition(&self) -> f64 {
        (self.eigen.eigenvalues.max() / self.eigen.eigenvalues.min()).sqrt()
    }

    /// log det of A = Wᵀ W / rows.
    pub(super) fn log_determinant(&self) -> f64 {
        self.eigen.eigenvalues.iter().map(|x| x.ln()).sum()
    }

    /// The criterion; `p` is of the condition's smooth form.
    pub(super) fn value(&self, criterion: Criterion, p: i32) -> f64 {
        match criterion {
            Criterion::Condition | Criterion::ScaledCondition => {
                let [(high, most), (low, least)] = self.sums(p);
                (most.ln() - least.ln()) / 2.0 + (high.ln() + low.ln()) / f64::from(2 * p)
            }
            Criterion::Determinant => -0.5 * self.log_determinant() / self.eigen.eigenvalues.len() as f64,
        }
    }

    /// Its derivative by W.
    pub(super) fn slope(&self, criterion: Criterion, p: i32, w: &DMatrix<f64>) -> DMatrix<f64> {
        let values = &self.eigen.eigenvalues;
        let by: DVector<f64> = match criterion {
            Criterion::Condition | Criterion::ScaledCondition => {
                let [(high, most), (low, least)] = self.sums(p);
                values.map(|x| 0.5 * ((x / most).powi(p) / high - (least / x).powi(p) / low) / x)
            }
            Criterion::Determinant => values.map(|x| -0.5 / (values.len() as f64 * x)),
        };
        let vectors = &self.eigen.eigenvectors;
        let slope_of = |w: &DMatrix<f64>| {
            let mut turned = w * vectors;
            turned.column_iter_mut().zip(&by).for_each(|(mut column, by)| column *= 2.0 * by / self.rows);
            turned * vectors.transpose()
        };
        let Some(scales) = &self.scales else { return slope_of(w) };
        let mut unit = w.clone();
        unit.column_iter_mut().zip(scales).for_each(|(mut column, scale)| column /= *scale);
        let mut slope = slope_of(&unit);
        for (k, mut g) in slope.column_iter_mut().enumerate() {
            let along = unit.column(k).dot(&g) / self.rows;
            g.axpy(-along, &unit.column(k), 1.0);
            g /= scales[k];
        }
        slope
    }

    /// Σ (λ/λ_max)ᵖ with λ_max, and Σ (λ_min/λ)ᵖ with λ_min.
    fn sums(&self, p: i32) -> [(f64, f64); 2] {
        let values = &self.eigen.eigenvalues;
        let (most, least) = (values.max(), values.min());
        let sum = |ratio: &dyn Fn(f64) -> f64| values.iter().map(|&x| ratio(x).powi(p)).sum::<f64>();
        [(sum(&|x| x / most), most), (sum(&|x| least / x), least)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use appell::sample::Sampler;

    fn matrix() -> DMatrix<f64> {
        let mut sampler = Sampler::new(5);
        DMatrix::from_fn(30, 6, |_, column| sampler.within(1.0) * (1.0 + column as f64))
    }

    #[test]
    fn values_are_those_of_singular_values() {
        let w = matrix();
        let spectral = Spectral::of(&w, Criterion::Condition).unwrap();
        let singular = w.clone().singular_values();
        let condition = singular.max() / singular.min();
        assert!((spectral.condition() / condition - 1.0).abs() < 1e-10);
        let volume: f64 = singular.iter().map(|s| (s * s / 30.0).ln()).sum();
        assert!((spectral.log_determinant() - volume).abs() < 1e-10);
        let smooth = |p| spectral.value(Criterion::Condition, p);
        assert!(smooth(1) > smooth(4) && smooth(4) > condition.ln(), "from above");
        assert!((smooth(400) - condition.ln()).abs() < 1e-3);
        // p = 1 is the condition number of Frobenius' norm.
        let frobenius = w.norm() * w.pseudo_inverse(0.0).unwrap().norm();
        assert!((smooth(1) - frobenius.ln()).abs() < 1e-10);
    }

    #[test]
    fn slopes_match_differences() {
        let w = matrix();
        let criteria = [Criterion::Condition, Criterion::ScaledCondition, Criterion::Determinant];
        for (criterion, p) in criteria.into_iter().flat_map(|criterion| [(criterion, 1), (criterion, 6)]) {
            let slope = Spectral::of(&w, criterion).unwrap().slope(criterion, p, &w);
            let value = |w: &DMatrix<f64>| Spectral::of(w, criterion).unwrap().value(criterion, p);
            for k in (0..w.len()).step_by(7) {
                let [mut up, mut down] = [w.clone(), w.clone()];
                up[k] += 1e-6;
                down[k] -= 1e-6;
                let difference = (value(&up) - value(&down)) / 2e-6;
                assert!((slope[k] - difference).abs() < 1e-8, "{criterion:?}, entry {k}: {} {difference}", slope[k]);
            }
        }
    }

    #[test]
    fn what_is_not_told_apart_has_no_value() {
        let w = matrix();
        let more = w.clone().insert_column(6, 0.0);
        for criterion in [Criterion::Condition, Criterion::ScaledCondition] {
            assert!(Spectral::of(&more, criterion).is_none());
            assert!(Spectral::of(&w.map(|x| x / 0.0), criterion).is_none());
        }
    }

    #[test]
    fn scaled_columns_know_no_units() {
        let w = matrix();
        let of = |w: &DMatrix<f64>| Spectral::of(w, Criterion::ScaledCondition).unwrap().condition();
        let mut other = w.clone();
        other.column_iter_mut().enumerate().for_each(|(k, mut column)| column *= 10.0_f64.powi(k as i32));
        assert!((of(&w) / of(&other) - 1.0).abs() < 1e-10);
        let mut unit = w.clone();
        unit.column_iter_mut().for_each(|mut column| column /= column.norm());
        let singular = unit.singular_values();
        assert!((of(&w) * singular.min() / singular.max() - 1.0).abs() < 1e-10);
    }
}
