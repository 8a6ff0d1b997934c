//! The wrist along a motion: joints and torques in closed form, beside both general methods and the laws that must hold.

use super::AgileWrist;
use crate::general::General;
use crate::study::{Check, Comparison, StudyError};
use appell::closed::drives::Sharing;
use appell::closed::{legs_platform, tree_closures};
use appell::spatial::{Mat3, Vec3};
use core::f64::consts::PI;

/// A motion of the Euler angles in sines: q = a sin b t  (eq. 52).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trajectory {
    /// a, rad.
    pub amplitude: [f64; 3],
    /// b, rad/s.
    pub frequency: [f64; 3],
}

/// q, q̇ and q̈.
pub type Angles = [[f64; 3]; 3];

impl Trajectory {
    /// The period of [`paper`](Self::paper), s.
    pub const PERIOD: f64 = 4.0;

    /// The paper's: 10°, 30° and 20°; π, π/2 and 3π/2 rad/s. It repeats after 4 s.
    #[must_use]
    pub fn paper() -> Self {
        Self { amplitude: [10.0_f64, 30.0, 20.0].map(f64::to_radians), frequency: [PI, PI / 2.0, 3.0 * PI / 2.0] }
    }

    /// Angles, rates and accelerations at a time.
    #[must_use]
    pub fn at(&self, t: f64) -> Angles {
        let term = |k: usize| {
            let (a, b) = (self.amplitude[k], self.frequency[k]);
            let (sin, cos) = (b * t).sin_cos();
            [a * sin, a * b * cos, -a * b * b * sin]
        };
        let terms = [0, 1, 2].map(term);
        [0, 1, 2].map(|order| terms.map(|term| term[order]))
    }
}

/// One instant of the motion. Differences are closed form less tree + closures.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// s.
    pub t: f64,
    /// Euler angles, rad.
    pub q: [f64; 3],
    /// Angles of the driven joints, rad.
    pub theta: [f64; 3],
    /// Angles between the links, rad.
    pub psi: [f64; 3],
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

/// The whole motion.
#[derive(Debug, Clone, PartialEq)]
pub struct Study {
    /// At equal steps.
    pub samples: Vec<Sample>,
    /// What must agree.
    pub checks: Vec<Check>,
}

/// What is compared along a motion.
#[derive(Default)]
struct Comparisons {
    positions: Comparison,
    rates: Comparison,
    accelerations: Comparison,
    inertia: Comparison,
    legs: Comparison,
    tree: Comparison,
    forward: Comparison,
    skewness: Comparison,
    power: Comparison,
}

/// Follows a motion for a time in so many steps.
///
/// # Errors
/// If the motion leads out of reach or through a singularity.
pub fn study(wrist: &AgileWrist, motion: &Trajectory, duration: f64, steps: usize) -> Result<Study, StudyError> {
    let mut general = General::new(&wrist.description(motion.at(0.0)[0])?)?;
    let balanced = wrist.clone().balanced();
    let mut seen = Comparisons::default();
    let samples = (0..=steps).map(|k| {
        let t = duration * k as f64 / steps as f64;
        sample(wrist, &balanced, &mut general, t, motion.at(t), &mut seen)
    });
    let samples = samples.collect::<Result<_, StudyError>>()?;
    let checks = vec![
        seen.positions.check("θ and ψ: eqs 34 and 36, and the general assembly", 1e-12),
        seen.rates.check("their rates: eq. 40, and tree-closures", 1e-12),
        seen.accelerations.check("their accelerations: eq. 41, and tree-closures", 1e-12),
        seen.inertia.check("M of eq. 21, and Eᵀ M_rob E of legs-platform", 1e-12),
        seen.legs.check("torques: closed form and legs-platform", 1e-11),
        seen.tree.check("torques: closed form and tree-closures", 1e-11),
        seen.forward.check("accelerations given back by the closed form's forward dynamics", 1e-11),
        seen.skewness.check("symmetric part of dM/dt − 2 C, over 2 C", 1e-12),
        seen.power.check("power of the drives, and dT/dt + q̇ · G by M, dM/dt and G", 1e-11),
    ];
    Ok(Study { samples, checks })
}

