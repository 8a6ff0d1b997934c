//! Questions of closed mechanisms: asked for a motion of the platform or of the drives, answered for the drives and the
//! freedoms.
//!
//! ```
//! use crate::question::{Question, closed::{Evaluator, Motion, State}};
//! use crate::robots;
//!
//! let robot = robots::find("gough-stewart").unwrap().closed();
//! let mut evaluator = Evaluator::new(&robot, Question::InverseDynamics, None)?;
//! let mut forces = [0.0; 6];
//! let motion = Motion::at_rest(robot.home().pose);
//! evaluator.evaluate(&State { motion, ..State::default() }, &mut forces)?;
//! assert!(forces.iter().all(|&force| force > 50.0), "each leg bears its part of the platform");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answers;
mod evaluator;
mod motion;
mod referees;
mod single;
mod ways;

pub use answers::{Given, Run, accelerations, bare, by_formulation, is_of_any_number};
pub use evaluator::{Evaluator, Refused};
pub use motion::{FITS, Found, Motion, MotionError, Moved};
pub use single::ClosedSingle;

use super::Question;
use crate::closed::scheme::Scheme;
use crate::closed::{ClosedMechanism, regressor};
use crate::description::PLATFORM;
use crate::dynamics::reactions::ExternalWrench;
use crate::spatial::Wrench;

/// What a closed mechanism does, and what is done to it.
#[derive(Debug, Clone, Copy, Default)]
pub struct State<'s> {
    /// How it moves.
    pub motion: Motion<'s>,
    /// Efforts of the drives, for questions that read them.
    pub tau: &'s [f64],
    /// Wrenches from outside at frames of the tree.
    pub external: &'s [ExternalWrench],
    /// A wrench from outside at the platform's origin, in base axes.
    pub on_platform: Option<Wrench>,
}

/// A method that answers a question of a closed mechanism.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Method {
    /// Its name on a command line.
    pub name: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
    pub(super) way: Way,
}

/// By which formulation, and how it is solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    By(Scheme),
    /// With all velocities, or all efforts, and the reactions as unknowns.
    Kkt,
    /// Inertia column by column, by Newton and Euler.
    Columns,
    /// The gradient of the potential energy.
    Potential,
    /// The Coriolis matrix times the velocities.
    MatrixTimesVelocity,
    /// The open tree's Coriolis matrix by the recursion.
    Recursive,
    /// The bias from the Coriolis matrix, the potential energy and the joints' own forces.
    Parts,
    /// The energy of the whole robot, from its inertia matrix and centre of mass.
    Whole,
    /// Reactions by the singular values of the closure Jacobian.
    SingularValues,
    /// The regressor from robots of one parameter each.
    UnitParameters,
    /// M, C and G of a spherical robot, explicit.
    Equations,
}

impl Way {
    /// The formulation by which the motion is found.
    const fn scheme(self) -> Scheme {
        match self {
            Self::By(scheme) => scheme,
            Self::Equations => Scheme::Spherical,
            _ => Scheme::TreeClosures,
        }
    }
}

const SPHERICAL: Method = Method {
    name: Scheme::Spherical.name(),
    summary: "where all axes meet: legs by vector products, forces by virtual work: Enferadi & Akbarzadeh 2010 eqs 63 to 75, inertia: Abedloo et al. eq. 21",
    way: Way::By(Scheme::Spherical),
};

const EQUATIONS: Method = Method {
    name: "equations",
    summary: "where all axes meet: M, C and G explicit: Abedloo et al. eqs 17 to 22",
    way: Way::Equations,
};

const LEGS_PLATFORM: Method = Method {
    name: Scheme::LegsPlatform.name(),
    summary: "legs cut from the platform, legs by Gibbs-Appell: Briot & Khalil eqs 9 to 22",
    way: Way::By(Scheme::LegsPlatform),
};

const TREE_CLOSURES: Method = Method {
    name: Scheme::TreeClosures.name(),
    summary: "open tree by Newton-Euler and composite bodies, projected by the closure Jacobian",
    way: Way::By(Scheme::TreeClosures),
};

const KKT: Method = Method {
    name: "kkt",
    summary: "open tree and closure Jacobian, accelerations or efforts and reactions solved together",
    way: Way::Kkt,
};

const COLUMNS: Method = Method {
    name: "columns",
    summary: "forces of a unit of each acceleration, open tree by Newton-Euler",
    way: Way::Columns,
};

