//! Paper 000: spherical parallel robots in closed form by Gibbs and Appell, with the Agile Wrist as its example.
//!
//! | file | what it shows |
//! |---|---|
//! | [`model`] | the parameters, printed and assumed |
//! | [`controlled`] | figure 4: a simulation under a stiff law, and its errors |
//! | [`motion`] | figures 5 to 7: joints, torques and differences along eq. 52 |
//! | [`reach`] | where the legs reach, and where the wrist is singular |

mod controlled;
mod model;
mod motion;
mod reach;

use super::errata;
use super::section::{Origin, Paper};
use crate::abedloo;
use anyhow::Result;

pub(super) fn paper() -> Result<Paper> {
    let both = motion::studies()?;
    Ok(Paper {
        number: "000",
        origin: Origin::Printed,
        citation: "E. Abedloo, A. Molaei, H. D. Taghirad: Closed-form dynamic formulation of spherical parallel \
                   manipulators by Gibbs-Appell method.",
        remark: "M, C and G of robots that turn about a point, explicit in the Jacobians of their bodies, with the Agile \
                 Wrist as the example. The paper prints formulas, parameters and figures, the latter without readable \
                 numbers, and compares with a simulation under a controller. We write the corrected formulas out and \
                 compare them with both of our general methods, which know nothing of them.",
        sections: vec![
            model::parameters(&both)?,
            controlled::section()?,
            motion::figure5(&both)?,
            motion::figure6(&both)?,
            motion::figure7(&both)?,
            reach::section()?,
            errata::section(
                &abedloo::errata()?,
                [
                    "Along the motion of eq. 52 in mode +++, 101 instants; positions of the legs in mode −−− too. The \
                     references use none of the equations they are set beside: tree-closures opens all loops and computes \
                     the tree by Newton and Euler, loops must close, derivatives are exact by dual numbers; those of M \
                     and of the links' J are differences of order 8.",
                    "Another program measured the same at every fourth instant (tests/golden/parallel): its errors are equal, \
                     or up to 12 % smaller for eqs 36, 44, 47 and 51.",
                    "∂α/∂q̇ of eq. 24 and the partials of eq. 47 are taken at their word, by central differences in q̇ of the \
                     functions α, θ̈ and ψ̈, exact because these are quadratic in q̇.",
                    "As printed and right: eqs 3, 9, 13 to 17, the sign of G in eq. 21, eqs 26, 28, 29 and 38 to 43.",
                ],
            ),
        ],
        errata: &[],
    })
}
