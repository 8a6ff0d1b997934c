//! Text for people: aligned columns and numbers of a few digits.

use std::borrow::Cow;
use std::io::{self, Write};

/// Rows of text under a header, each column as wide as its widest cell.
pub struct Listing {
    rows: Vec<Vec<String>>,
    numeric: Vec<bool>,
}

impl Listing {
    /// A listing with these headings; one that begins with `>` is of numbers, set to the right.
    pub fn new<'h>(headings: impl IntoIterator<Item = &'h str>) -> Self {
        let cell = |heading: &'h str| match heading.strip_prefix('>') {
            Some(heading) => (heading.to_owned(), true),
            None => (heading.to_owned(), false),
        };
        let (headings, numeric) = headings.into_iter().map(cell).unzip();
        Self { rows: vec![headings], numeric }
    }

    /// Adds a row, one cell per heading.
    pub fn push(&mut self, row: impl IntoIterator<Item = String>) {
        let row: Vec<String> = row.into_iter().map(|cell| clip(&cell).into_owned()).collect();
        debug_assert_eq!(row.len(), self.numeric.len(), "one cell per heading");
        self.rows.push(row);
    }

    /// Writes it, indented by two spaces and with two between columns.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let widest = |k: usize| self.rows.iter().map(|row| width(&row[k])).max().unwrap_or(0);
        let widths: Vec<usize> = (0..self.numeric.len()).map(widest).collect();
        for row in &self.rows {
            let mut line = String::new();
            for ((cell, &widest), &numeric) in row.iter().zip(&widths).zip(&self.numeric) {
                let room = " ".repeat(widest - width(cell));
                line += &if numeric { format!("  {room}{cell}") } else { format!("  {cell}{room}") };
            }
            writeln!(out, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

/// How many columns a text takes: a mark below or above a letter takes none.
fn width(text: &str) -> usize {
    text.chars().filter(|letter| !('\u{300}'..='\u{36f}').contains(letter)).count()
}

/// A number to six digits, for reading.
pub fn short(x: f64) -> String {
    let rounded: f64 = format!("{x:.5e}").parse().unwrap_or(x);
    match rounded.abs() {
        0.0 => "0".into(),
        1e-4..1e6 => rounded.to_string(),
        _ => format!("{rounded:e}"),
    }
}

/// A vector to six digits, for reading; what rounding left of a zero is zero.
pub fn short_vector(v: [f64; 3]) -> String {
    let size = v.into_iter().map(f64::abs).fold(0.0, f64::max);
    format!("({})", v.map(|x| short(if x.abs() < 1e-14 * size { 0.0 } else { x })).join(", "))
}

/// Text of a user as a line can show it: control characters escaped, cut where it is very long.
pub fn clip(text: &str) -> Cow<'_, str> {
    const LONGEST: usize = 60;
    if text.chars().nth(LONGEST).is_none() && !text.contains(char::is_control) {
        return text.into();
    }
    let letter =
        |letter: char| if letter.is_control() { letter.escape_debug().to_string() } else { letter.to_string() };
    let shown: String = text.chars().take(LONGEST).map(letter).collect();
    if text.chars().nth(LONGEST).is_some() { format!("{shown}…").into() } else { shown.into() }
}

/// A name in so many letters at most: of a long one its beginning and its end, which tell it from others.
pub fn shortened(name: &str, most: usize) -> String {
    let letters: Vec<char> = name.chars().collect();
    match most {
        _ if letters.len() <= most => name.to_owned(),
        0 => String::new(),
        _ => {
            let end = most / 2;
            let begin = most - 1 - end;
            letters[..begin].iter().chain(&['…']).chain(&letters[letters.len() - end..]).collect()
        }
    }
}

/// Names in a row, as many as one can read.
pub fn list<S: AsRef<str>>(names: &[S]) -> String {
    const MOST: usize = 12;
    let shown: Vec<Cow<'_, str>> = names.iter().take(MOST).map(|name| clip(name.as_ref())).collect();
    let rest = names.len().saturating_sub(MOST);
    if rest > 0 { format!("{} and {rest} more", shown.join(", ")) } else { shown.join(", ") }
}

/// `q = 0`, or the coordinates, as many as one can read.
pub fn coordinates(q: &[f64]) -> String {
    if q.iter().all(|&q| q == 0.0) {
        return "q = 0".into();
    }
    format!("q = ({})", list(&q.iter().copied().map(short).collect::<Vec<_>>()))
}

/// `1 row`, `2 rows`.
pub fn counted(count: usize, thing: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    match thing.split_once(" of ") {
        Some((counted, whose)) => format!("{count} {counted}{plural} of {whose}"),
        None => format!("{count} {thing}{plural}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let cases = [
            (0.0, "0"),
            (-0.0, "0"),
            (-std::f64::consts::FRAC_PI_2, "-1.5708"),
            (0.1 + 0.2, "0.3"),
            (37.524, "37.524"),
            (1.5e-7, "1.5e-7"),
            (2e9, "2e9"),
        ];
        for (number, text) in cases {
            assert_eq!(short(number), text);
        }
    }

    #[test]
    fn long_and_odd_text_is_tamed() {
        assert_eq!(clip("elbow"), "elbow");
        assert_eq!(clip("a\u{1b}[31mb"), "a\\u{1b}[31mb");
        assert_eq!(clip(&"x".repeat(70_000)).chars().count(), 61);
        assert_eq!(
            [20, 9, 2, 1, 0].map(|most| shortened("run-number-one", most)).join("|"),
            "run-number-one|run-…-one|…e|…|"
        );
        assert_eq!(list(&["a", "b"]), "a, b");
        assert!(list(&["joint"; 500]).ends_with("joint and 488 more"));
    }

    #[test]
    fn columns_align_by_characters() {
        let mut listing = Listing::new(["unit", ">value"]);
        listing.push(["kg m²".into(), "10".into()]);
        listing.push(["m\u{332}".into(), "-1.5".into()]);
        let mut text = Vec::new();
        listing.write(&mut text).unwrap();
        assert_eq!(String::from_utf8(text).unwrap(), "  unit   value\n  kg m²     10\n  m\u{332}       -1.5\n");
    }
}
