//! Equations of one joint: the turn or slide that gives a point a distance, a height or a direction.
//!
//! Where an equation has no root the joint goes where it comes nearest, and where every position is a root it stays
//! where it was: no answer is ever not a number, and what is missing shows in the gap of the closing joint.
//!
//! Which root is which is seen of the value: of a recorded expression the one that it is at the state of recording.

use crate::description::JointKind;
use crate::real::{Measured, Real};
use crate::spatial::{Turn, Vec3};

/// An amplitude below this, over what it is made of, is rounding.
const NOTHING: f64 = 1e-14;

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
    turn: Turn<T>,
}

impl<T: Real> Position<T> {
    #[inline(always)]
    fn of_slide(q: T) -> Self {
        Self { q, turn: Turn::NONE.lift(q) }
    }

    #[inline(always)]
    fn of_angle(q: T) -> Self {
        Self { q, turn: Turn::by(q) }
    }

    #[inline(always)]
    fn of_turn(turn: Turn<T>) -> Self {
        Self { q: turn.sin.atan2(turn.cos), turn }
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
    let is_nothing =
        |part: Vec3<T>, whole: Vec3<T>| part.dot(part).least() <= NOTHING * NOTHING * whole.dot(whole).least();
    if is_nothing(f, from) || is_nothing(t, to) { f.x.constant(near) } else { axis.dot(f.cross(t)).atan2(f.dot(t)) }
}

/// The roots of a cos q + b sin q = c; `square` is that of what a and b are made of.
///
/// ```text
/// r² = a² + b²    s = ±√(r² − c²)    cos q = (a c − b s) / r²    sin q = (b c + a s) / r²
/// ```
///
/// Where there is none, s = 0 and a cos q + b sin q is extreme. The root nearer to `near` comes first, and no angle is
/// computed of one whose turn from there, given by its cosine, `may_turn` refuses.
#[inline(always)]
pub(super) fn turns<T: Measured>(
    [a, b, c]: [T; 3],
    square: T,
    near: f64,
    may_turn: impl Fn(f64) -> bool,
    visit: impl FnMut(Position<T>),
) {
    let r_square = a * a + b * b;
    turns_with([a, b, c], [r_square, r_square - c * c, square], near, may_turn, visit);
}

/// The same with r² and r² − c² as they are best known.
#[inline(always)]
pub(super) fn turns_with<T: Measured>(
    [a, b, c]: [T; 3],
    [r_square, rest, square]: [T; 3],
    near: f64,
    may_turn: impl Fn(f64) -> bool,
    mut visit: impl FnMut(Position<T>),
) {
    if r_square.least() <= NOTHING * NOTHING * square.least() {
        return visit(Position::of_angle(a.constant(near)));
    }
    if rest.least() <= 0.0 {
        let unit = c.constant(c.least().signum()) / r_square.sqrt();
        return visit(Position::of_turn(Turn { cos: a * unit, sin: b * unit }));
    }
    let (s, unit) = (rest.sqrt(), rest.constant(1.0) / r_square);
    let one = Turn { cos: (a * c - b * s) * unit, sin: (b * c + a * s) * unit };
    let other = Turn { cos: (a * c + b * s) * unit, sin: (b * c - a * s) * unit };
    let before = Turn::by(near);
    let way = |turn: Turn<T>| (turn.cos.least() * before.cos + turn.sin.least() * before.sin, turn);
    let (one, other) = (way(one), way(other));
    for (cosine, turn) in if one.0 >= other.0 { [one, other] } else { [other, one] } {
        if may_turn(cosine) {
            visit(Position::of_turn(turn));
        }
    }
}

/// The roots of |w + q s|² = `square`.
#[inline(always)]
pub(super) fn slides<T: Measured>(axis: Vec3<T>, w: Vec3<T>, square: T, mut visit: impl FnMut(Position<T>)) {
    let along = axis.dot(w);
    let offset = w - axis.times(along);
    let rest = square - offset.dot(offset);
    let half = rest.where_positive(rest, rest.zero()).sqrt();
    visit(Position::of_slide(half - along));
    if half.least() > 0.0 {
        visit(Position::of_slide(-half - along));
    }
}

/// The root of e·(m + q s) = e·k.
#[inline(always)]
pub(super) fn slide_to_height<T: Real>(e: Vec3, axis: Vec3, rise: T) -> Position<T> {
    Position::of_slide(rise / rise.constant(e.dot(axis)))
}
