//! A robot of either kind.

use appell::closed::{ClosedMechanism, Platform};
use appell::description::{JointKind, Limits};
use appell::mechanism::Mechanism;

/// A robot: open, or one with closed loops.
#[derive(Debug, Clone, PartialEq)]
pub enum Machine {
    /// A chain or a tree.
    Tree(Box<Mechanism>),
    /// A parallel robot, or another one that closes loops.
    Closed(Box<ClosedMechanism>),
}

impl Machine {
    /// Its joints, all loops open.
    #[must_use]
    pub fn tree(&self) -> &Mechanism {
        match self {
            Self::Tree(tree) => tree,
            Self::Closed(closed) => closed.tree(),
        }
    }

    /// The joints that efforts act on: all of an open robot, those with a motor of one with loops.
    #[must_use]
    pub fn driven(&self) -> Vec<usize> {
        match self {
            Self::Tree(tree) => (0..tree.dof()).collect(),
            Self::Closed(closed) => closed.driven().to_vec(),
        }
    }

    /// Their names.
    #[must_use]
    pub fn drives(&self) -> Vec<String> {
        self.driven().into_iter().map(|j| self.tree().joint_names()[j].clone()).collect()
    }

    /// Its platform, if it has one.
    #[must_use]
    pub fn platform(&self) -> Option<&Platform> {
        match self {
            Self::Tree(_) => None,
            Self::Closed(closed) => closed.platform(),
        }
    }

    /// Names and kinds of the drives.
    pub(super) fn drives_and_kinds(&self) -> Vec<(String, JointKind)> {
        let kinds = self.driven().into_iter().map(|j| self.tree().links()[j].joint);
        self.drives().into_iter().zip(kinds).collect()
    }

    /// Limits of the drives.
    pub(super) fn limits(&self) -> Vec<Limits> {
        self.driven().into_iter().map(|j| self.tree().limits()[j]).collect()
    }

    /// Positions of the drives: those given, else zero, or those at home.
    pub(super) fn start(&self, given: Option<&[f64]>) -> Vec<f64> {
        match (given, self) {
            (Some(given), _) => given.to_vec(),
            (None, Self::Tree(tree)) => vec![0.0; tree.dof()],
            (None, Self::Closed(closed)) => closed.driven().iter().map(|&j| closed.home().q[j]).collect(),
        }
    }
}
