//! Eqs 1, 21 and 22 of BriotKhalil on a 3-RPS robot, whose Ψ depends on its attitude: as printed, and as they must be.
//!
//! ```text
//! V = Ψ r,  V̇ = Ψ ṙ + Ψ̇ r                                   three of six components of V are free
//! M_rob = Ψᵀ (I_P + Σ K_iᵀ M_i K_i) Ψ                         printed: Ψᵀ I_P Ψ + Σ …, 3 × 3 and 6 × 6  (eq. 21)
//! c_rob = Ψᵀ (w_P + Σ K_iᵀ τ_i) at V̇ = Ψ̇ r                   printed: at V̇_r = 0, taken as V̇ = 0      (eq. 22)
//! ```
//!
//! The legs are written out: a hinge with the axis z₁ in B, a slide along a to P, so that the rows of K_i are
//! (b, r × b) / q₂ and (a, r × a), with b = z₁ × a. Their forces are those of the Newton-Euler recursion.

use super::{Check, Comparison, StudyError, robot};
use appell::closed::{ClosedMechanism, Configuration, On, legs_platform};
use appell::dynamics::{composite_body, newton_euler};
use appell::sample::Sampler;
use appell::spatial::Vec3;
use nalgebra::{DMatrix, DVector, Matrix6, RowVector6, Vector6};

/// What the printed forms do.
#[derive(Debug, Clone, PartialEq)]
pub struct Study {
    /// The corrected forms beside our methods.
    pub checks: [Check; 2],
    /// The largest entry of Ψ that is not 0 or 1 by itself, m/rad or 1.
    pub largest_entry: f64,
    /// Largest error of c_rob as printed over the largest entry of its velocity part, of all states.
    pub bias_error: f64,
    /// The same of each state by itself, in Euclid's norm: the median.
    pub median_bias_error: f64,
    /// And the largest.
    pub worst_bias_error: f64,
    /// Eq. 21, the legs' sum cut down to the rows and columns of the free components so that sizes match: the largest
    /// error over the largest entry.
    pub inertia_error: f64,
}

/// One state: c_rob and M_rob by the corrected and the printed forms.
#[derive(Debug, Clone)]
struct Forms {
    psi: DMatrix<f64>,
    bias: DVector<f64>,
    bias_as_printed: DVector<f64>,
    inertia: DMatrix<f64>,
    inertia_as_printed: DMatrix<f64>,
}

/// Over random states of the built-in robot.
///
/// # Errors
/// None for this robot.
pub fn study(states: usize, seed: u64) -> Result<Study, StudyError> {
    let robot = robot("3-rps");
    let mut sampler = Sampler::new(seed);
    let mut ws = legs_platform::Workspace::new(&robot);
    let [mut bias, mut inertia, mut cut, mut printed] = [Comparison::default(); 4];
    let (mut errors, mut largest_entry) = (Vec::with_capacity(states), 0.0_f64);
    for _ in 0..states {
        let state = sampler.closed_state(&robot);
        let forms = Forms::of(&robot, &state.at, &state.r)?;
        let (wrong, right) = velocity_parts(&robot, &state.at, &state.r)?;
        printed.see(&wrong, &right);
        errors.push(distance(&wrong, &right) / distance(&right, &[0.0; 3]));
        let rest = vec![0.0; state.r.len()];
        bias.see(
            legs_platform::generalised_forces(&robot, &mut ws, &state.at, &state.r, &rest, &[])?,
            forms.bias.as_slice(),
        );
        let ours = legs_platform::inertia_matrix(&robot, &mut ws, &state.at)?;
        inertia.see(ours, forms.inertia.as_slice());
        cut.see(forms.inertia_as_printed.as_slice(), ours);
        let dependent = (0..6).filter(|k| !robot.freedoms().contains(&(robot.tree().dof() + k)));
        largest_entry = dependent.fold(largest_entry, |most, k| most.max(forms.psi.row(k).amax()));
    }
    errors.sort_by(f64::total_cmp);
    Ok(Study {
        checks: [
            bias.check("eq. 22 with V̇ = dΨ/dt V_r: Newton-Euler legs written out, and our c_rob", 1e-12),
            inertia.check("eq. 21 with Ψ around all: composite bodies, and our M_rob", 1e-12),
        ],
        largest_entry,
        bias_error: printed.relative(),
        median_bias_error: errors.get(states / 2).copied().unwrap_or(f64::NAN),
        worst_bias_error: errors.last().copied().unwrap_or(f64::NAN),
        inertia_error: cut.relative(),
    })
}

/// The velocity part of c_rob, c_rob less c_rob at rest, at one state of a 3-RPS robot: as printed, and right.
///
/// # Errors
/// At a singular configuration.
pub fn velocity_parts(
    robot: &ClosedMechanism,
    at: &Configuration,
    r: &[f64],
) -> Result<(Vec<f64>, Vec<f64>), StudyError> {
    let moving = Forms::of(robot, at, r)?;
    let resting = Forms::of(robot, at, &vec![0.0; r.len()])?.bias;
    Ok(((moving.bias_as_printed - &resting).as_slice().to_vec(), (moving.bias - resting).as_slice().to_vec()))
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}

