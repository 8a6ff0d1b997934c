//! Any question of a robot by its name: what it reads, what it answers, and by which methods.
//!
//! This is the border for programs and bindings that choose at run time; code that knows its question calls
//! [`dynamics`](crate::dynamics) and [`kinematics`](crate::kinematics) itself. The first method of a question is its
//! default.
//!
//! ```
//! use appell::{question::{Evaluator, Question, State, Target}, robots};
//!
//! let robot = robots::find("scara").unwrap().mechanism();
//! let mut evaluator = Evaluator::new(&robot, Question::InertiaMatrix, None, Target::default())?;
//! let mut row = vec![0.0; evaluator.columns().len()];
//! evaluator.evaluate(State { q: &[0.1, 0.2, 0.05, 0.0], ..State::default() }, &mut row)?;
//! assert_eq!(evaluator.columns()[1], "M12");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod closed;
mod coupled;
mod evaluator;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod fused;
pub mod kernel;
mod methods;
mod single;

pub use evaluator::{Evaluator, NotCoupled, UnknownMethod};
pub use methods::{Method, methods};
pub use single::Single;

use crate::dynamics::reactions::ExternalWrench;
use crate::dynamics::regressor;
use crate::mechanism::{Axes, Mechanism};

/// The method that answers forward dynamics of robots with many joints: O(n), where the default is O(n³).
pub const OF_LONG_ROBOTS: &str = "articulated-body";

/// What can be asked of a robot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "`summary` says it")]
pub enum Question {
    InverseDynamics,
    ForwardDynamics,
    InertiaMatrix,
    Bias,
    Gravity,
    CoriolisVector,
    CoriolisMatrix,
    TwoVelocityInverseDynamics,
    Reactions,
    Regressor,
    InverseDynamicsDerivatives,
    ForwardDynamicsDerivatives,
    Energy,
    Momentum,
    CentreOfMass,
    CentreOfMassJacobian,
    GibbsFunction,
    Frames,
    Velocities,
    Accelerations,
    Jacobian,
    JacobianRate,
    Singularity,
    Actuated,
    Joints,
    Platform,
    InverseJacobian,
    Psi,
}

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

/// The vectors of a state. One that the question does not read may be empty.
#[derive(Debug, Clone, Copy, Default)]
#[expect(missing_docs, reason = "named as everywhere")]
pub struct State<'s> {
    pub q: &'s [f64],
    pub v: &'s [f64],
    pub a: &'s [f64],
    pub tau: &'s [f64],
    pub w: &'s [f64],
    pub external: &'s [ExternalWrench],
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
    pub fn frame_of(self, robot: &Mechanism) -> usize {
        self.frame.unwrap_or(robot.frames().len() - 1)
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
}

impl Question {
    /// All questions.
    pub const ALL: [Self; 28] = [
        Self::InverseDynamics,
        Self::ForwardDynamics,
        Self::InertiaMatrix,
        Self::Bias,
        Self::Gravity,
        Self::CoriolisVector,
        Self::CoriolisMatrix,
        Self::TwoVelocityInverseDynamics,
        Self::Reactions,
        Self::Regressor,
        Self::InverseDynamicsDerivatives,
        Self::ForwardDynamicsDerivatives,
        Self::Energy,
        Self::Momentum,
        Self::CentreOfMass,
        Self::CentreOfMassJacobian,
        Self::GibbsFunction,
        Self::Frames,
        Self::Velocities,
        Self::Accelerations,
        Self::Jacobian,
        Self::JacobianRate,
        Self::Singularity,
        Self::Actuated,
        Self::Joints,
        Self::Platform,
        Self::InverseJacobian,
        Self::Psi,
    ];

