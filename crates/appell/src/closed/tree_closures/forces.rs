//! Torques and forces, accelerations and reactions, once the open robot's forces are known.

use super::super::drives::{self, Sharing};
use super::super::{ClosedMechanism, LARGEST_CONDITION, SingularError};
use super::Workspace;
use crate::real::Measured;

impl<T: Measured> Workspace<T> {
    /// Torques and forces of as many drives as degrees of freedom that hold w.
    pub(super) fn hold(&mut self, robot: &ClosedMechanism) {
        let (n, drives) = (self.out.w.len(), robot.driven().len());
        let columns = drives + 1;
        for (k, row) in self.projection.entries().chunks_exact_mut(columns).enumerate() {
            let unit = drives::freedom_unit(robot, k);
            for (i, entry) in row[..drives].iter_mut().enumerate() {
                *entry = self.out.z[robot.driven()[i] * n + k].scale(unit * drives::drive_unit(robot, i));
            }
            row[drives] = self.out.w[k].scale(unit);
        }
        self.projection.eliminate_up_to(drives, 0.0);
        for &(row, i) in self.projection.pivots() {
            self.tau[i] = self.projection.entry(row, drives).scale(drives::drive_unit(robot, i));
        }
    }

    /// Redundant drives: τ = τ₀ + S² J (Jᵀ S² J)⁻¹ (w − Jᵀ τ₀), the least norm of S⁻¹ (τ − τ₀).
    pub(super) fn share(&mut self, robot: &ClosedMechanism, sharing: &Sharing) {
        let n = self.out.w.len();
        let zero = self.out.u[0].zero();
        let strength = |i: usize| (sharing.strength(i) * drives::drive_unit(robot, i)).powi(2);
        let z = &self.out.z;
        let j_inv = |i: usize, k: usize| z[robot.driven()[i] * n + k];
        let all = || 0..robot.driven().len();
        for k in 0..n {
            for l in 0..n {
                self.out.inertia[k * n + l] =
                    all().fold(zero, |sum, i| (j_inv(i, k) * j_inv(i, l)).scale_add(strength(i), sum));
            }
            self.out.r_dot[k] = all().fold(self.out.w[k], |rest, i| rest - j_inv(i, k).scale(sharing.preload(i)));
        }
        self.out.cholesky.decompose(&self.out.inertia);
        self.out.cholesky.solve(&mut self.out.r_dot);
        for (i, tau) in self.tau.iter_mut().enumerate() {
            let sum = (0..n).fold(zero, |sum, k| j_inv(i, k).mul_add(self.out.r_dot[k], sum));
            *tau = sum.scale_add(strength(i), zero.constant(sharing.preload(i)));
        }
    }

    /// τ and λ from the equations of all velocities.
    pub(super) fn solve_forces(&mut self, robot: &ClosedMechanism) -> Result<(), SingularError> {
        let (width, n) = (robot.velocities(), robot.freedoms().len());
        let (columns, units) = (width + 1, &self.units);
        let entries = self.gram.entries();
        entries.fill(self.out.u[0].zero());
        for (i, &j) in robot.driven().iter().enumerate() {
            entries[j * columns + i] = self.out.u[0].constant(1.0);
        }
        for (m, &(row, _)) in self.elimination.pivots().iter().enumerate() {
            for k in 0..width {
                entries[k * columns + n + m] = self.matrix[row * width + k].scale(units[k]);
            }
        }
        for k in 0..width {
            entries[k * columns + width] = self.h[k].scale(units[k]);
        }
        self.gram.eliminate_up_to(width, 1.0 / LARGEST_CONDITION);
        if self.gram.pivots().len() < width {
            return Err(SingularError::Drives { condition: f64::INFINITY });
        }
        for &(row, k) in self.gram.pivots().iter().filter(|(_, k)| *k < n) {
            self.tau[k] = self.gram.entry(row, width).scale(1.0 / units[robot.driven()[k]]);
        }
        Ok(())
    }

    /// τ, λ and ν of redundant drives. Without units S² is that of the strengths alone.
    pub(super) fn solve_redundant_forces(
        &mut self,
        robot: &ClosedMechanism,
        sharing: &Sharing,
    ) -> Result<(), SingularError> {
        let (width, zero) = (robot.velocities(), self.out.u[0].zero());
        let size = width + self.elimination.pivots().len();
        let columns = size + 1;
        let entries = self.kkt.entries();
        entries.fill(zero);
        for k in 0..width {
            entries[k * columns + size] = self.h[k].scale(self.units[k]);
        }
        for (i, &j) in robot.driven().iter().enumerate() {
            entries[j * columns + j] = zero.constant(sharing.strength(i).powi(2));
            let demand = &mut entries[j * columns + size];
            *demand = *demand - zero.constant(sharing.preload(i) * self.units[j]);
        }
        self.border_kkt(false);
        self.kkt.eliminate_up_to(size, 0.0);
        if self.kkt.pivots().len() < size {
            return Err(SingularError::Drives { condition: f64::INFINITY });
        }
        for &(row, k) in self.kkt.pivots() {
            if let Some(i) = robot.driven().iter().position(|&j| j == k) {
                let share = sharing.strength(i).powi(2) / self.units[k];
                self.tau[i] = self.kkt.entry(row, size).scale_add(share, zero.constant(sharing.preload(i)));
            }
        }
        Ok(())
    }

    /// Writes the constraints below and beside what stands in `kkt`, A and −Aᵀ without units; `accelerated` where they
    /// are those of u̇, which have a right-hand side −b.
    fn border_kkt(&mut self, accelerated: bool) {
        let (width, rank) = (self.out.u.len(), self.elimination.pivots().len());
        let columns = width + rank + 1;
        let entries = self.kkt.entries();
        for (m, &(row, _)) in self.elimination.pivots().iter().enumerate() {
            for k in 0..width {
                let entry = self.matrix[row * width + k].scale(self.units[k]);
                entries[(width + m) * columns + k] = entry;
                entries[k * columns + width + m] = -entry;
            }
            if accelerated {
                entries[(width + m) * columns + width + rank] = -self.bias[row];
            }
        }
    }

    /// u̇ and λ from all equations together.
    pub(super) fn solve_kkt(&mut self, robot: &ClosedMechanism, tau: &[T]) -> Result<(), SingularError> {
        let width = robot.velocities();
        let size = width + self.elimination.pivots().len();
        let columns = size + 1;
        let entries = self.kkt.entries();
        entries.fill(tau.first().map_or(self.out.u[0], |&tau| tau).zero());
        for i in 0..width {
            for k in 0..width {
                entries[i * columns + k] = self.inertia[i * width + k].scale(self.units[i] * self.units[k]);
            }
            entries[i * columns + size] = self.h[i].scale(-self.units[i]);
        }
        for (&j, &tau) in robot.driven().iter().zip(tau) {
            let entry = &mut entries[j * columns + size];
            *entry = tau.scale_add(self.units[j], *entry);
        }
        self.border_kkt(true);
        self.kkt.eliminate_up_to(size, 0.0);
        if self.kkt.pivots().len() < size {
            return Err(SingularError::Massless { freedom: robot.freedom_names()[0].clone(), pivot: self.kkt.rest() });
        }
        self.out.multipliers.fill(self.out.u[0].zero());
        for &(row, k) in self.kkt.pivots() {
            let value = self.kkt.entry(row, size);
            match k.checked_sub(width) {
                None => self.out.u_dot[k] = value.scale(self.units[k]),
                Some(m) => self.out.multipliers[self.elimination.pivots()[m].0] = value,
            }
        }
        Ok(())
    }
}
