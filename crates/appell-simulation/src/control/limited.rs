//! Torques and forces that are cut at what drives can give.

use crate::simulation::{Integral, Law, Reason, View};

/// A law whose torques and forces are cut at given sizes.
///
/// Where an effort is cut, integral action that would make it larger stands still, so that it does not wind up
/// ([`Integral::hold`](crate::simulation::Integral::hold)).
///
/// ```
/// use appell_simulation::control::{ComputedTorque, Gains, Limited};
/// use appell::robots;
/// use appell_simulation::simulation::{Law, View};
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
    law: Box<dyn Law + 'r>,
    limits: Vec<f64>,
    wanted: Vec<f64>,
}

impl<'r> Limited<'r> {
    /// A law with limits, one per effort, N m or N.
    #[must_use]
    pub fn new(law: Box<dyn Law + 'r>, limits: Vec<f64>) -> Self {
        Self { law, wanted: limits.clone(), limits }
    }
}

impl Law for Limited<'_> {
    fn states(&self) -> usize {
        self.law.states()
    }

    fn integral(&self) -> Integral {
        self.law.integral()
    }

    /// # Panics
    /// If there is not one limit per effort.
    fn efforts(&mut self, now: &View<'_>, own: &[f64], rates: &mut [f64], efforts: &mut [f64]) -> Result<(), Reason> {
        assert_eq!(efforts.len(), self.limits.len(), "one limit per effort");
        self.law.efforts(now, own, rates, efforts)?;
        self.wanted.copy_from_slice(efforts);
        for (effort, limit) in efforts.iter_mut().zip(&self.limits) {
            *effort = effort.clamp(-limit, *limit);
        }
        self.law.integral().hold(&self.wanted, efforts, rates);
        Ok(())
    }

    fn shown(&self) -> &[String] {
        self.law.shown()
    }

    fn show(&mut self, numbers: &mut [f64]) -> Result<(), Reason> {
        self.law.show(numbers)
    }
}
