//! Tables of operation counts: printed, ours, difference.

use super::html::escape;
use super::section::{Section, Verdict};
use appell::papers::Polynomial;
use appell::papers::counts::JOINTS;
use appell::papers::tables::{Line, Measured, Ours, Table};
use appell::real::Count;
use serde_json::{Value, json};
use std::fmt::Write;

/// A printed table measured again.
pub(super) fn section(
    table: &'static Table,
    headline: impl Fn(&[Option<Measured>]) -> String,
    reasons: Vec<String>,
) -> Section {
    let measured: Vec<Option<Measured>> = table.lines.iter().map(Line::measure).collect();
    let failed = measured.iter().flatten().any(|line| !line.as_claimed);
    let instead = table.lines.iter().any(|line| matches!(line.ours, Ours::Instead(..)));
    let verdict = match (failed, instead) {
        (true, _) => Verdict::Fails,
        (false, true) => Verdict::Differs,
        (false, false) => Verdict::Matches,
    };
    let lines = || table.lines.iter().zip(&measured);
    Section {
        name: table.name,
        title: table.title,
        verdict,
        headline: if failed { "a count is not what we claim".into() } else { headline(&measured) },
        body: body(lines()),
        figures: Vec::new(),
        reasons,
        data: lines().map(|(line, measured)| as_json(line, measured.as_ref())).collect(),
    }
}

fn body<'l>(lines: impl Iterator<Item = (&'l Line, &'l Option<Measured>)>) -> String {
    let mut html = String::from(
        "<div class=\"wide\"><table class=\"counts\"><thead><tr><th rowspan=\"2\"></th><th rowspan=\"2\"></th>\
         <th colspan=\"2\">printed</th><th colspan=\"2\">ours</th><th rowspan=\"2\">difference</th>\
         <th rowspan=\"2\"></th></tr><tr><th>formula</th><th>n = 6</th><th>formula</th><th>n = 6</th></tr></thead>",
    );
    for (line, measured) in lines {
        let (class, word) = standing(line, measured.as_ref());
        let operations: [(&str, fn(&appell::papers::Formula) -> Polynomial, fn(&Count) -> u64); 2] =
            [("×", |f| f.multiplications, |c| c.multiplications), ("+", |f| f.additions, |c| c.additions)];
        let _ = write!(html, "<tbody class=\"{class}\">");
        for (row, (sign, polynomial, number)) in operations.into_iter().enumerate() {
            let printed = line.formula.as_ref().map(polynomial);
            let printed_six = line.at_six.as_ref().map(number);
            let ours = measured.as_ref().and_then(|m| m.formula.as_ref()).map(polynomial);
            let ours_six = measured.as_ref().map(|m| number(&m.at_six));
            let difference = match (printed, ours, printed_six, ours_six) {
                (Some(printed), Some(ours), ..) => signed((ours - printed).to_string()),
                (None, _, Some(printed), Some(ours)) => signed((ours as i64 - printed as i64).to_string()),
                _ => String::new(),
            };
            html += "<tr>";
            if row == 0 {
                let _ = write!(html, "<th scope=\"rowgroup\" rowspan=\"2\">{}</th>", escape(line.label));
            }
            let _ = write!(html, "<td class=\"sign\">{sign}</td>");
            for cell in [shown(printed), shown(printed_six), shown(ours), shown(ours_six), difference] {
                let _ = write!(html, "<td>{cell}</td>");
            }
            if row == 0 {
                let _ = write!(html, "<td rowspan=\"2\"><span class=\"chip\">{word}</span></td>");
            }
            html += "</tr>";
        }
        html += "</tbody>";
    }
    html + "</table></div>"
}

fn shown(number: Option<impl ToString>) -> String {
    number.map_or_else(|| "–".into(), |number| number.to_string())
}

/// A difference with its sign; none is `0`.
fn signed(difference: String) -> String {
    let difference = difference.replace('-', "−");
    if difference == "0" || difference.starts_with('−') { difference } else { format!("+{difference}") }
}

/// How a line stands: a class for its colour, and a word.
fn standing(line: &Line, measured: Option<&Measured>) -> (&'static str, &'static str) {
    match (line.ours, measured) {
        (_, Some(measured)) if !measured.as_claimed => ("fails", "not as claimed"),
        (Ours::Same(..), _) => ("matches", "same"),
        (Ours::Instead(..), _) => ("differs", "differs, see below"),
        (Ours::Akin(_), _) => ("akin", "another program"),
        (Ours::None, _) => ("akin", "not in appell"),
    }
}

fn as_json(line: &Line, measured: Option<&Measured>) -> Value {
    let count = |count: &Count| json!([count.multiplications, count.additions]);
    let formula = |f: &appell::papers::Formula| json!([f.multiplications.to_string(), f.additions.to_string()]);
    json!({
        "line": line.label,
        "printed": { "formula": line.formula.as_ref().map(formula), "n=6": line.at_six.as_ref().map(count) },
        "ours": measured.map(|measured| json!({
            "formula": measured.formula.as_ref().map(formula), "n=6": count(&measured.at_six),
            "equal": measured.equal, "as_claimed": measured.as_claimed,
        })),
    })
}

/// The headline of a table whose last line is the paper's own algorithm.
pub(super) fn last_line_equal(measured: &[Option<Measured>]) -> String {
    let at_six = measured.last().copied().flatten().map_or(Count::default(), |line| line.at_six);
    format!("our count is the printed one for n = {}…{}; {}", JOINTS.start(), JOINTS.end(), six(&at_six))
}

/// `475 × 404 + for n = 6`.
pub(super) fn six(count: &Count) -> String {
    format!("{} × {} + for n = 6", count.multiplications, count.additions)
}
