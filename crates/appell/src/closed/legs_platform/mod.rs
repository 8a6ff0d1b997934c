//! Dynamics of a parallel robot from its legs and its platform  [BriotKhalil, with its equations 21 and 22 corrected].
//!
//! Every leg is cut from the platform at its closing joint. What the joint transmits ties the leg's rates to the
//! platform's twist, J_i q̇_i = J_vi V; what is left of its rows forbids the platform to move, N_i V = 0.
//!
//! ```text
//! V = Ψ r,  V̇ = Ψ ṙ + Ψ̇ r      from the rows N of all legs: the dependent components of V from the independent, r
//! q̇_i = K_i V                  K_i = J_i⁻¹ J_vi
//! q̈_i = K_i V̇ + k_i            k_i from the accelerations at q̈ = V̇ = 0, so that no Jacobian is differentiated
//! τ_i = M_i q̈_i + c_i          the open legs, by the Gibbs-Appell recursion                       (eq. 9)
//! w = Ψᵀ (w_P + Σ K_iᵀ τ_i)     platform and legs, on the independent velocities         (eqs 10 to 16)
//! J_invᵀ τ_a = w                q̇_a = J_inv r: the drives                                       (eq. 13)
//! M_rob = Ψᵀ (I_P + Σ K_iᵀ M_i K_i) Ψ                                                            (eq. 21)
//! M_rob ṙ = J_invᵀ τ_a − c_rob   c_rob = w at ṙ = 0, where V̇ = Ψ̇ r                         (eqs 19 to 22)
//! ```
//!
//! All is done by orthogonal reflections or, for legs of three joints that end in a spherical joint, by cross
//! products: no pivot is chosen, so that one text serves every kind of number.

mod chain;
mod leg;
mod point;
mod reflections;
mod passes;

use super::constraints::Constraints;
use super::drives::{Share, Sharing};
use super::{ClosedMechanism, Configuration, Leg, SingularError, refuse_massless};
use crate::dynamics::{gibbs_appell_inertia, gibbs_appell_tensor};
use crate::linear::{Cholesky, Householder};
use crate::real::{Measured, Real};
use leg::LegState;

/// What the steps keep.
#[derive(Debug, Clone)]
pub struct Workspace<T = f64> {
    constraints: Constraints<T>,
    legs: Vec<LegState<T>>,
    held: Householder<T>, // rows of N × dependent components
    forbidden: Vec<T>,    // N, row by row of six
    forbidden_bias: Vec<T>,
    scratch: Vec<T>,
    psi: Vec<T>,       // Ψ, 6 × n row by row
    j_inv: Vec<T>,     // drives × n, row by row
    u: Vec<T>,         // q̇ and V
    psi_dot_r: [T; 6], // Ψ̇ r
    u_dot: Vec<T>,     // q̈ and V̇
    forces: Vec<T>,    // of the open legs and the platform on u, less the load
    w: Vec<T>,         // projected onto the independent velocities
    z: Vec<T>,         // Z, velocities u × n row by row
    multipliers: Vec<T>,
    inertia: Vec<T>, // 6 × 6, then n × n
    reduced: Vec<T>,
    share: Share<T>,
    cholesky: Cholesky<T>,
    leg_forces: gibbs_appell_tensor::Workspace<T>,
    leg_inertia: gibbs_appell_inertia::Workspace<T>,
    answer: Vec<T>,
}

impl Workspace<f64> {
    /// A workspace for this robot.
    ///
    /// # Panics
    /// If the robot is not of legs and a platform alone: [`applies`] says so before.
    #[must_use]
    pub fn new(robot: &ClosedMechanism) -> Self {
        Self::with_scalar(robot, 0.0)
    }
}

/// Whether a robot is of legs and a platform alone, so that this method applies.
#[must_use]
pub fn applies(robot: &ClosedMechanism) -> bool {
    !robot.legs().is_empty()
}

