//! The entries of a `.par` file: numbers, π, functions, and symbols that stand for a number or for a joint's coordinate.
//!
//! ```text
//! sum     = [sign] product { sign product }
//! product = power { ("*" | "/") power }
//! power   = factor [("**" | "^") factor]
//! factor  = number | "pi" | symbol | function "(" sum { "," sum } ")" | "(" sum ")" | sign factor
//! ```

use crate::description::quantity::leading_number;
use core::f64::consts::PI;

/// What an entry says: a number, and the symbols that are added to it.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Entry {
    pub(super) constant: f64,
    /// The symbols in it with their factors, each once.
    pub(super) symbols: Vec<(String, f64)>,
    /// Whether symbols are only added, with numbers as their factors.
    pub(super) is_linear: bool,
}

/// Brackets and signs that may stand within each other: more would only fill the stack.
const DEEPEST: usize = 64;

/// Reads an entry; `None` where the text is none.
pub(super) fn read(text: &str) -> Option<Entry> {
    let mut cursor = Cursor { rest: text.trim(), depth: 0 };
    let entry = cursor.sum()?;
    cursor.rest.is_empty().then_some(entry)
}

impl Entry {
    fn number(constant: f64) -> Self {
        Self { constant, symbols: Vec::new(), is_linear: true }
    }

    /// Its number, if it has no symbol.
    pub(super) fn plain(&self) -> Option<f64> {
        self.symbols.is_empty().then_some(self.constant)
    }

    /// What is added to the only symbol of an entry that is otherwise a number: the offset of a joint's coordinate.
    pub(super) fn offset(&self) -> Option<f64> {
        match &self.symbols[..] {
            [(_, factor)] if self.is_linear && *factor == 1.0 => Some(self.constant),
            _ => None,
        }
    }

    fn scaled(mut self, k: f64) -> Self {
        self.constant *= k;
        self.symbols.iter_mut().for_each(|(_, factor)| *factor *= k);
        self
    }

    fn plus(mut self, other: Self) -> Self {
        self.constant += other.constant;
        self.is_linear &= other.is_linear;
        for (name, factor) in other.symbols {
            match self.symbols.iter_mut().find(|(known, _)| *known == name) {
                Some((_, own)) => *own += factor,
                None => self.symbols.push((name, factor)),
            }
        }
        self
    }

    fn times(self, other: Self) -> Self {
        match (self.plain(), other.plain()) {
            (Some(k), _) => other.scaled(k),
            (None, Some(k)) => self.scaled(k),
            (None, None) => Self { is_linear: false, ..self.plus(other) },
        }
    }

    fn over(self, other: Self) -> Self {
        match other.plain() {
            Some(k) => {
                let symbols = self.symbols.into_iter().map(|(name, factor)| (name, factor / k)).collect();
                Self { constant: self.constant / k, symbols, ..self }
            }
            None => Self { is_linear: false, ..self.plus(other) },
        }
    }

    /// A function of entries; of symbols it is known by their names alone.
    fn of(arguments: Vec<Self>, function: impl Fn(&[f64]) -> f64) -> Self {
        let numbers: Option<Vec<f64>> = arguments.iter().map(Self::plain).collect();
        match numbers {
            Some(numbers) => Self::number(function(&numbers)),
            None => {
                let all = arguments.into_iter().fold(Self::number(0.0), Self::plus);
                Self { is_linear: false, ..all }
            }
        }
    }
}

/// What is left to read; never starts with a space.
struct Cursor<'t> {
    rest: &'t str,
    depth: usize,
}

