//! What is said of Parquet where appell is built without it.

use super::Columns;
use anyhow::bail;

/// Refuses Parquet.
pub(super) fn expect() -> anyhow::Result<()> {
    bail!(
        "this appell is built without Parquet; install it with `cargo install --path crates/appell-cli --features parquet`, or \
         use CSV, .npy or .npz: in Python, np.save(FILE, frame.to_records(index=False)) makes a .npy of a Pandas frame"
    )
}

/// Refuses a file.
pub(super) fn read(_bytes: &[u8]) -> anyhow::Result<Columns> {
    expect().map(|()| unreachable!("it is refused"))
}

/// Refuses to write one.
pub(super) fn write(_names: &[String], _numbers: &[f64]) -> anyhow::Result<Vec<u8>> {
    expect().map(|()| Vec::new())
}
