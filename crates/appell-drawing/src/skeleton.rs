//! What of a robot is drawn, in space: its joints, the lines between them, its tips and its centre of mass.

use appell::description::JointKind;
use appell::dynamics::momentum::centre_of_mass;
use appell::kinematics::{Workspace, positions};
use appell::mechanism::Mechanism;
use appell::spatial::{Pose, Vec3};
use std::iter;

/// A robot in one position, in the base frame.
pub(super) struct Skeleton {
    pub(super) joints: Vec<Joint>,
    /// From the base or a joint to the joints and the tip its body carries.
    pub(super) bones: Vec<[Vec3<f64>; 2]>,
    /// From the base or a joint to all frames its body carries.
    pub(super) twigs: Vec<[Vec3<f64>; 2]>,
    /// The last frames of the bodies that carry no other.
    pub(super) tips: Vec<Tip>,
    /// `None` for a robot without mass.
    pub(super) com: Option<Vec3<f64>>,
}

/// A joint; z of its frame is its axis.
pub(super) struct Joint {
    pub(super) name: String,
    pub(super) kind: JointKind,
    pub(super) pose: Pose<f64>,
    /// How many joints its body carries.
    pub(super) children: usize,
}

/// A frame at the end of the robot.
pub(super) struct Tip {
    pub(super) name: String,
    pub(super) pose: Pose<f64>,
}

impl Skeleton {
    /// The robot at the coordinates `q`, without the rotors of its motors.
    pub(super) fn new(robot: &Mechanism, q: &[f64]) -> Self {
        let mut ws = Workspace::new(robot);
        let com = (robot.mass() > 0.0).then(|| centre_of_mass(robot, &mut ws, q));
        let frames = positions(robot, &mut ws, q);
        let bodies = robot.rotors().start;
        let children = |j: usize| robot.children(j).iter().filter(|&&child| child < bodies).count();
        let joint = |(j, name): (usize, &String)| Joint {
            name: name.clone(),
            kind: robot.links()[j].joint,
            // The first frames are the bodies', in the user's convention; the joint is where that one hangs on.
            pose: frames[j] * robot.frames()[j].body_from_frame.inverse(),
            children: children(j),
        };
        let joints: Vec<Joint> = robot.joint_names()[..bodies].iter().enumerate().map(joint).collect();
        let origin = |body: Option<usize>| body.map_or(Vec3::zero(0.0), |j| joints[j].pose.position);
        let bones = robot.links().iter().zip(&joints).map(|(link, joint)| [origin(link.parent), joint.pose.position]);
        let shown = robot.frames().iter().zip(frames).filter(|(frame, _)| frame.body.is_none_or(|body| body < bodies));
        let twigs = shown.map(|(frame, pose)| [origin(frame.body), pose.position]);
        let leaves = (0..bodies).filter(|&j| children(j) == 0);
        let last_frame = |j: usize| robot.frames().iter().rposition(|frame| frame.body == Some(j));
        let (tips, tip_bones) = leaves
            .filter_map(|j| last_frame(j).map(|k| (j, k)))
            .map(|(j, k)| {
                let tip = Tip { name: robot.frames()[k].name.clone(), pose: frames[k] };
                (tip, [origin(Some(j)), frames[k].position])
            })
            .unzip::<_, _, Vec<_>, Vec<_>>();
        Self { bones: bones.chain(tip_bones).collect(), twigs: twigs.collect(), tips, com, joints }
    }

    /// All lines.
    pub(super) fn lines(&self) -> impl Iterator<Item = &[Vec3<f64>; 2]> {
        self.bones.iter().chain(&self.twigs)
    }

    /// All points, the base's origin among them.
    pub(super) fn points(&self) -> impl Iterator<Item = Vec3<f64>> {
        iter::once(Vec3::zero(0.0)).chain(self.com).chain(self.lines().flatten().copied())
    }
}
