//! What to doubt about single parameters, in words.

use super::report::round;
use appell_drawing::listing::short;
use appell_identification::estimate::{Doubt, Estimate};
use appell_identification::observation::Observation;

/// The part of the efforts below which a parameter has no influence.
const INFLUENCE: f64 = 1e-3;

/// Parameters that are hardly excited and told by name.
const MOST_NAMES: usize = 8;

/// Pairs of collinear parameters that are told.
const MOST_PAIRS: usize = 6;

/// Whether a doubt is worth telling: a wrong sign of what has no influence is rounding.
pub(super) fn matters(doubt: &Doubt, reduced: &Observation, estimate: &Estimate) -> bool {
    let Doubt::WrongSign { name, value, .. } = doubt else { return true };
    let column = estimate.names.iter().position(|own| own == name);
    let whole = reduced.measured(&estimate.values).norm();
    column.is_none_or(|k| value.abs() * reduced.matrix().column(k).norm() > INFLUENCE * whole)
}

/// Doubts in words, all parameters that are hardly excited in one.
pub(super) fn told(doubts: &[Doubt]) -> Vec<String> {
    let hardly = |doubt: &Doubt| match doubt {
        Doubt::NotExcited { name, sigma, size } => {
            Some(format!("{name} (σ {}, size {})", short(round(*sigma)), short(round(*size))))
        }
        _ => None,
    };
    let excited_little: Vec<String> = doubts.iter().filter_map(hardly).collect();
    let together = (!excited_little.is_empty()).then(|| {
        let first = excited_little.iter().take(MOST_NAMES).map(String::as_str).collect::<Vec<_>>().join(", ");
        let more = excited_little.len().saturating_sub(MOST_NAMES);
        let more = if more > 0 { format!(", and {more} more in parameters.csv") } else { String::new() };
        format!("hardly excited, with σ beyond half of their size: {first}{more}")
    });
    let wrong = doubts.iter().filter_map(|doubt| match doubt {
        Doubt::WrongSign { name, value, sigma } => Some(format!(
            "{name} = {} ± {} has the wrong sign: the model misses something",
            short(round(*value)),
            short(round(*sigma))
        )),
        _ => None,
    });
    let mut pairs: Vec<(&str, &str, f64)> = doubts.iter().filter_map(pair).collect();
    pairs.sort_by(|one, other| other.2.abs().total_cmp(&one.2.abs()));
    let named = |(first, second, correlation): &(&str, &str, f64)| format!("{first} and {second} ({correlation:.3})");
    let collinear = (!pairs.is_empty()).then(|| {
        let first: Vec<String> = pairs.iter().take(MOST_PAIRS).map(named).collect();
        let more = pairs.len().saturating_sub(MOST_PAIRS);
        let more = if more > 0 { format!(", and {more} more pairs in correlation.csv") } else { String::new() };
        format!("collinear, so that only a combination of two shows: {}{more}", first.join(", "))
    });
    wrong.chain(together).chain(collinear).collect()
}

/// Parameters that are collinear, with their correlation.
fn pair(doubt: &Doubt) -> Option<(&str, &str, f64)> {
    match doubt {
        Doubt::Collinear { first, second, correlation } => Some((first, second, *correlation)),
        _ => None,
    }
}
