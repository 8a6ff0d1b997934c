//! The report as one HTML page that needs no other file.

use super::section::{Figure, Origin, Paper, Section, Verdict};
use appell_drawing::page::{self, escape};
use std::fmt::Write;

/// The page.
pub fn page(papers: &[Paper]) -> String {
    let mut html = String::new();
    html += &overview(papers);
    for paper in papers {
        let _ = writeln!(
            html,
            "<article><h2 id=\"{}\">{}</h2><p class=\"citation\">{}</p><p>{}</p>",
            paper.number,
            paper.heading(),
            escape(paper.citation),
            escape(paper.remark)
        );
        for section in &paper.sections {
            html += &item(paper, section);
        }
        html += &errata(paper);
        html += "</article>\n";
    }
    html += &conventions();
    html += &colophon(papers);
    let lead = "Every table below was computed when this page was written, by the code of <b>appell</b> that its users run, and \
                stands beside the printed one. A difference is given with its reason.";
    page::document("appell: the papers reproduced", "The papers, reproduced", lead, &html)
}

fn overview(papers: &[Paper]) -> String {
    let mut html = String::from(
        "<section class=\"overview\"><h2>Summary</h2><div class=\"wide\"><table><thead><tr><th>paper</th><th>item</th>\
         <th>about</th><th>verdict</th><th>what we find</th></tr></thead><tbody>",
    );
    for (paper, section) in papers.iter().flat_map(|paper| paper.sections.iter().map(move |section| (paper, section))) {
        let _ = write!(
            html,
            "<tr><td>{}</td><td><a href=\"#{}\">{}</a></td><td>{}</td><td>{}</td><td>{}</td></tr>",
            paper.number,
            anchor(paper, section),
            escape(section.name).replace(' ', "&nbsp;"),
            escape(section.title),
            chip(section),
            escape(&section.headline)
        );
    }
    html + "</tbody></table></div></section>\n"
}

fn item(paper: &Paper, section: &Section) -> String {
    let mut html = format!(
        "<section><h3 id=\"{}\">{} <span class=\"title\">{}</span> {}</h3>\n{}\n",
        anchor(paper, section),
        capitalised(section.name),
        escape(section.title),
        chip(section),
        section.body
    );
    for Figure { file, caption, svg } in &section.figures {
        html += &page::figure(svg, caption, file);
    }
    for reason in &section.reasons {
        let _ = writeln!(html, "<p>{}</p>", escape(reason));
    }
    html + "</section>\n"
}

fn errata(paper: &Paper) -> String {
    if paper.errata.is_empty() {
        return String::new();
    }
    let mut html = String::from("<section><h3>Errata of what these tables rest on</h3><dl>");
    for (place, text) in paper.errata {
        let _ = write!(html, "<dt>{}</dt><dd>{}</dd>", escape(place), escape(text));
    }
    html + "</dl></section>\n"
}

fn conventions() -> String {
    let rules = [
        "× ÷ √ are multiplications, + and binary − additions; signs, copies, sines and cosines are free.",
        "What depends on the robot alone is made off-line: the constant angles with their products, the offsets, masses, \
         inertias and whatever is composed of them.",
        "A multiplication by a stored zero counts like any other. Only the structure saves: the base is fixed, the first \
         body turns about one axis, the last one carries nothing.",
        "A vector passes a joint by two plane turns, 8 × and 4 +, never by a 3 × 3 matrix.",
        "Counted are chains of revolute joints with general α, a and d, gravity along the first axis. The number type \
         counts, so the counted code is the code that computes; our formulas are fitted to n = 2…5 and hold for every n \
         up to 30.",
    ];
    let mechanics = [
        "Modified Denavit-Hartenberg frames: frame i sits on joint i, and Rx(α) Tx(a) Rz(θ) Tz(d) leads to it.",
        "Gravity enters as an upward acceleration of the base. τ = D q̈ + C + G, so G is the force that holds the arm; \
         the bias is C + G.",
        "Of a parallel robot: the twist of the platform is (v, ω), linear first, in base axes, v of the platform's origin; \
         the rate of v is the acceleration of that point. Torques and forces do positive work on positive rates of the drives.",
        "SI units and radians.",
    ];
    let list = |items: &[&str]| items.iter().map(|item| format!("<li>{}</li>", escape(item))).collect::<String>();
    format!(
        "<section><h2>Conventions</h2><h3>Counting</h3><ul>{}</ul><h3>Mechanics</h3><ul>{}</ul></section>\n",
        list(&rules),
        list(&mechanics)
    )
}

fn colophon(papers: &[Paper]) -> String {
    let numbers: Vec<&str> = papers.iter().map(|paper| paper.number).collect();
    let is_measured = |section: &Section| section.verdict != Verdict::NeedsData;
    let with_data =
        papers.iter().any(|paper| paper.origin == Origin::Measured && paper.sections.iter().all(is_measured));
    let data = if with_data { " --data FOLDER" } else { "" };
    let fused = if cfg!(target_feature = "fma") { "with" } else { "without" };
    format!(
        "<footer><p>appell {}, {} {}, {fused} fused multiply-add. To make this page again: \
         <code>cargo run --release -- reproduce {}{data}</code></p></footer>\n",
        env!("CARGO_PKG_VERSION"),
        std::env::consts::OS,
        std::env::consts::ARCH,
        numbers.join(" ").to_lowercase()
    )
}

fn chip(section: &Section) -> String {
    let word = section.verdict.word();
    format!("<span class=\"chip {}\">{word}</span>", word.to_lowercase().replace(' ', "-"))
}

fn anchor(paper: &Paper, section: &Section) -> String {
    format!("{}-{}", paper.number, section.name.replace(' ', "-"))
}

fn capitalised(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
