//! Trees in coordinates that are not their joints' own: quaternions, followers, screws.
//!
//! While a step lasts the rows move from where they were anchored; then quaternions are anchored anew, so that no attitude is
//! singular. The velocities are those of the user, which an anchor does not change.

use super::super::Reason;
use super::{DryFriction, ForwardMethod, Plant, View, dry};
use appell::description::Limits;
use appell::dynamics::energy::{self, Energy};
use appell::dynamics::generalised;
use appell::dynamics::joint_space::Equations;
use appell::kinematics;
use appell::mechanism::{Coordinates, Mechanism};
use std::borrow::Cow;

/// A tree in its own coordinates.
#[derive(Debug, Clone)]
pub struct Generalised<'r> {
    robot: Cow<'r, Mechanism>,  // without dry friction
    friction: Vec<DryFriction>, // dry, of the velocities
    zeros: Vec<f64>,            // no forces
    local_rates: Vec<f64>,      // for what forces answer
    free: Vec<f64>,
    own: &'r Coordinates,
    anchored: Vec<f64>, // rows where x = 0
    rows: Vec<f64>,     // where they are
    rates: Vec<f64>,    // of the rows
    x: Vec<f64>,
    x_rates: Vec<f64>,
    q: Vec<f64>,
    v: Vec<f64>,
    tau: Vec<f64>, // along local rates
    forward: generalised::Workspace,
    energy: kinematics::Workspace,
    limits: Vec<Limits>,
    followers: Vec<usize>, // their rows
}

impl<'r> Generalised<'r> {
    /// A robot in a state, with its accelerations by a method: Gibbs-Appell or composite bodies.
    ///
    /// # Panics
    /// If a slice has the wrong length, the robot has no coordinates but its joints', or the method is that of articulated bodies, which is
    /// for joints that are coordinates.
    #[must_use]
    pub fn new(robot: &'r Mechanism, q: &[f64], v: &[f64], method: ForwardMethod) -> Self {
        let own = robot.coordinates().expect("a robot whose coordinates are not its joints'");
        let (n, m) = (robot.dof(), own.velocities().len());
        let equations = match method {
            ForwardMethod::CompositeBody => Equations::CompositeBody,
            ForwardMethod::GibbsAppell => Equations::GibbsAppell,
            ForwardMethod::ArticulatedBody => panic!("articulated bodies are for joints that are coordinates"),
        };
        let follows = |&row: &usize| robot.followers()[row].is_some() && !own.of_velocities().contains(&row);
        let zeros = || vec![0.0; m];
        let (friction, shared) = dry::of_velocities(robot);
        let mut plant = Self {
            robot: if friction.is_empty() { Cow::Borrowed(robot) } else { Cow::Owned(dry::without(robot, &shared)) },
            friction,
            zeros: zeros(),
            local_rates: zeros(),
            free: zeros(),
            own,
            anchored: vec![0.0; n],
            rows: vec![0.0; n],
            rates: vec![0.0; n],
            x: zeros(),
            x_rates: zeros(),
            q: q.to_vec(),
            v: v.to_vec(),
            tau: zeros(),
            forward: generalised::Workspace::with_scalar(robot, equations, 0.0),
            energy: kinematics::Workspace::new(robot),
            limits: own.of_velocities().iter().map(|&row| robot.limits()[row]).collect(),
            followers: (0..n).filter(follows).collect(),
        };
        plant.begin_anew();
        plant
    }

    /// Anchors the rows where the robot is. Coordinates that are numbers keep them.
    fn begin_anew(&mut self) {
        self.own.normalise(&mut self.q);
        for (k, x) in self.x.iter_mut().enumerate() {
            *x = self.own.position_of(k).map_or(0.0, |position| core::mem::take(&mut self.q[position]));
        }
        self.own.anchor(&self.q, &mut self.anchored);
        self.move_rows();
    }

    /// Brings rows, position and rates to where x and v are.
    fn move_rows(&mut self) {
        self.rows.copy_from_slice(&self.anchored);
        self.own.step(&self.x, &mut self.rows);
        self.own.release(&self.rows, &mut self.q);
        self.own.rates(&self.rows, &self.v, &mut self.x_rates);
        self.own.spread(&self.x_rates, &mut self.rates);
    }
}

