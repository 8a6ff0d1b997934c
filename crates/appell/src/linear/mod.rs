//! Small dense systems A x = b with a symmetric positive definite A, over any [`Real`](crate::real::Real), and the
//! singular values of a small matrix.
//!
//! Own code, because the papers' counts and the single-precision study are about these very loops, and because they
//! must run on numbers no linear-algebra crate knows. Matrices are slices, row by row. No method looks at a pivot:
//! the caller does, with the pivots that each leaves behind.

mod cholesky;
mod gauss_jordan;
mod jacobi;

pub use cholesky::Cholesky;
pub use gauss_jordan::GaussJordan;
pub use jacobi::Jacobi;
