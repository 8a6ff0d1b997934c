//! The Jacobian of the platform: its twist from the rates of the drives.
//!
//! ```text
//! V = Ψ r,  q̇_a = J_inv r        V = J q̇_a,  J = Ψ J_inv⁻¹
//! V̇ = J q̈_a + J̇ q̇_a             J̇ q̇_a = V̇ − J q̈_a  of any motion with these velocities, such as that of ṙ = 0
//! ```
//!
//! Where there are more drives than degrees of freedom they cannot move as each likes: of rates that fit each other J
//! gives the twist, of others that of the nearest.
//!
//! ```
//! use appell::closed::{platform_jacobian, formulation::Formulation};
//! use appell::robots;
//!
//! let robot = robots::find("gough-stewart").unwrap().closed();
//! let mut ws = platform_jacobian::Workspace::new(&robot, Formulation::LegsPlatform);
//! let jacobian = platform_jacobian::jacobian(&robot, &mut ws, robot.home())?;
//! let all_alike: f64 = jacobian[12..18].iter().sum();
//! assert!(all_alike > 1.0, "six legs that all grow by 1 m/s lift the platform faster than that");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::formulation::{self, Formulation, Outputs, Steps};
use super::{ClosedMechanism, Configuration, SingularError, drives};
use crate::linear::Householder;
use crate::real::Measured;

/// Workspace for the Jacobian.
#[derive(Debug, Clone)]
pub struct Workspace<T = f64> {
    motion: formulation::Workspace<T>,
    reflections: Householder<T>,
    column: Vec<T>, // a unit rate of one drive, then r
    scratch: Vec<T>,
    matrix: Vec<T>, // J, 6 × drives
    still: Vec<T>,  // ṙ = 0
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
            reflections: Householder::new(drives.max(n), n, like),
            column: zeros(drives.max(n)),
            scratch: zeros(n),
            matrix: zeros(6 * drives),
            still: zeros(n),
        }
    }
}

/// J, 6 × drives row by row: velocity of the platform's origin and angular velocity, in base axes, by rates of the drives.
///
/// # Errors
/// Near a singularity of a leg, of the constraints, or of Type 2, where the drives do not say how the platform moves; and
/// if there are fewer drives than degrees of freedom.
///
/// # Panics
/// If the robot has no platform, or `at` belongs to another robot.
pub fn jacobian<'w, T: Measured>(
    robot: &ClosedMechanism,
    ws: &'w mut Workspace<T>,
    at: &Configuration<T>,
) -> Result<&'w [T], SingularError> {
    assert!(robot.platform().is_some(), "a robot with a platform");
    let (n, drives) = (robot.freedoms().len(), robot.driven().len());
    if drives < n {
        return Err(SingularError::Underactuated { drives, freedoms: n });
    }
    let Workspace { motion, reflections, column, scratch, matrix, .. } = ws;
    formulation::complement(robot, motion, at)?;
    let Outputs { z, j_inv, .. } = motion.out();
    let zero = column[0].zero();
    zero.within(
        #[inline(always)]
        || {
            reflections.decompose(
                #[inline(always)]
                |i, k| drives::dimensionless(robot, j_inv, i, k),
            );
            drives::refuse_uncontrolled(robot, j_inv, reflections.norms_squared(scratch))?;
            let psi = &z[robot.tree().dof() * n..];
            for drive in 0..drives {
                column.fill(zero);
                column[drive] = zero.constant(drives::drive_unit(robot, drive));
                reflections.turn_into(column);
                reflections.solve_upper(column);
                for (k, r) in column[..n].iter_mut().enumerate() {
                    *r = r.scale(drives::freedom_unit(robot, k));
                }
                for (row, psi) in psi.chunks_exact(n).enumerate() {
                    let mut sum = zero;
                    for (&psi, &r) in psi.iter().zip(&column[..n]) {
                        sum = psi.mul_add(r, sum);
                    }
                    matrix[row * drives + drive] = sum;
                }
            }
            Ok(())
        },
    )?;
    Ok(matrix)
}

/// J̇ q̇_a, the acceleration of the platform while its drives move at constant rates: of its origin, then angular, in base axes. `r` are the
/// independent velocities.
///
/// # Errors
/// As [`jacobian`].
///
/// # Panics
/// If the robot has no platform, `r` does not have one value per degree of freedom, or `at` belongs to another robot.
pub fn rate<T: Measured>(
    robot: &ClosedMechanism,
    ws: &mut Workspace<T>,
    at: &Configuration<T>,
    r: &[T],
) -> Result<[T; 6], SingularError> {
    jacobian(robot, ws, at)?;
    let Workspace { motion, matrix, still, .. } = ws;
    let (_, u_dot) = formulation::motion(robot, motion, at, r, still)?;
    let mut found: [T; 6] = u_dot[robot.tree().dof()..].try_into().expect("a robot with a platform");
    for (acceleration, row) in found.iter_mut().zip(matrix.chunks_exact(robot.driven().len())) {
        for (&j, &entry) in robot.driven().iter().zip(row) {
            *acceleration = *acceleration - entry * u_dot[j];
        }
    }
    Ok(found)
}
