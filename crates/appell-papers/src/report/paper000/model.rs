//! §IV: the parameters of the wrist, and what the paper leaves open.

use super::motion::Both;
use crate::abedloo::AgileWrist;
use crate::abedloo::trajectory::{PERIOD, motion};
use crate::report::number::{parameter, short};
use crate::report::section::{Figure, Section, Verdict, paragraphs};
use crate::report::{robot_drawing, table};
use crate::study::largest;
use anyhow::Result;
use serde_json::json;

/// Radii of the links whose effect is shown, m.
const RADII: [f64; 4] = [0.05, 0.08, 0.1, 0.12];

/// The parameters, printed and assumed, and what the assumptions do.
pub(super) fn parameters(both: &Both) -> Result<Section> {
    let wrist = AgileWrist::paper(AgileWrist::RADIUS);
    let (with, balanced) = (both.peak(|sample| sample.tau), both.peak(|sample| sample.tau_balanced));
    let radii = RADII.map(|radius| Ok((radius, peak(&AgileWrist::paper(radius))?)));
    let radii = radii.into_iter().collect::<Result<Vec<_>>>()?;
    let headline = format!(
        "radius and centre of mass are not printed; ours give {} N m at most, a centre of mass in the point {} N m",
        short(with),
        short(balanced)
    );
    Ok(Section {
        body: table(&wrist) + &effects(&radii, with, balanced),
        figures: vec![Figure {
            file: "000-wrist.svg",
            caption: "The built-in Agile Wrist at home, in mode +++; its arcs are drawn on a sphere.",
            svg: robot_drawing::of("agile-wrist")?,
        }],
        reasons: paragraphs([
            "Links are uniform arcs without thickness. Their radius is not in the paper and scales their masses by its \
             first, first moments by its second and inertias by its third power.",
            "The platform's inertia is taken about the point. Its centre of mass is taken 50 mm along its z; with the \
             printed inertia no body can have it further than 51.65 mm.",
        ]),
        data: json!({ "peak": with, "peak_balanced": balanced, "peaks_of_radii": radii }),
        ..Section::new("§IV, parameters", "The Agile Wrist, and what is assumed of it", Verdict::Redrawn, headline)
    })
}

/// The largest torque along eq. 52, N m.
fn peak(wrist: &AgileWrist) -> Result<f64> {
    let mut most = 0.0_f64;
    for k in 0..=super::motion::STEPS {
        let [q, v, a] = motion(PERIOD * k as f64 / super::motion::STEPS as f64);
        most = most.max(largest(&wrist.inverse_dynamics(q, v, a)?));
    }
    Ok(most)
}

fn table(wrist: &AgileWrist) -> String {
    let leg = &wrist.legs[0];
    let degrees = |x: f64| format!("{:.4}°", x.to_degrees()).replace(".0000°", "°");
    let three = |x: [f64; 3]| x.map(parameter).join(", ");
    let around = |of: fn(&crate::abedloo::Leg) -> f64| {
        wrist.legs.iter().map(|leg| degrees(of(leg))).collect::<Vec<_>>().join(", ")
    };
    let i = wrist.platform.inertia;
    let rows = [
        ("α₁, α₂ of all legs", format!("{}, {}", degrees(leg.alpha1), degrees(leg.alpha2)), "printed"),
        ("γ = arccos √3/3", degrees(leg.gamma), "printed"),
        ("β = arcsin √3/3", degrees(leg.beta), "printed"),
        ("λ, about the base's z", around(|leg| leg.lambda), "printed"),
        ("η, about the platform's z", around(|leg| leg.eta), "printed"),
        ("line density of the links", "1.378 kg/m".into(), "printed"),
        ("radius of the links", format!("{} m", AgileWrist::RADIUS), "assumed"),
        ("masses of a leg's links", format!("{:.5}, {:.5} kg", leg.links[0].mass, leg.links[1].mass), "follow"),
        ("mass of the platform", format!("{} kg", wrist.platform.mass), "printed"),
        (
            "inertia of the platform",
            format!("diag({}) kg m²", three([i.xx, i.yy, i.zz])),
            "printed; about the point: assumed",
        ),
        ("centre of mass of the platform", format!("({}) m", three(wrist.platform.com().to_array())), "assumed"),
        ("gravity", format!("({}) m/s²", three(wrist.gravity.to_array())), "printed"),
    ];
    table::numbers(["parameter", "value", "source"], rows.map(|(name, value, source)| (name, [value, source.into()])))
}

fn effects(radii: &[(f64, f64)], with: f64, balanced: f64) -> String {
    let of_radius = |(radius, peak): &(f64, f64)| {
        (format!("radius {radius} m, centre of mass at 50 mm, mode +++"), [format!("{peak:.4}")])
    };
    let both = [
        (
            format!("radius {} m, centre of mass in the point, both modes", AgileWrist::RADIUS),
            [format!("{balanced:.4}")],
        ),
        ("the same at 50 mm, both modes".into(), [format!("{with:.4}")]),
    ];
    let heads = ["assumption", "largest torque along eq. 52, N m"];
    table::numbers(heads, radii.iter().map(of_radius).chain(both))
}
