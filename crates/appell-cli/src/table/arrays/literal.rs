//! The header of a `.npy` file: a literal of Python.

/// A literal.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Literal {
    Text(String),
    Number(usize),
    Truth(bool),
    /// A list or a tuple.
    List(Vec<Literal>),
    Dictionary(Vec<(String, Literal)>),
}

/// How deep literals may be within each other; headers have four.
const DEEPEST: usize = 16;

/// Reads a literal; `None` where the text is none.
pub(super) fn read(text: &str) -> Option<Literal> {
    let mut cursor = Cursor { rest: text.trim(), depth: 0 };
    let literal = cursor.literal()?;
    cursor.rest.is_empty().then_some(literal)
}

impl Literal {
    /// An entry of a dictionary.
    pub(super) fn get(&self, key: &str) -> Option<&Self> {
        let Self::Dictionary(entries) = self else { return None };
        entries.iter().find(|(own, _)| own == key).map(|(_, value)| value)
    }

    /// Numbers of a tuple.
    pub(super) fn numbers(&self) -> Option<Vec<usize>> {
        let Self::List(all) = self else { return None };
        all.iter().map(|one| if let Self::Number(number) = one { Some(*number) } else { None }).collect()
    }
}

/// What is left to read; never starts with a space.
struct Cursor<'t> {
    rest: &'t str,
    depth: usize,
}

impl Cursor<'_> {
    fn literal(&mut self) -> Option<Literal> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        let literal = self.literal_within();
        self.depth -= 1;
        literal
    }

    fn literal_within(&mut self) -> Option<Literal> {
        for (open, close) in [("(", ")"), ("[", "]")] {
            if self.take(open) {
                let mut all = Vec::new();
                while !self.take(close) {
                    all.push(self.literal()?);
                    if !self.take(",") && !self.rest.starts_with(close) {
                        return None;
                    }
                }
                return Some(Literal::List(all));
            }
        }
        if self.take("{") {
            let mut entries = Vec::new();
            while !self.take("}") {
                let Literal::Text(key) = self.literal()? else { return None };
                if !self.take(":") {
                    return None;
                }
                entries.push((key, self.literal()?));
                if !self.take(",") && !self.rest.starts_with('}') {
                    return None;
                }
            }
            return Some(Literal::Dictionary(entries));
        }
        for (word, truth) in [("True", true), ("False", false)] {
            if self.take(word) {
                return Some(Literal::Truth(truth));
            }
        }
        if let Some(quote) = self.rest.chars().next().filter(|quote| matches!(quote, '\'' | '"')) {
            let (text, after) = self.rest[1..].split_once(quote)?;
            let text = text.to_owned();
            self.rest = after.trim_start();
            return Some(Literal::Text(text));
        }
        let digits = self.rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest.len());
        let number = self.rest[..digits].parse().ok()?;
        self.rest = self.rest[digits..].trim_start_matches('L').trim_start();
        Some(Literal::Number(number))
    }

    fn take(&mut self, word: &str) -> bool {
        let next = self.rest.strip_prefix(word);
        self.rest = next.map_or(self.rest, str::trim_start);
        next.is_some()
    }
}
