//! Paper 004: inverse dynamics of the spherical star-triangle robot by virtual work.
//!
//! | file | what it shows |
//! |---|---|
//! | [`model`] | the parameters, printed and assumed |
//! | [`motions`] | figures 8, 9 and 11: torques along both motions |
//! | [`reactions`] | what the joints transmit, which the paper says it cannot find |

mod model;
mod motions;
mod reactions;

use super::errata;
use super::section::{Origin, Paper};
use crate::enferadi;
use anyhow::Result;

pub(super) fn paper() -> Result<Paper> {
    Ok(Paper {
        number: "004",
        origin: Origin::Printed,
        citation: "J. Enferadi, A. Akbarzadeh Tootoonchi: Inverse dynamics analysis of a general spherical star-triangle \
                   parallel manipulator using principle of virtual work. Nonlinear Dynamics 61 (3) (2010).",
        remark: "A star turns about a point inside a spherical triangle, on whose sides its arcs slide: 3-RRP. The paper \
                 gives its kinematics and link Jacobians and compares torques along two motions with a commercial package, \
                 in figures without readable numbers. We write the corrected formulas out; in the package's place are our \
                 general methods, which know nothing of them.",
        sections: vec![
            model::parameters()?,
            motions::figures_8_and_9()?,
            motions::figure_11()?,
            reactions::section()?,
            errata::section(
                &enferadi::errata()?,
                [
                    "Along both motions of §7.2 without gravity, 101 instants each; eq. 18 at 200 random attitudes. The references \
                     use none of the equations they are set beside: tree-closures opens all loops and computes the tree by \
                     Newton and Euler, loops must close, derivatives are exact by dual numbers. Another program found the same \
                     errors (tests/golden/parallel), those of eq. 13 at other attitudes and of eqs 54 to 68 with other links.",
                    "With the paper's passive links, axisymmetric about r, the sign of μ̇ does not show in the torques. On the \
                     swing of §7.2.1 eqs 24 and 41 do not show either, and eq. 40 alone makes the error of all together, too \
                     small for figures 8 and 9. The other slips would have been seen in figure 11, where the paper's curves and those of the commercial \
                     package cannot be told apart: the text has them, not the program behind it.",
                    "As printed and right: eqs 19, 26 to 31, 34 to 36, 43 to 53, 57 to 60, 64 and 69 to 75.",
                ],
            ),
        ],
        errata: &[],
    })
}
