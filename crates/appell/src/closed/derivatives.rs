//! Exact derivatives of inverse and forward dynamics of a closed mechanism, by running either formulation on dual
//! numbers; or, as their referee, tree + closures with the reactions as further unknowns (KKT).
//!
//! Positions vary along the freedoms: x_k is the motion with r_k = 1 and all other independent velocities zero, so that
//! ∂/∂x_k is the change a second of that motion makes. Of a turning platform these are turns about the base's axes, no
//! coordinates: second derivatives would depend on their order, first ones do not. r is kept by its components.

use super::drives::Sharing;
use super::scheme::{self, Scheme};
use super::tree_closures::{self, Solver};
use super::variation::vary;
use super::{ClosedMechanism, Configuration, SingularError};
use crate::real::{Dual, Measured};

/// Derivatives by the positions along the freedoms, the independent velocities, and a third vector: ṙ for inverse
/// dynamics, τ for forward dynamics. Each row by row, a row an answer.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "named by what they are")]
pub struct Derivatives<T = f64> {
    pub by_x: Vec<T>,
    pub by_r: Vec<T>,
    pub by_third: Vec<T>,
}

/// Room for runs on dual numbers that carry `N` directions, and their results.
#[derive(Debug, Clone)]
pub struct Workspace<T = f64, const N: usize = 6> {
    motion: scheme::Workspace<T>,
    dynamics: Dynamics<T, N>,
    varied: Configuration<Dual<N, T>>,
    r: Vec<Dual<N, T>>,
    third: [Vec<Dual<N, T>>; 2], // ṙ, τ
    z: Vec<T>,
    result: [Derivatives<T>; 2], // of inverse, of forward dynamics
}

/// What runs on dual numbers.
#[derive(Debug, Clone)]
enum Dynamics<T, const N: usize> {
    /// A formulation that leaves the reactions out.
    Scheme(scheme::Workspace<Dual<N, T>>),
    /// Tree + closures, which solves for them as well.
    WithReactions(Box<tree_closures::Workspace<Dual<N, T>>>),
}

impl<T: Measured, const N: usize> Dynamics<T, N> {
    fn inverse(
        &mut self,
        robot: &ClosedMechanism,
        at: &Configuration<Dual<N, T>>,
        r: &[Dual<N, T>],
        r_dot: &[Dual<N, T>],
    ) -> Result<&[Dual<N, T>], SingularError> {
        let sharing = Sharing::default();
        match self {
            Self::Scheme(ws) => ws.inverse_dynamics(robot, at, r, r_dot, &[], &sharing),
            Self::WithReactions(ws) => {
                tree_closures::inverse_dynamics_with_reactions(robot, ws, at, r, r_dot, &[], &sharing)
            }
        }
    }

    fn forward(
        &mut self,
        robot: &ClosedMechanism,
        at: &Configuration<Dual<N, T>>,
        r: &[Dual<N, T>],
        tau: &[Dual<N, T>],
    ) -> Result<&[Dual<N, T>], SingularError> {
        match self {
            Self::Scheme(ws) => ws.forward_dynamics(robot, at, r, tau, &[]),
            Self::WithReactions(ws) => tree_closures::forward_dynamics(robot, ws, at, r, tau, &[], Solver::Kkt),
        }
    }
}

impl Workspace<f64> {
    /// A workspace for this robot and formulation.
    #[must_use]
    pub fn new(robot: &ClosedMechanism, scheme: Scheme) -> Self {
        Self::over(robot, scheme, 0.0)
    }

    /// A workspace for this robot, by tree + closures with the reactions as further unknowns.
    #[must_use]
    pub fn with_reactions(robot: &ClosedMechanism) -> Self {
        let dynamics = tree_closures::Workspace::over(robot, Dual::fixed(0.0));
        Self::with(robot, Scheme::TreeClosures, Dynamics::WithReactions(Box::new(dynamics)), 0.0)
    }
}

impl<T: Measured, const N: usize> Workspace<T, N> {
    /// A workspace for this robot and formulation, over the numbers of the kind of `witness`.
    #[must_use]
    pub fn over(robot: &ClosedMechanism, scheme: Scheme, witness: T) -> Self {
        let dynamics = Dynamics::Scheme(scheme::Workspace::over(robot, scheme, Dual::fixed(witness)));
        Self::with(robot, scheme, dynamics, witness)
    }

