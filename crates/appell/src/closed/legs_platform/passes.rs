//! The steps of the method, in the order they are taken: place, set in motion, accelerate, project.
//!
//! Each is large, and used by several questions: it is compiled by itself, of lanes [`within`](Real::within) their
//! instructions.

use super::super::refusal::condition_squared;
use super::super::steps::{Outputs, Steps};
use super::super::{ClosedMechanism, Configuration, SingularError, refuse_condition};
use super::Workspace;
use super::reflections::dot;
use crate::dynamics::{gibbs_appell_inertia, gibbs_appell_tensor};
use crate::real::{Measured, Real};
use crate::spatial::{Twist, Vec3};

impl<T: Measured> Steps<T> for Workspace<T> {
    #[inline(always)]
    fn out(&mut self) -> &mut Outputs<T> {
        &mut self.out
    }

    /// Places everything and finds K_i, Ψ and J_inv.
    #[inline(never)]
    fn place(&mut self, robot: &ClosedMechanism, at: &Configuration<T>) -> Result<(), SingularError> {
        at.pose.position.x.within(
            #[inline(always)]
            || {
                self.constraints.place(robot, at);
                let mut row = 0;
                for (leg, state) in robot.legs().iter().zip(&mut self.legs) {
                    row += state.place(robot, &self.constraints, leg, &mut self.forbidden[6 * row..]);
                }
                self.find_psi(robot);
                let n = robot.freedoms().len();
                for state in &self.legs {
                    for (k, drive) in state.drives.iter().enumerate() {
                        let Some(drive) = *drive else { continue };
                        let (k, row) = (state.row(k), &mut self.out.j_inv[drive * n..(drive + 1) * n]);
                        contract(&self.psi, &k, row);
                    }
                }
                self.refuse_singular(robot)
            },
        )
    }

    /// u from r, and what its rate is at ṙ = 0.
    #[inline(never)]
    fn set_in_motion(&mut self, robot: &ClosedMechanism, r: &[T]) {
        self.psi_dot_r[0].within(
            #[inline(always)]
            || {
                let (n, dof) = (robot.freedoms().len(), robot.tree().dof());
                let (v, twist) = self.out.u.split_at_mut(dof);
                expand(&self.psi, n, r, twist);
                let &mut [vx, vy, vz, wx, wy, wz] = twist else { unreachable!("six components") };
                let twist = Twist { linear: Vec3::new(vx, vy, vz), angular: Vec3::new(wx, wy, wz) };
                self.constraints.set_platform_in_motion(twist);
                let mut row = 0;
                for (leg, state) in robot.legs().iter().zip(&mut self.legs) {
                    let forbidden = &mut self.forbidden_bias[row..];
                    row += state.set_in_motion((robot, &self.constraints), leg, twist, v, forbidden);
                }
                if n == 6 {
                    return; // Ψ̇ = 0
                }
                // Ψ̇ r, whose independent components are zero.
                let (dependent, count) = dependent(robot);
                let rows = self.forbidden_bias.len();
                for (entry, &bias) in self.scratch.iter_mut().zip(&self.forbidden_bias) {
                    *entry = -bias;
                }
                self.held.turn_into(&mut self.scratch[..rows]);
                self.held.solve_upper(&mut self.scratch);
                self.psi_dot_r = [r[0].zero(); 6];
                for (i, &component) in dependent[..count].iter().enumerate() {
                    self.psi_dot_r[component] = self.scratch[i];
                }
            },
        );
    }

    /// u̇ from ṙ, or at ṙ = 0.
    #[inline(never)]
    fn accelerate(&mut self, robot: &ClosedMechanism, r_dot: Option<&[T]>) {
        self.psi_dot_r[0].within(
            #[inline(always)]
            || {
                let (a, acceleration) = self.out.u_dot.split_at_mut(robot.tree().dof());
                let mut sum = self.psi_dot_r;
                if let Some(r_dot) = r_dot {
                    expand(&self.psi, robot.freedoms().len(), r_dot, acceleration);
                    for (sum, &own) in sum.iter_mut().zip(&*acceleration) {
                        *sum = *sum + own;
                    }
                }
                acceleration.copy_from_slice(&sum);
                for (leg, state) in robot.legs().iter().zip(&self.legs) {
                    state.accelerate(leg, &sum, a);
                }
            },
        );
    }

