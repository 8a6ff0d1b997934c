//! A quick look whether a robot is far from every singularity, for many states that nearly all are.
//!
//! [`singularity::measures`](super::singularity::measures) takes singular values of all constraints, a hundred times as
//! long. This one takes pivots. The constraints A u = 0 are solved for all velocities but those of the drives, which
//! fails at singularities of Type 2 and of the constraints, then for those of the joints with the platform's given, which
//! fails at Type 1. Where every pivot is of some size, no measure is near zero; where one is small, the measures decide.

use super::singularity::{Metric, Workspace as Singularity};
use super::{ClosedMechanism, Configuration};
use crate::linear::Elimination;

/// Pivots below this, without units, ask for the measures. They are larger than these, but not a thousand times.
const SMALL_PIVOT: f64 = 2e-3;

/// Memory of [`is_far`].
#[derive(Debug, Clone)]
pub struct Workspace {
    singularity: Singularity,         // A
    elimination: Elimination<f64>,    // A, solved
    unknowns: [Option<Vec<bool>>; 2], // by the drives, and by the platform if there is one
}

impl Workspace {
    /// Memory for a robot.
    #[must_use]
    pub fn new(robot: &ClosedMechanism) -> Self {
        let (dof, width) = (robot.tree().dof(), robot.velocities());
        let by_drives = (0..width).map(|k| !robot.driven().contains(&k)).collect();
        let by_platform = robot.platform().map(|_| (0..width).map(|k| k < dof).collect());
        Self {
            singularity: Singularity::new(robot),
            elimination: Elimination::new(robot.rows(), width, 0.0),
            unknowns: [Some(by_drives), by_platform],
        }
    }
}

/// Whether a configuration, whose loops must be closed, is far from every singularity. A "no" is no more than a doubt.
///
/// # Panics
/// If the configuration or the memory is of another robot.
#[must_use]
pub fn is_far(robot: &ClosedMechanism, ws: &mut Workspace, at: &Configuration, metric: &Metric) -> bool {
    let Workspace { singularity, elimination, unknowns } = ws;
    let matrix = singularity.linearise(robot, at, metric);
    unknowns.iter().flatten().all(|unknowns| {
        elimination.entries().copy_from_slice(matrix);
        elimination.eliminate(unknowns, SMALL_PIVOT);
        elimination.pivots().len() == unknowns.iter().filter(|&&unknown| unknown).count()
    })
}
