//! Two joints that follow each other and bring a point of what they carry over another point.
//!
//! Every pair keeps something of the point it moves, and that is what the leg's third joint is solved from: a
//! universal joint its distance from the centre, a planar pair its height over the plane.
//!
//! ```text
//! universal      s₁·R₂(q₂) w = s₁·u                    w, u: from the centre to the point and to its goal
//! two turns      2 d·R₂(q₂) w = |u|² − |w|² − |d|²     d: from the first axis to the second, w: to the point
//! turn, slide    |w + q₂ s₂| = |u|
//! slide, turn    |u − q₁ s₁| = |w|
//! ```
//!
//! The first three have q₁ by the turn about s₁ that is left to u, the last q₂ about s₂; in the plane all vectors are
//! taken across the axis that turns. Each has two solutions.

use super::roots::{self, JointAxis, across, angle_between, turned};
use crate::description::JointKind::{Prismatic, Revolute};
use crate::real::{Measured, Real};
use crate::spatial::Vec3;

/// A right angle, or parallel axes, to rounding; also lengths, over those of the leg.
const ROUNDING: f64 = 1e-12;
/// The sine below which the point where two axes meet is not known well enough.
const NEARLY_PARALLEL: f64 = 1e-3;

/// Two joints that are solved together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Pair {
    /// Two axes that meet.
    Universal(Universal),
    /// Two joints that move a point in a plane across `normal`.
    Planar { normal: Vec3, first: JointAxis, second: JointAxis, kind: Planar },
}

/// Two revolute joints whose axes meet, at any angle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Universal {
    pub(super) centre: Vec3,
    first: Vec3,  // s₁
    second: Vec3, // s₂
    cosine: f64,  // s₁·s₂
    across: Vec3, // what s₁ is across s₂
    beside: Vec3, // at a right angle to that and s₂
}

/// Which joints make a plane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Planar {
    Turns,
    TurnSlide,
    SlideTurn,
}

/// What a pair keeps of a point.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kept {
    DistanceFrom(Vec3),
    HeightAlong(Vec3),
}

impl Pair {
    /// Recognises two joints of a leg whose lengths are of `size`.
    pub(super) fn new(first: JointAxis, second: JointAxis, size: f64) -> Option<Self> {
        let (s1, s2) = (first.axis, second.axis);
        let normal = s1.cross(s2);
        let between = second.point - first.point;
        let right = s1.dot(s2).abs() <= ROUNDING;
        let planar = |normal, kind| Some(Self::Planar { normal, first, second, kind });
        match (first.joint, second.joint) {
            (Revolute, Revolute) if normal.norm() <= ROUNDING => {
                let apart = across(s1, between).norm() > ROUNDING * size;
                if apart { planar(s1, Planar::Turns) } else { None }
            }
            (Revolute, Revolute) if normal.norm() > NEARLY_PARALLEL => {
                let square = normal.dot(normal);
                if normal.dot(between).abs() > ROUNDING * size * square.sqrt() {
                    return None;
                }
                let centre = first.point + s1.scale(between.cross(s2).dot(normal) / square);
                Some(Self::Universal(Universal {
                    centre,
                    first: s1,
                    second: s2,
                    cosine: s1.dot(s2),
                    across: across(s2, s1),
                    beside: normal,
                }))
            }
            (Revolute, Prismatic) if right => planar(s1, Planar::TurnSlide),
            (Prismatic, Revolute) if right => planar(s2, Planar::SlideTurn),
            _ => None,
        }
    }

    pub(super) fn kept(&self) -> Kept {
        match *self {
            Self::Universal(Universal { centre, .. }) => Kept::DistanceFrom(centre),
            Self::Planar { normal, .. } => Kept::HeightAlong(normal),
        }
    }

    /// A point as both joints are solved for it: from the centre where there is one.
    #[inline(always)]
    pub(super) fn seen<T: Real>(&self, point: Vec3<T>) -> Vec3<T> {
        match self {
            Self::Universal(universal) => point - universal.centre.lift(point.x),
            Self::Planar { .. } => point,
        }
    }

