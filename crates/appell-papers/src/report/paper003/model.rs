//! Table 1: the frames of a leg, and the robot.

use crate::briot_khalil::leg::Ups;
use crate::briot_khalil::trajectory::{self, Study};
use crate::briot_khalil::{LegTable, Path, robot, tangential};
use crate::report::checks::number;
use crate::report::number::{scientific, short};
use crate::report::robot_drawing;
use crate::report::section::{Figure, Section, Verdict};
use anyhow::Result;
use appell::closed::ClosedMechanism;
use appell::description::KhalilKleinfinger;
use appell_drawing::page::escape;
use serde_json::json;
use std::fmt::Write;

/// Below this a length is none, m.
const ROUNDING: f64 = 1e-12;

/// Table 1 beside ours, and the drawing; `motion` is the robot's reference motion.
pub(super) fn table(motion: &Study) -> Result<Section> {
    let robot = robot("gough-stewart");
    let legs: Vec<(Ups, LegTable)> = Ups::all(&robot).into_iter().map(|leg| (leg, LegTable::of(&leg))).collect();
    let turned = tangential()?;
    let fitting = Ups::all(&turned).iter().map(LegTable::of).fold(0.0, |most: f64, t| most.max(t.miss_as_printed));
    let along = legs.iter().fold(0.0, |most: f64, (_, table)| most.max(table.axis_along_radius.abs()));
    let miss = legs.iter().fold(0.0, |most: f64, (_, table)| most.max(table.miss));
    let change = change_of_forces(motion, &turned)?;
    let holds = miss < ROUNDING && fitting < ROUNDING && along > 0.1;
    Ok(Section {
        name: "table 1",
        title: "Frames of a leg by Khalil and Kleinfinger's parameters",
        verdict: if holds { Verdict::Differs } else { Verdict::Fails },
        headline: format!(
            "the printed r₁ = 0 fits first axes that are perpendicular to the radius; ours need r₁ up to {} m",
            short(legs.iter().fold(0.0, |most: f64, (_, table)| most.max(table.row.r.abs())))
        ),
        body: frames(&legs) + &feet(&legs) + &bodies(&robot),
        figures: vec![Figure {
            file: "003-gough-stewart.svg",
            caption: "The Gough-Stewart platform of our reference data, at home.",
            svg: robot_drawing::of("gough-stewart")?,
        }],
        reasons: vec![
            format!(
                "Rz(γ) Tz(b) Rx(α) Tx(d) leads to the foot of the common normal of z₀ and the first axis z₁. From there \
                 r₁ leads along z₁ to B. It is 0 if and only if z₁ is perpendicular to the radius of B; in our robot all \
                 first axes are parallel to x, and z₁ · radius is up to {} of the radius. With r₁ the rows miss B by {} m.",
                short(along),
                number(miss)
            ),
            format!(
                "With the universal joints turned until z₁ is tangential, r₁ = 0 fits to {} m. That is another robot: the \
                 legs spin differently about themselves, and along the motion below the forces change by up to {} of the \
                 largest.",
                number(fitting),
                scientific(change)
            ),
            "Rows 2 and 3 are ours as printed: our link frames are those of the paper. Our coordinates count from other \
             zeros, so that a leg along z₀ has u₁ = u₂ = 0: θ₁ = u₁ + 180° + a constant of the leg's base, θ₂ = u₂ + 90°."
                .into(),
        ],
        data: json!({ "axis_along_radius": along, "miss": miss, "tangential_miss": fitting, "force_change": change }),
    })
}

/// How much the forces along the reference motion change, over the largest, if the universal joints are turned.
fn change_of_forces(motion: &Study, turned: &ClosedMechanism) -> Result<f64> {
    let steps = motion.samples.len() - 1;
    let dt = motion.samples[steps].t / steps as f64;
    let other = trajectory::study(turned, &Path::GOUGH_STEWART, dt, steps)?;
    let forces = |study: &Study| study.samples.iter().flat_map(|s| s.forces.clone()).collect::<Vec<f64>>();
    let (ours, other) = (forces(motion), forces(&other));
    let largest = ours.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    Ok(ours.iter().zip(&other).fold(0.0, |most: f64, (a, b)| most.max((a - b).abs())) / largest)
}

