//! A spring and a damper at each joint, and what is known in advance.

use super::{Gains, reference_error};
use crate::simulation::{Integral, Law, Reason, View};
use crate::trajectory::JointReference;
use appell::dynamics::{gibbs_appell_tensor, statics};
use appell::mechanism::Mechanism;

/// What is added to the feedback.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum InAdvance {
    /// Nothing.
    #[default]
    Nothing,
    /// Gravity where the robot is: G(q).
    Gravity,
    /// What the wanted motion needs: ID(q_d, q̇_d, q̈_d).
    WantedMotion,
}

/// τ = −K_d (q̇ − q̇_d) − K_p (q − q_d) − K_i ∫ (q − q_d) dt, gains in N m/rad, and what is known in advance.
pub struct JointPd<'r> {
    model: &'r Mechanism,
    reference: Box<dyn JointReference + 'r>,
    gains: Vec<Gains>,
    in_advance: InAdvance,
    wanted: [Vec<f64>; 3],
    gravity: statics::Workspace,
    dynamics: gibbs_appell_tensor::Workspace,
}

impl<'r> JointPd<'r> {
    /// Follows a motion of all joints.
    ///
    /// # Panics
    /// If there is not one set of gains per joint, or the reference is of another number of joints.
    #[must_use]
    pub fn new(
        model: &'r Mechanism,
        reference: Box<dyn JointReference + 'r>,
        gains: Vec<Gains>,
        in_advance: InAdvance,
    ) -> Self {
        let n = model.dof();
        assert!(gains.len() == n && reference.joints() == n, "one set of gains, and a reference, of each joint");
        Self {
            model,
            reference,
            gains,
            in_advance,
            wanted: core::array::from_fn(|_| vec![0.0; n]),
            gravity: statics::Workspace::new(model),
            dynamics: gibbs_appell_tensor::Workspace::new(model),
        }
    }
}

impl Law for JointPd<'_> {
    fn states(&self) -> usize {
        if self.gains.iter().any(|gains| gains.integral != 0.0) { self.model.dof() } else { 0 }
    }

    fn integral(&self) -> Integral {
        if self.states() > 0 { Integral::OfEachDrive } else { Integral::None }
    }

    fn efforts(
        &mut self,
        now: &View<'_>,
        own: &[f64],
        own_rates: &mut [f64],
        efforts: &mut [f64],
    ) -> Result<(), Reason> {
        let [q, v, a] = &mut self.wanted;
        self.reference.at(now.t, q, v, a).map_err(reference_error)?;
        match self.in_advance {
            InAdvance::Nothing => efforts.fill(0.0),
            InAdvance::Gravity => efforts.copy_from_slice(statics::gravity(self.model, &mut self.gravity, now.q)),
            InAdvance::WantedMotion => {
                efforts.copy_from_slice(gibbs_appell_tensor::inverse_dynamics(self.model, &mut self.dynamics, q, v, a));
            }
        }
        for (j, gains) in self.gains.iter().enumerate() {
            let (error, rate) = (now.q[j] - q[j], now.v[j] - v[j]);
            let sum = own.get(j).copied().unwrap_or(0.0);
            efforts[j] -= gains.proportional * error + gains.derivative * rate + gains.integral * sum;
            if let Some(own_rate) = own_rates.get_mut(j) {
                *own_rate = error;
            }
        }
        Ok(())
    }
}
