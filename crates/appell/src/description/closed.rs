//! What closes a robot's loops: a platform, and joints between bodies of the tree, the platform and the base.

use super::{BASE, BodyDescription};
use crate::spatial::Pose;

/// A body that no joint of the tree carries: legs hold it by closing joints alone.
#[derive(Debug, Clone, PartialEq)]
pub struct PlatformDescription {
    /// The body, in the platform's frame.
    pub body: BodyDescription,
    /// What it carries, in the platform's frame; one thing with the body when the robot moves.
    pub payload: BodyDescription,
    /// Whether it may turn. One that may not keeps its attitude at home, like the mass point of a five-bar.
    pub turns: bool,
    /// Where the robot is assembled first, in the base: the search for its configuration begins there.
    pub home: Pose<f64>,
    /// The independent components of its twist, where the user chooses them.
    pub freedoms: Option<Vec<Freedom>>,
    /// Whether it stands for the robot's output, a frame of another body: see [`resolve`](super::resolve).
    pub is_output: bool,
}

impl Default for PlatformDescription {
    fn default() -> Self {
        Self {
            body: BodyDescription::default(),
            payload: BodyDescription::default(),
            turns: true,
            home: Pose::identity(0.0),
            freedoms: None,
            is_output: false,
        }
    }
}

/// A component of the platform's twist: velocity of its origin, or angular velocity, along an axis of the base.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "named as in tables")]
pub enum Freedom {
    Vx,
    Vy,
    Vz,
    Wx,
    Wy,
    Wz,
}

named!(pub Freedom { Vx: "vx", Vy: "vy", Vz: "vz", Wx: "wx", Wy: "wy", Wz: "wz" });

impl Freedom {
    /// The names of all, as shown in messages.
    pub const EXPECTED: &str = "one of \"vx\", \"vy\", \"vz\", \"wx\", \"wy\", \"wz\"";

    /// Whether it is one of angular velocity.
    #[must_use]
    pub const fn turns(self) -> bool {
        matches!(self, Self::Wx | Self::Wy | Self::Wz)
    }
}

/// A joint that closes a loop of the tree, or holds the platform.
#[derive(Debug, Clone, PartialEq)]
pub struct ClosureDescription {
    /// Its name.
    pub name: String,
    /// What it lets free.
    pub kind: ClosingJoint,
    /// Its frame on the first body.
    pub first: Attachment,
    /// Its frame on the second body. Both coincide but for what the joint lets free.
    pub second: Attachment,
}

/// A frame on something that a closing joint holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Attachment {
    /// What carries the frame.
    pub on: Carrier,
    /// Where it is, seen from the carrier's (user) frame.
    pub pose: Pose<f64>,
}

/// What can carry an end of a closing joint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Carrier {
    /// What does not move.
    Base,
    /// The body of a joint of the tree.
    Joint(String),
    /// The platform.
    Platform,
}

impl Carrier {
    /// Its name in files.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Base => BASE,
            Self::Joint(name) => name,
            Self::Platform => PLATFORM,
        }
    }
}

impl From<&str> for Carrier {
    /// The carrier of a name.
    fn from(name: &str) -> Self {
        match name {
            BASE => Self::Base,
            PLATFORM => Self::Platform,
            joint => Self::Joint(joint.into()),
        }
    }
}

/// How a closing joint lets its second frame move against the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ClosingJoint {
    /// The origins coincide, any turn is free: 3 constraints. Files may also call it `point`.
    Spherical,
    /// Turns about z, which both frames share: 5 constraints.
    Revolute,
    /// Turns about x of the first frame, then about y of the second: 4 constraints.
    Universal,
    /// Turns about z, which both frames share, and slides along it: 4 constraints.
    Cylindrical,
    /// Slides along z: 5 constraints.
    Prismatic,
    /// Nothing is free: 6 constraints.
    Rigid,
}

impl ClosingJoint {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Spherical, Self::Revolute, Self::Universal, Self::Cylindrical, Self::Prismatic, Self::Rigid];

    /// The names of all, as shown in messages.
    pub const EXPECTED: &str =
        "\"spherical\" (or \"point\"), \"revolute\", \"universal\", \"cylindrical\", \"prismatic\" or \"rigid\"";

    /// The joint of a name.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        let name = if name == "point" { Self::Spherical.name() } else { name };
        Self::ALL.into_iter().find(|joint| joint.name() == name)
    }

    /// Its name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Spherical => "spherical",
            Self::Revolute => "revolute",
            Self::Universal => "universal",
            Self::Cylindrical => "cylindrical",
            Self::Prismatic => "prismatic",
            Self::Rigid => "rigid",
        }
    }
}

/// On which side of zero a joint works: where a leg reaches a pose in two ways, this chooses one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Branch {
    /// On either.
    #[default]
    Any,
    /// Position in (0, π), or above zero for a slide.
    Positive,
    /// Position in (−π, 0), or below zero for a slide.
    Negative,
}

named!(pub Branch { Any: "any", Positive: "+", Negative: "-" });

impl Branch {
    /// The names of all, as shown in messages.
    pub const EXPECTED: &str = "\"+\" or \"-\", or \"any\"";
}

/// The name of the platform's frame. No joint, frame or closing joint of a closed robot may take it.
pub const PLATFORM: &str = "platform";
