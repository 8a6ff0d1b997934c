//! Why there is no consistent fit.

use crate::estimate::EstimateError;

/// Why there is no consistent fit.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ConsistencyError {
    /// Positive density is a matter of all ten parameters of a body.
    #[error("the body of `{name}` has not all of its ten columns; leave none of them out, or all")]
    PartOfBody {
        /// A column that is there.
        name: String,
    },
    /// A prior that is none.
    #[error("the prior is of no real robot: {flaw}")]
    Prior {
        /// What is wrong.
        flaw: String,
    },
    /// The equations cannot be weighed.
    #[error(transparent)]
    Estimate(#[from] EstimateError),
    /// The search did not end.
    #[error("no consistent parameters found after {rounds} rounds; the equations may be too badly scaled")]
    NotSettled {
        /// Rounds.
        rounds: usize,
    },
}
