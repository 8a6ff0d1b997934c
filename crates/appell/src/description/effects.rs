//! What acts in a joint beside the inertia of the bodies, and how far it may go.

use super::Friction;

/// Friction, rotor and spring of a joint. The default is none of them.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct JointEffects {
    /// What resists the motion.
    pub friction: Friction,
    /// The motor's rotor.
    pub rotor: Rotor,
    /// What pulls towards a rest position.
    pub spring: Spring,
}

/// A rotor behind a gear: it adds `inertia gear²` to the joint's inertia.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rotor {
    /// About the motor's axis, kg m².
    pub inertia: f64,
    /// Turns of the motor a turn of the joint, or rad/m of a slide.
    pub gear: f64,
}

/// A linear spring: `stiffness (q − rest)`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Spring {
    /// N m/rad or N/m.
    pub stiffness: f64,
    /// rad or m.
    pub rest: f64,
}

/// How far, how fast and how strong a joint may be; infinite where there is no limit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// Least position, rad or m.
    pub lower: f64,
    /// Largest position, rad or m.
    pub upper: f64,
    /// Largest speed, rad/s or m/s.
    pub velocity: f64,
    /// Largest force, N m or N.
    pub effort: f64,
}

/// A joint that follows others, mostly one: `q = Σ multiplier q_joint + offset`.
#[derive(Debug, Clone, PartialEq)]
pub struct Mimic {
    /// The joints it follows, each with its multiplier: turns or metres per turn or metre of that joint.
    pub joints: Vec<(String, f64)>,
    /// rad or m.
    pub offset: f64,
}

impl Mimic {
    /// A joint that follows one other: `q = multiplier q_joint + offset`.
    #[must_use]
    pub fn new(joint: impl Into<String>, multiplier: f64, offset: f64) -> Self {
        Self { joints: vec![(joint.into(), multiplier)], offset }
    }

    /// The joint that it follows and the multiplier, if it is one.
    #[must_use]
    pub fn single(&self) -> Option<(&str, f64)> {
        match &self.joints[..] {
            [(joint, multiplier)] => Some((joint, *multiplier)),
            _ => None,
        }
    }

    /// The names of the joints that it follows.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.joints.iter().map(|(name, _)| name.as_str())
    }
}

impl Rotor {
    /// What it adds to the joint's inertia, kg m² or kg.
    #[must_use]
    pub fn reflected_inertia(&self) -> f64 {
        self.inertia * self.gear * self.gear
    }
}

impl Default for Rotor {
    fn default() -> Self {
        Self { inertia: 0.0, gear: 1.0 }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self { lower: f64::NEG_INFINITY, upper: f64::INFINITY, velocity: f64::INFINITY, effort: f64::INFINITY }
    }
}
