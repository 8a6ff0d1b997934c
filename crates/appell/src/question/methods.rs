//! Further methods of open robots, by which the default ones are refereed, each made ready on one robot.

use super::method::Run;
use super::{State, Target};
use crate::dynamics::derivatives::{Derivatives, direct};
use crate::dynamics::joint_space::{self, Equations, Solver};
use crate::dynamics::{
    articulated_body, christoffel, composite_body, gibbs_appell_inertia, gibbs_appell_vectorial, link_origins,
    newton_euler, orthogonal_complement, statics, unit_parameters,
};
use crate::kinematics::singularity::{self, Metric};
use crate::mechanism::Mechanism;
use crate::spatial::Wrench;

/// A method whose workspace answers with a slice, one value per column.
fn slice<W: Send + 'static>(
    mut workspace: W,
    answer: impl for<'w> Fn(&Mechanism, &'w mut W, &State<'_>) -> &'w [f64] + Send + 'static,
) -> Run {
    Box::new(move |robot, state, row| {
        row.copy_from_slice(answer(robot, &mut workspace, state));
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
fn forward(robot: &Mechanism, equations: Equations, solver: Solver) -> Run {
    let mut workspace = joint_space::Workspace::with_scalar(robot, equations, solver, 0.0);
    Box::new(move |robot, s, row| {
        row.copy_from_slice(joint_space::forward_dynamics(robot, &mut workspace, s.q, s.v, s.tau)?);
        Ok(())
    })
}

/// The bodies of a robot by their ten parameters, and the workspace of the methods that take them so.
fn about_origins(robot: &Mechanism) -> (link_origins::Bodies, link_origins::Workspace) {
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

pub(super) fn inverse_dynamics_by_gibbs_appell_vectorial(robot: &Mechanism, _: Target) -> Run {
    slice(gibbs_appell_vectorial::Workspace::new(robot), |robot, ws, s| {
        gibbs_appell_vectorial::inverse_dynamics(robot, ws, s.q, s.v, s.a)
    })
}

pub(super) fn inverse_dynamics_by_newton_euler(robot: &Mechanism, _: Target) -> Run {
    slice(newton_euler::Workspace::new(robot), |robot, ws, s| newton_euler::inverse_dynamics(robot, ws, s.q, s.v, s.a))
}

pub(super) fn inverse_dynamics_by_link_origins(robot: &Mechanism, _: Target) -> Run {
    slice(about_origins(robot), |robot, (bodies, ws), s| {
        link_origins::inverse_dynamics(robot, bodies, ws, s.q, s.v, s.a)
    })
}

pub(super) fn forward_dynamics_by_gibbs_appell(robot: &Mechanism, _: Target) -> Run {
    forward(robot, Equations::GibbsAppell, Solver::Cholesky)
}

pub(super) fn forward_dynamics_by_gibbs_appell_gauss_jordan(robot: &Mechanism, _: Target) -> Run {
    forward(robot, Equations::GibbsAppell, Solver::GaussJordan)
}

pub(super) fn forward_dynamics_by_composite_body(robot: &Mechanism, _: Target) -> Run {
    forward(robot, Equations::CompositeBody, Solver::Cholesky)
}

pub(super) fn forward_dynamics_by_orthogonal_complement(robot: &Mechanism, _: Target) -> Run {
    forward(robot, Equations::OrthogonalComplement, Solver::Cholesky)
}

pub(super) fn forward_dynamics_by_articulated_body(robot: &Mechanism, _: Target) -> Run {
    let mut workspace = articulated_body::Workspace::new(robot);
    Box::new(move |robot, s, row| {
        row.copy_from_slice(articulated_body::forward_dynamics(robot, &mut workspace, s.q, s.v, s.tau)?);
        Ok(())
    })
}

pub(super) fn forward_dynamics_by_link_origins(robot: &Mechanism, _: Target) -> Run {
    let (bodies, mut ws) = about_origins(robot);
    Box::new(move |robot, s, row| {
        row.copy_from_slice(link_origins::forward_dynamics(robot, &bodies, &mut ws, s.q, s.v, s.tau)?);
        Ok(())
    })
}

pub(super) fn inertia_matrix_by_composite_body(robot: &Mechanism, _: Target) -> Run {
    slice(composite_body::Workspace::new(robot), |robot, ws, s| composite_body::inertia_matrix(robot, ws, s.q))
}

pub(super) fn inertia_matrix_by_orthogonal_complement(robot: &Mechanism, _: Target) -> Run {
    slice(orthogonal_complement::Workspace::new(robot), |robot, ws, s| {
        orthogonal_complement::inertia_matrix(robot, ws, s.q)
    })
}

pub(super) fn inertia_matrix_by_link_origins(robot: &Mechanism, _: Target) -> Run {
    slice(about_origins(robot), |robot, (bodies, ws), s| link_origins::inertia_matrix(robot, bodies, ws, s.q))
}

pub(super) fn bias_by_newton_euler(robot: &Mechanism, _: Target) -> Run {
    slice(newton_euler::Workspace::new(robot), |robot, ws, s| newton_euler::bias(robot, ws, s.q, s.v))
}

pub(super) fn bias_by_link_origins(robot: &Mechanism, _: Target) -> Run {
    slice(about_origins(robot), |robot, (bodies, ws), s| link_origins::bias(robot, bodies, ws, s.q, s.v))
}

pub(super) fn gravity_by_newton_euler(robot: &Mechanism, _: Target) -> Run {
    slice(newton_euler::Workspace::new(robot), |robot, ws, s| newton_euler::gravity(robot, ws, s.q))
}

pub(super) fn gravity_by_link_origins(robot: &Mechanism, _: Target) -> Run {
    slice(about_origins(robot), |robot, (bodies, ws), s| link_origins::gravity(robot, bodies, ws, s.q))
}

pub(super) fn coriolis_vector_by_newton_euler(robot: &Mechanism, _: Target) -> Run {
    slice(newton_euler::Workspace::new(robot), |robot, ws, s| newton_euler::coriolis_vector(robot, ws, s.q, s.v))
}

pub(super) fn coriolis_vector_by_link_origins(robot: &Mechanism, _: Target) -> Run {
    slice(about_origins(robot), |robot, (bodies, ws), s| link_origins::coriolis_vector(robot, bodies, ws, s.q, s.v))
}

pub(super) fn coriolis_matrix_by_christoffel(robot: &Mechanism, _: Target) -> Run {
    slice(christoffel::Workspace::new(robot), |robot, ws, s| christoffel::coriolis_matrix(robot, ws, s.q, s.v))
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

pub(super) fn regressor_by_unit_parameters(robot: &Mechanism, _: Target) -> Run {
    slice(unit_parameters::Workspace::new(robot), |_, ws, s| unit_parameters::regressor(ws, s.q, s.v, s.a))
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

pub(super) fn singularity_by_singular_values(robot: &Mechanism, target: Target) -> Run {
    let frame = target.frame_of(robot);
    let metric = Metric::of(robot, frame);
    fill(singularity::Workspace::new(robot), move |robot, ws, s, row| {
        let found = singularity::measures(robot, ws, s.q, frame, &metric);
        row.copy_from_slice(&[found.manipulability, found.inverse_condition, found.rank as f64]);
    })
}