impl Plant for Generalised<'_> {
    fn freedoms(&self) -> usize {
        self.v.len()
    }

    fn efforts(&self) -> usize {
        self.v.len()
    }

    fn state(&self, x: &mut [f64], r: &mut [f64]) {
        x.copy_from_slice(&self.x);
        r.copy_from_slice(&self.v);
    }

    fn place(&mut self, x: &[f64], r: &[f64]) -> Result<(), Reason> {
        self.x.copy_from_slice(x);
        self.v.copy_from_slice(r);
        self.move_rows();
        Ok(())
    }

    fn view(&self, t: f64) -> View<'_> {
        View { t, q: &self.q, v: &self.v, r: &self.v, platform: None }
    }

    fn rates(&mut self, efforts: &[f64], x_rates: &mut [f64], r_rates: &mut [f64]) -> Result<(), Reason> {
        let Self { robot, own, rows, x_rates: rates, v, tau, forward, .. } = self;
        own.local_forces(rows, efforts, tau);
        let accelerations = generalised::local_forward_dynamics(robot, forward, rows, rates, tau)?;
        own.velocity_rates(rows, v, rates, accelerations, r_rates);
        x_rates.copy_from_slice(rates);
        Ok(())
    }

    fn anchor(&mut self) -> bool {
        if self.own.is_linear() {
            return false;
        }
        self.begin_anew();
        true
    }

    fn energy(&mut self) -> Energy {
        energy::energy(&self.robot, &mut self.energy, &self.rows, &self.rates)
    }

    fn joints(&self) -> (&[String], &[Limits]) {
        (self.own.velocities(), &self.limits)
    }

    fn dry_friction(&self) -> &[DryFriction] {
        &self.friction
    }

    /// By what forward dynamics answers to forces, less what it does without any.
    fn responses(&mut self, joints: &[usize], of_r: &mut [f64], of_v: &mut [f64]) -> Result<(), Reason> {
        let (n, many) = (self.v.len(), joints.len());
        let mut tau = core::mem::take(&mut self.zeros);
        let mut x_rates = core::mem::take(&mut self.local_rates);
        let mut free = core::mem::take(&mut self.free);
        let mut found = self.rates(&tau, &mut x_rates, &mut free);
        for ((row, of_v), &joint) in of_r.chunks_exact_mut(n).zip(of_v.chunks_exact_mut(many)).zip(joints) {
            tau[joint] = 1.0;
            found = found.and_then(|()| self.rates(&tau, &mut x_rates, row));
            tau[joint] = 0.0;
            row.iter_mut().zip(&free).for_each(|(rate, free)| *rate -= free);
            of_v.iter_mut().zip(joints).for_each(|(of_v, &j)| *of_v = row[j]);
        }
        (self.zeros, self.local_rates, self.free) = (tau, x_rates, free);
        found
    }

    fn coordinate_of(&self, joint: usize) -> Option<usize> {
        Some(joint)
    }

    fn followers(&self) -> usize {
        self.followers.len()
    }

    fn follower(&self, follower: usize) -> (f64, f64, Limits) {
        let row = self.followers[follower];
        (self.rows[row], self.rates[row], self.robot.limits()[row])
    }

    fn follower_beyond(&self, position: bool, velocity: bool) -> Option<Reason> {
        let beyond = |row: &usize| {
            let Limits { lower, upper, velocity: most, .. } = self.robot.limits()[*row];
            let joint = || self.robot.joint_names()[*row].clone();
            let place = position.then(|| Reason::beyond("position", self.rows[*row], [lower, upper], joint));
            let speed = || Reason::beyond("velocity", self.rates[*row], [-most, most], joint);
            let found = place.flatten().or_else(|| velocity.then(speed).flatten());
            if self.robot.rotors().contains(row) { found.map(Reason::of_motor) } else { found }
        };
        self.followers.iter().find_map(beyond)
    }

    fn position_of(&self, joint: usize) -> Option<usize> {
        self.own.position_of(joint)
    }

    fn size(&self, k: usize) -> f64 {
        if self.own.position_of(k).is_some() { 0.0 } else { 1.0 }
    }
}
