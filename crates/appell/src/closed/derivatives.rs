//! Exact derivatives of inverse and forward dynamics of a closed mechanism, by running either formulation on dual
//! numbers; or, as their referee, tree + closures with the reactions as further unknowns (KKT).
//!
//! Positions vary along the degrees of freedom: x_k is the motion with r_k = 1 and all other independent velocities
//! zero, so that ∂/∂x_k is the change a second of that motion makes. Of a turning platform these are turns about the
//! base's axes, no coordinates: second derivatives would depend on their order, first ones do not. r is kept by its
//! components.

use super::drives::Sharing;
use super::formulation::{self, Formulation};
use super::tree_closures::{self, Solver};
use super::variation::{still, vary};
use super::{ClosedMechanism, Configuration, SingularError};
use crate::real::Dual;

/// Directions that one run carries.
const DIRECTIONS: usize = 6;

type Number = Dual<DIRECTIONS>;

/// Derivatives by the positions along the degrees of freedom, the independent velocities, and a third vector: ṙ for
/// inverse dynamics, τ for forward dynamics. Each row by row, one row per answer.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "named by what they are")]
pub struct Derivatives {
    pub by_x: Vec<f64>,
    pub by_r: Vec<f64>,
    pub by_input: Vec<f64>,
}

/// Workspace for runs on dual numbers and their results.
#[derive(Debug, Clone)]
pub struct Workspace {
    motion: formulation::Workspace,
    dynamics: Dynamics,
    varied: Configuration<Number>,
    r: Vec<Number>,
    third: [Vec<Number>; 2], // ṙ, τ
    z: Vec<f64>,
    result: [Derivatives; 2], // of inverse, of forward dynamics
}

/// What runs on dual numbers.
#[derive(Debug, Clone)]
enum Dynamics {
    /// A formulation that leaves the reactions out.
    Formulation(formulation::Workspace<Number>),
    /// Tree + closures, which solves for them as well.
    WithReactions(Box<tree_closures::Workspace<Number>>),
}

impl Dynamics {
    fn inverse(
        &mut self,
        robot: &ClosedMechanism,
        at: &Configuration<Number>,
        r: &[Number],
        r_dot: &[Number],
    ) -> Result<&[Number], SingularError> {
        let sharing = Sharing::default();
        match self {
            Self::Formulation(ws) => ws.inverse_dynamics(robot, at, r, r_dot, &[], &sharing),
            Self::WithReactions(ws) => {
                tree_closures::inverse_dynamics_with_reactions(robot, ws, at, r, r_dot, &[], &sharing)
            }
        }
    }

    fn forward(
        &mut self,
        robot: &ClosedMechanism,
        at: &Configuration<Number>,
        r: &[Number],
        tau: &[Number],
    ) -> Result<&[Number], SingularError> {
        match self {
            Self::Formulation(ws) => ws.forward_dynamics(robot, at, r, tau, &[]),
            Self::WithReactions(ws) => tree_closures::forward_dynamics(robot, ws, at, r, tau, &[], Solver::Kkt),
        }
    }
}

impl Workspace {
    /// A workspace for this robot and formulation.
    #[must_use]
    pub fn new(robot: &ClosedMechanism, formulation: Formulation) -> Self {
        let dynamics =
            Dynamics::Formulation(formulation::Workspace::with_scalar(robot, formulation, Number::fixed(0.0)));
        Self::with(robot, formulation, dynamics)
    }

    /// A workspace for this robot, by tree + closures with the reactions as further unknowns.
    #[must_use]
    pub fn with_reactions(robot: &ClosedMechanism) -> Self {
        let dynamics = tree_closures::Workspace::with_scalar(robot, Number::fixed(0.0));
        Self::with(robot, Formulation::TreeClosures, Dynamics::WithReactions(Box::new(dynamics)))
    }

