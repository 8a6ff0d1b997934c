//! Closed mechanisms: parallel robots, of legs and a platform, and any tree with closing joints.
//!
//! A [`ClosedMechanism`] is a tree of joints, perhaps a platform that no joint of the tree carries, and closing joints
//! between them. Its velocities are u = (one per joint of the tree, the twist of the platform); its motion is that of
//! as many independent ones as it has degrees of freedom, r: components of the platform's twist, or of some joints
//! where there is no platform. A frame of any body can be the robot's output, and is a platform then
//! ([`resolve`](crate::description::resolve)). Closures demand A u = 0, so that u = Z r and u̇ = Z ṙ + z₀.
//!
//! The questions of dynamics have two methods on every closed mechanism, and a third on those of legs and a platform:
//!
//! | question | legs + platform, or tree + closures | the referee of both |
//! |---|---|---|
//! | inverse dynamics | [`legs_platform`]: BriotKhalil, legs by Gibbs-Appell; [`tree_closures`]: projection | [with the reactions as unknowns](tree_closures::Solver::Kkt) |
//! | forward dynamics | the same, in the null space | [KKT](tree_closures::Solver::Kkt) |
//! | M, bias, gravity, Coriolis vector | the same | by [`question`](crate::question::closed): columns, parts, potential energy, Coriolis matrix |
//! | Coriolis matrix, Ṁ − 2 C skew-symmetric | [`coriolis`], on either | with the tree's by the recursion |
//! | reactions of all joints | [`reactions`], with the multipliers of either | with those of [singular values](reactions::Workspace::by_singular_values) |
//! | regressor | [`regressor`], on either | [`unit_parameters`] |
//! | derivatives of inverse and forward dynamics | [`derivatives`], on either | [KKT on dual numbers](derivatives::Workspace::with_reactions) |
//! | Jacobian of the platform | [`platform_jacobian`], on either | each other |
//! | energy | [`energy`](energy::energy), sums over the bodies | [`energy::of_whole`] |
//!
//! Robots of legs of up to three axes that all meet in a point have a fourth, which is the fastest: [`spherical`], closed
//! forms of Abedloo and of Enferadi2010.
//!
//! | question | legs + platform | any |
//! |---|---|---|
//! | local coordinates | [`coordinates`]: loops stay closed by construction | the same |
//! | assembly | [`assembly`]: leg by leg for a pose | for the driven joints' positions |
//! | all assemblies for the drives | [`direct`]: followed and counted | searched for |
//! | all working modes for a pose | [`working_modes`] | |
//! | nearness to singularities | [`singularity`]: Type 1, Type 2, constraints; uncontrolled motions | the same |
//! | whether any is near at all, quickly | [`far`] | [`singularity`] |
//! | crossing Type 2 | [`crossing`]: Briot2008's criterion, paths that satisfy it | |
//! | single poses | [`reach`]: reachable, within limits, how near to singular and on which side | |
//! | maps | [`workspace_map`]: a slice of the workspace, reachable and how near to singular; [`map_ranges`]: axes that fit | |
//! | mobility | [`Mobility`]: rank of A at home, redundant constraints by name | |

mod actuation;
pub mod assembly;
mod build;
mod centre_of_mass;
mod chart;
mod closure;
mod constraints;
mod coupling;
pub mod coordinates;
pub mod coriolis;
pub mod crossing;
pub mod derivatives;
pub mod direct;
pub mod drives;
pub mod energy;
pub mod far;
mod from_twist;
mod held;
mod leg_forms;
pub mod legs_platform;
mod load;
mod mobility;
pub mod momentum;
mod output;
mod platform;
pub mod platform_jacobian;
pub mod reactions;
mod refusal;
pub mod regressor;
pub mod sample;
pub mod formulation;
mod screw;
pub mod singularity;
pub mod spherical;
mod steps;
pub mod tree_closures;
pub mod unit_parameters;
pub mod variation;
pub mod working_modes;
pub mod reach;
pub mod workspace_map;
pub mod map_ranges;

pub use build::ClosedError;
pub use closure::{Closure, Constraint, On, Side};
pub use coupling::Coupling;
pub use from_twist::FromTwist;
pub use load::Load;
pub use mobility::{Mobility, Redundancy};
pub use platform::Platform;
pub use refusal::{LARGEST_CONDITION, SingularError};
use refusal::{refuse_condition, refuse_massless};
pub use screw::Screw;

use crate::description::{BodyDescription, Branch, Freedom, JointKind};
use crate::mechanism::Mechanism;
use crate::real::Real;
use crate::spatial::{Pose, Vec3, turned};
use output::OfOutput;
use std::sync::Arc;

/// The cosine of the middle of three angles below which they are singular.
const RIGHT_ANGLE: f64 = 1e-4;

