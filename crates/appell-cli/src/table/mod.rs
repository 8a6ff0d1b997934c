//! Tables of numbers, one row per line, read and written as streams: the memory does not grow with the rows, unless they
//! are arrays of NumPy.
//!
//! | file | what it does |
//! |---|---|
//! | `lines` | the lines of a file with their numbers, and the cells of a line |
//! | `header` | which column gives which quantity |
//! | `reader` | from a line to numbers |
//! | `quantities` | what columns of states and poses give, and which of them a question needs |
//! | `states` | from numbers to a state or a pose |
//! | `points` | whole tables of points to go through, and of Fourier coefficients |
//! | `columns` | whole tables whose columns the user names |
//! | `answers` | rows on their way out, as CSV, JSON or arrays |
//! | `arrays` | arrays of NumPy, `.npy` and `.npz`, and Parquet |

mod answers;
mod arrays;
mod columns;
mod header;
mod lines;
mod points;
mod quantities;
mod reader;
mod states;

pub(crate) use answers::{Answers, large};
pub(crate) use columns::{Recorded, Wanted};
pub(crate) use points::{JointPoints, PosePoints, harmonics, joint_points, pose_points};
pub(crate) use quantities::{POSITION, QUATERNION, RATES};
pub(crate) use states::StateTable;

use std::path::Path;

/// Whether a path stands for stdin or stdout.
pub(crate) fn is_stream(path: &Path) -> bool {
    path == Path::new("-")
}

/// What to call a table in a message.
pub(crate) fn shown(path: &Path) -> String {
    if is_stream(path) { "stdin".into() } else { path.display().to_string() }
}
