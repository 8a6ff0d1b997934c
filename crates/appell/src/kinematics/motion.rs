//! Positions, velocities and accelerations of all frames, swept from the base outwards.

use super::Workspace;
use crate::description::JointKind;
use crate::mechanism::Mechanism;
use crate::real::Real;
use crate::spatial::{Acceleration, Mat3, PlanarRotation, Pose, Twist, Vec3};

/// Motion of a body's joint frame, in base axes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BodyMotion<T> {
    pub(crate) pose: Pose<T>,         // base_from_body
    pub(crate) omega: Vec3<T>,        // angular velocity
    pub(crate) velocity: Vec3<T>,     // of the origin
    pub(crate) omega_dot: Vec3<T>,    // angular acceleration
    pub(crate) acceleration: Vec3<T>, // of the origin
}

impl<T: Real> BodyMotion<T> {
    #[inline(always)]
    pub(crate) fn at_rest(like: T) -> Self {
        let zero = Vec3::zero(like);
        Self { pose: Pose::identity(like), omega: zero, velocity: zero, omega_dot: zero, acceleration: zero }
    }

    /// The joint's axis.
    #[inline(always)]
    pub(crate) fn axis(&self) -> Vec3<T> {
        self.pose.rotation.column(2)
    }

    /// Velocity of a point of the body, given from its origin.
    #[inline(always)]
    pub(crate) fn velocity_of(&self, arm: Vec3<T>) -> Vec3<T> {
        self.velocity + self.omega.cross(arm)
    }

    /// Acceleration of a point of the body, given from its origin.
    #[inline(always)]
    pub(crate) fn acceleration_of(&self, arm: Vec3<T>) -> Vec3<T> {
        self.acceleration + self.omega_dot.cross(arm) + self.omega.cross(self.omega.cross(arm))
    }
}

/// Poses of all frames in the base, in the order of [`Mechanism::frames`].
///
/// # Panics
/// If `q` does not have one value per joint.
#[inline(always)]
pub fn positions<'w, T: Real>(robot: &Mechanism, ws: &'w mut Workspace<T>, q: &[T]) -> &'w [Pose<T>] {
    robot.expect_lengths(&[q]);
    ws.sweep_at_rest(robot, q);
    ws.fill_poses(robot, q[0]);
    &ws.poses
}

/// Twists of all frames, of their origins and in base axes, in the order of [`Mechanism::frames`].
///
/// # Panics
/// If a slice does not have one value per joint.
#[inline(always)]
pub fn velocities<'w, T: Real>(robot: &Mechanism, ws: &'w mut Workspace<T>, q: &[T], v: &[T]) -> &'w [Twist<T>] {
    robot.expect_lengths(&[q, v]);
    ws.sweep_unaccelerated(robot, q, v);
    ws.fill_poses(robot, q[0]);
    let zero = Vec3::zero(q[0]);
    for (k, frame) in robot.frames().iter().enumerate() {
        ws.twists[k] = frame.body.map_or(Twist { linear: zero, angular: zero }, |body| {
            let body = &ws.bodies[body];
            let arm = ws.poses[k].position - body.pose.position;
            Twist { linear: body.velocity_of(arm), angular: body.omega }
        });
    }
    &ws.twists
}

/// Accelerations of all frames, of their origins and in base axes, without gravity, in the order of
/// [`Mechanism::frames`].
///
/// # Panics
/// If a slice does not have one value per joint.
#[inline(always)]
pub fn accelerations<'w, T: Real>(
    robot: &Mechanism,
    ws: &'w mut Workspace<T>,
    q: &[T],
    v: &[T],
    a: &[T],
) -> &'w [Acceleration<T>] {
    robot.expect_lengths(&[q, v, a]);
    place_bodies(robot, &mut ws.bodies, &mut ws.turns, q);
    move_bodies(robot, &mut ws.bodies, v, a, Vec3::zero(q[0]));
    ws.fill_poses(robot, q[0]);
    let zero = Vec3::zero(q[0]);
    for (k, frame) in robot.frames().iter().enumerate() {
        ws.accelerations[k] = frame.body.map_or(Acceleration { linear: zero, angular: zero }, |body| {
            let body = &ws.bodies[body];
            let arm = ws.poses[k].position - body.pose.position;
            Acceleration { linear: body.acceleration_of(arm), angular: body.omega_dot }
        });
    }
    &ws.accelerations
}

impl<T: Real> Workspace<T> {
    /// The poses alone: what the sweeps left of rates stands from before.
    #[inline(always)]
    pub fn sweep_at_rest(&mut self, robot: &Mechanism, q: &[T]) {
        place_bodies(robot, &mut self.bodies, &mut self.turns, q);
    }

    /// The sweep at a = 0.
    #[inline(always)]
    pub(crate) fn sweep_unaccelerated(&mut self, robot: &Mechanism, q: &[T], v: &[T]) {
        place_bodies(robot, &mut self.bodies, &mut self.turns, q);
        move_bodies(robot, &mut self.bodies, v, &self.rest, Vec3::zero(q[0]));
    }

