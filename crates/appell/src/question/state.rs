//! What a question is asked about: positions, velocities, accelerations, torques or forces, and wrenches.

use super::Motion;
use crate::dynamics::reactions::ExternalWrench;
use crate::mechanism::{Axes, Mechanism};
use crate::spatial::Wrench;

/// One of the vectors a state may have; a table's columns are named by its symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Input {
    /// Joint positions, `q1…`, rad or m.
    Positions,
    /// Joint velocities, `v1…`, rad/s or m/s.
    Velocities,
    /// Joint accelerations, `a1…`, rad/s² or m/s².
    Accelerations,
    /// Joint forces, `tau1…`, N m or N.
    Forces,
    /// A second vector of joint velocities, `w1…`, rad/s or m/s.
    SecondVelocities,
}

/// What a robot does, and what is done to it. A vector that the question does not read may be empty.
///
/// Vectors have one value per joint of an open robot, per drive of one with closed loops. The motion of such a robot may be given
/// by its platform instead: [`State::platform`].
#[derive(Debug, Clone, Copy, Default)]
pub struct State<'s> {
    /// Positions, rad or m.
    pub q: &'s [f64],
    /// Velocities, rad/s or m/s.
    pub v: &'s [f64],
    /// Accelerations, rad/s² or m/s².
    pub a: &'s [f64],
    /// Torques and forces, N m or N.
    pub tau: &'s [f64],
    /// Second velocities, rad/s or m/s.
    pub w: &'s [f64],
    /// By what the motion is given: `q`, `v` and `a`, unless it says otherwise.
    pub motion: Motion<'s>,
    /// Wrenches from outside at frames of the tree.
    pub external: &'s [ExternalWrench],
    /// A wrench from outside at the platform's origin, in base axes.
    pub on_platform: Option<Wrench>,
}

impl<'s> State<'s> {
    /// Joints, or drives, in motion.
    #[must_use]
    pub fn joints(q: &'s [f64], v: &'s [f64], a: &'s [f64]) -> Self {
        Self { q, v, a, ..Self::default() }
    }

    /// Joints, or drives, in motion under torques and forces.
    #[must_use]
    pub fn forced(q: &'s [f64], v: &'s [f64], tau: &'s [f64]) -> Self {
        Self { q, v, tau, ..Self::default() }
    }

    /// A platform in motion: its pose, its twist and the twist's rate, linear first, in base axes.
    #[must_use]
    pub fn platform(pose: crate::spatial::Pose<f64>, twist: [f64; 6], acceleration: [f64; 6]) -> Self {
        let motion = Motion::Platform { pose, twist: twist.map(Some), acceleration: acceleration.map(Some) };
        Self { motion, ..Self::default() }
    }

    /// One of its vectors.
    #[must_use]
    pub fn vector(&self, input: Input) -> &'s [f64] {
        match input {
            Input::Positions => self.q,
            Input::Velocities => self.v,
            Input::Accelerations => self.a,
            Input::Forces => self.tau,
            Input::SecondVelocities => self.w,
        }
    }
}

/// Which frame a question about one frame is about. `Target::default()` is the last frame, in base axes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Target {
    /// Its index in [`Mechanism::frames`]; the last one if `None`.
    pub frame: Option<usize>,
    /// The axes that components refer to.
    pub axes: Axes,
}

impl Target {
    /// The index of the frame in a robot.
    #[must_use]
    pub fn frame_of(self, robot: &Mechanism) -> usize {
        self.frame.unwrap_or_else(|| robot.last_frame())
    }
}

impl Input {
    /// All of them, in the order of a table.
    pub const ALL: [Self; 5] =
        [Self::Positions, Self::Velocities, Self::Accelerations, Self::Forces, Self::SecondVelocities];

    /// The letters its columns begin with.
    #[must_use]
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Positions => "q",
            Self::Velocities => "v",
            Self::Accelerations => "a",
            Self::Forces => "tau",
            Self::SecondVelocities => "w",
        }
    }

    /// What it is, with its units.
    #[must_use]
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Positions => "joint positions, rad or m",
            Self::Velocities => "joint velocities, rad/s or m/s",
            Self::Accelerations => "joint accelerations, rad/s^2 or m/s^2",
            Self::Forces => "joint forces, N m or N",
            Self::SecondVelocities => "second joint velocities, rad/s or m/s",
        }
    }
}
