//! What most laws share: a reference with room for its numbers, and the feedback of what is off it.

use super::Gains;
use crate::trajectory::{FollowError, JointReference};

/// A reference, and where it was asked for last.
pub(crate) struct Wanted<'r> {
    reference: Box<dyn JointReference + 'r>,
    pub(crate) q: Vec<f64>,
    pub(crate) v: Vec<f64>,
    pub(super) a: Vec<f64>,
}

impl<'r> Wanted<'r> {
    pub(crate) fn new(reference: Box<dyn JointReference + 'r>) -> Self {
        let zeros = || vec![0.0; reference.joints()];
        Self { q: zeros(), v: zeros(), a: zeros(), reference }
    }

    /// Goes to a time.
    #[inline(always)]
    pub(crate) fn find(&mut self, t: f64) -> Result<(), FollowError> {
        self.reference.at(t, &mut self.q, &mut self.v, &mut self.a)
    }
}

/// The gains of some joints. With integral action the sums of their errors are the law's own states.
pub(super) struct Feedback(pub(super) Vec<Gains>);

impl Feedback {
    pub(super) fn states(&self) -> usize {
        if self.0.iter().any(|gains| gains.integral != 0.0) { self.0.len() } else { 0 }
    }

    /// w − K_d ė − K_p e − K_i ∫ e dt of joint `i`, from its w, e and ė; its own state goes on with e.
    #[inline(always)]
    pub(super) fn correct(&self, i: usize, [w, error, rate]: [f64; 3], own: &[f64], own_rates: &mut [f64]) -> f64 {
        let Gains { proportional, derivative, integral } = self.0[i];
        if let Some(own_rate) = own_rates.get_mut(i) {
            *own_rate = error;
        }
        w - derivative * rate - proportional * error - integral * own.get(i).copied().unwrap_or(0.0)
    }
}
