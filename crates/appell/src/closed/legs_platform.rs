//! Dynamics of a parallel robot from its legs and its platform  [Briot & Khalil; equations as corrected in the digest].
//!
//! Every leg is cut from the platform at its closing joint. What the joint transmits ties the leg's rates to the
//! platform's twist, J_i q̇_i = J_vi V; what is left of its rows forbids the platform to move, N_i V = 0.
//!
//! ```text
//! V = Ψ r,  V̇ = Ψ ṙ + Ψ̇ r      from the rows N of all legs: the dependent components of V from the independent, r
//! q̇_i = K_i V                  K_i = J_i⁻¹ J_vi
//! q̈_i = K_i V̇ + k_i            k_i from the accelerations at q̈ = V̇ = 0, so that no Jacobian is differentiated
//! τ_i = M_i q̈_i + c_i          the open legs, by the Gibbs-Appell recursion                       (eq. 9)
//! w = Ψᵀ (w_P + Σ K_iᵀ τ_i)     platform and legs, felt by the freedoms                    (eqs 10 to 16)
//! J_invᵀ τ_a = w                q̇_a = J_inv r: the drives                                       (eq. 13)
//! M_rob = Ψᵀ (I_P + Σ K_iᵀ M_i K_i) Ψ                                                            (eq. 21)
//! M_rob ṙ = J_invᵀ τ_a − c_rob   c_rob = w at ṙ = 0, where V̇ = Ψ̇ r                         (eqs 19 to 22)
//! ```
//!
//! All is done by orthogonal reflections or, for legs of three joints that end in a spherical joint, by cross
//! products: no pivot is chosen, so that one text serves every kind of number.

use super::constraints::Constraints;
use super::drives::{Share, Sharing};
use super::singular::condition_squared;
use super::{ClosedMechanism, Configuration, Constraint, Leg, On, SingularError};
use crate::description::{ClosingJoint, JointKind};
use crate::dynamics::{gibbs_appell_inertia, gibbs_appell_tensor};
use crate::linear::{Cholesky, Householder};
use crate::real::{Measured, Real};
use crate::spatial::Vec3;

/// What the steps keep.
#[derive(Debug, Clone)]
pub struct Workspace<T = f64> {
    constraints: Constraints<T>,
    legs: Vec<LegState<T>>,
    held: Householder<T>, // rows of N × dependent components
    forbidden: Vec<T>,    // N, row by row of six
    forbidden_bias: Vec<T>,
    scratch: Vec<T>,
    psi: Vec<T>,    // Ψ, 6 × n row by row
    j_inv: Vec<T>,  // drives × n, row by row
    u: Vec<T>,      // q̇ and V
    u_bias: Vec<T>, // u̇ at ṙ = 0
    u_dot: Vec<T>,  // q̈ and V̇
    forces: Vec<T>, // of the open legs and the platform on u, less the load
    w: Vec<T>,      // felt by the freedoms
    z: Vec<T>,      // Z, velocities u × n row by row
    multipliers: Vec<T>,
    inertia: Vec<T>, // 6 × 6, then n × n
    reduced: Vec<T>,
    share: Share<T>,
    cholesky: Cholesky<T>,
    leg_forces: gibbs_appell_tensor::Workspace<T>,
    leg_inertia: gibbs_appell_inertia::Workspace<T>,
    answer: Vec<T>,
}

/// What is kept of a leg.
#[derive(Debug, Clone)]
struct LegState<T> {
    solver: Solver<T>,
    k: Vec<T>,                  // K_i, row by row of six
    drives: Vec<Option<usize>>, // which of the robot's each joint is: legs may stand in another order than joints
}

/// How a leg's rates come from what its closing joint transmits.
#[derive(Debug, Clone)]
enum Solver<T> {
    /// Three joints to a point: the rows of J_i⁻¹.
    Point([Vec3<T>; 3]),
    /// Any other.
    Reflections(Householder<T>),
}

impl Workspace<f64> {
    /// A workspace for this robot.
    ///
    /// # Panics
    /// If the robot is not of legs and a platform alone: [`applies`] says so before.
    #[must_use]
    pub fn new(robot: &ClosedMechanism) -> Self {
        Self::over(robot, 0.0)
    }
}

/// Whether a robot is of legs and a platform alone, so that this method applies.
#[must_use]
pub fn applies(robot: &ClosedMechanism) -> bool {
    !robot.legs().is_empty()
}

