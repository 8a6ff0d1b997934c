//! Closed mechanisms in local coordinates: their loops cannot open.
//!
//! Two sets of coordinates are at hand. The robot's own belong to its independent velocities, mostly those of its platform: legs are
//! solved in their closed forms, and dynamics by the fastest formulation. Where a leg is stretched or folded (Type 1) they end, and the
//! motion does not: there the coordinates are chosen from all velocities, by the constraints A u = 0 alone, and dynamics is that of the
//! open tree with its closures.
//!
//! ```text
//! s = max |Z_kc| / |Z_kc at home|, u = Z r     how many times as fast as at home a joint k moves for the same r
//! s > 10, or a way of the step · s > part     → chosen coordinates
//! s < 5, in the legs' working modes           → the robot's own again
//! ```
//!
//! The second condition is what keeps a long step from jumping over Type 1: a leg is about 1/s from it, and a step goes a part of that: a half
//! where its error is estimated, a tenth where its length is fixed and nothing else watches how the equations bend there. In
//! chosen coordinates a step ends before det A_d = 0 ([`Coordinates::is_on_sheet`]), and goes no farther than the constraints are from a lower
//! rank ([`Coordinates::margin`]). Where that ends them the robot's own may go on, if they describe the motion there; what is left when steps
//! become short is a true singularity, and ends the motion.

use super::super::Reason;
use super::{DryFriction, Plant, View, dry};
use appell::closed::assembly::is_in_working_mode;
use appell::closed::coordinates::Coordinates;
use appell::closed::formulation::{self, Formulation};
use appell::closed::tree_closures;
use appell::closed::{self, ClosedMechanism, Configuration, SingularError, singularity};
use appell::description::Limits;
use appell::dynamics::energy::Energy;
use appell::kinematics;
use appell::linear::Cholesky;
use appell::spatial::{Twist, Vec3, Wrench};
use std::borrow::Cow;

/// s from which on, and below which again, the robot's own coordinates are left and taken.
const LEFT_AT: f64 = 10.0;
const TAKEN_AT: f64 = 5.0;

/// What a joint moves at home counts as so much of what the fastest does, at least.
const LEAST_SHARE: f64 = 0.3;

/// s up to which the robot's own coordinates serve where none can be chosen: at a singularity of the constraints that a motion described by
/// them passes, as a Delta robot does whose forearms are vertical, and which does not turn all the same.
const SERVE_UP_TO: f64 = 100.0;

/// The part of the way to Type 1 that joints go before s is looked at again.
const LOOKED_AT: f64 = 0.25;

/// The part of its way by which the end of a step may be off what the velocities at both ends say.
const MOST_OFF: f64 = 0.5;

/// The way of a step over the margins of the constraints at both ends: between them a margin could vanish on a longer one.
const MARGINS: f64 = 0.5;

/// A closed mechanism in local coordinates.
#[derive(Debug, Clone)]
pub struct Closed<'r> {
    robot: Cow<'r, ClosedMechanism>, // without dry friction
    friction: Vec<DryFriction>,      // dry, of the joints that have some
    z: Vec<f64>,                     // of joints
    cholesky: Cholesky<f64>,
    at: Configuration,
    trial: Configuration,
    anchored: Configuration,
    u_anchored: Vec<f64>,
    local: Local,                    // coordinates in use
    other: Local,                    // those of the other kind
    is_own: bool,                    // whether the robot's own are in use
    at_home: Vec<f64>,               // what each joint moves at home, for velocities r of one unit
    speed_up: f64,                   // s of the robot's own coordinates, where the last step ended
    has_changed: bool,               // whether the coordinates were changed since they were anchored
    way: f64,                        // of the joints since s was found
    margin: f64,                     // of the constraints at the anchor, where coordinates were chosen
    singular: Option<SingularError>, // why none could be chosen there
    x: Vec<f64>,
    r: Vec<f64>,     // of the coordinates
    own_r: Vec<f64>, // of the robot
    u: Vec<f64>,
    rest: Vec<f64>, // ṙ = 0
    load: Vec<f64>, // from outside, along u; empty is nothing
    energy: kinematics::Workspace,
    singularities: singularity::Workspace,
    metric: singularity::Metric,
}

/// Coordinates, and dynamics in their velocities.
#[derive(Debug, Clone)]
struct Local {
    coordinates: Coordinates,
    dynamics: formulation::Workspace,
}

