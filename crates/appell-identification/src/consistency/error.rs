//! Why there is no consistent fit.

use crate::estimate::EstimateError;

/// Why there is no consistent fit.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ConsistencyError {
    /// Positive density is a matter of all ten parameters of a body.
    #[error("the prior has not all ten parameters of the body of `{name}`; complete it, `Model::with_whole_bodies`")]
    PartOfBody {
        /// A column that is there.
        name: String,
    },
    /// Known parameters of a body that no body of positive density has.
    #[error(
        "what is known of the body of `{name}` leaves no room for one of positive density; know less of it, or all"
    )]
    NoRoom {
        /// The name of its mass.
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
