//! Closing joints made ready for computing: the rows that each takes from the motion.

use crate::description::ClosingJoint;
use crate::spatial::Pose;

/// A joint that closes a loop or holds the platform.
#[derive(Debug, Clone, PartialEq)]
pub struct Closure {
    /// Its name.
    pub name: String,
    /// What it forbids.
    pub constraint: Constraint,
    /// Its frame on the first body.
    pub first: Side,
    /// Its frame on the second body.
    pub second: Side,
    /// The first of its rows in the robot's.
    pub row: usize,
}

/// What a closure forbids.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Constraint {
    /// What a joint of this kind does.
    Joint(ClosingJoint),
    /// To turn: how a platform that may not is held by the base.
    Attitude,
}

/// A frame of a closing joint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Side {
    /// What carries it.
    pub on: On,
    /// Where it is, seen from the carrier: a body's joint frame, the platform's or the base's.
    pub pose: Pose<f64>,
}

/// What carries a side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum On {
    /// What does not move.
    Base,
    /// A body of the tree.
    Body(usize),
    /// The platform.
    Platform,
}

/// The rows of a constraint.
///
/// A linear row k forbids the second origin to leave the first along axis k of the first frame; where all three are
/// forbidden, base axes serve as well and cost less. An angular row (k, l) keeps axis k of the first frame at a right
/// angle to axis l of the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rows {
    pub(crate) linear: &'static [usize],
    pub(crate) angular: &'static [(usize, usize)],
}

impl Constraint {
    pub(crate) const fn rows(self) -> Rows {
        const ALL: &[usize] = &[0, 1, 2];
        const ACROSS_Z: &[usize] = &[0, 1];
        const SHARED_Z: &[(usize, usize)] = &[(0, 2), (1, 2)];
        const NO_TURN: &[(usize, usize)] = &[(0, 1), (1, 2), (2, 0)];
        let (linear, angular): (&[usize], &[(usize, usize)]) = match self {
            Self::Joint(ClosingJoint::Spherical) => (ALL, &[]),
            Self::Joint(ClosingJoint::Revolute) => (ALL, SHARED_Z),
            Self::Joint(ClosingJoint::Universal) => (ALL, &[(0, 1)]),
            Self::Joint(ClosingJoint::Cylindrical) => (ACROSS_Z, SHARED_Z),
            Self::Joint(ClosingJoint::Prismatic) => (ACROSS_Z, NO_TURN),
            Self::Joint(ClosingJoint::Rigid) => (ALL, NO_TURN),
            Self::Attitude => (&[], NO_TURN),
        };
        Rows { linear, angular }
    }

    /// Whether a point of one side stays on one of the other.
    pub const fn holds_point(self) -> bool {
        self.rows().along_base()
    }

    /// The axes that both frames share: rows alone would also let them be opposite.
    pub(crate) const fn shared_axes(self) -> &'static [usize] {
        match self {
            Self::Joint(ClosingJoint::Spherical | ClosingJoint::Universal) => &[],
            Self::Joint(ClosingJoint::Revolute | ClosingJoint::Cylindrical) => &[2],
            Self::Joint(ClosingJoint::Prismatic | ClosingJoint::Rigid) | Self::Attitude => &[0, 1, 2],
        }
    }

    /// What it is called.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Joint(joint) => joint.name(),
            Self::Attitude => "attitude",
        }
    }
}

impl Rows {
    pub(crate) const fn len(self) -> usize {
        self.linear.len() + self.angular.len()
    }

    /// Whether it holds a point and nothing else.
    pub(crate) const fn are_of_point(self) -> bool {
        self.along_base() && self.angular.is_empty()
    }

    /// Whether base axes serve for the linear rows.
    pub(crate) const fn along_base(self) -> bool {
        self.linear.len() == 3
    }
}

impl Closure {
    /// How many motions it forbids.
    #[must_use]
    pub const fn rows(&self) -> usize {
        self.constraint.rows().len()
    }
}