impl<T: Real> Workspace<T> {
    /// A workspace for this robot over the numbers of the kind of `witness`.
    ///
    /// # Panics
    /// If the robot is not of legs and a platform alone.
    #[must_use]
    pub fn over(robot: &ClosedMechanism, witness: T) -> Self {
        assert!(applies(robot), "a robot of legs and a platform");
        let (zero, n, drives) = (witness.zero(), robot.freedoms().len(), robot.driven().len());
        let left = |leg: &Leg| robot.closures()[leg.closure].rows() - leg.joints.len();
        let rows: usize = robot.legs().iter().map(left).sum();
        let state = |leg: &Leg| LegState {
            solver: if ends_in_point(robot, leg) {
                Solver::Point([Vec3::zero(witness); 3])
            } else {
                let rows = robot.closures()[leg.closure].rows();
                Solver::Reflections(Householder::new(rows, leg.joints.len(), witness))
            },
            k: vec![zero; 6 * leg.joints.len()],
            drives: leg.joints.iter().map(|j| robot.driven().iter().position(|drive| drive == j)).collect(),
        };
        Self {
            constraints: Constraints::over(robot, witness),
            legs: robot.legs().iter().map(state).collect(),
            held: Householder::new(rows, 6 - n, witness),
            forbidden: vec![zero; 6 * rows],
            forbidden_bias: vec![zero; rows],
            scratch: vec![zero; rows.max(6).max(drives)],
            psi: vec![zero; 6 * n],
            j_inv: vec![zero; drives * n],
            u: vec![zero; robot.velocities()],
            u_bias: vec![zero; robot.velocities()],
            u_dot: vec![zero; robot.velocities()],
            forces: vec![zero; robot.velocities()],
            w: vec![zero; n],
            z: vec![zero; robot.velocities() * n],
            multipliers: vec![zero; robot.rows()],
            inertia: vec![zero; 36],
            reduced: vec![zero; n * n],
            share: Share::over(robot, witness),
            cholesky: Cholesky::new(n, witness),
            leg_forces: gibbs_appell_tensor::Workspace::over(robot.tree(), witness),
            leg_inertia: gibbs_appell_inertia::Workspace::over(robot.tree(), witness),
            answer: vec![zero; n],
        }
    }

    /// Places everything and finds K_i, Ψ and J_inv.
    #[inline(always)]
    fn place(&mut self, robot: &ClosedMechanism, at: &Configuration<T>) {
        self.constraints.place(robot, at);
        let mut row = 0;
        for (leg, state) in robot.legs().iter().zip(&mut self.legs) {
            row += state.place(robot, &self.constraints, leg, &mut self.forbidden[6 * row..]);
        }
        self.find_psi(robot);
        let n = robot.freedoms().len();
        for state in &self.legs {
            for (drive, k) in state.drives.iter().zip(state.k.chunks_exact(6)) {
                let Some(drive) = *drive else { continue };
                let row = &mut self.j_inv[drive * n..(drive + 1) * n];
                if n == 6 {
                    row.copy_from_slice(k);
                } else {
                    for (c, entry) in row.iter_mut().enumerate() {
                        *entry = (1..6).fold(k[0] * self.psi[c], |sum, x| k[x].mul_add(self.psi[x * n + c], sum));
                    }
                }
            }
        }
    }

