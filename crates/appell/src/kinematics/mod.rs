//! Where the frames of a robot are and how they move, in the axes of any frame.
//!
//! The sweep runs in base axes, unlike the link-frame recursions of [`dynamics`](crate::dynamics): what is built on
//! it, energies and Gibbs' function, is an independent referee of those. Gravity plays no part here.
//!
//! | question | where | method |
//! |---|---|---|
//! | poses, velocities, accelerations | [`positions`], [`velocities`], [`accelerations`] | outward sweep, O(n) |
//! | Jacobian, and its rate times v | [`jacobian()`], [`jacobian_rate_times_v`] | axes and levers, O(n) |
//! | joint positions for a pose | [`damped_least_squares`] | any robot and frame, within limits: a search |
//! | | [`spherical_wrist`] | six-axis arms of the PUMA's type: eight branches in closed form |
//! | singularities | [`singularity`] | singular values of the Jacobian |
//!
//! The last three look at values and so compute on `f64` alone; the others run on any [`Real`].

pub mod damped_least_squares;
mod jacobian;
mod motion;
pub mod singularity;
pub mod spherical_wrist;

pub use jacobian::{jacobian, jacobian_rate_times_v};
pub(crate) use motion::{BodyMotion, point_in_base, turn_joints};
pub use motion::{accelerations, positions, velocities};

use crate::mechanism::{Axes, Mechanism};
use crate::real::Real;
use crate::spatial::{Acceleration, Mat3, PlanarRotation, Pose, Twist, Vec3};

/// What the sweep keeps of each body, and the answers for each frame.
#[derive(Debug, Clone)]
pub struct Workspace<T = f64> {
    pub(crate) bodies: Vec<BodyMotion<T>>, // motion of the joint frames, base axes
    turns: Vec<PlanarRotation<T>>,         // of the joints
    poses: Vec<Pose<T>>,                   // base_from_frame, a frame
    twists: Vec<Twist<T>>,                 // a frame, base axes
    accelerations: Vec<Acceleration<T>>,   // a frame, base axes
    jacobian: Vec<T>,                      // 6 × n, row by row
    rest: Vec<T>,                          // zeros
}

plain_workspace!(Workspace of Mechanism);

impl<T: Real> Workspace<T> {
    /// A workspace for this robot over the numbers of the kind of `like`.
    #[must_use]
    pub fn with_scalar(robot: &Mechanism, like: T) -> Self {
        let (n, frames, zero, vector) = (robot.dof(), robot.frames().len(), like.zero(), Vec3::zero(like));
        Self {
            bodies: vec![BodyMotion::at_rest(like); n],
            turns: vec![PlanarRotation::NONE.lift(like); n],
            poses: vec![Pose::identity(like); frames],
            twists: vec![Twist { linear: vector, angular: vector }; frames],
            accelerations: vec![Acceleration { linear: vector, angular: vector }; frames],
            jacobian: vec![zero; 6 * n],
            rest: vec![zero; n],
        }
    }

    /// The joints' turns, after the sweep: to be shared with another method.
    #[inline(always)]
    pub(crate) fn turns(&self) -> &[PlanarRotation<T>] {
        &self.turns
    }

    /// Pose of a frame, after the sweep.
    #[inline(always)]
    pub fn base_from_frame(&self, robot: &Mechanism, frame: usize, like: T) -> Pose<T> {
        let frame = &robot.frames()[frame];
        let body_from_frame = frame.body_from_frame.lift(like);
        match frame.body {
            None => body_from_frame,
            Some(body) => self.bodies[body].pose * body_from_frame,
        }
    }

    /// The rotation that takes components along `axes` to base components, after the sweep.
    #[inline(always)]
    fn base_from_axes(&self, robot: &Mechanism, axes: Axes, like: T) -> Mat3<T> {
        match axes {
            Axes::Base => Mat3::identity(like),
            Axes::Frame(frame) => self.base_from_frame(robot, frame, like).rotation,
        }
    }
}
