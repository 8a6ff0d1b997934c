//! Tables of numbers, one row a line, read and written as streams: the memory does not grow with the rows.
//!
//! | file | what it does |
//! |---|---|
//! | `lines` | the lines of a file with their numbers, and the cells of a line |
//! | `header` | which column gives which quantity |
//! | `reader` | from a line to numbers |
//! | `states`, `closed_states`, `poses` | from numbers to a state or a pose |
//! | `rows` | from numbers to a line of CSV or JSON |
//! | `answers` | rows on their way out |

mod answers;
mod closed_states;
mod header;
mod lines;
mod poses;
mod reader;
mod rows;
mod states;

pub(crate) use answers::Answers;
pub(crate) use closed_states::ClosedStateTable;
pub(crate) use poses::PoseTable;
pub(crate) use states::StateTable;

use std::path::Path;

/// Whether a path stands for stdin or stdout.
fn is_stream(path: &Path) -> bool {
    path == Path::new("-")
}

/// What to call a table in a message.
pub(crate) fn shown(path: &Path) -> String {
    if is_stream(path) { "stdin".into() } else { path.display().to_string() }
}
