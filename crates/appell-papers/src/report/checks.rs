//! Comparisons of two ways to one thing, as a table with what we claim of each.

use super::number::{power_of_ten, scientific};
use super::section::Verdict;
use super::table;
use crate::Check;
use appell_drawing::page::escape;
use serde_json::{Value, json};

/// Comparisons, how far apart each pair is and may be.
pub(super) fn table(checks: &[Check]) -> String {
    let heads = ["what is compared", "largest difference", "we claim at most", ""];
    let row = |check: &Check| {
        let mark = if check.holds() { "✓" } else { "✗" };
        (escape(check.what), [number(check.difference), number(check.limit), mark.into()])
    };
    table::of_class("numbers checks", heads, checks.iter().map(row))
}

/// `0`, `10⁻¹²` or `3.14·10⁻¹⁶`.
pub(super) fn number(x: f64) -> String {
    let power = x.log10().round();
    match x {
        0.0 => "0".into(),
        x if (x / 10.0_f64.powf(power) - 1.0).abs() < 1e-12 => power_of_ten(power as i64),
        x => scientific(x),
    }
}

/// A verdict, if all comparisons are as we claim.
pub(super) fn verdict(checks: &[Check], if_so: Verdict) -> Verdict {
    if checks.iter().all(Check::holds) { if_so } else { Verdict::Fails }
}

/// A finding, if all comparisons are as we claim, else those that are not.
pub(super) fn headline(checks: &[Check], if_so: String) -> String {
    let failed: Vec<&str> = checks.iter().filter(|check| !check.holds()).map(|check| check.what).collect();
    if failed.is_empty() { if_so } else { format!("not as we claim: {}", failed.join("; ")) }
}

/// The largest difference of all.
pub(super) fn largest(checks: &[Check]) -> f64 {
    checks.iter().fold(0.0, |most, check| most.max(check.difference))
}

pub(super) fn as_json(checks: &[Check]) -> Value {
    let check = |check: &Check| {
        json!({
            "what": check.what, "difference": check.difference, "limit": check.limit, "as_claimed": check.holds(),
        })
    };
    checks.iter().map(check).collect()
}
