//! How a joint of a description moves: one of eight types, of which two are elementary.

use super::JointKind;

/// The type of a joint, by what moves in the joint's frame.
///
/// | type | motion, from the frame at q = 0 | q | v |
/// |---|---|---|---|
/// | `revolute` | a turn about z | 1 | 1 |
/// | `prismatic` | a slide along z | 1 | 1 |
/// | `universal` | a turn about x, then one about z | 2 | 2 |
/// | `cylindrical` | a slide along z, then a turn about it | 2 | 2 |
/// | `planar` | slides along x and y, then a turn about z | 3 | 3 |
/// | `screw` | a turn about z with a slide along it, by the pitch | 1 | 1 |
/// | `spherical` | any turn: a unit quaternion `qx qy qz qw`; v is the angular velocity in the body's axes | 4 | 3 |
/// | `free` | any motion: `px py pz` in the frame, then the quaternion; v is the velocity of the body's origin and the angular velocity, both in the body's axes | 7 | 6 |
///
/// What is computed with is a tree of revolute and prismatic joints alone: [`elementary`](super::elementary) writes the others out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the table above")]
pub enum JointType {
    Revolute,
    Prismatic,
    Universal,
    Cylindrical,
    Planar,
    Screw,
    Spherical,
    Free,
}

named!(pub JointType {
    Revolute: "revolute", Prismatic: "prismatic", Universal: "universal", Cylindrical: "cylindrical", Planar: "planar",
    Screw: "screw", Spherical: "spherical", Free: "free",
});

impl JointType {
    /// The names of all, as shown in messages.
    pub(super) const EXPECTED: &str =
        "\"revolute\", \"prismatic\", \"universal\", \"cylindrical\", \"planar\", \"screw\", \"spherical\" or \"free\"";

    /// The kind of an elementary joint, which is one row of the tree.
    #[must_use]
    pub const fn elementary(self) -> Option<JointKind> {
        match self {
            Self::Revolute => Some(JointKind::Revolute),
            Self::Prismatic => Some(JointKind::Prismatic),
            _ => None,
        }
    }

    /// The kind of the last of its elementary joints, the one that carries the body and has the joint's limits, friction,
    /// rotor and spring.
    #[must_use]
    pub const fn last(self) -> JointKind {
        match self {
            Self::Prismatic => JointKind::Prismatic,
            _ => JointKind::Revolute,
        }
    }

    /// Whether its position is a quaternion, so that no pose is singular.
    #[must_use]
    pub const fn is_quaternion(self) -> bool {
        matches!(self, Self::Spherical | Self::Free)
    }

    /// The kind of the one motion whose value a row of a table holds as `q`; joints of several have none.
    pub(super) const fn of_one_value(self) -> Option<JointKind> {
        match self {
            Self::Screw => Some(JointKind::Revolute),
            _ => self.elementary(),
        }
    }
}

impl From<JointKind> for JointType {
    fn from(kind: JointKind) -> Self {
        kind.pick(Self::Revolute, Self::Prismatic)
    }
}

impl PartialEq<JointKind> for JointType {
    fn eq(&self, kind: &JointKind) -> bool {
        self.elementary() == Some(*kind)
    }
}
