//! What to doubt about an estimate.

use super::{Estimate, Observation};
use crate::parameters::Column;
use crate::thresholds::{COLLINEAR, HARDLY_EXCITED, INFLUENCE, OPEN, USUAL_PART, WRONG_SIGN};
use nalgebra::DVector;

/// Something to doubt.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "fields are named as in the messages")]
pub enum Doubt {
    /// The motion hardly shows it: its σ is beyond half of what it may be. `size`: how large it is, or may be in a
    /// robot like this.
    NotExcited { name: String, sigma: f64, size: f64 },
    /// Only a combination of two shows. `correlation`: −1 to 1.
    Collinear { first: String, second: String, correlation: f64 },
    /// Friction that drives, or a negative rotor, beyond its uncertainty.
    WrongSign { name: String, value: f64, sigma: f64 },
}

/// What to doubt about an estimate of base parameters.
///
/// A parameter is hardly excited where σ is beyond half of its size, which is the larger of its value and of what it may be
/// in a robot like this: `sizes` says that of bodies, as [`BaseParameters::sizes`] computes it; friction and rotors, and bodies of
/// which nothing is known, have the size that makes up a tenth of their joint's efforts. So a parameter that is truly near zero, and known to be, is not doubted.
///
/// [`BaseParameters::sizes`]: crate::base_parameters::BaseParameters::sizes
///
/// # Panics
/// If the estimate or the sizes are of other columns.
#[must_use]
pub fn doubts(estimate: &Estimate, equations: &Observation, sizes: &DVector<f64>) -> Vec<Doubt> {
    let columns = equations.model().columns();
    assert!(estimate.values.len() == columns.len() && sizes.len() == columns.len(), "an estimate of these columns");
    let sigma = estimate.sigma();
    let name = |k: usize| estimate.names[k].clone();
    let measured = equations.measured(&estimate.values);
    let size = |k: usize| {
        let may_be = match columns[k] {
            Column::Inertial { .. } if sizes[k] > 0.0 => sizes[k],
            _ => USUAL_PART * whole_effort(equations, &measured, k),
        };
        estimate.values[k].abs().max(may_be)
    };
    let uncertain = (0..columns.len()).filter(|&k| sigma[k] > HARDLY_EXCITED * size(k));
    // Of parameters that are known well enough their correlation takes nothing.
    let is_open = |k: usize| sigma[k] > OPEN * size(k);
    let collinear = estimate.correlated(COLLINEAR).into_iter().filter(|&(i, k, _)| is_open(i) || is_open(k));
    // Bodies' base parameters are sums and differences, of any sign. A wrong sign of what has no influence is rounding.
    let has_sign = |k: &usize| !matches!(columns[*k], Column::Inertial { .. }) && columns[*k].lower_bound().is_some();
    let signs = (0..columns.len()).filter(has_sign);
    let limit = normal_quantile(WRONG_SIGN / signs.clone().count().max(1) as f64);
    let is_wrong = |&k: &usize| {
        let matters = estimate.values[k].abs() * equations.matrix().column(k).norm() > INFLUENCE * measured.norm();
        matters && estimate.values[k] < -limit * sigma[k]
    };
    let wrong = signs.filter(is_wrong);
    uncertain
        .map(|k| Doubt::NotExcited { name: name(k), sigma: sigma[k], size: size(k) })
        .chain(collinear.map(|(i, k, correlation)| Doubt::Collinear { first: name(i), second: name(k), correlation }))
        .chain(wrong.map(|k| Doubt::WrongSign { name: name(k), value: estimate.values[k], sigma: sigma[k] }))
        .collect()
}

/// How many σ a normal number is beyond with this chance, below a half, on one side: 26.2.23 of Abramowitz and Stegun, right within 5e-4.
fn normal_quantile(chance: f64) -> f64 {
    let s = (-2.0 * chance.ln()).sqrt();
    let above = 2.515_517 + s * (0.802_853 + s * 0.010_328);
    s - above / (1.0 + s * (1.432_788 + s * (0.189_269 + s * 0.001_308)))
}

/// The value with which a column alone would make up the efforts of the joints that it acts on.
fn whole_effort(equations: &Observation, measured: &DVector<f64>, k: usize) -> f64 {
    let (n, column) = (equations.rows().len(), equations.matrix().column(k));
    let squares = |row: usize| {
        let of_row = |numbers: &mut dyn Iterator<Item = &f64>| numbers.skip(row).step_by(n).map(|x| x * x).sum::<f64>();
        (of_row(&mut measured.iter()), of_row(&mut column.iter()))
    };
    let acting = (0..n).map(squares).filter(|(_, own)| *own > 0.0);
    let (efforts, own) = acting.fold((0.0, 0.0), |sum, (efforts, own)| (sum.0 + efforts, sum.1 + own));
    (efforts / own).sqrt()
}

#[cfg(test)]
mod tests {
    use super::normal_quantile;

    #[test]
    fn quantiles_are_those_of_tables() {
        for (chance, expected) in
            [(0.158_655, 1.0), (0.022_750, 2.0), (1.349_9e-3, 3.0), (3.167e-5, 4.0), (2.867e-7, 5.0)]
        {
            let found = normal_quantile(chance);
            assert!((found - expected).abs() < 1e-3, "{chance}: {found}");
        }
    }
}