    /// The generalised forces on the independent velocities of the bodies' motion, less `load` on u.
    #[inline(never)]
    fn project(&mut self, robot: &ClosedMechanism, at: &Configuration<T>, load: &[T]) {
        self.psi_dot_r[0].within(
            #[inline(always)]
            || {
                let dof = robot.tree().dof();
                let (v, twist) = self.out.u.split_at(dof);
                let (a, acceleration) = self.out.u_dot.split_at(dof);
                self.leg_forces.turns().copy_from_slice(self.constraints.tree.turns());
                let tau =
                    gibbs_appell_tensor::inverse_dynamics_after_turns(robot.tree(), &mut self.leg_forces, &at.q, v, a);
                let platform = robot.platform().expect("a robot of legs and a platform");
                let wrench = platform.needs(&at.pose.rotation, robot.tree().gravity(), twist, acceleration);
                self.forces[..dof].copy_from_slice(tau);
                self.forces[dof..].copy_from_slice(&wrench);
                for (force, &load) in self.forces.iter_mut().zip(load) {
                    *force = *force - load;
                }
                let wrench = self.platform_wrench(robot);
                contract(&self.psi, &wrench, &mut self.out.w);
            },
        );
    }

    /// λ with Aᵀ λ = the forces that are left when the drives have done their part, `tau`: of the least norm where
    /// constraints repeat each other.
    ///
    /// Each leg's joints leave y_i of its rows, its reactions on the platform's independent velocities are counted
    /// already, and what must hold the platform against its other motions is shared among the rows N: λ_i = Q_i (y_i,
    /// μ_i), Nᵀ μ = rest.
    #[inline(never)]
    fn fill_multipliers(&mut self, robot: &ClosedMechanism, tau: &[T]) {
        self.psi_dot_r[0].within(
            #[inline(always)]
            || {
                for (&j, &tau) in robot.driven().iter().zip(tau) {
                    self.forces[j] = self.forces[j] - tau;
                }
                let n = robot.freedoms().len();
                if n < 6 {
                    let wrench = self.platform_wrench(robot);
                    let (dependent, count) = dependent(robot);
                    self.forbidden_bias.fill(wrench[0].zero());
                    for (entry, &component) in self.forbidden_bias.iter_mut().zip(&dependent[..count]) {
                        *entry = wrench[component];
                    }
                    self.held.solve_upper_transposed(&mut self.forbidden_bias);
                    self.held.turn_out(&mut self.forbidden_bias);
                }
                let mut row = 0;
                for (leg, state) in robot.legs().iter().zip(&self.legs) {
                    let closure = &robot.closures()[leg.closure];
                    let own = &mut self.out.multipliers[closure.row..closure.row + closure.rows()];
                    row += state.fill_multipliers(robot, leg, &self.forces, &self.forbidden_bias[row..], own);
                }
            },
        );
    }

    /// Z from K_i and Ψ.
    #[inline(never)]
    fn fill_complement(&mut self, robot: &ClosedMechanism) {
        self.psi_dot_r[0].within(
            #[inline(always)]
            || {
                let n = robot.freedoms().len();
                let (joints, platform) = self.out.z.split_at_mut(robot.tree().dof() * n);
                platform.copy_from_slice(&self.psi);
                for (leg, state) in robot.legs().iter().zip(&self.legs) {
                    for (k, &j) in leg.joints.iter().enumerate() {
                        contract(&self.psi, &state.row(k), &mut joints[j * n..(j + 1) * n]);
                    }
                }
            },
        );
    }

    /// M_rob into M.
    #[inline(never)]
    fn fill_inertia(&mut self, robot: &ClosedMechanism, at: &Configuration<T>) {
        at.pose.position.x.within(
            #[inline(always)]
            || {
                let dof = robot.tree().dof();
                self.leg_inertia.turns().copy_from_slice(self.constraints.tree.turns());
                let of_tree = gibbs_appell_inertia::inertia_after_turns(robot.tree(), &mut self.leg_inertia, &at.q);
                self.inertia.fill(at.q[0].zero());
                robot.platform().expect("a platform").turned(&at.pose.rotation).add_inertia(&mut self.inertia, 6);
                for (leg, state) in robot.legs().iter().zip(&self.legs) {
                    state.add_inertia(leg, of_tree, dof, &mut self.inertia);
                }
                self.reduce_inertia(robot.freedoms().len());
            },
        );
    }

    /// Ψᵀ (I_P + Σ K_iᵀ M_i K_i) Ψ into M, of an inertia matrix of the tree and one of the platform that are given.
    fn project_inertia(&mut self, robot: &ClosedMechanism, of_tree: &[T], of_platform: &[T]) {
        self.inertia.copy_from_slice(of_platform);
        for (leg, state) in robot.legs().iter().zip(&self.legs) {
            state.add_inertia(leg, of_tree, robot.tree().dof(), &mut self.inertia);
        }
        self.reduce_inertia(robot.freedoms().len());
    }
}