const POTENTIAL: Method = Method {
    name: "potential",
    summary: "gradient of the potential energy along the freedoms, by dual numbers",
    way: Way::Potential,
};

const MATRIX_TIMES_VELOCITY: Method = Method {
    name: "coriolis-matrix",
    summary: "Coriolis matrix by Christoffel's symbols of the open tree, times the velocities",
    way: Way::MatrixTimesVelocity,
};

const RECURSIVE: Method = Method {
    name: "recursive",
    summary: "open tree by the rates of its bodies' Jacobians, projected by the closure Jacobian",
    way: Way::Recursive,
};

const PARTS: Method = Method {
    name: "parts",
    summary: "Coriolis matrix times velocities, gradient of the potential energy, friction and springs, and the load",
    way: Way::Parts,
};

const WHOLE: Method = Method {
    name: "whole",
    summary: "half of velocities times inertia matrix times velocities; weight in the centre of mass, and springs",
    way: Way::Whole,
};

const SINGULAR_VALUES: Method = Method {
    name: "singular-values",
    summary: "multipliers by the singular values of the closure Jacobian, open tree by Gibbs-Appell and Newton-Euler",
    way: Way::SingularValues,
};

const UNIT_PARAMETERS: Method = Method {
    name: "unit-parameters",
    summary: "efforts of a unit of each parameter, open tree by Newton-Euler",
    way: Way::UnitParameters,
};

/// The methods by which a question of a closed mechanism can be answered, whatever the mechanism.
#[must_use]
pub fn all_methods(question: Question) -> &'static [Method] {
    match question {
        Question::InverseDynamics => &[SPHERICAL, LEGS_PLATFORM, TREE_CLOSURES, KKT, EQUATIONS],
        Question::ForwardDynamics | Question::InverseDynamicsDerivatives | Question::ForwardDynamicsDerivatives => {
            &[SPHERICAL, LEGS_PLATFORM, TREE_CLOSURES, KKT]
        }
        Question::InertiaMatrix => &[SPHERICAL, LEGS_PLATFORM, TREE_CLOSURES, COLUMNS],
        Question::Bias => &[SPHERICAL, LEGS_PLATFORM, TREE_CLOSURES, PARTS],
        Question::Gravity => &[SPHERICAL, LEGS_PLATFORM, TREE_CLOSURES, POTENTIAL, EQUATIONS],
        Question::CoriolisMatrix => &[SPHERICAL, LEGS_PLATFORM, TREE_CLOSURES, RECURSIVE],
        Question::CoriolisVector => &[SPHERICAL, LEGS_PLATFORM, TREE_CLOSURES, MATRIX_TIMES_VELOCITY, EQUATIONS],
        Question::Reactions => &[LEGS_PLATFORM, TREE_CLOSURES, SINGULAR_VALUES],
        Question::Regressor => &[SPHERICAL, LEGS_PLATFORM, TREE_CLOSURES, UNIT_PARAMETERS],
        Question::Energy => &[SPHERICAL, LEGS_PLATFORM, TREE_CLOSURES, WHOLE],
        _ if has_answer(question) => &[SPHERICAL, LEGS_PLATFORM, TREE_CLOSURES],
        _ => &[],
    }
}

/// The methods that answer a question of this mechanism, the default first.
pub fn methods(robot: &ClosedMechanism, question: Question) -> impl Iterator<Item = Method> {
    let applies = Scheme::of(robot);
    let has_platform = robot.platform().is_some();
    all_methods(question).iter().copied().filter(move |method| match method.way {
        Way::By(scheme) => applies.contains(&scheme) && (has_platform || !is_about_platform(question)),
        Way::Equations => applies.contains(&Scheme::Spherical),
        _ => true,
    })
}

/// Whether a question is about the platform, which not every closed mechanism has.
const fn is_about_platform(question: Question) -> bool {
    matches!(question, Question::Platform | Question::Psi | Question::Jacobian)
}

/// Whether a question has an answer for closed mechanisms.
#[must_use]
pub const fn has_answer(question: Question) -> bool {
    !matches!(
        question,
        Question::TwoVelocityInverseDynamics
            | Question::CentreOfMassJacobian
            | Question::GibbsFunction
            | Question::JacobianRate
    )
}

