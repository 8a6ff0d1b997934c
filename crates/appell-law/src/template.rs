//! Working laws to begin with.

/// The border, `appell_law.h`.
pub const HEADER: &str = include_str!("../include/appell_law.h");
