//! A spring and a damper at each drive of a robot with closed loops, and what is known in advance.

use super::{Gains, InAdvance, reference_error};
use crate::control::parallel::Model;
use crate::simulation::{Integral, Law, Reason, View};
use crate::trajectory::{ClosedMotion, JointReference, RobotMotion};
use appell::closed::ClosedMechanism;

/// τ = −K_d (q̇ − q̇_d) − K_p (q − q_d) − K_i ∫ (q − q_d) dt of the driven joints, gains in N m/rad or N/m, and what is
/// known in advance.
pub struct DrivePd<'r> {
    model: Model<'r>,
    robot: &'r ClosedMechanism,
    motion: ClosedMotion<'r>,
    gains: Vec<Gains>,
    in_advance: InAdvance,
    rest: Vec<f64>,
}

impl<'r> DrivePd<'r> {
    /// Follows the motion of the drives that `reference` asks for.
    ///
    /// # Panics
    /// If there is not one set of gains per drive, or the reference is of another number of drives.
    #[must_use]
    pub fn new(
        robot: &'r ClosedMechanism,
        reference: Box<dyn JointReference + 'r>,
        gains: Vec<Gains>,
        in_advance: InAdvance,
    ) -> Self {
        let motion = ClosedMotion::of_drives(robot, reference, in_advance == InAdvance::WantedMotion);
        assert_eq!(gains.len(), robot.driven().len(), "one set of gains per drive");
        Self { model: Model::new(robot), robot, motion, gains, in_advance, rest: vec![0.0; robot.freedoms().len()] }
    }
}

impl Law for DrivePd<'_> {
    fn states(&self) -> usize {
        if self.gains.iter().any(|gains| gains.integral != 0.0) { self.gains.len() } else { 0 }
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
        efforts.fill(0.0);
        if self.in_advance == InAdvance::Gravity {
            self.model.place(now);
            self.model.rates.fill(0.0);
            self.model.efforts_at(&self.rest, efforts)?;
        }
        let wanted = RobotMotion::at(&mut self.motion, now.t).map_err(reference_error)?;
        for (i, (&j, gains)) in self.robot.driven().iter().zip(&self.gains).enumerate() {
            let (error, rate) = (now.q[j] - wanted.q[j], now.v[j] - wanted.v[j]);
            let sum = own.get(i).copied().unwrap_or(0.0);
            efforts[i] += wanted.tau[j] - gains.proportional * error - gains.derivative * rate - gains.integral * sum;
            if let Some(own_rate) = own_rates.get_mut(i) {
                *own_rate = error;
            }
        }
        Ok(())
    }
}
