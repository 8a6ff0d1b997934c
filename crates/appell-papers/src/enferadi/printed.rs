//! The wrong forms of Enferadi2010 as they are printed, and what they do.
//!
//! The references are tree + closures on the same robot, the loops themselves, and exact derivatives by dual numbers:
//! none of them uses the equations that are compared.

use super::dynamics::MovingBody;
use super::kinematics::{Instant, PlacedLeg};
use super::trajectory::Trajectory;
use super::{StarError, StarTriangle};
use crate::PivotedBody;
use crate::erratum::Pair;
use crate::general::General;
use crate::pivoted::{outer, solve};
use crate::study::{Comparison, StudyError};
use appell::closed::tree_closures;
use appell::real::Dual;
use appell::sample::Sampler;
use appell::spatial::{EulerAngles, Mat3, PlanarRotation, Sym3, Vec3};

/// Instants of a motion.
const STEPS: usize = 100;

/// Attitudes for eq. 18, and the seed that draws them.
const ATTITUDES: usize = 200;
const SEED: u64 = 4;

/// Which equations are taken as printed.
#[derive(Debug, Clone, Copy, Default)]
struct Printed {
    eq24: bool,
    eq40: bool,
    eq41: bool,
    eq54: bool,
}

const NONE: Printed = Printed { eq24: false, eq40: false, eq41: false, eq54: false };
const ALL: Printed = Printed { eq24: true, eq40: true, eq41: true, eq54: true };

/// Everything along the motions.
#[derive(Default)]
pub(super) struct Measured {
    /// Torques on each motion with eq. 24, 40 or 41 as printed, and all together with eqs 54 to 68.
    pub(super) torques: [[Pair; 4]; 2],
    pub(super) third_arc: Pair,
    pub(super) side: Pair,
    pub(super) omega_dot: Pair,
    pub(super) eq36: Pair,
    pub(super) eq40: Pair,
    pub(super) eq41: Pair,
    pub(super) passive: Pair,
    pub(super) skewed: Pair,
    pub(super) mu: Comparison,
    pub(super) mu_ddot: Comparison,
    pub(super) quotient: Comparison,
}

impl Measured {
    pub(super) fn gather() -> Result<Self, StudyError> {
        let mut seen = Self::default();
        let star = StarTriangle::paper().with_gravity(Vec3::zero(0.0));
        let skewed = StarTriangle { passive: [lopsided(); 3], ..star.clone() };
        for (which, motion) in Trajectory::ALL.into_iter().enumerate() {
            let mut general = General::new(&star.description(motion.at(0.0).rotation))?;
            let mut other = General::new(&skewed.description(motion.at(0.0).rotation))?;
            for k in 0..=STEPS {
                let t = Trajectory::PERIOD * k as f64 / STEPS as f64;
                let (angles, instant) = (motion.angles(t), motion.at(t));
                seen.see_attitude(&star, angles);
                seen.see_legs(&star, &mut general, &instant, omega_ddot(motion, t))?;
                seen.see_torques(which, &star, &mut general, angles, &instant)?;
                let at = other.at(instant.rotation)?;
                let right = skewed.inverse_dynamics(&instant, Vec3::zero(0.0))?;
                let printed = torques(&skewed, angles, Printed { eq54: true, ..NONE })?;
                seen.skewed.see(&printed, &right, &other.torques(&at, instant.omega, instant.omega_dot)?);
            }
        }
        seen.see_sides(&star);
        Ok(seen)
    }

    /// Torques with equations as printed.
    fn see_torques(
        &mut self,
        which: usize,
        star: &StarTriangle,
        general: &mut General,
        angles: [[f64; 3]; 3],
        instant: &Instant,
    ) -> Result<(), StudyError> {
        let at = general.at(instant.rotation)?;
        let right = star.inverse_dynamics(instant, Vec3::zero(0.0))?;
        let known = general.torques(&at, instant.omega, instant.omega_dot)?;
        let forms =
            [Printed { eq24: true, ..NONE }, Printed { eq40: true, ..NONE }, Printed { eq41: true, ..NONE }, ALL];
        for (pair, printed) in self.torques[which].iter_mut().zip(forms) {
            pair.see(&torques(star, angles, printed)?, &right, &known);
        }
        Ok(())
    }

