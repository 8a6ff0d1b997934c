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

/// A word in files, the unit, what 1 of it is in SI, and the joints it is of; none where it stands for both.
type Row<U> = (&'static str, U, f64, Option<JointKind>);

const TURNS: Option<JointKind> = Some(JointKind::Revolute);
const SLIDES: Option<JointKind> = Some(JointKind::Prismatic);

/// A unit of a table; the usual ones stand for rad and m alike.
pub(crate) trait Unit: Copy + PartialEq + 'static {
    /// All words.
    const TABLE: &'static [Row<Self>];

    /// What it stands for at a joint of this kind.
    fn at(self, _: JointKind) -> Self {
        self
    }

    /// Its first row.
    fn row(self) -> Option<&'static Row<Self>> {
        Self::TABLE.iter().find(|row| row.1 == self)
    }

    /// In SI units.
    fn in_si(self) -> f64 {
        self.row().map_or(1.0, |row| row.2)
    }

    /// Whether it can be one of a joint.
    fn fits(self, joint: JointKind) -> bool {
        self.row().and_then(|row| row.3).is_none_or(|kind| kind == joint)
    }

    /// Its word.
    fn word(self) -> &'static str {
        self.row().map_or("", |row| row.0)
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
    const TABLE: &'static [Row<Self>] =
        &[("s", Self::Second, 1.0, None), ("ms", Self::Millisecond, 1e-3, None), ("us", Self::Microsecond, 1e-6, None)];
}

/// Counts have no word: they are said by how many there are.
impl Unit for PositionUnit {
    const TABLE: &'static [Row<Self>] = &[
        ("rad", Self::Radian, 1.0, None),
        ("deg", Self::Degree, PI / 180.0, TURNS),
        ("turn", Self::Turn, TAU, TURNS),
        ("m", Self::Metre, 1.0, SLIDES),
        ("mm", Self::Millimetre, 1e-3, SLIDES),
    ];

    fn at(self, joint: JointKind) -> Self {
        match (self, joint) {
            (Self::Count, JointKind::Prismatic) => Self::Metre,
            (Self::Count, JointKind::Revolute) => Self::Turn,
            _ => self,
        }
    }
}

impl Unit for VelocityUnit {
    const TABLE: &'static [Row<Self>] = &[
        ("rad/s", Self::RadianASecond, 1.0, None),
        ("deg/s", Self::DegreeASecond, PI / 180.0, TURNS),
        ("rpm", Self::TurnAMinute, TAU / 60.0, TURNS),
        ("m/s", Self::MetreASecond, 1.0, SLIDES),
        ("mm/s", Self::MillimetreASecond, 1e-3, SLIDES),
    ];
}

impl Unit for EffortUnit {
    const TABLE: &'static [Row<Self>] = &[
        ("N m", Self::NewtonMetre, 1.0, None),
        ("mN m", Self::MillinewtonMetre, 1e-3, TURNS),
        ("kgf m", Self::KilogramForceMetre, STANDARD_GRAVITY, TURNS),
        ("kgf cm", Self::KilogramForceCentimetre, 1e-2 * STANDARD_GRAVITY, TURNS),
        ("lbf ft", Self::PoundForceFoot, POUND * STANDARD_GRAVITY * FOOT, TURNS),
        ("lbf in", Self::PoundForceInch, POUND * STANDARD_GRAVITY * INCH, TURNS),
        ("ozf in", Self::OunceForceInch, POUND / 16.0 * STANDARD_GRAVITY * INCH, TURNS),
        ("N", Self::Newton, 1.0, SLIDES),
        ("kN", Self::Kilonewton, 1e3, SLIDES),
        ("kgf", Self::KilogramForce, STANDARD_GRAVITY, SLIDES),
        ("lbf", Self::PoundForce, POUND * STANDARD_GRAVITY, SLIDES),
        ("A", Self::Ampere, 1.0, None),
        ("Nm", Self::NewtonMetre, 1.0, None),
        ("mNm", Self::MillinewtonMetre, 1e-3, TURNS),
    ];

    /// N m stands for N alike.
    fn at(self, joint: JointKind) -> Self {
        match (self, joint) {
            (Self::NewtonMetre, JointKind::Prismatic) => Self::Newton,
            _ => self,
        }
    }
}
