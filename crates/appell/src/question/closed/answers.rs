//! How each question of a closed mechanism is answered, once its motion is found.

use super::motion::Found;
use super::{Way, referees};
use crate::closed::derivatives::Derivatives;
use crate::closed::drives::Sharing;
use crate::closed::scheme::{self, Scheme};
use crate::closed::{
    ClosedMechanism, Load, SingularError, coriolis, derivatives, drives, energy, momentum, platform_jacobian,
    reactions, regressor, singularity, variation,
};
use crate::description::JointEffects;
use crate::kinematics;
use crate::question::Question;
use crate::question::methods::{concatenate, lay_out};
use crate::real::Dual;
use crate::spatial::{Quaternion, Twist, Vec3, Wrench};

/// What stands behind the answers: a motion, efforts and a load.
pub(super) struct Given<'g> {
    pub(super) found: &'g Found,
    pub(super) tau: &'g [f64],
    pub(super) load: &'g Load,
    pub(super) sharing: &'g Sharing,
    /// Singular values below this count as zero, where the least squares are asked for.
    pub(super) least_squares: Option<f64>,
}

/// A question made ready on one mechanism.
pub(super) type Run<'r> = Box<dyn FnMut(&Given<'_>, &mut [f64]) -> Result<(), SingularError> + Send + 'r>;

/// The robot with nothing but its bodies: without friction, rotors and springs.
pub(crate) fn bare(robot: &ClosedMechanism) -> ClosedMechanism {
    robot.with_tree(|tree| tree.with_effects(|_, _| JointEffects::default()))
}

/// Prepares a question.
pub(super) fn prepare<'r>(robot: &'r ClosedMechanism, question: Question, way: Way) -> Run<'r> {
    let scheme = way.scheme();
    let dynamics = || scheme::Workspace::new(robot, scheme);
    match way {
        Way::By(_) => {}
        Way::Recursive => return coriolis_matrix(robot, coriolis::Workspace::with(robot, scheme, true)),
        Way::Kkt => return referees::kkt(robot, question),
        Way::Columns => return referees::columns(robot, dynamics()),
        Way::Potential => return referees::potential(robot, dynamics()),
        Way::MatrixTimesVelocity => return referees::matrix_times_velocity(robot),
        Way::Parts => return referees::parts(robot, dynamics()),
        Way::Whole => return referees::energy_of_whole(robot, scheme),
        Way::SingularValues => return reactions(robot, reactions::Workspace::by_singular_values(robot), dynamics()),
        Way::UnitParameters => return referees::unit_parameters(robot),
        Way::Equations => return referees::equations(robot, question),
    }
    match question {
        Question::InverseDynamics => inverse_dynamics(robot, dynamics()),
        Question::ForwardDynamics => forward_dynamics(robot, dynamics()),
        Question::InertiaMatrix => {
            let mut ws = dynamics();
            Box::new(move |given, row| copy(ws.inertia_matrix(robot, &given.found.at)?, row))
        }
        Question::Bias => {
            let (mut ws, rest) = (dynamics(), vec![0.0; robot.freedoms().len()]);
            Box::new(move |Given { found, load, .. }, row| {
                copy(ws.generalised_forces(robot, &found.at, &found.r, &rest, load.on_velocities())?, row)
            })
        }
        Question::Gravity => {
            let (mut ws, rest, bare) = (dynamics(), vec![0.0; robot.freedoms().len()], bare(robot));
            Box::new(move |given, row| copy(ws.generalised_forces(&bare, &given.found.at, &rest, &rest, &[])?, row))
        }
        Question::CoriolisVector => {
            let (mut ws, rest) = (dynamics(), vec![0.0; robot.freedoms().len()]);
            let weightless = bare(robot).with_gravity(Vec3::default());
            Box::new(move |Given { found, .. }, row| {
                copy(ws.generalised_forces(&weightless, &found.at, &found.r, &rest, &[])?, row)
            })
        }
        Question::CoriolisMatrix => coriolis_matrix(robot, coriolis::Workspace::new(robot, scheme)),
        Question::Reactions => reactions(robot, reactions::Workspace::new(robot, scheme), dynamics()),
        Question::Regressor => {
            let mut ws = regressor::Workspace::new(robot, scheme);
            Box::new(move |Given { found, .. }, row| {
                copy(regressor::regressor(robot, &mut ws, &found.at, &found.r, &found.r_dot)?, row)
            })
        }
        Question::InverseDynamicsDerivatives => {
            inverse_dynamics_derivatives(robot, derivatives::Workspace::new(robot, scheme))
        }
        Question::ForwardDynamicsDerivatives => {
            forward_dynamics_derivatives(robot, derivatives::Workspace::new(robot, scheme))
        }
        Question::InverseJacobian => {
            let mut ws = dynamics();
            Box::new(move |given, row| {
                drives::rows_of_drives(robot, ws.complement(robot, &given.found.at)?, row);
                Ok(())
            })
        }
        Question::Jacobian => {
            let mut ws = platform_jacobian::Workspace::new(robot, scheme);
            Box::new(move |given, row| copy(platform_jacobian::jacobian(robot, &mut ws, &given.found.at)?, row))
        }
        Question::Psi => psi(robot, scheme),
        Question::Singularity => {
            let mut ws = singularity::Workspace::new(robot);
            let metric = singularity::Metric::of(robot);
            Box::new(move |given, row| {
                let found = singularity::measures(robot, &mut ws, &given.found.at, &metric);
                let of_drives = found.inverse_jacobian.map_or(0.0, |jacobian| jacobian.inverse_condition);
                let constraints = found.constraints.inverse_condition;
                row.copy_from_slice(&[found.type1(), found.type2(), constraints, of_drives]);
                Ok(())
            })
        }
        _ => kinematic(robot, question),
    }
}

