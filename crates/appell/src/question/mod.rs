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

mod methods;

pub use methods::{Method, methods};

use crate::dynamics::InertiaError;
use crate::mechanism::{Axes, Mechanism};

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
    Energy,
    GibbsFunction,
    Frames,
    Velocities,
    Accelerations,
    Jacobian,
    JacobianRate,
    Singularity,
}

/// One of the four vectors a state may have; a table's columns are named by its symbol.
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
}

/// The vectors of a state. One that the question does not read may be empty.
#[derive(Debug, Clone, Copy, Default)]
#[expect(missing_docs, reason = "named as everywhere")]
pub struct State<'s> {
    pub q: &'s [f64],
    pub v: &'s [f64],
    pub a: &'s [f64],
    pub tau: &'s [f64],
}

/// Which frame a question about one frame is about. `Target::default()` is the last frame, in base axes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Target {
    /// Its index in [`Mechanism::frames`]; the last one if `None`.
    pub frame: Option<usize>,
    /// The axes that components refer to.
    pub axes: Axes,
}

/// A method that a question does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{method}` does not answer {question}; its methods are {}", known.join(", "))]
pub struct UnknownMethod {
    /// What was asked for.
    pub method: String,
    /// The question's name.
    pub question: &'static str,
    /// What there is.
    pub known: Vec<&'static str>,
}

impl Target {
    fn frame_of(self, robot: &Mechanism) -> usize {
        self.frame.unwrap_or(robot.frames().len() - 1)
    }
}

impl Input {
    /// All four, in the order of a table.
    pub const ALL: [Self; 4] = [Self::Positions, Self::Velocities, Self::Accelerations, Self::Forces];

    /// The letters its columns begin with.
    #[must_use]
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Positions => "q",
            Self::Velocities => "v",
            Self::Accelerations => "a",
            Self::Forces => "tau",
        }
    }
}

