//! Adaptive control: the parameters of the bodies are learnt while the robot moves (Slotine1987).
//!
//! ```text
//! e = q − q_d,  q̇_r = q̇_d − Λ e,  s = q̇ − q̇_r = ė + Λ e
//! τ = M̂ q̈_r + Ĉ(q, q̇) q̇_r + Ĝ − K s          = Y(q, q̇, q̇_r, q̈_r) φ̂ − K s
//! φ̂˙ = −Γ Yᵀ s
//! ```
//!
//! Because Ṁ − 2 C is skew-symmetric, V = ½ sᵀ M s + ½ (φ̂ − φ)ᵀ Γ⁻¹ (φ̂ − φ) falls like −sᵀ K s, whatever the parameters
//! are. They need not become the true ones: those that the motion does not show stay what they were.
//!
//! The states of the law are what was learnt, φ̂ less the model's parameters, in the order of the
//! [`regressor`](appell::dynamics::regressor).

use super::feedback::Wanted;
use crate::simulation::{Law, Reason, View};
use crate::trajectory::JointReference;
use appell::dynamics::coriolis::{self, two_velocity_inverse_dynamics};
use appell::dynamics::regressor::PARAMETERS_PER_BODY;
use appell::dynamics::unit_parameters::{TwoVelocityWorkspace, two_velocity_regressor};
use appell::mechanism::Mechanism;

/// A law that learns the robot's parameters, from those of a model.
pub struct Adaptive<'r> {
    model: &'r Mechanism,
    wanted: Wanted<'r>,
    /// Λ, one per joint, 1/s.
    bandwidths: Vec<f64>,
    /// K, one per joint, N m s/rad.
    damping: Vec<f64>,
    /// Γ, one per parameter.
    speeds: Vec<f64>,
    velocity: Vec<f64>,     // q̇_r
    acceleration: Vec<f64>, // q̈_r
    sliding: Vec<f64>,      // s
    dynamics: coriolis::Workspace,
    regressor: TwoVelocityWorkspace,
}

impl<'r> Adaptive<'r> {
    /// A law that begins with the parameters of a model: Λ and K of each joint, and how fast each of the ten parameters of
    /// every body is learnt, Γ; zero is not at all.
    ///
    /// # Panics
    /// If there is not one value per joint, or per parameter, or the reference is of another number of joints.
    #[must_use]
    pub fn new(
        model: &'r Mechanism,
        reference: Box<dyn JointReference + 'r>,
        bandwidths: Vec<f64>,
        damping: Vec<f64>,
        speeds: Vec<f64>,
    ) -> Self {
        let n = model.dof();
        assert_eq!([bandwidths.len(), damping.len(), reference.joints()], [n; 3], "one value per joint");
        assert_eq!(speeds.len(), PARAMETERS_PER_BODY * n, "one value per parameter of the bodies");
        let zeros = || vec![0.0; n];
        Self {
            model,
            wanted: Wanted::new(reference),
            bandwidths,
            damping,
            speeds,
            velocity: zeros(),
            acceleration: zeros(),
            sliding: zeros(),
            dynamics: coriolis::Workspace::new(model),
            regressor: TwoVelocityWorkspace::new(model),
        }
    }
}

impl Law for Adaptive<'_> {
    fn states(&self) -> usize {
        self.speeds.len()
    }

    fn efforts(&mut self, now: &View<'_>, own: &[f64], rates: &mut [f64], efforts: &mut [f64]) -> Result<(), Reason> {
        self.wanted.find(now.t)?;
        let Wanted { q, v, a, .. } = &self.wanted;
        for (j, &bandwidth) in self.bandwidths.iter().enumerate() {
            let (error, rate) = (now.q[j] - q[j], now.v[j] - v[j]);
            self.velocity[j] = v[j] - bandwidth * error;
            self.acceleration[j] = a[j] - bandwidth * rate;
            self.sliding[j] = rate + bandwidth * error;
        }
        let (velocity, acceleration) = (&self.velocity, &self.acceleration);
        let tau = two_velocity_inverse_dynamics(self.model, &mut self.dynamics, now.q, now.v, velocity, acceleration);
        let matrix = two_velocity_regressor(&mut self.regressor, now.q, now.v, velocity, acceleration);
        for (j, (effort, row)) in efforts.iter_mut().zip(matrix.chunks_exact(own.len())).enumerate() {
            let learnt: f64 = row.iter().zip(own).map(|(y, learnt)| y * learnt).sum();
            *effort = tau[j] + learnt - self.damping[j] * self.sliding[j];
        }
        rates.fill(0.0);
        for (row, s) in matrix.chunks_exact(own.len()).zip(&self.sliding) {
            rates.iter_mut().zip(row).zip(&self.speeds).for_each(|((rate, y), speed)| *rate -= speed * y * s);
        }
        Ok(())
    }
}