impl Forms {
    fn of(robot: &ClosedMechanism, at: &Configuration, r: &[f64]) -> Result<Self, StudyError> {
        let (tree, n) = (robot.tree(), r.len());
        let dof = tree.dof();
        let mut ws = legs_platform::Workspace::new(robot);
        let z = legs_platform::complement(robot, &mut ws, at)?;
        let psi = DMatrix::from_row_slice(6, n, &z[dof * n..]);
        let (u, u_dot) = legs_platform::motion(robot, &mut ws, at, r, &vec![0.0; n])?;
        let (v, twist) = u.split_at(dof);
        let (a, psi_dot_r) = u_dot.split_at(dof);
        let psi_dot_r = Vector6::from_column_slice(psi_dot_r); // Ψ̇ r

        let rates = rates_of_twist(robot, at);
        let mut a_as_printed = a.to_vec();
        for (j, row) in &rates {
            a_as_printed[*j] -= (row * psi_dot_r)[0];
        }
        let wrench = |a: &[f64], acceleration: Vector6<f64>| {
            let mut w = of_platform(robot, at, twist, acceleration);
            let mut ws = newton_euler::Workspace::new(tree);
            let tau = newton_euler::inverse_dynamics(tree, &mut ws, &at.q, v, a);
            rates.iter().for_each(|(j, row)| w += row.transpose() * tau[*j]);
            psi.transpose() * DVector::from_column_slice(w.as_slice())
        };

        let mut ws = composite_body::Workspace::new(tree);
        let of_tree = composite_body::inertia_matrix(tree, &mut ws, &at.q);
        let mut legs = Matrix6::zeros();
        for (i, row) in &rates {
            rates.iter().for_each(|(j, other)| legs += row.transpose() * other * of_tree[i * dof + j]);
        }
        let platform = platform_inertia(robot, at);
        let whole = DMatrix::from_column_slice(6, 6, (platform + legs).as_slice());
        let own = DMatrix::from_column_slice(6, 6, platform.as_slice());
        let free = |k: usize| robot.freedoms()[k] - dof;
        let cut = DMatrix::from_fn(n, n, |i, k| legs[(free(i), free(k))]);
        Ok(Self {
            bias: wrench(a, psi_dot_r),
            bias_as_printed: wrench(&a_as_printed, Vector6::zeros()),
            inertia: psi.transpose() * whole * &psi,
            inertia_as_printed: psi.transpose() * own * &psi + cut,
            psi,
        })
    }
}

/// K_i of all legs: joints, each with its row.
fn rates_of_twist(robot: &ClosedMechanism, at: &Configuration) -> Vec<(usize, RowVector6<f64>)> {
    let mut rates = Vec::with_capacity(robot.tree().dof());
    for leg in robot.legs() {
        let &[hinge, slide] = &leg.joints[..] else { panic!("a leg R-P") };
        let closure = &robot.closures()[leg.closure];
        let platform = if closure.first.on == On::Platform { closure.first } else { closure.second };
        let first = robot.tree().links()[hinge].placement.unturned();
        let arm = at.pose.rotation * platform.pose.position;
        let way = at.pose.position + arm - first.position;
        let along = way.scale(1.0 / way.norm());
        let across = first.rotation.column(2).cross(along).scale(1.0 / way.norm());
        for (joint, x) in [(hinge, across), (slide, along)] {
            let moment = arm.cross(x);
            rates.push((joint, RowVector6::new(x.x, x.y, x.z, moment.x, moment.y, moment.z)));
        }
    }
    rates
}

/// w_P  (eq. 10), with the acceleration V̇.
fn of_platform(robot: &ClosedMechanism, at: &Configuration, twist: &[f64], acceleration: Vector6<f64>) -> Vector6<f64> {
    let platform = robot.platform().expect("a platform");
    let g = robot.tree().gravity();
    let omega = Vec3::new(twist[3], twist[4], twist[5]);
    let s = at.pose.rotation * platform.first_moment;
    let spin = platform.inertia.turned_by(&at.pose.rotation) * omega;
    let (force, moment) = (omega.cross(omega.cross(s)), omega.cross(spin));
    let against_gravity = acceleration - Vector6::new(g.x, g.y, g.z, 0.0, 0.0, 0.0);
    platform_inertia(robot, at) * against_gravity
        + Vector6::new(force.x, force.y, force.z, moment.x, moment.y, moment.z)
}

/// I_P, 6 × 6  (eq. 11).
fn platform_inertia(robot: &ClosedMechanism, at: &Configuration) -> Matrix6<f64> {
    let platform = robot.platform().expect("a platform");
    let s = at.pose.rotation * platform.first_moment;
    let skew = [[0.0, -s.z, s.y], [s.z, 0.0, -s.x], [-s.y, s.x, 0.0]];
    let inertia = platform.inertia.turned_by(&at.pose.rotation).full();
    Matrix6::from_fn(|i, k| match (i < 3, k < 3) {
        (true, true) => f64::from(u8::from(i == k)) * platform.mass,
        (true, false) => -skew[i][k - 3],
        (false, true) => skew[i - 3][k],
        (false, false) => inertia.rows[i - 3][k - 3],
    })
}
