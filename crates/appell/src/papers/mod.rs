//! What the papers print, beside what our programs do: the tables of Mata2002 and Valera as data, the formulas of
//! BriotKhalil written out, and the measurements that stand next to them.
//!
//! | file | what it holds |
//! |---|---|
//! | [`Formula`] | a count as the papers print it, a polynomial in the number of joints |
//! | [`counts`] | the operations our methods make, measured on the code that users run |
//! | [`tables`] | the printed tables of operation counts, each line with what we claim of it |
//! | [`stability`] | single against double precision on the two-link arm, Mata2002 §5.1 |
//! | [`briot_khalil`] | the Gough-Stewart platform, errata and singularities of BriotKhalil |
//!
//! Tests hold the measurements to the claims, and the program's `reproduce` shows them. Printed numbers are data with
//! their source; numbers of ours are computed whenever they are shown.

pub mod briot_khalil;
pub mod counts;
mod formula;
pub mod stability;
pub mod tables;

pub use formula::{Formula, Polynomial};
