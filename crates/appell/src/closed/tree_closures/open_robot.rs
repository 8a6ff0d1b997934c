//! Motion of the open robot and the generalised forces on its independent velocities.

use super::super::refusal::refuse_condition;
use super::super::{ClosedMechanism, Configuration, SingularError};
use super::{NO_PIVOT, Workspace};
use crate::dynamics::{composite_body, newton_euler};
use crate::real::Measured;
use crate::spatial::Vec3;

impl<T: Measured> Workspace<T> {
    /// Z at a configuration.
    pub(super) fn place(&mut self, robot: &ClosedMechanism, at: &Configuration<T>) -> Result<(), SingularError> {
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
        self.z.fill(zero);
        for (c, &freedom) in robot.freedoms().iter().enumerate() {
            self.z[freedom * n + c] = zero.constant(1.0);
            for &(row, k) in self.elimination.pivots() {
                let unit = self.units[k] / self.units[freedom];
                self.z[k * n + c] = self.elimination.entry(row, freedom).scale(-unit);
            }
        }
        let largest = self.z.iter().enumerate().map(|(k, z)| {
            let (row, column) = (k / n, robot.freedoms()[k % n]);
            (z.least() * self.units[column] / self.units[row]).powi(2)
        });
        refuse_condition(largest.sum::<f64>(), |condition| SingularError::Constraints { condition })
    }

    /// u from r, and z₀.
    pub(super) fn set_in_motion(&mut self, robot: &ClosedMechanism, r: &[T]) {
        let (width, rows, n) = (robot.velocities(), robot.rows(), r.len());
        for (u, row) in self.u.iter_mut().zip(self.z.chunks_exact(n)) {
            *u = row.iter().zip(r).fold(r[0].zero(), |sum, (&z, &r)| z.mul_add(r, sum));
        }
        self.constraints.set_in_motion(robot, &self.u);
        self.constraints.bias(robot, &mut self.bias);
        self.z_bias.fill(r[0].zero());
        for &(row, k) in self.elimination.pivots() {
            let sum =
                (0..rows).fold(r[0].zero(), |sum, i| self.elimination.entry(row, width + i).mul_add(self.bias[i], sum));
            self.z_bias[k] = sum.scale(-self.units[k]);
        }
    }

    /// u̇ = Z ṙ + z₀.
    pub(super) fn accelerate(&mut self, r_dot: &[T]) {
        let n = r_dot.len();
        for ((u_dot, &bias), row) in self.u_dot.iter_mut().zip(&self.z_bias).zip(self.z.chunks_exact(n)) {
            *u_dot = row.iter().zip(r_dot).fold(bias, |sum, (&z, &r)| z.mul_add(r, sum));
        }
    }

    /// h of the open robot at u and u̇, less the load.
    pub(super) fn open_forces(&mut self, robot: &ClosedMechanism, at: &Configuration<T>, load: &[T]) {
        let dof = robot.tree().dof();
        let (v, twist) = self.u.split_at(dof);
        let (a, acceleration) = self.u_dot.split_at(dof);
        self.h[..dof].copy_from_slice(newton_euler::inverse_dynamics(robot.tree(), &mut self.tree_forces, &at.q, v, a));
        if let (Some(platform), &[_, _, _, wx, wy, wz], &[ax, ay, az, ex, ey, ez]) =
            (robot.platform(), twist, acceleration)
        {
            let gravity = robot.tree().gravity().lift(v[0]);
            let turned = platform.turned(&at.pose.rotation);
            let wrench = turned.wrench(Vec3::new(wx, wy, wz), Vec3::new(ax, ay, az) - gravity, Vec3::new(ex, ey, ez));
            self.h[dof..].copy_from_slice(&wrench.to_array());
        }
        robot.expect_load(load);
        for (h, &load) in self.h.iter_mut().zip(load) {
            *h = *h - load;
        }
    }

    /// M of the open robot.
    pub(super) fn open_inertia(&mut self, robot: &ClosedMechanism, at: &Configuration<T>) {
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
    pub(super) fn reduce_inertia(&mut self, n: usize) {
        let width = self.u.len();
        let zero = self.u[0].zero();
        for (row, product) in self.inertia.chunks_exact(width).zip(self.product.chunks_exact_mut(n)) {
            for (c, entry) in product.iter_mut().enumerate() {
                *entry = row.iter().enumerate().fold(zero, |sum, (k, &m)| m.mul_add(self.z[k * n + c], sum));
            }
        }
        for i in 0..n {
            for c in 0..n {
                self.reduced[i * n + c] =
                    (0..width).fold(zero, |sum, k| self.z[k * n + i].mul_add(self.product[k * n + c], sum));
            }
        }
    }

    /// w = Zᵀ h.
    pub(super) fn project(&mut self) {
        let n = self.w.len();
        let zero = self.u[0].zero();
        for (c, w) in self.w.iter_mut().enumerate() {
            *w = self.h.iter().enumerate().fold(zero, |sum, (k, &h)| self.z[k * n + c].mul_add(h, sum));
        }
    }
}
