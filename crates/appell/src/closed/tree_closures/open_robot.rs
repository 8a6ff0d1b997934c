//! Motion of the open robot and the generalised forces on its independent velocities.

use super::super::drives::Sharing;
use super::super::refusal::{refuse_condition, refuse_massless};
use super::super::steps::{Outputs, Steps};
use super::super::{ClosedMechanism, Configuration, SingularError};
use super::{NO_PIVOT, Solver, Workspace};
use crate::dynamics::{composite_body, newton_euler};
use crate::real::Measured;

impl<T: Measured> Steps<T> for Workspace<T> {
    #[inline(always)]
    fn out(&mut self) -> &mut Outputs<T> {
        &mut self.out
    }

    /// Z at a configuration.
    fn place(&mut self, robot: &ClosedMechanism, at: &Configuration<T>) -> Result<(), SingularError> {
        self.constraints.place(robot, at);
        self.constraints.matrix(robot, &mut self.matrix);
        let (width, rows, n) = (robot.velocities(), robot.rows(), robot.freedoms().len());
        let columns = width + rows;
        // Beside A the unit matrix, which becomes the combination of rows that solves for each velocity.
        for (i, row) in self.elimination.entries().chunks_exact_mut(columns).enumerate() {
            let (of_matrix, of_unit) = row.split_at_mut(width);
            for ((entry, number), &unit) in of_matrix.iter_mut().zip(&self.matrix[i * width..]).zip(&self.units) {
                *entry = number.scale(unit);
            }
            for (k, entry) in of_unit.iter_mut().enumerate() {
                *entry = entry.constant(if i == k { 1.0 } else { 0.0 });
            }
        }
        self.elimination.eliminate(&self.dependent, NO_PIVOT);
        if self.elimination.pivots().len() < width - n || self.elimination.rest().is_nan() {
            return Err(SingularError::Constraints { condition: f64::INFINITY });
        }
        let zero = at.q[0].zero();
        self.out.z.fill(zero);
        for (c, &freedom) in self.independent.iter().enumerate() {
            self.out.z[freedom * n + c] = zero.constant(1.0);
            for &(row, k) in self.elimination.pivots() {
                let unit = self.units[k] / self.units[freedom];
                self.out.z[k * n + c] = self.elimination.entry(row, freedom).scale(-unit);
            }
        }
        for (row, &joint) in self.out.j_inv.chunks_exact_mut(n).zip(robot.driven()) {
            row.copy_from_slice(&self.out.z[joint * n..(joint + 1) * n]);
        }
        let largest = self.out.z.iter().enumerate().map(|(k, z)| {
            let (row, column) = (k / n, self.independent[k % n]);
            (z.least() * self.units[column] / self.units[row]).powi(2)
        });
        refuse_condition(largest.sum::<f64>(), |condition| SingularError::Constraints { condition })
    }

    /// u from r, and z₀.
    fn set_in_motion(&mut self, robot: &ClosedMechanism, r: &[T]) {
        let (width, rows, n) = (robot.velocities(), robot.rows(), r.len());
        for (u, row) in self.out.u.iter_mut().zip(self.out.z.chunks_exact(n)) {
            *u = row.iter().zip(r).fold(r[0].zero(), |sum, (&z, &r)| z.mul_add(r, sum));
        }
        self.constraints.set_in_motion(robot, &self.out.u);
        self.constraints.bias(robot, &mut self.bias);
        self.z_bias.fill(r[0].zero());
        for &(row, k) in self.elimination.pivots() {
            let sum =
                (0..rows).fold(r[0].zero(), |sum, i| self.elimination.entry(row, width + i).mul_add(self.bias[i], sum));
            self.z_bias[k] = sum.scale(-self.units[k]);
        }
    }

    /// u̇ = Z ṙ + z₀; without ṙ that of ṙ = 0, or none where all of u̇ is unknown.
    fn accelerate(&mut self, _robot: &ClosedMechanism, r_dot: Option<&[T]>) {
        let Outputs { u_dot, z, .. } = &mut self.out;
        u_dot.copy_from_slice(&self.z_bias);
        match r_dot {
            Some(r_dot) => {
                for (u_dot, row) in u_dot.iter_mut().zip(z.chunks_exact(r_dot.len())) {
                    *u_dot = row.iter().zip(r_dot).fold(*u_dot, |sum, (&z, &r)| z.mul_add(r, sum));
                }
            }
            None if self.solver == Solver::Kkt => u_dot.fill(z[0].zero()),
            None => {}
        }
    }

    /// w = Zᵀ h.
    fn project(&mut self, robot: &ClosedMechanism, at: &Configuration<T>, load: &[T]) {
        self.open_forces(robot, at, load);
        self.contract();
    }

    /// Zᵀ M Z.
    fn fill_inertia(&mut self, robot: &ClosedMechanism, at: &Configuration<T>) {
        self.open_inertia(robot, at);
        self.reduce_inertia(robot.freedoms().len());
    }

    /// It was found when all was placed.
    fn fill_complement(&mut self, _robot: &ClosedMechanism) {}