impl Local {
    /// The robot's own.
    fn own(robot: &ClosedMechanism) -> Self {
        Self {
            coordinates: Coordinates::new(robot),
            dynamics: formulation::Workspace::new(robot, Formulation::of(robot)[0]),
        }
    }

    /// Those that are chosen at their anchor.
    fn chosen(robot: &ClosedMechanism) -> Self {
        Self {
            coordinates: Coordinates::of_closures(robot),
            dynamics: formulation::Workspace::new(robot, Formulation::TreeClosures),
        }
    }

    /// Chooses coordinates at a configuration.
    fn choose(&mut self, robot: &ClosedMechanism, at: &Configuration) -> Result<(), SingularError> {
        self.coordinates.choose(robot, at)?;
        if let formulation::Workspace::TreeClosures(workspace) = &mut self.dynamics {
            let workspace: &mut tree_closures::Workspace = workspace;
            workspace.describe_by(self.coordinates.independent());
        }
        Ok(())
    }
}

impl<'r> Closed<'r> {
    /// A robot in an assembled configuration, with the independent velocities.
    ///
    /// # Errors
    /// At a singularity of a leg or of the constraints, where these do not say how it moves.
    ///
    /// # Panics
    /// If `r` does not have one value per degree of freedom, or `at` belongs to another robot.
    pub fn new(robot: &'r ClosedMechanism, at: &Configuration, r: &[f64]) -> Result<Self, Reason> {
        let mut plant = Self::at_rest(robot, at);
        assert_eq!(r.len(), plant.r.len(), "one value per degree of freedom");
        plant.r.copy_from_slice(r);
        plant.set_in_motion()?;
        plant.begin();
        Ok(plant)
    }

    /// A robot in an assembled configuration, with the velocities of all joints and of the platform: as another one had come to. These say
    /// how it moves at Type 1, too.
    ///
    /// # Panics
    /// If `u` does not have one value per velocity, or `at` belongs to another robot.
    #[must_use]
    pub fn moving(robot: &'r ClosedMechanism, at: &Configuration, u: &[f64]) -> Self {
        let mut plant = Self::at_rest(robot, at);
        plant.u.copy_from_slice(u);
        plant.take_own_velocities();
        plant.r.copy_from_slice(&plant.own_r);
        plant.begin();
        plant
    }

    fn at_rest(robot: &'r ClosedMechanism, at: &Configuration) -> Self {
        let n = robot.freedoms().len();
        let friction = dry::of_rows(robot.tree());
        Self {
            robot: if friction.is_empty() {
                Cow::Borrowed(robot)
            } else {
                Cow::Owned(robot.with_tree(|tree| dry::without(tree, &[])))
            },
            friction,
            z: vec![0.0; robot.tree().dof() * n],
            cholesky: Cholesky::new(n, 0.0),
            at: at.clone(),
            trial: at.clone(),
            anchored: at.clone(),
            u_anchored: vec![0.0; robot.velocities()],
            local: Local::own(robot),
            other: Local::chosen(robot),
            is_own: true,
            at_home: vec![1.0; robot.tree().dof()],
            speed_up: 0.0,
            has_changed: false,
            way: 0.0,
            margin: 1.0,
            singular: None,
            x: vec![0.0; n],
            r: vec![0.0; n],
            own_r: vec![0.0; n],
            u: vec![0.0; robot.velocities()],
            rest: vec![0.0; n],
            load: Vec::new(),
            energy: kinematics::Workspace::new(robot.tree()),
            singularities: singularity::Workspace::new(robot),
            metric: singularity::Metric::of(robot),
        }
    }

    /// Finds the coordinates to begin with.
    fn begin(&mut self) {
        self.look_at_home();
        self.speed_up = self.find_speed_up();
        self.anchor();
    }

    /// Takes the robot's independent velocities out of all.
    fn take_own_velocities(&mut self) {
        self.own_r.iter_mut().zip(self.robot.freedoms()).for_each(|(r, &k)| *r = self.u[k]);
    }

    /// The same with a wrench on its platform from outside: at its origin, with components in base axes, for as long as it moves.
    ///
    /// # Panics
    /// If it has no platform.
    #[must_use]
    pub fn pushed(mut self, wrench: &Wrench) -> Self {
        assert!(self.robot.platform().is_some(), "a robot with a platform");
        self.load = vec![0.0; self.robot.velocities()];
        self.load[self.robot.tree().dof()..].copy_from_slice(&wrench.to_array());
        self
    }

    fn set_in_motion(&mut self) -> Result<(), Reason> {
        let (u, _) = formulation::motion(&self.robot, &mut self.local.dynamics, &self.at, &self.r, &self.rest)?;
        self.u.copy_from_slice(u);
        self.take_own_velocities();
        Ok(())
    }

