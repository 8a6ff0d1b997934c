//! Inertia matrix by composite rigid bodies about their centres of mass, O(n²) (Walker1982).
//!
//! The form Mata et al. compared with: body j with all beyond it, frozen, has mass M, centre of mass c and inertia E
//! about c. A unit acceleration of joint j needs the force F = M (z × c) and the moment N = E z about c, and what
//! each joint towards the base transmits of them is a column of the matrix.

use super::joint_effects;
use crate::description::JointKind;
use crate::mechanism::{Link, Mechanism};
use crate::real::Real;
use crate::spatial::{Mat3, PlanarRotation, Sym3, Vec3};

/// What the steps keep of each composite body, in its first body's frame.
#[derive(Debug, Clone)]
pub struct Workspace<T = f64> {
    turns: Vec<PlanarRotation<T>>, // joint turns                     at the start
    bodies: Vec<State<T>>,         // the composite bodies            inward
    matrix: Vec<T>,                // all entries, row by row         inward
}

#[derive(Debug, Clone, Copy)]
struct State<T> {
    rotation: Mat3<T>,    // parent_from_body                           outward
    offset: Vec3<T>,      // O_parent → O_body, parent's frame          outward
    com: Vec3<T>,         // c, body's frame                            inward
    inertia: Sym3<T>,     // E about c, body's frame                    inward
    com_outside: Vec3<T>, // c from the parent's origin, parent's frame inward
}

plain_workspace!(Workspace of Mechanism);

impl<T: Real> Workspace<T> {
    /// A workspace for this robot over the numbers of the kind of `like`.
    #[must_use]
    pub fn with_scalar(robot: &Mechanism, like: T) -> Self {
        let (n, zero, vector) = (robot.dof(), like.zero(), Vec3::zero(like));
        let state = State {
            rotation: Mat3::zero(like),
            offset: vector,
            com: vector,
            inertia: Sym3::zero(like),
            com_outside: vector,
        };
        Self {
            turns: vec![PlanarRotation { cos: zero, sin: zero }; n],
            bodies: vec![state; n],
            matrix: vec![zero; n * n],
        }
    }
}

/// The inertia matrix at the configuration `q`, all n² entries row by row.
///
/// # Panics
/// If `q` does not have one value per joint.
#[inline(always)]
pub fn inertia_matrix<'w, T: Real>(robot: &Mechanism, ws: &'w mut Workspace<T>, q: &[T]) -> &'w [T] {
    robot.expect_lengths(&[q]);
    super::turn_joints(robot, q, &mut ws.turns);
    let n = robot.dof();
    for (j, link) in robot.links().iter().enumerate() {
        ws.bodies[j].rotation = link.placement.rotation(ws.turns[j]);
        ws.bodies[j].offset = link.placement.offset(q[j]).vector(q[j]);
    }
    for (j, link) in robot.links().iter().enumerate().rev() {
        compose(robot, link, j, &mut ws.bodies, q[j]);
        let (force, moment) = unit_acceleration(link, &ws.bodies[j], q[j]);
        hand_down(robot, ws, j, n, force, moment);
    }
    joint_effects::add_to_inertia(robot, &mut ws.matrix);
    &ws.matrix
}

/// The composite body j from body j and its children's composites.
///
/// ```text
/// c = (m r + Σ Mₖ c'ₖ) / M        E = I + m[r − c] + Σ ( R Eₖ Rᵀ + Mₖ[c'ₖ − c] ),   m[d] = m (d·d 1 − d dᵀ)
/// ```
#[inline(always)]
fn compose<T: Real>(robot: &Mechanism, link: &Link, j: usize, bodies: &mut [State<T>], q: T) {
    let own_com = link.com.lift(q);
    let children = robot.children(j);
    // A composite body without mass has its centre where it likes; the origin will do.
    let per_mass = if link.composite.mass > 0.0 { 1.0 / link.composite.mass } else { 0.0 };
    let mut first_moment = own_com.scale(link.mass);
    for &k in children {
        first_moment = first_moment + bodies[k].com_outside.scale(robot.links()[k].composite.mass);
    }
    let com = first_moment.scale(per_mass);
    let mut inertia = link.inertia.lift(q) + Sym3::of_point_mass(q.constant(link.mass), own_com - com);
    for &k in children {
        let (child, mass) = (&bodies[k], robot.links()[k].composite.mass);
        inertia = inertia
            + child.inertia.turned_by(&child.rotation)
            + Sym3::of_point_mass(q.constant(mass), child.com_outside - com);
    }
    let body = &mut bodies[j];
    body.com = com;
    body.inertia = inertia;
    body.com_outside = body.offset + body.rotation * com;
}

/// Force and moment about the origin that a unit acceleration of its joint needs of a composite body.
#[inline(always)]
fn unit_acceleration<T: Real>(link: &Link, body: &State<T>, q: T) -> (Vec3<T>, Vec3<T>) {
    let (c, mass, zero) = (body.com, link.composite.mass, q.zero());
    match link.joint {
        JointKind::Revolute => {
            let force = Vec3::new(-c.y.scale(mass), c.x.scale(mass), zero);
            (force, body.inertia.z_column() + c.cross(force))
        }
        JointKind::Prismatic => {
            let force = Vec3::new(zero, zero, q.constant(mass));
            (force, c.cross(force))
        }
    }
}

/// Carries a force and moment from body j to the base and reads what each joint transmits.
#[inline(always)]
fn hand_down<T: Real>(
    robot: &Mechanism,
    ws: &mut Workspace<T>,
    j: usize,
    n: usize,
    mut force: Vec3<T>,
    mut moment: Vec3<T>,
) {
    for k in robot.path_to_base(j) {
        let entry = robot.links()[k].joint.pick(moment.z, force.z);
        ws.matrix[j * n + k] = entry;
        ws.matrix[k * n + j] = entry;
        let State { rotation, offset, .. } = ws.bodies[k];
        force = rotation * force;
        moment = rotation * moment + offset.cross(force);
    }
}
