//! Reactions by the singular values of the closure Jacobian, and by Newton and Euler.
//!
//! ```text
//! A = U Σ Vᵀ        Aᵀ λ = h        λ = Σ_k u_k (u_k · A h) / σ_k²        over the σ_k that are not zero
//! ```
//!
//! which is of the least norm, because what is left out of λ is what Aᵀ does not see. h = M u̇ + c − E τ less the load is by
//! Gibbs and Appell, the platform's part by its parameters. Away from singularities so many σ_k are not zero as there are dependent velocities: no tolerance
//! decides.

use super::super::constraints::Constraints;
use super::super::regressor::platform_columns;
use super::super::{ClosedMechanism, Configuration, On};
use crate::dynamics::reactions::{self, ExternalWrench};
use crate::dynamics::{gibbs_appell_tensor, newton_euler};
use crate::linear::{Jacobi, dot};
use crate::spatial::Wrench;

/// Workspace for the multipliers and the tree's reactions.
#[derive(Debug, Clone)]
pub(super) struct SingularValues {
    forces: gibbs_appell_tensor::Workspace,
    matrix: Vec<f64>, // A, row by row, velocities as lengths
    h: Vec<f64>,      // likewise
    a_h: Vec<f64>,    // A h
    jacobi: Jacobi,
    multipliers: Vec<f64>, // λ
    bodies: newton_euler::Workspace,
    external: Vec<ExternalWrench>, // on each body, at the origin of its own frame
    carried: reactions::Workspace,
}

impl SingularValues {
    pub(super) fn new(robot: &ClosedMechanism) -> Self {
        let (rows, width, tree) = (robot.rows(), robot.velocities(), robot.tree());
        Self {
            forces: gibbs_appell_tensor::Workspace::new(tree),
            matrix: vec![0.0; rows * width],
            h: vec![0.0; width],
            a_h: vec![0.0; rows],
            jacobi: Jacobi::new(rows, width),
            multipliers: vec![0.0; rows],
            bodies: newton_euler::Workspace::new(tree),
            external: (0..tree.dof()).map(|frame| ExternalWrench { frame, wrench: Wrench::zero(0.0) }).collect(),
            carried: reactions::Workspace::new(tree),
        }
    }

    /// λ of a motion u, u̇ under the drives' torques and forces and a load; `constraints` are placed.
    pub(super) fn multipliers(
        &mut self,
        robot: &ClosedMechanism,
        constraints: &Constraints<f64>,
        at: &Configuration,
        [u, u_dot]: [&[f64]; 2],
        tau: &[f64],
        load: &[f64],
    ) -> &[f64] {
        // h: what the motion demands of all velocities, as lengths, less what drives and load give.
        let dof = robot.tree().dof();
        let ((v, twist), (a, acceleration)) = (u.split_at(dof), u_dot.split_at(dof));
        let of_tree = gibbs_appell_tensor::inverse_dynamics(robot.tree(), &mut self.forces, &at.q, v, a);
        self.h[..dof].copy_from_slice(of_tree);
        if let Some(platform) = robot.platform() {
            let units = platform_columns(robot, at, twist, acceleration);
            for (k, h) in self.h[dof..].iter_mut().enumerate() {
                *h = units.iter().zip(platform.parameters()).map(|(unit, much)| unit.to_array()[k] * much).sum();
            }
        }
        self.h.iter_mut().zip(load).for_each(|(h, load)| *h -= load);
        robot.driven().iter().zip(tau).for_each(|(&j, tau)| self.h[j] -= tau);
        self.h.iter_mut().enumerate().for_each(|(k, h)| *h /= robot.length_scale(k));
        constraints.matrix(robot, &mut self.matrix);
        let width = robot.velocities();
        for (product, row) in self.a_h.iter_mut().zip(self.matrix.chunks_exact_mut(width)) {
            row.iter_mut().enumerate().for_each(|(k, entry)| *entry /= robot.length_scale(k));
            *product = dot(row, &self.h);
        }
        self.jacobi.decompose(&self.matrix);
        self.multipliers.fill(0.0);
        let dependent = width - robot.freedoms().len();
        for (k, &value) in self.jacobi.values().iter().enumerate().take(dependent) {
            let left = self.jacobi.left(k);
            let share = dot(left, &self.a_h) / (value * value);
            self.multipliers.iter_mut().zip(left).for_each(|(multiplier, u)| *multiplier += share * u);
        }
        &self.multipliers
    }

    /// What each joint of the tree transmits, under wrenches `outside` on the bodies, about their origins in base axes.
    pub(super) fn of_tree(
        &mut self,
        robot: &ClosedMechanism,
        constraints: &Constraints<f64>,
        at: &Configuration,
        [v, a]: [&[f64]; 2],
        outside: &[Wrench],
        joints: &mut [Wrench],
    ) {
        let tree = robot.tree();
        for (j, (external, outside)) in self.external.iter_mut().zip(outside).enumerate() {
            let rotation = constraints.carrier(On::Body(j)).pose.rotation;
            external.wrench = outside.about(-(rotation * tree.frames()[j].body_from_frame.position));
        }
        let taken_off = reactions::external_reactions(tree, &mut self.carried, &at.q, &self.external);
        let of_motion = newton_euler::reactions(tree, &mut self.bodies, &at.q, v, a);
        for ((joint, of_motion), &taken_off) in joints.iter_mut().zip(of_motion).zip(taken_off) {
            *joint = of_motion - taken_off;
        }
    }
}
