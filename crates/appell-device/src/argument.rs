//! What a function is given: memory of this process, or of its GPU.

use super::OnGpu;

/// What a function is given for a port, in memory of this process.
#[derive(Debug)]
pub enum Argument<'a, F> {
    /// Entries of every state, entry k of state i at `[k * count + i]`.
    Read(&'a [F]),
    /// Likewise, written.
    Written(&'a mut [F]),
    /// Numbers that all states share.
    Shared(&'a [F]),
    /// A number.
    Real(f64),
    /// A whole number.
    Whole(i64),
}

/// What a function is given for a port, in memory of its GPU.
#[derive(Debug)]
pub enum Resident<'a, F> {
    /// Numbers that are read: of every state, or shared.
    Read(&'a OnGpu<F>),
    /// Numbers of every state that are written.
    Written(&'a mut OnGpu<F>),
    /// A number.
    Real(f64),
    /// A whole number.
    Whole(i64),
}
