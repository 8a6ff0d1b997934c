//! The equations of motion of a spherical robot, explicit  [Abedloo, eqs 17 to 22 corrected, and 51].
//!
//! ```text
//! M ṙ + C r + G = J_actᵀ τ
//! M = Σ Jᵀ I J      C = Σ Jᵀ I J̇ − Jᵀ (I J r)~ J      G = Σ (m ρ~ J)ᵀ g      over the bodies, each in its axes
//! ```
//!
//! J is a body's Jacobian of angular velocity. That of a link is its axes times K, so that the links of a leg are
//! summed in its joints first, m, c and γ: their parts of the equations are Kᵀ m K, Kᵀ (c K + m K̇) and Kᵀ γ.

use super::Workspace;
use super::form::{Body, LegForm};
use super::leg::LegState;
use crate::closed::steps::Steps;
use crate::closed::{ClosedMechanism, Configuration, SingularError};
use crate::dynamics::joint_effects;
use crate::real::{Measured, Real};
use crate::spatial::{EulerAngles, EulerSingularity, Mat3, Vec3};

/// Which matrix C: both give the same C r.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coriolis {
    /// Σ Jᵀ I J̇ − Jᵀ (I J r)~ J: Ṁ − 2 C is skew-symmetric.
    Skew,
    /// Σ Jᵀ I J̇ + Jᵀ (J r)~ I J with the paper's J̇, eqs 21, 47 and 48: Ṁ − 2 C is not.
    Paper,
}

/// M ṙ + C r + G = J_actᵀ τ at a state, in the independent velocities.
#[derive(Debug, Clone, Copy)]
pub struct Equations<'w, T = f64> {
    /// M, n × n row by row.
    pub inertia: &'w [T],
    /// C, n × n row by row.
    pub coriolis: &'w [T],
    /// G, one per degree of freedom.
    pub gravity: &'w [T],
    /// J_act, drives × n row by row: rates of the driven joints.
    pub actuation: &'w [T],
}

/// The same in Euler angles, M q̈ + C q̇ + G = J_actᵀ τ.
#[derive(Debug, Clone, PartialEq)]
pub struct InAngles {
    /// M.
    pub inertia: Mat3<f64>,
    /// C.
    pub coriolis: Mat3<f64>,
    /// G.
    pub gravity: Vec3<f64>,
    /// The rows of J_act, one per drive.
    pub actuation: Vec<Vec3<f64>>,
}

/// The equations of motion at a state. Friction, springs and loads are not in them; rotors are, in M and C.
///
/// # Errors
/// Near a singularity of a leg.
///
/// # Panics
/// If `r` does not have one value per degree of freedom, or `at` belongs to another robot.
pub fn equations<'w, T: Measured>(
    robot: &ClosedMechanism,
    ws: &'w mut Workspace<T>,
    at: &Configuration<T>,
    r: &[T],
    coriolis: Coriolis,
) -> Result<Equations<'w, T>, SingularError> {
    ws.write_equations(robot, at, r, coriolis)?;
    Ok(Equations { inertia: &ws.out.inertia, coriolis: &ws.coriolis, gravity: &ws.gravity, actuation: &ws.out.j_inv })
}

impl Equations<'_> {
    /// The equations in Euler angles of the platform, ω = E q̇:
    ///
    /// ```text
    /// M_q = Eᵀ M E,  C_q = Eᵀ (C E + M Ė),  G_q = Eᵀ G,  J_q = J_act E
    /// ```
    ///
    /// M is definite wherever the angles are not singular.
    ///
    /// # Errors
    /// Where they are.
    ///
    /// # Panics
    /// Unless the equations are in the three components of ω.
    pub fn in_angles(
        &self,
        kind: EulerAngles,
        angles: [f64; 3],
        rates: [f64; 3],
    ) -> Result<InAngles, EulerSingularity> {
        kind.refuse_singular(angles)?;
        let matrix = |entries: &[f64]| {
            let [a, b, c, d, e, f, g, h, i] = entries else { panic!("equations in the three components of ω") };
            Mat3::from_rows([Vec3::new(*a, *b, *c), Vec3::new(*d, *e, *f), Vec3::new(*g, *h, *i)])
        };
        let (m, c) = (matrix(self.inertia), matrix(self.coriolis));
        let (e, e_rate) = (kind.omega_of_rates(angles), kind.omega_of_rates_rate(angles, rates));
        let row = |row: &[f64]| Vec3::new(row[0], row[1], row[2]);
        Ok(InAngles {
            inertia: e.transpose() * (m * e),
            coriolis: e.transpose() * (c * e + m * e_rate),
            gravity: e.transpose_times(row(self.gravity)),
            actuation: self.actuation.chunks_exact(3).map(|drive| e.transpose_times(row(drive))).collect(),
        })
    }
}