    /// s of the robot's own coordinates where it is; infinite where they do not describe its motion, or its legs are in other working
    /// modes, which closed forms would not find.
    fn find_speed_up(&mut self) -> f64 {
        let (robot, n) = (&*self.robot, self.r.len());
        if !is_in_working_mode(robot, &self.at) {
            return f64::INFINITY;
        }
        let own = if self.is_own { &mut self.local } else { &mut self.other };
        let Ok(z) = formulation::complement(robot, &mut own.dynamics, &self.at) else { return f64::INFINITY };
        let ratios = z.chunks_exact(n).zip(&self.at_home).map(|(row, at_home)| fastest(robot, row) / at_home);
        ratios.fold(0.0, |most, ratio| if ratio.is_nan() { f64::INFINITY } else { most.max(ratio) })
    }

    /// What each joint moves at home; in the units of r where home is singular.
    fn look_at_home(&mut self) {
        let (robot, n) = (&*self.robot, self.r.len());
        let Ok(z) = formulation::complement(robot, &mut self.local.dynamics, robot.home()) else { return };
        let rows = z.chunks_exact(n).map(|row| fastest(robot, row));
        self.at_home.iter_mut().zip(rows).for_each(|(at_home, fastest)| *at_home = fastest);
        let most = self.at_home.iter().fold(0.0_f64, |most, &share| most.max(share));
        self.at_home.iter_mut().for_each(|share| *share = share.max(LEAST_SHARE * most));
    }

    /// Changes to the other kind of coordinates, about where the robot is.
    fn exchange(&mut self) {
        core::mem::swap(&mut self.local, &mut self.other);
        self.is_own = !self.is_own;
    }

    /// Begins the coordinates in use anew.
    fn begin_anew(&mut self) {
        self.singular = None;
        if self.is_own {
            self.local.coordinates.anchor(&self.at);
        } else {
            let chosen = self.local.choose(&self.robot, &self.at);
            self.singular = chosen.err().map(|error| error.at(&self.robot, &self.at));
            self.margin = self.local.coordinates.margin(&self.robot, &self.at);
        }
        self.x.fill(0.0);
        self.r.iter_mut().zip(self.local.coordinates.independent()).for_each(|(r, &k)| *r = self.u[k]);
        self.anchored.clone_from(&self.at);
        self.u_anchored.copy_from_slice(&self.u);
    }

    /// The longest way of a joint in a step so long, and by how much one is off the mean of its velocities at both ends; rad, or over the
    /// characteristic length.
    fn ways(&self, h: f64) -> (f64, f64) {
        let robot = &*self.robot;
        let (mut longest, mut off) = (0.0_f64, 0.0_f64);
        for (k, (q, q_anchored)) in self.at.q.iter().zip(&self.anchored.q).enumerate() {
            let unit = robot.length_scale(k) / (robot.length() * robot.gearing(k));
            let (way, before, after) = (q - q_anchored, self.u_anchored[k], self.u[k]);
            longest = longest.max(h * before.abs().max(after.abs()) * unit);
            off = off.max((way - 0.5 * h * (before + after)).abs() * unit);
        }
        (longest, off)
    }
}

