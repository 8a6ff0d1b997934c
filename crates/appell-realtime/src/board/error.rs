//! What can be wrong with boards in a shared library.

use super::ABI;
use crate::frame::MOST;
use appell_law::guarded::Side;

/// Why boards cannot be used, or do not go on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages are the documentation")]
pub enum BoardError {
    #[error("{library}: {why}")]
    File { library: String, why: String },
    #[error("{library} is not a shared library that can be opened here: {why}")]
    NotALibrary { library: String, why: String },
    #[error(
        "{library} does not export `{symbol}`; boards need all functions of appell_hardware.h but those that may be left out"
    )]
    Symbol { library: String, symbol: &'static str },
    #[error("{library} was built for version {found} of appell_hardware.h; this appell takes versions 1 to {ABI}")]
    Version { library: String, found: u32 },
    #[error(
        "{library} exports one of `appell_hardware_now` and `appell_hardware_sleep_until`; a clock is both of them"
    )]
    Clock { library: String },
    #[error("`{text}`, for {library}, holds a zero byte, which C text cannot")]
    Text { library: String, text: String },
    #[error("{library} shall drive {found} drives; at most {MOST} are possible")]
    Drives { library: String, found: usize },
    #[error("{library} cannot be opened: {why}")]
    Refused { library: String, why: String },
    #[error("{library}: {call} failed: {why}")]
    Status { library: String, call: Call, why: String },
    #[error("{library}: {call} returned {found}, which is no answer")]
    Answer { library: String, call: Call, found: i32 },
    #[error("{library}: {call} wrote {side} its {drives} values; it destroys memory")]
    Beyond { library: String, call: Call, side: Side, drives: usize },
}

/// What was called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Call {
    /// `appell_hardware_read`.
    Read,
    /// `appell_hardware_write`.
    Write,
}

impl core::fmt::Display for Call {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Read => "read",
            Self::Write => "write",
        })
    }
}
