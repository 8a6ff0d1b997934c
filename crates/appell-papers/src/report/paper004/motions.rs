//! Figures 8, 9 and 11: torques along both motions of §7.2.

use crate::Check;
use crate::enferadi::StarTriangle;
use crate::enferadi::trajectory::{self, Sample, Study, Trajectory};
use crate::report::checks;
use crate::report::number::scientific;
use crate::report::over_time::{self, Series};
use crate::report::plot;
use crate::report::section::{Figure, Section, Verdict, paragraphs};
use crate::study::largest;
use anyhow::Result;
use appell::spatial::Vec3;
use serde_json::json;

const STEPS: usize = 200;

const MOTORS: [&str; 3] = ["motor 1", "motor 2", "motor 3"];

/// As the paper has it, without gravity, and with ours.
fn studies(motion: Trajectory) -> Result<[Study; 2]> {
    let star = StarTriangle::paper();
    let without = trajectory::study(&star.clone().with_gravity(Vec3::zero(0.0)), motion, STEPS)?;
    Ok([without, trajectory::study(&star, motion, STEPS)?])
}

/// Figures 8 and 9: the star swings about its middle.
pub(super) fn figures_8_and_9() -> Result<Section> {
    let [without, with] = studies(Trajectory::Swing)?;
    let peak = peak(&without);
    let spread = without.samples.iter().fold(0.0, |most: f64, sample| {
        let [a, b, c] = sample.tau;
        most.max((a - b).abs()).max((a - c).abs())
    });
    let mut found = without.checks.clone();
    found.push(Check { what: "torques of the three motors among each other", difference: spread / peak, limit: 1e-14 });
    let finding =
        format!("three equal torques, as the paper says, to {} N m; {peak:.6} N m at most", scientific(spread));
    Ok(Section {
        figures: vec![Figure {
            file: "004-swing.svg",
            caption: "Torques by virtual work without gravity, all three alike, and those of tree-closures over them; their \
                      difference; torques with gravity.",
            svg: figure(&without, &with)?,
        }],
        reasons: paragraphs([
            "θ = π/4, φ = arccos √3/3, ψ = sin(12 t)/12: the star's middle rests over the middle of the triangle, and the \
             motors share the work alike.",
            "The paper compares with a commercial package by eye, here with two general methods to the last digits. With \
             gravity along the axis the star turns about, the torques stay equal.",
        ]),
        data: json!({ "peak": peak, "spread": spread, "checks": checks::as_json(&found) }),
        ..checks::section("figures 8, 9", "The star swings about its middle", &found, Verdict::Matches, finding)
    })
}

/// Figure 11: the star's middle runs round a circle.
pub(super) fn figure_11() -> Result<Section> {
    let [without, with] = studies(Trajectory::Circle)?;
    let peak = peak(&without);
    let agree = scientific(checks::largest(&without.checks));
    let finding = format!("{peak:.5} N m at most; virtual work and both general methods agree to {agree}");
    let title = "The star's middle runs round a circle";
    Ok(Section {
        figures: vec![Figure {
            file: "004-circle.svg",
            caption: "Torques by virtual work without gravity, and those of tree-closures over them; their difference; \
                      torques with gravity.",
            svg: figure(&without, &with)?,
        }],
        reasons: paragraphs([
            "s(t) of §7.2.2 has length one; θ and φ are its angles, ψ = 0. The star does not keep its direction about s: a \
             ψ that is constant in ZYZ angles still turns it with θ.",
        ]),
        data: json!({ "peak": peak, "checks": checks::as_json(&without.checks) }),
        ..checks::section("figure 11", title, &without.checks, Verdict::Redrawn, finding)
    })
}

fn figure(without: &Study, with: &Study) -> Result<String> {
    let series = |study: &Study, of: fn(&Sample) -> [f64; 3]| -> Series<3> {
        study.samples.iter().map(|sample| (sample.t, of(sample))).collect()
    };
    let difference = |sample: &Sample| [0, 1, 2].map(|k| sample.tau[k] - sample.tree[k]);
    let (ours, tree) = (series(without, |s| s.tau), series(without, |s| s.tree));
    plot::panels(
        1,
        &[
            over_time::panel_beside("torque, N m", MOTORS, &ours, &tree, "tree-closures"),
            over_time::differences("difference, 10⁻¹⁵ N m", MOTORS, &series(without, difference), 1e-15),
            over_time::panel("torque with gravity, N m", MOTORS, &series(with, |s| s.tau)),
        ],
    )
}

/// The largest torque, N m.
fn peak(study: &Study) -> f64 {
    largest(study.samples.iter().flat_map(|sample| &sample.tau))
}
