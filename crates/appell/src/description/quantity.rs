//! Numbers as people write them in a table: `-90 deg`, `432 mm`, `2*pi/3`, `q + 90 deg`.
//!
//! ```text
//! sum    = [sign] term { sign term }        at most one term is q, and its sign is +
//! term   = "q" | factor { ("*" | "/") factor } [unit]
//! factor = number | "pi" | "π"
//! unit   = "deg" | "rad" | "m" | "mm"
//! ```

use core::f64::consts::PI;

/// What a number measures, which decides the units it may carry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dimension {
    /// rad; also written in deg or as a fraction of π.
    Angle,
    /// m; also written in mm.
    Length,
}

impl Dimension {
    /// What a cell of this dimension may hold.
    pub const fn expected(self) -> &'static str {
        match self {
            Self::Angle => "an angle: a number in rad, or text such as \"80 deg\" or \"pi/2\"",
            Self::Length => "a length: a number in m, or text such as \"432 mm\"",
        }
    }
}

/// A number of a table, and whether the joint's coordinate q is added to it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quantity {
    /// In SI units.
    pub constant: f64,
    /// Whether the joint moves here.
    pub moves: bool,
}

impl Quantity {
    /// An angle or a length as people write it, in SI units: `-90 deg`, `pi/2`, `432 mm`; `None` where the text is none.
    #[must_use]
    pub fn constant(text: &str) -> Option<f64> {
        let found = [Dimension::Angle, Dimension::Length].into_iter().find_map(|dimension| read(text, dimension))?;
        (!found.moves && found.constant.is_finite()).then_some(found.constant)
    }
}

/// Reads a quantity; `None` where the text is none, or one of another dimension.
pub fn read(text: &str, dimension: Dimension) -> Option<Quantity> {
    let mut cursor = Cursor { rest: text.trim() };
    let mut sum = Quantity { constant: 0.0, moves: false };
    let mut sign = cursor.sign().unwrap_or(1.0);
    loop {
        if cursor.word("q") {
            if sum.moves || sign < 0.0 {
                return None;
            }
            sum.moves = true;
        } else {
            sum.constant += sign * cursor.constant(dimension)?;
        }
        if cursor.rest.is_empty() {
            return Some(sum);
        }
        sign = cursor.sign()?;
    }
}

/// Writes a quantity so that [`read`] gives it back to the last bit: `q - 90 deg`, `0.432`.
pub(super) fn write(quantity: Quantity, dimension: Dimension) -> String {
    let Quantity { constant, moves } = quantity;
    match moves {
        false => write_constant(constant, dimension),
        true if constant < 0.0 => format!("q - {}", write_constant(-constant, dimension)),
        true if constant > 0.0 => format!("q + {}", write_constant(constant, dimension)),
        true => "q".into(),
    }
}

/// Degrees where at most two decimals of them are exact, else the shortest number in SI units.
pub(super) fn write_constant(constant: f64, dimension: Dimension) -> String {
    let degrees = (constant / PI * 180.0 * 100.0).round() / 100.0;
    if dimension == Dimension::Angle && constant != 0.0 && degrees / 180.0 * PI == constant {
        format!("{degrees} deg")
    } else {
        write_number(constant)
    }
}

/// The shortest number that is read back to the last bit; a zero has no sign.
pub(super) fn write_number(x: f64) -> String {
    format!("{:?}", x + 0.0)
}

/// What is left to read; never starts with a space.
struct Cursor<'t> {
    rest: &'t str,
}

impl<'t> Cursor<'t> {
    /// A product of numbers and π with its unit, in SI.
    fn constant(&mut self, dimension: Dimension) -> Option<f64> {
        let mut has_pi = false;
        let mut value = self.factor(&mut has_pi)?;
        loop {
            if self.symbol('*') {
                value *= self.factor(&mut has_pi)?;
            } else if self.symbol('/') {
                value /= self.factor(&mut has_pi)?;
            } else {
                break;
            }
        }
        match dimension {
            // Half a turn is π as exactly as f64 knows it, so 90 deg is the f64 nearest to π/2.
            Dimension::Angle if self.word("deg") => (!has_pi).then_some(value / 180.0 * PI),
            Dimension::Angle => {
                self.word("rad");
                Some(value)
            }
            Dimension::Length if has_pi => None,
            // 432/1000 rounds once; 432 · 0.001 would round twice.
            Dimension::Length if self.word("mm") => Some(value / 1000.0),
            Dimension::Length => {
                self.word("m");
                Some(value)
            }
        }
    }

    fn factor(&mut self, has_pi: &mut bool) -> Option<f64> {
        if self.word("pi") || self.word("π") {
            *has_pi = true;
            return Some(PI);
        }
        self.number()
    }

    fn number(&mut self) -> Option<f64> {
        let (number, length) = leading_number(self.rest)?;
        self.skip(length);
        Some(number)
    }

    /// Takes this word, if it is next and ends here.
    fn word(&mut self, word: &str) -> bool {
        let next = self.rest.strip_prefix(word).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
        if next {
            self.skip(word.len());
        }
        next
    }

