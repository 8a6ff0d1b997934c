//! Paper 001: tensor Gibbs-Appell algorithms, their counts, their rounding and a simulation.

use super::section::{Origin, Paper};
use super::{counts, open_loop, precision, puma_line};
use crate::counts::{Work, formula, measure};
use crate::open_loop::Study;
use crate::tables;
use anyhow::Result;
use appell::dynamics::gibbs_appell_inertia::ROTATION;
use appell::dynamics::joint_space::Equations;

pub(super) fn paper() -> Result<Paper> {
    let study = precision::study()?;
    let arm = puma_line::robot()?;
    let motion = Study::of(&arm)?;
    let rotation = formula(Work::Inertia, Some(ROTATION)).map_or_else(String::new, |f| f.multiplications.to_string());
    let entries = format!(
        "The paper takes the entries of the rotation matrices as given. We compute the two that step 3 reads, {rotation} × \
         more, and count them apart."
    );
    let whole = measure(Work::JointSpace(Equations::GibbsAppell), 6).total(|_| true);
    let call = format!(
        "The paper leaves out the n subtractions τ − bias and the entries of the rotation matrices. Our total has the \
         first; with the second too, the call that users make costs {} × and {} + for n = 6.",
        whole.multiplications, whole.additions
    );
    let sections = vec![
        counts::section(
            &tables::MATA_1,
            "our count is the printed one",
            &[
                "Exactly the printed operations. The first joint, the second and the last are cheaper than the others, \
                 which is where the constants come from.",
                "The other lines are their authors' counts of their own programs. Our Newton-Euler recursion is a \
                 referee: plain, with rotation matrices, and without a case for the first or last body.",
            ],
        ),
        counts::section(
            &tables::MATA_STEPS,
            "every step costs what the paper writes beside it",
            &[
                "The paper writes the operations of one pass beside each line of the algorithm; the formulas here add \
                 the passes up. Steps 1 and 6 cost nothing.",
                &entries,
            ],
        ),
        counts::section(
            &tables::MATA_2,
            "our count is the printed one",
            &[
                "Exactly the printed operations. CRBA and NOC are their authors' counts; ours are written plainly, about \
                 the centre of mass and without the factors of the inertia, to check the result and not to save work.",
                &entries,
            ],
        ),
        counts::section(
            &tables::MATA_3,
            "we find no bias as printed, n² is the count of LDLᵀ, and τ − bias costs n",
            &[
                "The bias is the algorithm of table 1 without q̈. Whoever counts table 1 as printed and leaves out every \
                 term of q̈ arrives at ours; with the full pattern kept in one product the multiplications are as printed, \
                 and one addition more. We found no choice that gives the printed pair.",
                "n² is the count of two substitutions after L D Lᵀ, where L has ones on its diagonal. After Cholesky both \
                 divide by it: n more.",
                &call,
            ],
        ),
        counts::section(
            &tables::MATA_4,
            "as in table 3",
            &[
                "GA differs as in table 3. The other lines are their authors' counts; our programs of the same names are \
                 plain referees, not written to save work, so that the order between the methods shows nothing.",
            ],
        ),
        precision::table(&study),
        precision::figure(&study)?,
        open_loop::figure3(&arm)?,
        open_loop::table6(&motion)?,
        open_loop::table7(&arm, &motion)?,
    ];
    Ok(Paper {
        number: "001",
        origin: Origin::Printed,
        citation: "V. Mata, S. Provenzano, F. Valero, J. I. Cuadrado: Serial-robot dynamics algorithms for moderately large \
                   numbers of joints. Mechanism and Machine Theory 37 (2002) 739–755.",
        remark: "Inverse dynamics in O(n) and the inertia matrix in O(n²), both from Gibbs' function; the counts of tables \
                 1 to 4, a study of rounding, table 5 and figure 2, \
                 and a simulation of the PUMA, tables 6 and 7. All its figures for n = 6 follow from its formulas.",
        sections,
        errata: ERRATA,
    })
}

const ERRATA: &[(&str, &str)] = &[
    ("eq. 2", "The rotational term is ½ ω̇ · I ω̇, and the last bracket is a cross product, as eq. 3 has them."),
    ("eqs. 6, 7, 13, 14", "All derivatives are of accelerations by q̈; dots are missing in several."),
    ("eq. 7b", "The product of rotations ends with the one from frame j to frame j + 1."),
    ("eq. 7d", "Holds for rows; as a column the derivative is −r~ ∂ω̇/∂q̈."),
    ("eq. 7e", "The term belongs to a prismatic joint k, is its axis seen from frame i, and stands alone."),
    ("eq. 9, §4.1", "With g pointing down, f = m (r̈ − g), and the base accelerates by −g, that is upwards."),
    ("eq. 12", "Ω = ω̇~ + ω~ω~: the first tilde is of the angular acceleration."),
    ("eq. 15", "All indices are j; φ of the last body and χ beyond it are zero."),
    ("eqs. 17, 18", "There G is the force of gravity, so the bias is C − G. We use the holding force: C + G."),
    ("eq. 22", "The last term is −m s~(k,i) r~(j,i); as printed it is wrong by a tenth on a random arm."),
    ("§4.2, step 1", "γ and H of the last body are needed and not set by the loop."),
    ("§4.2, step 3", "The rotation leads from frame j − 1 to frame j."),
    ("§4.2, step 4", "There is nothing to turn for the last body: n − 1 passes, as counted."),
    ("§4.2, step 5", "The second factor is the skew matrix of φ."),
    ("table 3", "Counts of the bias and of the linear system: see above."),
    ("§5.1, table 5", "l and m are printed as I, the second mass is lost, and the lines name joint 2 for joint 1."),
    ("§5.2", "0.1 m/s contradicts the points and the 5 s; the speed is 0.0657 m/s."),
    ("table 6", "Four pairs of its numbers are the same to six digits and more: see above."),
];
