//! Which questions of which robots have code: one table, asked by the generator and printed by the program.

use super::emit::Language;
use super::kernel::Robot;
use super::{closed, tree};
use appell::closed::spherical;
use appell::question::Question;

/// What kind of robot code is generated of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A chain.
    Serial,
    /// A tree.
    Tree,
    /// Legs and a platform.
    Parallel,
    /// Legs and a platform, all axes meeting in a point.
    Spherical,
    /// Any other closed mechanism.
    Closed,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 5] = [Self::Serial, Self::Tree, Self::Parallel, Self::Spherical, Self::Closed];

    /// The kind of a robot.
    #[must_use]
    pub fn of(robot: Robot<'_>) -> Self {
        match robot {
            Robot::Tree(tree) => {
                let is_chain = tree.links().iter().enumerate().all(|(j, link)| link.parent == j.checked_sub(1));
                if is_chain { Self::Serial } else { Self::Tree }
            }
            Robot::Closed(robot) if spherical::applies(robot) => Self::Spherical,
            Robot::Closed(robot) if !robot.legs().is_empty() && robot.platform().is_some() => Self::Parallel,
            Robot::Closed(_) => Self::Closed,
        }
    }

    /// In a word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Serial => "serial",
            Self::Tree => "tree",
            Self::Parallel => "parallel",
            Self::Spherical => "spherical",
            Self::Closed => "closed",
        }
    }
}

/// Whether there is code in a language of a kind of robot at all: equations are for functions of few operations, and what
/// legs do takes more.
#[must_use]
pub const fn writes(kind: Kind, language: Language) -> bool {
    match kind {
        Kind::Serial | Kind::Tree => true,
        Kind::Parallel | Kind::Spherical => language.most_operations().is_none(),
        Kind::Closed => false,
    }
}

/// Whether code can be generated that answers a question of a kind of robot, in every language that [`writes`] names.
#[must_use]
pub const fn answers(kind: Kind, question: Question) -> bool {
    match kind {
        Kind::Serial | Kind::Tree => tree::answers(question),
        Kind::Parallel | Kind::Spherical => closed::answers(question),
        Kind::Closed => false,
    }
}