    /// Ψ from N V = 0: the dependent components by least squares, since rows may repeat each other.
    #[inline(always)]
    fn find_psi(&mut self, robot: &ClosedMechanism) {
        let (n, dof) = (robot.freedoms().len(), robot.tree().dof());
        let zero = self.u[0].zero();
        if n == 6 {
            for (k, entry) in self.psi.iter_mut().enumerate() {
                *entry = zero.constant(if k % 7 == 0 { 1.0 } else { 0.0 });
            }
            return;
        }
        let (dependent, count) = dependent(robot);
        let forbidden = &self.forbidden;
        self.held.decompose(|i, k| forbidden[6 * i + dependent[k]]);
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

    /// u from r, and u̇ at ṙ = 0.
    #[inline(always)]
    fn set_in_motion(&mut self, robot: &ClosedMechanism, r: &[T]) {
        let (n, dof) = (robot.freedoms().len(), robot.tree().dof());
        let (v, twist) = self.u.split_at_mut(dof);
        expand(&self.psi, n, r, twist);
        for (leg, state) in robot.legs().iter().zip(&self.legs) {
            state.rates(leg, twist, v);
        }
        self.constraints.set_in_motion(robot, &self.u);
        let (a, growth) = self.u_bias.split_at_mut(dof);
        growth.fill(r[0].zero());
        let mut row = 0;
        for (leg, state) in robot.legs().iter().zip(&self.legs) {
            row += state.bias(robot, &self.constraints, leg, a, &mut self.forbidden_bias[row..]);
        }
        if n == 6 {
            return;
        }
        // Ψ̇ r, whose independent components are zero.
        let (dependent, count) = dependent(robot);
        let rows = self.forbidden_bias.len();
        for (entry, &bias) in self.scratch.iter_mut().zip(&self.forbidden_bias) {
            *entry = -bias;
        }
        self.held.turn_into(&mut self.scratch[..rows]);
        self.held.solve_upper(&mut self.scratch);
        for (i, &component) in dependent[..count].iter().enumerate() {
            growth[component] = self.scratch[i];
        }
        for (leg, state) in robot.legs().iter().zip(&self.legs) {
            state.add_rates(leg, growth, a);
        }
    }

    /// u̇ from ṙ.
    #[inline(always)]
    fn accelerate(&mut self, robot: &ClosedMechanism, r_dot: &[T]) {
        let dof = robot.tree().dof();
        self.u_dot.copy_from_slice(&self.u_bias);
        let (a, growth) = self.u_dot.split_at_mut(dof);
        let mut own = [r_dot[0].zero(); 6];
        expand(&self.psi, robot.freedoms().len(), r_dot, &mut own);
        for (leg, state) in robot.legs().iter().zip(&self.legs) {
            state.add_rates(leg, &own, a);
        }
        for (sum, own) in growth.iter_mut().zip(own) {
            *sum = *sum + own;
        }
    }

    /// What the freedoms feel of the bodies' motion, less `load` on u.
    #[inline(always)]
    fn feel(&mut self, robot: &ClosedMechanism, at: &Configuration<T>, load: &[T]) {
        let dof = robot.tree().dof();
        let (v, twist) = self.u.split_at(dof);
        let (a, growth) = self.u_dot.split_at(dof);
        self.leg_forces.turns().copy_from_slice(self.constraints.tree.turns());
        let tau = gibbs_appell_tensor::inverse_dynamics_after_turns(robot.tree(), &mut self.leg_forces, &at.q, v, a);
        let platform = robot.platform().expect("a robot of legs and a platform").turned(&at.pose.rotation);
        let gravity = robot.tree().gravity().lift(v[0]);
        let &[_, _, _, wx, wy, wz] = twist else { unreachable!("six components") };
        let &[ax, ay, az, ex, ey, ez] = growth else { unreachable!("six components") };
        let wrench = platform.wrench(Vec3::new(wx, wy, wz), Vec3::new(ax, ay, az) - gravity, Vec3::new(ex, ey, ez));
        self.forces[..dof].copy_from_slice(tau);
        self.forces[dof..].copy_from_slice(&wrench.to_array());
        for (force, &load) in self.forces.iter_mut().zip(load) {
            *force = *force - load;
        }
        let felt = self.felt(robot);
        contract(&self.psi, &felt, &mut self.w);
    }

    /// What the platform feels of the forces: its own and those of the legs.
    #[inline(always)]
    fn felt(&self, robot: &ClosedMechanism) -> [T; 6] {
        let (of_legs, of_platform) = self.forces.split_at(robot.tree().dof());
        let mut felt = core::array::from_fn(|k| of_platform[k]);
        for (leg, state) in robot.legs().iter().zip(&self.legs) {
            state.feel(leg, of_legs, &mut felt);
        }
        felt
    }

    /// λ with Aᵀ λ = the forces that are left when the drives have done their part: of the least norm where
    /// constraints repeat each other.
    ///
    /// Each leg's joints leave y_i of its rows, its reactions on the platform's freedoms are felt already, and what
    /// must hold the platform against its other motions is shared among the rows N: λ_i = Q_i (y_i, μ_i), Nᵀ μ = rest.
    fn fill_multipliers(&mut self, robot: &ClosedMechanism) {
        let n = robot.freedoms().len();
        if n < 6 {
            let felt = self.felt(robot);
            let (dependent, count) = dependent(robot);
            self.forbidden_bias.fill(felt[0].zero());
            for (entry, &component) in self.forbidden_bias.iter_mut().zip(&dependent[..count]) {
                *entry = felt[component];
            }
            self.held.solve_upper_transposed(&mut self.forbidden_bias);
            self.held.turn_out(&mut self.forbidden_bias);
        }
        let mut row = 0;
        for (leg, state) in robot.legs().iter().zip(&self.legs) {
            let closure = &robot.closures()[leg.closure];
            let own = &mut self.multipliers[closure.row..closure.row + closure.rows()];
            row += state.fill_multipliers(robot, leg, &self.forces, &self.forbidden_bias[row..], own);
        }
    }

    /// M_rob into `reduced`.
    #[inline(always)]
    fn fill_inertia(&mut self, robot: &ClosedMechanism, at: &Configuration<T>) {
        let (dof, n) = (robot.tree().dof(), robot.freedoms().len());
        self.leg_inertia.turns().copy_from_slice(self.constraints.tree.turns());
        let of_tree = gibbs_appell_inertia::inertia_after_turns(robot.tree(), &mut self.leg_inertia, &at.q);
        self.inertia.fill(at.q[0].zero());
        robot.platform().expect("a platform").turned(&at.pose.rotation).add_inertia(&mut self.inertia, 6);
        for (leg, state) in robot.legs().iter().zip(&self.legs) {
            let rows = || leg.joints.iter().zip(state.k.chunks_exact(6));
            for (&i, ki) in rows() {
                // M_i K_i, then K_iᵀ of it.
                let mut product = [at.q[0].zero(); 6];
                for (&j, kj) in rows() {
                    let entry = of_tree[i * dof + j];
                    product.iter_mut().zip(kj).for_each(|(sum, &k)| *sum = entry.mul_add(k, *sum));
                }
                for (row, &k) in self.inertia.chunks_exact_mut(6).zip(ki) {
                    row.iter_mut().zip(product).for_each(|(entry, x)| *entry = k.mul_add(x, *entry));
                }
            }
        }
        if n == 6 {
            self.reduced.copy_from_slice(&self.inertia);
            return;
        }
        for c in 0..n {
            let mut column = [at.q[0].zero(); 6];
            for (entry, row) in column.iter_mut().zip(self.inertia.chunks_exact(6)) {
                *entry = row.iter().enumerate().fold(*entry, |sum, (x, &m)| m.mul_add(self.psi[x * n + c], sum));
            }
            for i in 0..n {
                let sum = column
                    .iter()
                    .enumerate()
                    .fold(column[0].zero(), |sum, (x, &m)| m.mul_add(self.psi[x * n + i], sum));
                self.reduced[i * n + c] = sum;
            }
        }
    }
}

/// Efforts of the drives that move the robot so, N m or N: one a driven joint.
///
/// `r` and `r_dot` are the independent velocities and their rates, `load` what acts from outside on u (empty: nothing).
/// Redundant drives share the work as `sharing` says.
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
    ws.share.efforts(robot, &ws.j_inv, &ws.w, sharing)
}

