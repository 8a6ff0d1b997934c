//! The wrist along a motion: joints and torques in closed form, beside both general methods and the laws that must hold.

use super::AgileWrist;
use crate::general::General;
use crate::study::{self, Comparison, StudyError};
use appell::closed::drives::Sharing;
use appell::closed::{legs_platform, tree_closures};
use appell::spatial::{Mat3, Vec3};
use core::f64::consts::PI;

/// q, q̇ and q̈.
pub type Angles = [[f64; 3]; 3];

/// The period of the motion, s.
pub const PERIOD: f64 = 4.0;

/// The paper's motion of the Euler angles at a time, q = a sin b t: 10°, 30° and 20°; π, π/2 and 3π/2 rad/s  (eq. 52).
#[must_use]
pub fn motion(t: f64) -> Angles {
    let term = |(degrees, b): (f64, f64)| {
        let (a, (sin, cos)) = (degrees.to_radians(), (b * t).sin_cos());
        [a * sin, a * b * cos, -a * b * b * sin]
    };
    let terms = [(10.0, PI), (30.0, PI / 2.0), (20.0, 3.0 * PI / 2.0)].map(term);
    [0, 1, 2].map(|order| terms.map(|term| term[order]))
}

/// The whole motion.
pub type Study = study::Study<Sample>;

/// One instant of the motion. Differences are closed form less tree + closures.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// s.
    pub t: f64,
    /// Euler angles, rad.
    pub q: [f64; 3],
    /// Angles of the driven joints, rad.
    pub theta: [f64; 3],
    /// h of the legs.
    pub h: [f64; 3],
    /// Torques, N m.
    pub tau: [f64; 3],
    /// Torques with the platform's centre of mass in the point, N m.
    pub tau_balanced: [f64; 3],
    /// Of θ, rad: against the general assembly.
    pub theta_difference: [f64; 3],
    /// Of θ̇, rad/s.
    pub rate_difference: [f64; 3],
    /// Of θ̈, rad/s².
    pub acceleration_difference: [f64; 3],
    /// Of τ, N m.
    pub tau_difference: [f64; 3],
}

/// Follows the motion over its period in so many steps.
///
/// # Errors
/// If it leads out of reach or through a singularity.
pub fn study(wrist: &AgileWrist, steps: usize) -> Result<Study, StudyError> {
    let mut general = General::new(&wrist.description(motion(0.0)[0])?)?;
    let balanced = wrist.clone().balanced();
    let [mut positions, mut first, mut second, mut inertia, mut skewness] = [Comparison::default(); 5];
    let [mut by_legs, mut by_tree, mut forward, mut power] = [Comparison::default(); 4];
    let mut samples = Vec::with_capacity(steps + 1);
    for k in 0..=steps {
        let t = PERIOD * k as f64 / steps as f64;
        let [q, v, a] = self::motion(t);
        let motion = wrist.motion(q, v)?;
        let at = general.at(motion.rotation)?;
        let each = |theta: [f64; 3], psi: [f64; 3]| [0, 1, 2].map(|k| [theta[k], psi[k]]).concat();
        let (theta, psi) = (motion.placed.map(|leg| leg.theta), motion.placed.map(|leg| leg.psi));
        let placed = each(theta, psi);
        let rates = each(motion.theta_dot(), motion.psi_dot());
        let accelerations = each(motion.theta_ddot(a), motion.psi_ddot(a));
        let (omega, omega_dot) = (motion.omega.to_array(), motion.omega_dot(a).to_array());
        let (u, u_dot) = tree_closures::motion(&general.robot, &mut general.tree, &at, &omega, &omega_dot)?;
        positions.see(&placed, &at.q);
        first.see(&rates, &u[..6]);
        second.see(&accelerations, &u_dot[..6]);
        let driven = |ours: &[f64], theirs: &[f64]| [0, 2, 4].map(|j| ours[j] - theirs[j]);
        let (rate_difference, acceleration_difference) = (driven(&rates, u), driven(&accelerations, u_dot));

        let terms = wrist.terms(q, v)?;
        let m = legs_platform::inertia_matrix(&general.robot, &mut general.legs, &at)?;
        let m = Mat3::from_rows([0, 3, 6].map(|k| Vec3::new(m[k], m[k + 1], m[k + 2])));
        inertia.see(&entries(terms.inertia), &entries(motion.e.transpose() * (m * motion.e)));
        let twice = terms.coriolis + terms.coriolis;
        let sum = terms.inertia_rate + terms.inertia_rate.transpose();
        skewness.see(&entries(sum), &entries(twice + twice.transpose()));

        let tau = wrist.inverse_dynamics(q, v, a)?;
        let (robot, legs, sharing) = (&general.robot, &mut general.legs, Sharing::default());
        by_legs.see(&tau, legs_platform::inverse_dynamics(robot, legs, &at, &omega, &omega_dot, &[], &sharing)?);
        let tree = general.torques(&at, motion.omega, motion.omega_dot(a))?;
        by_tree.see(&tau, &tree);
        forward.see(&wrist.forward_dynamics(q, v, tau)?, &a);
        let rates = Vec3::from(v);
        let needed = terms.inertia * Vec3::from(a) + terms.gravity;
        let gained = rates.dot(needed) + 0.5 * rates.dot(terms.inertia_rate * rates);
        power.see(&[Vec3::from(tau).dot(motion.theta_dot().into())], &[gained]);
        samples.push(Sample {
            t,
            q,
            theta,
            h: motion.placed.map(|leg| leg.h),
            tau,
            tau_balanced: balanced.inverse_dynamics(q, v, a)?,
            theta_difference: driven(&placed, &at.q),
            rate_difference,
            acceleration_difference,
            tau_difference: [0, 1, 2].map(|k| tau[k] - tree[k]),
        });
    }
    let checks = vec![
        positions.check("θ and ψ: eqs 34 and 36, and the general assembly", 1e-12),
        first.check("their rates: eq. 40, and tree-closures", 1e-12),
        second.check("their accelerations: eq. 41, and tree-closures", 1e-12),
        inertia.check("M of eq. 21, and Eᵀ M_rob E of legs-platform", 1e-12),
        by_legs.check("torques: closed form and legs-platform", 1e-11),
        by_tree.check("torques: closed form and tree-closures", 1e-11),
        forward.check("accelerations given back by the closed form's forward dynamics", 1e-11),
        skewness.check("symmetric part of dM/dt − 2 C, over 2 C", 1e-12),
        power.check("power of the drives, and dT/dt + q̇ · G by M, dM/dt and G", 1e-11),
    ];
    Ok(Study { samples, checks })
}

/// Row by row.
pub(super) fn entries(m: Mat3<f64>) -> [f64; 9] {
    core::array::from_fn(|k| m.rows[k / 3][k % 3])
}
