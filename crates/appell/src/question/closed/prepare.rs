//! Which method answers a question of a closed mechanism, and what looks at values and therefore has plain numbers alone.

use super::answers::{
    Given, Run, by_formulation, copy, coriolis_matrix, forward_dynamics_derivatives, inverse_dynamics_derivatives,
    wrenches,
};
use super::referees;
use crate::closed::formulation::{self, Formulation};
use crate::closed::{ClosedMechanism, SingularError, coriolis, derivatives, drives, reactions, singularity};
use crate::question::Question;
use crate::question::method::Way;
use crate::spatial::Quaternion;

/// Prepares a question.
pub(super) fn prepare(robot: &ClosedMechanism, question: Question, way: Way) -> Run {
    let formulation = way.of_motion();
    let dynamics = || formulation::Workspace::new(robot, formulation);
    match way {
        Way::By(_) => {}
        Way::Recursive => return coriolis_matrix(coriolis::Workspace::with(robot, formulation, true, 0.0)),
        Way::Kkt => return referees::kkt(robot, question),
        Way::Columns => return referees::columns(robot, dynamics()),
        Way::Potential => return referees::potential(robot, dynamics()),
        Way::MatrixTimesVelocity => return referees::matrix_times_velocity(robot),
        Way::Parts => return referees::parts(robot, dynamics()),
        Way::Whole => return referees::energy_of_whole(robot, formulation),
        Way::SingularValues => return reactions_by_singular_values(robot, dynamics()),
        Way::UnitParameters => return referees::unit_parameters(robot),
        Way::Equations => return referees::equations(robot, question),
    }
    match question {
        Question::InverseDynamics => or_least_squares(robot, formulation),
        Question::InverseDynamicsDerivatives => {
            inverse_dynamics_derivatives(derivatives::Workspace::new(robot, formulation))
        }
        Question::ForwardDynamicsDerivatives => {
            forward_dynamics_derivatives(derivatives::Workspace::new(robot, formulation))
        }
        Question::Singularity => singularity(robot),
        Question::Platform => platform(robot),
        _ => by_formulation(robot, question, formulation, 0.0),
    }
}

/// Inverse dynamics; where the drives cannot hold the robot, the torques and forces that come nearest, if they are
/// asked for.
fn or_least_squares(robot: &ClosedMechanism, formulation: Formulation) -> Run {
    let mut efforts = by_formulation(robot, Question::InverseDynamics, formulation, 0.0);
    let mut ws = formulation::Workspace::new(robot, formulation);
    Box::new(move |robot, given, row| match (efforts(robot, given, row), given.least_squares) {
        (Err(SingularError::Drives { .. }), Some(tolerance)) => {
            let Given { moved, load, .. } = given;
            let (at, r, r_dot) = (&moved.at, &moved.r, &moved.r_dot);
            let w = formulation::generalised_forces(robot, &mut ws, at, r, r_dot, load)?.to_vec();
            let j_inv = formulation::inverse_jacobian(robot, &mut ws, at)?;
            copy(&drives::least_squares(robot, j_inv, &w, tolerance).tau, row)
        }
        (answer, _) => answer,
    })
}

fn reactions_by_singular_values(robot: &ClosedMechanism, mut inverse: formulation::Workspace) -> Run {
    let mut ws = reactions::Workspace::by_singular_values(robot);
    Box::new(move |robot, Given { moved, load, on_bodies, sharing, .. }, row| {
        let (at, r, r_dot) = (&moved.at, &moved.r, &moved.r_dot);
        let tau = formulation::inverse_dynamics(robot, &mut inverse, at, r, r_dot, load, sharing)?;
        wrenches(&reactions::reactions(robot, &mut ws, at, r, r_dot, tau, (load, on_bodies))?, row);
        Ok(())
    })
}

fn singularity(robot: &ClosedMechanism) -> Run {
    let mut ws = singularity::Workspace::new(robot);
    let metric = singularity::Metric::of(robot);
    Box::new(move |robot, given, row| {
        let found = singularity::measures(robot, &mut ws, &given.moved.at, &metric);
        let of_drives = found.inverse_jacobian.map_or(0.0, |jacobian| jacobian.inverse_condition);
        let constraints = found.constraints.inverse_condition;
        row.copy_from_slice(&[found.type1(), found.type2(), constraints, of_drives]);
        Ok(())
    })
}

fn platform(robot: &ClosedMechanism) -> Run {
    let dof = robot.tree().dof();
    Box::new(move |_, Given { moved, .. }, row| {
        let Quaternion { x, y, z, w } = Quaternion::of_rotation(&moved.at.pose.rotation);
        row[..3].copy_from_slice(&moved.at.pose.position.to_array());
        row[3..7].copy_from_slice(&[x, y, z, w]);
        row[7..13].copy_from_slice(&moved.u[dof..]);
        row[13..].copy_from_slice(&moved.u_dot[dof..]);
        Ok(())
    })
}