/// m, c and γ of the links of a leg, on its joints.
struct OfLeg<T> {
    m: [[T; 3]; 3],
    c: [[T; 3]; 3],
    gravity: [T; 3],
}

impl<T: Measured> Workspace<T> {
    /// M, C, G and J_act.
    #[inline(always)]
    pub(super) fn write_equations(
        &mut self,
        robot: &ClosedMechanism,
        at: &Configuration<T>,
        r: &[T],
        kind: Coriolis,
    ) -> Result<(), SingularError> {
        robot.expect(at, &[r]);
        self.place(robot, at)?;
        self.set_in_motion(robot, r);
        let (m, c, g) = self.sums(robot, at, Some(kind));
        self.attitude.project(&self.form, g, &mut self.gravity);
        self.attitude.reduced_coriolis(&self.form, &c, &m, &mut self.coriolis);
        self.attitude.reduced(&self.form, &m, &mut self.out.inertia);
        Ok(())
    }

    /// M, C and G on ω; without a kind of C, of M alone.
    #[inline(always)]
    pub(super) fn sums(
        &self,
        robot: &ClosedMechanism,
        at: &Configuration<T>,
        kind: Option<Coriolis>,
    ) -> (Mat3<T>, Mat3<T>, Vec3<T>) {
        let (zero, attitude, omega) = (Vec3::zero(self.arm.x), &at.pose.rotation, self.attitude.omega);
        let gravity = robot.tree().gravity().lift(self.arm.x);
        let Body { inertia, first_moment } = self.form.platform;
        let mut m = inertia.lift(self.arm.x).turned_by(attitude).full();
        // J = Rᵀ, J̇ = −Rᵀ ω~; the paper's J̇ is zero.
        let (mut c, mut g) = match kind {
            None => (Mat3::zero(zero.x), zero),
            Some(kind) => {
                let c = match kind {
                    Coriolis::Skew => Mat3::zero(zero.x) - m * Mat3::skew(omega) - Mat3::skew(m * omega),
                    Coriolis::Paper => Mat3::skew(omega) * m,
                };
                (c, gravity.cross(attitude.times_fixed(first_moment)))
            }
        };
        for (state, form) in self.legs.iter().zip(&self.form.legs) {
            if form.joints.is_empty() {
                continue;
            }
            let of_leg = of_links(robot, form, state, gravity, kind);
            let count = form.joints.len();
            for i in 0..count {
                let mut inertial = zero;
                for (row, &m) in state.rows.iter().zip(&of_leg.m[i]).take(count) {
                    inertial = inertial + row.times(m);
                }
                add_outer(&mut m, state.rows[i], inertial);
            }
            if kind.is_none() {
                continue;
            }
            let row_rates = state.row_rates();
            for i in 0..count {
                let mut centrifugal = zero;
                for (j, (&row, &rate)) in state.rows.iter().zip(&row_rates).enumerate().take(count) {
                    centrifugal = centrifugal + row.times(of_leg.c[i][j]) + rate.times(of_leg.m[i][j]);
                }
                add_outer(&mut c, state.rows[i], centrifugal);
            }
            state.add_moment(&of_leg.gravity[..count], &mut g);
        }
        (m, c, g)
    }

    /// w: what accelerations, velocities, gravity, friction and springs demand, less the load.
    #[inline(always)]
    pub(super) fn demand(&mut self, robot: &ClosedMechanism, at: &Configuration<T>, r: &[T], r_dot: &[T], load: &[T]) {
        let mut rest = -self.load_on_platform(load);
        if robot.tree().has_effects() {
            for (state, form) in self.legs.iter().zip(&self.form.legs) {
                for (k, &j) in form.joints.iter().enumerate() {
                    let force = joint_effects::force(&robot.tree().effects()[j], at.q[j], state.rates[k]);
                    rest = rest + state.rows[k].times(force);
                }
            }
        }
        self.attitude.project(&self.form, rest, &mut self.out.w);
        let n = self.form.freedoms;
        for (c, w) in self.out.w.iter_mut().enumerate() {
            *w = *w + self.gravity[c];
            for (matrix, rates) in [(&self.coriolis, r), (&self.out.inertia, r_dot)] {
                for (&entry, &rate) in matrix[c * n..(c + 1) * n].iter().zip(rates) {
                    *w = entry.mul_add(rate, *w);
                }
            }
        }
    }
}

