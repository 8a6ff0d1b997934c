//! What is reported of an identification: text, and tables.

use super::names::{self, Names};
use super::numbers::{percent, rms, round, round_rate, size};
use crate::output;
use crate::report::{Facts, Plot, Table, write_facts, write_table};
use appell::Robot;
use appell::description::JointKind;
use appell_drawing::listing::{counted, short};
use appell_identification::estimate::Fit;
use appell_identification::identify::{Errors, Fitted, Identified, Recording, price};
use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;

/// Warnings that a terminal shows; the page shows all.
const MOST_WARNINGS: usize = 12;

/// A joint is named whose residual is beyond this with a robot's file, and so many times that of free parameters.
const LARGE_RESIDUAL: f64 = 0.05;
const MUCH_MORE: f64 = 1.5;

/// An identification with everything about it.
pub(super) struct Report<'r> {
    pub(super) robot: &'r Robot,
    pub(super) found: &'r Identified,
    /// Files that were read, which none is to replace.
    pub(super) inputs: Vec<&'r Path>,
    pub(super) plots: &'r [Plot],
    pub(super) out: &'r Path,
}

impl Report<'_> {
    /// Writes all files, and prints the numbers.
    pub(super) fn write(&self, json: bool, stdout: &mut dyn Write) -> anyhow::Result<()> {
        self.write_files()?;
        if json {
            writeln!(stdout, "{:#}", self.as_json())?;
        } else {
            write_facts(&self.facts(), stdout)?;
            writeln!(stdout, "\n{}", self.about_joints())?;
            write_table(self.joints(), stdout)?;
            let files = (!self.found.held_out.is_empty()).then(|| self.files());
            for table in files.into_iter().chain([self.parameters()]) {
                writeln!(stdout)?;
                write_table(table, stdout)?;
            }
            let regrouped = self.regrouped();
            if !regrouped.is_empty() {
                writeln!(stdout, "\n{regrouped}")?;
            }
            writeln!(stdout, "\nReport: {}", self.out.join("report.html").display())?;
        }
        let warnings = &self.found.warnings;
        for warning in warnings.iter().take(MOST_WARNINGS) {
            output::note(format_args!("warning: {warning}"));
        }
        if warnings.len() > MOST_WARNINGS {
            output::note(format_args!("warning: {} more are in the report", warnings.len() - MOST_WARNINGS));
        }
        Ok(())
    }

    /// What is said in a line each.
    pub(super) fn facts(&self) -> Facts {
        let Identified { full, essential, recordings, .. } = self.found;
        let Fitted { base, estimate, validation, equations, .. } = full;
        let (kept, left_out) = base.gap();
        let mut facts = vec![("Robot", self.robot.tree().name().to_owned())];
        for Recording { source, rows, rate, equations: equations_of, .. } in recordings {
            let (name, hash) = (&source.name, &source.hash);
            let own = Fit::of(&base.reduce(equations_of), &estimate.values).relative;
            let left = if recordings.len() > 1 { format!(", residual {}", percent(own)) } else { String::new() };
            facts.push(("Data", format!("{name}, {rows} rows at {} Hz{left}, {hash}", short(round_rate(*rate)))));
        }
        let names = Names::of(self.found);
        for recording in names::all(self.found).filter(|recording| !recording.time.is_empty()) {
            facts.push(("Time", format!("{}: {}", names.name(recording), recording.time)));
        }
        facts.push(("Signals", self.signals()));
        let shown = if base.len() < self.found.structural {
            format!("{} of {} base parameters", base.len(), self.found.structural)
        } else {
            counted(base.len(), "base parameter")
        };
        facts.push((
            "Unknowns",
            format!(
                "{}, {shown}; rank tolerance {}, largest column below it {}, smallest above {}",
                counted(self.found.unknowns.model.columns().len(), "parameter"),
                size(base.tolerance()),
                size(left_out),
                size(kept)
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
        facts.push(("Residual", format!("{} of the torques", percent(estimate.fit.relative))));
        for recording in &self.found.held_out {
            facts.push(("Held out", self.held_out(recording)));
        }
        let in_parts = validation.as_ref().filter(|_| self.found.held_out.is_empty());
        facts.extend(
            in_parts.map(|found| ("Held out", format!("{} by {}", percent(found.estimate.relative), found.by))),
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
        if let (Some(files), Some(found)) = (&self.found.files, self.found.robot()) {
            facts.push(("robot.toml", beside(&found.fit, &estimate.fit)));
            let own = self.found.urdf.own().filter(|_| files.urdf.is_some());
            facts.extend(own.map(|(fitted, found)| {
                let [_, held_out] = consistent_fits(fitted);
                let held_out = held_out.map_or(String::new(), |fit| format!("; {} held out", percent(fit.relative)));
                ("robot.urdf", beside(&found.fit, &estimate.fit) + &held_out)
            }));
        }
        facts
    }

    /// Units of the joints' torques and forces.
    fn units(&self) -> Vec<&'static str> {
        let unit = |kind: JointKind| if kind == JointKind::Revolute { "N m" } else { "N" };
        self.robot.drives().iter().map(|drive| unit(drive.kind)).collect()
    }

    /// How well a recording is predicted that was not fitted.
    fn held_out(&self, recording: &Recording) -> String {
        let errors = self.found.errors(recording);
        let all_and_moving = |all: &Fit, moving: &Fit| {
            format!("{} of the torques ({} of joints that move)", percent(all.relative), percent(moving.relative))
        };
        let consistent = errors.consistent.as_ref().zip(errors.consistent_moving.as_ref());
        let consistent = consistent
            .map_or(String::new(), |(all, moving)| format!(", consistent ones {}", all_and_moving(all, moving)));
        let still = recording.standstill();
        let still = if still > 0.0 { format!("; {} of it at standstill", percent(still)) } else { String::new() };
        let free = all_and_moving(&errors.free, &errors.free_moving);
        format!("{}: free parameters {free}{consistent}{still}", recording.source.name)
    }

    /// What is said of each joint in each file.
    pub(super) fn files(&self) -> Table {
        let headings = vec![
            "file",
            "joint",
            ">moving",
            ">RMS, free",
            ">free",
            ">free, moving",
            ">RMS, consistent",
            ">consistent",
            ">consistent, moving",
        ];
        let (names, units, mut rows) = (Names::of(self.found), self.units(), Vec::new());
        for recording in names::all(self.found) {
            let Errors { free, free_moving, consistent, consistent_moving } = self.found.errors(recording);
            let (n, moves) = (free.rows.len(), recording.moving());
            for (k, unit) in units.iter().enumerate() {
                let moving = moves.iter().skip(k).step_by(n);
                let part = moving.clone().filter(|moves| **moves).count() as f64 / moving.count().max(1) as f64;
                let mut row = vec![names.name(recording).to_owned(), free.rows[k].name.clone(), percent(part)];
                let rms = |fit: &Fit| rms(fit.rows[k].rms, unit);
                let relative = |fit: &Fit| percent(fit.rows[k].relative);
                row.extend([rms(&free), relative(&free), relative(&free_moving)]);
                let fits = consistent.as_ref().zip(consistent_moving.as_ref());
                row.extend(
                    fits.map_or(vec!["–".into(); 3], |(all, moving)| vec![rms(all), relative(all), relative(moving)]),
                );
                rows.push(row);
            }
        }
        (headings, rows)
    }

    /// What base parameters are regrouped of, in a line each.
    pub(super) fn regrouped(&self) -> String {
        let all = self.found.full.base.to_string();
        all.lines().filter(|line| line.contains('=')).collect::<Vec<_>>().join("\n")
    }

    fn signals(&self) -> String {
        let rate = self.found.recordings.first().map_or(0.0, |recording| recording.thinned_rate);
        let samples = self.found.full.equations.samples();
        format!("{}: {samples} samples at {} Hz", self.found.signals(), short(rate))
    }

    /// What was found that a robot's file has no numbers for, and the residual of the file without it.
    pub(super) fn beyond(&self) -> Option<String> {
        let file = self.found.file.as_ref()?;
        let found = file.consistent.as_ref().ok()?;
        let beyond = self.found.beyond().into_iter().map(|(name, value)| format!("{name} = {}", short(round(value))));
        let held_out = file.validation.as_ref().and_then(|validation| validation.consistent.as_ref());
        let held_out = held_out.map_or(String::new(), |fit| format!(", {} held out", percent(fit.relative)));
        Some(format!(
            "{}; the robot in the file is fitted without them, with a residual of {}{held_out}",
            beyond.collect::<Vec<_>>().join(", "),
            percent(found.fit.relative)
        ))
    }

    /// The residual of a physically consistent robot near these parameters.
    fn verdict(&self) -> String {
        match &self.found.full.consistent {
            Err(error) => format!("no robot's file: {error}"),
            Ok(found) => {
                let cost = price(found).map_or(String::new(), |price| format!(", {} more", percent(price)));
                let points = format!("{:.3}", 100.0 * found.margin_cost.abs());
                let volume = match points.as_str() {
                    "0.000" => String::new(),
                    _ => format!("; that bodies have some volume costs {points} points of it"),
                };
                format!(
                    "the nearest physically consistent robot, with bodies of positive density and volume and friction that brakes, has a residual of {} of \
                     the torques, free parameters {}{cost}{volume}",
                    percent(found.fit.relative),
                    percent(found.unconstrained.relative)
                )
            }
        }
    }

    /// What stands above the table of joints.
    pub(super) fn about_joints(&self) -> String {
        let held_out = Names::of(self.found).held_out();
        format!("Residuals, joint by joint{}", held_out.map_or(String::new(), |what| format!("; held out: {what}")))
    }

    /// What is said of each joint.
    pub(super) fn joints(&self) -> Table {
        let Fitted { estimate, validation, .. } = &self.found.full;
        let file = self.found.file.as_ref().filter(|file| file.consistent.is_ok());
        let [consistent, consistent_held_out] = consistent_fits(&self.found.full);
        let [of_file, of_file_held_out] = file.map_or([None; 2], consistent_fits);
        let [of_urdf, of_urdf_held_out] =
            self.found.urdf.own().map_or([None; 2], |(fitted, _)| consistent_fits(fitted));
        let known: Vec<(&str, &Fit)> = [
            (">free, held out", validation.as_ref().map(|validation| &validation.estimate)),
            (">consistent", consistent),
            (">consistent, held out", consistent_held_out),
            (">robot.toml", of_file),
            (">robot.toml, held out", of_file_held_out),
            (">robot.urdf", of_urdf),
            (">robot.urdf, held out", of_urdf_held_out),
        ]
        .into_iter()
        .filter_map(|(heading, fit)| Some((heading, fit?)))
        .collect();
        let (mut headings, columns): (Vec<&'static str>, Vec<&Fit>) = known.into_iter().unzip();
        headings.splice(0..0, ["joint", ">RMS, free", ">free"]);
        let units = self.units();
        let row = |(k, own): (usize, &appell_identification::estimate::RowFit)| {
            let others = columns.iter().map(|fit| percent(fit.rows[k].relative));
            [own.name.clone(), rms(own.rms, units[k]), percent(own.relative)].into_iter().chain(others).collect()
        };
        let mut rows: Vec<Vec<String>> = estimate.fit.rows.iter().enumerate().map(row).collect();
        let all = columns.iter().map(|fit| percent(fit.relative));
        let ends = ["all".to_owned(), String::new(), percent(estimate.fit.relative)];
        rows.push(ends.into_iter().chain(all).collect());
        (headings, rows)
    }

    /// The base parameters with their uncertainty.
    pub(super) fn parameters(&self) -> Table {
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
        let Fitted { base, estimate, consistent, .. } = &self.found.full;
        let consistent = consistent.as_ref().ok().map(|found| base.values(found.values.as_slice()));
        let before = base.values(&self.found.unknowns.model.values(self.robot));
        let (sigma, relative) = (estimate.sigma(), estimate.relative_sigma());
        let one = |(k, name): (usize, &String)| BaseParameter {
            name: name.clone(),
            value: estimate.values[k],
            sigma: sigma[k],
            relative_sigma: relative[k],
            consistent: consistent.as_ref().map(|values| values[k]),
            before: before[k],
            unit: self.found.unknowns.model.unit(self.robot, base.kept()[k]),
        };
        estimate.names.iter().enumerate().map(one).collect()
    }

    pub(super) fn parameter_table(&self) -> String {
        let mut text = String::from("parameter,value,sigma,sigma_percent,consistent,before,unit\n");
        for found in self.base_parameters() {
            let consistent = found.consistent.map(|x| x.to_string()).unwrap_or_default();
            let BaseParameter { name, value, sigma, relative_sigma, before, unit, .. } = found;
            let _ = writeln!(text, "{name},{value},{sigma},{relative_sigma},{consistent},{before},{unit}");
        }
        text
    }

    pub(super) fn correlation_table(&self) -> String {
        let estimate = &self.found.full.estimate;
        let mut text = format!("parameter,{}\n", estimate.names.join(","));
        for (name, row) in estimate.names.iter().zip(estimate.correlation().row_iter()) {
            let numbers: String = row.iter().map(|x| format!(",{x}")).collect();
            let _ = writeln!(text, "{name}{numbers}");
        }
        text
    }

    pub(super) fn effort_table(&self) -> String {
        let n = self.found.full.equations.rows().len();
        let of_robot = |k: usize| if self.found.files.is_some() { format!(",robot{k}") } else { String::new() };
        let columns: String = (1..=n).map(|k| format!(",measured{k},predicted{k}{}", of_robot(k))).collect();
        let mut text = format!("file,t{columns}\n");
        for (file, recording) in self.found.recordings.iter().enumerate() {
            let equations = &recording.equations;
            let [measured, predicted] = self.found.full.efforts(equations);
            let by_robot = self.found.predicted_by_robot(equations);
            for (i, t) in recording.times.iter().enumerate() {
                let _ = write!(text, "{},{t}", file + 1);
                for k in i * n..(i + 1) * n {
                    let _ = write!(text, ",{},{}", measured[k], predicted[k]);
                    if let Some(by_robot) = &by_robot {
                        let _ = write!(text, ",{}", by_robot[k]);
                    }
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

/// The fit of consistent parameters, and that on data that were held out.
pub(super) fn consistent_fits(fitted: &Fitted) -> [Option<&Fit>; 2] {
    let held_out = fitted.validation.as_ref().and_then(|validation| validation.consistent.as_ref());
    [fitted.consistent.as_ref().ok().map(|found| &found.fit), held_out]
}

/// The residual of a robot's file beside that of free parameters, and of which joints it is much larger.
fn beside(own: &Fit, free: &Fit) -> String {
    let more = own.rows.iter().zip(&free.rows);
    let more = more.filter(|(own, free)| own.relative > LARGE_RESIDUAL.max(MUCH_MORE * free.relative));
    let more: Vec<String> = more
        .map(|(own, free)| format!("{} of {} (free: {})", percent(own.relative), own.name, percent(free.relative)))
        .collect();
    let joints =
        if more.is_empty() { String::new() } else { format!("; much larger of some joints: {}", more.join(", ")) };
    let (own, free) = (percent(own.relative), percent(free.relative));
    format!("residual {own} of the torques, where that of free parameters is {free}{joints}")
}
