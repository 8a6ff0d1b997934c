//! Inverse kinematics of the wrist in closed form, the joints' rates and the rates of these  [Abedloo, eqs 25 to 43].
//!
//! ```text
//! y = Bᵀ v,  B = Rz(λ) Rx(γ − π)                                                    eqs 28, 29
//! a cos θ + b sin θ = c      a = −sin α₁ y₂,  b = sin α₁ y₁,  c = cos α₂ − cos α₁ y₃   eqs 32, 33
//! θ = atan2(b, a) ± atan2(√(a² + b² − c²), c)       the sign is the working mode        eq. 34
//! sin α₁ sin α₂ (cos ψ, sin ψ) = (cos α₁ cos α₂ − u · v, −h)                         for eq. 36
//! θ̇ = r₁ q̇,  r₁ = (v × w)ᵀ E / h        ψ̇ = r₂ q̇,  r₂ = (u × v)ᵀ E / h                  eqs 38 to 40
//! θ̈ = r₁ q̈ + b₁ q̇,  b = (ṗ/h − ḣ p/h²)ᵀ E + pᵀ Ė/h,  v̇ = ω × v,  ẇ = θ̇ u × w          eq. 41
//! ```
//!
//! Departs from the paper: eq. 36 gives the cosine of ψ alone, which fits one working mode of two.
//! √(a² + b² − c²) = |h|: a leg that just reaches a pose is singular there.

use super::{AgileWrist, Leg, WristError};
use appell::spatial::{EulerAngles, Mat3, PlanarRotation, Vec3, wrapped};

/// Below this, h counts as zero.
const SINGULAR: f64 = 1e-10;

/// A leg that reaches the platform.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlacedLeg {
    /// Angle of the driven joint in (−π, π].
    pub theta: f64,
    /// Angle between the links in (−π, π].
    pub psi: f64,
    /// Axis on the base.
    pub u: Vec3<f64>,
    /// Axis on the platform.
    pub v: Vec3<f64>,
    /// Axis between the links.
    pub w: Vec3<f64>,
    /// u · (v × w)  (eq. 39).
    pub h: f64,
    /// base_from_link of both links: R_i1, and R_i1 R_i2.
    pub base_from_link: [Mat3<f64>; 2],
    /// link 1 from link 2: R_i2  (eq. 27).
    pub first_from_second: Mat3<f64>,
}

/// A leg that moves, its rates by rows: what stands before q̇.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MovingLeg {
    /// r₁: θ̇ = r₁ q̇.
    pub r1: Vec3<f64>,
    /// r₂: ψ̇ = r₂ q̇.
    pub r2: Vec3<f64>,
    /// b₁: θ̈ = r₁ q̈ + b₁ q̇.
    pub b1: Vec3<f64>,
    /// b₂: ψ̈ = r₂ q̈ + b₂ q̇.
    pub b2: Vec3<f64>,
    /// θ̇, rad/s.
    pub theta_dot: f64,
    /// ψ̇, rad/s.
    pub psi_dot: f64,
}

/// The wrist in motion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Motion {
    /// R, base_from_platform.
    pub rotation: Mat3<f64>,
    /// E: ω = E q̇  (eq. 26).
    pub e: Mat3<f64>,
    /// Ė.
    pub e_dot: Mat3<f64>,
    /// q̇.
    pub v: Vec3<f64>,
    /// ω of the platform, in base axes.
    pub omega: Vec3<f64>,
    /// Where the legs are.
    pub placed: [PlacedLeg; 3],
    /// How they move.
    pub moving: [MovingLeg; 3],
}

impl Leg {
    /// a, b and c of eq. 33, with v given.
    #[must_use]
    pub fn reach(&self, v: Vec3<f64>) -> [f64; 3] {
        let ([first, second], y) =
            ([self.alpha1, self.alpha2].map(PlanarRotation::exact), self.base_rotation().transpose_times(v));
        [-first.sin * y.y, first.sin * y.x, second.cos - first.cos * y.z]
    }

    /// The leg with the platform at an attitude.
    ///
    /// # Errors
    /// a² + b² − c² where that is negative: the leg is too short.
    pub fn placed(&self, rotation: &Mat3<f64>) -> Result<PlacedLeg, f64> {
        let v = *rotation * self.platform_rotation().column(2);
        let [a, b, c] = self.reach(v);
        let discriminant = a * a + b * b - c * c;
        if discriminant.is_nan() || discriminant < 0.0 {
            return Err(discriminant);
        }
        let theta = wrapped(b.atan2(a) + self.mode.sign() * discriminant.sqrt().atan2(c)); // eq. 34
        let base = self.base_rotation();
        let first = base * PlanarRotation::by(theta).matrix_z();
        let [one, two] = [self.alpha1, self.alpha2].map(PlanarRotation::exact);
        let (u, w) = (base.column(2), (first * one.matrix_x()).column(2)); // eq. 29
        let h = u.dot(v.cross(w));
        let size = one.sin * two.sin;
        let psi = (-h / size).atan2((one.cos * two.cos - u.dot(v)) / size);
        let first_from_second = one.matrix_x() * PlanarRotation::by(psi).matrix_z(); // eq. 27
        let base_from_link = [first, first * first_from_second];
        Ok(PlacedLeg { theta, psi, u, v, w, h, base_from_link, first_from_second })
    }
}

