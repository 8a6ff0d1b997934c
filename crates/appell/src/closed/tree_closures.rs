//! Dynamics of any closed mechanism: its tree, opened at every closing joint, and the constraints A u = 0.
//!
//! ```text
//! u = Z r,  u̇ = Z ṙ + z₀          A solved for the dependent velocities, the largest pivot first
//! w = Zᵀ h                        h = M u̇ + c of the open tree, by Newton and Euler, and of the platform
//! τ_a = Z_a⁻ᵀ w                    projection on the driven joints
//! (Zᵀ M Z) ṙ = Zᵀ (τ − h at z₀)    forward dynamics in the null space of A
//! ⎡ M  −Aᵀ⎤ ⎡u̇⎤   ⎡τ − c⎤
//! ⎣ A   0 ⎦ ⎣λ⎦ = ⎣ −b  ⎦          the same with all velocities and reactions as unknowns (KKT)
//! ```
//!
//! Rows of A that repeat others are found by their pivots and left out. This is the referee of
//! [`legs_platform`](super::legs_platform), and the method for everything that is not of legs and a platform: slower,
//! because it knows nothing of the structure.

use super::constraints::Constraints;
use super::drives::{Sharing, SingularValues};
use super::singular::{refuse_condition, refuse_massless};
use super::{ClosedMechanism, Configuration, SingularError, drives};
use crate::description::JointKind;
use crate::dynamics::{composite_body, newton_euler};
use crate::linear::{Cholesky, Elimination};
use crate::real::Measured;
use crate::spatial::Vec3;

/// An entry of A without units below this is no pivot.
const NO_PIVOT: f64 = 1e-9;

/// What the steps keep.
#[derive(Debug, Clone)]
pub struct Workspace<T = f64> {
    constraints: Constraints<T>,
    matrix: Vec<T>, // A, row by row
    bias: Vec<T>,   // b
    elimination: Elimination<T>,
    dependent: Vec<bool>, // of u
    units: Vec<f64>,      // of u: what each counts as a length
    z: Vec<T>,            // Z, row by row
    z_bias: Vec<T>,       // z₀
    u: Vec<T>,
    u_dot: Vec<T>,
    h: Vec<T>,       // forces of the open robot on u
    inertia: Vec<T>, // M of the open robot
    product: Vec<T>, // M Z
    reduced: Vec<T>, // Zᵀ M Z
    w: Vec<T>,
    cholesky: Cholesky<T>,
    projection: Elimination<T>, // for τ
    j_inv: Vec<T>,              // Z_a, row by row
    values: SingularValues,     // of it
    kkt: Elimination<T>,
    gram: Elimination<T>, // systems of a row a velocity, and a right-hand side
    tau: Vec<T>,
    answer: Vec<T>,
    multipliers: Vec<T>,
    tree_forces: newton_euler::Workspace<T>,
    tree_inertia: composite_body::Workspace<T>,
}

/// How forward dynamics is solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Solver {
    /// For the independent velocities alone.
    #[default]
    NullSpace,
    /// For all velocities and the reactions together.
    Kkt,
}

impl Workspace<f64> {
    /// A workspace for this robot.
    #[must_use]
    pub fn new(robot: &ClosedMechanism) -> Self {
        Self::over(robot, 0.0)
    }
}

