//! Second methods for questions of closed mechanisms, which serve every one of them, with legs and a platform or without:
//! each looks at the dynamics in another way than tree + closures does by itself.

use super::answers::{
    Given, Run, bare, copy, forward_dynamics, forward_dynamics_derivatives, inverse_dynamics,
    inverse_dynamics_derivatives,
};
use crate::closed::formulation::{self, Formulation};
use crate::closed::spherical::{self, Coriolis};
use crate::closed::{ClosedMechanism, coriolis, derivatives, energy, unit_parameters, variation};
use crate::description::JointEffects;
use crate::dynamics::joint_effects;
use crate::kinematics;
use crate::linear::dot;
use crate::question::Question;
use crate::real::Dual;
use crate::spatial::Vec3;

/// Inverse or forward dynamics, or their derivatives, with the reactions as unknowns.
pub(super) fn kkt(robot: &ClosedMechanism, question: Question) -> Run {
    let dynamics = || formulation::Workspace::with_reactions(robot, 0.0);
    let derivatives = || derivatives::Workspace::with_reactions(robot);
    match question {
        Question::InverseDynamics => inverse_dynamics(dynamics()),
        Question::InverseDynamicsDerivatives => inverse_dynamics_derivatives(derivatives()),
        Question::ForwardDynamicsDerivatives => forward_dynamics_derivatives(derivatives()),
        _ => forward_dynamics(dynamics()),
    }
}

/// The inertia matrix from the forces that accelerations alone need.
pub(super) fn columns(robot: &ClosedMechanism, mut ws: formulation::Workspace) -> Run {
    let n = robot.freedoms().len();
    let weightless = without_forces(robot).with_gravity(Vec3::default());
    let (rest, mut unit) = (vec![0.0; n], vec![0.0; n]);
    Box::new(move |_, given, row| {
        for k in 0..n {
            unit.fill(0.0);
            unit[k] = 1.0;
            let column = formulation::generalised_forces(&weightless, &mut ws, &given.moved.at, &rest, &unit, &[])?;
            row.iter_mut().skip(k).step_by(n).zip(column).for_each(|(entry, &force)| *entry = force);
        }
        Ok(())
    })
}

/// The robot without friction and springs, its rotors left on.
fn without_forces(robot: &ClosedMechanism) -> ClosedMechanism {
    robot.with_tree(|tree| {
        tree.with_effects(|_, effects| JointEffects { rotor: effects.rotor, ..JointEffects::default() })
    })
}

/// Gravity as the gradient of the potential energy, one degree of freedom after the other.
pub(super) fn potential(robot: &ClosedMechanism, mut ws: formulation::Workspace) -> Run {
    let (n, bare) = (robot.freedoms().len(), bare(robot));
    let still = Dual::<1>::fixed(0.0);
    let mut positions = kinematics::Workspace::with_scalar(robot.tree(), still);
    let mut varied = variation::still::<1>(robot);
    Box::new(move |robot, given, row| {
        let z = formulation::complement(robot, &mut ws, &given.moved.at)?;
        for (k, cell) in row.iter_mut().enumerate() {
            variation::vary(robot, &given.moved.at, |velocity, _| z[velocity * n + k], &mut varied);
            let com = bare.centre_of_mass(&mut positions, &varied);
            *cell = -bare.mass() * bare.tree().gravity().lift(still).dot(com).derivative[0];
        }
        Ok(())
    })
}

pub(super) fn matrix_times_velocity(robot: &ClosedMechanism) -> Run {
    // Rotors are no bodies: the Coriolis vector is that of the bodies alone.
    let bare = bare(robot);
    let mut ws = coriolis::Workspace::new(&bare, Formulation::TreeClosures);
    Box::new(move |_, Given { moved, .. }, row| {
        let matrix = coriolis::coriolis_matrix(&bare, &mut ws, &moved.at, &moved.r)?;
        for (cell, entries) in row.iter_mut().zip(matrix.chunks_exact(moved.r.len())) {
            *cell = dot(entries, &moved.r);
        }
        Ok(())
    })
}

/// The bias from its parts; no inverse dynamics comes into it.
///
/// ```text
/// b = C r + ∂V/∂x + Zᵀ (friction and springs − load)        C with the rotors, V of the weights
/// ```
pub(super) fn parts(robot: &ClosedMechanism, mut ws: formulation::Workspace) -> Run {
    let n = robot.freedoms().len();
    let mut matrix = coriolis::Workspace::new(robot, Formulation::TreeClosures);
    let mut gravity = potential(robot, formulation::Workspace::new(robot, Formulation::TreeClosures));
    Box::new(move |robot, given, row| {
        let Given { moved, load, .. } = given;
        gravity(robot, given, row)?;
        let matrix = coriolis::coriolis_matrix(robot, &mut matrix, &moved.at, &moved.r)?;
        let z = formulation::complement(robot, &mut ws, &moved.at)?;
        let own = robot.tree().effects().iter().zip(&moved.at.q).zip(&moved.u);
        let own = own.map(|((effects, &q), &v)| joint_effects::force(effects, q, v)).chain(core::iter::repeat(0.0));
        for (k, (cell, entries)) in row.iter_mut().zip(matrix.chunks_exact(n)).enumerate() {
            *cell += dot(entries, &moved.r);
            let work = own.clone().zip(*load).zip(z.iter().skip(k).step_by(n));
            *cell += work.map(|((own, load), z)| z * (own - load)).sum::<f64>();
        }
        Ok(())
    })
}

pub(super) fn energy_of_whole(robot: &ClosedMechanism, formulation: Formulation) -> Run {
    let mut ws = energy::OfWhole::new(robot, formulation);
    Box::new(move |robot, Given { moved, .. }, row| {
        let energy = energy::of_whole(robot, &mut ws, &moved.at, &moved.r)?;
        copy(&[energy.kinetic, energy.potential], row)
    })
}

pub(super) fn unit_parameters(robot: &ClosedMechanism) -> Run {
    let mut ws = unit_parameters::Workspace::new(robot);
    Box::new(move |_, Given { moved, .. }, row| {
        copy(unit_parameters::regressor(&mut ws, &moved.at, &moved.r, &moved.r_dot)?, row)
    })
}

/// Torques and forces, gravity or the Coriolis vector from M, C and G of a spherical robot.
pub(super) fn equations(robot: &ClosedMechanism, question: Question) -> Run {
    let mut ws = spherical::Workspace::new(robot);
    if question == Question::InverseDynamics {
        return Box::new(move |robot, Given { moved, load, sharing, .. }, row| {
            let (at, r, r_dot, load) = (&moved.at, &moved.r, &moved.r_dot, *load);
            copy(spherical::by_equations(robot, &mut ws, at, r, r_dot, load, sharing)?, row)
        });
    }
    // Rotors are no bodies.
    let (bare, rest) = (bare(robot), vec![0.0; robot.freedoms().len()]);
    Box::new(move |_, Given { moved, .. }, row| {
        let r = if question == Question::Gravity { &rest } else { &moved.r };
        let found = spherical::equations(&bare, &mut ws, &moved.at, r, Coriolis::Skew)?;
        if question == Question::Gravity {
            return copy(found.gravity, row);
        }
        for (cell, entries) in row.iter_mut().zip(found.coriolis.chunks_exact(r.len())) {
            *cell = dot(entries, r);
        }
        Ok(())
    })
}
