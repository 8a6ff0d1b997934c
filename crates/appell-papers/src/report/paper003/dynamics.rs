//! Jacobians of the legs, forces along a motion by all methods, and what a call costs.

use crate::briot_khalil::cost::{self, Line};
use crate::briot_khalil::trajectory::{self, Sample, Study};
use crate::briot_khalil::{leg, robot};
use crate::report::number::scientific;
use crate::report::plot::{self, Axis, Curve, Panel};
use crate::report::section::{Figure, Section, Verdict, paragraphs};
use crate::report::{checks, table};
use crate::study::largest;
use anyhow::Result;
use appell::real::Count;
use plotters::chart::SeriesLabelPosition;
use serde_json::json;

/// Poses at which the Jacobians are compared, and the seed that draws them.
const POSES: usize = 200;
const SEED: u64 = 3;

/// The motion, in steps of so many seconds.
const STEP: f64 = 0.03;
const STEPS: usize = 100;

/// Eqs 26 to 32.
pub(super) fn jacobians() -> Result<Section> {
    let found = leg::compare(POSES, SEED)?;
    let finding = format!("the printed formulas and ours differ by {} at most", scientific(checks::largest(&found)));
    Ok(Section {
        reasons: paragraphs([
            &format!(
                "Over {POSES} random poses. The printed side is evaluated from the points B and P and the axis z₁ alone; ours \
                 comes out of the sweep over the joints' frames and the general formulation, which know nothing of a 6-UPS. \
                 Differences are relative to the largest entry."
            ),
            "³J is singular where q₃ = 0 or S₂ = 0, as the paper says: below, under Type 1, a leg is led there.",
        ]),
        data: checks::as_json(&found),
        ..checks::section("eqs 26 to 32", "Jacobians of a leg and of the robot", &found, Verdict::Matches, finding)
    })
}

/// Eq. 33 along the reference motion.
pub(super) fn forces() -> Result<(Section, Study)> {
    let robot = robot("gough-stewart");
    let study = trajectory::study(&robot, STEP, STEPS)?;
    let largest = largest(study.samples.iter().flat_map(|sample| &sample.forces));
    let agree = scientific(checks::largest(&study.checks[1..3]));
    let finding = format!("three methods agree to {agree}; forces up to {largest:.1} N; none are printed");
    let title = "Inverse and forward dynamics of the Gough-Stewart platform along a motion";
    let section = Section {
        figures: vec![Figure {
            file: "003-forces.svg",
            caption: "Forces and lengths of the six legs, and the power of all drives on the rate of the energy, along \
                      the motion.",
            svg: plot::panels(
                1,
                &[
                    legs_over_time("force of a leg, N", &study, |s| &s.forces),
                    legs_over_time("length of a leg, m", &study, |s| &s.lengths),
                    power(&study),
                ],
            )?,
        }],
        reasons: paragraphs([
            &format!(
                "The platform moves in sines: x(t) = x₀ + A sin(2π f t + φ) for x, y, z, yaw, pitch and roll, with \
                 A = 80, 60, 70 mm, 0.25, 0.18, 0.15 rad and f = 0.5, 0.7, 0.6, 0.45, 0.65, 0.8 Hz about z = 0.78 m; {} \
                 instants in {:.0} s.",
                STEPS + 1,
                STEP * STEPS as f64
            ),
            "Legs-platform is eq. 33 with the legs' torques by the Gibbs-Appell recursion. Tree-closures opens all loops, \
             computes the tree by Newton and Euler and projects on the drives. The third is eq. 9 as a sum over bodies in \
             base axes, from the closed forms of §4.2, with neither recursion nor elimination. That the power of the \
             drives is the rate of the energy, differentiated by dual numbers, needs none of these.",
        ]),
        data: json!({ "largest_force": largest, "checks": checks::as_json(&study.checks) }),
        ..checks::section("eq. 33", title, &study.checks, Verdict::Redrawn, finding)
    };
    Ok((section, study))
}

/// What a call costs.
pub(super) fn operations() -> Result<Section> {
    let lines = cost::lines()?;
    let cells = |line: &Line| {
        let Count { multiplications, additions } = line.count;
        (line.what, [line.method.into(), "–".into(), multiplications.to_string(), additions.to_string()])
    };
    let body = table::numbers(["computed", "method", "printed", "×", "+"], lines.iter().map(cells));
    let of = |what: &str, method: &str| lines.iter().find(|line| line.what == what && line.method.starts_with(method));
    let headline = of("inverse dynamics", "legs-platform").map_or_else(String::new, |line| {
        format!(
            "none are printed; our inverse dynamics makes {} × and {} +",
            line.count.multiplications, line.count.additions
        )
    });
    let title = "What a call on the Gough-Stewart platform costs";
    Ok(Section {
        body,
        reasons: paragraphs([
            "The paper names methods that are cheap but prints no counts. Ours are of the general code, for any robot of \
             legs and a platform, with all checks for singular configurations; a program for 6-UPS alone would save the \
             zeros of table 1. Separating the platform from the legs, the paper's idea, is what makes the difference to \
             a tree with closures.",
        ]),
        data: lines
            .iter()
            .map(|line| json!({ "what": line.what, "method": line.method, "ours": [line.count.multiplications, line.count.additions] }))
            .collect(),
        ..Section::new("operations", title, Verdict::Redrawn, headline)
    })
}

/// Something of the six legs over time, with their names beside the curves.
fn legs_over_time(label: &str, study: &Study, of: impl Fn(&Sample) -> &Vec<f64>) -> Panel {
    let of = &of;
    let points = |k: usize| study.samples.iter().map(move |sample| (sample.t, of(sample)[k]));
    let curve = |k: usize| Curve::new(format!("leg {}", k + 1), plot::EACH[k], points(k));
    Panel {
        x: time(study),
        y: Axis::linear(label, plot::range(study.samples.iter().flat_map(of))),
        curves: (0..6).map(curve).collect(),
        legend: SeriesLabelPosition::UpperRight,
    }
}

/// Power of the drives, and dE/dt over it.
fn power(study: &Study) -> Panel {
    let points = |of: fn(&Sample) -> f64| study.samples.iter().map(move |sample| (sample.t, of(sample)));
    Panel {
        x: time(study),
        y: Axis::linear("power, W", plot::range(study.samples.iter().map(|sample| &sample.power))),
        curves: vec![
            Curve::new("power of the drives", plot::SKY, points(|sample| sample.power)),
            Curve::dashed("rate of the energy", plot::INK, points(|sample| sample.energy_rate)),
        ],
        legend: SeriesLabelPosition::LowerRight,
    }
}

/// With room at the right for the legend.
fn time(study: &Study) -> Axis {
    let end = study.samples.last().map_or(1.0, |sample| sample.t);
    Axis::at("time, s", 0.0..1.15 * end, (0..=6).map(|k| end * f64::from(k) / 6.0).collect())
}
