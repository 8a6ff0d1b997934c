//! Single against double precision on the two-link arm: table 5 and figure 2 of paper 001.

use super::plot::{self, Curve};
use super::section::{Figure, Section, Verdict};
use anyhow::{Context, Result};
use appell::papers::stability::{ANGLES, Method, Study, printed};
use appell::robots;
use serde_json::{Value, json};
use std::fmt::Write;

/// Runs the experiment on the built-in arm.
pub(super) fn study() -> Result<Study> {
    let arm = robots::find("two-link").context("the two-link arm is not built in")?;
    Ok(Study::of(&arm.mechanism())?)
}

/// Table 5: how far single precision is from double.
pub(super) fn table(study: &Study) -> Section {
    let claims = study.claims();
    let holds = claims.iter().all(|claim| claim.holds);
    let of = |method| study.of_method(method).errors(0);
    let (aba, crba, ga) = (of(Method::ArticulatedBody), of(Method::CompositeBody), of(Method::GibbsAppell));
    let headline = if holds {
        format!(
            "CRBA is the worst, as printed ({} against {} rad/s²); the digits are each program's own",
            three(crba.max),
            three(printed(Method::CompositeBody)[0])
        )
    } else {
        "something that is sure of single precision does not hold".into()
    };
    Section {
        name: "table 5",
        title: "Single against double precision, acceleration of joint 1",
        verdict: if holds { Verdict::Differs } else { Verdict::Fails },
        headline,
        body: body(study) + &sure(study),
        figures: Vec::new(),
        reasons: vec![
            format!(
                "The ranking holds, the digits cannot: an error of this kind depends on the order of the operations. \
                 With a condition number up to {:.1e}, one rounding of the matrix is already felt.",
                study.condition.iter().copied().fold(0.0, f64::max)
            ),
            format!(
                "The printed averages are most likely means with sign, in which errors cancel (table 6 of the paper sets \
                 bars, table 5 does not). As means of |Δ| they are out of reach for GA: to round the exact matrix and \
                 bias once to single precision, and compute everything else exactly, costs {} rad/s² on average; \
                 our GA has {}, with sign {}.",
                three(study.floor.mean),
                three(ga.mean),
                three(ga.signed_mean)
            ),
            format!(
                "The printed maximum of ABA, {} rad/s², is about what one unit in the last place of the second bar's \
                 inertia does when the term that vanishes along the joint's axis is left to cancel. We leave that term \
                 out, and our ABA errs by {:.1e} rad/s² at most.",
                three(printed(Method::ArticulatedBody)[0]),
                aba.max
            ),
            "The second mass is unreadable in our copy. We take 10 kg, that of a bar with the section and the density of \
             the first; with it, an independent program (tests/golden/serial/c_ascher_two_link.json) meets the printed \
             maximum of CRBA to 0.1 %, and with 1 or 100 kg it does not. The paper's table names joint 2 in its lines \
             and joint 1 in its caption; both err nearly alike."
                .into(),
        ],
        data: Method::ALL.into_iter().map(|method| as_json(study, method)).collect(),
    }
}

fn body(study: &Study) -> String {
    let mut html = String::from(
        "<div class=\"wide\"><table class=\"numbers\"><thead><tr><th>rad/s²</th><th>max, printed</th><th>max |Δ|, ours</th>\
         <th>difference</th><th>average, printed</th><th>mean |Δ|, ours</th><th>mean Δ, ours</th>\
         <th>max |Δ| of joint 2, ours</th></tr></thead><tbody>",
    );
    for method in Method::ALL {
        let [max, average] = printed(method);
        let [first, second] = [0, 1].map(|joint| study.of_method(method).errors(joint));
        let _ = write!(html, "<tr><th scope=\"row\">{}</th>", method.acronym());
        for number in [max, first.max, first.max - max, average, first.mean, first.signed_mean, second.max] {
            let _ = write!(html, "<td>{}</td>", three(number));
        }
        html += "</tr>";
    }
    let floor = &study.floor;
    let _ = write!(
        html,
        "<tr><th scope=\"row\">matrix and bias rounded once</th><td>–</td><td>{}</td><td>–</td><td>–</td><td>{}</td>\
         <td>{}</td><td>–</td></tr></tbody></table></div>",
        three(floor.max),
        three(floor.mean),
        three(floor.signed_mean)
    );
    html
}

