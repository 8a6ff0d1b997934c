//! Motions to follow: of joints, of a frame, of a platform; position, velocity and acceleration at every instant.
//!
//! | of | path | where |
//! |---|---|---|
//! | the way along a path | constant speed, trapezoid, S-curve, cubic, quintic; from a duration or from limits | [`TimeLaw`] |
//! | joints, or drives | straight in joint space, all together | [`Ramp`] |
//! | | splines of degree 3 and 5 through points | [`Spline`] |
//! | | Fourier series, also from rest | [`Fourier`] |
//! | joints, or a frame | from point to point, at rest at each | [`Stops`] |
//! | a frame, or a platform | line, with slerp of the orientation | [`Line`] |
//! | | arc through three points, or about an axis | [`Arc`] |
//! | | via points: polyline with blends, spline | [`Blends`], [`ViaSpline`] |
//! | | any path of six coordinates, position and Euler angles | [`Coordinates`] |
//! | joints, from a frame's path | inverse kinematics, J⁻¹ V, J⁻¹ (V̇ − J̇ q̇) | [`Follower`] |
//! | a whole robot | all joints, and the drives' torques and forces | [`TreeMotion`], [`ClosedMotion`] |
//! | what it must not | the first limit that a motion passes, and the peaks | [`limits`](mod@limits) |
//!
//! A simulation or a controller takes a [`JointReference`] or a [`FrameReference`], whatever is behind it. Evaluating one
//! allocates nothing; what can be wrong with a path is said when it is made, what can be wrong along it with its time.
//!
//! ```
//! use appell_simulation::trajectory::{Line, Shape, TimeLaw};
//! use appell::spatial::{Pose, Vec3};
//!
//! let from = Pose::identity(0.0);
//! let to = Pose { position: Vec3::new(0.3, 0.0, 0.4), ..from };
//! let line = Line::new(&from, &to, TimeLaw::new(Shape::Quintic, 2.0)?)?;
//! assert_eq!(line.motion(1.0).pose.position.z, 0.2);
//! assert_eq!(line.motion(2.0).twist.linear.norm(), 0.0);
//! # Ok::<(), appell_simulation::trajectory::PathError>(())
//! ```

mod arc;
mod blends;
mod closed_motion;
mod coordinates;
mod error;
mod follower;
mod fourier;
pub mod limits;
mod line;
mod ramp;
mod spline;
mod stops;
mod time_law;
mod tree_motion;
mod via_spline;

pub use arc::{Arc, Attitude};
pub use blends::Blends;
pub use closed_motion::ClosedMotion;
pub use coordinates::Coordinates;
pub use error::{FollowError, PathError};
pub use follower::{Follower, Start, Task};
pub use fourier::Fourier;
pub use line::{FrameRates, Line};
pub use ramp::Ramp;
pub use spline::{Ends, Spline};
pub use stops::Stops;
pub use time_law::{Along, Rates, Shape, TimeLaw};
pub use tree_motion::TreeMotion;
pub use via_spline::ViaSpline;

use appell::spatial::{Acceleration, Pose, Twist};
use time_law::positive;

/// A motion of joints, or of driven joints, to follow.
pub trait JointReference {
    /// Number of joints.
    fn joints(&self) -> usize;

    /// How long it takes, s.
    fn duration(&self) -> f64;

    /// Writes positions, velocities and accelerations after the time `t`; at rest before the start and after the end.
    ///
    /// # Errors
    /// If there is no such motion then, with the time.
    ///
    /// # Panics
    /// If a slice does not have one value per joint.
    fn at(&mut self, t: f64, q: &mut [f64], v: &mut [f64], a: &mut [f64]) -> Result<(), FollowError>;
}

/// A motion of a frame, or of a platform, to follow.
pub trait FrameReference {
    /// How long it takes, s.
    fn duration(&self) -> f64;

    /// Where the frame is and how it moves after the time `t`; at rest before the start and after the end.
    ///
    /// # Errors
    /// If there is no such motion then, with the time.
    fn at(&mut self, t: f64) -> Result<FrameMotion, FollowError>;
}

/// Where a frame is and how it moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrameMotion {
    /// base_from_frame.
    pub pose: Pose,
    /// V: velocity of its origin and angular velocity, in base axes.
    pub twist: Twist,
    /// V̇, likewise.
    pub acceleration: Acceleration,
}

/// All joints of a robot at an instant.
#[derive(Debug, Clone, PartialEq)]
pub struct JointStates {
    /// Positions, rad or m.
    pub q: Vec<f64>,
    /// Velocities, rad/s or m/s.
    pub v: Vec<f64>,
    /// Accelerations, rad/s² or m/s².
    pub a: Vec<f64>,
    /// Torques and forces of the drives, N m or N; zero where there is none, and where they are not asked for.
    pub tau: Vec<f64>,
}

/// The motion of all joints of a robot, with the torques and forces of its drives.
pub trait RobotMotion {
    /// How long it takes, s.
    fn duration(&self) -> f64;

    /// The robot's joints, or the tree's of one with closed loops.
    fn robot(&self) -> &appell::mechanism::Mechanism;

    /// Whether a motor drives a joint.
    fn is_driven(&self, joint: usize) -> bool;

    /// All joints after the time `t`.
    ///
    /// # Errors
    /// If the robot cannot follow, with the time.
    fn at(&mut self, t: f64) -> Result<&JointStates, FollowError>;
}

impl JointStates {
    fn new(joints: usize) -> Self {
        let zeros = || vec![0.0; joints];
        Self { q: zeros(), v: zeros(), a: zeros(), tau: zeros() }
    }
}

/// Panics unless all slices have one value per joint.
fn expect_joints(joints: usize, slices: [&[f64]; 3]) {
    assert!(slices.iter().all(|slice| slice.len() == joints), "one value per joint");
}

/// Refuses NaN and infinite numbers.
fn finite<'n>(what: &'static str, numbers: impl IntoIterator<Item = &'n f64>) -> Result<(), PathError> {
    if numbers.into_iter().all(|x| x.is_finite()) { Ok(()) } else { Err(PathError::NotFinite { what }) }
}

/// Refuses a row of the wrong length, or with NaN or infinite numbers.
fn numbers(what: &'static str, row: &[f64], expected: usize) -> Result<(), PathError> {
    if row.len() != expected {
        return Err(PathError::Length { what, found: row.len(), expected });
    }
    finite(what, row)
}
