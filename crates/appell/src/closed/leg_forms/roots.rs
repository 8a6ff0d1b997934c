//! Equations of one joint: the turn or slide that gives a point a distance, a height or a direction.
//!
//! Where an equation has no root the joint goes where it comes nearest, and where every position is a root it stays
//! where it was: no answer is ever not a number, and what is missing shows in the gap of the closing joint.
//!
//! Which root is which is seen of the value: of a recorded expression the one that it is at the state of recording. Lanes
//! whose equations are of different kinds, one with two roots beside one with none, have no number for an answer.

use crate::description::JointKind;
use crate::real::{Measured, Real};
use crate::spatial::{PlanarRotation, Vec3};

/// An amplitude below this, over what it is made of, is rounding.
const NOTHING: f64 = 1e-14;

/// Whether a number is positive; `None` if lanes disagree, or it is none.
#[inline(always)]
pub(in super::super) fn is_positive<T: Measured>(x: T) -> Option<bool> {
    let x = x.plain();
    if x.least() > 0.0 { Some(true) } else { (x.greatest() <= 0.0).then_some(false) }
}

/// Whether a part of something is no more than rounding of it, both given by their squares.
#[inline(always)]
fn is_nothing<T: Measured>(part: T, whole: T) -> Option<bool> {
    is_positive(part.plain() - whole.plain().scale(NOTHING * NOTHING)).map(|is_something| !is_something)
}

/// A joint where all joints of its leg are at zero, in the base.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct JointAxis {
    pub(super) joint: JointKind,
    /// Direction of the axis, of length 1.
    pub(super) axis: Vec3,
    /// A point on the axis.
    pub(super) point: Vec3,
}

/// A position of a joint, with its cosine and sine if it turns.
#[derive(Debug, Clone, Copy)]
pub(super) struct Position<T = f64> {
    pub(super) q: T,
    turn: PlanarRotation<T>,
}

impl<T: Real> Position<T> {
    #[inline(always)]
    fn of_slide(q: T) -> Self {
        Self { q, turn: PlanarRotation::NONE.lift(q) }
    }

    #[inline(always)]
    fn of_angle(q: T) -> Self {
        Self { q, turn: PlanarRotation::by(q) }
    }

    #[inline(always)]
    fn of_turn(turn: PlanarRotation<T>) -> Self {
        Self { q: turn.sin.atan2(turn.cos), turn }
    }

    /// That of lanes that disagree.
    #[inline(always)]
    fn of_none(like: T) -> Self {
        let none = like.constant(f64::NAN);
        Self { q: none, turn: PlanarRotation { cos: none, sin: none } }
    }
}

impl JointAxis {
    /// Where the joint carries a point.
    #[inline(always)]
    pub(super) fn carry<T: Real>(&self, position: Position<T>, x: Vec3<T>) -> Vec3<T> {
        let (axis, point) = (self.axis.lift(x.x), self.point.lift(x.x));
        match self.joint {
            JointKind::Revolute => point + turned(axis, position, x - point),
            JointKind::Prismatic => x + axis.times(position.q),
        }
    }

    /// The same joint counted backwards.
    pub(super) fn reversed(&self) -> Self {
        Self { axis: -self.axis, ..*self }
    }
}

/// What is left of a vector across an axis.
#[inline(always)]
pub(super) fn across<T: Real>(axis: Vec3<T>, v: Vec3<T>) -> Vec3<T> {
    v - axis.times(axis.dot(v))
}

/// R v = v cos q + s × v sin q + s (s·v) (1 − cos q)  (Rodrigues).
#[inline(always)]
pub(super) fn turned<T: Real>(axis: Vec3<T>, Position { turn, .. }: Position<T>, v: Vec3<T>) -> Vec3<T> {
    let versine = turn.cos.constant(1.0) - turn.cos;
    v.times(turn.cos) + axis.cross(v).times(turn.sin) + axis.times(axis.dot(v) * versine)
}

/// The angle about an axis that brings one vector over another, both seen along the axis.
///
/// Both are projected before they are multiplied: near the axis, where little is left of them, products of the whole
/// vectors would be rounding.
#[inline(always)]
pub(super) fn angle_between<T: Measured>(axis: Vec3<T>, from: Vec3<T>, to: Vec3<T>, near: f64) -> T {
    let (f, t) = (across(axis, from), across(axis, to));
    let is_along = {
        #[inline(always)]
        |part: Vec3<T>, whole: Vec3<T>| is_nothing(part.dot(part), whole.dot(whole))
    };
    match (is_along(f, from), is_along(t, to)) {
        (Some(false), Some(false)) => axis.dot(f.cross(t)).atan2(f.dot(t)),
        (Some(true), Some(_)) | (Some(_), Some(true)) => f.x.constant(near),
        _ => f.x.constant(f64::NAN),
    }
}

