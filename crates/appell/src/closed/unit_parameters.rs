//! The regressor of a closed mechanism by unit parameters: a column is the torques and forces of a robot of which one
//! parameter is one and all others are zero, as [`dynamics::unit_parameters`](crate::dynamics::unit_parameters) does it
//! for trees.
//!
//! Torques and forces are by tree + closures, the open tree by Newton and Euler: the referee of the
//! [projected regressor](super::regressor) of the tree. All such robots move alike, so that Z is found once.

use super::drives::Sharing;
use super::steps::Steps;
use super::{ClosedMechanism, Configuration, SingularError, regressor, tree_closures};
use crate::dynamics::regressor::{PARAMETERS_PER_BODY, columns as columns_of_tree};
use crate::dynamics::unit_parameters::{isolate, put_column};

/// A copy of the robot, whose parameters are changed, and its regressor.
#[derive(Debug, Clone)]
pub struct Workspace {
    unit: ClosedMechanism,
    of_tree: usize, // columns
    dynamics: tree_closures::Workspace,
    matrix: Vec<f64>, // Y, drives × parameters
}

impl Workspace {
    /// A workspace for this robot.
    #[must_use]
    pub fn new(robot: &ClosedMechanism) -> Self {
        Self {
            unit: robot.clone(),
            of_tree: columns_of_tree(robot.tree()),
            dynamics: tree_closures::Workspace::new(robot),
            matrix: vec![0.0; robot.driven().len() * regressor::columns(robot)],
        }
    }
}

/// The regressor of the robot that the workspace is of, as [`regressor::regressor`] gives it.
///
/// # Errors
/// Where the constraints are singular, or the drives cannot hold the robot; and if there are fewer drives than degrees
/// of freedom.
///
/// # Panics
/// If a slice does not have one value per degree of freedom, or `at` belongs to another robot.
pub fn regressor<'w>(
    ws: &'w mut Workspace,
    at: &Configuration,
    r: &[f64],
    r_dot: &[f64],
) -> Result<&'w [f64], SingularError> {
    let of_platform = if ws.unit.platform.is_some() { PARAMETERS_PER_BODY } else { 0 };
    let width = ws.of_tree + of_platform;
    let sharing = Sharing::default();
    tree_closures::motion(&ws.unit, &mut ws.dynamics, at, r, r_dot)?;
    for column in 0..width {
        let mass = isolate(&mut ws.unit.tree, (column < ws.of_tree).then_some(column));
        if let Some(platform) = &mut ws.unit.platform {
            let unit = |parameter: usize| if column == ws.of_tree + parameter { 1.0 } else { 0.0 };
            platform.put_parameters(core::array::from_fn(unit));
        }
        ws.dynamics.project(&ws.unit, at, &[]);
        let tau = ws.dynamics.drive(&ws.unit, &sharing)?;
        put_column(&mut ws.matrix, width, column, tau, mass);
    }
    Ok(&ws.matrix)
}
