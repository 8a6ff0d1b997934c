//! Errors on stderr: a text, or with `--json` a line of JSON.
//!
//! ```json
//! {"error": {"kind": "input", "message": "run.csv: line 7: column `q1` is empty; …", "causes": ["line 7: …"], "place": {"file": "run.csv", "line": 7}}}
//! ```
//!
//! | kind | what it is about |
//! |---|---|
//! | `usage` | options and arguments |
//! | `input` | files, robots and numbers |
//! | `system` | what the operating system refuses |
//! | `answer` | the answer is "no", exit code 1 |
//!
//! A message is `FILE: line 7: what is wrong`, and begins with an option where it is about one: the place is read off it, so that the two never
//! differ.

use crate::hints;
use crate::output;
use clap::error::{ContextKind, ContextValue};
use serde_json::{Map, Value, json};
use std::error::Error;
use std::fmt::Display;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

static AS_JSON: AtomicBool = AtomicBool::new(false);

/// Lets errors be JSON from now on.
pub(crate) fn speak_json() {
    AS_JSON.store(true, Ordering::Relaxed);
}

/// Says that the answer is "no", and why.
pub(crate) fn no(why: impl Display) {
    say("answer", &why.to_string(), &[], None);
}

/// Says why there is no answer.
pub(crate) fn report(error: &anyhow::Error) {
    let message = format!("{error:#}{}", hints::in_brackets(error));
    let causes: Vec<String> = error.chain().skip(1).map(ToString::to_string).collect();
    let is_system = error.chain().any(<dyn Error>::is::<io::Error>);
    let kind = match option(&message) {
        Some(_) => "usage",
        None if is_system => "system",
        None => "input",
    };
    say(kind, &message, &causes, None);
}

/// Says what clap does not understand of the command line. Help and version are no errors, and go where it sends them.
pub(crate) fn usage(error: &clap::Error) {
    if !(error.use_stderr() && AS_JSON.load(Ordering::Relaxed)) {
        let _ = error.print();
        return;
    }
    let text = error.render().to_string();
    let message = text.split("\n\n").next().unwrap_or(&text).trim_start_matches("error: ");
    let about = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(argument)) => argument.split_whitespace().next(),
        _ => None,
    };
    say("usage", message, &[], about);
}

fn say(kind: &str, message: &str, causes: &[String], about: Option<&str>) {
    if !AS_JSON.load(Ordering::Relaxed) {
        return output::note(format_args!("error: {message}"));
    }
    let place = about.map_or_else(
        || place(message),
        |word| {
            let key = if word.starts_with('-') { "option" } else { "argument" };
            json!({ key: word })
        },
    );
    output::note(json!({ "error": { "kind": kind, "message": message, "causes": causes, "place": place } }));
}

/// The option that a message begins with.
fn option(message: &str) -> Option<&str> {
    let word = message.split([' ', ':']).next().unwrap_or("");
    word.starts_with("--").then_some(word)
}

/// Where a message says that something is wrong: file, line or row, key of the file, option; null where it says none.
fn place(message: &str) -> Value {
    let mut place = Map::new();
    if let Some(option) = option(message) {
        place.insert("option".into(), option.into());
        return place.into();
    }
    let numbered = message.lines().find_map(numbered);
    let (before, line) =
        numbered.map_or((String::new(), None), |(before, word, number, key)| (before, Some((word, number, key))));
    let file = if before.is_empty() { file(message) } else { Some(before.as_str()) };
    place.extend(file.map(|file| ("file".into(), file.into())));
    if let Some((word, number, key)) = line {
        place.insert(word.into(), number.into());
        place.extend(key.map(|key| ("key".into(), key.into())));
    }
    if place.is_empty() { Value::Null } else { place.into() }
}

/// What stands before the first `line 7` or `row 7` of a line of a message, these two, and the key behind them.
fn numbered(line: &str) -> Option<(String, &str, u64, Option<&str>)> {
    let parts: Vec<&str> = line.split(": ").collect();
    let (at, word, number) = parts.iter().enumerate().find_map(|(at, part)| {
        let (word, number) = part.split_once(' ')?;
        Some((at, word, number.parse().ok().filter(|_| ["line", "row"].contains(&word))?))
    })?;
    let mut rest = parts[at + 1..].iter().filter(|part| !["error", "warning"].contains(part));
    // The last part says what is wrong.
    let key = rest.next().filter(|part| !part.contains(' ') && rest.next().is_some());
    Some((parts[..at].join(": "), word, number, key.copied()))
}

/// The file that a message begins with: one that is there, or a name with an ending or a folder.
fn file(message: &str) -> Option<&str> {
    let head = message.lines().next().unwrap_or("");
    let ends = head.match_indices([' ', ':']).map(|(end, _)| end).chain([head.len()]);
    let is_there = |end: &usize| Path::new(&head[..*end]).is_file();
    let named = || {
        let (name, _) = head.split_once(": ")?;
        (!name.contains(' ') && name.contains(['.', '/'])).then_some(name)
    };
    ends.into_iter().find(is_there).map(|end| &head[..end]).or_else(named)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_those_of_the_messages() {
        let cases = [
            ("run.csv: line 7: column `q1` is empty; expected a number", json!({ "file": "run.csv", "line": 7 })),
            ("motion.npy: row 3: column `q1` holds inf", json!({ "file": "motion.npy", "row": 3 })),
            (
                "no/tool.toml: line 4: controller.damping: is -1",
                json!({ "file": "no/tool.toml", "line": 4, "key": "controller.damping" }),
            ),
            ("line 3: error: joints[1]: is empty", json!({ "line": 3, "key": "joints[1]" })),
            ("nowhere.toml: file not found", json!({ "file": "nowhere.toml" })),
            (
                "Cargo.toml is not a scenario\nline 1: error: robot: is missing",
                json!({ "file": "Cargo.toml", "line": 1, "key": "robot" }),
            ),
            ("--known: no parameter is called `Q9`", json!({ "option": "--known" })),
            ("Stanford arm: no motion keeps the limits", Value::Null),
            ("the robot has line 3", Value::Null),
        ];
        for (message, expected) in cases {
            assert_eq!(place(message), expected, "{message}");
        }
    }
}
