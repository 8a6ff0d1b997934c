//! What is reported of a motion under control when it has ended.

use super::record::{EVENTS, PLOTS, RECORD, RECORDING, Rows};
use crate::output::{write_bytes, write_file};
use crate::report::{Facts, MOST_STRIPS, Plot, Table};
use crate::report::{drawn, facts_on_page, plots_on_page, table_on_page, write_facts, write_table};
use appell::description::JointKind;
use appell::{Joint, Robot};
use appell_drawing::listing::short;
use appell_drawing::page;
use appell_drawing::{Across, Curve, Look, Strip, strips};
use appell_simulation::scenario::{Outcome, Scenario};
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A scenario with how it went.
pub(crate) struct Report<'r> {
    pub(crate) scenario: &'r Scenario,
    pub(crate) machine: &'r Robot,
    pub(crate) outcome: &'r Outcome,
    pub(crate) rows: Option<Rows>,
    pub(crate) out: &'r Path,
    /// How long it took to compute, s.
    pub(crate) wall: f64,
    /// The scenario's file.
    pub(crate) text: &'r str,
    /// What else is said.
    pub(crate) more: Facts,
    /// What else is drawn.
    pub(crate) more_plots: Vec<Plot>,
    /// The same as JSON.
    pub(crate) json: Option<(&'static str, Value)>,
}

/// Bytes of a scenario that a page shows.
const LONGEST_TEXT: usize = 1 << 16;

