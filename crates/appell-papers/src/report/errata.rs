//! The misprints of a paper as a section: what is printed, what is right, and numbers for both.

use super::checks::number;
use super::number::{scientific, short};
use super::section::{Section, Verdict, paragraphs};
use crate::{Erratum, Evidence};
use appell_drawing::page::escape;
use serde_json::{Value, json};
use std::fmt::Write;

/// All misprints of a paper.
pub(super) fn section<const N: usize>(errata: &[Erratum], reasons: [&str; N]) -> Section {
    let measured = || errata.iter().flat_map(|erratum| &erratum.evidence);
    let failed: Vec<&str> = errata
        .iter()
        .filter(|erratum| !erratum.evidence.iter().all(Evidence::holds))
        .map(|erratum| erratum.place)
        .collect();
    let worst = measured().fold(0.0, |most: f64, evidence| most.max(evidence.residual / evidence.scale));
    let (verdict, headline) = if failed.is_empty() {
        let numbers = errata.iter().filter(|erratum| !erratum.evidence.is_empty()).count();
        let (places, worst) = (errata.len(), scientific(worst));
        (Verdict::Differs, format!("{places} places, {numbers} measured; corrected, all hold to {worst}"))
    } else {
        (Verdict::Fails, format!("not as we claim: {}", failed.join("; ")))
    };
    Section {
        body: table(errata),
        reasons: paragraphs(reasons),
        data: errata.iter().map(as_json).collect(),
        ..Section::new("errata", "What is not right as printed", verdict, headline)
    }
}

fn table(errata: &[Erratum]) -> String {
    let mut html = String::from(
        "<div class=\"wide\"><table class=\"errata\"><thead><tr><th>place</th><th>printed</th><th>right</th><th>measured</th>\
         <th>largest value</th><th>error as printed</th><th>error corrected</th><th></th></tr></thead><tbody>",
    );
    for erratum in errata {
        let rows = erratum.evidence.len().max(1);
        let cell = |text: &str| format!("<td rowspan=\"{rows}\">{}</td>", escape(text));
        let _ = write!(
            html,
            "<tr><th scope=\"row\" rowspan=\"{rows}\">{}</th>{}{}",
            escape(erratum.place),
            cell(erratum.printed),
            cell(erratum.right)
        );
        if erratum.evidence.is_empty() {
            html += "<td>–</td><td>–</td><td>–</td><td>–</td><td></td></tr>";
        }
        for (k, evidence) in erratum.evidence.iter().enumerate() {
            let start = if k > 0 { "<tr class=\"more\">" } else { "" };
            let with_unit = |x: String| format!("{x} {}", evidence.unit).trim_end().to_owned();
            let _ = write!(
                html,
                "{start}<td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
                escape(evidence.what),
                with_unit(three_digits(evidence.scale)),
                evidence.error_as_printed.map_or_else(|| "–".into(), |error| with_unit(three_digits(error))),
                with_unit(number(evidence.residual)),
                if evidence.holds() { "✓" } else { "✗" }
            );
        }
    }
    html + "</tbody></table></div>"
}

/// A number to three digits at least.
fn three_digits(x: f64) -> String {
    if x.abs() >= 0.1 { short(x) } else { scientific(x) }
}

fn as_json(erratum: &Erratum) -> Value {
    let evidence = |evidence: &Evidence| {
        json!({
            "what": evidence.what, "error_as_printed": evidence.error_as_printed, "residual": evidence.residual,
            "scale": evidence.scale, "unit": evidence.unit, "as_claimed": evidence.holds(),
        })
    };
    json!({
        "place": erratum.place, "printed": erratum.printed, "right": erratum.right,
        "evidence": erratum.evidence.iter().map(evidence).collect::<Value>(),
    })
}
