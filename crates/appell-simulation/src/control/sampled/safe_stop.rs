//! What stops a robot when something is wrong, and why it was stopped.

use crate::control::signal::{SignalError, not_negative};
use crate::simulation::{Law, Reason, View};

/// What happens to the drives at a trip.
///
/// It acts at once and in continuous time, on the joints themselves: brakes and short-circuited motors are no part of
/// the sampled loop, which may be what is wrong. The outputs are off, the law is not asked any more, and nothing is
/// switched on again.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum SafeStop {
    /// Drives without power: the robot coasts, and falls.
    #[default]
    PowerOff,
    /// Brakes: τ = −k (q − q₀) − d q̇ at each drive, with q₀ where it was at the trip. Without stiffness these are
    /// short-circuited motors, which slow down what they cannot hold.
    Brakes {
        /// k, N m/rad or N/m, one per drive.
        stiffness: Vec<f64>,
        /// d, N m s/rad or N s/m, one per drive.
        damping: Vec<f64>,
    },
    /// Brakes with a torque or force, N m or N, one per drive: dry friction, which holds what is less, and slips under more
    /// ([`Simulation::set_brakes`](crate::simulation::Simulation::set_brakes)).
    Friction(Vec<f64>),
}

impl SafeStop {
    /// Whether it says that there are brakes, and none of them does anything.
    pub(crate) fn is_idle(&self) -> bool {
        let is_zero = |numbers: &Vec<f64>| numbers.iter().all(|&number| number == 0.0);
        match self {
            Self::PowerOff => false,
            Self::Brakes { stiffness, damping } => is_zero(stiffness) && is_zero(damping),
            Self::Friction(torque) => is_zero(torque),
        }
    }

    pub(super) fn check(&self, drives: usize) -> Result<(), SignalError> {
        let parts: &[(&'static str, &Vec<f64>)] = match self {
            Self::PowerOff => &[],
            Self::Brakes { stiffness, damping } => {
                &[("stiffness of a brake", stiffness), ("damping of a brake", damping)]
            }
            Self::Friction(torque) => &[("torque of a brake", torque)],
        };
        for &(what, numbers) in parts {
            if numbers.len() != drives {
                return Err(SignalError::Length { what: "brakes", found: numbers.len(), expected: drives });
            }
            numbers.iter().try_for_each(|&number| not_negative(what, number).map(drop))?;
        }
        Ok(())
    }
}

/// A safe stop as what drives the robot from a trip on.
pub(super) struct Stopping<'s> {
    pub(super) how: &'s SafeStop,
    pub(super) drives: &'s [usize], // their joints
    pub(super) at: &'s [f64],       // q₀ of the drives
}

impl Stopping<'_> {
    /// The torques and forces of the drives.
    pub(super) fn hold(&self, now: &View<'_>, efforts: &mut [f64]) {
        match self.how {
            SafeStop::PowerOff | SafeStop::Friction(_) => efforts.fill(0.0),
            SafeStop::Brakes { stiffness, damping } => {
                for (i, &j) in self.drives.iter().enumerate() {
                    efforts[i] = -stiffness[i] * (now.q[j] - self.at[i]) - damping[i] * now.v[j];
                }
            }
        }
    }
}

impl Law for Stopping<'_> {
    fn efforts(&mut self, now: &View<'_>, _: &[f64], _: &mut [f64], efforts: &mut [f64]) -> Result<(), Reason> {
        self.hold(now, efforts);
        Ok(())
    }
}
