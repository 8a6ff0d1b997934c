//! A five-bar linkage crosses Type 2, with Briot's and Arakelian's criterion and without.

use crate::briot_khalil::crossing::{self, HALF, Run, Study};
use crate::report::checks;
use crate::report::number::short;
use crate::report::plot::{self, Axis, Curve, Panel};
use crate::report::section::{Figure, Section, Verdict};
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
    Ok(Section {
        name: "§5.3, crossing",
        title: "Type 2 crossed by a five-bar linkage, with the criterion of Briot and Arakelian and without",
        verdict: checks::verdict(&study.checks, Verdict::Redrawn),
        headline: checks::headline(
            &study.checks,
            format!(
                "with it torques tend to {} N m; without it they grow like {} N m s / |t|",
                pair(*limit),
                short(growth[0].abs())
            ),
        ),
        body: checks::table(&study.checks),
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
        reasons: vec![
            format!(
                "The linkage is singular at {} m, where both outer links are in line; the drives do not control t_s = {}. Both \
                 paths go from rest to rest in {} s through this point with (0.2, −1) m/s and differ in their acceleration \
                 there alone: {} m/s² with the criterion, the least that satisfies it, and {} m/s² without.",
                pair(*place),
                pair([twist[0], twist[1]]),
                short(2.0 * HALF),
                pair(with.acceleration),
                pair(without.acceleration)
            ),
            format!(
                "J_invᵀ τ = M_rob V̇_r + c_rob =: w has a finite solution only if t_s · w = 0 there. It is {} W with the \
                 criterion and {} W without.",
                checks::number(with.defect),
                short(without.defect)
            ),
            "The paper cites the criterion and shows no example; the linkage and the paths are ours.".into(),
        ],
        data: json!({
            "place": place, "twist": twist, "limit": limit, "growth": growth, "checks": checks::as_json(&study.checks),
        }),
    })
}

fn over_time(label: &str, run: &Run) -> Panel {
    let motor = |k: usize, colour: RGBColor| {
        let side = |name: &str, before: bool| Curve {
            name: name.into(),
            colour,
            dashed: false,
            points: run.torques.iter().filter(|(s, _)| (*s < 0.0) == before).map(|(s, tau)| (*s, tau[k])).collect(),
        };
        [side(&format!("motor {}", k + 1), true), side("", false)]
    };
    Panel {
        x: Axis::linear("time from the crossing, s", -HALF..HALF),
        y: Axis::linear(label, -SHOWN..SHOWN),
        curves: motor(0, plot::BLUE).into_iter().chain(motor(1, plot::VERMILION)).collect(),
        legend: SeriesLabelPosition::UpperRight,
    }
}

fn near(with: &Run, without: &Run) -> Panel {
    let curve = |name: &str, colour, dashed, run: &Run, before: bool| Curve {
        name: name.into(),
        colour,
        dashed,
        points: run
            .torques
            .iter()
            .filter(|(s, _)| (*s < 0.0) == before)
            .map(|(s, tau)| (s.abs(), tau[0].abs()))
            .collect(),
    };
    Panel {
        x: Axis::logarithmic("|time from the crossing|, s", 8e-6..0.01),
        y: Axis::logarithmic("|torque of motor 1|, N m", 1.0..1e5),
        curves: vec![
            curve("without, before", plot::VERMILION, false, without, true),
            curve("without, after", plot::VERMILION, true, without, false),
            curve("with, before", plot::BLUE, false, with, true),
            curve("with, after", plot::BLUE, true, with, false),
        ],
        legend: SeriesLabelPosition::UpperRight,
    }
}

fn exact(x: f64) -> String {
    format!("{x:.4}").replace('-', "−")
}
