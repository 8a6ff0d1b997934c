//! Paper 003: dynamics of parallel robots, with the Gough-Stewart platform as its example.
//!
//! | file | what it shows |
//! |---|---|
//! | [`model`] | table 1 and the robot |
//! | [`dynamics`] | Jacobians, forces along a motion, operations |
//! | [`psi`] | eqs 21 and 22 where Ψ is not constant |
//! | [`singularities`] | the ways into Type 2 and Type 1 |
//! | [`crossing`] | Type 2 crossed with finite torques, and with torques that grow |

mod crossing;
mod dynamics;
mod model;
mod psi;
mod singularities;

use super::section::{Origin, Paper};
use anyhow::Result;

pub(super) fn paper() -> Result<Paper> {
    let (forces, motion) = dynamics::forces()?;
    Ok(Paper {
        number: "003",
        origin: Origin::Printed,
        citation: "S. Briot, W. Khalil: Dynamics of parallel robots. An article of an encyclopedia of robotics.",
        remark: "Inverse and direct dynamics of any parallel robot from its legs and its platform, with the Gough-Stewart \
                 platform as the example. The paper prints formulas and a table of parameters but no numbers: we take \
                 the robot of our reference data, write the formulas out apart from our algorithms, and let each referee \
                 the other.",
        sections: vec![
            model::table(&motion)?,
            dynamics::jacobians()?,
            forces,
            psi::equations()?,
            singularities::type2()?,
            singularities::type1()?,
            crossing::section()?,
            dynamics::operations()?,
        ],
        errata: ERRATA,
    })
}

const ERRATA: &[(&str, &str)] = &[
    (
        "eq. 1",
        "Ψ holds 0 and 1 alone for special robots; for a 3-RPS it depends on the attitude, and its rate is not 0: see above.",
    ),
    (
        "eqs 8, 30, 33",
        "J_i and J_vi must be in one frame; the inverse of eq. 27 acts on components in the leg's frame 3.",
    ),
    ("eqs 10, 11", "I_P stands for two things, the 3 × 3 inertia about O_P and the 6 × 6 matrix."),
    ("eq. 21", "Ψ belongs around the whole, platform and legs: see above."),
    ("eq. 22", "V̇_r = 0 leaves V̇ = dΨ/dt V_r, which must be kept: see above."),
    (
        "table 1",
        "r₁ = 0 holds only where the first axis of the universal joint is perpendicular to the radius of B: see above.",
    ),
    ("eq. 25", "The joints' rates are meant: v = J q̇."),
];
