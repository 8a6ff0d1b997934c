//! Rollouts: many robots move for many steps in one function of a device, law and integration in it.
//!
//! ```text
//! q̈ = FD(q, q̇, law(t, q, q̇); p)
//! semi-implicit   q̇' = q̇ + h q̈          q' = q + h q̇'
//! Runge-Kutta     the classical scheme of fourth order; the law answers in every stage
//! ```
//!
//! | file | what it is |
//! |---|---|
//! | `law`, `reference` | torques and costs as expressions; what robots follow |
//! | `plant` | what moves: forward dynamics with parameters that every robot has of its own |
//! | `platform` | the same of parallel robots, by their platform: loops stay closed |
//! | `record` | all of this as one program |
//! | `step`, `kernel` | one step of a scheme; the function around all of them |
//! | `gradient` | derivatives of the cost by what it depends on, backwards through the steps |
//! | `text` | device functions of programs, ports, lines |
//!
//! [`Options`] say which ports the function has, in this order; entries are by robot unless they are shared:
//!
//! | port | what it is |
//! |---|---|
//! | `q0`, `v0` | where the robots start; of a parallel robot pose and independent velocities |
//! | `torques` | of an open law: of every step those of all drives; shared or by robot |
//! | `p` | what every robot has of its own, as [`Options::varied`] names it |
//! | `own`, `shared` | numbers of law and cost, as [`Rollout::own`] and [`Rollout::shared`] name them |
//! | `q`, `v` | where they end |
//! | `samples` | what is stored, row by row as [`Rollout::columns`] names it |
//! | `ended` | steps within the limits: after them a robot stays where it was |
//! | `cost` | the cost |
//! | `violation` | of a parallel robot: how far its loops are open at the end, m |
//! | `dt`, `steps` | the length of a step, and how many, at most [`Options::steps`] |

mod gradient;
mod kernel;
mod law;
mod plant;
mod platform;
mod record;
mod reference;
mod step;
mod text;

pub use gradient::{By, Gradient, gradient};
pub use law::{Cost, Law, Moment, Whose};
pub use plant::Varied;
pub use reference::Reference;

use crate::emit::device::Code;
use appell::Robot;
use appell::closed::SingularError;
use appell::description::Limits;
use appell::dynamics::InertiaError;

/// How a step is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scheme {
    /// Velocities first, positions by the new ones: one evaluation, of first order, without a drift of energy.
    SemiImplicit,
    /// The classical scheme of fourth order: four evaluations.
    #[default]
    RungeKutta4,
}

/// What may be stored of every step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Channel {
    /// Positions after the step.
    Positions,
    /// Velocities after the step.
    Velocities,
    /// Torques of the law at the step's beginning.
    Torques,
}

/// What is generated.
#[derive(Debug)]
pub struct Options<'l> {
    /// What drives the robots.
    pub law: Law<'l>,
    /// What a rollout costs, if that is asked for.
    pub cost: Option<Cost<'l>>,
    /// What every robot has of its own.
    pub varied: Vec<Varied>,
    /// How a step is made.
    pub scheme: Scheme,
    /// The largest number of steps.
    pub steps: usize,
    /// Where and how fast drives may be, one each; empty if nothing ends a rollout. Efforts are not looked at.
    pub limits: Vec<Limits>,
    /// What is stored.
    pub stored: Vec<Channel>,
    /// Every how many steps.
    pub stride: usize,
}

impl<'l> Options<'l> {
    /// A law, by Runge and Kutta's scheme for at most 1000 steps, and nothing else.
    #[must_use]
    pub fn new(law: Law<'l>) -> Self {
        Self {
            law,
            cost: None,
            varied: Vec::new(),
            scheme: Scheme::default(),
            steps: 1000,
            limits: Vec::new(),
            stored: Vec::new(),
            stride: 1,
        }
    }
}

/// A generated rollout.
#[derive(Debug, Clone)]
pub struct Rollout {
    /// For the device.
    pub code: Code,
    /// The names of the numbers in `shared`.
    pub shared: Vec<String>,
    /// The names of the numbers in `own`.
    pub own: Vec<String>,
    /// The names of a row of `samples`.
    pub columns: Vec<String>,
    /// How many rows `samples` has.
    pub rows: usize,
}

/// Why no rollout is generated.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages are the documentation")]
pub enum Refused {
    #[error("no rollout can be generated for {robot}: {reason}")]
    Robot { robot: String, reason: &'static str },
    #[error("`{name}` is every robot's own twice; name it once")]
    Twice { name: String },
    #[error("`{name}` is to be every robot's own, and the robot has {joints} joints{}", if *.platform { " and a platform, P" } else { " and no platform" })]
    Unknown { name: String, joints: usize, platform: bool },
    #[error(
        "friction of joint {joint} jumps where it stands still, which steps of a fixed length cannot follow; give it `smoothing`"
    )]
    Jumps { joint: String },
    #[error("the law answers {found} torques, and the robot has {joints} drives")]
    Torques { found: usize, joints: usize },
    #[error("`{name}` cannot be every robot's own: joint {joint} is not driven; friction may vary in drives")]
    Passive { name: String, joint: String },
    #[error("{found} limits are given, and the robot has {joints} drives; give one each, infinite where there is none")]
    Limits { found: usize, joints: usize },
    #[error("every 0th step cannot be stored; a stride is 1 at least")]
    Stride,
    #[error("a gradient is that of a cost, and there is none; give one")]
    NoCost,
    #[error("{what} have no place in a gradient; leave them out")]
    NotOfGradient { what: &'static str },
    #[error("there is no gradient by torques, since they are the law's; let it be open")]
    NotOpen,
    #[error("the state at which the code would be recorded has no answer")]
    Inertia(#[from] InertiaError),
    #[error("the state at which the code would be recorded has no answer")]
    Singular(#[from] SingularError),
}

/// Generates a rollout.
///
/// ```
/// use appell::Robot;
/// use appell_codegen::rollout::{self, Law, Options, Reference, Whose};
///
/// let robot = Robot::builtin("puma560")?;
/// let law = Law::computed_torque(&robot, Reference::Passage, Whose::Own);
/// let rollout = rollout::generate(&robot, &Options::new(law))?;
/// assert!(rollout.code.text.contains("APPELL_DEVICE"));
/// assert_eq!((rollout.shared.len(), rollout.own.len()), (12, 13));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the robot has joints of several coordinates, friction that jumps, or not what is varied, or the law does not fit it.
pub fn generate(robot: &Robot, options: &Options<'_>) -> Result<Rollout, Refused> {
    check(robot, options)?;
    kernel::generate(robot, options)
}

fn check(robot: &Robot, options: &Options<'_>) -> Result<(), Refused> {
    let tree = robot.tree();
    if robot.closed().is_none() && tree.coordinates().is_some() {
        let reason = "joints of it have several coordinates, or are screws or coupled followers";
        return Err(Refused::Robot { robot: tree.name().into(), reason });
    }
    plant::check(robot, &options.varied)?;
    let (found, joints) = (options.limits.len(), law::drives(robot));
    if found != 0 && found != joints {
        return Err(Refused::Limits { found, joints });
    }
    if options.stride == 0 {
        return Err(Refused::Stride);
    }
    Ok(())
}
