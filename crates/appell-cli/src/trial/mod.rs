//! Trials: a scenario with its robot and tables, loaded from files, and what is kept of a run of it.
//!
//! | file | what it holds |
//! |---|---|
//! | `mod` | the scenario's file and those that it names; the folder that a run fills |
//! | `record` | the table of the motion, row by row, and the rows that plots show |
//! | `events` | the table of events |
//! | `recording` | the same as MCAP |
//! | `recorder` | the table of a recorder beside the computer |
//! | `files` | all of these, while they are written |
//! | `report` | what is reported when it has ended: text, JSON, a page with plots |

mod record;
mod events;
mod recording;
mod recorder;
mod files;
mod report;

pub(crate) use files::{Files, Paths};
pub(crate) use record::{EVENTS, FRAMES, RECORD, RECORDING, Record, Rows as RecordRows, TIMINGS, clear, clear_plots};
pub(crate) use report::Report;

use crate::output;
use crate::place::quaternion;
use crate::robot;
use crate::table::{self, joint_points, pose_points};
use anyhow::{Context, anyhow, ensure};
use appell::Robot;
use appell::question::Question;
use appell::robots;
use appell::spatial::{Mat3, Pose, Vec3};
use appell_law::Library;
use appell_simulation::scenario::Scenario;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};

/// A scenario, ready for its robot.
pub(crate) struct Trial {
    pub(crate) scenario: Scenario,
    pub(crate) machine: Robot,
    /// The scenario's file.
    pub(crate) text: String,
    /// Of all files together.
    pub(crate) digest: [u8; 32],
}

impl Trial {
    /// Loads a scenario, its robot, and the table that it names. The library of its law is opened when the law is made.
    pub(crate) fn load(path: &Path) -> anyhow::Result<Self> {
        let shown = path.display();
        let (mut scenario, text) = read(path)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let file = beside(folder, &scenario.robot);
        let machine = robot::with_output(&file, robot::load(&file, false)?, scenario.output.as_deref())?;
        ensure!(
            scenario.output.is_none() || machine.closed().is_some(),
            "{shown}: output: {} has no closed loops; remove it",
            machine.name()
        );
        // A simulation couples followers: what is read, recorded and reported has the coordinates of the leaders alone.
        let machine = machine.coupled().with_context(|| format!("{shown}: robot"))?;
        let points = scenario.points_file().map(|points| folder.join(points));
        put_points(&mut scenario, &machine, folder)?;
        put_law(&mut scenario, folder);
        let mut digest = Sha256::new();
        digest.update(text.as_bytes());
        for file in [Some(file), points].into_iter().flatten() {
            digest.update(fs::read(file).unwrap_or_default()); // built-in robots have no file
        }
        Ok(Self { scenario, machine, text, digest: digest.finalize().into() })
    }
}

/// The folder that a run fills: the one that is given, or one named like the trial's file.
pub(crate) fn folder(path: &Path, out: Option<&Path>) -> anyhow::Result<PathBuf> {
    let out = match out {
        Some(out) => out.to_owned(),
        None => {
            let no_name = || format!("{} has no name; give --out", path.display());
            PathBuf::from(path.file_stem().with_context(no_name)?)
        }
    };
    ensure!(!out.exists() || out.is_dir(), "{} is not a folder; give another --out", out.display());
    Ok(out)
}

/// The folder of a run, which goes again where it was made for a run that leaves nothing.
pub(crate) struct NewFolder {
    made: Vec<PathBuf>, // innermost first
}

impl NewFolder {
    /// Makes a folder and those around it that are missing.
    pub(crate) fn make(folder: &Path) -> anyhow::Result<Self> {
        let missing = folder.ancestors().take_while(|path| !path.as_os_str().is_empty() && !path.exists());
        let made = missing.map(Path::to_owned).collect();
        fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
        Ok(Self { made })
    }

    pub(crate) fn keep(mut self) {
        self.made.clear();
    }
}

impl Drop for NewFolder {
    fn drop(&mut self) {
        for folder in &self.made {
            let _ = fs::remove_dir(folder); // stays if something else is in it
        }
    }
}

/// Reads a scenario; its text comes with it.
pub(crate) fn read(path: &Path) -> anyhow::Result<(Scenario, String)> {
    let shown = path.display();
    let text = fs::read_to_string(path).map_err(output::unread).with_context(|| shown.to_string())?;
    let scenario = Scenario::read(&text).map_err(|problems| anyhow!("{shown} is not a scenario\n{problems}"))?;
    Ok((scenario, text))
}

/// A file that a scenario names, seen from its folder; built-in robots stay what they are.
fn beside(folder: &Path, name: &str) -> PathBuf {
    if robots::find(name).is_some() { PathBuf::from(name) } else { folder.join(name) }
}

/// Reads the table that the scenario names, if it names one.
pub(crate) fn put_points(scenario: &mut Scenario, robot: &Robot, folder: &Path) -> anyhow::Result<()> {
    let Some(file) = scenario.points_file() else { return Ok(()) };
    let path = folder.join(file);
    if !scenario.points_are_poses() {
        let points = joint_points(robot, &path, Question::Frames)?;
        let [q, ..] = points.rows;
        scenario.put_points(points.times, q);
        return Ok(());
    }
    let points = pose_points(robot, &path)?;
    ensure!(points.times.len() == points.poses.len(), "{}: via points need times, in a column t", table::shown(&path));
    let row = |&(position, rotation): &(Vec3, Option<Mat3>)| {
        let turn = rotation.map(|rotation| quaternion(&Pose { position, rotation }));
        position.to_array().into_iter().chain(turn.into_iter().flatten()).collect()
    };
    let rows = points.poses.iter().map(row).collect();
    scenario.put_points(points.times, rows);
    Ok(())
}

/// Lets the shared library that the scenario names, if it names one, be its law.
pub(crate) fn put_law(scenario: &mut Scenario, folder: &Path) {
    let Some(asked) = scenario.law_library().cloned() else { return };
    let path = folder.join(&asked.library);
    scenario.put_law(move |order| Ok(Box::new(Library::open(&path, &asked.parameters, order)?)));
}
