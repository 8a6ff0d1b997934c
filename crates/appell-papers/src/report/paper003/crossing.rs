//! A five-bar linkage crosses Type 2, with Briot's and Arakelian's criterion and without.

use crate::briot_khalil::crossing::{self, HALF, Run, Study};
use crate::report::checks;
use crate::report::number::short;
use crate::report::plot::{self, Axis, Curve, Panel};
use crate::report::section::{Figure, Section, Verdict, paragraphs};
use anyhow::Result;
use plotters::chart::SeriesLabelPosition;
use plotters::style::RGBColor;
use serde_json::json;

/// Torques beyond this are off the sheet, N m.
const SHOWN: f64 = 25.0;

pub(super) fn section() -> Result<Section> {
    let study = crossing::study()?;
    let Study { place, twist, with, without, limit, growth, .. } = &study;
    let pair = |x: [f64; 2]| format!("({}, {})", exact(x[0]), exact(x[1]));
    let finding = format!(
        "with it torques tend to {} N m; without it they grow like {} N m s / |t|",
        pair(*limit),
        short(growth[0].abs())
    );
    let title = "Type 2 crossed by a five-bar linkage, with the criterion of Briot and Arakelian and without";
    Ok(Section {
        figures: vec![Figure {
            file: "003-crossing.svg",
            caption: "Torques of both motors over the time from the crossing: above with the criterion, in the middle \
                      without, where they leave the sheet; below the sizes of those of motor 1 near the crossing.",
            svg: plot::panels(
                1,
                &[
                    over_time("with: torque, N m", with),
                    over_time("without: torque, N m", without),
                    near(with, without),
                ],
            )?,
        }],
        reasons: paragraphs([
            &format!(
                "The linkage is singular at {} m, where both outer links are in line; the drives do not control t_s = {}. Both \
                 paths go from rest to rest in {} s through this point with (0.2, −1) m/s and differ in their acceleration \
                 there alone: {} m/s² with the criterion, the least that satisfies it, and {} m/s² without.",
                pair(*place),
                pair([twist[0], twist[1]]),
                short(2.0 * HALF),
                pair(with.acceleration),
                pair(without.acceleration)
            ),
            &format!(
                "J_invᵀ τ = M_rob V̇_r + c_rob =: w has a finite solution only if t_s · w = 0 there. It is {} W with the \
                 criterion and {} W without.",
                checks::number(with.defect),
                short(without.defect)
            ),
            "The paper cites the criterion and shows no example; the linkage and the paths are ours.",
        ]),
        data: json!({
            "place": place, "twist": twist, "limit": limit, "growth": growth, "checks": checks::as_json(&study.checks),
        }),
        ..checks::section("§5.3, crossing", title, &study.checks, Verdict::Redrawn, finding)
    })
}

/// The torques of one motor before or after the crossing.
fn side(run: &Run, motor: usize, before: bool) -> impl Iterator<Item = (f64, f64)> {
    run.torques.iter().filter(move |(s, _)| (*s < 0.0) == before).map(move |(s, tau)| (*s, tau[motor]))
}

fn over_time(label: &str, run: &Run) -> Panel {
    let motor = |k: usize, colour: RGBColor| {
        let name = format!("motor {}", k + 1);
        [Curve::new(name, colour, side(run, k, true)), Curve::new("", colour, side(run, k, false))]
    };
    Panel {
        x: Axis::linear("time from the crossing, s", -HALF..HALF),
        y: Axis::linear(label, -SHOWN..SHOWN),
        curves: motor(0, plot::BLUE).into_iter().chain(motor(1, plot::VERMILION)).collect(),
        legend: SeriesLabelPosition::UpperRight,
    }
}

fn near(with: &Run, without: &Run) -> Panel {
    let sizes = |run, before| side(run, 0, before).map(|(s, tau)| (s.abs(), tau.abs()));
    Panel {
        x: Axis::logarithmic("|time from the crossing|, s", 8e-6..0.01),
        y: Axis::logarithmic("|torque of motor 1|, N m", 1.0..1e5),
        curves: vec![
            Curve::new("without, before", plot::VERMILION, sizes(without, true)),
            Curve::dashed("without, after", plot::VERMILION, sizes(without, false)),
            Curve::new("with, before", plot::BLUE, sizes(with, true)),
            Curve::dashed("with, after", plot::BLUE, sizes(with, false)),
        ],
        legend: SeriesLabelPosition::UpperRight,
    }
}

fn exact(x: f64) -> String {
    format!("{x:.4}").replace('-', "−")
}