/// Questions that the motion itself answers.
fn kinematic(robot: &ClosedMechanism, question: Question) -> Run<'_> {
    let dof = robot.tree().dof();
    let mut ws = kinematics::Workspace::new(robot.tree());
    Box::new(move |Given { found, .. }, row| {
        let (at, u, u_dot) = (&found.at, &found.u, &found.u_dot);
        let on_platform = |row: &mut [f64], numbers: &[f64]| {
            let start = row.len() - numbers.len();
            row[start..].copy_from_slice(numbers);
        };
        match question {
            Question::Energy => {
                let energy = energy::energy(robot, &mut ws, at, u);
                row.copy_from_slice(&[energy.kinetic, energy.potential]);
            }
            Question::Momentum => {
                let momentum = momentum::momentum(robot, &mut ws, at, u);
                lay_out([momentum.linear, momentum.angular].into_iter().map(Vec3::to_array), row);
            }
            Question::CentreOfMass => {
                row.copy_from_slice(&robot.centre_of_mass(&mut ws, at).to_array());
            }
            Question::Actuated => {
                let drives = robot.driven().iter();
                let numbers = drives.clone().map(|&j| at.q[j]).chain(drives.clone().map(|&j| u[j]));
                let numbers = numbers.chain(drives.map(|&j| u_dot[j]));
                row.iter_mut().zip(numbers).for_each(|(cell, number)| *cell = number);
            }
            Question::Joints => {
                let numbers = at.q.iter().chain(&u[..dof]).chain(&u_dot[..dof]);
                row.iter_mut().zip(numbers).for_each(|(cell, &number)| *cell = number);
            }
            Question::Platform => {
                let Quaternion { x, y, z, w } = Quaternion::of_rotation(&at.pose.rotation);
                row[..3].copy_from_slice(&at.pose.position.to_array());
                row[3..7].copy_from_slice(&[x, y, z, w]);
                row[7..13].copy_from_slice(&u[dof..]);
                row[13..].copy_from_slice(&u_dot[dof..]);
            }
            Question::Frames => {
                lay_out(kinematics::positions(robot.tree(), &mut ws, &at.q).iter().map(|pose| pose.to_array()), row);
                if robot.platform().is_some() {
                    on_platform(row, &at.pose.to_array());
                }
            }
            Question::Velocities => {
                let twists = kinematics::velocities(robot.tree(), &mut ws, &at.q, &u[..dof]);
                lay_out(twists.iter().map(|twist: &Twist| twist.to_array()), row);
                on_platform(row, &u[dof..]);
            }
            Question::Accelerations => {
                let found = kinematics::accelerations(robot.tree(), &mut ws, &at.q, &u[..dof], &u_dot[..dof]);
                lay_out(found.iter().map(|acceleration| acceleration.to_array()), row);
                on_platform(row, &u_dot[dof..]);
            }
            other => unreachable!("{} is answered elsewhere", other.name()),
        }
        Ok(())
    })
}

fn coriolis_matrix(robot: &ClosedMechanism, mut ws: coriolis::Workspace) -> Run<'_> {
    Box::new(move |Given { found, .. }, row| copy(coriolis::coriolis_matrix(robot, &mut ws, &found.at, &found.r)?, row))
}

