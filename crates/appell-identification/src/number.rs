//! Numbers in messages.

use core::fmt::{self, Display, Formatter};

/// A number as it is written, but for sizes that would take dozens of digits.
pub(crate) fn shown(x: f64) -> impl Display {
    Shown(x)
}

struct Shown(f64);

impl Display for Shown {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0.abs() {
            size if size == 0.0 || (1e-6..1e15).contains(&size) => write!(f, "{}", self.0),
            _ => write!(f, "{:e}", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn no_number_fills_a_line() {
        let cases = [(0.0, "0"), (-1.5, "-1.5"), (1.7e9, "1700000000"), (-1e300, "-1e300"), (2e-9, "2e-9")];
        for (number, text) in cases {
            assert_eq!(shown(number).to_string(), text);
        }
        assert_eq!(shown(f64::NAN).to_string(), "NaN");
    }
}
