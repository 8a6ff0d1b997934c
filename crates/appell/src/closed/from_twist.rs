//! The independent velocities from the platform's twist, where they are not components of it.
//!
//! ```text
//! V = Ψ r        V̇ = Ψ ṙ + Ψ̇ r
//! ```
//!
//! A mechanism of one degree of freedom is measured by its drive, and one with more degrees of freedom than its output by
//! further joints: r is what comes nearest to the components of V that are given.

use super::{ClosedMechanism, LARGEST_CONDITION, drives};
use crate::linear::Householder;

/// Workspace of the least squares.
#[derive(Debug, Clone)]
pub struct FromTwist {
    reflections: Householder<f64>,
    column: Vec<f64>, // of the twist, then r
}

impl FromTwist {
    /// A workspace for this robot.
    #[must_use]
    pub fn new(robot: &ClosedMechanism) -> Self {
        let n = robot.freedoms().len();
        Self { reflections: Householder::new(n.max(6), n, 0.0), column: vec![0.0; n.max(6)] }
    }

    /// Whether a robot needs it: it has a platform, and independent velocities that are not the platform's.
    #[must_use]
    pub fn is_needed(robot: &ClosedMechanism) -> bool {
        robot.platform().is_some() && robot.freedoms()[0] < robot.tree().dof()
    }

    /// The r of given components of V = Ψ r, by all rows of Z; none where these do not determine it.
    pub fn solve(&mut self, robot: &ClosedMechanism, z: &[f64], given: [Option<f64>; 6]) -> Option<&[f64]> {
        let (n, dof) = (robot.freedoms().len(), robot.tree().dof());
        let psi = &z[dof * n..];
        let Self { reflections, column } = self;
        let unit = |row: usize| robot.length_scale(dof + row);
        reflections.decompose(|i, k| match given.get(i) {
            Some(Some(_)) => psi[i * n + k] * unit(i) * drives::freedom_unit(robot, k),
            _ => 0.0,
        });
        let (size, inverse) = reflections.norms_squared(column);
        let most = LARGEST_CONDITION * LARGEST_CONDITION;
        let is_determined = size * inverse < most && inverse < most;
        if !is_determined {
            return None;
        }
        column.fill(0.0);
        for (i, given) in given.iter().enumerate() {
            column[i] = given.map_or(0.0, |given| given * unit(i));
        }
        reflections.turn_into(column);
        reflections.solve_upper(column);
        for (k, r) in column[..n].iter_mut().enumerate() {
            *r *= drives::freedom_unit(robot, k);
        }
        Some(&column[..n])
    }
}