/// What the freedoms feel of a motion, w = M_rob ṙ + c_rob less the load's part: the drives must hold it, J_invᵀ τ = w.
///
/// # Errors
/// Near a singularity of a leg, or of the legs' constraints.
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
    robot.expect(at, &[r, r_dot]);
    ws.place(robot, at);
    ws.set_in_motion(robot, r);
    ws.accelerate(robot, r_dot);
    ws.feel(robot, at, load);
    ws.refuse_singular(robot)?;
    Ok(&ws.w)
}

/// M_rob, n × n row by row  [Briot & Khalil, eq. 21].
///
/// # Errors
/// Near a singularity of a leg, or of the legs' constraints.
///
/// # Panics
/// If `at` belongs to another robot.
pub fn inertia_matrix<'w, T: Measured>(
    robot: &ClosedMechanism,
    ws: &'w mut Workspace<T>,
    at: &Configuration<T>,
) -> Result<&'w [T], SingularError> {
    robot.expect(at, &[]);
    ws.place(robot, at);
    ws.fill_inertia(robot, at);
    ws.refuse_singular(robot)?;
    Ok(&ws.reduced)
}

/// Rates of the independent velocities that the drives' efforts give  [Briot & Khalil, eqs 19 to 22].
///
/// # Errors
/// Near a singularity of a leg or of the legs' constraints, or if a freedom moves no mass. Singularities of the
/// drives, of Type 2, are no obstacle.
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
) -> Result<&'w [T], SingularError> {
    robot.expect(at, &[r]);
    assert_eq!(tau.len(), robot.driven().len(), "one effort a drive");
    ws.place(robot, at);
    ws.set_in_motion(robot, r);
    ws.u_dot.copy_from_slice(&ws.u_bias);
    ws.feel(robot, at, load);
    ws.fill_inertia(robot, at);
    ws.refuse_singular(robot)?;
    let n = robot.freedoms().len();
    for (c, answer) in ws.answer.iter_mut().enumerate() {
        *answer = tau.iter().zip(ws.j_inv.chunks_exact(n)).fold(-ws.w[c], |sum, (&tau, row)| tau.mul_add(row[c], sum));
    }
    ws.cholesky.decompose(&ws.reduced);
    ws.cholesky.solve(&mut ws.answer);
    super::refuse_massless(robot, &ws.reduced, ws.cholesky.pivots())?;
    Ok(&ws.answer)
}

