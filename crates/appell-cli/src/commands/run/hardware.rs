//! Somebody's own boards, in a shared library, in place of the robot's process.

use appell_realtime::board::{Board, BoardError, Setup};
use appell_simulation::control::sampled::Computer;
use std::path::Path;

/// Opens the boards of `LIBRARY[:ARGUMENTS]` for a controller.
pub(super) fn open(asked: &str, computer: &Computer<'_>, lockstep: bool) -> Result<Board, BoardError> {
    // A file whose own name has a colon is taken whole.
    let whole = (asked, "");
    let (library, arguments) = if Path::new(asked).exists() { whole } else { asked.split_once(':').unwrap_or(whole) };
    let setup = Setup {
        names: computer.names(),
        digital_outputs: computer.grippers(),
        period: computer.timing().period,
        arguments,
        lockstep,
    };
    Board::open(Path::new(library), &setup)
}
