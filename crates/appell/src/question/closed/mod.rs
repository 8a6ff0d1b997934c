//! Robots with closed loops: asked for a motion of the platform or of the drives, answered for the drives and the
//! independent velocities.
//!
//! | file | what it holds |
//! |---|---|
//! | [`Motion`], [`Found`] | from a motion as users give it to a configuration and the independent velocities |
//! | [`by_formulation`] | how a formulation answers a question, on numbers of any kind |
//! | `prepare`, `referees` | which method answers; what looks at values; second methods |
//! | [`Closed`] | a question made ready, by fused instructions where the processor has them |

mod answers;
mod fused;
mod motion;
mod prepare;
mod ready;
mod referees;

pub use answers::{Given, Run, accelerations, bare, by_formulation, is_of_any_number};
pub use motion::{FITS, Found, Motion, MotionError, Moved};
pub use ready::Closed;

use super::table::Method;
use crate::closed::formulation::Formulation;

/// By which formulation, and how it is solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    By(Formulation),
    /// With all velocities, or all torques and forces, and the reactions as unknowns.
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

pub(super) const SPHERICAL: Method = Method::closed(
    Formulation::Spherical.name(),
    "where all axes meet: legs by vector products, forces by virtual work: Enferadi & Akbarzadeh 2010 eqs 63 to 75, inertia: Abedloo et al. eq. 21",
    Way::By(Formulation::Spherical),
);

pub(super) const EQUATIONS: Method = Method::closed(
    "equations",
    "where all axes meet: M, C and G explicit: Abedloo et al. eqs 17 to 22",
    Way::Equations,
);

pub(super) const LEGS_PLATFORM: Method = Method::closed(
    Formulation::LegsPlatform.name(),
    "legs cut from the platform, legs by Gibbs-Appell: Briot & Khalil eqs 9 to 22",
    Way::By(Formulation::LegsPlatform),
);

pub(super) const TREE_CLOSURES: Method = Method::closed(
    Formulation::TreeClosures.name(),
    "open tree by Newton-Euler and composite bodies, projected by the closure Jacobian",
    Way::By(Formulation::TreeClosures),
);

pub(super) const KKT: Method = Method::closed(
    "kkt",
    "open tree and closure Jacobian, accelerations, or torques and forces, and reactions solved together",
    Way::Kkt,
);

pub(super) const COLUMNS: Method =
    Method::closed("columns", "forces of a unit of each acceleration, open tree by Newton-Euler", Way::Columns);

pub(super) const POTENTIAL: Method = Method::closed(
    "potential",
    "gradient of the potential energy along the degrees of freedom, by dual numbers",
    Way::Potential,
);

pub(super) const MATRIX_TIMES_VELOCITY: Method = Method::closed(
    "coriolis-matrix",
    "Coriolis matrix by Christoffel's symbols of the open tree, times the velocities",
    Way::MatrixTimesVelocity,
);

pub(super) const RECURSIVE: Method = Method::closed(
    "recursive",
    "open tree by the rates of its bodies' Jacobians, projected by the closure Jacobian",
    Way::Recursive,
);

pub(super) const PARTS: Method = Method::closed(
    "parts",
    "Coriolis matrix times velocities, gradient of the potential energy, friction and springs, and the load",
    Way::Parts,
);

pub(super) const WHOLE: Method = Method::closed(
    "whole",
    "half of velocities times inertia matrix times velocities; weight in the centre of mass, and springs",
    Way::Whole,
);

pub(super) const SINGULAR_VALUES: Method = Method::closed(
    "singular-values",
    "multipliers by the singular values of the closure Jacobian, open tree by Gibbs-Appell and Newton-Euler",
    Way::SingularValues,
);

pub(super) const UNIT_PARAMETERS: Method = Method::closed(
    "unit-parameters",
    "torques and forces of a unit of each parameter, open tree by Newton-Euler",
    Way::UnitParameters,
);
