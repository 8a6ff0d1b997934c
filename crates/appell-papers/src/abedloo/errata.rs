//! The misprints of Abedloo, with what [`printed`](super::printed) measures of them.

use super::printed::Measured;
use crate::erratum::{Erratum, Evidence};
use crate::study::StudyError;

/// All misprints, in the order of the paper: printed and corrected forms along the motion of eq. 52, in mode +++, of
/// positions also in mode −−−.
///
/// # Errors
/// None for the paper's wrist.
pub fn errata() -> Result<Vec<Erratum>, StudyError> {
    let seen = Measured::gather()?;
    let [attitude, frame, axis, literal, whole, rows, inverse] =
        seen.torques.map(|pair| pair.evidence("torques, beside tree-closures", "N m"));
    let [first, second] = seen.ranks;
    Ok(vec![
        Erratum::new(
            "eq. 21, σ",
            "σ = R_ijᵀ g, with R_i2 of eq. 27",
            "R_ij is the attitude in the base: R_i1 R_i2 for a second link",
            [attitude],
        ),
        Erratum::new(
            "eq. 21, C",
            "C = Σ Jᵀ I J̇ + Jᵀ (J q̇)^ I J",
            "right in C q̇, but Ṁ − 2 C is not skew-symmetric; it is with C = Σ Jᵀ I J̇ − Jᵀ (I J q̇)^ J and the true J̇",
            [seen.skewness.evidence("C + Cᵀ, beside Ṁ", "N m s")],
        ),
        Erratum::new(
            "after eq. 21",
            "each M_ij is positive definite",
            "of rank 1 for a first link and 2 for a second; the sum with the platform's is definite where cos q₂ ≠ 0",
            [
                first.evidence("how many eigenvalues of M_i1 are above 0: 3 and 1, beside the count", ""),
                second.evidence("how many of M_i2 are: 3 and 2, beside the count", ""),
                Evidence::of_completed("how many of M are: 3, beside the count", "", seen.definite),
            ],
        ),
        Erratum::new(
            "eq. 24",
            "J̇ = ∂α/∂q̇",
            "the time derivative of J, or half that partial: α is quadratic in q̇",
            [
                seen.partial.evidence("∂α/∂q̇ q̇ of the links, beside α of the sweep over the tree", "rad/s²"),
                seen.partial_matrix.evidence("∂α/∂q̇ of the links, beside differences of J along the motion", "rad/s"),
                Evidence::of_completed("half of ∂α/∂q̇ q̇, beside α of the sweep over the tree", "rad/s²", seen.half),
            ],
        ),
        Erratum::new("eq. 30, text", "θ equals α₂", "the angle between v and w equals α₂", []),
        Erratum::new(
            "eq. 31",
            "w = B diag(sin α₁, −sin α₁, cos α₁) + (sin θ, cos θ, 1)",
            "the product of both",
            [seen.sum.evidence("w, read as B (diagonal + …), beside the second joint's axis in the tree", "")],
        ),
        Erratum::new(
            "eqs 32 to 34",
            "both signs; a² + b² − c² > 0",
            "both are working modes; they meet where it is 0, a singularity, because it equals h²",
            [
                Evidence::of_completed("v · w in both modes, beside cos α₂", "", seen.closing),
                Evidence::of_completed("a² + b² − c², beside h²", "", seen.discriminant),
            ],
        ),
        Erratum::new(
            "eq. 36",
            "cos ψ = n₁ · n₁",
            "n₁ · n₂, and the sine too: ψ = atan2(w · (n₁ × n₂), n₁ · n₂)",
            [
                seen.cosine.evidence("end of a leg with ψ = acos(n₁ · n₂), beside v", ""),
                seen.one.evidence("end of a leg with ψ = acos(n₁ · n₁), which is 0, beside v", ""),
            ],
        ),
        Erratum::new("eqs 44, 45", "R_i1ᵀ brings Ω_i2 into the second link's axes", "(R_i1 R_i2)ᵀ does", [frame]),
        Erratum::new("eq. 44", "θ̇ (i1R_i2 z)", "θ̇ (i2R_i1 z), as in eq. 45", [axis]),
        Erratum::new("eq. 47", "∂θ̈/∂q̇ and ∂ψ̈/∂q̇", "the rows b₁ and b₂, time derivatives of r₁ and r₂", [literal]),
        Erratum::new(
            "eq. 47, halves",
            "partials ∂α/∂θ̇ and ∂α/∂ψ̇, each halved",
            "right for the product J̇ q̇, and wrong without the halves, which is measured; not dJ/dt",
            [whole],
        ),
        Erratum::new(
            "eq. 48",
            "J̇ = Rᵀ Ė",
            "right for the product J̇ q̇ alone; dJ/dt = Rᵀ Ė − (J q̇)^ Rᵀ E",
            [seen.platform.evidence("dJ/dt of the platform, beside dual numbers", "rad/s")],
        ),
        Erratum::new("eq. 50", "h₁ in every row, and p₁₁, p₂₁, p₃₁", "h_i and p_1i", [rows]),
        Erratum::new("eq. 51", "Q = J_act⁻ᵀ τ", "Q = J_actᵀ τ", [inverse]),
        Erratum::new("eq. 52", "q̇ = a b con(b t)", "cos; a in radians", []),
    ])
}
