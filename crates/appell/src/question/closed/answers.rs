//! How each question of a closed mechanism is answered by a formulation, once its motion is found: on numbers of any kind, so
//! that one text serves a single state and all lanes of a processor.

use super::motion::Moved;
use crate::closed::derivatives::{self, Derivatives};
use crate::closed::drives::Sharing;
use crate::closed::formulation::{self, Formulation};
use crate::closed::{
    ClosedMechanism, SingularError, coriolis, energy, momentum, platform_jacobian, reactions, regressor, variation,
};
use crate::description::JointEffects;
use crate::kinematics;
use crate::question::Question;
use crate::question::methods::{concatenate, lay_out};
use crate::real::{Dual, Measured};
use crate::spatial::{Vec3, Wrench};

/// What stands behind the answers: a motion, torques or forces, and a load.
pub struct Given<'g, T = f64> {
    /// The motion.
    pub moved: &'g Moved<T>,
    /// Torques and forces of the drives, N m or N.
    pub tau: &'g [T],
    /// On the velocities; empty is nothing.
    pub load: &'g [T],
    /// On the bodies, about their origins in base axes; empty is nothing.
    pub on_bodies: &'g [Wrench<T>],
    /// How redundant drives share the work.
    pub sharing: &'g Sharing,
    /// Singular values below this count as zero, where the least squares are asked for.
    pub least_squares: Option<f64>,
}

/// A question made ready on one mechanism.
pub type Run<T = f64> = Box<dyn FnMut(&ClosedMechanism, &Given<'_, T>, &mut [T]) -> Result<(), SingularError> + Send>;

/// The robot with nothing but its bodies: without friction, rotors and springs.
pub fn bare(robot: &ClosedMechanism) -> ClosedMechanism {
    robot.with_tree(|tree| tree.with_effects(|_, _| JointEffects::default()))
}

/// Whether a question is answered here. Singular values, and the quaternion of a platform, are chosen by value; derivatives are
/// had from numbers of seven parts, which in lanes would take as long to compile as all the rest.
pub fn is_of_any_number(question: Question) -> bool {
    !question.row().closed.is_empty()
        && !matches!(
            question,
            Question::Singularity
                | Question::Platform
                | Question::InverseDynamicsDerivatives
                | Question::ForwardDynamicsDerivatives
        )
}

/// Prepares a question that is answered from the independent velocities and their rates alone; `None` if it is another.
pub(super) fn of_freedoms<T: Measured + Send + 'static>(
    robot: &ClosedMechanism,
    question: Question,
    formulation: Formulation,
    like: T,
) -> Option<Run<T>> {
    let dynamics = || formulation::Workspace::with_scalar(robot, formulation, like);
    let rest = vec![like.zero(); robot.freedoms().len()];
    Some(match question {
        Question::InverseDynamics => inverse_dynamics(dynamics()),
        Question::ForwardDynamics => forward_dynamics(dynamics()),
        Question::InertiaMatrix => {
            let mut ws = dynamics();
            Box::new(move |robot, given, row| copy(formulation::inertia_matrix(robot, &mut ws, &given.moved.at)?, row))
        }
        Question::Bias | Question::Gravity | Question::CoriolisVector => {
            let mut ws = dynamics();
            let other = match question {
                Question::Bias => None,
                Question::Gravity => Some(bare(robot)),
                _ => Some(bare(robot).with_gravity(Vec3::default())),
            };
            Box::new(move |robot, Given { moved, load, .. }, row| {
                let r = if question == Question::Gravity { &rest } else { &moved.r };
                let (robot, load) = other.as_ref().map_or((robot, *load), |other| (other, &[]));
                copy(formulation::generalised_forces(robot, &mut ws, &moved.at, r, &rest, load)?, row)
            })
        }
        _ => return None,
    })
}

