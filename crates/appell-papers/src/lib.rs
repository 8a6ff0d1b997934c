//! What the papers print, beside what our programs do: the tables of Mata2002 and Valera as data, the formulas of
//! Abedloo, BriotKhalil and Enferadi2010 written out, and the measurements that stand next to them.
//!
//! | file | what it holds |
//! |---|---|
//! | [`Formula`] | a count as the papers print it, a polynomial in the number of joints |
//! | [`counts`] | the operations our methods make, measured on the code that users run |
//! | [`tables`] | the printed tables of operation counts, each line with what we claim of it |
//! | [`stability`] | single against double precision on the two-link arm, Mata2002 §5.1 |
//! | [`PumaLine`] | the lines of Mata2002 and Valera, as motions of the PUMA's joints |
//! | [`open_loop`] | the PUMA under torques that were computed before, Mata2002 §5.2 |
//! | [`sampled_puma`] | the PUMA in the loop of Valera's boards, on ramps and splines |
//! | [`abedloo`] | the Agile Wrist of Abedloo in closed form and under a stiff law, errata |
//! | [`briot_khalil`] | the Gough-Stewart platform, errata and singularities of BriotKhalil |
//! | [`enferadi`] | the star-triangle robot of Enferadi2010 by virtual work, errata |
//! | [`Check`], [`Study`], [`StudyError`] | two ways to one thing, compared, and along a motion; why a study failed |
//! | [`Erratum`] | a misprint with numbers: how wrong as printed, how right when corrected |
//! | [`PivotedBody`] | a body about the point it turns about |
//!
//! Tests hold the measurements to the claims, and `appell reproduce` shows them. Printed numbers are data with
//! their source; numbers of ours are computed whenever they are shown.

pub mod abedloo;
pub mod briot_khalil;
pub mod counts;
pub mod enferadi;
mod erratum;
mod formula;
mod general;
pub mod open_loop;
mod pivoted;
mod puma_line;
pub mod sampled_puma;
pub mod stability;
mod study;
pub mod report;
pub mod tables;

pub use erratum::{Erratum, Evidence};
pub use formula::{Formula, Polynomial};
pub use pivoted::PivotedBody;
pub use puma_line::PumaLine;
pub use study::{Check, Study, StudyError};
