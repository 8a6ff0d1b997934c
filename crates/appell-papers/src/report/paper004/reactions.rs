//! §8: what the joints transmit, which the paper's method does not give.

use crate::enferadi::StarTriangle;
use crate::enferadi::reactions::{self, Row};
use crate::enferadi::trajectory::Trajectory;
use crate::report::number::four_decimals;
use crate::report::section::{Section, Verdict, paragraphs};
use crate::report::{checks, table};
use anyhow::Result;
use appell_drawing::page::escape;
use serde_json::json;

/// The instant on the circle, s.
const INSTANT: f64 = 0.1;

pub(super) fn section() -> Result<Section> {
    let study = reactions::study(&StarTriangle::paper(), Trajectory::Circle, INSTANT)?;
    let (name, title) = ("§8, reactions", "What all joints transmit, on the circle with gravity");
    let finding = "virtual work does not give them; the general methods do, passive joints included";
    Ok(Section {
        body: rows(&study.rows) + &checks::table(&study.checks),
        reasons: paragraphs([
            &format!(
                "At t = {INSTANT} s, forces and moments about the point that a joint transmits from the body nearer to the \
                 base: of γ in 1k, of μ in 2k, of an arc with z along t. A motor has its torque in m_z; nothing is passed \
                 on about the free axes, m_x of μ and m_z of an arc."
            ),
            &format!(
                "{} constraints repeat others: each leg by itself holds the star to the point. In a rigid robot reactions are \
                 not unique; these are the ones of the least norm. What they give the star together is unique, and is \
                 compared with its own equation of motion.",
                study.redundant
            ),
        ]),
        data: json!({
            "t": study.t, "redundant": study.redundant, "checks": checks::as_json(&study.checks),
            "reactions": study.rows.iter().map(|row| json!({ "joint": row.joint, "force": row.force, "moment": row.moment })).collect::<Vec<_>>(),
        }),
        ..checks::section(name, title, &study.checks, Verdict::Redrawn, finding.into())
    })
}

fn rows(rows: &[Row]) -> String {
    let heads = ["joint", "f_x, N", "f_y, N", "f_z, N", "m_x, N m", "m_y, N m", "m_z, N m"];
    let row = |row: &Row| (escape(&row.joint), [row.force, row.moment].concat().into_iter().map(four_decimals));
    table::numbers(heads, rows.iter().map(row))
}
