//! `appell reproduce`: the papers' tables and figures beside ours as a report, and a measured robot, identified.

mod tx40;

use crate::output::Output;
use anyhow::{Context, ensure};
use appell_drawing::listing::Listing;
use appell_papers::report::{self, Paper, Section, Verdict};
use serde_json::{Value, json};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Compute the papers' tables and figures again and report what matches.
///
/// Writes DIR/index.html, a report that needs no other file, and its plots as DIR/*.svg. Each table shows the printed
/// numbers, ours and their difference, with the reason where they differ.
///
/// Exit codes: 0 all tables are reproduced or their differences explained; 1 a number is not what we claim it to be.
#[derive(clap::Args)]
#[command(
    after_help = "Example: appell reproduce 001 --out report\n         appell reproduce tx40 --data figaroh-examples/examples/staubli_TX40"
)]
pub(crate) struct Args {
    /// The papers, by their numbers; all if none is given
    #[arg(value_enum)]
    papers: Vec<Number>,
    /// The folder with the TX40's recording, motor_positions.csv and motor_torques.csv: data of others, which are not part of
    /// appell; without it the report says where they are found
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// The folder for the report
    #[arg(long, value_name = "DIR", default_value = "report")]
    out: PathBuf,
}

/// A paper's number in our library.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Number {
    /// Abedloo, Molaei, Taghirad: the Agile Wrist, figures 4 to 7, errata
    #[value(name = "000")]
    Abedloo,
    /// Mata, Provenzano, Valero, Cuadrado (2002): tables 1 to 7, figures 2 and 3
    #[value(name = "001")]
    Mata,
    /// Valera, Mata et al.: tables 2 and 3, figures 3 to 5
    #[value(name = "002")]
    Valera,
    /// Briot, Khalil: the Gough-Stewart platform, errata, singularities
    #[value(name = "003")]
    Briot,
    /// Enferadi, Akbarzadeh (2010): the star-triangle robot, figures 8, 9 and 11, errata
    #[value(name = "004")]
    Enferadi,
    /// No paper: a measured Stäubli TX40, identified
    #[value(name = "tx40")]
    Tx40,
}

impl Number {
    const PAPERS: [Self; 5] = [Self::Abedloo, Self::Mata, Self::Valera, Self::Briot, Self::Enferadi];

    const fn name(self) -> &'static str {
        match self {
            Self::Abedloo => "000",
            Self::Mata => "001",
            Self::Valera => "002",
            Self::Briot => "003",
            Self::Enferadi => "004",
            Self::Tx40 => "tx40",
        }
    }
}

pub(crate) fn run(args: &Args, json: bool, out: &mut dyn Write) -> anyhow::Result<bool> {
    let wanted = |number: Number| args.papers.is_empty() || args.papers.contains(&number);
    ensure!(args.data.is_none() || wanted(Number::Tx40), "--data is read by tx40 alone, which is not asked for");
    let mut papers = Vec::new();
    for number in Number::PAPERS.into_iter().filter(|&number| wanted(number)) {
        papers.extend(report::paper(number.name())?);
    }
    if wanted(Number::Tx40) {
        papers.push(tx40::paper(args.data.as_deref())?);
    }

    fs::create_dir_all(&args.out).with_context(|| format!("cannot make the folder {}", args.out.display()))?;
    for figure in papers.iter().flat_map(|paper| &paper.sections).flat_map(|section| &section.figures) {
        write_file(&args.out.join(figure.file), &figure.svg)?;
    }
    let page = args.out.join("index.html");
    write_file(&page, &report::page(&papers))?;

    let as_claimed = papers.iter().flat_map(|paper| &paper.sections).all(|section| section.verdict != Verdict::Fails);
    if json {
        writeln!(out, "{:#}", as_json(&papers, &page, as_claimed))?;
    } else {
        summary(&papers, out)?;
        writeln!(out, "\nReport: {}", page.display())?;
    }
    Ok(as_claimed)
}

fn write_file(path: &Path, text: &str) -> anyhow::Result<()> {
    let mut unused = io::sink();
    let mut file = Output::create(Some(path), &mut unused)?;
    file.write_all(text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))?;
    file.finish()
}

