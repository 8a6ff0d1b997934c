//! What can be wrong with samples.

use appell_batch::BatchError;

/// Why samples give no equations.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ObservationError {
    /// Not as many numbers as samples.
    #[error("{what}: {found} numbers for {samples} samples of {width}; there must be {expected}")]
    Length {
        /// Of what.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// Of how many samples.
        samples: usize,
        /// Numbers a sample.
        width: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A number that is none.
    #[error("{what} of sample {sample}, number {component}, is {value}; every measured value must be finite")]
    NotFinite {
        /// Of what.
        what: &'static str,
        /// Counted from 1.
        sample: usize,
        /// Which joint, drive or component, counted from 1.
        component: usize,
        /// The value.
        value: f64,
    },
    /// A tree has no platform to move.
    #[error("the samples are of a platform's motion, and the robot has none; give positions of its joints")]
    NoPlatform,
    /// Efforts of redundant drives are not determined by the motion.
    #[error("{drives} drives move {freedoms} freedoms: which of them does what is not determined by the motion")]
    RedundantDrives {
        /// Drives.
        drives: usize,
        /// Freedoms.
        freedoms: usize,
    },
    /// The robot cannot be where a sample says.
    #[error(transparent)]
    Closed(#[from] BatchError),
}
