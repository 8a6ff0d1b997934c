//! Where the wrist reaches in the plane of q₂ and q₃, and where it is singular.

use crate::abedloo::AgileWrist;
use crate::abedloo::reach::{Place, place};
use crate::report::number::short;
use crate::report::robot_drawing::within;
use crate::report::section::{Figure, Section, Verdict, paragraphs};
use anyhow::Result;
use appell_drawing::{Axis, Field, HeatMap, Tile};
use serde_json::json;

/// The slice goes so far to every side, degrees, in so many tiles.
const HALF: f64 = 85.0;
const TILES: usize = 80;

pub(super) fn section() -> Result<Section> {
    let wrist = AgileWrist::paper(AgileWrist::RADIUS);
    let middle = |k: usize| (HALF * (2.0 * (k as f64 + 0.5) / TILES as f64 - 1.0)).to_radians();
    let places: Vec<Place> =
        (0..TILES * TILES).map(|k| place(&wrist, [0.0, middle(k % TILES), middle(k / TILES)])).collect();
    let field = |title: &str, of: fn(f64, f64) -> f64| Field {
        title: title.into(),
        tiles: places
            .iter()
            .map(|place| match *place {
                Place::Reached { least_h, drives } => Tile::Value(of(least_h, drives)),
                Place::Beyond(_) => Tile::Grey,
            })
            .collect(),
    };
    let axis = |label: &str| Axis { label: label.into(), from: -HALF, to: HALF, degrees: true };
    let map = HeatMap {
        title: "Agile Wrist, q₁ = 0, mode +++",
        note: "dark is near to singular",
        x: axis("q₂, degrees"),
        y: axis("q₃, degrees"),
        tiles: [TILES, TILES],
        same_unit: true,
        fields: vec![
            field("least |h| of the legs: Type 1", |h, _| h),
            field("|det| of unit v × w: Type 2", |_, drives| drives),
        ],
        mark: ([0.0, 0.0], "home"),
    };
    let reached = places.iter().filter(|place| matches!(place, Place::Reached { .. })).count();
    let share = reached as f64 / places.len() as f64;
    let headline = format!("{:.0} % of the slice ±{HALF}° is reached; the border is where h = 0", 100.0 * share);
    Ok(Section {
        figures: vec![Figure {
            file: "000-reach.svg",
            caption: "The plane of q₂ and q₃ at q₁ = 0. Grey: a² + b² < c² for some leg. Left the least |h|, right how \
                      independent the three v × w are.",
            svg: within(&map.draw("out of reach", ""), "robot-drawing"),
        }],
        reasons: paragraphs([&format!(
            "a² + b² − c² = h² in eq. 33: a leg that just reaches is stretched or folded, a singularity of Type 1, and both \
             of its working modes meet there. At home |h| is {} and the determinant {}.",
            short(at_home(&wrist).0),
            short(at_home(&wrist).1)
        )]),
        data: json!({ "reached": share }),
        ..Section::new("eqs 33, 39", "Where the legs reach, and singularities", Verdict::Redrawn, headline)
    })
}

fn at_home(wrist: &AgileWrist) -> (f64, f64) {
    match place(wrist, [0.0; 3]) {
        Place::Reached { least_h, drives } => (least_h, drives),
        Place::Beyond(_) => (f64::NAN, f64::NAN),
    }
}
