//! What drives a robot: efforts as a function of time and state.

use super::Reason;
use super::plant::View;

/// Gives the efforts of a robot at every moment. One with a memory, such as integral action, keeps it in states of its
/// own, which are integrated together with the robot's.
pub trait Drive {
    /// How many states of its own it has.
    fn states(&self) -> usize {
        0
    }

    /// Efforts at a moment, and the rates of the states `own`.
    ///
    /// # Errors
    /// If it cannot go on; the motion ends then.
    fn efforts(
        &mut self,
        now: &View<'_>,
        own: &[f64],
        own_rates: &mut [f64],
        efforts: &mut [f64],
    ) -> Result<(), Reason>;
}

/// No effort at all.
#[derive(Debug, Clone, Copy, Default)]
pub struct Free;

impl Drive for Free {
    fn efforts(&mut self, _: &View<'_>, _: &[f64], _: &mut [f64], efforts: &mut [f64]) -> Result<(), Reason> {
        efforts.fill(0.0);
        Ok(())
    }
}

/// The same efforts for ever, as a zero-order hold gives them.
#[derive(Debug, Clone, PartialEq)]
pub struct Constant(pub Vec<f64>);

impl Drive for Constant {
    fn efforts(&mut self, _: &View<'_>, _: &[f64], _: &mut [f64], efforts: &mut [f64]) -> Result<(), Reason> {
        efforts.copy_from_slice(&self.0);
        Ok(())
    }
}

/// Efforts by a function of the moment.
#[derive(Debug, Clone)]
pub struct By<F>(pub F);

impl<F: FnMut(&View<'_>, &mut [f64])> Drive for By<F> {
    fn efforts(&mut self, now: &View<'_>, _: &[f64], _: &mut [f64], efforts: &mut [f64]) -> Result<(), Reason> {
        (self.0)(now, efforts);
        Ok(())
    }
}
