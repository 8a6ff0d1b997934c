//! Random closed mechanisms with joints that follow others.

use super::Sampler;
use crate::description::{Description, JointType, Mimic};
use core::f64::consts::TAU;

impl Sampler {
    /// A robot of n + 1 degrees of freedom with a joint that follows another, from where both are at home.
    pub(super) fn geared(&mut self, n: usize) -> Description {
        let mut robot = match self.below(3) {
            0 if n < 3 => self.planar_linkage(n + 1),
            1 if n < 2 => self.single_loop(n + 1),
            _ => self.general_robot(n + 1, false),
        };
        let follower = self.below(robot.joints.len());
        let leader = (follower + 1 + self.below(robot.joints.len() - 1)) % robot.joints.len();
        let multiplier = self.one_of(&[-1.0, 1.0]) * (1.2 + self.within(0.9));
        let (joint, home) = (robot.joints[leader].name.clone(), robot.joints[leader].home);
        let follower = &mut robot.joints[follower];
        follower.mimic = Some(Mimic::new(joint, multiplier, follower.home - multiplier * home));
        robot
    }

    /// A robot of n degrees of freedom that is not in a plane, in which one or two turns are screws.
    pub(super) fn with_screws(&mut self, n: usize) -> Description {
        let mut robot = if n < 3 && self.once_in(2) { self.single_loop(n) } else { self.general_robot(n, false) };
        for _ in 0..1 + self.below(2) {
            let turns: Vec<usize> =
                (0..robot.joints.len()).filter(|&j| robot.joints[j].kind == JointType::Revolute).collect();
            if turns.is_empty() {
                break;
            }
            let joint = &mut robot.joints[self.one_of(&turns)];
            (joint.kind, joint.pitch) = (JointType::Screw, 0.3 + self.within(0.2));
            joint.placement.r -= joint.pitch / TAU * joint.home;
        }
        robot
    }
}
