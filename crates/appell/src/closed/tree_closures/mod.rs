//! Dynamics of any closed mechanism: its tree, opened at every closing joint, and the constraints A u = 0.
//!
//! ```text
//! u = Z r,  u̇ = Z ṙ + z₀          A solved for the dependent velocities, the largest pivot first
//! w = Zᵀ h                        h = M u̇ + c of the open tree, by Newton and Euler, and of the platform
//! τ_a = Z_a⁻ᵀ w                    projection on the driven joints
//! (Zᵀ M Z) ṙ = Zᵀ (τ − h at z₀)    forward dynamics in the null space of A
//! ⎡ M  −Aᵀ⎤ ⎡u̇⎤   ⎡τ − c⎤
//! ⎣ A   0 ⎦ ⎣λ⎦ = ⎣ −b  ⎦          the same with all velocities and reactions as unknowns (KKT)
//! ```
//!
//! Rows of A that repeat others are found by their pivots and left out. This is the referee of
//! [`legs_platform`](super::legs_platform), and the method for everything that is not of legs and a platform: slower,
//! because it knows nothing of the structure.

mod forces;
mod open_robot;

use super::constraints::Constraints;
use super::drives::{Sharing, SingularValues};
use super::refusal::refuse_massless;
use super::{ClosedMechanism, Configuration, SingularError};
use crate::description::JointKind;
use crate::dynamics::{composite_body, newton_euler};
use crate::linear::{Cholesky, Elimination};
use crate::real::Measured;

/// An entry of A without units below this is not a pivot.
const NO_PIVOT: f64 = 1e-9;

/// What the steps keep.
#[derive(Debug, Clone)]
pub struct Workspace<T = f64> {
    constraints: Constraints<T>,
    matrix: Vec<T>, // A, row by row
    bias: Vec<T>,   // b
    elimination: Elimination<T>,
    dependent: Vec<bool>, // of u
    units: Vec<f64>,      // of u: what each counts as a length
    z: Vec<T>,            // Z, row by row
    z_bias: Vec<T>,       // z₀
    u: Vec<T>,
    u_dot: Vec<T>,
    h: Vec<T>,       // forces of the open robot on u
    inertia: Vec<T>, // M of the open robot
    product: Vec<T>, // M Z
    reduced: Vec<T>, // Zᵀ M Z
    w: Vec<T>,
    cholesky: Cholesky<T>,
    projection: Elimination<T>, // for τ
    j_inv: Vec<T>,              // Z_a, row by row
    values: SingularValues,     // of it
    kkt: Elimination<T>,
    gram: Elimination<T>, // systems of a row per velocity, and a right-hand side
    tau: Vec<T>,
    answer: Vec<T>,
    multipliers: Vec<T>,
    tree_forces: newton_euler::Workspace<T>,
    tree_inertia: composite_body::Workspace<T>,
}

/// How forward dynamics is solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Solver {
    /// For the independent velocities alone.
    #[default]
    NullSpace,
    /// For all velocities and the reactions together.
    Kkt,
}

impl Workspace<f64> {
    /// A workspace for this robot.
    #[must_use]
    pub fn new(robot: &ClosedMechanism) -> Self {
        Self::with_scalar(robot, 0.0)
    }
}

impl<T: Measured> Workspace<T> {
    /// A workspace for this robot over the numbers of the kind of `like`.
    #[must_use]
    pub fn with_scalar(robot: &ClosedMechanism, like: T) -> Self {
        let (zero, width, rows, n) = (like.zero(), robot.velocities(), robot.rows(), robot.freedoms().len());
        let joints = robot.tree().links().iter().map(|link| match link.joint {
            JointKind::Revolute => 1.0 / robot.length(),
            JointKind::Prismatic => 1.0,
        });
        let platform = [1.0, 1.0, 1.0].into_iter().chain([1.0 / robot.length(); 3]);
        let size = width + robot.mobility().rank;
        Self {
            constraints: Constraints::with_scalar(robot, like),
            matrix: vec![zero; rows * width],
            bias: vec![zero; rows],
            elimination: Elimination::new(rows, width + rows, like),
            dependent: (0..width).map(|k| !robot.freedoms().contains(&k)).collect(),
            units: joints.chain(platform).take(width).collect(),
            z: vec![zero; width * n],
            z_bias: vec![zero; width],
            u: vec![zero; width],
            u_dot: vec![zero; width],
            h: vec![zero; width],
            inertia: vec![zero; width * width],
            product: vec![zero; width * n],
            reduced: vec![zero; n * n],
            w: vec![zero; n],
            cholesky: Cholesky::new(n, like),
            projection: Elimination::new(n, robot.driven().len() + 1, like),
            j_inv: vec![zero; n * robot.driven().len()],
            values: SingularValues::new(robot),
            kkt: Elimination::new(size, size + 1, like),
            gram: Elimination::new(width, width + 1, like),
            tau: vec![zero; robot.driven().len()],
            answer: vec![zero; n],
            multipliers: vec![zero; rows],
            tree_forces: newton_euler::Workspace::with_scalar(robot.tree(), like),
            tree_inertia: composite_body::Workspace::with_scalar(robot.tree(), like),
        }
    }
}