    fn with(robot: &ClosedMechanism, formulation: Formulation, dynamics: Dynamics) -> Self {
        let (n, drives) = (robot.freedoms().len(), robot.driven().len());
        let zero = Number::fixed(0.0);
        let room = |rows: usize, third: usize| Derivatives {
            by_x: vec![0.0; rows * n],
            by_r: vec![0.0; rows * n],
            by_input: vec![0.0; rows * third],
        };
        Self {
            motion: formulation::Workspace::new(robot, formulation),
            dynamics,
            varied: still(robot),
            r: vec![zero; n],
            third: [vec![zero; n], vec![zero; drives]],
            z: vec![0.0; robot.velocities() * n],
            result: [room(drives, n), room(n, drives)],
        }
    }

    /// Lets the inputs vary in the directions from `first` on: x, r, then the third vector.
    fn vary(
        &mut self,
        robot: &ClosedMechanism,
        at: &Configuration,
        r: &[f64],
        which: usize,
        third: &[f64],
        first: usize,
    ) {
        let n = r.len();
        let z = &self.z;
        let rate = |k: usize, direction: usize| if first + direction < n { z[k * n + first + direction] } else { 0.0 };
        vary(robot, at, rate, &mut self.varied);
        let seed = |index: usize, value: f64| match index.checked_sub(first) {
            Some(direction) if direction < DIRECTIONS => Number::variable(value, direction),
            _ => Number::fixed(value),
        };
        self.r.iter_mut().enumerate().for_each(|(k, seeded)| *seeded = seed(n + k, r[k]));
        self.third[which].iter_mut().enumerate().for_each(|(k, seeded)| *seeded = seed(2 * n + k, third[k]));
    }
}

impl Derivatives {
    fn keep(&mut self, n: usize, first: usize, answers: &[Number]) {
        let third = self.by_input.len() / answers.len().max(1);
        for (row, answer) in answers.iter().enumerate() {
            for (index, &derivative) in (first..2 * n + third).zip(&answer.derivative) {
                match index {
                    _ if index < n => self.by_x[row * n + index] = derivative,
                    _ if index < 2 * n => self.by_r[row * n + index - n] = derivative,
                    _ => self.by_input[row * third + index - 2 * n] = derivative,
                }
            }
        }
    }
}

/// Derivatives of the drives' torques and forces.
///
/// # Errors
/// Near a singularity; and if there are fewer drives than degrees of freedom.
///
/// # Panics
/// If a slice does not have one value per degree of freedom, or `at` belongs to another robot.
pub fn of_inverse_dynamics<'w>(
    robot: &ClosedMechanism,
    ws: &'w mut Workspace,
    at: &Configuration,
    r: &[f64],
    r_dot: &[f64],
) -> Result<&'w Derivatives, SingularError> {
    robot.expect(at, &[r, r_dot]);
    ws.z.copy_from_slice(ws.motion.complement(robot, at)?);
    for first in (0..3 * r.len()).step_by(DIRECTIONS) {
        ws.vary(robot, at, r, 0, r_dot, first);
        let tau = ws.dynamics.inverse(robot, &ws.varied, &ws.r, &ws.third[0])?;
        ws.result[0].keep(r.len(), first, tau);
    }
    Ok(&ws.result[0])
}

/// Derivatives of the rates of the independent velocities.
///
/// # Errors
/// Near a singularity of a leg or of the constraints, or if a degree of freedom moves no mass.
///
/// # Panics
/// If a slice does not have one value per degree of freedom or per drive, or `at` belongs to another robot.
pub fn of_forward_dynamics<'w>(
    robot: &ClosedMechanism,
    ws: &'w mut Workspace,
    at: &Configuration,
    r: &[f64],
    tau: &[f64],
) -> Result<&'w Derivatives, SingularError> {
    robot.expect(at, &[r]);
    assert_eq!(tau.len(), robot.driven().len(), "one effort per drive");
    ws.z.copy_from_slice(ws.motion.complement(robot, at)?);
    for first in (0..2 * r.len() + tau.len()).step_by(DIRECTIONS) {
        ws.vary(robot, at, r, 1, tau, first);
        let r_dot = ws.dynamics.forward(robot, &ws.varied, &ws.r, &ws.third[1])?;
        ws.result[1].keep(r.len(), first, r_dot);
    }
    Ok(&ws.result[1])
}