/// The names of the numbers that a question answers of a mechanism.
#[must_use]
pub fn columns(question: Question, robot: &ClosedMechanism) -> Vec<String> {
    let (n, drives) = (robot.freedoms().len(), robot.driven().len());
    let numbered = |symbol: &str, count: usize| (1..=count).map(|k| format!("{symbol}{k}")).collect::<Vec<_>>();
    let matrix = |symbol: &str, rows: usize, columns: usize| {
        let apart = if columns > 9 { "_" } else { "" };
        (1..=rows).flat_map(|i| (1..=columns).map(move |j| format!("{symbol}{i}{apart}{j}"))).collect::<Vec<_>>()
    };
    let derivatives = |of: (&str, usize), by: [(&str, usize); 3]| {
        let entries = |(by, columns): (&str, usize)| -> Vec<String> {
            let (of, rows) = of;
            (1..=rows).flat_map(|i| (1..=columns).map(move |j| format!("d{of}{i}_d{by}{j}"))).collect()
        };
        by.into_iter().flat_map(entries).collect()
    };
    let framed = |parts: &[&str]| {
        let platform = robot.platform().map(|_| PLATFORM);
        let names = robot.tree().frames().iter().map(|frame| frame.name.as_str()).chain(platform);
        names.flat_map(|name| parts.iter().map(move |part| format!("{name}.{part}"))).collect()
    };
    let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
    const ACCELERATION: [&str; 6] = ["ax", "ay", "az", "ex", "ey", "ez"];
    const WRENCH: [&str; 6] = ["fx", "fy", "fz", "mx", "my", "mz"];
    match question {
        Question::InverseDynamics => numbered("tau", drives),
        Question::ForwardDynamics => {
            let platform = if robot.platform().is_some() { words(&ACCELERATION) } else { Vec::new() };
            platform.into_iter().chain(numbered("a", drives)).collect()
        }
        Question::InertiaMatrix => matrix("M", n, n),
        Question::CoriolisMatrix => matrix("C", n, n),
        Question::Bias => numbered("b", n),
        Question::Gravity => numbered("g", n),
        Question::CoriolisVector => numbered("c", n),
        Question::Energy => words(&["kinetic", "potential"]),
        Question::Momentum => words(&["linear.x", "linear.y", "linear.z", "angular.x", "angular.y", "angular.z"]),
        Question::CentreOfMass => words(&["com.x", "com.y", "com.z"]),
        Question::Frames => framed(&["r11", "r12", "r13", "r21", "r22", "r23", "r31", "r32", "r33", "x", "y", "z"]),
        Question::Velocities => framed(&["vx", "vy", "vz", "wx", "wy", "wz"]),
        Question::Accelerations => framed(&ACCELERATION),
        Question::Actuated => ["q", "v", "a"].iter().flat_map(|symbol| numbered(symbol, drives)).collect(),
        Question::Joints => {
            let names = robot.tree().joint_names();
            ["q", "v", "a"].iter().flat_map(|symbol| names.iter().map(move |name| format!("{symbol}.{name}"))).collect()
        }
        Question::Platform => words(&[
            "px", "py", "pz", "qx", "qy", "qz", "qw", "vx", "vy", "vz", "wx", "wy", "wz", "ax", "ay", "az", "ex", "ey",
            "ez",
        ]),
        Question::InverseJacobian => matrix("J", drives, n),
        Question::Jacobian => matrix("J", 6, drives),
        Question::Psi => [matrix("psi", 6, n), matrix("psi_rate", 6, n)].concat(),
        Question::Reactions => {
            let joints = robot.tree().joint_names().iter().map(String::as_str);
            let closures = robot.closures().iter().map(|closure| closure.name.as_str());
            let names = joints.chain(closures).chain([crate::description::BASE]);
            names.flat_map(|name| WRENCH.map(|part| format!("{name}.{part}"))).collect()
        }
        Question::Regressor => matrix("Y", drives, regressor::columns(robot)),
        Question::InverseDynamicsDerivatives => derivatives(("tau", drives), [("x", n), ("r", n), ("rdot", n)]),
        Question::ForwardDynamicsDerivatives => derivatives(("rdot", n), [("x", n), ("r", n), ("tau", drives)]),
        Question::Singularity => words(&["type1", "type2", "constraints", "inverse_jacobian"]),
        Question::TwoVelocityInverseDynamics
        | Question::CentreOfMassJacobian
        | Question::GibbsFunction
        | Question::JacobianRate => Vec::new(),
    }
}
