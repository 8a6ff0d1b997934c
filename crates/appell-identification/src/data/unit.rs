//! Units that recorders write, and what they are in SI.

use appell::description::JointKind;
use core::f64::consts::{PI, TAU};

/// A unit that recorders write.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Unit {
    /// Its word in files.
    pub word: &'static str,
    /// What 1 of it is in SI.
    pub in_si: f64,
    joint: Option<JointKind>, // that it is of; none where it stands for both
}

/// Standard gravity, m/s², exact by definition.
const STANDARD_GRAVITY: f64 = 9.80665;

/// A pound, kg; an inch and a foot, m: exact by definition.
const POUND: f64 = 0.453_592_37;
const INCH: f64 = 0.0254;
const FOOT: f64 = 12.0 * INCH;

const fn both(word: &'static str, in_si: f64) -> Unit {
    Unit { word, in_si, joint: None }
}

const fn turns(word: &'static str, in_si: f64) -> Unit {
    Unit { word, in_si, joint: Some(JointKind::Revolute) }
}

const fn slides(word: &'static str, in_si: f64) -> Unit {
    Unit { word, in_si, joint: Some(JointKind::Prismatic) }
}

impl Unit {
    /// Of time; of all quantities the usual unit is the first, and stands for rad and m, N m and N alike.
    pub const TIMES: &'static [Self] = &[both("s", 1.0), both("ms", 1e-3), both("us", 1e-6), both("ns", 1e-9)];

    /// Of positions.
    pub const POSITIONS: &'static [Self] =
        &[both("rad", 1.0), turns("deg", PI / 180.0), turns("turn", TAU), slides("m", 1.0), slides("mm", 1e-3)];

    /// Of an encoder, so many a turn, or a metre of what slides.
    pub const COUNT: Self = both("counts", 1.0);

    /// Of velocities.
    pub const VELOCITIES: &'static [Self] = &[
        both("rad/s", 1.0),
        turns("deg/s", PI / 180.0),
        turns("rpm", TAU / 60.0),
        slides("m/s", 1.0),
        slides("mm/s", 1e-3),
    ];

    /// Of efforts.
    pub const EFFORTS: &'static [Self] = &[
        both("N m", 1.0),
        turns("mN m", 1e-3),
        turns("kgf m", STANDARD_GRAVITY),
        turns("kgf cm", 1e-2 * STANDARD_GRAVITY),
        turns("lbf ft", POUND * STANDARD_GRAVITY * FOOT),
        turns("lbf in", POUND * STANDARD_GRAVITY * INCH),
        turns("ozf in", POUND / 16.0 * STANDARD_GRAVITY * INCH),
        slides("N", 1.0),
        slides("kN", 1e3),
        slides("kgf", STANDARD_GRAVITY),
        slides("lbf", POUND * STANDARD_GRAVITY),
        Self::AMPERE,
        both("Nm", 1.0),
        turns("mNm", 1e-3),
    ];

    /// Of efforts, with a constant beside.
    pub const AMPERE: Self = both("A", 1.0);

    /// In SI units, at a joint of this kind.
    pub(crate) fn at(self, joint: JointKind) -> f64 {
        if self == Self::COUNT && joint == JointKind::Revolute { TAU } else { self.in_si }
    }

    /// Whether it can be one of a joint.
    pub(crate) fn fits(self, joint: JointKind) -> bool {
        self.joint.is_none_or(|kind| kind == joint)
    }
}
