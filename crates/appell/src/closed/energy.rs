//! Kinetic and potential energy of a closed mechanism: sums over its bodies, or those of the whole robot.

use super::formulation::{self, Formulation};
use super::{ClosedMechanism, Configuration, SingularError};
use crate::dynamics::energy::{self, Energy};
use crate::kinematics::Workspace;
use crate::linear::dot;
use crate::real::Real;
use crate::spatial::Vec3;

/// Energy of the tree and the platform at the velocities u, as [`motion`](super::legs_platform::motion) gives them.
///
/// The workspace is one of the robot's [`tree`](ClosedMechanism::tree).
///
/// # Panics
/// If `u` does not have one value per velocity, or `at` belongs to another robot.
#[inline(always)]
pub fn energy<T: Real>(robot: &ClosedMechanism, ws: &mut Workspace<T>, at: &Configuration<T>, u: &[T]) -> Energy<T> {
    assert_eq!(u.len(), robot.velocities(), "one value per velocity");
    let (v, twist) = u.split_at(robot.tree().dof());
    let mut energy = energy::energy(robot.tree(), ws, &at.q, v);
    if let (Some(platform), &[vx, vy, vz, wx, wy, wz]) = (robot.platform(), twist) {
        let turned = platform.turned(&at.pose.rotation);
        let kinetic = turned.kinetic(Vec3::new(vx, vy, vz), Vec3::new(wx, wy, wz));
        energy.kinetic = energy.kinetic + kinetic;
        energy.potential = energy.potential + platform.potential(&at.pose, robot.tree().gravity());
    }
    energy
}

/// Workspace for the energy of the whole.
#[derive(Debug, Clone)]
pub struct OfWhole {
    inertia: formulation::Workspace,
    bodies: Workspace,
}

impl OfWhole {
    /// A workspace for this robot, with the inertia matrix by this formulation.
    #[must_use]
    pub fn new(robot: &ClosedMechanism, formulation: Formulation) -> Self {
        Self { inertia: formulation::Workspace::new(robot, formulation), bodies: Workspace::new(robot.tree()) }
    }
}

/// Energy of the whole robot: no body's velocity is looked at. The referee of [`energy()`].
///
/// ```text
/// T = ½ rᵀ M r        V = −m g·c + Σ ½ k (q − q₀)²        m, c of all bodies
/// ```
///
/// # Errors
/// Near a singularity of a leg, or of the constraints.
///
/// # Panics
/// If `r` does not have one value per degree of freedom, or `at` belongs to another robot.
pub fn of_whole(
    robot: &ClosedMechanism,
    ws: &mut OfWhole,
    at: &Configuration,
    r: &[f64],
) -> Result<Energy, SingularError> {
    robot.expect(at, &[r]);
    let inertia = formulation::inertia_matrix(robot, &mut ws.inertia, at)?;
    let kinetic = inertia.chunks_exact(r.len()).zip(r).map(|(row, rate)| 0.5 * dot(row, r) * rate).sum();
    let weight = robot.tree().gravity().scale(robot.mass());
    let springs = robot.tree().effects().iter().zip(&at.q).map(|(effects, q)| {
        let stretch = q - effects.spring.rest;
        0.5 * effects.spring.stiffness * stretch * stretch
    });
    let potential = springs.sum::<f64>() - weight.dot(robot.centre_of_mass(&mut ws.bodies, at));
    Ok(Energy { kinetic, potential })
}