impl Report<'_> {
    /// Writes plots and page, if there are rows to show.
    pub(crate) fn write_files(&self) -> anyhow::Result<()> {
        let Some(rows) = &self.rows else { return Ok(()) };
        let plots = self.plots(rows);
        for (name, bytes) in drawn(&plots)?.into_iter().chain(drawn(&self.more_plots)?) {
            write_bytes(&self.out.join(name), &bytes, &mut io::sink())?;
        }
        write_file(&self.path(), &self.page(&plots), &mut io::sink())
    }

    /// The page.
    fn path(&self) -> PathBuf {
        self.out.join("report.html")
    }

    /// Prints the numbers.
    pub(crate) fn print(&self, json: bool, stdout: &mut dyn Write) -> anyhow::Result<()> {
        let page = self.path();
        if json {
            let mut value = self.as_json(&page);
            if let Some((key, more)) = &self.json {
                value[*key] = more.clone();
            }
            writeln!(stdout, "{value:#}")?;
            return Ok(());
        }
        write_facts(&self.facts(), stdout)?;
        write_table(self.table(), stdout)?;
        if self.rows.is_some() {
            writeln!(stdout, "Report: {}", page.display())?;
        }
        Ok(())
    }

    /// What is said in a line each.
    fn facts(&self) -> Facts {
        let Outcome { t, duration, cost, stop, interrupted, trip, timing, step_times, .. } = self.outcome;
        let mut facts = vec![("Scenario", format!("{}, of {}", self.scenario.name, self.machine.tree().name()))];
        let end = match (stop, interrupted) {
            (Some(stop), _) => format!("ended {stop}"),
            (None, true) if duration.is_infinite() => format!("ended at t = {} s", short(*t)),
            (None, true) => format!("interrupted at t = {} s of {} s", short(*t), short(*duration)),
            (None, false) if *t < 0.999 * duration => format!("ended at t = {} s of {} s", short(*t), short(*duration)),
            (None, false) => format!("{} s, to its end", short(*duration)),
        };
        facts.push(("Motion", end));
        facts.extend(trip.as_ref().map(|trip| ("Safe stop", trip.to_string())));
        facts.extend(self.outcome.doubts.iter().map(|doubt| ("Doubt", doubt.to_string())));
        let appell_simulation::simulation::Cost { steps, rejected, evaluations } = cost;
        if *evaluations > 0 {
            facts.push((
                "Integration",
                format!(
                    "{evaluations} evaluations, {steps} steps and {rejected} taken back; {} s to compute",
                    short(self.wall)
                ),
            ));
        }
        if let Some(timing) = timing {
            let late = format!("period {} s, delay {} periods", short(timing.period), short(timing.delay));
            facts.push(("Computer", late));
        }
        if let Some(times) = step_times {
            let us = |time: f64| format!("{} µs", short(time * 1e6));
            facts.push((
                "Control step",
                format!(
                    "median {}, 99.9 % within {}, longest {}; {} of {} deadlines missed on this machine",
                    us(times.median),
                    us(times.most),
                    us(times.longest),
                    times.late,
                    self.outcome.instants
                ),
            ));
        }
        facts.extend(self.more.iter().cloned());
        facts
    }

    /// What is said of each drive.
    fn table(&self) -> Table {
        let Outcome { tracking, saturated, instants, .. } = self.outcome;
        let mut headings = vec!["drive"];
        if !tracking.is_empty() {
            headings.extend([">largest error", ">RMS error"]);
        }
        headings.extend(saturated.as_ref().map(|_| ">at its limit"));
        let largest = |symbol: &str, i: usize| {
            let rows = self.rows.as_ref()?;
            let mut own = rows.symbols.iter().zip(&rows.kept.peaks).filter(|(own, _)| **own == symbol);
            own.nth(i).map(|(_, peak)| *peak)
        };
        headings.extend([">largest speed", ">largest effort"]);
        let units = self.units();
        let row = |(i, name): (usize, String)| {
            let [position, speed, effort] = units[i];
            let mut row = vec![name];
            row.extend(
                tracking
                    .get(i)
                    .into_iter()
                    .flat_map(|error| [error.largest, error.rms].map(|error| format!("{} {position}", short(error)))),
            );
            row.extend(saturated.as_ref().map(|counts| {
                let part = 100.0 * counts[i] as f64 / (*instants).max(1) as f64;
                format!("{} %", short((part * 100.0).round() / 100.0))
            }));
            for (symbol, unit) in [("v", speed), ("tau", effort)] {
                row.push(largest(symbol, i).map_or("–".into(), |x| format!("{} {unit}", short(x))));
            }
            row
        };
        (headings, self.names().into_iter().enumerate().map(row).collect())
    }

    /// Names of the drives.
    fn names(&self) -> Vec<String> {
        self.machine.drives().iter().map(|joint| joint.name.to_owned()).collect()
    }

    /// Names of the numbers of a position: those of the drives, but for quaternions.
    fn positions(&self) -> Vec<String> {
        self.machine.positions().into_iter().map(str::to_owned).collect()
    }

    /// Units of position, speed and effort of each drive.
    fn units(&self) -> Vec<[&'static str; 3]> {
        let kind = |joint: &Joint<'_>| match joint.kind {
            JointKind::Revolute => ["rad", "rad/s", "N m"],
            JointKind::Prismatic => ["m", "m/s", "N"],
        };
        self.machine.drives().iter().map(kind).collect()
    }

    /// The units of all drives together.
    fn unit(&self, which: usize) -> String {
        let mut all: Vec<&str> = self.units().iter().map(|units| units[which]).collect();
        all.sort_unstable();
        all.dedup();
        all.join(", ")
    }

    /// A drive, or a number of a position, with its unit; the numbers of quaternions have none.
    fn label(&self, name: &str, which: usize) -> String {
        match self.names().iter().position(|drive| drive == name) {
            Some(i) => format!("{name} ({})", self.units()[i][which]),
            None => name.to_owned(),
        }
    }

    fn plots(&self, rows: &Rows) -> Vec<Plot> {
        let (drives, numbers) = (&self.names(), &self.positions());
        let columns = |symbol: &'static str| {
            let all = rows.symbols.iter().zip(&rows.kept.columns);
            all.filter(move |(own, _)| **own == symbol).map(|(_, column)| column.as_slice()).collect::<Vec<_>>()
        };
        let plot = |name: &'static str, caption: &str, panels: Vec<(String, Vec<Curve<'_>>)>| {
            let panels: Vec<Strip<'_>> = panels
                .iter()
                .map(|(label, curves)| Strip { label, curves: curves.clone(), look: Look::Alike })
                .collect();
            let title = format!("{}: {name}", self.scenario.name);
            let svg = strips(&title, &Across::even("t (s)", &rows.kept.times), &panels);
            Plot { name, caption: caption.into(), svg }
        };
        // A strip per number, with one curve of each symbol; of very many all curves of the first symbol in one.
        let by_number =
            |groups: &[(&'static str, &'static str)], labels: Vec<String>| -> Vec<(String, Vec<Curve<'_>>)> {
                let curves = |i: usize| {
                    let one = |&(name, symbol): &(&'static str, &'static str)| {
                        Some(Curve { name, values: columns(symbol).get(i)? })
                    };
                    groups.iter().filter_map(one).collect::<Vec<_>>()
                };
                let strip = |(i, label): (usize, String)| (label, curves(i));
                labels.into_iter().enumerate().map(strip).filter(|(_, curves)| !curves.is_empty()).collect()
            };
        let names_of = |groups: &[(&'static str, &'static str)]| if groups[0].1 == "q" { numbers } else { drives };
        let all = |groups: &[(&'static str, &'static str)], which: usize| {
            let names = names_of(groups).iter();
            let curves = names.zip(columns(groups[0].1)).map(|(name, values)| Curve { name, values }).collect();
            vec![(format!("{} ({})", groups[0].0, self.unit(which)), curves)]
        };
        let panels = |groups: &[(&'static str, &'static str)], which: usize| {
            let names = names_of(groups);
            if names.len() > MOST_STRIPS {
                return all(groups, which);
            }
            by_number(groups, names.iter().map(|name| self.label(name, which)).collect())
        };
        let [positions, speeds, efforts, errors, energy] = PLOTS;
        let positions_of = panels(&[("q", "q"), ("wanted", "wanted")], 0);
        let efforts_of = panels(&[("effort", "tau"), ("command", "command")], 2);
        let mut plots = vec![
            plot(positions, "Positions of the drives, and what was wanted.", positions_of),
            plot(speeds, "Speeds of the drives.", all(&[("v", "v")], 1)),
            plot(efforts, "Torques and forces that act, and what the law commands.", efforts_of),
        ];
        if !columns("error").is_empty() {
            let errors_of = panels(&[("error", "error")], 0);
            plots.push(plot(errors, "Errors: positions less the wanted ones.", errors_of));
        }
        if let [kinetic, potential] = columns("energy")[..] {
            let sum: Vec<f64> = kinetic.iter().zip(potential).map(|(one, other)| one + other).collect();
            let curve = |name, values| Curve { name, values };
            let curves = vec![curve("kinetic", kinetic), curve("potential", potential), curve("sum", &sum)];
            plots.push(plot(energy, "Energy of the robot.", vec![("energy (J)".to_owned(), curves)]));
        }
        plots
    }

    fn page(&self, plots: &[Plot]) -> String {
        let mut body = format!("<section>{}{}", facts_on_page(&self.facts()), table_on_page(&self.table()));
        body += "</section>\n<section><h2>Plots</h2>\n";
        body += &plots_on_page(plots);
        body += &plots_on_page(&self.more_plots);
        let shown = if self.text.len() <= LONGEST_TEXT { self.text } else { "# too long to be shown here" };
        body += &format!(
            "</section>\n<section><h2>Scenario</h2><p>All rows are in <a href=\"{RECORD}\">{RECORD}</a>, what happened in \
             <a href=\"{EVENTS}\">{EVENTS}</a>, and both in <a href=\"{RECORDING}\">{RECORDING}</a>, for Foxglove and PlotJuggler. \
             To see this again, give the file below to <code>appell simulate</code>.</p><pre>{}</pre></section>\n",
            page::escape(shown)
        );
        let lead = page::escape(&format!("A simulation of {} by appell.", self.machine.tree().name()));
        page::document(&format!("appell: {}", self.scenario.name), &self.scenario.name, &lead, &body)
    }

    fn as_json(&self, page: &Path) -> Value {
        let Outcome { t, duration, cost, stop, interrupted, trip, tracking, saturated, instants, step_times, .. } =
            self.outcome;
        let drive = |(i, name): (usize, String)| {
            json!({
                "name": name,
                "largest_error": tracking.get(i).filter(|_| *instants > 0).map(|error| error.largest),
                "rms_error": tracking.get(i).filter(|_| *instants > 0).map(|error| error.rms),
                "at_limit": saturated.as_ref().map(|counts| counts[i]),
            })
        };
        json!({
            "scenario": self.scenario.name,
            "robot": self.machine.tree().name(),
            "t": t,
            "duration": duration,
            "stop": stop.as_ref().map(ToString::to_string),
            "interrupted": interrupted,
            "trip": trip.as_ref().map(ToString::to_string),
            "doubts": self.outcome.doubts.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "evaluations": cost.evaluations,
            "steps": cost.steps,
            "rejected": cost.rejected,
            "instants": instants,
            "drives": self.names().into_iter().enumerate().map(drive).collect::<Vec<_>>(),
            "step_times": step_times.map(|times| {
                json!({ "median": times.median, "most": times.most, "longest": times.longest, "late": times.late })
            }),
            "report": self.rows.as_ref().map(|_| page.display().to_string()),
        })
    }
}
