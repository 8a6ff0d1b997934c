//! Torques and forces, accelerations and reactions, once the open robot's forces are known.

use super::super::drives::{self, Sharing};
use super::super::refusal::refuse_condition;
use super::super::{ClosedMechanism, Configuration, LARGEST_CONDITION, SingularError};
use super::{NO_PIVOT, Workspace};
use crate::real::Measured;

impl<T: Measured> Workspace<T> {
    /// Torques and forces for the motion found last, of a robot that moves alike and may have other bodies.
    pub(in crate::closed) fn efforts_of_motion(
        &mut self,
        robot: &ClosedMechanism,
        at: &Configuration<T>,
        sharing: &Sharing,
    ) -> Result<&[T], SingularError> {
        self.open_forces(robot, at, &[]);
        self.project();
        self.drive(robot, sharing)?;
        Ok(&self.tau)
    }

    /// Torques and forces of the drives that hold w.
    pub(super) fn drive(&mut self, robot: &ClosedMechanism, sharing: &Sharing) -> Result<(), SingularError> {
        let (n, drives) = (self.w.len(), robot.driven().len());
        sharing.expect(drives);
        if drives < n {
            return Err(SingularError::Underactuated { drives, freedoms: n });
        }
        if drives > n || !sharing.preload.is_empty() {
            return self.share(robot, sharing);
        }
        let columns = drives + 1;
        for (k, row) in self.projection.entries().chunks_exact_mut(columns).enumerate() {
            let unit = drives::freedom_unit(robot, k);
            for (i, entry) in row[..drives].iter_mut().enumerate() {
                *entry = self.z[robot.driven()[i] * n + k].scale(unit * drives::drive_unit(robot, i));
            }
            row[drives] = self.w[k].scale(unit);
        }
        self.projection.eliminate_up_to(drives, 0.0);
        for &(row, i) in self.projection.pivots() {
            self.tau[i] = self.projection.entry(row, drives).scale(drives::drive_unit(robot, i));
        }
        self.refuse_uncontrolled(robot)
    }

    /// Redundant drives: τ = τ₀ + S² J (Jᵀ S² J)⁻¹ (w − Jᵀ τ₀), the least norm of S⁻¹ (τ − τ₀).
    pub(super) fn share(&mut self, robot: &ClosedMechanism, sharing: &Sharing) -> Result<(), SingularError> {
        let n = self.w.len();
        let zero = self.u[0].zero();
        let strength = |i: usize| (sharing.strength(i) * drives::drive_unit(robot, i)).powi(2);
        let z = &self.z;
        let j_inv = |i: usize, k: usize| z[robot.driven()[i] * n + k];
        let all = || 0..robot.driven().len();
        for k in 0..n {
            for l in 0..n {
                self.reduced[k * n + l] =
                    all().fold(zero, |sum, i| (j_inv(i, k) * j_inv(i, l)).scale_add(strength(i), sum));
            }
            self.answer[k] = all().fold(self.w[k], |rest, i| rest - j_inv(i, k).scale(sharing.preload(i)));
        }
        self.cholesky.decompose(&self.reduced);
        self.cholesky.solve(&mut self.answer);
        for (i, tau) in self.tau.iter_mut().enumerate() {
            let sum = (0..n).fold(zero, |sum, k| j_inv(i, k).mul_add(self.answer[k], sum));
            *tau = sum.scale_add(strength(i), zero.constant(sharing.preload(i)));
        }
        self.refuse_uncontrolled(robot)
    }

    pub(super) fn refuse_uncontrolled(&mut self, robot: &ClosedMechanism) -> Result<(), SingularError> {
        drives::rows_of_drives(robot, &self.z, &mut self.j_inv);
        let condition = self.values.condition(robot, &self.j_inv);
        refuse_condition(condition * condition, |condition| SingularError::Drives { condition })
    }

    /// λ of the least norm with Aᵀ λ = h: λ = A x with Aᵀ A x = h, whatever x is where A leaves it free.
    pub(super) fn fill_multipliers(&mut self, robot: &ClosedMechanism) {
        let (width, rows) = (robot.velocities(), robot.rows());
        let (zero, units) = (self.u[0].zero(), &self.units);
        let entry = |i: usize, k: usize| self.matrix[i * width + k].scale(units[k]);
        let columns = width + 1;
        for (k, row) in self.gram.entries().chunks_exact_mut(columns).enumerate() {
            for (l, sum) in row[..width].iter_mut().enumerate() {
                *sum = (0..rows).fold(zero, |sum, i| entry(i, k).mul_add(entry(i, l), sum));
            }
            row[width] = self.h[k].scale(units[k]);
        }
        self.gram.eliminate_up_to(width, NO_PIVOT);
        self.u_dot.fill(zero);
        for &(row, k) in self.gram.pivots() {
            self.u_dot[k] = self.gram.entry(row, width);
        }
        for i in 0..rows {
            self.multipliers[i] = (0..width).fold(zero, |sum, k| entry(i, k).mul_add(self.u_dot[k], sum));
        }
    }

    /// τ and λ from the equations of all velocities.
    pub(super) fn solve_forces(&mut self, robot: &ClosedMechanism, sharing: &Sharing) -> Result<(), SingularError> {
        let (width, n, drives) = (robot.velocities(), robot.freedoms().len(), robot.driven().len());
        sharing.expect(drives);
        if drives < n {
            return Err(SingularError::Underactuated { drives, freedoms: n });
        }
        if drives > n {
            return self.solve_redundant_forces(robot, sharing);
        }
        let (columns, units) = (width + 1, &self.units);
        let entries = self.gram.entries();
        entries.fill(self.u[0].zero());
        for (i, &j) in robot.driven().iter().enumerate() {
            entries[j * columns + i] = self.u[0].constant(1.0);
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
        self.refuse_uncontrolled(robot)
    }

    /// τ, λ and ν of redundant drives. Without units S² is that of the strengths alone.
    fn solve_redundant_forces(&mut self, robot: &ClosedMechanism, sharing: &Sharing) -> Result<(), SingularError> {
        let (width, zero) = (robot.velocities(), self.u[0].zero());
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
        self.refuse_uncontrolled(robot)
    }

    /// Writes the constraints below and beside what stands in `kkt`, A and −Aᵀ without units; `accelerated` where they
    /// are those of u̇, which have a right-hand side −b.
    fn border_kkt(&mut self, accelerated: bool) {
        let (width, rank) = (self.u.len(), self.elimination.pivots().len());
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
        entries.fill(tau.first().map_or(self.u[0], |&tau| tau).zero());
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
        self.multipliers.fill(self.u[0].zero());
        for &(row, k) in self.kkt.pivots() {
            let value = self.kkt.entry(row, size);
            match k.checked_sub(width) {
                None => self.u_dot[k] = value.scale(self.units[k]),
                Some(m) => self.multipliers[self.elimination.pivots()[m].0] = value,
            }
        }
        Ok(())
    }
}
