//! The misprints of Enferadi2010, with what [`printed`](super::printed) measures of them.

use super::StarTriangle;
use super::printed::Measured;
use crate::PivotedBody;
use crate::erratum::{Erratum, Evidence};
use crate::study::StudyError;
use appell::robots;
use appell::spatial::{Sym3, Vec3};

/// All misprints, in the order of the paper: printed and corrected forms along both motions of §7.2.
///
/// # Errors
/// None for the paper's robot.
pub fn errata() -> Result<Vec<Erratum>, StudyError> {
    let seen = Measured::gather()?;
    let [swing, circle] = seen.torques;
    let [eq24, eq40, eq41, all] =
        circle.map(|pair| pair.evidence("torques on the circle, beside tree-closures", "N m"));
    let [_, eq40_swing, _, all_swing] =
        swing.map(|pair| pair.evidence("torques on the swing, beside tree-closures", "N m"));
    Ok(vec![
        Erratum::new(
            "eq. 13",
            "t₃ = cos α₂ t₁ + sin α₂ s × t₁",
            "− sin α₂ s × t₁, as in eq. 11",
            [seen.third_arc.evidence("t₃ turned by α₂ about s, beside t₁", "")],
        ),
        Erratum::new("eq. 16", "follows from eq. 1", "follows from eq. 2", []),
        Erratum::new(
            "eq. 18",
            "without a condition",
            "needs s · w > 0; else γ is half a turn further",
            [seen.side.evidence("s × r / |s × r| at attitudes with s · w < 0, beside t", "")],
        ),
        Erratum::new(
            "eq. 24",
            "second row: + θ̇ φ̇ sin θ",
            "− θ̇ φ̇ sin θ, as eq. 23 gives",
            [seen.omega_dot.evidence("ω̇ on both motions, beside dual numbers", "rad/s²"), eq24],
        ),
        Erratum::new(
            "eqs 32, 33, 36, 37",
            "ω̈",
            "ω̇; eq. 36 is right then",
            [seen.eq36.evidence("γ̈ of eq. 36 with the numbers of ω̈ for ω̇, beside tree-closures", "rad/s²")],
        ),
        Erratum::new(
            "eq. 40",
            "d = −(r · ω) (t · w)",
            "twice that, as eq. 36 has it",
            [seen.eq40.evidence("γ̈ on both motions, beside tree-closures", "rad/s²"), eq40, eq40_swing],
        ),
        Erratum::new(
            "eq. 41",
            "f = −(r · ω) (t · ω)",
            "+, as eq. 36 has it",
            [seen.eq41.evidence("γ̈ on both motions, beside tree-closures", "rad/s²"), eq41],
        ),
        Erratum::new(
            "eqs 54, 55, 62, 68",
            "+ μ̇ r, + μ̈ r, and − r … in J_ipl",
            "− μ̇ r, − μ̈ r, and + r rᵀ, as eqs 26 and 45 demand",
            [
                seen.passive.evidence("ω_ipl − β̇ t on both motions, beside ω", "rad/s"),
                seen.skewed.evidence("torques on both motions, with passive links that are not axisymmetric", "N m"),
            ],
        ),
        Erratum::new(
            "eqs 45, 68",
            "μ and μ̈ are used and never given",
            "μ = atan2(t · (w × r), t · w), μ̈ = −r · ω̇ − γ̇ (w × r) · ω",
            [
                Evidence::of_completed("μ, beside the general assembly", "rad", seen.mu),
                Evidence::of_completed("μ̈, beside tree-closures", "rad/s²", seen.mu_ddot),
            ],
        ),
        Erratum::new(
            "eqs 60, 62",
            "a quotient with w × t",
            "simply μ̇ = −r · ω, eq. 34",
            [Evidence::of_completed("the quotient, beside tree-closures", "rad/s", seen.quotient)],
        ),
        Erratum::new(
            "eq. 63",
            "moments about the mass centre, at E",
            "about O; a body with the printed inertia about O cannot have its centre of mass at E, 0.4 m away",
            [impossible(
                "how far the least principal inertia about the centre of mass is below 0",
                star_at(0.4),
                star_at(0.216),
            )],
        ),
        Erratum::new("§6", "steps name t₁, t₂ for eqs 10, 11, and 1k for J_ipl and n_ipl", "t₂, t₃, and 2k", []),
        Erratum::new(
            "§7.1",
            "inertia of the motor's link (1, 8, 80) · 10⁻⁴ kg m²",
            "of no body, but zz alone acts; the built-in robot has a possible one",
            [impossible("how far the triangle inequality is violated", motor_as_printed(), motor_built_in())],
        ),
        Erratum::new("eqs 24, 40, 41, 54 to 68", "together, as printed", "none of them", [all, all_swing]),
    ])
}

/// How far a printed inertia is from possible, and ours: numbers below 0 count, with the largest of the printed.
fn impossible(what: &'static str, [printed, largest]: [f64; 2], [ours, _]: [f64; 2]) -> Evidence {
    Evidence {
        what,
        error_as_printed: Some((-printed).max(0.0)),
        residual: (-ours).max(0.0),
        scale: largest,
        unit: "kg m²",
    }
}

/// The least and the largest principal inertia of the star about its centre of mass, if that is so far along s.
fn star_at(distance: f64) -> [f64; 2] {
    let star = StarTriangle::paper().star;
    let [least, _, largest] =
        PivotedBody::new(star.mass, Vec3::new(0.0, 0.0, distance), star.inertia).body().inertia.eigenvalues();
    [least, largest]
}

fn motor_as_printed() -> [f64; 2] {
    slack(StarTriangle::paper().motors[0].inertia)
}

fn motor_built_in() -> [f64; 2] {
    let robot = robots::find("sst").expect("built in").closed();
    slack(robot.tree().links()[0].inertia)
}

/// What the sum of the two smaller principal inertias has more than the largest, and that.
fn slack(inertia: Sym3<f64>) -> [f64; 2] {
    let [least, middle, largest] = inertia.eigenvalues();
    [least + middle - largest, largest]
}
