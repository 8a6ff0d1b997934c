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

mod coupled;
mod methods;

pub use methods::{Method, methods};

use crate::dynamics::coupling::Coupling;
use crate::dynamics::reactions::{self, ExternalWrench};
use crate::dynamics::{InertiaError, regressor};
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
    CoriolisMatrix,
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

/// A question that has no answer for coupled joints.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{question} by {method} has no answer for coupled joints; ask without coupling, or for forces, inertia or motion"
)]
pub struct NotCoupled {
    /// The question's name.
    pub question: &'static str,
    /// The method's name.
    pub method: &'static str,
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
    pub const ALL: [Self; 22] = [
        Self::InverseDynamics,
        Self::ForwardDynamics,
        Self::InertiaMatrix,
        Self::Bias,
        Self::Gravity,
        Self::CoriolisVector,
        Self::CoriolisMatrix,
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
            Self::InertiaMatrix
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
            | Self::JacobianRate => &[Positions, Velocities],
            Self::InverseDynamics
            | Self::InverseDynamicsDerivatives
            | Self::Reactions
            | Self::Regressor
            | Self::GibbsFunction
            | Self::Accelerations => &[Positions, Velocities, Accelerations],
            Self::ForwardDynamics | Self::ForwardDynamicsDerivatives => &[Positions, Velocities, Forces],
        }
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
            Self::InverseDynamics => numbered("tau"),
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
        }
    }
}

/// A question of one robot by one method, with all memory it needs: evaluates one state after another.
pub struct Evaluator<'r> {
    question: Question,
    method: &'static Method,
    columns: Vec<String>,
    run: methods::Run<'r>,
    robot: &'r Mechanism,
    outside: reactions::Workspace,
    tau: Vec<f64>, // what drives and external wrenches do together
    coupled: Option<coupled::Coupled<'r>>,
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
        Ok(Self {
            question,
            method,
            columns: question.columns(robot),
            run: method.prepare(robot, target),
            robot,
            outside: reactions::Workspace::new(robot),
            tau: vec![0.0; robot.dof()],
            coupled: None,
        })
    }

    /// The same question of the robot with its followers coupled to their leaders.
    ///
    /// Of a state's vectors only the leaders' numbers are read. Joint forces and inertia are answered for the leaders
    /// alone; motions, energies and reactions as before.
    ///
    /// # Errors
    /// If the question has no coupled answer: those differentiated by joints, and forward dynamics by another method
    /// than its default.
    pub fn coupled(mut self, coupling: &'r Coupling) -> Result<Self, NotCoupled> {
        let is_default = methods(self.question).next().is_some_and(|method| method.name == self.method.name);
        if !coupled::has_answer(self.question) || (self.question == Question::ForwardDynamics && !is_default) {
            return Err(NotCoupled { question: self.question.name(), method: self.method.name });
        }
        let width = self.columns.len();
        self.columns = coupled::columns(self.question, self.columns, coupling, self.robot.dof());
        self.coupled = Some(coupled::Coupled::new(self.robot, coupling, self.question, width));
        Ok(self)
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
        match self.coupled.take() {
            None => self.evaluate_free(state, row),
            Some(mut coupled) => {
                let question = self.question;
                let answered = coupled.evaluate(question, state, row, |state, row| self.evaluate_free(state, row));
                self.coupled = Some(coupled);
                answered
            }
        }
    }

    /// Answers for the robot with every joint free.
    fn evaluate_free(&mut self, state: State<'_>, row: &mut [f64]) -> Result<(), InertiaError> {
        if state.external.is_empty() {
            return (self.run)(state, row);
        }
        if self.question == Question::Reactions {
            (self.run)(state, row)?;
            let outside = reactions::external_reactions(self.robot, &mut self.outside, state.q, state.external);
            let numbers = outside.iter().flat_map(|wrench| wrench.to_array());
            row.iter_mut().zip(numbers).for_each(|(cell, outside)| *cell -= outside);
            return Ok(());
        }
        let outside = reactions::external_joint_forces(self.robot, &mut self.outside, state.q, state.external);
        match self.question {
            Question::InverseDynamics | Question::Bias => {
                (self.run)(state, row)?;
                row.iter_mut().zip(outside).for_each(|(tau, outside)| *tau -= outside);
                Ok(())
            }
            Question::ForwardDynamics => {
                let forces = state.tau.iter().zip(outside).map(|(tau, outside)| tau + outside);
                self.tau.iter_mut().zip(forces).for_each(|(sum, force)| *sum = force);
                (self.run)(State { tau: &self.tau, ..state }, row)
            }
            _ => (self.run)(state, row),
        }
    }
}