    /// Eqs 13 and 24.
    fn see_attitude(&mut self, star: &StarTriangle, angles: [[f64; 3]; 3]) {
        let rotation = EulerAngles::Zyz.rotation(angles[0]);
        let [t1, s] = [rotation.column(1), rotation.column(2)];
        let turn = PlanarRotation::by(star.star_angles[1]);
        let third = |sign: f64| t1.scale(turn.cos) + s.cross(t1).scale(sign * turn.sin);
        let turned = |t: Vec3<f64>| (t.scale(turn.cos) + s.cross(t).scale(turn.sin)).to_array();
        self.third_arc.see(&turned(third(1.0)), &turned(third(-1.0)), &t1.to_array());
        self.omega_dot.see(
            &eq24(angles, 1.0).to_array(),
            &eq24(angles, -1.0).to_array(),
            &exact_omega_dot(angles).to_array(),
        );
    }

    /// Eqs 36, 40, 41, 55, 60 and what is missing of μ.
    fn see_legs(
        &mut self,
        star: &StarTriangle,
        general: &mut General,
        at: &Instant,
        omega_ddot: Vec3<f64>,
    ) -> Result<(), StudyError> {
        let &Instant { rotation, omega, omega_dot } = at;
        let configuration = general.at(rotation)?;
        let robot = &general.robot;
        let (u, u_dot) =
            tree_closures::motion(robot, &mut general.tree, &configuration, &omega.to_array(), &omega_dot.to_array())?;
        for (k, leg) in star.regular(&rotation)?.iter().enumerate() {
            let &PlacedLeg { w, r, t, .. } = leg;
            let (rates, acceleration) = (leg.rates(omega), leg.accelerations(omega, omega_dot));
            let known = [u_dot[2 * k]];
            self.eq36.see(&[leg.accelerations(omega, omega_ddot).gamma], &[acceleration.gamma], &known);
            let printed = |form: Printed| [gamma_ddot(leg, omega, omega_dot, form)];
            let right = printed(NONE);
            self.eq40.see(&printed(Printed { eq40: true, ..NONE }), &right, &known);
            self.eq41.see(&printed(Printed { eq41: true, ..NONE }), &right, &known);
            let link = |sign: f64| (w.scale(rates.gamma) + r.scale(sign * rates.mu) - t.scale(rates.beta)).to_array();
            self.passive.see(&link(1.0), &link(-1.0), &omega.to_array());
            self.mu.see(&[leg.mu], &[configuration.q[2 * k + 1]]);
            self.mu_ddot.see(&[acceleration.mu], &[u_dot[2 * k + 1]]);
            let normal = w.cross(t);
            self.quotient.see(&[-normal.dot(omega) / normal.dot(r)], &[u[2 * k + 1]]);
        }
        Ok(())
    }

    /// Eq. 18 where the star's middle is outside the triangle.
    fn see_sides(&mut self, star: &StarTriangle) {
        let mut sampler = Sampler::new(SEED);
        for _ in 0..ATTITUDES {
            let rotation = sampler.rotation();
            let s = rotation.column(2);
            for (k, leg) in star.placed(&rotation).iter().enumerate().filter(|(_, leg)| s.dot(leg.w) < 0.0) {
                let side = star.side(k);
                let gamma = (-side.column(0).dot(leg.t)).atan2(side.column(1).dot(leg.t));
                let printed = (side * PlanarRotation::by(gamma).matrix_z()).column(0);
                let along = |r: Vec3<f64>| s.cross(r).scale(1.0 / s.cross(r).norm()).to_array();
                self.side.see(&along(printed), &along(leg.r), &leg.t.to_array());
            }
        }
    }
}

/// A passive link whose inertia about r tells its sides apart.
fn lopsided() -> PivotedBody {
    let inertia = Sym3 { xx: 0.004, yy: 0.005, zz: 0.0035, xy: 0.001, xz: -0.0005, yz: 0.0008 };
    PivotedBody::new(0.06, Vec3::new(0.2, 0.03, -0.02), inertia)
}

