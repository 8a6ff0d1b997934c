//! A law of a shared library that follows a reference, as simulations and controllers take it.

use crate::error::LawError;
use crate::instance::{Instance, Now, Setup};
use appell::spatial::{Pose, Quaternion};
use appell_simulation::scenario::LawOrder;
use appell_simulation::simulation::{Law, Reason, View};
use appell_simulation::trajectory::{FrameReference, JointReference};
use std::path::Path;

/// A law of a shared library, with the motion that it shall follow.
pub struct Library<'r> {
    instance: Instance,
    drives: Vec<usize>, // their joints
    reference: Box<dyn JointReference + 'r>,
    platform: Option<Box<dyn FrameReference + 'r>>,
    measured: [Vec<f64>; 2], // q, v of the drives
    wanted: [Vec<f64>; 3],   // q, v, a
}

impl<'r> Library<'r> {
    /// Opens a library and makes its law for what is to be driven.
    ///
    /// # Errors
    /// If there is no such library, it is not a law, or the law refuses.
    ///
    /// # Panics
    /// If the reference is not of the drives.
    pub fn open(path: &Path, parameters: &[(String, Vec<f64>)], order: LawOrder<'r>) -> Result<Self, LawError> {
        let LawOrder { names, drives, period, reference, platform, .. } = order;
        let n = drives.len();
        assert!(names.len() == n && reference.joints() == n, "a reference of the drives");
        let instance = Instance::open(path, &Setup { names: &names, period, parameters })?;
        let zeros = || vec![0.0; n];
        let (measured, wanted) = ([zeros(), zeros()], [zeros(), zeros(), zeros()]);
        Ok(Self { instance, drives, reference, platform, measured, wanted })
    }

    /// The law itself: its name, its file, its own numbers.
    #[must_use]
    pub const fn instance(&self) -> &Instance {
        &self.instance
    }
}

impl Law for Library<'_> {
    fn efforts(&mut self, now: &View<'_>, _: &[f64], _: &mut [f64], efforts: &mut [f64]) -> Result<(), Reason> {
        let ([q, v], [q_d, v_d, a_d]) = (&mut self.measured, &mut self.wanted);
        self.reference.at(now.t, q_d, v_d, a_d)?;
        for (k, &j) in self.drives.iter().enumerate() {
            (q[k], v[k]) = (now.q[j], now.v[j]);
        }
        let platform = now.platform.map(|(pose, twist)| (numbers(&pose), twist.to_array()));
        let wanted = self.platform.as_mut().map(|path| path.at(now.t)).transpose()?;
        let wanted =
            wanted.map(|motion| (numbers(&motion.pose), motion.twist.to_array(), motion.acceleration.to_array()));
        let now = Now {
            t: now.t,
            q,
            v,
            q_d,
            v_d,
            a_d,
            platform: platform.as_ref().map(|(pose, twist)| (pose, twist)),
            platform_d: wanted.as_ref().map(|(pose, twist, rate)| (pose, twist, rate)),
        };
        Ok(self.instance.step(&now, efforts)?)
    }

    fn shown(&self) -> &[String] {
        self.instance.recorded_names()
    }

    fn show(&mut self, numbers: &mut [f64]) -> Result<(), Reason> {
        Ok(self.instance.recorded(numbers)?)
    }
}

/// px py pz qx qy qz qw.
fn numbers(pose: &Pose<f64>) -> [f64; 7] {
    let [px, py, pz] = pose.position.to_array();
    let Quaternion { x, y, z, w } = Quaternion::of_rotation(&pose.rotation);
    [px, py, pz, x, y, z, w]
}
