//! Comparisons of two ways to one thing, as a table with what we claim of each.

use super::number::{power_of_ten, scientific};
use super::section::{Section, Verdict};
use super::table;
use crate::Check;
use appell_drawing::page::escape;
use serde_json::{Value, json};

/// A section with a table of comparisons, with verdict and finding if all are as we claim.
pub(super) fn section(
    name: &'static str,
    title: &'static str,
    checks: &[Check],
    if_so: Verdict,
    finding: String,
) -> Section {
    let failed: Vec<&str> = checks.iter().filter(|check| !check.holds()).map(|check| check.what).collect();
    let (verdict, headline) = match failed[..] {
        [] => (if_so, finding),
        _ => (Verdict::Fails, format!("not as we claim: {}", failed.join("; "))),
    };
    Section { body: table(checks), ..Section::new(name, title, verdict, headline) }
}

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
