//! What a user writes: a robot as a table of joints and bodies, before anything is checked or computed.
//!
//! [`toml::read`] and [`urdf::read`] turn a file's text into a [`Description`], [`toml::write`] and [`urdf::write`] the
//! other way; [`dh_table`] does the same for plain tables, [`par`] for files of SYMORO; [`mjcf`] and [`sdf`] read those of MuJoCo
//! and Gazebo; programs may also fill one by hand. [`check()`] lists
//! everything that is wrong in it, and [`Mechanism::new`](crate::mechanism::Mechanism::new) accepts it if nothing is.
//! [`lint()`] lists what is unlikely beside. [`to_convention`] writes it in other frames.

mod arc;
mod check;
mod check_body;
mod check_closed;
mod check_effects;
mod check_transmission;
mod closed;
mod convention;
mod conversion;
pub mod dh_table;
mod effects;
pub mod elementary;
mod friction;
mod joint_type;
mod khalil_kleinfinger;
mod linkage;
mod lint;
mod loose;
pub mod mjcf;
mod name;
pub mod notes;
mod output;
pub mod par;
mod problem;
pub mod quantity;
mod ratios;
pub mod sdf;
mod shape;
pub mod toml;
mod transmission;
pub mod urdf;
mod xml;

pub use arc::Arc;
pub use check::check;
pub use check_body::check_body;
pub use check_effects::check_effects;
pub use closed::{
    Attachment, Branch, Carrier, ClosingJoint, ClosureDescription, Freedom, PLATFORM, PlatformDescription,
};
pub use convention::{Column, Convention};
pub use conversion::{Refusal, to_convention, to_modified_dh, to_standard_dh};
pub use effects::{JointEffects, Limits, Mimic, Rotor, Spring};
pub use friction::{Friction, FrictionCurve, sign};
pub use joint_type::JointType;
pub use khalil_kleinfinger::KhalilKleinfinger;
pub use lint::lint;
pub(crate) use loose::{along_the_base, loose_angles};
pub use output::resolve;
pub use problem::{Finding, Problem, Problems, Severity, plain};
pub use quantity::Quantity;
pub use ratios::Ratios;
pub(crate) use transmission::with_rotors;
pub use transmission::{MotorDescription, Mounting, TransmissionDescription};

use crate::spatial::{Pose, Sym3, Vec3};

/// A robot as described: joints in order, each with the body it carries.
#[derive(Debug, Clone, PartialEq)]
pub struct Description {
    /// The robot's name.
    pub name: String,
    /// Acceleration of gravity in the base frame, m/s².
    pub gravity: Vec3<f64>,
    /// The joints; a parent stands before its children.
    pub joints: Vec<JointDescription>,
    /// Further named frames, such as a tool.
    pub frames: Vec<FrameDescription>,
    /// The body that legs hold, of a parallel robot.
    pub platform: Option<PlatformDescription>,
    /// What closes loops.
    pub closures: Vec<ClosureDescription>,
    /// The frame that moves as a platform does, of a robot with closed loops: a named frame, the body of a joint, or the
    /// platform itself.
    pub output: Option<String>,
    /// Motors that drive joints together.
    pub transmissions: Vec<TransmissionDescription>,
    /// What the user's table is written in, so that it can be shown and written that way.
    pub convention: Convention,
}

impl Description {
    /// Whether the robot is more than a tree: it has a platform, or joints that close loops.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.platform.is_some() || !self.closures.is_empty()
    }

    /// The names of all that closes loops, as shown in messages.
    pub(crate) fn closure_names(&self) -> Vec<String> {
        self.closures.iter().map(|closure| closure.name.clone()).collect()
    }
}

impl Default for Description {
    /// A nameless robot without joints, under standard gravity.
    fn default() -> Self {
        Self {
            name: String::new(),
            gravity: STANDARD_GRAVITY,
            joints: Vec::new(),
            frames: Vec::new(),
            platform: None,
            closures: Vec::new(),
            output: None,
            transmissions: Vec::new(),
            convention: Convention::default(),
        }
    }
}

