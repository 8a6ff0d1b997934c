//! The wrist as a plant in its Euler angles, computed by the general methods.
//!
//! A simulation takes closed mechanisms in local coordinates that begin anew at every step. Here the coordinates are those of
//! the wanted motion, so that a law can carry the motion along as states of its own: both pass the same stages of the same
//! steps, and what a stage is off by, of second order in the step, drops out of their difference. A stiff law would feed that
//! back multiplied by its gain.

use super::WristError;
use crate::general::about_point;
use appell::closed::formulation::{self, Formulation};
use appell::closed::{ClosedMechanism, Configuration, assembly, energy};
use appell::description::Limits;
use appell::dynamics::energy::Energy;
use appell::kinematics;
use appell::spatial::{EulerAngles, Vec3};
use appell_simulation::simulation::plant::closed_view;
use appell_simulation::simulation::{Plant, Reason, View};

/// The wrist in a state of its Euler angles.
pub(super) struct EulerPlant<'r> {
    robot: &'r ClosedMechanism,
    at: Configuration,
    q: [f64; 3],
    v: [f64; 3],
    omega: [f64; 3],
    u: Vec<f64>, // velocities of the joints and of the platform
    assembly: assembly::Workspace,
    dynamics: formulation::Workspace,
    energy: kinematics::Workspace,
}

impl<'r> EulerPlant<'r> {
    /// The robot at angles and their rates, its legs as at home.
    pub(super) fn new(robot: &'r ClosedMechanism, q: [f64; 3], v: [f64; 3]) -> Result<Self, Reason> {
        let mut plant = Self {
            robot,
            at: robot.home().clone(),
            q,
            v,
            omega: [0.0; 3],
            u: vec![0.0; robot.velocities()],
            assembly: assembly::Workspace::new(robot),
            dynamics: formulation::Workspace::new(robot, Formulation::LegsPlatform),
            energy: kinematics::Workspace::new(robot.tree()),
        };
        plant.place(&q, &v)?;
        Ok(plant)
    }
}

/// Three numbers of a slice.
fn three(x: &[f64]) -> [f64; 3] {
    [x[0], x[1], x[2]]
}

impl Plant for EulerPlant<'_> {
    fn freedoms(&self) -> usize {
        3
    }

    fn efforts(&self) -> usize {
        3
    }

    fn state(&self, x: &mut [f64], r: &mut [f64]) {
        x.copy_from_slice(&self.q);
        r.copy_from_slice(&self.v);
    }

    fn place(&mut self, x: &[f64], r: &[f64]) -> Result<(), Reason> {
        (self.q, self.v) = (three(x), three(r));
        self.at.pose = about_point(EulerAngles::Zyx.rotation(self.q));
        assembly::at_pose(self.robot, &mut self.assembly, &mut self.at)?;
        self.omega = (EulerAngles::Zyx.omega_of_rates(self.q) * Vec3::from(self.v)).to_array();
        let (u, _) = formulation::motion(self.robot, &mut self.dynamics, &self.at, &self.omega, &[0.0; 3])?;
        self.u.copy_from_slice(u);
        Ok(())
    }

    fn view(&self, t: f64) -> View<'_> {
        closed_view(self.robot, t, &self.at, &self.omega, &self.u)
    }

    /// q̈ = E⁻¹ (ω̇ − Ė q̇)  (eq. 26).
    fn rates(&mut self, efforts: &[f64], x_rates: &mut [f64], r_rates: &mut [f64]) -> Result<(), Reason> {
        let omega_dot =
            three(formulation::forward_dynamics(self.robot, &mut self.dynamics, &self.at, &self.omega, efforts, &[])?);
        let a = EulerAngles::Zyx.accelerations(self.q, self.v, omega_dot.into());
        x_rates.copy_from_slice(&self.v);
        r_rates.copy_from_slice(&a.map_err(|singular| Reason::Law(WristError::from(singular).to_string()))?);
        Ok(())
    }

    fn anchor(&mut self) -> bool {
        false
    }

    fn energy(&mut self) -> Energy {
        energy::energy(self.robot, &mut self.energy, &self.at, &self.u)
    }

    fn joints(&self) -> (&[String], &[Limits]) {
        (self.robot.tree().joint_names(), self.robot.tree().limits())
    }
}
