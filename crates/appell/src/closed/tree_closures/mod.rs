//! Dynamics of any closed mechanism: its tree, opened at every closing joint, and the constraints A u = 0.
//!
//! ```text
//! u = Z r,  u̇ = Z ṙ + z₀          A solved for the dependent velocities, the largest pivot first
//! w = Zᵀ h                        h = M u̇ + c of the open tree, by Newton and Euler, and of the platform
//! τ_a = Z_a⁻ᵀ w                    projection on the driven joints
//! (Zᵀ M Z) ṙ = Zᵀ (τ − h at z₀)    forward dynamics in the null space of A
//! ```
//!
//! With the reactions as further unknowns ([`Solver::Kkt`]) the equations are solved as they stand. Redundant drives share by
//! the least norm of S⁻¹ (τ − τ₀), whose conditions join them: ν are the motions that give the drives their torques and
//! forces.
//!
//! ```text
//! ⎡ M  −Aᵀ⎤ ⎡u̇⎤   ⎡τ − c⎤        E τ + Aᵀ λ = M u̇ + c
//! ⎣ A   0 ⎦ ⎣λ⎦ = ⎣ −b  ⎦
//!
//! ⎡ E S² Eᵀ  Aᵀ⎤ ⎡ν⎤   ⎡M u̇ + c − E τ₀⎤
//! ⎣ A        0 ⎦ ⎣λ⎦ = ⎣      0       ⎦        τ = τ₀ + S² Eᵀ ν
//! ```
//!
//! Rows of A that repeat others are found by their pivots and left out. This is the referee of
//! [`legs_platform`](super::legs_platform), and the method for everything that is not of legs and a platform: slower,
//! because it knows nothing of the structure.

mod forces;
mod open_robot;

use super::ClosedMechanism;
use super::constraints::Constraints;
use super::drives::SingularValues;
use super::steps::Outputs;
pub use super::steps::{
    accelerations, complement, forward_dynamics, generalised_forces, inertia_matrix, inverse_dynamics,
    inverse_jacobian, motion, multipliers,
};
use crate::dynamics::{composite_body, newton_euler};
use crate::linear::Elimination;
use crate::real::Measured;

/// An entry of A without units below this is not a pivot.
const NO_PIVOT: f64 = 1e-9;

/// What the steps keep.
#[derive(Debug, Clone)]
pub struct Workspace<T = f64> {
    /// How dynamics is solved.
    pub solver: Solver,
    constraints: Constraints<T>,
    matrix: Vec<T>, // A, row by row
    bias: Vec<T>,   // b
    elimination: Elimination<T>,
    independent: Vec<usize>,    // of u: r
    dependent: Vec<bool>,       // of u
    units: Vec<f64>,            // of u: what each counts as a length
    z_bias: Vec<T>,             // z₀
    h: Vec<T>,                  // forces of the open robot on u
    inertia: Vec<T>,            // M of the open robot
    product: Vec<T>,            // M Z
    projection: Elimination<T>, // for τ
    values: SingularValues,     // of Z_a
    kkt: Elimination<T>,
    gram: Elimination<T>, // systems of a row per velocity, and a right-hand side
    tau: Vec<T>,
    tree_forces: newton_euler::Workspace<T>,
    tree_inertia: composite_body::Workspace<T>,
    out: Outputs<T>,
}

/// How inverse and forward dynamics are solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Solver {
    /// For the drives alone, or the independent velocities alone.
    #[default]
    NullSpace,
    /// With the reactions as further unknowns: no degree of freedom is chosen and nothing is projected. The referee of the
    /// other.
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
        let size = width + robot.mobility().rank;
        Self {
            solver: Solver::default(),
            constraints: Constraints::with_scalar(robot, like),
            matrix: vec![zero; rows * width],
            bias: vec![zero; rows],
            elimination: Elimination::new(rows, width + rows, like),
            independent: robot.freedoms().to_vec(),
            dependent: (0..width).map(|k| !robot.freedoms().contains(&k)).collect(),
            units: (0..width).map(|k| 1.0 / robot.length_scale(k)).collect(),
            z_bias: vec![zero; width],
            h: vec![zero; width],
            inertia: vec![zero; width * width],
            product: vec![zero; width * n],
            projection: Elimination::new(n, robot.driven().len() + 1, like),
            values: SingularValues::new(robot),
            kkt: Elimination::new(size, size + 1, like),
            gram: Elimination::new(width, width + 1, like),
            tau: vec![zero; robot.driven().len()],
            tree_forces: newton_euler::Workspace::with_scalar(robot.tree(), like),
            tree_inertia: composite_body::Workspace::with_scalar(robot.tree(), like),
            out: Outputs::with_scalar(robot, like),
        }
    }

    /// Takes other velocities for r than the robot's own independent ones, as indices of u: as many, in terms of which A can
    /// be solved where the robot is. Questions of the drives ([`inverse_dynamics`]) are for the robot's own.
    ///
    /// # Panics
    /// If these are not as many as the robot has degrees of freedom.
    pub fn describe_by(&mut self, independent: &[usize]) {
        self.independent.copy_from_slice(independent);
        self.dependent.fill(true);
        independent.iter().for_each(|&k| self.dependent[k] = false);
    }
}
