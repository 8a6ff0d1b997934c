//! Equations of one joint: the turn or slide that gives a point a distance, a height or a direction.
//!
//! Where an equation has no root the joint goes where it comes nearest, and where every position is a root it stays
//! where it was: no answer is ever not a number, and what is missing shows in the gap of the closing joint.

use crate::description::JointKind;
use crate::real::Real;
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
pub(super) struct Position {
    pub(super) q: f64,
    turn: Turn,
}

impl Position {
    fn of_slide(q: f64) -> Self {
        Self { q, turn: Turn::NONE }
    }

    fn of_angle(q: f64) -> Self {
        Self { q, turn: Turn::by(q) }
    }

    #[inline(always)]
    fn of_turn(turn: Turn) -> Self {
        Self { q: Real::atan2(turn.sin, turn.cos), turn }
    }
}

impl JointAxis {
    /// Where the joint carries a point.
    #[inline(always)]
    pub(super) fn carry(&self, position: Position, x: Vec3) -> Vec3 {
        match self.joint {
            JointKind::Revolute => self.point + turned(self.axis, position, x - self.point),
            JointKind::Prismatic => x + self.axis.scale(position.q),
        }
    }

    /// The same joint counted backwards.
    pub(super) fn reversed(&self) -> Self {
        Self { axis: -self.axis, ..*self }
    }
}

/// What is left of a vector across an axis.
#[inline(always)]
pub(super) fn across(axis: Vec3, v: Vec3) -> Vec3 {
    v - axis.scale(axis.dot(v))
}

/// R v = v cos q + s × v sin q + s (s·v) (1 − cos q)  (Rodrigues).
#[inline(always)]
pub(super) fn turned(axis: Vec3, Position { turn, .. }: Position, v: Vec3) -> Vec3 {
    v.scale(turn.cos) + axis.cross(v).scale(turn.sin) + axis.scale(axis.dot(v) * (1.0 - turn.cos))
}

/// The angle about an axis that brings one vector over another, both seen along the axis.
///
/// Both are projected before they are multiplied: near the axis, where little is left of them, products of the whole
/// vectors would be rounding.
#[inline(always)]
pub(super) fn angle_between(axis: Vec3, from: Vec3, to: Vec3, near: f64) -> f64 {
    let (f, t) = (across(axis, from), across(axis, to));
    let is_nothing = |part: Vec3, whole: Vec3| part.dot(part) <= NOTHING * NOTHING * whole.dot(whole);
    if is_nothing(f, from) || is_nothing(t, to) { near } else { Real::atan2(axis.dot(f.cross(t)), f.dot(t)) }
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
pub(super) fn turns(
    [a, b, c]: [f64; 3],
    square: f64,
    near: f64,
    may_turn: impl Fn(f64) -> bool,
    visit: impl FnMut(Position),
) {
    let r_square = a * a + b * b;
    turns_with([a, b, c], [r_square, r_square - c * c, square], near, may_turn, visit);
}

/// The same with r² and r² − c² as they are best known.
#[inline(always)]
pub(super) fn turns_with(
    [a, b, c]: [f64; 3],
    [r_square, rest, square]: [f64; 3],
    near: f64,
    may_turn: impl Fn(f64) -> bool,
    mut visit: impl FnMut(Position),
) {
    if r_square <= NOTHING * NOTHING * square {
        return visit(Position::of_angle(near));
    }
    if rest <= 0.0 {
        let unit = c.signum() / r_square.sqrt();
        return visit(Position::of_turn(Turn { cos: a * unit, sin: b * unit }));
    }
    let (s, unit) = (rest.sqrt(), 1.0 / r_square);
    let one = Turn { cos: (a * c - b * s) * unit, sin: (b * c + a * s) * unit };
    let other = Turn { cos: (a * c + b * s) * unit, sin: (b * c - a * s) * unit };
    let before = Turn::by(near);
    let way = |turn: Turn| (turn.cos * before.cos + turn.sin * before.sin, turn);
    let (one, other) = (way(one), way(other));
    for (cosine, turn) in if one.0 >= other.0 { [one, other] } else { [other, one] } {
        if may_turn(cosine) {
            visit(Position::of_turn(turn));
        }
    }
}

/// The roots of |w + q s|² = `square`.
#[inline(always)]
pub(super) fn slides(axis: Vec3, w: Vec3, square: f64, mut visit: impl FnMut(Position)) {
    let along = axis.dot(w);
    let offset = w - axis.scale(along);
    let half = (square - offset.dot(offset)).max(0.0).sqrt();
    visit(Position::of_slide(half - along));
    if half > 0.0 {
        visit(Position::of_slide(-half - along));
    }
}

/// The root of e·(m + q s) = e·k.
pub(super) fn slide_to_height(e: Vec3, axis: Vec3, rise: f64) -> Position {
    Position::of_slide(rise / e.dot(axis))
}
