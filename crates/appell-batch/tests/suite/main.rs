//! Many states at once answer as one by one.

#[path = "../../../appell/tests/suite/common/mod.rs"]
mod common;

mod closed;
mod open;
