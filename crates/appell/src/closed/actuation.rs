//! How the drives of a parallel robot hold its platform, up to singular legs: J_inv without units, by singular values
//! of each leg's Jacobian.
//!
//! A leg's closing joint ties its rates to the platform's twist, J_i q̇_i + J_vi V = 0. With J_i = U Σ Wᵀ,
//!
//! ```text
//! q̇_i = −J_iᵀ Σ_k u_k u_kᵀ / σ_k² J_vi V         over σ_k > 0
//! u_kᵀ J_vi V = 0                               of the other k: what the leg forbids the platform
//! ```
//!
//! At Type 1 a σ_k vanishes. A drive that takes part in the leg's motion w_k at rest would have to run infinitely fast,
//! and holds the platform by u_kᵀ J_vi then; any other drive does not notice.

use super::{ClosedMechanism, LARGEST_CONDITION, Leg};
use crate::linear::{Householder, Jacobi, dot, norm};

/// A joint takes part in a motion if its share is larger.
const PART: f64 = 1e-6;

/// What is known of the drives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rows {
    /// J_inv.
    Bounded,
    /// Directions of its rows: a leg is at Type 1, and some of them are infinite.
    Unbounded,
    /// Nothing: a leg at Type 1 forbids the platform what it does not elsewhere, or the constraints are singular.
    Unknown,
}

/// Legs, platform and drives, all without units.
#[derive(Debug, Clone)]
pub(super) struct Actuation {
    legs: Vec<LegState>,
    forbidden: Vec<f64>, // N, row by row of six
    held: Householder<f64>,
    scratch: Vec<f64>,
    psi: Vec<f64>,   // Ψ, 6 × n row by row
    rows: Vec<f64>,  // J_inv, drives × n row by row
    norms: Vec<f64>, // of the wrenches, of which the rows are the generalised forces on the independent velocities
}

#[derive(Debug, Clone)]
struct LegState {
    of_rows: Jacobi,   // of J_i
    of_joints: Jacobi, // of its transpose
    part: Vec<f64>,
    k: Vec<f64>, // K_i, row by row of six
}

impl Actuation {
    pub(super) fn new(robot: &ClosedMechanism) -> Self {
        let (n, drives) = (robot.freedoms().len(), robot.driven().len());
        let state = |leg: &Leg| {
            let (rows, joints) = (robot.closures()[leg.closure].rows(), leg.joints.len());
            LegState {
                of_rows: Jacobi::new(rows, joints.max(1)),
                of_joints: Jacobi::new(joints, rows),
                part: Vec::with_capacity(rows * joints.max(1)),
                k: vec![0.0; 6 * joints],
            }
        };
        let left = |leg: &Leg| robot.closures()[leg.closure].rows() - leg.joints.len();
        let rows: usize = robot.legs().iter().map(left).sum();
        let dependent = if robot.legs().is_empty() { 0 } else { 6 - n };
        Self {
            legs: robot.legs().iter().map(state).collect(),
            forbidden: vec![0.0; 6 * rows],
            held: Householder::new(rows.max(dependent), dependent, 0.0),
            scratch: vec![0.0; rows.max(6)],
            psi: vec![0.0; 6 * n],
            rows: vec![0.0; drives * n],
            norms: vec![0.0; drives],
        }
    }

    /// J_inv without units, as far as it is known.
    pub(super) fn rows(&self) -> &[f64] {
        &self.rows
    }

    /// The norm of the wrench, of six components, of each drive's row.
    pub(super) fn norms(&self) -> &[f64] {
        &self.norms
    }

    /// The singular values of a leg's Jacobian.
    pub(super) fn of_leg(&self, leg: usize) -> &[f64] {
        self.legs[leg].of_joints.values()
    }

    /// All from A without units; singular values below `tolerance`, over the largest of a leg, count as zero.
    pub(super) fn find(&mut self, robot: &ClosedMechanism, matrix: &[f64], tolerance: f64) -> Rows {
        let (width, dof) = (robot.velocities(), robot.tree().dof());
        let (mut row, mut known) = (0, true);
        for (leg, state) in robot.legs().iter().zip(&mut self.legs) {
            let closure = &robot.closures()[leg.closure];
            let own = &matrix[closure.row * width..(closure.row + closure.rows()) * width];
            state.decompose(own, width, leg);
            // Where a leg forbids what it does not elsewhere, the two cannot be told apart.
            known &= state.rank(tolerance) == leg.joints.len() || closure.rows() == leg.joints.len();
            state.solve(own, width, dof, leg, tolerance);
            for k in leg.joints.len()..closure.rows() {
                let wrench = state.of_rows.left(k);
                for (x, entry) in self.forbidden[6 * row..6 * row + 6].iter_mut().enumerate() {
                    *entry = wrench.iter().zip(own.chunks_exact(width)).map(|(u, row)| u * row[dof + x]).sum();
                }
                row += 1;
            }
        }
        if !(known && self.find_psi(robot)) {
            return Rows::Unknown;
        }
        self.find_rows(robot, matrix, tolerance)
    }

