//! Dynamics of the star-triangle robot by virtual work and link Jacobians  [Enferadi2010, eqs 43 to 75].
//!
//! ```text
//! motor's link   ω_a = γ̇ w                ω̇_a = γ̈ w                           J_a = R₁ᵀ w (r × t)ᵀ / c      eqs 46, 53, 67
//! passive link   ω_p = γ̇ w − μ̇ r         ω̇_p = γ̈ w − μ̈ r − γ̇ μ̇ w × r      J_p = R₂ᵀ (w (r × t)ᵀ / c + r rᵀ)   55, 62, 68
//! n = m ρ × g − I ω̇ − ω × I ω                          of each body, in its own axes               eqs 63 to 66
//! n_tot = n_ext + R n_s + Σ J_aᵀ n_a + J_pᵀ n_p                                                      eq. 73
//! J_γᵀ τ = −n_tot = M ω̇ + bias,  rows of J_γ: (r × t)ᵀ / c = −J⁻¹ K                                  eqs 31, 75
//! M = I_s + Σ J_aᵀ I_a J_a + J_pᵀ I_p J_p
//! ```
//!
//! Departs from the paper: μ̇ has the sign that eq. 26 gives it, not that of eqs 54, 55, 62 and 68; gravity acts.

use super::kinematics::{Instant, PlacedLeg};
use super::{StarError, StarTriangle};
use crate::PivotedBody;
use crate::pivoted::{outer, solve};
use appell::dynamics::energy::Energy;
use appell::spatial::{Mat3, Vec3};

/// A body of the robot in motion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MovingBody {
    /// The body.
    pub body: PivotedBody,
    /// base_from_body.
    pub base_from_body: Mat3<f64>,
    /// J: its angular velocity in its own axes of the star's in the base's.
    pub jacobian: Mat3<f64>,
    /// ω, in its own axes.
    pub omega: Vec3<f64>,
    /// ω̇, in its own axes.
    pub omega_dot: Vec3<f64>,
}

impl MovingBody {
    /// Its part of −n_tot: the moment about the point, as it acts on the star.
    #[must_use]
    pub fn moment_on_star(&self, gravity: Vec3<f64>) -> Vec3<f64> {
        let moment = self.body.moment(self.omega, self.omega_dot, self.base_from_body.transpose_times(gravity));
        self.jacobian.transpose_times(moment)
    }
}

/// The motor's link of a leg.
fn motor(body: PivotedBody, leg: &PlacedLeg, omega: Vec3<f64>, omega_dot: Vec3<f64>) -> MovingBody {
    let own = leg.base_from_motor.transpose();
    MovingBody {
        body,
        base_from_body: leg.base_from_motor,
        jacobian: outer(own * leg.w, leg.row()), // eq. 53
        omega: own * leg.w.scale(leg.rates(omega).gamma),
        omega_dot: own * leg.w.scale(leg.accelerations(omega, omega_dot).gamma),
    }
}

/// The passive link of a leg.
fn passive(body: PivotedBody, leg: &PlacedLeg, omega: Vec3<f64>, omega_dot: Vec3<f64>) -> MovingBody {
    let &PlacedLeg { w, r, .. } = leg;
    let own = leg.base_from_passive.transpose();
    let (rates, acceleration) = (leg.rates(omega), leg.accelerations(omega, omega_dot));
    MovingBody {
        body,
        base_from_body: leg.base_from_passive,
        jacobian: own * (outer(w, leg.row()) + outer(r, r)), // eq. 62
        omega: own * (w.scale(rates.gamma) - r.scale(rates.mu)),
        omega_dot: own
            * (w.scale(acceleration.gamma) - r.scale(acceleration.mu) - w.cross(r).scale(rates.gamma * rates.mu)),
    }
}

