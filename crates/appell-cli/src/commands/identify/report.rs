//! What is told of an identification: text, and files.

use super::fitted::{Fitted, price};
use super::plots::{PLOTS, Plot};
use super::recording::{Measured, Recording};
use super::robot_file::RobotFiles;
use super::settings;
use super::study::Study;
use super::unknowns::{Unknowns, unit};
use crate::drawing::png;
use crate::listing::{Listing, counted, short};
use crate::output::{self, is_same, write_bytes};
use anyhow::Context;
use appell_identification::data::Filter;
use appell_identification::estimate::Fit;
use appell_identification::parameters::Robot;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// Warnings that a terminal shows; the page shows all.
const MOST_WARNINGS: usize = 12;

/// An identification with everything about it.
pub(super) struct Report<'r> {
    pub(super) robot: Robot<'r>,
    pub(super) unknowns: &'r Unknowns,
    pub(super) recordings: &'r [Recording],
    pub(super) filter: &'r Filter,
    /// Whether its cut-off was chosen from the motion.
    pub(super) is_chosen: bool,
    pub(super) study: &'r Study,
    pub(super) files: Option<&'r RobotFiles>,
    /// Files that were read, which none is to replace.
    pub(super) inputs: Vec<&'r Path>,
    pub(super) plots: &'r [Plot],
    pub(super) out: &'r Path,
}

