//! Laws of control: the torques and forces as a function of time and state.

use super::Reason;
use super::plant::View;

/// What the own states of a law are, for what has to hold them still: where an effort is cut, integral action that would
/// make it larger winds up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Integral {
    /// Something else, or there are none.
    #[default]
    None,
    /// ∫ e dt of each drive, which acts on its own effort, against e.
    OfEachDrive,
    /// ∫ e dt of something that all drives have a part in, such as a platform.
    OfAllDrives,
}

impl Integral {
    /// Holds still what would wind up: `rates` of the own states, under torques and forces of which less is `given`
    /// than `wanted`.
    pub fn hold(self, wanted: &[f64], given: &[f64], rates: &mut [f64]) {
        match self {
            Self::None => {}
            Self::OfEachDrive => {
                for ((wanted, given), rate) in wanted.iter().zip(given).zip(rates) {
                    if (wanted - given) * -*rate > 0.0 {
                        *rate = 0.0;
                    }
                }
            }
            Self::OfAllDrives if wanted != given => rates.fill(0.0),
            Self::OfAllDrives => {}
        }
    }
}

/// Gives the torques and forces of a robot at every moment. One with a memory, such as integral action, keeps it in
/// states of its own, which are integrated together with the robot's.
pub trait Law {
    /// How many states of its own it has.
    fn states(&self) -> usize {
        0
    }

    /// What these are.
    fn integral(&self) -> Integral {
        Integral::None
    }

    /// Torques and forces at a moment, and the rates of the states `own`.
    ///
    /// # Errors
    /// If it cannot go on; the motion ends then.
    fn efforts(&mut self, now: &View<'_>, own: &[f64], rates: &mut [f64], efforts: &mut [f64]) -> Result<(), Reason>;

    /// Names of numbers of its own that the record of a sampled loop shows, after its states.
    fn shown(&self) -> &[String] {
        &[]
    }

    /// Writes these numbers as they are after the last sample; NaN where one is not known.
    ///
    /// # Errors
    /// If it cannot; the motion ends then.
    fn show(&mut self, _numbers: &mut [f64]) -> Result<(), Reason> {
        Ok(())
    }
}

/// No effort at all.
#[derive(Debug, Clone, Copy, Default)]
pub struct Free;

impl Law for Free {
    fn efforts(&mut self, _: &View<'_>, _: &[f64], _: &mut [f64], efforts: &mut [f64]) -> Result<(), Reason> {
        efforts.fill(0.0);
        Ok(())
    }
}

/// The same torques and forces for ever, as a zero-order hold gives them.
#[derive(Debug, Clone, PartialEq)]
pub struct Constant(pub Vec<f64>);

impl Law for Constant {
    fn efforts(&mut self, _: &View<'_>, _: &[f64], _: &mut [f64], efforts: &mut [f64]) -> Result<(), Reason> {
        efforts.copy_from_slice(&self.0);
        Ok(())
    }
}

/// Torques and forces by a function of the moment.
#[derive(Debug, Clone)]
pub struct By<F>(pub F);

impl<F: FnMut(&View<'_>, &mut [f64])> Law for By<F> {
    fn efforts(&mut self, now: &View<'_>, _: &[f64], _: &mut [f64], efforts: &mut [f64]) -> Result<(), Reason> {
        (self.0)(now, efforts);
        Ok(())
    }
}
