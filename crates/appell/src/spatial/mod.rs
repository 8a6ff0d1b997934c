//! The vocabulary of mechanics: vectors, tensors, turns, poses and twists over any [`Real`](crate::real::Real).
//!
//! Small own types instead of a linear-algebra crate's, so that every number that satisfies our trait fits and no
//! foreign version shows in our signatures. What these types compute, and in how many operations, is what the
//! papers' tables count: a cross product 6 × and 3 +, a turn about one axis 4 × and 2 +.

mod euler;
mod matrix;
mod pose;
mod quaternion;
mod roll_pitch_yaw;
mod rotation_vector;
mod planar_rotation;
mod vector;

pub use euler::{EulerAngles, EulerSingularity};
pub(crate) use matrix::each;
pub use matrix::{Mat3, Sym3};
pub use planar_rotation::wrapped;
pub use planar_rotation::{FixedTurn, PlanarRotation};
pub use pose::{Acceleration, Pose, Twist, Wrench};
pub use quaternion::Quaternion;
pub use rotation_vector::{omega_of_rotation_vector_rate, rotation_vector_rate, turn_between, turned};
pub use vector::Vec3;
