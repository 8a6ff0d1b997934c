//! The Gough-Stewart platform, errata and singularities of BriotKhalil, beside what our methods compute.
//!
//! The paper prints formulas and no numbers, so that every formula is written out here once more, as printed, and
//! referees the library. Robots are the built-in ones.
//!
//! | file | what it holds |
//! |---|---|
//! | [`LegTable`] | table 1: where the first frame of a leg sits, and whether r = 0 fits |
//! | [`leg`] | the closed forms of §4.2: a leg's coordinates, eqs 26, 27 and 32; how far ours are |
//! | [`virtual_power`] | inverse dynamics by eq. 9, every body's forces in base axes: a third method |
//! | [`path()`] | a motion of the platform in sines |
//! | [`trajectory`] | forces and lengths along it, by all methods; forward dynamics; the balance of power |
//! | [`psi`] | eqs 21 and 22 on a robot whose Ψ depends on its attitude |
//! | [`singular`] | §5.3: the ways into Type 2 and Type 1 |
//! | [`crossing`] | §5.3: one crossing of Type 2 with the criterion and one without |
//! | [`cost`] | operations of a call |

pub mod cost;
pub mod crossing;
pub mod leg;
mod leg_table;
mod path;
pub mod psi;
pub mod singular;
pub mod trajectory;
pub mod virtual_power;

pub use leg_table::{LegTable, tangential};
pub use path::path;

use super::study::{Comparison, assembled};
use super::{Check, StudyError};
use appell::closed::ClosedMechanism;
use appell::robots;

/// A built-in robot with closed loops.
///
/// # Panics
/// If there is none of this name.
#[must_use]
pub fn robot(name: &str) -> ClosedMechanism {
    robots::find(name).unwrap_or_else(|| panic!("no built-in robot {name}")).closed()
}