impl StarTriangle {
    /// The six links and the star: the motor's and the passive link of each leg in turn, then the star.
    ///
    /// # Errors
    /// At a singularity of a leg.
    pub fn bodies(&self, at: &Instant) -> Result<[MovingBody; 7], StarError> {
        let legs = self.regular(&at.rotation)?;
        let link = |k: usize| {
            let leg = &legs[k / 2];
            if k.is_multiple_of(2) {
                motor(self.motors[k / 2], leg, at.omega, at.omega_dot)
            } else {
                passive(self.passive[k / 2], leg, at.omega, at.omega_dot)
            }
        };
        let own = at.rotation.transpose();
        let star = MovingBody {
            body: self.star,
            base_from_body: at.rotation,
            jacobian: own,
            omega: own * at.omega,
            omega_dot: own * at.omega_dot,
        };
        Ok([link(0), link(1), link(2), link(3), link(4), link(5), star])
    }

    /// J_γ: γ̇ = J_γ ω  (eq. 31).
    ///
    /// # Errors
    /// At a singularity of a leg.
    pub fn drives(&self, rotation: &Mat3<f64>) -> Result<Mat3<f64>, StarError> {
        Ok(Mat3::from_rows(self.regular(rotation)?.map(|leg| leg.row())))
    }

    /// M, in base axes.
    ///
    /// # Errors
    /// At a singularity of a leg.
    pub fn inertia_matrix(&self, rotation: &Mat3<f64>) -> Result<Mat3<f64>, StarError> {
        let rest = Instant { rotation: *rotation, omega: Vec3::zero(0.0), omega_dot: Vec3::zero(0.0) };
        let of = |b: &MovingBody| b.jacobian.transpose() * (b.body.inertia.full() * b.jacobian);
        Ok(self.bodies(&rest)?.iter().map(of).fold(Mat3::zero(0.0), |sum, one| sum + one))
    }

    /// −n_tot: the moment that the motors must give the star, without one from outside  (eq. 73).
    ///
    /// # Errors
    /// At a singularity of a leg.
    pub fn needed(&self, at: &Instant) -> Result<Vec3<f64>, StarError> {
        Ok(self.bodies(at)?.iter().fold(Vec3::zero(0.0), |sum, body| sum + body.moment_on_star(self.gravity)))
    }

    /// What of it is left without an angular acceleration of the star.
    ///
    /// # Errors
    /// At a singularity of a leg.
    pub fn bias(&self, rotation: &Mat3<f64>, omega: Vec3<f64>) -> Result<Vec3<f64>, StarError> {
        self.needed(&Instant { rotation: *rotation, omega, omega_dot: Vec3::zero(0.0) })
    }

    /// Torques of the motors for a motion, under a moment on the star from outside in base axes  (eq. 75).
    ///
    /// # Errors
    /// At singularities of a leg and of the motors.
    pub fn inverse_dynamics(&self, at: &Instant, external: Vec3<f64>) -> Result<[f64; 3], StarError> {
        let torques = solve(&self.drives(&at.rotation)?.transpose(), self.needed(at)? - external);
        torques.map(Vec3::to_array).map_err(|determinant| StarError::SingularDrives { determinant })
    }

    /// ω̇ of the star in base axes, under torques of the motors and a moment on the star from outside.
    ///
    /// # Errors
    /// At a singularity of a leg, and where nothing has mass.
    pub fn forward_dynamics(
        &self,
        rotation: &Mat3<f64>,
        omega: Vec3<f64>,
        tau: [f64; 3],
        external: Vec3<f64>,
    ) -> Result<Vec3<f64>, StarError> {
        let acting = self.drives(rotation)?.transpose_times(tau.into()) + external - self.bias(rotation, omega)?;
        let accelerations = solve(&self.inertia_matrix(rotation)?, acting);
        accelerations.map_err(|determinant| StarError::SingularInertia { determinant })
    }

    /// Kinetic and potential energy; the latter is zero with every centre of mass in the point.
    ///
    /// # Errors
    /// At a singularity of a leg.
    pub fn energy(&self, rotation: &Mat3<f64>, omega: Vec3<f64>) -> Result<Energy<f64>, StarError> {
        let bodies = self.bodies(&Instant { rotation: *rotation, omega, omega_dot: Vec3::zero(0.0) })?;
        let kinetic = |b: &MovingBody| 0.5 * b.omega.dot(b.body.inertia * b.omega);
        let potential = |b: &MovingBody| -self.gravity.dot(b.base_from_body * b.body.first_moment);
        Ok(Energy { kinetic: bodies.iter().map(kinetic).sum(), potential: bodies.iter().map(potential).sum() })
    }
}