impl Question {
    /// All questions.
    pub const ALL: [Self; 14] = [
        Self::InverseDynamics,
        Self::ForwardDynamics,
        Self::InertiaMatrix,
        Self::Bias,
        Self::Gravity,
        Self::CoriolisVector,
        Self::Energy,
        Self::GibbsFunction,
        Self::Frames,
        Self::Velocities,
        Self::Accelerations,
        Self::Jacobian,
        Self::JacobianRate,
        Self::Singularity,
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
            Self::Energy => "energy",
            Self::GibbsFunction => "gibbs-function",
            Self::Frames => "frames",
            Self::Velocities => "velocities",
            Self::Accelerations => "accelerations",
            Self::Jacobian => "jacobian",
            Self::JacobianRate => "jacobian-rate",
            Self::Singularity => "singularity",
        }
    }

    /// What it answers, in one line.
    #[must_use]
    pub const fn summary(self) -> &'static str {
        match self {
            Self::InverseDynamics => "joint forces that give the accelerations",
            Self::ForwardDynamics => "joint accelerations that the forces give",
            Self::InertiaMatrix => "joint inertia matrix, row by row",
            Self::Bias => "joint forces at zero acceleration: Coriolis, centrifugal and gravity",
            Self::Gravity => "joint forces that hold the robot at rest",
            Self::CoriolisVector => "joint forces of velocities alone, bias minus gravity",
            Self::Energy => "kinetic and potential energy, J",
            Self::GibbsFunction => "Gibbs' function, whose gradient by the accelerations is the joint forces",
            Self::Frames => "poses of all frames in the base: rotation by rows, then position",
            Self::Velocities => "velocities of all frames in base axes: linear, then angular",
            Self::Accelerations => "accelerations of all frames in base axes, without gravity: linear, then angular",
            Self::Jacobian => "Jacobian of one frame, row by row: linear, then angular",
            Self::JacobianRate => "rate of the Jacobian times v, of one frame: linear, then angular",
            Self::Singularity => "manipulability of one frame in m and rad, inverse of its condition number, and rank",
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
        use Input::{Accelerations, Forces, Positions, Velocities};
        match self {
            Self::InertiaMatrix | Self::Gravity | Self::Frames | Self::Jacobian | Self::Singularity => &[Positions],
            Self::Bias | Self::CoriolisVector | Self::Energy | Self::Velocities | Self::JacobianRate => {
                &[Positions, Velocities]
            }
            Self::InverseDynamics | Self::GibbsFunction | Self::Accelerations => {
                &[Positions, Velocities, Accelerations]
            }
            Self::ForwardDynamics => &[Positions, Velocities, Forces],
        }
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
        let matrix = |symbol: &str, rows: usize| {
            // Past nine columns `M111` would be two entries: set the numbers apart.
            let apart = if n > 9 { "_" } else { "" };
            (1..=rows).flat_map(|i| (1..=n).map(move |j| format!("{symbol}{i}{apart}{j}"))).collect()
        };
        let framed = |parts: &[&str]| {
            let name = |frame: &crate::mechanism::Frame, part| format!("{}.{part}", frame.name);
            robot.frames().iter().flat_map(|frame| parts.iter().map(move |part| name(frame, part))).collect()
        };
        match self {
            Self::InverseDynamics => numbered("tau"),
            Self::ForwardDynamics => numbered("a"),
            Self::InertiaMatrix => matrix("M", n),
            Self::Bias => numbered("b"),
            Self::Gravity => numbered("g"),
            Self::CoriolisVector => numbered("c"),
            Self::Energy => vec!["kinetic".into(), "potential".into()],
            Self::GibbsFunction => vec!["gibbs".into()],
            Self::Frames => framed(&["r11", "r12", "r13", "r21", "r22", "r23", "r31", "r32", "r33", "x", "y", "z"]),
            Self::Velocities => framed(&["vx", "vy", "vz", "wx", "wy", "wz"]),
            Self::Accelerations => framed(&["ax", "ay", "az", "ex", "ey", "ez"]),
            Self::Jacobian => matrix("J", 6),
            Self::JacobianRate => ["ax", "ay", "az", "ex", "ey", "ez"].map(String::from).to_vec(),
            Self::Singularity => ["manipulability", "inverse_condition", "rank"].map(String::from).to_vec(),
        }
    }
}

/// A question of one robot by one method, with all memory it needs: evaluates one state after another.
pub struct Evaluator<'r> {
    question: Question,
    method: &'static Method,
    columns: Vec<String>,
    run: methods::Run<'r>,
}

impl<'r> Evaluator<'r> {
    /// Prepares a question; `method` is one of [`methods()`], the first if `None`.
    ///
    /// # Errors
    /// If the question has no such method.
    ///
    /// # Panics
    /// If `target` names a frame the robot does not have.
    pub fn new(
        robot: &'r Mechanism,
        question: Question,
        method: Option<&str>,
        target: Target,
    ) -> Result<Self, UnknownMethod> {
        let wanted = |known: &&Method| method.is_none_or(|name| known.name == name);
        let method = methods(question).find(wanted).ok_or_else(|| UnknownMethod {
            method: method.unwrap_or_default().into(),
            question: question.name(),
            known: methods(question).map(|method| method.name).collect(),
        })?;
        Ok(Self { question, method, columns: question.columns(robot), run: method.prepare(robot, target) })
    }

    /// The question.
    #[must_use]
    pub fn question(&self) -> Question {
        self.question
    }

    /// The method that answers it.
    #[must_use]
    pub fn method(&self) -> &'static Method {
        self.method
    }

    /// The names of the numbers it answers.
    #[must_use]
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Answers for one state into `row`, one number a column. Allocates nothing.
    ///
    /// # Errors
    /// If the inertia matrix is singular, for forward dynamics.
    ///
    /// # Panics
    /// If a vector that the question reads has not one number a joint, or `row` not one a column.
    pub fn evaluate(&mut self, state: State<'_>, row: &mut [f64]) -> Result<(), InertiaError> {
        assert_eq!(row.len(), self.columns.len(), "one number a column");
        (self.run)(state, row)
    }
}
