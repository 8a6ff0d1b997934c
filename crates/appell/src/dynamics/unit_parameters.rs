//! The regressor by unit parameters: joint forces are linear in the parameters of bodies and joints, so that a column of
//! Y is what a robot needs of which one parameter is one and all others are zero.
//!
//! ```text
//! Y e_k  = τ(e_k)                     m, Ixx … Izz, viscous, coulomb, offset, rotor
//! Y e_mx = τ(e_m + e_mx) − τ(e_m)     mx, my, mz: a centre of mass needs a mass
//! ```
//!
//! τ is by Newton and Euler, which knows no parameters, in link frames: the referee of the
//! [sums in base axes](super::regressor), whose columns these are. It costs a whole inverse dynamics a column, O(n²).

use super::regressor::{self, OF_A_JOINT, PARAMETERS_PER_BODY};
use super::{coriolis, newton_euler};
use crate::description::{BodyDescription, Friction, JointEffects, Rotor, Spring};
use crate::mechanism::Mechanism;
use crate::spatial::{Sym3, Vec3};

/// A copy of the robot, whose parameters are changed, and its regressor.
#[derive(Debug, Clone)]
pub struct Workspace {
    unit: Mechanism,
    recursion: newton_euler::Workspace,
    matrix: Vec<f64>, // Y, row by row
}

impl Workspace {
    /// A workspace for this robot.
    #[must_use]
    pub fn new(robot: &Mechanism) -> Self {
        Self {
            unit: robot.clone(),
            recursion: newton_euler::Workspace::new(robot),
            matrix: vec![0.0; robot.dof() * regressor::columns(robot)],
        }
    }
}

/// The regressor of the robot that the workspace is of, as [`regressor::regressor`] gives it.
///
/// # Panics
/// If a slice does not have one value per joint.
pub fn regressor<'w>(ws: &'w mut Workspace, q: &[f64], v: &[f64], a: &[f64]) -> &'w [f64] {
    let width = ws.matrix.len() / ws.unit.dof();
    for column in 0..width {
        let mass = isolate(&mut ws.unit, Some(column));
        let tau = newton_euler::inverse_dynamics(&ws.unit, &mut ws.recursion, q, v, a);
        put_column(&mut ws.matrix, width, column, tau, mass);
    }
    &ws.matrix
}

/// A copy of the robot, whose parameters are changed, and its regressor with two velocities.
#[derive(Debug, Clone)]
pub struct TwoVelocityWorkspace {
    unit: Mechanism,
    sweep: coriolis::Workspace,
    matrix: Vec<f64>, // Y, row by row
}

impl TwoVelocityWorkspace {
    /// A workspace for this robot.
    #[must_use]
    pub fn new(robot: &Mechanism) -> Self {
        Self {
            unit: robot.clone(),
            sweep: coriolis::Workspace::new(robot),
            matrix: vec![0.0; robot.dof() * PARAMETERS_PER_BODY * robot.dof()],
        }
    }
}

/// Y of M(q) a + C(q, v) w + G(q) = Y φ, for adaptive control: the bodies' ten parameters each, in the order of the
/// [sums in base axes](super::regressor), by
/// [inverse dynamics with two velocities](coriolis::two_velocity_inverse_dynamics).
///
/// # Panics
/// If a slice does not have one value per joint.
pub fn two_velocity_regressor<'w>(
    ws: &'w mut TwoVelocityWorkspace,
    q: &[f64],
    v: &[f64],
    w: &[f64],
    a: &[f64],
) -> &'w [f64] {
    let width = ws.matrix.len() / ws.unit.dof();
    for column in 0..width {
        let mass = isolate(&mut ws.unit, Some(column));
        let tau = coriolis::two_velocity_inverse_dynamics(&ws.unit, &mut ws.sweep, q, v, w, a);
        put_column(&mut ws.matrix, width, column, tau, mass);
    }
    &ws.matrix
}

/// Makes one parameter of a robot, by its column of the regressor, one and all others zero; all are zero if `None`. A
/// first moment comes with a mass of one, whose column is the answer then.
pub(crate) fn isolate(robot: &mut Mechanism, column: Option<usize>) -> Option<usize> {
    let of_bodies = PARAMETERS_PER_BODY * robot.dof();
    let place = |column: usize, many: usize| (column / many, column % many);
    let of_body = column.filter(|&column| column < of_bodies).map(|column| place(column, PARAMETERS_PER_BODY));
    let of_joint = column.and_then(|column| column.checked_sub(of_bodies)).map(|column| place(column, OF_A_JOINT));
    robot.put_bodies(|j| match of_body {
        Some((body, parameter)) if body == j => unit_body(parameter),
        _ => BodyDescription::default(),
    });
    // How friction changes its sign is not a parameter, and stays.
    robot.put_effects(|j, JointEffects { friction: Friction { smoothing, .. }, .. }| {
        let one = |parameter: usize| if of_joint == Some((j, parameter)) { 1.0 } else { 0.0 };
        JointEffects {
            friction: Friction { viscous: one(0), coulomb: one(1), smoothing, offset: one(2), curve: None },
            rotor: Rotor { inertia: one(3), gear: 1.0 },
            spring: Spring::default(),
        }
    });
    of_body.filter(|(_, parameter)| (1..4).contains(parameter)).map(|(body, _)| PARAMETERS_PER_BODY * body)
}

/// A body of which one parameter is one and all others are zero; a first moment has a mass of one besides, and none of
/// the inertia about the origin that the two make.
fn unit_body(parameter: usize) -> BodyDescription {
    let one = |other: usize| if parameter == other { 1.0 } else { 0.0 };
    let com = Vec3::new(one(1), one(2), one(3));
    let mass = if parameter < 4 { 1.0 } else { 0.0 };
    let about_origin = Sym3 { xx: one(4), xy: one(5), yy: one(6), xz: one(7), yz: one(8), zz: one(9) };
    BodyDescription { mass, com, inertia: about_origin - Sym3::of_point_mass(mass, com) }
}

/// Writes what an isolated parameter needs as its column of the regressor, less the column of the mass that came with it.
pub(crate) fn put_column(matrix: &mut [f64], width: usize, column: usize, tau: &[f64], mass: Option<usize>) {
    for (row, &tau) in matrix.chunks_exact_mut(width).zip(tau) {
        row[column] = tau - mass.map_or(0.0, |mass| row[mass]);
    }
}