/// J_inv, drives × n row by row: the driven joints' rates, q̇_a = J_inv r.
///
/// # Errors
/// Near a singularity of a leg, or of the legs' constraints.
///
/// # Panics
/// If `at` belongs to another robot.
pub fn inverse_jacobian<'w, T: Measured>(
    robot: &ClosedMechanism,
    ws: &'w mut Workspace<T>,
    at: &Configuration<T>,
) -> Result<&'w [T], SingularError> {
    robot.expect(at, &[]);
    ws.place(robot, at);
    ws.refuse_singular(robot)?;
    Ok(&ws.j_inv)
}

/// Z, velocities u by row, freedoms by column: u = Z r.
///
/// # Errors
/// Near a singularity of a leg, or of the legs' constraints.
///
/// # Panics
/// If `at` belongs to another robot.
pub fn complement<'w, T: Measured>(
    robot: &ClosedMechanism,
    ws: &'w mut Workspace<T>,
    at: &Configuration<T>,
) -> Result<&'w [T], SingularError> {
    robot.expect(at, &[]);
    ws.place(robot, at);
    ws.refuse_singular(robot)?;
    let (n, dof) = (robot.freedoms().len(), robot.tree().dof());
    let (joints, platform) = ws.z.split_at_mut(dof * n);
    platform.copy_from_slice(&ws.psi);
    for (leg, state) in robot.legs().iter().zip(&ws.legs) {
        for (&j, k) in leg.joints.iter().zip(state.k.chunks_exact(6)) {
            for c in 0..n {
                joints[j * n + c] =
                    k.iter().enumerate().fold(k[0].zero(), |sum, (x, &k)| k.mul_add(ws.psi[x * n + c], sum));
            }
        }
    }
    Ok(&ws.z)
}

/// The multipliers of all constraints, of a motion under the drives' efforts `tau`: see
/// [`reactions`](super::reactions) for the wrenches they are.
///
/// Where constraints repeat each other these are the ones of least norm; the motion does not depend on them.
///
/// # Errors
/// Near a singularity of a leg, or of the legs' constraints.
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
        ws.forces[j] = ws.forces[j] - tau;
    }
    ws.fill_multipliers(robot);
    Ok(&ws.multipliers)
}

/// All velocities u = (q̇, V) and their rates, of a motion of the independent ones.
///
/// # Errors
/// Near a singularity of a leg, or of the legs' constraints.
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
    ws.place(robot, at);
    ws.set_in_motion(robot, r);
    ws.accelerate(robot, r_dot);
    ws.refuse_singular(robot)?;
    Ok((&ws.u, &ws.u_dot))
}

impl<T: Measured> Workspace<T> {
    /// Refuses configurations in which a leg, or all together, cannot be solved.
    fn refuse_singular(&mut self, robot: &ClosedMechanism) -> Result<(), SingularError> {
        for (leg, state) in robot.legs().iter().zip(&self.legs) {
            let square = match &state.solver {
                Solver::Point(inverse) => state.condition_squared(robot, &self.constraints, leg, inverse),
                Solver::Reflections(_) if leg.joints.is_empty() => continue,
                Solver::Reflections(reflections) => condition_squared(reflections.norms_squared(&mut self.scratch)),
            };
            super::refuse_condition(square, |condition| SingularError::Leg { leg: leg.name.clone(), condition })?;
        }
        if robot.freedoms().len() < 6 {
            let square = condition_squared(self.held.norms_squared(&mut self.scratch));
            super::refuse_condition(square, |condition| SingularError::Constraints { condition })?;
        }
        Ok(())
    }
}