fn inverse_dynamics(robot: &ClosedMechanism, mut ws: scheme::Workspace) -> Run<'_> {
    Box::new(move |given, row| {
        let Given { found, load, sharing, .. } = given;
        let (at, r, r_dot, load) = (&found.at, &found.r, &found.r_dot, load.on_velocities());
        match (ws.inverse_dynamics(robot, at, r, r_dot, load, sharing), given.least_squares) {
            (Err(SingularError::Drives { .. }), Some(tolerance)) => {
                let w = ws.generalised_forces(robot, at, r, r_dot, load)?.to_vec();
                let mut j_inv = vec![0.0; robot.driven().len() * r.len()];
                drives::rows_of_drives(robot, ws.complement(robot, at)?, &mut j_inv);
                copy(&drives::least_squares(robot, &j_inv, &w, tolerance).tau, row)
            }
            (answer, _) => copy(answer?, row),
        }
    })
}

fn forward_dynamics(robot: &ClosedMechanism, mut ws: scheme::Workspace) -> Run<'_> {
    let mut r_dot = vec![0.0; robot.freedoms().len()];
    Box::new(move |Given { found, tau, load, .. }, row| {
        r_dot.copy_from_slice(ws.forward_dynamics(robot, &found.at, &found.r, tau, load.on_velocities())?);
        let (_, u_dot) = ws.motion(robot, &found.at, &found.r, &r_dot)?;
        accelerations(robot, u_dot, row);
        Ok(())
    })
}

pub(super) fn inverse_dynamics_derivatives(robot: &ClosedMechanism, mut ws: derivatives::Workspace) -> Run<'_> {
    Box::new(move |Given { found, .. }, row| {
        let found = derivatives::of_inverse_dynamics(robot, &mut ws, &found.at, &found.r, &found.r_dot)?;
        concatenate(by_all(found), row);
        Ok(())
    })
}

pub(super) fn forward_dynamics_derivatives(robot: &ClosedMechanism, mut ws: derivatives::Workspace) -> Run<'_> {
    Box::new(move |Given { found, tau, .. }, row| {
        concatenate(by_all(derivatives::of_forward_dynamics(robot, &mut ws, &found.at, &found.r, tau)?), row);
        Ok(())
    })
}

/// The platform's acceleration, then the drives'.
pub(crate) fn accelerations<T: Copy>(robot: &ClosedMechanism, u_dot: &[T], row: &mut [T]) {
    let platform = &u_dot[robot.tree().dof()..];
    let numbers = platform.iter().copied().chain(robot.driven().iter().map(|&j| u_dot[j]));
    row.iter_mut().zip(numbers).for_each(|(cell, number)| *cell = number);
}

fn reactions(robot: &ClosedMechanism, mut ws: reactions::Workspace, mut inverse: scheme::Workspace) -> Run<'_> {
    Box::new(move |Given { found, load, sharing, .. }, row| {
        let (at, r, r_dot) = (&found.at, &found.r, &found.r_dot);
        let tau = inverse.inverse_dynamics(robot, at, r, r_dot, load.on_velocities(), sharing)?;
        let answer = reactions::reactions(robot, &mut ws, at, r, r_dot, tau, load)?;
        let wrenches = answer.joints.iter().chain(answer.closures).copied().chain([answer.base]);
        lay_out(wrenches.map(Wrench::to_array), row);
        Ok(())
    })
}

/// Ψ, the rows of Z that are the platform's, and Ψ̇ along the motion.
fn psi(robot: &ClosedMechanism, scheme: Scheme) -> Run<'_> {
    let mut ws = scheme::Workspace::over(robot, scheme, Dual::<1>::fixed(0.0));
    let mut moving = variation::still::<1>(robot);
    let first = robot.tree().dof() * robot.freedoms().len();
    Box::new(move |Given { found, .. }, row| {
        variation::vary(robot, &found.at, |velocity, _| found.u[velocity], &mut moving);
        let psi = &ws.complement(robot, &moving)?[first..];
        let numbers = psi.iter().map(|entry| entry.value).chain(psi.iter().map(|entry| entry.derivative[0]));
        row.iter_mut().zip(numbers).for_each(|(cell, number)| *cell = number);
        Ok(())
    })
}

pub(super) fn copy(answer: &[f64], row: &mut [f64]) -> Result<(), SingularError> {
    row.copy_from_slice(answer);
    Ok(())
}

/// Derivatives by x, r and a third vector.
fn by_all(Derivatives { by_x, by_r, by_third }: &Derivatives) -> [&[f64]; 3] {
    [by_x, by_r, by_third]
}
