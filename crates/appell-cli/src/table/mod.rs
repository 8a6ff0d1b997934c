//! Tables of numbers, one row per line, read and written as streams: the memory does not grow with the rows.
//!
//! | file | what it does |
//! |---|---|
//! | `lines` | the lines of a file with their numbers, and the cells of a line |
//! | `header` | which column gives which quantity |
//! | `reader` | from a line to numbers |
//! | `states`, `closed_states`, `poses` | from numbers to a state or a pose |
//! | `harmonics` | Fourier coefficients |
//! | `points` | whole tables of points to go through |
//! | `columns` | whole tables whose columns the user names |
//! | `rows` | from numbers to a line of CSV or JSON |
//! | `answers` | rows on their way out |

mod answers;
mod closed_states;
mod columns;
mod harmonics;
mod header;
mod lines;
mod points;
mod poses;
mod reader;
mod rows;
mod states;

pub(crate) use answers::Answers;
pub(crate) use closed_states::ClosedStateTable;
pub(crate) use columns::columns_of_bytes;
pub(crate) use harmonics::HarmonicTable;
pub(crate) use points::{JointPoints, PosePoints, joint_points, pose_points};
pub(crate) use poses::PoseTable;
pub(crate) use states::StateTable;

use crate::progress::Work;
use appell::question::State;
use reader::Track;
use std::path::Path;

/// A table under reading, with the row read last.
pub(crate) trait Table {
    /// How far it has been read.
    fn track(&self) -> &Track;

    /// The time of the row; `None` if the table has no column `t`.
    fn time(&self) -> Option<f64>;

    /// Reads the next row; whether there was one.
    fn advance(&mut self) -> anyhow::Result<bool>;

    /// The line of the row, counted from 1.
    fn line(&self) -> u64 {
        self.track().line()
    }

    /// Rows read so far.
    fn rows(&self) -> usize {
        self.track().rows()
    }

    /// How much there is to read, as far as one can know.
    fn work(&self) -> Work {
        self.track().work()
    }

    /// How much of [`Self::work`] is done.
    fn done(&self) -> u64 {
        self.track().done()
    }
}

/// A table whose rows are states of a robot.
pub(crate) trait StatesTable: Table {
    /// The state of the row.
    fn state(&self) -> anyhow::Result<State<'_>>;
}

/// Whether a path stands for stdin or stdout.
pub(crate) fn is_stream(path: &Path) -> bool {
    path == Path::new("-")
}

/// What to call a table in a message.
pub(crate) fn shown(path: &Path) -> String {
    if is_stream(path) { "stdin".into() } else { path.display().to_string() }
}