    /// The positions of both joints that bring a point, given where both are at zero, over another, where both `may` be; both
    /// are [`seen`](Self::seen).
    #[inline(always)]
    pub(super) fn solve<T: Measured>(
        &self,
        point: Vec3<T>,
        goal: Vec3<T>,
        near: [f64; 2],
        (may, may_turn): (impl Fn(usize, T::Plain) -> bool, impl Fn(T::Plain) -> bool),
        mut visit: impl FnMut([T; 2]),
    ) {
        let like = goal.x;
        let (first, second, kind) = match self {
            Self::Universal(universal) => return universal.solve(point, goal, near, (may, may_turn), visit),
            Self::Planar { first, second, kind, .. } => (first, second, *kind),
        };
        let (s1, s2) = (first.axis.lift(like), second.axis.lift(like));
        let (p1, p2) = (first.point.lift(like), second.point.lift(like));
        let between = across(first.axis, second.point - first.point).lift(like); // d
        let (w, u, roots) = match kind {
            Planar::Turns => {
                let (w, u, d) = (across(s2, point - p2), across(s1, goal - p1), between);
                let rest = (u.dot(u) - w.dot(w) - d.dot(d)).scale(0.5);
                let square = w.dot(w) * d.dot(d);
                (w, u, roots::turns([w.dot(d), s2.dot(w.cross(d)), rest], square, near[1]))
            }
            Planar::TurnSlide => {
                let (w, u) = (across(s1, point - p1), across(s1, goal - p1));
                (w, u, roots::slides(s2, w, u.dot(u)))
            }
            Planar::SlideTurn => {
                let (w, u) = (across(s2, point - p2), across(s2, goal - p2));
                (w, u, roots::slides(-s1, u, w.dot(w)))
            }
        };
        // The joint that is solved first, and the turn that is left to the other.
        let (solved, left) = if kind == Planar::SlideTurn { (0, 1) } else { (1, 0) };
        for root in roots.as_slice() {
            if let Some(cosine) = root.cosine()
                && !may_turn(cosine)
            {
                continue;
            }
            let position = root.position();
            let q = position.q;
            if !may(solved, q.plain()) {
                continue;
            }
            let (axis, from, to) = match kind {
                Planar::Turns => (s1, between + turned(s2, position, w), u),
                Planar::TurnSlide => (s1, w + s2.times(q), u),
                Planar::SlideTurn => (s2, w, u - s1.times(q)),
            };
            let angle = angle_between(axis, from, to, near[left]);
            visit(if kind == Planar::SlideTurn { [q, angle] } else { [angle, q] });
        }
    }
}

impl Universal {
    /// The positions of both joints that turn w into the direction of u, both from the centre.
    ///
    /// ```text
    /// s₁·R₂ w = (s₁·s₂) (s₂·w) + e·w cos q₂ + (e × s₂)·w sin q₂        e = s₁ − (s₁·s₂) s₂
    /// ```
    ///
    /// What decides how far both solutions are apart is the same seen from either axis; from the one that is nearer,
    /// less is lost in the difference:
    ///
    /// ```text
    /// |e|² |w across s₂|² − (s₁·u − s₁·s₂ s₂·w)² = |e|² |u across s₁|² − (s₂·w − s₁·s₂ s₁·u)²        |u| = |w|
    /// ```
    #[inline(always)]
    fn solve<T: Measured>(
        &self,
        w: Vec3<T>,
        u: Vec3<T>,
        near: [f64; 2],
        (may, may_turn): (impl Fn(usize, T::Plain) -> bool, impl Fn(T::Plain) -> bool),
        mut visit: impl FnMut([T; 2]),
    ) {
        let (square, goal) = (w.dot(w), u.dot(u));
        match (roots::is_positive(square), roots::is_positive(goal)) {
            (Some(true), Some(true)) => {}
            (is_point, is_goal) => {
                let unknown = is_point.is_none() || is_goal.is_none();
                let [q1, q2] = if unknown { [f64::NAN; 2] } else { near };
                return visit([square.constant(q1), square.constant(q2)]);
            }
        }
        let (first, second) = (self.first.lift(square), self.second.lift(square));
        let u = u.times((square / goal).sqrt());
        let (a, b) = (self.across.lift(square).dot(w), self.beside.lift(square).dot(w));
        let (along, aside) = (first.dot(u), second.dot(w));
        let c = along - aside.scale(self.cosine);
        let from_second = a * a + b * b;
        let from_first = across(first, u).dot(across(first, u)).scale(self.across.dot(self.across));
        let seen_from_first = {
            #[inline(always)]
            || {
                let left = aside - along.scale(self.cosine);
                from_first - left * left
            }
        };
        let apart = match roots::is_positive(from_second.plain() - from_first.plain()) {
            Some(true) => seen_from_first(),
            Some(false) => from_second - c * c,
            None => (from_second - from_first).where_positive(seen_from_first(), from_second - c * c),
        };
        for root in roots::turns_with([a, b, c], [from_second, apart, square], near[1]).as_slice() {
            if let Some(cosine) = root.cosine()
                && !may_turn(cosine)
            {
                continue;
            }
            let q2 = root.position();
            if may(1, q2.q.plain()) {
                visit([angle_between(first, turned(second, q2, w), u, near[0]), q2.q]);
            }
        }
    }
}
