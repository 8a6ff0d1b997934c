//! Trajectories: rates are derivatives, joins are smooth, robots follow, limits are found, and bad input is named.

mod allocations;
mod following;
mod laws;
mod limits;
mod paths;
mod refused;

use crate::{difference, joints};
use appell::spatial::{Mat3, Pose, Quaternion, Vec3};
use appell_simulation::trajectory::{FrameMotion, FrameReference, JointReference};

/// Fails unless velocities and accelerations are the derivatives of what comes before them, at some instants that are not
/// among the joins.
#[track_caller]
fn assert_joint_rates(path: &mut dyn JointReference, tolerance: f64, label: &str) {
    let duration = path.duration();
    let h = 1e-5 * duration;
    for k in 1..40 {
        let t = duration * (f64::from(k) - 0.377) / 39.5;
        let (before, here, after) = (joints(path, t - h), joints(path, t), joints(path, t + h));
        for order in 0..2 {
            let slope: Vec<f64> =
                before[order].iter().zip(&after[order]).map(|(one, other)| (other - one) / (2.0 * h)).collect();
            let size = here[order + 1].iter().fold(1.0, |most: f64, x| most.max(x.abs()));
            let off = difference(&slope, &here[order + 1]) / size;
            assert!(off < tolerance, "{label}: derivative {} at {t}: {off:.1e}", order + 1);
        }
    }
}

/// Fails if positions, velocities or, where `accelerations`, accelerations jump at a time.
#[track_caller]
fn assert_joint_is_smooth(path: &mut dyn JointReference, t: f64, orders: usize, label: &str) {
    let h = 1e-9 * path.duration().min(1.0);
    let (before, after) = (joints(path, t - h), joints(path, t + h));
    for order in 0..orders {
        let size = before[order].iter().fold(1.0, |most: f64, x| most.max(x.abs()));
        let jump = difference(&before[order], &after[order]) / size;
        assert!(jump < 1e-5, "{label}: jump of order {order} at {t}: {jump:.1e}");
    }
}

/// The turn from one rotation to another.
fn turn(from: &Mat3, to: &Mat3) -> Vec3 {
    Quaternion::of_rotation(&(*to * from.transpose())).rotation_vector()
}

/// The same of the path of a frame.
#[track_caller]
fn assert_frame_rates(path: &mut dyn FrameReference, tolerance: f64, label: &str) {
    let duration = path.duration();
    let h = 1e-5 * duration;
    for k in 1..40 {
        let t = duration * (f64::from(k) - 0.377) / 39.5;
        let [before, here, after] = [t - h, t, t + h].map(|t| path.at(t).unwrap());
        let r = here.pose.rotation;
        let off_unit = (r * r.transpose() - Mat3::identity(0.0)).rows.map(Vec3::norm).into_iter().fold(0.0, f64::max);
        assert!(off_unit < 1e-14, "{label}: no rotation at {t}");
        let slope = 0.5 / h;
        let linear = (after.pose.position - before.pose.position).scale(slope) - here.twist.linear;
        let angular = turn(&before.pose.rotation, &after.pose.rotation).scale(slope) - here.twist.angular;
        let growth = (after.twist.linear - before.twist.linear).scale(slope) - here.acceleration.linear;
        let spin = (after.twist.angular - before.twist.angular).scale(slope) - here.acceleration.angular;
        let size = here.acceleration.to_array().into_iter().fold(1.0, |most: f64, x| most.max(x.abs()));
        for (name, off) in [("linear", linear), ("angular", angular), ("growth", growth), ("spin", spin)] {
            assert!(off.norm() < tolerance * size, "{label}: {name} at {t}: {:.1e}", off.norm());
        }
    }
}

/// Fails if pose, twist or acceleration jump at a time.
#[track_caller]
fn assert_frame_is_smooth(path: &mut dyn FrameReference, t: f64, label: &str) {
    let h = 1e-9 * path.duration();
    let [before, after]: [FrameMotion; 2] = [t - h, t + h].map(|t| path.at(t).unwrap());
    let numbers = |motion: FrameMotion| {
        let (pose, twist) = (motion.pose.to_array(), motion.twist.to_array());
        pose.into_iter().chain(twist).chain(motion.acceleration.to_array()).collect::<Vec<_>>()
    };
    let jump = difference(&numbers(before), &numbers(after));
    assert!(jump < 1e-6, "{label}: jump at {t}: {jump:.1e}");
}

/// A pose by its position and roll, pitch and yaw.
fn pose(position: [f64; 3], angles: [f64; 3]) -> Pose {
    Pose { position: position.into(), rotation: Mat3::from_roll_pitch_yaw(angles.into()) }
}