/// Eq. 24 with this sign in its second row.
fn eq24([angles, rates, second]: [[f64; 3]; 3], sign: f64) -> Vec3<f64> {
    let (sin, cos) = angles[0].sin_cos();
    let ([theta, phi, psi], [theta_2, phi_2, psi_2]) = (rates, second);
    let s = EulerAngles::Zyz.rotation(angles).column(2);
    let first = Vec3::new(
        -phi_2 * sin - theta * phi * cos + psi_2 * s.x,
        phi_2 * cos + sign * theta * phi * sin + psi_2 * s.y,
        theta_2 + psi_2 * s.z,
    );
    first + Vec3::new(-psi * phi * sin, psi * phi * cos, psi * theta).cross(s)
}

/// The derivative of ω = E q̇.
fn exact_omega_dot([angles, rates, second]: [[f64; 3]; 3]) -> Vec3<f64> {
    let moving = |x: [f64; 3], rate: [f64; 3]| -> [Dual<1>; 3] {
        core::array::from_fn(|k| Dual { value: x[k], derivative: [rate[k]] })
    };
    let omega = EulerAngles::Zyz.omega_of_rates(moving(angles, rates)) * Vec3::from(moving(rates, second));
    omega.to_array().map(|x| x.derivative[0]).into()
}

/// The derivative of ω̇ along a motion.
fn omega_ddot(motion: Trajectory, t: f64) -> Vec3<f64> {
    let [angles, rates, second] = motion.angles(Dual::<1>::variable(t, 0));
    let kind = EulerAngles::Zyz;
    let omega_dot =
        kind.omega_of_rates(angles) * Vec3::from(second) + kind.omega_of_rates_rate(angles, rates) * Vec3::from(rates);
    omega_dot.to_array().map(|x| x.derivative[0]).into()
}

/// γ̈ by eq. 42 with d and f of eqs 40 and 41.
fn gamma_ddot(leg: &PlacedLeg, omega: Vec3<f64>, omega_dot: Vec3<f64>, printed: Printed) -> f64 {
    let &PlacedLeg { w, r, t, c, .. } = leg;
    let along = r.dot(omega);
    let d = -along * t.dot(w) * if printed.eq40 { 1.0 } else { 2.0 };
    let f = along * t.dot(omega) * if printed.eq41 { -1.0 } else { 1.0 };
    -(-r.cross(t).dot(omega_dot) + d * leg.rates(omega).gamma + f) / c
}

/// Torques with some equations as printed.
fn torques(star: &StarTriangle, angles: [[f64; 3]; 3], printed: Printed) -> Result<[f64; 3], StarError> {
    let [q, v, _] = angles;
    let rotation = EulerAngles::Zyz.rotation(q);
    let omega = EulerAngles::Zyz.omega_of_rates(q) * Vec3::from(v);
    let omega_dot = eq24(angles, if printed.eq24 { 1.0 } else { -1.0 });
    let mut bodies = star.bodies(&Instant { rotation, omega, omega_dot })?;
    for (links, leg) in bodies.chunks_exact_mut(2).zip(&star.regular(&rotation)?) {
        let &PlacedLeg { w, r, .. } = leg;
        let gamma_ddot = gamma_ddot(leg, omega, omega_dot, printed);
        links[0].omega_dot = leg.base_from_motor.transpose_times(w.scale(gamma_ddot));
        let (rates, acceleration) = (leg.rates(omega), leg.accelerations(omega, omega_dot));
        let sign = if printed.eq54 { 1.0 } else { -1.0 };
        let own = leg.base_from_passive.transpose();
        let across = w.cross(r).scale(sign * rates.gamma * rates.mu);
        links[1] = MovingBody {
            jacobian: own * (outer(w, leg.row()) - outer(r, r.scale(sign))),
            omega: own * (w.scale(rates.gamma) + r.scale(sign * rates.mu)),
            omega_dot: own * (w.scale(gamma_ddot) + r.scale(sign * acceleration.mu) + across),
            ..links[1]
        };
    }
    let needed = bodies.iter().fold(Vec3::zero(0.0), |sum, body| sum + body.moment_on_star(star.gravity));
    let rows: Mat3<f64> = star.drives(&rotation)?;
    let torques = solve(&rows.transpose(), needed);
    torques.map(Vec3::to_array).map_err(|determinant| StarError::SingularDrives { determinant })
}