    fn with(robot: &ClosedMechanism, scheme: Scheme, dynamics: Dynamics<T, N>, witness: T) -> Self {
        let (n, drives) = (robot.freedoms().len(), robot.driven().len());
        let zero = Dual::fixed(witness.zero());
        let zeros = |many: usize| vec![witness.zero(); many];
        let room = |rows: usize, third: usize| Derivatives {
            by_x: zeros(rows * n),
            by_r: zeros(rows * n),
            by_third: zeros(rows * third),
        };
        Self {
            motion: scheme::Workspace::over(robot, scheme, witness),
            dynamics,
            varied: robot.home().lift(zero),
            r: vec![zero; n],
            third: [vec![zero; n], vec![zero; drives]],
            z: zeros(robot.velocities() * n),
            result: [room(drives, n), room(n, drives)],
        }
    }

    /// Lets the inputs vary in the directions from `first` on: x, r, then the third vector.
    fn vary(
        &mut self,
        robot: &ClosedMechanism,
        at: &Configuration<T>,
        r: &[T],
        which: usize,
        third: &[T],
        first: usize,
    ) {
        let n = r.len();
        let z = &self.z;
        let rate = |k: usize, direction: usize| {
            if first + direction < n { z[k * n + first + direction] } else { z[0].zero() }
        };
        vary(robot, at, rate, &mut self.varied);
        let seed = |index: usize, value: T| match index.checked_sub(first) {
            Some(direction) if direction < N => Dual::variable(value, direction),
            _ => Dual::fixed(value),
        };
        self.r.iter_mut().enumerate().for_each(|(k, seeded)| *seeded = seed(n + k, r[k]));
        self.third[which].iter_mut().enumerate().for_each(|(k, seeded)| *seeded = seed(2 * n + k, third[k]));
    }
}

impl<T: Copy> Derivatives<T> {
    fn keep<const N: usize>(&mut self, n: usize, first: usize, answers: &[Dual<N, T>]) {
        let third = self.by_third.len() / answers.len().max(1);
        for (row, answer) in answers.iter().enumerate() {
            for (index, &derivative) in (first..2 * n + third).zip(&answer.derivative) {
                match index {
                    _ if index < n => self.by_x[row * n + index] = derivative,
                    _ if index < 2 * n => self.by_r[row * n + index - n] = derivative,
                    _ => self.by_third[row * third + index - 2 * n] = derivative,
                }
            }
        }
    }
}

/// Derivatives of the drives' efforts.
///
/// # Errors
/// Near a singularity; and if there are fewer drives than freedoms.
///
/// # Panics
/// If a slice has not one number a freedom, or `at` belongs to another robot.
pub fn of_inverse_dynamics<'w, T: Measured, const N: usize>(
    robot: &ClosedMechanism,
    ws: &'w mut Workspace<T, N>,
    at: &Configuration<T>,
    r: &[T],
    r_dot: &[T],
) -> Result<&'w Derivatives<T>, SingularError> {
    robot.expect(at, &[r, r_dot]);
    ws.z.copy_from_slice(ws.motion.complement(robot, at)?);
    for first in (0..3 * r.len()).step_by(N) {
        ws.vary(robot, at, r, 0, r_dot, first);
        let tau = ws.dynamics.inverse(robot, &ws.varied, &ws.r, &ws.third[0])?;
        ws.result[0].keep(r.len(), first, tau);
    }
    Ok(&ws.result[0])
}

/// Derivatives of the rates of the independent velocities.
///
/// # Errors
/// Near a singularity of a leg or of the constraints, or if a freedom moves no mass.
///
/// # Panics
/// If a slice has not one number a freedom or a drive, or `at` belongs to another robot.
pub fn of_forward_dynamics<'w, T: Measured, const N: usize>(
    robot: &ClosedMechanism,
    ws: &'w mut Workspace<T, N>,
    at: &Configuration<T>,
    r: &[T],
    tau: &[T],
) -> Result<&'w Derivatives<T>, SingularError> {
    robot.expect(at, &[r]);
    assert_eq!(tau.len(), robot.driven().len(), "one effort a drive");
    ws.z.copy_from_slice(ws.motion.complement(robot, at)?);
    for first in (0..2 * r.len() + tau.len()).step_by(N) {
        ws.vary(robot, at, r, 1, tau, first);
        let r_dot = ws.dynamics.forward(robot, &ws.varied, &ws.r, &ws.third[1])?;
        ws.result[1].keep(r.len(), first, r_dot);
    }
    Ok(&ws.result[1])
}
