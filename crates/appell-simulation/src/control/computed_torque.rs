//! Inverse-dynamics control of trees and chains  [Valera, table 4].
//!
//! ```text
//! τ = ID(q, q̇, w)        w = q̈_d − K_d (q̇ − q̇_d) − K_p e − K_i ∫ e dt        e = q − q_d
//! ```
//!
//! One inverse dynamics an evaluation, whatever the law. The paper's table lets the derivative term of its tracking laws
//! act on q̇ alone, which leaves an error of K_d q̇_d; here it acts on q̇ − q̇_d.

use super::{Gains, reference_error};
use crate::simulation::{Integral, Law, Reason, View};
use crate::trajectory::JointReference;
use appell::dynamics::gibbs_appell_tensor;
use appell::mechanism::Mechanism;

/// A law with a model of the robot.
pub struct ComputedTorque<'r> {
    model: &'r Mechanism,
    reference: Option<Box<dyn JointReference + 'r>>, // or a point
    gains: Vec<Gains>,
    q: Vec<f64>,
    v: Vec<f64>,
    a: Vec<f64>,
    demand: Vec<f64>, // w
    dynamics: gibbs_appell_tensor::Workspace,
}

impl<'r> ComputedTorque<'r> {
    /// Follows a motion of all joints. Laws with integral gains have a state of their own for each joint.
    ///
    /// # Panics
    /// If there is not one set of gains per joint, or the reference is of another number of joints.
    #[must_use]
    pub fn tracking(model: &'r Mechanism, reference: Box<dyn JointReference + 'r>, gains: Vec<Gains>) -> Self {
        assert_eq!(reference.joints(), model.dof(), "a reference of all joints");
        Self::new(model, Some(reference), vec![0.0; model.dof()], gains)
    }

    /// Goes to a point, without a path to it.
    ///
    /// # Panics
    /// If there is not one value and one set of gains per joint.
    #[must_use]
    pub fn to_point(model: &'r Mechanism, target: &[f64], gains: Vec<Gains>) -> Self {
        Self::new(model, None, target.to_vec(), gains)
    }

    fn new(
        model: &'r Mechanism,
        reference: Option<Box<dyn JointReference + 'r>>,
        q: Vec<f64>,
        gains: Vec<Gains>,
    ) -> Self {
        let n = model.dof();
        assert!(gains.len() == n && q.len() == n, "one set of gains per joint");
        let zeros = || vec![0.0; n];
        Self {
            model,
            reference,
            gains,
            q,
            v: zeros(),
            a: zeros(),
            demand: zeros(),
            dynamics: gibbs_appell_tensor::Workspace::new(model),
        }
    }

    fn integrates(&self) -> bool {
        self.gains.iter().any(|gains| gains.integral != 0.0)
    }
}

impl Law for ComputedTorque<'_> {
    fn states(&self) -> usize {
        if self.integrates() { self.model.dof() } else { 0 }
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
        if let Some(reference) = &mut self.reference {
            reference.at(now.t, &mut self.q, &mut self.v, &mut self.a).map_err(reference_error)?;
        }
        for (j, gains) in self.gains.iter().enumerate() {
            let error = now.q[j] - self.q[j];
            let rate = now.v[j] - self.v[j];
            let sum = own.get(j).copied().unwrap_or(0.0);
            self.demand[j] = self.a[j] - gains.derivative * rate - gains.proportional * error - gains.integral * sum;
            if let Some(own_rate) = own_rates.get_mut(j) {
                *own_rate = error;
            }
        }
        efforts.copy_from_slice(gibbs_appell_tensor::inverse_dynamics(
            self.model,
            &mut self.dynamics,
            now.q,
            now.v,
            &self.demand,
        ));
        Ok(())
    }
}
