//! A body that no joint of the tree carries, put on the base by joints that let it move as it likes.
//!
//! Three slides along the axes of its frame at home, then turns about x, y and z: no closing joint that holds it notices.
//! Where it is turned by 90° about y against home, the turns are singular, as every three are somewhere.

use super::{BodyDescription, Description, JointDescription, JointKind, KhalilKleinfinger};
use crate::spatial::{Mat3, Pose, Vec3};

/// The joints `NAME.x` to `NAME.yaw`, or to `NAME.z` of a body that does not turn. The last one carries the body, and its
/// frame is the body's.
pub(super) fn on_the_base(name: &str, home: &Pose<f64>, body: BodyDescription, turns: bool) -> Vec<JointDescription> {
    // z of the next frame is x of the one before: x, y, z, and round again.
    let cycle = Pose { rotation: cycle(), position: Vec3::zero(0.0) };
    let steps = [
        (JointKind::Prismatic, *home * cycle),
        (JointKind::Prismatic, cycle),
        (JointKind::Prismatic, cycle),
        (JointKind::Revolute, cycle),
        (JointKind::Revolute, cycle),
        (JointKind::Revolute, cycle),
    ];
    let mut joints: Vec<JointDescription> = Vec::new();
    for (step, (kind, parent_from_joint)) in STEPS.iter().zip(steps).take(if turns { 6 } else { 3 }) {
        joints.push(JointDescription {
            parent: joints.last().map(|before| before.name.clone()),
            placement: KhalilKleinfinger::from_pose(&parent_from_joint),
            driven: false,
            ..JointDescription::new(format!("{name}{step}"), kind)
        });
    }
    if let Some(last) = joints.last_mut() {
        last.body = body;
    }
    joints
}

/// The bodies that are put on the base so, and the rows of their middle turns.
pub(crate) fn loose_angles(description: &Description) -> Vec<(String, usize)> {
    let names: Vec<&str> = description.joints.iter().map(|joint| joint.name.as_str()).collect();
    let of = |(first, six): (usize, &[&str])| {
        let body = six[0].strip_suffix(".x")?;
        let are_its = six.iter().zip(STEPS).all(|(name, step)| name.strip_prefix(body) == Some(step));
        are_its.then(|| (body.to_owned(), first + 4))
    };
    names.windows(STEPS.len()).enumerate().filter_map(of).collect()
}

/// What is added to a body's name for its joints.
const STEPS: [&str; 6] = [".x", ".y", ".z", ".roll", ".pitch", ".yaw"];

/// The positions of these joints that bring the body to where it is seen from its frame at home: slides, then turns.
pub(crate) fn along_the_base(home_from_body: &Pose<f64>) -> [f64; 6] {
    let [x, y, z] = home_from_body.position.to_array();
    let [first, second, third] = home_from_body.rotation.rows;
    let pitch = first.z.clamp(-1.0, 1.0).asin();
    [x, y, z, (-second.z).atan2(third.z), pitch, (-first.y).atan2(first.x)]
}

fn cycle() -> Mat3<f64> {
    Mat3::from_rows([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].map(Vec3::from))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinematics;
    use crate::mechanism::Mechanism;

    #[test]
    fn a_loose_body_is_at_home_and_moves_along_its_own_axes() {
        let rotation = Mat3::from_roll_pitch_yaw(Vec3::new(0.3, -0.2, 1.1));
        let home = Pose { rotation, position: Vec3::new(0.1, 0.2, 0.3) };
        let joints = on_the_base("plate", &home, BodyDescription::default(), true);
        let tree = Mechanism::new(&Description { joints, ..Description::default() }).unwrap();
        let mut ws = kinematics::Workspace::new(&tree);
        let near = |one: Pose<f64>, other: Pose<f64>| {
            one.to_array().iter().zip(other.to_array()).all(|(a, b)| (a - b).abs() < 1e-15)
        };
        assert!(near(kinematics::positions(&tree, &mut ws, &[0.0; 6])[5], home));
        let moved = kinematics::positions(&tree, &mut ws, &[0.4, 0.5, 0.6, 0.7, 0.8, 0.9])[5];
        let about = |x: f64, y: f64, z: f64| Mat3::from_roll_pitch_yaw(Vec3::new(x, y, z));
        let turn = about(0.7, 0.0, 0.0) * about(0.0, 0.8, 0.0) * about(0.0, 0.0, 0.9);
        let by = Pose { rotation: turn, position: Vec3::new(0.4, 0.5, 0.6) };
        assert!(near(moved, home * by));
        for (found, expected) in along_the_base(&by).iter().zip([0.4, 0.5, 0.6, 0.7, 0.8, 0.9]) {
            assert!((found - expected).abs() < 1e-14, "{found} {expected}");
        }
        assert_eq!(on_the_base("point", &home, BodyDescription::default(), false).len(), 3);
    }
}