    /// Its name on a command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::InverseDynamics => "inverse-dynamics",
            Self::ForwardDynamics => "forward-dynamics",
            Self::InertiaMatrix => "inertia-matrix",
            Self::Bias => "bias",
            Self::Gravity => "gravity",
            Self::CoriolisVector => "coriolis-vector",
            Self::CoriolisMatrix => "coriolis-matrix",
            Self::TwoVelocityInverseDynamics => "two-velocity-inverse-dynamics",
            Self::Reactions => "reactions",
            Self::Regressor => "regressor",
            Self::InverseDynamicsDerivatives => "inverse-dynamics-derivatives",
            Self::ForwardDynamicsDerivatives => "forward-dynamics-derivatives",
            Self::Momentum => "momentum",
            Self::CentreOfMass => "centre-of-mass",
            Self::CentreOfMassJacobian => "centre-of-mass-jacobian",
            Self::Energy => "energy",
            Self::GibbsFunction => "gibbs-function",
            Self::Frames => "frames",
            Self::Velocities => "velocities",
            Self::Accelerations => "accelerations",
            Self::Jacobian => "jacobian",
            Self::JacobianRate => "jacobian-rate",
            Self::Singularity => "singularity",
            Self::Actuated => "actuated",
            Self::Joints => "joints",
            Self::Platform => "platform",
            Self::InverseJacobian => "inverse-jacobian",
            Self::Psi => "psi",
        }
    }

    /// What it answers, in one line.
    #[must_use]
    pub const fn summary(self) -> &'static str {
        match self {
            Self::InverseDynamics => "joint forces that give the accelerations",
            Self::ForwardDynamics => "joint accelerations that the forces give",
            Self::InertiaMatrix => "joint inertia matrix, row by row",
            Self::Bias => "joint forces at zero acceleration: velocities, gravity, friction and springs",
            Self::Gravity => "joint forces that hold the robot against gravity",
            Self::CoriolisVector => "joint forces of the bodies' velocities alone, C(q, v) v",
            Self::CoriolisMatrix => "Coriolis matrix C with dM/dt - 2C skew-symmetric, row by row",
            Self::TwoVelocityInverseDynamics => "joint forces M a + C(q, v) w + G of the bodies and rotors",
            Self::Reactions => "force and moment each joint transmits, at the joint, in its frame's axes",
            Self::Regressor => "matrix Y of tau = Y phi, row by row: 10 columns a body, then 4 a joint with effects",
            Self::InverseDynamicsDerivatives => "joint forces differentiated by q, v and a",
            Self::ForwardDynamicsDerivatives => "joint accelerations differentiated by q, v and tau",
            Self::Momentum => "linear momentum, and angular about the centre of mass, in base axes",
            Self::CentreOfMass => "centre of mass of all bodies in the base",
            Self::CentreOfMassJacobian => "3 x n Jacobian of the centre of mass, row by row",
            Self::Energy => "kinetic and potential energy, J",
            Self::GibbsFunction => "Gibbs' function, whose gradient by the accelerations is the joint forces",
            Self::Frames => "poses of all frames in the base: rotation by rows, then position",
            Self::Velocities => "velocities of all frames in base axes: linear, then angular",
            Self::Accelerations => "accelerations of all frames in base axes, without gravity: linear, then angular",
            Self::Jacobian => "Jacobian of one frame, or of a platform by its drives, row by row: linear, then angular",
            Self::JacobianRate => "rate of the Jacobian times v, of one frame: linear, then angular",
            Self::Singularity => {
                "manipulability of one frame in m and rad, inverse of its condition number, and rank; of a closed robot inverse conditions: of its nearest leg, its drives, its constraints and its inverse Jacobian"
            }
            Self::Actuated => "positions, velocities and accelerations of the driven joints of a closed robot",
            Self::Joints => "positions, velocities and accelerations of all joints of a closed robot",
            Self::Platform => "pose, twist and acceleration of the platform, from the driven joints' motion",
            Self::InverseJacobian => "rates of the driven joints by the freedoms of a closed robot, row by row",
            Self::Psi => "twist of the platform by its freedoms, a 6 x n matrix row by row, then its rate",
        }
    }

    /// The question of this name.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|question| question.name() == name)
    }

    /// The vectors it reads.
    #[must_use]
    pub const fn inputs(self) -> &'static [Input] {
        use Input::{Accelerations, Forces, Positions, SecondVelocities, Velocities};
        match self {
            Self::InertiaMatrix
            | Self::InverseJacobian
            | Self::Gravity
            | Self::Frames
            | Self::Jacobian
            | Self::Singularity
            | Self::CentreOfMass
            | Self::CentreOfMassJacobian => &[Positions],
            Self::Bias
            | Self::CoriolisVector
            | Self::CoriolisMatrix
            | Self::Energy
            | Self::Momentum
            | Self::Velocities
            | Self::JacobianRate
            | Self::Psi => &[Positions, Velocities],
            Self::InverseDynamics
            | Self::InverseDynamicsDerivatives
            | Self::Reactions
            | Self::Regressor
            | Self::GibbsFunction
            | Self::Accelerations
            | Self::Actuated
            | Self::Joints
            | Self::Platform => &[Positions, Velocities, Accelerations],
            Self::TwoVelocityInverseDynamics => &[Positions, Velocities, Accelerations, SecondVelocities],
            Self::ForwardDynamics | Self::ForwardDynamicsDerivatives => &[Positions, Velocities, Forces],
        }
    }

    /// Whether only robots with closed loops answer it.
    #[must_use]
    pub const fn is_of_closed_robots(self) -> bool {
        matches!(self, Self::Actuated | Self::Joints | Self::Platform | Self::InverseJacobian | Self::Psi)
    }

    /// Whether external wrenches change its answer; all others ignore them.
    #[must_use]
    pub const fn feels_wrenches(self) -> bool {
        matches!(self, Self::InverseDynamics | Self::ForwardDynamics | Self::Bias | Self::Reactions)
    }

    /// Whether it is about one frame, so that [`Target`] matters.
    #[must_use]
    pub const fn is_about_one_frame(self) -> bool {
        matches!(self, Self::Jacobian | Self::JacobianRate | Self::Singularity)
    }

    /// The names of the numbers it answers.
    #[must_use]
    pub fn columns(self, robot: &Mechanism) -> Vec<String> {
        let n = robot.dof();
        let numbered = |symbol: &str| (1..=n).map(|j| format!("{symbol}{j}")).collect();
        let matrix = |symbol: &str, rows: usize, columns: usize| {
            // Past nine columns `M111` would be two entries: set the numbers apart.
            let apart = if columns > 9 { "_" } else { "" };
            (1..=rows).flat_map(|i| (1..=columns).map(move |j| format!("{symbol}{i}{apart}{j}"))).collect()
        };
        let derivatives = |of: &str, by: [&str; 3]| {
            let entries = |by: &str| -> Vec<String> {
                (1..=n).flat_map(|i| (1..=n).map(move |j| format!("d{of}{i}_d{by}{j}"))).collect()
            };
            by.into_iter().flat_map(entries).collect()
        };
        let framed = |parts: &[&str]| {
            let name = |frame: &crate::mechanism::Frame, part| format!("{}.{part}", frame.name);
            robot.frames().iter().flat_map(|frame| parts.iter().map(move |part| name(frame, part))).collect()
        };
        match self {
            Self::InverseDynamics | Self::TwoVelocityInverseDynamics => numbered("tau"),
            Self::ForwardDynamics => numbered("a"),
            Self::InertiaMatrix => matrix("M", n, n),
            Self::CoriolisMatrix => matrix("C", n, n),
            Self::Reactions => {
                let parts = ["fx", "fy", "fz", "mx", "my", "mz"];
                let joints = robot.joint_names().iter();
                joints.flat_map(|joint| parts.map(|part| format!("{joint}.{part}"))).collect()
            }
            Self::Regressor => matrix("Y", n, regressor::columns(robot)),
            Self::InverseDynamicsDerivatives => derivatives("tau", ["q", "v", "a"]),
            Self::ForwardDynamicsDerivatives => derivatives("a", ["q", "v", "tau"]),
            Self::Momentum => ["linear", "angular"]
                .iter()
                .flat_map(|part| ["x", "y", "z"].map(|axis| format!("{part}.{axis}")))
                .collect(),
            Self::CentreOfMass => ["com.x", "com.y", "com.z"].map(String::from).to_vec(),
            Self::CentreOfMassJacobian => matrix("J", 3, n),
            Self::Bias => numbered("b"),
            Self::Gravity => numbered("g"),
            Self::CoriolisVector => numbered("c"),
            Self::Energy => vec!["kinetic".into(), "potential".into()],
            Self::GibbsFunction => vec!["gibbs".into()],
            Self::Frames => framed(&["r11", "r12", "r13", "r21", "r22", "r23", "r31", "r32", "r33", "x", "y", "z"]),
            Self::Velocities => framed(&["vx", "vy", "vz", "wx", "wy", "wz"]),
            Self::Accelerations => framed(&["ax", "ay", "az", "ex", "ey", "ez"]),
            Self::Jacobian => matrix("J", 6, n),
            Self::JacobianRate => ["ax", "ay", "az", "ex", "ey", "ez"].map(String::from).to_vec(),
            Self::Singularity => ["manipulability", "inverse_condition", "rank"].map(String::from).to_vec(),
            Self::Actuated | Self::Joints | Self::Platform | Self::InverseJacobian | Self::Psi => Vec::new(),
        }
    }
}