impl<T: Measured> Workspace<T> {
    /// A workspace for this robot over the numbers of the kind of `witness`.
    #[must_use]
    pub fn over(robot: &ClosedMechanism, witness: T) -> Self {
        let (zero, width, rows, n) = (witness.zero(), robot.velocities(), robot.rows(), robot.freedoms().len());
        let joints = robot.tree().links().iter().map(|link| match link.joint {
            JointKind::Revolute => 1.0 / robot.length(),
            JointKind::Prismatic => 1.0,
        });
        let platform = [1.0, 1.0, 1.0].into_iter().chain([1.0 / robot.length(); 3]);
        let size = width + robot.mobility().rank;
        Self {
            constraints: Constraints::over(robot, witness),
            matrix: vec![zero; rows * width],
            bias: vec![zero; rows],
            elimination: Elimination::new(rows, width + rows, witness),
            dependent: (0..width).map(|k| !robot.freedoms().contains(&k)).collect(),
            units: joints.chain(platform).take(width).collect(),
            z: vec![zero; width * n],
            z_bias: vec![zero; width],
            u: vec![zero; width],
            u_dot: vec![zero; width],
            h: vec![zero; width],
            inertia: vec![zero; width * width],
            product: vec![zero; width * n],
            reduced: vec![zero; n * n],
            w: vec![zero; n],
            cholesky: Cholesky::new(n, witness),
            projection: Elimination::new(n, robot.driven().len() + 1, witness),
            j_inv: vec![zero; n * robot.driven().len()],
            values: SingularValues::new(robot),
            kkt: Elimination::new(size, size + 1, witness),
            gram: Elimination::new(width, width + 1, witness),
            tau: vec![zero; robot.driven().len()],
            answer: vec![zero; n],
            multipliers: vec![zero; rows],
            tree_forces: newton_euler::Workspace::over(robot.tree(), witness),
            tree_inertia: composite_body::Workspace::over(robot.tree(), witness),
        }
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
    fn set_in_motion(&mut self, robot: &ClosedMechanism, r: &[T]) {
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
    fn accelerate(&mut self, r_dot: &[T]) {
        let n = r_dot.len();
        for ((u_dot, &bias), row) in self.u_dot.iter_mut().zip(&self.z_bias).zip(self.z.chunks_exact(n)) {
            *u_dot = row.iter().zip(r_dot).fold(bias, |sum, (&z, &r)| z.mul_add(r, sum));
        }
    }

    /// h of the open robot at u and u̇, less the load.
    fn open_forces(&mut self, robot: &ClosedMechanism, at: &Configuration<T>, load: &[T]) {
        let dof = robot.tree().dof();
        let (v, twist) = self.u.split_at(dof);
        let (a, growth) = self.u_dot.split_at(dof);
        self.h[..dof].copy_from_slice(newton_euler::inverse_dynamics(robot.tree(), &mut self.tree_forces, &at.q, v, a));
        if let (Some(platform), &[_, _, _, wx, wy, wz], &[ax, ay, az, ex, ey, ez]) = (robot.platform(), twist, growth) {
            let gravity = robot.tree().gravity().lift(v[0]);
            let turned = platform.turned(&at.pose.rotation);
            let wrench = turned.wrench(Vec3::new(wx, wy, wz), Vec3::new(ax, ay, az) - gravity, Vec3::new(ex, ey, ez));
            self.h[dof..].copy_from_slice(&wrench.to_array());
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
    fn project(&mut self) {
        let n = self.w.len();
        let zero = self.u[0].zero();
        for (c, w) in self.w.iter_mut().enumerate() {
            *w = self.h.iter().enumerate().fold(zero, |sum, (k, &h)| self.z[k * n + c].mul_add(h, sum));
        }
    }

    /// Efforts of the drives that hold w.
    fn drive(&mut self, robot: &ClosedMechanism, sharing: &Sharing) -> Result<(), SingularError> {
        let (n, drives) = (self.w.len(), robot.driven().len());
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
    fn share(&mut self, robot: &ClosedMechanism, sharing: &Sharing) -> Result<(), SingularError> {
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

    fn refuse_uncontrolled(&mut self, robot: &ClosedMechanism) -> Result<(), SingularError> {
        let n = self.w.len();
        for (row, &j) in self.j_inv.chunks_exact_mut(n).zip(robot.driven()) {
            row.copy_from_slice(&self.z[j * n..(j + 1) * n]);
        }
        let condition = self.values.condition(robot, &self.j_inv);
        refuse_condition(condition * condition, |condition| SingularError::Drives { condition })
    }

    /// λ of the least norm with Aᵀ λ = h: λ = A x with Aᵀ A x = h, whatever x is where A leaves it free.
    fn fill_multipliers(&mut self, robot: &ClosedMechanism) {
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
    fn solve_forces(&mut self, robot: &ClosedMechanism) -> Result<(), SingularError> {
        let (width, n, drives) = (robot.velocities(), robot.freedoms().len(), robot.driven().len());
        if drives != n {
            return Err(SingularError::Underactuated { drives, freedoms: n });
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
        self.gram.eliminate_up_to(width, 1.0 / super::LARGEST_CONDITION);
        if self.gram.pivots().len() < width {
            return Err(SingularError::Drives { condition: f64::INFINITY });
        }
        for &(row, k) in self.gram.pivots().iter().filter(|(_, k)| *k < n) {
            self.tau[k] = self.gram.entry(row, width).scale(1.0 / units[robot.driven()[k]]);
        }
        self.refuse_uncontrolled(robot)
    }

    /// u̇ and λ from all equations together.
    fn solve_kkt(&mut self, robot: &ClosedMechanism, tau: &[T]) -> Result<(), SingularError> {
        let width = robot.velocities();
        let rank = self.elimination.pivots().len();
        let columns = width + rank + 1;
        let entries = self.kkt.entries();
        entries.fill(tau.first().map_or(self.u[0], |&tau| tau).zero());
        let units = &self.units;
        for i in 0..width {
            for k in 0..width {
                entries[i * columns + k] = self.inertia[i * width + k].scale(units[i] * units[k]);
            }
            entries[i * columns + width + rank] = self.h[i].scale(-units[i]);
        }
        for (&j, &tau) in robot.driven().iter().zip(tau) {
            let entry = &mut entries[j * columns + width + rank];
            *entry = tau.scale_add(units[j], *entry);
        }
        for (m, &(row, _)) in self.elimination.pivots().iter().enumerate() {
            for k in 0..width {
                let entry = self.matrix[row * width + k].scale(units[k]);
                entries[(width + m) * columns + k] = entry;
                entries[k * columns + width + m] = -entry;
            }
            entries[(width + m) * columns + width + rank] = -self.bias[row];
        }
        self.kkt.eliminate_up_to(width + rank, 0.0);
        if self.kkt.pivots().len() < width + rank {
            return Err(SingularError::Massless { freedom: robot.freedom_names()[0].clone(), pivot: self.kkt.rest() });
        }
        self.multipliers.fill(self.u[0].zero());
        for &(row, k) in self.kkt.pivots() {
            let value = self.kkt.entry(row, width + rank);
            match k.checked_sub(width) {
                None => self.u_dot[k] = value.scale(units[k]),
                Some(m) => self.multipliers[self.elimination.pivots()[m].0] = value,
            }
        }
        Ok(())
    }
}

/// Efforts of the drives that move the robot so, by projection on the driven joints; arguments as of
/// [`legs_platform::inverse_dynamics`](super::legs_platform::inverse_dynamics).
///
/// # Errors
/// Near a singularity, with the condition number; and if there are fewer drives than freedoms.
///
/// # Panics
/// If a slice has not one number a freedom, or `at` belongs to another robot.
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
    ws.drive(robot, sharing)?;
    Ok(&ws.tau)
}

/// Efforts of as many drives as freedoms, with the reactions as further unknowns: S τ + Aᵀ λ = M u̇ + c, solved as it
/// stands. No freedom is chosen and nothing is projected: the referee of [`inverse_dynamics`].
///
/// # Errors
/// Where the constraints are singular, or the drives cannot hold the robot; and if there are not as many drives as
/// freedoms.
///
/// # Panics
/// If a slice has not one number a freedom, or `at` belongs to another robot.
pub fn inverse_dynamics_with_reactions<'w, T: Measured>(
    robot: &ClosedMechanism,
    ws: &'w mut Workspace<T>,
    at: &Configuration<T>,
    r: &[T],
    r_dot: &[T],
    load: &[T],
) -> Result<&'w [T], SingularError> {
    motion(robot, ws, at, r, r_dot)?;
    ws.open_forces(robot, at, load);
    ws.solve_forces(robot)?;
    Ok(&ws.tau)
}

/// What the freedoms feel of a motion, w = Zᵀ (M u̇ + c) less the load's part.
///
/// # Errors
/// Where the constraints are singular.
///
/// # Panics
/// If a slice has not one number a freedom, or `at` belongs to another robot.
pub fn generalised_forces<'w, T: Measured>(
    robot: &ClosedMechanism,
    ws: &'w mut Workspace<T>,
    at: &Configuration<T>,
    r: &[T],
    r_dot: &[T],
    load: &[T],
) -> Result<&'w [T], SingularError> {
    motion(robot, ws, at, r, r_dot)?;
    ws.open_forces(robot, at, load);
    ws.project();
    Ok(&ws.w)
}

/// All velocities u and their rates, of a motion of the independent ones.
///
/// # Errors
/// Where the constraints are singular.
///
/// # Panics
/// If a slice has not one number a freedom, or `at` belongs to another robot.
pub fn motion<'w, T: Measured>(
    robot: &ClosedMechanism,
    ws: &'w mut Workspace<T>,
    at: &Configuration<T>,
    r: &[T],
    r_dot: &[T],
) -> Result<(&'w [T], &'w [T]), SingularError> {
    robot.expect(at, &[r, r_dot]);
    ws.place(robot, at)?;
    ws.set_in_motion(robot, r);
    ws.accelerate(r_dot);
    Ok((&ws.u, &ws.u_dot))
}

/// Zᵀ M Z, n × n row by row.
///
/// # Errors
/// Where the constraints are singular.
///
/// # Panics
/// If `at` belongs to another robot.
pub fn inertia_matrix<'w, T: Measured>(
    robot: &ClosedMechanism,
    ws: &'w mut Workspace<T>,
    at: &Configuration<T>,
) -> Result<&'w [T], SingularError> {
    robot.expect(at, &[]);
    ws.place(robot, at)?;
    ws.open_inertia(robot, at);
    ws.reduce_inertia(robot.freedoms().len());
    Ok(&ws.reduced)
}