impl Cursor<'_> {
    fn sum(&mut self) -> Option<Entry> {
        let mut sum = self.product()?;
        loop {
            if self.symbol("+") {
                sum = sum.plus(self.product()?);
            } else if self.symbol("-") {
                sum = sum.plus(self.product()?.scaled(-1.0));
            } else {
                return Some(sum);
            }
        }
    }

    fn product(&mut self) -> Option<Entry> {
        let mut product = self.power()?;
        loop {
            if self.symbol("*") {
                product = product.times(self.power()?);
            } else if self.symbol("/") {
                product = product.over(self.power()?);
            } else {
                return Some(product);
            }
        }
    }

    fn power(&mut self) -> Option<Entry> {
        let base = self.factor()?;
        if self.symbol("**") || self.symbol("^") {
            let exponent = self.factor()?;
            return Some(Entry::of(vec![base, exponent], |x| x[0].powf(x[1])));
        }
        Some(base)
    }

    fn factor(&mut self) -> Option<Entry> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        let factor = self.factor_within();
        self.depth -= 1;
        factor
    }

    fn factor_within(&mut self) -> Option<Entry> {
        if self.symbol("-") {
            // −a² is −(a²), as everywhere.
            return Some(self.power()?.scaled(-1.0));
        }
        if self.symbol("+") {
            return self.power();
        }
        if self.symbol("(") {
            let inner = self.sum()?;
            return self.symbol(")").then_some(inner);
        }
        if self.rest.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
            return self.number().map(Entry::number);
        }
        let name = self.name()?;
        if self.symbol("(") {
            let mut arguments = vec![self.sum()?];
            while self.symbol(",") {
                arguments.push(self.sum()?);
            }
            return if self.symbol(")") { function(&name, arguments) } else { None };
        }
        Some(match name.as_str() {
            "pi" | "Pi" | "PI" | "π" => Entry::number(PI),
            _ => Entry { constant: 0.0, symbols: vec![(name, 1.0)], is_linear: true },
        })
    }

    fn name(&mut self) -> Option<String> {
        let end = self.rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(self.rest.len());
        let name = self.rest[..end].to_owned();
        self.skip(end);
        (!name.is_empty()).then_some(name)
    }

    fn number(&mut self) -> Option<f64> {
        let (number, length) = leading_number(self.rest)?;
        self.skip(length);
        Some(number)
    }

    /// Takes a symbol, if it is next. One star is not the beginning of two.
    fn symbol(&mut self, symbol: &str) -> bool {
        let next = self.rest.starts_with(symbol) && !(symbol == "*" && self.rest.starts_with("**"));
        if next {
            self.skip(symbol.len());
        }
        next
    }

    fn skip(&mut self, bytes: usize) {
        self.rest = self.rest[bytes..].trim_start();
    }
}

/// A function by its name; `None` where that or the number of its arguments is unknown.
fn function(name: &str, arguments: Vec<Entry>) -> Option<Entry> {
    let one: Option<fn(f64) -> f64> = match name.to_ascii_lowercase().as_str() {
        "sin" => Some(f64::sin),
        "cos" => Some(f64::cos),
        "tan" => Some(f64::tan),
        "asin" | "arcsin" => Some(f64::asin),
        "acos" | "arccos" => Some(f64::acos),
        "atan" | "arctan" => Some(f64::atan),
        "sqrt" => Some(f64::sqrt),
        _ => None,
    };
    match (one, arguments.len()) {
        (Some(one), 1) => Some(Entry::of(arguments, |x| one(x[0]))),
        (None, 2) if name.eq_ignore_ascii_case("atan2") => Some(Entry::of(arguments, |x| x[0].atan2(x[1]))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::f64::consts::FRAC_PI_2;
    use proptest::prelude::*;

    #[test]
    fn entries_are_read() {
        for (text, value) in [
            ("-pi/2", -FRAC_PI_2),
            ("Pi / 2", FRAC_PI_2),
            ("0.45", 0.45),
            ("-1.5e-3", -1.5e-3),
            ("1/4 + 2*3", 6.25),
            ("-2**2", -4.0),
            ("(1 + 2)^2", 9.0),
            ("2*-3", -6.0),
            ("sqrt(4)*cos(0)", 2.0),
            ("atan2(1, 0)", FRAC_PI_2),
            ("pi/180*90", PI / 180.0 * 90.0),
        ] {
            assert_eq!(read(text).and_then(|entry| entry.plain()), Some(value), "{text}");
        }
        for text in ["", "-", "1 2", "(1", "1)", "sin", "sin()", "sin(1, 2)", "atan2(1)", "what(1)", "1 +", "{1}", "$"]
        {
            assert!(read(text).is_none_or(|entry| entry.plain().is_none()), "{text}");
        }
    }

    #[test]
    fn symbols_are_named_and_offsets_found() {
        assert_eq!(read("th1").unwrap().offset(), Some(0.0));
        assert_eq!(read("pi/2 + th1").unwrap().offset(), Some(FRAC_PI_2));
        assert_eq!(read("(th1 - 0.5)").unwrap().offset(), Some(-0.5));
        for text in ["-th1", "2*th1", "th1*th2", "th1 + th2", "sin(th1)", "th1/th1", "1"] {
            assert_eq!(read(text).unwrap().offset(), None, "{text}");
        }
        let names: Vec<String> = read("-d12*sin(g12)").unwrap().symbols.into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["d12", "g12"]);
    }

    #[test]
    fn deep_brackets_do_not_exhaust_the_stack() {
        assert_eq!(read(&("(".repeat(100_000) + "1" + &")".repeat(100_000))), None);
        assert_eq!(read(&"-".repeat(100_000)), None);
    }

    proptest! {
        #[test]
        fn any_text_is_read_without_panic(text in "[-+*/^() .,0-9epith]{0,24}|\\PC*") {
            read(&text);
        }
    }
}
