//! Numbers as the report writes them.

/// A number to three digits or so.
pub(super) fn short(x: f64) -> String {
    if x == 0.0 || (0.005..1000.0).contains(&x.abs()) { format!("{x:.3}").replace('-', "−") } else { scientific(x) }
}

/// A parameter in as few digits as it was written with, at most nine behind the point.
pub(super) fn parameter(x: f64) -> String {
    format!("{}", (1e9 * x).round() / 1e9 + 0.0).replace('-', "−")
}

/// A length or the like to a tenth of a thousandth; rounding leaves no negative zero.
pub(super) fn four_decimals(x: f64) -> String {
    let text = format!("{x:.4}");
    if text == "-0.0000" { "0.0000".into() } else { text.replace('-', "−") }
}

/// `1.33·10⁴`.
pub(super) fn scientific(x: f64) -> String {
    let text = format!("{x:.2e}").replace('-', "−");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    format!("{digits}·10{}", raised(exponent))
}

/// `10⁴`.
pub(super) fn power_of_ten(exponent: i64) -> String {
    format!("10{}", raised(&exponent.to_string()))
}

/// An exponent in raised digits.
fn raised(exponent: &str) -> String {
    let raise = |c: char| match c {
        '-' | '−' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        digit => digit.to_digit(10).and_then(|d| char::from_u32('⁰' as u32 + d)).unwrap_or(digit),
    };
    exponent.chars().map(raise).collect()
}
