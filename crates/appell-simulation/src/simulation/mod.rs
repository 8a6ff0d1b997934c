//! Robots that move by themselves: the differential equations of a mechanism, integrated.
//!
//! A [`Plant`] is a robot with its state; a [`Law`] gives its torques and forces; a [`Method`] carries both through
//! time. Every moment of the motion can be looked at, because each step knows what happened within it.
//!
//! | file | what it holds |
//! |---|---|
//! | [`plant`] | trees in their joints; closed mechanisms in local coordinates, whose loops cannot open |
//! | [`law`] | torques and forces: none, constant, by a function of time and state, perhaps with states of their own |
//! | `friction` | joints that stick and slip by dry friction and brakes, by events |
//! | [`stepper`] | Dormand's and Prince's 5(4) with dense output, Runge's and Kutta's 4, the implicit midpoint |
//! | `within`, `quartic` | limits that are passed within a step |
//! | [`run()`] | from one time to another, with samples, events and a count of what it cost |
//!
//! ```
//! use appell::robots;
//! use core::ops::ControlFlow;
//! use appell_simulation::simulation::{Options, law::Free, plant::Tree, run};
//!
//! let robot = robots::find("puma560").unwrap().mechanism();
//! let mut plant = Tree::new(&robot, &[0.0; 6], &[0.0; 6]);
//! let outcome = run(&mut plant, &mut Free, 0.0, 0.1, &Options::default(), |_| ControlFlow::Continue(()));
//! assert!(outcome.stop.is_none() && outcome.t == 0.1);
//! ```

mod friction;
pub mod law;
pub mod plant;
mod quartic;
mod run;
pub mod stepper;
mod system;
mod within;

pub use law::{Integral, Law};
pub use plant::{Plant, View};
pub use run::{Options, Outcome, Pulse, Sample, Simulation, Watched, run};
pub use stepper::{Cost, Method, Tolerances};

use crate::trajectory::FollowError;
use appell::closed::SingularError;
use appell::closed::assembly::AssemblyError;
use appell::description::plain;
use appell::dynamics::InertiaError;

/// Why a motion did not go on, and what it was then.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("at t = {t} s: {reason}")]
pub struct Stop {
    /// When, s.
    pub t: f64,
    /// Why.
    pub reason: Reason,
}

/// Why a motion did not go on.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Reason {
    /// A joint has come to a limit.
    #[error("the {quantity} of joint `{joint}` is {}, beyond its limit {}", plain(*value), plain(*limit))]
    Limit {
        /// Position, velocity or effort.
        quantity: &'static str,
        /// The joint.
        joint: String,
        /// What it is.
        value: f64,
        /// What it may be.
        limit: f64,
    },
    /// A motor behind a transmission has come to a limit.
    #[error("the {quantity} of motor `{motor}` is {}, beyond its limit {}", plain(*value), plain(*limit))]
    MotorLimit {
        /// Position or velocity.
        quantity: &'static str,
        /// The motor.
        motor: String,
        /// What it is.
        value: f64,
        /// What it may be.
        limit: f64,
    },
    /// A joint is faster than any robot.
    #[error(
        "joint `{joint}` moves at {value:.3e}, faster than {most:.1e}: the motion diverges; check torques and forces, gains and the step"
    )]
    RunsAway {
        /// The joint.
        joint: String,
        /// Its velocity, rad/s or m/s.
        value: f64,
        /// What counts as running away.
        most: f64,
    },
    /// A singularity is near.
    #[error("the inverse condition number of {which} is {value:.3e}, nearer to singular than {least:.1e}")]
    NearSingular {
        /// Type 1 of the legs, Type 2 of the drives.
        which: &'static str,
        /// 1 is best, 0 is singular.
        value: f64,
        /// What it may be at least.
        least: f64,
    },
    /// A singularity of a closed mechanism.
    #[error(transparent)]
    Singular(#[from] SingularError),
    /// The robot cannot be there.
    #[error(transparent)]
    Assembly(#[from] AssemblyError),
    /// The inertia matrix of a tree is singular.
    #[error(transparent)]
    Inertia(#[from] InertiaError),
    /// An output is to move, and its motion does not say how the robot moves.
    #[error("the output's motion does not determine the robot's here; follow a motion of the drives")]
    Undetermined,
    /// The energy, or a number of the state, is not finite.
    #[error("{what} is not finite: the motion diverges; check torques and forces, gains and the step")]
    NotFinite {
        /// What.
        what: &'static str,
    },
    /// Steps became too small.
    #[error("a step of {step:.1e} s is still too long: the motion is too fast for these tolerances, or jumps")]
    StepTooSmall {
        /// The last step, s.
        step: f64,
    },
    /// An implicit step did not converge.
    #[error("the implicit step of {step:.1e} s did not converge; take a shorter one")]
    NotSolved {
        /// The step, s.
        step: f64,
    },
    /// A step of a closed robot would end on another branch of its motion.
    #[error("the step of {step:.1e} s leaves the branch of the motion that it began on")]
    Jump {
        /// The step, s.
        step: f64,
    },
    /// More steps than allowed.
    #[error("{steps} steps were not enough; allow more (a scenario's `run.most_steps`), or loosen the tolerances")]
    TooManySteps {
        /// How many.
        steps: usize,
    },
    /// What drives the robot has given up.
    #[error("{0}")]
    Law(String),
}

impl Reason {
    /// Whether a shorter step, or one in other coordinates, may do: the robot cannot be where this one led, or could be in several ways.
    pub(crate) fn is_of_place(&self) -> bool {
        matches!(self, Self::Singular(_) | Self::Assembly(_) | Self::Jump { .. } | Self::NotSolved { .. })
    }

    /// Why a value of a joint ends a motion, if it is beyond its limits.
    pub(crate) fn beyond(
        quantity: &'static str,
        value: f64,
        [lower, upper]: [f64; 2],
        joint: impl FnOnce() -> String,
    ) -> Option<Self> {
        let limit = if value < lower { lower } else { upper };
        (value < lower || value > upper).then(|| Self::Limit { quantity, joint: joint(), value, limit })
    }

    /// The same of the motor that turns such a joint, a rotor.
    pub(crate) fn of_motor(self) -> Self {
        match self {
            Self::Limit { quantity, joint: motor, value, limit } => Self::MotorLimit { quantity, motor, value, limit },
            other => other,
        }
    }
}

/// A missing reference stops the run.
impl From<FollowError> for Reason {
    fn from(error: FollowError) -> Self {
        Self::Law(error.to_string())
    }
}
