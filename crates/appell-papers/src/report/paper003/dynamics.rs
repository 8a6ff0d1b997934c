//! Jacobians of the legs, forces along a motion by all methods, and what a call costs.

use super::LEGS;
use crate::briot_khalil::trajectory::{self, Sample, Study};
use crate::briot_khalil::{Path, cost, leg, robot};
use crate::report::checks;
use crate::report::number::scientific;
use crate::report::plot::{self, Axis, Curve, Panel};
use crate::report::section::{Figure, Section, Verdict};
use anyhow::Result;
use plotters::chart::SeriesLabelPosition;
use serde_json::json;
use std::fmt::Write;

/// Poses at which the Jacobians are compared, and the seed that draws them.
const POSES: usize = 200;
const SEED: u64 = 3;

/// The motion, in steps of so many seconds.
const STEP: f64 = 0.03;
const STEPS: usize = 100;

/// Eqs 26 to 32.
pub(super) fn jacobians() -> Result<Section> {
    let found = leg::compare(POSES, SEED)?;
    Ok(Section {
        name: "eqs 26 to 32",
        title: "Jacobians of a leg and of the robot",
        verdict: checks::verdict(&found, Verdict::Matches),
        headline: checks::headline(
            &found,
            format!("the printed formulas and ours differ by {} at most", scientific(checks::largest(&found))),
        ),
        body: checks::table(&found),
        figures: Vec::new(),
        reasons: vec![
            format!(
                "Over {POSES} random poses. The printed side is evaluated from the points B and P and the axis z₁ alone; ours \
                 comes out of the sweep over the joints' frames and the general formulation, which know nothing of a 6-UPS. \
                 Differences are relative to the largest entry."
            ),
            "³J is singular where q₃ = 0 or S₂ = 0, as the paper says: below, under Type 1, a leg is led there.".into(),
        ],
        data: checks::as_json(&found),
    })
}

/// Eq. 33 along the reference motion.
pub(super) fn forces() -> Result<(Section, Study)> {
    let robot = robot("gough-stewart");
    let study = trajectory::study(&robot, &Path::GOUGH_STEWART, STEP, STEPS)?;
    let largest = extreme(&study, |sample| &sample.forces);
    let section = Section {
        name: "eq. 33",
        title: "Inverse and forward dynamics of the Gough-Stewart platform along a motion",
        verdict: checks::verdict(&study.checks, Verdict::Redrawn),
        headline: checks::headline(
            &study.checks,
            format!(
                "three methods agree to {}; forces up to {:.1} N; none are printed",
                scientific(checks::largest(&study.checks[1..3])),
                largest
            ),
        ),
        body: checks::table(&study.checks),
        figures: vec![Figure {
            file: "003-forces.svg",
            caption: "Forces and lengths of the six legs, and the power of all drives on the rate of the energy, along \
                      the motion.",
            svg: plot::panels(1, &[legs_over_time("force of a leg, N", &study, |s| &s.forces), legs_over_time("length of a leg, m", &study, |s| &s.lengths), power(&study)])?,
        }],
        reasons: vec![
            format!(
                "The platform moves in sines: x(t) = x₀ + A sin(2π f t + φ) for x, y, z, yaw, pitch and roll, with \
                 A = 80, 60, 70 mm, 0.25, 0.18, 0.15 rad and f = 0.5, 0.7, 0.6, 0.45, 0.65, 0.8 Hz about z = 0.78 m; {} \
                 instants in {:.0} s.",
                STEPS + 1,
                STEP * STEPS as f64
            ),
            "Legs-platform is eq. 33 with the legs' torques by the Gibbs-Appell recursion. Tree-closures opens all loops, \
             computes the tree by Newton and Euler and projects on the drives. The third is eq. 9 as a sum over bodies in \
             base axes, from the closed forms of §4.2, with neither recursion nor elimination. That the power of the \
             drives is the rate of the energy, differentiated by dual numbers, needs none of these."
                .into(),
        ],
        data: json!({ "largest_force": largest, "checks": checks::as_json(&study.checks) }),
    };
    Ok((section, study))
}

