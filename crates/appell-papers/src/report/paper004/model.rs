//! §7.1: the parameters of the star-triangle robot, and what the paper leaves open.

use crate::PivotedBody;
use crate::enferadi::StarTriangle;
use crate::report::number::parameter;
use crate::report::section::{Figure, Section, Verdict, paragraphs};
use crate::report::{robot_drawing, table};
use anyhow::Result;
use serde_json::json;

pub(super) fn parameters() -> Result<Section> {
    let star = StarTriangle::paper();
    let (name, title) = ("§7.1, parameters", "The star-triangle robot, and what is assumed of it");
    let headline = "neither centres of mass nor gravity are printed; torques of the figures are without gravity";
    Ok(Section {
        body: bodies(&star),
        figures: vec![Figure {
            file: "004-star.svg",
            caption: "The built-in star-triangle robot, the star's middle over the triangle's.",
            svg: robot_drawing::of("sst")?,
        }],
        reasons: paragraphs([
            "Corners of the triangle are the axes of the base; the arcs of the star are 120° apart. The printed radii, 0.35 m \
             and 0.4 m, do not enter the equations. All inertias are about the point.",
            "Figures 8, 9 and 11 are without gravity, as in the paper. Where gravity acts it is ours: 9.81 m/s² along \
             −(1, 1, 1), and centres of mass that the printed inertias allow. The star's is that of three uniform arcs of \
             90° with its inertia.",
            "No body has the printed inertia of the motors' links: the largest moment is larger than the sum of the others. \
             They turn about their z alone, where zz counts alone.",
        ]),
        data: json!({ "gravity": star.gravity.to_array() }),
        ..Section::new(name, title, Verdict::Redrawn, headline.into())
    })
}

fn bodies(star: &StarTriangle) -> String {
    let row = |(name, body): (&'static str, PivotedBody)| {
        let (i, com) = (body.inertia, body.com().to_array());
        let product = if i.xz == 0.0 { String::new() } else { format!(", xz = {}", parameter(i.xz)) };
        let inertia = [i.xx, i.yy, i.zz].map(parameter).join(", ") + &product;
        (name, [body.mass.to_string(), inertia, format!("({})", com.map(parameter).join(", "))])
    };
    let rows = [
        ("star, in E: z along s, y along t₁", star.star),
        ("link of a motor, in 1k: x along r, z along w", star.motors[0]),
        ("passive link, in 2k: x along r, z along t", star.passive[0]),
    ];
    let heads = ["body", "mass, kg", "inertia about the point, kg m²", "centre of mass, m: assumed"];
    table::numbers(heads, rows.map(row))
}