/// A joint, how its frame hangs on the parent's, and the body it carries.
#[derive(Debug, Clone, PartialEq)]
pub struct JointDescription {
    /// Name of the joint and of the body it carries.
    pub name: String,
    /// How it moves.
    pub kind: JointType,
    /// The joint whose body carries this one, or the platform by its name; `None` is the base.
    pub parent: Option<String>,
    /// Where it sits on the parent; `theta` (revolute) or `r` (prismatic) is the value at q = 0.
    pub placement: KhalilKleinfinger,
    /// How far a screw slides per turn, m; zero of all others.
    pub pitch: f64,
    /// Whether a motor drives it.
    pub driven: bool,
    /// Friction, rotor and spring.
    pub effects: JointEffects,
    /// How far, fast and strong it may be.
    pub limits: Limits,
    /// The joint it is geared to, if any. The coordinates of a tree stay independent: whether to couple them is the caller's
    /// choice. In a robot with closed loops it always follows.
    pub mimic: Option<Mimic>,
    /// Where it is when the robot is at home, about: the search for a configuration that closes all loops begins there.
    pub home: f64,
    /// Its working mode, in a leg that reaches a pose in several ways.
    pub branch: Branch,
    /// The user's frame of the body, seen from the joint's frame.
    pub link_frame: Pose<f64>,
    /// The body, in the user's frame.
    pub body: BodyDescription,
}

impl JointDescription {
    /// A driven joint on the base, its frame on the base's, with a massless body and without effects or limits.
    #[must_use]
    pub fn new(name: impl Into<String>, kind: impl Into<JointType>) -> Self {
        Self {
            name: name.into(),
            kind: kind.into(),
            parent: None,
            placement: KhalilKleinfinger::default(),
            pitch: 0.0,
            driven: true,
            effects: JointEffects::default(),
            limits: Limits::default(),
            mimic: None,
            home: 0.0,
            branch: Branch::Any,
            link_frame: Pose::identity(0.0),
            body: BodyDescription::default(),
        }
    }
}

/// How an elementary joint moves its body: about or along the z axis of the joint's frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JointKind {
    /// Turns about z; q in rad.
    Revolute,
    /// Slides along z; q in m.
    Prismatic,
}

named!(pub JointKind { Revolute: "revolute", Prismatic: "prismatic" });

impl JointKind {
    /// The first of a joint that turns, the second of one that slides.
    #[inline(always)]
    pub fn pick<X>(self, turning: X, sliding: X) -> X {
        match self {
            Self::Revolute => turning,
            Self::Prismatic => sliding,
        }
    }
}

/// Mass, centre of mass and inertia about it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct BodyDescription {
    /// kg
    pub mass: f64,
    /// m, in the body's frame.
    pub com: Vec3<f64>,
    /// kg m², about the centre of mass, in axes parallel to the body's frame; entries of the tensor, xy = −∫ x y dm.
    pub inertia: Sym3<f64>,
}

impl BodyDescription {
    /// The same body with all its mass scaled.
    #[must_use]
    pub fn scaled(&self, k: f64) -> Self {
        Self { mass: k * self.mass, inertia: self.inertia.scale(k), ..*self }
    }

    /// This body and another one, fixed on it and given in the same frame, as one. A massless one changes nothing, to the
    /// last bit.
    ///
    /// ```
    /// use appell::description::BodyDescription;
    /// use appell::spatial::Vec3;
    ///
    /// let point = |x: f64| BodyDescription { mass: 1.0, com: Vec3::new(x, 0.0, 0.0), ..BodyDescription::default() };
    /// let both = point(0.0).with(&point(2.0));
    /// assert_eq!((both.mass, both.com.x, both.inertia.xx, both.inertia.zz), (2.0, 1.0, 0.0, 2.0));
    /// ```
    #[must_use]
    pub fn with(&self, other: &Self) -> Self {
        let (mass, apart) = (self.mass + other.mass, other.com - self.com);
        let share = if mass == 0.0 { 0.0 } else { other.mass / mass };
        let about_both = Sym3::of_point_mass(self.mass * share, apart);
        Self { mass, com: self.com + apart.scale(share), inertia: self.inertia + other.inertia + about_both }
    }

    /// The same body seen from another frame.
    #[must_use]
    pub fn seen_from(&self, new_from_old: &Pose<f64>) -> Self {
        Self {
            mass: self.mass,
            com: new_from_old.point(self.com),
            inertia: self.inertia.turned_by(&new_from_old.rotation),
        }
    }
}

/// A named frame fixed on a body.
#[derive(Debug, Clone, PartialEq)]
pub struct FrameDescription {
    /// Its name.
    pub name: String,
    /// The joint whose body carries it, or the platform by its name; `None` is the base.
    pub parent: Option<String>,
    /// Where it is, seen from the body's (user) frame.
    pub pose: Pose<f64>,
}

/// The name of the frame that does not move. No joint, frame or closing joint may take it.
pub const BASE: &str = "base";

/// Gravity where a file does not say otherwise, m/s².
pub const STANDARD_GRAVITY: Vec3<f64> = Vec3::new(0.0, 0.0, -9.81);
