//! What the studies of the papers share: why one failed, and how two ways to one thing are compared.

use appell::closed::assembly::{self, AssemblyError};
use appell::closed::{ClosedMechanism, Configuration};
use appell::spatial::Pose;

/// Why a study of a robot failed: a singularity, a pose out of reach, a path or a simulation that has no end.
pub use anyhow::Error as StudyError;

/// A motion that was followed.
#[derive(Debug, Clone, PartialEq)]
pub struct Study<S> {
    /// At equal steps.
    pub samples: Vec<S>,
    /// What must agree.
    pub checks: Vec<Check>,
}

/// Two ways to one thing, and how far apart they may be.
#[derive(Debug, Clone, PartialEq)]
pub struct Check {
    /// What is compared.
    pub what: &'static str,
    /// The largest difference, relative to the largest entry; absolute where `what` names a unit.
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
pub(super) struct Comparison {
    pub(super) difference: f64,
    pub(super) scale: f64,
}

impl Comparison {
    /// `ours` beside `theirs`.
    pub(super) fn see(&mut self, ours: &[f64], theirs: &[f64]) {
        assert_eq!(ours.len(), theirs.len(), "as many numbers");
        for (a, b) in ours.iter().zip(theirs) {
            // A difference that is NaN must show, and `max` would drop it.
            let difference = (a - b).abs();
            self.difference = if difference.is_nan() { f64::INFINITY } else { self.difference.max(difference) };
            self.scale = self.scale.max(b.abs());
        }
    }

    pub(super) fn relative(self) -> f64 {
        self.difference / self.scale
    }

    pub(super) fn check(self, what: &'static str, limit: f64) -> Check {
        Check { what, difference: self.relative(), limit }
    }
}

/// The largest size.
pub(super) fn largest<'x>(numbers: impl IntoIterator<Item = &'x f64>) -> f64 {
    numbers.into_iter().fold(0.0, |most: f64, x| most.max(x.abs()))
}

/// The robot with its platform at a pose, its legs searched from those of `near`.
pub(super) fn assembled(
    robot: &ClosedMechanism,
    ws: &mut assembly::Workspace,
    near: &Configuration,
    pose: Pose,
) -> Result<Configuration, AssemblyError> {
    let mut at = Configuration { q: near.q.clone(), pose };
    assembly::at_pose(robot, ws, &mut at)?;
    Ok(at)
}
