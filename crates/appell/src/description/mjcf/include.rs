//! Files that a file includes, put in their places.

use core::fmt::Display;
use std::collections::BTreeSet;

/// Why the files that a file includes could not be put in their places.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages are the documentation")]
pub enum IncludeError {
    #[error("line {line}: an <include> names no file; write <include file=\"NAME\"/>")]
    NoFile { line: usize },
    #[error("line {line}: {file} is included twice; MuJoCo allows it once")]
    Twice { line: usize, file: String },
    #[error("line {line}: more than {MOST_FILES} files are included; the one too many is {file}")]
    TooMany { line: usize, file: String },
    #[error("line {line}: {file}: {reason}")]
    Unread { line: usize, file: String, reason: String },
    #[error("line {line}: {file} is not one element <mujocoinclude> or <mujoco>")]
    NotAnElement { line: usize, file: String },
}

/// Files that may be included in all: more is a mistake.
const MOST_FILES: usize = 1000;

/// A file's text with what its `<include file="…"/>` name instead of them, in one line each, so that the lines of the
/// file stay. `read` gives the text of a file by its name, which is relative to the folder of the main file.
///
/// # Errors
/// Which file cannot be put in its place.
pub fn with_includes<E: Display>(
    text: &str,
    mut read: impl FnMut(&str) -> Result<String, E>,
) -> Result<String, IncludeError> {
    let mut text = text.to_owned();
    let (mut included, mut from) = (BTreeSet::new(), 0);
    while let Some((start, end)) = next_include(&text, from) {
        let line = text[..start].matches('\n').count() + 1;
        let file = file_of(&text[start..end]).ok_or(IncludeError::NoFile { line })?.to_owned();
        if !included.insert(file.clone()) {
            return Err(IncludeError::Twice { line, file });
        }
        if included.len() > MOST_FILES {
            return Err(IncludeError::TooMany { line, file });
        }
        let inner = read(&file).map_err(|error| IncludeError::Unread {
            line,
            file: file.clone(),
            reason: error.to_string(),
        })?;
        let inner = without_comments(&inner);
        let content = content(&inner).ok_or(IncludeError::NotAnElement { line, file })?;
        text.replace_range(start..end, &content.replace(['\n', '\r'], " "));
        from = start;
    }
    Ok(text)
}

/// From where to where the next `<include>` goes that no comment holds.
fn next_include(text: &str, mut from: usize) -> Option<(usize, usize)> {
    loop {
        let at = from + text[from..].find('<')?;
        let after = &text[at + 1..];
        if let Some(comment) = after.strip_prefix("!--") {
            from = text.len() - comment.len() + comment.find("-->")?;
            continue;
        }
        from = at + 1;
        let Some(rest) = after.strip_prefix("include") else { continue };
        if rest.starts_with(|c: char| c.is_whitespace() || c == '/' || c == '>') {
            let tag = rest.find('>')?;
            let end = text.len() - rest.len() + tag + 1;
            let close = if rest[..tag].ends_with('/') { None } else { text[end..].find("</include>") };
            return Some((at, close.map_or(end, |length| end + length + "</include>".len())));
        }
    }
}

/// What stands within the outermost element.
fn content(text: &str) -> Option<&str> {
    let mut starts = text.match_indices('<').map(|(at, _)| at);
    let start = starts.find(|&at| text[at + 1..].starts_with(char::is_alphabetic))?;
    let open = start + text[start..].find('>')?;
    if text[..open].ends_with('/') {
        return Some("");
    }
    text.rfind("</").filter(|close| *close > open).map(|close| &text[open + 1..close])
}

/// The value of `file` in the text of an element.
fn file_of(element: &str) -> Option<&str> {
    let (_, after) = element.split_once("file")?;
    let after = after.trim_start().strip_prefix('=')?.trim_start();
    let quote = after.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    after[1..].split_once(quote).map(|(file, _)| file.trim())
}

fn without_comments(text: &str) -> String {
    let (mut kept, mut rest) = (String::new(), text);
    while let Some((before, comment)) = rest.split_once("<!--") {
        kept.push_str(before);
        rest = comment.split_once("-->").map_or("", |(_, after)| after);
    }
    kept + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(file: &str) -> Result<String, String> {
        match file {
            "a.xml" => Ok(
                "<?xml version='1.0'?>\n<!-- <b> -->\n<mujocoinclude>\n<x/>\n<include file='b.xml'/></mujocoinclude>"
                    .into(),
            ),
            "b.xml" => Ok("<mujoco model=\"b\"><y/></mujoco>".into()),
            "empty.xml" => Ok("<mujoco/>".into()),
            "wrong.xml" => Ok("text".into()),
            _ => Err("file not found".into()),
        }
    }

    #[test]
    fn files_are_put_in_their_places_and_lines_stay() {
        let text = "<mujoco>\n<!-- <include file='no.xml'/> --><include file = \"a.xml\" /><included/>\n<z/></mujoco>";
        let whole = with_includes(text, read).unwrap();
        assert_eq!(whole.lines().count(), 3);
        assert_eq!(
            whole.split_whitespace().collect::<String>(),
            "<mujoco><!--<includefile='no.xml'/>--><x/><y/><included/><z/></mujoco>"
        );
        assert_eq!(with_includes("<a><include file='empty.xml'></include></a>", read).unwrap(), "<a></a>");
    }

    #[test]
    fn what_cannot_be_put_in_place_is_named() {
        for (text, reported) in [
            ("<a>\n<include/></a>", "line 2: an <include> names no file"),
            ("<a><include file='b.xml'/><include file='b.xml'/></a>", "line 1: b.xml is included twice"),
            ("<a><include file='no.xml'/></a>", "line 1: no.xml: file not found"),
            ("<a><include file='wrong.xml'/></a>", "line 1: wrong.xml is not one element"),
        ] {
            assert!(with_includes(text, read).unwrap_err().to_string().starts_with(reported), "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_searched_without_panic(text in "(<|include|file=|'|\"|a.xml|>|/|!--|-->| |\\PC){0,24}") {
            let _ = with_includes(&text, |_| Ok::<_, String>(text.clone()));
        }
    }
}