    /// λ of the least norm with Aᵀ λ = h: λ = A x with Aᵀ A x = h, whatever x is where A leaves it free.
    fn fill_multipliers(&mut self, robot: &ClosedMechanism, tau: &[T]) {
        self.relieve(robot, tau);
        let (width, rows) = (robot.velocities(), robot.rows());
        let (zero, units) = (self.out.u[0].zero(), &self.units);
        let entry = |i: usize, k: usize| self.matrix[i * width + k].scale(units[k]);
        let columns = width + 1;
        for (k, row) in self.gram.entries().chunks_exact_mut(columns).enumerate() {
            for (l, sum) in row[..width].iter_mut().enumerate() {
                *sum = (0..rows).fold(zero, |sum, i| entry(i, k).mul_add(entry(i, l), sum));
            }
            row[width] = self.h[k].scale(units[k]);
        }
        self.gram.eliminate_up_to(width, NO_PIVOT);
        let x = &mut self.product[..width];
        x.fill(zero);
        for &(row, k) in self.gram.pivots() {
            x[k] = self.gram.entry(row, width);
        }
        for i in 0..rows {
            self.out.multipliers[i] = (0..width).fold(zero, |sum, k| entry(i, k).mul_add(x[k], sum));
        }
    }

    fn drive(&mut self, robot: &ClosedMechanism, sharing: &Sharing) -> Result<&[T], SingularError> {
        let (n, drives) = (robot.freedoms().len(), robot.driven().len());
        sharing.expect(drives);
        if drives < n {
            return Err(SingularError::Underactuated { drives, freedoms: n });
        }
        let shared = drives > n || !sharing.preload.is_empty();
        match self.solver {
            Solver::NullSpace if shared => self.share(robot, sharing),
            Solver::NullSpace => self.hold(robot),
            Solver::Kkt if drives > n => self.solve_redundant_forces(robot, sharing)?,
            Solver::Kkt => self.solve_forces(robot)?,
        }
        let condition = self.values.condition(robot, &self.out.j_inv);
        refuse_condition(condition * condition, |condition| SingularError::Drives { condition })?;
        Ok(&self.tau)
    }

    fn solve(&mut self, robot: &ClosedMechanism, tau: &[T]) -> Result<(), SingularError> {
        self.out.cholesky.decompose(&self.out.inertia);
        refuse_massless(robot, &self.independent, &self.out.inertia, self.out.cholesky.pivots())?;
        match self.solver {
            Solver::NullSpace => {
                self.relieve(robot, tau);
                self.contract();
                let Outputs { r_dot, w, cholesky, .. } = &mut self.out;
                r_dot.iter_mut().zip(w).for_each(|(r_dot, w)| *r_dot = -*w);
                cholesky.solve(r_dot);
            }
            Solver::Kkt => {
                self.solve_kkt(robot, tau)?;
                for (r_dot, &freedom) in self.out.r_dot.iter_mut().zip(&self.independent) {
                    *r_dot = self.out.u_dot[freedom];
                }
            }
        }
        if self.out.r_dot.iter().any(|rate| !rate.least().is_finite()) {
            return Err(SingularError::NotFinite);
        }
        Ok(())
    }
}

impl<T: Measured> Workspace<T> {
    /// h of the open robot at u and u̇, less the load.
    fn open_forces(&mut self, robot: &ClosedMechanism, at: &Configuration<T>, load: &[T]) {
        let dof = robot.tree().dof();
        let (v, twist) = self.out.u.split_at(dof);
        let (a, acceleration) = self.out.u_dot.split_at(dof);
        self.h[..dof].copy_from_slice(newton_euler::inverse_dynamics(robot.tree(), &mut self.tree_forces, &at.q, v, a));
        if let Some(platform) = robot.platform() {
            let wrench = platform.needs(&at.pose.rotation, robot.tree().gravity(), twist, acceleration);
            self.h[dof..].copy_from_slice(&wrench);
        }
        for (h, &load) in self.h.iter_mut().zip(load) {
            *h = *h - load;
        }
    }

    /// M of the open robot.
    fn open_inertia(&mut self, robot: &ClosedMechanism, at: &Configuration<T>) {
        let (dof, width) = (robot.tree().dof(), robot.velocities());
        let of_tree = composite_body::inertia_matrix(robot.tree(), &mut self.tree_inertia, &at.q);
        self.inertia.fill(at.q[0].zero());
        for (row, of_tree) in self.inertia.chunks_exact_mut(width).zip(of_tree.chunks_exact(dof)) {
            row[..dof].copy_from_slice(of_tree);
        }
        if let Some(platform) = robot.platform() {
            platform.turned(&at.pose.rotation).add_inertia(&mut self.inertia[dof * width + dof..], width);
        }
    }

    /// Zᵀ M Z.
    fn reduce_inertia(&mut self, n: usize) {
        let width = self.out.u.len();
        let zero = self.out.u[0].zero();
        for (row, product) in self.inertia.chunks_exact(width).zip(self.product.chunks_exact_mut(n)) {
            for (c, entry) in product.iter_mut().enumerate() {
                *entry = row.iter().enumerate().fold(zero, |sum, (k, &m)| m.mul_add(self.out.z[k * n + c], sum));
            }
        }
        for i in 0..n {
            for c in 0..n {
                self.out.inertia[i * n + c] =
                    (0..width).fold(zero, |sum, k| self.out.z[k * n + i].mul_add(self.product[k * n + c], sum));
            }
        }
    }

    /// Takes what the drives do from h.
    fn relieve(&mut self, robot: &ClosedMechanism, tau: &[T]) {
        for (&j, &tau) in robot.driven().iter().zip(tau) {
            self.h[j] = self.h[j] - tau;
        }
    }

    /// w = Zᵀ h.
    fn contract(&mut self) {
        let n = self.out.w.len();
        let zero = self.out.u[0].zero();
        for (c, w) in self.out.w.iter_mut().enumerate() {
            *w = self.h.iter().enumerate().fold(zero, |sum, (k, &h)| self.out.z[k * n + c].mul_add(h, sum));
        }
    }
}
