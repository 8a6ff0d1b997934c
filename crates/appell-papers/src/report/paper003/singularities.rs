//! The ways of the Gough-Stewart platform into Type 2 and Type 1.

use crate::briot_khalil::singular::{self, Aligned, Near};
use crate::report::checks;
use crate::report::number::scientific;
use crate::report::plot::{self, Axis, Curve, Panel};
use crate::report::section::{Figure, Section, Verdict, paragraphs};
use anyhow::Result;
use plotters::chart::SeriesLabelPosition;
use serde_json::json;

/// Type 2: yaw through π/2.
pub(super) fn type2() -> Result<Section> {
    let study = singular::type2()?;
    let twist =
        study.twist.iter().map(|x| if x.abs() < 1e-12 { "0".into() } else { format!("{x:.4}").replace('-', "−") });
    let twist: Vec<String> = twist.collect();
    let finding = format!("J_inv loses a rank at yaw 90°, and static forces grow like {:.1} N rad / way", study.growth);
    let title = "The platform turns into a singularity of Type 2";
    Ok(Section {
        figures: vec![Figure {
            file: "003-type-2.svg",
            caption: "Condition number of J_inv in m and rad, and the static forces of two neighbouring legs (by \
                      symmetry those of all), as the platform yaws through 90°.",
            svg: plot::panels(1, &[condition(&study.places), holding(&study.places)])?,
        }],
        reasons: paragraphs([
            &format!(
                "With the platform level at (0, 0, 0.75) m, t_s = ({}) in m and rad is the motion that no drive controls: {}.",
                twist.join(", "),
                study.words
            ),
            "The paper says in words that torques and forces grow near Type 2. The legs hold the weight in pairs that push and pull \
             against each other, with forces in proportion to the inverse of the yaw that is left; at 90° itself inverse \
             dynamics has no answer and says so.",
        ]),
        data: json!({ "twist": study.twist, "growth": study.growth, "checks": checks::as_json(&study.checks) }),
        ..checks::section("§5.3, Type 2", title, &study.checks, Verdict::Redrawn, finding)
    })
}

/// Type 1: a leg along the first axis of its universal joint.
pub(super) fn type1() -> Result<Section> {
    let study = singular::type1()?;
    let least = study.places.iter().fold(f64::INFINITY, |least, place| least.min(place.least));
    let finding =
        format!("³J is singular where S₂ = 0, as printed after eq. 27: σ = q₃ |S₂| down to {}", scientific(least));
    let title = "A leg along the first axis of its universal joint";
    Ok(Section {
        figures: vec![Figure {
            file: "003-type-1.svg",
            caption: "Least singular value of the first leg's Jacobian, ours and q₃ |S₂| of eq. 26, and the condition \
                      number of J_inv in m and rad.",
            svg: plot::panels(1, &[alignment(&study.places)])?,
        }],
        reasons: paragraphs([
            "The first leg, 0.8 m long, is turned until it lies along z₁, far outside of realistic strokes; the platform \
             keeps its attitude. The leg may then spin about itself, and its passive rates are unbounded. Its drive does \
             not see that, so that J_inv stays regular: Type 1 of this kind is no loss of control.",
        ]),
        data: json!({ "least": least, "checks": checks::as_json(&study.checks) }),
        ..checks::section("§5.3, Type 1", title, &study.checks, Verdict::Matches, finding)
    })
}

/// Over the yaw, in two halves with the singularity between them.
fn condition(places: &[Near]) -> Panel {
    let degrees = |place: &Near| 90.0 + place.way.to_degrees();
    let half = |before: bool| {
        let places = places.iter().filter(|place| (place.way < 0.0) == before);
        Curve::new("", plot::INK, places.map(|place| (degrees(place), place.condition)))
    };
    let span = places.first().map_or(60.0, degrees)..places.last().map_or(120.0, degrees);
    Panel {
        x: Axis::linear("yaw, degrees", span),
        y: Axis::logarithmic("condition number of J_inv", 10.0..1e7),
        curves: vec![half(true), half(false)],
        legend: SeriesLabelPosition::UpperRight,
    }
}

fn holding(places: &[Near]) -> Panel {
    let side = |leg: usize, before: bool| {
        let places = places.iter().filter(move |place| (place.way < 0.0) == before);
        places.map(move |place| (place.way.abs(), place.forces[leg].abs()))
    };
    let curves = (0..2).flat_map(|leg| {
        [
            Curve::new(format!("leg {}, before 90°", leg + 1), plot::EACH[leg], side(leg, true)),
            Curve::dashed(format!("leg {}, after 90°", leg + 1), plot::EACH[leg], side(leg, false)),
        ]
    });
    Panel {
        x: Axis::logarithmic("|yaw − 90°|, rad", 3e-6..0.5),
        y: Axis::logarithmic("static force, N", 10.0..1e8),
        curves: curves.collect(),
        legend: SeriesLabelPosition::UpperRight,
    }
}

fn alignment(places: &[Aligned]) -> Panel {
    let points = |of: fn(&Aligned) -> f64| {
        places.iter().filter(|place| place.way > 0.0).map(move |place| (place.way, of(place)))
    };
    Panel {
        x: Axis::logarithmic("angle between the leg and z₁, rad", 2e-6..0.4),
        y: Axis::logarithmic("σ of J₁; condition of J_inv", 1e-6..1e3),
        curves: vec![
            Curve::new("least singular value of J₁, ours", plot::BLUE, points(|place| place.least)),
            Curve::dashed("q₃ |S₂|, eq. 26", plot::INK, points(|place| place.printed)),
            Curve::new("condition number of J_inv", plot::VERMILION, points(|place| place.condition)),
        ],
        legend: SeriesLabelPosition::LowerRight,
    }
}