    fn symbol(&mut self, symbol: char) -> bool {
        let next = self.rest.starts_with(symbol);
        if next {
            self.skip(symbol.len_utf8());
        }
        next
    }

    fn sign(&mut self) -> Option<f64> {
        if self.symbol('+') {
            Some(1.0)
        } else if self.symbol('-') {
            Some(-1.0)
        } else {
            None
        }
    }

    fn skip(&mut self, bytes: usize) {
        self.rest = self.rest[bytes..].trim_start();
    }
}

/// The unsigned decimal number with which a text begins, and its length; the parser of the standard library judges what the
/// scan has cut out.
pub(super) fn leading_number(text: &str) -> Option<(f64, usize)> {
    let bytes = text.as_bytes();
    let digits = |from: usize| bytes[from.min(bytes.len())..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut end = digits(0);
    if bytes.get(end) == Some(&b'.') {
        end += 1 + digits(end + 1);
    }
    if let Some(b'e' | b'E') = bytes.get(end) {
        let signed = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let exponent = digits(end + 1 + signed);
        if exponent > 0 {
            end += 1 + signed + exponent;
        }
    }
    Some((text[..end].parse().ok()?, end))
}

#[cfg(test)]
mod tests {
    use super::Dimension::{Angle, Length};
    use super::*;
    use core::f64::consts::{FRAC_PI_2, FRAC_PI_4};
    use proptest::prelude::*;

    fn fixed(constant: f64) -> Option<Quantity> {
        Some(Quantity { constant, moves: false })
    }

    fn moving(constant: f64) -> Option<Quantity> {
        Some(Quantity { constant, moves: true })
    }

    #[test]
    fn angles_are_read_exactly() {
        for (text, value) in [
            ("90 deg", FRAC_PI_2),
            ("-90 deg", -FRAC_PI_2),
            ("45deg", FRAC_PI_4),
            ("180 deg", PI),
            ("1.2 rad", 1.2),
            ("-1.5e-3", -1.5e-3),
            ("pi/2", FRAC_PI_2),
            ("-pi/2", -FRAC_PI_2),
            ("π", PI),
            ("pi/2 rad", FRAC_PI_2),
            ("2*pi/3", 2.0 * PI / 3.0),
            (" 0 ", 0.0),
        ] {
            assert_eq!(read(text, Angle), fixed(value), "{text}");
        }
    }

    #[test]
    fn lengths_are_read_exactly() {
        for (text, value) in [("432 mm", 0.432), ("0.15 m", 0.15), ("-20mm", -0.02), ("1e-3", 1e-3), (".5", 0.5)] {
            assert_eq!(read(text, Length), fixed(value), "{text}");
        }
    }

    #[test]
    fn the_coordinate_may_carry_an_offset() {
        for (text, offset) in [
            ("q", 0.0),
            ("q + 90 deg", FRAC_PI_2),
            ("q - 0.1", -0.1),
            ("90 deg + q", FRAC_PI_2),
            ("-pi/2+q", -FRAC_PI_2),
            ("+q", 0.0),
        ] {
            assert_eq!(read(text, Angle), moving(offset), "{text}");
        }
        assert_eq!(read("q + 10 mm", Length), moving(0.01));
    }

    #[test]
    fn what_is_no_quantity_is_refused() {
        for text in
            ["", "-", "deg", "q q", "q + q", "-q", "2*q", "2 q", "1 2", "1 +", "pi deg", "90 degrees", "1,5", "nan"]
        {
            assert_eq!(read(text, Angle), None, "{text}");
        }
        assert_eq!(read("90 deg", Length), None);
        assert_eq!(read("pi/2", Length), None);
        assert_eq!(read("10 mm", Angle), None);
        assert_eq!(read("1 m", Angle), None);
    }

    #[test]
    fn simple_angles_are_written_in_degrees() {
        for (text, dimension) in [
            ("90 deg", Angle),
            ("-37.5 deg", Angle),
            ("0.0", Angle),
            ("1.2", Angle),
            ("q", Angle),
            ("q - 180 deg", Angle),
            ("q + 0.05", Length),
            ("1e-9", Length),
        ] {
            assert_eq!(write(read(text, dimension).unwrap(), dimension), text);
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(constant in proptest::num::f64::NORMAL, moves: bool) {
            for dimension in [Angle, Length] {
                let quantity = Quantity { constant, moves };
                prop_assert_eq!(read(&write(quantity, dimension), dimension), Some(quantity));
            }
        }

        #[test]
        fn any_text_is_read_without_panic(text in "[-+*/ .0-9eqpiπradgm°]{0,24}|\\PC*") {
            read(&text, Angle);
            read(&text, Length);
        }

        #[test]
        fn a_printed_number_is_read_back(x in proptest::num::f64::NORMAL) {
            prop_assert_eq!(read(&format!("{x:e} rad"), Angle), fixed(x));
            prop_assert_eq!(read(&format!("{x}"), Length), fixed(x));
        }
    }
}
