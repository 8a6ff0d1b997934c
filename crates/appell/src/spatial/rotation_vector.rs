//! Rotations by a vector: its direction is the axis, its length the angle.

use super::{Mat3, Quaternion, Vec3};

/// A rotation turned further by a rotation vector in base axes, and made exact.
pub(crate) fn turned(rotation: &Mat3<f64>, by: Vec3<f64>) -> Mat3<f64> {
    let angle = by.norm();
    let half = 0.5 * angle;
    let sine = if angle > 0.0 { half.sin() / angle } else { 0.5 };
    let step = Quaternion { x: sine * by.x, y: sine * by.y, z: sine * by.z, w: half.cos() };
    Quaternion::of_rotation(&(step.normalized().rotation() * *rotation)).normalized().rotation()
}

/// The rotation vector, in base axes, that turns one rotation into another: by π at most.
pub(crate) fn turn_between(from: &Mat3<f64>, to: &Mat3<f64>) -> Vec3<f64> {
    Quaternion::of_rotation(&(*to * from.transpose())).rotation_vector()
}
