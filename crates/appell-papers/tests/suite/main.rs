//! What the papers print, held against what we compute.

#[path = "../../../appell/tests/suite/common/mod.rs"]
mod common;

mod abedloo;
mod briot_khalil;
mod enferadi;
mod operation_counts;
mod puma;
mod stability;
