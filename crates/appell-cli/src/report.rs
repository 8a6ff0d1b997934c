//! What is reported of a run that fills a folder: facts, tables and plots, as text and on a page.

use anyhow::Context;
use appell_drawing::listing::Listing;
use appell_drawing::{Across, Curve, Look, Strip, page, png, strips};
use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// As many joints have a strip each.
pub(crate) const MOST_STRIPS: usize = 12;

/// A plot: the name of its files, what it shows, and its drawing.
pub(crate) struct Plot {
    pub(crate) name: &'static str,
    pub(crate) caption: String,
    pub(crate) svg: String,
}

/// What is said in a line each, under its name.
pub(crate) type Facts = Vec<(&'static str, String)>;

/// Headings, those of numbers with `>` before them, and rows.
pub(crate) type Table = (Vec<&'static str>, Vec<Vec<String>>);

/// Files of plots, by their names.
pub(crate) fn plot_files<'n>(names: impl IntoIterator<Item = &'n str>) -> impl Iterator<Item = String> {
    names.into_iter().flat_map(|name| ["svg", "png"].map(|ending| format!("{name}.{ending}")))
}

/// The files of plots with what they hold.
pub(crate) fn drawn(plots: &[Plot]) -> anyhow::Result<Vec<(String, Vec<u8>)>> {
    let mut files = Vec::new();
    for Plot { name, svg, .. } in plots {
        files.push((format!("{name}.svg"), svg.clone().into_bytes()));
        files.push((format!("{name}.png"), png(svg)?));
    }
    Ok(files)
}

/// Removes files from a folder, where they are there.
pub(crate) fn remove(folder: &Path, names: impl Iterator<Item = String>) -> anyhow::Result<()> {
    for path in names.map(|name| folder.join(name)) {
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(error).with_context(|| format!("cannot remove {}", path.display()));
            }
            _ => {}
        }
    }
    Ok(())
}

pub(crate) fn write_facts(facts: &Facts, out: &mut dyn Write) -> io::Result<()> {
    facts.iter().try_for_each(|(name, value)| writeln!(out, "{name}: {value}"))
}

pub(crate) fn write_table((headings, rows): Table, out: &mut dyn Write) -> io::Result<()> {
    let mut listing = Listing::new(headings);
    rows.into_iter().for_each(|row| listing.push(row));
    listing.write(out)
}

/// Facts on a page.
pub(crate) fn facts_on_page(facts: &Facts) -> String {
    let fact = |(name, value): &(&str, String)| format!("<dt>{name}</dt><dd>{}</dd>", page::escape(value));
    format!("<dl>{}</dl>\n", facts.iter().map(fact).collect::<String>())
}

/// A table on a page.
pub(crate) fn table_on_page((headings, rows): &Table) -> String {
    page::table(headings.iter().map(|heading| heading.trim_start_matches('>')), rows)
}

/// Plots on a page.
pub(crate) fn plots_on_page(plots: &[Plot]) -> String {
    let figure = |Plot { name, caption, svg }: &Plot| page::figure(svg, caption, &format!("{name}.png"));
    plots.iter().map(figure).collect()
}

/// Measured and predicted torques and forces of joints over time, each pair with its residual below.
pub(crate) fn compared(title: &str, across: &Across<'_>, joints: &[[Vec<f64>; 2]], labels: &[String]) -> String {
    let left: Vec<Vec<f64>> = joints.iter().map(residual).collect();
    let panels = joints.iter().zip(&left).zip(labels).take(MOST_STRIPS);
    let panels: Vec<Strip<'_>> = panels
        .flat_map(|(([measured, predicted], left), label)| {
            let curve = |name, values| Curve { name, values };
            let both = vec![curve("measured", measured), curve("predicted", predicted)];
            [
                Strip { label, curves: both, look: Look::Compared },
                Strip { label: "", curves: vec![curve("residual", left)], look: Look::LeftOver },
            ]
        })
        .collect();
    strips(title, across, &panels)
}

/// Measured less predicted.
pub(crate) fn residual([measured, predicted]: &[Vec<f64>; 2]) -> Vec<f64> {
    measured.iter().zip(predicted).map(|(measured, predicted)| measured - predicted).collect()
}