impl PlacedLeg {
    /// u seen from the second link.
    #[must_use]
    pub fn first_axis_in_second(&self) -> Vec3<f64> {
        self.first_from_second.rows[2]
    }

    /// How the leg moves with the platform.
    fn moving(&self, e: &Mat3<f64>, e_dot: &Mat3<f64>, omega: Vec3<f64>) -> MovingLeg {
        let &Self { u, v, w, h, .. } = self;
        let (p1, p2) = (v.cross(w), u.cross(v)); // eq. 39
        let (theta_dot, psi_dot) = (p1.dot(omega) / h, p2.dot(omega) / h); // eq. 40
        let (v_dot, w_dot) = (omega.cross(v), u.cross(w).scale(theta_dot));
        let (p1_dot, p2_dot) = (v_dot.cross(w) + v.cross(w_dot), u.cross(v_dot));
        let h_dot = p1_dot.dot(u);
        let row = |p: Vec3<f64>| e.transpose_times(p.scale(1.0 / h));
        let rate = |p: Vec3<f64>, p_dot: Vec3<f64>| {
            e.transpose_times(p_dot.scale(1.0 / h) - p.scale(h_dot / (h * h))) + e_dot.transpose_times(p.scale(1.0 / h))
        };
        let (r1, r2, b1, b2) = (row(p1), row(p2), rate(p1, p1_dot), rate(p2, p2_dot)); // eq. 41
        MovingLeg { r1, r2, b1, b2, theta_dot, psi_dot }
    }
}

impl AgileWrist {
    /// The legs at the platform's Euler angles.
    ///
    /// # Errors
    /// If one does not reach them.
    pub fn placed(&self, q: [f64; 3]) -> Result<[PlacedLeg; 3], WristError> {
        self.placed_at(&EulerAngles::Zyx.rotation(q))
    }

    /// The legs at an attitude of the platform.
    ///
    /// # Errors
    /// If one does not reach it.
    pub fn placed_at(&self, rotation: &Mat3<f64>) -> Result<[PlacedLeg; 3], WristError> {
        let leg = |k: usize| {
            let placed = self.legs[k].placed(rotation);
            placed.map_err(|discriminant| WristError::OutOfReach { leg: k + 1, discriminant })
        };
        Ok([leg(0)?, leg(1)?, leg(2)?])
    }

    /// The wrist at Euler angles and their rates.
    ///
    /// # Errors
    /// If a leg does not reach the attitude, or is singular there.
    pub fn motion(&self, q: [f64; 3], v: [f64; 3]) -> Result<Motion, WristError> {
        let rotation = EulerAngles::Zyx.rotation(q);
        let placed = self.placed_at(&rotation)?;
        if let Some(k) = placed.iter().position(|leg| leg.h.is_nan() || leg.h.abs() < SINGULAR) {
            return Err(WristError::SingularLeg { leg: k + 1, h: placed[k].h });
        }
        let (e, e_dot) = (EulerAngles::Zyx.omega_of_rates(q), EulerAngles::Zyx.omega_of_rates_rate(q, v));
        let v = Vec3::from(v);
        let omega = e * v; // eq. 26
        let moving = placed.map(|leg| leg.moving(&e, &e_dot, omega));
        Ok(Motion { rotation, e, e_dot, v, omega, placed, moving })
    }
}

impl Motion {
    /// θ̇ of the legs.
    #[must_use]
    pub fn theta_dot(&self) -> [f64; 3] {
        self.moving.map(|leg| leg.theta_dot)
    }

    /// ψ̇ of the legs.
    #[must_use]
    pub fn psi_dot(&self) -> [f64; 3] {
        self.moving.map(|leg| leg.psi_dot)
    }

    /// θ̈ of the legs, with q̈ given.
    #[must_use]
    pub fn theta_ddot(&self, a: [f64; 3]) -> [f64; 3] {
        self.moving.map(|leg| leg.r1.dot(a.into()) + leg.b1.dot(self.v))
    }

    /// ψ̈ of the legs, with q̈ given.
    #[must_use]
    pub fn psi_ddot(&self, a: [f64; 3]) -> [f64; 3] {
        self.moving.map(|leg| leg.r2.dot(a.into()) + leg.b2.dot(self.v))
    }

    /// ω̇ of the platform in base axes, with q̈ given  (eq. 26).
    #[must_use]
    pub fn omega_dot(&self, a: [f64; 3]) -> Vec3<f64> {
        self.e * Vec3::from(a) + self.e_dot * self.v
    }

    /// J_act: θ̇ = J_act q̇  (eq. 50).
    #[must_use]
    pub fn drives(&self) -> Mat3<f64> {
        Mat3::from_rows(self.moving.map(|leg| leg.r1))
    }

    /// The rate of J_act.
    #[must_use]
    pub fn drives_rate(&self) -> Mat3<f64> {
        Mat3::from_rows(self.moving.map(|leg| leg.b1))
    }
}