/// What is sure, and whether it holds.
fn sure(study: &Study) -> String {
    let mut html = format!("<p>What is sure of this experiment, over {ANGLES} angles:</p><ul>");
    for claim in study.claims() {
        let mark = if claim.holds { "✓" } else { "✗" };
        let _ = write!(html, "<li>{mark} {}</li>", claim.statement);
    }
    html + "</ul>"
}

/// Figure 2: the accelerations, their errors and the condition number.
pub(super) fn figure(study: &Study) -> Result<Section> {
    let colour = |method| match method {
        Method::ArticulatedBody => plot::GREEN,
        Method::CompositeBody => plot::VERMILION,
        Method::GibbsAppell => plot::BLUE,
    };
    let single = |method: Method| study.of_method(method).single.iter().map(|a| a[0]);
    let double = |method: Method| study.of_method(method).double.iter().map(|a| a[0]);
    // ABA last: its errors are a line at zero that the others would hide.
    let order = [Method::CompositeBody, Method::GibbsAppell, Method::ArticulatedBody];
    let solid =
        |method: Method, values| Curve { name: method.acronym(), colour: colour(method), dashed: false, values };
    let reference = double(Method::GibbsAppell).collect();
    let mut accelerations: Vec<Curve> = order.map(|method| solid(method, single(method).collect())).into();
    accelerations.push(Curve { name: "double precision", colour: plot::INK, dashed: true, values: reference });
    let errors = order.map(|method| solid(method, double(method).zip(single(method)).map(|(d, s)| d - s).collect()));
    let condition =
        [Curve { name: "condition number", colour: plot::INK, dashed: false, values: study.condition.clone() }];

    let (least, most) = study.condition.iter().fold((f64::INFINITY, 0.0_f64), |(l, m), &c| (l.min(c), m.max(c)));
    let angle = "angle of joint 2, degrees";
    let extent = |curves: &[Curve]| curves.iter().flat_map(|c| &c.values).fold(0.0, |m: f64, v| m.max(v.abs())) * 1.08;
    let (reach, spread) = (extent(&accelerations), extent(&errors));
    let figure = |file, caption: &str, label, range, curves: &[Curve]| {
        let svg = plot::over_circle(angle, label, range, curves)?;
        Ok::<_, anyhow::Error>(Figure { file, caption: caption.into(), svg })
    };
    Ok(Section {
        name: "figure 2",
        title: "Acceleration of joint 1 and condition number over a full turn",
        verdict: Verdict::Redrawn,
        headline: format!("condition number from {least:.2e} to {most:.2e}; no picture in our copy to compare with"),
        body: String::new(),
        figures: vec![
            figure(
                "001-figure-2-accelerations.svg",
                "Acceleration of joint 1 in single precision, and in double precision, dashed. At this scale the methods coincide.",
                "acceleration of joint 1, rad/s²",
                -reach..reach,
                &accelerations,
            )?,
            figure(
                "001-figure-2-errors.svg",
                "Double minus single precision of the same: what table 5 sums up.",
                "difference, rad/s²",
                -spread..spread,
                &errors,
            )?,
            figure(
                "001-figure-2-condition.svg",
                "Condition number of the inertia matrix.",
                "condition number",
                0.0..most * 1.08,
                &condition,
            )?,
        ],
        reasons: vec![
            "The text we have names the figure but does not show it. Drawn here is what its caption says, and the \
             differences, which are too small to be seen in it."
                .into(),
        ],
        data: json!({ "condition": { "least": least, "most": most } }),
    })
}

fn as_json(study: &Study, method: Method) -> Value {
    let [max, average] = printed(method);
    let ours = [0, 1].map(|joint| {
        let errors = study.of_method(method).errors(joint);
        json!({ "max": errors.max, "mean": errors.mean, "signed_mean": errors.signed_mean })
    });
    json!({ "method": method.acronym(), "printed": { "max": max, "average": average }, "joint1": ours[0], "joint2": ours[1] })
}

/// A number to three digits or so.
fn three(x: f64) -> String {
    let text = if x == 0.0 || x.abs() >= 0.01 { format!("{x:.3}") } else { format!("{x:.1e}") };
    text.replace('-', "−")
}