/// Z, velocities u by row, freedoms by column.
///
/// # Errors
/// Where the constraints are singular.
///
/// # Panics
/// If `at` belongs to another robot.
pub fn complement<'w, T: Measured>(
    robot: &ClosedMechanism,
    ws: &'w mut Workspace<T>,
    at: &Configuration<T>,
) -> Result<&'w [T], SingularError> {
    robot.expect(at, &[]);
    ws.place(robot, at)?;
    Ok(&ws.z)
}

/// The multipliers of all constraints, of the least norm, of a motion under the drives' efforts `tau`.
///
/// # Errors
/// Where the constraints are singular.
///
/// # Panics
/// If a slice has not one number a freedom or a drive, or `at` belongs to another robot.
pub fn multipliers<'w, T: Measured>(
    robot: &ClosedMechanism,
    ws: &'w mut Workspace<T>,
    at: &Configuration<T>,
    r: &[T],
    r_dot: &[T],
    tau: &[T],
    load: &[T],
) -> Result<&'w [T], SingularError> {
    assert_eq!(tau.len(), robot.driven().len(), "one effort a drive");
    generalised_forces(robot, ws, at, r, r_dot, load)?;
    for (&j, &tau) in robot.driven().iter().zip(tau) {
        ws.h[j] = ws.h[j] - tau;
    }
    ws.fill_multipliers(robot);
    Ok(&ws.multipliers)
}