fn sample(
    wrist: &AgileWrist,
    balanced: &AgileWrist,
    general: &mut General,
    t: f64,
    [q, v, a]: Angles,
    seen: &mut Comparisons,
) -> Result<Sample, StudyError> {
    let motion = wrist.motion(q, v)?;
    let tau = wrist.inverse_dynamics(q, v, a)?;
    let (omega, omega_dot) = (motion.omega.to_array(), motion.omega_dot(a).to_array());
    let at = general.at(motion.rotation)?;
    let each = |of: &dyn Fn(usize) -> [f64; 2]| [0, 1, 2].map(of).into_iter().flatten().collect::<Vec<f64>>();

    let placed = each(&|k| [motion.placed[k].theta, motion.placed[k].psi]);
    let (first, second) = (motion.theta_dot(), motion.psi_dot());
    let rates = each(&|k| [first[k], second[k]]);
    let (first, second) = (motion.theta_ddot(a), motion.psi_ddot(a));
    let accelerations = each(&|k| [first[k], second[k]]);
    let (u, u_dot) = tree_closures::motion(&general.robot, &mut general.tree, &at, &omega, &omega_dot)?;
    seen.positions.see(&placed, &at.q);
    seen.rates.see(&rates, &u[..6]);
    seen.accelerations.see(&accelerations, &u_dot[..6]);
    let driven = |ours: &[f64], theirs: &[f64]| [0, 2, 4].map(|j| ours[j] - theirs[j]);
    let (rate_difference, acceleration_difference) = (driven(&rates, u), driven(&accelerations, u_dot));

    let terms = wrist.terms(q, v)?;
    let m = legs_platform::inertia_matrix(&general.robot, &mut general.legs, &at)?;
    let m = Mat3::from_rows([0, 3, 6].map(|k| Vec3::new(m[k], m[k + 1], m[k + 2])));
    seen.inertia.see(&entries(terms.inertia), &entries(motion.e.transpose() * (m * motion.e)));
    let twice = terms.coriolis + terms.coriolis;
    let sum = terms.inertia_rate + terms.inertia_rate.transpose();
    seen.skewness.see(&entries(sum), &entries(twice + twice.transpose()));

    let sharing = Sharing::default();
    let robot = &general.robot;
    seen.legs
        .see(&tau, legs_platform::inverse_dynamics(robot, &mut general.legs, &at, &omega, &omega_dot, &[], &sharing)?);
    let tree = general.torques(&at, motion.omega, motion.omega_dot(a))?;
    seen.tree.see(&tau, &tree);
    seen.forward.see(&wrist.forward_dynamics(q, v, tau)?, &a);
    let (rates, accelerations) = (Vec3::from(v), Vec3::from(a));
    let power = rates.dot(terms.inertia * accelerations + terms.gravity) + 0.5 * rates.dot(terms.inertia_rate * rates);
    seen.power.see(&[Vec3::from(tau).dot(motion.theta_dot().into())], &[power]);

    let minus = |ours: [f64; 3], theirs: [f64; 3]| [0, 1, 2].map(|k| ours[k] - theirs[k]);
    Ok(Sample {
        t,
        q,
        theta: motion.placed.map(|leg| leg.theta),
        psi: motion.placed.map(|leg| leg.psi),
        h: motion.placed.map(|leg| leg.h),
        tau,
        tau_balanced: balanced.inverse_dynamics(q, v, a)?,
        theta_difference: driven(&placed, &at.q),
        rate_difference,
        acceleration_difference,
        tau_difference: minus(tau, tree),
    })
}

/// Row by row.
pub(super) fn entries(m: Mat3<f64>) -> [f64; 9] {
    core::array::from_fn(|k| m.rows[k / 3][k % 3])
}
