//! Small vibrations about a state at rest that torques and forces of the drives hold, with springs in the joints and at the drives.
//!
//! | symbol | meaning | unit |
//! |---|---|---|
//! | x | small ways along the degrees of freedom | rad, m |
//! | M | inertia matrix | |
//! | K | stiffness: gravity, springs of joints, and the drives | |
//! | k | stiffness of the drives, which hold their positions like springs | N m/rad, N/m |
//! | ω | 2π times the frequency of a mode | rad/s |
//!
//! Forward dynamics about the state, with τ = τ₀ − k δq at the drives, is linear in x:
//!
//! ```text
//! M ẍ + K x = 0        K = −M ∂ṙ/∂x + B k Bᵀ        B = M ∂ṙ/∂τ = J_invᵀ
//! ```
//!
//! M = L Lᵀ makes a symmetric problem of it, L⁻¹ K L⁻ᵀ y = ω² y with x = L⁻ᵀ y. A negative ω² is a motion that grows. Damping is left
//! out, and so is the compliance of bodies, which are rigid here.

use crate::linear::{Cholesky, Symmetric};
use crate::question::{AnswerError, Evaluator, Motion, Question, State, Target};
use crate::robot::Robot;

/// A pivot of M below this, over the largest, moves no mass.
const NO_INERTIA: f64 = 1e-14;

/// A motion in which all parts of a robot swing with one frequency.
#[derive(Debug, Clone, PartialEq)]
pub struct Mode {
    /// ω², 1/s²; negative where the motion grows instead.
    pub omega_squared: f64,
    /// x along the degrees of freedom, of length 1 as the inertia matrix measures it: xᵀ M x = 1 kg m².
    pub shape: Vec<f64>,
    /// The part that each degree of freedom has in it, x_k (M x)_k; together 1.
    pub parts: Vec<f64>,
}

impl Mode {
    /// Its frequency, Hz; none of a motion that grows.
    #[must_use]
    pub fn frequency(&self) -> Option<f64> {
        (self.omega_squared >= 0.0).then(|| self.omega_squared.sqrt() / core::f64::consts::TAU)
    }
}

/// How a robot vibrates about a state.
#[derive(Debug, Clone, PartialEq)]
pub struct Vibration {
    /// As many as degrees of freedom, the slowest first.
    pub modes: Vec<Mode>,
    /// Torques and forces that hold the robot there, one per drive.
    pub tau: Vec<f64>,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum VibrationError {
    /// The robot cannot be held there, or its motion is not determined.
    #[error(transparent)]
    Answer(#[from] AnswerError),
    /// Some motion moves no mass.
    #[error("the inertia matrix is singular: some motion moves no mass")]
    NoInertia,
    /// The stiffnesses are too many or too few.
    #[error("there are {found} stiffnesses of drives, expected {expected}")]
    Drives {
        /// How many were given.
        found: usize,
        /// How many drives there are.
        expected: usize,
    },
}

impl Vibration {
    /// The modes about the place of a state, whose other vectors do not count; `stiffness` of each drive, zero of one that keeps its
    /// torque.
    ///
    /// # Errors
    /// If drives cannot hold the robot there, or a motion moves no mass.
    pub fn about(robot: &Robot, place: &State<'_>, stiffness: &[f64]) -> Result<Self, VibrationError> {
        let (n, drives) = (robot.freedoms().len(), robot.drives().len());
        if stiffness.len() != drives {
            return Err(VibrationError::Drives { found: stiffness.len(), expected: drives });
        }
        let rest = vec![0.0; n.max(drives)];
        let motion = match place.motion {
            Motion::Assembled { at, .. } => Motion::Assembled { at, r: &rest[..n], r_dot: &rest[..n] },
            Motion::Platform { pose, .. } => Motion::at_rest(pose),
            Motion::Joints => Motion::Joints,
        };
        let at_rest = State { q: place.q, v: &rest[..drives], a: &rest[..drives], motion, ..State::default() };
        let tau = answer(robot, Question::InverseDynamics, &at_rest)?;
        let inertia = answer(robot, Question::InertiaMatrix, &at_rest)?;
        let derivatives = answer(robot, Question::ForwardDynamicsDerivatives, &State { tau: &tau, ..at_rest })?;
        let (by_x, by_tau) = (&derivatives[..n * n], &derivatives[2 * n * n..]);
        // Entry i, j of M times a matrix of that many columns.
        let times = |i: usize, matrix: &[f64], columns: usize, j: usize| -> f64 {
            (0..n).map(|k| inertia[i * n + k] * matrix[k * columns + j]).sum()
        };
        let of_drives: Vec<f64> = // B
            (0..n * drives).map(|at| times(at / drives, by_tau, drives, at % drives)).collect();
        let stiff: Vec<f64> = (0..n * n)
            .map(|at| {
                let (i, j) = (at / n, at % n);
                let held = (0..drives).map(|d| of_drives[i * drives + d] * stiffness[d] * of_drives[j * drives + d]);
                held.sum::<f64>() - times(i, by_x, n, j)
            })
            .collect();
        Ok(Self { modes: modes(n, &inertia, &stiff)?, tau })
    }
}

/// One answer of the default method.
fn answer(robot: &Robot, question: Question, state: &State<'_>) -> Result<Vec<f64>, AnswerError> {
    let mut evaluator = Evaluator::new(robot, question, None, Target::default())?;
    let mut row = vec![0.0; evaluator.columns().len()];
    evaluator.evaluate(state, &mut row)?;
    Ok(row)
}

/// Solves K x = ω² M x.
fn modes(n: usize, inertia: &[f64], stiff: &[f64]) -> Result<Vec<Mode>, VibrationError> {
    let mut cholesky = Cholesky::new(n, 0.0);
    cholesky.decompose(inertia);
    let largest = cholesky.pivots().iter().fold(0.0, |most: f64, &pivot| most.max(pivot));
    if !cholesky.pivots().iter().all(|&pivot| pivot > NO_INERTIA * largest) {
        return Err(VibrationError::NoInertia);
    }
    // L⁻¹ K L⁻ᵀ: the rows of K, then those of what comes of it, transposed.
    let mut scaled = stiff.to_vec();
    for _ in 0..2 {
        scaled.chunks_exact_mut(n.max(1)).for_each(|row| cholesky.solve_lower(row));
        for i in 0..n {
            (0..i).for_each(|j| scaled.swap(i * n + j, j * n + i));
        }
    }
    let mut symmetric = Symmetric::new(n);
    symmetric.decompose(&scaled);
    let mode = |k: usize| {
        let mut shape = symmetric.vector(k).to_vec();
        cholesky.solve_upper(&mut shape);
        let of_inertia = |i: usize| (0..n).map(|j| inertia[i * n + j] * shape[j]).sum::<f64>();
        let parts = (0..n).map(|i| shape[i] * of_inertia(i)).collect();
        Mode { omega_squared: symmetric.value(k), parts, shape }
    };
    Ok((0..n).map(mode).collect())
}
