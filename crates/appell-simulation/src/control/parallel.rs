//! Inverse-dynamics control of parallel robots, in the space of the platform or of the drives.
//!
//! ```text
//! τ = ID(pose, V, V̇_d − K_d (V − V_d) − K_p e − K_i ∫ e dt)       e: the way to the platform, and the rotation vector to its attitude
//! τ = ID(…, J⁻¹ (w − J̇ r))    w = q̈_d − K_d (q̇ − q̇_d) − K_p e − K_i ∫ e dt, e = q − q_d of the drives
//! ```

use super::Gains;
use super::feedback::{Feedback, Wanted};
use crate::simulation::{Integral, Law, Reason, View};
use crate::trajectory::{FrameReference, JointReference};
use appell::closed::drives::Sharing;
use appell::closed::formulation::{self, Formulation};
use appell::closed::{ClosedMechanism, Configuration, FromTwist};
use appell::linear::Elimination;
use appell::spatial::turn_between;

/// The model of a parallel robot, ready for inverse dynamics where the plant is.
pub(super) struct Model<'r> {
    robot: &'r ClosedMechanism,
    at: Configuration,
    dynamics: formulation::Workspace,
    rates: Vec<f64>, // ṙ
    rest: Vec<f64>,  // r = 0
    sharing: Sharing,
}

impl<'r> Model<'r> {
    pub(super) fn new(robot: &'r ClosedMechanism) -> Self {
        Self {
            robot,
            at: robot.home().clone(),
            dynamics: formulation::Workspace::new(robot, Formulation::of(robot)[0]),
            rates: vec![0.0; robot.freedoms().len()],
            rest: vec![0.0; robot.freedoms().len()],
            sharing: Sharing::default(),
        }
    }

    fn place(&mut self, now: &View<'_>) {
        self.at.q.copy_from_slice(now.q);
        if let Some((pose, _)) = now.platform {
            self.at.pose = pose;
        }
    }

    /// What holds it at rest where the plant is.
    pub(super) fn hold(&mut self, now: &View<'_>, efforts: &mut [f64]) -> Result<(), Reason> {
        self.place(now);
        let Self { robot, at, dynamics, rest, sharing, .. } = self;
        efforts.copy_from_slice(formulation::inverse_dynamics(robot, dynamics, at, rest, rest, &[], sharing)?);
        Ok(())
    }

    /// Takes the rates that come nearest to an acceleration of the output.
    fn accelerate(&mut self, now: &View<'_>, from_twist: &mut FromTwist, wanted: [f64; 6]) -> Result<(), Reason> {
        self.place(now);
        let Self { robot, at, dynamics, rates, rest, .. } = self;
        let (_, u_dot) = formulation::motion(robot, dynamics, at, now.r, rest)?;
        let known: [f64; 6] = core::array::from_fn(|k| u_dot[robot.tree().dof() + k]);
        let z = formulation::complement(robot, dynamics, at)?;
        let given = core::array::from_fn(|k| Some(wanted[k] - known[k]));
        rates.copy_from_slice(from_twist.solve(robot, z, given).ok_or(Reason::Undetermined)?);
        Ok(())
    }

    /// What moves it with the plant's velocities and the rates.
    fn drive(&mut self, now: &View<'_>, efforts: &mut [f64]) -> Result<(), Reason> {
        self.place(now);
        let Self { robot, at, dynamics, rates, sharing, .. } = self;
        efforts.copy_from_slice(formulation::inverse_dynamics(robot, dynamics, at, now.r, rates, &[], sharing)?);
        Ok(())
    }
}

/// Follows a motion of the platform.
pub struct PlatformTorque<'r> {
    model: Model<'r>,
    reference: Box<dyn FrameReference + 'r>,
    feedback: Feedback, // of the independent velocities, or of all components of a twist that does not have these
    from_twist: Option<FromTwist>,
}

impl<'r> PlatformTorque<'r> {
    /// A law with a model of the robot; the gains are those of every degree of freedom.
    ///
    /// # Panics
    /// If the robot has no platform.
    #[must_use]
    pub fn new(robot: &'r ClosedMechanism, reference: Box<dyn FrameReference + 'r>, gains: Gains) -> Self {
        assert!(robot.platform().is_some(), "a robot with a platform");
        let from_twist = FromTwist::is_needed(robot).then(|| FromTwist::new(robot));
        let components = from_twist.as_ref().map_or(robot.freedoms().len(), |_| 6);
        let feedback = Feedback(vec![gains; components]);
        Self { model: Model::new(robot), reference, feedback, from_twist }
    }
}

