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
use super::steps::Outputs;
pub use super::steps::{
    accelerations, complement, forward_dynamics, generalised_forces, inertia_matrix, inverse_dynamics,
    inverse_jacobian, motion, multipliers,
};
use super::{ClosedMechanism, Leg};
use crate::dynamics::{gibbs_appell_inertia, gibbs_appell_tensor};
use crate::linear::Householder;
use crate::real::Real;
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
    psi_dot_r: [T; 6], // Ψ̇ r
    forces: Vec<T>,    // of the open legs and the platform on u, less the load
    inertia: [T; 36],  // of the platform with the legs on it, 6 × 6
    leg_forces: gibbs_appell_tensor::Workspace<T>,
    leg_inertia: gibbs_appell_inertia::Workspace<T>,
    out: Outputs<T>,
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
            psi_dot_r: [zero; 6],
            forces: vec![zero; robot.velocities()],
            inertia: [zero; 36],
            leg_forces: gibbs_appell_tensor::Workspace::with_scalar(robot.tree(), like),
            leg_inertia: gibbs_appell_inertia::Workspace::with_scalar(robot.tree(), like),
            out: Outputs::with_scalar(robot, like),
        }
    }
}
