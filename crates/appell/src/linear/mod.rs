//! Small dense systems over any [`Real`](crate::real::Real), and singular values and eigenvalues of a small matrix.
//!
//! | system | how |
//! |---|---|
//! | A x = b, A symmetric and positive definite | [`Cholesky`], [`GaussJordan`], [`Ltdl`] |
//! | least squares, least norm | [`Householder`] |
//! | of unknown rank | [`Elimination`] |
//! | singular values and vectors | [`Jacobi`] |
//! | eigenvalues and vectors, A symmetric | [`Symmetric`] |
//!
//! Own code, because the papers' counts and the single-precision study are about these very loops, and because they
//! must run on numbers no linear-algebra crate knows. Matrices are slices, row by row. Only the last three look at
//! values; of the others the caller does, with the pivots that each leaves behind.

mod cholesky;
mod determinant;
mod elimination;
mod gauss_jordan;
mod householder;
mod jacobi;
mod ltdl;
mod symmetric;

pub use cholesky::Cholesky;
pub(crate) use determinant::determinant;
pub use elimination::Elimination;
pub use gauss_jordan::GaussJordan;
pub use householder::Householder;
pub use jacobi::Jacobi;
pub(crate) use jacobi::{dot, norm};
pub use ltdl::Ltdl;
pub use symmetric::Symmetric;
