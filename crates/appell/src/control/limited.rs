//! Efforts that are cut at what drives can give.

use crate::simulation::{Drive, Reason, View};

/// A law whose efforts are cut at given sizes.
///
/// Where an effort is cut, integral action that would make it larger stands still, so that it does not wind up: a state
/// ∫ e dt, which acts by −K_i, grows against e.
///
/// ```
/// use appell::control::{ComputedTorque, Gains, Limited};
/// use appell::robots;
/// use appell::simulation::{Drive, View};
///
/// let robot = robots::find("scara").unwrap().mechanism();
/// let law = ComputedTorque::to_point(&robot, &[1.0; 4], vec![Gains::of(10.0, 1.0); 4]);
/// let mut law = Limited::new(Box::new(law), vec![5.0; 4]);
/// let (rest, mut efforts) = ([0.0; 4], [0.0; 4]);
/// let now = View { t: 0.0, q: &rest, v: &rest, r: &rest, platform: None };
/// law.efforts(&now, &[], &mut [], &mut efforts).unwrap();
/// assert!(efforts.iter().all(|effort| effort.abs() <= 5.0) && efforts[0] == 5.0);
/// ```
pub struct Limited<'r> {
    law: Box<dyn Drive + 'r>,
    limits: Vec<f64>,
    integral: bool,
}

impl<'r> Limited<'r> {
    /// A law with limits, one an effort, N m or N. If it has as many states as efforts, these are taken for ∫ e dt.
    #[must_use]
    pub fn new(law: Box<dyn Drive + 'r>, limits: Vec<f64>) -> Self {
        let integral = law.states() == limits.len();
        Self { law, limits, integral }
    }
}

impl Drive for Limited<'_> {
    fn states(&self) -> usize {
        self.law.states()
    }

    /// # Panics
    /// If there is not one limit an effort.
    fn efforts(
        &mut self,
        now: &View<'_>,
        own: &[f64],
        own_rates: &mut [f64],
        efforts: &mut [f64],
    ) -> Result<(), Reason> {
        assert_eq!(efforts.len(), self.limits.len(), "one limit an effort");
        self.law.efforts(now, own, own_rates, efforts)?;
        for (j, (effort, limit)) in efforts.iter_mut().zip(&self.limits).enumerate() {
            let wanted = *effort;
            *effort = wanted.clamp(-limit, *limit);
            if self.integral && (wanted - *effort) * -own_rates[j] > 0.0 {
                own_rates[j] = 0.0;
            }
        }
        Ok(())
    }
}
