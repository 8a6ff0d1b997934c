//! Forward dynamics by solving the equations of the joints, D(q) q̈ = τ − bias  [Mata2002, §3].
//!
//! | inertia matrix | bias | solver |
//! |---|---|---|
//! | Gibbs-Appell | Gibbs-Appell | Cholesky: the default |
//! | composite bodies | Newton-Euler | Cholesky |
//! | orthogonal complement | Newton-Euler | Cholesky |
//!
//! each also with Gauss-Jordan elimination, which §5.1 of the paper uses for its study of rounding. Where time counts,
//! [`gibbs_appell_forward`](super::gibbs_appell_forward) is the one to take.

use super::{
    InertiaError, composite_body, gibbs_appell_inertia, gibbs_appell_tensor, newton_euler, orthogonal_complement,
    refuse_small_pivot, turn_joints,
};
use crate::linear::{Cholesky, GaussJordan};
use crate::mechanism::Mechanism;
use crate::real::{Measured, Real};

/// Where the inertia matrix and the bias come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Equations {
    /// Both by the Gibbs-Appell equations; sines and cosines are shared.
    #[default]
    GibbsAppell,
    /// Composite rigid bodies, Newton-Euler bias (Walker1982).
    CompositeBody,
    /// Natural orthogonal complement, Newton-Euler bias (Angeles1988).
    OrthogonalComplement,
}

/// How the equations are solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Solver {
    /// D = L Lᵀ.
    #[default]
    Cholesky,
    /// Elimination without exchange of rows.
    GaussJordan,
}

/// The workspaces of the chosen methods.
#[derive(Debug, Clone)]
pub struct Workspace<T = f64> {
    equations: EquationsWorkspace<T>,
    solver: SolverWorkspace<T>,
    a: Vec<T>, // τ − bias, then q̈
}

/// The workspaces of inertia matrix and bias.
#[derive(Debug, Clone)]
pub(crate) enum EquationsWorkspace<T> {
    GibbsAppell(gibbs_appell_inertia::Workspace<T>, gibbs_appell_tensor::Workspace<T>),
    CompositeBody(composite_body::Workspace<T>, newton_euler::Workspace<T>),
    OrthogonalComplement(orthogonal_complement::Workspace<T>, newton_euler::Workspace<T>),
}

#[derive(Debug, Clone)]
enum SolverWorkspace<T> {
    Cholesky(Cholesky<T>),
    GaussJordan(GaussJordan<T>),
}

impl Workspace<f64> {
    /// A workspace for this robot, with the default methods.
    #[must_use]
    pub fn new(robot: &Mechanism) -> Self {
        Self::with_scalar(robot, Equations::default(), Solver::default(), 0.0)
    }
}

impl<T: Real> Workspace<T> {
    /// A workspace for this robot and these methods, over the numbers of the kind of `like`.
    #[must_use]
    pub fn with_scalar(robot: &Mechanism, equations: Equations, solver: Solver, like: T) -> Self {
        let n = robot.dof();
        Self {
            equations: EquationsWorkspace::new(robot, equations, like),
            solver: match solver {
                Solver::Cholesky => SolverWorkspace::Cholesky(Cholesky::new(n, like)),
                Solver::GaussJordan => SolverWorkspace::GaussJordan(GaussJordan::new(n, like)),
            },
            a: vec![like.zero(); n],
        }
    }
}

impl<T: Real> EquationsWorkspace<T> {
    pub(crate) fn new(robot: &Mechanism, equations: Equations, like: T) -> Self {
        let bias = || newton_euler::Workspace::with_scalar(robot, like);
        match equations {
            Equations::GibbsAppell => Self::GibbsAppell(
                gibbs_appell_inertia::Workspace::with_scalar(robot, like),
                gibbs_appell_tensor::Workspace::with_scalar(robot, like),
            ),
            Equations::CompositeBody => {
                Self::CompositeBody(composite_body::Workspace::with_scalar(robot, like), bias())
            }
            Equations::OrthogonalComplement => {
                Self::OrthogonalComplement(orthogonal_complement::Workspace::with_scalar(robot, like), bias())
            }
        }
    }