/// The largest entry of a row of Z, for velocities r that are lengths.
fn fastest(robot: &ClosedMechanism, row: &[f64]) -> f64 {
    let entries = row.iter().zip(robot.freedoms()).map(|(z, &k)| z.abs() / robot.length_scale(k));
    entries.fold(0.0, |most, entry| if entry.is_nan() { f64::NAN } else { most.max(entry) })
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
        if x.iter().all(|&x| x == 0.0) {
            self.local.coordinates.anchor(&self.anchored);
            self.at.clone_from(&self.anchored);
        } else {
            // From the anchor on, not from where a step that failed has come to.
            self.trial.clone_from(&self.anchored);
            self.local.coordinates.place(&self.robot, x, &mut self.trial)?;
            core::mem::swap(&mut self.at, &mut self.trial);
        }
        self.x.copy_from_slice(x);
        self.r.copy_from_slice(r);
        self.set_in_motion()
    }

    fn view(&self, t: f64) -> View<'_> {
        view(&self.robot, t, &self.at, &self.own_r, &self.u)
    }

    fn rates(&mut self, efforts: &[f64], x_rates: &mut [f64], r_rates: &mut [f64]) -> Result<(), Reason> {
        if let Some(singular) = &self.singular {
            return Err(singular.clone().into());
        }
        self.local.coordinates.rates(&self.robot, &self.u, x_rates);
        r_rates.copy_from_slice(formulation::forward_dynamics(
            &self.robot,
            &mut self.local.dynamics,
            &self.at,
            &self.r,
            efforts,
            &self.load,
        )?);
        Ok(())
    }

    fn anchor(&mut self) -> bool {
        let limit = if self.is_own { LEFT_AT } else { TAKEN_AT };
        if self.is_own != (self.speed_up < limit) {
            self.exchange();
        }
        self.has_changed = false;
        self.begin_anew();
        true
    }

    fn follows(&mut self, h: f64, part: f64) -> Result<(), Reason> {
        let (longest, off) = self.ways(h);
        if off > MOST_OFF * longest + 1e-3 {
            return Err(Reason::Jump { step: h });
        }
        // A leg comes nearer to Type 1 by its way at most, 1/s − way: as long as that says enough, Z is not asked for.
        let way = self.way + longest;
        let bound = self.speed_up / (1.0 - self.speed_up * way);
        if self.is_own && self.speed_up * way < LOOKED_AT && bound < LEFT_AT && longest * bound <= part {
            self.way = way;
            return Ok(());
        }
        let before = self.speed_up;
        let after = self.find_speed_up();
        if self.is_own && longest * before.max(after) > part {
            return Err(Reason::Jump { step: h });
        }
        if !self.is_own {
            let is_on_sheet = self.local.coordinates.is_on_sheet(&self.robot, &self.at);
            let margin = self.margin + self.local.coordinates.margin(&self.robot, &self.at);
            if !is_on_sheet || longest > MARGINS * margin {
                return Err(SingularError::Constraints { condition: 2.0 / margin }.at(&self.robot, &self.at).into());
            }
        }
        (self.speed_up, self.way) = (after, 0.0);
        Ok(())
    }

    fn change_coordinates(&mut self) -> bool {
        if !self.has_other_coordinates() {
            return false;
        }
        self.exchange();
        self.begin_anew();
        self.has_changed = true;
        true
    }

    fn has_other_coordinates(&self) -> bool {
        !self.has_changed && (self.is_own || self.speed_up < SERVE_UP_TO)
    }

    fn dry_friction(&self) -> &[DryFriction] {
        &self.friction
    }

    /// M⁻¹ Zᵀ E and Eᵀ Z M⁻¹ Zᵀ E.
    fn responses(&mut self, joints: &[usize], of_r: &mut [f64], of_v: &mut [f64]) -> Result<(), Reason> {
        let (n, many) = (self.r.len(), joints.len());
        let z = formulation::complement(&self.robot, &mut self.local.dynamics, &self.at)?;
        for (own, &joint) in self.z.chunks_exact_mut(n).zip(joints) {
            own.copy_from_slice(&z[joint * n..(joint + 1) * n]);
        }
        self.cholesky.decompose(formulation::inertia_matrix(&self.robot, &mut self.local.dynamics, &self.at)?);
        for ((row, of_v), z) in of_r.chunks_exact_mut(n).zip(of_v.chunks_exact_mut(many)).zip(self.z.chunks_exact(n)) {
            row.copy_from_slice(z);
            self.cholesky.solve(row);
            for (of_v, z) in of_v.iter_mut().zip(self.z.chunks_exact(n)) {
                *of_v = row.iter().zip(z).map(|(row, z)| row * z).sum();
            }
        }
        Ok(())
    }

    fn accelerations(&mut self, r_rates: &[f64], v_rates: &mut [f64]) -> Result<(), Reason> {
        let (_, u_dot) = formulation::motion(&self.robot, &mut self.local.dynamics, &self.at, &self.r, r_rates)?;
        v_rates.copy_from_slice(&u_dot[..v_rates.len()]);
        Ok(())
    }

    fn energy(&mut self) -> Energy {
        closed::energy::energy(&self.robot, &mut self.energy, &self.at, &self.u)
    }

    fn joints(&self) -> (&[String], &[Limits]) {
        (self.robot.tree().joint_names(), self.robot.tree().limits())
    }

    fn size(&self, k: usize) -> f64 {
        if self.robot.turns(self.local.coordinates.independent()[k]) { 1.0 } else { self.robot.length() }
    }

    fn nearness(&mut self) -> Option<(f64, f64)> {
        Some(singularity::distances(&self.robot, &mut self.singularities, &self.at, &self.metric))
    }
}