/// What a call costs.
pub(super) fn operations() -> Result<Section> {
    let lines = cost::lines()?;
    let mut body = String::from(
        "<div class=\"wide\"><table class=\"numbers\"><thead><tr><th>computed</th><th>method</th><th>printed</th><th>×</th>\
         <th>+</th></tr></thead><tbody>",
    );
    for line in &lines {
        let _ = write!(
            body,
            "<tr><th scope=\"row\">{}</th><td>{}</td><td>–</td><td>{}</td><td>{}</td></tr>",
            line.what, line.method, line.count.multiplications, line.count.additions
        );
    }
    body += "</tbody></table></div>";
    let of = |what: &str, method: &str| lines.iter().find(|line| line.what == what && line.method.starts_with(method));
    let headline = of("inverse dynamics", "legs-platform").map_or_else(String::new, |line| {
        format!(
            "none are printed; our inverse dynamics makes {} × and {} +",
            line.count.multiplications, line.count.additions
        )
    });
    Ok(Section {
        name: "operations",
        title: "What a call on the Gough-Stewart platform costs",
        verdict: Verdict::Redrawn,
        headline,
        body,
        figures: Vec::new(),
        reasons: vec![
            "The paper names methods that are cheap but prints no counts. Ours are of the general code, for any robot of \
             legs and a platform, with all checks for singular configurations; a program for 6-UPS alone would save the \
             zeros of table 1. Separating the platform from the legs, the paper's idea, is what makes the difference to \
             a tree with closures."
                .into(),
        ],
        data: lines
            .iter()
            .map(|line| json!({ "what": line.what, "method": line.method, "ours": [line.count.multiplications, line.count.additions] }))
            .collect(),
    })
}

/// The largest size of something along the motion.
fn extreme(study: &Study, of: impl Fn(&Sample) -> &Vec<f64>) -> f64 {
    study.samples.iter().flat_map(of).fold(0.0, |most: f64, x| most.max(x.abs()))
}

/// Something of the six legs over time, with their names beside the curves.
fn legs_over_time(label: &str, study: &Study, of: impl Fn(&Sample) -> &Vec<f64>) -> Panel {
    let curves = LEGS.into_iter().enumerate().map(|(k, colour)| Curve {
        name: format!("leg {}", k + 1),
        colour,
        dashed: false,
        points: study.samples.iter().map(|sample| (sample.t, of(sample)[k])).collect(),
    });
    let values = study.samples.iter().flat_map(&of);
    Panel {
        x: time(study),
        y: Axis::linear(label, plot::range(values)),
        curves: curves.collect(),
        legend: SeriesLabelPosition::UpperRight,
    }
}

/// Power of the drives, and dE/dt over it.
fn power(study: &Study) -> Panel {
    let curve = |name: &str, colour, dashed, of: fn(&Sample) -> f64| Curve {
        name: name.into(),
        colour,
        dashed,
        points: study.samples.iter().map(|sample| (sample.t, of(sample))).collect(),
    };
    let range = plot::range(study.samples.iter().map(|sample| &sample.power));
    Panel {
        x: time(study),
        y: Axis::linear("power, W", range),
        curves: vec![
            curve("power of the drives", plot::SKY, false, |sample| sample.power),
            curve("rate of the energy", plot::INK, true, |sample| sample.energy_rate),
        ],
        legend: SeriesLabelPosition::LowerRight,
    }
}

/// With room at the right for the legend.
fn time(study: &Study) -> Axis {
    let end = study.samples.last().map_or(1.0, |sample| sample.t);
    Axis::at("time, s", 0.0..1.15 * end, (0..=6).map(|k| end * f64::from(k) / 6.0).collect())
}