/// Torques and forces of the drives that move the robot so, by projection on the driven joints; arguments as of
/// [`legs_platform::inverse_dynamics`](super::legs_platform::inverse_dynamics).
///
/// # Errors
/// Near a singularity, with the condition number; and if there are fewer drives than degrees of freedom.
///
/// # Panics
/// If a slice does not have one value per degree of freedom, or `at` belongs to another robot.
pub fn inverse_dynamics<'w, T: Measured>(
    robot: &ClosedMechanism,
    ws: &'w mut Workspace<T>,
    at: &Configuration<T>,
    r: &[T],
    r_dot: &[T],
    load: &[T],
    sharing: &Sharing,
) -> Result<&'w [T], SingularError> {
    generalised_forces(robot, ws, at, r, r_dot, load)?;
    ws.drive(robot, sharing)?;
    Ok(&ws.tau)
}

/// Torques and forces of the drives, with the reactions as further unknowns: E τ + Aᵀ λ = M u̇ + c, solved as it
/// stands. No degree of freedom is chosen and nothing is projected: the referee of [`inverse_dynamics`].
///
/// Redundant drives share by the least norm of S⁻¹ (τ − τ₀), whose conditions join the equations: ν are the motions that
/// give the drives their torques and forces.
///
/// ```text
/// ⎡ E S² Eᵀ  Aᵀ⎤ ⎡ν⎤   ⎡M u̇ + c − E τ₀⎤
/// ⎣ A        0 ⎦ ⎣λ⎦ = ⎣      0       ⎦        τ = τ₀ + S² Eᵀ ν
/// ```
///
/// # Errors
/// Where the constraints are singular, or the drives cannot hold the robot; and if there are fewer drives than degrees
/// of freedom.
///
/// # Panics
/// If a slice does not have one value per degree of freedom, or `at` belongs to another robot.
pub fn inverse_dynamics_with_reactions<'w, T: Measured>(
    robot: &ClosedMechanism,
    ws: &'w mut Workspace<T>,
    at: &Configuration<T>,
    r: &[T],
    r_dot: &[T],
    load: &[T],
    sharing: &Sharing,
) -> Result<&'w [T], SingularError> {
    motion(robot, ws, at, r, r_dot)?;
    ws.open_forces(robot, at, load);
    ws.solve_forces(robot, sharing)?;
    Ok(&ws.tau)
}

/// The generalised forces of a motion, projected onto the independent velocities, w = Zᵀ (M u̇ + c) less the load's
/// part.
///
/// # Errors
/// Where the constraints are singular.
///
/// # Panics
/// If a slice does not have one value per degree of freedom, or `at` belongs to another robot.
pub fn generalised_forces<'w, T: Measured>(
    robot: &ClosedMechanism,
    ws: &'w mut Workspace<T>,
    at: &Configuration<T>,
    r: &[T],
    r_dot: &[T],
    load: &[T],
) -> Result<&'w [T], SingularError> {
    motion(robot, ws, at, r, r_dot)?;
    ws.open_forces(robot, at, load);
    ws.project();
    Ok(&ws.w)
}

/// All velocities u and their rates, of a motion of the independent ones.
///
/// # Errors
/// Where the constraints are singular.
///
/// # Panics
/// If a slice does not have one value per degree of freedom, or `at` belongs to another robot.
pub fn motion<'w, T: Measured>(
    robot: &ClosedMechanism,
    ws: &'w mut Workspace<T>,
    at: &Configuration<T>,
    r: &[T],
    r_dot: &[T],
) -> Result<(&'w [T], &'w [T]), SingularError> {
    robot.expect(at, &[r, r_dot]);
    ws.place(robot, at)?;
    ws.set_in_motion(robot, r);
    ws.accelerate(r_dot);
    Ok((&ws.u, &ws.u_dot))
}