/// A robot with closed loops, ready for computing: one that exists is valid, assembled at home, and can move.
#[derive(Debug, Clone, PartialEq)]
pub struct ClosedMechanism {
    tree: Mechanism,
    platform: Option<Platform>,
    closures: Vec<Closure>,
    couplings: Vec<Coupling>,
    rows: usize,
    legs: Vec<Leg>,
    driven: Vec<usize>,
    branches: Vec<Branch>,
    home: Configuration,
    length: f64,
    freedoms: Vec<usize>, // the independent velocities, as indices of u
    mobility: Mobility,
    of_output: Option<Arc<OfOutput>>, // where a body was made a platform, or given one without mass
    angles: Vec<(String, usize)>,     // what is turned by three angles, and the row of the middle one
}

/// Where everything is: a position per joint of the tree, and the pose of the platform.
#[derive(Debug, PartialEq)]
pub struct Configuration<T = f64> {
    /// Positions of the tree's joints, rad or m.
    pub q: Vec<T>,
    /// base_from_platform; without meaning where there is no platform.
    pub pose: Pose<T>,
}

/// By hand, since the derived `clone_from` would allocate, in every state.
impl<T: Clone> Clone for Configuration<T> {
    fn clone(&self) -> Self {
        Self { q: self.q.clone(), pose: self.pose.clone() }
    }

    fn clone_from(&mut self, source: &Self) {
        self.q.clone_from(&source.q);
        self.pose.clone_from(&source.pose);
    }
}

impl Configuration<f64> {
    /// Moves by small ways of some velocities u, given by their indices; loops are not closed after it.
    ///
    /// # Panics
    /// If an index is none of a robot of as many joints.
    pub fn advance(&mut self, ways: impl Iterator<Item = (usize, f64)>) {
        let (dof, mut twist) = (self.q.len(), [0.0; 6]);
        for (k, way) in ways {
            *self.q.get_mut(k).unwrap_or_else(|| &mut twist[k - dof]) += way;
        }
        let [x, y, z, a, b, c] = twist;
        if twist != [0.0; 6] {
            self.pose.position = self.pose.position + Vec3::new(x, y, z);
            self.pose.rotation = turned(&self.pose.rotation, Vec3::new(a, b, c));
        }
    }

    /// The same over the numbers of the kind of `like`.
    #[must_use]
    pub fn lift<T: Real>(&self, like: T) -> Configuration<T> {
        Configuration { q: self.q.iter().map(|&q| like.constant(q)).collect(), pose: self.pose.lift(like) }
    }
}

/// A chain of the tree that holds the platform by one closing joint at its end, and carries nothing else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leg {
    /// Its name: that of its closing joint, up to the last dot.
    pub name: String,
    /// Its joints, from the base to the platform; none where the base itself holds the platform.
    pub joints: Vec<usize>,
    /// The closing joint, as an index of [`ClosedMechanism::closures`].
    pub closure: usize,
}

