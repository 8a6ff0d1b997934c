//! The kinds of random robots with closed loops.

use super::Sampler;
use crate::description::Description;

/// A kind of robots with closed loops; the number is that of their degrees of freedom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Family {
    /// Two to six legs of any joints anywhere, which hold a platform; 1 to 6.
    General(usize),
    /// The same, but one leg stands on another's first body; 1 to 6.
    Branched(usize),
    /// Legs that move in one plane, which may lie anywhere: three legs for 3; for 2, one of them with a joint less, or
    /// two that hold a mass point.
    Planar(usize),
    /// Two to six legs whose axes meet in one point; 1 to 3.
    Spherical(usize),
    /// Three or four legs of which each forbids a turn, as a Delta robot's do: 3.
    Translational,
    /// Links in one plane without a platform, as many cranks as degrees of freedom, and one to three loops; 1 to 3.
    PlanarLinkage(usize),
    /// A chain from the base to the base; 1 or 2.
    Loop(usize),
    /// A planar linkage with a frame of some body as its output; 1 to 3.
    LinkageOutput(usize),
    /// A chain from the base to the base with a frame of some body as its output; 1 or 2.
    LoopOutput(usize),
    /// Legs that hold a platform, and one to three joints in a row on it, with the last body's frame as output: a serial
    /// robot on a parallel one; 2, 4, 6, and 7, which are more than an output has.
    Hybrid(usize),
    /// A robot of one degree of freedom more, in which a joint follows another as a gear makes it; 1 or 3.
    Geared(usize),
    /// Legs that hold a platform, or a chain from the base to the base, with a screw or two among the joints; 1 or 4.
    Screw(usize),
}

impl Family {
    /// All of them, with all their numbers of degrees of freedom.
    pub const ALL: [Self; 36] = [
        Self::General(1),
        Self::General(2),
        Self::General(3),
        Self::General(4),
        Self::General(5),
        Self::General(6),
        Self::Branched(1),
        Self::Branched(2),
        Self::Branched(3),
        Self::Branched(4),
        Self::Branched(5),
        Self::Branched(6),
        Self::Planar(2),
        Self::Planar(3),
        Self::Spherical(1),
        Self::Spherical(2),
        Self::Spherical(3),
        Self::Translational,
        Self::PlanarLinkage(1),
        Self::PlanarLinkage(2),
        Self::PlanarLinkage(3),
        Self::Loop(1),
        Self::Loop(2),
        Self::LinkageOutput(1),
        Self::LinkageOutput(2),
        Self::LinkageOutput(3),
        Self::LoopOutput(1),
        Self::LoopOutput(2),
        Self::Hybrid(2),
        Self::Hybrid(4),
        Self::Hybrid(6),
        Self::Hybrid(7),
        Self::Geared(1),
        Self::Geared(3),
        Self::Screw(1),
        Self::Screw(4),
    ];

    /// How many degrees of freedom its robots have.
    #[must_use]
    pub const fn freedoms(self) -> usize {
        match self {
            Self::General(n)
            | Self::Branched(n)
            | Self::Planar(n)
            | Self::Spherical(n)
            | Self::PlanarLinkage(n)
            | Self::Loop(n)
            | Self::LinkageOutput(n)
            | Self::LoopOutput(n)
            | Self::Hybrid(n)
            | Self::Geared(n)
            | Self::Screw(n) => n,
            Self::Translational => 3,
        }
    }

    /// Whether its robots are of legs and a platform alone; none where some are.
    #[must_use]
    pub const fn is_parallel(self) -> Option<bool> {
        match self {
            Self::General(_) | Self::Planar(_) | Self::Spherical(_) | Self::Translational => Some(true),
            Self::Branched(_)
            | Self::PlanarLinkage(_)
            | Self::Loop(_)
            | Self::Hybrid(_)
            | Self::Geared(_)
            | Self::Screw(_) => Some(false),
            Self::LinkageOutput(_) | Self::LoopOutput(_) => None,
        }
    }
}

impl Sampler {
    /// A robot of a family, assembled at home and without drives. It may be near a singularity.
    ///
    /// # Panics
    /// If the family has no robots of so many degrees of freedom.
    #[must_use]
    pub fn closed_candidate(&mut self, family: Family) -> Description {
        assert!(Family::ALL.contains(&family), "no robots of {family:?}");
        let mut description = match family {
            Family::General(n) => self.general_robot(n, false),
            Family::Branched(n) => self.general_robot(n, true),
            Family::Planar(n) => self.planar_robot(n),
            Family::Spherical(n) => self.spherical_robot(n),
            Family::Translational => self.translational_robot(),
            Family::PlanarLinkage(n) => self.planar_linkage(n),
            Family::Loop(n) => self.single_loop(n),
            Family::LinkageOutput(n) => {
                let linkage = self.planar_linkage(n);
                self.with_output(linkage)
            }
            Family::LoopOutput(n) => {
                let chain = self.single_loop(n);
                self.with_output(chain)
            }
            Family::Hybrid(n) => self.hybrid(n),
            Family::Geared(n) => self.geared(n),
            Family::Screw(n) => self.with_screws(n),
        };
        description.name = format!("{family:?}");
        description
    }
}