/// Prepares a question by a formulation, on numbers of the kind of `like`.
pub fn by_formulation<T: Measured + Send + 'static>(
    robot: &ClosedMechanism,
    question: Question,
    formulation: Formulation,
    like: T,
) -> Run<T> {
    if let Some(run) = of_freedoms(robot, question, formulation, like) {
        return run;
    }
    let dynamics = || formulation::Workspace::with_scalar(robot, formulation, like);
    match question {
        Question::CoriolisMatrix => coriolis_matrix(coriolis::Workspace::with_scalar(robot, formulation, like)),
        Question::Reactions => {
            let (mut inverse, mut ws) = (dynamics(), reactions::Workspace::with_scalar(robot, formulation, like));
            Box::new(move |robot, Given { moved, load, on_bodies, sharing, .. }, row| {
                let (at, r, r_dot) = (&moved.at, &moved.r, &moved.r_dot);
                let tau = formulation::inverse_dynamics(robot, &mut inverse, at, r, r_dot, load, sharing)?;
                let found = reactions::by_formulation(robot, &mut ws, at, r, r_dot, tau, (load, on_bodies))?;
                wrenches(&found, row);
                Ok(())
            })
        }
        Question::Regressor => {
            let mut ws = regressor::Workspace::with_scalar(robot, formulation, like);
            Box::new(move |robot, Given { moved, .. }, row| {
                copy(regressor::regressor(robot, &mut ws, &moved.at, &moved.r, &moved.r_dot)?, row)
            })
        }
        Question::InverseJacobian => {
            let mut ws = dynamics();
            Box::new(move |robot, given, row| {
                copy(formulation::inverse_jacobian(robot, &mut ws, &given.moved.at)?, row)
            })
        }
        Question::Jacobian => {
            let mut ws = platform_jacobian::Workspace::with_scalar(robot, formulation, like);
            Box::new(move |robot, given, row| copy(platform_jacobian::jacobian(robot, &mut ws, &given.moved.at)?, row))
        }
        Question::JacobianRate => {
            let mut ws = platform_jacobian::Workspace::with_scalar(robot, formulation, like);
            Box::new(move |robot, Given { moved, .. }, row| {
                copy(&platform_jacobian::rate(robot, &mut ws, &moved.at, &moved.r)?, row)
            })
        }
        Question::Psi => psi(robot, formulation, like),
        _ => kinematic(robot, question, like),
    }
}

pub(super) fn inverse_dynamics<T: Measured + Send + 'static>(mut ws: formulation::Workspace<T>) -> Run<T> {
    Box::new(move |robot, Given { moved, load, sharing, .. }, row| {
        let (at, r, r_dot) = (&moved.at, &moved.r, &moved.r_dot);
        copy(formulation::inverse_dynamics(robot, &mut ws, at, r, r_dot, load, sharing)?, row)
    })
}

pub(super) fn forward_dynamics<T: Measured + Send + 'static>(mut ws: formulation::Workspace<T>) -> Run<T> {
    Box::new(move |robot, Given { moved, tau, load, .. }, row| {
        accelerations(robot, formulation::accelerations(robot, &mut ws, &moved.at, &moved.r, tau, load)?, row);
        Ok(())
    })
}

/// Questions that the motion itself answers.
fn kinematic<T: Measured + Send + 'static>(robot: &ClosedMechanism, question: Question, like: T) -> Run<T> {
    let dof = robot.tree().dof();
    let mut ws = kinematics::Workspace::with_scalar(robot.tree(), like);
    Box::new(move |robot, Given { moved, .. }, row| {
        like.within(
            #[inline(always)]
            || {
                let (at, u, u_dot) = (&moved.at, &moved.u, &moved.u_dot);
                let on_platform = |row: &mut [T], numbers: &[T]| {
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
                    Question::CentreOfMass => row.copy_from_slice(&robot.centre_of_mass(&mut ws, at).to_array()),
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
                    Question::Frames => {
                        let poses = kinematics::positions(robot.tree(), &mut ws, &at.q).iter();
                        lay_out(poses.map(|pose| pose.to_array()), row);
                        if robot.platform().is_some() {
                            on_platform(row, &at.pose.to_array());
                        }
                    }
                    Question::Velocities => {
                        let twists = kinematics::velocities(robot.tree(), &mut ws, &at.q, &u[..dof]).iter();
                        lay_out(twists.map(|twist| twist.to_array()), row);
                        on_platform(row, &u[dof..]);
                    }
                    Question::Accelerations => {
                        let rates = kinematics::accelerations(robot.tree(), &mut ws, &at.q, &u[..dof], &u_dot[..dof]);
                        lay_out(rates.iter().map(|rate| rate.to_array()), row);
                        on_platform(row, &u_dot[dof..]);
                    }
                    other => unreachable!("{} is answered elsewhere", other.name()),
                }
            },
        );
        Ok(())
    })
}