impl ClosedMechanism {
    /// The robot's name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.tree.name()
    }

    /// The joints and their bodies, all loops open.
    #[inline(always)]
    #[must_use]
    pub fn tree(&self) -> &Mechanism {
        &self.tree
    }

    /// The platform.
    #[inline(always)]
    #[must_use]
    pub fn platform(&self) -> Option<&Platform> {
        self.platform.as_ref()
    }

    /// What closes the loops.
    #[inline(always)]
    #[must_use]
    pub fn closures(&self) -> &[Closure] {
        &self.closures
    }

    /// The joints that follow others, gears and screws: their constraints come after those of the closures. A robot that has
    /// some has no [`legs`](Self::legs).
    #[inline(always)]
    #[must_use]
    pub fn couplings(&self) -> &[Coupling] {
        &self.couplings
    }

    /// Number of constraints of all closures and couplings together, the redundant ones included.
    #[inline(always)]
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of velocities u: one per joint of the tree, and six of the platform.
    #[inline(always)]
    #[must_use]
    pub fn velocities(&self) -> usize {
        self.tree.dof() + if self.platform.is_some() { 6 } else { 0 }
    }

    /// The legs of a parallel robot; empty where the robot is not of legs and a platform alone.
    #[inline(always)]
    #[must_use]
    pub fn legs(&self) -> &[Leg] {
        &self.legs
    }

    /// The joints that a motor drives, in order.
    #[inline(always)]
    #[must_use]
    pub fn driven(&self) -> &[usize] {
        &self.driven
    }

    /// An assembled configuration, near the one described as home.
    #[must_use]
    pub fn home(&self) -> &Configuration {
        &self.home
    }

    /// The joint or body whose three angles are singular at a configuration, because the middle one is a right angle, if there is one: what looks
    /// like a singularity there is one of these coordinates, not of the robot.
    #[must_use]
    pub fn singular_angles(&self, at: &Configuration) -> Option<&str> {
        let is_singular = |(_, middle): &&(String, usize)| at.q[*middle].cos().abs() < RIGHT_ANGLE;
        self.angles.iter().find(is_singular).map(|(name, _)| name.as_str())
    }

    /// Characteristic length, m: a turn by 1 rad weighs as much as this way.
    #[must_use]
    pub fn length(&self) -> f64 {
        self.length
    }

    /// Length scale of `u[k]`, which makes a length of it: the characteristic length for a turn, 1 for a slide.
    #[must_use]
    pub fn length_scale(&self, k: usize) -> f64 {
        if self.turns(k) { self.length } else { 1.0 }
    }

    /// How many times as fast as the slowest joint that it is coupled to a joint moves, both as lengths; 1 where it is coupled to
    /// none. A drive is measured through its gear or thread: what it moves counts, not how often it turns for it.
    #[must_use]
    pub fn gearing(&self, k: usize) -> f64 {
        let of_joint =
            |coupling: &Coupling| coupling.terms.iter().find(|(j, _)| *j == k).map(|(_, factor)| factor.abs());
        self.couplings.iter().filter_map(of_joint).fold(1.0, |most, factor| most.max(self.length_scale(k) / factor))
    }

    /// Whether `u[k]` is a turn, not a slide.
    #[must_use]
    pub fn turns(&self, k: usize) -> bool {
        match self.tree.links().get(k) {
            Some(link) => link.joint == JointKind::Revolute,
            None => k >= self.tree.dof() + 3,
        }
    }

    /// The independent velocities r, as indices of u.
    #[inline(always)]
    #[must_use]
    pub fn freedoms(&self) -> &[usize] {
        &self.freedoms
    }

    /// The names of the independent velocities: `vx` … `wz` of the platform, or `v.JOINT`.
    #[must_use]
    pub fn freedom_names(&self) -> Vec<String> {
        self.freedoms.iter().map(|&k| self.velocity_name(k)).collect()
    }

    /// The name of `u[k]`: see [`freedom_names`](Self::freedom_names).
    #[must_use]
    pub fn velocity_name(&self, k: usize) -> String {
        match k.checked_sub(self.tree.dof()) {
            Some(component) => Freedom::ALL[component].name().to_owned(),
            None => format!("v.{}", self.tree.joint_names()[k]),
        }
    }

    /// What its mobility is, and why.
    #[must_use]
    pub fn mobility(&self) -> &Mobility {
        &self.mobility
    }

    /// The working mode of each joint of the tree.
    #[must_use]
    pub fn branches(&self) -> &[Branch] {
        &self.branches
    }

    /// The same robot in the working modes of a configuration: joints that are on the other side of zero there than their branch
    /// demands have the other one.
    ///
    /// # Panics
    /// If `at` belongs to another robot.
    #[must_use]
    pub fn in_working_modes_of(&self, at: &Configuration) -> Self {
        self.expect(at, &[]);
        let mut robot = self.clone();
        for (j, branch) in robot.branches.iter_mut().enumerate() {
            *branch = match branch {
                Branch::Any => Branch::Any,
                _ if assembly::unturned(self, j, at.q[j]) < 0.0 => Branch::Negative,
                _ => Branch::Positive,
            };
        }
        robot
    }

    /// The same robot with a body more on its platform, given in the platform's frame. Without a platform nothing
    /// changes.
    #[must_use]
    pub fn with_payload(&self, payload: &BodyDescription) -> Self {
        let mut robot = self.clone();
        robot.platform.iter_mut().for_each(|platform| platform.load(payload));
        robot
    }

    /// The same robot with another body for a platform, which carries nothing more, given in the platform's frame. Without a
    /// platform nothing changes.
    #[must_use]
    pub fn with_platform(&self, body: &BodyDescription) -> Self {
        let mut robot = self.without_platform_mass();
        robot.platform.iter_mut().for_each(|platform| platform.load(body));
        robot
    }

    /// The same robot with bodies that have no mass; friction, rotors and springs stay.
    #[must_use]
    pub fn without_masses(&self) -> Self {
        self.without_platform_mass().with_tree(|tree| tree.with_bodies(|_, _| BodyDescription::default()))
    }

    fn without_platform_mass(&self) -> Self {
        let mut robot = self.clone();
        robot.platform.iter_mut().for_each(|platform| platform.put_parameters(Default::default()));
        robot
    }

    /// The same robot with another tree of the same geometry, as [`Mechanism::with_effects`] makes it.
    #[must_use]
    pub fn with_tree(&self, change: impl FnOnce(&Mechanism) -> Mechanism) -> Self {
        let tree = change(&self.tree);
        assert_eq!(tree.joint_names(), self.tree.joint_names(), "the same joints");
        Self { tree, ..self.clone() }
    }

    /// The same robot under another gravity.
    #[must_use]
    pub fn with_gravity(&self, gravity: Vec3<f64>) -> Self {
        self.with_tree(|tree| tree.with_gravity(gravity))
    }

    /// Panics unless a configuration and rates belong to this robot: the algorithms' common precondition.
    #[inline(always)]
    pub(crate) fn expect<T>(&self, at: &Configuration<T>, rates: &[&[T]]) {
        self.tree.expect_lengths(&[&at.q]);
        for rate in rates {
            assert_eq!(rate.len(), self.freedoms.len(), "one value per degree of freedom");
        }
    }

    /// Panics unless a load has one value per velocity, or none.
    #[inline(always)]
    pub(crate) fn expect_load<T>(&self, load: &[T]) {
        assert!(load.is_empty() || load.len() == self.velocities(), "a load has one value per velocity, or none");
    }
}
