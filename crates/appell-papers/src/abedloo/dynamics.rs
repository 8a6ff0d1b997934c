//! Dynamics of the wrist in closed form: M q̈ + C q̇ + G = J_actᵀ τ  [Abedloo, eqs 19 to 24 and 44 to 51].
//!
//! ```text
//! link 1    J = z r₁              J̇ = z b₁                                   z = (0, 0, 1)
//! link 2    J = a r₁ + z r₂       J̇ = a b₁ + z b₂ + ψ̇ (a × z) r₁             a = R_i2ᵀ z            eqs 44 to 46
//! platform  J = Rᵀ E              J̇ = Rᵀ Ė − (J q̇)^ Rᵀ E                                             eq. 48
//!
//! M = Σ Jᵀ I J        G = Σ (m ρ^ J)ᵀ R_bᵀ g                                                         eq. 21
//! C = Σ Jᵀ I J̇ − Jᵀ (I J q̇)^ J        Ṁ − 2 C is skew-symmetric
//! C = Σ Jᵀ I J̇' + Jᵀ (J q̇)^ I J       the paper's, eq. 21; not skew-symmetric, the same C q̇
//! ```
//!
//! I and m ρ are about the point, J in the body's own axes, R_b its attitude in the base. J̇ is the time derivative of
//! J; J̇' of eqs 47 and 48 has the same product with q̇ and is another matrix: link 2 has
//! ½ (a × z) (ψ̇ r₁ + θ̇ r₂) in it, the platform Rᵀ Ė alone.

use super::kinematics::{MovingLeg, PlacedLeg};
use super::{AgileWrist, WristError, kinematics};
use crate::PivotedBody;
use crate::pivoted::{outer, solve};
use appell::dynamics::energy::Energy;
use appell::spatial::{EulerAngles, Mat3, Vec3};

/// z of every frame.
pub(super) const Z: Vec3<f64> = Vec3::new(0.0, 0.0, 1.0);

/// A body of the wrist in motion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MovingBody {
    /// The body.
    pub body: PivotedBody,
    /// base_from_body.
    pub base_from_body: Mat3<f64>,
    /// J: angular velocity in the body's axes of q̇.
    pub jacobian: Mat3<f64>,
    /// J̇, its time derivative.
    pub jacobian_rate: Mat3<f64>,
    /// J̇' of eqs 47 and 48.
    pub printed_rate: Mat3<f64>,
}

/// The terms of the equation of motion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Terms {
    /// M, kg m².
    pub inertia: Mat3<f64>,
    /// Ṁ.
    pub inertia_rate: Mat3<f64>,
    /// C with Ṁ − 2 C skew-symmetric.
    pub coriolis: Mat3<f64>,
    /// C of eq. 21, with J̇ of eqs 47 and 48.
    pub printed_coriolis: Mat3<f64>,
    /// G, N m.
    pub gravity: Vec3<f64>,
}

impl kinematics::Motion {
    /// The six links and the platform: links 1 and 2 of each leg in turn, then the platform.
    #[must_use]
    pub fn bodies(&self, wrist: &AgileWrist) -> [MovingBody; 7] {
        let jacobian = self.rotation.transpose() * self.e;
        let printed_rate = self.rotation.transpose() * self.e_dot; // eq. 48
        let platform = MovingBody {
            body: wrist.platform,
            base_from_body: self.rotation,
            jacobian,
            jacobian_rate: printed_rate - Mat3::skew(jacobian * self.v) * jacobian,
            printed_rate,
        };
        let link = |k: usize| {
            let (placed, moving) = (&self.placed[k / 2], &self.moving[k / 2]);
            let body = wrist.legs[k / 2].links[k % 2];
            if k.is_multiple_of(2) { first_link(body, placed, moving) } else { second_link(body, placed, moving) }
        };
        [link(0), link(1), link(2), link(3), link(4), link(5), platform]
    }
}

fn first_link(body: PivotedBody, placed: &PlacedLeg, moving: &MovingLeg) -> MovingBody {
    let rate = outer(Z, moving.b1);
    let base_from_body = placed.base_from_link[0];
    MovingBody { body, base_from_body, jacobian: outer(Z, moving.r1), jacobian_rate: rate, printed_rate: rate }
}

fn second_link(body: PivotedBody, placed: &PlacedLeg, moving: &MovingLeg) -> MovingBody {
    let &MovingLeg { r1, r2, b1, b2, theta_dot, psi_dot } = moving;
    let a = placed.first_axis_in_second();
    let (rows, across) = (outer(a, b1) + outer(Z, b2), a.cross(Z));
    MovingBody {
        body,
        base_from_body: placed.base_from_link[1],
        jacobian: outer(a, r1) + outer(Z, r2),
        jacobian_rate: rows + outer(across, r1.scale(psi_dot)),
        printed_rate: rows + outer(across, (r1.scale(psi_dot) + r2.scale(theta_dot)).scale(0.5)), // eq. 47
    }
}