    /// Ψ from N V = 0; whether the independent velocities describe the platform's motion.
    fn find_psi(&mut self, robot: &ClosedMechanism) -> bool {
        let (n, dof) = (robot.freedoms().len(), robot.tree().dof());
        self.psi.fill(0.0);
        for (c, &freedom) in robot.freedoms().iter().enumerate() {
            self.psi[(freedom - dof) * n + c] = 1.0;
        }
        if n == 6 {
            return true;
        }
        let is_free = |x: &usize| robot.freedoms().contains(&(dof + x));
        let mut dependent = (0..6).filter(|x| !is_free(x));
        let dependent: [usize; 6] = core::array::from_fn(|_| dependent.next().unwrap_or(0));
        let rows = self.forbidden.len() / 6;
        let forbidden = &self.forbidden;
        self.held.decompose(|i, k| forbidden[6 * i + dependent[k]]);
        if !is_regular(&self.held, &mut self.scratch) {
            return false;
        }
        for (c, &freedom) in robot.freedoms().iter().enumerate() {
            for (entry, row) in self.scratch.iter_mut().zip(self.forbidden.chunks_exact(6)) {
                *entry = -row[freedom - dof];
            }
            self.held.turn_into(&mut self.scratch[..rows]);
            self.held.solve_upper(&mut self.scratch);
            for (i, &x) in dependent[..6 - n].iter().enumerate() {
                self.psi[x * n + c] = self.scratch[i];
            }
        }
        true
    }

    fn find_rows(&mut self, robot: &ClosedMechanism, matrix: &[f64], tolerance: f64) -> Rows {
        let (n, width, dof) = (robot.freedoms().len(), robot.velocities(), robot.tree().dof());
        let mut found = Rows::Bounded;
        for (leg, state) in robot.legs().iter().zip(&self.legs) {
            let closure = &robot.closures()[leg.closure];
            let rank = state.rank(tolerance);
            for (i, (j, k)) in leg.joints.iter().zip(state.k.chunks_exact(6)).enumerate() {
                let Some(drive) = robot.driven().iter().position(|driven| driven == j) else { continue };
                let mut wrench: [f64; 6] = core::array::from_fn(|x| k[x]);
                if (rank..leg.joints.len()).any(|k| state.of_joints.left(k)[i].abs() > PART) {
                    found = Rows::Unbounded;
                    let own = matrix[closure.row * width..].chunks_exact(width);
                    let held = state.of_rows.left(leg.joints.len() - 1);
                    wrench = [0.0; 6];
                    for (u, row) in held.iter().zip(own) {
                        wrench.iter_mut().zip(&row[dof..]).for_each(|(sum, entry)| *sum += u * entry);
                    }
                }
                self.norms[drive] = norm(&wrench);
                for (c, entry) in self.rows[drive * n..(drive + 1) * n].iter_mut().enumerate() {
                    *entry = (0..6).map(|x| wrench[x] * self.psi[x * n + c]).sum();
                }
            }
        }
        found
    }

    /// All velocities without units of a motion given by the independent velocities, into `u`; legs at Type 1 move as little
    /// as they can.
    pub(super) fn expand(&self, robot: &ClosedMechanism, r: &[f64], u: &mut [f64]) {
        let (joints, twist) = u.split_at_mut(robot.tree().dof());
        for (entry, row) in twist.iter_mut().zip(self.psi.chunks_exact(r.len())) {
            *entry = dot(row, r);
        }
        for (leg, state) in robot.legs().iter().zip(&self.legs) {
            for (&j, k) in leg.joints.iter().zip(state.k.chunks_exact(6)) {
                joints[j] = dot(k, twist);
            }
        }
    }
}

impl LegState {
    fn decompose(&mut self, own: &[f64], width: usize, leg: &Leg) {
        self.part.clear();
        for row in own.chunks_exact(width) {
            self.part.extend(leg.joints.iter().map(|&j| row[j]));
            if leg.joints.is_empty() {
                self.part.push(0.0);
            }
        }
        self.of_rows.decompose(&self.part);
        self.part.clear();
        for &j in &leg.joints {
            self.part.extend(own.chunks_exact(width).map(|row| row[j]));
        }
        self.of_joints.decompose(&self.part);
    }

    /// How many singular values are not zero.
    fn rank(&self, tolerance: f64) -> usize {
        let values = self.of_joints.values();
        values.iter().take_while(|&&value| value > tolerance * values[0]).count()
    }

    /// K_i.
    fn solve(&mut self, own: &[f64], width: usize, dof: usize, leg: &Leg, tolerance: f64) {
        self.k.fill(0.0);
        for m in 0..self.rank(tolerance) {
            let (wrench, square) = (self.of_rows.left(m), self.of_rows.values()[m].powi(2));
            let mut on_platform = [0.0; 6];
            for (u, row) in wrench.iter().zip(own.chunks_exact(width)) {
                on_platform.iter_mut().zip(&row[dof..]).for_each(|(sum, entry)| *sum += u * entry);
            }
            for (&j, k) in leg.joints.iter().zip(self.k.chunks_exact_mut(6)) {
                let rate: f64 = wrench.iter().zip(own.chunks_exact(width)).map(|(u, row)| u * row[j]).sum();
                k.iter_mut().zip(on_platform).for_each(|(k, force)| *k -= rate * force / square);
            }
        }
    }
}

/// Whether a matrix without units, whose entries are of the order of 1, can be solved. A matrix of one column has the
/// condition number 1 always, so that its size counts as well.
pub(super) fn is_regular(matrix: &Householder<f64>, scratch: &mut [f64]) -> bool {
    let (size, inverse) = matrix.norms_squared(scratch);
    let square = size * inverse;
    let is_small = |entry: &f64| entry.abs() < 1.0 / LARGEST_CONDITION;
    square <= LARGEST_CONDITION * LARGEST_CONDITION && !matrix.diagonal().iter().any(is_small)
}
