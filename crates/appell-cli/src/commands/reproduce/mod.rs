//! `appell reproduce`: the papers' tables and figures beside ours as a report, and two robots, identified: a simulated and a measured one.

mod demonstration;
mod tx40;

use crate::arguments::choice;
use crate::output::write_file;
use anyhow::{Context, ensure};
use appell_drawing::listing::Listing;
use appell_papers::report::{self, Paper, Section, Verdict};
use clap::builder::PossibleValue;
use serde_json::{Value, json};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Compute the papers' tables and figures again and report what matches.
///
/// Writes DIR/index.html, a report that needs no other file, and its plots as DIR/*.svg. Each table shows the printed
/// numbers, ours and their difference, with the reason where they differ. Of the demonstration, whose robot and recordings
/// are our own, it writes the scenarios too.
///
/// Exit codes: 0 all tables are reproduced or their differences explained; 1 a number is not what we claim it to be.
#[derive(clap::Args)]
#[command(
    after_help = "Example: appell reproduce 001 --out report\n         appell reproduce tx40 --data figaroh-examples/examples/staubli_TX40"
)]
pub(crate) struct Args {
    /// The papers, by their numbers, and what is called otherwise; all if none is given
    #[arg(value_parser = choice(PAPERS.map(|(number, help)| (PossibleValue::new(number).help(help), number))))]
    papers: Vec<&'static str>,
    /// The folder with the TX40's recording, motor_positions.csv and motor_torques.csv: data of others, which are not
    /// part of appell; without it the report says where they are found
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// The folder for the report
    #[arg(long, value_name = "DIR", default_value = "report")]
    out: PathBuf,
}

/// The papers by their numbers in our library, with what is reproduced of them.
const PAPERS: [(&str, &str); 7] = [
    ("000", "Abedloo, Molaei, Taghirad: the Agile Wrist, figures 4 to 7, errata"),
    ("001", "Mata, Provenzano, Valero, Cuadrado (2002): tables 1 to 7, figures 2 and 3"),
    ("002", "Valera, Mata et al.: tables 2 and 3, figures 3 to 5"),
    ("003", "Briot, Khalil: the Gough-Stewart platform, errata, singularities"),
    ("004", "Enferadi, Akbarzadeh (2010): the star-triangle robot, figures 8, 9 and 11, errata"),
    (DEMONSTRATION, "No paper: a PUMA that we simulate, record and identify, the truth beside the estimate"),
    (TX40, "No paper: a measured Stäubli TX40, identified"),
];
const DEMONSTRATION: &str = "demonstration";
const TX40: &str = "tx40";

pub(crate) fn run(args: &Args, json: bool, out: &mut dyn Write) -> anyhow::Result<bool> {
    let wanted = |number: &str| args.papers.is_empty() || args.papers.contains(&number);
    ensure!(args.data.is_none() || wanted(TX40), "--data is read by tx40 alone, which is not asked for");
    let (mut papers, mut files) = (Vec::new(), Vec::new());
    for (number, _) in PAPERS.into_iter().filter(|(number, _)| wanted(number)) {
        papers.extend(match number {
            TX40 => Some(tx40::paper(args.data.as_deref())?),
            DEMONSTRATION => {
                let (paper, scenarios) = demonstration::paper()?;
                files.extend(scenarios);
                Some(paper)
            }
            _ => report::paper(number)?,
        });
    }

    for (name, text) in &files {
        let path = args.out.join(name);
        let folder = path.parent().unwrap_or(&args.out);
        fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
        write_file(&path, text, &mut io::sink())?;
    }
    fs::create_dir_all(&args.out).with_context(|| format!("cannot make the folder {}", args.out.display()))?;
    for figure in papers.iter().flat_map(|paper| &paper.sections).flat_map(|section| &section.figures) {
        write_file(&args.out.join(figure.file), &figure.svg, &mut io::sink())?;
    }
    let page = args.out.join("index.html");
    write_file(&page, &report::page(&papers), &mut io::sink())?;

    let as_claimed = papers.iter().flat_map(|paper| &paper.sections).all(|section| section.verdict != Verdict::Fails);
    if json {
        writeln!(out, "{:#}", as_json(&papers, &page, as_claimed))?;
    } else {
        summary(&papers, out)?;
        writeln!(out, "\nReport: {}", page.display())?;
    }
    Ok(as_claimed)
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
