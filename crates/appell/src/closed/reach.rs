//! What a closed mechanism can do at a pose, each for itself: whether it reaches it, within limits, and how near to singular it is there.
//!
//! ```
//! use appell::closed::reach::Reach;
//! use appell::robots;
//!
//! let robot = robots::find("gough-stewart").unwrap().closed();
//! let mut reach = Reach::new(&robot);
//! let home = robot.home().pose;
//! let there = reach.at(&home, &[], &home).unwrap();
//! assert!(there.within_limits && there.type2 > 0.1);
//! ```

use super::singularity::{self, Metric};
use super::{ClosedMechanism, Configuration, assembly};
use crate::description::JointKind;
use crate::spatial::{Pose, wrapped};
use core::f64::consts::TAU;

/// A coordinate of the platform's pose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coordinate {
    /// Of its origin in the base, m.
    X,
    /// Of its origin in the base, m.
    Y,
    /// Of its origin in the base, m.
    Z,
    /// Turn from a reference's attitude about x of the base, rad; first of the three.
    Roll,
    /// Turn about y of the base, rad; second.
    Pitch,
    /// Turn about z of the base, rad; last.
    Yaw,
}

impl Coordinate {
    /// All of them, in the order of the components of a twist.
    pub const ALL: [Self; 6] = [Self::X, Self::Y, Self::Z, Self::Roll, Self::Pitch, Self::Yaw];

    /// `x`, `y`, `z`, `roll`, `pitch` or `yaw`.
    #[must_use]
    pub fn name(self) -> &'static str {
        ["x", "y", "z", "roll", "pitch", "yaw"][self as usize]
    }

    /// The coordinate of a name.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|coordinate| coordinate.name() == name)
    }

    /// Whether it is an angle, rad.
    #[must_use]
    pub fn is_angle(self) -> bool {
        matches!(self, Self::Roll | Self::Pitch | Self::Yaw)
    }
}

/// A pose that is reached.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reached {
    /// The pose, with what gave way.
    pub pose: Pose,
    /// Whether all joints are within their limits there.
    pub within_limits: bool,
    /// [Distance to Type 1](singularity::Measures::type1).
    pub type1: f64,
    /// [Distance to Type 2](singularity::Measures::type2).
    pub type2: f64,
    /// [Of J_inv](singularity::InverseJacobian::determinant): its sign says on which side of Type 2 this is.
    pub determinant: Option<f64>,
}

/// Memory for asking one mechanism about many poses.
#[derive(Debug, Clone)]
pub struct Reach<'r> {
    robot: &'r ClosedMechanism,
    at: Configuration, // of the pose that is asked for
    assembly: assembly::Workspace,
    singularity: singularity::Workspace,
}

impl<'r> Reach<'r> {
    /// For a mechanism with a platform.
    #[must_use]
    pub fn new(robot: &'r ClosedMechanism) -> Self {
        Self {
            robot,
            at: robot.home().clone(),
            assembly: assembly::Workspace::new(robot),
            singularity: singularity::Workspace::new(robot),
        }
    }

    /// What the robot can do at a pose, with its legs as near as can be to home; nothing where they do not reach it. A platform with fewer
    /// than six degrees of freedom may give way in all coordinates but those that are `kept`, which are measured from a `reference`.
    pub fn at(&mut self, pose: &Pose, kept: &[Coordinate], reference: &Pose) -> Option<Reached> {
        if !self.goes_straight(pose) && !self.gives_way(pose, kept, reference) && !self.searches(pose) {
            return None;
        }
        let robot = self.robot;
        let measures = singularity::measures(robot, &mut self.singularity, &self.at, &Metric::of(robot));
        Some(Reached {
            pose: self.at.pose,
            within_limits: is_within_limits(robot, &self.at),
            type1: measures.type1(),
            type2: measures.type2(),
            determinant: measures.inverse_jacobian.and_then(|j_inv| j_inv.determinant),
        })
    }

    fn start(&mut self, pose: &Pose) {
        self.at.q.copy_from_slice(&self.robot.home().q);
        self.at.pose = *pose;
    }

    /// Whether Newton's method from home leads there, which is quick.
    fn goes_straight(&mut self, pose: &Pose) -> bool {
        self.start(pose);
        assembly::reaches(self.robot, &mut self.assembly, &mut self.at)
    }

    /// Whether other coordinates than those that are kept can give way.
    fn gives_way(&mut self, pose: &Pose, kept: &[Coordinate], reference: &Pose) -> bool {
        if self.robot.freedoms().len() == 6 || kept.is_empty() {
            return false;
        }
        self.start(pose);
        assembly::reaches_aside(self.robot, &mut self.assembly, &mut self.at)
            && keeps(self.robot, &self.at.pose, pose, kept, reference)
    }

    /// Whether closed forms, or random starts, find what Newton's method missed.
    fn searches(&mut self, pose: &Pose) -> bool {
        self.start(pose);
        assembly::near_pose(self.robot, &mut self.assembly, &mut self.at).is_ok()
    }
}

/// x, y, z, roll, pitch and yaw of a pose; turns are from the attitude of a reference, about axes of the base.
pub(super) fn coordinates(pose: &Pose, reference: &Pose) -> [f64; 6] {
    let ([x, y, z], turn) = (pose.position.to_array(), pose.rotation * reference.rotation.transpose());
    let [roll, pitch, yaw] = turn.to_roll_pitch_yaw().to_array();
    [x, y, z, roll, pitch, yaw]
}

/// Whether a pose that gave way has some coordinates still.
pub(super) fn keeps(
    robot: &ClosedMechanism,
    pose: &Pose,
    wanted: &Pose,
    kept: &[Coordinate],
    reference: &Pose,
) -> bool {
    let (numbers, wanted) = (coordinates(pose, reference), coordinates(wanted, reference));
    kept.iter().all(|&coordinate| {
        let k = coordinate as usize;
        let size = if k < 3 { robot.length() } else { 1.0 };
        (numbers[k] - wanted[k]).abs() <= 1e-9 * size
    })
}

/// Whether all joints are within their limits; a turn more or less is the same place.
pub(super) fn is_within_limits(robot: &ClosedMechanism, at: &Configuration) -> bool {
    let tree = robot.tree();
    let within = |j: usize| {
        let limits = tree.limits()[j];
        let home = robot.home().q[j];
        let is_inside = |q: f64| limits.lower <= q && q <= limits.upper;
        match tree.links()[j].joint {
            JointKind::Prismatic => is_inside(at.q[j]),
            JointKind::Revolute => {
                let near_home = home + wrapped(at.q[j] - home);
                [-TAU, 0.0, TAU].iter().any(|turn| is_inside(near_home + turn))
            }
        }
    };
    (0..tree.dof()).all(within)
}
