//! §8: what the joints transmit, which the paper's method does not give.

use crate::enferadi::StarTriangle;
use crate::enferadi::reactions::{self, Row};
use crate::enferadi::trajectory::Trajectory;
use crate::report::checks;
use crate::report::section::{Section, Verdict};
use anyhow::Result;
use appell_drawing::page::escape;
use serde_json::json;
use std::fmt::Write;

/// The instant on the circle, s.
const INSTANT: f64 = 0.1;

pub(super) fn section() -> Result<Section> {
    let study = reactions::study(&StarTriangle::paper(), Trajectory::Circle, INSTANT)?;
    Ok(Section {
        name: "§8, reactions",
        title: "What all joints transmit, on the circle with gravity",
        verdict: checks::verdict(&study.checks, Verdict::Redrawn),
        headline: checks::headline(
            &study.checks,
            "virtual work does not give them; the general methods do, passive joints included".into(),
        ),
        body: table(&study.rows) + &checks::table(&study.checks),
        figures: Vec::new(),
        reasons: vec![
            format!(
                "At t = {INSTANT} s, forces and moments about the point that a joint transmits from the body nearer to the \
                 base: of γ in 1k, of μ in 2k, of an arc with z along t. A motor has its torque in m_z; nothing is passed \
                 on about the free axes, m_x of μ and m_z of an arc."
            ),
            format!(
                "{} constraints repeat others: each leg by itself holds the star to the point. In a rigid robot reactions are \
                 not unique; these are the ones of the least norm. What they give the star together is unique, and is \
                 compared with its own equation of motion.",
                study.redundant
            ),
        ],
        data: json!({
            "t": study.t, "redundant": study.redundant, "checks": checks::as_json(&study.checks),
            "reactions": study.rows.iter().map(|row| json!({ "joint": row.joint, "force": row.force, "moment": row.moment })).collect::<Vec<_>>(),
        }),
    })
}

fn table(rows: &[Row]) -> String {
    let mut html = String::from(
        "<div class=\"wide\"><table class=\"numbers\"><thead><tr><th>joint</th><th>f_x, N</th><th>f_y, N</th><th>f_z, N</th>\
         <th>m_x, N m</th><th>m_y, N m</th><th>m_z, N m</th></tr></thead><tbody>",
    );
    for row in rows {
        let _ = write!(html, "<tr><th scope=\"row\">{}</th>", escape(&row.joint));
        for x in row.force.iter().chain(&row.moment) {
            let text = format!("{x:.4}");
            let text = if text == "-0.0000" { "0.0000".into() } else { text.replace('-', "−") };
            let _ = write!(html, "<td>{text}</td>");
        }
        html += "</tr>";
    }
    html + "</tbody></table></div>"
}
