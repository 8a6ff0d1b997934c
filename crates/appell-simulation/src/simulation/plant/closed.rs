//! Closed mechanisms in local coordinates: their loops cannot open.

use super::super::Reason;
use super::{Plant, View};
use appell::closed::coordinates::Coordinates;
use appell::closed::formulation::{self, Formulation};
use appell::closed::{self, ClosedMechanism, Configuration, singularity};
use appell::description::Limits;
use appell::dynamics::energy::Energy;
use appell::kinematics;
use appell::spatial::{Twist, Vec3};

/// A closed mechanism in local coordinates.
#[derive(Debug, Clone)]
pub struct Closed<'r> {
    robot: &'r ClosedMechanism,
    at: Configuration,
    trial: Configuration,
    coordinates: Coordinates,
    x: Vec<f64>,
    r: Vec<f64>,
    u: Vec<f64>,
    rest: Vec<f64>, // ṙ = 0
    dynamics: formulation::Workspace,
    energy: kinematics::Workspace,
    singularities: singularity::Workspace,
    metric: singularity::Metric,
}

impl<'r> Closed<'r> {
    /// A robot in an assembled configuration, with the independent velocities.
    ///
    /// # Errors
    /// At a singularity of a leg or of the constraints.
    ///
    /// # Panics
    /// If `r` does not have one value per degree of freedom, or `at` belongs to another robot.
    pub fn new(robot: &'r ClosedMechanism, at: &Configuration, r: &[f64]) -> Result<Self, Reason> {
        let n = robot.freedoms().len();
        let mut plant = Self {
            robot,
            at: at.clone(),
            trial: at.clone(),
            coordinates: Coordinates::new(robot),
            x: vec![0.0; n],
            r: r.to_vec(),
            u: vec![0.0; robot.velocities()],
            rest: vec![0.0; n],
            dynamics: formulation::Workspace::new(robot, Formulation::of(robot)[0]),
            energy: kinematics::Workspace::new(robot.tree()),
            singularities: singularity::Workspace::new(robot),
            metric: singularity::Metric::of(robot),
        };
        plant.coordinates.anchor(at);
        plant.set_in_motion()?;
        Ok(plant)
    }

    fn set_in_motion(&mut self) -> Result<(), Reason> {
        let (u, _) = formulation::motion(self.robot, &mut self.dynamics, &self.at, &self.r, &self.rest)?;
        self.u.copy_from_slice(u);
        Ok(())
    }
}

/// A configuration that moves with the velocities u, as a drive sees it.
pub fn view<'s>(robot: &ClosedMechanism, t: f64, at: &'s Configuration, r: &'s [f64], u: &'s [f64]) -> View<'s> {
    let (v, twist) = u.split_at(robot.tree().dof());
    let platform = match *twist {
        [x, y, z, a, b, c] => Some((at.pose, Twist { linear: Vec3::new(x, y, z), angular: Vec3::new(a, b, c) })),
        _ => None,
    };
    View { t, q: &at.q, v, r, platform }
}

impl Plant for Closed<'_> {
    fn freedoms(&self) -> usize {
        self.r.len()
    }

    fn efforts(&self) -> usize {
        self.robot.driven().len()
    }

    fn drives(&self) -> Vec<usize> {
        self.robot.driven().to_vec()
    }

    fn state(&self, x: &mut [f64], r: &mut [f64]) {
        x.copy_from_slice(&self.x);
        r.copy_from_slice(&self.r);
    }

    fn place(&mut self, x: &[f64], r: &[f64]) -> Result<(), Reason> {
        self.trial.q.copy_from_slice(&self.at.q);
        self.trial.pose = self.at.pose;
        self.coordinates.place(self.robot, x, &mut self.trial)?;
        core::mem::swap(&mut self.at, &mut self.trial);
        self.x.copy_from_slice(x);
        self.r.copy_from_slice(r);
        self.set_in_motion()
    }

    fn view(&self, t: f64) -> View<'_> {
        view(self.robot, t, &self.at, &self.r, &self.u)
    }

    fn rates(&mut self, efforts: &[f64], x_rates: &mut [f64], r_rates: &mut [f64]) -> Result<(), Reason> {
        self.coordinates.rates(self.robot, &self.u, x_rates);
        r_rates.copy_from_slice(formulation::forward_dynamics(
            self.robot,
            &mut self.dynamics,
            &self.at,
            &self.r,
            efforts,
            &[],
        )?);
        Ok(())
    }

    fn anchor(&mut self) -> bool {
        self.coordinates.anchor(&self.at);
        self.x.fill(0.0);
        true
    }

    fn energy(&mut self) -> Energy {
        closed::energy::energy(self.robot, &mut self.energy, &self.at, &self.u)
    }

    fn joints(&self) -> (&[String], &[Limits]) {
        (self.robot.tree().joint_names(), self.robot.tree().limits())
    }

    fn sizes(&self) -> Vec<f64> {
        let turns = |&k: &usize| self.robot.length_scale(k) != 1.0;
        self.robot.freedoms().iter().map(|k| if turns(k) { 1.0 } else { self.robot.length() }).collect()
    }

    fn nearness(&mut self) -> Option<(f64, f64)> {
        Some(singularity::distances(self.robot, &mut self.singularities, &self.at, &self.metric))
    }
}
