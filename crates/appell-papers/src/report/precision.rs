//! Single against double precision on the two-link arm: table 5 and figure 2 of paper 001.

use super::number::{scientific, short};
use super::plot::{self, Axis, Curve, Panel};
use super::section::{Figure, Section, Verdict, paragraphs};
use super::table;
use crate::stability::{ANGLES, Curves, STEP, Study};
use anyhow::{Context, Result};
use appell::robots;
use plotters::chart::SeriesLabelPosition;
use plotters::style::RGBColor;
use serde_json::{Value, json};
use std::fmt::Write;

/// Of the methods, in the order of the study.
const COLOURS: [RGBColor; 3] = [plot::GREEN, plot::VERMILION, plot::BLUE];

/// Runs the experiment on the built-in arm.
pub(super) fn study() -> Result<Study> {
    let arm = robots::find("two-link").context("the two-link arm is not built in")?;
    Ok(Study::of(&arm.mechanism())?)
}

/// Table 5: how far single precision is from double.
pub(super) fn table(study: &Study) -> Section {
    let claims = study.claims();
    let holds = claims.iter().all(|claim| claim.holds);
    let [aba, crba, ga] = study.curves.each_ref().map(|curves| curves.errors(0));
    let [printed_aba, printed_crba, _] = study.curves.each_ref().map(|curves| short(curves.printed[0]));
    let headline = if holds {
        format!(
            "CRBA is the worst, as printed ({} against {printed_crba} rad/s²); the digits are each program's own",
            short(crba.max)
        )
    } else {
        "something that is sure of single precision does not hold".into()
    };
    let verdict = if holds { Verdict::Differs } else { Verdict::Fails };
    Section {
        body: body(study) + &sure(study),
        reasons: paragraphs([
            &format!(
                "The order of the maxima is the printed one; the digits cannot be: an error of this kind depends on the order of the operations. \
                 With a condition number up to {}, one rounding of the matrix already shows.",
                scientific(study.condition.iter().copied().fold(0.0, f64::max))
            ),
            &format!(
                "The printed averages are most likely means with sign, in which errors cancel (table 6 of the paper sets \
                 bars, table 5 does not). As means of |Δ| they are out of reach for GA: to round the angle, the exact \
                 matrix and the bias once to single precision, and solve in double, costs {} rad/s² on average; our GA \
                 has {}, with sign {}.",
                short(study.floor.mean),
                short(ga.mean),
                short(ga.signed_mean)
            ),
            &format!(
                "The printed maximum of ABA, {printed_aba} rad/s², is about what one unit in the last place of the second bar's \
                 inertia does when the term that vanishes along the joint's axis is left to cancel. We leave that term \
                 out, and our ABA errs by {} rad/s² at most.",
                scientific(aba.max)
            ),
            "The second mass is unreadable in our copy. We take 10 kg, that of a bar with the section and the density of \
             the first; with it, an independent program (tests/golden/serial/c_ascher_two_link.json) meets the printed \
             maximum of CRBA to 0.1 %, and with 1 or 100 kg it does not. The paper's table names joint 2 in its lines \
             and joint 1 in its caption; both err nearly alike.",
        ]),
        data: study.curves.iter().map(as_json).collect(),
        ..Section::new("table 5", "Single against double precision, acceleration of joint 1", verdict, headline)
    }
}

fn body(study: &Study) -> String {
    let heads = [
        "rad/s²",
        "max, printed",
        "max |Δ|, ours",
        "difference",
        "average, printed",
        "mean |Δ|, ours",
        "mean Δ, ours",
        "max |Δ| of joint 2, ours",
    ];
    let row = |curves: &Curves| {
        let [max, average] = curves.printed;
        let [first, second] = [0, 1].map(|joint| curves.errors(joint));
        let ours = [first.max, first.max - max, first.mean, first.signed_mean, second.max].map(short);
        let [largest, difference, mean, signed_mean, of_joint_2] = ours;
        let cells = [max.to_string(), largest, difference, average.to_string(), mean, signed_mean, of_joint_2];
        (curves.acronym, cells)
    };
    let none = || String::from("–");
    let [max, mean, signed_mean] = [study.floor.max, study.floor.mean, study.floor.signed_mean].map(short);
    let floor = [none(), max, none(), none(), mean, signed_mean, none()];
    let rows = study.curves.iter().map(row).chain([("matrix and bias rounded once", floor)]);
    table::numbers(heads, rows)
}