impl<T: Real> Workspace<T> {
    /// A workspace for this robot over the numbers of the kind of `like`.
    ///
    /// # Panics
    /// If the robot is not of legs and a platform alone.
    #[must_use]
    pub fn with_scalar(robot: &ClosedMechanism, like: T) -> Self {
        assert!(applies(robot), "a robot of legs and a platform");
        let (zero, n, drives) = (like.zero(), robot.freedoms().len(), robot.driven().len());
        let left = |leg: &Leg| robot.closures()[leg.closure].rows() - leg.joints.len();
        let rows: usize = robot.legs().iter().map(left).sum();
        Self {
            constraints: Constraints::with_scalar(robot, like),
            legs: robot.legs().iter().map(|leg| LegState::with_scalar(robot, leg, like)).collect(),
            held: Householder::new(rows, 6 - n, like),
            forbidden: vec![zero; 6 * rows],
            forbidden_bias: vec![zero; rows],
            scratch: vec![zero; rows.max(6).max(drives)],
            psi: (0..6 * n).map(|k| like.constant(if k % (n + 1) == 0 { 1.0 } else { 0.0 })).collect(),
            j_inv: vec![zero; drives * n],
            u: vec![zero; robot.velocities()],
            psi_dot_r: [zero; 6],
            u_dot: vec![zero; robot.velocities()],
            forces: vec![zero; robot.velocities()],
            w: vec![zero; n],
            z: vec![zero; robot.velocities() * n],
            multipliers: vec![zero; robot.rows()],
            inertia: vec![zero; 36],
            reduced: vec![zero; n * n],
            share: Share::with_scalar(robot, like),
            cholesky: Cholesky::new(n, like),
            leg_forces: gibbs_appell_tensor::Workspace::with_scalar(robot.tree(), like),
            leg_inertia: gibbs_appell_inertia::Workspace::with_scalar(robot.tree(), like),
            answer: vec![zero; n],
        }
    }
}

/// Torques and forces of the drives that move the robot so, N m or N: one per driven joint.
///
/// `r` and `r_dot` are the independent velocities and their rates, `load` what acts from outside on u (empty: nothing).
/// Redundant drives share the work as `sharing` says.
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
    ws.share.efforts(robot, &ws.j_inv, &ws.w, sharing)
}

/// The generalised forces of a motion, projected onto the independent velocities, w = M_rob ṙ + c_rob less the load's
/// part: the drives must hold it, J_invᵀ τ = w.
///
/// # Errors
/// Near a singularity of a leg, or of the legs' constraints.
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
    robot.expect(at, &[r, r_dot]);
    ws.place(robot, at);
    ws.set_in_motion(robot, r);
    ws.accelerate(robot, Some(r_dot));
    ws.project(robot, at, load);
    ws.refuse_singular(robot)?;
    Ok(&ws.w)
}

/// M_rob, n × n row by row  [BriotKhalil, eq. 21].
///
/// # Errors
/// Near a singularity of a leg, or of the legs' constraints.
///
/// # Panics
/// If `at` belongs to another robot.
pub fn inertia_matrix<'w, T: Measured>(
    robot: &ClosedMechanism,
    ws: &'w mut Workspace<T>,
    at: &Configuration<T>,
) -> Result<&'w [T], SingularError> {
    robot.expect(at, &[]);
    ws.place(robot, at);
    ws.fill_inertia(robot, at);
    ws.refuse_singular(robot)?;
    Ok(&ws.reduced)
}

/// M_rob of bodies whose inertia matrices are given: of the open tree, and of the platform alone, 6 × 6, row by row.
pub(super) fn projected_inertia<'w, T: Measured>(
    robot: &ClosedMechanism,
    ws: &'w mut Workspace<T>,
    at: &Configuration<T>,
    of_tree: &[T],
    of_platform: &[T],
) -> Result<&'w [T], SingularError> {
    robot.expect(at, &[]);
    ws.place(robot, at);
    ws.project_inertia(robot, of_tree, of_platform);
    ws.refuse_singular(robot)?;
    Ok(&ws.reduced)
}

