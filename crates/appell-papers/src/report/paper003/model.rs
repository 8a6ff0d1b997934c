//! Table 1: the frames of a leg, and the robot.

use crate::briot_khalil::leg::Ups;
use crate::briot_khalil::trajectory::{self, Study};
use crate::briot_khalil::{LegTable, robot, tangential};
use crate::report::checks::number;
use crate::report::number::{four_decimals, scientific, short};
use crate::report::section::{Figure, Section, Verdict, paragraphs};
use crate::report::{robot_drawing, table};
use crate::study::largest;
use anyhow::Result;
use appell::closed::{ClosedMechanism, Platform};
use appell::description::KhalilKleinfinger;
use appell::spatial::Vec3;
use serde_json::json;

/// Below this a length is none, m.
const ROUNDING: f64 = 1e-12;

/// Table 1 beside ours, and the drawing; `motion` is the robot's reference motion.
pub(super) fn table(motion: &Study) -> Result<Section> {
    let robot = robot("gough-stewart");
    let legs: Vec<(Ups, LegTable)> = Ups::all(&robot).into_iter().map(|leg| (leg, LegTable::of(&leg))).collect();
    let turned = tangential()?;
    let fitting = Ups::all(&turned).iter().map(LegTable::of).fold(0.0, |most: f64, t| most.max(t.miss_as_printed));
    let along = largest(legs.iter().map(|(_, table)| &table.axis_along_radius));
    let miss = largest(legs.iter().map(|(_, table)| &table.miss));
    let change = change_of_forces(motion, &turned)?;
    let holds = miss < ROUNDING && fitting < ROUNDING && along > 0.1;
    let verdict = if holds { Verdict::Differs } else { Verdict::Fails };
    let headline = format!(
        "the printed r₁ = 0 fits first axes that are perpendicular to the radius; ours need r₁ up to {} m",
        short(largest(legs.iter().map(|(_, table)| &table.row.r)))
    );
    Ok(Section {
        body: frames(&legs) + &feet(&legs) + &bodies(&robot),
        figures: vec![Figure {
            file: "003-gough-stewart.svg",
            caption: "The Gough-Stewart platform of our reference data, at home.",
            svg: robot_drawing::of("gough-stewart")?,
        }],
        reasons: paragraphs([
            &format!(
                "Rz(γ) Tz(b) Rx(α) Tx(d) leads to the foot of the common normal of z₀ and the first axis z₁. From there \
                 r₁ leads along z₁ to B. It is 0 if and only if z₁ is perpendicular to the radius of B; in our robot all \
                 first axes are parallel to x, and z₁ · radius is up to {} of the radius. With r₁ the rows miss B by {} m.",
                short(along),
                number(miss)
            ),
            &format!(
                "With the universal joints turned until z₁ is tangential, r₁ = 0 fits to {} m. That is another robot: the \
                 legs spin differently about themselves, and along the motion below the forces change by up to {} of the \
                 largest.",
                number(fitting),
                scientific(change)
            ),
            "Rows 2 and 3 are ours as printed: our link frames are those of the paper. Our coordinates count from other \
             zeros, so that a leg along z₀ has u₁ = u₂ = 0: θ₁ = u₁ + 180° + a constant of the leg's base, θ₂ = u₂ + 90°.",
        ]),
        data: json!({ "axis_along_radius": along, "miss": miss, "tangential_miss": fitting, "force_change": change }),
        ..Section::new("table 1", "Frames of a leg by Khalil and Kleinfinger's parameters", verdict, headline)
    })
}

/// How much the forces along the reference motion change, over the largest, if the universal joints are turned.
fn change_of_forces(motion: &Study, turned: &ClosedMechanism) -> Result<f64> {
    let steps = motion.samples.len() - 1;
    let dt = motion.samples[steps].t / steps as f64;
    let other = trajectory::study(turned, dt, steps)?;
    let forces = |study: &Study| study.samples.iter().flat_map(|s| s.forces.clone()).collect::<Vec<f64>>();
    let (ours, other) = (forces(motion), forces(&other));
    Ok(ours.iter().zip(&other).fold(0.0, |most: f64, (a, b)| most.max((a - b).abs())) / largest(&ours))
}

/// The printed table and ours.
fn frames(legs: &[(Ups, LegTable)]) -> String {
    let printed = |name: &str, cells: [&str; 8]| (name.to_owned(), cells.map(String::from));
    let ours = |(k, (_, LegTable { row, .. })): (usize, &(Ups, LegTable))| {
        let KhalilKleinfinger { gamma, b, alpha, d, r, .. } = *row;
        let [b, d, r] = [b, d, r].map(four_decimals);
        let cells = ["0".into(), "0".into(), degrees(gamma), b, degrees(alpha), d, "q₁".into(), r];
        (format!("1i, ours, i = {}", k + 1), cells)
    };
    let first = printed("1i, printed", ["0", "0", "γ₁", "b₁", "α₁", "d₁", "q₁", "0"]);
    let others = [
        printed("2i, both", ["1i", "0", "0", "0", "90°", "0", "q₂", "0"]),
        printed("3i, both", ["2i", "1", "0", "0", "90°", "0", "0", "q₃"]),
    ];
    let heads = ["row", "before", "σ", "γ", "b, m", "α", "d, m", "θ", "r, m"];
    table::numbers(heads, core::iter::once(first).chain(legs.iter().enumerate().map(ours)).chain(others))
}

fn point(p: Vec3<f64>) -> String {
    format!("({})", p.to_array().map(four_decimals).join(", "))
}

/// Where the legs stand, and what r₁ = 0 would make of it.
fn feet(legs: &[(Ups, LegTable)]) -> String {
    let heads = ["leg", "B in the base, m", "P in the platform, m", "z₁ · radius / |radius|", "r₁ = 0 misses B by, m"];
    let row = |(k, (leg, table)): (usize, &(Ups, LegTable))| {
        let [along, miss] = [table.axis_along_radius, table.miss_as_printed].map(four_decimals);
        (k + 1, [point(leg.base), point(leg.anchor), along, miss])
    };
    table::numbers(heads, legs.iter().enumerate().map(row))
}

/// Masses, centres and inertias.
fn bodies(robot: &ClosedMechanism) -> String {
    let links = robot.tree().links();
    let of_leg = robot.legs().first().map_or(&[][..], |leg| &leg.joints);
    let names =
        ["frame 1: cross of the universal joint", "frame 2: lower part of a leg", "frame 3: upper part of a leg"];
    let row = |name: &'static str, mass: f64, com: Vec3<f64>, inertia: [f64; 3]| {
        let inertia = inertia.map(|x| format!("{x:.5}")).join(", ");
        (name, [mass.to_string(), point(com), inertia])
    };
    let of_leg = names.into_iter().zip(of_leg).map(|(name, &j)| (name, &links[j]));
    let of_leg = of_leg.map(|(name, link)| row(name, link.mass, link.com, link.inertia.eigenvalues()));
    let platform = robot.platform().map(Platform::body);
    let platform = platform.map(|body| row("platform", body.mass, body.com, body.inertia.eigenvalues()));
    let heads = ["body", "mass, kg", "centre in its frame, m", "principal inertias, kg m²"];
    table::numbers(heads, of_leg.chain(platform))
}

fn degrees(angle: f64) -> String {
    format!("{:.0}°", angle.to_degrees() + 0.0).replace('-', "−")
}
