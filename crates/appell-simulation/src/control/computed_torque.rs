//! Inverse-dynamics control of trees and chains  [Valera, table 4].
//!
//! ```text
//! τ = ID(q, q̇, w)        w = q̈_d − K_d (q̇ − q̇_d) − K_p e − K_i ∫ e dt        e = q − q_d
//! ```
//!
//! One inverse dynamics an evaluation, whatever the law. The paper's table lets the derivative term of its tracking laws
//! act on q̇ alone, which leaves an error of K_d q̇_d; here it acts on q̇ − q̇_d.

use super::Gains;
use super::feedback::{Feedback, Wanted};
use crate::simulation::{Integral, Law, Reason, View};
use crate::trajectory::{JointReference, Ramp};
use appell::dynamics::generalised::{Inverse, inverse_dynamics};
use appell::mechanism::Mechanism;

/// A law with a model of the robot.
pub struct ComputedTorque<'r> {
    model: &'r Mechanism,
    wanted: Wanted<'r>,
    feedback: Feedback,
    demand: Vec<f64>, // w
    dynamics: Inverse,
}

impl<'r> ComputedTorque<'r> {
    /// Follows a motion of all joints. Laws with integral gains have a state of their own for each joint.
    ///
    /// # Panics
    /// If there is not one set of gains per joint, or the reference is of another number of joints.
    #[must_use]
    pub fn tracking(model: &'r Mechanism, reference: Box<dyn JointReference + 'r>, gains: Vec<Gains>) -> Self {
        let n = model.velocities().len();
        assert!(gains.len() == n && reference.joints() == n, "one set of gains, and a reference, of each joint");
        let (wanted, feedback) = (Wanted::new(reference), Feedback(gains));
        Self { model, wanted, feedback, demand: vec![0.0; n], dynamics: Inverse::with_scalar(model, 0.0) }
    }

    /// Goes to a point, without a path to it.
    ///
    /// # Panics
    /// If there is not one finite value and one set of gains per joint.
    #[must_use]
    pub fn to_point(model: &'r Mechanism, target: &[f64], gains: Vec<Gains>) -> Self {
        Self::tracking(model, Box::new(Ramp::staying(target, 1.0).expect("a finite target")), gains)
    }
}

impl Law for ComputedTorque<'_> {
    fn states(&self) -> usize {
        self.feedback.states()
    }

    fn integral(&self) -> Integral {
        Integral::OfEachDrive
    }

    fn efforts(&mut self, now: &View<'_>, own: &[f64], rates: &mut [f64], efforts: &mut [f64]) -> Result<(), Reason> {
        self.wanted.find(now.t)?;
        let Wanted { q, v, a, .. } = &self.wanted;
        for (j, demand) in self.demand.iter_mut().enumerate() {
            *demand = self.feedback.correct(j, [a[j], now.q[j] - q[j], now.v[j] - v[j]], own, rates);
        }
        efforts.copy_from_slice(inverse_dynamics(self.model, &mut self.dynamics, now.q, now.v, &self.demand));
        Ok(())
    }
}