/// The roots of an equation, two at most.
#[derive(Clone, Copy)]
pub(super) struct Roots<T: Measured> {
    roots: [Root<T>; 2],
    count: usize,
}

/// A root.
#[derive(Clone, Copy)]
pub(super) enum Root<T: Measured> {
    At(Position<T>),
    /// A turn whose angle is not computed before it is asked for, and the cosine of its way.
    Turned(PlanarRotation<T>, T::Plain),
}

impl<T: Measured> Root<T> {
    /// The cosine of its way, if it is one of two turns.
    #[inline(always)]
    pub(super) fn cosine(&self) -> Option<T::Plain> {
        match *self {
            Self::At(_) => None,
            Self::Turned(_, cosine) => Some(cosine),
        }
    }

    #[inline(always)]
    pub(super) fn position(self) -> Position<T> {
        match self {
            Self::At(position) => position,
            Self::Turned(turn, _) => Position::of_turn(turn),
        }
    }
}

impl<T: Measured> Roots<T> {
    /// One.
    #[inline(always)]
    pub(super) fn one(position: Position<T>) -> Self {
        Self { roots: [Root::At(position); 2], count: 1 }
    }

    /// That of a joint that is not there.
    #[inline(always)]
    pub(super) fn zero(like: T) -> Self {
        Self::one(Position::of_slide(like.zero()))
    }

    /// In the order in which they are looked at.
    #[inline(always)]
    pub(super) fn as_slice(&self) -> &[Root<T>] {
        &self.roots[..self.count]
    }
}

/// The roots of a cos q + b sin q = c; `square` is that of what a and b are made of.
///
/// ```text
/// r² = a² + b²    s = ±√(r² − c²)    cos q = (a c − b s) / r²    sin q = (b c + a s) / r²
/// ```
///
/// Where there is none, s = 0 and a cos q + b sin q is extreme. The root nearer to `near`, from where ways are counted,
/// comes first.
#[inline(always)]
pub(super) fn turns<T: Measured>([a, b, c]: [T; 3], square: T, near: f64) -> Roots<T> {
    let r_square = a * a + b * b;
    turns_with([a, b, c], [r_square, r_square - c * c, square], near)
}

/// The same with r² and r² − c² as they are best known.
#[inline(always)]
pub(super) fn turns_with<T: Measured>([a, b, c]: [T; 3], [r_square, rest, square]: [T; 3], near: f64) -> Roots<T> {
    match (is_nothing(r_square, square), is_positive(rest)) {
        (Some(false), Some(true)) => {}
        (Some(true), _) => return Roots::one(Position::of_angle(a.constant(near))),
        (Some(false), Some(false)) => {
            let unit = c.constant(c.least().signum()) / r_square.sqrt();
            return Roots::one(Position::of_turn(PlanarRotation { cos: a * unit, sin: b * unit }));
        }
        _ => return Roots::one(Position::of_none(a)),
    }
    let (s, unit) = (rest.sqrt(), rest.constant(1.0) / r_square);
    let one = PlanarRotation { cos: (a * c - b * s) * unit, sin: (b * c + a * s) * unit };
    let other = PlanarRotation { cos: (a * c + b * s) * unit, sin: (b * c - a * s) * unit };
    let before = PlanarRotation::by(near);
    let way = {
        #[inline(always)]
        |turn: PlanarRotation<T>| turn.cos.plain().scale(before.cos) + turn.sin.plain().scale(before.sin)
    };
    let (one, other) = ((one, way(one)), (other, way(other)));
    let (nearer, farther) = if (one.1 - other.1).least() >= 0.0 { (one, other) } else { (other, one) };
    Roots { roots: [Root::Turned(nearer.0, nearer.1), Root::Turned(farther.0, farther.1)], count: 2 }
}

/// The roots of |w + q s|² = `square`.
#[inline(always)]
pub(super) fn slides<T: Measured>(axis: Vec3<T>, w: Vec3<T>, square: T) -> Roots<T> {
    let along = axis.dot(w);
    let offset = w - axis.times(along);
    let rest = square - offset.dot(offset);
    let Some(are_two) = is_positive(rest) else { return Roots::one(Position::of_none(rest)) };
    let half = rest.where_positive(rest, rest.zero()).sqrt();
    let (outer, inner) = (Position::of_slide(half - along), Position::of_slide(-half - along));
    Roots { roots: [Root::At(outer), Root::At(inner)], count: if are_two { 2 } else { 1 } }
}

/// The root of e·(m + q s) = e·k.
#[inline(always)]
pub(super) fn slide_to_height<T: Measured>(e: Vec3, axis: Vec3, rise: T) -> Roots<T> {
    Roots::one(Position::of_slide(rise / rise.constant(e.dot(axis))))
}