fn summary(papers: &[Paper], out: &mut dyn Write) -> io::Result<()> {
    let mut listing = Listing::new(["paper", "item", "verdict", "what we find"]);
    for paper in papers {
        for section in &paper.sections {
            let verdict = section.verdict.word();
            listing.push([paper.number, section.name, verdict, &section.headline].map(String::from));
        }
    }
    listing.write(out)
}

fn as_json(papers: &[Paper], page: &Path, as_claimed: bool) -> Value {
    let items = papers.iter().flat_map(|paper| paper.sections.iter().map(move |section| (paper, section)));
    let item = |(paper, section): (&Paper, &Section)| {
        json!({
            "paper": paper.number, "item": section.name, "title": section.title,
            "verdict": section.verdict.word(), "finding": section.headline, "data": section.data,
        })
    };
    json!({
        "as_claimed": as_claimed,
        "report": page.display().to_string(),
        "items": items.map(item).collect::<Value>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The published recording of the TX40, where this machine has it.
    fn recording() -> Option<PathBuf> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/tx40");
        let found = folder.is_dir().then_some(folder);
        if found.is_none() {
            println!("skipped: the TX40's recording is not in ../shared/data/tx40");
        }
        found
    }

    fn reproduce(papers: Vec<Number>, json: bool) -> (tempfile::TempDir, bool, String) {
        reproduce_with(None, papers, json)
    }

    fn reproduce_with(data: Option<PathBuf>, papers: Vec<Number>, json: bool) -> (tempfile::TempDir, bool, String) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let args = Args { papers, data, out: folder.path().join("new/report") };
        let mut out = Vec::new();
        let as_claimed = run(&args, json, &mut out).expect("it can be written");
        (folder, as_claimed, String::from_utf8(out).expect("text"))
    }

    #[test]
    fn all_is_as_we_claim() {
        let (_folder, as_claimed, text) = reproduce(Vec::new(), false);
        assert!(as_claimed, "{text}");
        for item in [
            "000 figure 4 redrawn",
            "000 figure 6 redrawn",
            "000 errata differs",
            "001 table 1 matches",
            "001 table 3 differs",
            "001 table 6 differs",
            "002 table 2 matches",
            "002 figure 5 redrawn",
            "003 eqs 26 to 32 matches",
            "004 figures 8, 9 matches",
            "004 errata differs",
            "TX40 identification needs data",
        ] {
            assert!(lists(&text, item), "{item} in\n{text}");
        }
    }

    /// Whether a summary has a line that begins so.
    fn lists(summary: &str, item: &str) -> bool {
        let is_it = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ").starts_with(item);
        summary.lines().any(is_it)
    }

    #[test]
    fn a_measured_robot_is_identified_where_its_recording_is() {
        let Some(data) = recording() else { return };
        let (folder, as_claimed, text) = reproduce_with(Some(data), vec![Number::Tx40], false);
        assert!(as_claimed && lists(&text, "TX40 identification matches 61 base parameters"), "{text}");
        let page = fs::read_to_string(folder.path().join("new/report/index.html")).expect("a page");
        assert!(page.contains("reproduce tx40 --data FOLDER</code>") && page.contains("<svg"), "{text}");
    }

    #[test]
    fn without_its_recording_the_report_says_what_is_needed() {
        let (folder, as_claimed, text) = reproduce(vec![Number::Tx40], false);
        assert!(as_claimed && text.contains("--data FOLDER"), "{text}");
        let page = fs::read_to_string(folder.path().join("new/report/index.html")).expect("a page");
        for needed in ["motor_positions.csv", "motor_torques.csv", "thanhndv212/figaroh-examples", "needs-data"] {
            assert!(page.contains(needed), "{needed}");
        }
        let refused = |papers, data: &Path| {
            let args = Args { papers, data: Some(data.to_owned()), out: folder.path().join("other") };
            format!("{:#}", run(&args, false, &mut io::sink()).expect_err("it is refused"))
        };
        let empty = refused(vec![Number::Tx40], folder.path());
        assert!(empty.contains("motor_positions.csv") && empty.contains("figaroh-examples"), "{empty}");
        assert!(refused(vec![Number::Mata], folder.path()).contains("tx40"));
        assert!(!folder.path().join("other").exists());
    }

    #[test]
    fn the_page_needs_no_other_file() {
        let (folder, ..) = reproduce(Vec::new(), false);
        let page = fs::read_to_string(folder.path().join("new/report/index.html")).expect("a page");
        for outside in ["<script", "<link", "<img", "src=", "@import", "url("] {
            assert!(!page.contains(outside), "{outside}");
        }
        let drawings = page.matches("<svg").count();
        let files = fs::read_dir(folder.path().join("new/report")).expect("a folder");
        assert_eq!(files.count(), drawings + 1, "every drawing is a file too");
    }

    #[test]
    fn one_paper_may_be_asked_for() {
        let (_folder, _, text) = reproduce(vec![Number::Valera], true);
        let answer: Value = serde_json::from_str(&text).expect("JSON");
        let items = answer["items"].as_array().expect("items");
        assert!(items.iter().all(|item| item["paper"] == "002"));
        assert_eq!(items[1]["data"][1]["ours"]["n=6"], json!([590, 430]));
    }
    #[test]
    fn the_gough_stewart_platform_is_shown_with_all_its_plots() {
        let (folder, as_claimed, text) = reproduce(vec![Number::Briot], true);
        assert!(as_claimed, "{text}");
        let answer: Value = serde_json::from_str(&text).expect("JSON");
        let items = answer["items"].as_array().expect("items");
        assert!(items.iter().all(|item| item["paper"] == "003" && item["verdict"] != "FAILS"), "{text}");
        let folder = folder.path().join("new/report");
        let page = fs::read_to_string(folder.join("index.html")).expect("a page");
        let headings =
            ["Table 1", "Eqs 26 to 32", "Eq. 33", "Eqs 21 and 22", "§5.3, Type 2", "§5.3, crossing", "Operations"];
        for heading in headings {
            assert!(page.contains(&format!("\">{heading} <span class=\"title\">")), "{heading}");
        }
        for plot in ["gough-stewart", "forces", "type-2", "type-1", "crossing"] {
            let svg = fs::read_to_string(folder.join(format!("003-{plot}.svg"))).expect("a plot");
            assert!(svg.starts_with("<svg") && page.contains(&svg), "{plot}");
        }
    }

    #[test]
    fn the_spherical_robots_are_shown_with_their_errata() {
        let (folder, as_claimed, text) = reproduce(vec![Number::Abedloo, Number::Enferadi], true);
        assert!(as_claimed, "{text}");
        let answer: Value = serde_json::from_str(&text).expect("JSON");
        let item = |paper: &str, name: &str| {
            let items = answer["items"].as_array().expect("items");
            items.iter().find(|item| item["paper"] == paper && item["item"] == name).expect("an item").clone()
        };
        let wrong = |paper: &str, place: &str| {
            let errata = item(paper, "errata")["data"].as_array().expect("errata").clone();
            let erratum = errata.iter().find(|erratum| erratum["place"] == place).expect("an erratum").clone();
            erratum["evidence"][0]["error_as_printed"].as_f64().expect("a number")
        };
        // Of tests/golden/parallel/shared_errata_evidence.json.
        assert!((wrong("000", "eq. 50") - 0.0528852).abs() < 1e-6);
        assert!((wrong("004", "eq. 41") - 44.4317).abs() < 1e-3);
        assert!((item("004", "figure 11")["data"]["peak"].as_f64().expect("a torque") - 16.894932).abs() < 1e-5);
        let folder = folder.path().join("new/report");
        let page = fs::read_to_string(folder.join("index.html")).expect("a page");
        for plot in ["000-wrist", "000-joints", "000-torques", "000-reach", "004-star", "004-swing", "004-circle"] {
            let svg = fs::read_to_string(folder.join(format!("{plot}.svg"))).expect("a plot");
            assert!(svg.starts_with("<svg") && page.contains(&svg), "{plot}");
        }
    }
}
