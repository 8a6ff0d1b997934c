//! Tables of operation counts: printed, ours, difference.

use super::section::{Section, Verdict};
use crate::counts::JOINTS;
use crate::tables::{Line, Measured, Ours, Table};
use crate::{Formula, Polynomial};
use appell::real::Count;
use appell_drawing::page::escape;
use serde_json::{Value, json};
use std::fmt::Write;

/// A printed table measured again; `finding` says in a few words how ours compares if all is as we claim.
pub(super) fn section(table: &'static Table, finding: &str, reasons: &[&str]) -> Section {
    let lines: Vec<(&Line, Option<Measured>)> = table.lines.iter().map(|line| (line, line.measure())).collect();
    let failed = lines.iter().any(|(_, measured)| measured.is_some_and(|measured| !measured.as_claimed));
    let instead = table.lines.iter().any(|line| matches!(line.ours, Ours::Instead(..)));
    let verdict = match (failed, instead) {
        (true, _) => Verdict::Fails,
        (false, true) => Verdict::Differs,
        (false, false) => Verdict::Matches,
    };
    Section {
        body: body(&lines),
        reasons: reasons.iter().copied().map(String::from).collect(),
        data: lines.iter().map(|(line, measured)| as_json(line, measured.as_ref())).collect(),
        ..Section::new(table.name, table.title, verdict, headline(verdict, finding, &lines))
    }
}

/// What we find of the lines of which we claim something.
fn headline(verdict: Verdict, finding: &str, lines: &[(&Line, Option<Measured>)]) -> String {
    let measured = || lines.iter().filter_map(|(line, measured)| Some((*line, (*measured)?)));
    match verdict {
        Verdict::Fails => {
            let failed = measured().filter(|(_, measured)| !measured.as_claimed).map(|(line, _)| line.label);
            format!("not as we claim: {}", failed.collect::<Vec<_>>().join(", "))
        }
        Verdict::Differs => match measured().next_back() {
            Some((Line { at_six: Some(printed), .. }, Measured { at_six: ours, .. })) => {
                let six = |count: &Count| format!("{} × and {} +", count.multiplications, count.additions);
                format!("{finding}; for n = 6 we make {}, printed are {}", six(&ours), six(printed))
            }
            _ => finding.into(),
        },
        Verdict::Matches | Verdict::Redrawn => {
            format!("{finding}, for every n from {} to {}", JOINTS.start(), JOINTS.end())
        }
        Verdict::NeedsData => finding.into(),
    }
}

/// A kind of operation: its sign, its part of a formula and of a count.
struct Operation {
    sign: &'static str,
    of_formula: fn(Formula) -> Polynomial,
    of_count: fn(Count) -> u64,
}

const OPERATIONS: [Operation; 2] = [
    Operation { sign: "×", of_formula: |formula| formula.multiplications, of_count: |count| count.multiplications },
    Operation { sign: "+", of_formula: |formula| formula.additions, of_count: |count| count.additions },
];

fn body(lines: &[(&Line, Option<Measured>)]) -> String {
    let mut html = String::from(
        "<div class=\"wide\"><table class=\"counts\"><thead><tr><th rowspan=\"2\"></th><th rowspan=\"2\"></th>\
         <th colspan=\"2\">printed</th><th colspan=\"2\">ours</th><th rowspan=\"2\">difference</th>\
         <th rowspan=\"2\"></th></tr><tr><th>formula</th><th>n = 6</th><th>formula</th><th>n = 6</th></tr></thead>",
    );
    for (line, measured) in lines {
        let (class, word) = standing(line, measured.as_ref());
        let label = format!("<th scope=\"rowgroup\" rowspan=\"2\">{}</th>", escape(line.label));
        let chip = format!("<td rowspan=\"2\"><span class=\"chip\">{word}</span></td>");
        let frame = [(label, chip), Default::default()]; // once for both rows
        let _ = write!(html, "<tbody class=\"{class}\">");
        let rows = OPERATIONS.into_iter().zip(differences(line, measured.as_ref())).zip(frame);
        for ((Operation { sign, of_formula, of_count }, difference), (label, chip)) in rows {
            let cells = [
                shown(line.formula.map(of_formula)),
                shown(line.at_six.map(of_count)),
                shown(measured.and_then(|measured| measured.formula).map(of_formula)),
                shown(measured.map(|measured| of_count(measured.at_six))),
                difference,
            ];
            let cells: String = cells.iter().map(|cell| format!("<td>{cell}</td>")).collect();
            let _ = write!(html, "<tr>{label}<td class=\"sign\">{sign}</td>{cells}{chip}</tr>");
        }
        html += "</tbody>";
    }
    html + "</table></div>"
}

fn shown(number: Option<impl ToString>) -> String {
    number.map_or_else(|| "–".into(), |number| number.to_string())
}

/// Ours less printed, × and +: as formulas if one is printed, else for n = 6.
fn differences(line: &Line, measured: Option<&Measured>) -> [String; 2] {
    OPERATIONS.map(|Operation { of_formula, of_count, .. }| {
        let Some(ours) = measured else { return "–".into() };
        let difference = match (line.formula, ours.formula, line.at_six) {
            (Some(printed), Some(ours), _) => of_formula(ours).minus(&of_formula(printed)).to_string(),
            (_, _, Some(printed)) => (of_count(ours.at_six) as i64 - of_count(printed) as i64).to_string(),
            _ => return "–".into(),
        };
        let difference = difference.replace('-', "−");
        if difference == "0" || difference.starts_with('−') { difference } else { format!("+{difference}") }
    })
}

/// How a line stands: a class for its colour, and a word.
fn standing(line: &Line, measured: Option<&Measured>) -> (&'static str, &'static str) {
    match (line.ours, measured) {
        (_, Some(measured)) if !measured.as_claimed => ("fails", "not as claimed"),
        (Ours::Same(..), _) => ("matches", "same"),
        (Ours::Instead(..), _) => ("differs", "differs"),
        (Ours::Akin(_), _) => ("akin", "another program"),
        (Ours::None, _) => ("akin", "not in appell"),
    }
}

fn as_json(line: &Line, measured: Option<&Measured>) -> Value {
    let count = |count: &Count| json!([count.multiplications, count.additions]);
    let formula = |f: &Formula| json!([f.multiplications.to_string(), f.additions.to_string()]);
    json!({
        "line": line.label,
        "printed": { "formula": line.formula.as_ref().map(formula), "n=6": line.at_six.as_ref().map(count) },
        "ours": measured.map(|measured| json!({
            "formula": measured.formula.as_ref().map(formula), "n=6": count(&measured.at_six),
            "equal": measured.equal, "as_claimed": measured.as_claimed,
        })),
    })
}