/// Zᵀ M Z, n × n row by row.
///
/// # Errors
/// Where the constraints are singular.
///
/// # Panics
/// If `at` belongs to another robot.
pub fn inertia_matrix<'w, T: Measured>(
    robot: &ClosedMechanism,
    ws: &'w mut Workspace<T>,
    at: &Configuration<T>,
) -> Result<&'w [T], SingularError> {
    robot.expect(at, &[]);
    ws.place(robot, at)?;
    ws.open_inertia(robot, at);
    ws.reduce_inertia(robot.freedoms().len());
    Ok(&ws.reduced)
}

/// Z, velocities u by row, independent velocities by column.
///
/// # Errors
/// Where the constraints are singular.
///
/// # Panics
/// If `at` belongs to another robot.
pub fn complement<'w, T: Measured>(
    robot: &ClosedMechanism,
    ws: &'w mut Workspace<T>,
    at: &Configuration<T>,
) -> Result<&'w [T], SingularError> {
    robot.expect(at, &[]);
    ws.place(robot, at)?;
    Ok(&ws.z)
}

/// The multipliers of all constraints, of the least norm, of a motion under the drives' torques and forces `tau`.
///
/// # Errors
/// Where the constraints are singular.
///
/// # Panics
/// If a slice does not have one value per degree of freedom or per drive, or `at` belongs to another robot.
pub fn multipliers<'w, T: Measured>(
    robot: &ClosedMechanism,
    ws: &'w mut Workspace<T>,
    at: &Configuration<T>,
    r: &[T],
    r_dot: &[T],
    tau: &[T],
    load: &[T],
) -> Result<&'w [T], SingularError> {
    assert_eq!(tau.len(), robot.driven().len(), "one effort per drive");
    generalised_forces(robot, ws, at, r, r_dot, load)?;
    for (&j, &tau) in robot.driven().iter().zip(tau) {
        ws.h[j] = ws.h[j] - tau;
    }
    ws.fill_multipliers(robot);
    Ok(&ws.multipliers)
}

/// Rates of the independent velocities that the drives' torques and forces give.
///
/// # Errors
/// Where the constraints are singular, or a degree of freedom moves no mass.
///
/// # Panics
/// If a slice does not have one value per degree of freedom or per drive, or `at` belongs to another robot.
pub fn forward_dynamics<'w, T: Measured>(
    robot: &ClosedMechanism,
    ws: &'w mut Workspace<T>,
    at: &Configuration<T>,
    r: &[T],
    tau: &[T],
    load: &[T],
    solver: Solver,
) -> Result<&'w [T], SingularError> {
    robot.expect(at, &[r]);
    assert_eq!(tau.len(), robot.driven().len(), "one effort per drive");
    let n = robot.freedoms().len();
    ws.place(robot, at)?;
    ws.set_in_motion(robot, r);
    ws.open_inertia(robot, at);
    ws.reduce_inertia(n);
    ws.cholesky.decompose(&ws.reduced);
    refuse_massless(robot, &ws.reduced, ws.cholesky.pivots())?;
    match solver {
        Solver::NullSpace => {
            ws.u_dot.copy_from_slice(&ws.z_bias);
            ws.open_forces(robot, at, load);
            for (&j, &tau) in robot.driven().iter().zip(tau) {
                ws.h[j] = ws.h[j] - tau;
            }
            ws.project();
            ws.answer.iter_mut().zip(&ws.w).for_each(|(answer, &w)| *answer = -w);
            ws.cholesky.solve(&mut ws.answer);
        }
        Solver::Kkt => {
            ws.u_dot.fill(r[0].zero());
            ws.open_forces(robot, at, load);
            ws.solve_kkt(robot, tau)?;
            for (answer, &freedom) in ws.answer.iter_mut().zip(robot.freedoms()) {
                *answer = ws.u_dot[freedom];
            }
        }
    }
    if ws.answer.iter().any(|a| !a.least().is_finite()) {
        return Err(SingularError::NotFinite);
    }
    Ok(&ws.answer)
}
