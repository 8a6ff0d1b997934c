//! The regressor Y(q, q̇, q̈): joint forces are linear in the parameters of bodies and joints, τ = Y φ.
//!
//! φ holds ten values per body, then four per joint if the robot has any friction or rotor:
//!
//! ```text
//! bodies   m, m cx, m cy, m cz, Ixx, Ixy, Iyy, Ixz, Iyz, Izz      inertia about the origin of the body's own frame
//! joints   viscous, coulomb, offset, rotor inertia × gear²
//! ```
//!
//! A body's own frame is the user's, the one of its joint's name. Springs are not linear in their rest position and
//! stay out, and so do friction's curves, which most robots have not: τ = Y φ + what [`left_out`] gives. With p̈ the
//! acceleration of the frame's origin minus gravity, a body needs
//!
//! ```text
//! f = m p̈ + ω̇ × mc + ω × (ω × mc)        n = mc × p̈ + I ω̇ + ω × I ω
//! ```
//!
//! about that origin, and each joint on the way to the base takes its part of both.

use super::base_axes::along_joint;
use crate::description::{BodyDescription, Friction, JointEffects, sign};
use crate::kinematics;
use crate::mechanism::Mechanism;
use crate::real::Real;
use crate::spatial::{Sym3, Vec3, Wrench, each};

/// Parameters of a body.
pub const PARAMETERS_PER_BODY: usize = 10;

/// Parameters of a joint.
pub const OF_A_JOINT: usize = 4;

/// Workspace for the regressor.
#[derive(Debug, Clone)]
pub struct Workspace<T = f64> {
    motion: kinematics::Workspace<T>, // bodies' motion, base axes
    matrix: Vec<T>,                   // Y, row by row
}

plain_workspace!(Workspace of Mechanism);

impl<T: Real> Workspace<T> {
    /// A workspace for this robot over the numbers of the kind of `like`.
    #[must_use]
    pub fn with_scalar(robot: &Mechanism, like: T) -> Self {
        Self {
            motion: kinematics::Workspace::with_scalar(robot, like),
            matrix: vec![like.zero(); robot.dof() * columns(robot)],
        }
    }
}

/// Number of columns of the regressor: parameters of the robot.
#[must_use]
pub fn columns(robot: &Mechanism) -> usize {
    robot.dof() * (PARAMETERS_PER_BODY + if has_joint_columns(robot) { OF_A_JOINT } else { 0 })
}

/// The parameters φ of a robot as it is, in the order of the columns.
#[must_use]
pub fn parameters(robot: &Mechanism) -> Vec<f64> {
    let bodies = (0..robot.dof()).flat_map(|j| {
        let BodyDescription { mass, com, inertia } = robot.body(j);
        to_array(mass, com, inertia)
    });
    let joints = robot.effects().iter().filter(|_| has_joint_columns(robot)).flat_map(|effects| {
        let JointEffects { friction, rotor, .. } = effects;
        [friction.viscous, friction.coulomb, friction.offset, rotor.reflected_inertia()]
    });
    bodies.chain(joints).collect()
}

/// What of a joint's effects has no columns: its spring, and the curve of its friction.
#[must_use]
pub fn left_out(effects: &JointEffects) -> JointEffects {
    let JointEffects { friction: Friction { curve, smoothing, .. }, spring, .. } = *effects;
    let friction = curve.map_or(Friction::default(), |_| Friction { curve, smoothing, ..Friction::default() });
    JointEffects { friction, spring, ..JointEffects::default() }
}

/// The regressor at a state and acceleration, n rows of [`columns`] numbers, row by row.
///
/// # Panics
/// If a slice does not have one value per joint.
#[inline(always)]
pub fn regressor<'w, T: Real>(robot: &Mechanism, ws: &'w mut Workspace<T>, q: &[T], v: &[T], a: &[T]) -> &'w [T] {
    robot.expect_lengths(&[q, v, a]);
    let (n, columns) = (robot.dof(), columns(robot));
    ws.matrix.fill(q[0].zero());
    ws.motion.sweep_with_gravity(robot, q, v, a);
    for i in 0..n {
        let own = ws.motion.base_from_frame(robot, i, q[0]);
        let body = &ws.motion.bodies[i];
        let p_ddot = body.acceleration_of(own.position - body.pose.position);
        let [p_ddot, omega, omega_dot] = each(
            [p_ddot, body.omega, body.omega_dot],
            #[inline(always)]
            |vector| own.rotation.transpose_times(vector),
        );
        for (column, Wrench { force, moment }) in body_columns(p_ddot, omega, omega_dot).into_iter().enumerate() {
            let wrench = Wrench { force: own.rotation * force, moment: own.rotation * moment };
            for j in robot.path_to_base(i) {
                let joint = &ws.motion.bodies[j];
                let here = wrench.about(own.position - joint.pose.position);
                ws.matrix[j * columns + PARAMETERS_PER_BODY * i + column] =
                    along_joint(robot.links()[j].joint, joint, here);
            }
        }
    }
    if has_joint_columns(robot) {
        for (j, effects) in robot.effects().iter().enumerate() {
            let sign = sign(v[j], effects.friction.smoothing);
            let entries = [v[j], sign, v[j].constant(1.0), a[j]];
            let first = j * columns + PARAMETERS_PER_BODY * n + OF_A_JOINT * j;
            ws.matrix[first..first + OF_A_JOINT].copy_from_slice(&entries);
        }
    }
    &ws.matrix
}