impl<T: Measured> LegState<T> {
    /// Of J_i = (a b c) without units, in Frobenius' norm.
    fn condition_squared(
        &self,
        robot: &ClosedMechanism,
        all: &Constraints<T>,
        leg: &Leg,
        inverse: &[Vec3<T>; 3],
    ) -> f64 {
        let point = all.point(leg.closure);
        let (mut size, mut inverse_size) = (0.0, 0.0);
        for (&j, row) in leg.joints.iter().zip(inverse) {
            let column = all.unit_motion(robot, j, point).0;
            let square = unit(robot, j) * unit(robot, j);
            size += column.dot(column).least() * square;
            inverse_size += row.dot(*row).least() / square;
        }
        size * inverse_size
    }
}

impl<T: Real> LegState<T> {
    /// K_i, and the leg's rows of N into `forbidden`; how many they are.
    #[inline(always)]
    fn place(&mut self, robot: &ClosedMechanism, all: &Constraints<T>, leg: &Leg, forbidden: &mut [T]) -> usize {
        let closure = &robot.closures()[leg.closure];
        let point = all.point(leg.closure);
        let arm = point - all.platform.pose.position;
        match &mut self.solver {
            Solver::Point(inverse) => {
                let &[a, b, c] = &leg.joints[..] else { unreachable!("three joints") };
                let column = |j| all.unit_motion(robot, j, point).0;
                let (a, b, c) = (column(a), column(b), column(c));
                let normal = b.cross(c);
                let scale = a.x.constant(1.0) / a.dot(normal);
                *inverse = [normal.times(scale), c.cross(a).times(scale), a.cross(b).times(scale)];
                for (row, k) in inverse.iter().zip(self.k.chunks_exact_mut(6)) {
                    k[..3].copy_from_slice(&row.to_array());
                    k[3..].copy_from_slice(&arm.cross(*row).to_array());
                }
                0
            }
            Solver::Reflections(reflections) => {
                let rows = all.rows_of(closure);
                let (m, n) = (rows.len(), leg.joints.len());
                let (leg_sign, platform_sign) =
                    if closure.second.on == On::Platform { (-1.0, 1.0) } else { (1.0, -1.0) };
                reflections.decompose(|i, k| {
                    let (linear, angular) = all.unit_motion(robot, leg.joints[k], point);
                    rows[i].along(linear, angular).scale(leg_sign * unit(robot, leg.joints[k]))
                });
                let mut column = [point.x.zero(); 6];
                for x in 0..6 {
                    for (entry, row) in column.iter_mut().zip(rows) {
                        let moment = || arm.cross(row.force) + row.moment;
                        *entry = (if x < 3 { row.force[x] } else { moment()[x - 3] }).scale(platform_sign);
                    }
                    reflections.turn_into(&mut column[..m]);
                    for i in n..m {
                        forbidden[6 * (i - n) + x] = column[i];
                    }
                    reflections.solve_upper(&mut column[..n]);
                    for ((k, &j), &entry) in self.k.chunks_exact_mut(6).zip(&leg.joints).zip(&column) {
                        k[x] = entry.scale(-unit(robot, j));
                    }
                }
                m - n
            }
        }
    }

    /// k_i into `a`, and the rows' accelerations of N into `forbidden`; how many they are.
    #[inline(always)]
    fn bias(
        &self,
        robot: &ClosedMechanism,
        all: &Constraints<T>,
        leg: &Leg,
        a: &mut [T],
        forbidden: &mut [T],
    ) -> usize {
        let closure = &robot.closures()[leg.closure];
        match &self.solver {
            Solver::Point(inverse) => {
                let [on_leg, on_platform] = match closure.second.on {
                    On::Platform => [closure.first.on, closure.second.on],
                    _ => [closure.second.on, closure.first.on],
                };
                let point = all.point(leg.closure);
                let acceleration = |on| {
                    let carrier = all.carrier(on);
                    carrier.acceleration_of(point - carrier.pose.position)
                };
                let between = acceleration(on_platform) - acceleration(on_leg);
                for (&j, row) in leg.joints.iter().zip(inverse) {
                    a[j] = row.dot(between);
                }
                0
            }
            Solver::Reflections(reflections) => {
                let (m, n) = (closure.rows(), leg.joints.len());
                let mut bias = [all.platform.omega.x.zero(); 6];
                all.bias_of(leg.closure, closure, robot.length(), &mut bias[..m]);
                reflections.turn_into(&mut bias[..m]);
                forbidden[..m - n].copy_from_slice(&bias[n..m]);
                reflections.solve_upper(&mut bias[..n]);
                for (&j, &bias) in leg.joints.iter().zip(&bias) {
                    a[j] = bias.scale(-unit(robot, j));
                }
                m - n
            }
        }
    }

