//! The joint forces that hold the robot against gravity, O(n).
//!
//! A robot at rest needs weights and levers only: the inward sweep of the Gibbs-Appell recursion with f = −m g.

use super::along_z;
use crate::mechanism::Mechanism;
use crate::real::Real;
use crate::spatial::{PlanarRotation, Vec3};

/// What the sweeps keep of each body.
#[derive(Debug, Clone)]
pub struct Workspace<T = f64> {
    turns: Vec<PlanarRotation<T>>, // joint turns                                at the start
    up: Vec<Vec3<T>>,              // −g in the body's frame, m/s²               outward
    force: Vec<Vec3<T>>,           // of this body and all beyond, N             outward, inward
    moment: Vec<Vec3<T>>,          // the same about the body's origin, N m      outward, inward
    tau: Vec<T>,                   // N m or N                                   inward
}

plain_workspace!(Workspace of Mechanism);

impl<T: Real> Workspace<T> {
    /// A workspace for this robot over the numbers of the kind of `like`.
    #[must_use]
    pub fn with_scalar(robot: &Mechanism, like: T) -> Self {
        let (n, zero, vectors) = (robot.dof(), like.zero(), vec![Vec3::zero(like); robot.dof()]);
        Self {
            turns: vec![PlanarRotation { cos: zero, sin: zero }; n],
            up: vectors.clone(),
            force: vectors.clone(),
            moment: vectors,
            tau: vec![zero; n],
        }
    }
}

/// Joint forces that hold the robot at the configuration `q`.
///
/// # Panics
/// If `q` does not have one value per joint.
#[inline(always)]
pub fn gravity<'w, T: Real>(robot: &Mechanism, ws: &'w mut Workspace<T>, q: &[T]) -> &'w [T] {
    robot.expect_lengths(&[q]);
    super::turn_joints(robot, q, &mut ws.turns);
    let up = robot.base_acceleration();
    for (j, link) in robot.links().iter().enumerate() {
        let (place, turn) = (&link.placement, ws.turns[j]);
        ws.up[j] = match (link.parent, along_z(up)) {
            (Some(p), _) => place.to_body(turn, ws.up[p]),
            (None, Some(up)) => place.to_body_along_z(turn, q[j].constant(up)),
            (None, None) => place.to_body(turn, up.lift(q[j])),
        };
        ws.force[j] = ws.up[j].scale(link.mass);
        ws.moment[j] = link.com.cross_moving(ws.force[j]);
    }
    for (j, link) in robot.links().iter().enumerate().rev() {
        ws.tau[j] = link.joint.pick(ws.moment[j].z, ws.force[j].z);
        if let Some(p) = link.parent {
            let (place, turn) = (&link.placement, ws.turns[j]);
            let force = place.to_parent(turn, ws.force[j]);
            let moment = place.offset(q[j]).cross(force) + place.to_parent(turn, ws.moment[j]);
            ws.force[p] = ws.force[p] + force;
            ws.moment[p] = ws.moment[p] + moment;
        }
    }
    &ws.tau
}
