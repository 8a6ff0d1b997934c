//! The formulations behind one face, so that what is built on them is written once and has several methods.

use super::drives::Sharing;
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

/// Calls the function of the formulation that a workspace belongs to.
macro_rules! any {
    ($workspace:expr, $function:ident($robot:expr, $($argument:expr),*)) => {
        match $workspace {
            Self::Spherical(workspace) => spherical::$function($robot, workspace, $($argument),*),
            Self::LegsPlatform(workspace) => legs_platform::$function($robot, workspace, $($argument),*),
            // Known when it is compiled: lanes do not compile what they never run.
            Self::TreeClosures(_) if T::OF_PROCESSOR => unreachable!("{NO_PIVOTS}"),
            Self::TreeClosures(workspace) => tree_closures::$function($robot, workspace, $($argument),*),
        }
    };
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

    /// See [`legs_platform::inverse_dynamics`].
    ///
    /// # Errors
    /// As there.
    pub fn inverse_dynamics(
        &mut self,
        robot: &ClosedMechanism,
        at: &Configuration<T>,
        r: &[T],
        r_dot: &[T],
        load: &[T],
        sharing: &Sharing,
    ) -> Result<&[T], SingularError> {
        any!(self, inverse_dynamics(robot, at, r, r_dot, load, sharing))
    }

    /// See [`legs_platform::generalised_forces`].
    ///
    /// # Errors
    /// As there.
    pub fn generalised_forces(
        &mut self,
        robot: &ClosedMechanism,
        at: &Configuration<T>,
        r: &[T],
        r_dot: &[T],
        load: &[T],
    ) -> Result<&[T], SingularError> {
        any!(self, generalised_forces(robot, at, r, r_dot, load))
    }

    /// See [`legs_platform::inertia_matrix`].
    ///
    /// # Errors
    /// As there.
    pub fn inertia_matrix(&mut self, robot: &ClosedMechanism, at: &Configuration<T>) -> Result<&[T], SingularError> {
        any!(self, inertia_matrix(robot, at))
    }

    /// The inertia matrix of the independent velocities, n × n row by row, of bodies that are not the robot's: their
    /// inertia matrix on the open tree, and that of a platform, 6 × 6, both row by row. Zᵀ M Z, by legs where the
    /// formulation has them.
    ///
    /// # Errors
    /// As [`inertia_matrix`](Self::inertia_matrix).
    pub fn projected_inertia(
        &mut self,
        robot: &ClosedMechanism,
        at: &Configuration<T>,
        of_tree: &[T],
        of_platform: &[T],
    ) -> Result<Vec<T>, SingularError> {
        if let Self::LegsPlatform(workspace) = self {
            return Ok(legs_platform::projected_inertia(robot, workspace, at, of_tree, of_platform)?.to_vec());
        }
        let (dof, n) = (robot.tree().dof(), robot.freedoms().len());
        let z = self.complement(robot, at)?;
        let zero = z[0].zero();
        // (M Z)_xc, then the upper half of Zᵀ (M Z).
        let times_z = |block: &[T], width: usize, first: usize, row: usize, c: usize| {
            let row = &block[row * width..(row + 1) * width];
            row.iter().enumerate().fold(zero, |sum, (y, &m)| m.mul_add(z[(first + y) * n + c], sum))
        };
        let mut matrix = vec![zero; n * n];
        for c in 0..n {
            let of_joints = (0..dof).map(|row| times_z(of_tree, dof, 0, row, c));
            let moved: Vec<T> = of_joints.chain((0..6).map(|row| times_z(of_platform, 6, dof, row, c))).collect();
            for i in 0..=c {
                let sum = moved.iter().enumerate().fold(zero, |sum, (x, &m)| m.mul_add(z[x * n + i], sum));
                matrix[i * n + c] = sum;
                matrix[c * n + i] = sum;
            }
        }
        Ok(matrix)
    }

    /// See [`legs_platform::complement`].
    ///
    /// # Errors
    /// As there.
    pub fn complement(&mut self, robot: &ClosedMechanism, at: &Configuration<T>) -> Result<&[T], SingularError> {
        any!(self, complement(robot, at))
    }

    /// See [`legs_platform::motion`].
    ///
    /// # Errors
    /// As there.
    pub fn motion(
        &mut self,
        robot: &ClosedMechanism,
        at: &Configuration<T>,
        r: &[T],
        r_dot: &[T],
    ) -> Result<(&[T], &[T]), SingularError> {
        any!(self, motion(robot, at, r, r_dot))
    }

    /// See [`legs_platform::multipliers`].
    ///
    /// # Errors
    /// As there.
    ///
    /// # Panics
    /// Of a closed form, which has none: ask [`Formulation::with_reactions`] before.
    pub fn multipliers(
        &mut self,
        robot: &ClosedMechanism,
        at: &Configuration<T>,
        r: &[T],
        r_dot: &[T],
        tau: &[T],
        load: &[T],
    ) -> Result<&[T], SingularError> {
        match self {
            Self::Spherical(_) => {
                panic!("a closed form has no multipliers; Formulation::with_reactions names the next best")
            }
            Self::LegsPlatform(workspace) => legs_platform::multipliers(robot, workspace, at, r, r_dot, tau, load),
            Self::TreeClosures(_) if T::OF_PROCESSOR => unreachable!("{NO_PIVOTS}"),
            Self::TreeClosures(workspace) => tree_closures::multipliers(robot, workspace, at, r, r_dot, tau, load),
        }
    }

    /// See [`legs_platform::forward_dynamics`]; trees with closures are solved in the null space.
    ///
    /// # Errors
    /// As there.
    pub fn forward_dynamics(
        &mut self,
        robot: &ClosedMechanism,
        at: &Configuration<T>,
        r: &[T],
        tau: &[T],
        load: &[T],
    ) -> Result<&[T], SingularError> {
        match self {
            Self::Spherical(workspace) => spherical::forward_dynamics(robot, workspace, at, r, tau, load),
            Self::LegsPlatform(workspace) => legs_platform::forward_dynamics(robot, workspace, at, r, tau, load),
            Self::TreeClosures(_) if T::OF_PROCESSOR => unreachable!("{NO_PIVOTS}"),
            Self::TreeClosures(workspace) => {
                tree_closures::forward_dynamics(robot, workspace, at, r, tau, load, Solver::NullSpace)
            }
        }
    }

    /// Rates of all velocities, u̇, that the drives' torques and forces give; `r_dot` is memory for those of the
    /// independent ones.
    ///
    /// # Errors
    /// As [`forward_dynamics`](Self::forward_dynamics).
    pub fn accelerations(
        &mut self,
        robot: &ClosedMechanism,
        at: &Configuration<T>,
        r: &[T],
        tau: &[T],
        load: &[T],
        r_dot: &mut [T],
    ) -> Result<&[T], SingularError> {
        if let Self::LegsPlatform(workspace) = self {
            return legs_platform::accelerations(robot, workspace, at, r, tau, load);
        }
        r_dot.copy_from_slice(self.forward_dynamics(robot, at, r, tau, load)?);
        Ok(self.motion(robot, at, r, r_dot)?.1)
    }
}