    /// q̇_i = K_i V.
    #[inline(always)]
    fn rates(&self, leg: &Leg, twist: &[T], v: &mut [T]) {
        for (&j, k) in leg.joints.iter().zip(self.k.chunks_exact(6)) {
            v[j] = dot(k, twist);
        }
    }

    #[inline(always)]
    fn add_rates(&self, leg: &Leg, twist: &[T], v: &mut [T]) {
        for (&j, k) in leg.joints.iter().zip(self.k.chunks_exact(6)) {
            v[j] = v[j] + dot(k, twist);
        }
    }

    /// Adds K_iᵀ τ_i.
    #[inline(always)]
    fn feel(&self, leg: &Leg, forces: &[T], felt: &mut [T; 6]) {
        for (&j, k) in leg.joints.iter().zip(self.k.chunks_exact(6)) {
            felt.iter_mut().zip(k).for_each(|(sum, &k)| *sum = k.mul_add(forces[j], *sum));
        }
    }

    /// λ_i from what the leg's joints leave, and μ_i; how many μ_i are.
    fn fill_multipliers(
        &self,
        robot: &ClosedMechanism,
        leg: &Leg,
        forces: &[T],
        shared: &[T],
        multipliers: &mut [T],
    ) -> usize {
        let closure = &robot.closures()[leg.closure];
        match &self.solver {
            Solver::Point(inverse) => {
                let sign = if closure.second.on == On::Platform { -1.0 } else { 1.0 };
                let zero = Vec3::zero(forces[0]);
                let sum = leg.joints.iter().zip(inverse).fold(zero, |sum, (&j, row)| sum + row.times(forces[j]));
                multipliers.copy_from_slice(&sum.scale(sign).to_array());
                0
            }
            Solver::Reflections(reflections) => {
                let (m, n) = (multipliers.len(), leg.joints.len());
                for (entry, &j) in multipliers.iter_mut().zip(&leg.joints) {
                    *entry = forces[j].scale(unit(robot, j));
                }
                reflections.solve_upper_transposed(multipliers);
                multipliers[n..].copy_from_slice(&shared[..m - n]);
                reflections.turn_out(multipliers);
                m - n
            }
        }
    }
}

/// The turn that moves a thing at the characteristic length by 1 m; 1 for a slide. In these units a leg's Jacobian
/// has none.
#[inline(always)]
fn unit(robot: &ClosedMechanism, j: usize) -> f64 {
    match robot.tree().links()[j].joint {
        JointKind::Revolute => 1.0 / robot.length(),
        JointKind::Prismatic => 1.0,
    }
}

/// Whether a leg has three joints and ends in a spherical one.
fn ends_in_point(robot: &ClosedMechanism, leg: &Leg) -> bool {
    let spherical = robot.closures()[leg.closure].constraint == Constraint::Joint(ClosingJoint::Spherical);
    spherical && leg.joints.len() == 3
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

#[inline(always)]
fn dot<T: Real>(a: &[T], b: &[T]) -> T {
    a[1..].iter().zip(&b[1..]).fold(a[0] * b[0], |sum, (&x, &y)| x.mul_add(y, sum))
}

/// Ψ r.
#[inline(always)]
fn expand<T: Real>(psi: &[T], n: usize, r: &[T], twist: &mut [T]) {
    if n == 6 {
        twist.copy_from_slice(r);
    } else {
        twist.iter_mut().zip(psi.chunks_exact(n)).for_each(|(component, row)| *component = dot(row, r));
    }
}

/// Ψᵀ w.
#[inline(always)]
fn contract<T: Real>(psi: &[T], wrench: &[T; 6], felt: &mut [T]) {
    let n = felt.len();
    if n == 6 {
        felt.copy_from_slice(wrench);
        return;
    }
    for (c, entry) in felt.iter_mut().enumerate() {
        *entry = (1..6).fold(wrench[0] * psi[c], |sum, x| wrench[x].mul_add(psi[x * n + c], sum));
    }
}