/// The printed table and ours.
fn frames(legs: &[(Ups, LegTable)]) -> String {
    let mut html = String::from(
        "<div class=\"wide\"><table class=\"numbers\"><thead><tr><th>row</th><th>before</th><th>σ</th><th>γ</th><th>b, m</th>\
         <th>α</th><th>d, m</th><th>θ</th><th>r, m</th></tr></thead><tbody>\
         <tr><th scope=\"row\">1i, printed</th><td>0</td><td>0</td><td>γ₁</td><td>b₁</td><td>α₁</td><td>d₁</td><td>q₁</td>\
         <td>0</td></tr>",
    );
    for (k, (_, LegTable { row, .. })) in legs.iter().enumerate() {
        let KhalilKleinfinger { gamma, b, alpha, d, r, .. } = *row;
        let _ = write!(
            html,
            "<tr><th scope=\"row\">1i, ours, i = {}</th><td>0</td><td>0</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>q₁</td>\
             <td>{}</td></tr>",
            k + 1,
            degrees(gamma),
            metres(b),
            degrees(alpha),
            metres(d),
            metres(r)
        );
    }
    html + "<tr><th scope=\"row\">2i, both</th><td>1i</td><td>0</td><td>0</td><td>0</td><td>90°</td><td>0</td><td>q₂</td>\
            <td>0</td></tr><tr><th scope=\"row\">3i, both</th><td>2i</td><td>1</td><td>0</td><td>0</td><td>90°</td><td>0</td>\
            <td>0</td><td>q₃</td></tr></tbody></table></div>"
}

/// Where the legs stand, and what r₁ = 0 would make of it.
fn feet(legs: &[(Ups, LegTable)]) -> String {
    let mut html = String::from(
        "<div class=\"wide\"><table class=\"numbers\"><thead><tr><th>leg</th><th>B in the base, m</th>\
         <th>P in the platform, m</th><th>z₁ · radius / |radius|</th><th>r₁ = 0 misses B by, m</th></tr></thead><tbody>",
    );
    for (k, (leg, table)) in legs.iter().enumerate() {
        let point = |p: [f64; 3]| p.map(metres).join(", ");
        let _ = write!(
            html,
            "<tr><th scope=\"row\">{}</th><td>({})</td><td>({})</td><td>{}</td><td>{}</td></tr>",
            k + 1,
            point(leg.base.to_array()),
            point(leg.anchor.to_array()),
            metres(table.axis_along_radius),
            metres(table.miss_as_printed)
        );
    }
    html + "</tbody></table></div>"
}

/// Masses, centres and inertias.
fn bodies(robot: &ClosedMechanism) -> String {
    let mut html = String::from(
        "<div class=\"wide\"><table class=\"numbers\"><thead><tr><th>body</th><th>mass, kg</th>\
         <th>centre in its frame, m</th><th>principal inertias, kg m²</th></tr></thead><tbody>",
    );
    let links = robot.tree().links();
    let of_leg = robot.legs().first().map_or(&[][..], |leg| &leg.joints);
    let names =
        ["frame 1: cross of the universal joint", "frame 2: lower part of a leg", "frame 3: upper part of a leg"];
    let mut row = |name: &str, mass: f64, com: [f64; 3], inertia: [f64; 3]| {
        let list = |x: [f64; 3]| x.map(metres).join(", ");
        let inertia = inertia.map(|x| format!("{x:.5}")).join(", ");
        let _ = write!(
            html,
            "<tr><th scope=\"row\">{}</th><td>{mass}</td><td>({})</td><td>{inertia}</td></tr>",
            escape(name),
            list(com)
        );
    };
    for (name, &j) in names.into_iter().zip(of_leg) {
        row(name, links[j].mass, links[j].com.to_array(), links[j].inertia.eigenvalues());
    }
    if let Some(body) = robot.platform().map(appell::closed::Platform::body) {
        row("platform", body.mass, body.com.to_array(), body.inertia.eigenvalues());
    }
    html + "</tbody></table></div>"
}

fn degrees(angle: f64) -> String {
    format!("{:.0}°", angle.to_degrees() + 0.0).replace('-', "−")
}

fn metres(x: f64) -> String {
    // Rounding must not leave a negative zero.
    let text = format!("{x:.4}");
    if text == "-0.0000" { "0.0000".into() } else { text.replace('-', "−") }
}