impl<T: Measured> Workspace<T> {
    /// Ψ from N V = 0: the dependent components by least squares, since rows may repeat each other.
    #[inline(always)]
    fn find_psi(&mut self, robot: &ClosedMechanism) {
        let (n, dof) = (robot.freedoms().len(), robot.tree().dof());
        if n == 6 {
            return; // it is 1, always
        }
        let zero = self.out.u[0].zero();
        let (dependent, count) = dependent(robot);
        let forbidden = &self.forbidden;
        self.held.decompose(
            #[inline(always)]
            |i, k| forbidden[6 * i + dependent[k]],
        );
        for (c, &freedom) in robot.freedoms().iter().enumerate() {
            let component = freedom - dof;
            for (entry, row) in self.scratch.iter_mut().zip(forbidden.chunks_exact(6)) {
                *entry = -row[component];
            }
            self.held.turn_into(&mut self.scratch[..forbidden.len() / 6]);
            self.held.solve_upper(&mut self.scratch);
            for (i, &row) in dependent[..count].iter().enumerate() {
                self.psi[row * n + c] = self.scratch[i];
            }
            for (other, &row) in robot.freedoms().iter().enumerate() {
                self.psi[(row - dof) * n + c] = zero.constant(if other == c { 1.0 } else { 0.0 });
            }
        }
    }

    /// The wrench on the platform: of its own forces and those of the legs.
    #[inline(always)]
    fn platform_wrench(&self, robot: &ClosedMechanism) -> [T; 6] {
        let (of_legs, of_platform) = self.forces.split_at(robot.tree().dof());
        let mut wrench = core::array::from_fn(|k| of_platform[k]);
        for (leg, state) in robot.legs().iter().zip(&self.legs) {
            state.add_wrench(leg, of_legs, &mut wrench);
        }
        wrench
    }

    /// Ψᵀ M Ψ into M, of the platform's 6 × 6 matrix with the legs in it.
    #[inline(always)]
    fn reduce_inertia(&mut self, n: usize) {
        if n == 6 {
            self.out.inertia.copy_from_slice(&self.inertia);
            return;
        }
        let zero = self.inertia[0].zero();
        for c in 0..n {
            let mut column = [zero; 6];
            for (entry, row) in column.iter_mut().zip(self.inertia.chunks_exact(6)) {
                for (x, &m) in row.iter().enumerate() {
                    *entry = m.mul_add(self.psi[x * n + c], *entry);
                }
            }
            for i in 0..=c {
                let mut sum = zero;
                for (x, &m) in column.iter().enumerate() {
                    sum = m.mul_add(self.psi[x * n + i], sum);
                }
                self.out.inertia[i * n + c] = sum;
                self.out.inertia[c * n + i] = sum;
            }
        }
    }

    /// Refuses configurations in which a leg, or all together, cannot be solved.
    #[inline(always)]
    fn refuse_singular(&mut self, robot: &ClosedMechanism) -> Result<(), SingularError> {
        for (leg, state) in robot.legs().iter().zip(&self.legs) {
            let Some(square) = state.condition_squared(leg, &mut self.scratch) else {
                continue;
            };
            refuse_condition(square, |condition| SingularError::Leg { leg: leg.name.clone(), condition })?;
        }
        if robot.freedoms().len() < 6 {
            let square = condition_squared(self.held.norms_squared(&mut self.scratch));
            refuse_condition(square, |condition| SingularError::Constraints { condition })?;
        }
        Ok(())
    }
}

/// The components of the platform's twist that depend on the others.
#[inline(always)]
fn dependent(robot: &ClosedMechanism) -> ([usize; 6], usize) {
    let (mut components, mut count) = ([0; 6], 0);
    for component in 0..6 {
        if !robot.freedoms().contains(&(robot.tree().dof() + component)) {
            components[count] = component;
            count += 1;
        }
    }
    (components, count)
}

/// Ψ r.
#[inline(always)]
fn expand<T: Real>(psi: &[T], n: usize, r: &[T], twist: &mut [T]) {
    if n == 6 {
        twist.copy_from_slice(r);
    } else {
        for (component, row) in twist.iter_mut().zip(psi.chunks_exact(n)) {
            *component = dot(row, r);
        }
    }
}

/// Ψᵀ w.
#[inline(always)]
fn contract<T: Real>(psi: &[T], wrench: &[T; 6], generalised: &mut [T]) {
    let n = generalised.len();
    if n == 6 {
        generalised.copy_from_slice(wrench);
        return;
    }
    for (c, entry) in generalised.iter_mut().enumerate() {
        *entry = wrench[0] * psi[c];
        for x in 1..6 {
            *entry = wrench[x].mul_add(psi[x * n + c], *entry);
        }
    }
}