    /// The inertia matrix and the bias.
    pub(crate) fn evaluate(&mut self, robot: &Mechanism, q: &[T], v: &[T]) -> (&[T], &[T]) {
        match self {
            Self::GibbsAppell(inertia, bias) => by_gibbs_appell(robot, inertia, bias, q, v),
            Self::CompositeBody(inertia, bias) => {
                (of_composite_bodies(robot, inertia, q), by_newton_euler(robot, bias, q, v))
            }
            Self::OrthogonalComplement(inertia, bias) => {
                (by_orthogonal_complement(robot, inertia, q), by_newton_euler(robot, bias, q, v))
            }
        }
    }
}

// Each formulation is compiled by itself: all of them inlined into one function of dual numbers would take minutes.

#[inline(never)]
fn by_gibbs_appell<'w, T: Real>(
    robot: &Mechanism,
    inertia: &'w mut gibbs_appell_inertia::Workspace<T>,
    bias: &'w mut gibbs_appell_tensor::Workspace<T>,
    q: &[T],
    v: &[T],
) -> (&'w [T], &'w [T]) {
    turn_joints(robot, q, inertia.turns());
    bias.turns().copy_from_slice(inertia.turns());
    (
        gibbs_appell_inertia::inertia_after_turns(robot, inertia, q),
        gibbs_appell_tensor::bias_after_turns(robot, bias, q, v),
    )
}

#[inline(never)]
fn of_composite_bodies<'w, T: Real>(robot: &Mechanism, ws: &'w mut composite_body::Workspace<T>, q: &[T]) -> &'w [T] {
    composite_body::inertia_matrix(robot, ws, q)
}

#[inline(never)]
fn by_orthogonal_complement<'w, T: Real>(
    robot: &Mechanism,
    ws: &'w mut orthogonal_complement::Workspace<T>,
    q: &[T],
) -> &'w [T] {
    orthogonal_complement::inertia_matrix(robot, ws, q)
}

#[inline(never)]
fn by_newton_euler<'w, T: Real>(
    robot: &Mechanism,
    ws: &'w mut newton_euler::Workspace<T>,
    q: &[T],
    v: &[T],
) -> &'w [T] {
    newton_euler::bias(robot, ws, q, v)
}

/// Joint accelerations that the forces `tau` give at the state `q`, `v`.
///
/// ```
/// use appell::{dynamics::joint_space, robots};
///
/// let robot = robots::find("two-link").unwrap().mechanism();
/// let mut workspace = joint_space::Workspace::new(&robot);
/// let a = joint_space::forward_dynamics(&robot, &mut workspace, &[0.0; 2], &[0.0; 2], &[0.0; 2])?;
/// assert!((a[0] + 492.1080780955652).abs() < 1e-9); // the short link drops fast
/// # Ok::<(), appell::dynamics::InertiaError>(())
/// ```
///
/// # Errors
/// If the inertia matrix is singular, with the joint and its pivot.
///
/// # Panics
/// If a slice does not have one value per joint.
pub fn forward_dynamics<'w, T: Measured>(
    robot: &Mechanism,
    ws: &'w mut Workspace<T>,
    q: &[T],
    v: &[T],
    tau: &[T],
) -> Result<&'w [T], InertiaError> {
    robot.expect_lengths(&[q, v, tau]);
    let Workspace { equations, solver, a } = ws;
    let (matrix, bias) = equations.evaluate(robot, q, v);
    T::section("solve");
    for ((a, &tau), &bias) in a.iter_mut().zip(tau).zip(bias) {
        *a = tau - bias;
    }
    let n = robot.dof();
    let refuse =
        |(index, &pivot): (usize, &T)| refuse_small_pivot(robot, index, pivot, matrix[index * n + index].greatest());
    // In the order of elimination: what is wrong with one pivot spoils those after it.
    match solver {
        SolverWorkspace::Cholesky(cholesky) => {
            cholesky.decompose(matrix);
            cholesky.solve(a);
            cholesky.pivots().iter().enumerate().try_for_each(refuse)?;
        }
        SolverWorkspace::GaussJordan(elimination) => {
            elimination.solve(matrix, a);
            elimination.pivots().iter().enumerate().try_for_each(refuse)?;
        }
    }
    Ok(a)
}
