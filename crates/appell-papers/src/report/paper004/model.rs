//! §7.1: the parameters of the star-triangle robot, and what the paper leaves open.

use crate::PivotedBody;
use crate::enferadi::StarTriangle;
use crate::report::number::parameter;
use crate::report::robot_drawing;
use crate::report::section::{Figure, Section, Verdict};
use anyhow::Result;
use serde_json::json;
use std::fmt::Write;

pub(super) fn parameters() -> Result<Section> {
    let star = StarTriangle::paper();
    Ok(Section {
        name: "§7.1, parameters",
        title: "The star-triangle robot, and what is assumed of it",
        verdict: Verdict::Redrawn,
        headline: "neither centres of mass nor gravity are printed; torques of the figures are without gravity".into(),
        body: bodies(&star),
        figures: vec![Figure {
            file: "004-star.svg",
            caption: "The built-in star-triangle robot, the star's middle over the triangle's.",
            svg: robot_drawing::of("sst")?,
        }],
        reasons: vec![
            "Corners of the triangle are the axes of the base; the arcs of the star are 120° apart. The printed radii, 0.35 m \
             and 0.4 m, do not enter the equations. All inertias are about the point."
                .into(),
            "Figures 8, 9 and 11 are without gravity, as in the paper. Where gravity acts it is ours: 9.81 m/s² along \
             −(1, 1, 1), and centres of mass that the printed inertias allow. The star's is that of three uniform arcs of \
             90° with its inertia."
                .into(),
            "No body has the printed inertia of the motors' links: the largest moment is larger than the sum of the others. \
             They turn about their z alone, where zz counts alone."
                .into(),
        ],
        data: json!({ "gravity": star.gravity.to_array() }),
    })
}

fn bodies(star: &StarTriangle) -> String {
    let mut html = String::from(
        "<div class=\"wide\"><table class=\"numbers\"><thead><tr><th>body</th><th>mass, kg</th><th>inertia about the point, \
         kg m²</th><th>centre of mass, m: assumed</th></tr></thead><tbody>",
    );
    let mut row = |name: &str, body: &PivotedBody| {
        let i = body.inertia;
        let product = if i.xz == 0.0 { String::new() } else { format!(", xz = {}", parameter(i.xz)) };
        let com = body.com().to_array().map(parameter).join(", ");
        let inertia = [i.xx, i.yy, i.zz].map(parameter).join(", ") + &product;
        let mass = body.mass;
        let _ = write!(html, "<tr><th scope=\"row\">{name}</th><td>{mass}</td><td>{inertia}</td><td>({com})</td></tr>");
    };
    row("star, in E: z along s, y along t₁", &star.star);
    row("link of a motor, in 1k: x along r, z along w", &star.motors[0]);
    row("passive link, in 2k: x along r, z along t", &star.passive[0]);
    html + "</tbody></table></div>"
}
