//! Names as files and tables spell them.

use std::borrow::Cow;

/// A name as it stands in a path: quoted, as TOML wants it, unless it is a plain word.
pub(super) fn key(name: &str) -> Cow<'_, str> {
    let plain = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    if plain { name.into() } else { quoted(name).into() }
}

/// Any text as a string of TOML.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted += "\\n",
            _ if c.is_control() => quoted += &format!("\\u{:04X}", u32::from(c)),
            _ => quoted.push(c),
        }
    }
    quoted + "\""
}

/// A foreign name without what would break the header of a table, and not too long to show.
pub(super) fn tamed(name: &str) -> String {
    let name: String = name.chars().map(|c| if breaks_header(&c) { '_' } else { c }).take(LONGEST_NAME).collect();
    name.trim().into()
}

/// A name longer than this would fill the screen that lists it.
pub(super) const LONGEST_NAME: usize = 200;

fn breaks_header(c: &char) -> bool {
    matches!(c, ',' | '"') || c.is_control()
}

/// The first character of a name that would break the header of a CSV table.
pub(super) fn unfit_character(name: &str) -> Option<char> {
    let ends = [name.chars().next(), name.chars().next_back()];
    name.chars().find(breaks_header).or_else(|| ends.into_iter().flatten().find(|c| c.is_whitespace()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stand_plain_and_all_else_is_quoted() {
        for (name, spelt) in [("wrist-roll", "wrist-roll"), ("", "\"\""), ("a b", "\"a b\""), ("é\"\\", r#""é\"\\""#)]
        {
            assert_eq!(key(name), spelt);
        }
        assert_eq!(quoted("a\n\u{1}"), r#""a\n\u0001""#);
    }
}
