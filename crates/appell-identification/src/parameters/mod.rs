//! What is to be identified: the columns of an observation matrix, with their names.
//!
//! | column | name | multiplies |
//! |---|---|---|
//! | ten of a body, about the origin of its own frame | `M3 MX3 MY3 MZ3 XX3 XY3 YY3 XZ3 YZ3 ZZ3` | what [`regressor`] says |
//! | an [`Effect`] in a joint | `Fv3 Fc3 off3 Ia3 k3 …` | a function of the joint's motion |
//! | an effect in a [`Coupling`], a motor that several joints turn | `Iam6 Fvm6 Fcm6` | the same of the motor's motion |
//!
//! Joints of a tree are numbered, as in the literature; every name may also be written with the joint's own name,
//! `ZZ.elbow`, which is the only way in robots with closed loops: `ZZ.leg1.u2`, `MX.platform`.
//!
//! [`regressor`]: appell::dynamics::regressor

pub(crate) mod coupling;
mod effect;
mod model;

pub use coupling::Coupling;
pub use effect::Effect;
pub use model::{Model, UnknownName};

use appell::dynamics::regressor::PARAMETERS_PER_BODY;

/// One of the ten inertial parameters of a body, about the origin of its own frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(
    missing_docs,
    reason = "named as in the literature: mass, first moments m c, entries of the tensor of inertia"
)]
pub enum Inertial {
    M,
    Mx,
    My,
    Mz,
    Xx,
    Xy,
    Yy,
    Xz,
    Yz,
    Zz,
}

impl Inertial {
    /// All of them, in the order of the library's regressor.
    pub const ALL: [Self; PARAMETERS_PER_BODY] =
        [Self::M, Self::Mx, Self::My, Self::Mz, Self::Xx, Self::Xy, Self::Yy, Self::Xz, Self::Yz, Self::Zz];

    /// Its symbol.
    #[must_use]
    pub const fn symbol(self) -> &'static str {
        ["M", "MX", "MY", "MZ", "XX", "XY", "YY", "XZ", "YZ", "ZZ"][self as usize]
    }

    /// Its unit.
    #[must_use]
    pub const fn unit(self) -> &'static str {
        match self {
            Self::M => "kg",
            Self::Mx | Self::My | Self::Mz => "kg m",
            _ => "kg m²",
        }
    }
}

/// A body: the one of a joint, or the platform.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Body {
    /// Of the joint of this index.
    Joint(usize),
    /// The one that legs hold.
    Platform,
}

/// A column of an observation matrix.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Column {
    /// A parameter of a body.
    Inertial {
        /// The body.
        body: Body,
        /// Which parameter.
        parameter: Inertial,
    },
    /// Something that acts in a joint.
    Effect {
        /// The joint.
        joint: usize,
        /// What acts.
        effect: Effect,
    },
    /// Something that acts in a motor which several joints turn.
    Coupled {
        /// Which, in [`Model::couplings`].
        motor: usize,
        /// What acts.
        effect: Effect,
    },
}

impl Column {
    /// The symbol of what it is, without the part it belongs to.
    #[must_use]
    pub const fn symbol(&self) -> &'static str {
        match self {
            Self::Inertial { parameter, .. } => parameter.symbol(),
            Self::Effect { effect, .. } | Self::Coupled { effect, .. } => effect.symbol(),
        }
    }

    /// Whether it is that of a drive's gain, which stands on the left of the equations.
    #[must_use]
    pub const fn is_gain(&self) -> bool {
        matches!(self, Self::Effect { effect: Effect::DriveGain, .. })
    }

    /// What its value may not be below in a physically consistent robot; `None` where any value may be.
    #[must_use]
    pub const fn lower_bound(&self) -> Option<f64> {
        match self {
            Self::Inertial { parameter: Inertial::M | Inertial::Xx | Inertial::Yy | Inertial::Zz, .. } => Some(0.0),
            Self::Effect { effect, .. } | Self::Coupled { effect, .. } if effect.resists() => Some(0.0),
            _ => None,
        }
    }
}