/// Adds a bᵀ.
#[inline(always)]
fn add_outer<T: Real>(matrix: &mut Mat3<T>, a: Vec3<T>, b: Vec3<T>) {
    for (row, a) in matrix.rows.iter_mut().zip(a.to_array()) {
        *row = *row + b.times(a);
    }
}

/// The sums over the links of a leg; without a kind of C, of m alone.
#[inline(always)]
fn of_links<T: Real>(
    robot: &ClosedMechanism,
    form: &LegForm,
    state: &LegState<T>,
    gravity: Vec3<T>,
    kind: Option<Coriolis>,
) -> OfLeg<T> {
    let zero = gravity.x.zero();
    let mut sums = OfLeg { m: [[zero; 3]; 3], c: [[zero; 3]; 3], gravity: [zero; 3] };
    let mut axes = [Vec3::zero(zero); 3];
    let mut gravity = gravity;
    for (b, (&j, body)) in form.joints.iter().zip(&form.bodies).enumerate() {
        let (placement, turn) = (&robot.tree().links()[j].placement, state.turns[b]);
        for axis in &mut axes[..b] {
            *axis = placement.to_body(turn, *axis);
        }
        axes[b] = Vec3::new(zero, zero, zero.constant(1.0));
        let axes = &axes[..=b];
        let mut momenta = [Vec3::zero(zero); 3];
        for (momenta, axis) in momenta.iter_mut().zip(axes) {
            *momenta = body.inertia.times_moving(*axis);
        }
        for (row, axis) in sums.m.iter_mut().zip(axes) {
            for (entry, momenta) in row.iter_mut().zip(&momenta[..=b]) {
                *entry = *entry + axis.dot(*momenta);
            }
        }
        if let Some(kind) = kind {
            gravity = placement.to_body(turn, gravity);
            add_coriolis(&mut sums.c, axes, &momenta, &state.rates, kind);
            let moment = gravity.cross(body.first_moment.lift(zero)); // g · (m ρ × a) = a · (g × m ρ)
            for (sum, axis) in sums.gravity.iter_mut().zip(axes) {
                *sum = *sum + axis.dot(moment);
            }
        }
        if robot.tree().has_effects() {
            let rotor = robot.tree().effects()[j].rotor.reflected_inertia();
            sums.m[b][b] = sums.m[b][b] + zero.constant(rotor);
        }
    }
    sums
}

/// Adds a body's part of c. An axis that body k carries turns, seen from this body, against the joints between:
///
/// ```text
/// ȧ_k = a_k × Σ q̇_l a_l,  l > k
/// ```
///
/// The paper gives each of the joints k and l one half of q̇_k q̇_l a_k × a_l instead (eq. 47).
#[inline(always)]
fn add_coriolis<T: Real>(
    c: &mut [[T; 3]; 3],
    axes: &[Vec3<T>],
    momenta: &[Vec3<T>; 3],
    rates: &[T; 3],
    kind: Coriolis,
) {
    let zero = Vec3::zero(rates[0]);
    let n = axes.len();
    let mut axis_rates = [zero; 3];
    for k in 0..n {
        for l in k + 1..n {
            let cross = axes[k].cross(axes[l]);
            match kind {
                Coriolis::Skew => axis_rates[k] = axis_rates[k] + cross.times(rates[l]),
                Coriolis::Paper => {
                    axis_rates[k] = axis_rates[k] + cross.times(rates[l].scale(0.5));
                    axis_rates[l] = axis_rates[l] + cross.times(rates[k].scale(0.5));
                }
            }
        }
    }
    let (mut omega, mut momentum) = (zero, zero);
    for ((axis, momenta), &rate) in axes.iter().zip(momenta).zip(rates) {
        omega = omega + axis.times(rate);
        momentum = momentum + momenta.times(rate);
    }
    for l in 0..n {
        let gyroscopic = match kind {
            Coriolis::Skew => -momentum.cross(axes[l]),
            Coriolis::Paper => omega.cross(momenta[l]),
        };
        for k in 0..n {
            c[k][l] = c[k][l] + momenta[k].dot(axis_rates[l]) + axes[k].dot(gyroscopic);
        }
    }
}
