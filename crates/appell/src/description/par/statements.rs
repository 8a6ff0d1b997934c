//! The text of a `.par` file cut into its statements: `KEY = {a, b, c}` or `KEY = a`, between comments `(* … *)`.

use crate::description::Finding;
use crate::description::notes::Notes;

/// A key and its entries, with the bytes where they begin.
#[derive(Debug, PartialEq)]
pub(super) struct Statement<'t> {
    pub(super) key: &'t str,
    pub(super) byte: usize,
    pub(super) entries: Vec<(&'t str, usize)>,
}

/// What the comments of a file say: SYMORO writes the robot's name so, and appell names of joints and their homes.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Remarks {
    pub(super) name: Option<String>,
    pub(super) joints: Vec<String>,
    pub(super) home: Vec<f64>,
}

/// The keys of [`Remarks`] in comments.
pub(super) const NAME: &str = "Robotname";
pub(super) const JOINTS: &str = "Jointnames";
pub(super) const HOME: &str = "Home";

/// The text with spaces in place of its comments, and what they say.
pub(super) fn without_comments(text: &str, notes: &mut Notes) -> (String, Remarks) {
    let (mut kept, mut remarks) = (String::with_capacity(text.len()), Remarks::default());
    let mut rest = text;
    while let Some(start) = rest.find("(*") {
        kept.push_str(&rest[..start]);
        let comment = &rest[start..];
        // The star of `(*)` opens and does not close.
        let Some(end) = comment[2..].find("*)").map(|length| length + 2) else {
            let finding = Finding::Unclosed { bracket: "(*", closing: "*)" };
            notes.syntax_error(Some(text.len() - comment.len()), finding);
            return (kept, remarks);
        };
        let (comment, after) = comment.split_at(end + 2);
        remarks.take(comment[2..comment.len() - 2].trim());
        kept.extend(comment.chars().flat_map(|c| core::iter::repeat_n(if c == '\n' { c } else { ' ' }, c.len_utf8())));
        rest = after;
    }
    (kept + rest, remarks)
}

impl Remarks {
    fn take(&mut self, comment: &str) {
        let Some((key, value)) = comment.split_once('=') else { return };
        let (key, value) = (key.trim(), value.trim());
        if key.eq_ignore_ascii_case(NAME) {
            self.name = Some(value.trim_matches(['\'', '"']).trim().into());
        } else if key.eq_ignore_ascii_case(JOINTS) {
            self.joints = value.split(',').map(|name| name.trim().into()).collect();
        } else if key.eq_ignore_ascii_case(HOME) {
            self.home = value.split(',').map(|number| number.trim().parse().unwrap_or(0.0)).collect();
        }
    }
}

/// All statements of a text without comments.
pub(super) fn statements<'t>(text: &'t str, notes: &mut Notes) -> Vec<Statement<'t>> {
    let mut statements = Vec::new();
    let mut at = 0;
    while let Some(start) = text[at..].find(|c: char| !c.is_whitespace()).map(|skipped| at + skipped) {
        let line_end = text[start..].find('\n').map_or(text.len(), |length| start + length);
        let line = &text[start..line_end];
        let Some((key, value)) = line.split_once('=') else {
            let unread = Finding::Unreadable { text: shown(line), expected: "a statement, KEY = {values}" };
            notes.syntax_error(Some(start), unread);
            at = line_end;
            continue;
        };
        let value_start = start + key.len() + 1;
        let mut statement = Statement { key: key.trim(), byte: start, entries: Vec::new() };
        if value.trim_start().starts_with('{') {
            let open = value_start + value.find('{').expect("it begins so") + 1;
            let end = text[open..].find(['{', '}', '=']).filter(|end| text[open + end..].starts_with('}'));
            let Some(length) = end else {
                notes.syntax_error(Some(start), Finding::Unclosed { bracket: "{", closing: "}" });
                return statements;
            };
            statement.entries = entries(&text[open..open + length], open);
            at = open + length + 1;
        } else {
            statement.entries.push((value.trim(), value_start));
            at = line_end;
        }
        statements.push(statement);
    }
    statements
}

/// Entries between commas, of which those within round brackets separate nothing.
fn entries(list: &str, at: usize) -> Vec<(&str, usize)> {
    let (mut entries, mut start, mut depth) = (Vec::new(), 0, 0_usize);
    let mut add = |from: usize, to: usize| {
        let entry = &list[from..to];
        let spaces = entry.len() - entry.trim_start().len();
        entries.push((entry.trim(), at + from + spaces));
    };
    for (k, c) in list.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                add(start, k);
                start = k + 1;
            }
            _ => {}
        }
    }
    add(start, list.len());
    entries
}

/// The beginning of a line, for a message.
fn shown(line: &str) -> String {
    line.trim().chars().take(40).collect()
}