    /// The rates at a = 0 of bodies that have been placed.
    #[inline(always)]
    pub(crate) fn move_unaccelerated(&mut self, robot: &Mechanism, v: &[T]) {
        move_bodies(robot, &mut self.bodies, v, &self.rest, Vec3::zero(v[0]));
    }

    /// The sweep with a base that accelerates upwards as gravity pulls down.
    #[inline(always)]
    pub(crate) fn sweep_with_gravity(&mut self, robot: &Mechanism, q: &[T], v: &[T], a: &[T]) {
        place_bodies(robot, &mut self.bodies, &mut self.turns, q);
        move_bodies(robot, &mut self.bodies, v, a, robot.base_acceleration().lift(q[0]));
    }

    #[inline(always)]
    fn fill_poses(&mut self, robot: &Mechanism, like: T) {
        for k in 0..robot.frames().len() {
            self.poses[k] = self.base_from_frame(robot, k, like);
        }
    }
}

/// Where a point of a body is in the base, carried inwards from joint to joint: for one point, less than a sweep.
#[inline(always)]
pub(crate) fn point_in_base<T: Real>(robot: &Mechanism, body: usize, point: Vec3<f64>, q: &[T]) -> Vec3<T> {
    robot.path_to_base(body).fold(point.lift(q[0]), |point, j| {
        let place = &robot.links()[j].placement;
        place.to_parent(place.turn(q[j]), point) + place.offset(q[j]).vector(q[j])
    })
}

/// The joints' turns at a configuration: the only sines and cosines of an algorithm.
#[inline(always)]
pub(crate) fn turn_joints<T: Real>(robot: &Mechanism, q: &[T], turns: &mut [PlanarRotation<T>]) {
    assert_eq!(turns.len(), robot.dof(), "the workspace belongs to another robot");
    let (links, q, turning) = (&robot.links()[..turns.len()], &q[..turns.len()], robot.turning());
    if turning.len() < links.len() {
        for (j, link) in links.iter().enumerate().filter(|(_, link)| link.joint == JointKind::Prismatic) {
            turns[j] = link.placement.turn(q[j]);
        }
    }
    T::sin_cos_of(
        turning.len(),
        #[inline(always)]
        |k| links[turning[k]].placement.angle(q[turning[k]]),
        #[inline(always)]
        |k, (sin, cos)| turns[turning[k]] = PlanarRotation { cos, sin },
    );
}

/// Pose of every body from its parent's. The rows of R_parent R are those of R_parent turned into the body.
#[inline(always)]
fn place_bodies<T: Real>(robot: &Mechanism, bodies: &mut [BodyMotion<T>], turns: &mut [PlanarRotation<T>], q: &[T]) {
    assert_eq!(bodies.len(), robot.dof(), "the workspace belongs to another robot");
    turn_joints(robot, q, turns);
    for (j, link) in robot.links().iter().enumerate() {
        let (turn, offset) = (turns[j], link.placement.offset(q[j]));
        bodies[j].pose = match link.parent {
            None => Pose { rotation: link.placement.rotation(turn), position: offset.vector(q[j]) },
            Some(p) => {
                let carrier = &bodies[p].pose;
                let [x, y, z] = carrier.rotation.rows;
                let placement = &link.placement;
                Pose {
                    rotation: Mat3::from_rows([
                        placement.to_body(turn, x),
                        placement.to_body(turn, y),
                        placement.to_body(turn, z),
                    ]),
                    position: carrier.position + offset.times(&carrier.rotation),
                }
            }
        };
    }
}

/// Motion of every body from its parent's, in base axes; e is the joint's axis, d = O_body − O_parent.
///
/// ```text
/// revolute    ω = ωₚ + e q̇     ω̇ = ω̇ₚ + e q̈ + ωₚ × e q̇     p̈ = p̈ₚ + ω̇ₚ × d + ωₚ × (ωₚ × d)
/// prismatic   ω = ωₚ           ω̇ = ω̇ₚ                      p̈ = … + e q̈ + 2 ωₚ × e q̇
/// ```
#[inline(always)]
fn move_bodies<T: Real>(robot: &Mechanism, bodies: &mut [BodyMotion<T>], v: &[T], a: &[T], base_acceleration: Vec3<T>) {
    for (j, link) in robot.links().iter().enumerate() {
        let at_rest = || BodyMotion { acceleration: base_acceleration, ..BodyMotion::at_rest(v[j]) };
        let carrier = link.parent.map_or_else(at_rest, |p| bodies[p]);
        let pose = bodies[j].pose;
        let arm = pose.position - carrier.pose.position;
        let mut body = BodyMotion {
            pose,
            velocity: carrier.velocity_of(arm),
            acceleration: carrier.acceleration_of(arm),
            ..carrier
        };
        let axis = body.axis();
        let (rate, acceleration) = (axis.times(v[j]), axis.times(a[j]));
        let coriolis = carrier.omega.cross(rate);
        match link.joint {
            JointKind::Revolute => {
                body.omega = body.omega + rate;
                body.omega_dot = body.omega_dot + acceleration + coriolis;
            }
            JointKind::Prismatic => {
                body.velocity = body.velocity + rate;
                body.acceleration = body.acceleration + acceleration + coriolis + coriolis;
            }
        }
        bodies[j] = body;
    }
}