impl Report<'_> {
    /// Writes all files, and tells the numbers.
    pub(super) fn write(&self, json: bool, stdout: &mut dyn Write) -> anyhow::Result<()> {
        self.write_files()?;
        if json {
            writeln!(stdout, "{:#}", self.as_json())?;
        } else {
            for (name, value) in self.facts() {
                writeln!(stdout, "{name}: {value}")?;
            }
            for (headings, rows) in [self.joints(), self.parameters()] {
                writeln!(stdout)?;
                let mut listing = Listing::new(headings.iter().copied());
                rows.into_iter().for_each(|row| listing.push(row));
                listing.write(stdout)?;
            }
            let regrouped = self.study.full.base.to_string();
            if regrouped.contains('=') {
                writeln!(stdout)?;
            }
            for line in regrouped.lines().filter(|line| line.contains('=')) {
                writeln!(stdout, "{line}")?;
            }
            writeln!(stdout, "\nReport: {}", self.out.join("report.html").display())?;
        }
        let warnings = &self.study.warnings;
        for warning in warnings.iter().take(MOST_WARNINGS) {
            output::note(format_args!("warning: {warning}"));
        }
        if warnings.len() > MOST_WARNINGS {
            output::note(format_args!("warning: {} more are in the report", warnings.len() - MOST_WARNINGS));
        }
        Ok(())
    }

    /// Writes what was found, and then removes what a run before has left beside it: no robot of one shall stand beside the report
    /// of another. A robot that was found before is not given up for none.
    fn write_files(&self) -> anyhow::Result<()> {
        let out = self.out;
        if let (Err(error), true) = (self.study.robot(), out.join("robot.toml").exists()) {
            anyhow::bail!(
                "no robot is written ({error}), and {} has one of an earlier run: nothing is written; give another folder with --out",
                out.display()
            );
        }
        let before = fs::read(out.join("robot.toml")).unwrap_or_default();
        let before = String::from_utf8_lossy(&before);
        anyhow::ensure!(
            before.is_empty() || self.files.is_none() || before.starts_with("# Identified on"),
            "{} was not written by `appell identify`, and is not replaced; give another folder with --out",
            out.join("robot.toml").display()
        );
        let name_of = |text: &str| text.lines().find(|line| line.starts_with("name = ")).map(ToOwned::to_owned);
        if let (Some(before), Some(now)) = (name_of(&before), self.files.and_then(|files| name_of(&files.toml))) {
            anyhow::ensure!(
                before == now,
                "{} holds another robot, {}; give another folder with --out",
                out.display(),
                before.trim_start_matches("name = ")
            );
        }
        // Pictures take most of the time: all is made before the first file is replaced.
        let mut files: Vec<(String, Vec<u8>)> = Vec::new();
        for Plot { name, svg, .. } in self.plots {
            files.push((format!("{name}.svg"), svg.clone().into_bytes()));
            files.push((format!("{name}.png"), png(svg)?));
        }
        if let Some(robot) = self.files {
            files.push(("robot.toml".into(), robot.toml.clone().into_bytes()));
            files.extend(robot.urdf.iter().map(|text| ("robot.urdf".into(), text.clone().into_bytes())));
        }
        files.push(("parameters.csv".into(), self.parameter_table().into_bytes()));
        files.push(("correlation.csv".into(), self.correlation_table().into_bytes()));
        files.push(("efforts.csv".into(), self.effort_table().into_bytes()));
        files.push(("report.html".into(), self.page().into_bytes()));
        fs::create_dir_all(out).with_context(|| format!("cannot make the folder {}", out.display()))?;
        for path in files.iter().map(|(name, _)| out.join(name)) {
            anyhow::ensure!(!path.is_dir(), "{} is a folder; remove it, or give another --out", path.display());
            let is_input = self.inputs.iter().any(|input| is_same(input, &path));
            anyhow::ensure!(!is_input, "{} would be replaced, and it is read; give another --out", path.display());
        }
        output::together(|| {
            files.iter().try_for_each(|(name, bytes)| write_bytes(&out.join(name), bytes, &mut io::sink()))
        })?;
        self.remove_stale()
    }

    /// Removes plots and a URDF that this run has not written.
    fn remove_stale(&self) -> anyhow::Result<()> {
        let is_drawn = |name: &str| self.plots.iter().any(|plot| plot.name == name);
        let plots = PLOTS.iter().filter(|name| !is_drawn(name));
        let plots = plots.flat_map(|name| ["svg", "png"].map(|ending| format!("{name}.{ending}")));
        let has_urdf = self.files.is_some_and(|files| files.urdf.is_some());
        for file in plots.chain((!has_urdf).then(|| "robot.urdf".into())) {
            let path = self.out.join(file);
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(error).with_context(|| format!("cannot remove {}", path.display()));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// What is said in a line each.
    pub(super) fn facts(&self) -> Vec<(&'static str, String)> {
        let Study { full, essential, .. } = self.study;
        let Fitted { base, estimate, validation, equations, .. } = full;
        let (kept, left_out) = base.gap();
        let mut facts = vec![("Robot", self.robot.tree().name().to_owned())];
        for Recording { name, hash, measured: Measured { rows, rate, .. } } in self.recordings {
            facts.push(("Data", format!("{name}, {rows} rows at {} Hz, {hash}", short(*rate))));
        }
        facts.push(("Signals", self.signals()));
        let shown = if base.len() < self.study.structural {
            format!("{} of {} base parameters", base.len(), self.study.structural)
        } else {
            counted(base.len(), "base parameter")
        };
        facts.push((
            "Unknowns",
            format!(
                "{}, {shown}; rank tolerance {:.0e}, largest column below it {left_out:.0e}, smallest above {kept:.0e}",
                counted(self.unknowns.model.columns().len(), "parameter"),
                base.tolerance()
            ),
        ));
        facts.push((
            "Method",
            format!(
                "{}, {} equations, condition number {} with columns of length 1",
                estimate.method_and_note(),
                equations.matrix().nrows(),
                short(round(estimate.condition))
            ),
        ));
        facts.push(("Residual", format!("{} of the efforts", percent(estimate.fit.relative))));
        facts.extend(
            validation
                .as_ref()
                .map(|found| ("Held out", format!("{} by {}", percent(found.estimate.relative), found.by))),
        );
        facts.push(("Consistency", self.verdict()));
        facts.extend(essential.as_ref().map(|found| {
            let text = format!(
                "{} of {} parameters matter, with a residual of {}: {}",
                found.kept.len(),
                base.len(),
                percent(found.estimate.fit.relative),
                found.kept.iter().map(|&k| estimate.names[k].as_str()).collect::<Vec<_>>().join(", ")
            );
            ("Essential", text)
        }));
        facts.extend(self.beyond().map(|text| ("Beyond robot.toml", text)));
        facts
    }

    fn signals(&self) -> String {
        let rate = self.recordings.first().map_or(0.0, |recording| recording.measured.thinned_rate);
        let samples = self.study.full.equations.samples();
        format!("{}: {samples} samples at {} Hz", settings::of_filter(self.filter, self.is_chosen), short(rate))
    }

    /// What was found that a robot's file has no numbers for, and what the file leaves without it.
    pub(super) fn beyond(&self) -> Option<String> {
        let file = self.study.file.as_ref()?;
        let found = file.consistent.as_ref().ok()?;
        let beyond = self.study.beyond().into_iter().map(|(name, value)| format!("{name} = {}", short(round(value))));
        let held_out = file.validation.as_ref().and_then(|validation| validation.consistent.as_ref());
        let held_out = held_out.map_or(String::new(), |fit| format!(", {} held out", percent(fit.relative)));
        Some(format!(
            "{}; the robot in the file is fitted without them and leaves {} of the efforts{held_out}",
            beyond.collect::<Vec<_>>().join(", "),
            percent(found.fit.relative)
        ))
    }

    /// Whether a real robot can have these parameters.
    fn verdict(&self) -> String {
        match &self.study.full.consistent {
            Err(error) => format!("no robot's file: {error}"),
            Ok(found) => {
                let cost = price(found).map_or(String::new(), |price| format!(", {} more", percent(price)));
                let is_real = price(found).is_none_or(|price| price < 0.1);
                format!(
                    "{}: bodies of positive density and friction that brakes leave {} of the efforts, where free parameters \
                     leave {}{cost}",
                    if is_real { "yes, a real robot can have these parameters" } else { "doubtful" },
                    percent(found.fit.relative),
                    percent(found.unconstrained.relative)
                )
            }
        }
    }

    /// What is said of each joint.
    pub(super) fn joints(&self) -> (Vec<&'static str>, Vec<Vec<String>>) {
        let Fitted { estimate, consistent, validation, .. } = &self.study.full;
        let mut headings = vec!["joint", ">RMS left over", ">residual"];
        let mut columns: Vec<&Fit> = Vec::new();
        if let Some(validation) = validation {
            headings.push(">held out");
            columns.push(&validation.estimate);
        }
        if let Ok(found) = consistent {
            headings.push(">consistent");
            columns.push(&found.fit);
        }
        if let Some(held_out) = validation.as_ref().and_then(|validation| validation.consistent.as_ref()) {
            headings.push(">consistent, held out");
            columns.push(held_out);
        }
        if let Some(Fitted { consistent: Ok(found), validation, .. }) = &self.study.file {
            headings.push(">robot.toml");
            columns.push(&found.fit);
            if let Some(held_out) = validation.as_ref().and_then(|validation| validation.consistent.as_ref()) {
                headings.push(">robot.toml, held out");
                columns.push(held_out);
            }
        }
        let row = |(k, own): (usize, &appell_identification::estimate::RowFit)| {
            let others = columns.iter().map(|fit| percent(fit.rows[k].relative));
            [own.name.clone(), short(round(own.rms)), percent(own.relative)].into_iter().chain(others).collect()
        };
        let mut rows: Vec<Vec<String>> = estimate.fit.rows.iter().enumerate().map(row).collect();
        let all = columns.iter().map(|fit| percent(fit.relative));
        let ends = ["all".to_owned(), String::new(), percent(estimate.fit.relative)];
        rows.push(ends.into_iter().chain(all).collect());
        (headings, rows)
    }

    /// The base parameters with their uncertainty.
    pub(super) fn parameters(&self) -> (Vec<&'static str>, Vec<Vec<String>>) {
        let number = |x: Option<f64>| x.map_or("–".into(), |x| short(round(x)));
        let rows = self.base_parameters().into_iter().map(|found| {
            vec![
                found.name,
                short(round(found.value)),
                format!("± {}", short(round(found.sigma))),
                percent(0.01 * found.relative_sigma),
                number(found.consistent),
                short(round(found.before)),
                found.unit.to_owned(),
            ]
        });
        let headings = vec!["parameter", ">value", ">σ", ">σ %", ">consistent", ">before", "unit"];
        (headings, rows.collect())
    }

    pub(super) fn base_parameters(&self) -> Vec<BaseParameter> {
        let Fitted { base, estimate, consistent, .. } = &self.study.full;
        let consistent = consistent.as_ref().ok().map(|found| base.values(found.values.as_slice()));
        let before = base.values(&self.unknowns.model.values(self.robot));
        let (sigma, relative) = (estimate.sigma(), estimate.relative_sigma());
        let one = |(k, name): (usize, &String)| BaseParameter {
            name: name.clone(),
            value: estimate.values[k],
            sigma: sigma[k],
            relative_sigma: relative[k],
            consistent: consistent.as_ref().map(|values| values[k]),
            before: before[k],
            unit: unit(&self.unknowns.model, self.robot, base.kept()[k]),
        };
        estimate.names.iter().enumerate().map(one).collect()
    }

    fn parameter_table(&self) -> String {
        let mut text = String::from("parameter,value,sigma,sigma_percent,consistent,before,unit\n");
        for found in self.base_parameters() {
            let consistent = found.consistent.map(|x| x.to_string()).unwrap_or_default();
            let BaseParameter { name, value, sigma, relative_sigma, before, unit, .. } = found;
            let _ = writeln!(text, "{name},{value},{sigma},{relative_sigma},{consistent},{before},{unit}");
        }
        text
    }

    fn correlation_table(&self) -> String {
        let estimate = &self.study.full.estimate;
        let mut text = format!("parameter,{}\n", estimate.names.join(","));
        for (name, row) in estimate.names.iter().zip(estimate.correlation().row_iter()) {
            let numbers: String = row.iter().map(|x| format!(",{x}")).collect();
            let _ = writeln!(text, "{name}{numbers}");
        }
        text
    }

    fn effort_table(&self) -> String {
        let n = self.study.full.equations.rows().len();
        let columns: String = (1..=n).map(|k| format!(",measured{k},predicted{k}")).collect();
        let mut text = format!("file,t{columns}\n");
        for (file, recording) in self.recordings.iter().enumerate() {
            let [measured, predicted] = self.study.full.efforts(&recording.measured.equations);
            for (i, t) in recording.measured.times.iter().enumerate() {
                let _ = write!(text, "{},{t}", file + 1);
                for k in i * n..(i + 1) * n {
                    let _ = write!(text, ",{},{}", measured[k], predicted[k]);
                }
                text.push('\n');
            }
        }
        text
    }
}

/// A line of the table of parameters.
pub(super) struct BaseParameter {
    pub(super) name: String,
    pub(super) value: f64,
    pub(super) sigma: f64,
    pub(super) relative_sigma: f64,
    pub(super) consistent: Option<f64>,
    pub(super) before: f64,
    pub(super) unit: &'static str,
}

/// Four digits: no measured parameter has more.
pub(super) fn round(x: f64) -> f64 {
    format!("{x:.3e}").parse().unwrap_or(x)
}

/// A part of a whole, in percent.
fn percent(part: f64) -> String {
    match 100.0 * part {
        part if part >= 1000.0 => "> 1000 %".into(),
        part if part >= 0.01 || part == 0.0 => format!("{part:.2} %"),
        part => format!("{part:.0e} %"),
    }
}