impl Law for PlatformTorque<'_> {
    fn states(&self) -> usize {
        self.feedback.states()
    }

    fn integral(&self) -> Integral {
        Integral::OfAllDrives
    }

    fn efforts(&mut self, now: &View<'_>, own: &[f64], rates: &mut [f64], efforts: &mut [f64]) -> Result<(), Reason> {
        let wanted = self.reference.at(now.t)?;
        let (pose, twist) = now.platform.expect("a robot with a platform");
        let way = (pose.position - wanted.pose.position).to_array();
        let turn = turn_between(&wanted.pose.rotation, &pose.rotation).to_array();
        let (twist, wanted_twist, acceleration) =
            (twist.to_array(), wanted.twist.to_array(), wanted.acceleration.to_array());
        let dof = self.model.robot.tree().dof();
        let mut corrected = |i: usize, k: usize| {
            let error = if k < 3 { way[k] } else { turn[k - 3] };
            self.feedback.correct(i, [acceleration[k], error, twist[k] - wanted_twist[k]], own, rates)
        };
        if let Some(from_twist) = &mut self.from_twist {
            let wanted = core::array::from_fn(|k| corrected(k, k));
            self.model.accelerate(now, from_twist, wanted)?;
        } else {
            for (i, (rate, &k)) in self.model.rates.iter_mut().zip(self.model.robot.freedoms()).enumerate() {
                *rate = corrected(i, k - dof);
            }
        }
        self.model.drive(now, efforts)
    }
}

/// Follows a motion of the drives.
pub struct DriveTorque<'r> {
    model: Model<'r>,
    wanted: Wanted<'r>,
    feedback: Feedback,
    demand: Vec<f64>,
    j_inv: Vec<f64>,
    solver: Elimination<f64>,
}

impl<'r> DriveTorque<'r> {
    /// A law with a model of the robot.
    ///
    /// # Panics
    /// If the robot has not as many drives as degrees of freedom, or there is not one set of gains and a reference of
    /// each.
    #[must_use]
    pub fn new(robot: &'r ClosedMechanism, reference: Box<dyn JointReference + 'r>, gains: Vec<Gains>) -> Self {
        let n = robot.freedoms().len();
        let drives = [robot.driven().len(), reference.joints(), gains.len()];
        assert_eq!(drives, [n; 3], "as many drives, references and gains as freedoms");
        Self {
            model: Model::new(robot),
            wanted: Wanted::new(reference),
            feedback: Feedback(gains),
            demand: vec![0.0; n],
            j_inv: vec![0.0; n * n],
            solver: Elimination::new(n, n + 1, 0.0),
        }
    }
}

impl Law for DriveTorque<'_> {
    fn states(&self) -> usize {
        self.feedback.states()
    }

    fn integral(&self) -> Integral {
        Integral::OfAllDrives
    }

    fn efforts(&mut self, now: &View<'_>, own: &[f64], rates: &mut [f64], efforts: &mut [f64]) -> Result<(), Reason> {
        self.wanted.find(now.t)?;
        self.model.place(now);
        let Model { robot, at, dynamics, rates: r_dot, rest, .. } = &mut self.model;
        // What the drives accelerate at ṙ = 0 is J̇ r.
        let (_, bias) = formulation::motion(robot, dynamics, at, now.r, rest)?;
        let Wanted { q, v, a, .. } = &self.wanted;
        for (i, &j) in robot.driven().iter().enumerate() {
            let off = [a[i], now.q[j] - q[i], now.v[j] - v[i]];
            self.demand[i] = self.feedback.correct(i, off, own, rates) - bias[j];
        }
        self.j_inv.copy_from_slice(formulation::inverse_jacobian(robot, dynamics, at)?);
        let n = self.demand.len();
        for (row, (own, demand)) in
            self.solver.entries().chunks_exact_mut(n + 1).zip(self.j_inv.chunks_exact(n).zip(&self.demand))
        {
            row[..n].copy_from_slice(own);
            row[n] = *demand;
        }
        self.solver.eliminate_up_to(n, 0.0);
        for &(row, unknown) in self.solver.pivots() {
            r_dot[unknown] = self.solver.entry(row, n);
        }
        self.model.drive(now, efforts)
    }
}
