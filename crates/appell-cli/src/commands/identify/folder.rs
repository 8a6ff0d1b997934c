//! The folder of an identification: what is written into it, what is never replaced there, and what is removed.

use super::plots::PLOTS;
use super::report::Report;
use super::web_page;
use crate::output::{self, is_same, write_bytes};
use crate::report::{drawn, plot_files, remove};
use anyhow::Context;
use std::fs;
use std::io;

/// How a robot's file begins that was identified.
const IDENTIFIED: &str = "# Identified on";

impl Report<'_> {
    /// Writes what was found, and then removes what a run before has left beside it: no robot of one shall stand beside
    /// the report of another. A robot that was found before is not given up for none.
    pub(super) fn write_files(&self) -> anyhow::Result<()> {
        let out = self.out;
        if let (Some(error), true) = (&self.found.refusal, out.join("robot.toml").exists()) {
            anyhow::bail!(
                "no robot is written ({error}), and {} has one of an earlier run: nothing is written; give another folder with --out",
                out.display()
            );
        }
        let before = fs::read(out.join("robot.toml")).unwrap_or_default();
        let before = String::from_utf8_lossy(&before);
        let is_ours = before.is_empty() || self.found.files.is_none() || before.starts_with(IDENTIFIED);
        anyhow::ensure!(is_ours, self.not_ours("robot.toml"));
        let name_of = |text: &str| text.lines().find(|line| line.starts_with("name = ")).map(ToOwned::to_owned);
        if let (Some(before), Some(now)) =
            (name_of(&before), self.found.files.as_ref().and_then(|files| name_of(&files.toml)))
        {
            anyhow::ensure!(
                before == now,
                "{} holds another robot, {}; give another folder with --out",
                out.display(),
                before.trim_start_matches("name = ")
            );
        }
        // Pictures take most of the time: all is made before the first file is replaced.
        let mut files = drawn(self.plots)?;
        if let Some(robot) = &self.found.files {
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
        self.expect_own_folder()?;
        output::together(|| {
            files.iter().try_for_each(|(name, bytes)| write_bytes(&out.join(name), bytes, &mut io::sink()))
        })?;
        self.remove_stale()
    }

    /// Refuses a folder with files of the same names that are not of an earlier run: a report or a robot would show
    /// that.
    fn expect_own_folder(&self) -> anyhow::Result<()> {
        let has = |name: &str, mark: &str| {
            fs::read(self.out.join(name)).is_ok_and(|bytes| String::from_utf8_lossy(&bytes).contains(mark))
        };
        if has("robot.toml", IDENTIFIED) || has("report.html", web_page::LEAD) {
            return Ok(());
        }
        let tables = ["report.html", "robot.urdf", "parameters.csv", "correlation.csv", "efforts.csv"];
        let mut names = tables.into_iter().map(str::to_owned).chain(plot_files(PLOTS));
        match names.find(|name| self.out.join(name).exists()) {
            None => Ok(()),
            Some(name) => anyhow::bail!(self.not_ours(&name)),
        }
    }

    fn not_ours(&self, name: &str) -> String {
        let path = self.out.join(name);
        let shown = path.display();
        format!("{shown} was not written by `appell identify`, and is not replaced; give another folder with --out")
    }

    /// Removes plots and a URDF that this run has not written.
    fn remove_stale(&self) -> anyhow::Result<()> {
        let is_drawn = |name: &str| self.plots.iter().any(|plot| plot.name == name);
        let plots = plot_files(PLOTS.into_iter().filter(|name| !is_drawn(name)));
        let has_urdf = self.found.files.as_ref().is_some_and(|files| files.urdf.is_some());
        remove(self.out, plots.chain((!has_urdf).then(|| "robot.urdf".into())))
    }
}
