//! Numbers in messages.

/// A quantity as people read it.
pub(crate) fn shown(x: f64) -> String {
    with_digits(x, 6)
}

/// A measured quantity, of which no more than four digits mean anything.
pub(crate) fn rough(x: f64) -> String {
    with_digits(x, 4)
}

/// A part of a whole, in percent.
pub(crate) fn percent(part: f64) -> String {
    let percent = 100.0 * part;
    if percent < 10.0 { format!("{percent:.1} %") } else { format!("{percent:.0} %") }
}

/// So many things: `1 table`, `2 tables`.
pub(crate) fn counted(count: usize, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}

/// An instant, which may be seconds since 1970 with microseconds and still must be told from its neighbour.
pub(crate) fn shown_instant(t: f64) -> String {
    with_digits(t, 16)
}

/// Plain where that is short, with an exponent where it would take dozens of digits.
fn with_digits(x: f64, digits: usize) -> String {
    let rounded: f64 = format!("{x:.*e}", digits - 1).parse().unwrap_or(x);
    match rounded.abs() {
        size if size == 0.0 || (1e-4..1e15).contains(&size) || !size.is_finite() => rounded.to_string(),
        _ => format!("{rounded:e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_number_fills_a_line() {
        let cases = [
            (0.0, "0"),
            (-1.5, "-1.5"),
            (1.7e9, "1700000000"),
            (-1e300, "-1e300"),
            (2e-9, "2e-9"),
            (1.374e-5, "1.374e-5"),
            (0.1 + 0.2, "0.3"),
            (2.0 / 3.0, "0.666667"),
            (f64::NAN, "NaN"),
            (f64::INFINITY, "inf"),
        ];
        for (number, text) in cases {
            assert_eq!(shown(number), text);
        }
        assert_eq!(shown_instant(0.1 + 0.2), "0.3");
        assert_eq!(shown_instant(1_731_765_123.000_25), "1731765123.00025");
    }
}