/// Rates of the independent velocities that the drives' efforts give.
///
/// # Errors
/// Where the constraints are singular, or a freedom moves no mass.
///
/// # Panics
/// If a slice has not one number a freedom or a drive, or `at` belongs to another robot.
pub fn forward_dynamics<'w, T: Measured>(
    robot: &ClosedMechanism,
    ws: &'w mut Workspace<T>,
    at: &Configuration<T>,
    r: &[T],
    tau: &[T],
    load: &[T],
    solver: Solver,
) -> Result<&'w [T], SingularError> {
    robot.expect(at, &[r]);
    assert_eq!(tau.len(), robot.driven().len(), "one effort a drive");
    let n = robot.freedoms().len();
    ws.place(robot, at)?;
    ws.set_in_motion(robot, r);
    ws.open_inertia(robot, at);
    ws.reduce_inertia(n);
    ws.cholesky.decompose(&ws.reduced);
    refuse_massless(robot, &ws.reduced, ws.cholesky.pivots())?;
    match solver {
        Solver::NullSpace => {
            ws.u_dot.copy_from_slice(&ws.z_bias);
            ws.open_forces(robot, at, load);
            for (&j, &tau) in robot.driven().iter().zip(tau) {
                ws.h[j] = ws.h[j] - tau;
            }
            ws.project();
            ws.answer.iter_mut().zip(&ws.w).for_each(|(answer, &w)| *answer = -w);
            ws.cholesky.solve(&mut ws.answer);
        }
        Solver::Kkt => {
            ws.u_dot.fill(r[0].zero());
            ws.open_forces(robot, at, load);
            ws.solve_kkt(robot, tau)?;
            for (answer, &freedom) in ws.answer.iter_mut().zip(robot.freedoms()) {
                *answer = ws.u_dot[freedom];
            }
        }
    }
    if ws.answer.iter().any(|a| !a.least().is_finite()) {
        return Err(SingularError::NotFinite);
    }
    Ok(&ws.answer)
}