/// The wrench that a unit of each parameter of a body needs, about its frame's origin and along its axes.
#[inline(always)]
pub(crate) fn body_columns<T: Real>(p: Vec3<T>, w: Vec3<T>, wd: Vec3<T>) -> [Wrench<T>; PARAMETERS_PER_BODY] {
    let (zero, one) = (p.x.zero(), p.x.constant(1.0));
    let none = Vec3::zero(zero);
    let first_moment = {
        #[inline(always)]
        |c: Vec3<T>| Wrench { force: wd.cross(c) + w.cross(w.cross(c)), moment: c.cross(p) }
    };
    let inertia = {
        #[inline(always)]
        |entry: Sym3<f64>| {
            let spin = entry.times_moving(w);
            Wrench { force: none, moment: entry.times_moving(wd) + w.cross(spin) }
        }
    };
    let entry = Sym3::<f64>::default();
    [
        Wrench { force: p, moment: none },
        first_moment(Vec3::new(one, zero, zero)),
        first_moment(Vec3::new(zero, one, zero)),
        first_moment(Vec3::new(zero, zero, one)),
        inertia(Sym3 { xx: 1.0, ..entry }),
        inertia(Sym3 { xy: 1.0, ..entry }),
        inertia(Sym3 { yy: 1.0, ..entry }),
        inertia(Sym3 { xz: 1.0, ..entry }),
        inertia(Sym3 { yz: 1.0, ..entry }),
        inertia(Sym3 { zz: 1.0, ..entry }),
    ]
}

fn has_joint_columns(robot: &Mechanism) -> bool {
    robot.effects().iter().any(|effects| left_out(effects) != *effects)
}

#[inline(always)]
fn to_array(mass: f64, com: Vec3<f64>, inertia: Sym3<f64>) -> [f64; PARAMETERS_PER_BODY] {
    let (first, about_origin) = (com.scale(mass), inertia + Sym3::of_point_mass(mass, com));
    let Sym3 { xx, xy, xz, yy, yz, zz } = about_origin;
    [mass, first.x, first.y, first.z, xx, xy, yy, xz, yz, zz]
}

/// Ten parameters in our order, which is Pinocchio's too, from Khalil's: XX, XY, XZ, YY, YZ, ZZ, MX, MY, MZ, M.
#[must_use]
pub fn from_khalil([xx, xy, xz, yy, yz, zz, mx, my, mz, m]: [f64; PARAMETERS_PER_BODY]) -> [f64; PARAMETERS_PER_BODY] {
    [m, mx, my, mz, xx, xy, yy, xz, yz, zz]
}

/// Ten parameters in Khalil's order from ours.
#[must_use]
pub fn to_khalil([m, mx, my, mz, xx, xy, yy, xz, yz, zz]: [f64; PARAMETERS_PER_BODY]) -> [f64; PARAMETERS_PER_BODY] {
    [xx, xy, xz, yy, yz, zz, mx, my, mz, m]
}

/// Ten parameters in our order from what a URDF file says: mass, x y z of the centre of mass, and
/// ixx ixy ixz iyy iyz izz about it.
#[must_use]
pub fn from_urdf([m, x, y, z, xx, xy, xz, yy, yz, zz]: [f64; PARAMETERS_PER_BODY]) -> [f64; PARAMETERS_PER_BODY] {
    to_array(m, Vec3::new(x, y, z), Sym3 { xx, xy, xz, yy, yz, zz })
}

/// What a URDF file would say, from ten parameters in our order; `None` for a body without mass but with the rest.
#[must_use]
pub fn to_urdf(
    [m, mx, my, mz, xx, xy, yy, xz, yz, zz]: [f64; PARAMETERS_PER_BODY],
) -> Option<[f64; PARAMETERS_PER_BODY]> {
    if m == 0.0 {
        return [mx, my, mz, xx, xy, yy, xz, yz, zz].iter().all(|&x| x == 0.0).then_some([0.0; PARAMETERS_PER_BODY]);
    }
    let com = Vec3::new(mx, my, mz).scale(1.0 / m);
    let i = Sym3 { xx, xy, xz, yy, yz, zz } - Sym3::of_point_mass(m, com);
    Some([m, com.x, com.y, com.z, i.xx, i.xy, i.xz, i.yy, i.yz, i.zz])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_of_parameters_convert_back() {
        let ours: [f64; PARAMETERS_PER_BODY] = [2.0, 0.2, -0.4, 0.6, 1.0, 0.1, 1.1, -0.2, 0.3, 0.9];
        assert_eq!(from_khalil(to_khalil(ours)), ours);
        let back = from_urdf(to_urdf(ours).unwrap());
        assert!(ours.iter().zip(back).all(|(a, b)| (a - b).abs() < 1e-15), "{back:?}");
        assert_eq!(to_urdf([0.0; PARAMETERS_PER_BODY]), Some([0.0; PARAMETERS_PER_BODY]));
        assert_eq!(to_urdf([0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]), None);
    }
}
