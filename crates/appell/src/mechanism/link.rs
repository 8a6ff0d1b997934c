//! A body with the joint that carries it: the constants of one step of every recursion.

use super::Placement;
use crate::description::{BodyDescription, JointDescription, JointKind};
use crate::spatial::{Sym3, Vec3};

/// A body with its joint, in the joint's frame: z is the joint's axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Link {
    /// The body that carries this one; `None` is the base.
    pub parent: Option<usize>,
    /// How the joint moves.
    pub joint: JointKind,
    /// Where the joint's frame hangs on the parent's.
    pub placement: Placement,
    /// m, kg.
    pub mass: f64,
    /// r: origin → centre of mass, m.
    pub com: Vec3<f64>,
    /// I: inertia about the centre of mass, kg m².
    pub inertia: Sym3<f64>,
    /// J = ½ tr(I) 1 − I: Euler's tensor  [Mata2002, eq. 11].
    pub euler: Sym3<f64>,
    /// How the body can turn.
    pub spin: Spin,
    /// Whether no body hangs on this one.
    pub leaf: bool,
    /// Whether this is the first child of its parent that an inward sweep meets, the one of largest index.
    pub first_met: bool,
    /// Constants of the body composed of this one and all that hangs on it.
    pub composite: Composite,
}

/// How a body can turn, by the structure of the robot. The first bodies of a robot turn about one axis or not at
/// all, and the recursions spare what is zero then; that is where the constants of the papers' counts come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spin {
    /// Only prismatic joints from the base to here: it does not turn.
    Still,
    /// The first revolute joint from the base: it turns about its own z.
    AboutZ,
    /// About any axis.
    General,
}

/// What §4.2 of Mata et al. computes off-line in step 1, for a body and all that hangs on it.
///
/// Children on prismatic joints enter the first moment and the inertia on-line, because they move.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Composite {
    /// M: mass of this body and all beyond, kg.
    pub mass: f64,
    /// γ: first moment of this body, and of the masses beyond as if at their revolute joints, kg m.
    pub first_moment: Vec3<f64>,
    /// H: inertia of this body about its origin, kg m².
    pub inertia_at_origin: Sym3<f64>,
    /// E: H and the inertia of the masses beyond as if at their revolute joints, kg m².
    pub inertia: Sym3<f64>,
    /// Size of the inertia about the origin with the robot stretched out, kg m²: what a pivot is measured against.
    pub extent: f64,
}

impl Link {
    /// Size of the inertia the joint moves with all other joints locked, kg m² or kg.
    #[must_use]
    pub fn inertia_scale(&self) -> f64 {
        self.joint.pick(self.composite.extent, self.composite.mass)
    }

    /// This link of a plain chain, with what is known of such a one as constants that a compiler sees: a copy of which it
    /// keeps what is used, and none of the choices.
    #[inline(always)]
    pub(crate) fn of_plain_chain(&self, parent: Option<usize>, spin: Spin, leaf: bool) -> Self {
        let placement = self.placement.of_plain_chain();
        Self { parent, joint: JointKind::Revolute, placement, spin, leaf, first_met: true, ..self.clone() }
    }

    /// Whether this is link `j` of a plain chain: revolute joints in a row, in modified Denavit-Hartenberg frames.
    fn is_of_plain_chain(&self, j: usize) -> bool {
        self.parent == j.checked_sub(1) && self.joint == JointKind::Revolute && self.placement.is_of_plain_chain()
    }
}

/// How many links at the beginning are a plain chain, on the last of which all others hang; 0 if these are fewer than three.
pub(super) fn plain_trunk(links: &[Link]) -> usize {
    let plain = links.iter().enumerate().take_while(|(j, link)| link.is_of_plain_chain(*j)).count();
    let carries_all = |&last: &usize| links[last + 1..].iter().all(|link| link.parent.is_some_and(|p| p >= last));
    (2..plain).rev().find(carries_all).map_or(0, |last| last + 1)
}

/// The links of a robot whose description was found valid.
pub(super) fn link_up(joints: &[JointDescription], parents: &[Option<usize>]) -> Vec<Link> {
    let mut links: Vec<Link> = Vec::with_capacity(joints.len());
    for (joint, &parent) in joints.iter().zip(parents) {
        let parent_spin = parent.map_or(Spin::Still, |p| links[p].spin);
        let kind = joint.kind.last(); // the rows are elementary
        let (nowhere, nothing) = (Vec3::zero(0.0), Sym3::zero(0.0));
        links.push(Link {
            parent,
            joint: kind,
            placement: Placement::new(kind, &joint.placement),
            mass: 0.0,
            com: nowhere,
            inertia: nothing,
            euler: nothing,
            spin: match (parent_spin, kind) {
                (Spin::Still, JointKind::Prismatic) => Spin::Still,
                (Spin::Still, JointKind::Revolute) => Spin::AboutZ,
                _ => Spin::General,
            },
            leaf: true,
            first_met: true,
            composite: Composite {
                mass: 0.0,
                first_moment: nowhere,
                inertia_at_origin: nothing,
                inertia: nothing,
                extent: 0.0,
            },
        });
    }
    for j in (0..links.len()).rev() {
        let Some(p) = links[j].parent else { continue };
        links[j].first_met = links[p].leaf;
        links[p].leaf = false;
    }
    put_bodies(&mut links, |j| joints[j].body.seen_from(&joints[j].link_frame));
    links
}

/// Puts bodies on the links, each given in its joint's frame, and composes them from the tips to the base.
pub(super) fn put_bodies(links: &mut [Link], mut body: impl FnMut(usize) -> BodyDescription) {
    for (j, link) in links.iter_mut().enumerate() {
        let BodyDescription { mass, com, inertia } = body(j);
        let half_trace = 0.5 * inertia.trace();
        let inertia_at_origin = inertia + Sym3::of_point_mass(mass, com);
        (link.mass, link.com, link.inertia) = (mass, com, inertia);
        link.euler = Sym3 {
            xx: half_trace - inertia.xx,
            xy: -inertia.xy,
            xz: -inertia.xz,
            yy: half_trace - inertia.yy,
            yz: -inertia.yz,
            zz: half_trace - inertia.zz,
        };
        link.composite = Composite {
            mass,
            first_moment: com.scale(mass),
            inertia_at_origin,
            inertia: inertia_at_origin,
            extent: inertia_at_origin.trace(),
        };
    }
    for j in (0..links.len()).rev() {
        let Some(p) = links[j].parent else { continue };
        let Composite { mass, extent, .. } = links[j].composite;
        let (joint, s) = (links[j].joint, links[j].placement.offset_at_zero());
        let parent = &mut links[p].composite;
        parent.mass += mass;
        parent.extent += extent + 2.0 * mass * s.dot(s);
        if joint == JointKind::Revolute {
            parent.first_moment = parent.first_moment + s.scale(mass);
            parent.inertia = parent.inertia + Sym3::of_point_mass(mass, s);
        }
    }
}
