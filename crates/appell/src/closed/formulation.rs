//! The formulations behind one face, so that what is built on them is written once and has several methods.

use super::drives::Sharing;
pub use super::steps::{
    Outputs, Steps, accelerations, complement, forward_dynamics, generalised_forces, inertia_matrix, inverse_dynamics,
    inverse_jacobian, motion, multipliers, projected_inertia,
};
use super::tree_closures::Solver;
use super::{ClosedMechanism, Configuration, SingularError, legs_platform, spherical, tree_closures};
use crate::real::Measured;

/// A formulation of the dynamics of closed mechanisms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Formulation {
    /// [`spherical`]: where all axes meet in a point, the fastest.
    Spherical,
    /// [`legs_platform`]: where it applies, the faster one.
    LegsPlatform,
    /// [`tree_closures`]: for everything.
    TreeClosures,
}

impl Formulation {
    /// Those that apply to a robot, the best first.
    #[must_use]
    pub fn of(robot: &ClosedMechanism) -> &'static [Self] {
        if spherical::applies(robot) {
            &[Self::Spherical, Self::LegsPlatform, Self::TreeClosures]
        } else if legs_platform::applies(robot) {
            &[Self::LegsPlatform, Self::TreeClosures]
        } else {
            &[Self::TreeClosures]
        }
    }

    /// The one of this or the next best that gives reactions: a closed form has eliminated them.
    #[must_use]
    pub const fn with_reactions(self) -> Self {
        match self {
            Self::Spherical => Self::LegsPlatform,
            formulation => formulation,
        }
    }

    /// Whether it runs on numbers of several values: tree + closures chooses pivots by value.
    #[must_use]
    pub const fn runs_in_lanes(self) -> bool {
        !matches!(self, Self::TreeClosures)
    }

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Spherical => "spherical",
            Self::LegsPlatform => "legs-platform",
            Self::TreeClosures => "tree-closures",
        }
    }
}

/// Why numbers of several values do not run on tree + closures.
const NO_PIVOTS: &str = "pivots are chosen by value, on plain numbers";

/// The memory of one formulation.
#[derive(Debug, Clone)]
pub enum Workspace<T = f64> {
    /// Of [`Formulation::Spherical`].
    Spherical(Box<spherical::Workspace<T>>),
    /// Of [`Formulation::LegsPlatform`].
    LegsPlatform(Box<legs_platform::Workspace<T>>),
    /// Of [`Formulation::TreeClosures`].
    TreeClosures(Box<tree_closures::Workspace<T>>),
}

impl Workspace<f64> {
    /// A workspace for this robot and formulation.
    #[must_use]
    pub fn new(robot: &ClosedMechanism, formulation: Formulation) -> Self {
        Self::with_scalar(robot, formulation, 0.0)
    }
}

impl<T: Measured> Workspace<T> {
    /// A workspace for this robot and formulation, over the numbers of the kind of `like`.
    ///
    /// # Panics
    /// If lanes are to choose the pivots of [`Formulation::TreeClosures`]: see [`Formulation::runs_in_lanes`].
    #[must_use]
    pub fn with_scalar(robot: &ClosedMechanism, formulation: Formulation, like: T) -> Self {
        match formulation {
            Formulation::Spherical => Self::Spherical(Box::new(spherical::Workspace::with_scalar(robot, like))),
            Formulation::LegsPlatform => {
                Self::LegsPlatform(Box::new(legs_platform::Workspace::with_scalar(robot, like)))
            }
            Formulation::TreeClosures if T::OF_PROCESSOR => panic!("{NO_PIVOTS}"),
            Formulation::TreeClosures => {
                Self::TreeClosures(Box::new(tree_closures::Workspace::with_scalar(robot, like)))
            }
        }
    }

    /// Which formulation it belongs to.
    #[must_use]
    pub fn formulation(&self) -> Formulation {
        match self {
            Self::Spherical(_) => Formulation::Spherical,
            Self::LegsPlatform(_) => Formulation::LegsPlatform,
            Self::TreeClosures(_) => Formulation::TreeClosures,
        }
    }

    /// Tree + closures, with the reactions as further unknowns: the referee of all.
    #[must_use]
    pub fn with_reactions(robot: &ClosedMechanism, like: T) -> Self {
        let mut workspace = tree_closures::Workspace::with_scalar(robot, like);
        workspace.solver = Solver::Kkt;
        Self::TreeClosures(Box::new(workspace))
    }
}

/// Takes a step of the formulation that a workspace belongs to.
macro_rules! any {
    ($workspace:ident.$step:ident($($argument:expr),*)) => {
        match $workspace {
            Self::Spherical(workspace) => workspace.$step($($argument),*),
            Self::LegsPlatform(workspace) => workspace.$step($($argument),*),
            // Known when it is compiled: lanes do not compile what they never run.
            Self::TreeClosures(_) if T::OF_PROCESSOR => unreachable!("{NO_PIVOTS}"),
            Self::TreeClosures(workspace) => workspace.$step($($argument),*),
        }
    };
}

impl<T: Measured> Steps<T> for Workspace<T> {
    #[inline(always)]
    fn out(&mut self) -> &mut Outputs<T> {
        any!(self.out())
    }

    #[inline(always)]
    fn place(&mut self, robot: &ClosedMechanism, at: &Configuration<T>) -> Result<(), SingularError> {
        any!(self.place(robot, at))
    }

    #[inline(always)]
    fn set_in_motion(&mut self, robot: &ClosedMechanism, r: &[T]) {
        any!(self.set_in_motion(robot, r));
    }

    #[inline(always)]
    fn accelerate(&mut self, robot: &ClosedMechanism, r_dot: Option<&[T]>) {
        any!(self.accelerate(robot, r_dot));
    }

    #[inline(always)]
    fn fill_motion(&mut self, robot: &ClosedMechanism) {
        any!(self.fill_motion(robot));
    }

    #[inline(always)]
    fn project(&mut self, robot: &ClosedMechanism, at: &Configuration<T>, load: &[T]) {
        any!(self.project(robot, at, load));
    }

    #[inline(always)]
    fn fill_inertia(&mut self, robot: &ClosedMechanism, at: &Configuration<T>) {
        any!(self.fill_inertia(robot, at));
    }

    #[inline(always)]
    fn fill_complement(&mut self, robot: &ClosedMechanism) {
        any!(self.fill_complement(robot));
    }

    fn project_inertia(&mut self, robot: &ClosedMechanism, of_tree: &[T], of_platform: &[T]) {
        any!(self.project_inertia(robot, of_tree, of_platform));
    }

    fn fill_multipliers(&mut self, robot: &ClosedMechanism, tau: &[T]) {
        any!(self.fill_multipliers(robot, tau));
    }

    #[inline(always)]
    fn drive(&mut self, robot: &ClosedMechanism, sharing: &Sharing) -> Result<&[T], SingularError> {
        any!(self.drive(robot, sharing))
    }

    #[inline(always)]
    fn solve(&mut self, robot: &ClosedMechanism, tau: &[T]) -> Result<(), SingularError> {
        any!(self.solve(robot, tau))
    }
}