/// Rates of the independent velocities that the drives' torques and forces give  [BriotKhalil, eqs 19 to 22].
///
/// # Errors
/// Near a singularity of a leg or of the legs' constraints, or if a degree of freedom moves no mass. Singularities of
/// the drives, of Type 2, are no obstacle.
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
) -> Result<&'w [T], SingularError> {
    robot.expect(at, &[r]);
    assert_eq!(tau.len(), robot.driven().len(), "one effort per drive");
    ws.place(robot, at);
    ws.set_in_motion(robot, r);
    ws.accelerate(robot, None);
    ws.project(robot, at, load);
    ws.fill_inertia(robot, at);
    ws.refuse_singular(robot)?;
    ws.solve(tau);
    refuse_massless(robot, &ws.reduced, ws.cholesky.pivots())?;
    Ok(&ws.answer)
}

/// Rates of all velocities, u̇ = (q̈, V̇), that the drives' torques and forces give.
///
/// # Errors
/// As [`forward_dynamics`].
///
/// # Panics
/// If a slice does not have one value per degree of freedom or per drive, or `at` belongs to another robot.
pub fn accelerations<'w, T: Measured>(
    robot: &ClosedMechanism,
    ws: &'w mut Workspace<T>,
    at: &Configuration<T>,
    r: &[T],
    tau: &[T],
    load: &[T],
) -> Result<&'w [T], SingularError> {
    forward_dynamics(robot, ws, at, r, tau, load)?;
    let r_dot = core::mem::take(&mut ws.answer);
    ws.accelerate(robot, Some(&r_dot));
    ws.answer = r_dot;
    Ok(&ws.u_dot)
}

/// J_inv, drives × n row by row: the driven joints' rates, q̇_a = J_inv r.
///
/// # Errors
/// Near a singularity of a leg, or of the legs' constraints.
///
/// # Panics
/// If `at` belongs to another robot.
pub fn inverse_jacobian<'w, T: Measured>(
    robot: &ClosedMechanism,
    ws: &'w mut Workspace<T>,
    at: &Configuration<T>,
) -> Result<&'w [T], SingularError> {
    robot.expect(at, &[]);
    ws.place(robot, at);
    ws.refuse_singular(robot)?;
    Ok(&ws.j_inv)
}

/// Z, velocities u by row, independent velocities by column: u = Z r.
///
/// # Errors
/// Near a singularity of a leg, or of the legs' constraints.
///
/// # Panics
/// If `at` belongs to another robot.
pub fn complement<'w, T: Measured>(
    robot: &ClosedMechanism,
    ws: &'w mut Workspace<T>,
    at: &Configuration<T>,
) -> Result<&'w [T], SingularError> {
    robot.expect(at, &[]);
    ws.place(robot, at);
    ws.refuse_singular(robot)?;
    ws.fill_complement(robot);
    Ok(&ws.z)
}

/// The multipliers of all constraints, of a motion under the drives' torques and forces `tau`: see
/// [`reactions`](super::reactions) for the wrenches they are.
///
/// Where constraints repeat each other these are the ones of least norm; the motion does not depend on them.
///
/// # Errors
/// Near a singularity of a leg, or of the legs' constraints.
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
    ws.fill_multipliers(robot, tau);
    Ok(&ws.multipliers)
}

/// All velocities u = (q̇, V) and their rates, of a motion of the independent ones.
///
/// # Errors
/// Near a singularity of a leg, or of the legs' constraints.
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
    ws.place(robot, at);
    ws.set_in_motion(robot, r);
    ws.accelerate(robot, Some(r_dot));
    ws.refuse_singular(robot)?;
    Ok((&ws.u, &ws.u_dot))
}
