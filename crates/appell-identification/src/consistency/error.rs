//! Why there is no consistent fit.

use crate::estimate::EstimateError;

/// Why there is no consistent fit.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "fields are named as in the messages")]
pub enum ConsistencyError {
    /// Positive density is a matter of all ten parameters of a body.
    #[error("the prior has not all ten parameters of the body of `{name}`; complete it, `Model::with_whole_bodies`")]
    PartOfBody { name: String },
    /// Known parameters of a body that no body of positive density has. `name`: the name of its mass.
    #[error(
        "what is known of the body of `{name}` allows none of positive density; fix fewer of its parameters, or all"
    )]
    NoRoom { name: String },
    /// A prior that is none.
    #[error("the prior is not physically consistent: {flaw}")]
    Prior { flaw: String },
    /// The equations cannot be weighed.
    #[error(transparent)]
    Estimate(#[from] EstimateError),
    /// The search did not end.
    #[error("the physically consistent fit did not converge in {rounds} rounds; the equations may be too badly scaled")]
    NotConverged { rounds: usize },
}