pub(super) fn coriolis_matrix<T: Measured + Send + 'static>(mut ws: coriolis::Workspace<T>) -> Run<T> {
    Box::new(move |robot, Given { moved, .. }, row| {
        copy(coriolis::coriolis_matrix(robot, &mut ws, &moved.at, &moved.r)?, row)
    })
}

pub(super) fn inverse_dynamics_derivatives(mut ws: derivatives::Workspace) -> Run {
    Box::new(move |robot, Given { moved, .. }, row| {
        let found = derivatives::of_inverse_dynamics(robot, &mut ws, &moved.at, &moved.r, &moved.r_dot)?;
        concatenate(by_all(found), row);
        Ok(())
    })
}

pub(super) fn forward_dynamics_derivatives(mut ws: derivatives::Workspace) -> Run {
    Box::new(move |robot, Given { moved, tau, .. }, row| {
        concatenate(by_all(derivatives::of_forward_dynamics(robot, &mut ws, &moved.at, &moved.r, tau)?), row);
        Ok(())
    })
}

/// Derivatives by x, r and a third vector.
fn by_all(Derivatives { by_x, by_r, by_input }: &Derivatives) -> [&[f64]; 3] {
    [by_x, by_r, by_input]
}

/// The platform's acceleration, then the drives'.
pub fn accelerations<T: Copy>(robot: &ClosedMechanism, u_dot: &[T], row: &mut [T]) {
    let platform = &u_dot[robot.tree().dof()..];
    let numbers = platform.iter().copied().chain(robot.driven().iter().map(|&j| u_dot[j]));
    row.iter_mut().zip(numbers).for_each(|(cell, number)| *cell = number);
}

/// What all joints, the closures and the base transmit.
pub(super) fn wrenches<T: Measured>(found: &reactions::Reactions<'_, T>, row: &mut [T]) {
    let all = found.joints.iter().chain(found.closures).copied().chain([found.base]);
    lay_out(all.map(Wrench::to_array), row);
}

/// Ψ, the rows of Z that are the platform's, and Ψ̇ along the motion.
fn psi<T: Measured + Send + 'static>(robot: &ClosedMechanism, formulation: Formulation, like: T) -> Run<T> {
    let mut ws = formulation::Workspace::with_scalar(robot, formulation, Dual::<1, T>::fixed(like));
    let mut moving = variation::still_with_scalar::<1, T>(robot, like);
    let first = robot.tree().dof() * robot.freedoms().len();
    Box::new(move |robot, Given { moved, .. }, row| {
        like.within(
            #[inline(always)]
            || variation::vary(robot, &moved.at, |velocity, _| moved.u[velocity], &mut moving),
        );
        let psi = &formulation::complement(robot, &mut ws, &moving)?[first..];
        let numbers = psi.iter().map(|entry| entry.value).chain(psi.iter().map(|entry| entry.derivative[0]));
        row.iter_mut().zip(numbers).for_each(|(cell, number)| *cell = number);
        Ok(())
    })
}

pub(super) fn copy<T: Copy>(answer: &[T], row: &mut [T]) -> Result<(), SingularError> {
    row.copy_from_slice(answer);
    Ok(())
}
