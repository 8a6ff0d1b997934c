//! A method that answers a question: what it is called and what it does; and those that many questions of robots with closed
//! loops share.

use super::{State, Target};
use crate::closed::formulation::Formulation;
use crate::dynamics::InertiaError;
use crate::mechanism::Mechanism;

/// A question of an open robot made ready: from a state to a row of numbers.
pub(super) type Run = Box<dyn FnMut(&Mechanism, &State<'_>, &mut [f64]) -> Result<(), InertiaError> + Send>;

/// Makes a method ready on a robot.
pub(super) type Prepare = fn(&Mechanism, Target) -> Run;

/// A method that answers a question.
#[derive(Debug, Clone, Copy)]
pub struct Method {
    /// Its name on a command line.
    pub name: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
    pub(super) how: How,
}

/// What a method does.
#[derive(Debug, Clone, Copy)]
pub(super) enum How {
    /// What the question's [`kernel`](super::kernel) does, on any number.
    Kernel,
    /// On plain numbers.
    Open(Prepare),
    /// Of a robot with closed loops.
    Closed(Way),
}

impl Method {
    pub(super) const fn kernel(name: &'static str, summary: &'static str) -> Self {
        Self { name, summary, how: How::Kernel }
    }

    pub(super) const fn open(name: &'static str, summary: &'static str, prepare: Prepare) -> Self {
        Self { name, summary, how: How::Open(prepare) }
    }
}

/// By which formulation, and how it is solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    By(Formulation),
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
    /// The formulation that answers, if it is one by itself.
    pub(super) const fn formulation(self) -> Option<Formulation> {
        match self {
            Self::By(formulation) => Some(formulation),
            _ => None,
        }
    }

    /// The formulation by which the motion is found.
    pub(super) const fn of_motion(self) -> Formulation {
        match self {
            Self::By(formulation) => formulation,
            Self::Equations => Formulation::Spherical,
            _ => Formulation::TreeClosures,
        }
    }
}

/// Methods of robots with closed loops: by which way, the name, and what it is.
macro_rules! methods {
    ($($method:ident: $way:expr, $name:expr, $summary:literal;)+) => {
        $(pub(super) const $method: Method = Method { name: $name, summary: $summary, how: How::Closed($way) };)+
    };
}

methods! {
    SPHERICAL: Way::By(Formulation::Spherical), Formulation::Spherical.name(),
        "where all axes meet: legs by vector products, forces by virtual work: Enferadi & Akbarzadeh 2010 eqs 63 to 75, inertia: Abedloo et al. eq. 21";
    EQUATIONS: Way::Equations, "equations",
        "where all axes meet: M, C and G explicit: Abedloo et al. eqs 17 to 22";
    LEGS_PLATFORM: Way::By(Formulation::LegsPlatform), Formulation::LegsPlatform.name(),
        "legs cut from the platform, legs by Gibbs-Appell: Briot & Khalil eqs 9 to 22";
    TREE_CLOSURES: Way::By(Formulation::TreeClosures), Formulation::TreeClosures.name(),
        "open tree by Newton-Euler and composite bodies, projected by the closure Jacobian";
    KKT: Way::Kkt, "kkt",
        "open tree and closure Jacobian, accelerations, or torques and forces, solved together with the reactions";
    COLUMNS: Way::Columns, "columns",
        "forces of a unit of each acceleration, open tree by Newton-Euler";
    POTENTIAL: Way::Potential, "potential",
        "gradient of the potential energy along the degrees of freedom, by dual numbers";
    MATRIX_TIMES_VELOCITY: Way::MatrixTimesVelocity, "coriolis-matrix",
        "Coriolis matrix by Christoffel's symbols of the open tree, times the velocities";
    RECURSIVE: Way::Recursive, "recursive",
        "open tree by the rates of its bodies' Jacobians, projected by the closure Jacobian";
    PARTS: Way::Parts, "parts",
        "Coriolis matrix times velocities, gradient of the potential energy, friction and springs, and the load";
    WHOLE: Way::Whole, "whole",
        "half of velocities times inertia matrix times velocities; weight in the centre of mass, and springs";
    SINGULAR_VALUES: Way::SingularValues, "singular-values",
        "multipliers by the singular values of the closure Jacobian, open tree by Gibbs-Appell and Newton-Euler";
    UNIT_PARAMETERS: Way::UnitParameters, "unit-parameters",
        "torques and forces of a unit of each parameter, open tree by Newton-Euler";
}
