//! A robot of either kind, as identification sees it.

use appell::closed::ClosedMechanism;
use appell::mechanism::Mechanism;

/// A robot to be identified.
#[derive(Debug, Clone, Copy)]
pub enum Robot<'r> {
    /// A chain or a tree: an equation a joint.
    Tree(&'r Mechanism),
    /// With closed loops: an equation a drive.
    Closed(&'r ClosedMechanism),
}

impl<'r> From<&'r Mechanism> for Robot<'r> {
    fn from(robot: &'r Mechanism) -> Self {
        Self::Tree(robot)
    }
}

impl<'r> From<&'r ClosedMechanism> for Robot<'r> {
    fn from(robot: &'r ClosedMechanism) -> Self {
        Self::Closed(robot)
    }
}

impl<'r> From<&'r appell::Robot> for Robot<'r> {
    fn from(robot: &'r appell::Robot) -> Self {
        robot.closed().map_or_else(|| robot.tree().into(), Into::into)
    }
}

impl<'r> Robot<'r> {
    /// All joints with their bodies, loops open.
    #[must_use]
    pub fn tree(self) -> &'r Mechanism {
        match self {
            Self::Tree(tree) => tree,
            Self::Closed(closed) => closed.tree(),
        }
    }

    /// The joints whose efforts are measured, in order: all of a tree, the driven ones where loops are closed.
    #[must_use]
    pub fn measured(self) -> Vec<usize> {
        match self {
            Self::Tree(tree) => (0..tree.dof()).collect(),
            Self::Closed(closed) => closed.driven().to_vec(),
        }
    }

    /// Their names.
    #[must_use]
    pub fn measured_names(self) -> Vec<String> {
        self.measured().into_iter().map(|joint| self.tree().joint_names()[joint].clone()).collect()
    }

    /// Whether legs hold a platform.
    #[must_use]
    pub fn has_platform(self) -> bool {
        matches!(self, Self::Closed(closed) if closed.platform().is_some())
    }
}