/// What is sure, and whether it holds.
fn sure(study: &Study) -> String {
    let mut html = format!("<p>What is sure of this experiment, over {ANGLES} angles:</p><ul class=\"checks\">");
    for claim in study.claims() {
        let mark = if claim.holds { "✓" } else { "✗" };
        let _ = write!(html, "<li>{mark} {}</li>", claim.statement);
    }
    html + "</ul>"
}

/// Figure 2: the accelerations of each method, their errors and the condition number.
pub(super) fn figure(study: &Study) -> Result<Section> {
    let (least, most) = study.condition.iter().fold((f64::INFINITY, 0.0_f64), |(l, m), &c| (l.min(c), m.max(c)));
    // Values are at equal steps of a full circle, which the first closes.
    let closed = |values: Vec<f64>| {
        let first = values.first().copied();
        values.into_iter().chain(first).enumerate().map(|(k, value)| ((STEP * k) as f64, value))
    };
    let angle = || Axis::at("q₂, degrees", 0.0..360.0, (0..=8).map(|k| 45.0 * f64::from(k)).collect());
    let joint_1 = |accelerations: &[[f64; 2]]| accelerations.iter().map(|a| a[0]).collect::<Vec<f64>>();
    let common = plot::range(study.curves.iter().flat_map(|c| c.single.iter().chain(&c.double)).map(|a| &a[0]));
    let mut panels: Vec<Panel> = Vec::new();
    for (Curves { acronym, double, single, .. }, colour) in study.curves.iter().zip(COLOURS) {
        let single = Curve::new("single precision", colour, closed(joint_1(single)));
        let double = Curve::dashed("double precision", plot::INK, closed(joint_1(double)));
        let label = format!("{acronym}: q̈₁, rad/s²");
        let legend = SeriesLabelPosition::LowerLeft;
        panels.push(Panel { x: angle(), y: Axis::linear(label, common.clone()), curves: vec![single, double], legend });
    }
    panels.push(Panel {
        x: angle(),
        y: Axis::linear("condition number of D", 0.0..most * 1.06),
        curves: vec![Curve::new("condition number", plot::INK, closed(study.condition.clone()))],
        legend: SeriesLabelPosition::LowerLeft,
    });
    // ABA last: its errors are a line at zero that the others would hide.
    let errors = [1, 2, 0].map(|k| {
        let Curves { acronym, double, single, .. } = &study.curves[k];
        let differences = joint_1(double).iter().zip(joint_1(single)).map(|(d, s)| d - s).collect();
        Curve::new(*acronym, COLOURS[k], closed(differences))
    });
    let spread = plot::range(errors.iter().flat_map(|curve| &curve.points).map(|(_, y)| y));
    let errors = Panel {
        x: angle(),
        y: Axis::linear("double − single, rad/s²", spread),
        curves: errors.into(),
        legend: SeriesLabelPosition::LowerMiddle,
    };

    let [from, to] = [least, most].map(scientific);
    let headline = format!("condition number from {from} to {to}; no picture in our copy to compare with");
    let title = "Acceleration of joint 1 and condition number over a full turn";
    Ok(Section {
        figures: vec![
            Figure {
                file: "001-figure-2.svg",
                caption: "Acceleration of joint 1 in single and double precision by the three methods, and condition \
                          number of the inertia matrix, over the angle of joint 2.",
                svg: plot::panels(2, &panels)?,
            },
            Figure {
                file: "001-figure-2-differences.svg",
                caption: "Double minus single precision of the same, which table 5 sums up.",
                svg: plot::panels(1, &[errors])?,
            },
        ],
        reasons: paragraphs([
            "The text we have names the figure but does not show it. The first drawing is what its caption says; the \
             second adds the differences.",
        ]),
        data: json!({ "condition": { "least": least, "most": most } }),
        ..Section::new("figure 2", title, Verdict::Redrawn, headline)
    })
}

fn as_json(curves: &Curves) -> Value {
    let [max, average] = curves.printed;
    let [first, second] = [0, 1].map(|joint| {
        let errors = curves.errors(joint);
        json!({ "max": errors.max, "mean": errors.mean, "signed_mean": errors.signed_mean })
    });
    json!({ "method": curves.acronym, "printed": { "max": max, "average": average }, "joint1": first, "joint2": second })
}
