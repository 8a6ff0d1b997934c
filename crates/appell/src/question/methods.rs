//! How further methods of open robots, by which the default ones are refereed, are made ready on one robot.

use super::method::Run;
use super::{State, Target};
use crate::dynamics::derivatives::{Derivatives, direct};
use crate::dynamics::joint_space::{self, Equations, Solver};
use crate::dynamics::{InertiaError, christoffel, gibbs_appell_inertia, link_origins, newton_euler, statics};
use crate::kinematics::singularity::{self, Metric};
use crate::mechanism::Mechanism;
use crate::spatial::Wrench;

/// A method whose workspace answers with a slice, one value per column.
pub(super) fn slice<W: Send + 'static>(
    workspace: W,
    answer: impl for<'w> Fn(&Mechanism, &'w mut W, &State<'_>) -> &'w [f64] + Send + 'static,
) -> Run {
    slice_or_error(workspace, move |robot, workspace, state| Ok(answer(robot, workspace, state)))
}

/// The same of one that may have no answer.
pub(super) fn slice_or_error<W: Send + 'static>(
    mut workspace: W,
    answer: impl for<'w> Fn(&Mechanism, &'w mut W, &State<'_>) -> Result<&'w [f64], InertiaError> + Send + 'static,
) -> Run {
    Box::new(move |robot, state, row| {
        row.copy_from_slice(answer(robot, &mut workspace, state)?);
        Ok(())
    })
}

/// A method whose workspace fills the row itself.
fn fill<W: Send + 'static>(
    mut workspace: W,
    answer: impl Fn(&Mechanism, &mut W, &State<'_>, &mut [f64]) + Send + 'static,
) -> Run {
    Box::new(move |robot, state, row| {
        answer(robot, &mut workspace, state, row);
        Ok(())
    })
}

/// Forward dynamics through the joints' equations.
pub(super) fn forward(robot: &Mechanism, equations: Equations, solver: Solver) -> Run {
    let workspace = joint_space::Workspace::with_scalar(robot, equations, solver, 0.0);
    slice_or_error(workspace, |robot, ws, s| joint_space::forward_dynamics(robot, ws, s.q, s.v, s.tau))
}

/// The bodies of a robot by their ten parameters, and the workspace of the methods that take them so.
pub(super) fn about_origins(robot: &Mechanism) -> (link_origins::Bodies, link_origins::Workspace) {
    (link_origins::Bodies::of(robot, 0.0, |_| None), link_origins::Workspace::with_scalar(robot, 0.0))
}

/// Writes groups of numbers, a frame each, one after the other.
#[inline(always)]
pub(super) fn lay_out<T: Copy, const N: usize>(groups: impl Iterator<Item = [T; N]>, row: &mut [T]) {
    for (group, cells) in groups.zip(row.chunks_exact_mut(N)) {
        cells.copy_from_slice(&group);
    }
}

/// Writes three matrices one after the other.
pub(super) fn concatenate(matrices: [&[f64]; 3], row: &mut [f64]) {
    let mut rest = row;
    for matrix in matrices {
        let (cells, others) = rest.split_at_mut(matrix.len());
        cells.copy_from_slice(matrix);
        rest = others;
    }
}

/// Derivatives by q, v and a third vector.
fn by_all(Derivatives { by_q, by_v, by_input }: &Derivatives) -> [&[f64]; 3] {
    [by_q, by_v, by_input]
}

pub(super) fn two_velocity_inverse_dynamics_by_matrices(robot: &Mechanism, _: Target) -> Run {
    let (inertia, gravity) = (gibbs_appell_inertia::Workspace::new(robot), statics::Workspace::new(robot));
    let workspaces = (inertia, christoffel::Workspace::new(robot), gravity);
    fill(workspaces, |robot, (inertia, coriolis, gravity), s, row| {
        let n = robot.dof();
        let m = gibbs_appell_inertia::inertia_matrix(robot, inertia, s.q);
        let c = christoffel::coriolis_matrix(robot, coriolis, s.q, s.v);
        let g = statics::gravity(robot, gravity, s.q);
        for (i, cell) in row.iter_mut().enumerate() {
            *cell = (0..n).fold(g[i], |sum, k| sum + m[i * n + k] * s.a[k] + c[i * n + k] * s.w[k]);
        }
    })
}

pub(super) fn reactions_by_newton_euler(robot: &Mechanism, _: Target) -> Run {
    fill(newton_euler::Workspace::new(robot), |robot, ws, s, row| {
        let wrenches = newton_euler::reactions(robot, ws, s.q, s.v, s.a);
        lay_out(wrenches.map(Wrench::to_array), row);
    })
}

pub(super) fn inverse_dynamics_derivatives_by_newton_euler(robot: &Mechanism, _: Target) -> Run {
    fill(direct::Workspace::new(robot), |robot, ws, s, row| {
        concatenate(by_all(direct::of_inverse_dynamics(robot, ws, s.q, s.v, s.a)), row);
    })
}

pub(super) fn forward_dynamics_derivatives_by_articulated_body(robot: &Mechanism, _: Target) -> Run {
    let mut workspace = direct::Workspace::new(robot);
    Box::new(move |robot, s, row| {
        concatenate(by_all(direct::of_forward_dynamics(robot, &mut workspace, s.q, s.v, s.tau)?), row);
        Ok(())
    })
}

pub(super) fn forward_dynamics_derivatives_by_composite_body(robot: &Mechanism, _: Target) -> Run {
    let mut workspace = direct::Workspace::new(robot);
    Box::new(move |robot, s, row| {
        concatenate(by_all(direct::of_equations(robot, &mut workspace, s.q, s.v, s.tau)?), row);
        Ok(())
    })
}

pub(super) fn singularity_by_singular_values(robot: &Mechanism, target: Target) -> Run {
    let frame = target.frame_of(robot);
    let metric = Metric::of(robot, frame);
    fill(singularity::Workspace::new(robot), move |robot, ws, s, row| {
        let found = singularity::measures(robot, ws, s.q, frame, &metric);
        row.copy_from_slice(&[found.manipulability, found.inverse_condition, found.rank as f64]);
    })
}
