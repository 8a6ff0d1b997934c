//! A reference that outlives the laws which follow it: they borrow robots and are made anew for every step of a page.

use appell_simulation::trajectory::{FollowError, JointReference};
use std::cell::RefCell;
use std::rc::Rc;

/// A motion of the drives to follow.
#[derive(Clone)]
pub(super) struct Shared(Rc<RefCell<Box<dyn JointReference>>>);

impl Shared {
    pub(super) fn new(reference: Box<dyn JointReference>) -> Self {
        Self(Rc::new(RefCell::new(reference)))
    }

    /// Where the drives shall be at a time.
    pub(super) fn positions(&self, t: f64) -> Result<Vec<f64>, FollowError> {
        let mut reference = self.0.borrow_mut();
        let [mut q, mut v, mut a] = core::array::from_fn(|_| vec![0.0; reference.joints()]);
        reference.at(t, &mut q, &mut v, &mut a)?;
        Ok(q)
    }
}

impl JointReference for Shared {
    fn joints(&self) -> usize {
        self.0.borrow().joints()
    }

    fn duration(&self) -> f64 {
        self.0.borrow().duration()
    }

    fn at(&mut self, t: f64, q: &mut [f64], v: &mut [f64], a: &mut [f64]) -> Result<(), FollowError> {
        self.0.borrow_mut().at(t, q, v, a)
    }
}
