//! What can be wrong with samples.

use appell_batch::BatchError;

/// Why samples give no equations.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "fields are named as in the messages")]
pub enum ObservationError {
    /// Not as many numbers as samples.
    #[error("{what}: {found} numbers for {samples} samples of {width}; there must be {expected}")]
    Length { what: &'static str, found: usize, samples: usize, width: usize, expected: usize },
    /// NaN or an infinity. `sample`: counted from 1; `component`: which joint, drive or component, counted from 1.
    #[error("{what} of sample {sample}, number {component}, is {value}; every measured value must be finite")]
    NotFinite { what: &'static str, sample: usize, component: usize, value: f64 },
    /// A tree has no platform to move.
    #[error("the samples are of a platform's motion, and the robot has none; give positions of its joints")]
    NoPlatform,
    /// Efforts of redundant drives are not determined by the motion.
    #[error(
        "{drives} drives for {freedoms} degrees of freedom: which of them does what is not determined by the motion"
    )]
    RedundantDrives { drives: usize, freedoms: usize },
    /// The robot cannot be where a sample says.
    #[error(transparent)]
    Closed(#[from] BatchError),
}
