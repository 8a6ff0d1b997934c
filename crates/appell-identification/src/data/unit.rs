//! Units that recorders write, and what they are in SI.

use appell::description::JointKind;
use core::f64::consts::{PI, TAU};

/// Of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(missing_docs, reason = "the names speak for themselves")]
pub enum TimeUnit {
    #[default]
    Second,
    Millisecond,
    Microsecond,
}

/// Of positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(missing_docs, reason = "the names speak for themselves")]
pub enum PositionUnit {
    #[default]
    Radian,
    Degree,
    Turn,
    Metre,
    Millimetre,
    /// Of an encoder, so many a turn, or a metre of what slides.
    Count,
}

/// Of velocities.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(missing_docs, reason = "the names speak for themselves")]
pub enum VelocityUnit {
    #[default]
    RadianASecond,
    DegreeASecond,
    TurnAMinute,
    MetreASecond,
    MillimetreASecond,
}

/// Of efforts; an ampere needs a constant beside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(missing_docs, reason = "the names speak for themselves")]
pub enum EffortUnit {
    #[default]
    NewtonMetre,
    MillinewtonMetre,
    KilogramForceMetre,
    KilogramForceCentimetre,
    PoundForceFoot,
    PoundForceInch,
    OunceForceInch,
    Newton,
    Kilonewton,
    KilogramForce,
    PoundForce,
    Ampere,
}

/// Standard gravity, m/s², exact by definition.
const STANDARD_GRAVITY: f64 = 9.80665;

/// A pound, kg; an inch and a foot, m: exact by definition.
const POUND: f64 = 0.453_592_37;
const INCH: f64 = 0.0254;
const FOOT: f64 = 12.0 * INCH;

/// A unit: its words in files, and what it is in SI.
pub(crate) trait Unit: Copy + 'static {
    /// All words.
    const WORDS: &'static [(&'static str, Self)];

    /// In SI units.
    fn in_si(self) -> f64;

    /// Whether it can be one of a joint; the usual units stand for rad and m alike.
    fn fits(self, joint: JointKind) -> bool;

    /// What it stands for at a joint of this kind.
    fn at(self, _: JointKind) -> Self {
        self
    }

    /// Its word.
    fn word(self) -> &'static str
    where
        Self: PartialEq,
    {
        Self::WORDS.iter().find(|(_, unit)| *unit == self).map_or("", |(word, _)| word)
    }
}

impl PositionUnit {
    /// Its word in files.
    #[must_use]
    pub fn word(self) -> &'static str {
        if self == Self::Count { "counts" } else { Unit::word(self) }
    }
}

impl Unit for TimeUnit {
    const WORDS: &'static [(&'static str, Self)] =
        &[("s", Self::Second), ("ms", Self::Millisecond), ("us", Self::Microsecond)];

    fn in_si(self) -> f64 {
        match self {
            Self::Second => 1.0,
            Self::Millisecond => 1e-3,
            Self::Microsecond => 1e-6,
        }
    }

    fn fits(self, _: JointKind) -> bool {
        true
    }
}

impl Unit for PositionUnit {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("rad", Self::Radian),
        ("deg", Self::Degree),
        ("turn", Self::Turn),
        ("m", Self::Metre),
        ("mm", Self::Millimetre),
    ];

    fn in_si(self) -> f64 {
        match self {
            Self::Radian | Self::Metre => 1.0,
            Self::Degree => PI / 180.0,
            Self::Turn | Self::Count => TAU,
            Self::Millimetre => 1e-3,
        }
    }

    fn fits(self, joint: JointKind) -> bool {
        match self {
            Self::Radian | Self::Count => true,
            Self::Degree | Self::Turn => joint == JointKind::Revolute,
            Self::Metre | Self::Millimetre => joint == JointKind::Prismatic,
        }
    }

    fn at(self, joint: JointKind) -> Self {
        match (self, joint) {
            (Self::Count, JointKind::Prismatic) => Self::Metre,
            (Self::Count, JointKind::Revolute) => Self::Turn,
            _ => self,
        }
    }
}

impl Unit for VelocityUnit {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("rad/s", Self::RadianASecond),
        ("deg/s", Self::DegreeASecond),
        ("rpm", Self::TurnAMinute),
        ("m/s", Self::MetreASecond),
        ("mm/s", Self::MillimetreASecond),
    ];

    fn in_si(self) -> f64 {
        match self {
            Self::RadianASecond | Self::MetreASecond => 1.0,
            Self::DegreeASecond => PI / 180.0,
            Self::TurnAMinute => TAU / 60.0,
            Self::MillimetreASecond => 1e-3,
        }
    }

    fn fits(self, joint: JointKind) -> bool {
        match self {
            Self::RadianASecond => true,
            Self::DegreeASecond | Self::TurnAMinute => joint == JointKind::Revolute,
            Self::MetreASecond | Self::MillimetreASecond => joint == JointKind::Prismatic,
        }
    }
}

impl Unit for EffortUnit {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("N m", Self::NewtonMetre),
        ("mN m", Self::MillinewtonMetre),
        ("kgf m", Self::KilogramForceMetre),
        ("kgf cm", Self::KilogramForceCentimetre),
        ("lbf ft", Self::PoundForceFoot),
        ("lbf in", Self::PoundForceInch),
        ("ozf in", Self::OunceForceInch),
        ("N", Self::Newton),
        ("kN", Self::Kilonewton),
        ("kgf", Self::KilogramForce),
        ("lbf", Self::PoundForce),
        ("A", Self::Ampere),
        ("Nm", Self::NewtonMetre),
        ("mNm", Self::MillinewtonMetre),
    ];

    fn in_si(self) -> f64 {
        match self {
            Self::NewtonMetre | Self::Newton | Self::Ampere => 1.0,
            Self::MillinewtonMetre => 1e-3,
            Self::Kilonewton => 1e3,
            Self::KilogramForceMetre | Self::KilogramForce => STANDARD_GRAVITY,
            Self::KilogramForceCentimetre => 1e-2 * STANDARD_GRAVITY,
            Self::PoundForce => POUND * STANDARD_GRAVITY,
            Self::PoundForceFoot => POUND * STANDARD_GRAVITY * FOOT,
            Self::PoundForceInch => POUND * STANDARD_GRAVITY * INCH,
            Self::OunceForceInch => POUND / 16.0 * STANDARD_GRAVITY * INCH,
        }
    }

    fn fits(self, joint: JointKind) -> bool {
        match self {
            Self::NewtonMetre | Self::Ampere => true,
            Self::MillinewtonMetre
            | Self::KilogramForceMetre
            | Self::KilogramForceCentimetre
            | Self::PoundForceFoot
            | Self::PoundForceInch
            | Self::OunceForceInch => joint == JointKind::Revolute,
            Self::Newton | Self::Kilonewton | Self::KilogramForce | Self::PoundForce => joint == JointKind::Prismatic,
        }
    }

    /// N m stands for N alike.
    fn at(self, joint: JointKind) -> Self {
        match (self, joint) {
            (Self::NewtonMetre, JointKind::Prismatic) => Self::Newton,
            _ => self,
        }
    }
}
