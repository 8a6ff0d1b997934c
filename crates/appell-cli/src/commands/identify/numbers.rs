//! Numbers as a report writes them.

use appell_drawing::listing::short;

/// Four digits: no measured parameter has more.
pub(super) fn round(x: f64) -> f64 {
    format!("{x:.3e}").parse().unwrap_or(x)
}

/// One digit, for a size.
pub(super) fn size(x: f64) -> String {
    short(format!("{x:.0e}").parse().unwrap_or(x))
}

/// Three digits of a torque or force, with its unit; zeros among them, so that they stand below each other.
pub(super) fn rms(x: f64, unit: &str) -> String {
    let number = match x {
        x if (1e-4..1e3).contains(&x) => format!("{x:.*}", (2 - x.log10().floor() as i32).max(0) as usize),
        _ => short(format!("{x:.2e}").parse().unwrap_or(x)),
    };
    format!("{number} {unit}")
}

/// Six digits of a rate.
pub(super) fn round_rate(x: f64) -> f64 {
    format!("{x:.5e}").parse().unwrap_or(x)
}

/// A part of a whole, in percent.
pub(super) fn percent(part: f64) -> String {
    match 100.0 * part {
        part if part >= 1000.0 => "> 1000 %".into(),
        part if part >= 0.01 || part == 0.0 => format!("{part:.2} %"),
        part => format!("{part:.0e} %"),
    }
}
