//! Inverse kinematics of the star-triangle robot in closed form, rates and accelerations  [Enferadi2010, eqs 1 to 42].
//!
//! ```text
//! s = R z,  t_k = R Rz(a_k) y        a = 0, α₃, −α₂                                            eqs 8 to 13
//! γ = atan2(−σ v · t, σ (w × v) · t)        σ = sign(s · w)                                        eq. 18
//! r = cos γ v + sin γ w × v                                                                       eq. 15
//! μ = atan2(t · (w × r), t · w),  β = atan2(s · (r × t), s · r),  c = (r × t) · w = sin μ          eq. 30
//! γ̇ w − μ̇ r − β̇ t = ω                                                                            eq. 26
//! γ̇ = (r × t) · ω / c,  μ̇ = −r · ω,  β̇ = γ̇ t · w − t · ω                                      eqs 31, 34, 35
//! γ̈ = [(r × t) · ω̇ + 2 γ̇ (r · ω) (t · w) − (r · ω) (t · ω)] / c                                  eq. 36
//! μ̈ = −r · ω̇ − γ̇ (w × r) · ω,  β̈ = γ̈ t · w + γ̇ (ω × t) · w − t · ω̇
//! ```
//!
//! Departs from the paper: σ keeps t along s × r where the star's middle has left the triangle; μ, μ̈ and β̈, which
//! eqs 45 and 68 need, are not in it. Attitudes are rotation matrices; [`of_angles`] leads from the paper's Euler
//! angles to them.

use super::{StarError, StarTriangle};
use appell::spatial::{EulerAngles, Mat3, PlanarRotation, Vec3};

/// Below this, c counts as zero.
const SINGULAR: f64 = 1e-10;

/// A leg at an attitude of the star.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlacedLeg {
    /// Angle of the motor in (−π, π].
    pub gamma: f64,
    /// Angle between side and arc in (−π, π].
    pub mu: f64,
    /// From r to s along the arc, in [0, π].
    pub beta: f64,
    /// Axis of the motor.
    pub w: Vec3<f64>,
    /// Axis of the passive joint.
    pub r: Vec3<f64>,
    /// Axis of the arc.
    pub t: Vec3<f64>,
    /// (r × t) · w.
    pub c: f64,
    /// base_from_1k  (eq. 44).
    pub base_from_motor: Mat3<f64>,
    /// base_from_2k  (eq. 45).
    pub base_from_passive: Mat3<f64>,
}

/// Rates of the three joints of a leg, or the rates of these.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rates {
    /// Of γ.
    pub gamma: f64,
    /// Of μ.
    pub mu: f64,
    /// Of β.
    pub beta: f64,
}

/// Attitude, angular velocity and angular acceleration of the star, in base axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Instant {
    /// base_from_star.
    pub rotation: Mat3<f64>,
    /// ω, rad/s.
    pub omega: Vec3<f64>,
    /// ω̇, rad/s².
    pub omega_dot: Vec3<f64>,
}

/// The star's motion of its ZYZ Euler angles θ, φ and ψ, their rates and the rates of these  (eqs 3, 19, 23).
#[must_use]
pub fn of_angles(angles: [f64; 3], rates: [f64; 3], accelerations: [f64; 3]) -> Instant {
    let (kind, v) = (EulerAngles::Zyz, Vec3::from(rates));
    let e = kind.omega_of_rates(angles);
    Instant {
        rotation: kind.rotation(angles),
        omega: e * v,
        omega_dot: e * Vec3::from(accelerations) + kind.omega_of_rates_rate(angles, rates) * v,
    }
}

impl StarTriangle {
    /// The legs at an attitude of the star.
    #[must_use]
    pub fn placed(&self, rotation: &Mat3<f64>) -> [PlacedLeg; 3] {
        [0, 1, 2].map(|k| self.placed_leg(k, rotation))
    }

    fn placed_leg(&self, k: usize, rotation: &Mat3<f64>) -> PlacedLeg {
        let (side, turn) = (self.side(k), PlanarRotation::exact(self.arc_angle(k)));
        let [v, across, w] = [0, 1, 2].map(|x| side.column(x));
        let (s, t) = (rotation.column(2), *rotation * Vec3::new(-turn.sin, turn.cos, 0.0));
        let sigma = 1.0_f64.copysign(s.dot(w));
        let gamma = (-sigma * v.dot(t)).atan2(sigma * across.dot(t)); // eq. 18
        let base_from_motor = side * PlanarRotation::by(gamma).matrix_z(); // eq. 44
        let r = base_from_motor.column(0); // eq. 15
        let normal = r.cross(t);
        PlacedLeg {
            gamma,
            mu: t.dot(w.cross(r)).atan2(t.dot(w)),
            beta: s.dot(normal).atan2(s.dot(r)),
            w,
            r,
            t,
            c: normal.dot(w), // eq. 30
            base_from_motor,
            base_from_passive: Mat3::from_rows([r, -normal, t]).transpose(), // eq. 45
        }
    }

    /// The legs at an attitude, none of them singular.
    ///
    /// # Errors
    /// If c of a leg is zero.
    pub fn regular(&self, rotation: &Mat3<f64>) -> Result<[PlacedLeg; 3], StarError> {
        let placed = self.placed(rotation);
        match placed.iter().position(|leg| leg.c.is_nan() || leg.c.abs() < SINGULAR) {
            Some(k) => Err(StarError::SingularLeg { leg: k + 1, c: placed[k].c }),
            None => Ok(placed),
        }
    }
}

impl PlacedLeg {
    /// The leg's row of J_γ: γ̇ = row · ω  (eq. 31).
    #[must_use]
    pub fn row(&self) -> Vec3<f64> {
        self.r.cross(self.t).scale(1.0 / self.c)
    }

    /// Rates of the joints  (eqs 31, 34, 35).
    #[must_use]
    pub fn rates(&self, omega: Vec3<f64>) -> Rates {
        let gamma = self.row().dot(omega);
        Rates { gamma, mu: -self.r.dot(omega), beta: gamma * self.t.dot(self.w) - self.t.dot(omega) }
    }

    /// Rates of these  (eq. 36).
    #[must_use]
    pub fn accelerations(&self, omega: Vec3<f64>, omega_dot: Vec3<f64>) -> Rates {
        let &Self { w, r, t, c, .. } = self;
        let (rate, along) = (self.rates(omega).gamma, r.dot(omega));
        let velocity = 2.0 * rate * along * t.dot(w) - along * t.dot(omega);
        let gamma = (r.cross(t).dot(omega_dot) + velocity) / c;
        Rates {
            gamma,
            mu: -r.dot(omega_dot) - rate * w.cross(r).dot(omega),
            beta: gamma * t.dot(w) + rate * omega.cross(t).dot(w) - t.dot(omega_dot),
        }
    }
}
