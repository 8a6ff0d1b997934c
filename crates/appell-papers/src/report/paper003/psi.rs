//! Eqs 21 and 22 where Ψ depends on the attitude: what the printed forms would do.

use crate::briot_khalil::psi::{self, Study};
use crate::report::number::{scientific, short};
use crate::report::section::{Section, Verdict, paragraphs};
use crate::report::{checks, table};
use anyhow::Result;
use serde_json::json;

/// States that are looked at, and the seed that draws them.
const STATES: usize = 200;
const SEED: u64 = 3;

/// An error of a printed form below this is none that we could speak of.
const SHOWS: f64 = 1e-4;

/// Eqs 21 and 22 on the 3-RPS.
pub(super) fn equations() -> Result<Section> {
    let study = psi::study(STATES, SEED)?;
    let Study { largest_entry, bias_error, median_bias_error, worst_bias_error, inertia_error, .. } = study;
    let it_shows = bias_error > SHOWS && inertia_error > SHOWS;
    let finding = format!(
        "as printed, the velocity part of c_rob is wrong by {} on a 3-RPS; corrected, all agrees",
        percent(bias_error)
    );
    let verdict = if it_shows { Verdict::Differs } else { Verdict::Fails };
    let [bias, inertia] = study.checks.each_ref().map(|check| scientific(check.difference));
    let rows = [
        ("eq. 22: error of c_rob, largest over the largest velocity part", [percent(bias_error), bias]),
        ("the same state by state, median", [percent(median_bias_error), "–".into()]),
        ("the same state by state, largest", [percent(worst_bias_error), "–".into()]),
        ("eq. 21: error of M_rob, over the largest entry", [percent(inertia_error), inertia]),
    ];
    let heads = [format!("of a 3-RPS, {STATES} random states"), "as printed".into(), "corrected".into()];
    let title = "Inertia and bias of a robot with fewer than six degrees of freedom";
    Ok(Section {
        body: checks::table(&study.checks) + &table::numbers(heads, rows),
        reasons: paragraphs([
            &format!(
                "For six degrees of freedom Ψ is the unit matrix and both equations hold. A 3-RPS moves by v_z, ω_x and ω_y; what it \
                 does besides follows from its attitude: entries of Ψ that eq. 1 takes for 0 or 1 are up to {}, and they \
                 change.",
                short(largest_entry)
            ),
            "Eq. 22: V̇_r = 0 does not stop the dependent components, V̇ = dΨ/dt V_r. To take V̇ = 0 drops centrifugal \
             forces.",
            "Eq. 21: as printed it adds a 3 × 3 and a 6 × 6 matrix. The error is of the reading nearest to it, in which of \
             the legs' part the rows and columns of V_r are kept; Ψᵀ (I_P + Σ J_vᵀ M_x J_v) Ψ is right.",
        ]),
        data: json!({
            "bias_error": bias_error, "median_bias_error": median_bias_error, "worst_bias_error": worst_bias_error,
            "inertia_error": inertia_error, "checks": checks::as_json(&study.checks),
        }),
        ..checks::section("eqs 21 and 22", title, &study.checks, verdict, finding)
    })
}

fn percent(x: f64) -> String {
    let x = 100.0 * x;
    if x >= 1.0 { format!("{x:.0} %") } else { format!("{x:.2} %") }
}
