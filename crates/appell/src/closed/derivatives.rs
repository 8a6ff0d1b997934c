//! Exact derivatives of inverse and forward dynamics of a closed mechanism, by running either formulation on dual
//! numbers; or, as their referee, tree + closures with the reactions as further unknowns (KKT).
//!
//! Forward dynamics solves w(x, r, ṙ) = J_invᵀ τ for ṙ, with the generalised forces w = M ṙ + c. Its derivatives follow
//! from theirs, with the torques and forces as a load that does not vary; the referee differentiates forward dynamics itself.
//!
//! ```text
//! ∂ṙ/∂(x, r) = −M⁻¹ ∂(w − J_invᵀ τ)/∂(x, r)        ∂ṙ/∂τ = M⁻¹ J_invᵀ
//! ```
//!
//! Positions vary along the degrees of freedom: x_k is the motion with r_k = 1 and all other independent velocities
//! zero, so that ∂/∂x_k is the change a second of that motion makes. Of a turning platform these are turns about the
//! base's axes, no coordinates: second derivatives would depend on their order, first ones do not. r is kept by its
//! components.

use super::drives::Sharing;
use super::formulation::{self, Formulation};
use super::variation::{still, vary};
use super::{ClosedMechanism, Configuration, SingularError, tree_closures};
use crate::linear::Cholesky;
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
    dynamics: formulation::Workspace<Number>,
    varied: Configuration<Number>,
    r: Vec<Number>,
    third: [Vec<Number>; 2], // ṙ, τ
    load: Vec<Number>,       // τ on u
    r_dot: Vec<f64>,
    z: Vec<f64>,
    inertia: Cholesky<f64>,
    column: Vec<f64>,
    is_referee: bool,
    result: [Derivatives; 2], // of inverse, of forward dynamics
}

impl Workspace {
    /// A workspace for this robot and formulation.
    #[must_use]
    pub fn new(robot: &ClosedMechanism, formulation: Formulation) -> Self {
        Self::with(robot, formulation::Workspace::with_scalar(robot, formulation, Number::fixed(0.0)), false)
    }

    /// A workspace for this robot, by tree + closures with the reactions as further unknowns.
    #[must_use]
    pub fn with_reactions(robot: &ClosedMechanism) -> Self {
        Self::with(robot, formulation::Workspace::with_reactions(robot, Number::fixed(0.0)), true)
    }

    fn with(robot: &ClosedMechanism, dynamics: formulation::Workspace<Number>, is_referee: bool) -> Self {
        let (n, drives) = (robot.freedoms().len(), robot.driven().len());
        let zero = Number::fixed(0.0);
        let room = |rows: usize, third: usize| Derivatives {
            by_x: vec![0.0; rows * n],
            by_r: vec![0.0; rows * n],
            by_input: vec![0.0; rows * third],
        };
        Self {
            motion: formulation::Workspace::new(robot, dynamics.formulation()),
            dynamics,
            varied: still(robot),
            r: vec![zero; n],
            third: [vec![zero; n], vec![zero; drives]],
            load: vec![zero; robot.velocities()],
            r_dot: vec![0.0; n],
            inertia: Cholesky::new(n, 0.0),
            column: vec![0.0; n],
            is_referee,
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
    ws.z.copy_from_slice(formulation::complement(robot, &mut ws.motion, at)?);
    let n = r.len();
    for first in (0..3 * n).step_by(DIRECTIONS) {
        ws.vary(robot, at, r, 0, r_dot, first);
        let Workspace { dynamics, varied, r, third, result, .. } = &mut *ws;
        let tau = formulation::inverse_dynamics(robot, dynamics, varied, r, &third[0], &[], &Sharing::default())?;
        result[0].keep(n, first, tau);
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
    ws.z.copy_from_slice(formulation::complement(robot, &mut ws.motion, at)?);
    if ws.is_referee {
        ws.forward_on_dual_numbers(robot, at, r, tau)?;
    } else {
        ws.forward_through_forces(robot, at, r, tau)?;
    }
    Ok(&ws.result[1])
}

impl Workspace {
    fn forward_on_dual_numbers(
        &mut self,
        robot: &ClosedMechanism,
        at: &Configuration,
        r: &[f64],
        tau: &[f64],
    ) -> Result<(), SingularError> {
        for first in (0..2 * r.len() + tau.len()).step_by(DIRECTIONS) {
            self.vary(robot, at, r, 1, tau, first);
            let formulation::Workspace::TreeClosures(ws) = &mut self.dynamics else { unreachable!("the referee's") };
            let r_dot = tree_closures::forward_dynamics(robot, &mut **ws, &self.varied, &self.r, &self.third[1], &[])?;
            self.result[1].keep(r.len(), first, r_dot);
        }
        Ok(())
    }

    fn forward_through_forces(
        &mut self,
        robot: &ClosedMechanism,
        at: &Configuration,
        r: &[f64],
        tau: &[f64],
    ) -> Result<(), SingularError> {
        let (n, drives) = (r.len(), robot.driven());
        for (&joint, &tau) in drives.iter().zip(tau) {
            self.load[joint] = Number::fixed(tau);
        }
        self.r_dot.copy_from_slice(formulation::forward_dynamics(robot, &mut self.motion, at, r, tau, &[])?);
        for first in (0..2 * n).step_by(DIRECTIONS) {
            let r_dot = core::mem::take(&mut self.r_dot);
            self.vary(robot, at, r, 0, &r_dot, first);
            self.r_dot = r_dot;
            let Self { dynamics, varied, r, third, load, result, .. } = self;
            let forces = formulation::generalised_forces(robot, dynamics, varied, r, &third[0], load)?;
            result[1].keep(n, first, forces);
        }
        self.inertia.decompose(formulation::inertia_matrix(robot, &mut self.motion, at)?);
        let Derivatives { by_x, by_r, by_input } = &mut self.result[1];
        for (i, row) in by_input.chunks_exact_mut(drives.len().max(1)).enumerate() {
            row.iter_mut().zip(drives).for_each(|(entry, &joint)| *entry = -self.z[joint * n + i]);
        }
        for matrix in [by_x, by_r, by_input] {
            let width = matrix.len() / n.max(1);
            for k in 0..width {
                let entries = matrix.iter().skip(k).step_by(width);
                self.column.iter_mut().zip(entries).for_each(|(entry, &slope)| *entry = -slope);
                self.inertia.solve(&mut self.column);
                let entries = matrix.iter_mut().skip(k).step_by(width);
                entries.zip(&self.column).for_each(|(entry, &solved)| *entry = solved);
            }
        }
        Ok(())
    }
}
