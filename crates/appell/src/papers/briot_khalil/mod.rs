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
//! | [`Path`] | a motion of the platform in sines |
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
pub use path::Path;

use crate::closed::assembly::{self, AssemblyError};
use crate::closed::crossing::CrossingError;
use crate::closed::{ClosedError, ClosedMechanism, Configuration, SingularError};
use crate::robots;
use crate::spatial::Pose;

/// Why a study of a built-in robot came to no end.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum StudyError {
    /// A configuration is singular.
    #[error(transparent)]
    Singular(#[from] SingularError),
    /// A pose is out of reach.
    #[error(transparent)]
    Assembly(#[from] AssemblyError),
    /// There is no path through a singularity.
    #[error(transparent)]
    Crossing(#[from] CrossingError),
    /// A changed robot cannot be.
    #[error(transparent)]
    Robot(#[from] ClosedError),
}

/// Two ways to one thing, and how far apart they may be.
#[derive(Debug, Clone, PartialEq)]
pub struct Check {
    /// What is compared.
    pub what: &'static str,
    /// The largest difference, relative to the largest entry.
    pub difference: f64,
    /// What we claim it stays below.
    pub limit: f64,
}

impl Check {
    /// Whether it is as we claim.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.difference <= self.limit
    }
}

/// Gathers the largest difference and the largest entry of pairs of lists.
#[derive(Debug, Clone, Copy, Default)]
struct Comparison {
    difference: f64,
    scale: f64,
}

impl Comparison {
    /// `ours` beside `theirs`.
    fn see(&mut self, ours: &[f64], theirs: &[f64]) {
        assert_eq!(ours.len(), theirs.len(), "as many numbers");
        for (a, b) in ours.iter().zip(theirs) {
            // A difference that is no number must show, and `max` would drop it.
            let difference = (a - b).abs();
            self.difference = if difference.is_nan() { f64::INFINITY } else { self.difference.max(difference) };
            self.scale = self.scale.max(b.abs());
        }
    }

    fn relative(self) -> f64 {
        self.difference / self.scale
    }

    fn check(self, what: &'static str, limit: f64) -> Check {
        Check { what, difference: self.relative(), limit }
    }
}

/// A built-in robot with closed loops.
///
/// # Panics
/// If there is none of this name.
#[must_use]
pub fn robot(name: &str) -> ClosedMechanism {
    robots::find(name).unwrap_or_else(|| panic!("no built-in robot {name}")).closed()
}

/// The robot with its platform at a pose, its legs searched from those of `near`.
fn assembled(
    robot: &ClosedMechanism,
    ws: &mut assembly::Workspace,
    near: &Configuration,
    pose: Pose,
) -> Result<Configuration, AssemblyError> {
    let mut at = Configuration { q: near.q.clone(), pose };
    assembly::at_pose(robot, ws, &mut at)?;
    Ok(at)
}