impl MovingBody {
    /// Its part of the equation of motion  (eq. 21).
    #[must_use]
    pub fn terms(&self, v: Vec3<f64>, gravity: Vec3<f64>) -> Terms {
        let &Self { body, base_from_body, jacobian, jacobian_rate, printed_rate } = self;
        let (j_t, inertia) = (jacobian.transpose(), body.inertia.full());
        let (ij, omega) = (inertia * jacobian, jacobian * v);
        let half = j_t * (inertia * jacobian_rate);
        Terms {
            inertia: j_t * ij,
            inertia_rate: half + half.transpose(),
            coriolis: half - j_t * (Mat3::skew(ij * v) * jacobian),
            printed_coriolis: j_t * (inertia * printed_rate) + j_t * (Mat3::skew(omega) * ij),
            gravity: (Mat3::skew(body.first_moment) * jacobian)
                .transpose_times(base_from_body.transpose_times(gravity)),
        }
    }
}

impl Terms {
    /// The sum over bodies  (eq. 20).
    #[must_use]
    pub fn sum(bodies: &[MovingBody], v: Vec3<f64>, gravity: Vec3<f64>) -> Self {
        let none = Mat3::zero(0.0);
        let start = Self {
            inertia: none,
            inertia_rate: none,
            coriolis: none,
            printed_coriolis: none,
            gravity: Vec3::zero(0.0),
        };
        bodies.iter().map(|body| body.terms(v, gravity)).fold(start, |sum, one| Self {
            inertia: sum.inertia + one.inertia,
            inertia_rate: sum.inertia_rate + one.inertia_rate,
            coriolis: sum.coriolis + one.coriolis,
            printed_coriolis: sum.printed_coriolis + one.printed_coriolis,
            gravity: sum.gravity + one.gravity,
        })
    }
}

impl AgileWrist {
    /// M, C and G at Euler angles and their rates.
    ///
    /// # Errors
    /// If a leg does not reach the attitude, or is singular there.
    pub fn terms(&self, q: [f64; 3], v: [f64; 3]) -> Result<Terms, WristError> {
        let motion = self.motion(q, v)?;
        Ok(Terms::sum(&motion.bodies(self), motion.v, self.gravity))
    }

    /// Torques of the drives for a motion  (eqs 19, 51): τ = J_act⁻ᵀ (M q̈ + C q̇ + G).
    ///
    /// # Errors
    /// Out of reach, and at singularities of a leg, of the drives and of the Euler angles.
    pub fn inverse_dynamics(&self, q: [f64; 3], v: [f64; 3], a: [f64; 3]) -> Result<[f64; 3], WristError> {
        EulerAngles::Zyx.refuse_singular(q)?;
        let motion = self.motion(q, v)?;
        let Terms { inertia, coriolis, gravity, .. } = Terms::sum(&motion.bodies(self), motion.v, self.gravity);
        let generalised = inertia * Vec3::from(a) + coriolis * motion.v + gravity;
        let torques = solve(&motion.drives().transpose(), generalised);
        torques.map(Vec3::to_array).map_err(|determinant| WristError::SingularDrives { determinant })
    }

    /// q̈ under torques of the drives: q̈ = M⁻¹ (J_actᵀ τ − C q̇ − G).
    ///
    /// # Errors
    /// Out of reach, and at singularities of a leg and of the Euler angles.
    pub fn forward_dynamics(&self, q: [f64; 3], v: [f64; 3], tau: [f64; 3]) -> Result<[f64; 3], WristError> {
        EulerAngles::Zyx.refuse_singular(q)?;
        let motion = self.motion(q, v)?;
        let Terms { inertia, coriolis, gravity, .. } = Terms::sum(&motion.bodies(self), motion.v, self.gravity);
        let generalised = motion.drives().transpose_times(tau.into()) - coriolis * motion.v - gravity;
        let accelerations = solve(&inertia, generalised);
        accelerations.map(Vec3::to_array).map_err(|determinant| WristError::SingularInertia { determinant })
    }

    /// Kinetic and potential energy; the latter is zero with every centre of mass in the point.
    ///
    /// # Errors
    /// If a leg does not reach the attitude, or is singular there.
    pub fn energy(&self, q: [f64; 3], v: [f64; 3]) -> Result<Energy<f64>, WristError> {
        let motion = self.motion(q, v)?;
        let bodies = motion.bodies(self);
        let kinetic = |b: &MovingBody| {
            let omega = b.jacobian * motion.v;
            0.5 * omega.dot(b.body.inertia * omega)
        };
        let potential = |b: &MovingBody| -self.gravity.dot(b.base_from_body * b.body.first_moment);
        Ok(Energy { kinetic: bodies.iter().map(kinetic).sum(), potential: bodies.iter().map(potential).sum() })
    }
}
