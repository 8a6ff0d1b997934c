//! Joints of a closed mechanism that follow others: gears, belts, and the nut of a screw.
//!
//! A coupling is a linear relation between positions of the tree's joints, and a constraint as those of the closing joints are:
//!
//! ```text
//! g = s (q − Σ m_k q_k − offset)        ġ = s (q̇ − Σ m_k q̇_k)        g̈ = s (q̈ − Σ m_k q̈_k)
//! ```
//!
//! s makes a length of it, and no entry of the row larger than those of a closing joint: a pinion that turns a thousand times as
//! fast as its wheel is measured at the wheel. Its multiplier λ is a torque or force s λ in the joint that follows, −s m_k λ in
//! the others, between each one's body and what carries it. It holds nothing else: what teeth and threads do to the bearings
//! depends on where they are, which a description does not say.

use super::ClosedMechanism;
use crate::mechanism::{Follower, Mechanism};
use crate::real::Real;

/// A joint that follows others: Σ coefficient q = offset over its terms.
#[derive(Debug, Clone, PartialEq)]
pub struct Coupling {
    /// The name of the joint that follows; of a screw that of its slide, `JOINT.slide`.
    pub name: String,
    /// Joints of the tree with their coefficients, which make a length of the sum; the joint that follows is the first.
    pub terms: Vec<(usize, f64)>,
    /// What the sum is, m.
    pub offset: f64,
    /// Its row in the robot's, after those of all closures.
    pub row: usize,
}

impl Coupling {
    /// The couplings of a tree, with rows from `first` on; `length_scale` makes lengths of the joints' positions.
    pub(super) fn all(tree: &Mechanism, first: usize, length_scale: impl Fn(usize) -> f64) -> Vec<Self> {
        let follows = tree.followers().iter().enumerate().filter_map(|(j, own)| Some((j, own.as_ref()?)));
        let coupling = |(place, (j, Follower { leaders, offset })): (usize, (usize, &Follower))| {
            let mut terms = vec![(j, 1.0)];
            terms.extend(leaders.iter().map(|&(leader, multiplier)| (leader, -multiplier)));
            let largest = terms.iter().map(|&(k, factor)| (factor / length_scale(k)).abs()).fold(0.0, f64::max);
            terms.iter_mut().for_each(|(_, factor)| *factor /= largest);
            let name = tree.joint_names()[j].clone();
            Self { name, terms, offset: offset / largest, row: first + place }
        };
        follows.enumerate().map(coupling).collect()
    }

    /// The joint that follows.
    #[must_use]
    pub fn follower(&self) -> usize {
        self.terms[0].0
    }

    /// The joints that it follows.
    pub fn leaders(&self) -> impl Iterator<Item = usize> + '_ {
        self.terms[1..].iter().map(|&(j, _)| j)
    }

    /// q = Σ multiplier q_leader + offset: the joints that it follows with their multipliers, and the offset in its own unit.
    pub fn position_by_leaders(&self) -> (impl Iterator<Item = (usize, f64)> + '_, f64) {
        let (_, own) = self.terms[0];
        (self.terms[1..].iter().map(move |&(j, factor)| (j, -factor / own)), self.offset / own)
    }

    /// Whether a joint takes part in it.
    #[must_use]
    pub fn has(&self, joint: usize) -> bool {
        self.terms.iter().any(|&(j, _)| j == joint)
    }

    /// g at positions of the tree's joints, m.
    #[inline(always)]
    pub(super) fn gap<T: Real>(&self, q: &[T]) -> T {
        let mut gap = q[0].constant(-self.offset);
        for &(j, factor) in &self.terms {
            gap = q[j].scale_add(factor, gap);
        }
        gap
    }

    /// Where the joint that follows must be, the others at `q`.
    pub(super) fn position(&self, q: &[f64]) -> f64 {
        let (follower, factor) = self.terms[0];
        q[follower] - self.gap(q) / factor
    }

    /// What follows what, in words.
    #[must_use]
    pub fn sentence(&self, robot: &ClosedMechanism) -> String {
        let names = robot.tree().joint_names();
        let leaders: Vec<String> = self.leaders().map(|j| format!("`{}`", names[j])).collect();
        format!("`{}` follows {}", self.name, leaders.join(" and "))
    }
}

impl ClosedMechanism {
    /// Whether a joint follows others, or is followed: whole turns of it count.
    #[inline(always)]
    #[must_use]
    pub fn is_coupled(&self, joint: usize) -> bool {
        self.couplings.iter().any(|coupling| coupling.has(joint))
    }
}
