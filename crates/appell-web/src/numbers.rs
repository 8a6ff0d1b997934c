//! What crosses the border as numbers: poses of seven, points of three, vectors that are what they should be.

use appell::spatial::{Pose, Quaternion, Vec3};

/// px py pz qx qy qz qw.
pub type PoseNumbers = [f64; 7];

/// Numbers beyond this are refused: nothing is left of an angle or a length there.
const LARGEST: f64 = 1e12;

/// The numbers of a pose.
#[must_use]
pub fn of_pose(pose: &Pose) -> PoseNumbers {
    let ([px, py, pz], Quaternion { x, y, z, w }) = (pose.position.to_array(), Quaternion::of_rotation(&pose.rotation));
    [px, py, pz, x, y, z, w]
}

/// A pose from its numbers; the quaternion may have any length but zero.
///
/// # Errors
/// If it is none.
pub fn pose(numbers: &[f64]) -> Result<Pose, String> {
    expect("pose", numbers, 7)?;
    let &[px, py, pz, x, y, z, w] = numbers else { return Err("a pose has seven numbers".into()) };
    let quaternion = Quaternion { x, y, z, w };
    let norm = quaternion.norm();
    if !norm.is_finite() || norm < 1e-6 {
        return Err(format!("the quaternion of the pose has the norm {norm}; expected 1"));
    }
    Ok(Pose { position: Vec3::new(px, py, pz), rotation: quaternion.normalized().rotation() })
}

/// Refuses vectors of another length, and numbers that are none or too large.
///
/// # Errors
/// What is wrong with them.
pub fn expect(what: &str, numbers: &[f64], length: usize) -> Result<(), String> {
    if numbers.len() != length {
        return Err(format!("`{what}` has the wrong length ({}, expected {length})", numbers.len()));
    }
    match numbers.iter().position(|x| !x.is_finite() || x.abs() > LARGEST) {
        Some(k) => Err(format!("`{what}[{k}]` is {}; expected a finite number below 1e12", numbers[k])),
        None => Ok(()),
    }
}

/// A limit, where there is one.
#[must_use]
pub fn limit(x: f64) -> Option<f64> {
    x.is_finite().then_some(x)
}
