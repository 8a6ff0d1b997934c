//! The regressor of a closed mechanism: its drives' torques and forces are linear in the parameters of its bodies and
//! joints, τ = Y φ.
//!
//! ```text
//! w = Zᵀ (Y_tree φ_tree,  Y_P φ_P)        J_invᵀ τ = w
//! ```
//!
//! φ is [`regressor::parameters`] of the tree, then ten of the platform in the same order, about its frame's origin.

use super::drives::Sharing;
use super::formulation::{self, Formulation, Outputs, Steps};
use super::{ClosedMechanism, Configuration, Platform, SingularError};
use crate::dynamics::regressor::{self, PARAMETERS_PER_BODY};
use crate::real::{Measured, Real};
use crate::spatial::{Vec3, Wrench, each};

/// Workspace for the regressor.
#[derive(Debug, Clone)]
pub struct Workspace<T = f64> {
    motion: formulation::Workspace<T>,
    tree: regressor::Workspace<T>,
    freedoms: Vec<T>, // the generalised forces on the independent velocities, n × parameters
    matrix: Vec<T>,   // Y, drives × parameters
}

impl Workspace<f64> {
    /// A workspace for this robot and formulation.
    #[must_use]
    pub fn new(robot: &ClosedMechanism, formulation: Formulation) -> Self {
        Self::with_scalar(robot, formulation, 0.0)
    }
}

impl<T: Measured> Workspace<T> {
    /// A workspace for this robot and formulation, over the numbers of the kind of `like`.
    #[must_use]
    pub fn with_scalar(robot: &ClosedMechanism, formulation: Formulation, like: T) -> Self {
        let (n, drives) = (robot.freedoms().len(), robot.driven().len());
        let zeros = |many: usize| vec![like.zero(); many];
        Self {
            motion: formulation::Workspace::with_scalar(robot, formulation, like),
            tree: regressor::Workspace::with_scalar(robot.tree(), like),
            freedoms: zeros(n * columns(robot)),
            matrix: zeros(drives * columns(robot)),
        }
    }
}

/// Number of parameters.
#[must_use]
pub fn columns(robot: &ClosedMechanism) -> usize {
    regressor::columns(robot.tree()) + if robot.platform().is_some() { PARAMETERS_PER_BODY } else { 0 }
}

/// The parameters φ of a robot as it is, in the order of the columns.
#[must_use]
pub fn parameters(robot: &ClosedMechanism) -> Vec<f64> {
    let platform = robot.platform().map(Platform::parameters);
    regressor::parameters(robot.tree()).into_iter().chain(platform.into_iter().flatten()).collect()
}

/// The regressor of the generalised forces on the independent velocities, n rows of [`columns`] numbers, row by row: w
/// = Y_w φ and the springs' part.
///
/// # Errors
/// Near a singularity of a leg, or of the constraints.
///
/// # Panics
/// If a slice does not have one value per degree of freedom, or `at` belongs to another robot.
pub fn of_freedoms<'w, T: Measured>(
    robot: &ClosedMechanism,
    ws: &'w mut Workspace<T>,
    at: &Configuration<T>,
    r: &[T],
    r_dot: &[T],
) -> Result<&'w [T], SingularError> {
    let (dof, n, width) = (robot.tree().dof(), robot.freedoms().len(), columns(robot));
    formulation::motion(robot, &mut ws.motion, at, r, r_dot)?;
    let tree_width = regressor::columns(robot.tree());
    at.pose.position.x.within(
        #[inline(always)]
        || {
            ws.motion.fill_complement(robot);
            let Outputs { u, u_dot, z, .. } = ws.motion.out();
            let of_tree = regressor::regressor(robot.tree(), &mut ws.tree, &at.q, &u[..dof], &u_dot[..dof]);
            ws.freedoms.fill(u[0].zero());
            for (row, z) in of_tree.chunks_exact(tree_width).zip(z.chunks_exact(n)) {
                for (generalised, &z) in ws.freedoms.chunks_exact_mut(width).zip(z) {
                    for (sum, &y) in generalised.iter_mut().zip(row) {
                        *sum = z.mul_add(y, *sum);
                    }
                }
            }
            if robot.platform().is_some() {
                for (column, wrench) in platform_columns(robot, at, &u[dof..], &u_dot[dof..]).into_iter().enumerate() {
                    for (generalised, c) in ws.freedoms.chunks_exact_mut(width).zip(0..) {
                        let mut sum = u[0].zero();
                        for (x, z) in wrench.to_array().into_iter().zip(z[dof * n..].chunks_exact(n)) {
                            sum = x.mul_add(z[c], sum);
                        }
                        generalised[tree_width + column] = sum;
                    }
                }
            }
        },
    );
    Ok(&ws.freedoms)
}

/// The regressor of the drives' torques and forces, one row of [`columns`] numbers per drive, row by row; springs, which
/// no parameter stands for, come on top.
///
/// # Errors
/// Near a singularity; and if there are fewer drives than degrees of freedom.
///
/// # Panics
/// If a slice does not have one value per degree of freedom, or `at` belongs to another robot.
pub fn regressor<'w, T: Measured>(
    robot: &ClosedMechanism,
    ws: &'w mut Workspace<T>,
    at: &Configuration<T>,
    r: &[T],
    r_dot: &[T],
) -> Result<&'w [T], SingularError> {
    of_freedoms(robot, ws, at, r, r_dot)?;
    let width = columns(robot);
    let sharing = Sharing::default();
    for column in 0..width {
        let generalised = ws.freedoms.iter().skip(column).step_by(width);
        let Outputs { share, j_inv, w, .. } = ws.motion.out();
        w.iter_mut().zip(generalised).for_each(|(w, &force)| *w = force);
        let efforts = share.efforts(robot, j_inv, w, &sharing)?;
        let matrix = ws.matrix.iter_mut().skip(column).step_by(width);
        matrix.zip(efforts).for_each(|(entry, &tau)| *entry = tau);
    }
    Ok(&ws.matrix)
}

/// The wrench, about the platform's origin in base axes, that a unit of each of its parameters needs.
#[inline(always)]
pub(super) fn platform_columns<T: Real>(
    robot: &ClosedMechanism,
    at: &Configuration<T>,
    twist: &[T],
    acceleration: &[T],
) -> [Wrench<T>; PARAMETERS_PER_BODY] {
    let rotation = at.pose.rotation;
    let [linear, omega, omega_dot] = each(
        [&acceleration[..3], &twist[3..], &acceleration[3..]],
        #[inline(always)]
        |x: &[T]| rotation.transpose_times(Vec3::new(x[0], x[1], x[2])),
    );
    let rise = linear - rotation.transpose_times(robot.tree().gravity().lift(twist[0]));
    let mut columns = regressor::body_columns(rise, omega, omega_dot);
    for column in &mut columns {
        *column = Wrench { force: rotation * column.force, moment: rotation * column.moment };
    }
    columns
}
