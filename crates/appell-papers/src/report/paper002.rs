//! Paper 002: the vectorial Gibbs-Appell algorithm, its counts and its use in control.

use super::section::{Origin, Paper};
use super::{counts, puma_line, response};
use crate::tables;
use anyhow::Result;

pub(super) fn paper() -> Result<Paper> {
    let arm = puma_line::robot()?;
    let [figure5, times] = response::figure5(&arm)?;
    Ok(Paper {
        number: "002",
        origin: Origin::Printed,
        citation: "A. Valera, V. Mata et al.: real-time robot control with a vectorial Gibbs-Appell inverse dynamics on a \
                   PUMA arm.",
        remark: "Inverse dynamics in O(n) with vectors instead of tensors. Our copy has lost the equations and the head of \
                 the paper; the algorithm is derived again in its six steps, and that it costs in each step what table 2 \
                 says is the evidence that it is the same.",
        sections: vec![
            counts::section(
                &tables::VALERA_2,
                "every step costs what is printed",
                &["Exactly the printed operations, step by step. Step 1 makes the rotation matrices; the vectors are \
                     turned by plane turns all the same."],
            ),
            counts::section(
                &tables::VALERA_3,
                "our count is the printed one",
                &[
                    "Exactly the printed operations. The count of Luh, Walker and Paul is that of the authors' own version \
                     of it, with the savings of the proposed algorithm; our Newton-Euler recursion is a plain referee. \
                     Paper 001 prints a third count for the same method.",
                ],
            ),
            response::figure3(&arm)?,
            response::figure4(&arm)?,
            figure5,
            times,
        ],
        errata: &[
            (
                "§2, steps 4 and 5",
                "The counts are those of one merged recursion, in which a single moment is turned, not two.",
            ),
            (
                "table 2, step 6",
                "For all joints but the first this addition repeats one of step 5; hence 91n and not 90n.",
            ),
            ("table 4", "The derivative terms of both tracking laws act on the error of the speed, not on the speed."),
            (
                "table 5",
                "The signs of d put the centres of mass of links 2 to 4 on the wrong side; kept as printed, corrected in puma560-b.",
            ),
            ("§4", "The inertia matrix does not follow from A alone, nor the bias from B alone: each needs both."),
        ],
    })
}
