//! The motions of §7.2, and the robot along them: torques by virtual work, beside both general methods.

use super::StarTriangle;
use super::kinematics::{Instant, of_angles};
use crate::general::General;
use crate::study::{self, Comparison, StudyError};
use appell::closed::drives::Sharing;
use appell::closed::{legs_platform, tree_closures};
use appell::real::Real;
use appell::spatial::Vec3;
use core::f64::consts::{FRAC_PI_4, PI};

/// A motion of the paper; both repeat after π/6 s.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trajectory {
    /// §7.2.1: the star swings about its middle, which rests over the middle of the triangle.
    Swing,
    /// §7.2.2: the star's middle runs round a circle, ψ = 0.
    Circle,
}

/// The angular frequency of both, rad/s.
const FREQUENCY: f64 = 12.0;

impl Trajectory {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Swing, Self::Circle];

    /// Their period, s.
    pub const PERIOD: f64 = PI / 6.0;

    /// ZYZ Euler angles θ, φ and ψ, their rates and the rates of these.
    #[must_use]
    pub fn angles<T: Real>(self, t: T) -> [[T; 3]; 3] {
        let (sin, cos) = t.scale(FREQUENCY).sin_cos();
        let (fixed, zero) = (|x: f64| t.constant(x), t.zero());
        match self {
            Self::Swing => [
                [fixed(FRAC_PI_4), fixed((3.0_f64.sqrt() / 3.0).acos()), sin / fixed(FREQUENCY)],
                [zero, zero, cos],
                [zero, zero, sin.scale(-FREQUENCY)],
            ],
            Self::Circle => {
                let (even, odd, middle) = (6.0_f64.sqrt(), 2.0_f64.sqrt(), 13395.0_f64.sqrt() / 3.0);
                // s = (middle + along cos 12t + across sin 12t) / 71
                let (along, across) = ([4.0 * even, 4.0 * even, -8.0 * even], [-12.0 * odd, 12.0 * odd, 0.0]);
                let wave = |c: T, s: T, m: f64| {
                    [0, 1, 2].map(|k| (fixed(m) + c.scale(along[k]) + s.scale(across[k])) / fixed(71.0))
                };
                let rate = |x: [T; 3], power: i32| x.map(|x| x.scale(FREQUENCY.powi(power)));
                let s = wave(cos, sin, middle);
                spherical(s, rate(wave(-sin, cos, 0.0), 1), rate(wave(-cos, -sin, 0.0), 2))
            }
        }
    }

    /// Attitude, angular velocity and angular acceleration of the star.
    #[must_use]
    pub fn at(self, t: f64) -> Instant {
        let [angles, rates, accelerations] = self.angles(t);
        of_angles(angles, rates, accelerations)
    }
}

/// θ and φ of a direction that moves, with ψ = 0, and two derivatives of them.
fn spherical<T: Real>(s: [T; 3], rate: [T; 3], second: [T; 3]) -> [[T; 3]; 3] {
    let square = s[0] * s[0] + s[1] * s[1];
    let theta_1 = (s[0] * rate[1] - s[1] * rate[0]) / square;
    let square_rate = (s[0] * rate[0] + s[1] * rate[1]).scale(2.0);
    let theta_2 = (s[0] * second[1] - s[1] * second[0] - theta_1 * square_rate) / square;
    let (phi, sin) = (square.sqrt().atan2(s[2]), square.sqrt());
    let phi_1 = -rate[2] / sin;
    let phi_2 = -(second[2] + s[2] * phi_1 * phi_1) / sin;
    let zero = s[0].zero();
    [[s[1].atan2(s[0]), phi, zero], [theta_1, phi_1, zero], [theta_2, phi_2, zero]]
}

/// One instant of a motion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// s.
    pub t: f64,
    /// γ of the legs, rad.
    pub gamma: [f64; 3],
    /// Torques by virtual work, N m.
    pub tau: [f64; 3],
    /// Torques by tree + closures, N m.
    pub tree: [f64; 3],
}

/// A motion at equal steps over one period.
pub type Study = study::Study<Sample>;

/// Follows a motion over one period in so many steps.
///
/// # Errors
/// None for the paper's robot.
pub fn study(star: &StarTriangle, motion: Trajectory, steps: usize) -> Result<Study, StudyError> {
    let mut general = General::new(&star.description(motion.at(0.0).rotation))?;
    let [mut positions, mut rates, mut accelerations, mut inertia] = [Comparison::default(); 4];
    let [mut by_legs, mut by_tree, mut forward] = [Comparison::default(); 3];
    let mut samples = Vec::with_capacity(steps + 1);
    for k in 0..=steps {
        let t = Trajectory::PERIOD * k as f64 / steps as f64;
        let instant @ Instant { rotation, omega, omega_dot } = motion.at(t);
        let (legs, at) = (star.regular(&rotation)?, general.at(rotation)?);
        let (r, r_dot) = (omega.to_array(), omega_dot.to_array());
        let (u, u_dot) = tree_closures::motion(&general.robot, &mut general.tree, &at, &r, &r_dot)?;
        positions.see(&legs.map(|leg| [leg.gamma, leg.mu]).concat(), &at.q);
        rates.see(&legs.map(|leg| leg.rates(omega)).map(|rate| [rate.gamma, rate.mu]).concat(), &u[..6]);
        let second = legs.map(|leg| leg.accelerations(omega, omega_dot)).map(|rate| [rate.gamma, rate.mu]);
        accelerations.see(&second.concat(), &u_dot[..6]);

        let tau = star.inverse_dynamics(&instant, Vec3::zero(0.0))?;
        let tree = general.torques(&at, omega, omega_dot)?;
        by_tree.see(&tau, &tree);
        let (robot, sharing) = (&general.robot, Sharing::default());
        let legs_platform = legs_platform::inverse_dynamics(robot, &mut general.legs, &at, &r, &r_dot, &[], &sharing)?;
        by_legs.see(&tau, legs_platform);
        let m = legs_platform::inertia_matrix(robot, &mut general.legs, &at)?;
        inertia.see(star.inertia_matrix(&rotation)?.rows.map(Vec3::to_array).as_flattened(), m);
        forward.see(&star.forward_dynamics(&rotation, omega, tau, Vec3::zero(0.0))?.to_array(), &r_dot);
        samples.push(Sample { t, gamma: legs.map(|leg| leg.gamma), tau, tree });
    }
    let checks = vec![
        positions.check("γ and μ: eq. 18, and the general assembly", 1e-12),
        rates.check("their rates: eqs 31 and 34, and tree-closures", 1e-12),
        accelerations.check("their accelerations: eq. 36, and tree-closures", 1e-12),
        inertia.check("M by link Jacobians, and M_rob of legs-platform", 1e-12),
        by_legs.check("torques: virtual work and legs-platform", 1e-11),
        by_tree.check("torques: virtual work and tree-closures", 1e-11),
        forward.check("accelerations given back by forward dynamics of virtual work", 1e-11),
    ];
    Ok(Study { samples, checks })
}
